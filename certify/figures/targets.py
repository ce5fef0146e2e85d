"""Targets of commands, and their valid entries."""

import json
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from certify import library
from certify.checks.framework import Context
from certify.checks.review import review
from certify.errors import NotConfigured, NotReadable
from certify.formatting import did_you_mean
from certify.intake.layout import absolute, list_deciding
from certify.intake.read import read_catalog
from certify.intake.workspace import Workspace
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.finding import Finding, Unfit
from certify.model.game import Game, Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.request import Contents, Target

_NAMED = 12
"""Most ids in a remedy."""

Record = Paytable | MainWager
"""Anything that can be evaluated."""

Known = TypeVar("Known")


class Selection(Struct, frozen=True, kw_only=True):
    """The entries of one game that a target selects, in declared order, with their catalog."""

    catalog: Catalog
    game: Game
    records: tuple[tuple[Wager, Record], ...]
    absent: tuple[Wager, ...] = ()

    @property
    def tables(self) -> tuple[tuple[Wager, Paytable], ...]:
        """The selected paytables, each with its wager."""
        return tuple(
            (wager, record) for wager, record in self.records if isinstance(record, Paytable)
        )


def select(target: Target, *, whole: bool = False) -> Selection:
    """Return the records that ``target`` names.

    Args:
        target: an id, the path of a file, or the contents of one.
        whole: True to read the whole game, not only the files that the target depends on.

    Raises:
        NotConfigured: nothing has that id; the remedy names similar ids.
        Unfit: a file that the target depends on has errors.
    """
    if not isinstance(target, str):
        path = absolute(UNSAVED)
        return _find_entries(UNSAVED, *_open(path, Workspace().overlay(path, encode(target))))
    path = Path(target)
    if path.suffix == ".json":
        return _select_file(path)
    game_id = target.partition("/")[0]
    layers = library.layers()
    ids = sorted({file.parent.name for layer in layers for file in layer.glob("*/game.json")})
    if game_id not in ids:
        raise unknown_id("game", game_id, ids)
    # A target that names a file needs only what that file rests on.
    only = target if not whole and library.find_declared(f"{target}.json") else game_id
    catalog, findings = read_catalog(*layers, only=only)
    refuse_errors(findings)
    if only != game_id and any(
        wager.options or any(looks_at_set_hands(catalog, table) for table in wager.paytables)
        for wager in catalog.games[game_id].wagers
    ):
        # The house ways decide how a hand is set, and all options of a main wager are counted in
        # one pass: both need the whole game.
        catalog, findings = read_catalog(*layers, only=game_id)
        refuse_errors(findings)
    return select_in(catalog, target)


def select_in(catalog: Catalog, target: str) -> Selection:
    """Return the records that a target names in a catalog.

    Raises:
        NotConfigured: nothing has that id; the remedy names similar ids.
    """
    game_id, _, rest = target.partition("/")
    wager_id, _, record_id = rest.partition("/")
    game = lookup("game", game_id, catalog.games)
    wagers = game.wagers
    if wager_id:
        wager = lookup("wager", wager_id, {wager.id: wager for wager in wagers})
        if record_id:
            record = lookup("paytable", record_id, {record.id: record for record in wager.records})
            return select_entries(catalog, game, {record.target})
        wagers = (wager,)
    absent = tuple(wager for wager in wagers if wager.absent is not None)
    targets = {record.target for wager in wagers for record in wager.records}
    return replace(select_entries(catalog, game, targets), absent=absent)


def select_entries(
    catalog: Catalog, game: Game, targets: Container[str | None] | None = None
) -> Selection:
    """Return the records of a game, or those with these targets, in declared order."""
    return Selection(
        catalog=catalog,
        game=game,
        records=tuple(
            (wager, record)
            for wager in game.wagers
            for record in wager.records
            if targets is None or record.target in targets
        ),
    )


def looks_at_set_hands(catalog: Catalog, paytable: Paytable) -> bool:
    """Return True if a row depends on how the house way sets a hand."""
    events = (catalog.events.get(row.event) for row in paytable.rows)
    return any(event is not None and event.needs_set_hand for event in events)


def _select_file(path: Path) -> Selection:
    if not path.is_file():
        raise NotReadable(
            f"There is no file {path}.", remedy="Use the path of a paytable file, or a target id."
        )
    return _find_entries(path, *_read(absolute(path)))


UNSAVED = Path("paytable.json")
"""The name of a paytable in memory."""


def encode(contents: Contents) -> bytes:
    """Return the contents of a file in memory as its bytes."""
    return contents if isinstance(contents, bytes) else json.dumps(contents).encode()


def name_target(target: Target) -> str:
    """Return a target as messages name it."""
    return target if isinstance(target, str) else str(UNSAVED)


def _find_entries(path: Path, catalog: Catalog, named: frozenset[str]) -> Selection:
    for game in catalog.games.values():
        selection = select_entries(catalog, game, named)
        if selection.records:
            return selection
    raise NotConfigured(
        f"{path} has nothing to evaluate.",
        remedy="Use a paytable or an option of the main wager.",
    )


def _read(path: Path) -> tuple[Catalog, frozenset[str]]:
    """Return the catalog that a file is checked in, and its target there.

    Raises:
        Unfit: the file, or one that it depends on, has errors.
    """
    workspace = Workspace().find_workspace(path)
    if workspace is not None:
        context = workspace.load_context((path,))
        refuse_errors(context.faults)
        return context.catalog, context.keys
    return _open(path, Workspace())


def _open(path: Path, workspace: Workspace) -> tuple[Catalog, frozenset[str]]:
    """Return the catalog with a file that belongs to no project, and its target."""
    opened = workspace.open_file(path)
    refuse_errors(opened.findings)
    entry = opened.entry
    return opened.catalog, frozenset({entry.target} if isinstance(entry, Record) else ())


def lookup(kind: str, name: str, entries: Mapping[str, Known]) -> Known:
    """Return the entry with an id.

    Raises:
        NotConfigured: there is none; the remedy names similar ids.
    """
    if name not in entries:
        raise unknown_id(kind, name, entries)
    return entries[name]


def unknown_id(kind: str, name: str, names: Iterable[str]) -> NotConfigured:
    """Return the error for an unknown id, with similar ids."""
    ids = list(names)
    more = len(ids) - _NAMED
    listed = f"{', '.join(ids[:_NAMED])}{f' and {more} more' if more > 0 else ''}"
    known_ids = f"Use one of: {listed}." if ids else f"Declare a {kind} first."
    remedy = did_you_mean(name, ids, known_ids, most=3)
    return NotConfigured(f"There is no {kind} {name!r}.", remedy=remedy)


def load_catalog() -> Catalog:
    """Return everything that the library declares.

    Raises:
        Unfit: the declared data has errors.
    """
    catalog, findings = read_catalog(*library.layers())
    refuse_errors(findings)
    return catalog


def load_folder(folder: Path) -> tuple[Catalog, tuple[Finding, ...]]:
    """Read a game's folder, in any location, with shared files from the library."""
    return Workspace(folder=folder, is_game=True).load()


def refuse_errors(findings: Iterable[Finding]) -> None:
    """Refuse to go on with data that has errors.

    Raises:
        Unfit: some findings are errors; it carries those.
    """
    errors = tuple(finding for finding in findings if finding.is_error)
    if errors:
        raise Unfit(errors)


def select_sound(target: Target) -> Selection:
    """Return the entries that ``target`` selects, checked with all files of their game.

    Raises:
        NotConfigured: nothing has that id; the remedy names similar ids.
        Unfit: a file that the figures of the target depend on has errors.
    """
    selection = select(target, whole=True)
    refuse_faulty(selection)
    return selection


def refuse_faulty(selection: Selection, analyses: Iterable[Analysis] = ()) -> None:
    """Refuse records with errors, also with those that only their figures show.

    Raises:
        Unfit: a file that the figures rest on has errors.
    """
    deciding = _list_deciding(selection)
    refuse_errors(
        review(
            Context(
                selection.catalog,
                {analysis.target: analysis for analysis in analyses},
                notes_for=(),
                involves=lambda key, *_: key in deciding,
            )
        )
    )


def review_whole(selection: Selection) -> tuple[Finding, ...]:
    """Return the findings in all files of a selection's catalog."""
    return review(Context(selection.catalog, notes_for=()))


def refuse_errors_on(selection: Selection, findings: Iterable[Finding]) -> None:
    """Refuse to go on if files that the figures of a selection depend on have errors.

    Raises:
        Unfit: some of the findings are errors in these files; it carries those.
    """
    errors = [finding for finding in findings if finding.is_error]
    if errors:
        documents = selection.catalog.documents
        files = {documents[key].path for key in _list_deciding(selection)}
        refuse_errors(finding for finding in errors if finding.file in files)


def _list_deciding(selection: Selection) -> frozenset[str]:
    """Return the keys of the files on which the figures of a selection depend."""
    targets = {record.target for _, record in selection.records}
    return frozenset(list_deciding(selection.catalog.documents, targets))
