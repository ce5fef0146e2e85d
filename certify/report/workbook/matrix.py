"""House ways against one another as a workbook: a sheet of figures and formulas for each option.

Edges are numbers, as a program sees them that does not compute exactly; what a play costs is a
formula over them, and the exact edges stand below as text.
"""

import datetime as dt
import io
from collections.abc import Callable
from fractions import Fraction

from xlsxwriter import Workbook
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from certify.formatting import exact
from certify.model.comparison import HouseWayComparison, HouseWayMatrix
from certify.report.workbook.book import sheet_name, stored
from certify.report.workbook.par_sheet import Look

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
    return stored(stream.getvalue(), revised)


def _write(sheet: Worksheet, look: Look, ways: list[str], matrix: HouseWayMatrix) -> None:
    """Write the edges, what each play costs as formulas over them, and the edges as text."""
    height, last = len(ways) + 4, len(ways) + 1
    best = [BEST] if matrix.best else []

    def table(
        row: int, title: str, names: list[str], write: Callable[[int, int, int], None]
    ) -> int:
        """Write one table by what writes a cell; return the row of the next one's headings."""
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
