import getpass
import os
import subprocess
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from msgspec.structs import asdict, replace

from certify.cli.app import run
from certify.cli.documents import ask
from certify.commands.submit import Signing, _signer_notices
from certify.errors import NotConfigured
from certify.filing.identities import Signer, open_identity
from certify.intake.files import read_signatory
from certify.model.approval import ROLES, Role, Signatory
from certify.model.finding import Unfit
from certify.printing.archival import FIELDS
from certify.signatures.certificate import DEVELOPMENT
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import init_development
from certify.signatures.sign import sign

from . import conftest
from .conftest import World, issue_certificate

ADA = Signatory(
    name="Ada Lovelace",
    title="Director of Game Mathematics",
    company="Sample Games LLC",
    licence="Manufacturer 00000",
)


def read_text(pdf: bytes, folder: Path) -> str:
    path = folder / "signed.pdf"
    path.write_bytes(pdf)
    printed = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
    return printed.stdout


def sign_pdf(unsigned: bytes, identity: Identity) -> bytes:
    return sign(unsigned, identity=identity, reason="Preparer", location="Reno").data


def build_identity(**subject: str) -> Identity:
    """Return an identity whose certificate somebody else issued, with these parts of a subject."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    kinds = {
        "name": NameOID.COMMON_NAME,
        "title": NameOID.TITLE,
        "company": NameOID.ORGANIZATION_NAME,
    }
    stated = {kinds[part]: text for part, text in subject.items()}
    made = issue_certificate(key, key, issuer="TEST ONLY Issuer", subject=stated)
    return conftest.open_identity(key, made)


@pytest.fixture
def accounts(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the account that runs the command, wherever a program may ask for it."""
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, "zaphod")
    monkeypatch.setattr(getpass, "getuser", lambda: "zaphod")
    if hasattr(os, "getlogin"):
        monkeypatch.setattr(os, "getlogin", lambda: "zaphod")
    return "zaphod"


def test_a_development_key_shows_its_holders_statements_without_proof(
    unsigned: bytes, development: Identity, tmp_path: Path
) -> None:
    text = read_text(sign_pdf(unsigned, replace(development, stated=ADA)), tmp_path)
    for words in (
        "DRAFT – signed with a development key, which certifies no name; names are as declared",
        "Name: Ada Lovelace\n",
        "Title: Director of Game Mathematics\n",
        "Company: Sample Games LLC\n",
        "License: Manufacturer 00000\n",
        "Signed as: Preparer\n",
        "Certificate issued by: its own holder (self-signed: nobody else certifies it)\n",
        f"Certificate SHA-256: {development.certificate.fingerprint}\n",
    ):
        assert words in text


def test_missing_statements_are_shown(
    unsigned: bytes, development: Identity, tmp_path: Path
) -> None:
    text = read_text(sign_pdf(unsigned, development), tmp_path)
    for part in ("Name", "Title", "Company", "License"):
        assert f"{part}: not stated\n" in text


def test_a_certificate_names_signer_and_issuer(
    unsigned: bytes, world: World, tmp_path: Path
) -> None:
    text = read_text(sign_pdf(unsigned, world.identity("signer")), tmp_path)
    assert "DRAFT" not in text
    assert "Name: TEST ONLY Signer\n" in text
    assert "Certificate issued by: TEST ONLY Root\n" in text
    assert world.certificate("signer").fingerprint in text


def test_what_is_certified_goes_first_and_what_is_stated_is_added() -> None:
    identity = build_identity(name="Ada Lovelace", title="Director", company="Sample Games LLC")
    stated = Signatory(licence="Manufacturer 00000")
    assert replace(identity, stated=stated).signatory == Signatory(
        name="Ada Lovelace",
        title="Director",
        company="Sample Games LLC",
        licence="Manufacturer 00000",
    )


@pytest.mark.parametrize("part", ["name", "title", "company"])
def test_a_statement_against_the_certificate_is_refused(part: str) -> None:
    identity = build_identity(name="Ada Lovelace", title="Director", company="Sample Games LLC")
    with pytest.raises(NotConfigured, match=f"The declared {part} is 'Charles'"):
        replace(identity, stated=Signatory(**{part: "Charles"}))


def test_the_certificate_of_a_company_names_no_person() -> None:
    identity = build_identity(name="Sample Games LLC", company="Sample Games LLC")
    assert identity.signatory == Signatory(company="Sample Games LLC")
    assert replace(identity, stated=ADA).signatory == ADA


def test_a_statement_cannot_draw_a_line(unsigned: bytes, development: Identity) -> None:
    forged = Signatory(title="Clerk\nName: Grace Hopper")
    with pytest.raises(NotConfigured, match=r"no glyph for '\\n'"):
        sign_pdf(unsigned, replace(development, stated=forged))
    turned = Signatory(title="Clerk \N{RIGHT-TO-LEFT OVERRIDE}")
    with pytest.raises(NotConfigured, match=r"U\+202E"):
        sign_pdf(unsigned, replace(development, stated=turned))


def test_no_account_name_is_in_a_key_or_in_what_it_signs(
    accounts: str,
    unsigned: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))
    assert run(["keys", "init-dev"]) == 0
    printed = capsys.readouterr().out
    keys = tmp_path / "home" / "keys"
    assert sorted(path.name for path in keys.iterdir()) == [
        "development-key.p12",
        "development-key.password",
        "development-key.pem",
    ]
    identity = open_identity(Signer(), ask)
    assert identity.name == DEVELOPMENT
    pdf = sign_pdf(unsigned, identity)
    assert accounts not in printed + read_text(pdf, tmp_path) + str(asdict(identity.certificate))
    assert accounts.encode() not in pdf


def test_an_old_key_that_carries_the_account_does_not_show_it(
    unsigned: bytes, tmp_path: Path
) -> None:
    """Keys of the first edition have the account's name in their certificate."""
    old = init_development(tmp_path, name="zaphod", today=datetime.now(UTC).date())
    pdf = sign_pdf(unsigned, old)
    assert "zaphod" not in read_text(pdf, tmp_path)
    with pikepdf.open(BytesIO(pdf)) as opened:
        assert str(opened.Root.AcroForm.Fields[0].V.Name) == DEVELOPMENT


@pytest.fixture
def key_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path))
    return tmp_path / "keys"


def test_a_key_is_made_and_described_on_the_command_line(
    key_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stated = ["--title", "Director", "--company", "Sample Games LLC", "--license", "A 1"]
    assert run(["keys", "init-dev", "--name", "Ada Lovelace", *stated]) == 0
    path = key_folder / "development-ada-lovelace.signatory.json"
    expected = Signatory(
        name="Ada Lovelace", title="Director", company="Sample Games LLC", licence="A 1"
    )
    assert read_signatory(path) == expected
    assert (
        run(["keys", "describe", "development-ada-lovelace", "--title", "", "--license", "B"]) == 0
    )
    assert read_signatory(path) == replace(expected, title=None, licence="B")
    identity = open_identity(Signer(identity="development-ada-lovelace"), ask)
    assert identity.signatory == replace(expected, title=None, licence="B")
    assert run(["check", str(path)]) == 0
    assert "No key here" not in capsys.readouterr().err
    assert run(["keys", "describe", "development-ada-lovlace", "--title", "Director"]) == 0
    assert "No key here is named development-ada-lovlace" in capsys.readouterr().err


def test_a_wrong_statement_is_found_before_anything_is_signed(
    key_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["keys", "init-dev", "--name", "Ada", "--title", "x" * 81]) == 1
    assert not key_folder.exists()
    assert run(["keys", "init-dev", "--name", "Ada"]) == 0
    path = key_folder / "development-ada.signatory.json"
    path.write_text('{"license": "A 1"}', encoding="utf-8")
    with pytest.raises(Unfit) as caught:
        open_identity(Signer(), ask)
    assert (caught.value.findings[0].line, caught.value.findings[0].pointer) == (1, "/license")
    assert run(["keys", "describe", "../elsewhere", "--title", "Clerk"]) == 2
    assert "is not an identity" in capsys.readouterr().err


def test_each_role_has_a_field_in_what_is_printed() -> None:
    assert {name for _, name, _ in FIELDS} == set(ROLES)
    assert ROLES["Signature"] is Role.PREPARER


def test_a_signature_for_a_filing_names_what_it_does_not_state(
    development: Identity, world: World
) -> None:
    identity = build_identity(name="Ada Lovelace", company="Sample Games LLC")
    assert _signer_notices(Signing(identity=identity)) == (
        "The signature does not state the signer's title: `certify keys describe` adds it.",
        "The signature does not state the signer's license: `certify keys describe` adds it.",
    )
    assert _signer_notices(Signing(identity=replace(identity, stated=ADA))) == ()
    assert _signer_notices(Signing(identity=development)) == ()
    assert _signer_notices(None) == ()
    listed = Signing(identity=replace(world.identity("signer"), stated=replace(ADA, name=None)))
    notice = "The revocation of 'TEST ONLY Signer' was not looked up: use --long-term."
    assert _signer_notices(listed) == (notice,)
    assert _signer_notices(replace(listed, long_term=True)) == ()


@pytest.mark.parametrize("drawn", [True, False])
def test_a_stamp_keeps_the_size_of_its_field(
    drawn: bool, unsigned: bytes, development: Identity
) -> None:
    """DSS objects to a box that is rounded: a signature may fill in a field, not resize it."""
    stream = BytesIO()
    with pikepdf.open(BytesIO(unsigned)) as pdf:
        field = pdf.Root.AcroForm.Fields[0]
        field.Rect = pikepdf.Array([60.25, 100, 360.5, 192.34])
        if drawn:
            empty = pdf.make_stream(b"", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form)
            empty.BBox = pikepdf.Array([0, 0, 300.25, 92.34])
            field.AP = pikepdf.Dictionary(N=empty)
        pdf.save(stream, min_version="1.7")
    with pikepdf.open(BytesIO(sign_pdf(stream.getvalue(), development))) as signed:
        box = signed.Root.AcroForm.Fields[0].AP.N.BBox
        assert [float(edge) for edge in box] == [0, 0, 300.25, 92.34]
