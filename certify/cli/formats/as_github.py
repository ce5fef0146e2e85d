"""A report as annotations of a GitHub workflow: commands in what a step prints."""

from collections import Counter

from certify.cli.formats.report import Report
from certify.model.finding import Finding, Severity

SHOWN = 10
"""Annotations of one kind that GitHub shows of a step; it drops the others without a word."""

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report) -> str:
    """Return an annotation for each finding, worst first, as many as are shown; then the totals."""
    lines, kinds = [], Counter[Severity]()
    for finding in report.findings:
        kinds[finding.severity] += 1
        if kinds[finding.severity] <= SHOWN:
            lines.append(_annotation(finding))
    if report.stop is not None:
        text = f"{report.stop.message}\n{report.stop.remedy}".strip()
        return "\n".join([*lines, f"::error title=certify::{_text(text)}"])
    lines += report.remarks
    hidden = len(report.findings) - sum(min(number, SHOWN) for number in kinds.values())
    more = f" {hidden} are not annotated: GitHub shows {SHOWN} of a kind." if hidden else ""
    return "\n".join([*lines, report.totals + more])


def _annotation(finding: Finding) -> str:
    properties = {
        "file": finding.file,
        "line": finding.line,
        "col": finding.column,
        "endColumn": finding.column + finding.length,
        "title": f"certify {finding.code}",
    }
    written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    said = f"{finding.message}\n{finding.remedy}"
    return f"::{COMMANDS[finding.severity]} {written}::{_text(said)}"


def _text(text: str) -> str:
    """Return text as a workflow command carries it.

    Source: toolkit of GitHub Actions, escaping of the data of a command.
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
