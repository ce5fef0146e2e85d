"""Tables as the templates print them: every cell is already text."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: its heading and its kind: ``text``, ``number`` (flush right) or ``exact``."""

    title: str
    kind: str = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A regular table: every row has a cell for each column; the first is the row's heading.

    ``foot`` are closing rows (totals). ``note`` is printed below, in small type.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    foot: tuple[tuple[str, ...], ...] = ()
    note: str = ""


def table(
    caption: str,
    columns: str,
    rows: Iterable[Iterable[str]],
    *,
    foot: Iterable[Iterable[str]] = (),
    note: str = "",
) -> Table:
    """Return a table from a short line of columns: ``Hand | #Combinations | =Return``.

    ``#`` marks a column of numbers, ``=`` one of exact fractions.
    """
    kinds = {"#": "number", "=": "exact"}
    heads = [one.strip() for one in columns.split("|")]
    return Table(
        caption=caption,
        columns=tuple(
            Column(title=head.lstrip("#="), kind=kinds.get(head[:1], "text")) for head in heads
        ),
        rows=tuple(tuple(row) for row in rows),
        foot=tuple(tuple(row) for row in foot),
        note=note,
    )
