"""``certify check`` and ``certify audit``: check declared files and printed figures."""

import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import typer
from msgspec.structs import replace

from certify.checks.printed_numbers import format_like
from certify.cli.check_settings import (
    Settings,
    apply_settings,
    exclude,
    lock_baselines,
    merge_settings,
    print_result,
    settings,
)
from certify.cli.formats import (
    OUTPUT,
    REPORT_FORMAT,
    ReportFormat,
    build_report,
    print_report,
    read_outputs,
    write_reports,
)
from certify.cli.options import expand
from certify.cli.output import QUIET, Progress, count_noun, table_text
from certify.errors import NotReadable
from certify.figures.audit import Audit, AuditRequest
from certify.figures.audit import audit as run_audit
from certify.formatting import exact
from certify.model.comparison import FigureJudgement
from certify.model.finding import Severity
from certify.model.source import PublishedFigure
from certify.report.tables import table
from certify.report.wording import name_in_print, names
from certify.review.request import CheckRequest, check_requested


@expand
def check(
    request: CheckRequest,
    fail_on: Severity = typer.Option(
        None, help="Exit with 1 on findings of this severity or higher. Default: error."
    ),
    baseline: Path = typer.Option(None, help="File of known findings to ignore."),
    *,
    stdin: bool = typer.Option(False, "--stdin", help="Read one file from standard input."),
    write_baseline: bool = typer.Option(
        False, "--write-baseline", help="Write the current findings to the --baseline file."
    ),
    notes: bool = typer.Option(False, "--notes", help="List notes instead of only counting them."),
    quiet: bool = QUIET,
    allow_not_judged: bool = typer.Option(
        False, "--allow-not-judged", help="Exit with 0 even if something could not be judged."
    ),
    output: ReportFormat | None = REPORT_FORMAT,
    outputs: list[str] = OUTPUT,
) -> int:
    """Validate declared files: JSON, schema, meaning, and figures that are quick to compute.

    A project is a folder with `certify.toml` and a folder `paytables`. For a folder that contains
    projects, the declared files of each project are checked.
    """
    output, files = output or settings().format or ReportFormat.TEXT, read_outputs(outputs or ())
    if stdin and (request.path is None or request.paths):
        raise NotReadable(
            "--stdin requires --path and no other file.",
            remedy="Write `certify check --stdin --path paytables/GAME/WAGER/ID.json`.",
        )
    if stdin:
        request = replace(request, paths=(sys.stdin.buffer.read(),))
    checked = check_requested(request, exclude(baseline))
    if request.artwork is not None:
        return print_report(build_report(checked.findings, checked.files), output)
    given = Settings(
        folder=Path(),
        select=request.select,
        ignore=request.ignore,
        fail_on=fail_on,
        baseline=baseline,
    )
    parts = [
        (merge_settings(given, settings(part.folder)), (*part.findings, *part.not_judged))
        for part in checked.parts
    ]
    baselines = [declared.baseline for declared, _ in parts if declared.baseline and write_baseline]
    with lock_baselines(baselines):
        report = apply_settings(
            parts,
            checked.files,
            write=write_baseline,
            whole=not (request.paths or request.changed_since),
        )
    report = replace(
        report,
        failing=report.errors if allow_not_judged else report.failing,
        notices=(*checked.notices, *report.notices),
        notes=notes,
        quiet=quiet,
    )
    code = print_report(report, output)
    write_reports(report, files)
    return code


@expand
def audit(
    request: AuditRequest,
    *,
    details: bool = typer.Option(
        False, "--details", help="Print every figure, and each discrepancy in full."
    ),
    quiet: bool = QUIET,
    output: ReportFormat | None = REPORT_FORMAT,
) -> int:
    """Compare every figure of a game's source with the recomputed one, and list discrepancies."""
    result = run_audit(replace(request, progress=Progress("Counting")))
    print_result(
        build_report(result.findings, result.checked, quiet=quiet),
        output,
        as_text=lambda: audit_text(result, details=details),
        as_json=result.to_dict,
    )
    return int(bool(result.failures))


def audit_text(result: Audit, *, details: bool) -> str:
    """Return the audit as text: its totals, the figures that do not plainly agree, discrepancies.

    Details are a table of the figures of each clause, and each discrepancy in full.
    """
    called = names("agreements")
    counts = ", ".join(f"{number} {called[kind]}" for kind, number in result.totals.items())
    totals = f"{count_noun(len(result.figures), 'printed figure')}: {counts}."
    lines = [f"{result.game.name}: {result.game.document.title}", "", totals, ""]
    if details:
        for clause, judgements in groupby(result.figures, lambda each: each.figure.source.clause):
            lines += [_figures_table(clause, judgements), ""]
    lines += _remarks(result, details=details)
    lines += [f"Discrepancies in the source: {len(result.discrepancies)}"]
    for case in result.discrepancies:
        head = f"{case.id} ({case.kind}): {case.title}"
        lines += ["", head] if details else [f"  {head}"]
        if details:
            lines += [
                f"  Where: {'; '.join(source.clause for source in case.sources)}",
                f"  Words: {' / '.join(f'“{words}”' for words in case.words)}",
                f"  Effect: {case.effect}",
                f"  Interpretation used: {case.resolution}",
            ]
    if not details:
        lines += ["", "For every figure and the whole of each discrepancy, add --details."]
    return "\n".join(lines)


def _figures_table(clause: str, judgements: "Iterable[FigureJudgement]") -> str:
    rows = [
        (
            judgement.figure.target.partition("/")[2],
            _what(judgement.figure),
            name_in_print("agreement", judgement.agreement),
            judgement.figure.printed,
            ""
            if judgement.recomputed is None
            else format_like(judgement.recomputed, judgement.figure.printed),
        )
        for judgement in judgements
    ]
    columns = "Paytable | Figure | Verdict | #Printed | #Recomputed"
    return table_text(table(clause, columns, rows))


def _what(figure: "PublishedFigure") -> str:
    words = str(figure.quantity).replace("_", " ")
    if figure.event:
        words += f": {figure.event}"
    if figure.players:
        words += f": {figure.players}"
    return words if figure.convention in ("plain", "prize") else f"{words} ({figure.convention})"


def _remarks(result: Audit, *, details: bool) -> list[str]:
    """Return a remark on each figure that does not plainly agree, in full on each failure."""
    lines = []
    for figure in result.figures:
        if figure.agreement == "agrees" and figure not in result.failures:
            continue
        verdict = name_in_print("agreement", figure.agreement)
        lines.append(f"{verdict}: {figure.figure.id}, printed {figure.figure.printed}")
        if not details and figure not in result.failures:
            continue
        if figure.recomputed is not None:
            lines.append(f"  Exactly {exact(figure.recomputed)}.")
        if figure.figure.reading:
            lines.append(f"  Interpretation: {figure.figure.reading}.")
        lines.append(f"  {figure.reason or 'No reason is given.'}")
    return [*lines, ""] if lines else lines
