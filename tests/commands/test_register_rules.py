"""The register compares the rules of an entry with the declared ones, whatever their revision."""

import datetime as dt
import json
import shutil
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.figures.targets import load_catalog
from certify.filing.register_check import list_records
from certify.filing.registration import Entry, add
from certify.model.approval import ApprovalStatus
from certify.model.jurisdiction import Begins, Confidence, Deadline
from certify.received.files import PROJECT

GAME = "mini-pai-gow"
PAYTABLES = Path(__file__).parents[2] / "paytables"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / PROJECT).write_text("")
    shutil.copytree(PAYTABLES / GAME, tmp_path / "paytables" / GAME)
    letter = tmp_path / "letter.txt"
    letter.write_text("approved")
    filed = tmp_path / "r1.rules.pdf"
    filed.write_text("filed")
    monkeypatch.chdir(tmp_path)
    added = ["register", "add", f"{GAME}/bonus/A", "--jurisdiction", "nevada"]
    options = ["--status", "approved", "--letter", str(letter), "--document", str(filed)]
    assert run([*added, *options]) == 0
    return tmp_path


def edit(project: Path, revision: str, before: str, after: str) -> None:
    path = project / "paytables" / GAME / "game.json"
    text = path.read_text()
    assert before in text
    text = text.replace(before, after)
    value = json.loads(text)
    value["revision"] = revision
    value["changes"] = [
        {"revision": number, "date": "2026-11-21", "text": "Changed."} for number in ("1", "2")
    ][: int(revision)]
    path.write_text(json.dumps(value))


def checked(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["register", "check"])
    return code, " ".join(capsys.readouterr().out.split())


def test_equal_rules_are_no_finding(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    assert checked(capsys) == (0, "1 entry checked: 0 changed.")


def test_a_rule_of_a_later_revision_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project, "2", "A misdeal voids", "A misdeal never voids")
    code, shown = checked(capsys)
    assert code == 0
    assert "revision 1 is approved in Nevada" in shown
    assert "the declared revision 2 differs: rules 6.1." in shown
    assert "`certify diff r1.rules.pdf mini-pai-gow`" in shown
    assert "0 changed. 1 other difference." in shown


def test_a_rule_changed_without_a_revision_is_an_error_that_names_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project, "1", "A misdeal voids", "A misdeal never voids")
    code, shown = checked(capsys)
    assert code == 1
    assert "but the rules have changed. Changed: rules 6.1." in shown
    assert "certify new revision" in shown


def test_a_citation_in_the_margin_is_compared(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project, "1", "Dealing Procedures B", "Dealing Procedures Z")
    code, shown = checked(capsys)
    assert code == 0
    assert "differs: rules 3.1." in shown


def test_an_entry_without_digests_is_not_called_equal(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / "register.json"
    value = json.loads(path.read_text())
    del value["approvals"][0]["parts_sha256"]
    path.write_text(json.dumps(value))
    code, shown = checked(capsys)
    assert code == 0
    assert "rules not compared: the entry of" in shown


def test_rules_of_an_unknown_jurisdiction_are_compared_by_id(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    register = project / "register.json"
    register.write_text(register.read_text().replace('"nevada"', '"atlantis"'))
    edit(project, "2", "A misdeal voids", "A misdeal never voids")
    code, shown = checked(capsys)
    assert code == 0
    assert "differs: game#irregularities.misdeal." in shown


TABLE = "mini-pai-gow/bonus/A"
FILED = dt.date(2026, 1, 31)


@pytest.mark.parametrize(
    ("period", "begun", "ends"),
    [
        ("P30D", FILED, dt.date(2026, 3, 2)),
        ("P15D", FILED, dt.date(2026, 2, 15)),
        ("P5Y", FILED, dt.date(2031, 1, 31)),
        ("P5Y", dt.date(2024, 2, 29), dt.date(2029, 3, 1)),
    ],
)
def test_a_period_ends_on_a_day(period: str, begun: dt.date, ends: dt.date) -> None:
    deadline = Deadline(
        id="1", text="-", begins=Begins.PENDING, period=period, citation="-",
        confidence=Confidence.SECONDARY, read_on=begun, address="-",
    )  # fmt: skip
    assert deadline.ends(begun) == ends


@pytest.mark.parametrize(
    ("state", "status", "due"),
    [
        ("california", ApprovalStatus.PENDING, [("CA-COMPLETE", 30)]),
        ("california", ApprovalStatus.APPROVED, []),
        ("pennsylvania", ApprovalStatus.PENDING, [("PA-LAYOUT-REVIEW", 15)]),
        ("maryland", ApprovalStatus.APPROVED, [("MD-KEEP", 5 * 365 + 1)]),  # 2028 is a leap year
        ("wsgc", ApprovalStatus.PENDING, []),
        ("nevada", ApprovalStatus.PENDING, []),
    ],
)
def test_a_record_begins_the_deadlines_of_its_status(
    tmp_path: Path, state: str, status: ApprovalStatus, due: list[tuple[str, int]]
) -> None:
    path = tmp_path / "register.json"
    letter = Path(__file__)
    add(path, Entry(target=TABLE, jurisdiction=state, status=status, day=FILED, letter=letter))
    ((record,), _) = list_records(path, load_catalog(), FILED)
    assert [(deadline.deadline.id, deadline.days) for deadline in record.due] == due
    ((later,), _) = list_records(path, load_catalog(), FILED + dt.timedelta(days=31))
    assert [deadline.days for deadline in later.due] == [days - 31 for _, days in due]
    assert [deadline.is_past for deadline in later.due] == [days < 31 for _, days in due]
