"""``certify submit``, ``countersign`` and ``renew``."""

import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from certify.cli.formats import finding_text
from certify.cli.options import expand
from certify.cli.output import (
    FORMAT,
    QUIET,
    Format,
    Progress,
    columns,
    count_noun,
    day,
    print_json,
    print_line,
    warn,
)
from certify.errors import CertifyError, InvariantBroken, NotConfigured, NotReadable, naming
from certify.filing.identities import (
    Signer,
    SignerOptions,
    Trust,
    TrustOptions,
    list_roots,
    open_identity,
)
from certify.locking import lock
from certify.model.approval import Role
from certify.model.encoding import pick_values
from certify.model.finding import Severity
from certify.model.game import Strategy
from certify.storage import read_bytes, write_atomically

if TYPE_CHECKING:
    from certify.commands.submit import WrittenSubmission
    from certify.signatures.identity import Identity

IDENTITY = typer.Option(
    None, help="Signing identity: an id of `certify keys list`, or a PKCS#12 file."
)
PASSWORD_FILE = typer.Option(None, help="File with the password or PIN of the identity.")
PKCS11_MODULE = typer.Option(None, help="Library of a hardware token.")
TOKEN = typer.Option(None, help="Label of the token.")
KEY = typer.Option(None, help="Label of the key on the token.")
TIMESTAMP_URL = typer.Option(None, help="RFC 3161 timestamp authority.")
LONG_TERM = typer.Option(
    False, "--long-term", help="Embed certificates, revocation data and timestamps (PAdES B-LTA)."
)


def load_identity(
    name: str | None,
    password_file: Path | None,
    module: Path | None,
    token: str | None,
    key: str | None,
) -> "Identity":
    """Return the identity that the options select; prompt for a password.

    Raises:
        CertifyError: there is none, or it cannot be opened.
    """
    signer = Signer(name=name, password_file=password_file, module=module, token=token, key=key)
    return open_identity(signer, ask)


def ask(prompt: str) -> str:
    """Ask for a password on the terminal."""
    if not sys.stdin.isatty():
        raise NotConfigured(
            "A password is required, but there is no terminal to enter it.",
            remedy="Use --password-file, or set CERTIFY_KEY_PASSWORD.",
        )
    answer: str = typer.prompt(prompt, hide_input=True, prompt_suffix="", err=True)
    return answer


def submit(
    game: str = typer.Argument(help="Id of the game."),
    jurisdiction: str = typer.Option(..., help="Id of a jurisdiction, such as nevada or wsgc."),
    out: Path = typer.Option(
        ..., help="Folder for the documents; signed documents in it are never replaced."
    ),
    paytable: list[str] = typer.Option(
        None,
        help="Paytable or main option to file; repeat for more. "
        "If no paytable is named, all are filed; the same holds for options.",
    ),
    house_way: str = typer.Option(None, help="House way of the dealer. Default: the game's own."),
    strategy: Strategy = typer.Option(None, help="Player strategy."),
    as_of: str = typer.Option(
        None,
        help="Date of the rules to apply (YYYY-MM-DD). Default: the revision date.",
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
        help="Register of approvals. Default: the project's register.json.",
    ),
    terms: Path = typer.Option(
        None, help="File of table terms: limits, linked meters, the laboratory's letter."
    ),
    *,
    long_term: bool = LONG_TERM,
    archive: bool = typer.Option(
        True,
        "--archive/--no-archive",
        help="With --long-term: timestamp the whole file too (without: B-LT).",
    ),
    unsigned: bool = typer.Option(
        False, "--unsigned", help="Write unsigned documents, marked UNSIGNED."
    ),
    kit: bool = typer.Option(False, "--kit", help="Add the laboratory kit (zip)."),
    accept_replaced: bool = typer.Option(
        False,
        "--accept-replaced",
        help="Accept replaced jurisdictions and templates; the documents declare them.",
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> None:
    """Write rules of play, mathematics report, letter and work memo as PDFs, with evidence."""
    from certify.commands.submit import Signing
    from certify.commands.submit import submit as run
    from certify.model.submission import Order

    signing = None
    if not unsigned:
        signing = Signing(
            identity=load_identity(identity, password_file, pkcs11_module, token, key),
            timestamp_url=timestamp_url,
            long_term=long_term,
            archive=archive,
            trust=(*list_roots(),),
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
    _say(run(order, signing=signing, out=out, progress=Progress("Counting")), output, quiet=quiet)


def _say(result: "WrittenSubmission", output: Format, *, quiet: bool) -> None:
    """Print the files to stdout; print findings, warnings and missing items to stderr."""
    from certify.report.submission import WIDTH, filed_text

    notes = [finding for finding in result.findings if finding.severity is Severity.NOTE]
    for finding in result.findings:
        if finding not in notes:
            typer.echo(finding_text(finding), err=True)
    if notes and not quiet:
        warn(f"{count_noun(len(notes), 'note')} on the declared files; see `certify check`.")
    for line in result.beside:
        warn(line)
    if not quiet:
        typer.echo("\n" + filed_text(result.submission, min(columns(), WIDTH)), err=True)
    if output is Format.JSON:
        print_json(result.to_dict())
        return
    for path in result.files:
        print_line(path)


@expand
def countersign(
    file: Path = typer.Argument(help="Signed PDF of a submission."),
    identity: str = IDENTITY,
    role: Role = typer.Option(
        Role.LABORATORY,
        "--as",
        metavar="<laboratory|approver|reviewer>",
        help="Role of the signer, whose field the signature fills. The documents of `certify "
        "submit` have fields for a laboratory and an approver; a reviewer's is in documents of "
        "templates with one second signature.",
    ),
    out: Path = typer.Option(
        None,
        metavar="FILE",
        help="New file for the result. Default: FILE with .countersigned before .pdf.",
    ),
    reason: str = typer.Option(
        None, help="Reason in the signature. Default: the reason of the role."
    ),
    location: str = typer.Option("", help="Location in the signature."),
    password_file: Path = PASSWORD_FILE,
    pkcs11_module: Path = PKCS11_MODULE,
    token: str = TOKEN,
    key: str = KEY,
    timestamp_url: str = TIMESTAMP_URL,
    statement: Path = typer.Option(
        None, metavar="FILE", help="Laboratory's statement of what was examined, to be signed."
    ),
    *,
    options: SignerOptions,
    long_term: bool = LONG_TERM,
    allow_lower_profile: bool = typer.Option(
        False,
        "--allow-lower-profile",
        help="Sign without the timestamps that the document has, and warn how long it then holds.",
    ),
) -> None:
    """Verify a signed document, and add the signature of a laboratory or an approver.

    The signature has the PAdES profile of the document, so a document with a timestamp needs
    --timestamp-url.
    """
    from certify.commands.renew import describe_lowered
    from certify.filing.verify import countersign as run

    target = out or file.with_suffix(f".countersigned{file.suffix}")
    _refuse_present(target)
    pdf, roots = read_bytes(file), options.read()
    stated = b"" if statement is None else read_bytes(statement)
    opened = load_identity(identity, password_file, pkcs11_module, token, key)
    with naming(file):
        data = run(
            pdf,
            identity=opened,
            role=role,
            reason=reason,
            location=location,
            **roots,
            signer=options.signer,
            timestamp_url=timestamp_url,
            long_term=long_term,
            allow_lower_profile=allow_lower_profile,
            statement=stated,
            warn=warn,
        )
        lowered = describe_lowered(pdf, data, **roots) if allow_lower_profile else ""
    _write_new(target, data, file)
    if lowered:
        warn(f"{target}: {lowered}")
    print_line(target)


def _refuse_present(target: Path) -> None:
    if target.exists():
        raise NotConfigured(
            f"{target} already exists and is not overwritten.",
            remedy="Use --out with another file.",
        )


def _write_new(target: Path, data: bytes, file: Path) -> None:
    """Write a new file with the permissions of the one that it was made from."""
    with lock(target.parent):
        write_atomically(target, data, mode=stat.S_IMODE(file.stat().st_mode), before=None)


@expand
def renew(
    files: list[Path] = typer.Argument(metavar="FILE...", help="Signed PDF files."),
    timestamp_url: str = typer.Option(..., help="RFC 3161 timestamp authority."),
    out: Path = typer.Option(
        None,
        metavar="FILE",
        help="New file for the result of a single FILE. Default: FILE with .renewed before .pdf.",
    ),
    *,
    options: TrustOptions,
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Add validation data and a timestamp to signed documents, before their certificates expire.

    Each document is verified before and after. Each result is a new file; a document that cannot be
    renewed does not stop the others.
    """
    if out is not None and len(files) > 1:
        raise NotReadable("--out names one file.", remedy="Renew one file at a time, or omit it.")
    from certify.commands.renew import renewed_path

    roots = options.read()
    results, exit_code = [], 0
    for file in files:
        try:
            with naming(file):
                results.append(_renew(file, out or renewed_path(file), timestamp_url, roots))
        except CertifyError as error:
            if len(files) == 1 or isinstance(error, InvariantBroken):
                raise
            exit_code = max(exit_code, error.exit_code)
            results.append({"file": str(file)} | pick_values(error, "message", "remedy"))
            warn(f"Error: {error.message}")
            warn(f"  Fix: {error.remedy}")
            continue
        if not quiet:
            for line in results[-1]["notes"]:
                warn(f"{results[-1]['renewed']}: {line}")
        if output is Format.TEXT:
            print_line(results[-1]["renewed"])
    if output is Format.JSON:
        print_json({"results": results})
    return exit_code


def _renew(file: Path, target: Path, timestamp_url: str, roots: Trust) -> dict[str, Any]:
    """Write one renewed file; return the answer for scripts."""
    from certify.commands.renew import describe_renewal
    from certify.commands.renew import renew as run

    _refuse_present(target)
    renewal = run(read_bytes(file), timestamp_url=timestamp_url, **roots)
    _write_new(target, renewal.data, file)
    return {
        "file": str(file),
        "renewed": str(target),
        "provable_until": renewal.after.provable_until,
        "provable_before": renewal.before.provable_until,
        "profile": renewal.after.profile,
        "notes": describe_renewal(renewal),
    }
