"""A folder of declared data as one catalogue: every record that is sound, every fault found."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from certify.intake.decode import decode
from certify.intake.files import File, read
from certify.intake.layout import EVENTS, SHARED, concerns, place, shown
from certify.model.catalogue import Catalogue
from certify.model.condition import Event
from certify.model.document import Document
from certify.model.finding import Finding, Severity
from certify.model.game import Game, Wager

EMPTY = Catalogue(
    events={},
    games={},
    house_ways={},
    jurisdictions={},
    published={},
    discrepancies={},
    documents={},
)
"""A catalogue of nothing, to add a game to."""


def read_catalogue(folder: Path, only: str | None = None) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read a folder of declared data in sorted order.

    Args:
        folder: a folder laid out like ``paytables/``.
        only: a target; only the files that it rests on are read.

    Returns:
        The catalogue of every sound record, and every fault found. A record with a fault is left
        out of the catalogue and stands in the findings.
    """
    return _assemble(_paths(folder, folder), EMPTY, only=only)


def read_game(folder: Path, catalogue: Catalogue = EMPTY) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read one game's folder, wherever it stands, and add it to a catalogue."""
    return _assemble(_paths(folder.absolute(), folder.absolute().parent), catalogue)


def look_up(
    folder: Path, judged: Path, *, of_a_game: bool = False, base: Catalogue = EMPTY
) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read a folder for what one file rests on; only that file is held against its schema.

    Args:
        folder: a folder laid out like ``paytables/``, or with ``of_a_game`` the folder of a game.
        judged: the file; it may stand elsewhere.
        of_a_game: what ``folder`` is.
        base: a catalogue to add to.

    Returns:
        The catalogue, and the faults of the one file; other files with faults are left out.
    """
    whole = folder.absolute()
    paths = _paths(whole, whole.parent if of_a_game else whole)
    parts = paths.get(judged.absolute(), ())
    if len(parts) > _OF_A_GAME:
        paths = {path: one for path, one in paths.items() if _bears_on(one, parts[0])}
    catalogue, findings = _assemble(paths, base, judged=judged.absolute())
    name = shown(judged)
    return catalogue, tuple(one for one in findings if one.file == name)


_OF_A_GAME = 2
"""The parts of the path of a game's own file; those of its wagers have more."""


def _bears_on(parts: tuple[str, ...], game: str) -> bool:
    """Whether a wager's file of a game can rest on this one: its game's, or what games share."""
    return parts[0] in (game, *SHARED) or parts[-1] in (EVENTS, "game.json")


def _paths(folder: Path, root: Path) -> dict[Path, tuple[str, ...]]:
    """Return the JSON files of ``folder``, sorted, each with its parts below ``root``."""
    found = sorted(path for path in folder.rglob("*.json") if not path.name.startswith("."))
    return {path: path.relative_to(root).parts for path in found}


def _assemble(
    paths: Mapping[Path, tuple[str, ...]],
    base: Catalogue,
    *,
    only: str | None = None,
    judged: Path | None = None,
) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read every file and put the sound ones together."""
    findings: list[Finding] = []
    files: dict[str, File] = {}
    home = _game_folder(paths.get(judged, ())) if judged is not None else None
    for path, parts in paths.items():
        where = place(parts)
        if where is None:
            findings.append(_out_of_place(path))
        elif concerns(where.key, only) and not _of_another_game(where.key, home):
            files[where.key] = file = read(path, where, judged=judged in (None, path))
            findings.extend(file.findings)
    documents = {key: one.document for key, one in files.items()}
    records = dict(_decoded(files, trusted=judged is not None))
    whole = only is None or "/" not in only
    games = {
        key: _game(key, files, records, findings, whole=whole)
        for key in _of("game", files, records)
    }
    catalogue = Catalogue(
        events={**base.events, **_events(records.get("events", ()), documents, findings)},
        games={**base.games, **games},
        house_ways={**base.house_ways, **_shared("house-ways", files, records)},
        jurisdictions={**base.jurisdictions, **_shared("jurisdictions", files, records)},
        published={**base.published, **_by_game("published", files, records)},
        discrepancies={**base.discrepancies, **_by_game("discrepancies", files, records)},
        documents={**base.documents, **documents},
    )
    return catalogue, tuple(findings)


def _game_folder(parts: Sequence[str]) -> str | None:
    """Return the game in whose folder a file stands; None where it is shared, or elsewhere."""
    return parts[0] if len(parts) > 1 and parts[0] not in SHARED else None


def _of_another_game(key: str, home: str | None) -> bool:
    """Whether a file that a game's file is judged among may be left out.

    A file of a game is judged among all of its own game, what is shared, and the other games'
    names and documents, but not their wagers, paytables and printed figures.
    """
    game, inside, _ = key.partition("/")
    return home is not None and bool(inside) and game not in SHARED and game != home


def _decoded(files: Mapping[str, File], *, trusted: bool) -> Iterator[tuple[str, Any]]:
    """Yield the records of the sound files; ``trusted`` ones have not passed their schema."""
    for key, file in files.items():
        if not file.sound or file.kind is None:
            continue
        try:
            yield key, decode(file.kind, file.document.value)
        except (AttributeError, KeyError, TypeError, ValueError):
            # A file that was only looked up is left out; one that passed its schema must decode.
            if not trusted:
                raise


def _of(kind: str, files: Mapping[str, File], records: Mapping[str, Any]) -> list[str]:
    return [key for key, file in files.items() if file.kind == kind and key in records]


def _shared(folder: str, files: Mapping[str, File], records: Mapping[str, Any]) -> dict[str, Any]:
    return {records[key].id: records[key] for key in _of(SHARED[folder], files, records)}


def _by_game(kind: str, files: Mapping[str, File], records: Mapping[str, Any]) -> dict[str, Any]:
    return {key.partition("/")[0]: records[key] for key in _of(kind, files, records)}


def _events(
    events: Iterable[Event], documents: Mapping[str, Document], findings: list[Finding]
) -> dict[str, Event]:
    """Return the events by id; an id that is used twice is a finding."""
    named: dict[str, Event] = {}
    for index, event in enumerate(events):
        if event.id in named:
            findings.append(
                documents["events"].finding(
                    code="D004",
                    severity=Severity.ERROR,
                    pointer=f"/events/{index}/id",
                    message=f"The event {event.id} is defined twice.",
                    remedy="Give one of them another id, or remove it.",
                )
            )
        named.setdefault(event.id, event)
    return named


def _game(
    key: str,
    files: Mapping[str, File],
    records: Mapping[str, Any],
    findings: list[Finding],
    *,
    whole: bool,
) -> Game:
    """Return a game with its wagers in declared order."""
    game: Game = records[key]
    document = files[key].document
    listed: list[str] = list(document.value["wagers"])
    wagers = [
        _wager(f"{key}/{name}", files, records)
        for name in dict.fromkeys(listed)
        if f"{key}/{name}" in records
    ]
    if whole:
        findings.extend(_unmatched(key, listed, files, document))
    return replace(game, wagers=tuple(wagers))


def _wager(key: str, files: Mapping[str, File], records: Mapping[str, Any]) -> Wager:
    """Return a wager with the records of its folder, sorted as people count."""

    def under(kind: str, prefix: str) -> tuple[Any, ...]:
        keys = [one for one in _of(kind, files, records) if one.startswith(prefix)]
        return tuple(records[one] for one in sorted(keys, key=_as_people_count))

    wager: Wager = records[key]
    return replace(
        wager,
        options=under("main-wager", f"{key}/"),
        paytables=under("paytable", f"{key}/"),
        envies=under("envy", f"{key}/envy/"),
    )


def _as_people_count(key: str) -> list[tuple[int, str]]:
    return [(int(one), "") if one.isdigit() else (-1, one) for one in re.split(r"(\d+)", key)]


def _unmatched(
    key: str, listed: list[str], files: Mapping[str, File], document: Document
) -> Iterator[Finding]:
    """Yield wagers that the game lists and that have no file, and the other way round."""
    folders = {one.split("/")[1] for one, file in files.items() if _is_of_wager(one, key, file)}
    for index, name in enumerate(listed):
        if f"{key}/{name}" not in files:
            near = difflib.get_close_matches(name, sorted(folders - set(listed)), n=1)
            yield document.finding(
                code="D003",
                severity=Severity.ERROR,
                pointer=f"/wagers/{index}",
                message=f"The game lists the wager {name}, and there is no {name}/wager.json.",
                remedy=f"Did you mean {near[0]}?"
                if near
                else "Declare the wager, or do not list it.",
            )
    for name in sorted(folders - set(listed)):
        yield document.finding(
            code="D003",
            severity=Severity.ERROR,
            pointer="/wagers",
            message=f"The folder {name} holds a wager that the game does not list.",
            remedy=f"Add {name} to `wagers` at its place in print, or remove the folder.",
        )


def _is_of_wager(one: str, key: str, file: File) -> bool:
    return one.startswith(f"{key}/") and file.kind in ("wager", "paytable", "main-wager", "envy")


def _out_of_place(path: Path) -> Finding:
    return Finding(
        code="D002",
        severity=Severity.ERROR,
        file=shown(path),
        message="No file is expected at this place, so nothing was read from it.",
        remedy="Move it to <game>/<wager>/<paytable>.json, or out of the folder of declared data.",
    )
