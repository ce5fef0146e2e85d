"""Every solution of a band, and nothing else: held against all values tried one by one."""

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.engine.pay_band import Band, Variable, nearest, solutions, tighten_bounds

variables = st.builds(
    lambda weight, low, steps, step: Variable(
        weight=weight, low=low, high=low + steps * step, step=step
    ),
    st.fractions(min_value=Fraction(1, 60), max_value=3, max_denominator=60),
    st.integers(0, 4),
    st.integers(0, 5),
    st.integers(1, 3),
)
bands = st.builds(
    lambda many, low, width, falls: Band(
        variables=tuple(many),
        low=low,
        high=low + width,
        falls=tuple(pair for pair, held in zip(pairwise(range(4)), falls, strict=False) if held)[
            : len(many) - 1
        ]
        if len(many) == 4
        else (),
    ),
    st.lists(variables, min_size=1, max_size=4),
    st.fractions(min_value=-2, max_value=40, max_denominator=60),
    st.fractions(min_value=0, max_value=4, max_denominator=60),
    st.lists(st.booleans(), min_size=3, max_size=3),
)


def try_all(band: Band) -> dict[tuple[int, ...], Fraction]:
    """Return every choice of values that does not rise where it must fall, with its sum."""
    ranges = [range(variable.low, variable.high + 1, variable.step) for variable in band.variables]
    weights = [variable.weight for variable in band.variables]
    return {
        values: sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0))
        for values in product(*ranges)
        if all(values[above] >= values[below] for above, below in band.falls)
    }


@given(bands)
@settings(max_examples=150, deadline=None)
def test_solutions_are_all_that_a_trial_of_every_value_gives(band: Band) -> None:
    wanted = sorted(
        values for values, total in try_all(band).items() if band.low <= total <= band.high
    )
    assert sorted(solutions(band)) == wanted
    closer = tighten_bounds(band)
    assert (sorted(solutions(closer)) if closer else []) == wanted


@given(bands)
@settings(max_examples=150, deadline=None)
def test_nearest_sums_are_those_of_a_trial_of_every_value(band: Band) -> None:
    sums = try_all(band).values()
    below = max((total for total in sums if total < band.low), default=None)
    above = min((total for total in sums if total > band.high), default=None)
    assert nearest(band) == (below, above)


@pytest.mark.parametrize(("low", "high", "left"), [(0, 2, 1), (7, 9, 2), (4, 5, 0)])
def test_values_that_no_solution_has_are_left_out(low: int, high: int, left: int) -> None:
    one = Variable(weight=Fraction(3), low=0, high=10)
    closer = tighten_bounds(Band(variables=(one,), low=Fraction(low), high=Fraction(high)))
    expected = [value for value in range(11) if low <= 3 * value <= high]
    assert len(expected) == (0 if closer is None else closer.variables[0].size)
    assert len(expected) <= left
