"""Base games on small decks: every pair of hands, one by one, against the exact engine.

Hands that are not divided are so few that they are met on the game's own deck, where that is so.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import comb, lcm
from typing import Final

from certify.engine.second.enumeration import pair_results
from certify.engine.second.settlement import actions_of, conditions_of, row_of
from certify.errors import NotConfigured
from certify.model.audit import CrossCheck
from certify.model.cards import Deck, HandShape, uncountable
from certify.model.condition import AllOf
from certify.model.game import HandRules
from certify.model.house_way import HighestFront, HouseWay, HouseWayRule, HouseWaySection
from certify.model.main_wager import Action, MainWager
from certify.model.progress import Progress
from certify.pipeline.crosscheck.second_counts import shares_compared
from certify.pipeline.crosscheck.simulated import RESULTS
from certify.pipeline.crosscheck.verification import EXHAUSTIVE
from certify.pipeline.figures.play import Play

SMALL: Final = 5
"""Ranks of a small deck: hands of the game's own size, set by its own house way."""

FEW_HANDS: Final = 50_000
"""Hands of a deck on which every pair is met in seconds."""

SHORT: Final = (6, HandShape(cards=4, back=3, front=1))
"""Six ranks and short hands: small enough, and with hands that hold nothing at all."""


def enumerate_option(play: Play, progress: Progress | None = None) -> tuple[CrossCheck, ...]:
    """Compare an option's counts on two small decks with every pair of hands, met one by one.

    The first deck keeps the game's hands and its house way. On the second, hands are of three cards
    and one, because only short hands of a small deck can be without a pair and a straight; they are
    set with the highest front. Beside two jokers two suits of such hands could make a flush, and
    the first deck alone is met.

    Raises:
        NotConfigured: the player would need the best play against a dealer that is not seen.
    """
    hands = play.game.hands
    if not hands.shape.divided:
        few = _few_hands(hands)
        where = "" if few == hands.deck else f"{few.ranks} ranks{_beside(few)}"
        return (enumerated(_dealing(play, replace(hands, deck=few)), where, progress),)
    if play.blind:
        raise NotConfigured(
            "The best play against a dealer's hand that is not seen is not enumerated.",
            remedy="Use --strategy house-way.",
        )
    beside = _beside(hands.deck)
    ranks, shape = SHORT
    small = replace(hands, deck=replace(hands.deck, ranks=SMALL))
    short = replace(hands, deck=replace(hands.deck, ranks=ranks), shape=shape)
    whole = enumerated(_dealing(play, small), f"{SMALL} ranks{beside}", progress)
    if uncountable(short.deck, shape) is not None:
        return (whole,)
    highest = replace(play, house_way=highest_front(play.house_way, shape))
    return (
        whole,
        enumerated(
            _dealing(highest, short),
            f"{ranks} ranks{beside}, {shape.back} cards in back and {shape.front} in front",
            progress,
        ),
    )


def _few_hands(hands: HandRules) -> Deck:
    """Return the game's own deck, or the largest with few enough hands."""
    decks = (Deck(ranks=ranks, joker=hands.deck.joker) for ranks in range(hands.deck.ranks, 0, -1))
    return next(deck for deck in decks if comb(deck.cards, hands.shape.cards) <= FEW_HANDS)


def _beside(deck: Deck) -> str:
    return ("", " and the joker", " and the jokers")[deck.joker]


def _dealing(play: Play, hands: HandRules) -> Play:
    return replace(play, game=replace(play.game, hands=hands))


def enumerated(play: Play, deck: str, progress: Progress | None = None) -> CrossCheck:
    """Compare an option's counts with every pair of hands of a deck, which is named so."""
    option = play.option
    conditions, actions = conditions_of(option), _met(option)
    ended = pair_results(
        play.game.hands,
        play.house_way,
        conditions,
        optimal=play.optimal,
        ties=option.ties,
        gain=_gain(option, actions),
        progress=progress,
    )
    seen: Counter[str] = Counter()
    for (raised, truths, result), pairs in ended.items():
        name, _ = row_of(option, truths, RESULTS[result], actions[raised])
        seen[name] += pairs
    exact = {row.event: row.combinations for row in play.evaluated().rows}
    return CrossCheck(
        target=option.target,
        deck=deck,
        method=EXHAUSTIVE,
        rounds=seen.total(),
        comparisons=shares_compared(exact, seen),
    )


def _met(option: MainWager) -> tuple[Action, ...]:
    """Return what a player does who does not raise, and then what one does who does.

    Raises:
        NotConfigured: there is a choice of sizes, or a bonus for the own hand.
    """
    if option.raise_ is not None and option.raise_.largest is not None:
        raise NotConfigured(
            f"{option.target} has a choice of sizes, which are not enumerated.",
            remedy="Use --method exact.",
        )
    if option.bonus:
        raise NotConfigured(
            f"{option.target} pays a bonus for the own hand, which is not enumerated.",
            remedy="Use --method exact.",
        )
    return actions_of(option)


def _gain(
    option: MainWager, actions: Sequence[Action]
) -> Mapping[tuple[tuple[bool, ...], int], int]:
    """Return what a raise gains against each kind of dealer's hand, as integers."""
    if len(actions) == 1:
        return {}
    gained = {}
    for truths in product((False, True), repeat=len(conditions_of(option))):
        for place, result in enumerate(RESULTS):
            without, with_it = (row_of(option, truths, result, action)[1] for action in actions)
            gained[truths, place] = with_it - without
    unit = lcm(*(value.denominator for value in gained.values()))
    return {key: int(value * unit) for key, value in gained.items()}


def highest_front(house_way: HouseWay, shape: HandShape) -> HouseWay:
    """Return a house way for short hands: always the highest front that is no foul."""
    rule = HouseWayRule(
        id="all.highest-front",
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
