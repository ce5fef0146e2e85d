from fractions import Fraction

import pytest

from certify.checks.quantities import agrees, format_like, parse_number
from certify.errors import NotReadable


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (Fraction(1, 8), "0.13"),  # 0.125: a half goes up
        (Fraction(-1, 8), "-0.13"),
        (Fraction(1, 8), "12.5%"),
        (Fraction(1, 3), "33.33%"),
        (Fraction(154143080), "154,143,080"),
        (Fraction(154143080), "154143080"),
        (Fraction(-1, 1000), "0.00"),
        (Fraction(1, 200), "0.01"),
    ],
)
def test_agrees_at_the_printed_precision(value: Fraction, printed: str) -> None:
    assert agrees(value, printed)
    assert parse_number(format_like(value, printed)) == parse_number(printed)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (Fraction(1, 8), "0.12"),
        (Fraction(1249999, 10**7), "0.13"),
        (Fraction(1, 3), "33.34%"),
        (Fraction(1, 3), "0.333%"),
        (Fraction(154143081), "154,143,080"),
        (Fraction(1, 8), "-0.13"),
    ],
)
def test_one_unit_away_does_not_agree(value: Fraction, printed: str) -> None:
    assert not agrees(value, printed)


def test_value_below_what_any_float_can_tell_apart() -> None:
    below_a_half = Fraction(1, 200) - Fraction(1, 10**40)
    assert agrees(below_a_half, "0.00")
    assert not agrees(below_a_half, "0.01")


@pytest.mark.parametrize("text", ["", "%", "1,00", "1.", ".5", "5 %", "1e3", "one"])
def test_what_is_not_a_number_is_refused(text: str) -> None:
    with pytest.raises(NotReadable):
        parse_number(text)
