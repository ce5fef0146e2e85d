"""A laboratory's counts of one paytable: a CSV of rows and their combinations."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from certify.errors import NotReadable

NAMED = ("event", "row", "name")
"""Headings of the column that names a row, by its id or as it is printed."""

COUNTED = "combinations"
REMEDY = "Write a template with certify compare --template FILE TARGET, and fill in its counts."


def read_counts(path: Path) -> list[tuple[tuple[str, ...], int]]:
    """Return what names each row, and its combinations, in the file's order.

    Thousands may be parted by commas or blanks. A row without a count is passed over.

    Raises:
        NotReadable: it is not such a table.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise NotReadable(f"{path} cannot be read as text.", remedy=REMEDY) from error
    return [*_rows(path, text)]


def _rows(path: Path, text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    comma = ";" if text.partition("\n")[0].count(";") else ","
    reader = csv.DictReader(io.StringIO(text), delimiter=comma)
    heads = {(name or "").strip().casefold(): name for name in reader.fieldnames or ()}
    named = [heads[name] for name in NAMED if name in heads]
    if COUNTED not in heads or not named:
        raise NotReadable(
            f"{path} has no columns 'event' (or 'name') and 'combinations'.", remedy=REMEDY
        )
    for row in reader:
        written = (row[heads[COUNTED]] or "").strip()
        keys = tuple(key for name in named if (key := (row[name] or "").strip()))
        digits = "".join(written.replace(",", "").split())
        if not digits:
            continue
        if not keys or not (digits.isascii() and digits.isdigit()):
            raise NotReadable(
                f"{path}, line {reader.line_num}: {written} is not a number of combinations.",
                remedy=REMEDY,
            )
        yield keys, int(digits)
