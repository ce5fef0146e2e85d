"""Numbers as people write them: a decimal comma is never taken for a mark of thousands."""

from fractions import Fraction
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.errors import NotReadable
from certify.formatting import correct_amount, read_cents, read_meter, read_pay, read_whole
from certify.intake.results import read_counts, read_results


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("5", 500), ("2.5", 250), ("$2.50", 250), ("25,000", 2_500_000),
        ("1,000,000.05", 100_000_005),
        ("1 250", 125_000), ("1\u202f250.00", 125_000), ("-$3", -300), ("0", 0), ("0012", 1200),
        ("2,50", None), ("1,2,3", None), ("50000,00", None), ("1.000,00", None), ("1,0000", None),
        ("0,500", None), ("2.505", None), (".5", None), ("5.", None), ("", None), ("1e3", None),
        ("٣", None), ("9" * 21, None), ("--5", None), ("5 ", None),
    ],
)  # fmt: skip
def test_dollars(text: str, cents: int | None) -> None:
    assert read_cents(text) == cents


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("105.5333", Fraction(1_055_333, 100)), ("$11,197.925", Fraction(2_239_585, 2)),
        ("2.50", Fraction(250)), ("0.005", Fraction(1, 2)), ("-0.005", None), ("-2.505", None),
        ("2,505.0,5", None), ("1.2.3", None), ("2.", None), ("x", None),
    ],
)  # fmt: skip
def test_an_average_meter_may_be_finer_than_a_cent(text: str, cents: Fraction | None) -> None:
    assert read_meter(text) == cents


@pytest.mark.parametrize(
    ("text", "number"),
    [("8,250", 8250), ("8 250 000", 8_250_000), ("82,50", None), ("8,25E+15", None), ("-1", None)],
)
def test_whole_numbers(text: str, number: int | None) -> None:
    assert read_whole(text) == number


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("2,50", "Write 2.50: a comma is a mark of thousands."),
        ("$1.000,5", "Write $1000.5: a comma is a mark of thousands."),
        ("ten", "Write for example 5, 2.50 or 25,000."),
    ],
)
def test_the_fix_has_the_text_to_write(text: str, fix: str) -> None:
    assert correct_amount(text) == fix


@pytest.mark.parametrize(
    ("text", "pay"),
    [
        ("40 to 1", "40 to 1"), ("1,000 to 1", "1000 to 1"), ("300", "300 to 1"), ("3:2", "3 to 2"),
        ("3/2", "3 to 2"), ("40-to-1", "40 to 1"), ("40.5 to 1", "81 to 2"), ("1.5", "3 to 2"),
        ("even money", "1 to 1"), ("Push", "push"), ("LOSE", "loss"), ("4 FOR 1", "4 for 1"),
        ("2.5 for 1", "5 for 2"), (" 6  to  4 ", "6 to 4"),
        ("40,5 to 1", None), ("0 to 1", None), ("4 to 0", None), ("4 too 1", None), ("four", None),
        ("-4 to 1", None), ("", None), ("1.23456", None),
    ],
)  # fmt: skip
def test_pays(text: str, pay: str | None) -> None:
    assert read_pay(text) == pay


def results(*amounts: str, comma: str = ",") -> bytes:
    lines = ("target", "rounds", "wagered", "paid"), ("mini-pai-gow/bonus/A", *amounts)
    return "".join(comma.join(line) + "\n" for line in lines).encode()


def test_a_floor_with_decimal_commas_is_refused_with_the_text_to_write() -> None:
    with pytest.raises(NotReadable) as caught:
        read_results(results("10000", '"50000,00"', '"47500,00"'), "floor.csv", target=None)
    assert caught.value.message == (
        "floor.csv cannot be used: line 2, column 3 (wagered): '50000,00' is not an amount of "
        "dollars. Write 50000.00: a comma is a mark of thousands; line 2, column 4 (paid): "
        "'47500,00' is not an amount of dollars. Write 47500.00: a comma is a mark of thousands."
    )


def test_a_floor_with_semicolons_is_read() -> None:
    expected = read_results(results("10000", "50000", "47500"), "floor.csv", target=None)
    data = results("10,000", "50,000.00", "47 500", comma=";")
    assert read_results(data, "floor.csv", target=None) == expected


def test_counts_with_a_decimal_comma_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("event;combinations\nflush;8,25E+15\n", encoding="utf-8")
    with pytest.raises(NotReadable, match="8,25E\\+15 is not a number of combinations"):
        read_counts(path, ())


def test_a_limit_with_a_decimal_comma_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "mini-pai-gow/bonus/A", "--limit", "2,50"]) == 2
    assert capsys.readouterr().err == (
        "Error: --limit: 2,50 is not an amount of dollars.\n"
        "  Fix: Write 2.50: a comma is a mark of thousands.\n"
    )
