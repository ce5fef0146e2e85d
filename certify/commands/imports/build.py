"""Records of paytables and printed figures, made of vendors’ tables."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from certify import library
from certify.commands.imports.records import (
    ImportedTable,
    ImportRequest,
    Paper,
    Record,
    slugify,
)
from certify.declare import user_state
from certify.declare.new import check_id, read_record
from certify.declare.vendor_events import (
    FIELDS,
    Match,
    Question,
    Vocabulary,
    is_summary,
    load_vocabulary,
    make_template,
    match_events,
    read_figure,
    read_vendor_pay,
)
from certify.figures.targets import lookup
from certify.formatting import money, read_cents
from certify.intake.vendor_tables import FIGURES, Cell, VendorLine, VendorTable, fold
from certify.model.catalog import Catalog
from certify.model.game import Game, Wager
from certify.model.source import Convention, Quantity

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
        self.is_doubtful, self.file = False, ""
        self.notes: list[str] = []
        self.answered: dict[str, str] = {}
        self.matches: dict[str, Match] = {}
        self.doubtful: list[ImportedTable] = []
        self.reasons: dict[str, tuple[str, ...]] = {}
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
        self.file, self.matches = paper.name, {}
        for table in tables:
            columns[table.line] = columns.get(table.line, -1) + 1
            wager = self._find_wager(table)
            name = self._find_id(table, wager, last) if wager else None
            if wager is None or name is None:
                continue
            if table.kind == "pays":
                last[table.line] = last["own" if _is_own(table) else table.line] = name
                sheet = _name_sheet(table, wager)
                last[sheet] = name if last.get(sheet, name) == name else ""
            target = f"{wager.target}/{'envy/' * (table.kind == 'envy')}{name}"
            if "" in table.left_out:
                text = "a column with pays has no heading"
                self.ask(table.place, table.heading, text, "leave_out", table.line)
                continue
            if table.left_out:
                unread = ", ".join(table.left_out)
                self.notes.append(f"{table.place}: these columns were not read: {unread}")
            self._add_table(paper, table, wager, target, columns[table.line])
            if self.is_doubtful:
                self._add_doubtful(table, target)

    def _add_doubtful(self, table: VendorTable, target: str) -> None:
        """Add a table with its lines as printed; a line without an event is a question."""
        lines = [line for line in table.lines if not is_summary(line)]
        matches = [self.matches.get(line.name.place, Match("", "question")) for line in lines]
        rows = (
            {"event": match.event, "name": line.name.text, "pays": line.cells["pays"].text or "-"}
            for match, line in zip(matches, lines, strict=True)
        )
        self.doubtful.append(
            ImportedTable(
                target=target,
                place=f"{self.file}, {table.place}",
                state="doubtful",
                rows=tuple(rows),
                reasons=tuple(match.reason for match in matches),
            )
        )

    def ask(self, place: str, name: str, text: str, field: str, key: str = "") -> None:
        """Add a question, once for all lines and tables that it is about."""
        self.add_question(Question(place=place, name=name, text=text, field=field, key=key))

    def add_question(self, question: Question) -> None:
        """Add a question, with the file in its place."""
        placed = replace(question, place=f"{self.file}, {question.place}")
        is_for_all = question.field and not question.key
        self.questions.setdefault(("" if is_for_all else question.name, question.text), placed)
        self.is_doubtful = True

    @property
    def events(self) -> tuple[str, ...]:
        """The events that the lines of its wagers may mean: those that the deck can deal."""
        words = self.vocabularies.values()
        return tuple(sorted({each for word in words for each in word.events if word.count([each])}))

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
            self.ask(table.place, table.heading, "no text names the wager", "wager")
            return None
        return named or next(iter(wagers.values()), None)

    def _given_id(self, table: VendorTable) -> str:
        places = (table.place, f"{self.file}, {table.place}", table.line, table.heading)
        names = map(fold, places)
        return next((self.tables[name] for name in names if name in self.tables), "")

    def _find_id(self, table: VendorTable, wager: Wager, last: Mapping[str, str]) -> str | None:
        """Return the id of a table: the given or the printed one; None with a question."""
        name = self._given_id(table).rpartition("/")[2] or _printed_id(table, wager)
        paid = last.get(table.line) or last.get("own") or last.get(_name_sheet(table, wager), "")
        if not name and table.kind == "envy" and paid:
            envy = next((each.envy for each in wager.paytables if each.id == paid), None)
            return envy or paid
        if not name and table.kind == "pays" and wager.id not in self.seen:
            name = "1"
        self.seen.add(wager.id)
        if name:
            check_id(name)
            return name
        text = "the table has no id"
        is_new = table.heading and (table.heading, text) not in self.questions
        key = table.heading if is_new else table.place
        self.ask(table.place, key, text, "tables", key)
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
            matched = {place: match.event for place, match in events.items()}
            self._add_figures(paper, table, target, matched)
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
            by_event = {match.event: match.reason for match in events.values()}
            self.reasons[target] = tuple(by_event[row["event"]] for row in rows)
            self._add_record(paper, table, wager, target, rows)
        elif [_identify_row(row) for row in record["rows"]] != [_identify_row(row) for row in rows]:
            text = f"another table with other rows has the id {target}"
            self.ask(table.place, table.heading, text, "tables", table.place)

    def _find_events(self, lines: Sequence[VendorLine], wager: Wager) -> dict[str, Match]:
        """Return the matches of lines by their places, without lines that are left out."""
        if wager.id not in self.vocabularies:
            self.vocabularies[wager.id] = load_vocabulary(self.catalog, self.game, wager)
        events: dict[str, Match] = {}
        matches = match_events(lines, self.vocabularies[wager.id], self.answers)
        for line, match in zip(lines, matches, strict=True):
            if isinstance(match, Question):
                self.add_question(match)
                continue
            if match.reason == "answer":
                self.answered[line.name.text] = match.event
            self.matches[line.name.place] = match
            if match.event != "-":
                events[line.name.place] = match
        return events

    def _list_rows(
        self,
        table: VendorTable,
        lines: Sequence[VendorLine],
        events: Mapping[str, Match],
        column: int,
    ) -> list[Record]:
        """Return the rows of a paytable; a doubtful pay is a question."""
        printed = table.basis or self._find_note(table, "basis_note")
        basis = table.basis or self.request.basis or printed
        read = partial(read_vendor_pay, basis=basis, base_cents=self._base_cents(table))
        rows = []
        for line in lines:
            cell = line.cells["pays"]
            pay = read(line, cell, printed=printed)
            answers = self.pays.get(fold(line.name.text), [])
            answer = answers if len(answers) == 1 else answers[column : column + 1]
            if isinstance(pay, str) and answer:
                given = Cell(answer[0].strip(), cell.place)
                pay = read(replace(line, gaps=False), given, printed="")
            drawn = [read(line, each, printed=printed) for each in line.dynamic]
            for doubt in (pay, *drawn):
                if isinstance(doubt, str):
                    field = FIELDS.get(doubt, "pays")
                    name = line.name.text if field == "pays" else table.heading
                    self.ask(cell.place, name, doubt, field, name)
            if isinstance(pay, dict):
                row = {"event": events[line.name.place].event, "name": line.name.text, **pay}
                dynamic = [each["pays"] for each in drawn if isinstance(each, dict)]
                rows.append(row | ({"dynamic": dynamic} if dynamic else {}))
        if {"to", "for"} <= {word for row in rows for word in str(row["pays"]).split()}:
            place = f"{self.file}, {table.place}"
            self.notes.append(f"{place}: pays to 1 and for 1 are mixed, and read as printed")
        return rows

    def _list_prizes(
        self, lines: Sequence[VendorLine], events: Mapping[str, Match]
    ) -> list[Record]:
        """Return the rows of an envy table; a doubtful prize is a question."""
        rows = []
        for line in lines:
            text, event = line.cells["pays"].text, events[line.name.place].event
            cents = read_cents(text) or 0
            if cents > 0:
                rows.append({"event": event, "name": line.name.text, "prize_cents": cents})
            elif fold(text) not in library.words("import")["absent"]:
                doubt = f"{text} is not a prize in dollars"
                self.ask(line.cells["pays"].place, line.name.text, doubt, "")
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
            if least is None and model:
                least = model.qualifying_wager_cents
            if least is None:
                text = "the least wager that wins a prize is not known"
                self.ask(table.place, name, text, "qualifying_wager_cents")
                return
            paid = self.records.get(f"{wager.target}/{name}", {})
            is_new = library.find_declared(f"{wager.target}/{name}.json") is None
            paid |= {"envy": name} if paid and is_new else {}
            checked = f"the least wager of {money(least)}, whose hands win, and the paytable"
            self.notes.append(f"{target}: check {checked}")
            record: Record = {
                "$schema": "envy.schema.json",
                **ids,
                "qualifying_wager_cents": least,
                "pays_on_own_hand": bool(model and model.pays_on_own_hand),
                "pays_on_dealer_hand": bool(model and model.pays_on_dealer_hand),
            }
        else:
            blank = make_template(self.game, wager)
            shape = {"hand": str(blank.hand), "cards": blank.cards, "award": str(blank.award)}
            record = {"$schema": "paytable.schema.json"} | ids | shape
        record |= {"rows": rows} | self._meters(table, rows) | {"source": paper.cite(table.place)}
        if not self.is_doubtful:
            self.records[target] = record

    def _meters(self, table: VendorTable, rows: Sequence[Record]) -> Record:
        """Return the meters that rows pay; drawn rows are a question."""
        levels = list(dict.fromkeys(row["meter"] for row in rows if "meter" in row))
        base = self._base_cents(table)
        if any("dynamic" in row for row in rows):
            text = "the number of drawn rows is not read; declare this table with certify new"
            self.ask(table.place, table.heading, text, "leave_out", table.place)
        if levels and base is None:
            text = "the wager that the meters are for is not known"
            self.ask(table.place, table.heading, text, "base_wager_cents")
        if not levels:
            return {}
        meters = [{"level": level} for level in levels]
        return {"progressive": {"base_wager_cents": base, "meters": meters}}

    def _add_figures(
        self, paper: Paper, table: VendorTable, target: str, events: Mapping[str, str]
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
                if event is None and not is_summary(line):
                    continue
                if printed is None:
                    if fold(cell.text) not in words["absent"]:
                        place = f"{paper.name}, {cell.place}"
                        self.notes.append(f"{place}: {cell.text} is not read as a figure")
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


def _name_sheet(table: VendorTable, wager: Wager) -> str:
    """Return the key of a sheet with one paytable of a wager, or of a line for other files."""
    return f"{table.sheet}/{wager.id}" if table.sheet else table.line


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
