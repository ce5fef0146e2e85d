"""Paytables in the grids of a vendor's file: columns by their headings, lines by their cells.

A table begins with a line that has a heading of hands, such as Hand or Event, and ends before an
empty line. Several tables may be next to each other, and a table may have a column for each
paytable. Nothing is decided here: names, pays and figures are as printed, each with its place.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final

from msgspec import Struct

from certify import library
from certify.formatting import read_cents, read_pay
from certify.intake.grids import Grid, Row

FIGURES: Final = ("combinations", "probability", "contribution")
"""Columns with figures of a row."""


class Cell(Struct, frozen=True):
    """A printed text and its place; ``computed`` by a formula."""

    text: str
    place: str
    computed: bool = False


class VendorLine(Struct, frozen=True, kw_only=True):
    """A line of a table: the printed name, and its cells by the role of the column.

    With ``gaps`` some columns of pays are empty: merged cells of a printed table are lost in text.
    """

    name: Cell
    cells: Mapping[str, Cell]
    dynamic: tuple[Cell, ...] = ()
    gaps: bool = False


class VendorTable(Struct, frozen=True, kw_only=True):
    """One printed table of pays, of ``envy`` prizes, or of ``returns`` alone.

    Attributes:
        heading: the heading of its column, or the nearest title; empty if it has none.
        place: the place of its heading.
        line: the place of its line of headings.
        above: the lines of text above the table, the nearest first.
        below: the lines of text below it, up to the next section.
        kind: the role of its pays: pays, envy or returns.
        sheet: the sheet of a workbook, if this is its first table.
        left_out: headings of columns that are not read.
    """

    heading: str
    place: str
    line: str
    above: tuple[str, ...]
    below: tuple[str, ...]
    kind: str
    lines: tuple[VendorLine, ...]
    basis: str = ""
    sheet: str = ""
    left_out: tuple[str, ...] = ()


def fold(text: str) -> str:
    """Return the words of a text in lower case, without marks."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold().replace("'", "").replace("\u2019", "")))


def find_tables(grids: Sequence[Grid]) -> list[VendorTable]:
    """Return the tables of a file in their order."""
    return [table for grid in grids for block in _find_blocks(grid) for table in block.split()]


_odds = re.compile(r" (to|for) [0-9]").search


def find_unread(grids: Sequence[Grid], tables: Sequence[VendorTable]) -> Iterator[str]:
    """Yield the places of lines with odds, or with a heading of hands alone, that no table has."""
    read = {cell.place for table in tables for line in table.lines for cell in line.cells.values()}
    for grid in grids:
        for row in grid.rows:
            places = [grid.locate(row, column) for column in range(len(row.cells))]
            odds = [bool(_odds(cell)) for cell in row.cells]
            pays = [read_pay(cell) is not None for cell in row.cells]
            unread = [
                all(marks) and place not in read
                for place, *marks in zip(places, odds, pays, strict=True)
            ]
            filled = [cell for cell in row.cells if cell]
            if any(unread) or (len(filled) == 1 and _is_hand(filled[0])):
                yield places[0] if grid.sheet else row.place


class _Block(Struct, frozen=True, kw_only=True):
    """Columns ``begin`` to ``end`` of a grid from a heading of hands on; ``start`` is its line."""

    grid: Grid
    start: int
    begin: int
    end: int

    def split(self) -> Iterator[VendorTable]:
        """Yield a table for each column of pays."""
        heads, first = self._heads()
        start = self.grid.rows[self.start]
        while first < len(self.grid.rows) and not any(self.grid.rows[first].cells):
            first += 1
        rows = [*takewhile(self._is_inside, self.grid.rows[first:])]
        filled = {at for at in heads for row in rows if self._cell(row, at).text}
        heads = {at: head for at, head in heads.items() if head or at in filled}
        roles = {place: _find_role(head) for place, head in heads.items()}
        paid = [place for place, role in roles.items() if role in {"pays", "envy"}]
        unread = [head for place, head in heads.items() if not roles[place] and (paid or not head)]
        if "basis" in roles.values():
            # A workbook of ours: the pay in words, its basis, and its amount.
            roles |= dict.fromkeys(paid[:-1], "printed")
            paid = paid[-1:]
        over, under = self.grid.rows[: self.start], self.grid.rows[first + len(rows) :]
        above = [_read_title(row, self.begin, self.end) for row in reversed(over)]
        below = [_read_title(row, 0, None) for row in under]
        nearest = (text for row, text in zip(reversed(over), above, strict=True) if any(row.cells))
        title = next(nearest, "")
        prized = _has_words(title, "envy_titles") and self._are_prizes(rows, heads, roles)
        kind = "envy" if prized else "returns" if _has_words(title, "return_titles") else "pays"
        columns = paid or [place for place, role in roles.items() if not role and heads[place]]
        alike = [column for column in columns if roles[column] != "envy"]
        for column in columns if rows else ():
            table_kind = kind if kind != "pays" or not paid else roles[column]
            read = {
                role: at for at, role in roles.items() if self._is_read(at, column, roles, paid)
            }
            dynamic = [at for at in heads if roles[at] == "dynamic"] if column == columns[0] else []
            alone = sum(roles[place] == roles[column] for place in columns) == 1
            yield VendorTable(
                heading=title if alone and roles[column] == "pays" else heads[column],
                place=self._cell(start, column).place,
                line=start.place
                if not self.grid.sheet
                else f"sheet {self.grid.sheet}, row {start.place}",
                above=tuple(filter(None, above)),
                below=tuple(filter(None, below)),
                kind=table_kind,
                basis=_find_basis(heads[column]),
                sheet=self.grid.sheet,
                left_out=tuple(unread),
                lines=tuple(
                    self._line(row, {**read, "pays": column}, dynamic, alike) for row in rows
                ),
            )

    def _are_prizes(
        self, rows: Sequence[Row], heads: Mapping[int, str], roles: Mapping[int, str]
    ) -> bool:
        """Return True if every amount of the table is in dollars."""
        places = [at for at, role in roles.items() if role in {"pays", "envy", ""}]
        cells = [self._cell(row, place).text for row in rows for place in places]
        in_dollars = all("$" in heads[place] for place in places)
        return in_dollars or all("$" in cell for cell in cells if read_cents(cell) is not None)

    @staticmethod
    def _is_read(place: int, column: int, roles: Mapping[int, str], paid: Sequence[int]) -> bool:
        """Return True if a column with figures belongs to a column of pays.

        That is the column after it. Counts before the first one are of all of them.
        """
        if roles[place] == "basis" or len([at for at in paid if roles[at] == "pays"]) < 2:  # noqa: PLR2004 - several
            return roles[place] in {*FIGURES, "basis", "printed"} and roles.get(column) != "envy"
        before = max((at for at in paid if at < place), default=None)
        shared = before is None and roles[place] != "contribution"
        return roles[place] in FIGURES and (shared or before == column)

    def _cell(self, row: Row, place: int) -> Cell:
        text = row.cells[place] if place < len(row.cells) else ""
        return Cell(text, self.grid.locate(row, place), place in row.formulas)

    def _heads(self) -> tuple[dict[int, str], int]:
        """Return the headings of the columns, of one line or two, and the first line of rows."""
        row, below = self.grid.rows[self.start], self.grid.rows[self.start + 1 : self.start + 2]
        second = below[0].cells[self.begin : self.end] if below else ()
        two = bool(second) and not second[0] and any(second) and not any(map(_is_amount, second))
        heads: dict[int, str] = {}
        for place in range(self.begin + 1, self.end):
            parts = [row.cells[place] if place < len(row.cells) else ""]
            if two and place < len(below[0].cells):
                parts.append(below[0].cells[place])
            head = " ".join(filter(None, parts))
            before = heads.get(place - 1, "")
            heads[place] = before if not head and _find_role(before) == "dynamic" else head
        return heads, self.start + (2 if two else 1)

    def _is_inside(self, row: Row) -> bool:
        """Return True for a line of the table: a name and at least one more cell."""
        cells = row.cells[self.begin : self.end]
        return (
            bool(cells)
            and bool(cells[0])
            and len(set(filter(None, cells))) > 1
            and not _is_hand(cells[0])
        )

    def _line(
        self,
        row: Row,
        columns: Mapping[str, int],
        dynamic: Sequence[int],
        alike: Sequence[int],
    ) -> VendorLine:
        filled = [place for place in alike if self._cell(row, place).text]
        return VendorLine(
            name=self._cell(row, self.begin),
            cells={role: self._cell(row, place) for role, place in columns.items()},
            dynamic=tuple(cell for at in dynamic if (cell := self._cell(row, at)).text),
            gaps=columns["pays"] in alike and 0 < len(filled) < len(alike),
        )


def _read_title(row: Row, begin: int, end: int | None) -> str:
    """Return a line of text, which is one cell or one text in merged cells; empty for others."""
    texts = set(filter(None, row.cells[begin:end])) or set(filter(None, row.cells))
    return texts.pop() if len(texts) == 1 else ""


def _has_words(title: str, kind: str) -> bool:
    return any(word in fold(title) for word in library.words("import")[kind])


def _find_blocks(grid: Grid) -> Iterator[_Block]:
    """Yield the tables of a grid, by their headings of hands."""
    for number, row in enumerate(grid.rows):
        begins = [place for place, cell in enumerate(row.cells) if _is_hand(cell)]
        begins = [
            place for place in begins if place == 0 or row.cells[place - 1] != row.cells[place]
        ]
        ends = [*begins[1:], len(row.cells)]
        for begin, end in zip(begins, ends, strict=False):
            if any(row.cells[begin + 1 : end]):
                yield _Block(grid=grid, start=number, begin=begin, end=end)


def _is_hand(text: str) -> bool:
    return fold(text) in library.words("import")["columns"]["hand"]


_to_one = re.compile(r"\b(to|for) ?(?:1|one)\b", re.IGNORECASE)


def _find_basis(text: str) -> str:
    """Return ``to`` or ``for`` if a text says which, else an empty text."""
    bases = {match.lower() for match in _to_one.findall(text)}
    return bases.pop() if len(bases) == 1 else ""


def _find_role(head: str) -> str:
    """Return the role of a column by its heading; empty if it has none."""
    folded = fold(_to_one.sub("", re.sub(r"\$", " dollars", head)))
    roles = library.words("import")["columns"].items()
    return next((role for role, heads in roles if folded in heads), "")


def _is_amount(text: str) -> bool:
    return read_pay(text) is not None or read_cents(text) is not None
