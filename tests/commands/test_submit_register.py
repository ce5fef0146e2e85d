import json
import re
from collections.abc import Callable
from datetime import date
from functools import partial
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest
from msgspec import convert

from certify import library
from certify.cli.app import run
from certify.commands.submit import Signing, WrittenSubmission, submit
from certify.errors import NotConfigured
from certify.filing.documents import render_html
from certify.filing.evidence import EVIDENCE, list_attachments
from certify.filing.order import build_filing
from certify.filing.register import content_digest
from certify.filing.verdict import verify_paths
from certify.filing.verify import verify_file
from certify.intake.files import format_register
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    Consulted,
    Register,
    RegisteredDocument,
    RegisteredPaytable,
)
from certify.model.comparison import Standing
from certify.signatures.sign import blank_document
from certify.signatures.verify import embedded_files

from .conftest import GAME, PAYTABLE, Pieces, World, build_pieces, find_file, order
from .test_reproduce_shipped import collect_files, made_again, pages

TARGET = f"{GAME}/bonus/{PAYTABLE}"


def approval(**changes: object) -> Approval:
    content = content_digest(build_filing(order()).catalog, TARGET)
    stated = {
        "id": "nevada-7", "game": GAME, "game_name": "Mini Pai Gow", "jurisdiction": "nevada",
        "status": ApprovalStatus.APPROVED, "day": date(2026, 1, 2), "paytables": paid(content),
    }  # fmt: skip
    return Approval(**(stated | changes))  # type: ignore[arg-type] # fields of an approval


def paid(content: str) -> tuple[RegisteredPaytable, ...]:
    return (RegisteredPaytable(wager="bonus", paytable=PAYTABLE, content_sha256=content),)


def other_game(name: str) -> Approval:
    return approval(id="nevada-8", game="other-game", game_name=name, paytables=paid("0" * 64))


def write_register(folder: Path, *approvals: Approval) -> Path:
    path = folder / "register.json"
    path.write_bytes(format_register(Register(approvals=approvals)))
    return path


def build_with_register(path: Path) -> Pieces:
    return build_pieces(order(register=path))


@pytest.mark.usefixtures("blank_pages")
def test_evidence_manifest_notices_and_documents_agree(tmp_path: Path) -> None:
    path = write_register(tmp_path, approval(), other_game("Other Pai Gow"))
    said = {
        "sha256": sha256(path.read_bytes()).hexdigest(),
        "records": 2,
        "last": "2026-01-02",
        "other_names": 1,
        "namesakes": [],
        "standings": [
            {"target": f"{GAME}/main/1", "standing": "new", "record": None, "date": None},
            {"target": TARGET, "standing": "approved", "record": "nevada-7", "date": "2026-01-02"},
        ],
        "approved": None,
        "elsewhere": [],
    }
    made = submit(order(register=path), signing=None, out=tmp_path / "out")
    assert json.loads(find_file(made, ".evidence.json").read_bytes())["register"] == said
    assert json.loads(find_file(made, ".manifest.json").read_bytes())["register"] == said
    assert made.notices[:2] == (
        f"{GAME}/main/1: a new filing",
        f"{TARGET}: approved since 2026-01-02 (record nevada-7)",
    )
    pieces = build_with_register(path)
    memo = render_html(pieces.submission, "memo")
    assert "Latest record: January 2, 2026." in memo
    assert f"SHA-256 of the register: <code>{said['sha256']}</code>" in memo
    assert "No register" not in memo
    assert "approved since 2026-01-02 (record nevada-7)" in memo
    # The standing of each record is printed; what it comes to is in the internal checklist.
    working = find_file(made, ".checklist.json").read_text(encoding="utf-8")
    assert "1 approved, 0 pending, 1 new filings: main/1." in working


def test_the_same_documents_are_made_again_without_the_register(tmp_path: Path) -> None:
    path = write_register(tmp_path, approval(), other_game("Zanzibar Poker"))
    pieces = build_with_register(path)
    path.unlink()
    files = collect_files(list_attachments(pieces.filing, pieces.evidence, internal=True))
    assert b"Zanzibar" not in files[EVIDENCE]
    assert made_again(files, tmp_path / "again") == pages(pieces)


def remove_spans(page: str) -> str:
    """Return a page without what keeps its words whole."""
    return re.sub(r"</?span[^>]*>", "", page)


def test_without_a_register_every_file_states_that_none_was_consulted(pieces: Pieces) -> None:
    assert json.loads(pieces.evidence)["register"] is None
    words = remove_spans(render_html(pieces.submission, "memo"))
    assert "No register of approvals was consulted." in words
    assert "no register of approvals was consulted" in words


def test_a_name_that_another_game_has_is_found_and_printed(tmp_path: Path) -> None:
    """R011: the text of the rule is known by a secondary source, which makes it a warning."""
    pieces = build_with_register(write_register(tmp_path, other_game("MINI pai gow")))
    (found,) = (finding for finding in pieces.submission.findings if finding.code == "R011")
    assert "another approved game named MINI pai gow" in found.message
    (rule,) = (rule for rule in pieces.submission.rules if rule.rule.test == "unique_name")
    assert rule.standing is Standing.TO_BE_SETTLED
    page = remove_spans(render_html(pieces.submission, "memo"))
    assert "The register lists another approved game named MINI pai gow." in page
    assert "this game has the name of MINI pai gow." in page


@pytest.mark.usefixtures("blank_pages")
def test_the_command_prints_the_name_that_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_register(tmp_path, other_game("Mini Pai Gow"))
    asked = ["submit", GAME, "--jurisdiction", "nevada", "--paytable", PAYTABLE, "--unsigned"]
    assert run([*asked, "--register", str(path), "--out", str(tmp_path / "out")]) == 0
    assert "R011" in capsys.readouterr().err


def test_a_register_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="There is no register"):
        submit(order(register=tmp_path / "typo.json"), signing=None, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


# The redline of a submission against the approved filing that the register names


NAME = "filed.mathematics.pdf"
OLD, NEW = "The table seats up to seven players.", "At this table there are up to seven players."

Submit = Callable[..., WrittenSubmission]


@pytest.fixture
def submitted(
    blank_pages: dict[str, str],  # noqa: ARG001 - what is printed
    pieces: Pieces,
    signing_home: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Submit:
    """Return what submits a second revision in a project that has a register."""
    pages = signing_home.sign(pieces.print_part("mathematics"))
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == 0
    path = library.find_declared(f"{GAME}/game.json")
    assert path is not None
    text = path.read_text(encoding="utf-8")
    assert OLD in text
    edited = f'"text": "{NEW}", "original": "{OLD}"'
    game = json.loads(text.replace(f'"text": "{OLD}"', edited))
    game |= {"$schema": "game.schema.json", "revision": "2", "revised": "2026-11-28"}
    game["changes"].append({"revision": "2", "date": "2026-11-28", "text": "Another sentence."})
    own = tmp_path / f"paytables/{GAME}/game.json"
    own.parent.mkdir(parents=True)
    own.write_text(json.dumps(game), encoding="utf-8")
    (tmp_path / "filed").mkdir()
    (tmp_path / "filed" / NAME).write_bytes(pages)

    def act(
        status: ApprovalStatus = ApprovalStatus.APPROVED,
        digest: str = "",
        signing: Signing | None = None,
        operator: str | None = None,
    ) -> WrittenSubmission:
        filed = RegisteredDocument(name=NAME, sha256=digest or sha256(pages).hexdigest())
        entry = approval(status=status, documents=(filed,), revision="1", operator=operator)
        asked = order(register=write_register(tmp_path, entry))
        return submit(asked, signing=signing, out=tmp_path / "out")

    return act


def test_an_approved_game_is_submitted_with_its_redline(
    submitted: Submit, blank_pages: dict[str, str]
) -> None:
    made = submitted()
    pdf = find_file(made, ".redline.pdf").read_bytes()
    twin = json.loads(embedded_files(pdf, signed=False)["redline.json"])
    assert {each["file"] for each in twin["declared"]} == {"game"}
    assert {each["path"].rpartition("/")[2] for each in twin["declared"]} == {
        "revision", "revised", "text",
    }  # fmt: skip
    (change,) = (each for each in twin["declared"] if each["before"] == OLD)
    assert change["after"] == NEW
    register = json.loads(find_file(made, ".evidence.json").read_bytes())["register"]
    assert convert(register, Consulted) == made.submission.register  # when it is reproduced
    stated = register["approved"]
    filed = sha256(Path("filed", NAME).read_bytes()).hexdigest()
    assert stated == {"name": NAME, "sha256": filed, "record": "nevada-7", "date": "2026-01-02"}
    manifest = json.loads(find_file(made, ".manifest.json").read_bytes())
    assert manifest["register"]["approved"] == stated
    (listed,) = (each for each in manifest["files"] if each["name"].endswith(".redline.pdf"))
    assert listed["sha256"] == sha256(pdf).hexdigest()
    assert "internal" not in listed
    text = read_text(blank_pages, "redline")
    assert "Mini Pai Gow: Redline against the Approved Filing" in text
    assert f"The approved filing is that of the document {NAME}" in text
    assert "Filings needed" not in text
    assert "no figures" not in text  # both documents state those of the main wager
    _, _, unchanged = text.partition("Unchanged")
    assert f"{GAME}/bonus/community" in unchanged
    assert f"{GAME}/main/1" in unchanged


def read_text(printed: dict[str, str], part: str) -> str:
    """Return the words of a document, each after one blank."""
    (page,) = (html for name, html in printed.items() if name.endswith(f".{part}"))
    return " ".join(unescape(re.sub("<[^>]+>", "", page)).split())


def test_letter_and_verify_know_the_redline(
    submitted: Submit, blank_pages: dict[str, str], signing_home: World, tmp_path: Path
) -> None:
    made = submitted(signing=Signing(identity=signing_home.identity, trust=signing_home.trust))
    path, folder = find_file(made, ".redline.pdf"), tmp_path / "out"
    ask = partial(verify_file, trust=signing_home.trust)
    judged = verify_paths([folder], ask)
    assert judged.exit_code == 0
    (file,) = (each for each in judged.files if each.name == str(path))
    assert file.verdict is not None
    assert file.verdict.authentic
    letter = read_text(blank_pages, "letter")
    assert "Redline against the approved filing" in letter
    assert "redline.pdf" in letter
    assert sha256(path.read_bytes()).hexdigest() in letter.replace(" ", "")
    path.write_bytes(signing_home.sign(blank_document()))  # authentic, and another document
    failed = [
        each for each in verify_paths([folder], ask).filings[0]["checks"] if not each["passed"]
    ]
    assert [each["id"] for each in failed if each["required"]] == ["files"]
    path.unlink()
    failed = [
        each for each in verify_paths([folder], ask).filings[0]["checks"] if not each["passed"]
    ]
    assert [each["id"] for each in failed if each["required"]] == ["files"]


@pytest.mark.parametrize("status", [ApprovalStatus.PENDING, ApprovalStatus.REJECTED])
def test_where_nothing_was_approved_there_is_no_redline(
    status: ApprovalStatus, submitted: Submit
) -> None:
    made = submitted(status)
    assert not [file for file in made.files if "redline" in file.name]
    assert not [notice for notice in made.notices if "redline" in notice]


def test_the_approved_filing_of_another_operator_gives_no_redline(submitted: Submit) -> None:
    made = submitted(operator="Harbor Card Room")
    assert not [file for file in made.files if "redline" in file.name]
    assert not [notice for notice in made.notices if "redline" in notice]


def test_a_file_with_another_digest_is_not_the_approved_one(submitted: Submit) -> None:
    made = submitted(digest="0" * 64)
    assert not [file for file in made.files if "redline" in file.name]
    assert (
        f"There is no redline: {NAME}, which entry nevada-7 of the register names, is not in the "
        "folder of the register, or is another file."
    ) in made.notices
    evidence = json.loads(find_file(made, ".evidence.json").read_bytes())
    assert evidence["register"]["approved"] is None
