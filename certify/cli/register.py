"""``certify register``: what was filed where, and what became of it."""

from pathlib import Path

import typer

from certify.cli.formats.as_text import finding_text
from certify.cli.given import day
from certify.cli.output import FORMAT, QUIET, Format, counted, pairs, print_json, table_text
from certify.model.approval import Approval, ApprovalStatus
from certify.model.encoding import finding_json
from certify.pipeline.register.listing import FORMS, approval_json
from certify.report.tables import table

FILE = typer.Option(Path("register.json"), "--file", help="The register.")


group = typer.Typer(
    help="The register of approvals: what was filed where, and what became of it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@group.command("add")
def add(
    target: str = typer.Argument(help="GAME, GAME/WAGER or GAME/WAGER/PAYTABLE."),
    jurisdiction: str = typer.Option(..., help="Id of a declared state, such as nevada or wsgc."),
    status: ApprovalStatus = typer.Option(..., help="What became of the filing."),
    date: str = typer.Option(None, help="Day of the letter or the filing; today if not given."),
    house_way: str = typer.Option(None, help="The house way of a main wager."),
    letter: Path = typer.Option(None, help="The regulator's letter; its digest is kept."),
    document: list[Path] = typer.Option(None, help="A filed document; its digest is kept."),
    file: Path = FILE,
) -> int:
    """Add a record for each paytable under the target; what it replaces is kept as superseded."""
    from certify.pipeline.register.registration import Entry
    from certify.pipeline.register.registration import add as run

    entry = Entry(
        target=target,
        jurisdiction=jurisdiction,
        status=status,
        day=day("--date", date),
        house_way=house_way,
        letter=letter,
        documents=tuple(document or ()),
    )
    for record in run(file, entry):
        typer.echo(f"{record.id}  {record.status}  {record.target}")
    return 0


@group.command("list")
def list_records(
    jurisdiction: str = typer.Option(None, help="Only records of this jurisdiction."),
    file: Path = FILE,
    output: Format = FORMAT,
) -> int:
    """List the records in the order in which they were made."""
    from certify.intake.register import read_register

    records = [
        approval
        for approval in read_register(file)[0].approvals
        if jurisdiction is None or approval.jurisdiction == jurisdiction
    ]
    if output is Format.JSON:
        print_json({"approvals": records}, FORMS)
        return 0
    columns = "Record | Target | House way | Jurisdiction | Status | Date"
    rows = [
        (
            record.id,
            record.target,
            record.house_way or "",
            record.jurisdiction,
            _status(record),
            str(record.day),
        )
        for record in records
    ]
    typer.echo(table_text(table("", columns, rows)) if rows else f"{file} holds no record.")
    return 0


@group.command("show")
def show(
    name: str = typer.Argument(help="A record's id, or a target."),
    file: Path = FILE,
    output: Format = FORMAT,
) -> int:
    """Show records whole, with their digests."""
    from certify.intake.register import read_register
    from certify.pipeline.register.register import find

    records = find(read_register(file)[0], name)
    if output is Format.JSON:
        print_json({"approvals": records}, FORMS)
    else:
        typer.echo("\n\n".join(_text(record) for record in records))
    return 0


@group.command("check")
def check(file: Path = FILE, *, quiet: bool = QUIET, output: Format = FORMAT) -> int:
    """Compare every record in force with what is declared now."""
    from certify.errors import NothingChecked
    from certify.pipeline.register.register import check_register

    findings, number = check_register(file)
    if not number:
        raise NothingChecked(
            f"{file} holds no record, so nothing was checked.",
            remedy="Add one with `certify register add`, or name the register with --file.",
        )
    if output is Format.JSON:
        print_json({"findings": [finding_json(finding) for finding in findings], "checked": number})
    else:
        for finding in findings:
            typer.echo(finding_text(finding))
        if not quiet:
            typer.echo(f"{counted(number, 'record')} looked at: {len(findings)} changed.")
    return int(bool(findings))


def _text(record: Approval) -> str:
    lines = {name: str(stated) for name, stated in approval_json(record).items()}
    lines |= {"documents": ", ".join(f"{file.name} {file.sha256}" for file in record.documents)}
    return pairs({name.replace("_", " "): stated for name, stated in lines.items() if stated})


def _status(record: Approval) -> str:
    return (
        f"{record.status} by {record.superseded_by}" if record.superseded_by else str(record.status)
    )
