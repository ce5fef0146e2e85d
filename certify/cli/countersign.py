"""``certify countersign``: the signature of the laboratory, or of whoever approves."""

from pathlib import Path

import typer

from certify.cli.given import read_bytes, trusted_roots
from certify.cli.submit import ask
from certify.model.signatory import Role
from certify.storage import write_atomically


def countersign(
    file: Path = typer.Argument(help="A signed PDF of a submission."),
    identity: str = typer.Option(
        None, help="Who signs: an id of `certify keys list`, or a PKCS#12 file."
    ),
    role: Role = typer.Option(
        Role.LABORATORY, "--as", help="As whom: each role has a field of its own."
    ),
    out: Path = typer.Option(
        None, help="The countersigned file; FILE with .countersigned before .pdf if not given."
    ),
    reason: str = typer.Option(
        None, help="Why, in words that the signature carries; those of the role by default."
    ),
    location: str = typer.Option("", help="Where, likewise."),
    signer: str = typer.Option(None, help="Who must have signed it first: name or fingerprint."),
    trust: list[Path] = typer.Option(None, help="PEM file of a trusted root; only these count."),
    password_file: Path = typer.Option(None, help="File with the password or PIN of the identity."),
    pkcs11_module: Path = typer.Option(None, help="Library of a hardware token."),
    token: str = typer.Option(None, help="Label of the token."),
    key: str = typer.Option(None, help="Label of the key on the token."),
    timestamp_url: str = typer.Option(None, help="RFC 3161 timestamp authority."),
    *,
    long_term: bool = typer.Option(
        False, "--long-term", help="Embed what a later verification needs (B-LTA)."
    ),
) -> int:
    """Verify a signed document, and sign it further as laboratory or as approver."""
    from certify.pipeline.identities import Signer, open_identity
    from certify.pipeline.submit.countersign import countersign as run

    data = run(
        read_bytes(file),
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
        role=role,
        reason=reason,
        location=location,
        trust=trusted_roots(trust),
        signer=signer,
        timestamp_url=timestamp_url,
        long_term=long_term,
    )
    target = out or file.with_suffix(f".countersigned{file.suffix}")
    write_atomically(target, data)
    typer.echo(str(target))
    return 0
