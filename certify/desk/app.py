"""The web application: its pages, and the guard around them."""

import asyncio
import contextlib
import posixpath
import re
import signal
import socket
import threading
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message

from certify import library, storage
from certify.desk import (
    answers,
    cases,
    comparison,
    creation,
    design,
    explain,
    games,
    house_way,
    imports,
    paytable,
    register,
    rules,
    signers,
    sources,
    submission,
)
from certify.desk.answers import NotHere, get_route, page, post_route, render_error, takes_forms
from certify.desk.guard import LOOPBACK, Guard, find_running, locate_page, remove_page, write_page
from certify.desk.jobs import Desk
from certify.errors import CertifyError, InvariantBroken, NotConfigured
from certify.figures.evaluate import overview
from certify.model.encoding import Progress

PAGES = (
    games, paytable, design, imports, rules, sources, house_way, explain, comparison, cases,
    submission, register, creation, signers, answers,
)  # fmt: skip
"""The modules of pages; each has its ``ROUTES``."""

READABLE = (games, paytable, rules, house_way)
"""Modules with read-only pages."""

MENU = (
    ("Games", "/"),
    ("Rules", "/rules"),
    ("House ways", "/house-ways"),
    ("Explain", "/explain"),
    ("Compare", "/compare"),
    ("Cases", "/cases"),
    ("Verify", "/verify"),
    ("Register", "/register"),
    ("Log", "/log"),
    ("Jobs", "/jobs"),
)
"""Links above every page, if their page exists."""

STATIC = {
    "icon.svg": "image/svg+xml",
    "desk.css": "text/css; charset=utf-8",
    "desk.js": "text/javascript; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
    "sheet.js": "text/javascript; charset=utf-8",
}
"""The files that pages are made with, and what they are."""


def application(desk: Desk) -> "ASGIApp":
    """Return the application of a desk, guarded."""
    return Guard(build_pages(desk), desk)


def build_pages(desk: Desk) -> Starlette:
    """Return the pages of the web app; a read-only one has no forms."""
    modules = READABLE if desk.read_only else PAGES
    declared = [
        *(route for module in modules for route in module.ROUTES),
        get_route("/static/{name}", _static),
        post_route("/stop", _stop),
    ]
    routes = [route for route in declared if not (desk.read_only and takes_forms(route))]
    addresses = {route.path for route in routes}
    app = Starlette(
        routes=routes,
        exception_handlers={
            CertifyError: render_error,
            HTTPException: _answer_error,
            ClientDisconnect: lambda *_: Response(status_code=400),  # nobody reads it
            Exception: render_error,
        },
    )
    app.state.desk = desk
    app.state.menu = [entry for entry in MENU if entry[1] in addresses]
    return app


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise NotHere("There is no such file.")
    data = (library.templates() / "desk" / name).read_bytes()
    return Response(data, headers={"content-type": STATIC[name]})


def _stop(request: Request, form: "FormData") -> Response:
    running = request.app.state.desk.jobs.running
    if running and "end" not in form:
        return page(request, "stopping", jobs=running)
    answer = page(request, "stopped")
    request.app.state.desk.stop()
    return answer


def _answer_error(request: Request, error: Exception) -> Response:
    """Answer an error of Starlette: an unknown address, or an invalid form body."""
    status = getattr(error, "status_code", 404)
    if status == 404:  # noqa: PLR2004 - as RFC 9110 names it
        shown = re.sub(r"^(.{80}).+$", r"\1…", request.url.path, flags=re.DOTALL)
        remedy = "Choose a page from the menu."
        return render_error(request, NotHere(f"There is no page {shown}.", remedy=remedy))
    return PlainTextResponse(str(getattr(error, "detail", "")), status)


LOOK_AGAIN = 2
"""Seconds between two looks whether anybody is still there."""


def serve(
    *, port: int = 0, idle_minutes: int, open_browser: bool, say: Callable[[str], None]
) -> None:
    """Serve on loopback until the web app is closed, or open the one that runs in this project.

    Args:
        port: the port; 0 lets the system choose.
        idle_minutes: minutes without a request until it stops; 0 for never.
        open_browser: True to open the page that lets the browser in.
        say: prints a line.

    Raises:
        NotConfigured: the port is taken, or the folder of the page is open to others.
    """
    entry = locate_page()
    place = f"If no browser opens, open this file in one: {entry}"
    running = find_running(entry)
    if running is not None and port in (0, running):
        say(f"The web app of this project already runs at {Desk(port=running).origin}\n{place}")
        if open_browser:
            webbrowser.open(entry.as_uri())
        return
    listening = _bind(port)
    server, desk = prepare(listening)
    try:
        write_page(entry, desk.origin, desk.entry)
        # From here on a signal sets a flag: an exception would break the event loop, or the ending.
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: desk.stop())
        say(f"The web app runs at {desk.origin}")
        say(f"{place}\nStop with Ctrl-C, or with the button on the page.")
        if open_browser:
            # A browser in the terminal ends only when its user leaves it.
            address = (entry.as_uri(),)
            threading.Thread(target=webbrowser.open, args=address, daemon=True).start()
        if idle_minutes:
            threading.Thread(target=_watch, args=(desk, idle_minutes * 60), daemon=True).start()
        threading.Thread(target=_warm, daemon=True).start()
        server.run(sockets=[listening])
    finally:
        remove_page(entry, desk.entry)
        desk.jobs.end()
    say("The web app is closed.")


def prepare(listening: socket.socket) -> tuple[uvicorn.Server, Desk]:
    """Return a server for a socket that listens, and its desk."""
    desk = Desk(port=listening.getsockname()[1])
    server = uvicorn.Server(
        uvicorn.Config(
            application(desk),
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=3,
        )
    )

    def stop() -> None:
        server.should_exit = True

    desk.stop = stop
    return server, desk


def _bind(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        raise NotConfigured(
            f"The port {port} cannot be used: {error}.", remedy="Omit --port."
        ) from error
    return listening


def _warm() -> None:
    """Load the catalog and compute the fast figures before the first request."""
    with contextlib.suppress(CertifyError):
        overview()


def _watch(desk: Desk, seconds: int) -> None:
    """Stop an idle web app."""
    while desk.idle() < seconds:
        time.sleep(LOOK_AGAIN)
    desk.stop()


LINK = re.compile(r'(?<= )(href|src)="(/[^"#]*)(#[^"]*)?"')
"""A link to another page; in text, quotation marks are written as entities."""

LIVE = re.compile(r' hx-[a-z-]+="[^"]*"')
"""Attributes that only the script reads."""

FILES = (".json", ".css", ".svg")
"""Endings of addresses that are no page."""

DEFECT = 500
"""HTTP status of a failed page; other statuses are complete pages, or errors in plain words."""


def export(folder: Path, progress: Progress | None = None) -> int:
    """Write every page into a new folder; return how many files there are.

    Nothing is there before all is there.

    Raises:
        NotConfigured: the folder is not empty, or cannot be written.
    """
    files = asyncio.run(_files(progress))
    storage.write_folder(folder, files, durable=False)
    return len(files)


async def _files(progress: Progress | None) -> dict[str, bytes]:
    """Return every page that the first leads to, by its name below the folder."""
    app = build_pages(Desk(port=0, read_only=True))
    files: dict[str, bytes] = {}
    waiting = ["/"]
    addresses = set(waiting)
    while waiting:
        address = waiting.pop()
        data = await _fetch_page(app, address)
        if _name(address).endswith(".html"):
            text = LIVE.sub("", data.decode())
            links = (link[2] for link in LINK.finditer(text))
            new = [link for link in links if link not in addresses]
            addresses.update(new)
            waiting += dict.fromkeys(new)
            data = _rewrite_links(text, address).encode()
        files[_name(address)] = data
        if progress:
            progress(len(files), len(addresses))
    return files


async def _fetch_page(app: ASGIApp, address: str) -> bytes:
    """Return the response to a request of an address.

    Raises:
        InvariantBroken: the page failed.
    """
    messages: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        messages.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": address,
        "query_string": b"",
        "headers": [],
        "root_path": "",
    }
    await app(scope, receive, send)
    if messages[0]["status"] == DEFECT:
        raise InvariantBroken(f"The page {address} failed.")
    return b"".join(message.get("body", b"") for message in messages)


def _rewrite_links(text: str, address: str) -> str:
    """Return a page with its links as they lead from its file to others."""
    here = posixpath.dirname(_name(address))

    def rewrite_link(link: "re.Match[str]") -> str:
        return f'{link[1]}="{posixpath.relpath(_name(link[2]), here or ".")}{link[3] or ""}"'

    return LINK.sub(rewrite_link, text)


def _name(address: str) -> str:
    """Return the file of a page: an address without an ending is a page of HTML."""
    name = address.strip("/") or "index"
    return name if name.endswith(FILES) else f"{name}.html"
