"""From where aggregate payout limits would bind, where the terms state none."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from certify.model.analysis import Analysis
from certify.model.payout import Basis, Payout
from certify.model.paytable import Paytable
from certify.model.submission import Submission
from certify.report.bounds import Bounded, bounded
from certify.report.mathematics.filed import FiledWager, Ids, ids

AT_ODDS = (Basis.TO, Basis.FOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeastLimit:
    """A limit that the rules allow: from where it binds, and what it makes of the figures."""

    cents: int
    binds_above: Fraction | None
    at_cents: int | None
    edge: Bounded | None
    fixed: Bounded | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLimit:
    """Paytables with the same greatest award at odds: a limit of L binds above L over it."""

    name: str
    ids: Ids
    most: Fraction
    least: LeastLimit | None


def top_payout(paytable: Paytable | None) -> Payout | None:
    """Return the greatest award at odds, drawn ones among them; None of a main wager."""
    rows = paytable.rows if paytable is not None else ()
    paid = [
        payout for row in rows for payout in (row.payout, *row.dynamic) if payout.basis in AT_ODDS
    ]
    return max(paid, key=lambda payout: payout.net, default=None)


def open_limits(wagers: Iterable[FiledWager], submission: Submission) -> Iterable[OpenLimit]:
    """Yield from where a limit would bind; nothing where the terms say it all."""
    if submission.terms.aggregate_limits is not None:
        return
    same: dict[tuple[str, Fraction, LeastLimit | None], list[str]] = {}
    nouns = {}
    for filed in wagers:
        nouns[filed.wager.name] = filed.noun
        tables = {paytable.target: paytable for paytable, _ in filed.paytables}
        for analysis in filed.analyses:
            award = top_payout(tables.get(analysis.target))
            most = (
                analysis.top_award if analysis.target not in tables else award and award.amount
            ) or 0
            if most:
                least = _least(analysis, submission)
                same.setdefault((filed.wager.name, Fraction(most), least), []).append(
                    analysis.paytable
                )
    for (name, most, least), names in same.items():
        yield OpenLimit(name=name, ids=ids(names, nouns[name]), most=most, least=least)


def _least(analysis: Analysis, submission: Submission) -> LeastLimit | None:
    limit = submission.least_limits.get(analysis.target)
    if limit is None:
        return None
    at = limit.amounts[-1] if limit.amounts else None
    progressive = analysis.progressive
    return LeastLimit(
        cents=limit.limits[0].cents,
        binds_above=limit.binds_above_cents,
        at_cents=at.wager_cents if at else None,
        edge=bounded(analysis.house_edge, at) if at else None,
        fixed=bounded(progressive.fixed_return, at, falls=True) if at and progressive else None,
    )
