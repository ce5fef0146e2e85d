"""The page that opens the web app for its owner: a private file whose form posts the token.

Other users can read the arguments of a browser's process, but not this file. Its token is also the
key by which a running app proves to a second start that it is the one that wrote the file.
"""

import hashlib
import hmac
import os
import re
import secrets
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from certify import library
from certify.storage import home, private, read_private, write_atomically

LOOPBACK = "127.0.0.1"

PATIENCE = 5
"""Seconds that a running app has to answer."""

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>certify desk</title>
<form method="post" action="{origin}/"><input type="hidden" name="token" value="{token}">
<button>Open the web app</button></form><script>document.forms[0].submit()</script></html>
"""

_forms = re.compile(r'action="http://127\.0\.0\.1:([0-9]+)/">.* value="([^"]+)"').findall


def locate_page() -> Path:
    """Return the path of the page of this project, in a folder that only this user may access.

    Raises:
        NotPrivate: other users may write to the folder.
        OSError: it cannot be created.
    """
    place = os.fsencode(library.project() or Path.cwd())
    name = hashlib.sha256(place).hexdigest()[:16]
    return private(private(home()) / "desk") / f"{name}.html"


def write_page(page: Path, origin: str, token: str) -> None:
    """Write the page of a web app; it replaces that of one that has ended."""
    write_atomically(page, PAGE.format(origin=origin, token=token).encode(), mode=0o600)


def remove_page(page: Path, token: str) -> None:
    """Remove the page, unless another web app has replaced it."""
    if page.exists() and token.encode() in page.read_bytes():
        page.unlink(missing_ok=True)


def find_running(page: Path) -> int | None:
    """Return the port of the running web app that wrote the page; None if there is none.

    Another server may have taken the port, so it gets no secret and has to prove that it knows it.

    Raises:
        NotPrivate: other users may read or write the page.
    """
    nonce = secrets.token_hex()
    try:
        ((port, token),) = _forms(read_private(page).decode())
        with closing(HTTPConnection(LOOPBACK, int(port), timeout=PATIENCE)) as connection:
            connection.request("GET", f"/proof?{nonce}")
            answer = connection.getresponse().read(len(nonce))
    except (OSError, ValueError, HTTPException):
        return None
    return int(port) if hmac.compare_digest(answer, prove(token, nonce)) else None


def prove(token: str, nonce: str) -> bytes:
    """Return the digest of a text under the token."""
    return hmac.new(token.encode(), nonce.encode(), "sha256").hexdigest().encode()
