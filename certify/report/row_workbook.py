"""A workbook of one sheet: a heading for each column, and rows of text."""

import io
from collections.abc import Iterable, Sequence

from xlsxwriter import Workbook

from certify.report.workbook import Look

WIDTH = 30


def row_workbook(names: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a workbook in which each cell is text; no cell is a formula."""
    stream = io.BytesIO()
    book = Workbook(stream, {"in_memory": True})
    look, sheet = Look(book), book.add_worksheet()
    sheet.set_column(0, len(names) - 1, WIDTH)
    sheet.freeze_panes(1, 1)
    for column, name in enumerate(names):
        sheet.write_string(0, column, name, look.heading)
    for number, row in enumerate(rows, 1):
        for column, text in enumerate(row):
            sheet.write_string(number, column, text, look.text)
    book.close()
    return stream.getvalue()
