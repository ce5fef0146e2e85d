"""A report as people read it: each finding with its place, an excerpt and the remedy."""

from collections import Counter

import typer

from certify.cli.formats.report import Report
from certify.cli.output import columns, counted, fitted, in_color, one_line
from certify.model.finding import Finding, Severity

_TAB_STOP = 4
_RELATED = 5
_EXCERPT = 100
_BEFORE = 60
_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def render(report: Report) -> str:
    """Return the findings in the order of the report, what was left out, and the totals.

    Notes are summed up unless they are asked for, or fail the gate.
    """
    shown = [
        finding
        for finding in report.findings
        if report.notes or finding.severity is not Severity.NOTE or report.fails(finding)
    ]
    lines = [finding_text(finding, color=in_color()) for finding in shown]
    summed = Counter(finding.code for finding in report.findings if finding not in shown)
    if summed:
        listed = ", ".join(f"{code}: {number}" for code, number in sorted(summed.items()))
        number = counted(summed.total(), "note")
        lines += fitted(f"{number} not printed here ({listed}); --notes prints them.")
    if not report.quiet:
        lines += [piece for remark in report.remarks for piece in fitted(remark)]
        lines.append(report.totals)
    return "\n".join(lines)


def finding_text(finding: Finding, *, color: bool = False) -> str:
    """Return a finding with its place, an excerpt with a caret, and the remedy."""
    place = f"{one_line(finding.file)}:{finding.line}:{finding.column}: "
    head = f"{finding.severity} {finding.code}"
    lines = fitted(f"{place}{head}: {finding.message}")
    if finding.excerpt.strip():
        number = str(finding.line)
        before = finding.excerpt[: finding.column - 1].expandtabs(_TAB_STOP)
        room = max(len(finding.excerpt) - finding.column + 1, 1)
        caret = " " * len(before) + "^" * min(finding.length, room)
        excerpt = finding.excerpt.expandtabs(_TAB_STOP)
        width = min(_EXCERPT, columns() - len(number) - len("   | "))
        start = max(0, len(before) - _BEFORE * width // _EXCERPT)
        lines += [
            f"  {number} | {excerpt[start : start + width]}",
            f"  {' ' * len(number)} | {caret[start : start + width]}",
        ]
    lines += [f"  See also: {one_line(path)}" for path in finding.related[:_RELATED]]
    if len(finding.related) > _RELATED:
        lines.append(f"  See also: {len(finding.related) - _RELATED} more files")
    lines += fitted(f"  Remedy: {finding.remedy}")
    text = "\n".join(lines)
    painted = typer.style(head, fg=_COLORS[finding.severity], bold=True)
    return text.replace(head, painted, 1) if color else text
