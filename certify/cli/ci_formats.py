"""Reports for continuous integration: SARIF, JUnit XML, GitLab code quality."""

import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from certify import __version__
from certify.cli.formats import Report, finding_text, repository_path
from certify.cli.output import json_text
from certify.model.finding import Finding, Severity
from certify.received.files import PROJECT

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS = 25_000
"""GitHub refuses a run with more. Source: its documentation, "SARIF support for code scanning"."""

FINGERPRINT = "certify/v2"
"""Name of the method that matches findings between runs."""


def sarif_report(report: Report) -> str:
    """Return one run: the codes that were found as rules, and a result for each finding.

    Of more findings than GitHub accepts, the worst are results, and a notification has the number.
    """
    prints = [*report.fingerprints.items()][:MOST_RESULTS]
    rules = _rules(finding for finding, _ in prints)
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
        "results": [
            _result(finding, ids) | {"partialFingerprints": {FINGERPRINT: fingerprint}}
            for finding, fingerprint in prints
        ],
        "columnKind": "unicodeCodePoints",
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _invocation(report: Report) -> dict[str, Any]:
    """Return the outcome of the run, with its remarks."""
    notes = [_notification("note", remark) for remark in report.remarks]
    more = len(report.findings) - MOST_RESULTS
    if more > 0:
        text = (
            f"{more:,} more findings are not listed: GitHub accepts {MOST_RESULTS:,}, worst first."
        )
        notes.append(_notification("error", text))
    if report.stop is not None:
        sentences = f"{report.stop.message} {report.stop.remedy}".strip()
        notes.append(_notification("error", sentences))
    return {
        "executionSuccessful": report.stop is None,
        "exitCode": report.exit_code,
        "toolExecutionNotifications": notes,
    }


def _notification(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": text}}


def _rules(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return the codes of the findings with their pages, in the order of the codes."""
    from certify.review.codes import CODES

    named = {finding.code for finding in findings}
    return [
        {
            "id": code.id,
            "shortDescription": {"text": f"{code.title}."},
            "fullDescription": {"text": " ".join(code.why.split())},
            "help": {"text": code.page(), "markdown": code.page("## ")},
            "defaultConfiguration": {"level": str(code.severity)},
        }
        for code in CODES
        if code.id in named
    ]


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
    }
    if finding.related:
        result["relatedLocations"] = [
            {"physicalLocation": {"artifactLocation": _location(name)}} for name in finding.related
        ]
    return result


def _location(name: str) -> dict[str, str]:
    """Return the location of a file, relative to the repository if it is in one."""
    name = repository_path(name)
    path = Path(name)
    return {"uri": path.as_uri() if path.is_absolute() else quote(name)}


_illegal = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]").sub
"""Source: XML 1.0, fifth edition, section 2.2."""


def junit_report(report: Report) -> str:
    """Return a suite for each file: a case for each finding, or one that passes.

    What does not make the command exit 1 is a case that passes, with the finding as its output.
    """
    by_file: dict[str, list[Finding]] = {name: [] for name in report.checked}
    for finding in report.findings:
        by_file.setdefault(finding.file, []).append(finding)
    suites = [_suite(report, name, findings) for name, findings in by_file.items()]
    if report.stop is not None:
        stopped = _empty_suite("certify", tests=1, errors=1)
        case = SubElement(stopped, "testcase", name="run", classname="certify")
        fault = SubElement(case, "error", type="stopped", message=report.stop.message)
        fault.text = report.stop.remedy
        suites.append(stopped)
    kinds = ("tests", "failures", "errors")
    sums = {kind: str(sum(int(suite.attrib[kind]) for suite in suites)) for kind in kinds}
    root = Element("testsuites", {"name": "certify", **sums})
    root.extend(suites)
    for remark in report.remarks:
        SubElement(root, "system-out").text = remark
    indent(root)
    _legal(root)
    # In ASCII, which every encoding of the stream can print.
    data: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return data.decode("ascii")


def _legal(root: Element) -> None:
    """Replace characters that XML cannot hold; a faulty file may contain any."""
    for element in root.iter():
        element.text = element.text and _illegal("\ufffd", element.text)
        for name, value in element.items():
            element.set(name, _illegal("\ufffd", value))


def _suite(report: Report, name: str, findings: list[Finding]) -> Element:
    failures = sum(map(report.fails, findings))
    suite = _empty_suite(name, tests=max(len(findings), 1), failures=failures)
    if not findings:
        SubElement(suite, "testcase", name="check", classname=name)
    for finding in findings:
        case = SubElement(
            suite,
            "testcase",
            name=f"{finding.code} {finding.pointer or '/'}",
            classname=name,
            file=repository_path(finding.file),
            line=str(finding.line),
        )
        if report.fails(finding):
            SubElement(
                case, "failure", type=str(finding.severity), message=finding.message
            ).text = finding_text(finding)
        else:
            SubElement(case, "system-out").text = finding_text(finding)
    return suite


def _empty_suite(name: str, *, tests: int, failures: int = 0, errors: int = 0) -> Element:
    return Element(
        "testsuite",
        name=name,
        tests=str(tests),
        failures=str(failures),
        errors=str(errors),
        skipped="0",
    )


SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.NOTE: "info"}


def gitlab_report(report: Report) -> str:
    """Return a list of findings, and an entry if the command stopped.

    Without it the list would say that every earlier finding is fixed. GitLab reads the line and the
    column of a finding as positions.
    """
    issues: list[dict[str, Any]] = [
        {
            "type": "issue",
            "check_name": finding.code,
            "description": f"{finding.code}: {finding.message}",
            "content": {"body": finding.remedy},
            "categories": ["Bug Risk"],
            "severity": SEVERITIES[finding.severity],
            "fingerprint": fingerprint,
            "location": {
                "path": repository_path(finding.file),
                "positions": {
                    "begin": {"line": finding.line, "column": finding.column},
                    "end": {"line": finding.line, "column": finding.column + finding.length},
                },
            },
        }
        for finding, fingerprint in report.fingerprints.items()
    ]
    if report.stop is not None:
        issues.append(
            {
                "type": "issue",
                "check_name": "certify",
                "description": f"certify stopped: {report.stop.message}",
                "content": {"body": report.stop.remedy},
                "categories": ["Bug Risk"],
                "severity": "blocker",
                "fingerprint": sha256(report.stop.message.encode("utf-8", "replace")).hexdigest(),
                "location": {"path": PROJECT, "lines": {"begin": 1}},
            }
        )
    return json_text(issues)
