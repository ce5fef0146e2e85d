"""``certify keys``: identities that sign, and roots that are trusted."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import typer

from certify.cli.given import read_bytes
from certify.cli.output import table_text
from certify.model.signatory import Signatory
from certify.pipeline.identities import folder, statement_of
from certify.report.tables import table
from certify.storage import write_atomically

TITLE = typer.Option(None, help="Title with which the person signs.")
COMPANY = typer.Option(None, help="For whom the person signs.")
LICENCE = typer.Option(None, "--license", help="License of the person or the company.")


group = typer.Typer(
    help="Identities that sign documents, and roots that are trusted.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@group.command("init-dev")
def init_dev(
    name: str = typer.Option(None, help="Who signs, as declared; nobody vouches for it."),
    title: str = TITLE,
    company: str = COMPANY,
    licence: str = LICENCE,
    *,
    if_missing: bool = typer.Option(
        False, "--if-missing", help="Do nothing if a valid development identity exists."
    ),
) -> None:
    """Make a one-year development identity: its documents are drafts and prove no identity."""
    from certify.intake.signatory import written
    from certify.signatures.identities.folder import identities, init_development, statement

    today = dt.datetime.now(dt.UTC).date()
    if if_missing:
        for stored in identities(folder()):
            if stored.certificate.development and stored.certificate.not_after.date() > today:
                typer.echo(f"{stored.path} exists: {stored.certificate.common_name}", err=True)
                return
    signatory = Signatory(name=name, title=title, company=company, licence=licence)
    data = written(signatory, folder())
    identity = init_development(folder(), name=name, today=today)
    if signatory != Signatory():
        (path,) = (
            stored.path
            for stored in identities(folder())
            if stored.certificate == identity.certificate
        )
        write_atomically(statement(path), data, mode=0o600)
    typer.echo(f"Made {identity.name} in {folder()}.")
    typer.echo("Documents signed with it are drafts: the signature proves that a file is")
    typer.echo("unchanged, not who made it.")


@group.command("describe")
def describe(
    identity: str = typer.Argument(
        help="An id of `certify keys list`, a PKCS#12 file, or the label of a key on a token."
    ),
    name: str = typer.Option(None, help="Who signs; the certificate's own name goes first."),
    title: str = TITLE,
    company: str = COMPANY,
    licence: str = LICENCE,
) -> None:
    """State who signs with an identity, as visible signatures print it; empty text unsays it."""
    from certify.intake.signatory import read_signatory, written

    path = statement_of(identity)
    given = {"name": name, "title": title, "company": company, "licence": licence}
    changed = {part: words or None for part, words in given.items() if words is not None}
    write_atomically(path, written(replace(read_signatory(path), **changed), path), mode=0o600)
    typer.echo(str(path))


@group.command("list")
def list_keys() -> None:
    """List identities and trusted roots."""
    from certify.signatures.identities.folder import identities, roots

    rows = [
        (stored.id, stored.certificate.common_name, stored.certificate.not_after.date().isoformat())
        for stored in identities(folder())
    ]
    if rows:
        typer.echo(table_text(table("", "identity | name | valid until", rows)))
    else:
        typer.echo("No identity. `certify keys init-dev` makes one for drafts; for submissions,")
        typer.echo("put a PKCS#12 file and its certificate (.pem) into the folder below.")
    for root in roots(folder()):
        typer.echo(f"trusted: {root.common_name}  SHA-256 {root.fingerprint}")
    typer.echo(f"Folder: {folder()}")


@group.command("trust")
def trust(
    certificate: Path = typer.Argument(help="A PEM file with the certificates to trust."),
) -> None:
    """Trust the certificates of a PEM file as roots from now on."""
    from certify.signatures.identities.folder import register_root

    for root in register_root(folder(), read_bytes(certificate)):
        typer.echo(f"Trusted: {root.common_name}  SHA-256 {root.fingerprint}")
