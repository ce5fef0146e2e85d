"""Records of paytables and printed figures, from the tables of vendors' files."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from certify import library
from certify.commands.imports.request import ImportRequest, Paper, Record
from certify.declare import user_state
from certify.declare.new import check_id, read_record
from certify.declare.vendor_events import (
    OPTIONS,
    Question,
    Vocabulary,
    load_vocabulary,
    match_events,
    read_vendor_pay,
    template_of,
)
from certify.figures.targets import lookup
from certify.intake.amounts import read_cents
from certify.intake.vendor_tables import (
    FIGURES,
    Cell,
    VendorLine,
    VendorTable,
    fold,
)
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
        self.questions: list[Question] = []
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
                self.ask(
                    table.place,
                    table.heading,
                    "a column with pays has no heading",
                    f'correct the file, or --table "{table.line}=-"',
                )
                continue
            if table.left_out:
                unread = ", ".join(table.left_out)
                self.notes.append(f"{table.place}: these columns were not read: {unread}")
            self._add_table(paper, table, wager, target, columns[table.line])

    def ask(self, place: str, name: str, text: str, answer: str) -> None:
        """Add a question, once for all lines and tables that it is about."""
        same = (each for each in self.questions if (each.name, each.text) == (name, text))
        if next(same, None) is None:
            self.questions.append(Question(place=place, name=name, text=text, answer=answer))

    def _find_wager(self, table: VendorTable) -> Wager | None:
        """Return the wager of a table: the given one, or the one that the nearest text names."""
        wagers = {wager.id: wager for wager in self.game.wagers if not wager.options}
        answer, default = self._given_id(table), self.request.wager
        named = next(
            filter(None, (_longest_name(text, wagers.values()) for text in table.above)), None
        )
        if "/" in answer:
            return lookup("wager", answer.partition("/")[0], wagers)
        if answer == "-" or (named is not None and default not in {None, named.id}):
            self.notes.append(f"{table.place}: this table was left out")
            return None
        if named is None and default is not None:
            return lookup("wager", default, wagers)
        if named is None and len(wagers) > 1:
            self.ask(table.place, table.heading, "no text names the wager", "--wager ID")
            return None
        return named or next(iter(wagers.values()), None)

    def _given_id(self, table: VendorTable) -> str:
        names = (table.place, table.line, table.heading)
        return next((self.tables[fold(name)] for name in names if fold(name) in self.tables), "")

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
        text = "the table has no id"
        self.ask(table.place, table.heading, text, f'--table "{table.heading or table.place}=ID"')
        return None

    def _add_table(
        self, paper: Paper, table: VendorTable, wager: Wager, target: str, column: int
    ) -> None:
        lines = [line for line in table.lines if not _is_summary(line)]
        if wager.id not in self.vocabularies:
            self.vocabularies[wager.id] = load_vocabulary(self.catalog, self.game, wager)
        matched = list(match_events(lines, self.vocabularies[wager.id], self.answers))
        doubts = [event for event in matched if isinstance(event, Question)]
        for doubt in doubts:
            self.ask(doubt.place, doubt.name, doubt.text, doubt.answer)
        events = {line.name.place: event for line, event in zip(lines, matched, strict=True)}
        if doubts:
            return
        events = {place: event for place, event in events.items() if event != "-"}
        if not _is_own(table) and table.kind != "envy":
            self._add_figures(paper, table, target, events)
        if table.kind == "returns" and "contribution" not in table.lines[0].cells:
            return
        paid = [line for line in lines if line.name.place in events]
        if table.kind == "envy":
            rows = self._envy_rows(paid, events)
        else:
            rows = self._rows(table, paid, events, column)
        if not rows:
            return
        present = self.records.get(target)
        if present is None:
            self._add_record(paper, table, wager, target, rows)
        elif [_pay_of(row) for row in present["rows"]] != [_pay_of(row) for row in rows]:
            text = f"another table with other rows has the id {target}"
            self.ask(table.place, table.heading, text, f'--table "{table.place}=ID"')

    def _rows(
        self,
        table: VendorTable,
        lines: Sequence[VendorLine],
        events: Mapping[str, Any],
        column: int,
    ) -> list[Record] | None:
        """Return the rows of a paytable; None if a pay is doubtful."""
        basis = table.basis or self.request.basis or self._find_note(table, "basis_note")
        base = self._base_cents(table)
        rows, doubts = [], 0
        for line in lines:
            cell = line.cells["pays"]
            pay = read_vendor_pay(line, cell, basis=basis, base_cents=base)
            answers = self.pays.get(fold(line.name.text), [])
            if isinstance(pay, str) and len(answers[column:] or answers) > 0:
                text = answers[0] if len(answers) == 1 else answers[column]
                answered = replace(line, gaps=False)
                cell = Cell(text.strip(), cell.place)
                pay = read_vendor_pay(answered, cell, basis=basis, base_cents=base)
            more = [
                read_vendor_pay(line, each, basis=basis, base_cents=base) for each in line.dynamic
            ]
            for doubt in (pay, *more):
                if isinstance(doubt, str):
                    doubts += 1
                    whole = OPTIONS.get(doubt)
                    name = table.heading if whole else line.name.text
                    self.ask(cell.place, name, doubt, whole or f'--pays "{name}=PAY"')
            if isinstance(pay, dict):
                row = {"event": events[line.name.place], "name": line.name.text, **pay}
                drawn = [each["pays"] for each in more if isinstance(each, dict)]
                rows.append(row | ({"dynamic": drawn} if drawn else {}))
        return None if doubts else rows

    def _envy_rows(
        self, lines: Sequence[VendorLine], events: Mapping[str, Any]
    ) -> list[Record] | None:
        """Return the rows of an envy table; None if a prize is doubtful."""
        rows, doubts = [], 0
        absent = library.words("import")["absent"]
        for line in lines:
            cell = line.cells["pays"]
            cents = read_cents(cell.text)
            if cents is not None and cents > 0:
                event = events[line.name.place]
                rows.append({"event": event, "name": line.name.text, "prize_cents": cents})
            elif fold(cell.text) not in absent:
                doubts += 1
                text = f"{cell.text} is not a prize in dollars"
                self.ask(cell.place, line.name.text, text, "correct the file")
        return None if doubts else rows

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
        source = paper.cite(table.place)
        if table.kind == "envy":
            model = next(iter(wager.envies), None)
            least = self.request.qualifying_wager_cents
            if least is None and model is None:
                text = "the least wager that wins a prize is not known"
                self.ask(table.place, name, text, "--qualifying-wager AMOUNT")
                return
            record = {
                "qualifying_wager_cents": least or (model.qualifying_wager_cents if model else 0),
                "pays_on_own_hand": bool(model and model.pays_on_own_hand),
                "pays_on_dealer_hand": bool(model and model.pays_on_dealer_hand),
            }
            self.notes.append(f"{target}: check whose hands win a prize; the table does not say")
            self.records[target] = {"$schema": "envy.schema.json"} | ids | record
        else:
            model_ = template_of(self.game, wager)
            shape = {"hand": str(model_.hand), "cards": model_.cards, "award": str(model_.award)}
            self.records[target] = {"$schema": "paytable.schema.json"} | ids | shape
        self.records[target] |= {"rows": rows} | self._progressive(table, rows) | {"source": source}

    def _progressive(self, table: VendorTable, rows: Sequence[Record]) -> Record:
        """Return the meters that rows pay, and the number of rows that a draw takes."""
        levels = list(dict.fromkeys(row["meter"] for row in rows if "meter" in row))
        base = self._base_cents(table)
        if any("dynamic" in row for row in rows):
            self.ask(table.place, table.heading, "the number of drawn rows is not read; declare "
                      "this table with certify new", f'--table "{table.place}=-"')  # fmt: skip
        if levels and base is None:
            text = "the wager that the meters are for is not known"
            self.ask(table.place, table.heading, text, "--base-wager AMOUNT")
        if not levels:
            return {}
        meters = [{"level": level} for level in levels]
        return {"progressive": {"base_wager_cents": base, "meters": meters}}

    def _add_figures(
        self, paper: Paper, table: VendorTable, target: str, events: Mapping[str, Any]
    ) -> None:
        """Add the printed figures of a table, each with its cell."""
        words = library.words("import")
        for line in table.lines:
            name, event = fold(line.name.text), events.get(line.name.place)
            cells = {role: cell for role, cell in line.cells.items() if role in FIGURES}
            if table.kind == "returns" and not cells:
                cells = {"contribution": line.cells["pays"]}
            if event is None and name in words["others"]:
                event = "all_other"
            for role, cell in cells.items():
                printed = _read_figure(cell.text)
                quantity = QUANTITIES[role][event is None]
                if name in words["edges"]:
                    quantity = Quantity.HOUSE_EDGE
                if printed is None or (event is None and not _is_summary(line)):
                    continue
                returned = role == "contribution" and quantity is not Quantity.HOUSE_EDGE
                self.figures.append(
                    {
                        "id": _figure_id(paper.id, target, cell.place),
                        "target": target,
                        "quantity": str(quantity),
                        **({"event": event} if event else {}),
                        "printed": printed,
                        "convention": str(Convention.NET if returned else Convention.PLAIN),
                        "source": paper.cite(cell.place),
                    }
                )


def _longest_name(text: str, wagers: Any) -> Wager | None:  # noqa: ANN401 - wagers in any order
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
    sheet = table.sheet.removeprefix(wager.id).strip()
    is_own, prized = _is_own(table), table.kind == "envy"
    texts = (sheet,) if is_own else (table.heading,) if prized else (table.heading, sheet)
    for text in texts:
        plain = re.sub(r"-\s+", "-", text)
        match = _numbered(plain) or _plain_id(plain)
        if match and not plain.casefold().startswith("sheet"):
            return match[1] if match.re.groups else match[0]
    return sheet if is_own else ""


def _is_own(table: VendorTable) -> bool:
    """Return True for a paytable of a PAR workbook that certify wrote."""
    return "basis" in table.lines[0].cells


def _is_summary(line: VendorLine) -> bool:
    words = library.words("import")
    return any(fold(line.name.text) in words[kind] for kind in ("edges", "totals", "others"))


def _pay_of(row: Record) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in ("event", "pays", "meter", "prize_cents"))


def _keep_texts(declared: Sequence[Record], rows: Sequence[Record]) -> list[Record]:
    """Return rows with the printed names of the declared ones whose source has the read name."""
    by_event = {row["event"]: row for row in declared}
    merged_rows = []
    for row in rows:
        present: Record = by_event.get(row["event"], {})
        named = row["name"] in {present.get("name"), present.get("source_name")}
        texts = {
            name: present[name] for name in ("name", "source_name") if named and name in present
        }
        merged = row | texts
        order = [*present, *(name for name in merged if name not in present)]
        merged_rows.append({name: merged[name] for name in order if name in merged})
    return merged_rows


def _read_figure(text: str) -> str | None:
    """Return the declared form of a printed figure; None for other text."""
    plain = re.sub(r"\s", "", text).replace("−", "-").replace("–", "-")
    plain = re.sub(r"\((.+)\)", r"-\1", plain)
    return plain if re.fullmatch(r"-?[0-9][0-9,]{0,40}(\.[0-9]{1,20})?%?", plain) else None


def _figure_id(paper: str, target: str, place: str) -> str:
    parts = (paper, target.partition("/")[2], place)
    return ".".join(re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in parts)
