"""Deletion of games and paytables, with what refers to them, and their restoration."""

import contextlib
import datetime as dt
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from certify import library, storage
from certify.declare import user_state
from certify.declare.editing import DELETED
from certify.declare.new import check_id, format_record, write_missing
from certify.errors import CertifyError, NotConfigured
from certify.figures.targets import load_catalog
from certify.filing.declaration import list_filings
from certify.filing.listing import find_approvals
from certify.storage import lock

IDS: Final = ("targets", "paytables")
"""Lists of ids, which are omitted where they are empty."""


class Deleted(Struct, frozen=True, kw_only=True):
    """A deleted game or paytable, or a removed entry of a file, and its moment (ISO 8601).

    ``files`` counts the deleted files; ``text`` is that of an entry.
    """

    key: str
    at: str
    files: int
    text: str


def own_files(key: str) -> list[Path]:
    """Return the files of a game or a paytable in the project; none of the library's."""
    folder = (library.project() or library.root()) / "paytables"
    if folder.resolve() == library.paytables().resolve():
        return []
    for name in key.split("/"):
        check_id(name)
    file = folder / f"{key}.json"
    return sorted((folder / key).rglob("*.json")) if "/" not in key else [file] * file.is_file()


def is_own(game: str) -> bool:
    """Return True if a game is the project's own, and no built-in game."""
    return not (library.paytables() / game).is_dir() and bool(own_files(game))


def list_mentions(key: str) -> dict[Path, str]:
    """Return the other files of the project that name a game or a paytable, without it.

    The text is empty for a filing of the game, which is deleted too.

    Raises:
        NotConfigured: a filing has no other paytable.
    """
    deleted = {*own_files(key)}
    game = key.partition("/")[0]
    folder = library.own_paytables()
    files = {*(folder / game).rglob("*.json"), *list_filings().values()} - deleted
    texts = {}
    for path in sorted(files):
        data = storage.read_at_most(path)
        if key.encode() not in data and b"\\" not in data:  # nor written with escapes
            continue
        try:
            value = json.loads(data)
        except ValueError:
            continue  # a file with errors is reported on its own
        is_filing = path.parent != folder and path.parent.parent == folder.parent
        if is_filing and value.get("game") == key:
            texts[path] = ""
            continue
        left = _without(value, key)
        if left != value:
            if is_filing and "paytables" not in left:
                raise NotConfigured(
                    f"The filing {path.stem} has no other paytable.",
                    remedy="Select another paytable in that filing first.",
                )
            texts[path] = format_record(left).decode()
    return texts


def _without(value: Any, key: str) -> Any:  # noqa: ANN401 - a JSON value
    """Return a value without the items of lists that name a target, and lists of ids left empty."""
    if isinstance(value, dict):
        parts = {name: _without(part, key) for name, part in value.items()}
        return {name: left for name, left in parts.items() if left or name not in IDS}
    if isinstance(value, list):
        return [
            _without(part, key)
            for part in value
            if part != key and not (isinstance(part, dict) and part.get("target") == key)
        ]
    return value


def delete(key: str) -> None:
    """Delete the project's files of a game or a paytable, and where others name it; see `restore`.

    Raises:
        NotConfigured: it is approved or filed, has no file in the project, or a filing needs it.
    """
    with lock(library.own_paytables()):
        for approval in find_approvals(key):
            raise NotConfigured(
                f"{approval.target} is {approval.status} in "
                f"{load_catalog().jurisdiction_name(approval.jurisdiction)}.",
                remedy="Approved and filed content stays in the project.",
            )
        files = own_files(key)
        if not files:
            raise NotConfigured(
                f"{key} has no file in the project.", remedy="Library files cannot be deleted."
            )
        mentions = list_mentions(key)
        before = {path: _read(path) for path in mentions}
        texts = {path: _read(path) for path in (*files, *_paths(mentions, deleted=True))}
        former = user_state.load(DELETED, key) or {"values": {}}
        # Of an interrupted deletion some files are left as they were; of a finished one, none.
        begun = any(former["values"].get(_name(path)) == text for path, text in texts.items())
        earlier = former if begun else {"values": {}}
        changed = {
            _name(path): [before[path], mentions[path]] for path in _paths(mentions, deleted=False)
        }
        user_state.store(
            DELETED,
            key,
            {
                "base": "",
                "key": key,
                "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
                "values": earlier["values"] | {_name(path): text for path, text in texts.items()},
                "changed": earlier.get("changed", {}) | changed,
            },
        )
        try:
            for path in _paths(mentions, deleted=False):
                storage.write_atomically(
                    path, mentions[path].encode(), before=before[path].encode()
                )
            for path, text in texts.items():
                storage.remove(path, text.encode())
        except CertifyError:
            with contextlib.suppress(CertifyError):
                _write_back(texts, changed)
            raise


def list_deleted() -> list[Deleted]:
    """Return what can be restored in this project, the latest first."""
    entries = [
        Deleted(
            key=value["key"],
            at=value["at"],
            files=len(value.get("values", ())),
            text=value.get("text", ""),
        )
        for value in user_state.list_values(DELETED)
        if "key" in value
    ]
    return sorted(entries, key=lambda each: each.at, reverse=True)


def was_deleted(key: str) -> bool:
    """Return True if a game or a paytable can be restored."""
    return user_state.load(DELETED, key) is not None


def restore(key: str) -> None:
    """Write the files that were deleted last, and those that named them, unless they changed.

    Raises:
        NotConfigured: nothing was deleted, or a file is there again with other content.
    """
    with lock(library.own_paytables()):
        stored = user_state.load(DELETED, key)
        if stored is None:
            raise NotConfigured("Nothing was deleted.", remedy="Choose a game from the list.")
        folder = library.own_paytables()
        texts = {
            Path(os.path.normpath(folder / name)): text for name, text in stored["values"].items()
        }
        _write_back(texts, stored.get("changed", {}))
        user_state.discard(DELETED, key)


def _write_back(texts: Mapping[Path, str], changed: Mapping[str, list[str]]) -> None:
    """Write deleted files, then the former text of changed ones that nobody changed since."""
    write_missing({path: text.encode() for path, text in texts.items()})
    for name, (before, after) in changed.items():
        path = Path(os.path.normpath(library.own_paytables() / name))
        if storage.read_present(path) == after.encode():
            storage.write_atomically(path, before.encode(), before=after.encode())


def _paths(mentions: Mapping[Path, str], *, deleted: bool) -> Iterator[Path]:
    yield from (path for path, text in mentions.items() if (not text) is deleted)


def _name(path: Path) -> str:
    """Return a file's path from the folder of the project's paytables."""
    return Path(os.path.relpath(path, library.own_paytables())).as_posix()


def _read(path: Path) -> str:
    return storage.read_at_most(path).decode()
