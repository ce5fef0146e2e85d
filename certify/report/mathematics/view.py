"""What the mathematics report prints: the values of its parts, in the order of its sections."""

from collections.abc import Iterable, Mapping
from typing import Any

from certify.model.submission import Status, Submission
from certify.report.head_view import ContentsEntry, DocumentSection, head_view
from certify.report.mathematics.bonus import BonusFigures, bonus_wager
from certify.report.mathematics.exposure import exposure
from certify.report.mathematics.filed import filed_wagers, with_figures
from certify.report.mathematics.filing import filing_state
from certify.report.mathematics.limits import wager_under_limits
from certify.report.mathematics.main_wager import main_figures
from certify.report.mathematics.meters import progressive_wager
from certify.report.mathematics.method import method
from certify.report.mathematics.proof import proof
from certify.report.mathematics.readings import assumptions, conventions, readings
from certify.report.mathematics.summary import summary
from certify.report.mathematics.volatility import ROUNDS, volatility
from certify.report.wording import named, names

ODDS_TEST = "odds_of_each_wager"
"""The check of a jurisdiction that asks for true odds beside the payout odds."""


def mathematics_view(submission: Submission) -> dict[str, Any]:
    """Return what the templates of the mathematics report print."""
    wagers = filed_wagers(submission)
    analysed = with_figures(wagers)
    others = readings(submission, analysed)
    bonus = tuple(section for section in map(bonus_wager, wagers) if section is not None)
    meters = tuple(section for section in map(progressive_wager, wagers) if section is not None)
    titles = [name for name in names("mathematics") if name != "progressive" or meters]
    numbers = {name: str(number) for number, name in enumerate(titles, 1)}
    return head_view(submission, "Mathematics Report") | {
        "sections": _sections(numbers, bonus),
        "at": numbers,
        "submission": submission,
        "filed": wagers,
        "summary": summary(submission, wagers, others),
        "assumptions": assumptions(submission, analysed, others),
        "readings": others,
        "conventions": conventions(submission, analysed),
        "method": method(submission),
        "main": main_figures(submission),
        "main_limits": tuple(
            limits for wager in wagers if wager.options and (limits := wager_under_limits(wager))
        ),
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


def _sections(
    numbers: Mapping[str, str], bonus: Iterable[BonusFigures]
) -> tuple[DocumentSection, ...]:
    """Return the sections that there are, with an entry for each bonus wager."""
    entries = tuple(ContentsEntry(anchor=bonu.anchor, title=bonu.name) for bonu in bonus)
    return tuple(
        DocumentSection(
            anchor=f"section-{name}",
            title=f"{number}. {named('mathematics', name)}",
            template=f"mathematics/{name}.html.j2",
            entries=entries if name == "bonus" else (),
        )
        for name, number in numbers.items()
    )
