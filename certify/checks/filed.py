"""What a rule of a jurisdiction is judged by: the filing, its wagers, its odds, its prizes."""

from collections.abc import Iterable
from fractions import Fraction

from certify.checks.fault import Location
from certify.errors import NotConfigured
from certify.formatting import listed
from certify.model.filed import Filing
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.payout import Basis
from certify.model.paytable import Paytable
from certify.model.terms import TERMS


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
