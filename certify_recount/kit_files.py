"""Files of the laboratory kit compared with each other: digests, censuses, fractions."""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import zip_longest
from math import comb
from pathlib import Path

from . import digest
from .census import census
from .counting import build_rules
from .files import Game, Json

SUMS = "SHA256SUMS"

Comparison = tuple[str, list[str], str]
"""The name of a comparison, the differences, and what was compared."""


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the files of a kit, or those extracted from a report, by their paths in a kit.

    In the name of a file that a report embeds, ``--`` stands for ``/``.
    """
    return {
        path.relative_to(folder).as_posix().replace("--", "/"): path.read_bytes()
        for path in sorted(folder.glob("**/*"))
        if path.is_file()
    }


def compare_digests(files: Mapping[str, bytes], evidence: Json) -> Iterator[Comparison]:
    """Compare every file with SHA256SUMS, and the data and this program with the evidence.

    Only a kit has SHA256SUMS.
    """
    listed = files.get(SUMS, b"").decode("ascii").splitlines()
    stated = [(SUMS, *line.split("  ", 1)) for line in listed]
    stated += [
        ("evidence.json", value, name.replace("--", "/"))
        for name, value in evidence["sources"].items()
    ]
    wrong = [
        f"{name} is not the file that {where} lists"
        for where, value, name in stated
        if hashlib.sha256(files.get(name, b"")).hexdigest() != value
    ]
    yield "digests", wrong, f"{len(stated)} digests of files"
    code = evidence["engine"].get("recount_sha256")
    other = [] if code == digest() else [f"this program is {digest()}, the evidence names {code}"]
    yield (
        "certify_recount", other,
        f"SHA-256 {digest()}, as the evidence names it; compare it with the release",
    )  # fmt: skip


def compare_censuses(
    files: Mapping[str, bytes], game: Game, together: Collection[int]
) -> Iterator[Comparison]:
    """Count the hands of each census/*.csv by its features.

    ``together`` are the numbers of cards of the player and the dealer that are one hand.
    """
    for name in (name for name in files if name.startswith("census/")):
        header, *lines = read_csv(files[name])
        cards = int(name.removeprefix("census/").split("-")[0])
        deck = build_rules(game, cards, together=cards in together).deck
        written = {tuple(line[:-1]): int(line[-1]) for line in lines}
        counted: Counter[tuple[str, ...]] = Counter()
        for cell, number in census(cards, deck, header[:-1]).items():
            counted[tuple(map(cell_text, cell))] += number
        total = comb(deck.size, cards)
        wrong = [] if counted.total() == total else ["the classes do not cover the deck"]
        wrong += [
            f"{', '.join(cell)}: stated {written.get(cell)}, counted {counted.get(cell)}"
            for cell in sorted({*written, *counted})
            if written.get(cell) != counted.get(cell)
        ]
        what = f"{len(counted)} cells, {total} hands of {cards} cards"
        yield name, wrong, what


def cell_text(value: object) -> str:
    """Return a feature's value as a census writes it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_csv(data: bytes) -> list[list[str]]:
    """Return the rows of a CSV file."""
    return [*csv.reader(io.StringIO(data.decode("utf-8"), newline=""))]


def compare_fractions(data: bytes, evidence: Json) -> Comparison:
    """Compare fractions.csv with the rows of the evidence."""
    written = [tuple(line) for line in read_csv(data)][1:]
    tables = []
    for result in evidence["results"]:
        tables.append((result["target"], result["rows"]))
        if "envy" in result:
            envy = result["envy"]
            tables.append((f"{result['target']}/envy/{envy['paytable']}", envy["rows"]))
    names = ("event", "name", "pays", "combinations", "probability", "return")
    rows = [
        (name, *(str(row.get(k, "")) for k in names)) for name, lines in tables for row in lines
    ]
    wrong = [
        f"line {line}: {ours} is not {theirs}"
        for line, (ours, theirs) in enumerate(zip_longest(written, rows, fillvalue=()), 2)
        # an apostrophe keeps a spreadsheet from running a text as a formula
        if [cell.removeprefix("'") for cell in ours] != [cell.removeprefix("'") for cell in theirs]
    ]
    return "fractions.csv", wrong, f"{len(rows)} rows as in evidence.json"
