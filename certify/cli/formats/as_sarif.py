"""A report as SARIF, the Static Analysis Results Interchange Format 2.1.0 (OASIS, 2020)."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from certify import __version__
from certify.cli.formats.report import Report, Stop
from certify.cli.output import json_text
from certify.model.finding import Code, Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "certify/v1"
"""What names the way in which findings are told from one another between runs."""


def render(report: Report) -> str:
    """Return one run: the codes that were found as rules, and a result for each finding."""
    rules = _rules(report.findings)
    ids = [rule["id"] for rule in rules]
    run = {
        "tool": {
            "driver": {
                "name": "certify",
                "version": __version__,
                "rules": rules,
            }
        },
        "invocations": [_invocation(report)],
        "artifacts": [{"location": _location(name)} for name in report.checked],
        "results": [_result(finding, ids) for finding in report.findings],
        "columnKind": "unicodeCodePoints",
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _invocation(report: Report) -> dict[str, Any]:
    """Return how the run ended, with what it has to say beside its findings."""
    notes = [_notification("note", remark) for remark in report.remarks]
    if report.stop is not None:
        notes.append(_notification("error", _sentences(report.stop)))
    return {
        "executionSuccessful": report.stop is None,
        "exitCode": report.exit_code,
        "toolExecutionNotifications": notes,
    }


def _notification(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": text}}


def _sentences(stop: Stop) -> str:
    return f"{stop.message} {stop.remedy}".strip()


def _rules(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return the codes of the findings with their pages, in the order of the codes."""
    from certify.pipeline.codes import CODES

    named = {finding.code for finding in findings}
    return [_rule(code) for code in CODES if code.id in named]


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.id,
        "shortDescription": {"text": f"{code.title}."},
        "fullDescription": {"text": " ".join(code.why.split())},
        "help": {"text": code.page(), "markdown": code.page("## ")},
        "defaultConfiguration": {"level": str(code.severity)},
    }


def _result(finding: Finding, ids: list[str]) -> dict[str, Any]:
    region: dict[str, Any] = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endColumn": finding.column + finding.length,
    }
    if finding.excerpt:
        region["snippet"] = {"text": finding.excerpt}
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": ids.index(finding.code),
        "level": str(finding.severity),
        "message": {"text": f"{finding.message} {finding.remedy}"},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": _location(finding.file), "region": region},
                "logicalLocations": [{"fullyQualifiedName": finding.pointer, "kind": "value"}],
            }
        ],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"physicalLocation": {"artifactLocation": _location(name)}} for name in finding.related
        ]
    return result


def _location(name: str) -> dict[str, str]:
    """Return where a file is: below the folder that the command ran in, or anywhere."""
    path = Path(name)
    return {"uri": path.as_uri() if path.is_absolute() else quote(name)}
