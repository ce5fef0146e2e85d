# mypy: disable-error-code="no-untyped-call"
# (pyHanko annotates a part of its writer only)
import datetime as dt
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.commands.reproduce.reproduce import reproduce
from certify.commands.submit import WrittenSubmission
from certify.filing.evidence import EVIDENCE
from certify.signatures.identity_folder import init_development
from certify.signatures.pades import QuietWriter
from certify.signatures.verify import verify
from tests.marks import further
from tests.signatures.test_tampering import append_update

from .conftest import World, find_file


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


@pytest.fixture
def trusted_home(signing_home: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust, on the command line, whom the submission was signed by."""
    monkeypatch.setenv("CERTIFY_HOME", str(signing_home.folder.parent))


@pytest.mark.usefixtures("trusted_home", "one_process")
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


@pytest.mark.usefixtures("trusted_home")
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


@pytest.mark.usefixtures("trusted_home", "one_process")
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


@pytest.mark.usefixtures("trusted_home")
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
