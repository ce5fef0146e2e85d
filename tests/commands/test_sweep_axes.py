import csv
import io
from collections.abc import Iterable
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.checks.framework import Context
from certify.checks.r_jurisdictions.judge import against_filing
from certify.commands.sweep import tasks as sweep_task
from certify.commands.sweep.sweep import Row, SweepRequest, format_csv, sweep
from certify.commands.sweep.tasks import Task, digest, list_tasks, read_grid
from certify.figures.alternatives import with_alternatives
from certify.figures.evaluate import Settings, evaluate, list_inputs
from certify.figures.targets import Selection, load_catalog, select
from certify.filing.order import build_filing
from certify.model.source import Figure
from certify.model.submission import Order
from tests.commands.test_sweep import fresh
from tests.commands.test_sweep import grid as write_grid

__all__ = ("fresh",)
CHAN_CHU = "dealer-open-pai-gow/chan-chu/3"
MINI = "mini-pai-gow/bonus/A"
TREASURE = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"
HANDS = comb(53, 7)


def plan_tasks(folder: Path, **listed: Any) -> list[Task]:  # noqa: ANN401 - any JSON value
    return list_tasks(read_grid(write_grid(folder, **listed)))


def run_sweep(folder: Path, **listed: Any) -> tuple[Row, ...]:  # noqa: ANN401 - any JSON value
    return sweep(SweepRequest(grid=write_grid(folder, **listed), out=folder / "out"))


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
