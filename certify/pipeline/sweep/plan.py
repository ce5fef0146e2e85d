"""From a grid to tasks: every combination of what is listed, each with a digest of its inputs."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from certify import __version__
from certify.engine.count_cache import source_digest
from certify.errors import NotConfigured
from certify.intake.files import read
from certify.model.catalogue import EVENT_FILES, Catalogue
from certify.model.game import Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.pipeline.figures.evaluate import inputs_of
from certify.pipeline.figures.house_way_audit import fits
from certify.pipeline.targets import Selection, declared, refuse_errors, select, unknown

ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Task:
    """One figure to compute. What is empty, or 0, is as the game declares it.

    ``player`` is how the player of a main wager sets: a strategy, or the id of a house way.
    """

    target: str
    house_way: str = ""
    player: str = ""
    joker: str = ""
    seats: int = 0

    @property
    def settings(self) -> dict[str, str | int]:
        """The task as JSON, by which it is sent to a worker."""
        return asdict(self)


def read_grid(path: Path) -> Mapping[str, Any]:
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
    value: Mapping[str, Any] = file.document.value
    return value


def tasks_of(grid: Mapping[str, Any]) -> list[Task]:
    """Return the tasks of a grid, sorted, each once.

    Raises:
        NotConfigured: a target or a house way is not declared, or nothing is left to do.
    """
    tasks = {task for target in grid["games"] for task in _tasks(target, grid)}
    if not tasks:
        raise NotConfigured("The grid has no tasks.", remedy="List games that have paytables.")
    return sorted(tasks)


def _tasks(target: str, grid: Mapping[str, Any]) -> Iterator[Task]:
    selection = select(target)
    for _, record in selection.records:
        for joker in grid.get("jokers", ("",)):
            if isinstance(record, MainWager):
                for house_way in _house_ways(selection, grid):
                    for player in grid.get("players", ("",)):
                        yield Task(
                            target=record.target, house_way=house_way, player=player, joker=joker
                        )
            else:
                for seats in grid.get("seats", (0,)):
                    yield Task(target=record.target, joker=joker, seats=seats)


def _house_ways(selection: Selection, grid: Mapping[str, Any]) -> list[str]:
    listed = grid.get("house_ways", ("",))
    ways = every_house_way()
    if listed == ALL:
        return [name for name in ways if fits(ways[name], selection.game.hands)]
    for name in listed:
        if name and name not in ways:
            raise unknown("house way", name, ways)
    return [name for name in listed if not name or fits(ways[name], selection.game.hands)]


@cache
def everything() -> Catalogue:
    """Return all that is declared, read once in a process."""
    return declared()


def every_house_way() -> Mapping[str, HouseWay]:
    """Return every declared house way by its id."""
    return everything().house_ways


@cache
def selected(target: str) -> Selection:
    """Return what a task names, read once in a process."""
    return select(target)


def digest(task: Task) -> str:
    """Return the digest of all that a task's figure rests on: rules, files, code, version."""
    selection = selected(task.target)
    wagers = {wager.id for wager, _ in selection.records}
    ways = {task.house_way or selection.game.house_way, task.player, *selection.game.house_ways}
    keys = [
        key
        for key in selection.catalogue.documents
        if key.split("/")[0] == selection.game.id
        and (key.count("/") == 0 or key.split("/")[1] in wagers)
    ]
    inputs = inputs_of(everything(), (*EVENT_FILES, *keys, *(f"house-ways/{way}" for way in ways)))
    rests_on = {
        "task": task.settings,
        "inputs": [[file.path, file.sha256] for file in inputs],
        "engine": [__version__, source_digest()],
    }
    return hashlib.sha256(json.dumps(rests_on, sort_keys=True).encode()).hexdigest()


def is_strategy(player: str) -> bool:
    """Whether a player is a strategy and not a house way."""
    return player in set(Strategy)
