"""Fractions in print: rounding against Python's decimal module, roots against their definition.

Half up, here away from nought at ties, is ROUND_HALF_UP of the General Decimal Arithmetic
Specification (Cowlishaw, 1.70), which the standard library implements.
"""

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import pytest

from certify import formatting

GRID = [
    Fraction(sign * number, below)
    for below in (1, 2, 3, 7, 8, 16, 40, 125, 2000, 154143080)
    for number in (0, 1, 5, 13, 77, 1005, 999999, 12345678)
    for sign in (1, -1)
]


def format_by_decimal(value: Fraction, places: int) -> str:
    with localcontext() as context:
        context.prec = 60
        quotient = Decimal(value.numerator) / Decimal(value.denominator)
        rounded = quotient.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    return f"{rounded.copy_abs() if rounded.is_zero() else rounded:f}"


@pytest.mark.parametrize("places", [0, 1, 2, 4, 8])
def test_decimals_agree_with_the_decimal_module(places: int) -> None:
    for value in GRID:
        assert formatting.json_decimal(value, places) == format_by_decimal(value, places), value
        assert formatting.decimal(value, places) == format_by_decimal(value, places).replace(
            "-", "−"
        )


@pytest.mark.parametrize(
    ("value", "places", "printed"),
    [
        (Fraction(1, 2), 0, "1"),
        (Fraction(-1, 2), 0, "−1"),
        (Fraction(1, 8), 2, "0.13"),
        (Fraction(-1, 8), 2, "−0.13"),
        (Fraction(1, 8) - Fraction(1, 10**30), 2, "0.12"),
        (Fraction(-4, 1000), 2, "0.00"),
        (Fraction(99995, 100000), 4, "1.0000"),
    ],
)
def test_halves_round_away_from_zero(value: Fraction, places: int, printed: str) -> None:
    assert formatting.decimal(value, places) == printed


def test_percent_is_rounded_once() -> None:
    # 0.00125 is a tie at one decimal of a percent; rounding the decimal first would give 0.1.
    assert formatting.percent(Fraction(125, 100_000), 2) == "0.13"
    assert formatting.percent(Fraction(1, 4), 2) == "25.00"


@pytest.mark.parametrize("places", [0, 1, 3, 6])
def test_a_root_is_the_nearest_printable_number(places: int) -> None:
    """Printed k units of the last place: k - 1/2 <= root * 10^places < k + 1/2, by definition."""
    for value in (*map(abs, GRID), Fraction(1, 4), Fraction(9, 4), Fraction(1, 10**9)):
        units = int(formatting.square_root(value, places).replace(".", ""))
        scaled = 4 * value * 100**places
        assert max(2 * units - 1, 0) ** 2 <= scaled < (2 * units + 1) ** 2, value


def test_a_root_of_a_tie_is_rounded_up() -> None:
    assert formatting.square_root(Fraction(9, 4), 0) == "2"
    assert formatting.square_root(Fraction(1, 16), 1) == "0.3"
    assert formatting.root(Fraction(9, 4), 1) == Fraction(3, 2)


def test_exact_fractions_are_in_lowest_terms() -> None:
    assert formatting.exact(Fraction(32, 154143080)) == "4/19267885"
    assert formatting.exact(Fraction(0)) == "0/1"
    assert formatting.exact(Fraction(1)) == "1/1"
    assert formatting.exact(Fraction(-1, 2)) == "−1/2"
    assert formatting.json_exact(Fraction(-1, 2)) == "-1/2"


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (Fraction(5), "5"),
        (Fraction(5000), "5,000"),
        (Fraction(5, 2), "2.5"),
        (Fraction(-5, 4), "−1.25"),
        (Fraction(1, 3), "1/3"),
        (Fraction(19, 20), "0.95"),
        (Fraction(1, 64), "0.015625"),
        (Fraction(1, 128), "1/128"),
    ],
)
def test_plain_numbers_are_never_rounded(value: Fraction, printed: str) -> None:
    assert formatting.plain(value) == printed


@pytest.mark.parametrize(
    ("chance", "printed"),
    [
        (Fraction(0), "never"),
        (Fraction(1), "1 in 1.00"),
        (Fraction(6, 25), "1 in 4.17"),
        (Fraction(1, 21751), "1 in 21,751"),
        (Fraction(1, 100), "1 in 100"),
    ],
)
def test_one_in_is_for_people(chance: Fraction, printed: str) -> None:
    assert formatting.format_one_in(chance) == printed


def test_an_impossible_hit_has_no_number_of_rounds() -> None:
    assert formatting.rounds_to_a_hit(Fraction(0)) == "–"


@pytest.mark.parametrize(
    ("cents", "printed"),
    [(500, "$5"), (125050, "$1,250.50"), (Fraction(1, 2), "$0.01"), (-95, "−$0.95"), (0, "$0")],
)
def test_money_is_in_dollars(cents: int | Fraction, printed: str) -> None:
    assert formatting.money(cents) == printed


def test_thousands_keep_the_sign_and_the_decimals() -> None:
    assert formatting.thousands(8_250_459_031_214_400) == "8,250,459,031,214,400"
    assert formatting.thousands(Fraction(-12345, 10), 1) == "−1,234.5"
    assert formatting.thousands(Fraction(-1, 2), 1) == "−0.5"
    assert formatting.thousands(Fraction(-1, 10**9), 1) == "0.0"


def test_money_that_is_needed_is_rounded_up() -> None:
    assert formatting.money_at_least(Fraction(10_001, 2)) == "$50.01"
    assert formatting.money_at_least(40_000_00) == "$40,000"


@pytest.mark.parametrize(
    ("share", "printed"),
    [
        (Fraction(5, 100), "5%"),
        (Fraction(25, 1000), "2.5%"),
        (Fraction(1, 3), "100/3%"),
        (Fraction(1), "100%"),
    ],
)
def test_a_declared_share_is_printed_exactly(share: Fraction, printed: str) -> None:
    assert formatting.exact_percentage(share) == printed


def test_a_percentage_has_no_blank_and_a_minus_sign() -> None:
    assert formatting.percentage(Fraction(199, 10_000), 2) == "1.99%"
    assert formatting.percentage(Fraction(-1, 80), 2) == "−1.25%"


def test_percentages_have_four_decimals_by_default() -> None:
    assert formatting.percentage(Fraction(1, 80)) == "1.2500%"
    assert formatting.percent(Fraction(1, 80)) == "1.2500"
    assert formatting.json_percent(Fraction(-1, 80)) == "-1.2500"


@pytest.mark.parametrize(
    ("change", "printed"),
    [
        (Fraction(1309, 10**6), "+0.1309"),
        (Fraction(-31, 10**9), "−0.0000031"),
        (Fraction(10, 10**6), "+0.0010"),
        (Fraction(9, 10**6), "+0.00090"),
        (Fraction(0), "0.0000"),
    ],
)
def test_a_change_shows_two_digits_at_least_and_its_sign(change: Fraction, printed: str) -> None:
    assert formatting.points(change) == printed


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("flush", "Did you mean flushes?"),
        ("ace", "Use one of: flushes, quads."),
    ],
)
def test_a_remedy_names_what_is_near_or_what_there_is(name: str, remedy: str) -> None:
    assert formatting.did_you_mean(name, ["flushes", "quads"]) == remedy


def test_a_remedy_lists_twelve_names_at_most() -> None:
    names = [chr(ord("a") + place) * 3 for place in range(13)]
    assert formatting.did_you_mean("?", names[:12]) == f"Use one of: {', '.join(names[:12])}."
    assert formatting.did_you_mean("?", names) == f"Use one of: {', '.join(names[:12])} and more."
    assert formatting.did_you_mean("?", []) == "None is declared."
    assert formatting.did_you_mean("?", names, "Remove it.") == "Remove it."


def test_odds_are_in_the_words_of_the_trade() -> None:
    assert formatting.format_odds(Fraction(5000)) == "5,000 to 1"
    assert formatting.format_odds(Fraction(3, 2)) == "3 to 2"
    assert formatting.format_odds(Fraction(20), "for") == "20 for 1"


@pytest.mark.parametrize(
    ("words", "printed"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_a_list_has_no_comma_before_its_last_word(words: list[str], printed: str) -> None:
    assert formatting.join_words(words) == printed
    assert formatting.join_words(words, "or") == printed.replace(" and ", " or ")
