"""The full deck, widths of accumulators, and the kernels as plain Python."""

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace

from certify.kernels import concealed, optimal_plan, suit_isomorphism
from certify.kernels.class_arrays import HandClasses, Splits, class_splits, hand_classes
from certify.kernels.events import SetHands, fixed_points, set_hands, staircase_points
from certify.kernels.features import Shape
from certify.kernels.optimal_plan import Plan, Worth, most_flushes, prepare
from certify.kernels.pair_count import combine, count_pairs, exact_counts, run, tasks
from certify.kernels.suit_isomorphism import Rows

Integers = npt.NDArray[np.int64]
PAIRS = 8_250_459_031_214_400
TINY = """
from certify.kernels import concealed
from certify.kernels import optimal_plan as concealed_plan
from certify.kernels import events
from certify.kernels import pair_count as pairs
from certify.kernels.class_arrays import hand_classes
from certify.kernels.features import Shape
from certify.kernels import class_arrays as settings
import numpy as np
shape = Shape(ranks=3, hand=4, front=1)
hands = hand_classes(shape)
ways = settings.class_splits(hands)
none = np.zeros(len(hands.counts), dtype=np.int64)
dealer = events.set_hands(ways, ways.frontier[:, 0], none)
print(pairs.count_pairs(hands, dealer, events.staircase_points(ways, dealer)))
worth = [concealed_plan.Worth((n,), (n,), (0,)) for n in (1, 2)]
print(concealed.count_concealed(hands, ways, dealer, none + ways.frontier[:, 0], none, worth))
"""


@pytest.mark.slow
def test_every_deal_of_the_full_deck_is_counted() -> None:
    assert comb(53, 7) * comb(46, 7) == PAIRS
    classes = hand_classes(Shape())
    settings = class_splits(classes)
    label = classes.joker.astype(np.int64)
    dealer = set_hands(settings, settings.frontier[:, 0], label)
    finished: list[tuple[int, int]] = []
    with ThreadPoolExecutor(2) as executor:
        counts = count_pairs(
            classes,
            dealer,
            fixed_points(dealer, dealer),
            executor=executor,
            progress=lambda done, of: finished.append((done, of)),
        )
    assert sum(counts.total) == PAIRS
    assert counts.total[1] == comb(52, 6) * comb(46, 7)
    assert finished[-1][0] == finished[-1][1] == len(finished)


@pytest.mark.slow
def test_concealed_play_meets_every_hand_of_the_full_deck_and_the_fixed_route() -> None:
    classes = hand_classes(Shape())
    settings = class_splits(classes)
    none = np.zeros(len(classes.counts), dtype=np.int64)
    dealer = set_hands(settings, settings.frontier[:, 0], none)
    worth = [Worth((19,), (20,), (0,))]
    choice = settings.frontier[:, 0].astype(np.int64)
    with ThreadPoolExecutor(2) as executor:
        counts = concealed.count_concealed(
            classes, settings, dealer, choice, none, worth, executor=executor
        )
        fixed = count_pairs(classes, dealer, fixed_points(dealer, dealer), executor=executor)
        house = (fixed.win[0], fixed.lose[0], PAIRS)
        fewer = concealed.count_concealed(
            classes, settings, dealer, choice, none, worth, house=[house], executor=executor
        )
    assert counts.house[0][0] == house
    assert counts.optimal[0][0][2] == PAIRS
    assert fewer == counts
    for way in (0, 1):
        assert sum(hands for of, _, _, hands in counts.played if of == way) == comb(53, 7)


def test_partial_sums_outgrow_narrower_accumulators_and_the_result_does_not() -> None:
    # At the extreme all dealers' and all players' hands meet in one key. The number of pairs does
    # not fit 32 bits or the 53 of a double's integers' neighbourhood; a task alone is far greater
    # than the whole, or negative, and only the sum modulo 2^64 counts.
    shape = Shape(ranks=13, hand=6, front=1)
    classes = hand_classes(shape)
    settings = class_splits(classes)
    none = np.zeros(len(classes.counts), dtype=np.int64)
    dealer = set_hands(settings, settings.frontier[:, 0], none)
    one = replace(dealer, high=none + 1, low=none + 1)
    work = tasks(classes, one, fixed_points(one, one))
    results = [run(task) for task in work]
    pairs = comb(53, 6) * comb(47, 6)
    counts = combine(work, results)
    assert counts.total[0] == counts.lose[0] == pairs
    parts = [task.factor * int(result[0, 0]) for task, result in zip(work, results, strict=True)]
    assert max(parts) > pairs > 1 << 32
    assert min(parts) < 0
    narrow = [int(np.int64(part).astype(np.int32)) for part in parts]
    assert sum(narrow) != pairs


def test_wrapped_sums_are_exact_modulo_the_width() -> None:
    assert exact_counts([[(1 << 64) + 5, 3 - (1 << 64), 2]]).win == (2,)


WORTHS = {
    "even money or a raise": [Worth((n, 1), (n, 1), (0, 0)) for n in (1, 2)],
    "a push for one label": [Worth((19, 0), (20, 20), (0, 0))],
    "a raise that costs": [Worth((1, 1), (1, 1), (0, 0)), Worth((3, 1), (2, 4), (1, 0))],
}


def build_ways() -> tuple[HandClasses, Splits, SetHands, Integers, Integers]:
    """A deck where both bounds leave settings out, and both sides set by the first best setting."""
    classes = hand_classes(Shape(ranks=11, hand=6, front=1))
    settings = class_splits(classes)
    label = classes.joker.astype(np.int64)
    dealer = set_hands(settings, settings.frontier[:, 0], label)
    return classes, settings, dealer, settings.frontier[:, 0].astype(np.int64), label


@pytest.mark.parametrize("worth", WORTHS.values(), ids=WORTHS)
def test_settings_left_out_are_never_best(
    worth: list[Worth], monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a deck where both bounds leave settings out, keeping all of them changes nothing.
    ways = build_ways()
    kept: Counter[tuple[int, bool]] = Counter()

    def promising(plan: Plan, *arguments: Any) -> npt.NDArray[np.bool_]:  # noqa: ANN401
        found = optimal_plan.promising(plan, *arguments)
        kept[plan.slack, plan.bounds is None] += int(found.sum())
        return found

    monkeypatch.setattr(concealed, "promising", promising)
    plan = prepare(*ways, worth)
    work = concealed.tasks(plan)
    plans = [plan, replace(plan, bounds=None), replace(plan, slack=1 << 40, bounds=None)]
    found = [
        concealed.combine(each, [concealed.run(each, part) for part in work]) for each in plans
    ]
    assert found[0] == found[1] == found[2]
    both, slack, everything = kept.values()
    assert both < slack < everything


def test_hands_that_keep_one_setting_are_not_weighed_if_the_house_way_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    classes, _, dealer, *_ = ways = build_ways()
    weighed: list[int] = []

    def settle_rows(rows: Rows, *arguments: Any) -> None:  # noqa: ANN401
        weighed.append(len(rows.counts))
        suit_isomorphism.settle_rows(rows, *arguments)

    monkeypatch.setattr(concealed, "settle_rows", settle_rows)
    worth = WORTHS["a push for one label"]
    pairs = count_pairs(classes, dealer, fixed_points(dealer, dealer))
    known = list(zip(pairs.win, pairs.lose, pairs.total, strict=True))[:2]
    every = concealed.count_concealed(*ways, worth)
    assert sum(weighed) == len(classes.counts)
    weighed.clear()
    assert concealed.count_concealed(*ways, worth, house=known) == every
    assert 0 < sum(weighed) < len(classes.counts)


def test_the_bound_on_flushes_holds_for_every_hand_of_a_small_deck() -> None:
    shape = Shape(ranks=4, hand=4, front=1)
    classes = hand_classes(shape)
    flushes = int(classes.hands[classes.rank_classes :].sum())
    assert 0 < most_flushes(shape) <= flushes


def test_a_house_way_that_fouls_is_refused() -> None:
    classes = hand_classes(Shape(ranks=5, hand=4, front=1))
    settings = class_splits(classes)
    foul = settings.legal.argmin(axis=1)
    with pytest.raises(Exception, match="foul"):
        set_hands(settings, foul, np.zeros(len(foul), dtype=np.int64))


def test_kernels_are_plain_python_without_the_compiler(tmp_path: Path) -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", TINY],
            env={
                **os.environ,
                "NUMBA_DISABLE_JIT": disabled,
                "PYTHONPATH": str(Path(__file__).parents[2]),
                "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", str(tmp_path)),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert outputs[0] == outputs[1] != ""


def test_staircases_never_count_less_than_fixed_play() -> None:
    shape = Shape(ranks=8, hand=7, front=2)
    classes = hand_classes(shape)
    settings = class_splits(classes)
    none = np.zeros(len(classes.counts), dtype=np.int64)
    dealer = set_hands(settings, settings.frontier[:, 0], none)
    fixed = count_pairs(classes, dealer, fixed_points(dealer, dealer))
    exposed = count_pairs(classes, dealer, staircase_points(settings, dealer))
    assert exposed.total == fixed.total
    assert exposed.win[0] > fixed.win[0]
    assert exposed.lose[0] < fixed.lose[0]
