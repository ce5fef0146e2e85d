import json
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.api import strategy
from certify.cli.app import run
from certify.filing.documents import render_html
from certify.report.mathematics.strategy import strategy_tables
from tests.commands.ante_and_play import LOWEST_FIRST
from tests.oracle import undivided as oracle
from tests.report.conftest import whole

PLAYED_FROM = (0, (10, 4, 2))
"""Queen, six and four, ranks counted from a two as 0.

Source: Wizard of Odds, Three Card Poker (wizardofodds.com/games/three-card-poker).
"""


def hands_from_the_boundary() -> int:
    rules = oracle.Rules(ranks=13, cards=3, order=LOWEST_FIRST)
    dealt = combinations(range(52), 3)
    return sum(oracle.find_value(hand, rules) >= PLAYED_FROM for hand in dealt)


@pytest.mark.usefixtures("trio")
def test_the_boundary_of_ante_and_play_is_the_published_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["strategy", "trio/main", "--format", "json"]) == 0
    (played,) = json.loads(capsys.readouterr().out)["strategies"]
    hands = hands_from_the_boundary()
    lowest = {"action": "raise", "hand": "queen-six-four", "ranks": "Q-6-4", "hands": hands}
    assert played["boundary"] == {
        "hands": [lowest],
        "cost": "0/1",
        "cheapest": [lowest],
        "least_cost": "0/1",
        "seen": False,
    }
    assert played["house_edge_percent"] == "3.3730"
    assert sum(kind["hands"]["raise"] for kind in played["hands_by_action"]) == hands
    assert run(["strategy", "trio/main"]) == 0
    printed = capsys.readouterr().out
    assert f"In optimal play: Play with Q-6-4 and each higher hand ({hands:,} hands)." in printed
    assert "costs 0.0000% of the wager (0/1) more than optimal play." in printed
    assert "cost least" not in printed
    assert "7 or higher; in part 6" in printed


def test_a_raise_that_is_better_with_no_hand_has_no_lowest_hand(
    trio: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = trio / "main" / "standard.json"
    declared = json.loads(path.read_text())
    # The dealer takes ties, and a raise without a fold is never returned: no hand has an advantage.
    declared["raise"] = {key: declared["raise"][key] for key in declared["raise"] if key != "fold"}
    declared |= {"ties": {"high": "dealer"}, "dealer_rules": [], "win_pays": "1 to 500000"}
    declared["raise"]["qualifies"] = {"of_a_kind": {"min": 1}}
    path.write_text(json.dumps(declared))
    assert run(["strategy", "trio/main", "--format", "json"]) == 0
    (played,) = json.loads(capsys.readouterr().out)["strategies"]
    (lowest,) = played["boundary"]["hands"]
    assert lowest == {"action": "raise", "hands": 0}
    assert played["boundary"]["cost"] == "0/1"
    assert run(["strategy", "trio/main"]) == 0
    assert "Play with no hand in all cases." in capsys.readouterr().out


@pytest.mark.usefixtures("trio")
def test_the_report_prints_the_same_boundary() -> None:
    (counted,) = strategy("trio/main").analyses
    filed = whole("trio", "nevada")
    analyses = {**filed.analyses, counted.target: counted}
    submission = replace(filed, analyses=analyses, comparison=(counted,))
    (view,) = strategy_tables(submission)
    assert view["boundary"]["hands"][0]["lowest"] == "Q-6-4"
    assert "In optimal play: Play with Q-6-4 and each higher hand" in render_html(
        submission, "mathematics"
    )


def test_a_main_wager_without_a_raise_has_no_strategy(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["strategy", "pai-gow-mania"]) == 2
    assert "has a raise" in capsys.readouterr().err
