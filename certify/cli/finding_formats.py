"""Findings for the places that show them: SARIF, JUnit and GitHub's annotations."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import typer

from certify import __version__
from certify.cli.output import (
    finding_json,
    finding_text,
    print_json,
    takes_all_characters,
    totals,
)
from certify.model.finding import Finding, Severity


class FindingFormat(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"


FINDING_FORMAT = typer.Option(
    FindingFormat.TEXT,
    "--format",
    help="text for people, json for scripts; sarif, junit or github for what shows findings.",
)

SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def print_findings(
    findings: Sequence[Finding], names: Sequence[str], output: FindingFormat
) -> None:
    """Print findings, worst first.

    Args:
        findings: what was found, in the order of printing.
        names: the files that were looked at.
        output: the format.
    """
    match output:
        case FindingFormat.JSON:
            found = [finding_json(one) for one in findings]
            print_json({"findings": found, "checked": len(names)})
        case FindingFormat.SARIF:
            print_json(sarif(findings))
        case FindingFormat.JUNIT:
            text = junit(findings, names)
            if not takes_all_characters():
                text = text.encode("ascii", "xmlcharrefreplace").decode()
            typer.echo(text)
        case FindingFormat.GITHUB:
            for one in findings:
                typer.echo(annotation(one))
            typer.echo(totals(findings, len(names)))
        case _:
            for one in findings:
                typer.echo(finding_text(one))
            typer.echo(totals(findings, len(names)))


def sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return a log of one run. Source: SARIF 2.1.0, OASIS standard with errata 01."""
    from certify.checks.codes import CODES

    used = {one.code for one in findings}
    rules = [
        {
            "id": code.id,
            "shortDescription": {"text": code.title},
            "fullDescription": {"text": code.text},
            "defaultConfiguration": {"level": str(code.severity)},
        }
        for code in CODES
        if code.id in used
    ]
    driver = {"name": "certify", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one) for one in findings],
    }
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: Finding) -> dict[str, Any]:
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endColumn": finding.column + finding.length,
    }
    place = {"artifactLocation": {"uri": _uri(finding.file)}, "region": region}
    return {
        "ruleId": finding.code,
        "level": str(finding.severity),
        "message": {"text": f"{finding.message} {finding.remedy}"},
        "locations": [{"physicalLocation": place}],
    }


def _uri(name: str) -> str:
    from urllib.parse import quote

    return quote(name, safe="/:")


def junit(findings: Sequence[Finding], names: Sequence[str]) -> str:
    """Return one test case for each file; a file with errors fails, other findings are output.

    Source: the JUnit XML that Jenkins and GitLab read.
    """
    files = dict.fromkeys([*names, *(one.file for one in findings)])
    cases, failed = [], 0
    for name in files:
        own = [one for one in findings if one.file == name]
        errors = [one for one in own if one.severity is Severity.ERROR]
        others = [one for one in own if one.severity is not Severity.ERROR]
        failed += bool(errors)
        cases.append(f'  <testcase classname="certify.check" name={_attribute(name)}>')
        if errors:
            first = _attribute(f"{errors[0].code}: {errors[0].message}")
            cases.append(f"    <failure message={first}>{_content(errors)}</failure>")
        if others:
            cases.append(f"    <system-out>{_content(others)}</system-out>")
        cases.append("  </testcase>")
    head = f'<testsuite name="certify check" tests="{len(files)}" failures="{failed}" errors="0">'
    return "\n".join(['<?xml version="1.0"?>', head, *cases, "</testsuite>"])


def _content(findings: Sequence[Finding]) -> str:
    return escape(_printable("\n".join(finding_text(one) for one in findings)))


def _attribute(text: str) -> str:
    return quoteattr(_printable(text))


def _printable(text: str) -> str:
    """Return the text without the control characters that XML forbids."""
    return "".join(one if one.isprintable() or one in "\n\t" else "\ufffd" for one in text)


def annotation(finding: Finding) -> str:
    """Return a finding as a workflow command. Source: GitHub Actions, workflow commands."""
    kind = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
    values = {
        "file": finding.file,
        "line": str(finding.line),
        "col": str(finding.column),
        "title": f"certify {finding.code}",
    }
    where = ",".join(f"{name}={_escaped(value, ',:')}" for name, value in values.items())
    words = _escaped(f"{finding.message}\nRemedy: {finding.remedy}", "")
    return f"::{kind[finding.severity]} {where}::{words}"


def _escaped(text: str, also: str) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    for one in also:
        text = text.replace(one, f"%{ord(one):02X}")
    return text
