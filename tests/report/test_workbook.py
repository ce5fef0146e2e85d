import io
import shutil
import subprocess
from fractions import Fraction
from functools import cache

import openpyxl
import pytest
from msgspec.structs import replace
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from certify import library
from certify.engine.bonus import evaluate as evaluate_paytable
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import select_entries
from certify.intake.read import read_catalog
from certify.model.analysis import Analysis
from certify.model.paytable import Meter, Paytable, Progressive
from certify.model.submission import Submission
from certify.report.workbook import Table, sheet_names, workbook
from tests.documented_games import GAMES
from tests.report.conftest import whole

OFFICE = shutil.which("soffice")

ALTERED = "PT-FLT-EC-ET-01"
PROGRESSIVE = "PT-BJS-EC-PGI-01"


def list_tables(submission: Submission) -> list[tuple[Table, Analysis]]:
    tables: list[Table] = [*submission.options, *submission.paytables]
    return [(table, submission.analyses[table.target]) for table in tables]


def made(submission: Submission) -> bytes:
    return workbook(submission.game, list_tables(submission), report_id=submission.report_id)


def find_cell(sheet: Worksheet, name: str) -> object:
    (_, cell), *others = sheet.defined_names[name].destinations
    assert others == []
    return sheet[cell].value


def open_workbook(data: bytes) -> Workbook:
    """Return the workbook without what its writer computed: only inputs and formulas."""
    return openpyxl.load_workbook(io.BytesIO(data))


METERED = Progressive(
    base_wager_cents=500, meters=(Meter(level="1", seed_cents=500_000, increment=Fraction(1, 8)),)
)


@cache
def count_metered() -> tuple[Paytable, Analysis]:
    """Return a paytable with a stated meter, and its figures."""
    submission = whole("emperors-challenge-exposed", "nevada", (PROGRESSIVE,))
    declared = replace(submission.paytables[0], progressive=METERED)
    hands = submission.game.hands
    return declared, evaluate_paytable(declared, events=submission.catalog.events, hands=hands)


def change_pay_and_meter(book: Workbook, row: str) -> None:
    """Add 1,000 to a pay, and state a meter of $12,345."""
    cell = next(cells[3] for cells in book[ALTERED].iter_rows() if cells[0].value == row)
    assert cell.value > 0
    cell.value += 1000
    level = book[PROGRESSIVE].defined_names["Meter_1"].attr_text.rpartition("!")[2]
    book[PROGRESSIVE][level.replace("$", "")] = 12_345


def find_altered(submission: Submission) -> Analysis:
    return next(each for each in submission.analyses.values() if each.paytable == ALTERED)


@pytest.fixture(scope="module")
def recomputed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Workbook]:
    """The workbooks of all games, of a stated meter, and of changed cells, as Office computes."""
    if OFFICE is None:
        pytest.skip("LibreOffice is not installed")
    folder = tmp_path_factory.mktemp("office")
    books = {game: open_workbook(made(whole(game, "nevada"))) for game in GAMES}
    exposed = whole("emperors-challenge-exposed", "nevada")
    data = workbook(exposed.game, [count_metered()], report_id="1")
    books |= {"meters": open_workbook(data), "changed": open_workbook(made(exposed))}
    change_pay_and_meter(books["changed"], find_altered(exposed).rows[0].name)
    (folder / "given").mkdir()
    for name, book in books.items():
        book.save(folder / "given" / f"{name}.xlsx")
    subprocess.run(
        [OFFICE, f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless",
         "--convert-to", "xlsx", "--outdir", folder / "computed",
         *sorted((folder / "given").iterdir())],
        check=True, capture_output=True,
    )  # fmt: skip
    return {
        name: openpyxl.load_workbook(folder / "computed" / f"{name}.xlsx", data_only=True)
        for name in books
    }


def same(value: object, exact: Fraction) -> bool:
    return isinstance(value, int | float) and abs(Fraction(value) - exact) < Fraction(1, 10**12)


def test_office_computes_the_figures_of_every_table_again(recomputed: dict[str, Workbook]) -> None:
    judged = 0
    for game in GAMES:
        tables = list_tables(whole(game, "nevada"))
        for name, (table, analysis) in zip(sheet_names(tables), tables, strict=True):
            sheet = recomputed[game][name]
            assert find_cell(sheet, "Total") == analysis.total, table.target
            for figure, exact in (
                ("House_edge", analysis.house_edge),
                ("Return_to_player", analysis.return_to_player),
                ("Hit_frequency", analysis.hit_frequency),
            ):
                value = find_cell(sheet, figure)
                assert value in ("", None) if exact is None else same(value, exact), table.target
                judged += exact is not None
            for players, exact in (
                analysis.envy.house_edge_by_players if analysis.envy else {}
            ).items():
                assert same(find_cell(sheet, f"House_edge_players_{players}"), exact)
                judged += 1
            if analysis.variance is not None and isinstance(table, Paytable):
                value = find_cell(sheet, "Variance")
                assert isinstance(value, float)
                assert abs(Fraction(value) / analysis.variance - 1) < Fraction(1, 10**11)
    assert judged > 100


def test_the_return_with_average_meters_is_the_long_run_return(
    recomputed: dict[str, Workbook],
) -> None:
    counted = count_metered()[1]
    assert counted.progressive is not None
    assert counted.progressive.long_run is not None
    value = find_cell(recomputed["meters"][PROGRESSIVE], "Long_run_return")
    assert same(value, counted.progressive.long_run[0])


def test_the_edge_follows_a_changed_pay_and_a_stated_meter(recomputed: dict[str, Workbook]) -> None:
    submission, after = whole("emperors-challenge-exposed", "nevada"), recomputed["changed"]
    analysis = find_altered(submission)
    assert analysis.house_edge is not None
    edge = analysis.house_edge - 1000 * analysis.rows[0].probability
    assert same(find_cell(after[ALTERED], "House_edge"), edge)
    (table,) = (table for table in submission.paytables if table.id == PROGRESSIVE)
    catalog, _ = read_catalog(library.paytables())
    game = catalog.games[submission.game.id]
    settings = Settings(meters={"1": 1_234_500})
    (counted,) = evaluate(select_entries(catalog, game, {table.target}), settings)
    assert counted.house_edge is not None
    assert same(find_cell(after[PROGRESSIVE], "House_edge"), counted.house_edge)


def test_a_workbook_is_the_same_from_run_to_run_and_states_what_is_counted() -> None:
    submission = whole("dealer-open-pai-gow", "wsgc")
    assert made(submission) == made(submission)
    book = open_workbook(made(submission))
    tables = list_tables(submission)
    assert book.sheetnames == ["Summary", *sheet_names(tables)]
    for name, (table, analysis) in zip(sheet_names(tables), tables, strict=True):
        written = [(row[0].value, row[4].value) for row in book[name].iter_rows()]
        first = written.index((analysis.rows[0].name, analysis.rows[0].combinations))
        rows = [(row.name, row.combinations) for row in analysis.rows]
        assert written[first : first + len(rows)] == rows, table.target


@pytest.mark.parametrize("game", GAMES)
def test_every_formula_has_its_value_for_a_program_that_does_not_compute(game: str) -> None:
    """The standard deviation of every sheet was blank there."""
    submission = whole(game, "nevada")
    data = made(submission)
    formulas, values = open_workbook(data), openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    tables = list_tables(submission)
    metered = {
        name
        for name, (_, analysis) in zip(sheet_names(tables), tables, strict=True)
        if analysis.house_edge is None
    }
    seen = 0
    for name in formulas.sheetnames:
        for row in formulas[name].iter_rows():
            for cell in row:
                if cell.data_type != "f":
                    continue
                seen += 1
                if values[name][cell.coordinate].value in (None, ""):
                    assert name in metered, f"{name}!{cell.coordinate}"
                    assert cell.value.endswith(',"")'), f"{name}!{cell.coordinate}"
    assert seen > 50
    for name, (table, analysis) in zip(sheet_names(tables), tables, strict=True):
        if analysis.variance is not None:
            deviation = find_cell(values[name], "Standard_deviation")
            assert isinstance(deviation, float), table.target
            assert abs(Fraction(deviation) ** 2 / analysis.variance - 1) < Fraction(1, 10**6)


def test_headings_are_aligned_like_their_columns() -> None:
    submission = whole("dealer-open-pai-gow", "wsgc")
    book = open_workbook(made(submission))
    for name in sheet_names(list_tables(submission)):
        lines = [row for row in book[name].iter_rows() if row[5].value == "Probability"]
        assert lines, name
        for row in lines:
            sides = {cell.column: cell.alignment.horizontal for cell in row if cell.value}
            assert sides == {column: None if column <= 3 else "right" for column in sides}, name
