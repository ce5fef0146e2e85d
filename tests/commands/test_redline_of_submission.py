"""The redline of a submission against the approved filing that the register names."""

import json
import subprocess
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import convert

from certify import library
from certify.cli.app import run
from certify.commands import submit as submitting
from certify.commands.submit import Signing, WrittenSubmission, submit
from certify.filing.verdict import verify_paths
from certify.filing.verify import verify_file
from certify.model.approval import ApprovalStatus, Consulted, RegisteredDocument
from certify.signatures.sign import blank_document
from certify.signatures.verify import embedded_files

from .conftest import GAME, Pieces, World, find_file, order
from .test_submit_register import approval, write_register

NAME = "filed.mathematics.pdf"
OLD, NEW = "The table seats up to seven players.", "At this table there are up to seven players."

Submit = Callable[..., WrittenSubmission]


@pytest.fixture
def submitted(
    pieces: Pieces, signing_home: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
        with monkeypatch.context() as patch:
            if signing is None:
                patch.setattr(submitting, "print_draft", lambda _: b"%PDF-")
            return submit(asked, signing=signing, out=tmp_path / "out")

    return act


def test_an_approved_game_is_submitted_with_its_redline(submitted: Submit, tmp_path: Path) -> None:
    made = submitted()
    pdf = find_file(made, ".redline.pdf").read_bytes()
    twin = json.loads(embedded_files(pdf, signed=False)["redline.json"])
    assert {each["file"] for each in twin["declared"]} == {"game"}
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
    text = read_text(pdf, tmp_path)
    assert "Mini Pai Gow: Redline against the Approved Filing" in text
    assert f"The approved filing is that of the document {NAME}" in text
    assert "Filings needed" not in text
    _, _, listed = text.partition("Declared values were compared, and no figures.")
    uncounted, _, unchanged = listed.partition("Unchanged")
    assert f"{GAME}/bonus/community" in unchanged
    assert f"{GAME}/main/1" not in unchanged
    assert f"{GAME}/main/1" in uncounted


def read_text(pdf: bytes, folder: Path) -> str:
    path = folder / "read.pdf"
    path.write_bytes(pdf)
    printed = subprocess.run(
        ["pdftotext", "-raw", path, "-"], capture_output=True, text=True, check=True
    )
    return " ".join(printed.stdout.split())


@pytest.mark.long
def test_letter_and_verify_know_the_redline(
    submitted: Submit, signing_home: World, tmp_path: Path
) -> None:
    made = submitted(signing=Signing(identity=signing_home.identity, trust=signing_home.trust))
    path, folder = find_file(made, ".redline.pdf"), tmp_path / "out"
    ask = partial(verify_file, trust=signing_home.trust)
    judged = verify_paths([folder], ask)
    assert judged.exit_code == 0
    (file,) = (each for each in judged.files if each.name == str(path))
    assert file.verdict is not None
    assert file.verdict.authentic
    letter = read_text(find_file(made, ".letter.pdf").read_bytes(), tmp_path)
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
