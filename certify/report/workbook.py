"""Workbooks: a PAR sheet for each paytable, and house ways compared, a sheet for each option.

Counts are integers, pays are inputs, and all other cells are formulas over named cells, so they
follow when a pay is changed. The exact figures of the filing are given as text.

In the comparison of house ways, edges are floating-point numbers for the spreadsheet, and the cost
of a play is a formula over them. The exact edges are below them as text.
"""

import datetime as dt
import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from xlsxwriter import Workbook
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from certify.formatting import exact, root
from certify.model.analysis import Analysis
from certify.model.comparison import HouseWayComparison, HouseWayMatrix
from certify.model.game import Game
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.report.par_sheet import FIRST_ROW, PLACES, Look, Sheet

Table = MainWager | Paytable
LONGEST_NAME = 31
"""The most characters that a sheet's name may have."""


def workbook(
    game: Game,
    tables: Sequence[tuple[Table, Analysis]],
    *,
    report_id: str,
) -> bytes:
    """Return the workbook of a filing; the same filing always gives the same bytes.

    Args:
        game: what the tables belong to.
        tables: the filed options of the main wager, then the paytables, each with its figures.
        report_id: the name of the filing, printed at the foot of every page.
    """
    stream = io.BytesIO()
    book = Workbook(stream, {"in_memory": True})
    book.set_properties(
        {
            "title": f"{game.name}: PAR sheets",
            "created": dt.datetime.combine(game.revised, dt.time()),
        }
    )
    names = {wager.id: wager.name for wager in game.wagers}
    look = Look(book)
    summary = Summary(book.add_worksheet("Summary"), look, game=game, report_id=report_id)
    for name, (table, analysis) in zip(sheet_names(tables), tables, strict=True):
        sheet = book.add_worksheet(name)
        Sheet(book, sheet, look, title=f"{game.name}: {names[table.wager]}").write(table, analysis)
        _print(sheet, report_id)
        summary.add(names[table.wager], name, analysis)
    _print(summary.sheet, report_id)
    book.close()
    return store_uncompressed(stream.getvalue(), game.revised)


def sheet_names(tables: Sequence[tuple[Table, Analysis]]) -> list[str]:
    """Return a sheet's name for each table: its id, with the wager's if tables share one."""
    ids = [table.id.casefold() for table, _ in tables]
    names = [
        table.id if ids.count(table.id.casefold()) == 1 else f"{table.wager} {table.id}"
        for table, _ in tables
    ]
    return [sheet_name(number, name) for number, name in enumerate(names, 1)]


def sheet_name(number: int, name: str) -> str:
    """Return a name that a sheet may have; one that is cut begins with the sheet's number."""
    return name if len(name) <= LONGEST_NAME else f"{number} {name}"[:LONGEST_NAME]


OPEN = "by meter"
"""Text for a figure in the summary that depends on a meter without a level."""

FIRST_FIGURE = 2
"""The first column of figures in the summary."""


class Summary:
    """The first sheet: one line per table, with formulas on the table's sheet."""

    COLUMNS = (("House edge", "House_edge", "percent"), ("Return", "Return_to_player", "percent"),
               ("Hit frequency", "Hit_frequency", "percent"),
               ("Standard deviation", "Standard_deviation", "number"))  # fmt: skip

    def __init__(self, sheet: Worksheet, look: Look, *, game: Game, report_id: str) -> None:
        """Begin the sheet."""
        self.sheet, self.look, self.row = sheet, look, FIRST_ROW + 1
        sheet.set_column(0, 0, 36)
        sheet.set_column(1, 1, 24)
        sheet.set_column(2, 5, 18)
        sheet.write_string(0, 0, f"{game.name}: PAR sheets", look.title)
        sheet.write_string(1, 0, report_id, look.text)
        headings = ("Wager", "Table", *(heading for heading, _, _ in self.COLUMNS))
        for column, heading in enumerate(headings):
            form = look.heading if column < FIRST_FIGURE else look.number_heading
            sheet.write_string(FIRST_ROW, column, heading, form)
        sheet.freeze_panes(FIRST_ROW + 1, 0)

    def add(self, wager: str, sheet: str, analysis: Analysis) -> None:
        """Add the line of one table."""
        self.sheet.write_string(self.row, 0, wager, self.look.text)
        self.sheet.write_url(self.row, 1, f"internal:'{sheet}'!A1", self.look.link, sheet)
        spread = None if analysis.variance is None else root(analysis.variance, PLACES)
        values = (analysis.house_edge, analysis.return_to_player, analysis.hit_frequency, spread)
        for number, ((_, name, form), value) in enumerate(
            zip(self.COLUMNS, values, strict=True), FIRST_FIGURE
        ):
            cell = f"'{sheet}'!{name}"
            self.sheet.write_formula(
                self.row, number, f'=IF(ISNUMBER({cell}),{cell},"{OPEN}")',
                getattr(self.look, form), OPEN if value is None else float(value),
            )  # fmt: skip
        self.row += 1


def _print(sheet: Worksheet, report_id: str) -> None:
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.set_footer(f"&L{report_id}&C&A&R&P / &N")


def store_uncompressed(data: bytes, date: dt.date) -> bytes:
    """Return the workbook without compression."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    return zip_uncompressed(files, date, mode=0o600)


def zip_uncompressed(files: Mapping[str, bytes], date: dt.date, *, mode: int) -> bytes:
    """Return a zip of files, each with this date and this mode, in the order of the mapping.

    Nothing is compressed: two versions of zlib do not give the same bytes.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, date_time=(date.year, date.month, date.day, 0, 0, 0))
            entry.create_system = 3  # Unix, wherever it is made
            entry.external_attr = mode << 16
            archive.writestr(entry, data)
    return stream.getvalue()


FIRST = 4
"""The row of the headings of a sheet's first table."""

WIDTHS = (30, 14)

BEST = "best play"
"""The heading of the best play's column."""


def house_way_workbook(comparison: HouseWayComparison) -> bytes:
    """Return the workbook; the same comparison always gives the same bytes."""
    stream = io.BytesIO()
    book = Workbook(stream, {"in_memory": True})
    revised = comparison.game.revised
    title = f"{comparison.game.name}: house ways"
    book.set_properties({"title": title, "created": dt.datetime.combine(revised, dt.time())})
    look = Look(book)
    for number, matrix in enumerate(comparison.matrices, 1):
        sheet = book.add_worksheet(sheet_name(number, matrix.option.id))
        sheet.write_string(0, 0, f"{title}, {matrix.option.name}", look.title)
        sheet.set_column(0, 0, WIDTHS[0])
        sheet.set_column(1, len(comparison.ways) + 1, WIDTHS[1])
        _write(sheet, look, [way.id for way in comparison.ways], matrix)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
    book.close()
    return store_uncompressed(stream.getvalue(), revised)


def _write(sheet: Worksheet, look: Look, ways: list[str], matrix: HouseWayMatrix) -> None:
    """Write the edges, the cost of each play as formulas over them, and the edges as text."""
    height, last = len(ways) + 4, len(ways) + 1
    best = [BEST] if matrix.best else []

    def table(
        row: int, title: str, names: list[str], write: Callable[[int, int, int], None]
    ) -> int:
        """Write one table with a cell writer; return the row of the next one's headings."""
        sheet.write_string(row - 1, 0, title, look.heading)
        sheet.write_string(row, 0, "Dealer's house way; the player's across", look.heading)
        for column, name in enumerate(names, 1):
            sheet.write_string(row, column, name, look.number_heading)
        for place, way in enumerate(ways, 1):
            sheet.write_string(row + place, 0, way, look.text)
            for column in range(1, len(names) + 1):
                write(row + place, place, column)
        return row + height

    def edge(place: int, column: int) -> Fraction:
        dealer = ways[place - 1]
        return matrix.best[dealer] if column == last else matrix.edges[dealer, ways[column - 1]]

    def number(line: int, place: int, column: int) -> None:
        sheet.write_number(line, column, float(edge(place, column)), look.percent)

    def cost(line: int, place: int, column: int) -> None:
        least = xl_rowcol_to_cell(FIRST + place, last, col_abs=True)
        own = xl_rowcol_to_cell(FIRST + place, column)
        value = float(edge(place, column) - edge(place, last))
        sheet.write_formula(line, column, f"={own}-{least}", look.percent, value)

    def text(line: int, place: int, column: int) -> None:
        sheet.write_string(line, column, exact(edge(place, column)), look.text)

    row = table(FIRST, "House edge", ways + best, number)
    if best:
        row = table(row, "Cost against the best play", ways, cost)
    table(row, "Exact house edge", ways + best, text)
