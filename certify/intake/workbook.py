"""The cells of a workbook (`.xlsx`), read with the standard library and within limits.

Only what stands in the cells is read: texts, and numbers as they were written. A formula counts as
the value that its program left. Whoever sends a workbook is not trusted: what it unpacks to is
bounded, and a document type, which could define entities, is refused.

Source: ECMA-376, Office Open XML, part 1 (SpreadsheetML), §18.3 and §18.4.
"""

import posixpath
import xml.etree.ElementTree as ET
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

MOST_BYTES = 32_000_000
"""What one part of a workbook may unpack to."""

MOST_CELLS = 500_000
"""How many cells all sheets together may have."""

MOST_PARTS = 2_000
"""How many files a workbook may hold."""

SIGNATURE = b"PK\x03\x04"

Row = tuple[int, list[str]]
"""The number of a row, from 1, and its cells; rows without a cell may be left out."""


class Unreadable(ValueError):
    """What is wrong with a workbook, in words."""


class _Plain(ET.TreeBuilder):
    """Builds a tree, but of no document with a type."""

    def doctype(self, *_: object) -> None:
        raise Unreadable("one of its parts has a document type")


def is_workbook(path: Path) -> bool:
    """Return whether a file begins as a zip does."""
    with path.open("rb") as stream:
        return stream.read(len(SIGNATURE)) == SIGNATURE


def sheets(path: Path) -> dict[str, list[Row]]:
    """Return the rows of every sheet by its name, as texts; a gap is an empty text.

    Raises:
        Unreadable: it is no workbook, or beyond the limits.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _sheets(archive)
    except (zipfile.BadZipFile, zlib.error, ET.ParseError, LookupError, NotImplementedError,
            RuntimeError, ValueError) as error:  # fmt: skip
        raise Unreadable(str(error)) from error


def _sheets(archive: zipfile.ZipFile) -> dict[str, list[Row]]:
    if len(archive.infolist()) > MOST_PARTS:
        raise Unreadable(f"it holds more than {MOST_PARTS} files")
    texts: list[str] = []
    if "xl/sharedStrings.xml" in archive.namelist():
        texts = [_text(item) for item in _root(archive, "xl/sharedStrings.xml")]
    targets = {
        part.get("Id"): posixpath.normpath(posixpath.join("/xl", part.get("Target", "")))[1:]
        for part in _root(archive, "xl/_rels/workbook.xml.rels")
    }
    rows_of: dict[str, list[Row]] = {}
    left = MOST_CELLS
    for sheet in _root(archive, "xl/workbook.xml").iterfind("{*}sheets/{*}sheet"):
        identity = next((value for key, value in sheet.attrib.items() if key.endswith("}id")), "")
        part = _root(archive, targets[identity])
        left -= sum(1 for _ in part.iterfind("{*}sheetData/{*}row/{*}c"))
        if left < 0:
            raise Unreadable(f"it has more than {MOST_CELLS} cells")
        rows_of[sheet.get("name", "")] = [*_rows(part, texts)]
    return rows_of


def _root(archive: zipfile.ZipFile, name: str) -> ET.Element:
    with archive.open(name) as stream:
        return _parsed(stream, name)


def _parsed(stream: IO[bytes], name: str) -> ET.Element:
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unreadable(f"{name} unpacks to more than {MOST_BYTES} bytes")

    return ET.fromstring(data, parser=ET.XMLParser(target=_Plain()))  # noqa: S314 - bounded


def _rows(part: ET.Element, texts: list[str]) -> Iterator[Row]:
    number = 0
    for row in part.iterfind("{*}sheetData/{*}row"):
        number = int(row.get("r", number + 1))
        cells: list[str] = []
        for cell in row.iterfind("{*}c"):
            column = _column(cell.get("r", ""))
            cells += [""] * (column - len(cells))
            cells.append(_value(cell, texts))
        yield number, cells


def _column(place: str) -> int:
    """Return the number of the column of a cell such as ``AB12``, from 0; 0 without a place."""
    number = 0
    for letter in place.rstrip("0123456789"):
        number = 26 * number + ord(letter.upper()) - ord("A") + 1
    if number > MOST_PARTS:
        raise Unreadable(f"{place} is too far to the right")
    return max(number - 1, 0)


def _value(cell: ET.Element, texts: list[str]) -> str:
    if cell.get("t") == "inlineStr":
        return "".join(_text(item) for item in cell.iterfind("{*}is"))
    written = cell.findtext("{*}v") or ""
    return texts[int(written)] if cell.get("t") == "s" else written


def _text(item: ET.Element) -> str:
    """Return a text, its runs joined; how it sounds (phonetic runs) left out."""
    runs = [*item.iterfind("{*}t"), *item.iterfind("{*}r/{*}t")]
    return "".join(run.text or "" for run in runs)
