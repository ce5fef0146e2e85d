"""Who signs, as `submit` and `countersign` are told it."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from certify.errors import NotConfigured

if TYPE_CHECKING:
    from certify.signatures.identities.identity import Identity

IDENTITY = typer.Option(None, help="Who signs: an id of `certify keys list`, or a PKCS#12 file.")
PASSWORD_FILE = typer.Option(None, help="File with the password or PIN of the identity.")
PKCS11_MODULE = typer.Option(None, help="Library of a hardware token.")
TOKEN = typer.Option(None, help="Label of the token.")
KEY = typer.Option(None, help="Label of the key on the token.")
TIMESTAMP_URL = typer.Option(None, help="RFC 3161 timestamp authority.")
LONG_TERM = typer.Option(
    False, "--long-term", help="Embed what a later verification needs (B-LTA)."
)


def identity_of(
    name: str | None,
    password_file: Path | None,
    module: Path | None,
    token: str | None,
    key: str | None,
) -> "Identity":
    """Return the identity that the options name; a password is asked for on the terminal.

    Raises:
        CertifyError: there is none, or it cannot be opened.
    """
    from certify.pipeline.identities import Signer, open_identity

    signer = Signer(name=name, password_file=password_file, module=module, token=token, key=key)
    return open_identity(signer, ask)


def ask(prompt: str) -> str:
    """Ask for a password on the terminal."""
    if not sys.stdin.isatty():
        raise NotConfigured(
            "A password is needed, and there is no terminal to ask on.",
            remedy="Give --password-file, or set CERTIFY_KEY_PASSWORD.",
        )
    answer: str = typer.prompt(prompt, hide_input=True, prompt_suffix="", err=True)
    return answer
