"""Tables from outside: results of a casino floor, and counts of a laboratory.

Both are strict: each fault is reported with its line and column, and one is enough to refuse the
table.
"""

import csv
import io
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct, field

from certify.errors import NotReadable
from certify.formatting import LONGEST, correct_amount, plain_reason, read_cents, read_whole
from certify.model.analysis import Results
from certify.received.files import open_file
from certify.storage import read_text

WON = ("paid", "won", "hold")
"""The columns of which one says what the house won."""

COLUMNS = ("target", "name", "rounds", "average_wager", "wagered", *WON)

SHOWN = 10
"""Faults of one table that a message lists."""

MOST_LINES = 20_000
"""Of one file: a floor of 50 tables, reported every day of a year."""

_percent = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?%?").fullmatch


class Cell(Struct, frozen=True):
    """A value with its place."""

    text: str
    line: int
    number: int
    column: str

    def fault(self, message: str) -> str:
        """Return a fault with its place."""
        return f"line {self.line}, column {self.number} ({self.column}): {message}"


class _Reader(Struct):
    """Parser of cells that collects faults."""

    faults: list[str] = field(default_factory=list)

    def whole(self, cell: Cell) -> int:
        """Return a whole number of at least 1; 1 if it is invalid."""
        number = read_whole(cell.text)
        if number:
            return number
        self.faults.append(cell.fault(f"{cell.text!r} is not a whole number from 1"))
        return 1

    def cents(self, cell: Cell, *, least: int | None = None) -> Fraction:
        """Return dollars in cents, at least ``least``; 1 if invalid."""
        amount = read_cents(cell.text)
        if amount is None:
            fix = correct_amount(cell.text).removesuffix(".")
            self.faults.append(cell.fault(f"{cell.text!r} is not an amount of dollars. {fix}"))
            return Fraction(1)
        if least is not None and amount < least:
            wrong = "negative" if amount < 0 else "nothing"
            self.faults.append(cell.fault(f"{cell.text!r} is {wrong}"))
            return Fraction(1)
        return Fraction(amount)

    def share(self, cell: Cell) -> Fraction:
        """Return a percentage as a share; 0 if it is invalid."""
        if _percent(cell.text):
            return Fraction(cell.text.removesuffix("%")) / 100
        self.faults.append(cell.fault(f"{cell.text!r} is not a percentage such as 4.35"))
        return Fraction(0)


def read_results(data: bytes, name: str, *, target: str | None) -> tuple[Results, ...]:
    """Read the results of a floor.

    Args:
        data: the file.
        name: what the file is called in messages.
        target: the target of every line where no column says it.

    Raises:
        NotReadable: the file is no such table; the message lists every fault with its place.
    """
    try:
        text = data.decode("utf-8-sig")
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
        table = [(lines.line_num, row) for row in lines if row]
    except UnicodeDecodeError as error:
        raise NotReadable(
            f"{name} is not UTF-8 at byte {error.start + 1}.", remedy="Save it as CSV in UTF-8."
        ) from error
    except csv.Error as error:
        raise NotReadable(
            f"{name} is not CSV: {error}.", remedy="Save it as CSV with commas."
        ) from error
    if len(table) < 2:  # noqa: PLR2004 - a heading and a line
        raise NotReadable(
            f"{name} has no lines of results.",
            remedy=f"Write a heading ({', '.join(COLUMNS[:-2])}) and one line per wager.",
        )
    if len(table) > MOST_LINES + 1:
        raise NotReadable(
            f"{name} has more than {MOST_LINES:,} lines of results.",
            remedy="Use one file per month or per wager.",
        )
    columns = [name.strip() for name in table[0][1]]
    _refuse(name, _faults_of_heading(columns, target))
    reader = _Reader()
    results = tuple(_lines(table[1:], columns, reader, target))
    _refuse(name, [*reader.faults, *_twice(results)])
    return results


def _delimiter(text: str) -> str:
    """Return the separator of columns: a semicolon if the heading has one, else a comma."""
    return ";" if ";" in text.partition("\n")[0] else ","


def _refuse(name: str, faults: Sequence[str]) -> None:
    if faults:
        more = f"; and {len(faults) - SHOWN} faults more" if len(faults) > SHOWN else ""
        raise NotReadable(
            f"{name} cannot be used: {'; '.join(faults[:SHOWN])}{more}.",
            remedy="Correct these; docs/how-to/monitor-the-floor.md describes columns and units.",
        )


def _faults_of_heading(columns: Sequence[str], target: str | None) -> list[str]:
    """Return the faults of the heading."""
    faults = []
    for number, column in enumerate(columns, 1):
        cell = Cell(column, 1, number, column)
        if column not in COLUMNS:
            near = get_close_matches(column, COLUMNS, n=1)
            fix = f"did you mean {near[0]}?" if near else f"known: {', '.join(COLUMNS)}"
            faults.append(cell.fault(f"there is no such column; {fix}"))
        elif column in columns[: number - 1]:
            faults.append(cell.fault("the column occurs twice"))
    if ("target" in columns) is (target is not None):
        faults.append(
            "line 1: the target is in a column and in --target; remove one of them"
            if target
            else "line 1: the column target is missing; add it, or use --target"
        )
    if "wagered" not in columns:
        faults.append("line 1: the column wagered is missing")
    if not {"rounds", "average_wager"} & set(columns):
        faults.append("line 1: rounds or average_wager is missing")
    if sum(column in WON for column in columns) != 1:
        faults.append(f"line 1: exactly one of {', '.join(WON)} is needed")
    return faults


def _lines(
    table: Sequence[tuple[int, list[str]]],
    columns: Sequence[str],
    reader: _Reader,
    target: str | None,
) -> Iterator[Results]:
    for line, row in table:
        if len(row) != len(columns):
            reader.faults.append(f"line {line}: {len(row)} values for {len(columns)} columns")
            continue
        cells = {
            column: Cell(text.strip(), line, number, column)
            for number, (column, text) in enumerate(zip(columns, row, strict=True), 1)
        }
        target_cell = cells.get("target")
        if target_cell is not None and not target_cell.text:
            reader.faults.append(target_cell.fault("there is no target"))
        wagered = reader.cents(cells["wagered"], least=1)
        yield Results(
            line=line,
            target=target or (target_cell.text if target_cell else ""),
            name=cells["name"].text if "name" in cells else "",
            rounds=_rounds(cells, wagered, reader),
            wagered=wagered,
            won=_won(cells, wagered, reader),
        )


def _rounds(cells: Mapping[str, Cell], wagered: Fraction, reader: _Reader) -> int:
    """Return the number of rounds, or its estimate from the average wager."""
    rounds = reader.whole(cells["rounds"]) if "rounds" in cells else None
    average = cells.get("average_wager")
    if average is None:
        return rounds or 1
    cents = reader.cents(average, least=1)
    if rounds is None:
        return max(1, round(wagered / cents))
    if abs(wagered / rounds - cents) > 1 and not reader.faults:
        reader.faults.append(
            average.fault(f"{average.text!r} times the rounds is not the amount wagered")
        )
    return rounds


def _won(cells: Mapping[str, Cell], wagered: Fraction, reader: _Reader) -> Fraction:
    """Return the win of the house, in cents."""
    if "paid" in cells:
        return wagered - reader.cents(cells["paid"], least=0)
    cell = cells.get("won") or cells["hold"]
    won = reader.cents(cell) if "won" in cells else wagered * reader.share(cell)
    if won > wagered and not reader.faults:
        reader.faults.append(cell.fault(f"{cell.text!r} is more than the amount wagered"))
    return won


def _twice(results: Sequence[Results]) -> Iterator[str]:
    """Yield faults of lines that repeat a line of the same wager."""
    first: dict[tuple[str, str], int] = {}
    for result in results:
        line = first.setdefault((result.target, result.name), result.line)
        if line != result.line:
            named = " ".join(part for part in (result.target, result.name) if part)
            twice = f"{named} is already in line {line}"
            yield f"line {result.line}: {twice}; use different names"


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
    """Return True if a file starts like a zip archive."""
    with open_file(path) as stream:
        return stream.read(len(SIGNATURE)) == SIGNATURE


def sheets(path: Path) -> dict[str, list[Row]]:
    """Return the rows of every sheet by its name; an empty cell is an empty text.

    A formula counts as its stored value.

    Raises:
        Unreadable: the file is not a workbook, or it exceeds a limit.
    """
    from openpyxl import load_workbook

    try:
        with open_file(path) as stream:
            _check_size(stream)
            book = load_workbook(stream, read_only=True, data_only=True)
            return {sheet.title: [*_rows(sheet)] for sheet in book.worksheets}
    except Unreadable:
        raise
    except Exception as error:  # hostile bytes make the library raise anything
        raise Unreadable(plain_reason(error)) from error


def _check_size(stream: BinaryIO) -> None:
    with zipfile.ZipFile(stream) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
            raise Unreadable(f"it unpacks to more than {MOST_BYTES} bytes")


def _rows(sheet: Any) -> Iterator[Row]:  # noqa: ANN401 - of openpyxl
    sheet.reset_dimensions()  # the declared size may be a lie that fills the memory
    for number, row in enumerate(islice(sheet.iter_rows(values_only=True), MOST_ROWS + 1), start=1):
        if number > MOST_ROWS:
            raise Unreadable(f"a sheet has more than {MOST_ROWS} rows")
        yield number, ["" if value is None else str(value) for value in row]


NAMED = ("event", "row", "name", "winning hand")
"""Headings of the column that names a row, by its id or as it is printed."""

COUNTED = "combinations"
REMEDY = "Write a template with certify compare --template FILE TARGET, and fill in counts."

Line = tuple[int, Sequence[str]]
Counts = list[tuple[tuple[str, ...], int]]


def read_counts(path: Path, names: Collection[str] = ()) -> Counts:
    """Return the name and the combinations of each row, in the file's order.

    The file is a CSV file or a workbook. Of a workbook, the sheet with a name in ``names`` is read,
    or the only one with such a table. Thousands may be separated by commas or blanks. A row without
    a count is skipped; the table of a sheet ends with the first empty line.

    Raises:
        NotReadable: there is no such table.
    """
    try:
        if is_workbook(path):
            return [*_rows_counts(path, _read_workbook(path, names))]
        text = read_text(path)
    except Unreadable as error:
        raise NotReadable(
            f"{path} cannot be read as a workbook: {error}.", remedy=REMEDY
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise NotReadable(f"{path} cannot be read as text.", remedy=REMEDY) from error
    reader = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    try:
        return [*_rows_counts(path, ((reader.line_num, row) for row in reader if row))]
    except csv.Error as error:
        raise NotReadable(f"{path} is not CSV: {error}.", remedy=REMEDY) from error


def _read_workbook(path: Path, names: Collection[str]) -> Iterator[Line]:
    tables = {name: [*_table(rows)] for name, rows in sheets(path).items()}
    tables = {name: rows for name, rows in tables.items() if rows}
    folded_names = {name.casefold() for name in names}
    fitting = [name for name in tables if name.casefold() in folded_names] or list(tables)
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
        count = _count(written)
        if not keys or count is None:
            raise NotReadable(
                f"{path}, line {number}: {written} is not a number of combinations.",
                remedy=REMEDY,
            )
        yield keys, count


def _cell(row: Sequence[str], column: int) -> str:
    return row[column].strip() if column < len(row) else ""


def _count(written: str) -> int | None:
    """Return a count, also one written as ``8.25E+15`` or ``825.0``; None if it is not whole."""
    number = read_whole(written)
    if number is not None:
        return number
    try:
        value = Decimal(written)
    except InvalidOperation:
        return None
    whole = value.is_finite() and value >= 0 and value.adjusted() < LONGEST and value % 1 == 0
    of_workbook = "e" in written.casefold() or written.endswith(".0")
    return int(value) if whole and of_workbook else None
