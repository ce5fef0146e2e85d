"""``certify countersign``: the signature of the laboratory, or of whoever approves."""

from pathlib import Path

import typer

from certify.cli.given import read_bytes, trusted_roots
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
from certify.errors import NotConfigured
from certify.model.signatory import Role
from certify.storage import write_atomically


def countersign(
    file: Path = typer.Argument(help="A signed PDF of a submission."),
    identity: str = IDENTITY,
    role: Role = typer.Option(
        Role.LABORATORY, "--as", help="As whom: each role has a field of its own."
    ),
    out: Path = typer.Option(
        None,
        help="The countersigned file, which must not exist; FILE with .countersigned before .pdf "
        "if not given.",
    ),
    reason: str = typer.Option(
        None, help="Why, in words that the signature carries; those of the role by default."
    ),
    location: str = typer.Option("", help="Where, likewise."),
    signer: str = typer.Option(None, help="Who must have signed it first: name or fingerprint."),
    trust: list[Path] = typer.Option(None, help="PEM file of a trusted root; only these count."),
    password_file: Path = PASSWORD_FILE,
    pkcs11_module: Path = PKCS11_MODULE,
    token: str = TOKEN,
    key: str = KEY,
    timestamp_url: str = TIMESTAMP_URL,
    *,
    long_term: bool = LONG_TERM,
) -> int:
    """Verify a signed document, and sign it further as laboratory or as approver."""
    from certify.pipeline.submit.countersign import countersign as run

    target = out or file.with_suffix(f".countersigned{file.suffix}")
    if target.exists():
        raise NotConfigured(
            f"{target} is there already, and is not overwritten.",
            remedy="Name another file with --out.",
        )
    data = run(
        read_bytes(file),
        identity=identity_of(identity, password_file, pkcs11_module, token, key),
        role=role,
        reason=reason,
        location=location,
        trust=trusted_roots(trust),
        signer=signer,
        timestamp_url=timestamp_url,
        long_term=long_term,
    )
    write_atomically(target, data)
    typer.echo(str(target))
    return 0
