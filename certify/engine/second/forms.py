"""Every hand of a deck by its form, set by a house way and labelled by conditions.

For the second exact count, which shares no code with the first: see `certify.kernels.plain.forms`.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

import numpy as np

from certify.engine.divided import workers
from certify.engine.second.tables import Integers, PostfixCode, house_way_tables, rules_table
from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.plain.forms import (
    MOST,
    Bytes,
    Narrow,
    list_forms,
    number_hands,
    read_labels,
    set_forms,
)
from certify.kernels.plain.hands import FEATURES
from certify.kernels.plain.shared_cards import BYTE, HIGH, LOW
from certify.model.condition import Condition, tests_of
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.vocabulary import EventFeature

Truths = tuple[bool, ...]

CHUNK: Final = 1 << 14
"""Forms that are set at a time."""

ABOVE: Final = (1 << 31) - 1
"""More than the value of any back or front."""

MULTIPLIER: Final = 0x9E3779B97F4A7C15
"""An odd number near 2^64 over the golden ratio, to spread numbers."""

OF_SUITS: Final = frozenset({EventFeature.RED_CARDS, EventFeature.ONE_COLOUR})
"""Features that change with the names of the suits."""


class Ground(NamedTuple):
    """The hands of a deck by their forms, see `certify.kernels.plain.forms`."""

    ranks: int
    joker: int
    number: int
    choose: Integers
    form: Narrow
    cards: Bytes
    ways: Bytes

    @property
    def deck(self) -> int:
        """The number of cards of the deck."""
        return 4 * self.ranks + self.joker

    @property
    def pairs(self) -> int:
        """The number of ordered pairs of disjoint hands."""
        return comb(self.deck, self.number) * comb(self.deck - self.number, self.number)


class TiesTaken(NamedTuple):
    """Whether the player takes a tie of the high hands and of the low hands."""

    high: bool
    low: bool


TO_DEALER: Final = TiesTaken(high=False, low=False)


class SetKinds(NamedTuple):
    """Kinds of hands as they are set, each with its best splits (`kernels.plain.shared_cards`).

    Attributes:
        kind: of every hand, by its number.
        counted: how many hands there are of every kind.
        dealer: how the house way sets it: label, places of front and back among all that it makes.
        first: where the splits of a kind begin and, one on, end.
        points: of every split, how many fronts and backs it beats.
        shift: how much more a hand beats than its own place says, where it takes ties.
        sizes: how many of them no other one equals or beats in both hands.
        own: which split is the house way's, where it is listed.
        highs: number of backs.
        lows: number of fronts.
    """

    kind: Narrow
    counted: Narrow
    dealer: Narrow
    first: Integers
    points: Narrow
    shift: int
    sizes: Integers
    own: Integers
    highs: int
    lows: int


def ground_of(hands: HandRules, cards: int) -> Ground:
    """Return the forms of a deck's hands; the last one asked for is kept in memory."""
    return _ground(hands.deck.ranks, int(hands.deck.joker), cards)


@lru_cache(maxsize=1)
def _ground(ranks: int, joker: int, number: int) -> Ground:
    deck = 4 * ranks + joker
    choose = np.array(
        [[comb(n, k) for k in range(MOST + 1)] for n in range(deck + 1)], dtype=np.int64
    )
    cards, ways = shared_sets(ranks, joker, number)
    form = np.zeros(comb(deck, number), dtype=np.int32)
    number_hands(number, ranks, joker, choose, form)
    if int(ways.sum(dtype=np.int64)) != len(form):
        raise InvariantBroken("The forms of the hands do not stand for every hand.")
    return Ground(ranks, joker, number, choose, form, cards, ways)


def shared_sets(ranks: int, joker: int, size: int) -> tuple[Bytes, Bytes]:
    """List the sets of ``size`` cards up to the names of suits, and how many each stands for."""
    nothing = np.zeros((0, size), dtype=np.uint8), np.zeros(0, dtype=np.uint8)
    number = list_forms(size, ranks, joker, *nothing)
    cards, ways = np.zeros((number, size), dtype=np.uint8), np.zeros(number, dtype=np.uint8)
    list_forms(size, ranks, joker, cards, ways)
    return cards, ways


def labels_of(
    ground: Ground, hands: HandRules, conditions: Sequence[Condition | None]
) -> tuple[Narrow, tuple[Truths, ...]]:
    """Label every form by which conditions hold; none always does.

    Raises:
        NotConfigured: a condition asks for what differs between the hands of a form.
    """
    asked_for = {test.feature for condition in conditions for test in tests_of(condition)}
    for name in sorted(asked_for & OF_SUITS):
        raise NotConfigured(
            f"The verification count of pairs of hands cannot use {name!r}.",
            remedy="Use features of ranks, straights and flushes.",
        )
    code = PostfixCode(hands.deck.ranks)
    asked = np.array([code.add(condition, FEATURES) for condition in conditions], dtype=np.int64)
    rows, rules = code.table(), rules_table(hands, ground.number)
    labels = np.zeros(len(ground.ways), dtype=np.int64)
    with ThreadPoolExecutor(workers()) as executor:
        list(
            executor.map(
                lambda part: read_labels(
                    ground.cards[part], rules, rows, asked.reshape(-1, 2), labels[part]
                ),
                _parts(len(labels)),
            )
        )
    kinds, places = np.unique(labels, return_inverse=True)
    truths = tuple(
        tuple(bool(int(label) >> place & 1) for place in range(len(conditions))) for label in kinds
    )
    return places.astype(np.int32), truths


def set_forms_of(
    ground: Ground, hands: HandRules, house_way: HouseWay, labels: Narrow, ties: TiesTaken
) -> SetKinds:
    """Set every form by a house way and list its best splits, then the house way's own.

    After these a last split stands for all of the dealer's hands: it is above each of them.

    Raises:
        NotConfigured: the house way does not decide every hand.
    """
    code = PostfixCode(hands.deck.ranks)
    way = house_way_tables(house_way, code)
    rows, rules = code.table(), rules_table(hands, ground.number)

    def part(chosen: slice) -> tuple[Narrow, Narrow, Bytes, Bytes]:
        cards = ground.cards[chosen]
        mine = np.zeros((len(cards), 2), dtype=np.int32)
        best = np.full((len(cards), len(way.fronts) + 2, 2), ABOVE, dtype=np.int32)
        sizes, places = (np.zeros(len(cards), dtype=np.uint8) for _ in range(2))
        status = set_forms(
            cards, rules, way.fronts, rows, way.sections, way.ways, way.before, way.named, mine,
            best, sizes, places,
        )  # fmt: skip
        if status < 0:
            raise NotConfigured(
                f"The house way {house_way.id} does not set every hand of this deck.",
                remedy="Run `certify check`: it lists the hands and the rules.",
            )
        return mine, best[np.arange(best.shape[1]) < sizes[:, None] + 2], sizes, places

    with ThreadPoolExecutor(workers()) as executor:
        parts = list(executor.map(part, _parts(len(ground.ways))))
    mine, points, sizes, places = (np.concatenate(column) for column in zip(*parts, strict=True))
    high, low = np.unique(mine[:, 0]), np.unique(mine[:, 1])
    if max(len(low), int(labels.max())) > BYTE:
        raise NotConfigured(
            "There are too many kinds of dealer's hands for a verification count.",
            remedy="Use fewer kinds of hands in the dealer rules.",
        )
    first = np.concatenate([[0], np.cumsum(sizes.astype(np.int64) + 2)])
    return SetKinds(
        kind=ground.form,
        counted=ground.ways.astype(np.int32),
        dealer=_packed(high, low, mine) | labels,
        first=first,
        points=_packed(high, low, points, ties),
        shift=(int(ties.high) << HIGH) | (int(ties.low) << LOW),
        sizes=sizes.astype(np.int64),
        own=first[:-1] + places,
        highs=len(high),
        lows=len(low),
    )


def _packed(high: Narrow, low: Narrow, splits: Narrow, ties: TiesTaken = TO_DEALER) -> Narrow:
    """Return how many backs and fronts those of every split beat, ties that they take too."""
    backs, fronts = (
        np.searchsorted(keys, splits[:, place], side="right" if taken else "left")
        for place, (keys, taken) in enumerate(zip((high, low), ties, strict=True))
    )
    return ((backs << HIGH) | (fronts << LOW)).astype(np.int32)


def merged(forms: SetKinds) -> SetKinds:
    """Return the forms that are set alike as one kind, with their best splits alone.

    Forms are put together by a number that is made of all that tells them apart, and then held
    against one another.
    """
    width = int(forms.sizes.max())
    splits = np.full((len(forms.dealer), width + 1), -1, dtype=np.int32)
    splits[:, 0] = forms.dealer
    for place in range(width):
        some = forms.sizes > place
        splits[some, place + 1] = forms.points[forms.first[:-1][some] + place]
    number = np.zeros(len(splits), dtype=np.uint64)
    for column in splits.T:
        number = (number ^ column.astype(np.uint64)) * np.uint64(MULTIPLIER)
        number ^= number >> np.uint64(29)
    _, sample, kind = np.unique(number, return_index=True, return_inverse=True)
    for column in splits.T:
        if not np.array_equal(column[sample][kind], column):
            raise InvariantBroken("Two kinds of hands have one number.")
    counted = np.zeros(len(sample), dtype=np.int32)
    np.add.at(counted, kind, forms.counted)
    sizes = forms.sizes[sample]
    first = np.concatenate([[0], np.cumsum(sizes)])
    listed = splits[sample, 1:]
    return forms._replace(
        kind=kind.astype(np.int32)[forms.kind],
        counted=counted,
        dealer=forms.dealer[sample],
        first=first,
        points=listed[np.arange(width) < sizes[:, None]],
        sizes=sizes,
        own=first[:-1],
    )


def _parts(forms: int) -> Iterator[slice]:
    return (slice(start, start + CHUNK) for start in range(0, forms, CHUNK))
