"""Options of an import, and its result."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct, field

from certify.declare.vendor_events import Question
from certify.errors import NotReadable
from certify.model.comparison import FigureJudgement
from certify.model.encoding import encode_object
from certify.model.request import Cents, Request, Result, argument, option

Record = dict[str, Any]


def read_answers(texts: Sequence[str]) -> dict[str, str]:
    """Return the answers ``NAME=VALUE`` of a repeated option.

    Raises:
        NotReadable: one has no name or no value.
    """
    answers = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.rpartition("="))
        if not name or not value:
            raise NotReadable(f"{text} is not an answer.", remedy='Write "NAME=VALUE".')
        answers[name] = value
    return answers


class ImportRequest(Request, frozen=True, kw_only=True):
    """Files to import, and the answers to the questions about them."""

    files: Annotated[
        tuple[Path, ...], argument("Files: .xlsx, .csv, .tsv, .txt, .docx or .pdf.", "FILE…")
    ]
    game: Annotated[str | None, option("Game of the paytables. Default: the one they name.")] = None
    wager: Annotated[str | None, option("Wager of the tables that name none.", metavar="ID")] = None
    matches: Annotated[
        Mapping[str, str],
        option("Event of a printed name; repeat for more. `-` leaves the line out.", "--match",
               metavar="NAME=EVENT", read=read_answers),
    ] = field(default_factory=dict)  # fmt: skip
    pays: Annotated[
        Mapping[str, str],
        option("Pays of a printed line: one, or one for each table with `;`.", "--pays",
               metavar="NAME=PAY;PAY…", read=read_answers),
    ] = field(default_factory=dict)  # fmt: skip
    tables: Annotated[
        Mapping[str, str],
        option("Id of a table, or WAGER/ID, by its heading or place. `-` leaves it out.", "--table",
               metavar="TABLE=ID", read=read_answers),
    ] = field(default_factory=dict)  # fmt: skip
    basis: Annotated[
        str | None, option("Basis of pays without one: to or for.", metavar="BASIS")
    ] = None
    base_wager_cents: Annotated[
        Cents | None, option("Wager that pays in dollars and meters are for.")
    ] = None
    qualifying_wager_cents: Annotated[
        Cents | None, option("Least wager that wins envy prizes.")
    ] = None
    preview: Annotated[bool, option("Show the tables and write nothing.")] = False


class ImportedTable(Struct, frozen=True, kw_only=True):
    """One table as it was read, with its judged figures.

    ``state`` is new, unchanged, or differs from the declared one, by ``difference``.
    """

    target: str
    place: str
    state: str
    rows: tuple[Mapping[str, Any], ...]
    house_edge: str | None = None
    declared_edge: str | None = None
    figures: int = 0
    differing: tuple[FigureJudgement, ...] = ()
    difference: tuple[str, ...] = ()


class ImportResult(Result, frozen=True, kw_only=True):
    """The tables that were read, the questions about them, and the files that were written."""

    table = "tables"

    game: str
    tables: tuple[ImportedTable, ...]
    questions: tuple[Question, ...]
    notes: tuple[str, ...]
    written: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        """True if nothing may be written: a line is doubtful, or a declared table differs."""
        return bool(self.questions) or any(table.state == "differs" for table in self.tables)

    @property
    def named(self) -> tuple[Question, ...]:
        """The questions that name an event answers."""
        return tuple(each for each in self.questions if each.answer.startswith("--match"))

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify import --format json``."""
        return encode_object(
            {
                "game": self.game,
                "tables": [_table_json(table) for table in self.tables],
                "questions": self.questions,
                "notes": self.notes,
                "written": self.written,
            }
        )


def _table_json(table: ImportedTable) -> Record:
    differing = [
        {"id": each.figure.id, "printed": each.figure.printed, "place": each.figure.source.clause,
         "recomputed": each.recomputed}
        for each in table.differing
    ]  # fmt: skip
    names = (*ImportedTable.__struct_fields__,)
    return {name: getattr(table, name) for name in names} | {"differing": differing}


class Paper(Struct, frozen=True, kw_only=True):
    """A vendor's file: the document that figures and paytables cite."""

    id: str
    name: str
    data: bytes

    @property
    def file(self) -> str:
        """Its name among the sources of a project, which no other file has."""
        return f"{self.id}{Path(self.name).suffix.lower()}"

    def cite(self, place: str) -> Record:
        """Return the source of a place in it."""
        return {"document": self.id, "clause": f"{self.name}, {place}"}
