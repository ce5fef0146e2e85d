import json
import re
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.commands import submit as submitting
from certify.commands.submit import submit
from certify.errors import NotConfigured
from certify.filing.documents import render_html
from certify.filing.evidence import EVIDENCE, list_attachments
from certify.filing.order import build_filing
from certify.filing.register import content_digest
from certify.intake.files import format_register
from certify.model.approval import Approval, ApprovalStatus, Register, RegisteredPaytable
from certify.model.comparison import Standing

from .conftest import GAME, PAYTABLE, Pieces, build_pieces, find_file, order
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


def test_evidence_manifest_notices_and_documents_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submitting, "print_draft", lambda _: b"%PDF-")  # the pages are read below
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


@pytest.mark.long
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
