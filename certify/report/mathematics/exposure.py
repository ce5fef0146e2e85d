"""The most that one round can cost the house."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.model.analysis import Analysis
from certify.model.payout import Payout
from certify.model.paytable import Paytable
from certify.model.submission import Submission
from certify.model.terms import Scope
from certify.report.mathematics.filed import FiledWager, Ids, ids
from certify.report.mathematics.open_limits import OpenLimit, open_limits, top_payout
from certify.report.wording import limits_text

EACH_DOLLAR = 100
"""Cents of the wager that a loss is given for where no largest wager is known."""

GAMES_TEST = "games_per_hand"
"""The check of a jurisdiction that limits how many games are played on one hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The greatest loss on one wager, of any of its paytables, to one player and to all.

    ``cents`` is the wager, None where no largest is known: then the loss is for $1, or, with
    ``any_wager``, however much is wagered, as a limit bounds it.
    """

    wager: str
    name: str
    tables: Ids
    award: Payout | None
    net: Fraction
    second: str
    cents: int | None
    any_wager: bool
    metered: bool
    limits: str
    one_player: Fraction
    all_players: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class GreatestPrize:
    """The largest prize of a wager for another player's hand, and all of them at a full table."""

    wager: str
    name: str
    tables: Ids
    cents: int
    all_players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """The most that one round can cost. ``known`` and ``each`` are bounds over all wagers."""

    losses: tuple[Loss, ...]
    prizes: tuple[GreatestPrize, ...]
    players: int
    lawful: int | None
    known: Fraction
    each: Fraction
    prize_cents: int
    total: Fraction
    metered: bool
    any_wager: bool
    each_dollar: bool
    games: bool
    open_limits: tuple[OpenLimit, ...]
    least_limits: bool


def exposure(wagers: Sequence[FiledWager], submission: Submission) -> Exposure:
    """Return the most that one round can cost, at the largest wagers that are known."""
    lawful, players = _lawful(submission), _players(submission)
    every = [
        _loss(filed, analysis, table, submission.terms.largest(filed.wager) or lawful, players)
        for filed in wagers
        for table, analysis in (
            *((None, analysis) for _, analysis in filed.options),
            *filed.paytables,
        )
        if analysis.top_award is not None
    ]
    losses = _greatest(every)
    prizes = tuple(_greatest_prizes(wagers, players))
    bounds = [loss for loss in losses if loss.cents is not None or loss.any_wager]
    known = _under_shared({bound.wager: bound.all_players for bound in bounds}, submission)
    each = sum((loss.all_players for loss in losses if loss not in bounds), Fraction(0))
    prize_cents = sum(prize.all_players for prize in prizes)
    return Exposure(
        losses=losses,
        prizes=prizes,
        players=players,
        lawful=lawful,
        known=known,
        each=each,
        prize_cents=prize_cents,
        total=known + prize_cents,
        metered=any(loss.metered for loss in losses),
        any_wager=any(loss.any_wager for loss in losses),
        each_dollar=bool(each),
        games=any(rule.test == GAMES_TEST for rule in submission.jurisdiction.rules),
        open_limits=tuple(open_limits(wagers, submission)),
        least_limits=bool(submission.least_limits),
    )


def _loss(
    filed: FiledWager,
    analysis: Analysis,
    paytable: Paytable | None,
    most: int | None,
    players: int,
) -> Loss:
    """Price a wager with meters at its base wager, any other at the largest that is known."""
    net = analysis.top_award or Fraction(0)
    progressive = paytable.progressive if paytable is not None else None
    cents = progressive.base_wager_cents if progressive is not None else most
    limits = analysis.limit.limits if analysis.limit is not None else ()
    one_player = _under_limit(analysis, net * (EACH_DOLLAR if cents is None else cents), cents)
    table = [Fraction(limit.cents) for limit in limits if limit.scope is Scope.TABLE]
    option = next((each for each in filed.wager.options if each.target == analysis.target), None)
    return Loss(
        wager=filed.wager.id,
        name=filed.wager.name,
        tables=ids([analysis.paytable], filed.noun),
        award=top_payout(paytable),
        net=net,
        second=option.raise_.name if option is not None and option.raise_ is not None else "",
        cents=cents,
        any_wager=cents is None and bool(limits),
        metered=progressive is not None,
        limits=limits_text(analysis.limit) if analysis.limit is not None else "",
        one_player=one_player,
        all_players=min([one_player * players, *table]),
    )


def _under_limit(analysis: Analysis, full: Fraction, cents: int | None) -> Fraction:
    """Return the loss to one player in cents where it is ``full`` without a limit.

    At a wager that is not known nothing above the limit is paid, however large it is.
    """
    if analysis.limit is None:
        return full
    for figures in analysis.limit.amounts:
        if figures.wager_cents == cents:
            return figures.top_cents
    return (
        full if cents is not None else Fraction(min(limit.cents for limit in analysis.limit.limits))
    )


def _greatest(losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Return of each wager the paytable that can cost the most."""
    most: dict[str, Loss] = {}
    for loss in losses:
        if loss.wager not in most or loss.all_players > most[loss.wager].all_players:
            most[loss.wager] = loss
    return tuple(most.values())


def _greatest_prizes(wagers: Iterable[FiledWager], players: int) -> Iterable[GreatestPrize]:
    """Yield the largest prize of each wager, and the tables that have it."""
    for filed in wagers:
        used = {analysis.envy.paytable for analysis in filed.analyses if analysis.envy is not None}
        prizes = {
            envy.id: max(row.prize_cents for row in envy.rows)
            for envy in filed.wager.envies
            if envy.id in used and envy.rows
        }
        if prizes:
            most = max(prizes.values())
            yield GreatestPrize(
                wager=filed.wager.id,
                name=filed.wager.name,
                tables=ids([name for name, cents in prizes.items() if cents == most]),
                cents=most,
                all_players=most * players * (players - 1),
            )


def _under_shared(most: Mapping[str, Fraction], submission: Submission) -> Fraction:
    """Return the sum over wagers, no more than a limit lets them be paid together."""
    total = sum(most.values(), Fraction(0))
    bounds = [total]
    for limit in submission.terms.aggregate_limits or ():
        together = sum((most.get(wager, Fraction(0)) for wager in limit.wagers), Fraction(0))
        paid = limit.cents * (1 if limit.scope is Scope.TABLE else _players(submission))
        bounds.append(total - together + min(together, Fraction(paid)))
    return min(bounds)


def _players(submission: Submission) -> int:
    stated = submission.terms.players
    return submission.game.players if stated is None else stated


def _lawful(submission: Submission) -> int | None:
    """Return the largest lawful wager in cents, where the jurisdiction's rules give one."""
    for rule in submission.jurisdiction.rules:
        version = rule.version_at(submission.as_of)
        if rule.test == "largest_wager" and version is not None:
            return version.parameter("largest_wager_cents")
    return None
