"""``certify audit``: every figure printed in a game's source against the recomputed one."""

from itertools import groupby
from typing import TYPE_CHECKING, Any

import typer

from certify.cli.formats.render import REPORT_FORMAT
from certify.cli.formats.report import ReportFormat, report_of
from certify.cli.gate import print_result
from certify.cli.output import QUIET, Progress, counted, table_text
from certify.model.encoding import Forms, as_json, chosen, stated
from certify.report.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from certify.model.audit import FigureJudgement
    from certify.model.published import Discrepancy, PublishedFigure
    from certify.model.source import Source
    from certify.pipeline.audit import Audit


def audit(
    game: str = typer.Argument(help="The game's id, or the folder of a game."),
    *,
    quiet: bool = QUIET,
    output: ReportFormat | None = REPORT_FORMAT,
) -> int:
    """Compute every figure printed in a game's source again, and list its discrepancies."""
    from certify.pipeline.audit import audit as run

    result = run(game, progress=Progress("Counting"))
    print_result(
        report_of(result.findings, result.checked, quiet=quiet),
        output,
        as_text=lambda: audit_text(result),
        as_json=lambda: audit_json(result),
    )
    return int(bool(result.failures))


def audit_json(result: "Audit") -> dict[str, Any]:
    """Return the audit for scripts."""
    from certify.formatting import ROUNDING
    from certify.model.audit import FigureJudgement
    from certify.model.published import Discrepancy
    from certify.model.source import Source

    value = {
        "game": result.game.id,
        "document": result.game.document.id,
        "rounding": ROUNDING,
        "figures": result.figures,
        "totals": result.totals,
        "discrepancies": result.discrepancies,
        "inputs": result.inputs,
        "engine": {"version": result.engine_version},
    }
    forms: Forms = {
        Discrepancy: _discrepancy_json,
        FigureJudgement: _figure_json,
        Source: _source_json,
    }
    written: dict[str, Any] = as_json(value, forms)
    return written


def _figure_json(judgement: "FigureJudgement") -> dict[str, Any]:
    from certify.checks.agreement import as_printed
    from certify.pipeline.audit import difference

    figure, value = judgement.figure, judgement.recomputed
    recomputed = (
        {}
        if value is None
        else {
            "recomputed": value,
            "recomputed_at_printed_precision": as_printed(value, figure.printed),
            "difference": difference(judgement) or 0 * value,
        }
    )
    return {
        "id": figure.id,
        "verdict": judgement.agreement,
        **chosen(figure, "target", "quantity", "convention", "printed"),
        **stated(chosen(figure, "event", "players")),
        **recomputed,
        **stated({"reading": figure.reading and str(figure.reading), "reason": judgement.reason}),
        "source": figure.source,
    }


def _source_json(source: "Source") -> dict[str, Any]:
    return stated(chosen(source, "document", "clause", "reconstructed"))


def _discrepancy_json(discrepancy: "Discrepancy") -> dict[str, Any]:
    named = ("id", "kind", "title", "words", "sources", "effect", "resolution", "targets")
    return chosen(discrepancy, *named)


def audit_text(result: "Audit") -> str:
    """Return the audit for people: a table for each clause, the totals, the discrepancies."""
    lines = [f"{result.game.name}: {result.game.document.title}", ""]
    for clause, judgements in groupby(result.figures, lambda figure: figure.figure.source.clause):
        lines += [_figures_table(clause, judgements), ""]
    lines += _remarks(result)
    lines.append(_totals(result))
    lines += ["", f"Discrepancies in the source: {len(result.discrepancies)}"]
    for case in result.discrepancies:
        lines += ["", *_discrepancy_lines(case)]
    return "\n".join(lines)


def _figures_table(clause: str, judgements: "Iterable[FigureJudgement]") -> str:
    from certify.checks.agreement import as_printed
    from certify.report.wording import named

    rows = [
        (
            judgement.figure.target.partition("/")[2],
            _what(judgement.figure),
            named("agreement", judgement.agreement),
            judgement.figure.printed,
            ""
            if judgement.recomputed is None
            else as_printed(judgement.recomputed, judgement.figure.printed),
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


def _remarks(result: "Audit") -> list[str]:
    """Return what is to be said of every figure that does not simply agree."""
    from certify.formatting import exact
    from certify.report.wording import named

    lines = []
    for figure in result.figures:
        if figure.agreement == "agrees" and figure not in result.failures:
            continue
        verdict = named("agreement", figure.agreement)
        lines.append(f"{verdict}: {figure.figure.id}, printed {figure.figure.printed}")
        if figure.recomputed is not None:
            lines.append(f"  Exactly {exact(figure.recomputed)}.")
        if figure.figure.reading:
            lines.append(f"  Reading: {figure.figure.reading}.")
        lines.append(f"  {figure.reason or 'The record gives no reason.'}")
    return [*lines, ""] if lines else lines


def _totals(result: "Audit") -> str:
    from certify.report.wording import names

    called = names("agreements")
    counts = ", ".join(f"{number} {called[kind]}" for kind, number in result.totals.items())
    return f"{counted(len(result.figures), 'printed figure')}: {counts}."


def _discrepancy_lines(case: "Discrepancy") -> list[str]:
    places = "; ".join(source.clause for source in case.sources)
    quoted = " / ".join(f"“{words}”" for words in case.words)
    return [
        f"{case.id} ({case.kind}): {case.title}",
        f"  Where: {places}",
        f"  Words: {quoted}",
        f"  Effect: {case.effect}",
        f"  Read here: {case.resolution}",
    ]
