"""``certify verify`` and ``reproduce``."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import typer

from certify.cli.output import (
    FORMAT,
    QUIET,
    Format,
    Progress,
    print_item,
    print_json,
    print_text,
)
from certify.errors import naming
from certify.figures.provenance import is_template
from certify.filing.identities import read_trust
from certify.formatting import utc_minute
from certify.model.approval import Role, RootRole
from certify.model.encoding import pick_values
from certify.storage import read_bytes

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


def list_by_role(*files: Sequence[Path] | None) -> dict[str, Sequence[Path] | None]:
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
        False,
        "--require-revocation",
        help="Refuse a signature without data on the revocation of its certificates.",
    ),
    online: bool = typer.Option(
        False, "--online", help="Fetch the revocation data that the certificates name."
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Verify signatures, and report signers and changes; compare the files of a filing."""
    from certify.filing.verdict import JudgedFiles, is_filing, verify_paths
    from certify.filing.verify import verify_file

    asked = {Role.LABORATORY: laboratory, Role.APPROVER: approver}
    others = {role: name for role, name in asked.items() if name is not None}
    roots = read_trust(
        trust,
        list_by_role(trust_preparer, trust_laboratory, trust_approver, trust_time),
        allow_same_root=allow_same_root,
        require_timestamp=require_timestamp,
        require_revocation=require_revocation,
    )
    ask_each = partial(verify_file, **roots, signer=signer, countersigners=others, online=online)
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
    if shown or not listed or not quiet or answer.get("records"):
        print_item("", f"{answer['file']}: {answer['verdict']}")
        _print_checks(shown)
        for signature in answer.get("signatures", ()):
            if answer["profile"] and not quiet:
                print_item("  signed  ", _signing_times(signature))
            _print_statement(signature)
        if not quiet:
            _print_until(answer)
        for path, change in answer.get("records", {}).items():
            words = "replaces the built-in one" if change == "replaces" else "is not certify's own"
            if is_template(path):
                words += "; `certify reproduce` compares the figures on the pages"
            print_item("  note    ", f"The document declares that {path} {words}.")


def _print_until(answer: Mapping[str, Any]) -> None:
    """Print how long an authentic document is provable, and each signature of several."""
    if not answer.get("provable_until"):
        return
    until = utc_minute(answer["provable_until"])
    print_item(
        "  until   ",
        f"The document is provable until {until}, when a certificate expires; `certify renew` "
        "extends this time.",
    )
    for signature in answer["signatures"] if len(answer["signatures"]) > 1 else ():
        signed = f"The signature of {signature['name']!r} as {signature['role']}"
        until = utc_minute(signature["provable_until"])
        print_item("  until   ", f"{signed} is provable until {until}.")


def _signing_times(signature: Mapping[str, Any]) -> str:
    """Return when somebody signed, by the signer's clock and by timestamps."""
    clock, proof = (
        utc_minute(time) if time else "" for time in (signature["declared"], signature["existed"])
    )
    proven = f"a timestamp proves the signature at {proof}" if proof else "no timestamp proves it"
    who = f"{signature['name']!r} ({signature['role']})"
    return f"{who}: {clock} by the signer's clock; {proven}."


def _print_statement(signature: Mapping[str, Any]) -> None:
    """Print the statement in a laboratory's signature, or that there is none."""
    for line in signature["statement_lines"]:
        print_item("  stated  ", line)
    if signature["role"] == Role.LABORATORY and signature["statement"] is None:
        print_item(
            "  note    ", "The laboratory's signature has no statement of what was examined."
        )


def reproduce(
    file: Path = typer.Argument(help="Signed PDF of a submission."),
    signer: str = typer.Option(None, help="Required signer: name or SHA-256 fingerprint."),
    trust: list[Path] = TRUST,
    trust_preparer: list[Path] = TRUST_PREPARER,
    trust_laboratory: list[Path] = TRUST_LABORATORY,
    trust_approver: list[Path] = TRUST_APPROVER,
    trust_time: list[Path] = TRUST_TIME,
    *,
    allow_same_root: bool = ALLOW_SAME_ROOT,
    figures_only: bool = typer.Option(
        False, "--figures-only", help="Ignore the signature and the pages."
    ),
    recount: bool = typer.Option(
        False, "--recount", help="Repeat the verification counts too (minutes)."
    ),
    accept_replaced: bool = typer.Option(
        False, "--accept-replaced", help="Accept pages that templates of the preparer made."
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Recompute every figure of a submitted PDF from its embedded evidence."""
    from certify.commands.reproduce.reproduce import reproduce as run

    by_role = list_by_role(trust_preparer, trust_laboratory, trust_approver, trust_time)
    roots, pdf = read_trust(trust, by_role, allow_same_root=allow_same_root), read_bytes(file)
    with naming(file):
        result = run(
            pdf,
            **roots,
            signer=signer,
            figures_only=figures_only,
            second_counts=recount,
            accept_replaced=accept_replaced,
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
    elif not (quiet and result.agreed and not result.by_preparer):
        print_item("", f"{file}: {result.verdict}")
        for step in result.steps:
            if quiet and (step.passed or not step.required):
                continue
            mark = "agrees " if step.passed else "DIFFERS" if step.required else "ignored"
            print_item(f"  {mark}  ", step.detail)
    return 0 if result.agreed else 1
