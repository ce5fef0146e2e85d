"""Games of other suppliers, declared in a project from published documents."""

import json
from dataclasses import replace
from fractions import Fraction
from html import unescape
from math import comb
from pathlib import Path

import pytest

from certify import library
from certify.model.submission import Order
from certify.pipeline.filing import build_filing
from certify.pipeline.submit.submit import render_html
from tests.acceptance.command_line import ROOT, Certify
from tests.report.conftest import whole

FIELD = ROOT / "fixtures" / "field"
GAMES = sorted(path.parent.name for path in FIELD.glob("paytables/*/game.json"))

# How many printed figures agree, and how many cannot be computed: for those the record says why.
PRINTED = {
    "emperors-challenge": (45, 0),
    "ez-pai-gow": (0, 4),
    "face-up-pai-gow": (0, 1),
    "fortune-pai-gow": (23, 1),
}


@pytest.fixture
def run_in_field(certify: Certify, monkeypatch: pytest.MonkeyPatch) -> Certify:
    """Run commands in the project."""
    monkeypatch.chdir(FIELD)
    return certify


def test_nothing_is_wrong_with_the_project(run_in_field: Certify) -> None:
    ran = run_in_field("check", "--format", "json")
    assert ran.code == 0
    # The papers that these games were declared from are not ours to ship.
    others = [finding for finding in ran.json["findings"] if finding["code"] != "D019"]
    warnings = {(f["code"], f["file"]) for f in others if f["severity"] != "note"}
    # Their joker is fully wild.
    assert warnings == {
        ("M009", "paytables/ez-pai-gow-california/game.json"),
        ("M009", "paytables/jokers-wild-pai-gow/game.json"),
    }
    assert ran.json["checked"] == len(list(FIELD.rglob("*.json")))


@pytest.mark.parametrize("game", GAMES)
def test_no_printed_figure_differs(run_in_field: Certify, game: str) -> None:
    if game not in PRINTED:
        assert not (FIELD / "paytables" / game / "published.json").exists()
        return
    agrees, open_ones = PRINTED[game]
    ran = run_in_field("audit", game, "--format", "json")
    assert ran.code == 0
    assert ran.json["totals"] == {
        "agrees": agrees,
        "differs": 0,
        "agrees_under_reading": 0,
        "not_computable": open_ones,
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("state", ["nevada", "wsgc"])
def test_documents_are_laid_out(game: str, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIELD)
    filing = build_filing(Order(game=game, jurisdiction=state, command=""))
    submission = replace(whole(game, state), templates=filing.templates)
    rules = unescape(render_html(submission, "rules"))
    mathematics = unescape(render_html(submission, "mathematics"))
    assert f"<title>{submission.game.name}: Rules of Play</title>" in rules
    for paytable in submission.paytables:
        for row in paytable.rows:
            assert row.name in rules
            assert row.name in mathematics


def test_an_event_of_the_project_is_counted_and_explained(run_in_field: Certify) -> None:
    target = "ez-pai-gow-california/dynasty/1"
    ran = run_in_field("evaluate", target, "--format", "json")
    five = next(row for row in ran.json["rows"] if row["event"] == "five_of_a_kind")
    # Four cards of a rank and the joker, beside any two of the other 48 cards.
    assert five["combinations"] == 13 * comb(48, 2)
    assert "100 to 1" in run_in_field("explain", target, "9s 9h 9d 9c Jk 4s 2d").out
    assert "10 to 1" in run_in_field("explain", target, "9s 9h 9d Jk 4s 3d 2d").out


def test_a_hand_is_paid_as_the_table_of_2006_prints(run_in_field: Certify) -> None:
    target = "emperors-challenge/emperor-bonus/2006"
    assert "40 to 1" in run_in_field("explain", target, "9s 8h 7d 5c 4s 3d 2d").out
    assert "2 to 1" in run_in_field("explain", target, "Js 9h 8d 7c 4s 3d 2d").out


# The same rule in a built-in game, whose main wager was counted a second time in plain Python
# (second-counts.json): a derivation that shares no code with the count of these games.
SAME_RULE = (
    ("ez-pai-gow/main/queen-high-push", "commission-free-pai-gow-express/main/1", "house-way"),
    ("ez-pai-gow/main/queen-high-push", "commission-free-pai-gow-express/main/1", "optimal"),
    ("face-up-pai-gow/main/ace-high-push", "emperors-challenge-exposed/main/ace-high-push",
     "optimal"),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("house_way", ["foxwoods", "trump-plaza"])
@pytest.mark.parametrize(("target", "built_in", "strategy"), SAME_RULE)
def test_base_game_is_that_of_the_same_rule(
    run_in_field: Certify, target: str, built_in: str, strategy: str, house_way: str
) -> None:
    ran = run_in_field(
        "evaluate", target, "--house-way", house_way, "--strategy", strategy, "--format", "json"
    )
    assert Fraction(ran.json["house_edge"]) == second_count(built_in, house_way, strategy)


def second_count(target: str, house_way: str, strategy: str) -> Fraction:
    """Return the house edge of the second count."""
    path: Path = library.paytables() / target.split("/", maxsplit=1)[0] / "second-counts.json"
    counts = json.loads(path.read_text(encoding="utf-8"))["counts"]
    found = next(
        count
        for count in counts
        if (count["target"], count["house_way"], count["strategy"]) == (target, house_way, strategy)
    )
    return Fraction(found["house_edge"])


# Player/Dealer Collection Rates, Hustler Casino: what a player pays at each limit, in dollars.
COLLECTIONS = {"10-100": (10, 1), "50-300": (50, 2), "100-500": (100, 3), "300-1000": (300, 5)}


@pytest.mark.slow
def test_a_collection_costs_its_share_of_the_least_wager(run_in_field: Certify) -> None:
    game = "jokers-wild-pai-gow/main"

    def edge(option: str) -> Fraction:
        return Fraction(
            run_in_field("evaluate", f"{game}/{option}", "--format", "json").json["house_edge"]
        )

    without = edge("no-collection")
    for limit, (wager, fee) in COLLECTIONS.items():
        assert edge(f"collection-{limit}") - without == Fraction(fee, wager)
