"""Exposure: the most that one round can cost the house, shares of meters left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.formatting import listed, money
from certify.model.analysis import Analysis
from certify.model.audit import RuleJudgement
from certify.model.game import Wager
from certify.model.paytable import EnvyTable, Paytable
from certify.model.submission import Submission
from certify.model.terms import Scope
from certify.report.figures_view import option_of, top_award
from certify.report.limit_view import limits_text
from certify.report.proof_view import standing_text
from certify.report.tables import Table, table
from certify.report.volatility_view import wager_label
from certify.report.wording import label

EXPOSURE_TESTS = (
    "aggregate_limit_floor",
    "no_aggregate_below_50",
    "not_combined",
    "reserve_for_second_prize",
    "payout_cap_floor",
    "fixed_payout_floor",
    "largest_wager",
)
"""The checks of a jurisdiction that look at what a round can cost."""

ANY = "any"
"""What stands for a wager without a known largest, where a limit bounds the loss."""

EACH_DOLLAR = 100
"""Cents of the wager that a loss is given for where no largest wager is known."""

GAMES_TEST = "games_per_hand"
"""The check of a jurisdiction that limits how many games are played on one hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """What section 12 prints: losses by wager, envy prizes, and the bound of a whole round."""

    losses: Table
    envy: Table | None
    bound: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loss:
    """The greatest loss on one wager: ``stake`` is None where no largest wager is known.

    ``cents`` is the loss to one player, ``all_cents`` that to all; both at most the limits.
    """

    wager: str
    name: str
    award: str
    stake: str | None
    cents: Fraction
    all_cents: Fraction
    metered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prizes:
    """An envy table in use: the paytables that it goes with and its largest prize."""

    wager: str
    table: EnvyTable
    paytables: tuple[str, ...]
    cents: int


def exposure(wagers: Sequence[tuple[Wager, Analysis]], submission: Submission) -> Exposure:
    """Return the most that one round can cost, at the largest wagers that are known."""
    law, players = _largest_wager(submission), _players(submission)
    paytables = {one.target: one for one in submission.paytables}
    losses = [
        _loss(
            wager, one, paytables.get(one.target), submission.terms.largest(wager) or law, players
        )
        for wager, one in wagers
        if one.top_award is not None
    ]
    prizes = _prizes(wagers)
    return Exposure(
        losses=_losses(losses, players, law, envy=bool(prizes)),
        envy=_envy(prizes, players) if prizes else None,
        bound=_bound(losses, prizes, submission),
    )


def _loss(
    wager: Wager, analysis: Analysis, paytable: Paytable | None, most: int | None, players: int
) -> _Loss:
    """Price a wager with meters at its base wager, any other at the largest that is known."""
    award = analysis.top_award or Fraction(0)
    progressive = paytable.progressive if paytable is not None else None
    cents = progressive.base_wager_cents if progressive is not None else most
    limits = analysis.limit.limits if analysis.limit is not None else ()
    stake = money(cents) if cents is not None else ANY if limits else None
    full = award * (EACH_DOLLAR if cents is None else cents)
    one = _limited(analysis, full, cents)
    table_cents = [limit.cents for limit in limits if limit.scope is Scope.TABLE]
    return _Loss(
        wager=wager.id,
        name=wager_label(wager, analysis),
        award=top_award(analysis, paytable, option_of(wager, analysis))
        + (f"; limit {limits_text(analysis.limit)}" if analysis.limit is not None else ""),
        stake=f"{stake} base" if progressive is not None else stake,
        cents=one,
        all_cents=min([one * players, *map(Fraction, table_cents)]),
        metered=progressive is not None,
    )


def _limited(analysis: Analysis, full: Fraction, cents: int | None) -> Fraction:
    """Return the loss to one player in cents where it is ``full`` without a limit.

    At a wager that is not known nothing above the limit is paid, however large it is.
    """
    if analysis.limit is None:
        return full
    for one in analysis.limit.amounts:
        if one.wager_cents == cents:
            return one.top_cents
    return full if cents is not None else Fraction(min(one.cents for one in analysis.limit.limits))


def _losses(losses: Sequence[_Loss], players: int, law: int | None, *, envy: bool) -> Table:
    return table(
        "Largest loss of the house on one wager in one round",
        "Wager and paytable @24 | Top award @33 | #Wager @10 | #Loss on one wager @15"
        " | #All seats, at most",
        [
            (
                one.name,
                one.award,
                one.stake or "each $1",
                money(one.cents),
                money(one.all_cents),
            )
            for one in losses
        ],
        note=_note(losses, players, law, envy=envy),
        none="No wager has a fixed top award.",
    )


def _note(losses: Sequence[_Loss], players: int, law: int | None, *, envy: bool) -> str:
    at = (
        f"Where the casino sets no lower limit the largest lawful wager of {money(law)} is taken."
        if law is not None
        else "Where no largest wager is declared or known from the rules applied, the loss is for "
        "$1 wagered and grows in proportion."
        if any(one.stake is None for one in losses)
        else ""
    )
    parts = (
        at,
        "A wager with meters is taken at its base wager; shares of a meter are paid from the "
        "meter and left out."
        if any(one.metered for one in losses)
        else "",
        f"“{ANY}”: however much is wagered, no more than the limit is paid."
        if any(one.stake == ANY for one in losses)
        else "",
        "Prizes for the hands of other players are left out here and stand in the next table."
        if envy
        else "",
        f"All seats, at most: {players} times the loss on one wager"
        + (
            ", or the limit for the table."
            if any(one.all_cents < one.cents * players for one in losses)
            else "."
        )
        + " This is an upper bound: cards are shared, and fewer seats may be able to hold the hand "
        "at once.",
    )
    return " ".join(part for part in parts if part)


def _prizes(wagers: Sequence[tuple[Wager, Analysis]]) -> list[_Prizes]:
    """Return every envy table in use, in the order of its first paytable."""
    found: dict[tuple[str, str], tuple[EnvyTable, list[str]]] = {}
    for wager, one in wagers:
        for envy in wager.envies:
            if one.envy is not None and envy.id == one.envy.paytable and envy.rows:
                _, used = found.setdefault((wager.id, envy.id), (envy, []))
                used.append(label(one.paytable))
    return [
        _Prizes(
            wager=wager,
            table=envy,
            paytables=tuple(used),
            cents=max(row.prize_cents for row in envy.rows),
        )
        for (wager, _), (envy, used) in found.items()
    ]


def _envy(prizes: Sequence[_Prizes], players: int) -> Table:
    others = players - 1
    return table(
        "Largest prizes for the hands of other players in one round",
        "Table of prizes @13 | With @35 | Earned by a wager @18 | #Largest prize @15"
        " | #All seats, at most",
        [
            (
                one.table.id,
                listed(one.paytables),
                f"of {money(one.table.qualifying_wager_cents)} or more",
                money(one.cents),
                money(one.cents * players * others),
            )
            for one in prizes
        ],
        note="A prize is a fixed amount, whatever the wager, for each other player with a wager "
        f"that qualifies. All seats, at most: {players} hands, each with the largest prize for "
        f"{others} others. It is an upper bound in the same way.",
    )


def _bound(losses: Sequence[_Loss], prizes: Sequence[_Prizes], submission: Submission) -> Table:
    """Return the sum over wagers of the greatest of its paytables, for all seats."""
    players = _players(submission)
    known = _under_shared(_most([one for one in losses if one.stake is not None]), submission)
    each = sum(_most([one for one in losses if one.stake is None]).values(), Fraction(0))
    envy = _greatest([(one.wager, Fraction(one.cents)) for one in prizes]) * players * (players - 1)
    parts = [
        ("Wagers at the amounts above", known),
        ("Wagers without a known largest, for each $1 on every one", each),
        ("Prizes for the hands of other players", envy),
    ]
    rows = [(name, money(cents)) for name, cents in parts if cents]
    total = money(known + envy)
    return table(
        "Upper bound of a whole round, all wagers and all seats",
        "Part @70 | #At most",
        rows,
        foot=[("Total", total)] if len(rows) > 1 and not each else (),
        note=_bound_note(losses, submission),
        none="No wager has a fixed top award.",
    )


def _bound_note(losses: Sequence[_Loss], submission: Submission) -> str:
    parts = (
        "For each wager the greatest amount of any of its filed paytables is taken, and the "
        "wagers are added up.",
        "Shares of meters are left out." if any(one.metered for one in losses) else "",
        "Limits on the number of games on one hand are not applied to this bound: it adds up "
        "every wager, also where one hand may not have them all."
        if any(rule.test == GAMES_TEST for rule in submission.jurisdiction.rules)
        else "",
    )
    return " ".join(part for part in parts if part)


def _most(losses: Iterable[_Loss]) -> dict[str, Fraction]:
    """Return the greatest loss to all players of any paytable of each wager."""
    most: dict[str, Fraction] = {}
    for one in losses:
        most[one.wager] = max(one.all_cents, most.get(one.wager, one.all_cents))
    return most


def _under_shared(most: Mapping[str, Fraction], submission: Submission) -> Fraction:
    """Return the sum over wagers, no more than a limit lets them be paid together."""
    total = sum(most.values(), Fraction(0))
    bounds = [total]
    for limit in submission.terms.aggregate_limits or ():
        together = sum((most.get(wager, Fraction(0)) for wager in limit.wagers), Fraction(0))
        paid = limit.cents * (1 if limit.scope is Scope.TABLE else _players(submission))
        bounds.append(total - together + min(together, Fraction(paid)))
    return min(bounds)


def _greatest(amounts: Sequence[tuple[str, Fraction]]) -> Fraction:
    """Return the sum over wagers of the greatest amount of each."""
    most: dict[str, Fraction] = {}
    for wager, cents in amounts:
        most[wager] = max(cents, most.get(wager, cents))
    return sum(most.values(), Fraction(0))


def _players(submission: Submission) -> int:
    stated = submission.terms.players
    return submission.game.players if stated is None else stated


def _largest_wager(submission: Submission) -> int | None:
    """Return the largest lawful wager in cents, where the jurisdiction's rules give one."""
    for rule in submission.jurisdiction.rules:
        version = rule.version_at(submission.as_of)
        if rule.test == "largest_wager" and version is not None:
            return version.parameter("largest_wager_cents")
    return None


def aggregate_rules(submission: Submission) -> Table:
    """Return what the jurisdiction's rules on limits and funds come to."""
    judged = [one for one in submission.rules if one.rule.test in EXPOSURE_TESTS]
    return table(
        "Rules on limits and funds",
        "Rule @13 | Requirement @27 | Standing @15 | What was found",
        [_judged(one) for one in judged],
        none="No rule of this jurisdiction about limits and funds is recorded.",
    )


def _judged(one: RuleJudgement) -> tuple[str, ...]:
    return (one.rule.id, one.rule.title, standing_text(one), one.detail)
