"""A laboratory's counts of one paytable: a table of rows and their combinations."""

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path

from certify.errors import NotReadable
from certify.intake.workbook import Row, Unreadable, is_workbook, sheets
from certify.storage import read_text

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
            return [*_rows(path, _of_workbook(path, names))]
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
        return [*_rows(path, ((reader.line_num, row) for row in reader if row))]
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


def _rows(path: Path, lines: Iterator[Line]) -> Iterator[tuple[tuple[str, ...], int]]:
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
