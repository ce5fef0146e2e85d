"""``certify submit``: the signed submission of a game for a jurisdiction."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from certify.cli.formats.as_text import finding_text
from certify.cli.given import day
from certify.cli.output import FORMAT, QUIET, Format, Progress, columns, counted, print_json, warn
from certify.cli.signing import (
    IDENTITY,
    KEY,
    LONG_TERM,
    PASSWORD_FILE,
    PKCS11_MODULE,
    TIMESTAMP_URL,
    TOKEN,
    identity_of,
)
from certify.model.finding import Severity
from certify.model.game import Strategy

if TYPE_CHECKING:
    from certify.pipeline.submit.submit import Submitted


def submit(
    game: str = typer.Argument(help="The game's id."),
    jurisdiction: str = typer.Option(..., help="Id of a declared state, such as nevada or wsgc."),
    out: Path = typer.Option(
        ..., help="Folder that receives the documents; a signed filing in it is never replaced."
    ),
    paytable: list[str] = typer.Option(
        None, help="Id of a paytable or main option to file; all paytables if none is given."
    ),
    house_way: str = typer.Option(None, help="The dealer's house way; the game's own by default."),
    strategy: Strategy = typer.Option(None, help="How the player sets the hand."),
    as_of: str = typer.Option(
        None,
        help="Apply the rules in force on this date (YYYY-MM-DD); the revision date if absent.",
    ),
    identity: str = IDENTITY,
    password_file: Path = PASSWORD_FILE,
    pkcs11_module: Path = PKCS11_MODULE,
    token: str = TOKEN,
    key: str = KEY,
    timestamp_url: str = TIMESTAMP_URL,
    register_file: Path = typer.Option(
        None,
        "--register",
        help="Register of approvals to consult; the project's register.json if not given.",
    ),
    terms: Path = typer.Option(
        None, help="File with what the card room sets: limits, linked meters, the lab's letter."
    ),
    *,
    long_term: bool = LONG_TERM,
    archive: bool = typer.Option(
        True,
        "--archive/--no-archive",
        help="With --long-term: timestamp the whole file (B-LT if not).",
    ),
    unsigned: bool = typer.Option(False, "--unsigned", help="Write files that say so."),
    kit: bool = typer.Option(False, "--kit", help="Add a zip for laboratories."),
    accept_replaced: bool = typer.Option(
        False,
        "--accept-replaced",
        help="Accept jurisdictions and templates that are not certify's own; the documents say so.",
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Write rules of play and mathematics report as signed PDF, with evidence and manifest."""
    from certify.model.filed import Order
    from certify.pipeline.identities import trusted
    from certify.pipeline.submit.submit import Signing
    from certify.pipeline.submit.submit import submit as run

    signing = None
    if not unsigned:
        signing = Signing(
            identity=identity_of(identity, password_file, pkcs11_module, token, key),
            timestamp_url=timestamp_url,
            long_term=long_term,
            archive=archive,
            trust=trusted(),
        )
    order = Order(
        game=game,
        jurisdiction=jurisdiction,
        paytables=tuple(paytable or ()),
        house_way=house_way,
        strategy=strategy,
        as_of=None if as_of is None else day("--as-of", as_of),
        kit=kit,
        register=register_file,
        terms=terms,
        accept_replaced=accept_replaced,
    )
    order = replace(order, command=order.shortest)
    _say(run(order, signing=signing, out=out, progress=Progress("Counting")), output, quiet=quiet)
    return 0


def _say(result: "Submitted", output: Format, *, quiet: bool) -> None:
    """Print the files; say beside them what was found, what was filed, and what is missing."""
    from certify.pipeline.submit.submit import submitted_json
    from certify.report.filed import WIDTH, filed_text

    notes = [finding for finding in result.findings if finding.severity is Severity.NOTE]
    for finding in result.findings:
        if finding not in notes:
            warn(finding_text(finding))
    if notes and not quiet:
        warn(f"{counted(len(notes), 'note')} on the declared data; see `certify check`.")
    for line in result.beside:
        warn(line)
    if not quiet:
        warn("\n" + filed_text(result.submission, min(columns(), WIDTH)))
    if output is Format.JSON:
        print_json(submitted_json(result))
        return
    for path in result.files:
        typer.echo(str(path))
