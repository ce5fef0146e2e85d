"""Reports as text, JSON, GitHub annotations, SARIF, JUnit XML and GitLab code quality."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import typer

from certify import __version__
from certify.cli.output import (
    columns,
    json_text,
    print_json,
    print_text,
    use_color,
    warn,
    wrap_line,
)
from certify.errors import NotReadable
from certify.formatting import count_noun, one_line
from certify.intake.layout import catalog_folder, game_folder
from certify.model.finding import Finding, Severity
from certify.received.files import PROJECT
from certify.review.report import Report, ReportFormat, repository_path
from certify.review.settings import find_settings
from certify.storage import write_atomically

_TAB_STOP = 4
_RELATED = 5
_EXCERPT = 100
_BEFORE = 60
_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def text_report(report: Report) -> str:
    """Return the findings in the order of the report, the ignored ones, and the totals.

    Notes are summed up unless they are requested or make the command exit 1.
    """
    shown = [
        finding
        for finding in report.findings
        if report.notes or finding.severity is not Severity.NOTE or finding in report.failing
    ]
    lines = [finding_text(finding, color=use_color()) for finding in shown]
    if report.stop is not None:
        return "\n".join([*lines, f"Error: {report.stop.message}", f"  Fix: {report.stop.remedy}"])
    summed = Counter(finding.code for finding in report.findings)
    summed.subtract(finding.code for finding in shown)
    if summed.total():
        listed = ", ".join(f"{code}: {number}" for code, number in sorted((+summed).items()))
        number = count_noun(summed.total(), "note")
        lines += wrap_line(f"{number} not shown ({listed}); --notes lists them.")
    if not report.quiet:
        lines += [piece for remark in report.remarks for piece in wrap_line(remark)]
        lines.append(report.totals)
    return "\n".join(lines)


def finding_text(finding: Finding, *, color: bool = False) -> str:
    """Return a finding with its place, an excerpt with a caret, and the fix."""
    place = f"{one_line(finding.file)}:{finding.line}:{finding.column}: "
    head = f"{finding.severity} {finding.code}"
    lines = wrap_line(f"{place}{head}: {finding.message}")
    if finding.excerpt.strip():
        number = str(finding.line)
        before = one_line(finding.excerpt[: finding.column - 1].expandtabs(_TAB_STOP))
        room = max(len(finding.excerpt) - finding.column + 1, 1)
        caret = " " * len(before) + "^" * min(finding.length, room)
        excerpt = one_line(finding.excerpt.expandtabs(_TAB_STOP))
        width = min(_EXCERPT, columns() - len(number) - len("   | "))
        start = max(0, len(before) - _BEFORE * width // _EXCERPT)
        lines += [
            f"  {number} | {excerpt[start : start + width]}",
            f"  {' ' * len(number)} | {caret[start : start + width]}",
        ]
    lines += [f"  See also: {one_line(path)}" for path in finding.related[:_RELATED]]
    if len(finding.related) > _RELATED:
        lines.append(f"  See also: {len(finding.related) - _RELATED} more files")
    lines += wrap_line(f"  Fix: {finding.remedy}")
    text = "\n".join(lines)
    painted = typer.style(head, fg=_COLORS[finding.severity], bold=True)
    return text.replace(head, painted, 1) if color else text


SHOWN = 10
"""Annotations of one kind that GitHub shows of a step; it drops the others without a word."""

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github_report(report: Report) -> str:
    """Return annotations, worst first, as many as are shown; the other findings as text; totals."""
    kinds = Counter[Severity]()
    lines: list[str] = []
    others: list[str] = []
    for finding in report.findings:
        kinds[finding.severity] += 1
        if kinds[finding.severity] <= SHOWN:
            lines.append(_annotation(finding))
        else:
            others.append(finding_text(finding))
    lines += others
    if report.stop is not None:
        text = f"{report.stop.message}\n{report.stop.remedy}".strip()
        return "\n".join([*lines, f"::error title=certify::{_text(text)}"])
    lines += report.remarks
    more = f" {len(others)} are not annotated: GitHub shows {SHOWN} of each kind." if others else ""
    return "\n".join([*lines, report.totals + more])


def _annotation(finding: Finding) -> str:
    properties = {
        "file": repository_path(finding.file),
        "line": finding.line,
        "col": finding.column,
        "endColumn": finding.column + finding.length,
        "title": f"certify {finding.code}",
    }
    written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = f"{finding.message}\n{finding.remedy}"
    return f"::{COMMANDS[finding.severity]} {written}::{_text(message)}"


def _text(text: str) -> str:
    """Return text as a workflow command carries it.

    Source: toolkit of GitHub Actions, escaping of the data of a command.
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")


VARIABLE = "CERTIFY_FORMAT"

REPORT_FORMAT = typer.Option(
    None,
    "--format",
    envvar=VARIABLE,
    help="Output format: text, json for scripts, others for CI. Default: "
    "text, or the project's setting.",
)


OUTPUT: list[str] = typer.Option(
    None, "--output", help="Also write the report to a file in this format; repeat for more."
)


def read_outputs(named: Iterable[str]) -> dict[Path, ReportFormat]:
    """Return the files to write a report to, with the format of each.

    Raises:
        NotReadable: a value is not FORMAT=FILE, two reports are for one file, or it is among
            declared files.
    """
    outputs: dict[Path, ReportFormat] = {}
    for value in named:
        name, _, file = value.partition("=")
        if name not in tuple(ReportFormat) or not file:
            raise NotReadable(
                f"--output {value} is not FORMAT=FILE.",
                remedy=f"Use one of these formats: {', '.join(ReportFormat)}.",
            )
        if catalog_folder(Path(file)) is not None or game_folder(Path(file)) is not None:
            raise NotReadable(
                f"--output {value} is in a folder of declared data, which a report never replaces.",
                remedy="Name a file elsewhere.",
            )
        if Path(file) in outputs:
            raise NotReadable(f"Two reports are for {file}.", remedy="Name another file.")
        outputs[Path(file)] = ReportFormat(name)
    return outputs


def write_reports(report: Report, outputs: Mapping[Path, ReportFormat]) -> None:
    """Write a report to each file."""
    for path, output in outputs.items():
        write_atomically(path, (RENDERERS[output](report) + "\n").encode())


def print_report(report: Report, output: ReportFormat) -> int:
    """Print a report to standard output; return the exit code."""
    text = RENDERERS[output](report)
    if text:
        typer.echo(text, color=use_color())
    if output is ReportFormat.GITLAB:
        for remark in report.remarks:
            warn(remark)  # its format has no place for it
    return report.exit_code


def choose_format(requested: ReportFormat | None) -> ReportFormat:
    """Return the requested format, or the project's, or text."""
    return requested or find_settings().format or ReportFormat.TEXT


def print_result(
    report: Report,
    requested: ReportFormat | None,
    *,
    as_text: Callable[[], str],
    as_json: Callable[[], object],
) -> None:
    """Print a whole result, or only its findings in formats for findings and if quiet."""
    output = choose_format(requested)
    if output is ReportFormat.JSON:
        print_json(as_json())
    elif output is ReportFormat.TEXT and not report.quiet:
        print_text(as_text())
    else:
        print_report(report, output)


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
        notes.append(_notification("error", f"{report.stop.message} {report.stop.remedy}".strip()))
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
    failures = sum(finding in report.failing for finding in findings)
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
        if finding in report.failing:
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


RENDERERS: Mapping[ReportFormat, Callable[[Report], str]] = {
    ReportFormat.TEXT: text_report,
    ReportFormat.JSON: lambda report: json_text(report.to_dict()),
    ReportFormat.SARIF: sarif_report,
    ReportFormat.JUNIT: junit_report,
    ReportFormat.GITHUB: github_report,
    ReportFormat.GITLAB: gitlab_report,
}
"""Functions that return a report as text, by format."""
