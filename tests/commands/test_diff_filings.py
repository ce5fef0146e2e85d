"""The redline of two filings: rules, terms and figures as their documents print them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.cli.app import run
from certify.commands.diff import DiffRequest, DiffResult, diff, today, view_redline
from certify.filing.compare_records import Compared, compare_records
from certify.filing.embedded import read_evidence, stated_main_wagers
from certify.filing.evidence import EVIDENCE
from certify.filing.filed_changes import compare_filings
from certify.model.comparison import RecordDifference, ValueChange
from certify.model.submission import Filing
from certify.report.compose import compose

from .conftest import Pieces
from .test_filings import build, declare

MINI, EXPRESS = "mini-pai-gow", "commission-free-pai-gow-express"
BONUS, MAIN = f"{MINI}/bonus/community", f"{MINI}/main/1"
REMAINING = "The remaining cards go into the discard rack."
LIMIT = {"cents": 2500000, "wagers": ["bonus"], "scope": "player"}
STATED: dict[str, Any] = {
    "paytables": [BONUS],
    "players": 6,
    "least_wagers": {"main": 1000, "bonus": 100},
    "largest_wagers": {"main": 50000, "bonus": 5000},
    "aggregate_limits": [LIMIT],
    "supplier": {"name": "Sample Games", "address": "1 Main Street"},
}
OF_EXPRESS: dict[str, Any] = {
    "paytables": [f"{EXPRESS}/dynasty-bonus/7", f"{EXPRESS}/red-black/1"],
    "house_way": "dealer-open-pai-gow",
}

OTHERS = ("dynasty-bonus/6", "red-black/1")

Compare = Callable[..., DiffResult]


@pytest.fixture
def compare(project: Path) -> Compare:  # noqa: ARG001 - where filings are declared
    """Return what compares two filings whose terms differ."""

    def act(old: Mapping[str, Any], game: str = MINI, **changes: Any) -> DiffResult:  # noqa: ANN401 - JSON
        declare("old", "nevada", game, **old)
        declare("new", "nevada", game, **{**old, **changes})
        return diff(DiffRequest(before="old", after="new"))

    return act


def texts(found: DiffResult) -> dict[str, tuple[str | None, str | None]]:
    return {change.name: (change.before, change.after) for change in found.values}


def find(found: DiffResult, target: str) -> RecordDifference:
    return next(each for each in found.records if each.after == target)


def test_an_edited_rule_is_compared_by_its_text_alone(compare: Compare) -> None:
    text = "The remaining cards are counted."
    found = compare(STATED, sentences=[{"id": "dealing.remaining", "text": text}])
    (change,) = found.values
    assert (change.name, change.before, change.after) == ("Rule 3.7", REMAINING, text)
    assert (change.file, change.path, change.rule) == ("game", "dealing.remaining/text", "3.7")
    assert not any(record.has_changes for record in found.records)


def test_terms_are_compared_in_words(compare: Compare) -> None:
    found = compare(
        STATED,
        least_wagers={"main": 1500, "bonus": 100},
        aggregate_limits=[{**LIMIT, "scope": "table"}],
        supplier={"name": "Sample Games", "address": "2 Main Street"},
        application="variation",
        procedures={"misdeal": "A misdeal is dealt again."},
    )
    shown = texts(found)
    assert shown["Least wager (Mini Pai Gow Poker wager)"] == ("$10", "$15")
    assert shown["Payout limit (Bonus)"] == ("$25,000 to one player", "$25,000 at one table")
    assert shown["Supplier: address"] == ("1 Main Street", "2 Main Street")
    assert shown["Requested approval"] == (None, "a variation of an approved game")
    assert shown["Rule 6.1, added"] == (None, "A misdeal is dealt again.")
    assert len(shown) == len(found.values) == 6
    assert {change.file for change in found.values} == {"terms", "game"}
    (whole,) = (change.words for change in found.values if change.path == "least_wagers/main")
    assert [piece.text for piece in whole] == ["$10", " ", "$15"]


def test_a_wager_is_unchanged_only_if_no_term_concerns_it(compare: Compare) -> None:
    found = compare(STATED, largest_wagers={"main": 50000, "bonus": 2500})
    assert find(found, BONUS).terms == ("Largest wager (Bonus)",)
    assert find(found, BONUS).has_changes
    assert find(found, MAIN).terms == ()
    view, _ = view_redline(found, today())
    assert view["unchanged"] == ()
    assert [record["terms"] for record in view["records"]] == ["largest wager (Bonus)"]
    at = {each.name: (each.before, each.after) for each in find(found, BONUS).figures}
    # At $25 a pay of 1,000 to 1 is the limit of $25,000; at $50 it is cut.
    assert any(before and not after for name, (before, after) in at.items() if "at $50" in name)


def test_terms_that_concern_no_wager_leave_it_unchanged(compare: Compare) -> None:
    found = compare(STATED, application_reason="Another sentence.")
    assert [change.name for change in found.values] == ["Reason for the request"]
    assert not any(record.has_changes for record in found.records)
    assert view_redline(found, today())[0]["unchanged"] == (BONUS,)


def test_players_change_the_columns_of_prizes(compare: Compare) -> None:
    found = compare(STATED, players=7)
    assert "Number of players" in find(found, BONUS).terms
    assert "Number of players" in find(found, MAIN).terms
    (column,) = (
        each for each in find(found, BONUS).figures if each.name == "House edge, 6 other players"
    )
    assert column.before is None
    assert column.after is not None


def test_house_way_and_strategy_are_named_once(compare: Compare) -> None:
    found = compare(OF_EXPRESS, EXPRESS, house_way="trump-plaza", strategy="optimal")
    first, second, interpretation = found.values
    assert (first.before, first.after) == ("Dealer Open Pai Gow house way", "Trump Plaza house way")
    assert first.name == (
        "House way: the rules of section 8 of the earlier rules of play are replaced as a whole by "
        "those of section 8 of the new ones"
    )
    assert (second.name, second.before, second.after) == (
        "Strategy of the player", "house way", "optimal play",
    )  # fmt: skip
    assert (interpretation.path, interpretation.after) == ("strategy-house-way/text", None)
    terms = {record.after: record.terms for record in found.records}
    assert terms[f"{EXPRESS}/main/1"] == ("House way", "Strategy of the player")
    assert terms[f"{EXPRESS}/dynasty-bonus/7"] == ()


def test_a_withdrawn_wager_lists_its_rules_and_no_data(compare: Compare) -> None:
    found = compare(OF_EXPRESS, EXPRESS, paytables=[f"{EXPRESS}/dynasty-bonus/7"])
    assert {record.before for record in found.records if record.after is None} == {
        f"{EXPRESS}/red-black/1"
    }
    assert found.values
    assert all(
        change.after is None and change.name.endswith("of the earlier rules, removed")
        for change in found.values
        if change.name != "Interpretation in the mathematics report"
    )


def test_only_the_jurisdiction_of_the_filings_is_listed(
    compare: Compare, capsys: pytest.CaptureFixture[str]
) -> None:
    found = compare(STATED, players=7)
    assert [need.jurisdiction for need in found.filings] == ["nevada"]
    view, _ = view_redline(found, today())
    page = compose("diff.html.j2", view)
    assert 'data-revision=""' in page
    assert "No entries." not in page
    assert run(["diff", "old", "new"]) == 0
    assert "Terms that changed: number of players" in capsys.readouterr().out


def test_another_paytable_of_the_same_interpretations_changes_none(compare: Compare) -> None:
    found = compare(OF_EXPRESS, EXPRESS, paytables=[f"{EXPRESS}/{each}" for each in OTHERS])
    assert [change.name for change in found.values] == ["Name of dynasty-bonus/7"]
    (figure,) = (
        each for each in find(found, f"{EXPRESS}/dynasty-bonus/6").figures
        if each.name == "House edge"
    )  # fmt: skip
    assert figure.before != figure.after


def compare_built(before: Filing, after: Filing) -> list[ValueChange]:
    return [*compare_filings(before, after, ({}, {}), ())]


@pytest.mark.usefixtures("project")
def test_a_paid_hand_is_compared_by_its_condition_in_words() -> None:
    declare("old", "nevada", **STATED)
    before = build("old")
    events = dict(before.catalog.events)
    events["flush"] = replace(events["flush"], when=events["straight"].when)
    after = replace(before, catalog=replace(before.catalog, events=events))
    (change,) = compare_built(before, after)
    assert (change.file, change.path, change.name) == ("events", "flush/text", "Hand “Flush”")
    assert "straight" in (change.after or "")


@pytest.mark.usefixtures("project")
def test_a_changed_house_way_is_compared_by_rule() -> None:
    declare("old", "nevada", MINI, **STATED)
    before = build("old")
    way = before.catalog.house_ways[MINI]
    (first, *others) = way.sections
    shorter = replace(way, sections=(replace(first, exceptions=()), *others))
    after = replace(
        before,
        catalog=replace(before.catalog, house_ways={**before.catalog.house_ways, MINI: shorter}),
    )
    changes = compare_built(before, after)
    assert all(change.rule.startswith("H1") for change in changes)
    assert len(changes) == len(first.exceptions) + (1 if first.exceptions else 0)


def test_evidence_states_the_figures_of_the_main_wager(pieces: Pieces) -> None:
    evidence = read_evidence({EVIDENCE: pieces.evidence})
    (option,) = pieces.submission.options
    stated = stated_main_wagers(evidence, pieces.filing)[option.target]
    counted = pieces.submission.analyses[option.target]
    found = compare_records(
        Compared(record=option, analysis=stated), Compared(record=option, analysis=counted)
    )
    assert found.figures
    assert all(each.before == each.after for each in found.figures)
    assert all(each.before is not None for each in found.figures)


def test_figures_that_one_side_does_not_have_are_not_compared(pieces: Pieces) -> None:
    (option,) = pieces.submission.options
    counted = pieces.submission.analyses[option.target]
    found = compare_records(Compared(record=option), Compared(record=option, analysis=counted))
    assert (found.counted, found.figures, found.has_changes) == (False, (), False)
