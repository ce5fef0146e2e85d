"""Files as vendors send them: the tables of the five sources, and layouts of PAR sheets."""

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook

Rows = Sequence[Sequence[str]]

SPANS: Mapping[str, Sequence[int]] = {
    "Straight Flush": (5, 1), "4 of a Kind": (1, 5), "Full House": (6,), "Flush": (6,),
    "3 of a Kind": (6,), "Straight": (6,), "3 Pair": (1, 7),
}  # fmt: skip
"""Columns that a pay spans where the text copies of the sources have lost merged cells.

As the printed return tables of Commission Free Pai Gow Express show them (pay tables 2 to 7).
"""

REPAIRED = {
    "Hand Pay": "Hand\tPay",
    "Dealer and Player Ace High 40 to 1": "Dealer and Player Ace High\t40 to 1",
    "Dealer Ace High w/ Joker 15 to 1": "Dealer Ace High w/ Joker\t15 to 1",
    "Dealer Ace High no Joker 5 to 1": "Dealer Ace High no Joker\t5 to 1",
    "\tPT-PRG-EC-ET-D01": "PT-PRG-EC-ET-D01",
    "\tPT-PRG-EC-ET-D02": "PT-PRG-EC-ET-D02",
    "\t\t\t\t\tPT-l\tPRG-EC\t-ET-D03": "PT-PRG-EC-ET-D03",
    "Hand\tPay Table Return Percent": "Hand\tPay Table\tReturn Percent",
    "Hand Pay Table Return Percenta": "Hand\tPay Table\tReturn Percent",
    "4 cards of the chosen color 1 to 1 56.7379%": "4 cards of the chosen color\t1 to 1\t56.7379%",
    "Byliasty I al asiv I stor Betailed Notall I ay Table 2 2117y Belias": "",
}
"""Lines that the text copies garble, as the documents print them."""

CHAN_CHU = """\
Chan Chu
Pay Table 1||Pay Table 2||PAY TABLE 3|
Winning Hand|Pays (to1)|Winning Hand|Pays (to 1)|Winning Hand|Pays (to 1)
Any 7 Card Straight Flush|5000|Any 7 Card Straight Flush|2000|Natural 7 Card Straight Flush|5000
Super Full House|2000|Super Full House|1000|Royal Flush + R/M|1000
Five Aces|500|Five Aces|300|Wild 7 Card Straight Flush|750
Natural 7 Card Flush|200|Natural 7 Card Flush|125|Five Aces|250
Any Royal Flush|100|Any Royal Flush|100|Any Royal Flush|100
Natural 7 Card Straight|50|Natural 7 Card Straight|50|Any Straight Flush|50
Any Straight Flush|40|Any Straight Flush|40|Any 4 of a kind|20
Any 4 of a kind|20|Any 4 of a kind|20|Any Full House|5
Any Full House|5|Any Full House|5|Any Flush|4
Any Flush|4|Any Flush|4|Any 3 of a kind|3
Any 3 of a kind|3|Any 3 of a kind|3|Any Straight|2
Any Straight|2|Any Straight|2|Three Pair|PUSH
House Edge|4.35%|House Edge|5.84%|House Edge|8.00%

PAY TABLE 4||PAY TABLE 5||CHAN CHU PLAYER ENVY PAY TABLE 3|
Winning Hand|Pays (to 1)|Winning Hand|Pays (to 1)|Winning Hand|Pays ($)
N7|8000|N7|2500|N7|1000
Royal Flush + R/M|2000|Royal Flush + R/M|1000|Royal Flush + R/M|250
Wild 7 Card Straight Flush|1000|Wild 7 Card Straight Flush|750|Wild 7 Card Straight Flush|100
Five Aces|400|Five Aces|250|Five Aces|50
Any Royal Flush|150|Any Royal Flush|125|Any Royal Flush|25
Any Straight Flush|50|Any Straight Flush|50|Any Straight Flush|10
Any 4 of a kind|25|Any 4 of a kind|25|Any 4 of a kind|5
Any Full House|5|Any Full House|5||
Any Flush|4|Any Flush|4||
Any 3 of a kind|3|Any 3 of a kind|3||
Any Straight|2|Any Straight|2||
Three Pair|LOSS|Three Pair|LOSS||
House Edge|7.77%|House Edge|8.49%||

CHAN CHU PLAYER ENVY PAY TABLE 4||CHAN CHU PLAYER ENVY PAY TABLE 5|
Winning Hand|Pays ($)|Winning Hand|Pays ($)
Natural 7 Card Straight Flush|5000|Natural 7 Card Straight Flush|1000
Royal Flush + R/M|1000|Royal Flush + R/M|750
Wild 7 Card Straight Flush|500|Wild 7 Card Straight Flush|250
Five Aces|250|Five Aces|100
Any Royal Flush|50|Any Royal Flush|50
Any Straight Flush|20|Any Straight Flush|20
Any 4 of a kind|5|Any 4 of a kind|5
""".replace("|", "\t").replace("N7", "Natural 7 Card Straight Flush")
"""The Chan Chu tables of Dealer Open Pai Gow, whose text copy has one cell a line, as printed."""


def source_rows(text: str) -> list[list[str]]:
    """Return the lines of a source's text copy as cells, with merged and garbled ones restored."""
    rows = []
    for line in text.splitlines():
        cells = REPAIRED.get(line.rstrip(), line).split("\t")
        filled = [cell for cell in cells[1:] if cell]
        spans = SPANS.get(cells[0], ())
        if len(filled) == len(spans) and len(cells) > sum(spans):
            cells[1:] = [
                cell for cell, span in zip(filled, spans, strict=True) for _ in range(span)
            ]
        rows.append([cell.replace("\\", "") for cell in cells])
    return rows


def dynamic_rows(rows: Rows) -> list[list[str]]:
    """Return rows with the headings of dynamic pays as the document prints them: one, merged."""
    mended = []
    for row in rows:
        if row[:2] == ["Hand", "Default Pays"]:
            mended.append(["Hand", "Default Pays", *["Dynamic Pays"] * 10])
        else:
            mended.append(list(row))
    return mended


def envy_rows(text: str) -> list[list[str]]:
    """Return the envy tables 2 to 7 of Commission Free Pai Gow Express, one line of its text."""
    (line,) = (each for each in text.splitlines() if "Poker Envy Bonuses Pay Table 2" in each)
    cells = line.partition("Table 7 ")[2].replace("\\", "").replace("*", "")
    found = re.findall(r"([^$]+?) ((?:\$\d+ ?){6})", cells)
    heads = ["Hand", *(f"Pay Table {number}" for number in range(2, 8))]
    return [["Dynasty Bonus Envy"], heads, *([name, *prizes.split()] for name, prizes in found)]


def workbook(sheets: Mapping[str, Rows]) -> bytes:
    """Return a workbook; equal neighbors in a line of headings are one merged cell."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for number, row in enumerate(rows, 1):
            for place, cell in enumerate(row, 1):
                sheet.cell(number, place, _value(cell))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _value(text: str) -> str | int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text or None


def lines(text: str) -> list[list[str]]:
    """Return the cells of tab-separated text."""
    return [line.split("\t") for line in text.splitlines()]


def write(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def targets(folder: Path, game: str) -> Iterator[str]:
    """Yield the declared bonus paytables and envy tables of a game."""
    for path in sorted((folder / game).glob("*/**/*.json")):
        parts = path.relative_to(folder).with_suffix("").parts
        if parts[1] != "main" and parts[-1] != "wager":
            yield "/".join(parts)


def write_docx(title: str, rows: Rows) -> bytes:
    """Return a Word document with a title and a table; equal neighbors are one merged cell."""
    from docx import Document

    document = Document()
    document.add_paragraph(title)
    table = document.add_table(len(rows), len(rows[0]))
    for line, row in enumerate(rows):
        for place, text in enumerate(row):
            if place and text == row[place - 1]:
                table.cell(line, place - 1).merge(table.cell(line, place))
            else:
                table.cell(line, place).text = text
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def write_pdf(title: str, rows: Rows, *, ruled: bool) -> bytes:
    """Return a PDF page with a title and a table, with or without rules."""
    from weasyprint import HTML

    border = "border: 1px solid black; border-collapse: collapse" if ruled else ""
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    style = f"<style>table, td {{ {border} }} td {{ padding: 2pt 20pt }}</style>"
    return bytes(HTML(string=f"{style}<p>{title}</p><table>{body}</table>").write_pdf())


WORDS = {
    "Royal Flush": "Royal", "Straight Flush": "Str. Flush", "4 of a Kind": "Quads",
    "Full House": "Boat", "3 of a Kind": "Trips", "5 Aces": "Five Aces",
}  # fmt: skip
"""Names of hands as vendors print them, by those of the sources."""

TABLES = 35


def binder(folder: Path, game: str) -> tuple[bytes, dict[str, list[dict[str, str]]]]:
    """Return a workbook of 35 shipped tables in a vendor's words, and their rows by new targets.

    A sheet has one paytable under the name of its wager and a new id, with its envy prizes below.
    """
    sheets: dict[str, Rows] = {}
    tables: dict[str, list[dict[str, str]]] = {}
    for target in targets(folder, game):
        record = json.loads((folder / f"{target}.json").read_bytes())
        above = f"{game}/{record['wager']}"
        envy = folder / above / "envy" / f"{record.get('envy')}.json"
        needed = 1 + ("envy" in record)
        if "/envy/" in target or "dynamic" in record or len(tables) + needed > TABLES:
            continue
        wager = json.loads((folder / above / "wager.json").read_bytes())
        new = f"B{len(sheets) + 1:02}"
        rows = [[wager["name"]], [f"Pay Table {new}"], ["Hand", "Pays"]]
        rows += map(_print, record["rows"])
        tables[f"{above}/{new}"] = record["rows"]
        if "envy" in record:
            prizes = json.loads(envy.read_bytes())["rows"]
            rows += [[], [f"{wager['name']} Envy"], ["Hand", "Envy Bonus"], *map(_print, prizes)]
            tables[f"{above}/envy/{new}"] = prizes
        sheets[new] = rows
    return workbook(sheets), tables


def _print(row: Mapping[str, Any]) -> list[str]:
    """Return a row as a vendor prints it."""
    share = f"{row['pays']} of meter {row['meter']}" if "meter" in row else row.get("pays", "")
    pay = f"${row['prize_cents'] // 100}" if "prize_cents" in row else share
    return [WORDS.get(row["name"], row["name"]), pay.replace(" to ", ":")]
