"""Faults before they are findings, and the filing that rules of a jurisdiction judge."""

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import TypeVar

from certify.errors import NotConfigured
from certify.formatting import listed
from certify.model.filed import Filing
from certify.model.finding import Severity
from certify.model.game import Wager
from certify.model.jurisdiction import TERMS, RuleVersion
from certify.model.paytable import Basis, Paytable

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Fault:
    """A place at which something is wrong: the key of the file, a pointer, what is wrong.

    ``remedy`` and ``severity`` are those of the check where they are left out. ``related`` are the
    keys of other files that take part in it.
    """

    key: str
    pointer: str
    message: str
    remedy: str = ""
    _: KW_ONLY
    severity: Severity | None = None
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Location:
    """A part of a declared file: the file's key, a pointer, and its index in the list around it."""

    key: str
    pointer: str = ""
    index: int = 0

    def inner(self, pointer: str) -> "Location":
        """Return the part at ``pointer`` from here."""
        return Location(self.key, f"{self.pointer}{pointer}")

    def items(self, pointer: str, values: Iterable[Item]) -> Iterator[tuple[Item, "Location"]]:
        """Yield the items of the list at ``pointer`` from here, each with its location."""
        for index, value in enumerate(values):
            yield value, Location(self.key, f"{self.pointer}{pointer}/{index}", index)

    def fault(
        self,
        inner: str,
        message: str,
        remedy: str = "",
        *,
        severity: Severity | None = None,
        related: tuple[str, ...] = (),
    ) -> Fault:
        """Return a fault at ``inner``, a pointer from here."""
        pointer = f"{self.pointer}{inner}"
        return Fault(self.key, pointer, message, remedy, severity=severity, related=related)


def place_of_largest(filed: Filing, wager: Wager) -> Location:
    """Return the place that states a wager's largest amount."""
    if wager.id in dict(filed.terms.largest_wagers):
        return Location(TERMS, f"/largest_wagers/{wager.id}")
    return Location(wager.target, "/maximum_cents")


def odds(paytable: Paytable) -> tuple[Fraction, ...]:
    """Return the odds to 1 of every row with odds, the highest first; pays of meters have none.

    A row with dynamic pays counts with the greatest of them all.
    """
    stated = [
        [pay.net for pay in (row.payout, *row.dynamic) if pay.basis in (Basis.TO, Basis.FOR)]
        for row in paytable.rows
    ]
    return tuple(sorted((max(pays) for pays in stated if pays), reverse=True))


def top_odds(filed: Filing, wager: Wager) -> Fraction | None:
    """Return the highest odds to 1 of a wager over its filed paytables or its option."""
    option = filed.main
    if option is not None and option in wager.options:
        wins = [rule.win_pays.net for rule in option.dealer_rules if rule.win_pays is not None]
        return max([option.win_pays.net, *wins])
    return max((pays[0] for table in filed.tables(wager) if (pays := odds(table))), default=None)


def top_share(filed: Filing, wager: Wager) -> Fraction | None:
    """Return the greatest share of a meter that a wager's filed paytables pay, or None."""
    shares = (
        row.payout.amount
        for table in filed.tables(wager)
        for row in table.rows
        if row.payout.basis is Basis.METER
    )
    return max(shares, default=None)


def amounts(stated: Iterable[tuple[str, str]]) -> str:
    """Return amounts with the names that each is for, equal ones together: ``$5 for A and B``."""
    names: dict[str, list[str]] = {}
    for name, amount in stated:
        names.setdefault(amount, []).append(name)
    return "; ".join(f"{amount} for {listed(each)}" for amount, each in names.items())


def parameter(version: RuleVersion, name: str) -> int:
    """Return a number that the text must give.

    Raises:
        NotConfigured: it does not.
    """
    value = version.parameter(name)
    if value is None:
        raise NotConfigured(
            f"The text of {version.citation} does not give {name}.",
            remedy="Add it to the parameters of that text.",
        )
    return value
