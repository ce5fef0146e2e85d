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
from fractions import Fraction
from itertools import chain, groupby
from pathlib import Path
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from certify import library, storage
from certify.checks.framework import Context
from certify.checks.r_jurisdictions.judge import against_filing, judge
from certify.commands.sweep.tasks import (
    Task,
    build_play,
    digest,
    everything,
    forget,
    list_tasks,
    read_grid,
    select_task,
)
from certify.errors import NotConfigured, needing_pieces
from certify.figures.evaluate import apply_joker_rule, evaluate
from certify.figures.play import least_limits, refuse_unsound
from certify.figures.targets import Selection
from certify.formatting import csv_bytes, json_exact, json_percent
from certify.model.analysis import Analysis, LimitAnalysis
from certify.model.catalog import EVENT_FILES
from certify.model.comparison import Standing
from certify.model.encoding import Progress
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.request import Request, argument, option
from certify.model.submission import Filing, Order
from certify.received.files import MOST

Row = Mapping[str, str | int | bool | None]

RULES = {
    "rules_not_satisfied": (Standing.NOT_SATISFIED,),
    "rules_to_be_settled": (Standing.TO_BE_SETTLED,),
    "rules_open": (Standing.BY_PEOPLE, Standing.UNVERIFIED),
}
"""The columns that list rules of a state, and what came of these."""

COLUMNS = {
    "readings": ("reading", "fixed_return", "fixed_return_percent"),
    "jurisdictions": (
        "jurisdiction",
        "payout_limit_cents",
        "payout_limit_wager_cents",
        "payout_limit_cuts_more_above",
        "payout_limit_cost",
        "payout_limit_cost_percent",
        "house_edge_with_payout_limit",
        "house_edge_with_payout_limit_percent",
        "rule_codes",
        *RULES,
    ),
}
"""The columns that a table has only where its grid lists what they are about."""

TABLES = 100
"""Most bonus paytables of a batch; each takes about a millisecond. A main wager is one batch."""


class Batch(Struct, frozen=True, kw_only=True):
    """Tasks of one game under one interpretation, with the records that they need.

    ``declared_way`` is the house way of the game as declared, whose counts are cached. ``build`` is
    the digest of the code that made the batch.
    """

    tasks: tuple[Task, ...]
    selection: Selection
    declared_way: HouseWay | None
    build: str


def list_batches(tasks: Iterable[Task]) -> Iterator[Batch]:
    """Yield the batches of tasks."""
    for _, group in groupby(sorted(tasks, key=_describe_records), _describe_records):
        alike = tuple(group)
        records = select_task(alike[0]).records
        size = 1 if any(isinstance(record, MainWager) for _, record in records) else TABLES
        for start in range(0, len(alike), size):
            yield _make_batch(alike[start : start + size])


def _describe_records(task: Task) -> tuple[str, str, str]:
    """Return the wager and its interpretation: their records come from one catalog."""
    return task.target.rpartition("/")[0], task.house_way, task.reading


def _make_batch(tasks: tuple[Task, ...]) -> Batch:
    first, declared = select_task(tasks[0]), everything()
    targets = {task.target for task in tasks}
    game = replace(
        first.game,
        wagers=tuple(
            replace(
                wager,
                paytables=tuple(table for table in wager.paytables if table.target in targets),
            )
            for wager in first.game.wagers
        ),
    )
    ways = {task.house_way or game.house_way for task in tasks}
    ways |= {*game.house_ways, *(task.player for task in tasks)}
    files_of_ways = {f"house-ways/{way}" for way in ways}
    states = {f"jurisdictions/{task.jurisdiction}" for task in tasks}
    catalog = first.catalog.only({*EVENT_FILES, *files_of_ways, *states})
    # A fault of a house way is reported with its place; no other file is looked at again.
    documents = {key: file for key, file in catalog.documents.items() if key in files_of_ways}
    return Batch(
        tasks=tasks,
        selection=Selection(
            catalog=replace(catalog, games={game.id: game}, documents=documents),
            game=game,
            records=tuple(
                (wager, record)
                for wager in game.wagers
                for record in wager.records
                if record.target in targets
            ),
        ),
        declared_way=declared.house_ways.get(declared.games[game.id].house_way),
        build=library.build_sha256(),
    )


def run_batch(batch: Batch) -> tuple[Row, ...]:
    """Return the rows of a batch's tasks, in their order.

    Raises:
        NotConfigured: this process has other code, or the settings do not fit a target.
        Unfit: a house way leaves a hand open.
    """
    if batch.build != library.build_sha256():
        raise NotConfigured(
            "A worker has another version of certify than this machine.",
            remedy="Install the same version there.",
        )
    entries = {
        record.target: replace(batch.selection, records=((wager, record),))
        for wager, record in batch.selection.records
    }
    rows = []
    for task in batch.tasks:
        selection = entries[task.target]
        rows.append(build_row(task, selection, _analyze(task, selection, batch.declared_way)))
    return tuple(rows)


def _analyze(task: Task, selection: Selection, declared_way: HouseWay | None) -> Analysis:
    """Return the figures that a task requests."""
    play = build_play(task, selection)
    if play is None:
        (analysis,) = evaluate(selection, task.evaluation_settings)
        return analysis
    for way in (play.house_way, play.player or play.house_way):
        refuse_unsound(selection.catalog, play.game, way)
    # Counts by the declared house way are cached; an interpretation changes few of its hands.
    base = replace(play, house_way=declared_way, player=None) if declared_way else None
    return play.evaluate(base=base)


def build_row(task: Task, selection: Selection, analysis: Analysis) -> Row:
    """Return the row of a task with every column; figures are exact, and also in percent.

    A figure is None if it depends on a meter or does not apply.
    """
    progressive, limit = analysis.progressive, None
    edges = analysis.envy.house_edge_by_players if analysis.envy is not None else {}
    judged: dict[str, str | None] = dict.fromkeys(("rule_codes", *RULES))
    if task.jurisdiction:
        filed = _file_alone(task, selection, analysis)
        limit = least_limits(filed).get(analysis.target)
        judged = _judge_filing(selection, filed)
    return {
        **task.settings,
        **_figure("house_edge", analysis.house_edge),
        **_figure("house_edge_with_envy", edges.get(task.seats)),
        **_figure("hit_frequency", analysis.hit_frequency),
        **_figure("fixed_return", progressive.fixed_return if progressive is not None else None),
        **_least_limit(limit, analysis.house_edge),
        **judged,
    }


def pick_columns(row: Row, listed: Mapping[str, object]) -> Row:
    """Return the columns of a row that a grid has, in their order."""
    absent = {name for axis, names in COLUMNS.items() if axis not in listed for name in names}
    return {name: value for name, value in row.items() if name not in absent}


def _figure(name: str, value: Fraction | None) -> dict[str, str | None]:
    if value is None:
        return {name: None, f"{name}_percent": None}
    return {name: json_exact(value), f"{name}_percent": json_percent(value)}


def _least_limit(limit: LimitAnalysis | None, edge: Fraction | None) -> Row:
    """Return the least limit on payouts, and its figures at the greatest wager that decides."""
    amount = limit.amounts[-1] if limit is not None and limit.amounts else None
    cost = amount.cost if amount is not None else Fraction(0)
    return {
        "payout_limit_cents": limit.limits[0].cents if limit is not None else None,
        "payout_limit_wager_cents": amount.wager_cents if amount is not None else None,
        "payout_limit_cuts_more_above": limit.open if limit is not None else None,
        **_figure("payout_limit_cost", cost if limit is not None else None),
        **_figure(
            "house_edge_with_payout_limit",
            edge + cost if limit is not None and edge is not None else None,
        ),
    }


def _file_alone(task: Task, selection: Selection, analysis: Analysis) -> Filing:
    """Return the record as if it were filed alone on the day of the game's revision.

    A bonus paytable is submitted with the first option of the main wager. No table terms are
    declared.
    """
    ((_, record),) = selection.records
    game = apply_joker_rule(selection.game, task.evaluation_settings)
    return Filing(
        order=Order(game=game.id, jurisdiction=task.jurisdiction),
        game=game,
        main=record if isinstance(record, MainWager) else next(iter(game.options), None),
        paytables=() if isinstance(record, MainWager) else (record,),
        analyses={analysis.target: analysis},
        jurisdiction=selection.catalog.jurisdictions[task.jurisdiction],
    )


def _judge_filing(selection: Selection, filed: Filing) -> dict[str, str | None]:
    """Return the finding codes that a submission would give, and the rules by verdict."""
    findings = against_filing(Context(selection.catalog, filed.analyses, filing=filed))
    judgements = [judged.judgement for judged in judge(filed)]
    return {
        "rule_codes": "; ".join(sorted({finding.code for finding in findings})),
        **{
            column: "; ".join(each.rule.id for each in judgements if each.standing in standings)
            for column, standings in RULES.items()
        },
    }


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
                    yield left.pop(futures[future]), future.result()
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
