"""The filters of the templates: how each kind of value that a view holds is written.

A view hands over numbers, not words: integers, exact fractions, cents, payouts. A template names
the form. Nothing else may be done to a value there (`tests/report/test_templates.py`), and what
is not known (None) is a dash everywhere.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import wraps
from typing import Any

from certify import formatting
from certify.report import wording

UNKNOWN = "–"
"""What is printed of a value that is not there."""


def _decimal(value: Fraction, places: int = 8) -> str:
    return formatting.thousands(value, places)


def _root(variance: Fraction, places: int = 4) -> str:
    return formatting.square_root(variance, places)


def _dollars(cents: Fraction) -> str:
    return formatting.money(Fraction(formatting.json_decimal(cents / 100, 0)) * 100)


def _rounds(probability: Fraction) -> str:
    return formatting.thousands(1 / probability, 1) if probability else UNKNOWN


def _against(probability: Fraction) -> str:
    return formatting.thousands(1 / probability - 1, 1) if probability else UNKNOWN


def _named(name: str, kind: str) -> str:
    return wording.named(kind, name)


def _cards(codes: Iterable[str]) -> str:
    return " ".join(map(wording.card_text, codes))


def _ranks(codes: str) -> str:
    return codes.replace("T", "10").replace("Jk", "Joker")


def _or_dash(write: Callable[..., str]) -> Callable[..., str]:
    @wraps(write)
    def written(value: object, *arguments: Any, **named: Any) -> str:  # noqa: ANN401 - as the filter has them
        return UNKNOWN if value is None else write(value, *arguments, **named)

    return written


_FORMS: Mapping[str, Callable[..., str]] = {
    # Numbers: 31,080; 0.00020132; 177790700/19267885; 2.5, as declared; 1.9946%; 5%, as declared.
    "count": formatting.thousands,
    "decimal": _decimal,
    "exact": formatting.exact,
    "plain": formatting.plain,
    "percent": formatting.percentage,
    "share": formatting.exact_percentage,
    # Whose an edge is: the player has an advantage of 0.7163%.
    "edge_words": formatting.edge_in_words,
    # A change in percentage points: +0.1309; the standard deviation of a variance.
    "points": formatting.points,
    "root": _root,
    # Of a probability N of “1 in N” and of “N to 1” against, with one decimal in a whole column.
    "rounds": _rounds,
    "against": _against,
    # Cents as $1,250.50, and rounded as $22,358, so that a column is aligned.
    "money": formatting.money,
    "dollars": _dollars,
    # A payout as 5,000 to 1, and as 5,000 in a table that states its basis once.
    "odds": wording.pays,
    "amount": wording.pay_amount,
    # Cards: 10♦ Joker; one of them, its color, and ranks alone: A-10.
    "cards": _cards,
    "card": wording.card_text,
    "color": wording.card_color,
    "ranks": _ranks,
    # Words: a, b and c; with a capital letter; what something is called; where a text is from.
    "listed": formatting.listed,
    "capital": wording.as_written,
    "named": _named,
    "label": wording.label,
    "known": wording.known_by,
    "ruled": wording.ruled_by,
    "limits": wording.limits_text,
}

FILTERS: Mapping[str, Callable[..., str]] = {
    name: _or_dash(write) for name, write in _FORMS.items()
} | {"for_player": lambda edge: "" if edge is None else wording.for_player(edge)}
"""Every filter that a template may use, by its name there."""
