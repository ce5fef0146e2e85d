"""Tables as the templates print them: every cell is already text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Key = TypeVar("Key")

SHORT, BRIEF = 16, 60
"""Rows of a table that is not broken over two pages, and characters of its cells, at most."""

FIGURE = 32
"""Characters of a figure that is not broken over two lines, at most."""

KINDS = {"#": "number", "=": "exact"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: its heading, its kind (``text``, ``number`` or ``exact``), its width if fixed."""

    title: str
    kind: str = "text"
    width: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell with the kind of its column."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row as printed: its heading, its other cells, and ``total`` if it closes the table."""

    head: str
    cells: tuple[Cell, ...]
    style: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A regular table: every row has a cell for each column; the first is the row's heading.

    ``foot`` are closing rows (totals). ``note`` is printed below, in small type. A table without
    rows is not printed; ``none`` is the sentence that stands in its place.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    foot: tuple[tuple[str, ...], ...] = ()
    note: str = ""
    none: str = "None."

    @property
    def style(self) -> str:
        """How it is set: a short table stays whole on one page."""
        rows = (*self.rows, *self.foot)
        brief = all(len(cell) <= BRIEF for row in rows for cell in row)
        return "short" if brief and len(rows) <= SHORT else "long"

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every row as printed, the closing ones last."""
        rows = [(row, "row") for row in self.rows] + [(row, "total") for row in self.foot]
        return tuple(self._line(row, style) for row, style in rows)

    def _line(self, row: Sequence[str], style: str) -> Line:
        cells = zip(row[1:], self.columns[1:], strict=True)
        return Line(
            head=row[0],
            cells=tuple(Cell(text=text, kind=_kind(text, column)) for text, column in cells),
            style=style,
        )


def _kind(text: str, column: Column) -> str:
    """Return the kind of a cell; what is too long for one line of figures may be broken."""
    unbroken = column.kind != "number" or len(text) <= FIGURE
    return column.kind if unbroken else f"{column.kind} long"


def table(
    caption: str,
    columns: str,
    rows: Iterable[Iterable[str]],
    *,
    foot: Iterable[Iterable[str]] = (),
    note: str = "",
    none: str = "None.",
) -> Table:
    """Return a table from a short line of columns: ``Hand @40 | #Combinations | =Return``.

    ``#`` marks a column of numbers, ``=`` one of exact fractions; ``@`` gives a width in percent.
    """
    return Table(
        caption=caption,
        columns=tuple(column(one) for one in columns.split("|")),
        rows=tuple(tuple(row) for row in rows),
        foot=tuple(tuple(row) for row in foot),
        note=note,
        none=none,
    )


def column(words: str) -> Column:
    """Return a column from its short form."""
    title, _, width = words.strip().partition(" @")
    return Column(
        title=title.lstrip("#="),
        kind=KINDS.get(title[:1], "text"),
        width=f"{width}%" if width else "",
    )


def facts(caption: str, rows: Iterable[tuple[str, str]]) -> Table:
    """Return a table of names and values."""
    return table(caption, "Item @28 | Value", rows)


def merged(orders: Iterable[Iterable[Key]]) -> list[Key]:
    """Return every key once, each after those it follows in the first list that has it."""
    found: list[Key] = []
    for order in orders:
        place = 0
        for key in order:
            if key in found:
                place = found.index(key) + 1
            else:
                found.insert(place, key)
                place += 1
    return found
