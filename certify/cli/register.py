"""``certify register`` and ``certify monitor``."""

import calendar
import datetime as dt
import re
from functools import partial
from pathlib import Path

import typer
from msgspec import to_builtins
from msgspec.structs import replace

from certify import library, storage
from certify.cli.formats import finding_text
from certify.cli.output import (
    FORMAT,
    QUIET,
    Format,
    Progress,
    day,
    expand,
    pairs,
    print_json,
    print_line,
    print_rows,
    print_text,
    refuse_with_json,
    table_text,
    warn,
)
from certify.commands.monitor import MonitorRequest, monitor_file
from certify.errors import NothingChecked, NotReadable
from certify.figures.targets import load_catalog
from certify.filing.identities import TrustOptions
from certify.filing.listing import FORMS, approval_json, by_jurisdiction, list_fields
from certify.filing.register import find
from certify.filing.register_check import check_register
from certify.formatting import count_noun, one_line, utc_minute
from certify.intake.files import read_register
from certify.model.analysis import Monitoring
from certify.model.approval import Approval, ApprovalStatus
from certify.model.encoding import finding_json
from certify.project_log import account_name
from certify.report.comparison import (
    build_table,
    everything,
    label,
    notes,
    outside,
)
from certify.report.comparison import picture as drawn
from certify.report.tables import table

FILE = typer.Option(Path("register.json"), "--file", help="Register file.")


register = typer.Typer(
    help="Manage the register of submissions and approvals.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@register.command("add")
def add(
    target: str = typer.Argument(
        help="Name of a filing of the project, or GAME, GAME/WAGER or GAME/WAGER/PAYTABLE."
    ),
    jurisdiction: str = typer.Option(
        "", help="Id of a jurisdiction, such as nevada or wsgc; required without a filing."
    ),
    status: ApprovalStatus = typer.Option(..., help="Status of the submission."),
    date: str = typer.Option(
        None, help="Date (YYYY-MM-DD) of the letter or the submission. Default: today."
    ),
    house_way: str = typer.Option(None, help="House way of a main wager."),
    letter: Path = typer.Option(None, help="Letter of the regulator, stored as a digest."),
    document: list[Path] = typer.Option(None, help="Filed document, stored as a digest."),
    revision: str = typer.Option(None, help="Decided revision, if several are pending."),
    conditions: str = typer.Option(None, help="Conditions of the decision."),
    effective: str = typer.Option(None, help="First day of the approval (YYYY-MM-DD)."),
    trial_until: str = typer.Option(None, help="Last day of a field trial (YYYY-MM-DD)."),
    file: Path = FILE,
) -> None:
    """Add an entry for a filing, or for each paytable under a target.

    A decision is about what was filed: it has the revision and the digests of the pending entry.
    Replaced entries become superseded.
    """
    from certify.filing.registration import Entry, describe_documents
    from certify.filing.registration import add as run

    entry = Entry(
        target=target,
        jurisdiction=jurisdiction,
        status=status,
        day=day("--date", date),
        house_way=house_way,
        letter=letter,
        documents=describe_documents(document or ()),
        revision=revision,
        conditions=conditions,
        effective=day("--effective", effective) if effective else None,
        trial_until=day("--trial-until", trial_until) if trial_until else None,
    )
    for record in run(file, entry):
        print_line(f"{record.id}  {record.status}  {record.target}")


@register.command("correct")
def correct(
    entry: str = typer.Argument(help="Id of an entry that is not superseded."),
    reason: str = typer.Option(..., help="Reason for the correction."),
    by: str = typer.Option(None, help="Person who corrects it. Default: the system's user."),
    status: ApprovalStatus = typer.Option(None, help="Correct status."),
    date: str = typer.Option(None, help="Correct date (YYYY-MM-DD)."),
    letter: Path = typer.Option(None, help="Correct letter, stored as a digest."),
    document: list[Path] = typer.Option(None, help="Correct filed documents, stored as digests."),
    revision: str = typer.Option(None, help="Correct revision; an entry must have it."),
    operator: str = typer.Option(None, help="Correct name of the operator."),
    conditions: str = typer.Option(None, help="Correct conditions of the decision."),
    effective: str = typer.Option(None, help="Correct first day of the approval (YYYY-MM-DD)."),
    trial_until: str = typer.Option(None, help="Correct last day of a field trial (YYYY-MM-DD)."),
    file: Path = FILE,
) -> None:
    """Add the corrected version of an entry; the earlier version stays, superseded."""
    from certify.filing.registration import correct as run
    from certify.filing.registration import describe_documents

    record = run(
        file,
        entry,
        by=by or account_name(),
        on=day("--date", None),
        reason=reason,
        status=status,
        day=day("--date", date) if date else None,
        letter=letter,
        documents=describe_documents(document or ()),
        revision=revision,
        operator=operator,
        conditions=conditions,
        effective=day("--effective", effective) if effective else None,
        trial_until=day("--trial-until", trial_until) if trial_until else None,
    )
    print_line(f"{record.id}  {record.status}  {record.target}  corrects {entry}")


@register.command("list")
def list_records(
    jurisdiction: str = typer.Option(None, help="List only entries of this jurisdiction."),
    matrix: bool = typer.Option(
        False, "--matrix", help="List the entries in force, with a column for each jurisdiction."
    ),
    csv: bool = typer.Option(False, "--csv", help="Print comma-separated values."),
    workbook: Path = typer.Option(None, help="Write the entries to this workbook (.xlsx)."),
    file: Path = FILE,
    output: Format = FORMAT,
) -> None:
    """List the entries, oldest first, and until when their documents are provable.

    That is the end as found when the entry was made; empty if it was not found for each PDF.
    """
    refuse_with_json(output, matrix=matrix, csv=csv, workbook=workbook)
    records = [
        approval
        for approval in read_register(file)[0].approvals
        if jurisdiction is None or approval.jurisdiction == jurisdiction
    ]
    if output is Format.JSON:
        print_json({"approvals": records}, FORMS)
        return
    if matrix or csv or workbook:
        names, lines = by_jurisdiction(records) if matrix else list_fields(records)
        print_rows(names, lines, csv=csv, workbook=workbook)
        return
    columns = "Entry | Target | House way | Jurisdiction | Status | Date | Provable until"
    rows = [
        (
            record.id,
            record.target,
            record.house_way or "",
            record.jurisdiction,
            str(record.status) + (f" by {record.superseded_by}" if record.superseded_by else ""),
            str(record.day),
            record.provable_until,
        )
        for record in records
    ]
    typer.echo(
        table_text(table("", columns, rows)) if rows else one_line(f"{file} has no entries.")
    )


@register.command("show")
def show(
    name: str = typer.Argument(help="Id of an entry or a filing, or a target."),
    file: Path = FILE,
    output: Format = FORMAT,
) -> None:
    """Show entries in full, with their digests."""
    records = find(read_register(file)[0], name)
    if output is Format.JSON:
        print_json({"approvals": records}, FORMS)
    else:
        typer.echo("\n\n".join(_text(record) for record in records))


@register.command("check")
def check(file: Path = FILE, *, quiet: bool = QUIET, output: Format = FORMAT) -> int:
    """Compare every entry in force with the current files."""
    findings, number = check_register(file, load_catalog())
    errors = [finding for finding in findings if finding.is_error]
    left = len(findings) - len(errors)
    others = f" {count_noun(left, 'other difference')}." if left else ""
    if not number:
        raise NothingChecked(
            f"{file} has no entries, so nothing was checked.",
            remedy="Add one with `certify register add`, or use --file.",
        )
    if output is Format.JSON:
        print_json({"findings": [finding_json(finding) for finding in findings], "checked": number})
    else:
        for finding in findings:
            typer.echo(finding_text(finding))
        if not quiet:
            typer.echo(
                f"{number} {'entry' if number == 1 else 'entries'} checked: {len(errors)} "
                f"changed.{others}"
            )
    return int(bool(errors))


@register.command("renewals")
@expand
def renewals(
    folders: list[Path] = typer.Argument(
        None,
        metavar="[FOLDER...]",
        help="Folders of filings, or signed PDF files. Default: the project, or this folder.",
    ),
    within: str = typer.Option(
        "12m", metavar="TIME", help="Time to look ahead: days or months, such as 90d or 12m."
    ),
    file: Path = FILE,
    *,
    options: TrustOptions,
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """List the filings that soon are no longer provable, the first to expire first.

    The exit code is 1 if a filing is listed. `certify renew` renews it.
    """
    from certify.commands.renew import list_renewals
    from certify.filing.verify import verify_file

    end = _look_ahead(dt.datetime.now(dt.UTC), within)
    due, number = list_renewals(
        folders or [library.project() or Path()],
        partial(verify_file, **options.read()),
        read_register(file)[0],
        end,
    )
    if output is Format.JSON:
        print_json({"until": end.isoformat(), "renewals": to_builtins(due), "checked": number})
        return int(bool(due))
    rows = [
        (
            utc_minute(each.provable_until) if each.provable_until else "not accepted",
            one_line(each.file),
            ", ".join(each.entries),
        )
        for each in due
    ]
    if rows:
        typer.echo(table_text(table("", "Provable until | File | Entries", rows)))
    for each in due:
        if not each.provable_until:
            print_text(f"{one_line(each.file)}: {one_line(each.verdict)}")
    if not quiet:
        ahead = utc_minute(end)
        print_text(
            f"{count_noun(number, 'document')} checked; to be renewed by {ahead}: {len(due)}."
        )
    return int(bool(due))


def _look_ahead(now: dt.datetime, text: str) -> dt.datetime:
    """Return the moment that lies some days or months after ``now``."""
    match = re.fullmatch(r"(\d{1,4})([dm])", text)
    if match is None:
        raise NotReadable(
            f"{text!r} is not a time.", remedy="Write days or months, such as 90d or 12m."
        )
    number = int(match[1])
    if match[2] == "d":
        return now + dt.timedelta(days=number)
    years, month = divmod(now.month - 1 + number, 12)
    last = calendar.monthrange(now.year + years, month + 1)[1]
    return now.replace(year=now.year + years, month=month + 1, day=min(now.day, last))


def _text(record: Approval) -> str:
    lines = {name: str(value) for name, value in approval_json(record).items()}
    lines.pop("parts_sha256", None)  # one for each sentence
    lines |= {"documents": ", ".join(f"{file.name} {file.sha256}" for file in record.documents)}
    if (change := record.correction) is not None:
        reason = f"{change.reason} ({change.person}, {change.on})"
        lines["correction"] = f"{change.entry}, {change.status} until then: {reason}"
    if record.filing is None:
        pays = record.paytables[0].pays.items()
        lines |= {"pays": ", ".join(f"{event} {payout}" for event, payout in pays)}
    else:
        contents = zip(record.targets, record.paytables, strict=True)
        listed = [f"{target} {each.content_sha256}" for target, each in contents]
        lines |= {"paytables": ", ".join(listed)}
    return pairs({name.replace("_", " "): value for name, value in lines.items() if value})


@expand
def monitor(
    request: MonitorRequest,
    picture: Path = typer.Option(
        None, help="Write bands and results as an SVG picture to this file."
    ),
    *,
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Compare the results of a casino floor with the exact distribution of each wager.

    The exit code is 1 if a line or the total is outside its 99% band.
    """
    monitoring = monitor_file(replace(request, progress=Progress("Counting")))
    if output is Format.JSON:
        print_json(monitoring.to_dict())
    elif not quiet:
        print_text(monitoring_text(monitoring))
    else:
        for line in outside_lines(monitoring):
            print_text(line)
    if picture is not None:
        storage.write_atomically(picture, drawn(monitoring).encode())
        warn(f"Wrote {picture}.")
    return int(any(outside(line) > 95 for line in everything(monitoring)))  # noqa: PLR2004 - the 99% band


def monitoring_text(monitoring: "Monitoring") -> str:
    """Return the monitoring results as text."""
    lines = [
        one_line(f"{number}  {label(line)}") for number, line in enumerate(monitoring.lines, 1)
    ]
    lines += ["", table_text(build_table(monitoring)), ""]
    return "\n".join([*lines, *outside_lines(monitoring), *notes(monitoring)])


def outside_lines(monitoring: "Monitoring") -> list[str]:
    """Return a line for each wager whose result is outside a band."""
    return [
        one_line(f"{label(line)}: outside the {level}% band.")
        for line in everything(monitoring)
        if (level := outside(line))
    ]
