"""Printed numbers: parsing, rounding and comparison with exact values."""

import re
from fractions import Fraction

from msgspec import Struct

from certify.errors import NotReadable

_printed = re.compile(
    r"(?P<sign>-?)(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.(?P<rest>[0-9]+))?(?P<percent>%?)"
).fullmatch


class PrintedNumber(Struct, frozen=True, kw_only=True):
    """A printed number: ``units`` of its last digit, each worth ``unit``.

    ``8.00%`` is 800 units of 1/10000.
    """

    text: str
    units: int
    unit: Fraction
    decimals: int
    percent: bool
    commas: bool

    @property
    def value(self) -> Fraction:
        """The value of the printed number."""
        return self.units * self.unit


def parse_number(text: str) -> PrintedNumber:
    """Parse a printed number.

    Raises:
        NotReadable: the text is not one number.
    """
    match = _printed(text)
    if match is None:
        raise NotReadable(
            f"{text} is not a number.",
            remedy="Write digits with or without commas, a decimal point, and optionally %.",
        )
    rest = match["rest"] or ""
    digits = int(match["whole"].replace(",", "") + rest)
    percent = bool(match["percent"])
    return PrintedNumber(
        text=text,
        units=-digits if match["sign"] else digits,
        unit=Fraction(1, 10 ** len(rest) * (100 if percent else 1)),
        decimals=len(rest),
        percent=percent,
        commas="," in match["whole"],
    )


def agrees(value: Fraction, printed: str) -> bool:
    """Return True if ``value`` rounds half up to the digits of ``printed``.

    Args:
        value: the exact value; a percentage as a fraction of one.
        printed: the text, such as ``89.977765%``, ``0.00020760`` or ``154,143,080``.

    Raises:
        NotReadable: the text is not one number.
    """
    number = parse_number(printed)
    return rounded_units(value, number.unit) == number.units


def rounded_units(value: Fraction, unit: Fraction) -> int:
    """Return ``value`` in units, rounded half away from zero."""
    scaled = abs(value) / unit
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return -units if value < 0 else units


def format_like(value: Fraction, like: str) -> str:
    """Return ``value`` in the form and the precision of the text ``like``.

    Raises:
        NotReadable: the text is not one number.
    """
    number = parse_number(like)
    units = rounded_units(value, number.unit)
    digits = str(abs(units)).rjust(number.decimals + 1, "0")
    whole, rest = (
        (digits[: -number.decimals], f".{digits[-number.decimals :]}")
        if number.decimals
        else (digits, "")
    )
    grouped = f"{int(whole):,}" if number.commas else whole
    return f"{'-' if units < 0 else ''}{grouped}{rest}{'%' if number.percent else ''}"
