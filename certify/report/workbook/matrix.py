"""House ways against one another as a workbook: a sheet of figures and formulas for each option.

Edges are numbers, as a program sees them that does not compute exactly; what a play costs is a
formula over them, and the exact edges stand below as text.
"""

import datetime as dt
import io

from xlsxwriter import Workbook
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from certify.formatting import exact
from certify.model.comparison import HouseWayComparison, HouseWayMatrix
from certify.report.workbook.book import LONGEST_NAME, stored
from certify.report.workbook.par_sheet import Look

FIRST = 4
"""The row of the headings of a sheet's first table."""

WIDTHS = (30, 14)


def house_way_workbook(comparison: HouseWayComparison) -> bytes:
    """Return the workbook; the same comparison always gives the same bytes."""
    stream = io.BytesIO()
    book = Workbook(stream, {"in_memory": True})
    revised = comparison.game.revised
    title = f"{comparison.game.name}: house ways"
    book.set_properties({"title": title, "created": dt.datetime.combine(revised, dt.time())})
    look = Look(book)
    for number, matrix in enumerate(comparison.matrices, 1):
        name = matrix.option.id
        sheet = book.add_worksheet(
            name if len(name) <= LONGEST_NAME else f"{number} {name}"[:LONGEST_NAME]
        )
        sheet.write_string(0, 0, f"{title}, {matrix.option.name}", look.title)
        sheet.set_column(0, 0, WIDTHS[0])
        sheet.set_column(1, len(comparison.ways) + 1, WIDTHS[1])
        row = _edges(sheet, look, comparison, matrix)
        if matrix.best:
            row = _costs(sheet, look, comparison, row)
        _exact(sheet, look, comparison, matrix, row)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
    book.close()
    return stored(stream.getvalue(), revised)


def _head(
    sheet: Worksheet,
    look: Look,
    comparison: HouseWayComparison,
    row: int,
    title: str,
    *,
    best: bool,
) -> None:
    sheet.write_string(row - 1, 0, title, look.heading)
    sheet.write_string(row, 0, "Dealer's house way; the player's across", look.heading)
    names = [way.id for way in comparison.ways] + ["best play"] * best
    for column, name in enumerate(names, 1):
        sheet.write_string(row, column, name, look.number_heading)
    for line, way in enumerate(comparison.ways, row + 1):
        sheet.write_string(line, 0, way.id, look.text)


def _edges(
    sheet: Worksheet, look: Look, comparison: HouseWayComparison, matrix: HouseWayMatrix
) -> int:
    """Write the edges; return the row of the next table's headings."""
    _head(sheet, look, comparison, FIRST, "House edge", best=bool(matrix.best))
    for line, dealer in enumerate(comparison.ways, FIRST + 1):
        for column, player in enumerate(comparison.ways, 1):
            edge = matrix.edges[dealer.id, player.id]
            sheet.write_number(line, column, float(edge), look.percent)
        if matrix.best:
            last = len(comparison.ways) + 1
            sheet.write_number(line, last, float(matrix.best[dealer.id]), look.percent)
    return FIRST + len(comparison.ways) + 4


def _costs(sheet: Worksheet, look: Look, comparison: HouseWayComparison, row: int) -> int:
    """Write what the player's house way costs as formulas; return the next table's row."""
    _head(sheet, look, comparison, row, "Cost against the best play", best=False)
    last = len(comparison.ways) + 1
    for place in range(1, len(comparison.ways) + 1):
        best = xl_rowcol_to_cell(FIRST + place, last, col_abs=True)
        for column in range(1, last):
            edge = xl_rowcol_to_cell(FIRST + place, column)
            sheet.write_formula(row + place, column, f"={edge}-{best}", look.percent)
    return row + len(comparison.ways) + 4


def _exact(
    sheet: Worksheet, look: Look, comparison: HouseWayComparison, matrix: HouseWayMatrix, row: int
) -> None:
    """Write the exact edges as text."""
    _head(sheet, look, comparison, row, "Exact house edge", best=bool(matrix.best))
    for line, dealer in enumerate(comparison.ways, row + 1):
        for column, player in enumerate(comparison.ways, 1):
            sheet.write_string(line, column, exact(matrix.edges[dealer.id, player.id]), look.text)
        if matrix.best:
            last = len(comparison.ways) + 1
            sheet.write_string(line, last, exact(matrix.best[dealer.id]), look.text)
