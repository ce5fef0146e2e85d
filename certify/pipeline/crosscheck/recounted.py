"""Recounts of declared wagers: conversion to JSON, count, and cache of slow counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.engine.count_cache import cached_count
from certify.errors import NotConfigured
from certify.model.condition import Condition, Event, FeatureTest, TwoHands, iter_tests, translate
from certify.model.encoding import Progress
from certify.model.game import Game, HandRules, JokerRule, Strategy, WheelRule
from certify.model.house_way import HighestFront, HouseWay, HouseWayRule
from certify.model.main_wager import MainWager, Raise
from certify.model.paytable import AlsoTable, HandOf, Paytable
from certify.model.vocabulary import Category
from certify.recount import main_wager, two_hands
from certify.recount.census import census
from certify.recount.hands import Uncountable
from certify.recount.set_hands import KINDS, Rules, Undecided
from certify.recount.tables import row_counts, split_tables

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recount:
    """Pairs of hands by row, and the house edge if it follows from them.

    ``edge`` is per unit staked, with a raise per unit of the first wager.
    """

    rows: Mapping[str, int]
    edge: Fraction | None = None


def recount_one_hand(
    paytable: Paytable,
    events: Mapping[str, Event],
    game: Game,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Return the number of hands of each row of a wager on one hand, and of all others.

    One census serves every paytable of the game on the same number of cards.
    """
    deck = build_rules(game.hands.for_wager(paytable), paytable.cards).deck
    features = _features(paytable, events, game)
    cells = cached_count(
        ("recount", deck, paytable.cards, features),
        lambda: [
            [*cell, number]
            for cell, number in census(paytable.cards, deck, features, progress).items()
        ],
        second=True,
        plain=True,
    )
    counted = {tuple(cell): number for *cell, number in cells}
    declared = events_json(events)
    tables = split_tables(paytable_json(paytable), declared)
    return row_counts(tables, declared, counted, features)


def _features(paytable: Paytable, events: Mapping[str, Event], game: Game) -> tuple[str, ...]:
    """Return the features that all paytables of a game with this number of cards use."""
    compare_exact = [
        table
        for table in game.paytables
        if table.cards == paytable.cards
        and table.hand is not HandOf.BOTH
        and game.hands.for_wager(table) == game.hands.for_wager(paytable)
    ]
    rows = [
        row
        for table in (paytable, *compare_exact)
        for rows in (table.rows, *(more.rows for more in table.also))
        for row in rows
    ]
    known = (events[row.event] for row in rows if row.event in events)
    asked = {test for event in known for test in iter_tests(event.when) if not test.part.is_set}
    return tuple(sorted({test.feature for test in asked}))


def recount_options(
    options: Sequence[MainWager],
    *,
    game: Game,
    house_way: HouseWay,
    strategies: Sequence[Strategy] = tuple(Strategy),
    progress: Progress | None = None,
) -> dict[tuple[str, Strategy], Recount]:
    """Count options of one game, with each way to set the hands.

    Raises:
        NotConfigured: the house way does not decide every hand, or the recount does not cover the
            hands or a rule.
    """
    refuse_uncovered(options, game)
    try:
        settled = main_wager.count_options(
            {option.id: option_json(option) for option in options},
            rules=build_rules(game.hands, game.hands.shape.cards),
            house_way=house_way_json(house_way),
            seen=game.dealer_exposed,
            strategies=list(map(str, strategies)),
            progress=progress,
        )
    except Undecided as error:
        raise NotConfigured(
            f"The house way {house_way.id} does not set every hand of this deck.",
            remedy="Run `certify check`: it lists the hands and the rules.",
        ) from error
    except Uncountable as error:
        raise _uncountable(error) from error
    return {
        (name, Strategy(strategy)): Recount(rows=found.counts, edge=found.edge)
        for (name, strategy), found in settled.items()
    }


def refuse_uncovered(options: Sequence[MainWager], game: Game) -> None:
    """Refuse hands of two sizes, and wagers that pay by the player's hand.

    Raises:
        NotConfigured: the game deals them, or an option has them.
    """
    shape = game.hands.shape
    if not (shape.is_divided or shape.is_whole) or shape.dealer_shows:
        raise NotConfigured(
            f"The verification count does not cover the best {shape.back} of more cards, or a "
            "dealer's card that the player sees.",
            remedy="Compare the counts with a laboratory's: `certify compare COUNTS.csv TARGET`.",
        )
    if any(option.has_terms_by_hand for option in options):
        raise NotConfigured(
            "The verification count does not cover a raise whose size or pay depends on the "
            "player's hand, a raise that wins unqualified, or a companion wager.",
            remedy="Compare the counts with a laboratory's: `certify compare COUNTS.csv TARGET`.",
        )


def recount_pairs(
    paytable: Paytable,
    events: Mapping[str, Event],
    *,
    hands: HandRules,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Return the number of pairs of hands of each row of a wager on both hands.

    Raises:
        NotConfigured: an event depends on cards that the recount does not distinguish.
    """
    try:
        return two_hands.pair_counts(
            paytable_json(paytable),
            events_json(events),
            rules=build_rules(hands, paytable.cards),
            progress=progress,
        )
    except Uncountable as error:
        raise _uncountable(error) from error


def _uncountable(error: Uncountable) -> NotConfigured:
    return NotConfigured(
        f"The verification count of pairs of hands cannot use {error}.",
        remedy="Use features of ranks, straights and flushes of whole hands.",
    )


def build_rules(hands: HandRules, cards: int) -> Rules:
    """Return the rules of a deck and of hands of ``cards`` cards."""
    return Rules(
        ranks=hands.deck.ranks,
        jokers=int(hands.deck.joker),
        cards=cards,
        back=hands.shape.back,
        front=hands.shape.front,
        wild=hands.joker is JokerRule.FULLY_WILD,
        low_wheel=hands.wheel is WheelRule.LOWEST,
        joker_beats_ace=hands.joker_beats_ace_in_front,
        order=list_categories(hands),
        decks=hands.deck.decks,
    )


def list_categories(hands: HandRules) -> tuple[str, ...]:
    """Return the kinds of hands, lowest first; a royal flush is the highest straight flush."""
    if hands.ranking is None:
        return KINDS
    order = [str(kind) for kind in reversed(hands.ranking.highest_first)]
    royal = order.index(Category.STRAIGHT_FLUSH) + 1
    return (*order[:royal], str(Category.ROYAL_FLUSH), *order[royal:])


def house_way_json(house_way: HouseWay) -> Json:
    """Return the parts of a house way that determine how hands are set."""
    return {
        "sections": [
            {
                "id": section.id,
                "when": condition_json(section.when),
                "base": _rule(section.base),
                "exceptions": [_rule(rule) for rule in section.exceptions],
            }
            for section in house_way.sections
        ]
    }


def _rule(rule: HouseWayRule) -> Json:
    value: Json = {"id": rule.id, "when": condition_json(rule.when), "before": list(rule.before)}
    if rule.by is not None:
        value["by"] = rule.by
    if isinstance(rule.front, HighestFront):
        value["front"] = {
            "leaves": list(map(str, rule.front.leaves)),
            "at_least": rule.front.at_least,
            "pair": rule.front.pair,
            "highest_back": rule.front.highest_back,
        }
    elif rule.front is not None:
        value["front"] = str(rule.front)
    return value


def option_json(option: MainWager) -> Json:
    """Return the parts of an option that determine results and pays of a round."""
    value: Json = {
        "win_pays": str(option.win_pays),
        "dealer_rules": [
            {"id": rule.id, "when": condition_json(rule.when)}
            | ({"outcome": str(rule.outcome)} if rule.outcome is not None else {})
            | ({"win_pays": str(rule.win_pays)} if rule.win_pays is not None else {})
            for rule in option.dealer_rules
        ],
        "ties": {
            "high": str(option.ties.high),
            "low": str(option.ties.low),
            "both_push": option.ties.both_push,
        },
        "bonus": [
            {"id": bonus.id, "when": condition_json(bonus.when), "pays": str(bonus.pays)}
            for bonus in option.bonus
        ],
    }
    if option.wager_cents is not None:
        value["wager_cents"] = option.wager_cents
    if option.commission is not None:
        value["commission"] = {
            "rate": f"{option.commission.rate * 100}%",
            "prepaid": option.commission.prepaid,
            "unit_cents": option.commission.unit_cents,
            "rounding": str(option.commission.rounding),
            "minimum_cents": option.commission.minimum_cents,
        }
    if option.fee is not None:
        bands = [{"from_cents": band.from_cents, "cents": band.cents} for band in option.fee.bands]
        value["fee"] = {"bands": bands}
    if option.raise_ is not None:
        value["raise"] = _raise(option.raise_)
    return value


def _raise(raised: Raise) -> Json:
    value: Json = {"size": str(raised.size), "qualifies": condition_json(raised.qualifies)}
    if raised.largest is not None:
        value["largest"] = str(raised.largest)
    return value | ({"fold": {}} if raised.fold is not None else {})


def condition_json(condition: Condition | None) -> Any:  # noqa: ANN401 - JSON
    """Return a condition, None for none."""
    if condition is None:
        return None
    return translate(
        condition,
        test=_test,
        every=lambda parts: {"all": list(parts)},
        some=lambda parts: {"any": list(parts)},
        negate=lambda part: {"not": part},
    )


def _test(test: FeatureTest) -> Any:  # noqa: ANN401 - JSON
    wanted: Any = list(test.values)
    if not test.values:
        bounds = {"min": test.minimum, "max": test.maximum}
        wanted = {name: bound for name, bound in bounds.items() if bound is not None}
    asked = {test.feature: wanted}
    return {str(test.part): asked} if test.part.is_set else asked


def events_json(events: Mapping[str, Event]) -> Mapping[str, Json]:
    """Return the events by id, the highest ranking hand first."""
    return {
        event.id: {"when": condition_json(event.when)}
        if not event.two_handed
        else {"either": [_deal(deal) for deal in event.deals]}
        for event in events.values()
    }


def _deal(deal: TwoHands) -> Json:
    compared = {str(part): list(map(str, results)) for part, results in deal.results.items()}
    compare = {"best_hand" if part == "whole" else part: fits for part, fits in compared.items()}
    sides = {"dealer": condition_json(deal.dealer), "player": condition_json(deal.player)}
    return sides | ({"compare": compare} if compare else {})


def paytable_json(paytable: Paytable) -> Json:
    """Return the parts of a paytable that determine which rows are awarded."""
    return {
        "cards": paytable.cards,
        "both": paytable.hand is HandOf.BOTH,
        **_table(paytable),
        "also": [_table(table) for table in paytable.also],
    }


def _table(table: Paytable | AlsoTable) -> Json:
    return {"award": str(table.award), "rows": [{"event": row.event} for row in table.rows]}
