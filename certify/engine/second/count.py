"""The second exact count of wagers on two hands: see `certify.kernels.plain.shared_cards`.

It shares with the first count the declared data and the rules of the games, and no code: hands are
ranked, set and described by the plain kernels, conditions and house ways are read by
`second.tables`, and nothing is kept or read from the first count's store. The full deck takes
minutes and about two gigabytes.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Final, NamedTuple, TypeVar

import numpy as np

from certify.engine.divided import workers
from certify.engine.second.forms import (
    Ground,
    SetKinds,
    TiesTaken,
    Truths,
    ground_of,
    labels_of,
    merged,
    set_forms_of,
    shared_sets,
)
from certify.engine.second.tables import Integers
from certify.errors import InvariantBroken
from certify.kernels.plain import shared_cards as plain_sum
from certify.kernels.plain.forms import Bytes, Narrow
from certify.model.condition import Condition
from certify.model.encoding import Progress
from certify.model.game import HandRules
from certify.model.house_way import HouseWay

Part = TypeVar("Part")
_Block = tuple[Bytes, Bytes]

BLOCKS: Final = 64
"""Parts into which the shared sets of one size are divided."""


class Fared(NamedTuple):
    """Pairs against one kind of dealer's hand, the player setting in one way."""

    total: int
    win: int
    lose: int


def seen_results(
    hands: HandRules,
    house_way: HouseWay,
    conditions: Sequence[Condition],
    ties: TiesTaken,
    *,
    progress: Progress | None = None,
) -> dict[Truths, tuple[Fared, Fared]]:
    """Count all pairs by the conditions that the dealer's hand meets.

    Returns:
        How a player fares who sets by the house way, and one who sees the dealer's set hand and
        sets best against it.

    Raises:
        NotConfigured: the house way does not decide every hand, or a condition names suits.
        InvariantBroken: the counts do not sum to the number of pairs.
    """
    ground = ground_of(hands, hands.shape.cards)
    labels, truths = labels_of(ground, hands, conditions)
    kinds = merged(set_forms_of(ground, hands, house_way, labels, ties))

    def part(block: _Block, room: "_Room") -> tuple[int, Integers]:
        result = np.zeros((len(truths), plain_sum.KINDS), dtype=np.int64)
        plain_sum.sum_results(
            *block, ground.number, ground.deck, ground.choose, kinds.kind, room.present,
            room.counted, kinds.dealer, kinds.shift, kinds.first, kinds.points, kinds.highs,
            kinds.lows, len(truths), room.row, room.table, result,
        )  # fmt: skip
        return (-1) ** block[0].shape[1], result

    room = _Room.of(kinds, len(truths), counted=kinds.counted)
    result = np.zeros((len(truths), plain_sum.KINDS), dtype=np.int64)
    plain_sum.add_results(
        room.present, room.counted, len(room.present), 1, kinds.dealer, kinds.shift, kinds.first,
        kinds.points, kinds.lows, len(truths), room.row, room.tabulate(kinds, len(truths)),
        room.table, result,
    )  # fmt: skip
    sums = result.tolist()
    rooms = [_Room.of(kinds, len(truths)) for _ in range(workers())]
    for sign, result in _in_blocks(ground, part, rooms, progress):
        sums = [
            [known + sign * more for known, more in zip(line, added, strict=True)]
            for line, added in zip(sums, result.tolist(), strict=True)
        ]
    _must_be_all(ground, sum(line[plain_sum.TOTAL] for line in sums))
    return {
        truth: (Fared(total, *house), Fared(total, *seen))
        for truth, (total, *rest) in zip(truths, sums, strict=True)
        for house, seen in [(rest[:2], rest[2:])]
    }


class HandResults(NamedTuple):
    """How every split of every form fares, summed over the hands of the form.

    ``fared`` is by split, label and win or loss; ``forms`` says which splits are whose; the
    last split of a form wins against every dealer's hand.
    """

    truths: tuple[Truths, ...]
    forms: SetKinds
    fared: Integers


def hand_results(
    hands: HandRules,
    house_way: HouseWay,
    conditions: Sequence[Condition],
    ties: TiesTaken,
    *,
    progress: Progress | None = None,
) -> HandResults:
    """Count for every hand how each of its splits fares, by the conditions on the dealer's hand.

    Raises:
        NotConfigured: the house way does not decide every hand, or a condition names suits.
        InvariantBroken: the counts do not sum to the number of pairs.
    """
    ground = ground_of(hands, hands.shape.cards)
    labels, truths = labels_of(ground, hands, conditions)
    forms = set_forms_of(ground, hands, house_way, labels, ties)
    shape = len(forms.points), len(truths), 2

    def part(block: _Block, room: "_Room") -> None:
        plain_sum.sum_hands(
            *block, ground.number, ground.deck, ground.choose, forms.kind, room.present,
            room.counted, forms.dealer, forms.first, forms.points, forms.highs, forms.lows,
            len(truths), room.row, room.table, room.fared,
        )  # fmt: skip

    room = _Room.of(forms, len(truths), counted=forms.counted, shape=shape)
    plain_sum.add_hands(
        room.present, room.counted, len(room.present), 1, forms.first, forms.points, forms.lows,
        len(truths), room.row, room.tabulate(forms, len(truths)), room.table, room.fared,
    )  # fmt: skip
    rooms = [_Room.of(forms, len(truths), shape=shape) for _ in range(workers())]
    for _ in _in_blocks(ground, part, rooms, progress):
        pass
    for other in rooms:
        room.fared += other.fared
    _must_be_all(ground, int(room.fared[forms.first[1:] - 1, :, 0].sum()))
    return HandResults(truths, forms, room.fared)


def label_pairs(
    hands: HandRules,
    cards: int,
    dealer: Sequence[Condition | None],
    player: Sequence[Condition | None],
    *,
    progress: Progress | None = None,
) -> Mapping[tuple[Truths, Truths], int]:
    """Count all pairs of hands by the conditions that the dealer's and the player's hand meet.

    Raises:
        NotConfigured: a condition names suits.
        InvariantBroken: the counts do not sum to the number of pairs.
    """
    ground = ground_of(hands, cards)
    labels, truths = labels_of(ground, hands, [*dealer, *player])
    kind = labels[ground.form]
    number = len(truths)
    counted = [int(ground.ways[labels == label].sum(dtype=np.int64)) for label in range(number)]
    sums = [[mine * theirs for theirs in counted] for mine in counted]

    def part(block: _Block, room: "_Room") -> tuple[int, Integers]:
        result = np.zeros((number, number), dtype=np.int64)
        plain_sum.sum_kinds(
            *block, ground.number, ground.deck, ground.choose, kind, room.present, room.counted,
            result,
        )  # fmt: skip
        return (-1) ** block[0].shape[1], result

    for sign, result in _in_blocks(
        ground, part, [_Room.of_kinds(number) for _ in range(workers())], progress
    ):
        sums = [
            [known + sign * more for known, more in zip(line, added, strict=True)]
            for line, added in zip(sums, result.tolist(), strict=True)
        ]
    _must_be_all(ground, sum(map(sum, sums)))
    pairs: Counter[tuple[Truths, Truths]] = Counter()
    for mine, line in zip(truths, sums, strict=True):
        for theirs, some in zip(truths, line, strict=True):
            pairs[mine[: len(dealer)], theirs[len(dealer) :]] += some
    return pairs


def _must_be_all(ground: Ground, pairs: int) -> None:
    if pairs != ground.pairs:
        raise InvariantBroken(f"The second count has {pairs} pairs, not {ground.pairs}.")


@dataclass(slots=True)
class _Room:
    """What one thread works with: kinds of hands, how many of each, and the table of them."""

    present: Narrow
    counted: Narrow
    row: Integers
    table: Integers
    fared: Integers

    @classmethod
    def of(
        cls,
        kinds: SetKinds,
        labels: int,
        *,
        counted: Narrow | None = None,
        shape: tuple[int, ...] = (0, 0, 0),
    ) -> "_Room":
        """Return room to count in, or with ``counted`` every kind as often as it is."""
        number = len(kinds.counted)
        return cls(
            np.arange(number, dtype=np.int32),
            np.zeros(number, dtype=np.int32) if counted is None else counted,
            np.zeros(kinds.highs + 2, dtype=np.int64),
            np.zeros((kinds.highs + 2) * (kinds.lows + 1) * labels, dtype=np.int64),
            np.zeros(shape, dtype=np.int64),
        )

    @classmethod
    def of_kinds(cls, number: int) -> "_Room":
        """Return room to count kinds alone."""
        nothing = np.zeros(0, dtype=np.int64)
        small = np.zeros(number, dtype=np.int32)
        return cls(small, small.copy(), nothing, nothing, nothing)

    def tabulate(self, kinds: SetKinds, labels: int) -> int:
        """Fill the table with all that is counted, and return its last row."""
        return plain_sum.tabulate(
            self.present, self.counted, len(self.present), kinds.dealer, kinds.highs, kinds.lows,
            labels, self.row, self.table,
        )  # fmt: skip


def _in_blocks(
    ground: Ground,
    count: Callable[[_Block, "_Room"], Part],
    rooms: Sequence[_Room],
    progress: Progress | None,
) -> Iterator[Part]:
    """Yield what is counted for every block of shared sets, the empty set left out."""
    blocks = [
        block for size in range(1, ground.number + 1) for block in _blocks(*_sets(ground, size))
    ]
    free: SimpleQueue[_Room] = SimpleQueue()
    for room in rooms:
        free.put(room)

    def run(block: _Block) -> Part:
        room = free.get()
        try:
            return count(block, room)
        finally:
            free.put(room)

    with ThreadPoolExecutor(len(rooms)) as executor:
        for done, part in enumerate(executor.map(run, blocks), 1):
            if progress:
                progress(done, len(blocks))
            yield part


def _sets(ground: Ground, size: int) -> _Block:
    if size == ground.number:
        return ground.cards, ground.ways
    return shared_sets(ground.ranks, ground.joker, size)


def _blocks(cards: Bytes, ways: Bytes) -> list[_Block]:
    parts = min(BLOCKS, len(ways))
    return list(zip(np.array_split(cards, parts), np.array_split(ways, parts), strict=True))
