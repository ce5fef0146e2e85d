"""The page of a case, the matrix, and that the state of a submission is that of its files."""

import datetime as dt
import io
import json
import re
import zipfile
from pathlib import Path

from msgspec.structs import replace

from certify.commands.submissions.filings import Case
from certify.commands.submissions.submissions import FileState, FoundSubmission, Step
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    RegisteredDocument,
    RegisteredPaytable,
    Role,
)
from certify.model.submission import Status
from tests.commands.pair_plus import GAME
from tests.desk.conftest import ORDER, TABLE, Client, finish, send

DAY = dt.date(2026, 11, 29)
RULES = f"{GAME}.rules.pdf"


def found_as(status: Status, *entries: Approval, signers: int = 1) -> FoundSubmission:
    manifest = {"submission": GAME, "game": GAME, "jurisdiction": "nevada", "revision": "1"}
    found = FoundSubmission(
        folder=Path("none"),
        manifest=manifest,
        status=status,
        files={RULES: FileState.UNCHANGED},
        digests={RULES: "0" * 64},
        entries=entries,
    )
    roles = (Role.PREPARER, Role.LABORATORY, Role.APPROVER)[:signers]
    noon = dt.datetime(2026, 11, 29, 12, tzinfo=dt.UTC)
    found.__dict__["signed"] = tuple(map(str, roles))
    found.__dict__["signatures"] = {role: (f"The {role}", noon) for role in roles}
    return found


def entry_as(status: ApprovalStatus) -> Approval:
    return Approval(
        id="nevada-1",
        game=GAME,
        game_name="Three Card Poker",
        jurisdiction="nevada",
        status=status,
        day=DAY,
        paytables=(RegisteredPaytable(wager="pair-plus", paytable="1", content_sha256="0" * 64),),
        revision="1",
        person="Jane Doe",
        documents=(RegisteredDocument(name=RULES, sha256="0" * 64),),
    )


def case_of(found: FoundSubmission | None, *entries: Approval) -> Case:
    submissions = () if found is None else (found,)
    return Case(
        game=GAME, jurisdiction="nevada", filing="", terms=None, submissions=submissions,
        entries=entries,
    )  # fmt: skip


def states(case: Case) -> list[tuple[str, str, str]]:
    return [(stage.name, stage.state, stage.who) for stage in case.stages]


def test_the_stages_say_who_signed_and_what_is_next() -> None:
    assert states(case_of(None))[0] == ("draft", "now", "")
    draft = case_of(found_as(Status.DRAFT))
    assert states(draft)[:2] == [("draft", "done", "The preparer"), ("signed", "now", "")]
    assert draft.step == Step.SIGN
    signed = case_of(found_as(Status.FINAL, signers=2))
    assert signed.step == Step.APPROVER
    assert states(signed) == [
        ("draft", "done", ""),
        ("signed", "done", "The preparer"),
        ("laboratory", "done", "The laboratory"),
        ("approver", "now", ""),
        ("filed", "later", ""),
        ("decided", "later", ""),
    ]


def test_a_decided_case_waits_for_nobody() -> None:
    pending, approved = map(entry_as, (ApprovalStatus.PENDING, ApprovalStatus.APPROVED))
    waits = case_of(found_as(Status.FINAL, pending, signers=3), pending)
    assert (waits.step, states(waits)[4]) == (Step.WAIT, ("filed", "done", "Jane Doe"))
    decided = case_of(found_as(Status.FINAL, approved), pending, approved)
    assert decided.step == Step.DECIDED
    assert states(decided)[-1] == ("approved", "done", "")
    assert "now" not in {stage.state for stage in decided.stages}
    # A draft of the next revision is not decided by the approval of the one before.
    next_one = replace(approved, revision="0")
    assert case_of(found_as(Status.DRAFT), next_one).step == Step.SIGN


def test_a_draft_is_not_approved_by_an_entry_of_the_same_content(office: Client) -> None:
    asked = {**ORDER, "filing": "harbor", "out": "harbor", "signer": office.signers[0]}
    page = f"/cases/{GAME}/nevada?filing=harbor"
    assert office.get(page).status == 404
    assert office.post("/submit/terms", asked).status == 303
    assert "Make a draft of revision 1" in office.get(page).text
    made = finish(office, office.post("/submit", asked)).headers["location"].partition("?")[0]
    entry = {"target": TABLE, "jurisdiction": "nevada", "status": "approved", "date": "2026-01-02"}
    letter = {"letter": ("letter.pdf", b"approved")}
    assert send(office, "/register", letter, **entry).status == 303
    (row,) = [row for row in office.get("/cases").text.split("<tr>") if f'"{made}"' in row]
    assert "<td>draft</td>" in row
    assert "Make the signed filing" in row
    shown = office.get(page).text
    assert '<li class="now" aria-current="step"><b>Signed</b>' in shown
    assert re.search(r'class="button large" href="/submit\?[^"]*filing=harbor', shown)
    assert "Internal: do not send" in shown
    # The decision on a filing names the filing alone; without a pending entry it is refused.
    decision = {"target": "harbor", "jurisdiction": "", "status": "rejected"}
    refused = office.post("/register", decision)
    assert "The register has no pending entry of harbor." in refused.text
    assert office.post("/register", {**decision, "status": "pending"}).status == 303
    assert office.post("/register", decision).status == 303
    assert "<b>Rejected</b>" in office.get(page).text
    lines = office.get("/cases.csv").text.splitlines()
    (line,) = [line for line in lines if ",harbor," in line]
    assert line.split(",")[:3] == [GAME, "nevada", "harbor"]
    book = zipfile.ZipFile(io.BytesIO(office.get("/cases.xlsx").data))
    assert b"harbor" in book.read("xl/sharedStrings.xml")


def find_turn(office: Client, page: str) -> str:
    """Return the line of a case on the page of what waits today."""
    rows = office.get("/today").text.split("<tr>")
    return next((row for row in rows if f'href="{page}"' in row), "")


def test_a_case_says_what_differs_from_its_approved_filing(office: Client) -> None:
    page, filing = f"/cases/{GAME}/nevada?filing=pier", office.folder / "filings" / "pier.json"
    assert office.post("/submit/terms", {**ORDER, "filing": "pier"}).status == 303
    decision = {"target": "pier", "jurisdiction": "", "date": "2026-01-02"}
    assert "<td>yours</td>" in find_turn(office, page)
    assert "<small>pier, " in find_turn(office, page)
    assert office.post("/register", {**decision, "status": "pending"}).status == 303
    assert "the regulator’s, since" in find_turn(office, page)
    badges = office.get(f"/games/{GAME}").text.partition(f'href="/games/{TABLE}"')[2]
    assert '<span class="badge">pending in Nevada</span>' in badges.partition("</tr>")[0]
    assert "January 2, 2026" in find_turn(office, page)
    letter = {"letter": ("letter.pdf", b"approved")}
    assert send(office, "/register", letter, **decision, status="approved").status == 303
    assert find_turn(office, page) == ""  # decided, and no deadline runs
    assert "The declared rules, paytables and terms match it." in office.get(page).text
    table = office.folder / "paytables" / f"{TABLE}.json"
    before, declared = table.read_bytes(), filing.read_bytes()
    value = json.loads(before)
    value["rows"][-1]["pays"] = "2 to 1"
    try:
        table.write_text(json.dumps(value), encoding="utf-8")
        assert "<li>figures paytable pair-plus/1</li>" in office.get(page).text
        table.unlink()
        assert f"<li>{TABLE} is missing</li>" in office.get(page).text
        filing.unlink()
        assert "<li>filings/pier.json is missing</li>" in office.get(page).text
    finally:
        table.write_bytes(before)
        filing.write_bytes(declared)


def test_what_is_deleted_is_listed_and_comes_back_with_what_named_it(office: Client) -> None:
    own = office.folder / "paytables" / GAME
    filing = office.folder / "filings" / "both.json"
    table, other = own / "pair-plus" / "2.json", f"{GAME}/pair-plus/2"
    doubts = own / "discrepancies.json"
    doubt = {
        "id": "pay", "kind": "ambiguity", "title": "A pay", "words": ["40"],
        "sources": [{"document": GAME, "clause": "Rules"}], "effect": "None.",
        "resolution": "Read as 40.", "targets": [other],
    }  # fmt: skip
    doubts.write_text(json.dumps({"document": GAME, "discrepancies": [doubt]}), encoding="utf-8")
    filed = {**ORDER, "filing": "both", "jurisdiction": "maryland"}
    assert office.post("/submit/terms", filed).status == 303
    value = json.loads(filing.read_bytes())
    filing.write_text(json.dumps({**value, "paytables": [other]}), encoding="utf-8")
    refused = office.post(f"/create/delete/{other}", {})
    assert (refused.status, table.exists()) == (404, True)
    assert "The filing both has no other paytable." in refused.text
    filing.write_text(json.dumps({**value, "paytables": [TABLE, other]}), encoding="utf-8")
    before = {path: path.read_bytes() for path in (table, filing, doubts)}
    try:
        shown = office.get(f"/games/{other}").text
        assert "These files name it and are changed too: both.json and discrepancies.json" in shown
        assert office.post(f"/create/delete/{other}", {}).status == 303
        assert not table.exists()
        assert json.loads(filing.read_bytes())["paytables"] == [TABLE]
        (left,) = json.loads(doubts.read_bytes())["discrepancies"]
        assert left == {name: part for name, part in doubt.items() if name != "targets"}
        assert f'aria-label="Restore {other}"' in office.get("/deleted").text
        assert office.post(f"/create/restore/{other}", {}).status == 303
        assert {path: path.read_bytes() for path in before} == before
        assert "Restore " not in office.get("/deleted").text
    finally:
        doubts.unlink(missing_ok=True)
        filing.unlink(missing_ok=True)
