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
class Table:
    """A regular table: every row has a cell for each column; the first is the row's heading."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def style(self) -> str:
        """How it is set: a short table stays whole on one page."""
        brief = all(len(text) <= BRIEF for row in self.rows for text in row)
        return "short" if brief and len(self.rows) <= SHORT else "long"

    @property
    def lines(self) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
        """Every row as printed: its heading and its other cells."""
        return tuple((row[0], self._cells(row[1:])) for row in self.rows)

    def _cells(self, texts: Sequence[str]) -> tuple[Cell, ...]:
        columns = zip(texts, self.columns[1:], strict=True)
        return tuple(Cell(text=text, kind=_kind(text, column)) for text, column in columns)


def _kind(text: str, column: Column) -> str:
    """Return the kind of a cell; what is too long for one line of figures may be broken."""
    unbroken = column.kind != "number" or len(text) <= FIGURE
    return column.kind if unbroken else f"{column.kind} long"


def table(caption: str, columns: str, rows: Iterable[Iterable[str]]) -> Table:
    """Return a table from a short line of columns: ``Hand @40 | #Combinations | =Return``.

    ``#`` marks a column of numbers, ``=`` one of exact fractions; ``@`` gives a width in percent.
    """
    return Table(
        caption=caption,
        columns=tuple(_column(words) for words in columns.split("|")),
        rows=tuple(tuple(row) for row in rows),
    )


def _column(words: str) -> Column:
    """Return a column from its short form."""
    title, _, width = words.strip().partition(" @")
    return Column(
        title=title.lstrip("#="),
        kind=KINDS.get(title[:1], "text"),
        width=f"{width}%" if width else "",
    )


def merged_orders(orders: Iterable[Iterable[Key]]) -> list[Key]:
    """Return every key once, each after those it follows in the first list that has it."""
    keys: list[Key] = []
    for order in orders:
        place = 0
        for key in order:
            if key in keys:
                place = keys.index(key) + 1
            else:
                keys.insert(place, key)
                place += 1
    return keys
