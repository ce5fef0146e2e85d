"""The application of a filing: headings of the pack, answered by filing, records and register."""

import hashlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert, to_builtins
from msgspec.structs import replace

from certify.checks.r_jurisdictions.judge import build_checklist, judge
from certify.commands.submit import submit
from certify.errors import NotConfigured
from certify.filing.declaration import resolve_order
from certify.filing.documents import list_parts
from certify.filing.order import build_filing
from certify.model.approval import ApprovalStatus, Consulted, Elsewhere
from certify.model.finding import Unfit
from certify.model.submission import Filing, ItemState, Order, Submission
from certify.received.files import PROJECT
from certify.report.rules.main_wager import list_fees
from certify.report.wording import number_clause
from tests.commands.submissions import build_without_counts, read_part

GAME = "mini-pai-gow"
STATES = {
    "new-jersey": "Petition for a New Game",
    "maryland": "Request to Offer a New Table Game or Feature",
    "california": "Request to Authorize a Gaming Activity",
    "pennsylvania": "Rules Submission",
}
CASINO = {"name": "Sample Casino", "address": "1 Main Street", "contact": "a@b", "licence": "C-7"}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / PROJECT).write_text("")
    (tmp_path / "paytables").mkdir()
    (tmp_path / "filings").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def build(state: str, **stated: Any) -> Filing:  # noqa: ANN401 - properties of a filing
    value = {"id": "own", "game": GAME, "jurisdiction": state, "paytables": ["A"]} | stated
    if state == "california":
        value |= {"banking": "player_dealer"}
    Path("filings/own.json").write_text(json.dumps(value), encoding="utf-8")
    return build_filing(resolve_order(Order(game="own")))


def complete(filing: Filing) -> Submission:
    """Return a submission with its checklist, its main wager without counts."""
    submission = build_without_counts(filing)
    judged = [each.judgement for each in judge(submission)]
    return replace(submission, checklist=build_checklist(submission, judged))


def print_application(filing: Filing, part: Any = "application") -> str:  # noqa: ANN401 - a part
    return read_part(complete(filing), part)


@pytest.mark.parametrize("state", STATES)
def test_the_application_has_the_headings_of_the_pack_in_order(state: str) -> None:
    filing = build(state, operator=CASINO, applicant="operator", application="composite")
    assert "application" in list_parts(filing)
    form = filing.jurisdiction.application
    assert form is not None
    text = print_application(filing)
    assert STATES[state] in text
    asked = {line.item.id for line in complete(filing).checklist}
    titles = [each.title for each in form.headings if each.content or asked & {*each.items}]
    places = [text.index(f" {title} ") for title in titles]
    assert places == sorted(places)
    assert "Sample Casino 1 Main Street a@b C-7" in text


@pytest.mark.parametrize("state", ["nevada", "wsgc"])
def test_the_letter_is_the_application_where_the_pack_has_no_title(state: str) -> None:
    filing = build(state)
    assert "application" not in list_parts(filing)
    form = filing.jurisdiction.application
    assert form is not None
    text = print_application(filing, "letter")
    assert all(f" {heading.title} " in text for heading in form.headings)


def test_a_text_that_was_not_read_is_not_cited() -> None:
    """PA-RULES rests on an explanation of the rulemaking, COMAR .20A on its official text."""
    assert "601a.2" not in print_application(build("pennsylvania"))
    assert "COMAR 36.05.03.20A(2) (verified text, read November 22, 2026)" in print_application(
        build("maryland")
    )


def test_what_nobody_stated_is_a_blank() -> None:
    text = print_application(build("maryland"))
    assert "is filed as A" in text
    assert "Reason for the request" in text
    stated = print_application(
        build("maryland", application="variation", application_reason="Players ask for it.")
    )
    assert "is filed as a variation of an approved game." in stated
    assert "Players ask for it." in stated


def test_a_supplied_item_is_done_and_printed() -> None:
    statement = "The name is a trademark of nobody."
    before = {line.item.id: line.state for line in complete(build("maryland")).checklist}
    filing = build("maryland", supplied=[{"item": "property", "statement": statement}])
    after = {line.item.id: line.state for line in complete(filing).checklist}
    changed = {name: state for name, state in after.items() if before[name] is not state}
    assert changed == {"property": ItemState.DONE}
    assert statement in print_application(filing)


@pytest.mark.parametrize("item", ["unknown", "odds"])
def test_an_item_that_nobody_supplies_is_refused(item: str) -> None:
    """`odds` is decided by a rule test: no statement can complete it."""
    with pytest.raises(Unfit) as refused:
        build("maryland", supplied=[{"item": item, "statement": "Yes."}])
    assert [each.code for each in refused.value.findings] == ["R021"]
    assert refused.value.findings[0].pointer == "/supplied/0/item"


@pytest.mark.parametrize("data", [None, b"other"])
def test_a_supplied_file_has_its_digest(project: Path, data: bytes | None) -> None:
    digest = hashlib.sha256(b"a layout").hexdigest()
    files = [{"name": "layout.pdf", "sha256": digest}]
    build("maryland", supplied=[{"item": "layout", "files": files}])
    if data is not None:
        (project / "filings" / "layout.pdf").write_bytes(data)
    with pytest.raises(NotConfigured, match=r"The supplied file layout\.pdf"):
        submit(Order(game="own"), signing=None, out=project / "out")
    assert not (project / "out").exists()


def test_decisions_elsewhere_are_those_of_the_register() -> None:
    submission = complete(build("maryland"))
    decided = Elsewhere(
        jurisdiction="Nevada",
        status=ApprovalStatus.APPROVED,
        day=submission.game.revised,
        wagers=("Bonus",),
    )
    register = Consulted(
        sha256="0" * 64,
        records=1,
        last=None,
        other_names=0,
        namesakes=(),
        standings=(),
        elsewhere=(decided,),
    )
    assert convert(to_builtins(register), Consulted) == register  # as evidence states it
    assert "Nevada Approved" in read_part(replace(submission, register=register), "application")
    none = replace(register, elsewhere=())
    text = read_part(replace(submission, register=none), "application")
    assert "no entry on these wagers in another jurisdiction" in text


def test_proposed_rules_are_numbered_as_the_chapter() -> None:
    """The numbers are those of the section that asks for them, 13:69F-8.4(d)3."""
    assert number_clause("3.2") == "(b)"
    assert number_clause("3.27") == "(aa)"
    assert number_clause("3.2.c") == "3."
    text = print_application(build("new-jersey"))
    assert "13:69F-__.1 The game" in text
    assert "(a)" in text
    assert "Clause" not in text[text.index("13:69F-__.1") : text.index("True odds")]


FEES: dict[str, Any] = {
    "bands": [
        {"from_cents": 1000, "cents": 100, "banker_cents": 200},
        {"from_cents": 10100, "cents": 200},
    ],
    "text": "The fee is collected before the deal.",
}


def test_a_fee_adds_its_share_of_the_wager_to_the_edge() -> None:
    """$1 of $10 is a tenth, and $2 of $101 is 2/101, in every round."""
    filing = build("california", fees=FEES)
    submission = complete(filing)
    edge = submission.analyses[filing.option.target].house_edge
    assert edge is not None
    fees = list_fees(submission)
    assert fees is not None
    assert [row["share"] for row in fees["rows"]] == [Fraction(1, 10), Fraction(2, 101)]
    assert [row["edges"] for row in fees["rows"]] == [
        [edge + Fraction(1, 10)],
        [edge + Fraction(2, 101)],
    ]
    for part in ("rules", "application", "mathematics"):
        assert "The fee is collected before the deal." in read_part(submission, part)


def test_awards_of_a_player_dealer_are_not_paid_in_full() -> None:
    covered = "paid as far as the wager of the player-dealer covers it"
    rules = print_application(build("california"), "rules")
    assert covered in rules
    assert "paid in full" not in rules
    rules = print_application(build("maryland", aggregate_limits=[]), "rules")
    assert covered not in rules
    assert "paid in full" in rules


def test_fees_that_do_not_rise_are_refused() -> None:
    with pytest.raises(Unfit) as refused:
        build("california", fees={**FEES, "bands": FEES["bands"][::-1]})
    findings = [(each.code, each.pointer) for each in refused.value.findings]
    assert findings == [("R022", "/fees/bands/0/from_cents")]
