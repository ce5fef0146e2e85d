"""Sweep: a declared grid of variants, evaluated on this machine or on a cluster.

Each result is one file, named by the digest of its inputs and written atomically. A sweep that was
stopped therefore continues with the missing results, and a worker that fails loses only its own
task, which another worker runs. Rows are sorted and contain no time and no host, so the same grid
gives the same bytes.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec.structs import replace

from certify import storage
from certify.commands.sweep.task import (
    Row,
    Task,
    digest,
    everything,
    forget,
    pick_columns,
    play,
    run,
    select_interpretation,
)
from certify.errors import NotConfigured, needing_pieces
from certify.figures.alternatives import read_otherwise
from certify.figures.play import Play, fits
from certify.figures.targets import Selection, lookup, refuse_errors, select_sound
from certify.formatting import csv_bytes
from certify.intake.files import read
from certify.model.encoding import Progress
from certify.model.finding import Document
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.model.request import Request, argument, option

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
        for selection in _each(grid, "games", select_sound)
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


def _axis_ids(grid: Document, axis: str, kind: str, known: Mapping[str, object]) -> tuple[str, ...]:
    """Return the ids of an axis: all known ones if it says so, none if it is absent."""
    if axis not in grid.value:
        return ()
    if grid.value[axis] == ALL:
        return tuple(known)

    _each(grid, axis, lambda name: lookup(kind, name, known))
    return tuple(grid.value[axis])


def _declared_tasks(selection: Selection, grid: Document, ways: Sequence[str]) -> Iterator[Task]:
    """Yield the tasks of the selected entries, as declared and without jurisdiction."""
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
    """Yield the interpretations that change the inputs of a task's figure.

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
        if otherwise is not None and _list_inputs(otherwise) != _list_inputs(declared):
            yield reading


def _list_inputs(play: Play) -> tuple[object, ...]:
    return play.dependencies, play.player


@lru_cache(maxsize=256)
def _touching(target: str, house_way: str, readings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the interpretations that change an entry or its dependencies."""
    selection = select_interpretation(target)
    way = house_way or selection.game.house_way
    return tuple(
        alternative.id for _, alternative, _ in read_otherwise(selection, way, only=readings)
    )


Todo = Mapping[str, Task]
"""Tasks by their digests."""

Results = Iterator[Mapping[str, Any]]

ATTEMPTS = 3
"""Most restarts of this machine's processes after one died."""


class SweepRequest(Request, frozen=True, kw_only=True):
    """Options of `certify sweep`; with a ``cluster`` no process of this machine is used."""

    grid: Annotated[
        Path, argument("File with games, house ways, interpretations and jurisdictions.")
    ]
    out: Annotated[Path, option("Folder of the results; finished tasks are reused.")] = Path(
        "sweep"
    )
    jobs: Annotated[int, option("Number of processes on this machine.", least=1)] = 1
    cluster: Annotated[
        str | None, option("Address of a Dask scheduler, such as tcp://host:8786.")
    ] = None
    progress: Progress | None = None


def sweep(request: SweepRequest) -> tuple[Row, ...]:
    """Evaluate a grid; return its rows, sorted, with the columns of its axes.

    Raises:
        Unfit: the grid or declared data has errors.
        NotConfigured: a task cannot be run, a worker has other inputs, or workers keep dying.
    """
    forget()
    _touching.cache_clear()
    declared, progress = read_grid(request.grid), request.progress
    tasks = {digest(task): task for task in list_tasks(declared)}
    folder = request.out / "tasks"
    todo = {key: task for key, task in tasks.items() if not (folder / f"{key}.json").is_file()}
    done = len(tasks) - len(todo)
    if progress is not None:
        progress(done, len(tasks))
    for result in _results(todo, request.jobs, request.cluster):
        if result["digest"] not in todo:
            raise NotConfigured(
                "A worker has other data or another version of certify than this machine.",
                remedy="Install the same version there, with the same project.",
            )
        kept = json.dumps(result["row"], indent=1, ensure_ascii=False).encode()
        storage.write_atomically(folder / f"{result['digest']}.json", kept)
        done += 1
        if progress is not None:
            progress(done, len(tasks))
    rows = (json.loads(storage.read_at_most(folder / f"{key}.json")) for key in tasks)
    return tuple(pick_columns(row, declared.value) for row in rows)


def _results(todo: Todo, jobs: int, cluster: str | None) -> Results:
    if not todo:
        return iter(())
    if cluster is not None:
        return _run_on_dask(todo, cluster)
    if jobs > 1:
        return _run_in_processes(todo, jobs)
    return (run(task.settings) for task in todo.values())


def _run_in_processes(todo: Todo, jobs: int) -> Results:
    """Yield results as they come; after a process died, the rest is run by new ones."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    left = dict(todo)
    for _ in range(ATTEMPTS):
        try:
            with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
                for future in as_completed(
                    pool.submit(run, task.settings) for task in left.values()
                ):
                    result = future.result()
                    yield result
                    left.pop(result["digest"], None)
        except BrokenProcessPool:
            continue
        return
    raise NotConfigured(
        "Processes of the sweep keep dying.",
        remedy="Use fewer --jobs: each may need gigabytes. Finished tasks are reused.",
    )


def _run_on_dask(todo: Todo, address: str) -> Results:
    """Yield results as they come from a Dask cluster, which runs a lost task again."""
    with needing_pieces():
        from distributed import Client, as_completed

    with Client(address) as client:
        futures = [
            client.submit(run, task.settings, key=f"certify-{key}", retries=ATTEMPTS)
            for key, task in todo.items()
        ]
        for future in as_completed(futures):
            yield future.result()
            future.release()


def format_csv(rows: Sequence[Row]) -> bytes:
    """Return rows as CSV, a header first."""
    return csv_bytes([*rows[0]], (tuple(row.values()) for row in rows))


def format_parquet(rows: Sequence[Row]) -> bytes:
    """Return rows as Parquet.

    Raises:
        NotInstalled: pyarrow is not there.
    """
    with needing_pieces():
        import pyarrow as pa
        from pyarrow import parquet

    stream = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist([*map(dict, rows)]), stream, compression="none")
    return stream.getvalue()


WRITERS: Mapping[str, Callable[[Sequence[Row]], bytes]] = {
    "csv": format_csv,
    "parquet": format_parquet,
}
"""The tables that a sweep writes, by their endings."""
