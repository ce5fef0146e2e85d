"""Events and their sums, each against its definition; what does not fit a key is refused."""

from math import comb

import numpy as np
import numpy.typing as npt
import pytest

from certify.errors import InvariantBroken
from certify.kernels import pair_count
from certify.kernels.concealed import answers
from certify.kernels.dominance import sweep
from certify.kernels.event_lists import (
    KINDS,
    LOWS,
    WON,
    EventList,
    merge_events,
    merged_signs,
)
from certify.kernels.events import (
    SetHands,
    dealer_keys,
    distinct_keys,
    fixed_points,
    set_hands,
    staircase_points,
    state_code,
)
from certify.kernels.features import LABEL_BITS, LABELS, Shape
from certify.kernels.inclusion_exclusion import counted_branches, steps
from certify.kernels.optimal_plan import Worth, prepare
from certify.kernels.optimal_queries import answer_queries, answer_sweep
from tests.kernels.test_two_hands import dealer, deck, middle

Integers = npt.NDArray[np.int64]

SMALL = Shape(ranks=4, joker=False, hand=4, front=1)


def build_hands(number: int, lows: int = 1) -> SetHands:
    each = np.arange(number, dtype=np.int64)
    return SetHands(high=each, low=each % lows, label=np.zeros_like(each))


def test_backs_that_do_not_fit_the_keys_are_refused() -> None:
    # 63 bits: three a rank, seven of a front, three of a label, the rest for backs.
    # One number more than that of the backs names a query of all of them.
    for ranks, most in ((13, (1 << 14) - 1), (12, (1 << 17) - 1)):
        keys = dealer_keys(build_hands(most, lows=LOWS - 1), ranks)
        assert keys.min() >= 0
        assert (np.diff(keys) > 0).all()
        with pytest.raises(InvariantBroken, match=f"{most + 1} different backs"):
            dealer_keys(build_hands(most + 1), ranks)


def test_fronts_that_do_not_fit_the_keys_are_refused() -> None:
    assert len(distinct_keys(build_hands(500, lows=LOWS - 1))[1]) == LOWS - 1
    with pytest.raises(InvariantBroken, match=f"{LOWS} different fronts"):
        distinct_keys(build_hands(500, lows=LOWS))


@pytest.mark.parametrize(("label", "fits"), [(-1, False), (0, True), (7, True), (8, False)])
def test_labels_that_do_not_fit_the_keys_are_refused(label: int, *, fits: bool) -> None:
    _, settings = deck(SMALL)
    labels = np.zeros(len(settings.frontier), dtype=np.int64)
    labels[3] = label
    if fits:
        assert (set_hands(settings, middle(settings), labels).label == labels).all()
        return
    with pytest.raises(InvariantBroken, match="8 labels"):
        set_hands(settings, middle(settings), labels)


@pytest.mark.parametrize(
    ("row", "fits"),
    [((5, 0, 5), True), ((5, 2, 3), True), ((5, 4, 0), True), ((5, 6, 0), False),
     ((5, 2, 4), False), ((-1, 0, 0), True), ((0, -1, 0), False), ((0, 0, -1), False)],
)  # fmt: skip
def test_counts_that_are_none_are_refused(row: tuple[int, int, int], *, fits: bool) -> None:
    total, lost, won = row
    if fits:
        counts = pair_count.exact_counts([[0, 0, 0], [total, lost, won]])
        assert counts == ((0, total % (1 << 64)), (0, won), (0, lost))
        return
    with pytest.raises(InvariantBroken, match="do not fit"):
        pair_count.exact_counts([[0, 0, 0], [total, lost, won]])


def test_lists_are_sorted_without_repeats_and_without_nothing() -> None:
    key = np.array([5, 3, 5, 9, 3, 7], dtype=np.int64)
    weight = np.array([2, 1, 4, 6, -1, 1], dtype=np.int32)
    signs = np.array([1, 1, 1, -1, -1, 1], dtype=np.int8)
    expected = {"weighed": ([5, 7, 9], [6, 1, 6]), "signed": ([5, 7, 9], [2, 1, -1])}
    reported = {
        "weighed": merge_events(key, weight),
        "signed": merged_signs(key << 1 | (signs < 0)),
    }
    assert {n: (e.key.tolist(), e.weight.tolist()) for n, e in reported.items()} == expected
    for number in (0, 1):
        assert len(merge_events(key[:number], 0 * weight[:number]).key) == 0
    assert len(merged_signs(np.array([6, 7], dtype=np.int64)).key) == 0


def leaf(parts: tuple[int, ...], number: int, rng: np.random.Generator) -> EventList:
    """Draw sorted events of some fields, the first highest, with a code that is not looked at."""
    key = np.zeros(number, dtype=np.int64)
    for size, bits in zip(parts, (4, 7, 3) if len(parts) == 3 else (4, 7), strict=True):
        key = key << bits | rng.integers(0, size, number)
    return EventList(key=np.sort(key), weight=rng.integers(-9, 9, number, dtype=np.int32))


def test_the_sums_of_the_last_step_are_those_of_its_pairs() -> None:
    rng = np.random.default_rng(7)
    tables = steps(counted_branches(), 5)
    shift, code_bits = 12, 15  # four ranks, taken already, and a fifth
    mine = leaf((12, LOWS - 1, LABELS), 90, rng)
    high, kind = np.sort(rng.integers(0, 13, 80)), rng.integers(0, KINDS, 80)
    low = rng.integers(1, LOWS - 1, 80)
    order = np.argsort(high << 9 | kind << 7 | low)
    asked = np.stack([high, kind, low])[:, order]
    weight = rng.integers(-9, 9, 80)
    dealt, held = rng.integers(0, 5, 90), rng.integers(0, 5, 80)
    result = np.ones((LABELS, KINDS), dtype=np.int64)
    scratch = np.ones((2, 5, KINDS * LOWS), dtype=np.int64)
    sweep(
        mine.key << code_bits | dealt << shift, mine.weight.astype(np.int64), 4, 83,
        (asked[0] << 9 | asked[1] << 7 | asked[2]) << code_bits | held << shift, weight, 6, 78,
        code_bits, LABEL_BITS, shift, tables, scratch[0], scratch[1], result,
    )  # fmt: skip
    expected = np.ones((LABELS, KINDS), dtype=np.int64)
    for key, amount, a in zip(mine.key[4:83], mine.weight[4:83], dealt[4:83], strict=True):
        for (h, k, l_), other, b in zip(asked.T[6:78], weight[6:78], held[6:78], strict=True):
            dealt_high, dealt_low = key >> 10, (key >> 3) % LOWS
            met = (
                dealt_high < h and dealt_low < LOWS - l_
                if k == WON
                else (dealt_high >= h and dealt_low >= l_)
            )
            if met:
                expected[key % LABELS, k] += amount * other * comb(4 - int(b), int(a))
    assert (result == expected).all()


def test_the_answers_of_the_last_step_are_those_of_its_pairs() -> None:
    rng = np.random.default_rng(8)
    tables = steps(counted_branches(), 5)
    shift, code_bits = 12, 15  # four ranks, taken already, and a fifth
    mine = leaf((12, LOWS - 1, LABELS), 90, rng)
    queries = leaf((12, LOWS - 1), 80, rng).key
    dealt, held = rng.integers(0, 5, 90), rng.integers(0, 5, 80)
    begin, end = 3, len(queries) - 2
    value = np.ones((len(queries), 2 * LABELS), dtype=np.int32)
    scratch = np.ones((3, 5 * LABELS, LOWS + 1), dtype=np.int64)
    answer_sweep(
        mine.key << code_bits | dealt << shift, mine.weight.astype(np.int64), 4, 83,
        queries << code_bits | held << shift, value, begin, end,
        code_bits, shift, tables, *scratch,
    )  # fmt: skip
    expected = np.ones_like(value)
    expected[begin:end] = 0
    for query in range(begin, end):
        for key, amount, a in zip(mine.key[4:83], mine.weight[4:83], dealt[4:83], strict=True):
            fails = key >> 10 >= queries[query] >> 7, (key >> 3) % LOWS >= queries[query] % LOWS
            disjoint = amount * comb(4 - int(held[query]), int(a))
            expected[query, 2 * (key % LABELS)] += disjoint * any(fails)
            expected[query, 2 * (key % LABELS) + 1] += disjoint * all(fails)
    assert (value == expected).all()


@pytest.mark.parametrize("shape", [SMALL, Shape(ranks=5, hand=4, front=1)], ids=str)
def test_full_lists_are_counted_again_with_more_space(
    shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    classes, settings = deck(shape)
    points = staircase_points(settings, dealer(shape))
    expected = pair_count.count_pairs(classes, dealer(shape), points)
    tried: list[int] = []

    def narrow(events: EventList, room: int) -> tuple[Integers, Integers]:
        tried.append(room)
        size = len(events.key) + room * room // 8
        return np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)

    monkeypatch.setattr(pair_count, "allocate", narrow)
    assert pair_count.count_pairs(classes, dealer(shape), points) == expected
    assert len(set(tried)) > 3


def test_a_label_is_counted_for_itself() -> None:
    """The counts of all labels together are those without any."""
    classes, settings = deck(SMALL)
    hands = set_hands(settings, middle(settings), np.arange(len(settings.frontier)) % LABELS)
    alone = pair_count.count_pairs(classes, dealer(SMALL), fixed_points(hands, dealer(SMALL)))
    several = pair_count.count_pairs(classes, hands, fixed_points(hands, hands))
    for kind in range(3):
        assert sum(several[kind]) == sum(alone[kind])
        assert all(several[kind])


def test_what_is_done_is_reported_after_every_task() -> None:
    reported: list[tuple[int, int]] = []
    assert pair_count.run_all(abs, [-1, 2, -3], None, lambda *seen: reported.append(seen)) == [
        1,
        2,
        3,
    ]
    assert reported == [(1, 3), (2, 3), (3, 3)]


def test_queries_without_space_are_refused() -> None:
    """Any list may be short; the answers with enough space equal those of the count."""
    classes, settings = deck(SMALL)
    none = np.zeros(len(classes.counts), dtype=np.int64)
    worth = [Worth((1,) * 4, (1,) * 4, (0,) * 4)]
    plan = prepare(classes, settings, dealer(SMALL), middle(settings), none, worth)
    query = np.unique(state_code(classes.counts, SMALL.ranks, highest_first=True))
    expected = answers(plan, query, suited=False)
    (mine,) = plan.rank_dealer  # of a deck without a joker
    spaces = [(4096, 4096, 4096), (0, 4096, 4096), (4096, 0, 4096), (4096, 4096, 0)]
    for dealers, queries, children in spaces:
        key, weight = (
            np.concatenate([of, np.zeros(dealers, dtype=np.int64)])
            for of in (mine.key, mine.weight)
        )
        asked = np.concatenate([query, np.zeros(queries, dtype=np.int64)])
        value = np.full((len(asked), 8), 7, dtype=np.int32)
        child = np.zeros(children, dtype=np.int32)
        failed = answer_queries(
            key, weight, len(mine.key), asked, value, child, len(query), plan.rank_tables
        )
        assert failed == (not (dealers and queries and children))
        if not failed:
            assert (value[: len(query)] == expected).all()
