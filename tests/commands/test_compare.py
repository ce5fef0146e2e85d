"""House ways against one another, and a laboratory's counts against ours."""

import io
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import openpyxl
import pytest

from certify.commands import compare
from certify.commands.compare import analyze_target, compare_counts, compare_house_ways
from certify.errors import NotConfigured, NotReadable
from certify.figures.play import Play
from certify.figures.targets import load_catalog, select
from certify.intake.results import read_counts
from certify.model.comparison import HouseWayComparison, HouseWayMatrix
from certify.model.game import Game, JokerRule
from certify.model.house_way import HouseWay
from certify.model.paytable import Paytable
from certify.report.charts import svg
from certify.report.comparison import house_way_chart, house_way_tables, house_ways_json
from certify.report.workbook import house_way_workbook, workbook

TARGET = "mini-pai-gow/bonus/A"
GAME = "pai-gow-mania"
EDGES = {
    ("foxwoods", "foxwoods"): Fraction(1, 40),
    ("foxwoods", "trump-plaza"): Fraction(1, 30),
    ("trump-plaza", "foxwoods"): Fraction(1, 50),
    ("trump-plaza", "trump-plaza"): Fraction(1, 35),
}
BEST = {"foxwoods": Fraction(1, 45), "trump-plaza": Fraction(1, 60)}


def made_up(*, best: bool = True) -> HouseWayComparison:
    catalog = load_catalog()
    game = catalog.games[GAME]
    (option, *_) = (option for wager in game.wagers for option in wager.options)
    return HouseWayComparison(
        game=game,
        ways=tuple(catalog.house_ways[name] for name in ("foxwoods", "trump-plaza")),
        matrices=(HouseWayMatrix(option=option, edges=EDGES, best=BEST if best else {}),),
        unsound=(),
        inputs=(),
        engine_version="0",
    )


def test_every_house_way_meets_every_other_on_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def evaluated(play: Play, *, base: Play, **_: object) -> SimpleNamespace:
        asked.append((play.option, play.house_way, play.player, base))
        return SimpleNamespace(house_edge=Fraction(len(asked), 1000))

    monkeypatch.setattr(Play, "evaluate", evaluated)
    found = compare_house_ways(GAME)
    catalog = load_catalog()
    game = catalog.games[GAME]
    fitting = {way.id for way in catalog.house_ways.values() if way.cards == 7}
    assert {way.id for way in found.ways} == fitting
    assert found.ways[0].id == game.house_way
    assert found.unsound == ()
    options = {option.id for wager in game.wagers for option in wager.options}
    assert {matrix.option.id for matrix in found.matrices} == options
    for matrix in found.matrices:
        assert set(matrix.edges) == {(item, other) for item in fitting for other in fitting}
        assert set(matrix.best) == fitting
    assert {(known.house_way, known.player) for *_, known in asked} == {(found.ways[0], None)}
    assert not any(matrix.best for matrix in compare_house_ways(GAME, best_play=False).matrices)
    (one,) = compare_house_ways(GAME, only=("trump-plaza",)).ways
    assert one.id == "trump-plaza"


def test_a_house_way_that_leaves_a_hand_open_is_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def audit(_game: Game, way: HouseWay, _joker: JokerRule) -> SimpleNamespace:
        return SimpleNamespace(audit=SimpleNamespace(problems=["open"] * (way.id == "trump-plaza")))

    nothing = SimpleNamespace(house_edge=Fraction(0))
    monkeypatch.setattr(Play, "evaluate", lambda *_, **__: nothing)
    monkeypatch.setattr(compare, "audit_game", audit)
    found = compare_house_ways(GAME, only=("foxwoods", "trump-plaza"))
    assert found.unsound == ("trump-plaza",)
    assert [way.id for way in found.ways] == ["foxwoods"]


@pytest.mark.parametrize(
    ("game", "only"), [("no-game", ()), (GAME, ("no-way",)), (GAME, ("mini-pai-gow",))]
)
def test_what_is_not_there_or_does_not_fit_is_refused(game: str, only: tuple[str, ...]) -> None:
    with pytest.raises(NotConfigured):
        compare_house_ways(game, only=only)


def test_every_cost_in_the_workbook_has_its_value_for_a_program_that_does_not_compute() -> None:
    """A formula without one is read as 0."""
    book = openpyxl.load_workbook(io.BytesIO(house_way_workbook(made_up())), data_only=True)
    (sheet,) = book.worksheets
    formulas = openpyxl.load_workbook(io.BytesIO(house_way_workbook(made_up()))).worksheets[0]
    costs = [
        sheet[cell.coordinate].value
        for row in formulas.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]
    (matrix,) = made_up().matrices
    exact = [matrix.cost(dealer, player) for dealer, player in EDGES]
    assert costs == [float(cost) for cost in exact if cost is not None]


def test_json_has_every_cell_exactly() -> None:
    written = house_ways_json(made_up())
    (option,) = written["options"]
    cells = {(cell["dealer"], cell["player"]): cell for cell in option["cells"]}
    assert {pair: Fraction(cell["house_edge"]) for pair, cell in cells.items()} == EDGES | {
        (dealer, "best"): edge for dealer, edge in BEST.items()
    }
    cell = cells["trump-plaza", "foxwoods"]
    assert (cell["house_edge_percent"], cell["cost_percent"]) == ("2.0000", "0.3333")
    (plain,) = house_ways_json(made_up(best=False))["options"]
    assert all("cost" not in cell for cell in plain["cells"])


def test_tables_number_the_columns_as_the_lines() -> None:
    edges, costs = house_way_tables(made_up())
    assert [column.title for column in edges.columns] == ["Dealer's house way", "1", "2", "best"]
    assert edges.rows == (
        ("1 foxwoods", "2.5000", "3.3333", "2.2222"),
        ("2 trump-plaza", "2.0000", "2.8571", "1.6667"),
    )
    assert costs.rows == (
        ("1 foxwoods", "0.2778", "1.1111"),
        ("2 trump-plaza", "0.3333", "1.1905"),
    )
    (alone,) = house_way_tables(made_up(best=False))
    assert [column.title for column in alone.columns] == ["Dealer's house way", "1", "2"]


@pytest.mark.parametrize("best", [True, False])
def test_a_picture_shows_every_edge(*, best: bool) -> None:
    found = made_up(best=best)
    chart = house_way_chart(found, found.matrices[0])
    drawn = svg("House ways", {"One": chart, "Other": chart})
    words = [node.text for node in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314 - written by ourselves
    shown = ["2.5000%", "3.3333%", "2.0000%", "2.8571%"] + ["2.2222%", "1.6667%"] * best
    assert all(words.count(edge) == 2 for edge in shown)
    assert len(chart.boxes) == len(shown)


def test_a_workbook_subtracts_the_best_play_and_has_every_edge_exactly() -> None:
    data = house_way_workbook(made_up())
    assert data == house_way_workbook(made_up())
    book = openpyxl.load_workbook(io.BytesIO(data))
    (sheet,) = book.worksheets
    values = {cell.coordinate: cell.value for row in sheet for cell in row}
    assert values["C6"] == pytest.approx(1 / 30)
    assert values["D7"] == pytest.approx(1 / 60)
    assert values["C12"] == "=C6-$D6"
    assert "1/30" in values.values()


# A laboratory's counts


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    rows = [f"{row.event},{row.combinations}" for row in analyze_target(TARGET).rows]
    path = tmp_path / "counts.csv"
    path.write_text("\n".join(["event,combinations", *rows, ""]), encoding="utf-8")
    return path


def test_the_same_counts_agree(sheet: Path) -> None:
    found = compare_counts(sheet, TARGET)
    assert found.agrees
    assert all(cell.agrees for cell in found.cells)
    assert sum(cell.theirs or 0 for cell in found.cells) == analyze_target(TARGET).total


def test_rows_may_be_named_as_printed_with_thousands_parted(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    rows = [f"{row.name.upper()};{row.combinations:,}" for row in analyze_target(TARGET).rows]
    path.write_text("\n".join(["Name;Combinations", *rows]), encoding="utf-8-sig")
    assert compare_counts(path, TARGET).agrees


def write_workbook(path: Path, rows: Sequence[Sequence[object]], title: str = "Counts") -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    book.save(path)
    return path


def test_a_workbook_of_two_columns_is_read_cell_by_cell(tmp_path: Path) -> None:
    rows = [(row.name, row.combinations) for row in analyze_target(TARGET).rows]
    head = ("Name", "Combinations")
    assert compare_counts(write_workbook(tmp_path / "a.xlsx", [head, *rows]), TARGET).agrees
    as_text = [(name, f"{count:,}") for name, count in rows]
    assert compare_counts(write_workbook(tmp_path / "b.xlsx", [head, *as_text]), TARGET).agrees
    rows[2] = (rows[2][0], rows[2][1] + 1)
    found = compare_counts(write_workbook(tmp_path / "c.xlsx", [head, *rows]), TARGET)
    assert [cell.name for cell in found.cells if not cell.agrees] == [rows[2][0]]


def test_of_our_own_par_sheets_the_one_that_the_paytable_names_is_compared(tmp_path: Path) -> None:
    selection = select("mini-pai-gow/bonus")
    assert selection.game is not None
    tables = [
        (record, analyze_target(record.target))
        for _, record in selection.records
        if isinstance(record, Paytable)
    ]
    path = tmp_path / "par-sheets.xlsx"
    path.write_bytes(workbook(selection.game, tables, report_id="r"))
    for record, analysis in tables:
        found = compare_counts(path, record.target)
        assert found.agrees
        assert [cell.name for cell in found.cells] == [row.name for row in analysis.rows]


HEAD = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>event</t></is></c>'
    '<c r="B1" t="inlineStr"><is><t>combinations</t></is></c></row>'
)


SHEET = "xl/worksheets/sheet1.xml"


def write_sheet(path: Path, *, cells: str = "", before: str = "") -> Path:
    """Write a workbook whose sheet has the heading and ``cells``, after ``before``."""
    empty = write_workbook(path.with_suffix(".empty"), [])
    with zipfile.ZipFile(empty) as parts, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name in parts.namelist():
            part = parts.read(name).decode()
            if name == SHEET:
                assert "<sheetData></sheetData>" in part
                part = before + part.replace("<sheetData>", f"<sheetData>{HEAD}{cells}")
            made.writestr(name, part)
    return path


def test_numbers_of_a_workbook_may_have_an_exponent(tmp_path: Path) -> None:
    cells = (
        '<row r="2"><c r="A2" t="str"><v>flush</v></c><c r="B2"><v>8.25045E+15</v></c></row>'
        '<row r="9"><c r="A9" t="str"><v>beyond a gap</v></c><c r="B9"><v>1</v></c></row>'
    )
    found = read_counts(write_sheet(tmp_path / "a.xlsx", cells=cells))
    assert found == [(("flush",), 8_250_450_000_000_000)]


@pytest.mark.parametrize(
    "changes",
    [
        {"before": '<!DOCTYPE x [<!ENTITY a "aaaa">]>'},
        {"cells": '<row r="1000000000"><c r="A1000000000"><v>1</v></c></row>'},
        {"cells": '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>1.5</v></c></row>'},
        {"cells": '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>1E+999999999</v></c></row>'},
        {"cells": '<row r="2"><c r="ZZZZZZZ2"><v>1</v></c></row>'},
        {"cells": '<row r="2"><c r="A2" t="s"><v>7</v></c></row>'},
        {"cells": '<row r="2"><c/>' + "</row><row><c/>" * 500_000 + "</row>"},
        {"cells": " " * 33_000_000},
        {"cells": "<row>"},
    ],
    ids=["entities", "rows", "half", "exponent", "column", "text", "cells", "bytes", "broken"],
)
def test_a_hostile_workbook_is_refused(tmp_path: Path, changes: dict[str, str]) -> None:
    with pytest.raises(NotReadable):
        compare_counts(write_sheet(tmp_path / "a.xlsx", **changes), TARGET)


def test_a_zip_that_is_no_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    with pytest.raises(NotReadable, match="cannot be read as a workbook"):
        compare_counts(path, TARGET)


def test_two_sheets_with_counts_must_be_distinguished(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    rows = [("event", "combinations"), ("flush", 1)]
    book = openpyxl.load_workbook(write_workbook(path, rows))
    other = book.create_sheet("Other")
    for row in rows:
        other.append(row)
    book.save(path)
    with pytest.raises(NotReadable, match="2 sheets"):
        compare_counts(path, TARGET)


def test_a_count_that_is_one_off_differs_and_so_does_a_row_that_one_side_lacks(sheet: Path) -> None:
    header, first, second, *rest = sheet.read_text(encoding="utf-8").splitlines()
    event, _, combinations = first.partition(",")
    changed = [header, f"{event},{int(combinations) + 1}", *rest, "six_of_a_kind,1"]
    sheet.write_text("\n".join(changed), encoding="utf-8")
    found = compare_counts(sheet, TARGET)
    assert not found.agrees
    different = {cell.event: (cell.ours, cell.theirs) for cell in found.cells if not cell.agrees}
    missing, _, ours = second.partition(",")
    assert different == {
        event: (int(combinations), int(combinations) + 1),
        missing: (int(ours), None),
        "six_of_a_kind": (None, 1),
    }


@pytest.mark.parametrize(
    "text",
    [
        "row,count\nflush,1\n",
        "event,combinations\nflush,many\n",
        "event,combinations\nflush,1\nFlush,1\n",
        "event,combinations\n,1\n",
        "",
        "event,combinations\nflush," + "9" * 5_000,
        "event,combinations\nflush," + "x" * 200_000,
    ],
)
def test_a_file_that_is_no_table_of_counts_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "counts.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NotReadable):
        compare_counts(path, TARGET)


def test_a_target_of_several_paytables_is_refused(sheet: Path) -> None:
    with pytest.raises(NotConfigured):
        compare_counts(sheet, "mini-pai-gow/bonus")
