"""Rows of a workbook (`.xlsx`) from a sender who may be hostile: size and rows are limited."""

import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

MOST_BYTES = 32_000_000
"""Limit on the unpacked size of all parts together."""

MOST_ROWS = 100_000
"""Limit on the rows of one sheet, empty ones included."""

SIGNATURE = b"PK\x03\x04"

Row = tuple[int, list[str]]
"""The number of a row, from 1, and the text of its cells."""


class Unreadable(ValueError):
    """The file is not a workbook, or it exceeds a limit."""


def is_workbook(path: Path) -> bool:
    """Return whether a file starts like a zip archive."""
    with path.open("rb") as stream:
        return stream.read(len(SIGNATURE)) == SIGNATURE


def sheets(path: Path) -> dict[str, list[Row]]:
    """Return the rows of every sheet by its name; an empty cell is an empty text.

    A formula counts as the value that the program which wrote the file kept for it.

    Raises:
        Unreadable: the file is not a workbook, or it exceeds a limit.
    """
    from openpyxl import load_workbook

    try:
        _check_size(path)
        book = load_workbook(path, read_only=True, data_only=True)
        return {sheet.title: [*_rows(sheet)] for sheet in book.worksheets}
    except Unreadable:
        raise
    except Exception as error:  # hostile bytes make the library raise anything
        raise Unreadable(str(error) or type(error).__name__) from error


def _check_size(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
            raise Unreadable(f"it unpacks to more than {MOST_BYTES} bytes")


def _rows(sheet: Any) -> Iterator[Row]:  # noqa: ANN401 - of openpyxl
    sheet.reset_dimensions()  # the declared size may be a lie that fills the memory
    rows = sheet.iter_rows(values_only=True)
    for number, row in enumerate(islice(rows, MOST_ROWS + 1), start=1):
        if number > MOST_ROWS:
            raise Unreadable(f"a sheet has more than {MOST_ROWS} rows")
        yield number, ["" if value is None else str(value) for value in row]
