"""What a rule of a jurisdiction is judged by: the filing, its wagers, its odds, its prizes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from certify.checks.fault import Location
from certify.errors import NotConfigured
from certify.formatting import listed
from certify.model.analysis import Analysis
from certify.model.approval import PaytableStanding
from certify.model.filed import FiledGame
from certify.model.game import Wager
from certify.model.jurisdiction import Jurisdiction, RuleVersion
from certify.model.payout import Basis
from certify.model.paytable import Paytable
from certify.model.provenance import Letter
from certify.model.terms import TERMS, Terms

if TYPE_CHECKING:
    from certify.model.example import Example


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed(FiledGame):
    """Everything that is filed for one game in one jurisdiction.

    ``standings`` are what the register says of each target, and ``names`` the names under which
    it holds other games; both are None where no register was consulted. ``examples`` are None
    where none were made yet. ``letter`` is the laboratory's, embedded in the documents.
    """

    analyses: Mapping[str, Analysis]
    as_of: date
    terms: Terms = field(default_factory=Terms)
    examples: "tuple[Example, ...] | None" = None
    standings: tuple[PaytableStanding, ...] | None = None
    names: tuple[str, ...] | None = None
    letter: Letter | None = None

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """The wagers that are filed, the main wager among them."""
        return tuple(
            wager for wager in self.game.wagers if self.main in wager.options or self.tables(wager)
        )

    @property
    def progressives(self) -> tuple[Paytable, ...]:
        """The filed paytables with a meter."""
        return tuple(table for table in self.paytables if table.progressive is not None)

    def named(self, wagers: Iterable[Wager]) -> str:
        """Return the names of wagers as a list in a sentence."""
        return listed(wager.name for wager in wagers)

    def tables(self, wager: Wager) -> tuple[Paytable, ...]:
        """Return the filed paytables of a wager."""
        return tuple(table for table in wager.paytables if table in self.paytables)

    def largest(self, wager: Wager) -> int | None:
        """Return the largest wager in cents that is stated, or None."""
        return self.terms.largest(wager)

    def least(self, wager: Wager) -> int | None:
        """Return the least wager in cents that is stated, or None."""
        return self.terms.least(wager)

    def allowed(self, wager: Wager) -> int | None:
        """Return the largest wager in cents that is stated, or else that is allowed at all."""
        stated = self.largest(wager)
        return self.wager_limit_cents if stated is None else stated

    def place_of_largest(self, wager: Wager) -> Location:
        """Return the place that states a wager's largest amount."""
        if wager.id in dict(self.terms.largest_wagers):
            return Location(TERMS, f"/largest_wagers/{wager.id}")
        return Location(wager.target, "/maximum_cents")

    @property
    def wager_limit_cents(self) -> int | None:
        """The largest wager in cents that the jurisdiction allows on the day, or None."""
        return wager_limit(self.jurisdiction, self.as_of)


def wager_limit(jurisdiction: Jurisdiction, as_of: date) -> int | None:
    """Return the largest wager in cents that the jurisdiction allows; None if it sets none."""
    for rule in jurisdiction.rules:
        if rule.test == "largest_wager":
            version = rule.version_at(as_of)
            return None if version is None else version.parameter("largest_wager_cents")
    return None


def odds(paytable: Paytable) -> tuple[Fraction, ...]:
    """Return the odds to 1 of every row with odds, the highest first; pays of meters have none.

    A row with dynamic pays counts with the greatest of them all.
    """
    stated = [
        [pay.net for pay in (row.payout, *row.dynamic) if pay.basis in (Basis.TO, Basis.FOR)]
        for row in paytable.rows
    ]
    return tuple(sorted((max(pays) for pays in stated if pays), reverse=True))


def top_odds(filed: Filed, wager: Wager) -> Fraction | None:
    """Return the highest odds to 1 of a wager over its filed paytables or its option."""
    option = filed.main
    if option is not None and option in wager.options:
        wins = [rule.win_pays.net for rule in option.dealer_rules if rule.win_pays is not None]
        return max([option.win_pays.net, *wins])
    return max((pays[0] for table in filed.tables(wager) if (pays := odds(table))), default=None)


def top_share(filed: Filed, wager: Wager) -> Fraction | None:
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
