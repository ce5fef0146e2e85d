import contextlib
import hashlib
import json
import shutil
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from msgspec.structs import replace

from certify.cli.app import run
from certify.commands import submit as submitting
from certify.commands.reproduce.reproduce import reproduce
from certify.commands.submit import Signing, WrittenSubmission, submit
from certify.engine import count_cache
from certify.errors import NotConfigured
from certify.filing import embedded
from certify.filing.delivery import OutputFile, deliver
from certify.filing.documents import PARTS
from certify.filing.evidence import EVIDENCE, MANIFEST
from certify.model.encoding import Progress
from certify.model.submission import ItemState, Status
from certify.report.submission import filed_json, filed_text
from certify.signatures.identity import FileKey
from certify.storage import LOCK
from tests.homes import new_home
from tests.signatures.conftest import World as Authority
from tests.signatures.conftest import server_of_world, world
from tests.verapdf import check_conformance, where_installed

from .conftest import GAME, PAYTABLE, Pieces, World, find_file, order

__all__ = ["server_of_world", "world"]  # fixtures: a timestamp authority on loopback

REPORT = "mini-pai-gow.nevada.1.bonus-community.r1.2026-11-21"


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.name != LOCK
    }


def read_json(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_bytes())
    return value


def test_the_files_of_a_submission(made: WrittenSubmission) -> None:
    endings = (
        "evidence.json", "rules.pdf", "mathematics.pdf", "letter.pdf", "confidential.memo.pdf",
        "checklist.json", "checklist.txt", "par-sheets.xlsx", "kit.zip", "manifest.json",
    )  # fmt: skip
    assert [path.name for path in made.files] == [f"{REPORT}.{ending}" for ending in endings]
    assert [*digests(made.files[0].parent)] == sorted(path.name for path in made.files)


def test_the_checklist_is_text_for_people_too(made: WrittenSubmission) -> None:
    text = find_file(made, ".checklist.txt").read_text(encoding="utf-8")
    lines = read_json(find_file(made, ".checklist.json"))["lines"]
    joined = " ".join(text.split())
    for line in lines:
        assert f"- {line['text']}" in joined
        assert line["detail"] in joined
    first = joined.split("Done (")[0]
    assert [line["text"] in first for line in lines] == [line["state"] == "open" for line in lines]
    assert max(map(len, text.splitlines())) <= 80


def test_what_was_filed_is_summed_up(made: WrittenSubmission) -> None:
    text = filed_text(made.submission)
    stated = filed_json(made.submission)
    assert text.startswith("Mini Pai Gow, Nevada, revision 1 of 2026-11-21\nDraft. ")
    for wager in stated["wagers"]:
        name = wager["target"].rpartition("/")[2]
        assert f", {name}: house edge {wager['house_edge_percent']}%" in text
    assert all(f"- {line['text']}" in " ".join(text.split()) for line in stated["open"])


class Listener:
    def __init__(self) -> None:
        self.parts: list[str] = []

    def about(self, what: str) -> Progress:
        self.parts.append(what)
        return self

    def __call__(self, done: int, of: int) -> None:
        assert 0 <= done <= of


def test_the_digest_of_each_file_is_reported(made: WrittenSubmission) -> None:
    assert made.sha256 == digests(made.files[0].parent)


def test_the_manifest_lists_every_other_file_with_its_digest(made: WrittenSubmission) -> None:
    manifest = read_json(find_file(made, ".manifest.json"))
    found = digests(made.files[0].parent)
    found.pop(f"{REPORT}.manifest.json")
    evidence = read_json(find_file(made, ".evidence.json"))
    assert manifest["engine"] == {name: evidence["engine"][name] for name in ("version", "sha256")}
    assert {file["name"]: file["sha256"] for file in manifest["files"]} == found
    assert manifest["status"] == "draft"
    assert manifest["evidence_sha256"] == found[f"{REPORT}.evidence.json"]
    signed = {file["name"]: file["signature"] for file in manifest["files"] if "signature" in file}
    parts = ("rules", "mathematics", "letter", "confidential.memo")
    names = [f"{REPORT}.{part}.pdf" for part in parts]
    assert signed == dict.fromkeys(names, "B-B")


def test_the_checklist_gives_the_state_of_each_item(
    made: WrittenSubmission, pieces: Pieces
) -> None:
    checklist = read_json(find_file(made, ".checklist.json"))
    of_divided_hands = [
        item
        for item in pieces.submission.jurisdiction.checklist
        if item.applies_to is None or item.applies_to.divided is not False
    ]
    items = [item.id for item in of_divided_hands]
    items.append("texts-in-force")  # computed: the texts that were not read from an official source
    assert [line["id"] for line in checklist["lines"]] == items
    assert {line["state"] for line in checklist["lines"]} <= set(ItemState)
    assert sum(checklist["totals"].values()) == len(items)
    provable = {item.id for item in of_divided_hands if item.proof}
    missing = [
        line["text"]
        for line in checklist["lines"]
        if line["state"] == "open" and line["id"] in provable
    ]
    assert len([line for line in made.notices if line.startswith("Missing")]) == len(missing)


def read_attached(path: Path) -> dict[str, bytes]:
    with pikepdf.open(path) as pdf:
        return {name: file.get_file().read_bytes() for name, file in pdf.attachments.items()}


def test_the_letter_encloses_the_filed_files_as_they_are_signed(made: WrittenSubmission) -> None:
    letter = find_file(made, ".letter.pdf")
    found = digests(letter.parent)
    filed = ("rules.pdf", "mathematics.pdf", "par-sheets.xlsx", "evidence.json", "kit.zip")
    listed = json.loads(read_attached(letter)[MANIFEST])
    stated = {file["name"]: file["sha256"] for file in listed["files"] if "sha256" in file}
    assert stated == {f"{REPORT}.{part}": found[f"{REPORT}.{part}"] for part in filed}
    printed = subprocess.run(["pdftotext", letter, "-"], capture_output=True, text=True, check=True)
    words = "".join(printed.stdout.split())
    assert f"Filenamesbeginwith{REPORT}," in words
    for name, digest in stated.items():
        assert f"…{name.removeprefix(f'{REPORT}.')}" in words
        assert digest in words


def test_no_filed_file_lists_or_embeds_working_papers(made: WrittenSubmission) -> None:
    manifest = read_json(find_file(made, ".manifest.json"))
    internal = {file["name"] for file in manifest["files"] if file.get("internal")}
    working = ("confidential.memo.pdf", "checklist.json", "checklist.txt")
    assert internal == {f"{REPORT}.{part}" for part in working}
    doubts = f"paytables--{GAME}--discrepancies.json"
    assert doubts in read_attached(find_file(made, ".memo.pdf"))
    for part in ("rules", "mathematics", "letter"):
        attached = read_attached(find_file(made, f".{part}.pdf"))
        assert doubts not in attached
        assert (
            not {"requirements", "checklist"}
            & json.loads(attached["evidence.json"])["judgements"].keys()
        )
        listed = json.loads(attached.get(MANIFEST, b'{"files": []}'))
        assert "notices" not in listed
        assert not {file["name"] for file in listed["files"]} & internal
    with zipfile.ZipFile(find_file(made, ".kit.zip")) as kit:
        assert not [name for name in kit.namelist() if name.endswith("discrepancies.json")]


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("part", ["letter", "memo"])
def test_the_letter_and_the_memo_are_reproduced(
    made: WrittenSubmission, signing_home: World, part: str
) -> None:
    found = reproduce(find_file(made, f".{part}.pdf").read_bytes(), trust=signing_home.trust)
    assert found.agreed, found.steps
    assert next(step for step in found.steps if step.id == "print").passed


@pytest.mark.parametrize("part", PARTS)
def test_other_programs_find_the_signed_documents_clean(made: WrittenSubmission, part: str) -> None:
    path = find_file(made, f".{part}.pdf")
    for program, *arguments in (["qpdf", "--check"], ["pdfsig"]):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not on the PATH")
        ended = subprocess.run(
            [program, *arguments, path], capture_output=True, encoding="utf-8", check=False
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        if program == "qpdf":
            assert "No syntax or stream encoding errors found" in ended.stdout
        else:
            assert ended.stdout.count("Signature Validation: Signature is Valid.") == 1
            assert "Total document signed" in ended.stdout


@where_installed
def test_verapdf_finds_the_signed_documents_conformant(made: WrittenSubmission) -> None:
    check_conformance([find_file(made, f".{part}.pdf") for part in PARTS])


@pytest.mark.usefixtures("blank_pages")
def test_the_confidential_part_is_separate_and_a_listener_hears_what_is_made(
    tmp_path: Path,
) -> None:
    listener = Listener()
    made = submit(order("wsgc", kit=True), signing=None, out=tmp_path, progress=listener)
    assert {
        "Counting mini-pai-gow/main/1", "Counting mini-pai-gow/bonus/community",
        "Counting mini-pai-gow/main/1, interpretation wheel-lowest",
        "Counting again mini-pai-gow", "Printing rules.pdf",
        "Printing mathematics.pdf", "Printing letter.pdf", "Printing memo.pdf",
    } <= {*listener.parts}  # fmt: skip
    report = "mini-pai-gow.wsgc.1.bonus-community.r1.2026-11-21"
    named = {file["name"]: file["confidential"] for file in read_json(made.files[-1])["files"]}
    assert named == {
        f"{report}.checklist.json": False,
        f"{report}.checklist.txt": False,
        f"{report}.confidential.evidence.json": True,
        f"{report}.confidential.kit.zip": True,
        f"{report}.confidential.mathematics.pdf": True,
        f"{report}.confidential.memo.pdf": True,
        f"{report}.confidential.par-sheets.xlsx": True,
        f"{report}.letter.pdf": False,
        f"{report}.rules.pdf": False,
    }
    evidence = find_file(made, ".evidence.json").read_bytes()
    with pikepdf.open(find_file(made, ".mathematics.pdf")) as pdf:
        assert pdf.attachments[EVIDENCE].get_file().read_bytes() == evidence
        assert "paytables--mini-pai-gow--second-counts.json" in pdf.attachments
        separate = {"alternatives", "published", "second-counts", "nevada"}
    with pikepdf.open(find_file(made, ".rules.pdf")) as pdf:
        assert {word for word in separate for name in pdf.attachments if word in name} == set()
        public = json.loads(pdf.attachments[EVIDENCE].get_file().read_bytes())
        assert b"combinations" not in pdf.attachments[EVIDENCE].get_file().read_bytes()
    assert public["complete_evidence_sha256"] == hashlib.sha256(evidence).hexdigest()
    assert {key for result in public["results"] for key in result} == {
        "target", "game", "wager", "paytable", "method", "rounding",
        "house_edge", "house_edge_decimal", "house_edge_percent",
    }  # fmt: skip


FILES = (
    OutputFile(part="evidence.json", data=b"1"),
    OutputFile(part="rules.pdf", data=b"2"),
    OutputFile(part="mathematics.pdf", data=b"3", confidential=True),
)


def files(*more: OutputFile) -> list[OutputFile]:
    return add_manifest([*FILES, *more])


def add_manifest(delivered: Sequence[OutputFile]) -> list[OutputFile]:
    value = {
        "files": [
            {"name": item.name("x"), "sha256": hashlib.sha256(item.data).hexdigest()}
            for item in delivered
        ]
    }
    return [*delivered, OutputFile(part="manifest.json", data=json.dumps(value).encode())]


KIT = OutputFile(part="kit.zip", data=b"4")
NAMES = ["x.confidential.mathematics.pdf", "x.evidence.json", "x.manifest.json", "x.rules.pdf"]


def test_a_second_run_replaces_the_first_and_takes_away_what_it_does_not_have(
    tmp_path: Path,
) -> None:
    deliver(tmp_path, "x", files(KIT), status=Status.DRAFT)
    (tmp_path / "letter.pdf").write_bytes(b"mine")
    deliver(tmp_path, "x", files(), status=Status.DRAFT)
    assert [*digests(tmp_path)] == ["letter.pdf", *NAMES]


def test_a_changed_file_is_not_overwritten(tmp_path: Path) -> None:
    deliver(tmp_path, "x", files(KIT), status=Status.DRAFT)
    (tmp_path / "x.kit.zip").write_bytes(b"changed")
    deliver(tmp_path, "x", files(), status=Status.DRAFT)
    assert (tmp_path / "x.kit.zip").read_bytes() == b"changed"


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"a file")
    with pytest.raises(NotConfigured, match=r"Cannot write .*out: File exists") as raised:
        deliver(tmp_path / "out", "x", files(), status=Status.DRAFT)
    assert raised.value.remedy == "Choose a folder that you may write to."
    assert (tmp_path / "out").read_bytes() == b"a file"


def test_a_run_that_is_interrupted_between_two_names_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(tmp_path, "x", files(KIT), status=Status.DRAFT)
    move = Path.replace
    moved: list[Path] = []

    def interrupted(self: Path, target: Path) -> Path:
        if target.parent == tmp_path:
            moved.append(target)
            if len(moved) == 2:
                raise KeyboardInterrupt
        return move(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        deliver(tmp_path, "x", files(), status=Status.DRAFT)
    assert [*digests(tmp_path)] == NAMES


def test_a_folder_with_the_name_of_a_file_stops_before_anything_is_replaced(
    tmp_path: Path,
) -> None:
    (tmp_path / "x.manifest.json").mkdir()
    with pytest.raises(NotConfigured, match="a folder has the name of a file"):
        deliver(tmp_path, "x", files(), status=Status.DRAFT)
    assert {path.name for path in tmp_path.iterdir()} == {"x.manifest.json"}


@pytest.mark.usefixtures("blank_pages")
def test_long_term_signatures_are_made_and_hold_without_the_authority(
    world: Authority,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
    # A final submission counts again, which takes a minute: what it counts is not tested here.
    monkeypatch.setattr(submitting, "bypass_cache", contextlib.nullcontext)
    monkeypatch.setattr(submitting, "print_draft", None)  # of a draft only
    key, password = tmp_path / "signer.p12", tmp_path / "password"
    roots = [tmp_path / "root.pem", tmp_path / "second.pem"]
    for root, certificate in zip(roots, world.trust, strict=True):
        root.write_bytes(certificate.pem())
        assert run(["keys", "trust", str(root)]) == 0
    identity = world.identity("signer")
    assert isinstance(identity.key, FileKey)
    key.write_bytes(identity.key.data)
    password.write_text(identity.key.password)
    asked = [
        "submit", GAME, "--jurisdiction", "nevada", "--paytable", PAYTABLE, "--long-term",
        "--identity", str(key), "--password-file", str(password), "--out", str(tmp_path / "out"),
        "--timestamp-url",
    ]  # fmt: skip
    monkeypatch.setattr("sys.argv", ["certify", *asked, world.url])

    world.on = False
    assert run([*asked, world.url]) == 2
    assert not (tmp_path / "out").exists()

    world.on = True
    assert run([*asked, world.authority("own")]) == 2
    refusal = "timestamp authority 'TEST ONLY Locksmith', which is not independent"
    assert refusal in capsys.readouterr().err
    assert not (tmp_path / "out").exists()

    assert run([*asked, world.url]) == 0
    manifest = read_json(tmp_path / "out" / f"{REPORT}.manifest.json")
    assert manifest["status"] == "final"
    assert [file.get("signature") for file in manifest["files"]].count("B-LTA") == len(PARTS)
    until = {file["provable_until"] for file in manifest["files"] if "signature" in file}
    assert until == {world.certificate("authority").not_after.isoformat()}

    world.on = False
    documents = [str(path) for path in sorted((tmp_path / "out").glob("*.pdf"))]
    trusted = [word for root in roots for word in ("--trust", str(root))]
    assert run(["verify", *documents, *trusted, "--signer", "TEST ONLY Signer"]) == 0
    evidence = read_json(tmp_path / "out" / f"{REPORT}.evidence.json")
    command = "certify submit mini-pai-gow --jurisdiction nevada --paytable community"
    assert evidence["order"]["command"] == command


class Asked(Exception):
    """The request for the analyses, with its permission to use cached counts."""


def asks(*_: object, fresh: bool = False) -> None:
    raise Asked("fresh" if fresh or count_cache._bypassed.get() else "kept")


@pytest.mark.parametrize(
    ("status", "counted"),
    [(Status.FINAL, "fresh"), (Status.DRAFT, "kept"), (Status.UNSIGNED, "kept")],
)
def test_only_a_draft_and_an_unsigned_file_use_cached_figures(
    status: Status, counted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submitting, "count_filing", asks)
    monkeypatch.setattr(submitting, "_status", lambda *_: status)
    with pytest.raises(Asked, match=counted):
        submit(order(), signing=None, out=tmp_path)


def test_a_signature_that_fails_does_so_before_anything_is_counted(
    world: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submitting, "count_filing", asks)
    sound, stranger = (Signing(identity=world.identity(who)) for who in ("signer", "stranger"))
    for signing, reason in (
        (Signing(identity=world.identity("authority")), "is not for signing documents"),
        (replace(sound, timestamp_url="http://127.0.0.1:9/"), "gave no timestamp"),
        (replace(sound, timestamp_url="timestamps.example.org"), "is not the URL"),
        (replace(sound, long_term=True), "needs a timestamp authority"),
        (replace(stranger, timestamp_url=world.url, long_term=True), "could not be completed"),
    ):
        with pytest.raises(NotConfigured, match=reason):
            submit(order(), signing=signing, out=tmp_path)
    alone = replace(sound, identity=replace(sound.identity, chain=()))
    with pytest.raises(NotConfigured, match="lead to no root: the certificate of 'TEST ONLY Root'"):
        submit(order(), signing=alone, out=tmp_path)
    for complete in (sound, replace(alone, trust=world.trust)):
        with pytest.raises(Asked):
            submit(order(), signing=complete, out=tmp_path)


def test_a_reproduction_counts_again_what_is_filed(
    pieces: Pieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "count_filing", asks)
    monkeypatch.setattr(embedded, "build_filing", lambda *_, **__: pieces.filing)
    with pytest.raises(Asked, match="fresh"):
        embedded.recount(json.loads(pieces.evidence), Path())
