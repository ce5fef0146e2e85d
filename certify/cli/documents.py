"""``certify submit``, ``countersign`` and ``renew``."""

import stat
import sys
from pathlib import Path
from typing import Any

import typer
from msgspec.structs import asdict, replace

from certify.cli.formats import finding_text
from certify.cli.output import (
    FORMAT,
    QUIET,
    Format,
    Progress,
    columns,
    expand,
    print_json,
    print_line,
    warn,
)
from certify.commands.submit import SubmitRequest, WrittenSubmission, run_request, submit_each
from certify.errors import CertifyError, InvariantBroken, NotConfigured, NotReadable, naming
from certify.filing.identities import (
    CountersignOptions,
    Signer,
    SignerOptions,
    Trust,
    TrustOptions,
    open_identity,
)
from certify.formatting import count_noun
from certify.model.encoding import pick_values
from certify.model.finding import Severity, Unfit
from certify.storage import lock, read_bytes, write_atomically


def ask(prompt: str) -> str:
    """Ask for a password on the terminal."""
    if not sys.stdin.isatty():
        raise NotConfigured(
            "A password is required, but there is no terminal to enter it.",
            remedy="Use --password-file, or set CERTIFY_KEY_PASSWORD.",
        )
    answer: str = typer.prompt(prompt, hide_input=True, prompt_suffix="", err=True)
    return answer


@expand
def submit(
    request: SubmitRequest,
    *,
    every: bool = typer.Option(
        False, "--all", help="Submit each filing of the project into its own folder below --out."
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Write rules of play, mathematics report, letter and work memo as PDFs, with evidence.

    With --all, a filing that is refused does not stop the others; the exit code is then 1.
    """
    run = replace(request, ask=ask, progress=Progress("Counting"))
    if not every:
        _say(run_request(run), output, quiet=quiet)
        return 0
    results, exit_code = [], 0
    for name, written in submit_each(run):
        if isinstance(written, CertifyError):
            exit_code = 1
            for finding in written.findings if isinstance(written, Unfit) else ():
                typer.echo(finding_text(finding), err=True)
            warn(f"Error: {written.message}")
            warn(f"  Fix: {written.remedy}")
            results.append({"filing": name} | pick_values(written, "message", "remedy"))
            outcome = f"refused: {written.message}"
        else:
            results.append({"filing": name} | written.to_dict())
            outcome = f"{count_noun(len(written.files), 'file')} in {request.out / name}"
        if output is Format.TEXT:
            print_line(f"{name}: {outcome}")
    if output is Format.JSON:
        print_json({"results": results})
    return exit_code


def _say(result: WrittenSubmission, output: Format, *, quiet: bool) -> None:
    """Print the files to stdout; print findings, warnings and missing items to stderr."""
    from certify.report.submission import WIDTH, filed_text

    notes = [finding for finding in result.findings if finding.severity is Severity.NOTE]
    for finding in result.findings:
        if finding not in notes:
            typer.echo(finding_text(finding), err=True)
    if notes and not quiet:
        warn(f"{count_noun(len(notes), 'note')} on the declared files; see `certify check`.")
    for line in result.other_notices:
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
    *,
    signer: Signer,
    options: CountersignOptions,
    trust: SignerOptions,
    out: Path = typer.Option(
        None,
        metavar="FILE",
        help="New file for the result. Default: FILE with .countersigned before .pdf.",
    ),
    statement: Path = typer.Option(
        None, metavar="FILE", help="Laboratory's statement of what was examined, to be signed."
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
    pdf, roots = read_bytes(file), trust.read()
    statement_bytes = b"" if statement is None else read_bytes(statement)
    identity = open_identity(signer, ask)
    with naming(file):
        data = run(
            pdf,
            identity=identity,
            **asdict(options),
            **roots,
            signer=trust.signer,
            statement=statement_bytes,
            warn=warn,
        )
        lowered = describe_lowered(pdf, data, **roots) if options.allow_lower_profile else ""
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
