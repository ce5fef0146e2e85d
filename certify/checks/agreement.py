"""Does an exact value agree with a printed text? At its printed precision, half up, exactly.

The digits that are printed say how precise the text is: ``8.00%`` is a percentage to hundredths,
``154,143,080`` a whole number. A value agrees if rounding it so gives those very digits.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from certify.errors import NotReadable

_printed = re.compile(
    r"(?P<sign>-?)(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.(?P<rest>[0-9]+))?(?P<percent>%?)"
).fullmatch


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedNumber:
    """A number as printed: ``units`` of its last digit, each worth ``unit``.

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
        """The number that is printed."""
        return self.units * self.unit


def number_in(text: str) -> PrintedNumber:
    """Return the number that a text prints.

    Raises:
        NotReadable: the text is not one number.
    """
    match = _printed(text)
    if match is None:
        raise NotReadable(
            f"{text} is not a printed number.",
            remedy="Write digits with commas in threes or none, a point, and perhaps %.",
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
    """Whether ``value`` rounds half up to the digits of ``printed``.

    Args:
        value: the exact value; a percentage as a fraction of one.
        printed: the text, such as ``89.977765%``, ``0.00020760`` or ``154,143,080``.

    Raises:
        NotReadable: the text is not one number.
    """
    number = number_in(printed)
    return rounded_units(value, number.unit) == number.units


def rounded_units(value: Fraction, unit: Fraction) -> int:
    """Return how many units ``value`` is, a half away from nought."""
    scaled = abs(value) / unit
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return -units if value < 0 else units


def as_printed(value: Fraction, like: str) -> str:
    """Return ``value`` in the form and the precision of the text ``like``.

    Raises:
        NotReadable: the text is not one number.
    """
    number = number_in(like)
    units = rounded_units(value, number.unit)
    digits = str(abs(units)).rjust(number.decimals + 1, "0")
    whole, rest = (
        (digits[: -number.decimals], f".{digits[-number.decimals :]}")
        if number.decimals
        else (digits, "")
    )
    grouped = f"{int(whole):,}" if number.commas else whole
    return f"{'-' if units < 0 else ''}{grouped}{rest}{'%' if number.percent else ''}"
