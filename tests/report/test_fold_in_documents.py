import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.model.jurisdiction import Terms
from certify.model.main_wager import Outcome, OutcomeReason
from certify.model.submission import Submission
from certify.review.check import check
from tests.commands.submissions import read_part
from tests.report.conftest import whole

GAME = "mini-pai-gow"
SOURCE = {"document": GAME, "clause": "Invented"}
FOLD = "Whoever does not double down gives the wager up."
RULE = "With less than a pair of fives the dealer pays the wager."


def write_game(folder: Path, **changes: str) -> Path:
    """Write the game with a fold, a double down of one to three units, and a rule that wins."""
    paytables = folder / "paytables"
    shutil.copytree(library.paytables(), paytables)
    path = paytables / GAME / "main" / "1.json"
    option = json.loads(path.read_text(encoding="utf-8"))
    option["raise"] |= {"largest": "3", "fold": {"text": FOLD, "source": SOURCE}} | changes
    equal, sizes = "a wager equal to", "a wager of 1 to 3 times"
    assert equal in option["raise"]["text"]
    option["raise"]["text"] = option["raise"]["text"].replace(equal, sizes)
    option["dealer_rules"] = [
        {
            "id": "win_dealer_not_qualified",
            "when": {"not": option["raise"]["qualifies"]},
            "text": RULE,
            "outcome": "win",
            "source": SOURCE,
        }
    ]
    path.write_text(json.dumps(option), encoding="utf-8")
    return paytables


@pytest.fixture(scope="module")
def submission(tmp_path_factory: pytest.TempPathFactory) -> Submission:
    return whole(GAME, "nevada", folder=write_game(tmp_path_factory.mktemp("game")))


def test_the_rules_list_the_actions_of_a_player(submission: Submission) -> None:
    printed = read_part(submission, "rules")
    assert printed.count(FOLD) == 2  # in its section, and on the rack card
    assert RULE in printed
    assert "the player makes Double Down or folds, hand by hand, as is best" in printed
    assert "The player makes Double Down and does not fold. High hand:" in printed
    assert "the main wager. Double Down wins $10 to $30, by its size." in printed


def test_the_limits_of_a_raise_are_those_of_its_sizes(submission: Submission) -> None:
    terms = Terms(least_wagers=(("main", 1000),), largest_wagers=(("main", 10_000),))
    printed = read_part(replace(submission, terms=terms), "rules")
    assert "Double Down (with the Mini Pai Gow Poker wager) $10 $300" in printed


def test_a_fold_is_a_separate_row(submission: Submission) -> None:
    analysis = submission.analyses[submission.option.target]
    folded = OutcomeReason(outcome=Outcome.LOSE, compared=False, folded=True)
    row = replace(analysis.rows[-1], event=folded.key, name="Folded", reason=folded)
    changed = replace(analysis, rows=(*analysis.rows[:-1], row))
    printed = read_part(
        replace(submission, analyses={**submission.analyses, analysis.target: changed}),
        "mathematics",
    )
    assert "Folded Loss" in printed


def test_a_largest_size_is_above_the_least(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    findings = check([write_game(tmp_path, largest="1")]).findings
    (finding,) = [finding for finding in findings if finding.code == "P014"]
    assert finding.pointer == "/raise/largest"
    assert finding.remedy.startswith("Declare the smallest size as `size`")
