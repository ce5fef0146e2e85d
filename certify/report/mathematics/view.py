"""What the mathematics report prints: the values of its parts, in the order of its sections."""

from typing import Any

from certify.model.submission import Status, Submission
from certify.report.head_view import head_view
from certify.report.mathematics.bonus import bonus_wager
from certify.report.mathematics.filed import filed_wagers
from certify.report.mathematics.filing import filing_state
from certify.report.mathematics.limits import wager_under_limits
from certify.report.mathematics.main_wager import main_figures
from certify.report.mathematics.meters import progressive_wager
from certify.report.mathematics.method import method
from certify.report.mathematics.proof import proof
from certify.report.mathematics.readings import assumptions, conventions, readings
from certify.report.mathematics.risk import ROUNDS, exposure, volatility
from certify.report.mathematics.summary import summary
from certify.report.wording import names

ODDS_TEST = "odds_of_each_wager"
"""The check of a jurisdiction that asks for true odds beside the payout odds."""


def mathematics_view(submission: Submission) -> dict[str, Any]:
    """Return what the templates of the mathematics report print."""
    wagers = filed_wagers(submission)
    analysed = [(filed.wager, analysis) for filed in wagers for analysis in filed.analyses]
    others = readings(submission, analysed)
    bonus = [*filter(None, map(bonus_wager, wagers))]
    meters = [*filter(None, map(progressive_wager, wagers))]
    titles = dict(names("mathematics"))
    if not meters:
        del titles["progressive"]
    numbers = {name: str(number) for number, name in enumerate(titles, 1)}
    return head_view(submission, "Mathematics Report") | {
        "sections": [
            {
                "anchor": f"section-{name}",
                "title": f"{number}. {titles[name]}",
                "template": f"mathematics/{name}.html.j2",
                "wagers": bonus if name == "bonus" else [],
            }
            for name, number in numbers.items()
        ],
        "at": numbers,
        "filed": wagers,
        "summary": summary(submission, wagers, others),
        "assumptions": assumptions(submission, analysed, others),
        "readings": others,
        "conventions": conventions(submission, analysed),
        "method": method(submission),
        "main": main_figures(submission),
        "main_limits": [
            limits for wager in wagers if wager.options and (limits := wager_under_limits(wager))
        ],
        "true_odds": any(rule.test == ODDS_TEST for rule in submission.jurisdiction.rules),
        "bonus": bonus,
        "meters": meters,
        "volatility": volatility(wagers),
        "rounds": ROUNDS,
        "exposure": exposure(wagers, submission),
        "proof": proof(submission),
        "filing": filing_state(submission),
        "final": submission.status is Status.FINAL,
    }
