"""How results and findings are printed: text for people, JSON for scripts."""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import typer

from certify.model.encoding import Forms, as_json, chosen
from certify.model.finding import Finding, Severity


class Format(StrEnum):
    """How a result is printed."""

    TEXT = "text"
    JSON = "json"


FORMAT = typer.Option(Format.TEXT, "--format", help="text for people, json for scripts.")

_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
_TAB_STOP = 4
_RELATED = 5


def print_json(value: object, forms: Forms | None = None) -> None:
    """Print records as JSON to standard output; escaped where the stream is not UTF-8."""
    written = as_json(value, forms)
    typer.echo(json.dumps(written, indent=2, ensure_ascii=not takes_all_characters()))


def takes_all_characters() -> bool:
    """Whether standard output is UTF-8; a file on Windows often is not."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "") == "utf8"


def warn(text: str) -> None:
    """Say something beside the result, on standard error."""
    typer.echo(text, err=True)


def sorted_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings worst first, then by place."""
    return sorted(
        findings, key=lambda one: (_ORDER[one.severity], one.file, one.line, one.column, one.code)
    )


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as the contract prints it."""
    named = ("code", "severity", "file", "pointer", "line", "column", "message", "remedy")
    return chosen(finding, *named)


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


def print_findings(findings: Sequence[Finding], names: Sequence[str], output: Format) -> None:
    """Print findings in the order given, and how many there are in the files ``names``."""
    if output is Format.JSON:
        found = [finding_json(finding) for finding in findings]
        print_json({"findings": found, "checked": len(names)})
        return
    for one in findings:
        typer.echo(finding_text(one))
    typer.echo(totals(findings, len(names)))


def totals(findings: Sequence[Finding], checked: int) -> str:
    """Return the closing line: what was checked and what was found."""
    counts = {
        severity: sum(finding.severity is severity for finding in findings) for severity in Severity
    }
    kinds = ", ".join(counted(counts[severity], str(severity)) for severity in Severity)
    return f"{counted(checked, 'file')} checked: {kinds}."


def counted(number: int, noun: str) -> str:
    """Return how many there are of something, in words."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """Return a plain table; the first ``left`` columns are flush left, the others flush right."""
    grid = [list(header), *([*row] for row in rows)]
    widths = [max(len(row[column]) for row in grid) for column in range(len(header))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in grid
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


class Progress:
    """A progress line on standard error, on a terminal only; otherwise silent."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = -1
        self._live = sys.stderr.isatty() and not os.environ.get("CI")

    def __call__(self, done: int, of: int) -> None:
        """Say that ``done`` parts of ``of`` are counted."""
        share = 100 * done // max(of, 1)
        if self._live and share != self._shown:
            self._shown = share
            end = "\n" if done >= of else ""
            sys.stderr.write(f"\r{self._what}: {share:3d}%{end}")
            sys.stderr.flush()


def pairs(values: Mapping[str, str]) -> str:
    """Return names and values in two columns."""
    width = max((len(name) for name in values), default=0)
    return "\n".join(f"{name.ljust(width)}  {value}" for name, value in values.items())
