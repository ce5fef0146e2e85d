import re

import pytest
from msgspec.structs import replace

from certify.model.comparison import RuleJudgement, Standing
from certify.model.jurisdiction import AppliesTo, Terms
from certify.model.submission import ChecklistLine, ItemState
from certify.model.topic import Procedure
from certify.report.rules.view import blanks
from tests.commands.submissions import compose_part
from tests.documented_games import GAMES
from tests.html_documents import parse, read_text
from tests.marks import long
from tests.report.conftest import Make
from tests.report.test_authorities import STATES, build_judged
from tests.report.test_mathematics_document import find_table, replace_paytable


def find_rows(page: str, anchor: str) -> list[list[str]]:
    """Return the rows of a table of a page, without the heading row, as text."""
    return find_table(parse(page), anchor)[1:]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("game", [*GAMES[:1], *long(GAMES[1:])])
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
@pytest.mark.parametrize("game", [*GAMES[:1], *long(GAMES[1:])])
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
