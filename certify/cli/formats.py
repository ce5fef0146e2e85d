"""Reports as text, JSON and GitHub annotations, and dispatch to all formats."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from msgspec import Struct

from certify.cli.output import columns, count_noun, json_text, use_color, warn, wrap_line
from certify.errors import CertifyError, NotJudged, NotReadable
from certify.formatting import one_line
from certify.intake.layout import absolute, catalog_folder, game_folder
from certify.model.encoding import finding_json, pick_values
from certify.model.finding import NOT_JUDGED, Finding, Severity, Unfit, worst_first
from certify.received.files import PROJECT
from certify.storage import write_atomically


class ReportFormat(StrEnum):
    """Output format of findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    GITLAB = "gitlab"


class LeftOut(Struct, frozen=True, kw_only=True):
    """Findings that are not reported, with the reason, such as "by their code".

    A ``note`` says it in words, with who accepted them.
    """

    why: str
    findings: tuple[Finding, ...]
    note: str = ""

    def __str__(self) -> str:
        if self.note:
            return one_line(self.note)
        codes = Counter(finding.code for finding in self.findings)
        listed = ", ".join(f"{code}: {number}" for code, number in sorted(codes.items()))
        return f"Ignored {self.why}: {listed}."


class Stop(Struct, frozen=True, kw_only=True):
    """The reason why a command stopped without a result, and its exit code."""

    exit_code: int
    message: str
    remedy: str


class Report(Struct, frozen=True, kw_only=True):
    """Findings, worst first, and the checked files or targets.

    ``failing`` are the findings that make the command exit 1. ``notices`` are remarks on the run,
    not on a file. Text omits notes if ``notes`` is False, and everything except findings if
    ``quiet`` is True.
    """

    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    failing: frozenset[Finding] = frozenset()
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()
    notes: bool = True
    quiet: bool = False
    stop: Stop | None = None

    def fails(self, finding: Finding) -> bool:
        """Return True if a finding makes the command exit 1."""
        return finding in self.failing

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notices of the run, and the ignored findings, each on one line."""
        return (*map(one_line, self.notices), *map(str, self.left_out))

    @property
    def fingerprints(self) -> dict[Finding, str]:
        """Every finding with an identifier that no other one has, and that lines do not move."""
        times = Counter[tuple[str, ...]]()
        prints = {}
        for finding in self.findings:
            key = finding.code, repository_path(finding.file), finding.row
            times[key] += 1
            named = "\0".join((*key, str(times[key])))
            prints[finding] = hashlib.sha256(named.encode("utf-8", "surrogateescape")).hexdigest()
        return prints

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 4 if all that fails is that something was not judged."""
        if self.stop is not None:
            return self.stop.exit_code
        return 1 if self.errors else NotJudged.exit_code if self.failing else 0

    @property
    def errors(self) -> frozenset[Finding]:
        """The failing findings in what was judged."""
        return frozenset(each for each in self.failing if not each.code.startswith(NOT_JUDGED))

    @property
    def totals(self) -> str:
        """The closing line: the number of checked files and of findings."""
        left = sum(finding.code.startswith(NOT_JUDGED) for finding in self.findings)
        numbers = Counter(
            finding.severity for finding in self.findings if not finding.code.startswith(NOT_JUDGED)
        )
        kinds = ", ".join(count_noun(numbers[severity], str(severity)) for severity in Severity)
        more = f"; {left} not judged" if left else ""
        return f"{count_noun(len(self.checked), 'file')} checked: {kinds}{more}."


def repository_path(file: str) -> str:
    """Return a file as the CI system names it: relative to the checkout, or else to the project."""
    whole = absolute(Path(file))
    if not whole.parent.is_dir():
        return file  # a file of the library
    around = {str(folder): folder for folder in whole.parents}
    roots = [around.get(os.environ.get(name, "").rstrip(os.sep)) for name in CHECKOUTS]
    for mark in (".git", PROJECT):
        roots += [folder for folder in around.values() if (folder / mark).exists()]
    root = next(filter(None, roots), None)
    return whole.relative_to(root).as_posix() if root else file


CHECKOUTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Variables of GitHub and GitLab with the folder of the checkout."""


def build_report(
    findings: Iterable[Finding], checked: Iterable[str], *, quiet: bool = False
) -> Report:
    """Return a report with all findings."""
    listed = worst_first(findings)
    return Report(
        findings=listed,
        checked=tuple(checked),
        failing=filter_severity(Severity.ERROR, listed),
        quiet=quiet,
    )


def filter_severity(severity: Severity, findings: Iterable[Finding]) -> frozenset[Finding]:
    """Return the findings of at least a severity."""
    return frozenset(finding for finding in findings if finding.severity.is_at_least(severity))


def build_error_report(error: BaseException, message: str, exit_code: int) -> Report:
    """Return the report of a command that stopped early."""
    remedy = error.remedy if isinstance(error, CertifyError) else ""
    findings = error.findings if isinstance(error, Unfit) else ()
    listed = worst_first(findings)
    return Report(
        findings=listed,
        checked=(),
        failing=filter_severity(Severity.ERROR, listed),
        stop=Stop(exit_code=exit_code, message=one_line(message), remedy=one_line(remedy)),
    )


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
        if report.notes or finding.severity is not Severity.NOTE or report.fails(finding)
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


def json_report(report: Report) -> str:
    """Return the JSON report of the contract, with the ignored findings or the error."""
    value: dict[str, Any] = {}
    if report.stop is not None:
        value["error"] = pick_values(report.stop, "exit_code", "message", "remedy")
    value["findings"] = [finding_json(finding) for finding in report.findings]
    value["checked"] = len(report.checked)
    if report.notices:
        value["notices"] = list(report.notices)
    if report.left_out:
        value["ignored"] = [
            {
                "why": part.why,
                **({"note": part.note} if part.note else {}),
                **pick_values(finding, "code", "file", "pointer"),
            }
            for part in report.left_out
            for finding in part.findings
        ]
    return json_text(value)


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
    said = f"{finding.message}\n{finding.remedy}"
    return f"::{COMMANDS[finding.severity]} {written}::{_text(said)}"


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


def render(report: Report, output: ReportFormat) -> str:
    """Return a report in a format; those for other programs are loaded when needed."""
    if output is ReportFormat.TEXT:
        return text_report(report)
    if output is ReportFormat.JSON:
        return json_report(report)
    if output is ReportFormat.GITHUB:
        return github_report(report)
    text: str = getattr(import_module("certify.cli.ci_formats"), f"{output}_report")(report)
    return text


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
        write_atomically(path, (render(report, output) + "\n").encode())


def print_report(report: Report, output: ReportFormat) -> int:
    """Print a report to standard output; return the exit code."""
    text = render(report, output)
    if text:
        typer.echo(text, color=use_color())
    if output is ReportFormat.GITLAB:
        for remark in report.remarks:
            warn(remark)  # its format has no place for it
    return report.exit_code
