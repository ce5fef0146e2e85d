"""``certify crosscheck``, ``diff`` and ``compare``."""

from pathlib import Path
from typing import Any

import typer
from msgspec.structs import replace

import certify_recount
from certify import library, storage
from certify.cli.formats import REPORT_FORMAT, print_result
from certify.cli.output import (
    FORMAT,
    QUIET,
    Format,
    Progress,
    expand,
    print_json,
    print_line,
    section_text,
    table_text,
    warn,
)
from certify.commands.compare import (
    HOUSE_WAYS,
    CompareRequest,
    CountsResult,
    analyze_target,
)
from certify.commands.compare import compare as run_comparison
from certify.commands.diff import DiffRequest, print_redline, view_redline
from certify.commands.diff import diff as run_diff
from certify.errors import NotReadable
from certify.figures.crosscheck import CrosscheckRequest
from certify.figures.crosscheck import crosscheck as run_crosscheck
from certify.formatting import csv_bytes, decimal, one_line, thousands
from certify.model.comparison import ChangeKind, CrossCheck, HouseWayComparison
from certify.model.encoding import PLACES
from certify.report.comparison import (
    house_way_chart,
    house_way_tables,
)
from certify.report.tables import Section, table
from certify.review.report import ReportFormat, build_report


@expand
def crosscheck(
    request: CrosscheckRequest,
    *,
    quiet: bool = QUIET,
    output: ReportFormat | None = REPORT_FORMAT,
) -> int:
    """Recount every figure of a target with independent code, and compare."""
    checks = run_crosscheck(replace(request, progress=Progress("Checking")))
    print_result(
        build_report(checks.findings, checks.checked, quiet=quiet),
        output,
        as_text=lambda: "\n\n".join(map(check_text, checks.checks)),
        as_json=checks.to_dict,
    )
    if checks.kept is not None:
        warn(f"Stored in {checks.kept}.")
    return int(not checks.agrees)


DECLARED = (
    "The project declares this verification count; it was not recounted. Use --again to recount it."
)


def _list_origin(check: "CrossCheck") -> list[str]:
    """Return the origin of a stored count that this recount has not made."""
    digest = certify_recount.digest()
    if check.declared:
        return [DECLARED]
    if check.counted is None or check.recount == digest:
        return []
    origin = f"certify {check.version} made the stored count on {check.counted}"
    if not check.recount:
        return [f"{origin}; the SHA-256 of its recount is not recorded. Use --again to recount it."]
    other = f"{origin} by another recount, SHA-256 {check.recount}"
    return [f"{other}; this one has {digest}. Use --again to recount it."]


def check_text(check: "CrossCheck") -> str:
    """Return one check as text."""
    rows = [
        (
            row.event,
            *(decimal(value, PLACES) for value in (row.exact, row.other, row.other - row.exact)),
            "agrees" if row.agrees else "DIFFERS",
        )
        for row in check.comparisons
    ]
    columns = "Outcome | #Counted | #Verification count | #Difference | #Verdict"
    verdict = "agrees" if all(row.agrees for row in check.comparisons) else "DIFFERS"
    return "\n".join(
        [
            one_line(check.target),
            f"Exact recount of {thousands(check.rounds)} hands or pairs: {verdict}",
            *_list_origin(check),
            "",
            table_text(table("", columns, rows)),
        ]
    )


@expand
def diff(
    request: DiffRequest,
    pdf: Path = typer.Option(None, help="Write the comparison as a PDF attachment to this file."),
    output: ReportFormat | None = REPORT_FORMAT,
    *,
    quiet: bool = QUIET,
) -> None:
    """Compare two paytables, games or house ways by meaning, with their filing requirements."""
    from certify.intake.files import own_templates

    if pdf is not None:
        from certify.report.compose import refuse_faulty_templates

        refuse_faulty_templates(own_templates(library.layers()))
    difference = run_diff(replace(request, progress=Progress("Counting")))
    view, _ = view_redline(difference, request.as_of)
    if pdf is not None:
        storage.write_atomically(pdf, print_redline(difference, request.as_of))
    print_result(
        build_report(difference.findings, difference.checked, quiet=quiet),
        output,
        as_text=lambda: diff_text(view),
        as_json=difference.to_dict,
    )


PARTS = ("rows", "facts", "figures")
UNCOUNTED = "Declared values were compared, and no figures (--main counts them):"
ONLY_GAME = "One side is not a filing: terms, jurisdiction and templates were not compared."


def diff_text(view: dict[str, Any]) -> str:
    """Return the redline as text."""
    way = view["house_way"]
    sections = [
        Section(
            title=record["title"],
            answer=f"Terms that changed: {record['terms']}." if record["terms"] else "",
            parts=tuple(record[name] for name in PARTS),
        )
        for record in view["records"]
    ]
    if way is not None:
        sections.append(
            Section(title="", answer=way["summary"], parts=(way["settings"], way["figures"]))
        )
    texts = [*filter(None, (one_line(view["title"]), view["differing"]))]
    texts += map(section_text, sections)
    texts += [values_text(view)] if view["declared"] else []
    if not sections and not view["declared"]:
        texts.append("No differences.")
    elif view["unchanged"] and view["records"]:
        texts.append(f"Unchanged: {', '.join(view['unchanged'])}")
    if view["uncounted"]:
        texts.append(f"{UNCOUNTED} {', '.join(view['uncounted'])}")
    if view["only_game"]:
        texts.append(ONLY_GAME)
    rules = f"Declared rules in force on {view['as_of']}"
    texts.append(section_text(Section(title=rules, parts=(view["filings"],))))
    texts.append("\n".join(one_line(f"{name}: {detail}") for name, detail in view["details"]))
    return "\n\n".join(texts)


def values_text(view: dict[str, Any]) -> str:
    """Return the changed values as text, with the removed and added words in wdiff's brackets."""
    marks = {ChangeKind.REMOVED: "[-{}-]", ChangeKind.ADDED: "{{+{}+}}", None: "{}"}
    lines = ["Rules of play, terms and other declared values"]
    if view["numbered_for"]:
        lines[0] += f" (numbers of the rules for {view['numbered_for']})"
    for value in view["declared"]:
        rule = f"{value.rule}  " if value.rule and not value.title else ""
        words = "".join(
            text[: len(text) - len(text.lstrip())] + marks[piece.change].format(text.lstrip())
            for piece in value.words
            for text in (piece.text,)
        )
        lines += ["", one_line(f"{rule}{value.name}"), one_line(f"  {words}")]
    return "\n".join(lines)


@expand
def compare(
    request: CompareRequest,
    picture: Path = typer.Option(
        None, help="Write the house edges to this file as an SVG picture."
    ),
    workbook: Path = typer.Option(None, help="Write all figures to this workbook (.xlsx)."),
    template: bool = typer.Option(
        False,
        "--template",
        help="Write a CSV file with the rows of the target for the laboratory to fill in.",
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Compare house ways of dealer and player, or a laboratory's counts with ours."""
    of_ways = request.what == HOUSE_WAYS
    if of_ways and template:
        raise NotReadable("--template is for counts of a laboratory.", remedy="Omit it.")
    if not of_ways and (picture or workbook):
        raise NotReadable("--picture and --workbook are for house ways.", remedy="Omit them.")
    if template:
        _template(Path(request.what), request.target)
        return 0
    result = run_comparison(replace(request, progress=Progress("Counting")))
    if isinstance(result, CountsResult):
        _print_counts(result, output, quiet=quiet)
        return int(not result.agrees)
    for name in result.unsound:
        warn(f"The house way {name} is omitted: it does not set every hand of this game.")
    _write(result, picture, workbook)
    if output is Format.JSON:
        print_json(result.to_dict())
    else:
        for part in house_way_tables(result):
            typer.echo(f"{table_text(part)}\n")
    return 0


def _write(result: "HouseWayComparison", picture: Path | None, workbook: Path | None) -> None:
    if picture is not None:
        from certify.report.charts import svg

        charts = {each.option.target: house_way_chart(result, each) for each in result.matrices}
        storage.write_atomically(picture, svg(f"{result.game.name}: house ways", charts))
    if workbook is not None:
        from certify.report.workbook import house_way_workbook

        storage.write_atomically(workbook, house_way_workbook(result))


def _print_counts(result: CountsResult, output: Format, *, quiet: bool) -> None:
    if output is Format.JSON:
        print_json(result.to_dict())
        return
    rows = [
        (
            cell.name,
            "–" if cell.ours is None else thousands(cell.ours),
            "–" if cell.theirs is None else thousands(cell.theirs),
            "agrees" if cell.agrees else "DIFFERS",
        )
        for cell in result.cells
        if not (quiet and cell.agrees)
    ]
    if quiet and not rows:
        return
    caption = f"{result.target} and {result.file}"
    typer.echo(table_text(table(caption, "Row | #Ours | #Theirs | ", rows)))
    different = sum(not cell.agrees for cell in result.cells)
    print_line(f"{len(result.cells)} rows compared, {different} different.")


def _template(path: Path, target: str) -> None:
    """Write the CSV that a laboratory fills in: every row, without a count."""
    rows = analyze_target(target, Progress("Counting")).rows
    lines = [(row.event, row.name, "") for row in rows]
    storage.write_atomically(path, csv_bytes(("event", "name", "combinations"), lines))
    print_line(f"Wrote {path}.")
