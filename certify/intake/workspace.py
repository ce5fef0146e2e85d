"""Workspace: folders of declared data, files in memory over them, and the catalog they make.

A workspace is layers of folders (those that come with certify, a project's, or the folder of one
game) and overlays: contents by path that replace the files on disk. All that reads "this
file among those files" is one of these:

    unsaved buffer          find_workspace(path).overlay(path, data).load_context([path])
    file outside a project  Workspace().open_file(path)
    draft in the web app    replace_text(catalog, key, path, text)
    solver's read-back      Workspace().overlay(path, data).open_file(path, catalog)
    other interpretation    `apply_interpretation`, with the same `replace_entry`
    evidence in a PDF       the layers of a submission, unpacked: `read_catalog(*layers)`

Which files need which is decided in `layout` alone.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from certify import library
from certify.formatting import did_you_mean
from certify.intake.decode import decode
from certify.intake.faults import D010, D017
from certify.intake.files import File, read
from certify.intake.layout import (
    PAYTABLES,
    SHARED,
    Entry,
    PathNames,
    absolute,
    catalog_folder,
    depends_on,
    filing_place,
    find_place,
    game_folder,
    is_file,
    is_of_project,
    replace_entry,
)
from certify.intake.read import out_of_place, read_catalog, read_game
from certify.intake.schema import validate
from certify.intake.strict_json import scan
from certify.model.catalog import Catalog
from certify.model.finding import ROW_NAMES, Document, Finding, Unfit
from certify.model.jurisdiction import FILING
from certify.model.paytable import EntryOfWager
from certify.model.source import Alternative, Op, RecordChange

_OF_ENTRIES = ("paytable", "envy", "main-wager", "house-way", "jurisdiction", FILING)


class CheckContext(Struct, frozen=True, kw_only=True):
    """Some files, the catalog that they are checked in, and the faults that reading found.

    ``keys`` are those of the files in the catalog. ``faults`` are those of the files themselves,
    and of the files that they depend on.
    """

    catalog: Catalog
    keys: frozenset[str]
    faults: tuple[Finding, ...]


class OpenedFile(Struct, frozen=True, kw_only=True):
    """One file read on its own: its entry, the catalog with that entry, its faults.

    ``entry`` is None where the file has faults or is of another kind (a game, the events, ...).
    """

    entry: Entry | None
    catalog: Catalog
    file: File
    findings: tuple[Finding, ...]


class Workspace(Struct, frozen=True, kw_only=True):
    """Declared data on disk and in memory.

    Attributes:
        folder: the folder of declared data, or the folder of a game that is in none; None for what
            comes with certify and the user's project.
        is_game: whether it is the folder of a game.
        overlays: contents by absolute path, read in place of the files on disk.
    """

    folder: Path | None = None
    is_game: bool = False
    overlays: Mapping[Path, bytes] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.folder, self.is_game))  # a mapping has no hash

    def find_workspace(self, path: Path) -> "Workspace | None":
        """Return the workspace of a file; None if it has none."""
        folder = catalog_folder(path)
        game = game_folder(path) if folder is None else None
        if folder is None and game is None:
            return None
        return replace(self, folder=folder or game, is_game=folder is None)

    def for_filing(self, path: Path) -> "Workspace":
        """Return the workspace of the project that has a filing; this one for any other file."""
        if filing_place(path) is None:
            return self
        return replace(self, folder=absolute(path).parent.parent / PAYTABLES)

    @property
    def layers(self) -> tuple[Path, ...]:
        """The folders of declared data, each over the one before."""
        if self.folder is None:
            return library.layers()
        of_project = is_of_project(self.folder)
        return library.layers(self.folder.parent) if of_project else (self.folder,)

    def overlay(self, path: Path, data: bytes) -> "Workspace":
        """Return the workspace with other content at a path; the file need not exist."""
        return replace(self, overlays={**self.overlays, absolute(path): data})

    def has_file(self, path: Path) -> bool:
        """Return True if a file is in memory or on disk."""
        return absolute(path) in self.overlays or is_file(path)

    def load(self, games: Collection[str] | None = None) -> tuple[Catalog, tuple[Finding, ...]]:
        """Return the catalog of all declared entries without faults, and every fault.

        Args:
            games: ids of games; of the others only their own file is read. All if None.
        """
        if self.folder is None or self.is_game:
            base, shared = read_catalog(
                *library.layers(), games=() if self.is_game else games, overlays=self.overlays
            )
            if self.folder is None:
                return base, shared
            catalog, own_files = read_game(self.folder, base, overlays=self.overlays)
            return catalog, (*shared, *own_files)
        return read_catalog(*self.layers, games=games, overlays=self.overlays)

    def load_context(self, paths: Collection[Path]) -> CheckContext:
        """Load files of this folder with their dependencies and dependents.

        Every file is validated whether it is named or not: the findings do not depend on the number
        of named files.
        """
        games = {self._find_game_id(path) for path in paths}
        catalog, faults = self.load(None if None in games else {*filter(None, games)})
        key_of = {document.path: key for key, document in catalog.documents.items()}
        display = PathNames().display
        names = {display(path): path for path in paths}
        keys = frozenset(key_of[name] for name in names if name in key_of)
        left_out = {
            catalog.documents[left].path
            for left in catalog.left_out - keys
            if any(depends_on(key, left) for key in keys)
        }
        unread = names.keys() - key_of.keys() - {fault.file for fault in faults}
        return CheckContext(
            catalog=catalog,
            keys=keys,
            faults=(
                *(
                    fault
                    for fault in faults
                    if fault.file in names
                    or fault.file in left_out
                    or names.keys() & set(fault.related)
                ),
                *(fault for name in sorted(unread) for fault in self._explain_unread(names[name])),
            ),
        )

    def _find_game_id(self, path: Path) -> str | None:
        """Return the game in whose folder a file is; None for shared files."""
        if self.folder is None or self.is_game:
            return None
        *folders, _ = path.relative_to(self.folder).parts
        return folders[0] if folders and folders[0] not in SHARED else None

    def _explain_unread(self, path: Path) -> tuple[Finding, ...]:
        """Return the reason why a file below the folder was not read: it is missing or hidden."""
        return read(path, None, overlays=self.overlays).findings or (out_of_place(path),)

    def open_file(self, path: Path, catalog: Catalog | None = None) -> OpenedFile:
        """Read one file, and put its entry into a catalog in place of the one with its id.

        Args:
            path: the file, of any kind, anywhere.
            catalog: the catalog; if None, what the workspace declares for the file's game.
        """
        file = read(path, filing_place(path), overlays=self.overlays)
        if catalog is None:
            value = file.document.value
            game = value.get("game") if isinstance(value, dict) else None
            catalog, _ = self.load((game,) if isinstance(game, str) else None)
        nothing = OpenedFile(entry=None, catalog=catalog, file=file, findings=file.findings)
        if file.kind not in _OF_ENTRIES or not file.sound:
            return nothing
        entry: Entry = file.record
        if isinstance(entry, EntryOfWager):
            unknown = tuple(_undeclared_parents(file.document, entry, catalog))
            if unknown:
                return replace(nothing, findings=unknown)
        catalog = replace_entry(catalog, entry, file.document, last=True)
        return replace(nothing, entry=entry, catalog=catalog)


def replace_text(catalog: Catalog, key: str, path: Path, text: str) -> Catalog:
    """Return a catalog with another text of one of its files.

    Args:
        catalog: all that the entry depends on.
        key: the key of the entry.
        path: the path that the file would have.
        text: the whole file.

    Raises:
        Unfit: the text declares no such entry; the findings have line and column.
    """
    file = read(path, find_place(catalog, key), overlays={absolute(path): text.encode()})
    if file.kind is None or not file.sound:
        raise Unfit(file.findings)
    return replace_entry(catalog, file.record, file.document)


def _undeclared_parents(
    document: Document, entry: EntryOfWager, catalog: Catalog
) -> Iterator[Finding]:
    """Yield a game or a wager that the entry names and that is not declared."""
    game = catalog.games.get(entry.game)
    kind, name, names = "game", entry.game, tuple(catalog.games)
    if game is not None:
        kind, name, names = "wager", entry.wager, tuple(wager.id for wager in game.wagers)
    if name not in names:
        message = f"There is no {kind} {name}."
        yield document.finding(D010.id, f"/{kind}", message, did_you_mean(name, names))


_READ_OTHERWISE = ("game", "events", "house-way", "main-wager", "paytable", "envy")
"""Kinds that an interpretation may change: a wager's other declarations change no figure."""


class _Misplaced(Exception):
    """A place that a value does not have."""


def apply_interpretation(catalog: Catalog, owner: str, alternative: Alternative) -> Catalog:
    """Return the catalog by another interpretation.

    Args:
        catalog: the catalog; it holds every file that is changed.
        owner: the game or house way whose interpretations include the alternative.
        alternative: the other interpretation.

    Raises:
        Unfit: a position does not exist, or a changed file does not fit its schema; the finding is
            at the change. A file with other faults has no other finding.
    """
    for record in dict.fromkeys(change.record for change in alternative.changes):
        document = catalog.documents.get(record)
        if document is None:
            raise _unfit(catalog, owner, alternative, record, f"There is no file {record}.")
        parts = record.split("/")
        if any("/".join(parts[:end]) in catalog.left_out for end in range(1, len(parts) + 1)):
            raise Unfit(())
        changes = [change for change in alternative.changes if change.record == record]
        try:
            value = _apply_changes(document.value, changes)
        except _Misplaced as fault:
            raise _unfit(catalog, owner, alternative, record, str(fault)) from None
        kind = find_place(catalog, record)
        if kind is None or kind.kind not in _READ_OTHERWISE:
            message = f"An interpretation cannot change {record}."
            raise _unfit(catalog, owner, alternative, record, message)
        other = replace(document, value=value)
        for finding in validate(other, kind.kind):
            message = f"{record} would violate its schema at {finding.pointer}: {finding.message}"
            raise _unfit(catalog, owner, alternative, record, message)
        catalog = replace_entry(catalog, decode(kind.kind, value), other)
    return catalog


def apply_changes(catalog: Catalog, changes: Iterable[RecordChange]) -> Catalog:
    """Return the catalog with valid changes of its records.

    A change of a record or a place that does not exist has no effect.
    """
    for change in changes:
        document, place = catalog.documents.get(change.record), find_place(catalog, change.record)
        if document is None or place is None:
            continue
        with suppress(_Misplaced):
            value = _apply_changes(document.value, [change])
            entry = decode(place.kind, value)
            catalog = replace_entry(catalog, entry, replace(document, value=value))
    return catalog


ALTERNATIVES = "alternatives"
"""The folder of other interpretations, and their records in the catalog."""

_BY_GAME = {"published": "published", "second-counts": "second_counts"}
"""The records of the catalog by game, by the name of their file."""


def trim_catalog(catalog: Catalog, *, embedded: bool = False) -> Catalog:
    """Return the catalog without entries on files that it does not have, in its files too.

    The text of an ``embedded`` file stays as it was filed.
    """
    documents = dict(catalog.documents)
    fields: dict[str, dict[str, Any]] = {
        name: dict(getattr(catalog, name)) for name in ("games", "alternatives", *_BY_GAME.values())
    }
    for key, document in catalog.documents.items():
        value = _trim(key, document.value, catalog) if _names_files(key, catalog) else None
        if value in (None, document.value):
            continue
        text = document.text if embedded else trim_text(key, document.text, catalog)
        trimmed, _ = scan(text.encode(), document.path)
        documents[key] = replace(trimmed, value=value, evidence_path=document.evidence_path)
        owner, _, name = key.partition("/")
        if key in catalog.games:
            parts = decode("game", value)
            fields["games"][key] = replace(
                catalog.games[key],
                **{
                    part: getattr(parts, part)
                    for part in ("sections", "definitions", "assumptions")
                },
            )
        elif owner == ALTERNATIVES:
            fields[ALTERNATIVES][name] = decode(ALTERNATIVES, value)
        else:  # published figures may be left out already
            before = fields[_BY_GAME[name]].get(owner, ())
            fields[_BY_GAME[name]][owner] = tuple(
                each for each in decode(name, value) if each in before
            )
    return replace(catalog, documents=documents, **fields)


def trim_text(key: str, text: str, catalog: Catalog) -> str:
    """Return the text of a declared file without entries on files that a catalog does not have."""
    if not _names_files(key, catalog):
        return text
    value = json.loads(text)
    trimmed = _trim(key, value, catalog)
    return text if trimmed == value else json.dumps(trimmed, indent=2, ensure_ascii=False) + "\n"


def _names_files(key: str, catalog: Catalog) -> bool:
    """Return True for a file whose entries name other files: a game, figures, alternatives."""
    head, _, name = key.partition("/")
    return key in catalog.games or head == ALTERNATIVES or name in _BY_GAME


def _trim(key: str, value: Any, catalog: Catalog) -> Any:  # noqa: ANN401 - a JSON value
    game = key.partition("/")[0]

    def is_filed(entry: Any) -> bool:  # noqa: ANN401 - a JSON value
        if not isinstance(entry, dict):
            return True
        named = {entry.get("target"), entry.get("record")} - {None}
        if "wager" in entry:
            named.add(f"{game}/{entry['wager']}")
        return named <= catalog.documents.keys() and entry.get("changes") != []

    if isinstance(value, dict):
        return {
            name: [each for each in part if f"{game}/{each}" in catalog.documents]
            if name == "wagers"
            else _trim(key, part, catalog)
            for name, part in value.items()
        }
    if isinstance(value, list):
        return [part for each in value if is_filed(part := _trim(key, each, catalog))]
    return value


def misfit(catalog: Catalog, owner: str, alternative: Alternative, message: str) -> Finding:
    """Return the finding that an alternative cannot be applied, at its first change."""
    return _finding(catalog, owner, alternative, alternative.changes[0].record, message)


def _apply_changes(value: Any, changes: list[RecordChange]) -> Any:  # noqa: ANN401 - a JSON value
    record = deepcopy(value)
    for change in changes:
        *parents, last = change.path.split("/")[1:]
        inner = record
        for name in parents:
            inner = inner[_key(inner, name)]
        if isinstance(inner, list) and change.op is Op.ADD:
            at = len(inner) if last == "-" else _key(inner, last)
            inner.insert(at, deepcopy(change.value))
        elif change.op is Op.ADD and isinstance(inner, dict):
            inner[last] = deepcopy(change.value)
        elif change.op is Op.REMOVE:
            del inner[_key(inner, last)]
        else:
            inner[_key(inner, last)] = deepcopy(change.value)
    return record


def _key(value: Any, name: str) -> Any:  # noqa: ANN401 - a JSON value, and its key or index
    """Return the key or the index that a part of a path means."""
    if isinstance(value, dict) and name in value:
        return name
    if isinstance(value, list):
        for index, entry in enumerate(value):
            if isinstance(entry, dict) and name in map(entry.get, ROW_NAMES):
                return index
        if name in map(str, range(len(value))):
            return int(name)
    raise _Misplaced(f"There is no {name}.")


def _unfit(
    catalog: Catalog, owner: str, alternative: Alternative, record: str, message: str
) -> Unfit:
    return Unfit((_finding(catalog, owner, alternative, record, message),))


def _finding(
    catalog: Catalog, owner: str, alternative: Alternative, record: str, message: str
) -> Finding:
    place = next(i for i, change in enumerate(alternative.changes) if change.record == record)
    listed = catalog.alternatives[owner].alternatives
    return catalog.documents[f"alternatives/{owner}"].finding(
        D017.id,
        f"/alternatives/{listed.index(alternative)}/changes/{place}",
        f"The interpretation {alternative.id} cannot be counted. {message}",
        "Correct the change: the file must be valid and set every hand once.",
    )
