"""A report for GitLab's code quality widget: its part of the Code Climate format."""

from typing import Any

from certify.cli.formats.report import Report
from certify.cli.output import json_text
from certify.model.finding import Finding, Severity

SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(report: Report) -> str:
    """Return a list of findings; what stopped a command has no place here but its exit code."""
    return json_text([_issue(finding) for finding in report.findings])


def _issue(finding: Finding) -> dict[str, Any]:
    """Return one finding at its line and column, which GitLab reads as positions."""
    line = finding.line
    return {
        "type": "issue",
        "check_name": finding.code,
        "description": f"{finding.code}: {finding.message}",
        "content": {"body": finding.remedy},
        "categories": ["Bug Risk"],
        "severity": SEVERITIES[finding.severity],
        "fingerprint": finding.fingerprint,
        "location": {
            "path": finding.file,
            "positions": {
                "begin": {"line": line, "column": finding.column},
                "end": {"line": line, "column": finding.column + finding.length},
            },
        },
    }
