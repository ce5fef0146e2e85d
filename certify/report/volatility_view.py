"""Volatility and exposure: how far results of many rounds stray, and what one round can cost."""

from collections.abc import Sequence
from fractions import Fraction

from certify.model.analysis import Analysis
from certify.model.audit import RuleJudgement
from certify.model.game import Wager
from certify.model.paytable import HandOf
from certify.model.submission import Submission
from certify.report.charts import Band, Chart, bands
from certify.report.numbers import money, percent, plain, root, square_root, thousands
from certify.report.proof_view import STANDING_TEXT
from certify.report.tables import Table, table
from certify.report.wording import full_label

ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
EXPOSURE_TESTS = (
    "aggregate_limit_floor",
    "no_aggregate_below_50",
    "not_combined",
    "reserve_for_second_prize",
    "payout_cap_floor",
    "largest_wager",
)
"""The checks of a jurisdiction that look at what a round can cost."""


def volatility_table(wagers: Sequence[tuple[Wager, Analysis]]) -> Table:
    """Return mean, deviation and the half band of twice the deviation, by number of rounds."""
    rows = [
        (
            _name(wager, one),
            percent(one.return_to_player, 3),
            square_root(one.variance, 4),
            *(f"± {_half_band(one.variance, rounds)}" for rounds in ROUNDS),
        )
        for wager, one in wagers
        if one.return_to_player is not None and one.variance is not None
    ]
    return table(
        "Return over a number of rounds, in percent of what is wagered",
        "Wager and paytable @30 | #Mean | #Deviation | "
        + " | ".join(f"#{thousands(one)}" for one in ROUNDS),
        rows,
        note="Deviation: of one round, per unit wagered. Paytables whose return a meter decides "
        "have no single mean and are left out.",
        none="A meter decides the return of every wager.",
    )


def _half_band(variance: Fraction, rounds: int) -> str:
    """Return twice the deviation of a mean of that many rounds, in percent."""
    return square_root(variance * 4 / rounds * 10_000, 3)


def band_charts(wagers: Sequence[tuple[Wager, Analysis]]) -> tuple[Chart, ...]:
    """Return the bands of the main wager and of the first paytable of every other wager."""
    charts: dict[str, Chart] = {}
    for wager, one in wagers:
        if wager.id in charts or one.return_to_player is None or one.variance is None:
            continue
        mean, variance = one.return_to_player, one.variance
        charts[wager.id] = bands(
            id=f"chart-bands-{wager.id}",
            title=f"{_name(wager, one)}: return with its band, percent",
            values=[_band(mean, variance, rounds) for rounds in ROUNDS],
        )
    return tuple(charts.values())


def _band(mean: Fraction, variance: Fraction, rounds: int) -> Band:
    half = root(variance * 4 / rounds, 6)
    return Band(
        label=f"{thousands(rounds)} rounds",
        low=mean - half,
        middle=mean,
        high=mean + half,
        printed=f"± {_half_band(variance, rounds)}",
    )


def exposure_table(wagers: Sequence[tuple[Wager, Analysis]], submission: Submission) -> Table:
    """Return the most that one round can cost on each wager, at the largest wager that is known."""
    law = _largest_wager(submission)
    rows = []
    for wager, one in wagers:
        if one.top_award is None:
            continue
        most = submission.terms.largest(wager) or law
        rows.append(
            (
                _name(wager, one),
                f"{plain(one.top_award)} to 1",
                money(most) if most is not None else "each $1",
                money(one.top_award * (most or 100)),
                _envy_prizes(wager, one, submission),
                _seats(wager, submission),
            )
        )
    return table(
        "Largest loss of the house on one wager in one round",
        "Wager and paytable @30 | #Top award @13 | #Wager @10 | #Loss @12 | Envy prizes @22"
        " | Seats",
        rows,
        note=_exposure_note(law),
        none="No wager has a fixed top award.",
    )


def _exposure_note(law: int | None) -> str:
    at = (
        f"Where the casino sets no lower limit the largest lawful wager of {money(law)} is taken."
        if law is not None
        else "No largest wager is declared or known from the rules applied: losses are for $1 "
        "wagered and grow in proportion."
    )
    return (
        f"{at} Shares of a progressive meter are paid from the meter and left out. Seats: whether "
        "one deal can pay the top award to one seat or to all seats at once."
    )


def _largest_wager(submission: Submission) -> int | None:
    """Return the largest lawful wager in cents, where the jurisdiction's rules give one."""
    for rule in submission.jurisdiction.rules:
        version = rule.version_at(submission.as_of)
        if rule.test == "largest_wager" and version is not None:
            return version.parameter("largest_wager_cents")
    return None


def _envy_prizes(wager: Wager, analysis: Analysis, submission: Submission) -> str:
    if analysis.envy is None:
        return "–"
    prizes = [
        row.prize_cents
        for one in wager.envies
        if one.id == analysis.envy.paytable
        for row in one.rows
    ]
    others = submission.game.players - 1
    return f"{money(max(prizes))} to each of {others} others" if prizes and others > 0 else "–"


def _seats(wager: Wager, submission: Submission) -> str:
    if wager.hand is HandOf.PLAYER:
        return "one seat"
    return f"all {submission.game.players} seats"


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
    return (one.rule.id, one.rule.title, STANDING_TEXT[one.standing], one.detail)


def _name(wager: Wager, analysis: Analysis) -> str:
    return wager.name if wager.options else full_label(wager.name, analysis.paytable)
