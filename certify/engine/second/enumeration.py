"""Every ordered pair of hands of a small deck, settled by plain code."""

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import TYPE_CHECKING, Final

from certify.engine.threads import workers
from certify.errors import InvariantBroken, NotConfigured
from certify.model.condition import Condition
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.main_wager import Ties
from certify.model.progress import Progress

if TYPE_CHECKING:
    from certify.engine.second.tables import Integers

MOST_HANDS: Final = 200_000
PARTS: Final = 64

Ended = Mapping[tuple[bool, tuple[bool, ...], int], int]
"""Pairs by whether the player raised, which conditions the dealer's hand meets, and the result."""


def pair_results(
    hands: HandRules,
    house_way: HouseWay,
    conditions: Sequence[Condition],
    *,
    optimal: bool,
    ties: Ties,
    gain: Mapping[tuple[tuple[bool, ...], int], int] | None = None,
    progress: Progress | None = None,
) -> Ended:
    """Settle every ordered pair of disjoint hands.

    Args:
        hands: the deck and the rules of hands.
        house_way: sets both hands.
        conditions: on the dealer's hand.
        optimal: the player sees the dealer's set hand and sets best against it instead.
        ties: who takes a tie.
        gain: what a raise gains, by conditions and result, in units of one integer scale; the
            player raises on the hands that gain over all dealer's hands.
        progress: is told how many of the player's hands are done.

    Raises:
        NotConfigured: the deck is too large, or the house way does not decide a hand.
        InvariantBroken: the results do not sum to the number of pairs.
    """
    cards, deck = hands.shape.cards, hands.deck.cards
    number = comb(deck, cards)
    if number > MOST_HANDS:
        raise NotConfigured(
            f"A deck of {deck} cards has {number} hands, too many to meet one by one.",
            remedy="Use a smaller deck.",
        )
    import numpy as np

    from certify.engine.second.tables import ends_table
    from certify.kernels.plain.all_pairs import meet

    masks, labels, chosen, splits = _every_hand(hands, house_way, conditions, number)
    ends = ends_table(ties)
    gains = np.zeros((1 << len(conditions), 3), dtype=np.int64)
    for (truths, result), amount in (gain or {}).items():
        gains[sum(1 << bit for bit, holds in enumerate(truths) if holds), result] = amount

    def part(block: int) -> "Integers":
        tallies = np.zeros((2, len(gains), 3), dtype=np.int64)
        first, last = number * block // PARTS, number * (block + 1) // PARTS
        meet(first, last, masks, labels, chosen, splits, int(optimal), ends, gains, tallies)
        return tallies

    ended: Counter[tuple[bool, tuple[bool, ...], int]] = Counter()
    with ThreadPoolExecutor(workers()) as executor:
        for done, tallies in enumerate(executor.map(part, range(PARTS)), 1):
            for raised, label, result in np.argwhere(tallies):
                truths = tuple(bool(label >> bit & 1) for bit in range(len(conditions)))
                ended[bool(raised), truths, int(result)] += int(tallies[raised, label, result])
            if progress:
                progress(done, PARTS)
    if ended.total() != number * comb(deck - cards, cards):
        raise InvariantBroken(f"{ended.total()} pairs of hands met, not all of them.")
    return ended


def _every_hand(
    hands: HandRules, house_way: HouseWay, conditions: Sequence[Condition], number: int
) -> tuple["Integers", "Integers", "Integers", "Integers"]:
    import numpy as np

    from certify.engine.second.tables import PostfixCode, house_way_tables, rules_table
    from certify.kernels.plain.all_pairs import set_every_hand
    from certify.kernels.plain.hands import FEATURES

    code = PostfixCode(hands.deck.ranks)
    asked = code.add_all(conditions, FEATURES)
    way = house_way_tables(house_way, code)
    masks, labels, chosen = (np.zeros(number, dtype=np.int64) for _ in range(3))
    splits = np.zeros((number, 3, len(way.fronts)), dtype=np.int64)
    status = set_every_hand(
        rules_table(hands, hands.shape.cards), way.fronts, code.table(), way.sections, way.ways,
        way.before, way.named, asked, masks, labels, chosen, splits,
    )  # fmt: skip
    if status < 0:
        raise NotConfigured(
            f"The house way {house_way.id} does not decide every hand of this deck.",
            remedy="Use another deck.",
        )
    return masks, labels, chosen, splits
