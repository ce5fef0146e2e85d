"""Export: the pages of a desk that is read only, as files that a browser opens from a folder."""

import asyncio
import posixpath
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from starlette.types import ASGIApp, Message

from certify.desk.app import pages_of
from certify.desk.state import Desk
from certify.errors import InvariantBroken, NotConfigured
from certify.model.progress import Progress

LINK = re.compile(r'(?<= )(href|src)="(/[^"#]*)(#[^"]*)?"')
"""A link to another page; in text, quotation marks are written as entities."""

LIVE = re.compile(r' hx-[a-z-]+="[^"]*"')
"""What only the script reads."""

FILES = (".json", ".css", ".svg")
"""Endings of addresses that are no page."""

DEFECT = 500
"""The status of a page that failed; any other is whole, or says in plain words what is wrong."""


def export(folder: Path, progress: Progress | None = None) -> int:
    """Write every page into a new folder; return how many files there are.

    Nothing is there before all is there.

    Raises:
        NotConfigured: the folder is not empty, or cannot be written.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise NotConfigured(
            f"{folder} is not an empty folder, and nothing was written.",
            remedy="Name a folder that is not there yet, or empty this one.",
        )
    files = asyncio.run(_files(progress))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        try:
            for name, data in files.items():
                path = beside / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            beside.chmod(0o755)
            if folder.exists():
                folder.rmdir()
            beside.rename(folder)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise NotConfigured(
            f"Cannot write {folder}: {error.strerror}.",
            remedy="Choose a folder that you may write to.",
        ) from error
    return len(files)


async def _files(progress: Progress | None) -> dict[str, bytes]:
    """Return every page that the first leads to, by its name below the folder."""
    app = pages_of(Desk(port=0, read_only=True))
    files: dict[str, bytes] = {}
    waiting = ["/"]
    known = set(waiting)
    while waiting:
        address = waiting.pop()
        data = await _asked(app, address)
        if _name(address).endswith(".html"):
            text = LIVE.sub("", data.decode())
            new = [link for link in _links(text) if link not in known]
            known.update(new)
            waiting += dict.fromkeys(new)
            data = _as_file(text, address).encode()
        files[_name(address)] = data
        if progress:
            progress(len(files), len(known))
    return files


async def _asked(app: ASGIApp, address: str) -> bytes:
    """Return what is answered at an address.

    Raises:
        InvariantBroken: the page failed.
    """
    said: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        said.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": address,
        "query_string": b"",
        "headers": [],
        "root_path": "",
    }
    await app(scope, receive, send)
    if said[0]["status"] == DEFECT:
        raise InvariantBroken(f"The page {address} failed.")
    return b"".join(message.get("body", b"") for message in said)


def _links(text: str) -> Iterator[str]:
    return (link[2] for link in LINK.finditer(text))


def _as_file(text: str, address: str) -> str:
    """Return a page with its links as they lead from its file to others."""
    here = posixpath.dirname(_name(address))

    def led(link: "re.Match[str]") -> str:
        return f'{link[1]}="{posixpath.relpath(_name(link[2]), here or ".")}{link[3] or ""}"'

    return LINK.sub(led, text)


def _name(address: str) -> str:
    """Return the file of a page: an address without an ending is a page of HTML."""
    name = address.strip("/") or "index"
    return name if name.endswith(FILES) else f"{name}.html"
