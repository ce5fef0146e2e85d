"""A workbook with one table of texts."""

import datetime as dt
import io
from collections.abc import Iterable, Sequence

from xlsxwriter import Workbook

from certify.report.workbook import Look, store_uncompressed

WIDTH = 30


def table_workbook(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], day: dt.date
) -> bytes:
    """Return a workbook with one table of texts; the same table always gives the same bytes.

    No cell is a formula.
    """
    stream = io.BytesIO()
    book = Workbook(stream, {"in_memory": True})
    book.set_properties({"title": title, "created": dt.datetime.combine(day, dt.time())})
    look = Look(book)
    sheet = book.add_worksheet(title)
    sheet.set_column(0, len(headings) - 1, WIDTH)
    for number, line in enumerate((headings, *rows)):
        for column, text in enumerate(line):
            sheet.write_string(number, column, text, look.text if number else look.heading)
    sheet.freeze_panes(1, 1)
    book.close()
    return store_uncompressed(stream.getvalue(), day)
