"""``certify verify``: is this document authentic and unchanged, and by whom."""

from pathlib import Path

import typer

from certify.cli.given import read_bytes, trusted_roots
from certify.cli.output import FORMAT, QUIET, Format, print_json
from certify.errors import CertifyError
from certify.model.signatory import Role


def verify(
    files: list[Path] = typer.Argument(help="Signed PDF files."),
    signer: str = typer.Option(
        None, help="Who must have signed: the certificate's name or SHA-256 fingerprint."
    ),
    laboratory: str = typer.Option(None, help="Who must have signed as laboratory, likewise."),
    approver: str = typer.Option(None, help="Who must have signed as approver, likewise."),
    trust: list[Path] = typer.Option(
        None, help="PEM file of a trusted root; only these count. Default: `certify keys list`."
    ),
    *,
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Say whether documents are authentic and unchanged, and by whom they were signed."""
    from certify.pipeline.verify import unjudged, verified

    trust_in = trusted_roots(trust)
    asked = {Role.LABORATORY: laboratory, Role.APPROVER: approver}
    others = {role: name for role, name in asked.items() if name is not None}
    answers: list[dict[str, object]] = []
    worst = 0
    for path in files:
        try:
            verdict, answer = verified(
                str(path), read_bytes(path), trust=trust_in, signer=signer, countersigners=others
            )
        except CertifyError as error:
            if len(files) == 1:
                raise
            answers.append(unjudged(str(path), error))
            worst = max(worst, error.exit_code)
            continue
        worst = max(worst, 0 if verdict.authentic else 1)
        answers.append(answer)
    if output is Format.JSON:
        print_json(answers[0] if len(answers) == 1 else {"results": answers})
    else:
        for answer in answers:
            _print(answer, quiet=quiet)
    return worst


def _print(answer: dict[str, object], *, quiet: bool) -> None:
    checks = answer["checks"]
    listed = checks if isinstance(checks, list) else []
    shown = [each for each in listed if not quiet or (each["required"] and not each["passed"])]
    stated = answer.get("records")
    records = stated if isinstance(stated, dict) else {}
    if shown or not listed or not quiet:
        typer.echo(f"{answer['file']}: {answer['verdict']}")
        for check in shown:
            mark = "ok    " if check["passed"] else "FAILED" if check["required"] else "open  "
            typer.echo(f"  {mark}  {check['detail']}")
        for path, change in records.items():
            words = "replaces the built-in one" if change == "replaces" else "is not certify's own"
            typer.echo(f"  note    The document states that {path} {words}.")
