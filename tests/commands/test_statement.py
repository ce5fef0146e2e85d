# mypy: disable-error-code="no-untyped-call"
# (pyHanko annotates a part of its writer only)
import datetime as dt
import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from certify.cli.app import run
from certify.commands.reproduce.reproduce import reproduce
from certify.commands.submit import WrittenSubmission
from certify.filing import verify as verification
from certify.filing.evidence import EVIDENCE
from certify.model.approval import Role
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import init_development
from certify.signatures.pades import QuietWriter
from certify.signatures.sign import sign
from certify.signatures.verify import verify
from tests.marks import further
from tests.signatures.test_tampering import append_update

from .conftest import ROOT, World, find_file

EXAMPLE = ROOT / "fixtures" / "statement" / "laboratory.json"
Statement = dict[str, Any]


@pytest.fixture(scope="module")
def laboratory(signing_home: World) -> Identity:
    """A laboratory whose root the readers of these tests trust, as they trust the preparer's."""
    today = dt.datetime.now(dt.UTC).date()
    return init_development(signing_home.folder, name="Example Laboratory", today=today)


@pytest.fixture(autouse=True)
def trusted_home(signing_home: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(signing_home.folder.parent))


@pytest.fixture(scope="module")
def statement(made: WrittenSubmission, rules: bytes) -> Statement:
    """The example, on the rules of play of the submission of these tests."""
    manifest = json.loads(find_file(made, ".manifest.json").read_bytes())
    stated: Statement = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    stated["submission"] = manifest["submission"]
    stated["evidence_sha256"] = manifest["evidence_sha256"]
    stated["files"][0]["sha256"] = hashlib.sha256(rules).hexdigest()
    return stated


@pytest.fixture(scope="module")
def key(laboratory: Identity, signing_home: World) -> str:
    assert not laboratory.stated.name
    return str(signing_home.folder / "development-example-laboratory.p12")


Countersign = Callable[[Statement | None], int]


@pytest.fixture
def countersign(rules: bytes, key: str, tmp_path: Path) -> Countersign:
    path, file = tmp_path / "rules.pdf", tmp_path / "laboratory.json"
    path.write_bytes(rules)

    def call(stated: Statement | None) -> int:
        file.write_text(json.dumps(stated, indent=1, ensure_ascii=False), encoding="utf-8")
        options = [] if stated is None else ["--statement", str(file)]
        return run(["countersign", str(path), "--identity", key, *options])

    return call


def read_stamp(path: Path) -> str:
    pages = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
    return " ".join(pages.stdout.split())


@pytest.mark.usefixtures("one_process")
def test_a_statement_is_signed_printed_and_read_again(
    *,
    countersign: Countersign,
    statement: Statement,
    rules: bytes,
    tmp_path: Path,
    signing_home: World,
    laboratory: Identity,
    capsys: pytest.CaptureFixture[str],
) -> None:
    statement = {**statement, "exceptions": ["Müller’s rule 3 was read as “ace is high”."]}
    assert countersign(statement) == 0
    signed = tmp_path / "rules.countersigned.pdf"
    digest = hashlib.sha256((tmp_path / "laboratory.json").read_bytes()).hexdigest()
    capsys.readouterr()
    assert run(["verify", str(signed)]) == 0
    printed = capsys.readouterr().out
    stamp = read_stamp(signed)
    for words in (
        "Statement LAB-2026-0117",
        "Laboratory: Example Laboratory, 12 Test Street, Reno, Nevada",
        "Customer: Sample Games LLC, 1 Main Street, Las Vegas, Nevada",
        f"Item: submission {statement['submission']}; SHA-256 of its evidence",
        "Examined: mini-pai-gow/bonus/community: every hand counted again, and each row compared "
        "(deckcount 4.2)",
        "Not examined: mini-pai-gow/main/1: outside the order of the customer",
        "Exception or deviation: Müller’s rule 3 was read as “ace is high”.",
        "Item received 2026-11-02; examined 2026-11-03 to 2026-11-20; statement issued 2026-11-23",
        "Authorized by: Grace Hopper, Technical Manager; the certificate names Example Laboratory",
        "This statement relates only to this item.",
    ):
        assert words in stamp
        assert f"  stated  {words}" in printed
    assert hashlib.sha256(rules).hexdigest() in stamp.replace(" ", "")
    assert f"statement LAB-2026-0117, SHA-256 {digest}" in stamp
    assert run(["verify", str(signed), "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [each["statement"] for each in answer["signatures"]] == [None, statement]
    trust = (*signing_home.trust, laboratory.certificate)
    assert reproduce(signed.read_bytes(), trust=trust).agreed


def test_a_laboratory_without_a_statement_says_so(
    countersign: Countersign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert countersign(None) == 0
    signed = tmp_path / "rules.countersigned.pdf"
    assert "No statement of what was examined is given." in read_stamp(signed)
    assert run(["verify", str(signed)]) == 0
    assert (
        "The laboratory's signature has no statement of what was examined."
        in capsys.readouterr().out
    )


FILED = "mini-pai-gow/bonus/community"
FOREIGN: dict[str, tuple[Statement, str]] = {
    "submission": ({"submission": "other"}, "it names the submission 'other', not"),
    "evidence": ({"evidence_sha256": "0" * 64}, "it does not name the evidence, of SHA-256"),
    "file": (
        {"files": [{"name": "rules.pdf", "sha256": "0" * 64}]},
        "it does not name the file received, of SHA-256",
    ),
    "target": (
        {"not_examined": [{"targets": ["mini-pai-gow/main/9"], "reason": "r"}]},
        "it names 'mini-pai-gow/main/9', which is not in the submission",
    ),
    "left out": ({"not_examined": []}, "it names 'mini-pai-gow/main/1' 0 times, not once"),
    "twice": (
        {"examined": [{"targets": [FILED, FILED], "method": "m"}]},
        f"it names '{FILED}' 2 times, not once",
    ),
    "dates": (
        {
            "dates": {
                "received": "2026-11-30",
                "examined_from": "2026-11-03",
                "examined_to": "2026-11-20",
                "issued": "2026-11-23",
            }
        },
        "its dates are not in order",
    ),
}


@pytest.mark.parametrize(("change", "reason"), FOREIGN.values(), ids=FOREIGN)
def test_a_statement_on_something_else_is_refused_and_fails(
    *,
    change: Statement,
    reason: str,
    countersign: Countersign,
    statement: Statement,
    rules: bytes,
    laboratory: Identity,
    signing_home: World,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert countersign({**statement, **change}) == 2
    message = capsys.readouterr().err
    assert "The statement does not belong to this document" in message
    assert reason in message
    assert not (tmp_path / "rules.countersigned.pdf").exists()

    data = json.dumps({**statement, **change}).encode()
    forged = sign(
        rules,
        identity=laboratory,
        field=Role.LABORATORY.field,
        reason="Forged",
        location="",
        certify=False,
        statement=data,
    ).data
    trust = (*signing_home.trust, laboratory.certificate)
    verified = verification.verify_file("rules.pdf", forged, trust=trust)
    verdict, answer = verified.verdict, verified.answer
    assert verdict is not None
    assert not verdict.authentic
    assert verdict.verdict == "A statement in the document does not belong to it."
    assert reason in verdict.checks[-1].detail
    assert answer["signatures"][1]["statement"] is None
    assert (answer["profile"], list(answer["pages"]), answer["proves_identity"]) == ("", [], False)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"id": "A"}', "The laboratory's statement has errors."),
        (b"{", "The laboratory's statement has errors."),
        (b" " * 30_001, "a signature holds at most 30,000"),
    ],
)
def test_a_statement_of_another_form_is_refused(
    *,
    data: bytes,
    message: str,
    rules: bytes,
    key: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, file = tmp_path / "rules.pdf", tmp_path / "statement.json"
    path.write_bytes(rules)
    file.write_bytes(data)
    assert run(["countersign", str(path), "--identity", key, "--statement", str(file)]) in {1, 2}
    assert message in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == [path, file]


def test_only_a_laboratory_gives_a_statement(
    rules: bytes, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rules.pdf"
    path.write_bytes(rules)
    asked = ["--identity", key, "--as", "approver", "--statement", str(EXAMPLE)]
    assert run(["countersign", str(path), *asked]) == 2
    assert "Only a laboratory signs a statement" in capsys.readouterr().err


def test_a_changed_statement_fails(
    countersign: Countersign, statement: Statement, tmp_path: Path
) -> None:
    assert countersign(statement) == 0
    signed = tmp_path / "rules.countersigned.pdf"
    before, after = (word.encode().hex().encode() for word in ("Grace", "Trace"))
    data = signed.read_bytes()
    assert data.count(before) == 1
    signed.write_bytes(data.replace(before, after))
    assert run(["verify", str(signed)]) == 1


def test_a_statement_that_would_be_too_small_to_read_is_refused(
    countersign: Countersign, statement: Statement, capsys: pytest.CaptureFixture[str]
) -> None:
    assert countersign({**statement, "exceptions": ["word " * 79 + "word"] * 12}) == 2
    assert "lines, and its field has room for" in capsys.readouterr().err


def swap_evidence(writer: QuietWriter) -> None:
    names = writer.root["/Names"]["/EmbeddedFiles"]["/Names"]
    place = [str(name) for name in list(names)].index(EVIDENCE)
    file = names[place + 1]["/EF"]["/F"]
    value = json.loads(file.data)
    value["results"][1]["house_edge_percent"] = "0.0000"
    file._data = json.dumps(value).encode()
    file._encoded_data = None
    writer.update_container(file)


def flip_a_byte(pdf: bytes) -> bytes:
    place = pdf.index(b"stream\n", len(pdf) // 2) + 20
    return pdf[:place] + bytes([pdf[place] ^ 1]) + pdf[place + 1 :]


TAMPERED: dict[str, Callable[[bytes], bytes]] = {
    "one flipped byte": flip_a_byte,
    "evidence swapped": lambda pdf: append_update(pdf, swap_evidence),
}


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("tamper", TAMPERED.values(), ids=TAMPERED)
def test_a_changed_document_is_rejected(
    rules: bytes,
    signing_home: World,
    tamper: Callable[[bytes], bytes],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pdf = tamper(rules)
    assert pdf != rules
    result = reproduce(pdf, trust=signing_home.trust)
    assert not result.agreed
    assert [step.id for step in result.steps] == ["signature"], "nothing is read from such a file"
    path = tmp_path / "rules.pdf"
    path.write_bytes(pdf)
    assert run(["verify", str(path)]) == 1
    assert run(["reproduce", str(path)]) == 1
    assert "is unchanged since" not in capsys.readouterr().out


def test_checks_that_documents_share_are_printed_once(
    made: WrittenSubmission, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(find_file(made, f".{part}.pdf")) for part in ("rules", "mathematics")]
    assert run(["verify", *files, "--format", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["results"]
    assert not first["proves_identity"]
    shared = [check["detail"] for check in first["checks"] if check in second["checks"]]
    assert shared
    assert run(["verify", *files]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [lines.count(f"  ok      {detail}") for detail in shared] == [1] * len(shared)


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("part", ["rules", *further(["mathematics"])])
def test_laboratory_and_approver_sign_with_the_preparer(
    part: str,
    made: WrittenSubmission,
    signing_home: World,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    today = dt.datetime.now(dt.UTC).date()
    once = find_file(made, f".{part}.pdf").read_bytes()
    path = tmp_path / f"{part}.pdf"
    path.write_bytes(once)
    trust = [signing_home.identity.certificate]
    for role in ("approver", "laboratory"):
        folder = tmp_path / role
        trust.append(init_development(folder, name=role.title(), today=today).certificate)
        key = str(next(folder.glob("*.p12")))
        assert run(["keys", "describe", key, "--company", f"{role.title()}, Inc."]) == 0
        trusted = [f"--trust={pem}" for pem in tmp_path.glob("*/*.pem")]
        trusted.append(f"--trust={next(signing_home.folder.glob('*.pem'))}")
        capsys.readouterr()
        assert run(["countersign", str(path), "--as", role, "--identity", key, *trusted]) == 0
        path = path.with_suffix(".countersigned.pdf")
        assert capsys.readouterr().out.strip() == str(path)
        # Nobody signs twice.
        assert run(["countersign", str(path), "--identity", key, *trusted]) == 2
        assert "has already signed this document" in capsys.readouterr().err
    pdf = path.read_bytes()
    assert pdf.startswith(once)
    verdict = verify(pdf, trust=tuple(trust), at=dt.datetime.now(dt.UTC))
    assert verdict.authentic, verdict.checks
    assert [(signature.role, signature.name) for signature in verdict.signatures] == [
        ("preparer", signing_home.identity.name),
        ("approver", trust[1].common_name),
        ("laboratory", trust[2].common_name),
    ]
    pages = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
    for words in (
        "Company: Laboratory, Inc.",
        "Company: Approver, Inc.",
        "checks PAdES signatures",
    ):
        assert words in pages.stdout
    assert reproduce(pdf, trust=tuple(trust)).agreed


def test_a_changed_document_is_not_countersigned(
    rules: bytes, signing_home: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rules.pdf"
    own_key = str(next(signing_home.folder.glob("*.p12")))
    path.write_bytes(rules)
    assert run(["countersign", str(path), "--identity", own_key]) == 2
    assert "has already signed this document" in capsys.readouterr().err
    path.write_bytes(flip_a_byte(rules))
    assert run(["countersign", str(path), "--identity", own_key]) == 1
    assert "The document is not countersigned" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["rules.pdf"]
