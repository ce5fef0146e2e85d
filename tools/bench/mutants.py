"""Slips that `certify check` does not see: ``python -m tools.bench.mutants [PROJECT...]``.

Each kind of slip is made in some files, one at a time. A slip is silent if the check of its file
has no error, no warning and no entry of the ledger that the correct file lacks. `library` is the
library and `field` the games of `fixtures/field`, both with their printed figures; `own` is five
games of the library under other ids without any.
"""

import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify import library
from certify.intake.workspace import Workspace
from certify.model.finding import Severity
from certify.review.check import check

ROOT = Path(__file__).parents[2]
OWN = (
    "mini-pai-gow", "emperors-challenge-exposed", "dealer-open-pai-gow",
    "commission-free-pai-gow-express", "pai-gow-mania",
)  # fmt: skip
LEFT_OUT = ("published.json", "discrepancies.json", "second-counts.json")
"""Files with printed or stored figures."""

TABLES = "*/*/[!w]*.json"
OPTIONS = "*/main/[!w]*.json"
PAY = re.compile(r"(\d+) (to|for) (\d+)").fullmatch

Value = Any
Slip = Callable[[Value], None]


class Unfit(Exception):
    """A slip that cannot be made in a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of slip, the files that it is made in, and in how many at most."""

    name: str
    files: str
    most: int
    slip: Slip


KINDS: list[Kind] = []


def kind(name: str, files: str, most: int) -> Callable[[Slip], Slip]:
    def add(slip: Slip) -> Slip:
        KINDS.append(Kind(name=name, files=files, most=most, slip=slip))
        return slip

    return add


def need(holds: object) -> None:
    if not holds:
        raise Unfit


def paid(value: Value, least: int = 1) -> list[Value]:
    """Return the rows that pay odds."""
    rows = [row for row in value.get("rows", ()) if PAY(row.get("pays", ""))]
    need(len(rows) >= least)
    return rows


def set_pay(row: Value, number: str | None = None, unit: str | None = None) -> None:
    old, word, stake = row["pays"].split(" ")
    row["pays"] = f"{number or old} {unit or word} {stake}"


def turn(unit: str) -> str:
    return "for" if unit == "to" else "to"


def number_of(row: Value) -> int:
    return int(row["pays"].split(" ")[0])


@kind("two pays exchanged", TABLES, 6)
def _(value: Value) -> None:
    first, second = paid(value, 4)[1:3]
    need(first["pays"] != second["pays"])
    first["pays"], second["pays"] = second["pays"], first["pays"]


@kind("row twice", TABLES, 3)
def _(value: Value) -> None:
    value["rows"].append(dict(value["rows"][1]))


@kind("pay times ten", TABLES, 6)
def _(value: Value) -> None:
    row = paid(value, 3)[2]
    set_pay(row, f"{number_of(row)}0")


@kind("pay off by one", TABLES, 8)
def _(value: Value) -> None:
    row = paid(value, 4)[3]
    set_pay(row, str(number_of(row) + 1))


@kind("one zero less", TABLES, 6)
def _(value: Value) -> None:
    row = next((row for row in paid(value) if number_of(row) % 10 == 0), None)
    need(row)
    set_pay(row, str(number_of(row) // 10))


@kind("unit of one pay", TABLES, 5)
def _(value: Value) -> None:
    row = paid(value, 3)[1]
    set_pay(row, unit=turn(row["pays"].split(" ")[1]))


@kind("unit of all pays", TABLES, 5)
def _(value: Value) -> None:
    for row in paid(value, 3):
        set_pay(row, unit=turn(row["pays"].split(" ")[1]))


@kind("odds turned round", TABLES, 4)
def _(value: Value) -> None:
    row = paid(value, 2)[0]
    row["pays"] = " ".join(reversed(row["pays"].split(" ")))


@kind("events exchanged", TABLES, 6)
def _(value: Value) -> None:
    need(len(paid(value)) > 4)
    first, second = value["rows"][2:4]
    first["event"], second["event"] = second["event"], first["event"]


@kind("names exchanged", TABLES, 6)
def _(value: Value) -> None:
    need(len(paid(value)) > 7)
    first, second = value["rows"][5:7]
    first["name"], second["name"] = second["name"], first["name"]


@kind("straight flush missing", TABLES, 5)
def _(value: Value) -> None:
    rows = value.get("rows", ())
    missing = [row for row in rows if row.get("event") == "straight_flush"]
    need(missing)
    rows.remove(missing[0])


@kind("last row missing", TABLES, 3)
def _(value: Value) -> None:
    need(len(paid(value)) > 3)
    value["rows"].pop()


@kind("order of rows", TABLES, 5)
def _(value: Value) -> None:
    need(len(paid(value)) > 6)
    value["rows"][-2:] = reversed(value["rows"][-2:])


@kind("award rule", TABLES, 3)
def _(value: Value) -> None:
    first, highest = "first_row_contained", "highest_ranking_hand"
    value["award"] = highest if value["award"] == first else first


@kind("hand of a paytable", TABLES, 4)
def _(value: Value) -> None:
    paid(value)
    value["hand"] = {"player": "dealer", "dealer": "player"}[value["hand"]]


@kind("cards of a paytable", TABLES, 6)
def _(value: Value) -> None:
    paid(value)
    value["cards"] -= 1


@kind("top share of a meter", TABLES, 5)
def _(value: Value) -> None:
    next(row for row in value["rows"] if row.get("pays") == "100%")["pays"] = "1%"


@kind("base wager of a meter", TABLES, 4)
def _(value: Value) -> None:
    value["progressive"]["base_wager_cents"] = 1


@kind("level of a meter", TABLES, 3)
def _(value: Value) -> None:
    next(row for row in value["rows"] if "meter" in row)["meter"] = "9"


@kind("clause of a paytable", TABLES, 5)
def _(value: Value) -> None:
    paid(value)
    value["source"]["clause"] = "Appendix Z"


@kind("document of a paytable", TABLES, 2)
def _(value: Value) -> None:
    paid(value)
    value["source"]["document"] = "face-up-pai-gow"


@kind("game of a paytable", TABLES, 2)
def _(value: Value) -> None:
    paid(value)
    value["game"] = "other-game"


@kind("name of a paytable", TABLES, 3)
def _(value: Value) -> None:
    paid(value)
    value["name"] += "9"


@kind("envy prize in dollars", "*/*/envy/*.json", 3)
def _(value: Value) -> None:
    value["rows"][0]["prize_cents"] //= 100


@kind("qualifying wager", "*/*/envy/*.json", 3)
def _(value: Value) -> None:
    value["qualifying_wager_cents"] *= 10


@kind("commission of 4%", OPTIONS, 3)
def _(value: Value) -> None:
    value["commission"]["rate"] = "4%"


@kind("commission of 50%", OPTIONS, 2)
def _(value: Value) -> None:
    value["commission"]["rate"] = "50%"


@kind("win of the main wager", OPTIONS, 3)
def _(value: Value) -> None:
    value["win_pays"] = "2 to 1" if value["win_pays"] == "1 to 1" else "1 to 2"


@kind("size of the raise", OPTIONS, 1)
def _(value: Value) -> None:
    value["raise"]["size"] = "2"


@kind("one player less", "*/game.json", 3)
def _(value: Value) -> None:
    value["players"] -= 1


@kind("joker of the deck", "*/game.json", 3)
def _(value: Value) -> None:
    value["deck"]["joker"] = not value["deck"].get("joker", False)


@kind("size of the hand", "*/game.json", 3)
def _(value: Value) -> None:
    value["hand"]["back" if "back" in value["hand"] else "cards"] += 1


@kind("house way of a game", "*/game.json", 1)
def _(value: Value) -> None:
    need(value["house_way"])
    value["house_way"] = "nobody"


@kind("minimum wager", "*/*/wager.json", 6)
def _(value: Value) -> None:
    value["minimum_cents"] *= 100


@kind("hand of a wager", "*/*/wager.json", 2)
def _(value: Value) -> None:
    value["hand"] = {"player": "dealer", "dealer": "player"}[value["hand"]]


def find_limits(value: Value) -> list[tuple[Value, str]]:
    versions = (version for rule in value["rules"] for version in rule["versions"])
    return [
        (version["parameters"], name)
        for version in versions
        for name, limit in version.get("parameters", {}).items()
        if isinstance(limit, int) and limit > 1
    ]


@kind("first limit of a jurisdiction", "jurisdictions/*.json", 7)
def _(value: Value) -> None:
    limits, name = find_limits(value)[0]
    limits[name] *= 10


@kind("last limit of a jurisdiction", "jurisdictions/*.json", 4)
def _(value: Value) -> None:
    limits, name = find_limits(value)[-1]
    limits[name] += 1


@kind("citation of a rule", "jurisdictions/*.json", 2)
def _(value: Value) -> None:
    version = value["rules"][0]["versions"][0]
    other = re.sub(r"(\d)(\d)", r"\2\1", version["citation"], count=1)
    need(other != version["citation"])
    version["citation"] = other


@kind("edge of a stored count", "*/second-counts.json", 3)
def _(value: Value) -> None:
    need("house_edge" in value["counts"][0])
    value["counts"][0]["house_edge"] = "1/50"


@kind("printed figure of a main wager", "*/published.json", 3)
def _(value: Value) -> None:
    change_figure(value, is_main=True)


@kind("printed figure of a paytable", "*/published.json", 5)
def _(value: Value) -> None:
    change_figure(value, is_main=False)


def change_figure(value: Value, *, is_main: bool) -> None:
    """Change the last digit of a printed figure."""
    figures = (each for each in value["figures"] if ("/main/" in each["target"]) is is_main)
    figure = next(each for each in figures if re.search(r"\d%?$", each["printed"]))
    digits = figure["printed"].rstrip("%")
    last = str((int(digits[-1]) + 1) % 10)
    figure["printed"] = digits[:-1] + last + figure["printed"][len(digits) :]


def judge(path: Path, data: bytes | None = None) -> set[tuple[str, str, str, str, str]]:
    """Return the findings of the check of one file, notes aside, and what was not judged."""
    workspace = Workspace() if data is None else Workspace().overlay(path, data)
    found = check((path,), workspace=workspace)
    return {
        (each.code, str(each.severity), each.file, each.pointer, each.message)
        for each in (*found.findings, *found.not_judged)
        if each.severity is not Severity.NOTE
    }


def choose_files(each: Kind) -> Iterator[tuple[Path, bytes]]:
    """Yield files with the slip, at first two of each game."""
    made: dict[Path, bytes] = {}
    for path in sorted(Path("paytables").glob(each.files)):
        value = json.loads(path.read_bytes())
        try:
            each.slip(value)
        except (Unfit, LookupError, TypeError, ValueError, StopIteration, AttributeError):
            continue
        made[path] = json.dumps(value, ensure_ascii=False).encode()
    number = Counter[str]()
    first: list[Path] = []
    for path in made:
        number[path.parts[1]] += 1
        if number[path.parts[1]] <= 2:
            first.append(path)
    for path in list(dict.fromkeys((*first, *made)))[: each.most]:
        yield path, made[path]


def count_slips() -> Iterator[tuple[str, Counter[str], str]]:
    """Yield each kind of slip of the project here: its verdicts and the codes that they have."""
    correct: dict[Path, set[tuple[str, str, str, str, str]]] = {}
    for each in KINDS:
        results, codes = Counter[str](), set[str]()
        for path, data in choose_files(each):
            if path not in correct:
                correct[path] = judge(path)
            found = judge(path, data) - correct[path]
            kinds = {severity for _, severity, *_ in found}
            results[next((name for name in ("error", "warning") if name in kinds), "silent")] += 1
            codes |= {code for code, *_ in found}
        yield each.name, results, " ".join(sorted(codes))


def iter_lines() -> Iterator[str]:
    """Yield a line for each kind of slip, and the sum."""
    sums = Counter[str]()
    for name, results, codes in count_slips():
        sums += results
        yield format_line(name, results, codes)
    yield format_line("all", sums, "")


def format_line(name: str, results: Counter[str], codes: str) -> str:
    numbers = "".join(f"{results[key]:>9}" for key in ("error", "warning", "silent"))
    return f"  {name:32}{results.total():>6}{numbers}  {codes}".rstrip()


def make_library(folder: Path) -> None:
    shutil.copytree(library.paytables(), folder / "paytables")
    shutil.rmtree(folder / "paytables/alternatives")


def make_own(folder: Path) -> None:
    """Write games of the library under other ids, without printed or stored figures."""
    for game in OWN:
        source = library.paytables() / game
        for path in source.rglob("*.json"):
            if path.name in LEFT_OUT:
                continue
            text = path.read_text(encoding="utf-8")
            for name in ("game", "document", "id"):
                text = text.replace(f'"{name}": "{game}"', f'"{name}": "own-{game}"')
            copy = folder / "paytables" / f"own-{game}" / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, encoding="utf-8")


def make_field(folder: Path) -> None:
    shutil.copytree(ROOT / "fixtures/field/paytables", folder / "paytables")


PROJECTS = {"library": make_library, "field": make_field, "own": make_own}


@contextmanager
def enter_project(name: str) -> Iterator[None]:
    """Change to a new folder with one of the projects."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        PROJECTS[name](Path())
        Path("certify.toml").touch()
        yield


def main() -> None:
    for name in sys.argv[1:] or PROJECTS:
        heads = f"{'slips':>6}{'error':>9}{'warning':>9}{'silent':>9}"
        sys.stdout.write(f"  {name:32}{heads}  codes\n")
        with enter_project(name):
            for line in iter_lines():
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
