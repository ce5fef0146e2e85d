"""The highest pays and the largest amounts of a filed wager."""

from collections.abc import Iterable
from fractions import Fraction

from certify.checks.framework import Location
from certify.formatting import join_words
from certify.model.game import Wager
from certify.model.jurisdiction import TERMS
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, Paytable
from certify.model.submission import Filing


def place_of_largest(filed: Filing, wager: Wager) -> Location:
    """Return the position of a wager's largest amount."""
    if wager.id in dict(filed.terms.largest_wagers):
        return Location(TERMS, f"/largest_wagers/{wager.id}")
    return Location(wager.target, "/maximum_cents")


def odds(paytable: Paytable) -> tuple[Fraction, ...]:
    """Return the odds to 1 of every row with odds, the highest first; pays of meters have none.

    A row with dynamic pays counts with the greatest one.
    """
    stated = [
        [pay.net for pay in (row.payout, *row.dynamic) if pay.basis in (Basis.TO, Basis.FOR)]
        for row in paytable.rows
    ]
    return tuple(sorted((max(pays) for pays in stated if pays), reverse=True))


def highest_win(option: MainWager) -> Fraction:
    """Return the highest odds to 1 of a win of the main wager itself."""
    wins = [rule.win_pays.net for rule in option.dealer_rules if rule.win_pays is not None]
    return max([option.win_pays.net, *wins])


def top_odds(filed: Filing, wager: Wager) -> Fraction | None:
    """Return the highest odds to 1 of a wager over its filed paytables or its option.

    A raise and a companion wager count with the main wager.
    """
    option = filed.main
    if option is not None and option in wager.options:
        return max([highest_win(option), *(pay.payout.net for pay in option.own_pays)])
    return max((pays[0] for table in filed.tables(wager) if (pays := odds(table))), default=None)


def top_share(filed: Filing, wager: Wager) -> Fraction | None:
    """Return the largest share of a meter that a wager's filed paytables pay, or None."""
    shares = (
        row.payout.amount
        for table in filed.tables(wager)
        for row in table.rows
        if row.payout.basis is Basis.METER
    )
    return max(shares, default=None)


def amounts(stated: Iterable[tuple[str, str]]) -> str:
    """Return amounts with their names, grouped by amount: ``$5 for A and B``."""
    names: dict[str, list[str]] = {}
    for name, amount in stated:
        names.setdefault(amount, []).append(name)
    return "; ".join(f"{amount} for {join_words(each)}" for amount, each in names.items())
