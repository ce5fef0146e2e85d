"""Quantities in texts: money, odds, percentages, and numbers of cards, decks and players."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "once": 1, "twice": 2, "both": 2,
}  # fmt: skip
"""Small numbers in words."""

_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_DIGITS = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+"
_SCALE = rf"(?:[ \u00a0](?:{'|'.join(_SCALES)})\b)?"
_NUMBER = rf"(?:{_DIGITS}|\b(?:{'|'.join(WORDS)})\b){_SCALE}"
_NOT_INSIDE = r"(?<![0-9A-Za-z.,:/§$-])"


class Kind(StrEnum):
    """The kind of a quantity; money is in cents, a percentage a share of 1."""

    MONEY = "amount"
    ODDS = "odds"
    PERCENT = "percentage"
    CARDS = "number of cards"
    DECKS = "number of decks"
    PLAYERS = "number of players"


class Quantity(Struct, frozen=True):
    """A quantity in a text, with the words that state it; odds are ``3 to 2`` in lowest terms."""

    kind: Kind
    value: Fraction | str
    written: str


_FORMS: Mapping[Kind, re.Pattern[str]] = {
    kind: re.compile(form, re.IGNORECASE)
    for kind, form in {
        Kind.MONEY: rf"\$(?P<n>(?:{_DIGITS})(?:\.[0-9]{{2}})?{_SCALE})(?![.,]?[0-9])",
        Kind.ODDS: (
            rf"{_NOT_INSIDE}(?P<n>{_NUMBER})(?P<basis>[ \u00a0](?:to|for)[ \u00a0]|:)"
            rf"(?P<per>{_NUMBER})(?![0-9%]|[.,][0-9]|-?[ \u00a0]?(?:cards?|players?|decks?)\b)"
        ),
        Kind.PERCENT: rf"{_NOT_INSIDE}(?P<n>(?:{_DIGITS})(?:\.[0-9]+)?)[ \u00a0]?(?:%|percent\b)",
        Kind.CARDS: rf"{_NOT_INSIDE}(?P<n>{_NUMBER})(?:[ \u00a0]cards\b|-card\b)",
        Kind.DECKS: rf"{_NOT_INSIDE}(?P<n>{_NUMBER})[ \u00a0]decks\b",
        Kind.PLAYERS: (
            rf"\b(?:up to|at most|maximum of|no more than)[ \u00a0](?P<n>{_NUMBER})"
            r"[ \u00a0](?:players|seats|places)\b"
        ),
    }.items()
}


_pays = re.compile(r"\b(?:pay|paid|odds|win|won|money)", re.IGNORECASE).search
_even_money = re.compile(r"\beven money\b", re.IGNORECASE)


def find_quantities(text: str) -> Iterator[Quantity]:
    """Yield the quantities of a text, by kind and then in order.

    Odds are read only from clauses about pays: "spots 2 to 7" are none.
    """
    for kind, form in _FORMS.items():
        for match in form.finditer(text):
            if kind is not Kind.ODDS or _pays(_clause(text, match.start())):
                yield Quantity(kind, _read(kind, match), match.group().strip())
    for match in _even_money.finditer(text):
        yield Quantity(Kind.ODDS, "1 to 1", match.group())


def _clause(text: str, at: int) -> str:
    """Return the part of a text between the stops, colons and semicolons around a position."""
    begin = max(text.rfind(stop, 0, at) for stop in (". ", "; ", ": "))
    ends = [text.find(stop, at) for stop in (". ", "; ", ": ")]
    return text[begin + 1 : min((end for end in ends if end >= 0), default=len(text))]


def find_numbers(text: str) -> frozenset[Fraction]:
    """Return every number of a text, in digits or in words, except amounts of money."""
    found = re.findall(rf"(?<![$0-9.,]){_NUMBER}", text, re.IGNORECASE)
    return frozenset(_number(match) for match in found)


def _read(kind: Kind, match: re.Match[str]) -> Fraction | str:
    value = _number(match["n"])
    if kind is Kind.ODDS:
        basis = match["basis"].strip().lower().replace(":", "to")
        pay = value / (_number(match["per"]) or 1)
        return f"{pay.numerator} {basis} {pay.denominator}"
    units = {Kind.MONEY: Fraction(100), Kind.PERCENT: Fraction(1, 100)}
    return value * units.get(kind, Fraction(1))


def _number(text: str) -> Fraction:
    first, *scale = text.lower().split()
    value = Fraction(WORDS.get(first) or Fraction(first.replace(",", "")))
    return value * _SCALES.get(scale[0] if scale else "", 1)
