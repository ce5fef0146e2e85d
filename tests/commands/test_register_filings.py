"""The register by filing: a decision is about what was filed, and of one operator."""

import csv
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from certify import library
from certify.cli.app import run
from certify.commands.submit import _register
from certify.errors import NotConfigured
from certify.filing.declaration import resolve_order
from certify.filing.order import build_filing, with_register_status
from certify.intake.files import read_register
from certify.model.approval import Approval
from certify.model.submission import Order, Status

from .test_filings import declare

EMPEROR = "emperors-challenge-exposed"
EXPRESS = "commission-free-pai-gow-express"


@pytest.fixture(autouse=True)
def letter(project: Path) -> None:
    (project / "letter.txt").write_text("approved")


def add(name: str, status: str, *options: str) -> int:
    letter = ("--letter", "letter.txt") if status == "approved" else ()
    return run(["register", "add", name, "--status", status, *letter, *options])


def entries(name: str) -> list[tuple[str | None, str]]:
    """Return revision and status of the entries of a filing, in their order."""
    approvals = read_register(Path("register.json"))[0].approvals
    return [(each.revision, str(each.status)) for each in approvals if each.filing == name]


def of(name: str, status: str) -> Approval:
    approvals = read_register(Path("register.json"))[0].approvals
    return next(each for each in approvals if (each.filing, str(each.status)) == (name, status))


def checked(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["register", "check"])
    return code, " ".join(capsys.readouterr().out.split())


def document(revision: str) -> str:
    name = f"mini-pai-gow.wsgc.wa.1.r{revision}.2026-11-29.rules.pdf"
    Path(name).write_text(f"revision {revision}")
    return name


def edit(name: str, **stated: object) -> None:
    path = Path("filings") / f"{name}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | stated))


def test_a_revision_is_begun_while_another_state_decides(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # 1. Two states file revision 1.
    declare("wa", "wsgc", paytables=["A"])
    declare("nj", "new-jersey", paytables=["A"])
    assert add("wa", "pending", "--document", document("1")) == 0
    assert add("nj", "pending") == 0
    assert of("wa", "pending").jurisdiction == "wsgc"
    filed = of("wa", "pending")
    # 2. Revision 2 of Washington is begun: one rule is replaced.
    assert run(["new", "revision", "wa", "--text", "Rule 3.2 names the generator."]) == 0
    own = [{"id": "dealing.first", "text": "The random number generator decides."}]
    edit("wa", sentences=own)
    code, shown = checked(capsys)
    assert code == 0
    assert "wa: revision 1 is pending in Washington" in shown
    assert "the declared revision 2 differs: rules 5.5." in shown
    assert "nj:" not in shown
    # 3. The letter on revision 1 arrives: revision 1 is approved, as it was filed.
    assert add("wa", "approved", "--document", document("1")) == 0
    approved = of("wa", "approved")
    assert (approved.revision, approved.rules_sha256) == ("1", filed.rules_sha256)
    assert approved.parts_sha256 == filed.parts_sha256
    assert entries("nj") == [("1", "pending")]
    # 4. Revision 2 is filed; the approval of revision 1 stays in force.
    with_register_status(build_filing(resolve_order(Order(game="wa"))))
    assert add("wa", "pending", "--document", document("2")) == 0
    assert entries("wa")[1:] == [("1", "approved"), ("2", "pending")]
    # 5. A document of revision 1 does not approve revision 2.
    assert add("wa", "approved", "--document", document("1")) == 2
    assert "is no document of the decided filing" in capsys.readouterr().err
    # 6. Revision 2 is approved and supersedes revision 1.
    assert add("wa", "approved", "--document", document("2")) == 0
    assert [each for each in entries("wa") if each[1] != "superseded"] == [("2", "approved")]
    # 7. New Jersey decides its revision 1.
    assert add("nj", "approved") == 0
    assert entries("nj") == [("1", "superseded"), ("1", "approved")]
    # 8. Nothing has changed since.
    assert checked(capsys)[0] == 0


def test_two_revisions_are_pending_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    declare("wa", "wsgc", paytables=["A"])
    assert add("wa", "pending") == 0
    assert run(["new", "revision", "wa", "--text", "Another."]) == 0
    assert add("wa", "pending") == 0
    assert entries("wa") == [("1", "pending"), ("2", "pending")]
    assert add("wa", "approved") == 2
    assert "Revisions 1 and 2 of wa are pending." in capsys.readouterr().err
    assert add("wa", "approved", "--revision", "1") == 0
    assert entries("wa") == [("1", "superseded"), ("2", "pending"), ("1", "approved")]


def test_a_second_operator_supersedes_nothing() -> None:
    for name, operator in (("ca-one", "First Room"), ("ca-two", "Second Room")):
        declare(name, "california", paytables=["A"], operator={"name": operator})
        assert add(name, "pending") == 0
        assert add(name, "approved") == 0
    assert of("ca-one", "approved").operator == "First Room"
    assert of("ca-two", "approved").operator == "Second Room"


def test_a_seed_is_no_other_paytable(capsys: pytest.CaptureFixture[str]) -> None:
    meters = [{"wager": "pai-gow-insurance-progressive", "paytable": "PT-BJS-EC-PGI-01",
               "level": "1", "seed_cents": 500000}]  # fmt: skip
    for name, state, seed in (("nv", "nevada", 500000), ("wa", "wsgc", 1000000)):
        own = [meters[0] | {"seed_cents": seed}]
        declare(name, state, EMPEROR, paytables=["PT-BJS-EC-PGI-01"], meters=own)
        assert add(name, "pending") == 0
    assert checked(capsys)[0] == 0
    approvals = read_register(Path("register.json"))[0].approvals
    contents = {
        table.content_sha256
        for each in approvals
        for table in each.paytables
        if table.paytable == "PT-BJS-EC-PGI-01"
    }
    assert len(contents) == 1
    edit("nv", meters=[meters[0] | {"seed_cents": 700000}], players=5)
    code, shown = checked(capsys)
    assert code == 0
    assert "nv: revision 1 is pending in Nevada" in shown
    assert (
        "differs: terms amounts of paytable pai-gow-insurance-progressive/PT-BJS-EC-PGI-01, "
        "players." in shown
    )


def test_the_joker_and_the_bank_of_a_filing_are_compared_as_filed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It was compared with the joker of the game: a filing that nobody had changed differed."""
    chosen = {"joker": "fully_wild", "banking": "player_dealer"}
    declare("wa", "wsgc", EXPRESS, paytables=[f"{EXPRESS}/protection/1"], **chosen)
    assert add("wa", "pending") == 0
    code, shown = checked(capsys)
    assert (code, "wa:" in shown) == (0, False)
    edit("wa", banking="house")
    assert "error R014: Revision 1 of the rules of wa" in checked(capsys)[1]


def test_a_decision_states_its_conditions() -> None:
    declare("nj", "new-jersey", paytables=["A"])
    assert add("nj", "pending") == 0
    stated = ["--conditions", "A field trial of 30 days.", "--effective", "2026-12-01"]
    assert add("nj", "approved", *stated, "--trial-until", "2026-12-30") == 0
    approved = of("nj", "approved")
    assert approved.conditions == "A field trial of 30 days."
    assert (str(approved.effective), str(approved.trial_until)) == ("2026-12-01", "2026-12-30")


def test_nothing_is_decided_that_was_not_filed(capsys: pytest.CaptureFixture[str]) -> None:
    declare("nj", "new-jersey", paytables=["A"])
    assert add("nj", "approved") == 2
    assert "The register has no pending entry of nj." in capsys.readouterr().err


def test_an_approval_of_a_paytable_is_of_what_was_pending(project: Path) -> None:
    """B3 of the guide: the game is at revision 2 when the letter on revision 1 arrives."""
    target = ["mini-pai-gow/bonus/A", "--jurisdiction", "wsgc"]
    assert run(["register", "add", *target, "--status", "pending"]) == 0
    assert run(["new", "revision", "mini-pai-gow", "--text", "Washington only."]) == 0
    assert (project / "paytables/mini-pai-gow/game.json").is_file()
    added = ["register", "add", *target, "--status", "approved", "--letter", "letter.txt"]
    assert run([*added, "--document", document("2")]) == 2
    assert run([*added, "--document", document("1")]) == 0
    approvals = read_register(Path("register.json"))[0].approvals
    assert [(each.revision, str(each.status)) for each in approvals] == [
        ("1", "superseded"), ("1", "approved"),
    ]  # fmt: skip


def test_a_filing_that_is_gone_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    declare("nj", "new-jersey", paytables=["A"])
    assert add("nj", "pending") == 0
    Path("filings/nj.json").unlink()
    code, shown = checked(capsys)
    assert code == 1
    assert "The filing nj is pending but is no longer declared." in shown


def test_the_jurisdiction_is_that_of_the_filing() -> None:
    declare("nj", "new-jersey", paytables=["A"])
    with pytest.raises(NotConfigured):
        resolve_order(Order(game="nj", jurisdiction="nevada"))
    assert add("nj", "pending", "--jurisdiction", "nevada") == 2


def test_a_submission_signed_for_filing_is_entered(project: Path) -> None:
    declare("nj", "new-jersey", paytables=["A"])
    filing = build_filing(resolve_order(Order(game="nj")))
    Path("rules.pdf").write_bytes(b"%PDF-")
    files = [Path("rules.pdf"), Path("x.confidential.memo.pdf"), Path("evidence.json")]
    assert _register(filing, Status.DRAFT, files) == ()
    assert not (project / "register.json").exists()
    (notice,) = _register(filing, Status.FINAL, files)
    assert notice == "Entered in register.json as pending: new-jersey-1."
    entry = of("nj", "pending")
    assert [each.name for each in entry.documents] == ["rules.pdf"]
    assert entry.revision == "1"
    assert entry.targets == ("mini-pai-gow/main/1", "mini-pai-gow/bonus/A")


def test_a_false_revision_is_corrected_with_its_digests() -> None:
    declare("nj", "new-jersey", paytables=["A"])
    assert add("nj", "pending") == 0
    first = of("nj", "pending")
    assert run(["new", "revision", "nj", "--text", "Another rule."]) == 0
    edit("nj", sentences=[{"id": "dealing.first", "text": "Dice decide."}])
    assert add("nj", "pending") == 0
    assert add("nj", "approved", "--revision", "2") == 0
    false = next(each for each in read_register(Path("register.json"))[0].approvals
                 if each.status == "approved" and each.target == first.target)  # fmt: skip
    why = ["--reason", "The letter is on revision 1.", "--by", "Jane Doe"]
    assert run(["register", "correct", false.id, "--revision", "9", *why]) == 2
    assert run(["register", "correct", false.id, "--revision", "1", *why]) == 0
    last = read_register(Path("register.json"))[0].approvals[-1]
    assert (last.revision, last.rules_sha256) == ("1", first.rules_sha256)
    assert last.correction is not None
    assert last.correction.entry == false.id


def test_the_register_is_listed_by_jurisdiction(capsys: pytest.CaptureFixture[str]) -> None:
    for name, state in (("nj", "new-jersey"), ("md", "maryland")):
        declare(name, state, paytables=["A"], strategy="house-way")
        assert add(name, "pending") == 0
    capsys.readouterr()
    assert run(["register", "list", "--matrix", "--csv"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.lstrip("\ufeff") == "target,maryland,new-jersey"
    assert [row.split(",")[0] for row in rows] == ["mini-pai-gow/main/1", "mini-pai-gow/bonus/A"]
    assert run(["register", "list", "--matrix", "--workbook", "list.xlsx"]) == 0
    sheet = openpyxl.load_workbook("list.xlsx").active
    listed = [[cell or "" for cell in row] for row in sheet.iter_rows(values_only=True)]
    assert listed == [*csv.reader([header.lstrip("\ufeff"), *rows])]
    assert all('"pending revision 1 ' in row and ', md"' in row and ', nj"' in row for row in rows)


def test_two_filings_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    declare("nj", "new-jersey", paytables=["A"])
    own = [{"id": "dealing.first", "text": "The random number generator decides."}]
    declare("wa", "wsgc", paytables=["A"], sentences=own)
    capsys.readouterr()
    run(["diff", "nj", "wa"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "Rule 5.5 The [-first packet goes" in shown
    assert "random number generator" in shown


def test_a_matrix_has_only_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    own = "The random number generator decides."
    declare("nj", "new-jersey", paytables=["A"], players=5)
    declare(
        "wa", "wsgc", paytables=["A"], players=6, sentences=[{"id": "dealing.first", "text": own}]
    )
    capsys.readouterr()
    assert run(["matrix", "mini-pai-gow", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["filings"] == ["nj", "wa"]
    topics = {each["topic"]: each["values"] for each in found["topics"]}
    assert topics.keys() == {"jurisdiction", "terms: players", "rule: mini-pai-gow: dealing.first"}
    assert topics["terms: players"] == {"nj": "5", "wa": "6"}
    assert topics["rule: mini-pai-gow: dealing.first"]["wa"] == own
    assert run(["matrix", "mini-pai-gow"]) == 0
    capsys.readouterr()
    assert run(["matrix", "mini-pai-gow", "--csv"]) == 0
    rows = [*csv.reader(capsys.readouterr().out.splitlines())]
    assert rows[0] == ["Topic", "nj", "wa"]
    assert ["terms: players", "5", "6"] in rows
    assert run(["matrix", "mini-pai-gow", "--workbook", "matrix.xlsx"]) == 0
    sheet = openpyxl.load_workbook("matrix.xlsx").active
    assert [list(row) for row in sheet.iter_rows(values_only=True)] == rows
    assert run(["matrix", "pai-gow-mania"]) == 2


def test_an_impact_names_the_filings_that_rest_on_a_target(
    capsys: pytest.CaptureFixture[str],
) -> None:
    declare("nj", "new-jersey", paytables=["A"])
    harbor: dict[str, Any] = {"operator": {"name": "Harbor"}, "applicant": "operator"}
    declare("wa", "wsgc", paytables=["B"], **harbor)
    assert add("wa", "pending") == 0
    assert run(["new", "revision", "wa", "--text", "Five seats."]) == 0
    edit("wa", players=5)
    capsys.readouterr()

    def touched(target: str) -> list[str]:
        assert run(["impact", target, "--format", "json"]) == 0
        return [each["filing"] for each in json.loads(capsys.readouterr().out)["filings"]]

    assert touched("mini-pai-gow/bonus/B") == ["wa"]
    assert touched("mini-pai-gow/bonus/A") == ["nj"]
    assert touched("mini-pai-gow") == touched("house-ways/mini-pai-gow") == ["nj", "wa"]
    assert touched("mini-pai-gow/bonus/C") == []
    assert run(["impact", "mini-pai-gow/bonus/B"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "pending, revision 1" in shown
    assert "terms players" in shown
    rules = json.loads(Path(library.paytables(), "jurisdictions/wsgc.json").read_bytes())["rules"]
    (rule,) = (each for each in rules if each.get("test") == "variation_filing")
    assert f"Washington: {rule['versions'][-1]['text']}" in shown
    assert run(["impact", "mini-pai-gow/bonus/B", "--format", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["filings"]
    assert (told["operator"], told["applicant"]) == ("Harbor", "Harbor")
    assert told["citation"] == rule["versions"][-1]["citation"]


def test_a_difference_of_a_seed_is_no_difference_of_rows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    meter = {"wager": "pai-gow-insurance-progressive", "paytable": "PT-BJS-EC-PGI-01", "level": "1"}
    filed = {"paytables": ["PT-BJS-EC-PGI-01"]}
    for name, seed in (("nv-one", 500000), ("nv-two", 1000000)):
        declare(name, "nevada", EMPEROR, meters=[meter | {"seed_cents": seed}], **filed)
    capsys.readouterr()
    run(["diff", "nv-one", "nv-two"])
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.partition("nv-two ")[2].startswith(
        "Terms differ. Rows, pays and compared figures are the same. "
    )
    assert "Rows, pays or figures differ" not in shown
    assert "Seed of meter 1 (" in shown
    assert "[-$5,000-] {+$10,000+}" in shown
