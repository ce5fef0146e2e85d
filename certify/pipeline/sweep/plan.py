"""From a grid to tasks: every combination of what is listed, each once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from certify.errors import NotConfigured
from certify.intake.files import read
from certify.model.document import Document
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.pipeline.figures.alternatives import read_otherwise
from certify.pipeline.figures.house_way_audit import fits
from certify.pipeline.figures.play import Play
from certify.pipeline.sound import select_sound
from certify.pipeline.sweep.task import Task, everything, play, read_as
from certify.pipeline.targets import Selection, among, refuse_errors

ALL = "all"

T = TypeVar("T")


def read_grid(path: Path) -> Document:
    """Return a grid as declared.

    Raises:
        Unfit: the file does not fit ``schemas/grid.schema.json``.
        NotConfigured: it is a file of another kind.
    """
    file = read(path, None)
    refuse_errors(file.findings)
    if file.kind != "grid":
        raise NotConfigured(
            f"{path} is no grid.", remedy="Name grid.schema.json under $schema, and list games."
        )
    return file.document


def tasks_of(grid: Document) -> list[Task]:
    """Return the tasks of a grid, sorted, each once.

    What is declared is evaluated too where other readings are listed, so that each stands beside
    it, and once only where none of them concerns the target.

    Raises:
        NotConfigured: an id is not declared, or nothing is left to do.
        Unfit: a file that a target rests on has errors, or a reading cannot be applied.
    """
    catalogue = everything()
    others = {
        reading.id: reading
        for owner in catalogue.alternatives.values()
        for reading in owner.alternatives
    }
    ways = _listed(grid, "house_ways", "house way", catalogue.house_ways)
    _listed(grid, "players", "player", {**dict.fromkeys(Strategy), **catalogue.house_ways})
    readings = _listed(grid, "readings", "reading", others)
    states = _listed(grid, "jurisdictions", "jurisdiction", catalogue.jurisdictions)
    tasks = {
        replace(task, reading=reading, jurisdiction=state)
        for selection in _each(grid, "games", select_sound)
        for task in _as_declared(selection, grid, ways)
        for reading in ("", *_concerning(task, readings))
        for state in states or ("",)
    }
    if not tasks:
        raise NotConfigured("The grid has no tasks.", remedy="List games that have paytables.")
    return sorted(tasks)


def _each(grid: Document, axis: str, look_up: Callable[[str], T]) -> list[T]:
    """Look up every id that an axis lists, and say of one that is unknown where it stands."""
    values = []
    for number, name in enumerate(grid.value[axis]):
        try:
            values.append(look_up(name))
        except NotConfigured as error:
            pointer = f"/{axis}/{number}"
            span = grid.spans[pointer]
            message = f"{grid.path}:{span.line}:{span.column}: {error.message}"
            raise NotConfigured(message, remedy=error.remedy, pointer=pointer) from error
    return values


def _listed(grid: Document, axis: str, kind: str, known: Mapping[str, object]) -> tuple[str, ...]:
    """Return the ids that an axis lists: all that are known if it says so, none if it is absent."""
    if axis not in grid.value:
        return ()
    if grid.value[axis] == ALL:
        return tuple(known)

    _each(grid, axis, lambda name: among(kind, name, known))
    return tuple(grid.value[axis])


def _as_declared(selection: Selection, grid: Document, ways: Sequence[str]) -> Iterator[Task]:
    """Yield the tasks of what is selected, as it is declared and in no state."""
    listed, known, hands = grid.value, everything().house_ways, selection.game.hands
    dealers = [way for way in ways if fits(known[way], hands)] if "house_ways" in listed else [""]
    for _, record in selection.records:
        for joker in listed.get("jokers", ("",)):
            if isinstance(record, MainWager):
                for house_way in dealers:
                    for player in listed.get("players", ("",)):
                        yield Task(
                            target=record.target, house_way=house_way, player=player, joker=joker
                        )
            else:
                for seats in listed.get("seats", (0,)):
                    yield Task(target=record.target, joker=joker, seats=seats)


def _concerning(task: Task, readings: tuple[str, ...]) -> Iterator[str]:
    """Yield the readings by which the figure of a task rests on something else.

    One that changes how a game sets or plays does not where the task says so itself.
    """
    if not readings:
        return
    declared = play(task)
    for reading in _touching(task.target, task.house_way, readings):
        if declared is None:
            yield reading
            continue
        otherwise = play(replace(task, reading=reading))
        if otherwise is not None and _rests_on(otherwise) != _rests_on(declared):
            yield reading


def _rests_on(play: Play) -> tuple[object, ...]:
    return play.rests_on, play.player


@lru_cache(maxsize=256)
def _touching(target: str, house_way: str, readings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the readings that change a record or what it is evaluated with."""
    selection = read_as(target)
    way = house_way or selection.game.house_way
    return tuple(
        alternative.id for _, alternative, _ in read_otherwise(selection, way, only=readings)
    )
