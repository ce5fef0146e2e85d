"""Odd games and two jokers, and no figure of a file with errors."""

import json
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any

import pytest

from certify.errors import NotConfigured
from tests.acceptance.command_line import ROOT, Certify, Ran

# Odd games, and no figure of a file with errors.


GAME = Path("paytables/odd/game.json")
WAY = ROOT / "fixtures/house-ways/short-hands-one-card.json"
BAD = Path("paytables/mini-pai-gow/bonus/bad.json")


@pytest.fixture
def game(certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the file of a sound game in a project that also holds a paytable with a wrong pay."""
    monkeypatch.chdir(tmp_path)
    assert certify("init", ".").code == 0
    made = ("--blank", "--called", "Odd", "--document", "Odd", "--clause", "1")
    assert certify("new", "game", "odd", *made).code == 0
    assert certify("new", "paytable", "mini-pai-gow/bonus/bad", "--clause", "1").code == 0
    BAD.write_text(BAD.read_text("utf-8").replace("50 to 1", "50 two 1", 1), encoding="utf-8")
    way = json.loads(WAY.read_bytes())
    way_file = Path(f"paytables/house-ways/{way['id']}.json")
    way_file.parent.mkdir()
    way_file.write_text(json.dumps(way), encoding="utf-8")
    value: dict[str, Any] = json.loads(GAME.read_bytes())
    ways = {"players": 1, "house_way": way["id"], "house_ways": [way["id"]]}
    return value | ways | {"hand": {"cards": 4, "back": 3, "front": 1}}


def found(certify: Certify, game: dict[str, Any]) -> dict[str, dict[str, Any]]:
    GAME.write_text(json.dumps(game), encoding="utf-8")
    ran = certify("check", "--format", "json")
    assert (ran.code, "error" in ran.json) == (1, False)
    assert [each["code"] for each in ran.json["findings"] if each["file"] == BAD.as_posix()] == [
        "S005"
    ]
    return {each["code"]: each for each in ran.json["findings"]}


@pytest.mark.parametrize(
    ("ranks", "jokers", "message"),
    [
        (6, 2, "With 4 cards, two suits could make a flush of 3 at once."),
        (13, 2, "With 4 cards, two suits could make a flush of 3 at once."),
    ],
)
def test_hands_with_two_flushes_are_a_finding_of_their_game(
    certify: Certify, game: dict[str, Any], ranks: int, jokers: int, message: str
) -> None:
    findings = found(certify, game | {"deck": {"ranks": ranks, "joker": jokers}})
    place = {"file": GAME.as_posix(), "pointer": "/hand", "message": message}
    assert findings["M006"] | place == findings["M006"]
    assert "H011" not in findings  # said once, and not of the house way


def test_hands_that_are_not_divided_are_refused_at_their_paytable(
    certify: Certify, game: dict[str, Any]
) -> None:
    """High Card Flush: seven cards, flushes of three in two suits; a wager on it is not counted."""
    side = GAME.parent / "side"
    side.mkdir()
    source = {"source": {"document": "odd", "clause": "1"}}
    named = {"game": "odd", "hand": "player", **source}
    wager = {"$schema": "wager.schema.json", "id": "side", "name": "Side", "kind": "bonus"}
    (side / "wager.json").write_text(json.dumps(wager | named | {"rules": []}), encoding="utf-8")
    row = {"event": "three_card_flush", "name": "Flush", "pays": "3 to 1"}
    table = {"$schema": "paytable.schema.json", "id": "1", "wager": "side", "name": "1", "cards": 7}
    rows = {"award": "first_row_contained", "rows": [row | {"event": "flush"}], "assumptions": []}
    (side / "1.json").write_text(json.dumps(table | named | rows), encoding="utf-8")
    (GAME.parent / "main").rename("main")
    for name in ("house_way", "house_ways", "strategy"):
        game.pop(name, None)
    hand = {"cards": 7, "back": 3, "front": 0}
    findings = found(certify, game | {"hand": hand, "wagers": ["side"]})
    assert findings["P014"]["file"] == f"{side}/1.json"
    assert findings["P014"]["message"].startswith("With 7 cards two suits could ")
    assert findings["P014"]["remedy"] == "Set `back` to 5 or more, or deal fewer cards."
    hand |= {"back": 5}
    assert "P014" not in found(certify, game | {"hand": hand, "wagers": ["side"]})


def test_any_refusal_of_an_audit_is_a_finding_of_the_house_way(
    certify: Certify, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NotConfigured("This cannot be audited.", remedy="Correct it.")

    monkeypatch.setattr("certify.review.check.audit_house_ways", refuse)
    finding = found(certify, game)["H011"]
    assert (finding["severity"], finding["message"]) == ("error", "This cannot be audited.")
    assert finding["file"] == f"paytables/house-ways/{game['house_way']}.json"


Edit = Callable[[dict[str, Any]], None]


def commission(value: dict[str, Any]) -> None:
    value["commission"]["rate"] = "999%"


def seats(value: dict[str, Any]) -> None:
    value["players"] = 7


def twice(value: dict[str, Any]) -> None:
    value["rows"].append(value["rows"][0] | {"pays": "1 to 1"})


def shadow_rows(value: dict[str, Any]) -> None:
    value["rows"].insert(0, value["rows"].pop())


MANIA = "pai-gow-mania"
CASES: dict[str, tuple[str, str, Edit, str]] = {
    "a commission of 999%": (
        f"{MANIA}/main/commission-5-percent", f"{MANIA}/main/commission-5-percent.json",
        commission, "M003",
    ),
    "seven players of seven cards": (
        f"{MANIA}/seven-card-bonus/fitzgeralds-2004", f"{MANIA}/game.json", seats, "M006",
    ),
    "an event in two rows": (
        "mini-pai-gow/bonus/A", "mini-pai-gow/bonus/A.json", twice, "P003",
    ),
    "a row that is never paid, which only its count shows": (
        f"{MANIA}/seven-card-bonus/fitzgeralds-2004",
        f"{MANIA}/seven-card-bonus/fitzgeralds-2004.json", shadow_rows, "P002",
    ),
}  # fmt: skip
"""The target whose figures are asked for, the file that is spoiled, how, and the finding."""


@pytest.fixture
def spoiled_case(
    request: pytest.FixtureRequest,
    certify: Certify,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[str, str]:
    target, file, edit, code = CASES[request.param]
    monkeypatch.chdir(tmp_path)
    assert certify("init", ".").code == 0
    value = json.loads((ROOT / "paytables" / file).read_bytes())
    edit(value)
    value.pop("$schema")
    path = Path("paytables") / file
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    checked = certify("check", "--format", "json")
    errors = {each["code"] for each in checked.json["findings"] if each["severity"] == "error"}
    assert code in errors
    return target, code


def refuses(ran: Ran, code: str) -> bool:
    return (ran.code, ran.out) == (1, "") and f"error {code}: " in ran.err


@pytest.mark.parametrize("spoiled_case", CASES, indirect=True)
def test_evaluate_refuses_what_check_calls_an_error(
    certify: Certify, spoiled_case: tuple[str, str]
) -> None:
    target, code = spoiled_case
    assert refuses(certify("evaluate", target), code)
    ran = certify("evaluate", target, "--format", "json")
    assert ran.code == 1
    assert code in {each["code"] for each in ran.json["findings"]}
    assert "house_edge" not in ran.out
    assert refuses(certify("evaluate", target.rpartition("/")[0]), code)
    file = Path(f"paytables/{target}.json")
    if file.is_file():
        assert refuses(certify("evaluate", file), code)


@pytest.mark.parametrize("spoiled_case", ["an event in two rows"], indirect=True)
def test_every_command_that_gives_figures_refuses(
    certify: Certify, spoiled_case: tuple[str, str]
) -> None:
    target, code = spoiled_case
    counts = Path("counts.csv")
    counts.write_text("row,combinations\nFlush,1\n", encoding="utf-8")
    results = Path("results.csv")
    results.write_text("rounds,wagered,paid\n1000,5000,4000\n", encoding="utf-8")
    for command in (
        ("explain", target, "As Ks Qs Js Ts 2c"),
        ("crosscheck", target),
        ("diff", target, "mini-pai-gow/bonus/B"),
        ("solve", target, "--edge", "1%..90%", "--open", "royal_flush"),
        ("compare", counts, target),
        ("monitor", results, "--target", target),
    ):
        assert refuses(certify(*command), code), command


@pytest.mark.parametrize("spoiled_case", ["a commission of 999%"], indirect=True)
def test_comparison_of_house_ways_refuses(certify: Certify, spoiled_case: tuple[str, str]) -> None:
    _, code = spoiled_case
    assert refuses(certify("compare", "house-ways", MANIA), code)


def test_file_outside_of_any_project_is_refused_too(certify: Certify, tmp_path: Path) -> None:
    value = json.loads((ROOT / "paytables/mini-pai-gow/bonus/A.json").read_bytes())
    twice(value)
    path = tmp_path / "draft.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert refuses(certify("evaluate", path), "P003")


TARGET = "harbor/main/standard"
HAND = "Jk Jk As Ks Qs 2d 3c"


@pytest.fixture
def harbor(tmp_path: Path, certify: Certify, monkeypatch: pytest.MonkeyPatch) -> Certify:
    """Declare a game from nothing, with two jokers in its deck; run commands in its project."""
    certify("init", tmp_path / "our")
    monkeypatch.chdir(tmp_path / "our")
    options = ("--called", "Harbor Pai Gow", "--document", "Harbor Pai Gow: Rules", "--clause", "1")
    assert certify("new", "game", "harbor", "--blank", *options).code == 0
    path = Path("paytables/harbor/game.json")
    game = json.loads(path.read_text(encoding="utf-8"))
    game["deck"]["joker"] = 2
    path.write_text(json.dumps(game), encoding="utf-8")
    return certify


def test_a_hand_of_both_jokers_is_set_and_each_way_is_listed_once(harbor: Certify) -> None:
    printed = harbor("explain", TARGET, HAND, "--dealer", "Td 9d 8c 7h 2s 4c 4h").out
    assert "high hand Jk Jk As 3c 2d (A-2-3-4-5, a straight), low hand Ks Qs" in printed
    assert "Jk Jk As Ks Qs  a royal flush" in printed
    assert printed.count("\nJk As Ks Qs 3c  ") == 1
    more = harbor("explain", TARGET, "Jk Jk Jk Ks Qs 2d 3c")
    assert more.code != 0
    assert "Jk" in more.err


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["house-way", "optimal"])
def test_every_deal_of_the_full_deck_is_counted(harbor: Certify, strategy: str) -> None:
    found = harbor("evaluate", TARGET, "--strategy", strategy, "--format", "json").json
    assert int(found["total_combinations"]) == comb(54, 7) * comb(47, 7)
    assert sum(int(row["combinations"]) for row in found["rows"]) == comb(54, 7) * comb(47, 7)
    again = harbor("crosscheck", TARGET, "--again", "--strategy", strategy)
    assert again.code == 0
    assert "agrees" in again.out
