"""Tasks of a sweep, and the grid that declares them."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from certify import __version__, library
from certify.engine.count_cache import source_digest
from certify.errors import NotConfigured
from certify.figures.alternatives import read_otherwise
from certify.figures.evaluate import Settings, apply_joker_rule, list_inputs
from certify.figures.play import Play, fits
from certify.figures.targets import (
    Selection,
    load_catalog,
    lookup,
    refuse_errors,
    refuse_errors_on,
    review_whole,
    select_in,
)
from certify.intake.files import read
from certify.intake.layout import is_needed_by, list_deciding
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.finding import Document, Finding
from certify.model.game import Game, JokerRule, Strategy
from certify.model.main_wager import MainWager


class Task(Struct, frozen=True, kw_only=True, order=True):
    """One figure to compute. What is empty, or 0, is as the game declares it.

    ``player`` is how the player of a main wager sets: a strategy, or the id of a house way.
    ``reading`` is another reading of the game's rules or of the dealer's house way, and
    ``jurisdiction`` the state by whose rules the figure is judged; empty for none.
    """

    target: str
    house_way: str = ""
    player: str = ""
    joker: str = ""
    seats: int = 0
    reading: str = ""
    jurisdiction: str = ""

    @property
    def settings(self) -> dict[str, str | int]:
        """The task as JSON, as its row and its digest have it."""
        return asdict(self)

    @property
    def evaluation_settings(self) -> Settings:
        """The settings of an evaluation for the task."""
        return Settings(
            joker=JokerRule(self.joker) if self.joker else None, players=self.seats or None
        )


@cache
def everything() -> Catalog:
    """Return all that is declared, read once in a process."""
    return load_catalog()


@lru_cache(maxsize=8)
def read_game(game: str) -> Catalog:
    """Return the catalog with only the files that a game depends on."""
    catalog = everything()
    return catalog.only({key for key in catalog.documents if is_needed_by(key, game)})


def select_target(target: str) -> Selection:
    """Return the entries that a target of a grid selects, with all files of their game.

    Raises:
        NotConfigured: nothing has that id.
    """
    game = target.partition("/")[0]
    return select_in(read_game(lookup("game", game, everything().games).id), target)


@lru_cache(maxsize=8)
def review_game(game: str) -> tuple[Mapping[str, Selection], tuple[Finding, ...]]:
    """Return the options and paytables of a game by target, and the findings in its files."""
    whole = select_target(game)
    entries = {
        record.target: replace(whole, records=((wager, record),)) for wager, record in whole.records
    }
    return entries, review_whole(whole)


@cache
def select_record(target: str) -> Selection:
    """Return the option or paytable of a task, with the files that it depends on.

    Raises:
        NotConfigured: nothing has that id.
        Unfit: a file that the figures of the target depend on has errors.
    """
    entries, findings = review_game(target.partition("/")[0])
    selection = lookup("paytable", target, entries)
    refuse_errors_on(selection, findings)
    return selection


@lru_cache(maxsize=256)
def select_interpretation(target: str, house_way: str = "", reading: str = "") -> Selection:
    """Return the option or paytable of a task in the whole catalog, under one interpretation.

    Args:
        target: the option or paytable.
        house_way: the dealer's house way, whose interpretations are included with the game's; empty
            for the game's own.
        reading: the id of another interpretation; empty for the declared one.

    Raises:
        NotConfigured: no interpretation or more than one of that id applies to the target.
        Unfit: the interpretation cannot be applied.
    """
    of_file, catalog = select_record(target), everything()
    game = catalog.games[of_file.game.id]
    selection = Selection(catalog=catalog, game=game, records=of_file.records)
    if not reading:
        return selection
    others = list(read_otherwise(selection, house_way or game.house_way, only=(reading,)))
    if len(others) != 1:
        raise NotConfigured(
            f"{len(others) or 'No'} interpretations {reading!r} apply to {target}.",
            remedy="Give each interpretation of the game and of its house way its own id.",
        )
    return others[0][2]


def select_task(task: Task) -> Selection:
    """Return the option or paytable of a task, under its interpretation."""
    return select_interpretation(task.target, task.house_way, task.reading)


def build_play(task: Task, selection: Selection) -> Play | None:
    """Return the play of a main wager; None for a bonus wager.

    Args:
        task: the task.
        selection: its option or paytable, under its interpretation.

    Raises:
        NotConfigured: the game does not allow the joker rule.
    """
    ((_, record),) = selection.records
    if not isinstance(record, MainWager):
        return None
    game = apply_joker_rule(selection.game, task.evaluation_settings)
    ways = selection.catalog.house_ways
    way = task.player if task.player not in set(Strategy) else ""
    return Play(
        option=record,
        game=game,
        house_way=ways[task.house_way or game.house_way],
        strategy=Strategy.HOUSE_WAY if way else Strategy(task.player or game.strategy),
        player=ways[way] if way else None,
    )


def digest(task: Task) -> str:
    """Return the digest of all inputs of a task's figure: rules, files, code, version.

    Another reading and the rules of a state can rest on every file of the game, and on code outside
    the engine.
    """
    declared_as, read = select_record(task.target), select_task(task)
    beyond = bool(task.reading or task.jurisdiction)
    ways = {task.house_way, task.player, *_ways(declared_as.game), *_ways(read.game)}
    keys = [*list_files(read.game.id if beyond else task.target.rpartition("/")[0]), task.target]
    keys += [f"house-ways/{way}" for way in ways]
    if task.reading:
        keys += [f"alternatives/{owner}" for owner in (read.game.id, *ways)]
    if task.jurisdiction:
        keys += [f"jurisdictions/{task.jurisdiction}"]
    inputs = list_inputs(everything(), (*EVENT_FILES, *keys))
    state = {
        "task": task.settings,
        "inputs": [[file.path, file.sha256] for file in inputs],
        "code": [__version__, library.build_sha256() if beyond else source_digest()],
    }
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


@cache
def list_files(target: str) -> tuple[str, ...]:
    """Return the keys of the files of a whole game, or of those that all entries of a wager need.

    All options of a main wager are counted in one pass.
    """
    game, _, wager = target.partition("/")
    keys = (key for key in everything().documents if key.partition("/")[0] == game)
    if not wager:
        return tuple(keys)
    options = {option.target for option in everything().games[game].options}
    needed = list_deciding(keys, {f"{target}/", *options} if wager == "main" else {f"{target}/"})
    return tuple(needed)


def forget() -> None:
    """Let the next task read the project again, since its files may have changed."""
    readers = (
        everything,
        find_readings,
        list_files,
        read_game,
        review_game,
        select_record,
        select_interpretation,
    )
    for reader in readers:
        reader.cache_clear()


def _ways(game: Game) -> tuple[str, ...]:
    return (game.house_way, *game.house_ways)


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
