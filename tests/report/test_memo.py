"""The memo, verdicts and the summary."""

import json
import re
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.figures.evaluate import Settings, evaluate
from certify.figures.play import least_limits
from certify.figures.targets import select
from certify.filing.delivery import checklist
from certify.filing.order import build_filing
from certify.formatting import json_exact, percentage
from certify.model.comparison import RuleJudgement, Standing
from certify.model.jurisdiction import AppliesTo, Terms
from certify.model.submission import ChecklistLine, ItemState, Order
from certify.model.topic import Procedure
from certify.report.evidence import judgements_json
from certify.report.mathematics.filed import filed_wagers
from certify.report.mathematics.risk import open_limits
from certify.report.rules.view import blanks
from certify.report.summary import build_summary
from tests.commands.submissions import compose_part
from tests.documented_games import GAMES
from tests.html_documents import parse, read_text
from tests.marks import further
from tests.report.conftest import Make, whole
from tests.report.test_interpretations import STATES, build_judged
from tests.report.test_mathematics_document import find_table, replace_paytable
from tests.report.test_rewording import judge_all


def find_rows(page: str, anchor: str) -> list[list[str]]:
    """Return the rows of a table of a page, without the heading row, as text."""
    return find_table(parse(page), anchor)[1:]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("game", [*GAMES[:1], *further(GAMES[1:])])
def test_the_checklist_is_printed_in_the_order_of_the_jurisdiction(game: str, state: str) -> None:
    submission = build_judged(game, state)
    memo = compose_part(submission, "memo")
    lines = submission.checklist
    rows = find_rows(memo, "table-checklist")
    declared = [item.text for item in submission.jurisdiction.checklist]
    of_any = [
        item.text
        for item in submission.jurisdiction.checklist
        if item.applies_to in (None, AppliesTo(divided=True))
    ]
    assert [row[0] for row in rows if row[0] in of_any] == of_any
    shown = [row[0] for row in rows if row[0] in declared]
    assert shown == sorted(shown, key=declared.index)
    assert [row[0] for row in rows] == [line.item.text for line in lines]
    words = {ItemState.OPEN: "open", ItemState.DONE: "done", ItemState.NOT_NEEDED: "not needed"}
    assert [row[2] for row in rows] == [words[line.state] for line in lines]
    missing = [line for line in lines if line.state is ItemState.OPEN]
    needed = find_rows(memo, "table-open")
    assert [row[:2] for row in needed] == [
        [str(number), line.item.text] for number, line in enumerate(missing, 1)
    ]
    assert [row[3] for row in rows if row[2] == "open"] == [
        f"Item {number} of Table" for number in range(1, len(missing) + 1)
    ]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("game", [*GAMES[:1], *further(GAMES[1:])])
def test_no_filed_document_carries_the_working_papers(game: str, state: str) -> None:
    submission = build_judged(game, state)
    doubts = submission.catalog.discrepancies.get(submission.game.id, ())
    assert doubts
    rows = find_rows(compose_part(submission, "memo"), "table-discrepancies")
    assert [row[0] for row in rows] == [doubt.title for doubt in doubts]
    for part in ("rules", "mathematics"):
        page = re.sub(r"<style.*?</style>", "", compose_part(submission, part), flags=re.DOTALL)
        assert "certify reproduce" not in page
        assert "certify crosscheck" not in page
        assert "illegible" not in page
        for line in submission.checklist:
            assert f'<th scope="row">{line.item.text}</th>' not in page


def test_cells_of_an_illegible_copy_are_named_in_the_memo(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-FLT-EC-ET-01",))
    (paytable,) = submission.paytables
    source = replace(paytable.source, reconstructed="Row 3 was read from the layout.")
    memo = compose_part(replace_paytable(submission, replace(paytable, source=source)), "memo")
    rows = find_rows(memo, "table-restored")
    assert [row[1:] for row in rows] == [["PT-FLT-EC-ET-01", "Row 3 was read from the layout."]]


@pytest.mark.parametrize(
    ("rule", "standing", "words"),
    [
        ("WA-POST", Standing.SATISFIED, "satisfied, by a verified text of 2021-06-14"),
        ("NV-EX", Standing.TO_BE_SETTLED, "to be settled, by an unverified text"),
        ("NV-EX", Standing.BY_PEOPLE, "to be decided"),
        ("WA-AGG-1", Standing.NOT_SATISFIED, "not satisfied, by a verified text of 2021-06-14"),
    ],
)
def test_a_verdict_names_the_text_of_its_rule(
    make: Make, rule: str, standing: Standing, words: str
) -> None:
    submission = make("mini-pai-gow", "nevada" if rule.startswith("NV") else "wsgc")
    declared = next(item for item in submission.jurisdiction.rules if item.id == rule)
    ruled = RuleJudgement(
        rule=declared, version=declared.versions[-1], standing=standing, detail="Found."
    )
    settled = standing is Standing.SATISFIED
    item = next(line for line in submission.jurisdiction.checklist if line.proof)
    state = ItemState.DONE if settled else ItemState.OPEN
    line = ChecklistLine(item=item, state=state, detail="Here.", judgement=ruled)
    memo = compose_part(replace(submission, rules=(ruled,), checklist=(line,)), "memo")
    if settled:
        assert f"({words})" in read_text(parse(memo))
        assert find_rows(memo, "table-checklist")[0][2:] == ["done", "Here."]
    else:
        assert find_rows(memo, "table-rules")[0][3:] == [words, "Item 1 of Table"]
        assert find_rows(memo, "table-checklist")[0][2:] == ["open", "Item 1 of Table"]


def test_what_the_rules_of_play_state_on_a_doubt_is_quoted_or_a_blank(make: Make) -> None:
    """No resolution says in its own words that the rules of play state something."""
    submission = make("emperors-challenge-exposed", "nevada")
    title = "What a meter falls to after a part or all of it is won is not said"
    winners = "How two winners of one meter in one round are paid is not said"
    stated = Terms(procedures=((Procedure.METER_RESET, "The meter falls to its seed."),))
    silent, told = (
        {row[0]: row[3] for row in find_rows(compose_part(each, "memo"), "table-discrepancies")}
        for each in (submission, replace(submission, terms=stated))
    )
    numbers = blanks(submission).procedures
    for doubt, procedure in ((title, Procedure.METER_RESET), (winners, Procedure.METER_WINNERS)):
        blank = f" The rules of play leave it open: blank {numbers[procedure]}."
        assert silent[doubt].endswith(blank)
    assert told[title].endswith(" The rules of play state: “The meter falls to its seed.”")
    assert "leave it open" in told[winners]
    for each in submission.catalog.discrepancies[submission.game.id]:
        assert "rules of play" not in each.resolution.lower()


def test_every_verdict_is_embedded() -> None:
    submission = judge_all(whole("dealer-open-pai-gow", "wsgc"), library.paytables())
    value = judgements_json(submission) | json.loads(checklist(submission).data)
    assert [requirement["rule"] for requirement in value["requirements"]] == [
        rule.rule.id for rule in submission.rules
    ]
    assert all(
        requirement["detail"] and requirement["standing"] for requirement in value["requirements"]
    )
    assert [(line["id"], line["state"]) for line in value["lines"]] == [
        (line.item.id, str(line.state)) for line in submission.checklist
    ]
    assert len(value["published_figures"]) == len(submission.figures) > 0
    for figure, one in zip(value["published_figures"], submission.figures, strict=True):
        assert (figure["id"], figure["printed"]) == (one.figure.id, one.figure.printed)
        assert figure["recomputed"] == (one.recomputed and json_exact(one.recomputed))
    edges = [item["house_edge"] for item in value["comparison"] + value["other_options"]]
    filed = (*submission.comparison, *submission.other_options)
    assert edges == [item.house_edge and json_exact(item.house_edge) for item in filed]
    assert sum(value["hands"].values()) == submission.frequencies.total


@pytest.mark.parametrize("game", ["emperors-challenge-exposed", "dealer-open-pai-gow"])
def test_every_figure_under_the_least_limit_is_embedded_exactly(game: str) -> None:
    """They were printed ("12.5574% at $5") and stood nowhere as exact values."""
    plain = whole(game, "wsgc")
    filing = build_filing(Order(game=game, jurisdiction="wsgc"))
    submission = replace(plain, least_limits=least_limits(replace(filing, analyses=plain.analyses)))
    embedded = json.dumps(judgements_json(submission))
    printed = [
        value
        for *_, least in open_limits(filed_wagers(submission), submission)
        if least is not None
        for figure in (least.edge, least.fixed)
        if figure is not None
        for value in (figure.low, figure.high)
        if value is not None
    ]
    assert len(printed) > 1
    for value in printed:
        assert f'"{json_exact(value)}"' in embedded


ROOT = Path(__file__).parents[2]
BONUS = "commission-free-pai-gow-express/dynasty-bonus"


def summarize(target: str) -> dict[str, str]:
    (analysis,) = evaluate(select(target), Settings())
    return dict(build_summary(analysis))


def test_prizes_for_other_players_lower_the_edge_player_by_player() -> None:
    """By the prizes of the record and the hands of the table, for the $5 wager that qualifies."""
    path = ROOT / "paytables" / BONUS / "envy" / "3.json"
    prizes = {row["event"]: row["prize_cents"] for row in json.loads(path.read_text())["rows"]}
    (analysis,) = evaluate(select(f"{BONUS}/3"), Settings())
    hands = {row.event: row.combinations for row in analysis.rows}
    worth = sum(
        (Fraction(cents * hands[event], 500 * comb(53, 7)) for event, cents in prizes.items()),
        Fraction(0),
    )
    figures = summarize(f"{BONUS}/3")
    assert figures["Envy table 3"] == f"{percentage(worth)} of a $5 wager per other player"
    # The source prints a return of 92.2344 % without prizes.
    assert figures["House edge"].startswith("7.7656% ")
    edge = Fraction(1_496_262, 19_267_885)
    assert figures["House edge, 0 other players"] == "7.7656%"
    assert figures["House edge, 1 other player"] == percentage(edge - worth)
    assert figures["House edge, 5 other players"] == percentage(edge - 5 * worth)


def test_a_table_without_prizes_has_no_line_of_them() -> None:
    figures = summarize("mini-pai-gow/bonus/A")
    assert not [name for name in figures if "other player" in name or "table" in name.lower()]
