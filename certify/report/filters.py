"""The filters of the templates: how each kind of value that a view holds is written.

A view hands over numbers, not words: integers, exact fractions, cents, payouts. A template names
the form. Nothing else may be done to a value there (`tests/report/test_templates.py`), and what
is not known (None) is a dash everywhere.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import wraps

from certify import formatting
from certify.model.payout import Payout
from certify.report.wording import pay_amount, pays

UNKNOWN = "–"
"""What is printed of a value that is not there."""


def _or_dash(write: Callable[..., str]) -> Callable[..., str]:
    @wraps(write)
    def written(value: object, *arguments: int | str, **named: bool) -> str:
        return UNKNOWN if value is None else write(value, *arguments, **named)

    return written


def amount(payout: Payout) -> str:
    """Return a payout without its basis, for a table that states it once: ``5,000``."""
    return pay_amount(payout)


def count(value: int) -> str:
    """Return a number of things: ``31,080``."""
    return formatting.thousands(value)


def decimal(value: Fraction, places: int = 8) -> str:
    """Return a value with a fixed number of decimals: ``0.00020132``."""
    return formatting.thousands(value, places)


def exact(value: Fraction) -> str:
    """Return the fraction itself: ``177790700/19267885``."""
    return formatting.exact(value)


def plain(value: Fraction) -> str:
    """Return a declared value without rounding: ``5``, ``2.5``, ``1/3``."""
    return formatting.plain(value)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list in a sentence: ``a, b and c``."""
    return formatting.listed(words, last)


def money(cents: int | Fraction, *, whole: bool = True) -> str:
    """Return cents as dollars: ``$1,250.50``."""
    return formatting.money(cents, whole=whole)


def dollars(cents: Fraction) -> str:
    """Return cents as whole dollars, rounded, so that a column is aligned: ``$22,358``."""
    return formatting.money(Fraction(formatting.json_decimal(cents / 100, 0)) * 100)


def odds(payout: Payout) -> str:
    """Return a payout in the trade's words: ``5,000 to 1``, ``Push``, ``100% of meter 1``."""
    return pays(payout)


def percent(share: Fraction, places: int = 4) -> str:
    """Return a share in percent: ``1.9946%``."""
    return formatting.percentage(share, places)


def points(change: Fraction) -> str:
    """Return a change of a share in percentage points, with its sign: ``+0.1309``."""
    return formatting.points(change)


def root(variance: Fraction, places: int = 4) -> str:
    """Return the square root of a variance: the standard deviation."""
    return formatting.square_root(variance, places)


def share(value: Fraction) -> str:
    """Return a declared share in percent without rounding: ``5%``, ``2.5%``."""
    return formatting.exact_percentage(value)


def rounds(probability: Fraction) -> str:
    """Return N of ``1 in N``, with one decimal always, so that a column is aligned: ``56.7``."""
    return formatting.thousands(1 / probability, 1) if probability else UNKNOWN


def against(probability: Fraction) -> str:
    """Return N of true odds of ``N to 1`` against, with one decimal always: ``55.7``."""
    return formatting.thousands(1 / probability - 1, 1) if probability else UNKNOWN


FILTERS: Mapping[str, Callable[..., str]] = {
    write.__name__: _or_dash(write)
    for write in (
        against,
        amount,
        count,
        decimal,
        dollars,
        exact,
        listed,
        money,
        odds,
        percent,
        plain,
        points,
        root,
        rounds,
        share,
    )
}
"""Every filter that a template may use, by its name there."""
