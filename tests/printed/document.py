"""The rules of play as a reader has them: headings, numbered rules, tables and rack cards."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

import tinyhtml5  # type: ignore[import-untyped] # it ships no types

NAMED_OTHERWISE = re.compile(r"“(.+?)” is “(.+?)” in (.+)\.")


@dataclass(frozen=True)
class Line:
    """One row of a paytable: its printed name, what it says of the hand, and what it pays."""

    name: str
    what: str
    pays: str


@dataclass
class Card:
    """A rack card: its rows, as name and pay, and the words below."""

    rows: list[tuple[str, str]]
    words: str


@dataclass
class Section:
    """A section: its rules, its notes, its paytables by their printed name, and their cards."""

    title: str
    rules: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tables: dict[str, list[Line]] = field(default_factory=dict)
    cards: dict[str, Card] = field(default_factory=dict)


def parse_rules(html: str) -> dict[str, Section]:
    """Parse the HTML of rules of play into sections by title, without their numbers."""
    root: ET.Element = tinyhtml5.parse(html, namespace_html_elements=False)
    sections: dict[str, Section] = {}
    section = Section("")
    what: dict[str, str] = {}
    for element in root.iter():
        kind = element.get("class") or ""
        if element.tag == "h2":
            section = Section(read_text(element).split(" ", 1)[1])
            sections[section.title] = section
            what = {}
        elif element.tag == "p" and kind == "provision":
            section.rules.append(_rule(element))
        elif element.tag == "p" and kind == "table-note":
            section.notes.append(read_text(element))
        elif element.tag == "table" and kind == "matrix" and "payouts" in _caption(element):
            _read_matrix(element, section, what)
    for box in root.iter("div"):
        if (box.get("class") or "").split()[:1] == ["rack-card"]:
            _read_card(box, sections)
    return sections


def read_text(element: ET.Element) -> str:
    """Return all text of an element, blanks made one."""
    return " ".join("".join(element.itertext()).split())


def _rule(element: ET.Element) -> str:
    number = next((read_text(part) for part in element if part.get("class") == "rule-number"), "")
    return read_text(element).removeprefix(number).removesuffix("†").strip()


def _caption(table: ET.Element) -> str:
    caption = table.find("caption")
    return "" if caption is None else read_text(caption).removesuffix("†").strip()


def _read_matrix(table: ET.Element, section: Section, what: dict[str, str]) -> None:
    """Add the columns of a matrix; a hand's meaning is only with its first name.

    The caption has the unit of all odds, if they have one, and the ids of all columns.
    """
    rows = list(table.iter("tr"))
    mark = next(read_text(part) for part in table[0] if part.get("class") == "sub")
    by_end = _by_end(list_marked(mark))
    heads = [[by_end[read_text(name)] for name in cell.iter("span")] for cell in list(rows[0])[1:]]
    unit = re.search("payouts ((to|for) 1)", _caption(table))
    for row in rows[1:]:
        if row.get("class") == "group":  # prizes follow
            break
        if row.get("class") == "total":
            continue
        first, *cells = list(row)
        said = next((read_text(part) for part in first if part.get("class") == "what"), "")
        name = read_text(first).removesuffix(said).strip().removesuffix("†").strip()
        what.setdefault(name, said)
        for names, cell in zip(heads, cells, strict=True):
            pays = read_text(cell)
            if unit and re.fullmatch("[0-9,]+", pays):
                pays = f"{pays} {unit[1]}"
            for head in names:
                section.tables.setdefault(head, [])
                if pays != "–":
                    section.tables[head].append(Line(name, what[name], pays))


def other_names(section: Section) -> Iterator[tuple[str, str]]:
    """Yield names of one hand that differ between paytables of a section."""
    for note in section.notes:
        found = NAMED_OTHERWISE.fullmatch(note)
        if found:
            yield found[1], found[2]


def find_meaning(section: Section, line: Line) -> str:
    """Return the meaning of a line's hand, under this name or another one of the same hand."""
    said = {each.name: each.what for lines in section.tables.values() for each in lines}
    names = {line.name}
    for one, other in other_names(section):
        if names & {one, other}:
            names |= {one, other}
    return next(said[name] for name in sorted(names) if said.get(name))


def _read_card(box: ET.Element, sections: dict[str, Section]) -> None:
    """Add the cards of a wager, one for each paytable, by its printed name."""
    title = next(part for part in box if part.get("class") == "rack-title")
    mark = next((read_text(part) for part in title if part.get("class") == "rack-mark"), "")
    wager = " ".join((title.text or "").split())
    words = " ".join(read_text(part) for part in box if part.get("class") == "rack-words")
    body = next(part for part in box if part.tag == "table")
    head, *rows = [list(row) for row in body.iter("tr")]
    if wager not in sections:
        cells = [(read_text(row[0]), read_text(row[1])) for row in rows]
        sections.setdefault("Rack cards", Section("Rack cards")).cards[wager] = Card(cells, words)
        return
    ids = list_marked(mark)
    by_end = _by_end(ids)
    for column, cell in enumerate(head[1:], 1):
        ends = [read_text(name) for name in cell.iter("span") if name.get("class") == "id"]
        for end in ends or ids:
            shown = [(read_text(row[0]), read_text(row[column])) for row in rows]
            card = Card([line for line in shown if line[1] != "–"], words)
            sections[wager].cards[by_end[end]] = card


def _by_end(ids: list[str]) -> dict[str, str]:
    """Return the printed names of paytables by whole ids, and by the ends that heads have."""
    names = {name: name if name.isupper() and "-" in name else f"Paytable {name}" for name in ids}
    return names | {name.rpartition("-")[2]: printed for name, printed in names.items()}


def list_marked(mark: str) -> list[str]:
    """Return the ids of a card's mark: ``PT-FLT-01, 02`` or ``paytables A, B``."""
    first, *others = re.sub(r"^paytables? ", "", mark).split(", ")
    start = first[: first.rfind("-") + 1]
    return [first, *(start + other for other in others)]
