"""Middleware that checks host, session and origin, and the page that lets the owner in.

The web app answers on loopback only, and any page that the browser shows may send requests there.
Therefore the host must be ours (against DNS rebinding), the visitor must have the cookie that only
the owner's entry page gives, and changes must come from one of our pages. Each form also has a
token, which `certify.desk.answers` checks.
"""

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from certify import library
from certify.desk.jobs import Desk
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
    name = hashlib.sha256(os.fsencode(library.project() or Path.cwd())).hexdigest()[:16]
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


LARGEST = 64 * 1024 * 1024
"""Bytes of a request's body: a signed submission with its workbook is a tenth of it."""

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Of every page: nothing from elsewhere, and no script or style within the page."""

DOCUMENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"
)
"""Of a document that is previewed in a frame: it brings its own style, and no script runs."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # Browsers send `Origin: null` with the forms of a page that says `no-referrer`.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


LONGEST_ENTRY = 1024
"""Bytes of the form of the entry page that are read."""

WELCOME = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/">
<title>certify desk</title><a href="/">Open the web app</a></html>
"""
"""The answer to the entry page; browsers send a strict cookie only with what our page asks for."""


class Guard:
    """ASGI wrapper that rejects requests from outside the web app's own pages."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self._app = app
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with a plain message."""
        if scope["type"] != "http":
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, text in HEADERS.items():
                    headers.setdefault(name, text)
            await send(message)

        answer = await self._own_answer(scope, receive)
        if answer is not None:
            await answer(scope, receive, send_guarded)
        else:
            self._desk.touch()
            await self._app(scope, _limit_body(receive), send_guarded)

    async def _own_answer(self, scope: Scope, receive: Receive) -> Response | None:
        """Return the guard's response to a request; None to let it pass."""
        headers = {
            name.decode("latin-1"): text.decode("latin-1") for name, text in scope["headers"]
        }
        if headers.get("host") != self._desk.host:
            return PlainTextResponse(f"The web app answers only at {self._desk.origin}.", 421)
        match scope["method"], scope["path"]:
            case "GET", "/proof":
                return Response(prove(self._desk.entry, scope["query_string"].decode("latin-1")))
            case "POST", "/" if await self._enters(headers, receive):
                cookie = f"{self._desk.cookie}; Path=/; HttpOnly; SameSite=Strict"
                return HTMLResponse(WELCOME, headers={"set-cookie": cookie})
        return self._refuse(scope["method"], headers)

    def _refuse(self, method: str, headers: Mapping[str, str]) -> Response | None:
        """Return the refusal of a request without session, from elsewhere or too large, if any."""
        cookies = (cookie.strip().encode() for cookie in headers.get("cookie", "").split(";"))
        if not any(hmac.compare_digest(cookie, self._desk.cookie.encode()) for cookie in cookies):
            return PlainTextResponse(
                "This browser has not entered the web app. Run `certify desk` again in the "
                "project: it opens the running app.",
                403,
            )
        if method not in {"GET", "HEAD"} and headers.get("origin") != self._desk.origin:
            return PlainTextResponse("This request did not come from a page of the web app.", 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return PlainTextResponse(f"The request is larger than {LARGEST} bytes.", 413)
        return None

    async def _enters(self, headers: Mapping[str, str], receive: Receive) -> bool:
        """Return True if the entry page, which has no origin, sent its form with the token."""
        body, more = b"", headers.get("origin", "null") == "null"
        while more and len(body) < LONGEST_ENTRY:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        token = parse_qs(body.decode("latin-1")).get("token", [""])[-1]
        return hmac.compare_digest(token.encode(), self._desk.entry.encode())


def _limit_body(receive: Receive) -> Receive:
    """Return a receiver that ends a body larger than allowed."""
    taken = 0

    async def receive_part() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return {"type": "http.disconnect"} if taken > LARGEST else message

    return receive_part
