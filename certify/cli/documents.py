"""``certify submit``, ``countersign``, ``verify`` and ``reproduce``."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from certify.cli.formats import finding_text
from certify.cli.output import (
    FORMAT,
    QUIET,
    Format,
    Progress,
    columns,
    count_noun,
    day,
    print_item,
    print_json,
    print_line,
    print_text,
    warn,
)
from certify.errors import NotConfigured, naming
from certify.model.approval import Role, RootRole
from certify.model.encoding import pick_values
from certify.model.finding import Severity
from certify.model.game import Strategy
from certify.pipeline.identities import Signer, list_roots, open_identity, read_trust
from certify.storage import read_bytes, write_atomically

if TYPE_CHECKING:
    from certify.pipeline.submit.submit import WrittenSubmission
    from certify.signatures.identity import Identity

IDENTITY = typer.Option(
    None, help="Signing identity: an id of `certify keys list`, or a PKCS#12 file."
)
PASSWORD_FILE = typer.Option(None, help="File with the password or PIN of the identity.")
PKCS11_MODULE = typer.Option(None, help="Library of a hardware token.")
TOKEN = typer.Option(None, help="Label of the token.")
KEY = typer.Option(None, help="Label of the key on the token.")
TIMESTAMP_URL = typer.Option(None, help="RFC 3161 timestamp authority.")
TRUST = typer.Option(
    None,
    help="PEM file of a root trusted in every role. Default: the roots of `certify keys list`.",
)
TRUST_PREPARER, TRUST_LABORATORY, TRUST_APPROVER, TRUST_TIME = (
    typer.Option(None, help=f"PEM file of a root trusted for {whom} only.")
    for whom in ("preparers", "laboratories", "approvers", "timestamp authorities")
)
ALLOW_SAME_ROOT = typer.Option(
    False,
    "--allow-same-root",
    help="Accept a laboratory or a timestamp authority under the preparer's root.",
)
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
    """Write rules of play, mathematics report and cover memo as signed PDFs, with evidence."""
    from certify.model.submission import Order
    from certify.pipeline.submit.submit import Signing
    from certify.pipeline.submit.submit import submit as run

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
    from certify.pipeline.submit.submit import submitted_json
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
        print_json(submitted_json(result))
        return
    for path in result.files:
        print_line(path)


def countersign(
    file: Path = typer.Argument(help="Signed PDF of a submission."),
    identity: str = IDENTITY,
    role: Role = typer.Option(
        Role.LABORATORY, "--as", help="Role of the signer; each role has its own field."
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
    signer: str = typer.Option(None, help="Required first signer: name or SHA-256 fingerprint."),
    trust: list[Path] = TRUST,
    trust_preparer: list[Path] = TRUST_PREPARER,
    trust_laboratory: list[Path] = TRUST_LABORATORY,
    trust_approver: list[Path] = TRUST_APPROVER,
    trust_time: list[Path] = TRUST_TIME,
    password_file: Path = PASSWORD_FILE,
    pkcs11_module: Path = PKCS11_MODULE,
    token: str = TOKEN,
    key: str = KEY,
    timestamp_url: str = TIMESTAMP_URL,
    *,
    allow_same_root: bool = ALLOW_SAME_ROOT,
    long_term: bool = LONG_TERM,
) -> None:
    """Verify a signed document, and add the signature of a laboratory or an approver."""
    from certify.pipeline.verify import countersign as run

    target = out or file.with_suffix(f".countersigned{file.suffix}")
    if target.exists():
        raise NotConfigured(
            f"{target} already exists and is not overwritten.",
            remedy="Use --out with another file.",
        )
    by_role = _list_by_role(trust_preparer, trust_laboratory, trust_approver, trust_time)
    pdf, roots = read_bytes(file), read_trust(trust, by_role, allow_same_root=allow_same_root)
    opened = load_identity(identity, password_file, pkcs11_module, token, key)
    with naming(file):
        data = run(
            pdf,
            identity=opened,
            role=role,
            reason=reason,
            location=location,
            **roots,
            signer=signer,
            timestamp_url=timestamp_url,
            long_term=long_term,
        )
    write_atomically(target, data)
    print_line(target)


def _list_by_role(*files: Sequence[Path] | None) -> dict[str, Sequence[Path] | None]:
    """Return the files of the options ``--trust-…``, in the order of `RootRole`."""
    return dict(zip(RootRole, files, strict=True))


def verify(
    files: list[Path] = typer.Argument(
        metavar="FILE...", help="Signed PDF files, folders of filings, or manifests."
    ),
    signer: str = typer.Option(
        None, help="Required signer: common name or SHA-256 fingerprint of the certificate."
    ),
    laboratory: str = typer.Option(
        None, help="Required signer in the role laboratory: name or fingerprint."
    ),
    approver: str = typer.Option(
        None, help="Required signer in the role approver: name or fingerprint."
    ),
    trust: list[Path] = TRUST,
    trust_preparer: list[Path] = TRUST_PREPARER,
    trust_laboratory: list[Path] = TRUST_LABORATORY,
    trust_approver: list[Path] = TRUST_APPROVER,
    trust_time: list[Path] = TRUST_TIME,
    *,
    allow_same_root: bool = ALLOW_SAME_ROOT,
    require_timestamp: bool = typer.Option(
        False, "--require-timestamp", help="Refuse a signature without a timestamp."
    ),
    require_revocation: bool = typer.Option(
        False, "--require-revocation", help="Refuse a document without all revocation data."
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Verify signatures, and report signers and changes; compare the files of a filing."""
    from certify.pipeline.filing_verdict import JudgedFiles, is_filing, verify_paths
    from certify.pipeline.verify import verify_file

    asked = {Role.LABORATORY: laboratory, Role.APPROVER: approver}
    others = {role: name for role, name in asked.items() if name is not None}
    roots = read_trust(
        trust,
        _list_by_role(trust_preparer, trust_laboratory, trust_approver, trust_time),
        allow_same_root=allow_same_root,
        require_timestamp=require_timestamp,
        require_revocation=require_revocation,
    )
    ask_each = partial(verify_file, **roots, signer=signer, countersigners=others)
    alone = len(files) == 1 and not is_filing(files[0])
    if alone:
        data = read_bytes(files[0])
        with naming(files[0]):
            judged = JudgedFiles(files=(ask_each(str(files[0]), data),))
    else:
        judged = verify_paths(files, ask_each)
    answers = [file.answer for file in judged.files]
    if output is Format.JSON:
        print_json(answers[0] if alone else judged.to_dict())
        return judged.exit_code
    passed = [] if len(answers) == 1 or quiet else _passed_by_each(answers)
    for answer in answers:
        _print(answer, quiet=quiet, apart=passed)
    if passed:
        print_text("Each file:")
        _print_checks(passed)
    for filing in judged.filings:
        _print(filing, quiet=quiet, apart=[])
    return judged.exit_code


def _passed_by_each(answers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the checks that each file passed with the same details."""
    first, *others = (answer["checks"] for answer in answers)
    return [each for each in first if each["passed"] and all(each in other for other in others)]


def _print_checks(checks: Iterable[Mapping[str, Any]]) -> None:
    for check in checks:
        mark = "ok    " if check["passed"] else "FAILED" if check["required"] else "open  "
        print_item(f"  {mark}  ", check["detail"])


def _print(answer: Mapping[str, Any], *, quiet: bool, apart: Sequence[Mapping[str, Any]]) -> None:
    """Print a verdict and its checks, without those that are printed ``apart``."""
    listed = answer["checks"]
    failed = [each for each in listed if each["required"] and not each["passed"]]
    shown = failed if quiet else [each for each in listed if each not in apart]
    if shown or not listed or not quiet:
        print_item("", f"{answer['file']}: {answer['verdict']}")
        _print_checks(shown)
        for path, change in answer.get("records", {}).items():
            words = "replaces the built-in one" if change == "replaces" else "is not certify's own"
            print_item("  note    ", f"The document declares that {path} {words}.")


def reproduce(
    file: Path = typer.Argument(help="Signed PDF of a submission."),
    signer: str = typer.Option(None, help="Required signer: name or SHA-256 fingerprint."),
    trust: list[Path] = TRUST,
    *,
    allow_same_root: bool = ALLOW_SAME_ROOT,
    figures_only: bool = typer.Option(
        False, "--figures-only", help="Ignore the signature and the pages."
    ),
    recount: bool = typer.Option(
        False, "--recount", help="Repeat the verification counts too (minutes)."
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Recompute every figure of a submitted PDF from its embedded evidence."""
    from certify.pipeline.submit.reproduce import reproduce as run

    roots, pdf = read_trust(trust, allow_same_root=allow_same_root), read_bytes(file)
    with naming(file):
        result = run(
            pdf,
            **roots,
            signer=signer,
            figures_only=figures_only,
            second_counts=recount,
            progress=Progress("Counting"),
        )
    if output is Format.JSON:
        print_json(
            {
                "verdict": result.verdict,
                "checks": [
                    pick_values(step, "id", "passed", "required", "detail") for step in result.steps
                ],
                "signer": result.signer,
                "figures_only": figures_only,
            }
        )
    elif not (quiet and result.agreed):
        print_item("", f"{file}: {result.verdict}")
        for step in result.steps:
            if quiet and (step.passed or not step.required):
                continue
            mark = "agrees " if step.passed else "DIFFERS" if step.required else "ignored"
            print_item(f"  {mark}  ", step.detail)
    return 0 if result.agreed else 1
