"""What the mathematics report prints: the values of its parts, in the order of its sections."""

from typing import Any

from certify.model.submission import Status, Submission
from certify.report.head_view import Entry, Section, control_table, head_view
from certify.report.mathematics.bonus import bonus_wager
from certify.report.mathematics.filed import counted, filed_wagers
from certify.report.mathematics.filing import filing_state
from certify.report.mathematics.limits import limited
from certify.report.mathematics.main_wager import main_figures
from certify.report.mathematics.meters import progressive_wager
from certify.report.mathematics.method import method
from certify.report.mathematics.proof import proof
from certify.report.mathematics.readings import assumptions, conventions, readings
from certify.report.mathematics.risk import ROUNDS, exposure, volatility
from certify.report.mathematics.summary import summary

TITLES = {
    "summary": "Summary",
    "document": "Contents and identification",
    "assumptions": "Assumptions and other readings",
    "method": "Method",
    "main": "Main wager",
    "bonus": "Bonus wagers",
    "progressive": "Progressive wagers",
    "risk": "Volatility and exposure",
    "verification": "Verification",
    "requirements": "Requirements and open items",
    "reliance": "Reproduction and reliance",
    "signatures": "Signatures",
}
"""The sections by their templates, in order; numbers start at 1."""

NUMBERS = {name: str(number) for number, name in enumerate(TITLES, 1)}
"""The number of each section, for sentences that point at it."""


def mathematics_view(submission: Submission) -> dict[str, Any]:
    """Return what the templates of the mathematics report print."""
    wagers = filed_wagers(submission)
    analysed = counted(wagers)
    others = readings(submission, analysed)
    bonus = tuple(one for one in map(bonus_wager, wagers) if one is not None)
    meters = tuple(one for one in map(progressive_wager, wagers) if one is not None)
    return head_view(submission, "Mathematics Report") | {
        "sections": _sections(
            {
                "bonus": tuple(Entry(anchor=one.anchor, title=one.name) for one in bonus),
                "progressive": tuple(Entry(anchor=one.anchor, title=one.name) for one in meters),
            }
        ),
        "at": NUMBERS,
        "submission": submission,
        "control": control_table(submission, "mathematics"),
        "filed": wagers,
        "summary": summary(submission, wagers, others),
        "assumptions": assumptions(submission, analysed, others),
        "readings": others,
        "conventions": conventions(submission, analysed),
        "method": method(submission),
        "main": main_figures(submission),
        "main_limits": tuple(limits for one in wagers if one.options and (limits := limited(one))),
        "bonus": bonus,
        "meters": meters,
        "volatility": volatility(wagers),
        "rounds": ROUNDS,
        "exposure": exposure(wagers, submission),
        "proof": proof(submission),
        "filing": filing_state(submission),
        "final": submission.status is Status.FINAL,
    }


def _sections(entries: dict[str, tuple[Entry, ...]]) -> tuple[Section, ...]:
    return tuple(
        Section(
            anchor=f"section-{name}",
            title=f"{NUMBERS[name]}. {title}",
            template=f"mathematics/{name}.html.j2",
            entries=entries.get(name, ()),
        )
        for name, title in TITLES.items()
    )
