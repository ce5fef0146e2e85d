"""All checks, and the function that runs them."""

from collections.abc import Iterator, Sequence

from certify import checks
from certify.checks.framework import Check, Context, iter_modules
from certify.checks.p_paytables import uncountable
from certify.checks.r_jurisdictions.judge import against_filing
from certify.model.finding import Finding

CHECKS = tuple(
    dict.fromkeys(
        each
        for module in iter_modules(checks)
        for each in vars(module).values()
        if isinstance(each, Check)
    )
)
"""One check for each code of meaning, as declared in the modules of this package."""


def review(context: Context) -> tuple[Finding, ...]:
    """Return all findings, sorted by file and line."""
    findings = [finding for check in CHECKS for finding in check(context)]
    findings += against_filing(context)
    return tuple(
        sorted(
            _drop_explained(findings),
            key=lambda finding: (finding.file, finding.line, finding.column, finding.code),
        )
    )


def _drop_explained(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Drop "cannot be counted" if another error explains it."""
    last = uncountable.code.id
    faulty = {finding.file for finding in findings if finding.is_error and finding.code != last}
    for finding in findings:
        if finding.code != last or faulty.isdisjoint({finding.file, *finding.related}):
            yield finding
