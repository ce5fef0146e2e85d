"""``certify init``, ``new``, ``import``, ``schema``, ``rule``, ``matrix`` and ``impact``."""

import difflib
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import typer
from msgspec import to_builtins
from msgspec.structs import replace

from certify.cli.output import (
    FORMAT,
    Format,
    day,
    expand,
    print_item,
    print_json,
    print_line,
    print_rows,
    print_text,
    refuse_with_json,
    table_text,
)
from certify.commands.imports.import_paytables import import_paytables
from certify.commands.imports.records import ImportedTable, ImportRequest
from certify.declare import blank as blank_records
from certify.declare import new as new_records
from certify.errors import NotConfigured, NotReadable
from certify.formatting import money
from certify.report.tables import table


def init(
    folder: Path = typer.Argument(Path(), help="Folder of the project; created if missing."),
) -> None:
    """Create a project; its files extend or replace those of the library."""
    _say_where(new_records.project(folder))
    print_item(
        "",
        f"Next, in {folder}: `certify new paytable` or `certify new game`, then `certify check`.",
    )


_OUT = typer.Option(None, help="Folder for the files. Default: their folder in the project.")


new = typer.Typer(
    help="Create declared files in the project.", no_args_is_help=True, rich_markup_mode=None
)


@new.command("game")
@expand
def game(request: new_records.GameRequest) -> None:
    """Create a game: a copy of another, or a blank one."""
    _say_where(blank_records.game(request))


@new.command("wager")
@expand
def wager(request: blank_records.WagerRequest) -> None:
    """Create a bonus wager, and add it to its game."""
    _say_where(blank_records.wager(request))


@new.command("paytable")
def paytable(
    target: str = typer.Argument(help="Id of the new paytable: GAME/WAGER/PAYTABLE."),
    clause: str = typer.Option(..., help="Clause of the game's document with the paytable."),
    like: str = typer.Option(None, help="Paytable of the wager to copy. Default: the first."),
    row: list[str] = typer.Option(
        None, help='Row of a new paytable, such as "flush=4 to 1"; repeat in printed order.'
    ),
) -> None:
    """Create a paytable: a copy, or from given rows."""
    if row:
        _say_where(blank_records.paytable(target, rows=row, clause=clause))
    else:
        _say_where(new_records.paytable(target, like=like, clause=clause))


@new.command("filing")
def filing(
    name: str = typer.Argument(help="Id of the new filing, such as nj-2027."),
    game: str = typer.Option(None, help="Id of the game. Default: that of the copied file."),
    jurisdiction: str = typer.Option(
        None, help="Id of the jurisdiction. Default: that of the copied file."
    ),
    like: str = typer.Option(
        None, metavar="FILING", help="Filing, or file of table terms, to copy."
    ),
) -> None:
    """Create a filing of a game in a jurisdiction: filings/NAME.json."""
    today = day("--date", None)
    _say_where(
        blank_records.new_filing(name, game=game, jurisdiction=jurisdiction, like=like, day=today)
    )


@new.command("revision")
def revision(
    game: str = typer.Argument(help="Name of a filing of the project, or id of a game."),
    text: str = typer.Option(..., help="Changes of the revision, as printed in the rules of play."),
    name: str = typer.Option(
        None,
        "--revision",
        metavar="NUMBER",
        help="Number of the revision. Default: the next number.",
    ),
    on: str = typer.Option(
        None, "--date", help="Date of the revision (YYYY-MM-DD). Default: today."
    ),
) -> None:
    """Raise the revision of a filing or a game, and record its changes."""
    from certify.declare.editing import revise
    from certify.filing.declaration import find_filing

    raised = revise if find_filing(game) is None else blank_records.revise_filing
    _say_where([raised(game, text=text, day=day("--date", on), revision=name)])


@new.command("event")
def event(
    name: str = typer.Argument(help="Id of the new event, such as six_card_flush."),
    text: str = typer.Option(..., help="Text of the event in the rules."),
    document: str = typer.Option(..., help="Id of the document that defines the hand."),
    clause: str = typer.Option(..., help="Clause of the document that defines it."),
    when: str = typer.Option(None, help="Condition as JSON; see docs/reference/features.md."),
    like: str = typer.Option(None, help="Event whose condition to copy."),
) -> None:
    """Create an event in the project."""
    _say_where(
        blank_records.event(name, text=text, when=when, like=like, document=document, clause=clause)
    )


@new.command("house-way")
def house_way(
    name: str = typer.Argument(help="Id of the new house way."),
    like: str = typer.Option(..., help="House way to copy."),
    out: Path | None = _OUT,
) -> None:
    """Create a house way as a copy of another."""
    _say_where(new_records.house_way(name, like=like, out=out))


@new.command("jurisdiction")
def jurisdiction(
    name: str = typer.Argument(help="Id of the new jurisdiction, such as ohio."),
    called: str = typer.Option(..., help="Printed name of the jurisdiction."),
    regulator: str = typer.Option(..., help="Regulator that approves games."),
    clause: str = typer.Option(..., help="Citation of its first rule, such as Code 3772-10."),
    address: str = typer.Option(..., help="Web address where you read the rule today."),
) -> None:
    """Create a jurisdiction with a first rule to complete."""
    _say_where(
        blank_records.jurisdiction(
            name,
            called=called,
            regulator=regulator,
            clause=clause,
            address=address,
            on=date.today(),  # noqa: DTZ011 - the day here
        )
    )


def _say_where(files: Iterable[Path]) -> None:
    for path in files:
        print_line(path)


@expand
def import_(request: ImportRequest, *, output: Format = FORMAT) -> int:
    """Import paytables from vendors' files into the project, all or nothing."""
    result = import_paytables(request)
    while output is Format.TEXT and sys.stdin.isatty():
        named = [each for each in result.questions if each.field == "matches"]
        if not named:
            break
        answers = {each.key: typer.prompt(f"{each.name} ({each.text}): event") for each in named}
        request = replace(request, matches={**request.matches, **answers})
        result = import_paytables(request)
    if output is Format.JSON:
        print_json(result.to_dict())
        return int(result.refused or result.differs)
    for imported in result.tables:
        print_text(_imported_text(imported))
    for note in result.notes:
        print_item("Note: ", note)
    for name, event in result.answered.items():
        print_item("Answer: ", f"{name}: {'left out' if event == '-' else event}")
    for question in result.questions:
        print_item("? ", f"{question.place}: {question.name}: {question.text}")
        print_item("    ", f"Answer: {question.answer}")
    _say_where(map(Path, result.written))
    if result.refused:
        print_text("Nothing was written: answer the questions, and resolve the differences.")
    return int(result.refused or result.differs)


def _imported_text(imported: ImportedTable) -> str:
    """Return a table as it was read, with its edge and its judged figures."""
    rows = [
        (row["name"], row["event"], row.get("pays") or money(row["prize_cents"]), reason)
        for row, reason in zip(imported.rows, imported.reasons, strict=True)
    ]
    edges = [f"house edge {imported.house_edge}" if imported.house_edge else ""]
    if imported.state == "differs" and imported.declared_edge:
        edges.append(f"declared {imported.declared_edge}")
    heading = ", ".join(
        filter(None, [f"{imported.target} ({imported.place}): {imported.state}", *edges])
    )
    lines = [
        heading,
        table_text(table("", "Printed | Event | #Pays | Found by", rows)),
        *imported.difference,
    ]
    if imported.figures:
        lines.append(f"Printed figures: {imported.agreeing} of {imported.figures} agree.")
    if imported.not_computed:
        lines.append(f"Printed figures that cannot be computed: {imported.not_computed}.")
    if first := imported.first_differing:
        lines.append(
            f"  DIFFERS: {first['place']}: {first['row']}: printed {first['printed']}, "
            f"computed {first['computed']}"
        )
    return "\n".join(lines) + "\n"


def schema(
    kind: str | None = typer.Argument(
        None, help="Kind of file, such as paytable. Default: list all kinds."
    ),
) -> None:
    """Print the JSON schema of a kind of file, or list the kinds."""
    from certify.figures.targets import unknown_id
    from certify.intake.schema import bundle_schema, kinds

    if kind is None:
        for name in kinds():
            typer.echo(name)
        return
    if kind not in kinds():
        raise unknown_id("schema", kind, kinds())
    print_json(bundle_schema(kind))


def rule(
    code: str = typer.Argument(None, help="Finding code, such as P004; `all` lists them."),
    *,
    tests: bool = typer.Option(False, "--tests", help="Print the rule tests for jurisdictions."),
    where: bool = typer.Option(
        False, "--where", help="Print file, line and name of the functions that find it."
    ),
) -> None:
    """Print the page of a finding code: meaning, reason, fix and examples."""
    from certify.intake.layout import display_path
    from certify.review.codes import CODES, find_functions

    if tests:
        print_text(_tests())
        return
    if code is None:
        raise NotReadable(
            "A finding code is missing.", remedy="Give a code, such as P004, or `all` to list them."
        )
    pages = {page.id: page for page in CODES}
    if code.lower() == "all":
        for page in CODES:
            print_item(f"{page.id}  {page.severity!s:7}  ", page.title)
        return
    page_found = pages.get(code.upper())
    if page_found is None:
        near = difflib.get_close_matches(code.upper(), pages, n=3, cutoff=0.4)
        raise NotConfigured(
            f"There is no finding code {code}.",
            remedy=f"Did you mean {', '.join(near)}?" if near else "`certify rule all` lists them.",
        )
    if where:
        for function in find_functions(page_found):
            file, line = function.__code__.co_filename, function.__code__.co_firstlineno
            typer.echo(f"{display_path(Path(file))}:{line} {function.__name__}")
        return
    print_text(f"{page_found.id} ({page_found.severity}): {page_found.title}\n")
    print_text(page_found.page())


def _tests() -> str:
    """Return every test of rules with its parameters, a paragraph for each."""
    from certify.checks.r_jurisdictions.judge import TESTS

    tests = []
    for test in TESTS.values():
        lines = [test.name, f"  {test.summary}"]
        for parameter in test.parameters:
            needed = (
                ""
                if parameter.required
                else f", with {parameter.requires_with}"
                if parameter.requires_with
                else ", optional"
            )
            lines.append(f"    {parameter.name} ({parameter.unit}{needed}): {parameter.meaning}")
        tests.append("\n".join(lines))
    return "\n\n".join(tests)


def matrix(
    game: str = typer.Argument(help="Id of the game."),
    csv: bool = typer.Option(False, "--csv", help="Print comma-separated values."),
    workbook: Path = typer.Option(None, help="Write the rows to this workbook (.xlsx)."),
    output: Format = FORMAT,
) -> None:
    """List what differs among the filings of a game: a row for each topic."""
    from certify.commands.submissions.filings import differences_json, list_differences

    refuse_with_json(output, csv=csv, workbook=workbook)
    names, rows = list_differences(game)
    if output is Format.JSON:
        print_json(differences_json(names, rows))
    elif rows or csv or workbook:
        lines = [[topic, *row] for topic, row in rows.items()]
        print_rows(["Topic", *names], lines, csv=csv, workbook=workbook)
    else:
        print_line(f"Nothing differs among these filings: {', '.join(names)}.")


def impact(
    target: str = typer.Argument(
        help="GAME, GAME/WAGER, GAME/WAGER/PAYTABLE or house-ways/ID that changes."
    ),
    output: Format = FORMAT,
) -> None:
    """List the filings that a change touches, with their revisions and regulators."""
    from certify.commands.submissions.filings import list_touched, touched_table

    touched = list_touched(target)
    if output is Format.JSON:
        print_json({"filings": to_builtins(touched)})
        return
    typer.echo(table_text(touched_table(touched)) if touched else "No filing rests on it.")
    needs = {each.jurisdiction: (each.requirement, each.citation) for each in touched}
    for jurisdiction, (requirement, citation) in needs.items():
        words = f"{requirement} ({citation})" if citation else "No rule on filing is declared."
        print_text(f"{jurisdiction}: {words}")
