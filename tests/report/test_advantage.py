"""A negative house edge is said in words wherever a choice that the rules leave open makes one."""

from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace

from certify.checks.r_jurisdictions.judge import HOUSE_WAY, build_checklist
from certify.figures.evaluate import Settings, evaluate, resolve_house_way
from certify.figures.targets import Selection, select
from certify.filing import documents as build
from certify.filing.documents import Part
from certify.filing.order import build_filing
from certify.model.analysis import Analysis
from certify.model.source import Alternative, Figure, Price
from certify.model.submission import ItemState, Order, Submission
from certify.report.evidence import judgements_json
from certify.report.submission import checklist_text
from certify.report.summary import build_summary
from tests.commands.submissions import read_part
from tests.report.conftest import whole

EMPEROR = "emperors-challenge-exposed"
ADVANTAGE = "the player has an advantage of 0.7163%"
"""Of Emperor's Challenge Exposed with the Dealer Open house way, as issue 31 states it."""


EDGE = Fraction(-27877653703, 3891725958120)


@cache
def build_filing_with_ways() -> Submission:
    """Return a filing whose rules leave the house way to the casino, with stated figures."""
    filing = build_filing(Order(game=EMPEROR, jurisdiction="nevada"))
    plain = whole(EMPEROR, "nevada")
    main = plain.analyses[plain.option.target]
    ways = (
        ("Trump Plaza house way", replace(main, house_edge=Fraction(1, 40))),
        ("Dealer Open Pai Gow house way", replace(main, house_edge=EDGE)),
    )
    checklist = build_checklist(replace(filing, analyses=plain.analyses), (), ways)
    return replace(plain, other_ways=ways, checklist=checklist)


def test_each_house_way_that_the_rules_allow_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(_selection: Selection, settings: Settings) -> tuple[Analysis, ...]:
        asked.append(settings.house_way)
        return (build_filing_with_ways().analyses[build_filing_with_ways().option.target],)

    monkeypatch.setattr(build, "evaluate", counted)
    for game, ways in (
        (EMPEROR, ["trump-plaza", "dealer-open-pai-gow"]),  # step 3 leaves it to the casino
        ("dealer-open-pai-gow", []),  # its source states the house way
    ):
        filing = build_filing(Order(game=game, jurisdiction="nevada"))
        own = resolve_house_way(filing.catalog, filing.game, None)
        found = build.other_ways(filing, own, None)
        assert asked == ways
        assert [name for name, _ in found] == [filing.catalog.house_ways[way].name for way in ways]
        asked.clear()
    assert len(judgements_json(build_filing_with_ways())["other_house_ways"]) == 2


@pytest.mark.slow
def test_the_figure_that_is_stated_is_the_one_that_is_counted() -> None:
    """Both `evaluate` and the web app print the lines of `summary_of`."""
    (found,) = evaluate(
        select(f"{EMPEROR}/main/ace-high-push"), Settings(house_way="dealer-open-pai-gow")
    )
    assert found.house_edge == EDGE
    assert ("In words", "The player has an advantage of 0.7163%.") in build_summary(found)


@pytest.mark.parametrize("part", ["rules", "mathematics"])
def test_documents_state_the_advantage_by_another_house_way(part: Part) -> None:
    said = read_part(build_filing_with_ways(), part)
    assert "The source of the game leaves the house way to the casino." in said
    assert f"With the Dealer Open Pai Gow house way, {ADVANTAGE}." in said
    assert "With the Trump Plaza house way, the house edge is 2.5000%." in said
    assert "With another house way the house edge may differ." not in said


def test_the_rules_exclude_such_a_house_way_by_name() -> None:
    submission = build_filing_with_ways()
    said = read_part(submission, "rules")
    assert "Approval is requested for the Foxwoods house way only." in said
    assert "The following may not be used: Dealer Open Pai Gow house way. With the" in said
    fair = replace(submission, other_ways=submission.other_ways[:1])
    assert "may not be used" not in read_part(fair, "rules")
    stated = read_part(whole("dealer-open-pai-gow", "nevada"), "rules")
    assert "Approval is requested for" not in stated


def test_the_checklist_excludes_such_a_house_way() -> None:
    submission = build_filing_with_ways()
    (line,) = [line for line in submission.checklist if line.item == HOUSE_WAY]
    assert line.state is ItemState.OPEN
    assert ADVANTAGE in " ".join(checklist_text(submission).split())
    without = build_checklist(build_filing(Order(game=EMPEROR, jurisdiction="nevada")), ())
    assert [item for item in without if item.item == HOUSE_WAY] == []


def test_evaluate_and_the_web_app_state_the_advantage() -> None:
    """Both print the lines of `summary_of`."""
    (_, house), (_, player) = build_filing_with_ways().other_ways
    assert ("In words", "The player has an advantage of 0.7163%.") in build_summary(player)
    assert "In words" not in dict(build_summary(house))


def test_an_option_and_a_reading_with_a_negative_edge_are_put_in_words() -> None:
    plain = whole("dealer-open-pai-gow", "nevada")
    main = plain.analyses[plain.option.target]
    negative = replace(main, house_edge=Fraction(-851, 1_000_000))
    shown = replace(plain, other_options=(negative,), analyses={**plain.analyses})
    assert "−0.0851%: the player has an advantage of 0.0851%" in read_part(shown, "mathematics")
    alternative = Alternative(id="a", of=(), text="Another reading.", changes=())
    moved = {Figure.HOUSE_EDGE: (Fraction(1, 50), Fraction(-29, 200))}
    read = replace(main, alternatives=(Price(alternative=alternative, moved=moved),))
    shown = replace(plain, analyses={**plain.analyses, main.target: read})
    wager = next(wager.name for wager in plain.game.wagers if wager.options)
    said = f"The player then has the advantage. House edge: −14.5000% ({wager})."
    assert said in read_part(shown, "mathematics")
