"""``certify check`` and ``certify audit``: check declared files and printed figures."""

from collections.abc import Iterable
from itertools import groupby

import typer
from msgspec.structs import replace

from certify.checks.quantities import format_like
from certify.cli.formats import (
    OUTPUT,
    REPORT_FORMAT,
    choose_format,
    print_report,
    print_result,
    read_outputs,
    write_reports,
)
from certify.cli.output import QUIET, Progress, expand, table_text, warn
from certify.figures.audit import Audit, AuditRequest
from certify.figures.audit import audit as run_audit
from certify.formatting import count_noun, exact
from certify.model.comparison import FigureJudgement
from certify.model.source import PublishedFigure
from certify.report.tables import table
from certify.report.wording import name_in_print, names
from certify.review.report import ReportFormat, build_report
from certify.review.request import CheckRequest, run_check


@expand
def check(
    request: CheckRequest,
    *,
    notes: bool = typer.Option(False, "--notes", help="List notes instead of only counting them."),
    quiet: bool = QUIET,
    output: ReportFormat | None = REPORT_FORMAT,
    outputs: list[str] = OUTPUT,
) -> int:
    """Validate declared files: JSON, schema, meaning, and figures that are quick to compute.

    A project is a folder with `certify.toml` and a folder `paytables`. For a folder that contains
    projects, the declared files of each project are checked.
    """
    output, files = choose_format(output), read_outputs(outputs or ())
    result = run_check(request)
    for sentence in result.written:
        warn(sentence)
    report = replace(result, notes=notes, quiet=quiet)
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
    return table_text(table(clause, "Paytable | Figure | Verdict | #Printed | #Recomputed", rows))


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
