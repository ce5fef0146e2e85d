"""Base games on small decks: every pair of hands, one by one, against the exact engine.

Hands that are not divided are so few that they are met on the game's own deck, where that is so.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, lcm
from typing import Final

from certify.engine.main import evaluate as base_game
from certify.engine.second.enumeration import pair_results
from certify.engine.second.settlement import actions_of, conditions_of, row_of
from certify.errors import NotConfigured
from certify.model.audit import Comparison, CrossCheck
from certify.model.cards import Deck, HandShape
from certify.model.condition import AllOf
from certify.model.game import Game, HandRules, Strategy
from certify.model.house_way import HighestFront, HouseWay, HouseWayRule, HouseWaySection
from certify.model.main_wager import Action, MainWager
from certify.model.progress import Progress
from certify.pipeline.crosscheck.simulated import RESULTS
from certify.pipeline.crosscheck.verification import EXHAUSTIVE

SMALL: Final = 5
"""Ranks of a small deck: hands of the game's own size, set by its own house way."""

FEW_HANDS: Final = 50_000
"""Hands of a deck on which every pair is met in seconds."""

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
    run = partial(_enumerated, option, strategy=strategy, progress=progress)
    if not game.hands.shape.divided:
        few = _few_hands(game.hands)
        where = "" if few == game.hands.deck else f"{few.ranks} ranks{_beside(few)}"
        met = replace(game, hands=replace(game.hands, deck=few))
        return (run(met, house_way, deck=where),)
    if strategy is Strategy.OPTIMAL and not game.dealer_exposed:
        raise NotConfigured(
            "The best play against a dealer's hand that is not seen is not enumerated.",
            remedy="Use --strategy house-way.",
        )
    joker = game.hands.deck.joker
    beside = _beside(game.hands.deck)
    small = replace(game, hands=replace(game.hands, deck=Deck(ranks=SMALL, joker=joker)))
    ranks, shape = SHORT
    deck = Deck(ranks=ranks, joker=joker)
    short = replace(game, hands=replace(game.hands, deck=deck, shape=shape))
    return (
        run(small, house_way, deck=f"{SMALL} ranks{beside}"),
        run(
            short,
            _highest_front(house_way, shape),
            deck=f"{ranks} ranks{beside}, {shape.back} cards in back and {shape.front} in front",
        ),
    )


def _few_hands(hands: HandRules) -> Deck:
    """Return the game's own deck, or the largest with few enough hands."""
    decks = (Deck(ranks=ranks, joker=hands.deck.joker) for ranks in range(hands.deck.ranks, 0, -1))
    return next(deck for deck in decks if comb(deck.cards, hands.shape.cards) <= FEW_HANDS)


def _beside(deck: Deck) -> str:
    return ("", " and the joker", " and the jokers")[deck.joker]


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
    conditions = conditions_of(option)
    actions = _met(option)
    ended = pair_results(
        game.hands,
        house_way,
        conditions,
        optimal=strategy is Strategy.OPTIMAL and game.hands.shape.divided,
        ties=option.ties,
        gain=_gain(option, actions),
        progress=progress,
    )
    seen: Counter[str] = Counter()
    for (raised, truths, result), pairs in ended.items():
        name, _ = row_of(option, truths, RESULTS[result], actions[raised])
        seen[name] += pairs
    total = seen.total()
    exact = {row.event: Fraction(row.combinations, analysis.total) for row in analysis.rows}
    return CrossCheck(
        target=option.target,
        deck=deck,
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


def _met(option: MainWager) -> tuple[Action, ...]:
    """Return what a player does who does not raise, and then what one does who does.

    Raises:
        NotConfigured: there is a choice of sizes.
    """
    if option.raise_ is not None and option.raise_.largest is not None:
        raise NotConfigured(
            f"{option.target} has a choice of sizes, which are not enumerated.",
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
