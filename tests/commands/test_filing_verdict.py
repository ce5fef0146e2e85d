"""A filing as a unit: forged, exchanged, missing and added files, each with its sentence."""

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from certify.cli.app import run
from certify.commands.submit import WrittenSubmission
from certify.filing.evidence import COMPLETE, EVIDENCE, LABEL, MANIFEST
from certify.filing.verdict import JudgedFiles, judge_files, verify_paths
from certify.filing.verify import VerifiedFile, verify_file
from certify.model.approval import Role
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import init_development
from certify.signatures.sign import sign
from certify.signatures.verify import embedded_files

from .conftest import World, embed_on_page

REPORT = "mini-pai-gow.nevada.1.bonus-community.r1.2026-11-21"
OTHER = REPORT.replace(".r1.", ".r2.")
Change = Callable[[Path], None]
Verify = Callable[[str, bytes], VerifiedFile]


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    folder = tmp_path_factory.mktemp("stranger")
    return init_development(folder, name="Mallory", today=datetime.now(UTC).date())


@pytest.fixture(scope="module")
def verify(signing_home: World, stranger: Identity) -> Verify:
    """Verify each file once, trusting both identities."""
    trust = (*signing_home.trust, stranger.certificate)
    return cache(partial(verify_file, trust=trust))


@pytest.fixture
def folder(made: WrittenSubmission, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made.files[0].parent, tmp_path / "filing"))


def find(folder: Path, end: str) -> Path:
    (path,) = folder.glob(f"*.{end}")
    return path


def page(files: dict[str, bytes], report: str, part: str) -> bytes:
    """Return one page with a field for the preparer, which embeds files."""
    label = json.dumps({"document": f"{report}.{part}", "part": part}).encode()
    return embed_on_page(files | {LABEL: label})


def forge(path: Path, own: Identity, report: str = REPORT, **changed: object) -> None:
    """Replace a document by one page that embeds its files, and sign it again."""
    part = path.name.split(".")[-2]
    files = embedded_files(path.read_bytes())
    stated = json.loads(files[EVIDENCE]) | changed
    files[EVIDENCE] = json.dumps(stated).encode()
    data = sign(page(files, report, part), identity=own, reason="Preparer", location="Reno").data
    path.write_bytes(data)


def failures(judged: JudgedFiles) -> dict[str, str]:
    return {
        check["id"]: check["detail"]
        for filing in judged.filings
        for check in filing["checks"]
        if check["required"] and not check["passed"]
    }


def test_a_filing_is_complete_and_belongs_together(folder: Path, verify: Verify) -> None:
    judged = verify_paths([folder], verify)
    (filing,) = judged.filings
    assert (filing["file"], judged.exit_code, failures(judged)) == (REPORT, 0, {})
    assert filing["verdict"] == (
        "The filing is complete, and its files belong together: one preparer signed its "
        "documents, and they are unchanged since. The signatures prove integrity, not identity: "
        "no other party certifies the preparer's name."
    )
    details = {check["id"]: check["detail"] for check in filing["checks"]}
    evidence = hashlib.sha256(find(folder, "evidence.json").read_bytes()).hexdigest()
    assert details["evidence"].endswith(f"is {evidence}.")
    assert details["files"] == "Files that are here as the manifest states them: 8."
    assert details["kit"] == "The evidence in the laboratory kit is the embedded one."
    assert details["added"] == "No other file is with them."
    assert {check["id"] for check in filing["checks"] if not check["passed"]} == {
        "identity",
        "internal",
    }


def change_kit(folder: Path) -> None:
    path = find(folder, "kit.zip")
    with zipfile.ZipFile(path, "w") as kit:
        kit.writestr(f"{REPORT}.kit/{EVIDENCE}", b"{}")


def change_workbook(folder: Path) -> None:
    find(folder, "par-sheets.xlsx").write_bytes(b"PK other figures")


def remove_kit(folder: Path) -> None:
    find(folder, "kit.zip").unlink()


def remove_manifest(folder: Path) -> None:
    find(folder, MANIFEST).unlink()


def change_manifest(folder: Path) -> None:
    path = find(folder, MANIFEST)
    stated = json.loads(path.read_bytes())
    stated["revision"] = "2"
    (entry,) = (each for each in stated["files"] if each["name"].endswith("rules.pdf"))
    entry["confidential"] = True
    path.write_text(json.dumps(stated), encoding="utf-8")


def replace_with_listed_digest(folder: Path) -> None:
    """Exchange the workbook, and state its digest in the manifest, which lies there unsigned."""
    change_workbook(folder)
    path, workbook = find(folder, MANIFEST), find(folder, "par-sheets.xlsx")
    stated = json.loads(path.read_bytes())
    (entry,) = (each for each in stated["files"] if each["name"] == workbook.name)
    entry["sha256"] = hashlib.sha256(workbook.read_bytes()).hexdigest()
    path.write_text(json.dumps(stated), encoding="utf-8")


def spoil_manifest(folder: Path) -> None:
    find(folder, MANIFEST).write_text('{"files": [5]}', encoding="utf-8")


def test_a_recipient_has_no_internal_file(folder: Path, verify: Verify) -> None:
    for part in ("checklist.txt", "checklist.json", "memo.pdf"):
        find(folder, part).unlink()
    judged = verify_paths([folder], verify)
    assert (judged.exit_code, failures(judged)) == (0, {})


def test_the_unsigned_manifest_adds_no_file(folder: Path, verify: Verify) -> None:
    """A file that it calls internal is none of the filing, unless certify writes such a file."""
    path = find(folder, MANIFEST)
    stated = json.loads(path.read_bytes())
    name, data = f"{REPORT}.approval.txt", b"approved"
    digest = hashlib.sha256(data).hexdigest()
    entry = {"name": name, "confidential": False, "internal": True, "sha256": digest}
    path.write_text(json.dumps(stated | {"files": [*stated["files"], entry]}), encoding="utf-8")
    (folder / name).write_bytes(data)
    judged = verify_paths([folder], verify)
    assert judged.exit_code == 1
    found = {check["id"]: check["detail"] for check in judged.filings[0]["checks"]}
    assert name in found["manifest"]
    assert name in found["added"]


def test_internal_files_without_a_signature_are_named(folder: Path, verify: Verify) -> None:
    (check,) = [
        check
        for check in verify_paths([folder], verify).filings[0]["checks"]
        if check["id"] == "internal"
    ]
    assert (check["passed"], check["required"]) == (False, False)
    assert find(folder, "checklist.json").name in check["detail"]
    assert "memo.pdf" not in check["detail"]


def flip_a_byte(folder: Path) -> None:
    path = find(folder, "rules.pdf")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


NAME = f"{REPORT}.%s"
CHANGED = "Files of the filing are missing or changed."
FORGED: tuple[tuple[Change, str, dict[str, str]], ...] = (
    (
        change_kit,
        CHANGED,
        {
            "files": f"Missing or changed: {NAME % 'kit.zip'} is not as stated.",
            "kit": "The laboratory kit holds other evidence than the documents embed, or none: "
            f"{NAME % 'kit.zip'}.",
        },
    ),
    (
        change_workbook,
        CHANGED,
        {
            "files": f"Missing or changed: {NAME % 'par-sheets.xlsx'} is not as stated.",
            "workbook": "The workbook has another SHA-256 than the evidence states: "
            f"{NAME % 'par-sheets.xlsx'}.",
        },
    ),
    (
        remove_kit,
        CHANGED,
        {"files": f"Missing or changed: {NAME % 'kit.zip'} is missing."},
    ),
    (
        remove_manifest,
        CHANGED,
        {"files": f"Missing or changed: {NAME % 'manifest.json'} is missing."},
    ),
    (
        change_manifest,
        "The manifest was changed.",
        {
            "manifest": "The manifest differs from a copy that a document embeds: "
            f"{NAME % 'rules.pdf'}; revision."
        },
    ),
    (
        replace_with_listed_digest,
        "The manifest was changed.",
        {
            "manifest": "The manifest differs from a copy that a document embeds: "
            f"{NAME % 'par-sheets.xlsx'}.",
            "files": f"Missing or changed: {NAME % 'par-sheets.xlsx'} is not as stated.",
            "workbook": "The workbook has another SHA-256 than the evidence states: "
            f"{NAME % 'par-sheets.xlsx'}.",
        },
    ),
    (
        spoil_manifest,
        "The manifest, or the evidence, is not what certify writes.",
        {"malformed": f"The manifest, or the evidence, is not what certify writes: {REPORT}."},
    ),
)


@pytest.mark.parametrize(
    ("change", "verdict", "said"), FORGED, ids=lambda it: getattr(it, "__name__", "")
)
def test_an_exchanged_missing_or_changed_file_is_named(
    folder: Path, verify: Verify, change: Change, verdict: str, said: dict[str, str]
) -> None:
    change(folder)
    judged = verify_paths([folder], verify)
    assert (judged.exit_code, judged.filings[0]["verdict"]) == (1, verdict)
    assert failures(judged) == said


def test_a_changed_document_is_not_accepted(folder: Path, verify: Verify) -> None:
    flip_a_byte(folder)
    judged = verify_paths([folder], verify)
    assert judged.exit_code == 1
    assert [file.exit_code for file in judged.files].count(1) == 1
    assert f"{REPORT}.rules.pdf is not as stated" in failures(judged)["files"]


def test_a_second_preparer_is_named(folder: Path, verify: Verify, stranger: Identity) -> None:
    rules = find(folder, "rules.pdf")
    pages = verify("", rules.read_bytes()).verdict
    assert pages is not None
    again = sign(pages.unsigned_bytes, identity=stranger, reason="Preparer", location="Reno")
    rules.write_bytes(again.data)
    judged = verify_paths([folder], verify)
    assert judged.filings[0]["verdict"] == "The documents have different preparers."
    assert (
        f"rules.pdf: {stranger.name!r} (SHA-256 {stranger.certificate.fingerprint})"
        in (failures(judged)["preparer"])
    )


def test_a_digest_of_zeros_is_compared(folder: Path, verify: Verify, signing_home: World) -> None:
    """The preparer's own key signs rules that state another digest of the evidence."""
    forge(find(folder, "rules.pdf"), signing_home.identity, **{COMPLETE: "0" * 64})
    judged = verify_paths([folder], verify)
    assert judged.filings[0]["verdict"] == "The documents do not rest on the same evidence."
    said = failures(judged)
    assert f"rules.pdf: {'0' * 64}; " in said["evidence"]
    assert f"{REPORT}.rules.pdf is not as stated" in said["files"]


def test_another_document_of_the_same_preparer_and_evidence_is_noticed(
    folder: Path, verify: Verify, signing_home: World
) -> None:
    """Only the manifest that the mathematics report embeds tells the pages apart."""
    rules = find(folder, "rules.pdf")
    files = embedded_files(rules.read_bytes())
    rules.write_bytes(signing_home.sign(page(files, REPORT, "rules")))
    find(folder, MANIFEST).unlink()
    judged = verify_paths([rules, find(folder, "mathematics.pdf")], verify)
    assert failures(judged) == {"files": f"Missing or changed: {rules} is not as stated."}


def test_rules_of_one_revision_with_mathematics_of_another(
    folder: Path, verify: Verify, signing_home: World
) -> None:
    rules, mathematics = find(folder, "rules.pdf"), find(folder, "mathematics.pdf")
    forge(rules, signing_home.identity, OTHER)
    for paths in ([rules, mathematics], [folder]):
        judged = verify_paths(paths, verify)
        assert judged.exit_code == 1
        assert [filing["file"] for filing in judged.filings] in ([OTHER, REPORT], [REPORT, OTHER])
        assert failures(judged)["filing"] == (
            f"The documents are not of one filing: {rules} is of {OTHER}, {mathematics} is of "
            f"{REPORT}."
        )
    assert verify_paths([rules], verify).filings == []


def test_an_added_file_is_named(folder: Path, verify: Verify) -> None:
    (folder / "letter.pdf").write_bytes(b"%PDF-1.7 of nobody")
    (folder / f"{REPORT}.notes.txt").write_bytes(b"certified")
    judged = verify_paths([folder], verify)
    (added,) = (check for check in judged.filings[0]["checks"] if check["id"] == "added")
    assert (added["passed"], added["detail"]) == (
        False,
        "Not part of the filing, because the manifest does not list them: letter.pdf; "
        f"{REPORT}.notes.txt.",
    )
    assert judged.exit_code == 0
    assert len(judged.files) == 4


def test_a_countersigned_copy_still_fits(folder: Path, verify: Verify, stranger: Identity) -> None:
    """A later signer appends to the file: what was filed is its beginning."""
    rules = find(folder, "rules.pdf")
    role = Role.LABORATORY
    signed = sign(
        rules.read_bytes(), identity=stranger, field=role.field, reason="Examined",
        location="Reno", certify=False,
    ).data  # fmt: skip
    copies = folder / f"{REPORT}.laboratory"
    copies.mkdir()
    (copies / f"{REPORT}.laboratory.rules.pdf").write_bytes(signed)
    assert verify_paths([folder], verify).exit_code == 0
    rules.write_bytes(signed)
    judged = verify_paths([folder], verify)
    assert (judged.exit_code, failures(judged)) == (0, {})


def test_drafts_that_nobody_signed_are_compared_and_never_accepted(
    folder: Path, verify: Verify
) -> None:
    for path in folder.glob("*.pdf"):
        verdict = verify("", path.read_bytes()).verdict
        assert verdict is not None
        path.write_bytes(verdict.unsigned_bytes)
    find(folder, MANIFEST).unlink()
    # The letter states the digests of the signed files, which are not here.
    paths = sorted(path for path in folder.glob("*.pdf") if ".letter." not in path.name)
    judged = verify_paths(paths, verify)
    assert judged.exit_code == 3
    assert judged.filings[0]["verdict"] == (
        "Nothing of this filing is signed, so anybody may have made or changed it. The files "
        "belong together, as far as they are here."
    )
    change_workbook(folder)
    judged = verify_paths([*paths, find(folder, "par-sheets.xlsx")], verify)
    assert judged.exit_code == 3
    assert judged.filings[0]["verdict"].endswith("or some are missing.")


def test_a_filing_of_an_earlier_version_has_no_signed_manifest(
    folder: Path, verify: Verify, signing_home: World
) -> None:
    listed = json.loads(find(folder, MANIFEST).read_bytes())
    for path in folder.glob("*.pdf"):
        files = embedded_files(path.read_bytes())
        files.pop(MANIFEST, None)
        path.write_bytes(signing_home.sign(page(files, REPORT, path.name.split(".")[-2])))
    for entry in listed["files"]:
        data = (folder / entry["name"]).read_bytes()
        entry |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        entry.pop("unsigned_sha256", None)
    find(folder, MANIFEST).write_text(json.dumps(listed), encoding="utf-8")
    judged = verify_paths([folder], verify)
    assert (judged.exit_code, failures(judged)) == (0, {})
    assert judged.filings[0]["verdict"].endswith("No signature covers the manifest.")


def test_the_rules_alone_prove_nothing_of_the_mathematics(
    folder: Path, verify: Verify, signing_home: World
) -> None:
    rules = find(folder, "rules.pdf")
    forge(rules, signing_home.identity, **{COMPLETE: "0" * 64})
    judged = judge_files(readers([rules, find(folder, "checklist.txt")]), verify)
    assert judged.exit_code == 0
    assert judged.filings[0]["verdict"].endswith(
        "The digest of the evidence was not compared. No signature covers the manifest."
    )


def readers(paths: Iterable[Path]) -> dict[str, Callable[[], bytes]]:
    return {str(path): path.read_bytes for path in paths}


def test_the_command_judges_folders_manifests_and_files(
    folder: Path,
    signing_home: World,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    root = tmp_path / "root.pem"
    root.write_bytes(signing_home.identity.certificate.pem())

    def ask(*arguments: object) -> tuple[int, str]:
        code = run(["verify", *map(str, arguments), "--trust", str(root)])
        return code, capsys.readouterr().out

    code, out = ask(folder)
    assert code == 0
    assert f"\n{REPORT}: The filing is complete" in out
    assert "\n  ok      The manifest agrees with the copies that the documents embed.\n" in out
    code, out = ask(find(folder, MANIFEST), "--format", "json")
    value: dict[str, Any] = json.loads(out)
    assert (code, set(value), len(value["results"])) == (0, {"verdict", "checks", "results"}, 4)
    assert {check["filing"] for check in value["checks"]} == {REPORT}
    assert ask(*folder.glob("*.pdf"), "--quiet") == (0, "")
    code, out = ask(*sorted(folder.glob("*.pdf")))
    assert "Whether the filing is complete was not examined." in out
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    code, out = ask(find(folder, "rules.pdf"), tmp_path / "notes.txt")
    assert code == 2
    assert f"{tmp_path / 'notes.txt'}: The file is not a PDF." in out
    (tmp_path / "empty").mkdir()
    assert ask(tmp_path / "empty")[0] == 3
