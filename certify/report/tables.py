"""A result as sections of lines and tables, for the command line, the web app and documents.

Every cell is already text.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import ClassVar

from msgspec import Struct

SHORT, BRIEF = 16, 60
"""Rows of a table that is not broken over two pages, and characters of its cells, at most."""

FIGURE = 32
"""Characters of a figure that is not broken over two lines, at most."""

KINDS = {"#": "number", "=": "exact", "*": "cards"}

WIDTH = 30
"""Width of a column of a workbook."""


class Column(Struct, frozen=True, kw_only=True):
    """A column: its heading, its kind (a value of `KINDS`, or ``text``), its width if fixed."""

    title: str
    kind: str = "text"
    width: str = ""


class Cell(Struct, frozen=True, kw_only=True):
    """A text of a kind; the cards, if it is a hand."""

    text: str
    cards: tuple[str, ...] = ()
    kind: str = "text"


class Table(Struct, frozen=True, kw_only=True):
    """A regular table: every row has a cell for each column; the first is the row's heading.

    ``chosen`` are the places of the rows that are marked.
    """

    kind: ClassVar[str] = "table"

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    chosen: tuple[int, ...] = ()

    @property
    def style(self) -> str:
        """The layout: a short table stays on one page."""
        brief = all(len(text) <= BRIEF for row in self.rows for text in row)
        return "short" if brief and len(self.rows) <= SHORT else "long"

    @property
    def lines(self) -> list[list[Cell]]:
        """Every row as printed; its first cell is its heading."""
        return [
            [_cell(text, column) for text, column in zip(row, self.columns, strict=True)]
            for row in self.rows
        ]


def _cell(text: str, column: Column) -> Cell:
    """Return a cell; a figure that is too long for one line may be broken."""
    if column.kind == "cards":
        return Cell(text=text, cards=tuple(text.split()), kind=column.kind)
    unbroken = column.kind != "number" or len(text) <= FIGURE
    return Cell(text=text, kind=column.kind if unbroken else f"{column.kind} long")


Words = tuple[Cell, ...]
"""A line: texts and hands."""


def words(*parts: str | tuple[str, ...]) -> Words:
    """Return a line of texts and of hands, which are tuples of cards."""
    return tuple(
        Cell(text=part) if isinstance(part, str) else Cell(text=" ".join(part), cards=part)
        for part in parts
    )


class Lines(Struct, frozen=True, kw_only=True):
    """Lines below one that introduces them; ``folded``: the web app shows them on demand."""

    kind: ClassVar[str] = "lines"

    title: Words
    lines: tuple[Words, ...] = ()
    folded: bool = False


class Section(Struct, frozen=True, kw_only=True):
    """A part of a result: its title, the answer in one sentence if there is one, the details."""

    title: str
    answer: str = ""
    parts: tuple[Lines | Table, ...]


def table(
    caption: str, columns: str, rows: Iterable[Iterable[str]], *, chosen: Iterable[int] = ()
) -> Table:
    """Return a table from a short line of columns: ``Hand @40 | #Combinations | =Return``.

    ``#`` marks a column of numbers, ``=`` one of exact fractions, ``*`` one of cards; ``@`` gives
    a width in percent.
    """
    return Table(
        caption=caption,
        columns=tuple(_column(words) for words in columns.split("|")),
        rows=tuple(tuple(row) for row in rows),
        chosen=tuple(chosen),
    )


def _column(words: str) -> Column:
    """Return a column from its short form."""
    title, _, width = words.strip().partition(" @")
    return Column(
        title=title.lstrip("".join(KINDS)),
        kind=KINDS.get(title[:1], "text"),
        width=f"{width}%" if width else "",
    )


def table_workbook(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], day: dt.date
) -> bytes:
    """Return a workbook with one table of texts; the same table always gives the same bytes.

    No cell is a formula.
    """
    from certify.report.workbook import begin_workbook, store_uncompressed

    stream, book, look = begin_workbook(title, day)
    sheet = book.add_worksheet(title)
    sheet.set_column(0, len(headings) - 1, WIDTH)
    for number, line in enumerate((headings, *rows)):
        for column, text in enumerate(line):
            sheet.write_string(number, column, text, look.text if number else look.heading)
    sheet.freeze_panes(1, 1)
    book.close()
    return store_uncompressed(stream.getvalue(), day)
