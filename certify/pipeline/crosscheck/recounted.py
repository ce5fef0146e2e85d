"""Recounts of declared wagers: conversion to JSON, count, and cache of slow counts."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

import certify_recount
from certify.engine.count_cache import cached_count
from certify.errors import NotConfigured
from certify.model.condition import AllOf, AnyOf, Event, FeatureTest, Not, iter_tests
from certify.model.encoding import Forms, Progress, drop_empty, encode_object, pick_values
from certify.model.game import Game, HandRules, JokerRule, Strategy, WheelRule
from certify.model.house_way import HouseWay, HouseWayRule, HouseWaySection
from certify.model.main_wager import DealerRule, Fold, MainWager, Raise
from certify.model.own_hand import HandBonus
from certify.model.paytable import (
    AlsoTable,
    CollectionFee,
    Commission,
    HandOf,
    Payout,
    Paytable,
    Row,
)
from certify.model.vocabulary import Category
from certify_recount import main_wager, two_hands
from certify_recount.census import census
from certify_recount.hands import Uncountable
from certify_recount.set_hands import KINDS, Rules, Undecided
from certify_recount.tables import row_counts, split_tables


class Recount(Struct, frozen=True, kw_only=True):
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
        ("recount", certify_recount.digest(), deck, paytable.cards, features),
        lambda: [
            [*cell, number]
            for cell, number in census(paytable.cards, deck, features, progress).items()
        ],
        second=True,
        plain=True,
    )
    counted = {tuple(cell): number for *cell, number in cells}
    declared = encode_object(events, FORMS)
    tables = split_tables(encode_object(paytable, FORMS), declared)
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
            {option.id: encode_object(option, FORMS) for option in options},
            rules=build_rules(game.hands, game.hands.shape.cards),
            house_way=encode_object(house_way, FORMS),
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
            encode_object(paytable, FORMS),
            encode_object(events, FORMS),
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


def _wanted(test: FeatureTest) -> dict[str, Any]:
    """Return a test: the values, or the bounds that it has."""
    bounds = {"min": test.minimum, "max": test.maximum}
    asked = {test.feature: test.values or drop_empty(bounds)}
    return {test.part: asked} if test.part.is_set else asked


FORMS: Forms = {
    HouseWay: lambda way: pick_values(way, "sections"),
    HouseWaySection: lambda section: pick_values(section, "id", "when", "base", "exceptions"),
    HouseWayRule: lambda rule: drop_empty(pick_values(rule, "id", "when", "before", "by", "front")),
    MainWager: lambda option: drop_empty(
        pick_values(option, "win_pays", "dealer_rules", "ties", "bonus", "wager_cents")
        | {"commission": option.commission, "fee": option.fee, "raise": option.raise_}
    ),
    DealerRule: lambda rule: drop_empty(pick_values(rule, "id", "when", "outcome", "win_pays")),
    Commission: lambda taken: {
        "rate": f"{taken.rate * 100}%",
        **pick_values(taken, "prepaid", "unit_cents", "rounding", "minimum_cents"),
    },
    CollectionFee: lambda fee: pick_values(fee, "bands"),
    Raise: lambda raised: drop_empty(pick_values(raised, "size", "qualifies", "largest", "fold")),
    Fold: lambda _: {},
    HandBonus: lambda bonus: pick_values(bonus, "id", "when", "pays"),
    Event: lambda event: {"either": event.deals} if event.two_handed else {"when": event.when},
    Paytable: lambda table: {
        "both": table.hand is HandOf.BOTH,
        **pick_values(table, "cards", "award", "rows", "also"),
    },
    AlsoTable: lambda table: pick_values(table, "award", "rows"),
    Row: lambda row: pick_values(row, "event"),
    AllOf: lambda every: {"all": every.conditions},
    AnyOf: lambda some: {"any": some.conditions},
    Not: lambda negated: {"not": negated.condition},
    FeatureTest: _wanted,
    Payout: str,
    Fraction: str,
}
"""The parts that a recount depends on, by class; of other classes, the fields that are not empty.

A recount reads an omitted field as one without a value.
"""
