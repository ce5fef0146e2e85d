"""Grids of cells from vendors' files: workbooks, text, Word documents and PDF files.

A vendor's file is read in a child process with limits (`certify.worker`). A grid is one sheet, one
text or one document. Its rows are the lines of tables and of the text between them, each with its
place in the file. A cell is the text that a reader of the file sees.
"""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import PurePath
from typing import Any

import msgspec
from msgspec import Struct

from certify.errors import CertifyError, NotReadable
from certify.formatting import plain_reason
from certify.intake.results import MOST_BYTES
from certify.worker import Limits, run

LIMITS = Limits(seconds=60, mebibytes=1024)

MOST_ROWS, MOST_CELLS = 20_000, 400_000
"""Limits of one file: a binder of 35 tables has some 1,000 rows."""

MOST_PAGES = 300
"""Pages of a PDF file at most."""


class Row(Struct, frozen=True):
    """The cells of one line, and its place: ``line 4``, ``page 2, table 1, row 3``, or a number.

    ``formulas`` are the places of cells that a formula computes.
    """

    place: str
    cells: tuple[str, ...]
    formulas: tuple[int, ...] = ()


class Grid(Struct, frozen=True, kw_only=True):
    """The lines of a file, or of the ``sheet`` of a workbook."""

    rows: tuple[Row, ...]
    sheet: str = ""

    def locate(self, row: Row, column: int) -> str:
        """Return the place of a cell: ``sheet PT-1, cell B4`` or ``line 4, column 2``."""
        if not self.sheet:
            return f"{row.place}, column {column + 1}"
        letters, rest = "", column + 1
        while rest:
            rest, letter = divmod(rest - 1, 26)
            letters = f"{chr(65 + letter)}{letters}"
        return f"sheet {self.sheet}, cell {letters}{row.place}"


def read_grids(data: bytes, name: str) -> tuple[Grid, ...]:
    """Return the grids of a vendor's file.

    Raises:
        NotReadable: it is of another kind, has macros, links or entities, or exceeds a limit.
        NotJudged: it takes more time or memory than a file of paytables.
        NotInstalled: a library of the extra `import` is missing.
    """
    answered = run(__name__, msgspec.json.encode((name, data)), LIMITS, subject=f"Reading {name}")
    return tuple(msgspec.json.decode(answered, type=list[Grid]))


def answer(job: bytes, _: Callable[[int, int], None]) -> bytes:
    """Return the grids of a file as JSON: the task of the child process."""
    name, data = msgspec.json.decode(job, type=tuple[str, bytes])
    kind = PurePath(name).suffix.lower()
    if kind not in READERS:
        raise NotReadable(
            f"{name} is not a file of paytables.", remedy=f"Use one of {', '.join(READERS)}."
        )
    try:
        grids = [
            grid
            for grid in READERS[kind](data)
            if any(cell for row in grid.rows for cell in row.cells)
        ]
    except (CertifyError, ImportError, MemoryError) as error:
        if isinstance(error, CertifyError):
            error.message = f"{name} {error.message}"
        raise
    except Exception as error:  # hostile bytes make the libraries raise anything
        raise NotReadable(
            f"{name} cannot be read: {plain_reason(error)}.", remedy="Save it again."
        ) from error
    return msgspec.json.encode(grids)


def _clean_rows(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return rows with cleaned cells; refuse more than a file of paytables has."""
    cleaned: list[Row] = []
    cells = 0
    for row in rows:
        cells += len(row.cells)
        if len(cleaned) >= MOST_ROWS or cells > MOST_CELLS:
            raise NotReadable(
                f"has more than {MOST_ROWS:,} rows or {MOST_CELLS:,} cells.",
                remedy="Keep only the sheets and rows with paytables.",
            )
        texts = (" ".join(cell.replace("\\", "").split()) for cell in row.cells)
        cleaned.append(Row(row.place, tuple(texts), row.formulas))
    return tuple(cleaned)


_gap = re.compile(r"\s{2,}|\t")
_ODDS = r"\$?[0-9][0-9,.]* ?(?:to|for|:) ?[0-9]+|\$[0-9][0-9,.]*|push|loss|lose|even money"
_ending_in_odds = re.compile(rf"(\S.*?\S) ({_ODDS})", re.IGNORECASE).fullmatch
_ending_in_pay = re.compile(rf"(\S.*?\S) ({_ODDS}|[0-9][0-9,.]*)", re.IGNORECASE).fullmatch
_heading = re.compile(r"((?:winning )?hand|event) (pays?|payouts?)", re.IGNORECASE).fullmatch


def _read_text(data: bytes) -> Iterator[Grid]:
    """Read text with tabs, or with columns two blanks apart, or with lines that end in a pay."""

    def rows() -> Iterator[Row]:
        below = False
        for number, line in enumerate(_decode(data).splitlines(), 1):
            whole = line.strip()
            cells = line.split("\t") if "\t" in line else _gap.split(whole)
            below = bool(whole) and (below or _heading(whole) is not None)
            # A number alone is a pay only below a heading: Pay Table 1 is a title.
            read = _ending_in_pay if below else _ending_in_odds
            if len(cells) == 1 and (parts := _heading(whole) or read(whole)):
                cells = [parts[1], parts[2]]
            yield Row(f"line {number}", tuple(cells))

    yield Grid(rows=_clean_rows(rows()))


def _read_csv(data: bytes) -> Iterator[Grid]:
    text = _decode(data)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=text.count))
    yield Grid(rows=_clean_rows(Row(f"line {reader.line_num}", tuple(cells)) for cells in reader))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotReadable("is not UTF-8.", remedy="Save it as text or CSV in UTF-8.") from error


_link = re.compile(rb"<Relationship [^>]*TargetMode=\"External\"[^>]*>")


def _refuse_hostile(data: bytes) -> None:
    """Refuse an Office file with macros, links to other files, entities or too large parts."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
            raise NotReadable(f"unpacks to more than {MOST_BYTES:,} bytes.", remedy="Split it.")
        for name in archive.namelist():
            if name.lower().endswith("vbaproject.bin"):
                raise NotReadable("has macros.", remedy="Save it without macros.")
            if not name.lower().endswith((".xml", ".rels")):
                continue
            part = archive.read(name)
            if b"<!" in part.replace(b"<!--", b"").replace(b"<![CDATA[", b"") or b"\0" in part:
                raise NotReadable(f"declares XML entities in {name}.", remedy="Save it again.")
            linked = any(b"hyperlink" not in link for link in _link.findall(part))
            if linked or "externallink" in name.lower():
                raise NotReadable("links to other files.", remedy="Break the links; keep values.")


def _read_workbook(data: bytes) -> Iterator[Grid]:
    from openpyxl import load_workbook

    _refuse_hostile(data)
    counted = load_workbook(io.BytesIO(data), read_only=True)
    for sheet in counted.worksheets:
        sheet.reset_dimensions()  # the declared size may be a lie
        _clean_rows(Row("", ("",) * len(row)) for row in sheet.iter_rows(values_only=True))
    values = load_workbook(io.BytesIO(data), data_only=True)
    formulas = load_workbook(io.BytesIO(data))
    for sheet in values.worksheets:
        if sheet.sheet_state == "visible":
            written = formulas[sheet.title]
            merged = {  # the first cell of each merged range, by the others of its row
                cell.coordinate: row[0]
                for area in sheet.merged_cells.ranges
                for row in sheet[area.coord]
                for cell in row[1:]
            }
            yield Grid(
                rows=_clean_rows(_sheet_row(row, written, merged) for row in sheet.iter_rows()),
                sheet=sheet.title,
            )


_quotient = re.compile(r"=([0-9]{1,9}/[0-9]{1,9})").fullmatch


def _sheet_row(row: Sequence[Any], written: Any, merged: Mapping[str, Any]) -> Row:  # noqa: ANN401 - of openpyxl
    texts, computed = [], []
    for place, each in enumerate(row):
        cell = merged.get(each.coordinate, each)
        text, formula = _display(cell), written[cell.coordinate].value
        if cell.data_type != "s" and isinstance(formula, str) and formula.startswith("="):
            quotient = _quotient(formula)
            text = quotient[1] if quotient else text or formula
            computed += [] if quotient else [place]
        texts.append(text)
    return Row(str(row[0].row), tuple(texts), tuple(computed))


_number_format = re.compile(r"([^#0?]*)([#0,]*[#0])(?:\.([0#]+))?([^#0?/]*)").fullmatch
_not_shown = re.compile(r'\[[^\]]*\]|[_*].|["\\]')

GENERAL = 10
"""Significant digits of a number that has no format of its own."""


def _display(cell: Any) -> str:  # noqa: ANN401 - of openpyxl
    """Return a cell as the workbook shows it."""
    value = cell.value
    if cell.data_type != "n" or value is None:
        return "" if value is None else str(value)
    number = Decimal(repr(value))
    dollar = "$" if "[$$" in cell.number_format else ""
    shown = _number_format(_not_shown.sub("", cell.number_format.split(";")[0]))
    if shown is None:
        return f"{number.normalize(Context(prec=GENERAL)) if value else number:f}"
    before, whole, decimals, after = shown.groups()
    scaled = number * 100 if "%" in after else number
    least = len((decimals or "").replace("#", ""))
    most = scaled.quantize(Decimal(1).scaleb(-len(decimals or "")), ROUND_HALF_UP)
    integer, _, fraction = (f"{most:,f}" if "," in whole else f"{most:f}").partition(".")
    fraction = fraction[:least] + fraction[least:].rstrip("0")
    return f"{dollar}{before}{integer}{'.' * bool(fraction)}{fraction}{after}"


def _read_document(data: bytes) -> Iterator[Grid]:
    from docx import Document
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    _refuse_hostile(data)

    def rows() -> Iterator[Row]:
        tables = 0
        for number, part in enumerate(Document(io.BytesIO(data)).iter_inner_content(), 1):
            if isinstance(part, Paragraph):
                yield Row(f"paragraph {number}", (part.text,))
            elif isinstance(part, Table):
                tables += 1
                for line, row in enumerate(part.rows, 1):
                    cells = tuple(cell.text for cell in row.cells)
                    yield Row(f"table {tables}, row {line}", cells)
                yield Row(f"table {tables}", ())

    yield Grid(rows=_clean_rows(rows()))


def _read_pdf(data: bytes) -> Iterator[Grid]:
    import pdfplumber

    with pdfplumber.open(io.BytesIO(data)) as document:
        if len(document.pages) > MOST_PAGES:
            raise NotReadable(f"has more than {MOST_PAGES} pages.", remedy="Split it.")
        rows = (row for page in document.pages for row in _page_rows(page))
        yield Grid(rows=_clean_rows(rows))


def _page_rows(page: Any) -> Iterator[Row]:  # noqa: ANN401 - of pdfplumber
    """Yield the ruled tables of a page and its lines outside of them, from the top."""
    parts: list[tuple[Any, list[Row]]] = []
    rest = page
    for number, table in enumerate(page.find_tables(), 1):
        place = f"page {page.page_number}, table {number}"
        lines = [
            Row(f"{place}, row {line}", tuple(cell or "" for cell in cells))
            for line, cells in enumerate(table.extract(), 1)
        ]
        parts.append((table.bbox[1], [*lines, Row(place, ())]))
        box = table.bbox
        rest = rest.filter(lambda each, box=box: not _is_inside(each, box))
    for number, line in enumerate(rest.extract_text_lines(return_chars=True), 1):
        cells = tuple(_gap.split(_space_out(line["chars"])))
        parts.append((line["top"], [Row(f"page {page.page_number}, line {number}", cells)]))
    for _, rows in sorted(parts, key=lambda part: part[0]):
        yield from rows


def _is_inside(each: Mapping[str, Any], box: Sequence[Any]) -> bool:
    middle = ((each["x0"] + each["x1"]) / 2, (each["top"] + each["bottom"]) / 2)
    return bool(box[0] <= middle[0] <= box[2] and box[1] <= middle[1] <= box[3])


WORD_GAP = Fraction(3, 20)
"""The least gap between words, in units of the size of the letters."""


def _space_out(letters: Sequence[Mapping[str, Any]]) -> str:
    """Return a line with one blank in a gap of a word, and three in one of a column."""
    text = letters[0]["text"]
    for left, right in pairwise(letters):
        gap = (right["x0"] - left["x1"]) / max(left["size"], 1)
        text += ("   " if gap > 1 else " " if gap > WORD_GAP else "") + right["text"]
    return str(text)


READERS: Mapping[str, Callable[[bytes], Iterator[Grid]]] = {
    ".xlsx": _read_workbook,
    ".csv": _read_csv,
    ".txt": _read_text,
    ".tsv": _read_text,
    ".docx": _read_document,
    ".pdf": _read_pdf,
}
"""The reader of each kind of file."""
