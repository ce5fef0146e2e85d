"""From what wager a payout limit would bind, where the terms leave limits open."""

from collections.abc import Sequence
from fractions import Fraction

from certify.formatting import money, percentage, plain
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.limit import LimitAnalysis
from certify.model.payout import Basis
from certify.model.paytable import Paytable
from certify.model.submission import Submission
from certify.report.limit_view import COUNTED, bounded
from certify.report.tables import Table, table
from certify.report.volatility_view import wager_label

AT_ODDS = (Basis.TO, Basis.FOR)


def open_limits(wagers: Sequence[tuple[Wager, Analysis]], submission: Submission) -> Table | None:
    """Return the wagers above which a limit would cut pays; nothing where the terms say it all."""
    if submission.terms.aggregate_limits is not None:
        return None
    paytables = {one.target: one for one in submission.paytables}
    rows = []
    for wager, one in wagers:
        most = _most_paid(one, paytables.get(one.target))
        if most:
            least = submission.least_limits.get(one.target)
            rows.append(
                (wager_label(wager, one), f"{plain(most)} to 1", f"L / {plain(most)}",
                 *_least(one, least))
            )  # fmt: skip
    return table(
        "From what wager a payout limit would bind",
        "Wager and paytable @24 | #Highest pay @13 | #A limit of L binds above @13"
        " | #Least limit @13 | #Binds above @10 | House edge, or return of fixed pays, with it",
        rows,
        note="No limit is stated. L is one for a player and this wager alone. Least limit: what "
        "the rules of section 2 allow at the largest wager that is stated or lawful, where that "
        f"is known. {COUNTED}",
        none="No wager pays at odds.",
    )


def _most_paid(analysis: Analysis, paytable: Paytable | None) -> Fraction:
    """Return the most that is paid at odds for one unit; of "for 1" the wager is part of it."""
    if paytable is None:
        return analysis.top_award or Fraction(0)
    pays = (pay for row in paytable.rows for pay in (row.payout, *row.dynamic))
    return max((pay.amount for pay in pays if pay.basis in AT_ODDS), default=Fraction(0))


def _least(analysis: Analysis, least: LimitAnalysis | None) -> tuple[str, str, str]:
    """Return the least limit that may be set, from where it binds, and what it comes to."""
    if least is None:
        return "–", "–", "–"
    limit = money(least.limits[0].cents)
    if least.binds_above_cents is None or not least.amounts:
        return limit, "never", "as without a limit"
    one = least.amounts[-1]
    edge, progressive = analysis.house_edge, analysis.progressive
    words = (
        bounded(one, edge, percentage)
        if edge is not None
        else bounded(one, progressive.fixed_return, percentage, falls=True)
        if progressive is not None
        else "–"
    )
    return limit, money(least.binds_above_cents), f"{words} at {money(one.wager_cents)}"
