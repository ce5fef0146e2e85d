"""Sweep: a declared grid of variants, evaluated on this machine or on a cluster.

Tasks are run in batches. The rows of a batch are one file, written atomically, each row with the
digest of its task's inputs. A sweep that was stopped therefore continues with the missing rows, and
a worker that fails loses one batch, which another worker runs. Rows are sorted and contain no time
and no host, so the same grid gives the same bytes.
"""

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

from certify import storage
from certify.commands.sweep.batch import Batch, Row, list_batches, pick_columns, run_batch
from certify.commands.sweep.grid import find_readings, list_tasks, read_grid
from certify.commands.sweep.task import digest, forget
from certify.errors import NotConfigured, needing_pieces
from certify.formatting import csv_bytes
from certify.model.encoding import Progress
from certify.model.request import Request, argument, option
from certify.received.files import MOST

Results = Iterator[tuple[Batch, tuple[Row, ...]]]

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
        NotConfigured: a task cannot be run, a worker has other code, or workers keep dying.
    """
    forget()
    find_readings.cache_clear()
    declared, progress = read_grid(request.grid), request.progress
    digests = {task: digest(task) for task in list_tasks(declared)}
    folder = request.out / "tasks"
    rows = _read_rows(folder, set(digests.values()))

    def report_progress() -> None:
        if progress is not None:
            progress(len(rows), len(digests))

    report_progress()
    todo = list_batches(task for task, key in digests.items() if key not in rows)
    for batch, batch_rows in _run_batches(todo, request.jobs, request.cluster):
        made_rows = dict(zip((digests[task] for task in batch.tasks), batch_rows, strict=True))
        _write_rows(folder, made_rows)
        rows |= made_rows
        report_progress()
    return tuple(pick_columns(rows[key], declared.value) for key in digests.values())


def _write_rows(folder: Path, rows: Mapping[str, Row]) -> None:
    """Write the rows of a batch as columns, in a file named by their digests."""
    first = next(iter(rows.values()))
    columns = {name: [row[name] for row in rows.values()] for name in first}
    data = json.dumps({"digests": [*rows], "columns": columns}, ensure_ascii=False).encode()
    name = hashlib.sha256("".join(rows).encode()).hexdigest()
    storage.write_atomically(folder / f"{name}.json", data)


def _read_rows(folder: Path, digests: set[str]) -> dict[str, Row]:
    """Return the stored rows with the wanted digests.

    Raises:
        NotConfigured: a file is not the rows of a batch.
    """
    rows: dict[str, Row] = {}
    for path in folder.glob("*.json"):
        try:
            stored = json.loads(storage.read_at_most(path, MOST))
            columns = stored["columns"]
            listed = zip(stored["digests"], zip(*columns.values(), strict=True), strict=True)
            stored_rows = {key: dict(zip(columns, values, strict=True)) for key, values in listed}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise NotConfigured(
                f"{path} does not hold the rows of a sweep.",
                remedy="Remove it: its tasks are then evaluated again.",
            ) from error
        rows |= {key: row for key, row in stored_rows.items() if key in digests}
    return rows


def _run_batches(todo: Iterator[Batch], jobs: int, cluster: str | None) -> Results:
    if cluster is not None:
        return _run_on_dask(todo, cluster)
    if jobs > 1:
        return _run_in_processes(todo, jobs)
    return ((batch, run_batch(batch)) for batch in todo)


def _run_in_processes(todo: Iterable[Batch], jobs: int) -> Results:
    """Yield results as they come; after a process died, the rest is run by new ones."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    left = dict(enumerate(todo))
    for _ in range(ATTEMPTS):
        try:
            with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
                futures = {pool.submit(run_batch, batch): number for number, batch in left.items()}
                for future in as_completed(futures):
                    rows = future.result()
                    yield left.pop(futures[future]), rows
        except BrokenProcessPool:
            continue
        return
    raise NotConfigured(
        "Processes of the sweep keep dying.",
        remedy="Use fewer --jobs: each may need gigabytes. Finished batches are reused.",
    )


def _run_on_dask(todo: Iterator[Batch], address: str) -> Results:
    """Yield results as they come from a Dask cluster, which runs a lost batch again."""
    first = next(todo, None)
    if first is None:
        return
    with needing_pieces():
        from distributed import Client, as_completed

    with Client(address) as client:
        futures = {
            client.submit(run_batch, batch, pure=False, retries=ATTEMPTS): batch
            for batch in chain((first,), todo)
        }
        for future in as_completed(futures):
            yield futures.pop(future), future.result()
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
