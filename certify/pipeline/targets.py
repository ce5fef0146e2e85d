"""Targets: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/PAYTABLE``, or a path to a JSON file."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from certify import library
from certify.errors import NotConfigured, NotReadable
from certify.formatting import did_you_mean
from certify.intake.around import Root, read_around, read_root, root_of
from certify.intake.layout import absolute
from certify.intake.read import read_catalogue
from certify.intake.single import open_file
from certify.model.catalogue import Catalogue
from certify.model.finding import Finding, Severity, Unfit
from certify.model.game import Game, Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable

_NAMED = 12
"""How many ids a remedy lists."""

Named = TypeVar("Named", Wager, Paytable, MainWager, Paytable | MainWager)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a target names: records of one game in declared order, and what they stand in."""

    catalogue: Catalogue
    game: Game
    records: tuple[tuple[Wager, Paytable | MainWager], ...]
    absent: tuple[Wager, ...] = ()


def select(target: str) -> Selection:
    """Return the records that ``target`` names.

    Raises:
        NotConfigured: nothing has that id; the remedy names what is near.
        Unfit: a file that the target rests on has errors.
    """
    path = Path(target)
    if path.suffix == ".json":
        return _from_file(path)
    game_id, _, rest = target.partition("/")
    layers = library.layers()
    known = sorted({file.parent.name for layer in layers for file in layer.glob("*/game.json")})
    if game_id not in known:
        raise unknown("game", game_id, known)
    wager_id, _, record_id = rest.partition("/")
    # A target that names a file needs only what that file rests on.
    only = target if library.declared(f"{target}.json") else game_id
    catalogue, findings = read_catalogue(*layers, only=only)
    refuse_errors(findings)
    if only != game_id and any(
        looks_at_set_hands(catalogue, table)
        for wager in catalogue.games[game_id].wagers
        for table in wager.paytables
    ):
        # How a hand is set rests on the house ways, which come with the whole game.
        catalogue, findings = read_catalogue(*layers, only=game_id)
        refuse_errors(findings)
    game = catalogue.games[game_id]
    if not wager_id:
        return _selection(catalogue, game, game.wagers)
    wager = _named("wager", wager_id, game.wagers)
    if not record_id:
        return _selection(catalogue, game, (wager,))
    records: tuple[Paytable | MainWager, ...] = (*wager.paytables, *wager.options)
    record = _named("paytable", record_id, records)
    return Selection(catalogue=catalogue, game=game, records=((wager, record),))


def looks_at_set_hands(catalogue: Catalogue, paytable: Paytable) -> bool:
    """Return whether a row asks how a hand is set, which the house way decides."""
    events = (catalogue.events.get(row.event) for row in paytable.rows)
    return any(event is not None and event.as_set for event in events)


def _from_file(path: Path) -> Selection:
    if not path.is_file():
        raise NotReadable(
            f"There is no file {path}.", remedy="Give the path of a paytable file, or a target id."
        )
    catalogue, named = _read(absolute(path))
    for game in catalogue.games.values():
        records = tuple(pair for pair in records_in(game.wagers) if pair[1].target in named)
        if records:
            return Selection(catalogue=catalogue, game=game, records=records)
    raise NotConfigured(
        f"{path} holds nothing that can be evaluated.",
        remedy="Give a paytable or a main wager option.",
    )


def _read(path: Path) -> tuple[Catalogue, frozenset[str]]:
    """Return what a file is judged among, and its target there.

    Raises:
        Unfit: the file, or one that it rests on, has errors.
    """
    root = root_of(path)
    if root is not None:
        around = read_around(root, (path,))
        refuse_errors(around.faults)
        return around.catalogue, around.keys
    reading = open_file(path)
    refuse_errors(reading.findings)
    record = reading.record
    named = {record.target} if isinstance(record, Paytable | MainWager) else set()
    return reading.catalogue, frozenset(named)


def _selection(catalogue: Catalogue, game: Game, wagers: tuple[Wager, ...]) -> Selection:
    return Selection(
        catalogue=catalogue,
        game=game,
        records=tuple(records_in(wagers)),
        absent=tuple(wager for wager in wagers if wager.absent is not None),
    )


def _named(kind: str, name: str, records: Sequence[Named]) -> Named:
    for record in records:
        if record.id == name:
            return record
    raise unknown(kind, name, [record.id for record in records])


def unknown(kind: str, name: str, known: Iterable[str]) -> NotConfigured:
    """Return the error for an unknown id, with what is near it."""
    ids = list(known)
    more = len(ids) - _NAMED
    listed = f"{', '.join(ids[:_NAMED])}{f' and {more} more' if more > 0 else ''}"
    known_ids = f"Known: {listed}." if ids else f"There is no {kind} to choose from."
    remedy = did_you_mean(name, ids, known_ids, most=3)
    return NotConfigured(f"There is no {kind} {name!r}.", remedy=remedy)


def records_in(wagers: Iterable[Wager]) -> Iterator[tuple[Wager, Paytable | MainWager]]:
    """Yield everything that can be evaluated under some wagers, in declared order."""
    for wager in wagers:
        for record in wager.records:
            yield wager, record


def declared() -> Catalogue:
    """Return everything that the library declares.

    Raises:
        Unfit: the declared data has errors.
    """
    catalogue, findings = read_catalogue(*library.layers())
    refuse_errors(findings)
    return catalogue


def with_folder(folder: Path) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read a game's folder, wherever it stands, with what is shared from the library."""
    return read_root(Root(folder=folder, of_a_game=True), ())


def refuse_errors(findings: Iterable[Finding]) -> None:
    """Refuse to go on with data that has errors.

    Raises:
        Unfit: some findings are errors; it carries those.
    """
    errors = tuple(finding for finding in findings if finding.severity is Severity.ERROR)
    if errors:
        raise Unfit(errors)
