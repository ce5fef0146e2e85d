"""A laboratory's counts of one paytable, from CSV or a workbook."""

import csv
import io
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import islice
from pathlib import Path
from typing import Any

from certify.errors import NotReadable
from certify.storage import read_text

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


NAMED = ("event", "row", "name", "winning hand")
"""Headings of the column that names a row, by its id or as it is printed."""

COUNTED = "combinations"
REMEDY = "Write a template with certify compare --template FILE TARGET, and fill in its counts."

Line = tuple[int, Sequence[str]]
Counts = list[tuple[tuple[str, ...], int]]


def read_counts(path: Path, names: Collection[str] = ()) -> Counts:
    """Return what names each row, and its combinations, in the file's order.

    The file is a CSV, or a workbook: of its sheets the one whose name is among ``names``, or the
    only one that has such a table. Thousands may be parted by commas or blanks. A row without a
    count is passed over; the table of a sheet ends with the first empty line.

    Raises:
        NotReadable: it is not such a table.
    """
    try:
        if is_workbook(path):
            return [*_rows_counts(path, _of_workbook(path, names))]
        text = read_text(path)
    except Unreadable as error:
        raise NotReadable(
            f"{path} cannot be read as a workbook: {error}.", remedy=REMEDY
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise NotReadable(f"{path} cannot be read as text.", remedy=REMEDY) from error
    comma = ";" if text.partition("\n")[0].count(";") else ","
    reader = csv.reader(io.StringIO(text), delimiter=comma)
    try:
        return [*_rows_counts(path, ((reader.line_num, row) for row in reader if row))]
    except csv.Error as error:
        raise NotReadable(f"{path} is no CSV: {error}.", remedy=REMEDY) from error


def _of_workbook(path: Path, names: Collection[str]) -> Iterator[Line]:
    tables = {name: [*_table(rows)] for name, rows in sheets(path).items()}
    tables = {name: rows for name, rows in tables.items() if rows}
    wanted = {name.casefold() for name in names}
    fitting = [name for name in tables if name.casefold() in wanted] or list(tables)
    if len(fitting) != 1:
        raise NotReadable(
            f"{path} has {len(fitting)} sheets with a table of counts.",
            remedy=f"Name one of them {' or '.join(sorted(names))}." if fitting else REMEDY,
        )
    return iter(tables[fitting[0]])


def _table(rows: Iterable[Row]) -> Iterator[Line]:
    """Yield the lines from the headings on up to the first empty one."""
    last = 0
    for number, row in rows:
        heads = {cell.strip().casefold() for cell in row}
        if last and (number != last + 1 or not any(heads)):
            return
        if last or (COUNTED in heads and heads & set(NAMED)):
            last = number
            yield number, row


def _rows_counts(path: Path, lines: Iterator[Line]) -> Iterator[tuple[tuple[str, ...], int]]:
    _, heading = next(lines, (0, ()))
    heads = {name.strip().casefold(): column for column, name in enumerate(heading)}
    named = [heads[name] for name in NAMED if name in heads]
    if COUNTED not in heads or not named:
        raise NotReadable(
            f"{path} has no columns 'event' (or 'name') and 'combinations'.", remedy=REMEDY
        )
    for number, row in lines:
        written = _cell(row, heads[COUNTED])
        if not written:
            continue
        keys = tuple(key for column in named if (key := _cell(row, column)))
        count = _whole(written)
        if not keys or count is None:
            raise NotReadable(
                f"{path}, line {number}: {written} is not a number of combinations.",
                remedy=REMEDY,
            )
        yield keys, count


def _cell(row: Sequence[str], column: int) -> str:
    return row[column].strip() if column < len(row) else ""


def _whole(written: str) -> int | None:
    """Return a count, also one written as ``8.25E+15`` or ``825.0``; None if it is not whole."""
    digits = "".join(written.replace(",", "").split())
    if digits.isascii() and digits.isdigit():
        return int(digits) if len(digits) <= _DIGITS else None
    try:
        value = Decimal(digits)
    except InvalidOperation:
        return None
    whole = value.is_finite() and value >= 0 and value.adjusted() < _DIGITS and value % 1 == 0
    of_workbook = "e" in digits.casefold() or digits.endswith(".0")
    return int(value) if whole and of_workbook else None


_DIGITS = 20
"""More than any number of deals has; what is longer, or has a greater exponent, is no count."""
