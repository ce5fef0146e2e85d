"""Options and result of an import, and the records that it makes of vendors’ tables."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from certify import library
from certify.declare import user_state
from certify.declare.new import check_id, read_record
from certify.declare.vendor_events import (
    OPTIONS,
    Question,
    Vocabulary,
    is_summary,
    load_vocabulary,
    make_template,
    match_events,
    read_figure,
    read_vendor_pay,
)
from certify.errors import NotReadable
from certify.figures.targets import lookup
from certify.formatting import read_cents
from certify.intake.vendor_tables import FIGURES, Cell, VendorLine, VendorTable, fold
from certify.model.catalog import Catalog
from certify.model.comparison import FigureJudgement
from certify.model.encoding import encode_object
from certify.model.game import Game, Wager
from certify.model.request import Cents, Request, Result, argument, option
from certify.model.source import Convention, Quantity

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
                "tables": [
                    asdict(table) | {"differing": [*map(_describe_figure, table.differing)]}
                    for table in self.tables
                ],
                "questions": self.questions,
                "notes": self.notes,
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


ANSWERS = "imports"
"""Where the answers of each supplier are remembered."""

QUANTITIES = {
    "combinations": (Quantity.COMBINATIONS, Quantity.TOTAL_COMBINATIONS),
    "probability": (Quantity.PROBABILITY, Quantity.TOTAL_PROBABILITY),
    "contribution": (Quantity.ROW_RETURN, Quantity.TOTAL_RETURN),
}
"""The quantities of a column of figures: of a row, and of the line of totals."""


class Import:
    """The records of one import, built table by table."""

    def __init__(self, request: ImportRequest, catalog: Catalog, game: Game) -> None:
        self.request, self.catalog, self.game = request, catalog, game
        self.questions: dict[tuple[str, str], Question] = {}
        self.is_doubtful = False
        self.notes: list[str] = []
        self.records: dict[str, Record] = {}
        self.places: dict[str, str] = {}
        self.figures: list[Record] = []
        answers = {fold(name): value for name, value in request.matches.items()}
        for event in answers.values():
            if event != "-":
                lookup("event", event, catalog.events)
        remembered = user_state.load(ANSWERS, game.supplier or game.id) or {}
        self.answers = {**remembered.get("values", {}), **answers}
        self.tables = {fold(name): value for name, value in request.tables.items()}
        self.pays = {fold(name): value.split(";") for name, value in request.pays.items()}
        self.seen: set[str] = set()
        self.vocabularies: dict[str, Vocabulary] = {}

    def add(self, paper: Paper, tables: Sequence[VendorTable]) -> None:
        """Add the tables of a file."""
        last: dict[str, str] = {}
        columns: dict[str, int] = {}
        for table in tables:
            columns[table.line] = columns.get(table.line, -1) + 1
            wager = self._find_wager(table)
            name = self._find_id(table, wager, last) if wager else None
            if wager is None or name is None:
                continue
            if table.kind == "pays":
                last[table.line] = last["own" if _is_own(table) else table.line] = name
            target = f"{wager.target}/{'envy/' * (table.kind == 'envy')}{name}"
            if "" in table.left_out:
                answer = f'correct the file, or --table "{table.line}=-"'
                self.ask_about(table, "a column with pays has no heading", answer)
                continue
            if table.left_out:
                unread = ", ".join(table.left_out)
                self.notes.append(f"{table.place}: these columns were not read: {unread}")
            self._add_table(paper, table, wager, target, columns[table.line])

    def ask(self, place: str, name: str, text: str, answer: str) -> None:
        """Add a question, once for all lines and tables that it is about."""
        question = Question(place=place, name=name, text=text, answer=answer)
        self.questions.setdefault((name, text), question)
        self.is_doubtful = True

    def ask_about(self, table: VendorTable, text: str, answer: str) -> None:
        """Add a question about a whole table."""
        self.ask(table.place, table.heading, text, answer)

    def _find_wager(self, table: VendorTable) -> Wager | None:
        """Return the wager of a table: the given one, or the one that the nearest text names."""
        wagers = {wager.id: wager for wager in self.game.wagers if not wager.options}
        answer, default = self._given_id(table), self.request.wager
        names = (_longest_name(text, wagers.values()) for text in table.above)
        named = next(filter(None, names), None)
        if "/" in answer:
            return lookup("wager", answer.partition("/")[0], wagers)
        if answer == "-" or (named is not None and default not in {None, named.id}):
            self.notes.append(f"{table.place}: this table was left out")
            return None
        if named is None and default is not None:
            return lookup("wager", default, wagers)
        if named is None and len(wagers) > 1:
            self.ask_about(table, "no text names the wager", "--wager ID")
            return None
        return named or next(iter(wagers.values()), None)

    def _given_id(self, table: VendorTable) -> str:
        names = map(fold, (table.place, table.line, table.heading))
        return next((self.tables[name] for name in names if name in self.tables), "")

    def _find_id(self, table: VendorTable, wager: Wager, last: Mapping[str, str]) -> str | None:
        """Return the id of a table: the given or the printed one; None with a question."""
        name = self._given_id(table).rpartition("/")[2] or _printed_id(table, wager)
        paid = last.get(table.line) or last.get("own", "")
        if not name and table.kind == "envy" and paid:
            envy = next((each.envy for each in wager.paytables if each.id == paid), None)
            return envy or paid
        if not name and table.kind == "pays" and wager.id not in self.seen:
            name = "1"
        self.seen.add(wager.id)
        if name:
            check_id(name)
            return name
        place = table.heading or table.place
        self.ask_about(table, "the table has no id", f'--table "{place}=ID"')
        return None

    def _add_table(
        self, paper: Paper, table: VendorTable, wager: Wager, target: str, column: int
    ) -> None:
        lines = [line for line in table.lines if not is_summary(line)]
        self.is_doubtful = False
        events = self._find_events(lines, wager)
        if self.is_doubtful:
            return
        if not _is_own(table) and table.kind != "envy":
            self._add_figures(paper, table, target, events)
        if table.kind == "returns" and "contribution" not in table.lines[0].cells:
            return
        paid = [line for line in lines if line.name.place in events]
        if table.kind == "envy":
            rows = self._list_prizes(paid, events)
        else:
            rows = self._list_rows(table, paid, events, column)
        if self.is_doubtful or not rows:
            return
        record = self.records.get(target)
        if record is None:
            self._add_record(paper, table, wager, target, rows)
        elif [_identify_row(row) for row in record["rows"]] != [_identify_row(row) for row in rows]:
            text = f"another table with other rows has the id {target}"
            self.ask_about(table, text, f'--table "{table.place}=ID"')

    def _find_events(self, lines: Sequence[VendorLine], wager: Wager) -> dict[str, str]:
        """Return the events of lines by their places, without lines that are left out."""
        if wager.id not in self.vocabularies:
            self.vocabularies[wager.id] = load_vocabulary(self.catalog, self.game, wager)
        events: dict[str, str] = {}
        matches = match_events(lines, self.vocabularies[wager.id], self.answers)
        for line, match in zip(lines, matches, strict=True):
            if isinstance(match, Question):
                self.ask(match.place, match.name, match.text, match.answer)
            elif match != "-":
                events[line.name.place] = match
        return events

    def _list_rows(
        self,
        table: VendorTable,
        lines: Sequence[VendorLine],
        events: Mapping[str, str],
        column: int,
    ) -> list[Record]:
        """Return the rows of a paytable; a doubtful pay is a question."""
        basis = table.basis or self.request.basis or self._find_note(table, "basis_note")
        read = partial(read_vendor_pay, basis=basis, base_cents=self._base_cents(table))
        rows = []
        for line in lines:
            cell = line.cells["pays"]
            pay, answers = read(line, cell), self.pays.get(fold(line.name.text), [])
            answer = answers if len(answers) == 1 else answers[column : column + 1]
            if isinstance(pay, str) and answer:
                pay = read(replace(line, gaps=False), Cell(answer[0].strip(), cell.place))
            drawn = [read(line, each) for each in line.dynamic]
            for doubt in (pay, *drawn):
                if isinstance(doubt, str):
                    option = OPTIONS.get(doubt)
                    name = table.heading if option else line.name.text
                    self.ask(cell.place, name, doubt, option or f'--pays "{name}=PAY"')
            if isinstance(pay, dict):
                row = {"event": events[line.name.place], "name": line.name.text, **pay}
                dynamic = [each["pays"] for each in drawn if isinstance(each, dict)]
                rows.append(row | ({"dynamic": dynamic} if dynamic else {}))
        return rows

    def _list_prizes(self, lines: Sequence[VendorLine], events: Mapping[str, str]) -> list[Record]:
        """Return the rows of an envy table; a doubtful prize is a question."""
        rows = []
        for line in lines:
            text, event = line.cells["pays"].text, events[line.name.place]
            cents = read_cents(text) or 0
            if cents > 0:
                rows.append({"event": event, "name": line.name.text, "prize_cents": cents})
            elif fold(text) not in library.words("import")["absent"]:
                doubt = f"{text} is not a prize in dollars"
                self.ask(line.cells["pays"].place, line.name.text, doubt, "correct the file")
        return rows

    def _find_note(self, table: VendorTable, kind: str) -> str:
        """Return the value in a note below a table, before the next section; empty without one."""
        words = library.words("import")
        for text in table.below:
            if re.match(words["section"], text, re.IGNORECASE):
                break
            if noted := re.search(words[kind], text, re.IGNORECASE):
                return noted[1].lower()
        return ""

    def _base_cents(self, table: VendorTable) -> int | None:
        """Return the wager that pays in dollars are for: the given one, or that of a note."""
        return self.request.base_wager_cents or read_cents(self._find_note(table, "wager_note"))

    def _add_record(
        self, paper: Paper, table: VendorTable, wager: Wager, target: str, rows: list[Record]
    ) -> None:
        name = target.rpartition("/")[2]
        self.places[target] = f"{paper.name}, {table.place}"
        declared = library.find_declared(f"{target}.json")
        if declared is not None:
            value = read_record(declared)
            self.records[target] = value | {"rows": _keep_texts(value["rows"], rows)}
            return
        ids = {"id": name, "game": self.game.id, "wager": wager.id, "name": name}
        if table.kind == "envy":
            model = next(iter(wager.envies), None)
            least = self.request.qualifying_wager_cents
            if least is None and model is None:
                text = "the least wager that wins a prize is not known"
                self.ask(table.place, name, text, "--qualifying-wager AMOUNT")
                return
            self.notes.append(f"{target}: check whose hands win a prize; the table does not say")
            self.records[target] = {
                "$schema": "envy.schema.json",
                **ids,
                "qualifying_wager_cents": least or (model.qualifying_wager_cents if model else 0),
                "pays_on_own_hand": bool(model and model.pays_on_own_hand),
                "pays_on_dealer_hand": bool(model and model.pays_on_dealer_hand),
            }
        else:
            blank = make_template(self.game, wager)
            shape = {"hand": str(blank.hand), "cards": blank.cards, "award": str(blank.award)}
            self.records[target] = {"$schema": "paytable.schema.json"} | ids | shape
        self.records[target] |= {"rows": rows} | self._meters(table, rows)
        self.records[target] |= {"source": paper.cite(table.place)}

    def _meters(self, table: VendorTable, rows: Sequence[Record]) -> Record:
        """Return the meters that rows pay; drawn rows are a question."""
        levels = list(dict.fromkeys(row["meter"] for row in rows if "meter" in row))
        base = self._base_cents(table)
        if any("dynamic" in row for row in rows):
            text = "the number of drawn rows is not read; declare this table with certify new"
            self.ask_about(table, text, f'--table "{table.place}=-"')
        if levels and base is None:
            text = "the wager that the meters are for is not known"
            self.ask_about(table, text, "--base-wager AMOUNT")
        if not levels:
            return {}
        meters = [{"level": level} for level in levels]
        return {"progressive": {"base_wager_cents": base, "meters": meters}}

    def _add_figures(
        self, paper: Paper, table: VendorTable, target: str, events: Mapping[str, Any]
    ) -> None:
        """Add the printed figures of a table, each with its cell."""
        words, options = library.words("import"), target.partition("/")[2]
        for line in table.lines:
            name, event = fold(line.name.text), events.get(line.name.place)
            cells = {role: cell for role, cell in line.cells.items() if role in FIGURES}
            if table.kind == "returns" and not cells:
                cells = {"contribution": line.cells["pays"]}
            if event is None and name in words["others"]:
                event = "all_other"
            for role, cell in cells.items():
                printed, is_edge = read_figure(cell.text), name in words["edges"]
                quantity = Quantity.HOUSE_EDGE if is_edge else QUANTITIES[role][event is None]
                if printed is None or (event is None and not is_summary(line)):
                    continue
                is_return = role == "contribution" and not is_edge
                self.figures.append(
                    {
                        "id": ".".join(map(slugify, (paper.id, options, cell.place))),
                        "target": target,
                        "quantity": str(quantity),
                        **({"event": event} if event else {}),
                        "printed": printed,
                        "convention": str(Convention.NET if is_return else Convention.PLAIN),
                        "source": paper.cite(cell.place),
                    }
                )


def _longest_name(text: str, wagers: Collection[Wager]) -> Wager | None:
    """Return the wager with the longest name in a text."""
    words = f" {fold(text)} "
    named = [
        (len(name), wager)
        for wager in wagers
        for name in (wager.name, *wager.aliases)
        if f" {fold(name)} " in words
    ]
    return max(named, key=lambda each: each[0])[1] if named else None


_numbered = re.compile(
    r".*\b(?:pay ?)?table +#?((?=\S*\d|\w\b)[A-Za-z0-9][\w-]*)", re.IGNORECASE
).fullmatch
_plain_id = re.compile(r"(?=.*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*|[A-Za-z]").fullmatch


def _printed_id(table: VendorTable, wager: Wager) -> str:
    """Return the id that a heading or a sheet prints; empty if it prints none."""
    sheet, is_own = table.sheet.removeprefix(wager.id).strip(), _is_own(table)
    headings = (table.heading,) if table.kind == "envy" else (table.heading, sheet)
    for text in (sheet,) if is_own else headings:
        plain = re.sub(r"-\s+", "-", text)
        match = _numbered(plain) or _plain_id(plain)
        if match and not plain.casefold().startswith("sheet"):
            return match[1] if match.re.groups else match[0]
    return sheet if is_own else ""


def _is_own(table: VendorTable) -> bool:
    """Return True for a paytable of a PAR workbook that certify wrote."""
    return "basis" in table.lines[0].cells


def _identify_row(row: Record) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in ("event", "pays", "meter", "prize_cents"))


def _keep_texts(declared: Sequence[Record], rows: Sequence[Record]) -> list[Record]:
    """Return rows with the printed names of the declared ones whose source has the read name."""
    by_event = {row["event"]: row for row in declared}
    merged_rows = []
    for row in rows:
        present: Record = by_event.get(row["event"], {})
        named = row["name"] in {present.get("name"), present.get("source_name")}
        texts = ("name", "source_name") if named else ()
        merged = row | {name: present[name] for name in texts if name in present}
        merged_rows.append({name: merged[name] for name in present | merged if name in merged})
    return merged_rows
