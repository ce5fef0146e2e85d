"""Aggregate payout limits of a filing: those that are stated, and the least that could be."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from certify.checks.jurisdiction.payout_limits import limit_floor
from certify.engine.limits import Bet, limited
from certify.model.analysis import Analysis
from certify.model.filed import Filing
from certify.model.game import Wager
from certify.model.limit import LimitAnalysis
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.terms import AggregateLimit, Terms


def own_limits(wagers: Iterable[Wager], cents: int) -> Terms:
    """Return terms by which every wager has this limit for one player to itself."""
    ids = dict.fromkeys(wager.id for wager in wagers)
    return Terms(
        aggregate_limits=tuple(AggregateLimit(cents=cents, wagers=(wager,)) for wager in ids)
    )


def with_limits(
    records: Sequence[tuple[Wager, Paytable | MainWager]],
    analyses: Sequence[Analysis],
    *,
    terms: Terms,
    lawful_cents: int | None,
    seats: int,
    asked: int | None = None,
) -> tuple[Analysis, ...]:
    """Return the analyses of records, each with what the stated limits make of its wager.

    Args:
        records: wagers with one of their records each.
        analyses: their exact figures, in the same order.
        terms: the limits of payouts and of wagers.
        lawful_cents: the largest lawful wager, where the terms leave the largest open.
        seats: the players at the table, where the terms leave them open.
        asked: the wager that the figures are for, instead of the amounts that decide.
    """
    bets = [
        _bet(
            wager,
            # Its fee and the rounding of its commission are those of the wager that was evaluated.
            record.at(asked) if isinstance(record, MainWager) else record,
            analysis,
            terms,
            lawful_cents,
        )
        for (wager, record), analysis in zip(records, analyses, strict=True)
    ]
    under_limits = []
    for bet in bets:
        limits = [
            aggregate_limit
            for aggregate_limit in terms.aggregate_limits or ()
            if bet.record.wager in aggregate_limit.wagers
        ]
        limit = (
            limited(bet, limits, bets=bets, seats=terms.players or seats, asked=asked)
            if limits
            else None
        )
        under_limits.append(replace(bet.analysis, limit=limit))
    return tuple(under_limits)


def least_limits(filed: Filing) -> Mapping[str, LimitAnalysis]:
    """Return what the least limit that may be set would make of each wager, by target.

    Nothing where the terms say what limits there are, for wagers whose least limit is unknown or
    which may have none, and for records that were not evaluated.
    """
    if filed.terms.aggregate_limits is not None:
        return {}
    least = {}
    for wager in filed.wagers:
        floor = limit_floor(filed, wager)
        records: list[Paytable | MainWager] = [*filed.tables(wager)]
        records += [option for option in filed.options if option in wager.options]
        for record in records if floor is not None else ():
            analysis = filed.analyses.get(record.target)
            if analysis is None:
                continue
            limit = AggregateLimit(cents=floor or 0, wagers=(wager.id,))
            bet = _bet(wager, record, analysis, filed.terms, filed.wager_limit_cents)
            least[record.target] = limited(bet, [limit], bets=[bet], seats=1)
    return least


def _bet(
    wager: Wager,
    record: Paytable | MainWager,
    analysis: Analysis,
    terms: Terms,
    lawful_cents: int | None,
) -> Bet:
    """Return a record with the amounts that may be wagered; one with meters has its base wager."""
    progressive = record.progressive if isinstance(record, Paytable) else None
    if progressive is not None:
        base = progressive.base_wager_cents
        return Bet(record=record, analysis=analysis, least=base, greatest=base)
    greatest = terms.largest(wager)
    return Bet(
        record=record,
        analysis=analysis,
        least=terms.least(wager) or 1,
        greatest=lawful_cents if greatest is None else greatest,
    )
