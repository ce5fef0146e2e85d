"""Whole numbers, dollars and pays as people write them.

A comma or a blank is a mark of thousands, and only before three digits each: 2,50 is not 250.
"""

import re
from fractions import Fraction

_MARK = "[, \u00a0\u202f]"
_WHOLE = rf"[1-9][0-9]{{0,2}}(?:{_MARK}[0-9]{{3}})+|[0-9]+"
_whole = re.compile(_WHOLE).fullmatch
_dollars = re.compile(rf"(-?)(?:\$ ?)?({_WHOLE})(?:\.([0-9]{{1,2}}))?").fullmatch
_decimal_comma = re.compile(r"(-?\$? ?[0-9][0-9. \u00a0\u202f]*),([0-9]{1,2})").fullmatch
_odds = re.compile(
    rf"({_WHOLE})(\.[0-9]{{1,4}})?(?:(?:\s*[:/-]\s*|[\s-]*(to|for)[\s-]*)({_WHOLE}))?",
    re.IGNORECASE,
).fullmatch

LONGEST = 20
"""Digits of a number that is read: more than those of any number of deals."""

WORDS = {"even money": "1 to 1", "even": "1 to 1", "push": "push", "loss": "loss", "lose": "loss"}
"""Pays in words, and as they are declared."""


def read_whole(text: str) -> int | None:
    """Return a whole number, None if the text is none."""
    return _read_digits(text) if _whole(text) else None


def read_cents(text: str) -> int | None:
    """Return dollars with at most two decimals in cents, None if the text is no such amount."""
    read = _dollars(text)
    whole = _read_digits(read[2]) if read else None
    if read is None or whole is None:
        return None
    cents = whole * 100 + int((read[3] or "").ljust(2, "0"))
    return -cents if read[1] else cents


def read_meter(text: str) -> Fraction | None:
    """Return an average amount of dollars in cents, which may be finer than a cent."""
    cents, (amount, _, decimals) = read_cents(text), text.partition(".")
    if cents is not None:
        return Fraction(cents)
    whole = read_cents(amount)
    if whole is None or "-" in amount or not re.fullmatch(rf"[0-9]{{1,{LONGEST}}}", decimals):
        return None
    return whole + Fraction(int(decimals) * 100, 10 ** len(decimals))


def correct_amount(text: str) -> str:
    """Return a sentence that says how to write an amount that `read_cents` does not read."""
    read = _decimal_comma(text)
    if read is None:
        return "Write for example 5, 2.50 or 25,000."
    whole = re.sub(r"[. \u00a0\u202f]", "", read[1])
    return f"Write {whole}.{read[2]}: a comma is a mark of thousands."


def read_pay(text: str) -> str | None:
    """Return a pay in declared form (``3 to 2``), None for any other text.

    A number alone is the win for a wager of 1: ``300`` is ``300 to 1``.
    """
    plain = " ".join(text.split()).casefold()
    read = _odds(plain)
    if read is None:
        return WORDS.get(plain)
    won, wagered = _read_digits(read[1]), _read_digits(read[4] or "1")
    if not won or not wagered:
        return None
    pay = (won + Fraction(f"0{read[2] or ''}")) / wagered
    exact = (pay.numerator, pay.denominator) if read[2] else (won, wagered)
    return f"{exact[0]} {read[3] or 'to'} {exact[1]}"


def _read_digits(text: str) -> int | None:
    digits = "".join(filter(str.isdecimal, text))
    return int(digits) if len(digits) <= LONGEST else None
