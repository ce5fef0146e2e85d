"""Every check, and the one function that runs them all."""

from collections.abc import Iterator, Mapping, Sequence

from certify import checks
from certify.checks.check import Check, declared
from certify.checks.context import Context
from certify.checks.jurisdiction.facts import Filed
from certify.checks.jurisdiction.findings import against_filing
from certify.checks.paytables import uncountable
from certify.errors import CertifyError
from certify.model.analysis import Analysis
from certify.model.audit import FigureJudgement
from certify.model.catalogue import Catalogue
from certify.model.finding import Finding, Severity
from certify.model.game import Game
from certify.model.house_way_audit import AuditedInGame
from certify.model.terms import Terms

CHECKS = tuple(dict.fromkeys(each for each in declared(checks) if isinstance(each, Check)))
"""One judge for each code of meaning, as the modules of this room declare them."""


def review(
    catalogue: Catalogue,
    analyses: Mapping[str, Analysis],
    judgements: Sequence[FigureJudgement] = (),
    *,
    audited: Sequence[AuditedInGame] | None = None,
    filing: Filed | None = None,
    terms: Terms | None = None,
    game: Game | None = None,
    refusals: Mapping[str, CertifyError] | None = None,
) -> tuple[Finding, ...]:
    """Judge what the declared records mean.

    Args:
        catalogue: the records.
        analyses: the figures by target; what was not counted is not judged by its counts.
        judgements: the audit of the printed figures, as far as it was made.
        audited: the audits of house ways; None where they were not made.
        filing: what is filed in a jurisdiction, judged by its rules; None where nothing is.
        terms: the terms of a table on its own; those of a filing come with it.
        game: the game that these terms are to fit; None where they name it, or may fit any.
        refusals: why a target cannot be counted.

    Returns:
        Every finding, in the order of the files and their lines.
    """
    context = Context(
        catalogue=catalogue,
        analyses=analyses,
        judgements=tuple(judgements),
        house_ways=None if audited is None else tuple(audited),
        filing=filing,
        terms=terms if filing is None else filing.terms,
        game=game if filing is None else filing.game,
        refusals=refusals or {},
    )
    findings = [finding for check in CHECKS for finding in check(context)]
    findings += against_filing(context)
    return tuple(
        sorted(
            _told_once(findings),
            key=lambda finding: (finding.file, finding.line, finding.column, finding.code),
        )
    )


def _told_once(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings; that a record cannot be counted only where no other error says why."""
    last = uncountable.code.id
    faulty = {
        finding.file
        for finding in findings
        if finding.severity is Severity.ERROR and finding.code != last
    }
    for finding in findings:
        if finding.code != last or faulty.isdisjoint({finding.file, *finding.related}):
            yield finding
