"""A sweep gives the same bytes however it is run, and computes nothing twice."""

import csv
import io
import json
import os
import signal
import subprocess
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from math import ceil, comb
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.checks.framework import Context
from certify.checks.r_jurisdictions.judge import against_filing
from certify.commands.sweep import sweep as running
from certify.commands.sweep import tasks as sweep_task
from certify.commands.sweep.sweep import (
    Batch,
    Row,
    SweepRequest,
    format_csv,
    format_parquet,
    list_batches,
    run_batch,
    sweep,
)
from certify.commands.sweep.tasks import Task, digest, forget, list_tasks, read_grid
from certify.errors import NotConfigured
from certify.figures.alternatives import with_alternatives
from certify.figures.evaluate import Settings, evaluate, list_inputs
from certify.figures.targets import Selection, load_catalog, select
from certify.filing.order import build_filing
from certify.model.finding import Unfit
from certify.model.source import Figure
from certify.model.submission import Order
from tools.bench.scaling import start_cluster
from tools.fuzz.entry_points import SMALL, small_game
from tools.fuzz.games import write_project

ENVY = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"


@pytest.fixture(scope="module", autouse=True)
def fresh() -> None:
    """Forget what tests of other libraries have read in this process."""
    forget()


def grid(folder: Path, **listed: Any) -> Path:  # noqa: ANN401 - any JSON value
    path = folder / "grid.json"
    path.write_text(json.dumps({"$schema": "grid.schema.json", **listed}), encoding="utf-8")
    return path


WIDE = {
    "games": ["mini-pai-gow/bonus", ENVY],
    "seats": [6],
    "readings": ["best-hand-is-paid", "pays-for-one"],
    "jurisdictions": ["wsgc", "new-jersey"],
}
"""Two states; one reading of every table of the first game, and one of the second."""


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    return grid(tmp_path, **WIDE)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return grid(tmp_path, games=["mini-pai-gow/bonus", ENVY], seats=[1, 6])


def test_a_task_for_every_combination_and_each_once(tmp_path: Path) -> None:
    path = grid(
        tmp_path,
        games=["pai-gow-mania", "pai-gow-mania/main", "mini-pai-gow/bonus/A"],
        house_ways="all",
        players=["house-way", "foxwoods"],
        seats=[1, 2],
    )
    tasks = list_tasks(read_grid(path))
    records = select("pai-gow-mania").records
    ways = {task.house_way for task in tasks if task.house_way}
    assert {"foxwoods", "trump-plaza", "mgm-grand"} <= ways
    assert "mini-pai-gow" not in ways
    main = sum(wager.id == "main" for wager, _ in records)
    assert len(tasks) == main * len(ways) * 2 + (len(records) - main + 1) * 2
    assert tasks == sorted(set(tasks))
    assert len({digest(task) for task in tasks}) == len(tasks)


@pytest.mark.parametrize(
    "listed", [{}, {"games": []}, {"games": ["mini-pai-gow"], "house_ways": "some"}]
)
def test_a_grid_that_does_not_fit_its_schema_is_refused(
    tmp_path: Path, listed: dict[str, Any]
) -> None:
    with pytest.raises(Unfit):
        read_grid(grid(tmp_path, **listed))


@pytest.mark.parametrize(
    ("listed", "name", "kind", "remedy"),
    [
        ({"games": ["no-game"]}, "no-game", "game", "Use one of: "),
        ({"house_ways": ["foxwoods", "foxwood"]}, "foxwood", "house way", "Did you mean foxwoods"),
        ({"players": ["no-way"]}, "no-way", "player", "Did you mean house-way"),
        ({"readings": ["best-plays"]}, "best-plays", "reading", "Did you mean best-play"),
        (
            {"jurisdictions": ["wsgc", "navada"]},
            "navada",
            "jurisdiction",
            "Did you mean nevada",
        ),
    ],
)
def test_what_is_not_declared_is_refused_with_its_place(
    tmp_path: Path, listed: dict[str, Any], name: str, kind: str, remedy: str
) -> None:
    path = grid(tmp_path, **{"games": ["mini-pai-gow"]} | listed)
    column = path.read_text().index(f'"{name}"') + 1
    with pytest.raises(NotConfigured) as caught:
        list_tasks(read_grid(path))
    assert caught.value.message == f"{path}:1:{column}: There is no {kind} {name!r}."
    assert caught.value.remedy.startswith(remedy)


def test_figures_are_those_of_evaluate(small: Path, tmp_path: Path) -> None:
    from certify.figures.evaluate import Settings, evaluate

    rows = {
        (str(row["target"]), row["seats"]): row
        for row in sweep(SweepRequest(grid=small, out=tmp_path / "out"))
    }
    for (target, seats), row in rows.items():
        assert isinstance(seats, int)
        (analysis,) = evaluate(select(target), Settings(players=seats))
        edge = analysis.house_edge
        assert edge is not None
        assert row["house_edge"] == f"{edge.numerator}/{edge.denominator}"
    with_envy = {seats: rows[ENVY, seats]["house_edge_with_envy"] for seats in (1, 6)}
    assert with_envy[1] != with_envy[6]


def test_stored_results_are_reused_and_a_stopped_sweep_continues(
    wide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = format_csv(sweep(SweepRequest(grid=wide, out=tmp_path / "whole")))
    batches: list[Batch] = []

    def stop_at_third(batch: Batch) -> tuple[Row, ...]:
        if len(batches) == 2:
            raise KeyboardInterrupt
        return record(batch)

    def record(batch: Batch) -> tuple[Row, ...]:
        batches.append(batch)
        return run_batch(batch)

    monkeypatch.setattr(running, "run_batch", stop_at_third)
    with pytest.raises(KeyboardInterrupt):
        sweep(SweepRequest(grid=wide, out=tmp_path / "out"))
    assert len(list((tmp_path / "out" / "tasks").iterdir())) == 2
    monkeypatch.setattr(running, "run_batch", record)
    assert format_csv(sweep(SweepRequest(grid=wide, out=tmp_path / "out"))) == whole
    tasks = [task for batch in batches for task in batch.tasks]
    assert len(tasks) == len(set(tasks)) == len(list_tasks(read_grid(wide)))
    assert format_csv(sweep(SweepRequest(grid=wide, out=tmp_path / "out"))) == whole
    assert len(tasks) == sum(len(batch.tasks) for batch in batches)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"digests": ["a"], "columns": {"b": []}}'])
def test_a_file_that_holds_no_rows_is_refused(small: Path, tmp_path: Path, text: str) -> None:
    path = tmp_path / "out" / "tasks" / "other.json"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NotConfigured, match="does not hold the rows") as caught:
        sweep(SweepRequest(grid=small, out=tmp_path / "out"))
    assert str(path) in caught.value.message


def test_bonus_paytables_share_batches_and_a_main_wager_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "TABLES", 20)
    bonus, seats = "emperors-challenge-exposed/emperors-treasure", [*range(1, 7)]
    main = "mini-pai-gow/main"
    path = grid(tmp_path, games=[bonus, main], seats=seats, players=["house-way", "optimal"])
    batches = [*list_batches(list_tasks(read_grid(path)))]
    sizes = [len(batch.tasks) for batch in batches if batch.tasks[0].target.startswith(bonus)]
    tables = len(select(bonus).records)
    assert sum(sizes) == tables * len(seats)
    assert len(sizes) == ceil(tables * len(seats) / 20) == 3
    assert {len(batch.tasks) for batch in batches if batch.tasks[0].target.startswith(main)} == {1}


def test_a_second_sweep_reads_the_files_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_project(tmp_path, [small_game()])
    monkeypatch.chdir(tmp_path)
    path = grid(tmp_path, games=[SMALL])
    (before,) = sweep(SweepRequest(grid=path, out=tmp_path / "before"))
    table = tmp_path / "paytables" / f"{SMALL}.json"
    table.write_bytes(table.read_bytes().replace(b"2 to 1", b"3 to 1"))
    (after,) = sweep(SweepRequest(grid=path, out=tmp_path / "after"))
    assert Fraction(str(before["house_edge"])) > Fraction(str(after["house_edge"]))


def test_a_worker_with_other_code_is_refused(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        running, "run_batch", lambda batch: run_batch(replace(batch, build="another"))
    )
    with pytest.raises(NotConfigured, match="another version of certify"):
        sweep(SweepRequest(grid=small, out=tmp_path / "out"))


def test_a_worker_reads_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_project(tmp_path, [small_game()])
    monkeypatch.chdir(tmp_path)
    path = grid(tmp_path, games=[SMALL])
    here = sweep(SweepRequest(grid=path, out=tmp_path / "here"))

    def run_elsewhere(
        todo: Iterator[Batch], jobs: int, cluster: str | None
    ) -> Iterator[tuple[Batch, tuple[Row, ...]]]:
        assert (jobs, cluster) == (1, None)
        spawn = get_context("spawn")
        with ProcessPoolExecutor(1, spawn, initializer=os.chdir, initargs=("/",)) as pool:
            for batch in todo:
                yield batch, pool.submit(run_batch, batch).result()

    monkeypatch.setattr(running, "_run_batches", run_elsewhere)
    assert sweep(SweepRequest(grid=path, out=tmp_path / "elsewhere")) == here


def test_processes_give_the_same_bytes_as_one(wide: Path, tmp_path: Path) -> None:
    serial = format_csv(sweep(SweepRequest(grid=wide, out=tmp_path / "serial")))
    assert format_csv(sweep(SweepRequest(grid=wide, out=tmp_path / "processes", jobs=2))) == serial


def test_parquet_holds_the_same_rows(wide: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = sweep(SweepRequest(grid=wide, out=tmp_path / "out"))
    path = tmp_path / "results.parquet"
    path.write_bytes(format_parquet(rows))
    assert parquet.read_table(path).to_pylist() == list(rows)


# On a cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers on this machine, each in a separate process."""
    pytest.importorskip("distributed")
    with start_cluster(tmp_path) as started:
        yield started


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], wide: Path, tmp_path: Path
) -> None:
    address, workers = cluster
    serial = format_csv(sweep(SweepRequest(grid=wide, out=tmp_path / "serial")))

    def killing(done: int, _of: int) -> None:
        if done and workers[0].poll() is None:
            os.kill(workers[0].pid, signal.SIGKILL)

    rows = sweep(
        SweepRequest(grid=wide, out=tmp_path / "cluster", cluster=address, progress=killing)
    )
    assert workers[0].wait() == -signal.SIGKILL
    assert format_csv(rows) == serial


CHAN_CHU = "dealer-open-pai-gow/chan-chu/3"
MINI = "mini-pai-gow/bonus/A"
TREASURE = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"
HANDS = comb(53, 7)


def plan_tasks(folder: Path, **listed: Any) -> list[Task]:  # noqa: ANN401 - any JSON value
    return list_tasks(read_grid(grid(folder, **listed)))


def run_sweep(folder: Path, **listed: Any) -> tuple[Row, ...]:  # noqa: ANN401 - any JSON value
    return sweep(SweepRequest(grid=grid(folder, **listed), out=folder / "out"))


def edges(rows: Iterable[Row], by: str) -> dict[object, Fraction]:
    return {row[by]: Fraction(str(row["house_edge"])) for row in rows}


def test_without_the_axes_the_table_is_what_it_was(tmp_path: Path) -> None:
    rows = run_sweep(tmp_path, games=[MINI])
    assert format_csv(rows).decode().splitlines()[0] == (
        "target,house_way,player,joker,seats,house_edge,house_edge_percent,house_edge_with_envy,"
        "house_edge_with_envy_percent,hit_frequency,hit_frequency_percent"
    )


# Readings


@pytest.mark.parametrize(
    ("target", "readings"), [(MINI, []), ("mini-pai-gow/main/1", ["qualifier-pair-of-fours"])]
)
def test_readings_give_the_figures_that_the_report_prices(
    tmp_path: Path, target: str, readings: list[str]
) -> None:
    of = edges(run_sweep(tmp_path, games=[target], readings=readings or "all"), "reading")
    game = load_catalog().games["mini-pai-gow"]
    selection = Selection(catalog=load_catalog(), game=game, records=select(target).records)
    (analysis,) = evaluate(selection, Settings())
    prices = with_alternatives(selection, Settings(), {target: analysis}, only=readings)
    moved = {
        price.alternative.id: price.moved.get(Figure.HOUSE_EDGE)
        for price in prices[target].alternatives
    }
    assert {*(readings or ["pays-for-one"])} <= moved.keys() <= of.keys()
    for reading, edge in of.items():
        assert (of[""], edge) == moved.get(str(reading), (of[""], of[""]))
    assert len(set(of.values())) > 1


def test_what_a_reading_does_not_concern_is_evaluated_once(tmp_path: Path) -> None:
    of = plan_tasks(
        tmp_path,
        games=[f"{CHAN_CHU[:-1]}1", CHAN_CHU, TREASURE],
        readings=["three-pair-pushes", "pays-for-one"],
    )
    assert [(each.target, each.reading) for each in of] == [
        (f"{CHAN_CHU[:-1]}1", ""),
        (f"{CHAN_CHU[:-1]}1", "three-pair-pushes"),
        (CHAN_CHU, ""),
        (TREASURE, ""),
    ]


def test_a_reading_of_what_the_grid_lists_itself_is_no_task(tmp_path: Path) -> None:
    """The game's house way and strategy are read otherwise, and a grid that names its own rests on
    neither; a reading of a house way is of the tasks in which the dealer sets by it.
    """
    main = "pai-gow-mania/main/commission-5-percent"
    readings = ["best-play", "house-way-trump-plaza", "three-aces-broken"]

    def read(**listed: Any) -> set[tuple[str, str, str]]:  # noqa: ANN401 - any JSON value
        named = plan_tasks(tmp_path, games=[main], readings=readings, **listed)
        return {(each.house_way, each.player, each.reading) for each in named if each.reading}

    assert read() == {("", "", name) for name in readings}
    assert read(players=["optimal"]) == {
        ("", "optimal", "house-way-trump-plaza"),
        ("", "optimal", "three-aces-broken"),
    }
    assert read(house_ways=["foxwoods", "mgm-grand"], players=["house-way"]) == {
        ("foxwoods", "house-way", "three-aces-broken")
    }


# States


def test_washington_lets_a_limit_be_set_that_moves_the_edge(tmp_path: Path) -> None:
    """WAC 230-15-490(3)(b): $400 x 50 = $20,000.

    At $400 it leaves 50 to 1 of 5,000 to 1, so that 1,890,600 less is paid over 154,143,080 hands.
    """
    (row,) = run_sweep(tmp_path, games=[TREASURE], jurisdictions=["wsgc"])
    assert (row["jurisdiction"], row["payout_limit_cents"]) == ("wsgc", 2_000_000)
    assert (row["payout_limit_wager_cents"], row["payout_limit_cuts_more_above"]) == (40_000, False)
    cost, edge = Fraction(1_890_600, HANDS), Fraction(str(row["house_edge"]))
    assert Fraction(str(row["payout_limit_cost"])) == cost
    assert Fraction(str(row["house_edge_with_payout_limit"])) == edge + cost
    (without,) = run_sweep(tmp_path, games=[TREASURE])
    assert Fraction(str(without["house_edge"])) == edge


def test_a_state_without_a_limit_changes_no_figure(tmp_path: Path) -> None:
    states = ["california", "pennsylvania"]
    rows = run_sweep(tmp_path, games=[TREASURE], jurisdictions=states)
    assert [row["jurisdiction"] for row in rows] == states
    for row in rows:
        assert [value for name, value in row.items() if "payout_limit" in name] == [None] * 7
        # California asks for a player-dealer, and the house banks this game.
        refused = ("R029", "CA-BANK") if row["jurisdiction"] == "california" else ("", "")
        assert (row["rule_codes"], row["rules_to_be_settled"]) == refused
        assert row["rules_not_satisfied"] == ""
        assert row["rules_open"]
    assert len(set(edges(rows, "jurisdiction").values())) == 1


def test_the_rules_of_a_state_are_judged_of_what_is_read(tmp_path: Path) -> None:
    """N.J.A.C. 13:69F-11.20 pays "to" only: a table whose pays are read as "for 1" does not."""
    rows = run_sweep(
        tmp_path, games=[MINI], readings=["pays-for-one"], jurisdictions=["new-jersey"]
    )
    codes = {row["reading"]: str(row["rule_codes"]).split("; ") for row in rows}
    assert "R020" in codes["pays-for-one"]
    assert "R020" not in codes[""]


@pytest.mark.parametrize("target", [MINI, TREASURE])
def test_codes_are_those_of_a_filing(tmp_path: Path, target: str) -> None:
    for row in run_sweep(tmp_path, games=[target], jurisdictions="all"):
        order = Order(
            game=target.partition("/")[0],
            jurisdiction=str(row["jurisdiction"]),
            paytables=(target,),
        )
        filing = build_filing(order)
        selection = Selection(
            catalog=filing.catalog, game=filing.game, records=select(target).records
        )
        filed = replace(filing, analyses={target: evaluate(selection, Settings())[0]})
        findings = against_filing(Context(filing.catalog, filing=filed))
        assert row["rule_codes"] == "; ".join(sorted({finding.code for finding in findings}))


def test_every_combination_of_readings_and_states_is_one_row(tmp_path: Path) -> None:
    rows = run_sweep(
        tmp_path, games=[MINI], readings=["pays-for-one"], jurisdictions=["nevada", "wsgc"]
    )
    table = list(csv.DictReader(io.StringIO(format_csv(rows).decode())))
    assert [(row["reading"], row["jurisdiction"]) for row in table] == [
        ("", "nevada"),
        ("", "wsgc"),
        ("pays-for-one", "nevada"),
        ("pays-for-one", "wsgc"),
    ]


# Digests


def test_a_digest_rests_on_the_readings_and_on_the_rules_of_the_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[set[str]] = []

    def listening(catalog: Any, keys: Any) -> Any:  # noqa: ANN401 - as the function
        asked.append(set(keys))
        return list_inputs(catalog, keys)

    monkeypatch.setattr(sweep_task, "list_inputs", listening)
    plain = Task(target=MINI)
    digests = {
        digest(plain),
        digest(Task(target=MINI, reading="pays-for-one")),
        digest(Task(target=MINI, jurisdiction="wsgc")),
    }
    assert len(digests) == 3
    as_declared, read, judged = asked
    assert not {key for key in as_declared if key.startswith(("alternatives", "jurisdictions"))}
    assert "mini-pai-gow/main/1" not in as_declared
    assert {"alternatives/mini-pai-gow", "mini-pai-gow/main/1"} <= read
    assert {"jurisdictions/wsgc", "mini-pai-gow/main/1"} <= judged
