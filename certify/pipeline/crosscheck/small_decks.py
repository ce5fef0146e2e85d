"""Base games on small decks: every pair of hands, one by one, against the exact engine."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Final

from certify.engine.main import evaluate as base_game
from certify.engine.second.enumeration import pair_results
from certify.errors import NotConfigured
from certify.model.audit import Comparison, CrossCheck
from certify.model.cards import Deck, HandShape
from certify.model.condition import AllOf
from certify.model.game import Game, Strategy
from certify.model.house_way import HighestFront, HouseWay, HouseWayRule, HouseWaySection
from certify.model.main_wager import MainWager, Outcome
from certify.model.progress import Progress
from certify.pipeline.crosscheck.simulated import RESULTS, outcome_reason
from certify.pipeline.crosscheck.verification import EXHAUSTIVE

SMALL: Final = 5
"""Ranks of a small deck: hands of the game's own size, set by its own house way."""

SHORT: Final = (6, HandShape(cards=4, back=3, front=1))
"""Six ranks and short hands: small enough, and with hands that hold nothing at all."""


def enumerate_option(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    progress: Progress | None = None,
) -> tuple[CrossCheck, ...]:
    """Compare an option's counts on two small decks with every pair of hands, met one by one.

    The first deck keeps the game's hands and its house way. On the second, hands are of three cards
    and one, because only short hands of a small deck can be without a pair and a straight; they are
    set with the highest front.

    Raises:
        NotConfigured: the player would need the best play against a dealer that is not seen.
    """
    if strategy is Strategy.OPTIMAL and not game.dealer_exposed:
        raise NotConfigured(
            "The best play against a dealer's hand that is not seen is not enumerated.",
            remedy="Use --strategy house-way.",
        )
    joker = game.hands.deck.joker
    beside = " and the joker" if joker else ""
    small = replace(game, hands=replace(game.hands, deck=Deck(ranks=SMALL, joker=joker)))
    ranks, shape = SHORT
    deck = Deck(ranks=ranks, joker=joker)
    short = replace(game, hands=replace(game.hands, deck=deck, shape=shape))
    run = partial(_enumerated, option, strategy=strategy, progress=progress)
    return (
        run(small, house_way, deck=f"{SMALL} ranks{beside}"),
        run(
            short,
            _highest_front(house_way, shape),
            deck=f"{ranks} ranks{beside}, {shape.back} cards in back and {shape.front} in front",
        ),
    )


def _enumerated(
    option: MainWager,
    game: Game,
    house_way: HouseWay,
    *,
    strategy: Strategy,
    deck: str,
    progress: Progress | None,
) -> CrossCheck:
    analysis = base_game.evaluate(option, game=game, house_way=house_way, strategy=strategy)
    conditions = [rule.when for rule in option.dealer_rules]
    if option.raise_ is not None:
        conditions.append(option.raise_.qualifies)
    ended = pair_results(
        game.hands,
        house_way,
        conditions,
        optimal=strategy is Strategy.OPTIMAL,
        ties=option.ties,
        gain=_gain(option),
        progress=progress,
    )
    seen: Counter[str] = Counter()
    for (raised, truths, result), pairs in ended.items():
        reason = outcome_reason(
            option, truths, result, raised=raised, qualified=raised and truths[-1]
        )
        seen[reason.key] += pairs
    total = seen.total()
    exact = {row.event: Fraction(row.combinations, analysis.total) for row in analysis.rows}
    return CrossCheck(
        target=f"{option.target} on {deck}",
        method=EXHAUSTIVE,
        rounds=total,
        comparisons=tuple(
            Comparison(
                event=name,
                exact=exact.get(name, Fraction(0)),
                other=Fraction(seen[name], total),
                agrees=exact.get(name, Fraction(0)) == Fraction(seen[name], total),
            )
            for name in {**exact, **seen}
        ),
    )


def _gain(option: MainWager) -> Mapping[tuple[tuple[bool, ...], int], int]:
    """Return what a raise gains against each kind of dealer's hand, as integers."""
    raise_ = option.raise_
    if raise_ is None:
        return {}
    if raise_.fold is not None or raise_.largest is not None:
        raise NotConfigured(
            f"{option.target} has a fold or a choice of sizes, which are not enumerated.",
            remedy="Use --method exact.",
        )
    if option.dealer_rules:
        raise NotConfigured(
            f"{option.target} has a raise and dealer rules, which are not enumerated together.",
            remedy="Use --method simulation.",
        )
    win, lose = option.win_pays.net, Fraction(-1)
    if option.commission is not None:
        rate = option.commission.rate
        win, lose = (win, -(1 + rate)) if option.commission.prepaid else (win * (1 - rate), lose)
    unit = lcm(win.denominator, lose.denominator)
    worth = {Outcome.WIN: win, Outcome.LOSE: lose, Outcome.PUSH: Fraction(0)}
    return {((True,), result): int(worth[outcome] * unit) for result, outcome in enumerate(RESULTS)}


def _highest_front(house_way: HouseWay, shape: HandShape) -> HouseWay:
    """Return a house way for short hands: always the highest front that is no foul."""
    rule = HouseWayRule(
        id="all.highest-front",
        text="The highest low hand is set that is no foul.",
        source=house_way.source,
        front=HighestFront(),
    )
    section = HouseWaySection(id="all", title="Every hand", when=AllOf(conditions=()), base=rule)
    return HouseWay(
        id="highest-front",
        name="Highest low hand",
        cards=shape.cards,
        front=shape.front,
        source=house_way.source,
        sections=(section,),
    )
