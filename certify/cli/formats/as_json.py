"""A report as JSON, for scripts."""

from typing import Any

from certify.cli.formats.report import Report
from certify.cli.output import json_text
from certify.model.encoding import chosen, finding_json


def render(report: Report) -> str:
    """Return the object that the contract names, with what was ignored or what stopped it."""
    value: dict[str, Any] = {}
    if report.stop is not None:
        value["error"] = chosen(report.stop, "exit_code", "message", "remedy")
    value["findings"] = [finding_json(finding) for finding in report.findings]
    value["checked"] = len(report.checked)
    if report.notices:
        value["notices"] = list(report.notices)
    if report.left_out:
        value["ignored"] = [
            {"why": part.why, **chosen(finding, "code", "file", "pointer")}
            for part in report.left_out
            for finding in part.findings
        ]
    return json_text(value)
