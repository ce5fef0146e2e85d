"""Options and result of an import, and the vendor’s file."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct, field
from msgspec.structs import asdict

from certify.checks.quantities import format_like
from certify.declare.vendor_events import Question
from certify.errors import NotReadable
from certify.model.comparison import FigureJudgement
from certify.model.encoding import encode_object, pick_values
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

    ``state`` is new, unchanged, doubtful, or differs from the declared one, by ``difference``.
    ``reasons`` say what the event of each row was found by; a doubtful row has none. ``figures``
    are printed, ``agreeing`` agree.
    """

    target: str
    place: str
    state: str
    rows: tuple[Mapping[str, Any], ...]
    reasons: tuple[str, ...]
    house_edge: str | None = None
    declared_edge: str | None = None
    figures: int = 0
    agreeing: int = 0
    differing: tuple[FigureJudgement, ...] = ()
    difference: tuple[str, ...] = ()

    @property
    def not_computed(self) -> int:
        """The number of printed figures that could not be computed."""
        return self.figures - self.agreeing - len(self.differing)

    @property
    def first_differing(self) -> Mapping[str, str]:
        """The first printed figure that differs, with ours at its precision; empty for none."""
        for judged in self.differing:
            figure, value = judged.figure, judged.recomputed or Fraction(0)
            return {
                "place": str(figure.source.clause),
                "row": figure.event or figure.quantity,
                "printed": figure.printed,
                "computed": format_like(value, figure.printed),
            }
        return {}


class ImportResult(Result, frozen=True, kw_only=True):
    """The tables that were read, the questions about them, and the files that were written.

    ``answered`` are the answers that were used, by printed name. ``events`` may be answers.
    """

    table = "tables"

    game: str
    tables: tuple[ImportedTable, ...]
    questions: tuple[Question, ...]
    notes: tuple[str, ...]
    answered: Mapping[str, str] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    written: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        """True if nothing may be written: a line is doubtful, or a declared table differs."""
        return bool(self.questions) or any(table.state == "differs" for table in self.tables)

    @property
    def differs(self) -> bool:
        """True if a printed figure is not the computed one; it is written as printed."""
        return any(table.differing for table in self.tables)

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify import --format json``."""
        return encode_object(
            {
                "game": self.game,
                "tables": [
                    asdict(table) | {"differing": [*map(_describe_figure, table.differing)]}
                    for table in self.tables
                ],
                "questions": [
                    pick_values(each, "place", "name", "text", "answer", "events", "likely")
                    for each in self.questions
                ],
                "notes": self.notes,
                "answered": self.answered,
                "written": self.written,
            }
        )


def _describe_figure(judged: FigureJudgement) -> Record:
    figure = judged.figure
    printed = {"id": figure.id, "printed": figure.printed, "place": figure.source.clause}
    return printed | {"recomputed": judged.recomputed}


def slugify(text: str) -> str:
    """Return the Latin letters and digits of a text, joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


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
