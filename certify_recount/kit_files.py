"""Files of the laboratory kit: compared with each other, and changed by other interpretations.

A change of ``paytables/alternatives`` names a record and a place in it. A part of the place is a
key of an object, or of a list the id, event or level of an entry, its number, or ``-`` behind the
last one.
"""

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from fractions import Fraction
from itertools import zip_longest
from math import comb
from pathlib import Path
from typing import Any

from . import digest
from .census import census
from .counting import build_rules
from .files import LAYERS, Game, Json, read_json

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
    digests = [(SUMS, *line.split("  ", 1)) for line in listed]
    digests += [
        ("evidence.json", value, name.replace("--", "/"))
        for name, value in evidence["sources"].items()
    ]
    wrong = [
        f"{name} is not the file that {where} lists"
        for where, value, name in digests
        if hashlib.sha256(files.get(name, b"")).hexdigest() != value
    ]
    yield "digests", wrong, f"{len(digests)} digests of files"
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


NAMES = ("id", "event", "level")


def record_path(record: str) -> str:
    """Return the path of a record below paytables/."""
    if record == "events":
        return "events.json"
    return f"{record}.json" if "/" in record else f"{record}/game.json"


def apply_reading(files: Mapping[str, bytes], reading: Json) -> dict[str, bytes]:
    """Return the declared files as an interpretation changes them."""
    changed = dict(files)
    for record in {change["record"] for change in reading["changes"]}:
        layers = LAYERS[:1] if record == "events" else LAYERS[::-1]
        paths = (layer + record_path(record) for layer in layers)
        path = next((path for path in paths if path in files), None)
        changes = [each for each in reading["changes"] if each["record"] == record]
        if path is not None:
            changed[path] = json.dumps(apply_changes(read_json(files[path]), changes)).encode()
    return changed


def apply_changes(value: Any, changes: Iterable[Json]) -> Any:  # noqa: ANN401 - any JSON value
    """Return a record as the changes make it."""
    value = deepcopy(value)
    for change in changes:
        *parents, last = change["path"].split("/")[1:]
        inner = value
        for name in parents:
            inner = inner[key(inner, name)]
        new = deepcopy(change.get("value"))
        if change["op"] == "remove":
            del inner[key(inner, last)]
        elif change["op"] == "replace":
            inner[key(inner, last)] = new
        elif isinstance(inner, list):
            place = key(inner, last)
            inner.insert(len(inner) if place is None else place, new)
        else:
            inner[last] = new
    return value


def key(value: Any, name: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the key or the number that a part of a place means; None behind the last entry."""
    if isinstance(value, dict):
        return name
    if name.isdigit() or name == "-":
        return int(name) if name != "-" else None
    return next(
        place
        for place, entry in enumerate(value)
        if isinstance(entry, dict) and name in map(entry.get, NAMES)
    )


def edges(figures: Json) -> dict[str, Fraction]:
    """Return the figures of a wager that interpretations are compared by."""
    named = {}
    if "house_edge" in figures:
        named["house_edge"] = Fraction(figures["house_edge"])
    by_players = figures.get("envy", {}).get("house_edge_by_players")
    if by_players:
        named["house_edge_full_table"] = Fraction(by_players[max(by_players, key=int)])
    if "progressive" in figures:
        named["fixed_return"] = Fraction(figures["progressive"]["fixed_return"])
    return named


def compare_figures(filed: Json, otherwise: Json) -> dict[str, tuple[Fraction, Fraction, Fraction]]:
    """Return each figure that an interpretation changes: before, after, difference."""
    before, after = edges(filed), edges(otherwise)
    return {
        name: (value, after[name], after[name] - value)
        for name, value in before.items()
        if name in after and after[name] != value
    }
