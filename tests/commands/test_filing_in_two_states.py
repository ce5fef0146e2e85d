"""One game in two states: signed filings, letters on them, and a second revision between them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12
from cryptography.x509.oid import NameOID

from certify.cli.app import run
from certify.intake.files import read_register
from certify.model.approval import Approval
from certify.received.files import PROJECT
from certify.signatures.verify import embedded_files
from tests.homes import new_home
from tests.signatures.conftest import issue_certificate

from .test_filings import declare

PASSWORD = "test only"  # noqa: S105 - of throwaway keys
OWN = "The random number generator decides."
FILED: dict[str, Any] = {"paytables": ["community"], "strategy": "house-way"}

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of a user whose home trusts three people, each with a root."""
    monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
    (tmp_path / "password").write_text(PASSWORD)
    for name in ("company", "laboratory", "regulator"):
        _write_key(tmp_path, name)
        assert run(["keys", "trust", str(tmp_path / f"{name}.pem")]) == 0
    folder = tmp_path / "project"
    (folder / "paytables").mkdir(parents=True)
    (folder / PROJECT).write_text("")
    (folder / "letter.txt").write_text("approved")
    monkeypatch.chdir(folder)
    return folder


def _write_key(folder: Path, name: str) -> None:
    """Write a key that a root of its own certifies, as PKCS#12, and the root."""
    above, own = (rsa.generate_private_key(65537, 2048) for _ in range(2))
    issuer = f"{name.title()} Root"
    root = issue_certificate(
        above,
        above,
        issuer=issuer,
        subject={NameOID.COMMON_NAME: issuer},
        usages=("key_cert_sign", "crl_sign"),
    )
    made = issue_certificate(
        own,
        above,
        issuer=issuer,
        subject={NameOID.ORGANIZATION_NAME: name.title(), NameOID.COMMON_NAME: f"{name.title()} A"},
        usages=("digital_signature", "content_commitment"),
    )
    secret = BestAvailableEncryption(PASSWORD.encode())
    archive = pkcs12.serialize_key_and_certificates(b"own", own, made, [root], secret)
    (folder / f"{name}.p12").write_bytes(archive)
    (folder / f"{name}.p12").chmod(0o600)
    (folder / f"{name}.pem").write_bytes(root.public_bytes(Encoding.PEM))


def signer(name: str) -> list[str]:
    return ["--identity", f"../{name}.p12", "--password-file", "../password"]


def submit(name: str) -> dict[str, Path]:
    """Submit a filing as final; return its filed PDFs by their part."""
    assert run(["submit", name, "--out", f"filed/{name}", *signer("company")]) == 0
    revision = json.loads(Path(f"filings/{name}.json").read_text()).get("revision", "1")
    found = Path(f"filed/{name}").glob(f"*.r{revision}.*.pdf")
    return {path.name.split(".")[-2]: path for path in found if ".memo." not in path.name}


def countersign(path: Path, role: str, name: str) -> Path:
    assert run(["countersign", str(path), "--as", role, *signer(name)]) == 0
    return path.with_suffix(".countersigned.pdf")


def decide(name: str, *documents: Path) -> int:
    named = [part for path in documents for part in ("--document", str(path))]
    return run(["register", "add", name, "--status", "approved", "--letter", "letter.txt", *named])


def list_entries(name: str) -> list[tuple[str | None, str]]:
    approvals = read_register(Path("register.json"))[0].approvals
    mine = [each for each in approvals if each.filing == name]
    return [(each.revision, str(each.status)) for each in mine if each.status != "superseded"]


def entry(name: str, revision: str) -> Approval:
    approvals = read_register(Path("register.json"))[0].approvals
    return next(each for each in approvals if (each.filing, each.revision) == (name, revision))


def text(path: Path) -> str:
    printed = subprocess.run(
        ["pdftotext", "-raw", path, "-"], capture_output=True, text=True, check=True
    )
    return " ".join(printed.stdout.split())


def changed(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["register", "check"])
    return code, " ".join(capsys.readouterr().out.split())


@pytest.mark.usefixtures("project", "one_process")
def test_a_second_revision_in_one_state_while_another_decides_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # 1. Both states receive revision 1.
    declare("wa", "wsgc", **FILED)
    declare("nj", "new-jersey", **FILED)
    first, other = submit("wa"), submit("nj")
    assert (list_entries("wa"), list_entries("nj")) == ([("1", "pending")], [("1", "pending")])
    assert "redline" not in first | other
    # 2. The laboratory countersigns the mathematics report of Washington.
    signed = countersign(first["mathematics"], "laboratory", "laboratory")
    # 3. Revision 2 of Washington is begun.
    assert run(["new", "revision", "wa", "--text", "The generator decides."]) == 0
    path = Path("filings/wa.json")
    own = {"sentences": [{"id": "dealing.first", "text": OWN}]}
    path.write_text(json.dumps(json.loads(path.read_text()) | own))
    code, shown = changed(capsys)
    assert (code, "nj:" in shown) == (0, False)
    assert "the declared revision 2 differs: rules 5.5." in shown
    # 4. Washington approves revision 1, and signs the countersigned report.
    signed = countersign(signed, "approver", "regulator")
    assert decide("wa", other["mathematics"]) == 2  # of another filing
    changed_copy = Path("copy.pdf")
    changed_copy.write_bytes(first["rules"].read_bytes() + b"% more\n%%EOF\n")
    assert decide("wa", changed_copy) == 2  # it grew by no signature
    assert decide("wa", signed, first["rules"]) == 0
    assert list_entries("wa") == [("1", "approved")]
    assert list_entries("nj") == [("1", "pending")]
    # 5. Revision 2 is filed in Washington, with the redline against the approved revision.
    second = submit("wa")
    assert list_entries("wa") == [("1", "approved"), ("2", "pending")]
    twin = json.loads(embedded_files(second["redline"].read_bytes(), signed=True)["redline.json"])
    (sentence,) = (each for each in twin["declared"] if each["path"] == "dealing.first/text")
    assert sentence["after"] == OWN
    assert signed.name in text(second["redline"]).replace(" ", "")
    # 6. New Jersey decides revision 1, which is in all its documents.
    assert decide("nj", *other.values()) == 0
    assert list_entries("nj") == [("1", "approved")]
    # 7. Washington approves revision 2, which takes the place of revision 1.
    assert decide("wa", first["rules"]) == 2
    assert decide("wa", *second.values()) == 0
    assert list_entries("wa") == [("2", "approved")]
    # 8. Register and documents agree, each with what was filed.
    assert changed(capsys)[0] == 0
    assert entry("wa", "1").rules_sha256 != entry("wa", "2").rules_sha256
    assert OWN in text(second["rules"])
    assert OWN not in text(first["rules"]) + text(other["rules"])
    assert "Revision 2" not in text(other["rules"])
    for documents, shared in ((first, "wa"), (second, "wa"), (other, "nj")):
        assert run(["verify", *map(str, documents.values())]) == 0
        assert f".{shared}." in documents["rules"].name
    assert run(["verify", str(signed)]) == 0
    assert run(["reproduce", "--figures-only", str(second["mathematics"])]) == 0
