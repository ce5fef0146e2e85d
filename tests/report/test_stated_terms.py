"""Terms of own games that the rules of play and the assumptions state as they are counted."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.filing.compare_records import Compared, compare_records
from certify.filing.order import build_filing
from certify.model.paytable import Overflow
from certify.model.submission import Order, Submission
from certify.report.rules.main_wager import describe_counted
from tests.commands.ante_and_play import ante_and_play
from tests.commands.submissions import build_without_counts, read_part
from tests.report.conftest import Make

LOW = {"pai_gow_high": [*"56789T"]}
LOWER = {"pai_gow_high": [*"5678"]}
PAIR = {"of_a_kind": {"min": 2}}


Build = Callable[..., Submission]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Return a maker of submissions of Ante and Play with other terms; None removes one."""
    monkeypatch.chdir(tmp_path)
    path = ante_and_play(tmp_path) / "main" / "standard.json"
    declared = path.read_text(encoding="utf-8")

    def built(raise_: Mapping[str, Any] | None = None, **changes: object) -> Submission:
        option = json.loads(declared)
        raised = (
            option["raise"] | {"text": "The player may make a Play wager."} | {**(raise_ or {})}
        )
        option |= {"raise": {name: value for name, value in raised.items() if value}} | changes
        path.write_text(json.dumps(option), encoding="utf-8")
        return build_without_counts(build_filing(Order(game="trio", jurisdiction="nevada")))

    return built


def state(submission: Submission) -> dict[str, str]:
    """Return the assumptions of the main wager by their ids."""
    return {each.id: each.text for each in submission.comparison[0].assumptions}


def test_contributions_above_a_maximum_are_kept_for_the_seed(make: Make) -> None:
    """As `Overflow` and the schema say; the next meter of the paytable is another meter."""
    submission = make("emperors-challenge-exposed", "nevada")
    table = next(table for table in submission.paytables if table.progressive is not None)
    assert table.progressive is not None
    meters = tuple(
        replace(meter, cap_cents=5_000_000, overflow=Overflow.NEXT_METER) for meter in table.meters
    )
    other = replace(table, progressive=replace(table.progressive, meters=meters))
    changed = replace(submission, paytables=(other,))
    for printed in (read_part(changed, "rules"), read_part(changed, "mathematics")):
        assert "$50,000" in printed
        assert "kept in a pool that is added to the seed when the meter restarts" in printed
        assert "to the next meter" not in printed


@pytest.mark.parametrize("folds", [True, False])
def test_a_raise_is_no_larger_than_its_hands_allow(build: Build, *, folds: bool) -> None:
    terms = {"largest": "4", "largest_when": PAIR} | ({} if folds else {"fold": None})
    submission = build(raise_=terms)
    text = state(submission)["base-raise"]
    assert "4 times the wager with the hands for which the rules allow it" in text
    assert "at the smallest size with" in text
    printed = read_part(submission, "rules")
    largest = "makes Play whenever it has a positive expected value, at its largest where these"
    assert (largest in printed) == (not folds)
    assert "at its largest whenever" not in printed


def test_a_raise_of_any_size_is_made_at_its_largest(build: Build) -> None:
    submission = build(raise_={"largest": "4", "fold": None})
    assert state(submission)["base-raise"].endswith(
        "is made at 4 times the wager on every hand with a positive expectation."
    )
    assert "makes Play at its largest whenever it has a positive" in read_part(submission, "rules")


RETURNED = {
    # The rule is met by hands that do not qualify, and by no other.
    ("same", "push"): "",
    ("same", "win"): "",
    # Nine high and ten high qualify, and end the round.
    ("more", "push"): "Where a rule on the dealer's hand ends the round before hands are compared, "
    "Play is returned.",
    ("more", "win"): "Where the dealer's hand qualifies for Play but a rule on it ends the round "
    "before hands are compared, Play is returned.",
}


@pytest.mark.parametrize(("rule", "otherwise"), RETURNED)
def test_a_raise_against_a_hand_that_ends_the_round_is_returned(
    build: Build, rule: str, otherwise: str
) -> None:
    qualifies = {"not": LOW if rule == "same" else LOWER}
    ended = {"when": LOW, "outcome": "win", "text": "Ten high loses.", "id": "win_low"}
    source = {"document": "trio", "clause": "Low"}
    submission = build(
        dealer_rules=[ended | {"source": source}],
        raise_={"qualifies": qualifies, "not_qualified": otherwise},
    )
    said = RETURNED[rule, otherwise]
    raised = submission.option.raise_
    assert raised is not None
    counted = " ".join(describe_counted(raised, submission.option, submission))
    assert ("is returned" in counted) == bool(said)
    assert said in counted
    text = state(submission)["base-raise-ended"]
    assert ("returned" in text) == (bool(said) or otherwise == "push")
    (fact,) = (
        fact
        for fact in compare_records(None, Compared(record=submission.option, undivided=3)).facts
        if fact.name == "Raise"
    )
    assert ("; returned if a hand that qualifies ends the round" in fact.after) == bool(said)
