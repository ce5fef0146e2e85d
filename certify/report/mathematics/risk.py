"""Results over many rounds, the greatest cost of one round, and thresholds of limits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from certify.formatting import join_words
from certify.model.analysis import EACH_DOLLAR, Analysis
from certify.model.jurisdiction import Scope
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, Payout, Paytable
from certify.model.source import Banking
from certify.model.submission import Submission
from certify.report.mathematics.filed import FiledWager, filed_prizes
from certify.report.rules.main_wager import list_fees
from certify.report.wording import (
    Bounded,
    Ids,
    bound_figure,
    ids,
    limits_text,
    name_in_print,
    name_prized_hands,
    together,
)

ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
GAMES_TEST = "games_per_hand"
"""The check of a jurisdiction that limits how many games are played on one hand."""

Spread = tuple[str, str, Fraction, Fraction, int | None, str]
"""A wager and its noun, mean, variance, and the wager and the words of its limits, if it has any"""


def volatility(wagers: Iterable[FiledWager]) -> list[dict[str, Any]]:
    """Return the spread of every wager that has one, paytables with the same one together.

    ``squares`` are those of its bands in percent of what is wagered; ``limits`` those that it is
    under at a wager of ``cents``, where it is.
    """
    return [
        {
            "name": name,
            "ids": ids(tables, noun),
            "mean": mean,
            "variance": variance,
            "squares": [variance * 40_000 / rounds for rounds in ROUNDS],
            "cents": cents,
            "limits": limits,
        }
        for spread, tables in together(_spreads(wagers)).items()
        for name, noun, mean, variance, cents, limits in [spread]
    ]


def _spreads(wagers: Iterable[FiledWager]) -> Iterator[tuple[Spread, str]]:
    for filed in wagers:
        for analysis in filed.analyses:
            mean, variance, limit = analysis.return_to_player, analysis.variance, analysis.limit
            if mean is None or variance is None:
                continue
            of = filed.wager.name, filed.noun
            yield (*of, mean, variance, None, ""), analysis.paytable
            for at in limit.amounts if limit is not None else ():
                if at.variance is not None and limit is not None:
                    cut = *of, mean - at.cost, at.variance, at.wager_cents, limits_text(limit, {})
                    yield cut, analysis.paytable


def combined_results(wagers: Iterable[FiledWager]) -> list[tuple[str, str]]:
    """Return each wager whose results include those of further wagers, and their names."""
    names = (
        (filed.wager.name, _name_further(option)) for filed in wagers for option, _ in filed.options
    )
    return [*dict.fromkeys((name, further) for name, further in names if further)]


def _name_further(option: MainWager) -> str:
    """Return the names of the raise and the companion wager of a main wager; empty without one."""
    further = (option.raise_, option.companion)
    return join_words(each.name for each in further if each is not None)


class Loss(Struct, frozen=True, kw_only=True):
    """The greatest loss on one wager, of any of its paytables, to one player and to all.

    ``cents`` is the wager, None where no largest is known: then the loss is for $1, or, with
    ``any_wager``, however much is wagered, as a limit bounds it. ``second`` is the wager that is
    made beside it.
    """

    wager: str
    name: str
    tables: Ids
    limits: str
    award: Payout | None
    top: Fraction | None
    second: str
    cents: int | None
    any_wager: bool
    metered: bool
    one_player: Fraction
    all_players: Fraction


def exposure(wagers: Sequence[FiledWager], submission: Submission) -> dict[str, Any]:
    """Return the most that one round can cost, at the largest wagers that are known.

    ``total`` and ``each`` are bounds over all wagers: those that are known, and those for $1.
    """
    lawful, players = submission.wager_limit_cents, _players(submission)
    by_wager = together(
        (
            filed.wager.id,
            _loss(submission, filed, analysis, table),
        )
        for filed in wagers
        for table, analysis in (
            *((None, analysis) for _, analysis in filed.options),
            *filed.paytables,
        )
        if analysis.top_award is not None
    )
    # Of each wager the paytable that can cost the most.
    losses = [max(same, key=lambda loss: loss.all_players) for same in by_wager.values()]
    prizes = [*_greatest_prizes(wagers, players)]
    limits = open_limits(wagers, submission)
    bounds = [loss for loss in losses if loss.cents is not None or loss.any_wager]
    largest = _under_shared({bound.wager: bound.all_players for bound in bounds}, submission)
    return {
        "losses": losses,
        "prizes": prizes,
        "prized_hands": name_prized_hands(filed_prizes(wagers)),
        "players": players,
        "lawful": lawful,
        "lawful_by": submission.jurisdiction.wager_limit(submission.as_of),
        "each": sum(loss.all_players for loss in losses if loss not in bounds),
        "total": largest + sum(all_players for *_, all_players in prizes),
        "for_one": any(basis is Basis.FOR for *_, basis, _ in limits),
        "metered": any(loss.metered for loss in losses),
        "any_wager": any(loss.any_wager for loss in losses),
        "bank": name_in_print("bank", submission.game.banked_by),
        "covered": submission.game.banked_by is Banking.PLAYER_DEALER,
        "fees": list_fees(submission) is not None,
        "games": any(rule.test == GAMES_TEST for rule in submission.jurisdiction.rules),
        "open_limits": limits,
    }


def _loss(
    submission: Submission, filed: FiledWager, analysis: Analysis, paytable: Paytable | None
) -> Loss:
    """Price a wager with meters at its base wager, any other at the largest that is known."""
    progressive = paytable.progressive if paytable is not None else None
    most = submission.terms.largest(filed.wager) or submission.wager_limit_cents
    cents = progressive.base_wager_cents if progressive is not None else most
    limit, called = analysis.limit, submission.game.called
    limits = limit.limits if limit is not None else ()
    option = next((each for each in filed.wager.options if each.target == analysis.target), None)
    won, wagered = analysis.greatest_win, EACH_DOLLAR if cents is None else cents
    top = _award_of_wager(analysis, option) if won is None else won.free_cents / wagered
    full = (top or 0) * Fraction(wagered)
    one_player = (
        won.cents if won is not None and cents is not None else _under_limit(analysis, full, cents)
    )
    table = [Fraction(limit.cents) for limit in limits if limit.scope is Scope.TABLE]
    return Loss(
        wager=filed.wager.id,
        name=filed.wager.name,
        tables=ids([analysis.paytable], filed.noun),
        limits=limits_text(limit, called) if limit is not None else "",
        award=top_payout(paytable),
        top=top,
        second=_name_further(option) if option is not None else "",
        cents=cents,
        any_wager=cents is None and bool(limits),
        metered=progressive is not None,
        one_player=one_player,
        all_players=min([one_player * _players(submission), *table]),
    )


def _award_of_wager(analysis: Analysis, option: MainWager | None) -> Fraction | None:
    """Return the greatest net win per unit of the wager, without what is posted in advance."""
    if analysis.top_award is None or option is None:
        return analysis.top_award
    return analysis.top_award * (1 + option.posted_amount)


def _under_limit(analysis: Analysis, full: Fraction, cents: int | None) -> Fraction:
    """Return the loss to one player in cents; ``full`` is the loss without a limit.

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


def _greatest_prizes(
    wagers: Iterable[FiledWager], players: int
) -> Iterator[tuple[str, Ids, int, int]]:
    """Yield the largest prize of each wager in cents, the tables that have it, and all tables."""
    for filed in wagers:
        used = {analysis.envy.paytable for analysis in filed.analyses if analysis.envy is not None}
        # Of each table its largest prize for every hand that counts, to all players.
        costs = {
            envy.id: (cents * players * (players - 1 + envy.other_hands), cents)
            for envy in filed.wager.envies
            if envy.id in used and envy.rows
            for cents in [max(row.prize_cents for row in envy.rows)]
        }
        if costs:
            all_players, most = greatest = max(costs.values())
            tables = ids([name for name, cost in costs.items() if cost == greatest])
            yield filed.wager.name, tables, most, all_players


def _under_shared(most: Mapping[str, Fraction], submission: Submission) -> Fraction:
    """Return the sum over wagers, no more than a limit lets them be paid together."""
    total = sum(most.values(), Fraction(0))
    bounds = [total]
    for limit in submission.terms.aggregate_limits or ():
        shared = sum((most.get(wager, Fraction(0)) for wager in limit.wagers), Fraction(0))
        paid = limit.cents * (1 if limit.scope is Scope.TABLE else _players(submission))
        bounds.append(total - shared + min(shared, Fraction(paid)))
    return min(bounds)


def _players(submission: Submission) -> int:
    """Return the most players that are paid in a round: a player-dealer is not paid."""
    seats = submission.terms.players or submission.game.players
    return max(seats - (submission.game.banked_by is Banking.PLAYER_DEALER), 1)


class LeastLimit(Struct, frozen=True, kw_only=True):
    """The least permitted limit: the wager from which it binds, and the figures under it."""

    cents: int
    binds_above: Fraction | None
    at_cents: int | None
    edge: Bounded | None
    fixed: Bounded | None


def top_payout(paytable: Paytable | None) -> Payout | None:
    """Return the greatest award at odds, including dynamic ones; None for a main wager."""
    paid = _odds(paytable) if paytable is not None else ()
    return max(paid, key=lambda payout: payout.net, default=None)


def _odds(paytable: Paytable) -> list[Payout]:
    """Return the payouts at odds, including dynamic ones."""
    return [
        payout for row in paytable.rows for payout in (row.payout, *row.dynamic) if payout.is_odds
    ]


def open_limits(
    wagers: Iterable[FiledWager], submission: Submission
) -> list[tuple[str, Ids, Fraction, Basis, LeastLimit | None]]:
    """Return the data on possible payout limits, by wager; empty if the terms declare the limits.

    Paytables with the same greatest award ``a`` at odds are grouped: a limit of L binds above L
    over ``a``.
    """
    if submission.terms.aggregate_limits is not None:
        return []
    same = together(
        (
            (filed.wager.name, filed.noun, most.amount, most.basis, _least(analysis, submission)),
            analysis.paytable,
        )
        for filed in wagers
        for analysis, most in _awards(filed)
        if most is not None and most.amount
    )
    return [
        (name, ids(tables, noun), most, basis, least)
        for (name, noun, most, basis, least), tables in same.items()
    ]


def _awards(filed: FiledWager) -> Iterator[tuple[Analysis, Payout | None]]:
    """Yield the payout that a limit cuts first: of “x for 1” it counts all x."""
    for option, analysis in filed.options:
        award = _award_of_wager(analysis, option) or Fraction(0)
        yield analysis, Payout(basis=Basis.TO, amount=award)
    for paytable, analysis in filed.paytables:
        yield analysis, max(_odds(paytable), key=lambda payout: payout.amount, default=None)


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
        edge=bound_figure(analysis.house_edge, at) if at else None,
        fixed=bound_figure(progressive.fixed_return, at, falls=True)
        if at and progressive
        else None,
    )
