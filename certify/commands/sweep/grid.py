"""The grid of a sweep, and the tasks that it declares."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from certify.commands.sweep.task import (
    Task,
    build_play,
    everything,
    select_interpretation,
    select_target,
    select_task,
)
from certify.errors import NotConfigured
from certify.figures.alternatives import read_otherwise
from certify.figures.play import Play, fits
from certify.figures.targets import Selection, lookup, refuse_errors
from certify.intake.files import read
from certify.model.finding import Document
from certify.model.game import Strategy
from certify.model.main_wager import MainWager

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
            f"{path} is not a grid.", remedy="Name grid.schema.json under $schema, and list games."
        )
    return file.document


def list_tasks(grid: Document) -> list[Task]:
    """Return the tasks of a grid, sorted, each once.

    If other interpretations are listed, the declared one is evaluated too, for comparison; only the
    declared one if no alternative applies to the target.

    Raises:
        NotConfigured: an id is not declared, or no task remains.
        Unfit: a file that a target depends on has errors, or an interpretation cannot be applied.
    """
    catalog = everything()
    others = {
        reading.id: reading
        for owner in catalog.alternatives.values()
        for reading in owner.alternatives
    }
    ways = _axis_ids(grid, "house_ways", "house way", catalog.house_ways)
    _axis_ids(grid, "players", "player", {**dict.fromkeys(Strategy), **catalog.house_ways})
    readings = _axis_ids(grid, "readings", "reading", others)
    states = _axis_ids(grid, "jurisdictions", "jurisdiction", catalog.jurisdictions)
    tasks = {
        replace(task, reading=reading, jurisdiction=state)
        for selection in _each(grid, "games", select_target)
        for task in _declared_tasks(selection, grid, ways)
        for reading in ("", *_concerning(task, readings))
        for state in states or ("",)
    }
    if not tasks:
        raise NotConfigured("The grid has no tasks.", remedy="List games that have paytables.")
    return sorted(tasks)


def _each(grid: Document, axis: str, look_up: Callable[[str], T]) -> list[T]:
    """Look up every id of an axis; the error for an unknown id has its position."""
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


def _axis_ids(
    grid: Document, axis: str, kind: str, entries: Mapping[str, object]
) -> tuple[str, ...]:
    """Return the ids of an axis: all known ones if it says so, none if it is absent."""
    if axis not in grid.value:
        return ()
    if grid.value[axis] == ALL:
        return tuple(entries)

    _each(grid, axis, lambda name: lookup(kind, name, entries))
    return tuple(grid.value[axis])


def _declared_tasks(selection: Selection, grid: Document, ways: Sequence[str]) -> Iterator[Task]:
    """Yield the tasks of the selected entries, as declared and without jurisdiction."""
    listed, house_ways_by_id, hands = grid.value, everything().house_ways, selection.game.hands
    dealers = (
        [way for way in ways if fits(house_ways_by_id[way], hands)]
        if "house_ways" in listed
        else [""]
    )
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
    """Yield the interpretations that change the inputs of a task's figure.

    One that changes how a game sets or plays does not where the task says so itself.
    """
    if not readings:
        return
    declared = build_play(task, select_task(task))
    for reading in find_readings(task.target, task.house_way, readings):
        if declared is None:
            yield reading
            continue
        other = replace(task, reading=reading)
        otherwise = build_play(other, select_task(other))
        if otherwise is not None and _list_inputs(otherwise) != _list_inputs(declared):
            yield reading


def _list_inputs(play: Play) -> tuple[object, ...]:
    return play.dependencies, play.player


@lru_cache(maxsize=256)
def find_readings(target: str, house_way: str, readings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the interpretations that change an entry or its dependencies."""
    selection = select_interpretation(target)
    way = house_way or selection.game.house_way
    return tuple(
        alternative.id for _, alternative, _ in read_otherwise(selection, way, only=readings)
    )
