"""``certify submit``: the signed submission of a game for a jurisdiction."""

import datetime as dt
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from certify.cli.formats.as_text import finding_text
from certify.cli.output import FORMAT, QUIET, Format, Progress, columns, counted, print_json, warn
from certify.errors import NotConfigured, NotReadable
from certify.model.finding import Severity
from certify.model.game import Strategy

if TYPE_CHECKING:
    from certify.pipeline.submit.submit import Submitted


def submit(
    game: str = typer.Argument(help="The game's id."),
    jurisdiction: str = typer.Option(..., help="Id of a declared state, such as nevada or wsgc."),
    out: Path = typer.Option(..., help="Folder that receives the documents."),
    paytable: list[str] = typer.Option(
        None, help="Id of a paytable or main option to file; all paytables if none is given."
    ),
    house_way: str = typer.Option(None, help="The dealer's house way; the game's own by default."),
    strategy: Strategy = typer.Option(None, help="How the player sets the hand."),
    as_of: str = typer.Option(
        None,
        help="Apply the rules in force on this date (YYYY-MM-DD); the revision date if absent.",
    ),
    identity: str = typer.Option(
        None, help="Who signs: an id of `certify keys list`, or a PKCS#12 file."
    ),
    password_file: Path = typer.Option(None, help="File with the password or PIN of the identity."),
    pkcs11_module: Path = typer.Option(None, help="Library of a hardware token."),
    token: str = typer.Option(None, help="Label of the token."),
    key: str = typer.Option(None, help="Label of the key on the token."),
    timestamp_url: str = typer.Option(None, help="RFC 3161 timestamp authority."),
    register_file: Path = typer.Option(
        None, "--register", help="Register of approvals to consult."
    ),
    terms: Path = typer.Option(
        None, help="File with what the card room sets: limits, linked meters, the lab's letter."
    ),
    *,
    long_term: bool = typer.Option(
        False, "--long-term", help="Embed what a later verification needs (B-LTA)."
    ),
    archive: bool = typer.Option(
        True,
        "--archive/--no-archive",
        help="With --long-term: timestamp the whole file (B-LT if not).",
    ),
    unsigned: bool = typer.Option(False, "--unsigned", help="Write files that say so."),
    kit: bool = typer.Option(False, "--kit", help="Add a zip for laboratories."),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Write rules of play and mathematics report as signed PDF, with evidence and manifest."""
    from certify.pipeline.filing import Order
    from certify.pipeline.identities import Signer, open_identity, trusted
    from certify.pipeline.submit.submit import Signing
    from certify.pipeline.submit.submit import submit as run

    signing = None
    if not unsigned:
        signing = Signing(
            identity=open_identity(
                Signer(
                    name=identity,
                    password_file=password_file,
                    module=pkcs11_module,
                    token=token,
                    key=key,
                ),
                ask,
            ),
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
        as_of=_date(as_of),
        command=shlex.join(["certify", *_without_secrets(sys.argv[1:])]),
        kit=kit,
        register=register_file,
        terms=terms,
    )
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


def ask(prompt: str) -> str:
    """Ask for a password on the terminal."""
    if not sys.stdin.isatty():
        raise NotConfigured(
            "A password is needed, and there is no terminal to ask on.",
            remedy="Give --password-file, or set CERTIFY_KEY_PASSWORD.",
        )
    answer: str = typer.prompt(prompt, hide_input=True, prompt_suffix="", err=True)
    return answer


def _date(text: str | None) -> dt.date | None:
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise NotReadable(
            f"--as-of: {text} is not a date.", remedy="Write year-month-day, such as 2026-11-21."
        ) from error


def _without_secrets(arguments: list[str]) -> list[str]:
    """Return the arguments that decide the content: who signs and where to is left out."""
    hidden = {
        "--out", "--identity", "--password-file", "--pkcs11-module", "--token", "--key",
        "--timestamp-url", "--format",
    }  # fmt: skip
    flags = {"--long-term", "--archive", "--no-archive", "--unsigned", "--kit", "-q", "--quiet"}
    kept, skip = [], False
    for argument in arguments:
        name = argument.partition("=")[0]
        if skip:
            skip = False
        elif name in hidden:
            skip = "=" not in argument
        elif argument not in flags:
            kept.append(argument)
    return kept
