"""A report as people read it: each finding with its place, an excerpt and the remedy."""

from certify.cli.formats.report import Report
from certify.model.finding import Finding

_TAB_STOP = 4
_RELATED = 5


def render(report: Report) -> str:
    """Return the findings in the order of the report, what was left out, and the totals."""
    return "\n".join(
        [*map(finding_text, report.findings), *map(str, report.left_out), report.totals]
    )


def finding_text(finding: Finding) -> str:
    """Return a finding with its place, an excerpt with a caret, and the remedy."""
    lines = [
        f"{finding.file}:{finding.line}:{finding.column}: "
        f"{finding.severity} {finding.code}: {finding.message}"
    ]
    if finding.excerpt.strip():
        number = str(finding.line)
        before = finding.excerpt[: finding.column - 1].expandtabs(_TAB_STOP)
        room = max(len(finding.excerpt) - finding.column + 1, 1)
        caret = " " * len(before) + "^" * min(finding.length, room)
        excerpt = finding.excerpt.expandtabs(_TAB_STOP)
        start = max(0, len(before) - 60)
        lines += [
            f"  {number} | {excerpt[start : start + 100]}",
            f"  {' ' * len(number)} | {caret[start : start + 100]}",
        ]
    lines += [f"  See also: {one}" for one in finding.related[:_RELATED]]
    if len(finding.related) > _RELATED:
        lines.append(f"  See also: {len(finding.related) - _RELATED} more files")
    lines.append(f"  Remedy: {finding.remedy}")
    return "\n".join(lines)
