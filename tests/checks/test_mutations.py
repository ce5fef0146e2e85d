"""One record of the real data altered as each code describes: that code is raised, and no other.

Every alteration is made in a copy of the game concerned, beside the shared files, and judged by
`check` as a user runs it. What was found before the alteration does not count.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from certify import library
from certify.model.finding import Finding, Severity
from certify.pipeline.check import check
from certify.pipeline.codes import CODES
from tests.altering import put

Value = Any  # a JSON value, altered in place

OPEN = "dealer-open-pai-gow"
EMPEROR = "emperors-challenge-exposed"
EXPRESS = "commission-free-pai-gow-express"
MANIA = "pai-gow-mania"
MINI = "mini-pai-gow"
CHAN_CHU = "chan-chu/1.json"
ENVY = "chan-chu/envy/4.json"
TWO_JACKS = "main/ace-high-push.json"
INSURANCE = "pai-gow-insurance-progressive/PT-BJS-EC-PGI-01.json"
FIXED = "pai-gow-insurance/PT-FLT-EC-PGI-01.json"
DRAW = "emperors-treasure-dynamic-progressive/PT-PRG-EC-ET-D01.json"
FOXWOODS = "../house-ways/foxwoods.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """A file of a game and how it is altered: its value, or with ``raw`` the file itself.

    ``also`` are codes that cannot but be raised too; ``because`` says why.
    """

    code: str
    game: str
    file: str
    alter: Callable[[Value], object] | None = None
    raw: Callable[[Path], object] | None = None
    also: frozenset[str] = frozenset()
    because: str = ""


def replaced(old: str, new: str) -> Callable[[Path], object]:
    """Return what replaces a text, once, in a file."""

    def alter(path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return alter


def section(way: Value, name: str) -> Value:
    return next(one for one in way["sections"] if one["id"] == name)


def copied(name: str, **changes: Value) -> Callable[[Path], object]:
    """Return what writes a copy of a file beside it, with other values."""

    def alter(path: Path) -> None:
        value = json.loads(path.read_text(encoding="utf-8")) | changes
        (path.parent / name).parent.mkdir(exist_ok=True)
        (path.parent / name).write_text(json.dumps(value), encoding="utf-8")

    return alter


def gone(path: Path) -> None:
    """Make the file a link to nothing."""
    path.unlink()
    path.symlink_to("nothing.json")


def in_utf_16(path: Path) -> None:
    path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16"))


def with_mark(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


RANKING = {
    "highest_first": ["straight_flush", "straight", "flush", "high_card"],
    "source": {"document": "rules-of-play", "clause": "Hands"},
}


def undivided(path: Path) -> None:
    """Leave a game of five cards with nothing but its main wager."""
    game = path.parents[1]
    for other in game.iterdir():
        if other.is_dir() and other != path.parent:
            shutil.rmtree(other)
        elif other.is_file() and other.name != "game.json":
            other.unlink()
    value = json.loads((game / "game.json").read_text(encoding="utf-8"))
    for name in ("house_way", "house_ways", "house_way_in_source", "strategy"):
        value.pop(name)
    value |= {"hand": {"cards": 5, "back": 5, "front": 0}, "wagers": ["main"]}
    (game / "game.json").write_text(json.dumps(value), encoding="utf-8")


def swap_first_rows(record: Value) -> None:
    record["rows"][:2] = record["rows"][1::-1]


def forget_gaps(record: Value) -> None:
    for one in record["discrepancies"]:
        one["kind"] = "ambiguity" if one["kind"] == "gap" else one["kind"]


def same_figure_id(record: Value) -> None:
    record["figures"][1]["id"] = record["figures"][0]["id"]


def without_reading(record: Value) -> None:
    figure = record["figures"][0]
    figure["quantity"] = "not_computable"
    figure.pop("reason", None)
    figure.pop("reading", None)


def without_event(record: Value) -> None:
    next(one for one in record["figures"] if one["id"] == "protection.return.ten-high-pai-gow").pop(
        "event"
    )


def total_of_rows(record: Value) -> None:
    figure = next(one for one in record["figures"] if one["quantity"] == "total_combinations")
    figure["printed"] = "23,427"


def count_with_point(record: Value) -> None:
    record["figures"][0]["printed"] += ".0"


def second_loses_too(record: Value) -> None:
    record["dealer_rules"][1] |= {"id": record["dealer_rules"][0]["id"], "outcome": "lose"}


def same_condition(record: Value) -> None:
    record["dealer_rules"][1]["when"] = record["dealer_rules"][0]["when"]


def two_pair_alike(way: Value) -> None:
    one, other = section(way, "two-pair")["exceptions"]
    other["when"] = one["when"]


def money(record: Value) -> None:
    record["sections"][0]["statements"][0]["text"] = "Wagers of 5 dollars are usual."


def alternatives(path: Path) -> None:
    """Bring the declared other readings, which the other copies do without."""
    path.parent.mkdir()
    shutil.copy(library.paytables() / "alternatives" / path.name, path)


MUTATIONS = (
    Mutation(code="J001", game=OPEN, file=CHAN_CHU, raw=replaced('"cards": 7,', '"cards": 7')),
    Mutation(code="J002", game=OPEN, file=CHAN_CHU, raw=replaced('"cards"', '"cards": 7, "cards"')),
    Mutation(code="J003", game=OPEN, file=CHAN_CHU, raw=replaced('"cards": 7', '"cards": NaN')),
    Mutation(code="J004", game=OPEN, file=CHAN_CHU, raw=replaced('"cards": 7', '"cards": 7.0')),
    Mutation(code="J005", game=OPEN, file=CHAN_CHU, raw=with_mark),
    Mutation(code="J006", game=OPEN, file=CHAN_CHU, raw=in_utf_16),
    Mutation(
        code="J007", game=OPEN, file=CHAN_CHU, raw=replaced('"cards": 7', f'"cards": {"[" * 65}')
    ),
    Mutation(code="J008", game=OPEN, file=CHAN_CHU, alter=put("/name", "Pay\u200bTable")),
    Mutation(code="J009", game=OPEN, file=CHAN_CHU, alter=put("/name", "Pay Table 1 ")),
    Mutation(code="J010", game=OPEN, file=ENVY, alter=put("/rows/0/prize_cents", 2**53 + 1)),
    Mutation(code="J011", game=OPEN, file=CHAN_CHU, raw=gone),
    Mutation(code="J012", game=OPEN, file=CHAN_CHU, alter=put("/rows", [0] * 20_000)),
    Mutation(
        code="J013",
        game=OPEN,
        file=CHAN_CHU,
        alter=put("/rows", [1.5] * 101),
        also=frozenset({"J004"}),
        because="the first hundred faults are listed",
    ),
    Mutation(code="S001", game=OPEN, file=CHAN_CHU, alter=lambda one: one["rows"][0].pop("pays")),
    Mutation(code="S002", game=OPEN, file=CHAN_CHU, alter=put("/rows/0/pay", "4 to 1")),
    Mutation(code="S003", game=OPEN, file=CHAN_CHU, alter=put("/cards", "7")),
    Mutation(code="S004", game=OPEN, file=CHAN_CHU, alter=put("/award", "first_row")),
    Mutation(code="S005", game=OPEN, file=CHAN_CHU, alter=put("/rows/0/pays", "50:1")),
    Mutation(code="S006", game=OPEN, file=CHAN_CHU, alter=put("/cards", 8)),
    Mutation(code="S007", game=OPEN, file=CHAN_CHU, alter=put("/$schema", "paytabel.schema.json")),
    Mutation(
        code="S008", game=OPEN, file=TWO_JACKS, alter=put("/dealer_rules/0/win_pays", "1 to 2")
    ),
    Mutation(code="D001", game=OPEN, file=CHAN_CHU, alter=put("/id", "9")),
    Mutation(code="D002", game=OPEN, file=CHAN_CHU, raw=copied("old/1.json")),
    Mutation(code="D003", game=OPEN, file="game.json", alter=put("/wagers/-", "jacks")),
    Mutation(code="D004", game=OPEN, file="published.json", alter=same_figure_id),
    Mutation(
        code="D005",
        game=EMPEROR,
        file=FIXED,
        raw=copied("PT-FLT-EC-PGI-99.json", id="PT-FLT-EC-PGI-99"),
    ),
    Mutation(
        code="D006", game=OPEN, file="jacks-beat/wager.json", alter=lambda one: one.pop("absent")
    ),
    Mutation(code="D007", game=EMPEROR, file=INSURANCE, alter=put("/rows/2/name", "Ten")),
    Mutation(code="D008", game=OPEN, file=CHAN_CHU, alter=put("/source/document", "dealer-open")),
    Mutation(
        code="D009",
        game=OPEN,
        file="discrepancies.json",
        alter=put("/discrepancies/0/targets", [f"{OPEN}/chan-chu/11"]),
    ),
    Mutation(
        code="D011",
        game=EMPEROR,
        file=FIXED,
        raw=copied("PT-FLT-AHPG-02.json", id="PT-FLT-AHPG-02"),
    ),
    Mutation(code="D012", game=OPEN, file="game.json", alter=money),
    Mutation(
        code="D013",
        game=OPEN,
        file="chan-chu/wager.json",
        alter=lambda one: one.update(minimum_cents=2500, maximum_cents=500),
    ),
    Mutation(code="D014", game=EMPEROR, file=INSURANCE, alter=put("/rows/2/name", "9-High")),
    Mutation(code="D015", game=OPEN, file="game.json", alter=put("/revision", "2")),
    Mutation(
        code="D016",
        game=EMPEROR,
        file="main/wager.json",
        alter=put("/rules/0/option", "ace-high"),
    ),
    Mutation(code="P001", game=OPEN, file=CHAN_CHU, alter=put("/rows/0/event", "seven_card_flash")),
    Mutation(code="P002", game=EMPEROR, file=INSURANCE, alter=swap_first_rows),
    Mutation(
        code="P003", game=EMPEROR, file=INSURANCE, alter=put("/rows/4/event", "jack_high_pai_gow")
    ),
    Mutation(code="P004", game=EMPEROR, file=INSURANCE, alter=put("/rows/2/pays", "5 for 1")),
    Mutation(code="P005", game=EMPEROR, file=INSURANCE, alter=put("/rows/2/pays", "125 to 1")),
    Mutation(
        code="P006", game=EMPEROR, file=INSURANCE, alter=lambda one: one["rows"][0].pop("meter")
    ),
    Mutation(code="P007", game=EMPEROR, file=DRAW, alter=put("/rows/2/dynamic/1", "250 for 1")),
    Mutation(code="P008", game=EMPEROR, file=DRAW, alter=put("/dynamic/minimum_rows", 4)),
    Mutation(code="P009", game=EMPEROR, file=INSURANCE, alter=put("/rows/2/pays", "250 for 2")),
    Mutation(
        code="P010",
        game=EMPEROR,
        file=INSURANCE,
        alter=put("/rows/4/event", "player_and_dealer_ace_high_pai_gow"),
    ),
    Mutation(
        code="P011",
        game=EMPEROR,
        file="pai-gow-insurance-progressive/wager.json",
        alter=put("/kind", "bonus"),
    ),
    Mutation(
        code="P012",
        game=OPEN,
        file=TWO_JACKS,
        alter=put("/dealer_rules/0/when", {"jacks": {"min": 3, "max": 2}}),
    ),
    Mutation(
        code="P013",
        game=MINI,
        file="bonus/A.json",
        alter=put("/cards", 7),
        also=frozenset({"P015"}),
        because="Seven cards make more winning hands than six.",
    ),
    Mutation(
        code="M001",
        game=OPEN,
        file=TWO_JACKS,
        alter=put("/dealer_rules/0/id", "push_dealer_two_jacks"),
    ),
    Mutation(code="M002", game=OPEN, file=TWO_JACKS, alter=second_loses_too),
    Mutation(
        code="M003",
        game=MANIA,
        file="main/commission-5-percent.json",
        alter=put("/commission/rate", "0%"),
    ),
    Mutation(code="M004", game=OPEN, file=TWO_JACKS, alter=same_condition),
    Mutation(code="M005", game=OPEN, file="chan-chu/wager.json", alter=put("/kind", "main")),
    Mutation(code="M006", game=OPEN, file="game.json", alter=put("/players", 8)),
    Mutation(code="M007", game=OPEN, file="game.json", alter=put("/ranking", RANKING)),
    Mutation(
        code="M008",
        game=MANIA,
        file="main/commission-5-percent.json",
        raw=undivided,
        alter=put("/ties", {"low": "push"}),
        also=frozenset({"H011"}),
        because="no game is left that its house way sets",
    ),
    Mutation(
        code="P014",
        game=OPEN,
        file=TWO_JACKS,
        alter=put("/dealer_rules/0/when", {"red_cards": 7}),
    ),
    Mutation(
        code="D017",
        game=OPEN,
        file="../alternatives/dealer-open-pai-gow.json",
        raw=alternatives,
        alter=put("/alternatives/0/changes/0/path", "/nowhere"),
    ),
    Mutation(
        code="D018",
        game=OPEN,
        file="../house-ways/trump-plaza.json",
        alter=put(
            "/source",
            {"document": "wizard-of-odds-foxwoods-house-way", "clause": "Foxwoods house way"},
        ),
    ),
    Mutation(code="E001", game=OPEN, file=CHAN_CHU, alter=put("/envy", "9")),
    Mutation(code="E002", game=OPEN, file=ENVY, raw=copied("9.json", id="9")),
    Mutation(
        code="E003",
        game=OPEN,
        file=ENVY,
        alter=put("/rows/0/event", "nine_high_pai_gow"),
        also=frozenset({"F001", "P015"}),
        because="A printed edge counts the prizes, and thousands of hands now win $5,000.",
    ),
    Mutation(
        code="E004",
        game=OPEN,
        file=ENVY,
        alter=put("/rows/0/prize_cents", 1),
        also=frozenset({"F001"}),
        because="A printed edge of Dealer Open counts the prizes of its envy tables.",
    ),
    Mutation(
        code="E005",
        game=OPEN,
        file=ENVY,
        alter=put("/pays_on_own_hand", value=True),
        also=frozenset({"F001"}),
        because="A printed edge of Dealer Open counts the prizes of its envy tables.",
    ),
    Mutation(code="G001", game=EMPEROR, file=INSURANCE, alter=put("/rows/1/meter", "2")),
    Mutation(
        code="G002",
        game=EMPEROR,
        file=INSURANCE,
        alter=put("/progressive/meters/-", {"level": "2"}),
    ),
    Mutation(code="G003", game=EMPEROR, file=INSURANCE, alter=put("/rows/1/pays", "110%")),
    Mutation(code="G004", game=EMPEROR, file="discrepancies.json", alter=forget_gaps),
    Mutation(
        code="G005",
        game=EMPEROR,
        file=INSURANCE,
        alter=put("/progressive/meters/0", {"level": "1", "increment": "80%", "reserve": "30%"}),
    ),
    Mutation(
        code="G006", game=EMPEROR, file=INSURANCE, alter=put("/progressive/base_wager_cents", 0)
    ),
    Mutation(code="H001", game=OPEN, file="game.json", alter=put("/house_ways/-", "foxwods")),
    Mutation(code="H002", game=OPEN, file="game.json", alter=put("/house_ways", ["foxwoods"])),
    Mutation(code="H003", game=OPEN, file="game.json", alter=put("/house_ways/-", "mini-pai-gow")),
    Mutation(
        code="H004",
        game=OPEN,
        file=FOXWOODS,
        alter=lambda one: one["sections"].remove(section(one, "five-aces")),
    ),
    Mutation(
        code="H005",
        game=OPEN,
        file=FOXWOODS,
        alter=lambda one: section(one, "no-pair").update(when={"groups": "no_pair"}),
    ),
    Mutation(code="H006", game=OPEN, file=FOXWOODS, alter=two_pair_alike),
    Mutation(
        code="H007",
        game=OPEN,
        file=FOXWOODS,
        alter=lambda one: section(one, "three-pair")["base"].update(front="two_highest_singletons"),
    ),
    Mutation(
        code="H008",
        game=OPEN,
        file=FOXWOODS,
        alter=lambda one: section(one, "one-pair")["base"].update(front="high_pair"),
    ),
    Mutation(
        code="H009",
        game=OPEN,
        file=FOXWOODS,
        alter=lambda one: section(one, "three-of-a-kind")["exceptions"][0].update(
            before=["three-of-a-kind.kings"]
        ),
    ),
    Mutation(
        code="H010",
        game=OPEN,
        file=FOXWOODS,
        alter=lambda one: section(one, "three-of-a-kind")["exceptions"][0].update(
            when={"groups": "four_of_a_kind"}
        ),
    ),
    Mutation(code="H011", game=OPEN, file=FOXWOODS, alter=put("/cards", 5)),
    Mutation(
        code="F001", game=OPEN, file="published.json", alter=put("/figures/0/printed", "4.36%")
    ),
    Mutation(
        code="F002",
        game=MANIA,
        file="published.json",
        alter=total_of_rows,
        also=frozenset({"F001"}),
        because="A printed total that the rows do not sum to is not the number of hands either.",
    ),
    Mutation(
        code="F003", game=OPEN, file="published.json", alter=put("/figures/0/target", f"{OPEN}/x")
    ),
    Mutation(code="F004", game=EXPRESS, file="published.json", alter=without_event),
    Mutation(code="F005", game=MANIA, file="published.json", alter=count_with_point),
    Mutation(code="F006", game=OPEN, file="published.json", alter=without_reading),
)

ELSEWHERE = frozenset({"D010", "D019", "E006", "E007", "G007", "M009", "P015", "P016"})
"""Codes that are tested on other data: D010 below, the others by their fixtures.

Those of rule packs (R) are judged for a filing, and those of comparisons (C) of two counts or two
editions; they are tested there.
"""


def copy_of(game: str, folder: Path) -> Path:
    """Copy the shared files and one game."""
    declared = library.paytables()
    root = folder / "paytables"
    root.mkdir()
    shutil.copy(declared / "events.json", root)
    for name in ("house-ways", "jurisdictions", game):
        shutil.copytree(declared / name, root / name)
    for reference in json.loads((root / game / "game.json").read_bytes()).get("references", ()):
        (folder / "sources").mkdir(exist_ok=True)
        (folder / "sources" / reference["file"]).write_text("Cited paper.", encoding="utf-8")
    return root


def told(findings: tuple[Finding, ...]) -> Iterator[tuple[str, Severity, str, str]]:
    for one in findings:
        yield one.code, one.severity, Path(one.file).name, one.message


@cache
def before(game: str, folder: Path) -> frozenset[tuple[str, Severity, str, str]]:
    """Return what is found in the game as it is declared."""
    return frozenset(told(check([copy_of(game, folder)]).findings))


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    @cache
    def folder(game: str) -> Path:
        return tmp_path_factory.mktemp(game)

    return folder


@pytest.mark.parametrize("one", MUTATIONS, ids=lambda one: one.code)
def test_record_altered_as_the_code_describes_raises_it_and_no_other(
    one: Mutation, tmp_path: Path, untouched: Callable[[str], Path]
) -> None:
    root = copy_of(one.game, tmp_path)
    path = (root / one.game / one.file).resolve()
    if one.raw is not None:
        one.raw(path)
    if one.alter is not None:
        value = json.loads(path.read_text(encoding="utf-8"))
        one.alter(value)
        path.write_text(json.dumps(value, ensure_ascii=False, indent=2), encoding="utf-8")
    found = set(told(check([root]).findings)) - before(one.game, untouched(one.game))
    grave = {code for code, severity, _, _ in found if severity is not Severity.NOTE}
    assert one.code in {code for code, *_ in found}, sorted(found)
    assert grave - {one.code} == one.also, sorted(found)


def test_paytable_of_no_declared_game_raises_d010(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    value = json.loads((library.paytables() / OPEN / CHAN_CHU).read_text(encoding="utf-8"))
    path.write_text(json.dumps(value | {"game": "dealer-open"}), encoding="utf-8")
    assert {one.code for one in check([path]).findings} == {"D010"}


def test_every_code_is_raised_by_an_alteration() -> None:
    covered = [one.code for one in MUTATIONS]
    assert len(set(covered)) == len(covered)
    assert set(covered) | ELSEWHERE == {
        one.id for one in CODES if not one.id.startswith(("R", "C"))
    }


def test_companions_have_their_reason() -> None:
    assert all(bool(one.also) == bool(one.because) for one in MUTATIONS)
