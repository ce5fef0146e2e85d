"""The sweep: tasks that are not kept yet are run, and every result is kept as it comes.

A result is one file, named by the digest of its inputs and written whole or not at all. So a sweep
that is stopped goes on where it was, and a worker that dies loses no more than its own task, which
another one runs. Rows are sorted and hold no time and no host: however they were computed, the same
grid gives the same bytes.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from certify import storage
from certify.errors import NotConfigured, needing_pieces
from certify.formatting import csv_bytes
from certify.model.progress import Progress
from certify.pipeline.sweep.plan import read_grid, tasks_of
from certify.pipeline.sweep.row import Row, as_listed, run
from certify.pipeline.sweep.task import Task, digest

Todo = Mapping[str, Task]
"""Tasks by their digests."""

Results = Iterator[Mapping[str, Any]]

ATTEMPTS = 3
"""How often the processes of this machine are started again after one of them died."""


def sweep(
    grid: Path,
    out: Path,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> tuple[Row, ...]:
    """Evaluate a grid; return its rows, sorted, with the columns of what it lists.

    Args:
        grid: the file that declares it.
        out: the folder where results are kept.
        jobs: processes on this machine.
        cluster: the address of a Dask scheduler, to run there instead.
        progress: is told how many tasks are done.

    Raises:
        Unfit: the grid or declared data has errors.
        NotConfigured: a task cannot be run, a worker has other inputs, or workers keep dying.
    """
    declared = read_grid(grid)
    tasks = {digest(task): task for task in tasks_of(declared)}
    folder = out / "tasks"
    todo = {key: task for key, task in tasks.items() if not (folder / f"{key}.json").is_file()}
    done = len(tasks) - len(todo)
    if progress is not None:
        progress(done, len(tasks))
    for result in _results(todo, jobs, cluster):
        if result["digest"] not in todo:
            raise NotConfigured(
                "A worker has other data or another version of certify than this machine.",
                remedy="Install the same version there, and give it the same project.",
            )
        kept = json.dumps(result["row"], indent=1, ensure_ascii=False).encode()
        storage.write_atomically(folder / f"{result['digest']}.json", kept)
        done += 1
        if progress is not None:
            progress(done, len(tasks))
    rows = (json.loads((folder / f"{key}.json").read_bytes()) for key in tasks)
    return tuple(as_listed(row, declared.value) for row in rows)


def _results(todo: Todo, jobs: int, cluster: str | None) -> Results:
    if not todo:
        return iter(())
    if cluster is not None:
        return _on_cluster(todo, cluster)
    if jobs > 1:
        return _in_processes(todo, jobs)
    return (run(task.settings) for task in todo.values())


def _in_processes(todo: Todo, jobs: int) -> Results:
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
        remedy="Give fewer --jobs: each may need gigabytes. What is done is kept.",
    )


def _on_cluster(todo: Todo, address: str) -> Results:
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


def as_csv(rows: Sequence[Row]) -> bytes:
    """Return rows as CSV, a header first."""
    return csv_bytes([*rows[0]], (tuple(row.values()) for row in rows))


def as_parquet(rows: Sequence[Row]) -> bytes:
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
    "csv": as_csv,
    "parquet": as_parquet,
}
"""The tables that a sweep writes, by their endings."""
