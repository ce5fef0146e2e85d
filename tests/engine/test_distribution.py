"""Sums of rounds: held against every sequence of outcomes, written out."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from certify.commands.monitor import Outcomes, convolve

tables = st.dictionaries(
    st.fractions(min_value=-1, max_value=6, max_denominator=4),
    st.integers(1, 9),
    min_size=2,
    max_size=4,
)


def convolve_slowly(hands: dict[Fraction, int], rounds: int) -> Counter[Fraction]:
    """Return the ways to each sum, from every sequence of outcomes."""
    found: Counter[Fraction] = Counter()
    for nets in product(hands, repeat=rounds):
        ways = 1
        for net in nets:
            ways *= hands[net]
        found[sum(nets, Fraction(0))] += ways
    return found


@given(tables, st.integers(1, 5), st.fractions(min_value=-7, max_value=32, max_denominator=6))
@example(hands={Fraction(-1): 1, Fraction(1): 1}, rounds=2, result=Fraction(0))
@example(hands={Fraction(-1): 1, Fraction(1): 1}, rounds=2, result=Fraction(9))
@settings(max_examples=150, deadline=None)
def test_chance_and_bands_are_those_of_every_sequence(
    hands: dict[Fraction, int], rounds: int, result: Fraction
) -> None:
    outcomes = Outcomes(hands)
    ways = convolve_slowly(hands, rounds)
    whole = sum(ways.values())
    mean = Fraction(sum(total * many for total, many in ways.items()), whole)
    assert outcomes.mean * rounds == mean
    squares = sum((total - mean) ** 2 * many for total, many in ways.items()) / whole
    assert outcomes.moment(2) * rounds == squares
    found = convolve(outcomes, rounds, result)
    assert found is not None
    far = sum(many for total, many in ways.items() if abs(total - mean) >= abs(result - mean))
    assert found.chance == Fraction(far, whole)
    for level, (low, high) in found.bands.items():
        left = Fraction(100 - level, 200)
        under = sum(many for total, many in ways.items() if total < low)
        over = sum(many for total, many in ways.items() if total > high)
        for many, at in ((under, low), (over, high)):
            assert Fraction(many, whole) <= left <= Fraction(many + ways[at], whole)


@pytest.mark.parametrize("rounds", [10**5, 10**9])
def test_what_is_too_long_to_count_is_not_counted(rounds: int) -> None:
    outcomes = Outcomes({Fraction(-1): 19, Fraction(1): 18, Fraction(7, 3): 5})
    assert convolve(outcomes, rounds, Fraction(0)) is None
