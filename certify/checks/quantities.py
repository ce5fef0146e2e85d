"""Numbers in texts: quantities that sentences name, and the precision of printed figures."""

import re
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from certify.errors import NotReadable
from certify.formatting import MINUS, json_decimal, thousands

WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "once": 1, "twice": 2, "both": 2,
}  # fmt: skip
"""Small numbers in words."""

_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_DIGITS = r"[0-9]{1,3}(?:,[0-9]{3}){1,9}|[0-9]{1,30}"
"""A number of more digits is none: nobody states one, and Python reads at most 4,300."""

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
    METERS = "number of meters"
    SIZE = "size of a raise"
    WHEEL = "rank of A-2-3-4-5"
    HIGH = "highest card of a hand"
    PAIR = "pair"
    HELD = "number of cards of a rank"
    LOWEST = "lowest hand"


class Quantity(Struct, frozen=True):
    """A quantity in a text, with the words that state it.

    Odds are ``3 to 2`` in lowest terms. A hand is in words, without "a" and in lower case:
    ``queen`` or ``king or lower`` for its highest card, ``fives`` for a pair, ``2 jacks``,
    ``full house``.
    """

    kind: Kind
    value: Fraction | str
    written: str


RANK_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
    "ace",
)  # fmt: skip
"""The ranks in words, lowest first."""

HAND_WORDS = (
    "pair", "two pair", "three pair", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush", "royal flush", "five of a kind", "five aces",
)  # fmt: skip
"""Hands that a paytable can start with, lowest first."""


def name_ranks(rank: str) -> str:
    """Return the plural of a rank in words: ``sixes``."""
    return "sixes" if rank == "six" else f"{rank}s"


_RANK = "|".join(RANK_WORDS)
_RANKS = "|".join(map(name_ranks, RANK_WORDS))
_HAND = "|".join(sorted(HAND_WORDS, key=len, reverse=True))
_BOUNDS = {"lower": "lower", "less": "lower", "better": "better", "higher": "better"}
_SIZES = {"equal": 1, "double": 2, "triple": 3}

_FORMS: Mapping[Kind, tuple[tuple[str, ...], str]] = {
    Kind.MONEY: (("$",), rf"\$(?P<n>(?:{_DIGITS})(?:\.[0-9]{{2}})?{_SCALE})(?![.,]?[0-9])"),
    Kind.ODDS: (
        ("to", "for", ":"),
        rf"{_NOT_INSIDE}(?P<n>{_NUMBER})(?P<basis>[ \u00a0](?:to|for)[ \u00a0]|:)"
        rf"(?P<per>{_NUMBER})(?![0-9%]|[.,][0-9]|-?[ \u00a0]?(?:cards?|players?|decks?|of)\b)",
    ),
    Kind.PERCENT: (
        ("%", "percent"),
        rf"{_NOT_INSIDE}(?P<n>(?:{_DIGITS})(?:\.[0-9]{{1,30}})?)[ \u00a0]?(?:%|percent\b)",
    ),
    Kind.CARDS: (("card",), rf"{_NOT_INSIDE}(?P<n>{_NUMBER})(?:[ \u00a0]cards\b|-card\b)"),
    Kind.DECKS: (("decks",), rf"{_NOT_INSIDE}(?P<n>{_NUMBER})[ \u00a0]decks\b"),
    Kind.PLAYERS: (
        ("players", "seats", "places"),
        rf"\b(?:up to|at most|maximum of|no more than)[ \u00a0](?P<n>{_NUMBER})"
        r"[ \u00a0](?:players|seats|places)\b",
    ),
    Kind.METERS: (
        ("meter",),
        rf"{_NOT_INSIDE}(?P<n>{_NUMBER})[ \u00a0](?:progressive )?meters?\b",
    ),
    Kind.SIZE: (
        ("times", "twice", "double", "triple", "equal"),
        rf"\b(?P<n>(?:{_NUMBER})(?=[ \u00a0](?:to[ \u00a0](?:{_NUMBER})[ \u00a0])?times\b)"
        r"|(?:twice|double|triple|equal to)(?=[ \u00a0](?:the|a|its|that)\b))",
    ),
    Kind.WHEEL: (
        ("straight",),
        r"\b(?:A-2-3-4-5|ace-to-five)\b[^.;]{0,20}? the "
        r"(?P<n>highest|second[ -]highest|lowest) straight\b",
    ),
    Kind.HIGH: (
        ("high",),
        rf"\b(?P<n>(?P<rank>{_RANK})[- ]high\b(?:[ \u00a0](?:pai gow|hand))?"
        rf"(?:[ \u00a0]or[ \u00a0](?P<bound>{'|'.join(_BOUNDS)})\b)?)",
    ),
    Kind.PAIR: (("pair of",), rf"\bpair of (?P<n>{_RANKS})\b"),
    Kind.HELD: (
        ("or more",),
        rf"{_NOT_INSIDE}(?P<n>(?P<count>{_NUMBER}) or more (?P<ranks>{_RANKS}))\b",
    ),
    Kind.LOWEST: (
        ("better", "higher"),
        rf"\b(?P<n>{_HAND})[ \u00a0]or[ \u00a0](?:better|higher)\b",
    ),
}
"""By kind, words of which each such quantity has one, and the pattern of a quantity."""


_pays = re.compile(r"\b(?:pay|paid|odds|win|won|money)", re.IGNORECASE).search


@lru_cache(maxsize=4096)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text, by kind and then in order.

    Odds are read only from clauses about pays: "spots 2 to 7" are none.
    """
    lowered = text.casefold()
    quantities = [
        Quantity(kind, _read(kind, match), match.group().strip())
        for kind, (words, form) in _FORMS.items()
        if any(word in lowered for word in words)
        for match in re.finditer(form, text, re.IGNORECASE)
        if kind is not Kind.ODDS or _pays(_clause(text, match.start()))
    ]
    even = re.findall(r"\beven money\b", text, re.IGNORECASE)
    return (*quantities, *(Quantity(Kind.ODDS, "1 to 1", words) for words in even))


def _clause(text: str, at: int) -> str:
    """Return the part of a text between the stops, colons and semicolons around a position."""
    begin = max(text.rfind(stop, 0, at) for stop in (". ", "; ", ": "))
    ends = [text.find(stop, at) for stop in (". ", "; ", ": ")]
    return text[begin + 1 : min((end for end in ends if end >= 0), default=len(text))]


def find_numbers(text: str) -> frozenset[Fraction]:
    """Return every number of a text, in digits or in words, except amounts of money."""
    words = re.findall(rf"(?<![$0-9.,]){_NUMBER}(?![0-9]|,[0-9]{{3}})", text, re.IGNORECASE)
    return frozenset(_number(match) for match in words)


def _read(kind: Kind, match: re.Match[str]) -> Fraction | str:
    words = match["n"].lower().replace("\u00a0", " ")
    match kind:
        case Kind.WHEEL | Kind.PAIR | Kind.LOWEST:
            return words.replace("-", " ")
        case Kind.HIGH:
            rank, bound = match["rank"].lower(), match["bound"]
            return f"{rank} or {_BOUNDS[bound.lower()]}" if bound else rank
        case Kind.HELD:
            return f"{_number(match['count'])} {match['ranks'].lower()}"
        case Kind.SIZE if words.split()[0] in _SIZES:
            return Fraction(_SIZES[words.split()[0]])
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


_printed = re.compile(
    rf"(?P<sign>-?)(?P<whole>{_DIGITS})(?:\.(?P<rest>[0-9]{{1,30}}))?(?P<percent>%?)"
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
    return int(json_decimal(value / number.unit, 0)) == number.units


def format_like(value: Fraction, like: str) -> str:
    """Return ``value`` in the form and the precision of the text ``like``.

    Raises:
        NotReadable: the text is not one number.
    """
    number = parse_number(like)
    write = thousands if number.commas else json_decimal
    digits = write(value * (100 if number.percent else 1), number.decimals)
    return f"{digits.replace(MINUS, '-')}{'%' if number.percent else ''}"
