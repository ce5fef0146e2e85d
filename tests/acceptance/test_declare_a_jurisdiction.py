import json
import re
import shlex
from pathlib import Path

import pytest

from certify.filing.documents import PARTS
from certify.filing.order import build_filing
from certify.intake.layout import PAYTABLES
from certify.model.comparison import Standing
from certify.model.submission import Order
from tests.acceptance.command_line import ROOT, Certify
from tests.acceptance.pages import write_own_files
from tests.commands.submissions import build_without_counts, compose_part

TEXT = (ROOT / "docs" / "how-to" / "declare-a-jurisdiction.md").read_text(encoding="utf-8")
STEPS = [
    shlex.split(line) for line in re.findall(r"^    (\S.+)$", TEXT.split("```")[0], re.MULTILINE)
]
LATER = [
    shlex.split(line) for line in re.findall(r"^    (\S.+)$", TEXT.split("```")[2], re.MULTILINE)
]
RULES, DEADLINES = map(json.loads, re.findall(r"```json\n(.+?)```", TEXT, re.DOTALL))
STATE = Path(PAYTABLES, "jurisdictions", "sample-state.json")
OTHERS = re.compile(r"Nevada|Washington|WAC |WSGC|Regulation 14|Pennsylvania|Jersey|Maryland")


@pytest.fixture
def jurisdiction_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify
) -> Certify:
    """Follow the page up to its rules, in an empty folder; return what runs further commands."""
    monkeypatch.chdir(tmp_path)
    write_own_files("declare-a-jurisdiction.md", tmp_path)
    for _, *arguments in STEPS:
        assert run_command(*arguments).code == 0, arguments
    value = json.loads(STATE.read_text(encoding="utf-8"))
    STATE.write_text(json.dumps(value | {"rules": RULES, "deadlines": DEADLINES}), encoding="utf-8")
    return run_command


def test_the_steps_of_the_page_declare_a_state_that_is_checked(
    jurisdiction_project: Certify,
) -> None:
    assert [step[:3] for step in STEPS] == [
        ["certify", "new", "jurisdiction"],
        ["certify", "check"],
    ]
    assert jurisdiction_project("check").out == "1 file checked: 0 errors, 0 warnings, 0 notes.\n"
    assert "allowed_paytables" in jurisdiction_project("rule", "--tests").out
    wrong = STATE.read_text(encoding="utf-8").replace("least_cents", "least_cent")
    STATE.write_text(wrong, encoding="utf-8")
    assert "R016" in jurisdiction_project("check").out


def test_a_submission_for_the_jurisdiction_follows_the_page(jurisdiction_project: Certify) -> None:
    assert jurisdiction_project("check").code == 0
    *checked, (_, submit, game, _, state, *_) = LATER
    assert (submit, [step[1] for step in checked]) == ("submit", ["check", "rule", "keys"])
    order = Order(game=game, jurisdiction=state)
    filing = build_filing(order)
    submission = build_without_counts(filing)
    standings = {rule.rule.id: rule.standing for rule in submission.rules}
    assert standings == {"1-2(c)": Standing.BY_PEOPLE, "1-3": Standing.NOT_SATISFIED}
    pages = {part: compose_part(submission, part) for part in PARTS}
    memo = pages.pop("memo")
    assert all("Sample Gaming Board" in page for page in pages.values())
    # The doubts about the source, which the memo lists, speak of the regulator that published it.
    assert OTHERS.findall("".join(pages.values())) == []
    assert "Sample Code § 1-3" in memo
    assert "verified text of 2024-07" in memo


def test_a_state_is_not_written_over(jurisdiction_project: Certify) -> None:
    again = jurisdiction_project(*STEPS[0][1:])
    assert again.code == 2
    assert "already exists" in again.err
    assert "is not an id" in jurisdiction_project("new", "jurisdiction", "a b", *STEPS[0][4:]).err
