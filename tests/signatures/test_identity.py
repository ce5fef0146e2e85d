import getpass
import os
import stat
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from functools import partial
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
from certify.errors import NotConfigured, NotReadable
from certify.filing.identities import Signer, open_identity
from certify.intake.files import read_signatory
from certify.model.approval import ROLES, Role, Signatory
from certify.model.finding import Unfit
from certify.printing.archival import FIELDS
from certify.signatures.certificate import DEVELOPMENT, read_pem
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import (
    PASSWORD_VARIABLE,
    identities,
    init_development,
    load,
    register_root,
    roots,
)
from certify.signatures.sign import sign

from . import conftest
from .conftest import World, issue_certificate

TODAY = date(2024, 5, 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    init_development(folder, name="Ada Lovelace", today=TODAY)
    return folder


@pytest.fixture
def archive(folder: Path, tmp_path: Path) -> Path:
    """The identity without its password file."""
    path = tmp_path / "moved.p12"
    path.write_bytes((folder / "development-ada-lovelace.p12").read_bytes())
    return path


@pytest.fixture(scope="module")
def password(folder: Path) -> str:
    return (folder / "development-ada-lovelace.password").read_text()


def test_a_development_identity_is_marked(folder: Path) -> None:
    identity = load(folder / "development-ada-lovelace.p12", environment={})
    certificate = identity.certificate
    assert identity.name == f"Ada Lovelace – {DEVELOPMENT}"
    assert identity.development
    assert certificate.self_signed
    assert certificate.not_before == datetime(2024, 4, 30, tzinfo=UTC)
    assert certificate.not_after == datetime(2025, 5, 1, tzinfo=UTC)


def test_its_key_is_rsa_of_3072_bits_for_signatures_only(folder: Path) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import rsa

    pem = (folder / "development-ada-lovelace.pem").read_bytes()
    certificate = x509.load_pem_x509_certificate(pem)
    key = certificate.public_key()
    assert isinstance(key, rsa.RSAPublicKey)
    assert key.key_size == 3072
    usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    assert usage.content_commitment
    assert not usage.key_cert_sign


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_key_and_password_are_for_their_owner_alone(folder: Path) -> None:
    for suffix in ("p12", "password"):
        mode = (folder / f"development-ada-lovelace.{suffix}").stat().st_mode
        assert stat.S_IMODE(mode) == 0o600


def test_the_private_key_does_not_show_in_a_representation(folder: Path, password: str) -> None:
    identity = load(folder / "development-ada-lovelace.p12", environment={})
    assert password not in repr(identity)
    assert "data=" not in repr(identity)


def test_an_existing_identity_is_never_overwritten(folder: Path) -> None:
    with pytest.raises(NotConfigured, match="exists already"):
        init_development(folder, name="Ada Lovelace", today=TODAY)


@pytest.mark.parametrize("name", ["", "  ", "x" * 26, "line\nbreak"])
def test_a_name_has_to_fit(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="does not fit") as caught:
        init_development(tmp_path, name=name, today=TODAY)
    assert "1 to 25" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_no_key_is_made_inside_a_git_work_tree(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with pytest.raises(NotConfigured, match="git work tree"):
        init_development(tmp_path / "deep" / "keys", name="Ada", today=TODAY)
    assert not (tmp_path / "deep").exists()


def test_the_password_comes_from_a_file_then_the_variable_then_a_question(
    archive: Path, password: str, tmp_path: Path
) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return password

    file = tmp_path / "secret"
    file.write_text(password + "\n")
    wrong = {PASSWORD_VARIABLE: "wrong"}
    load(archive, password_file=file, environment=wrong, ask=ask)
    load(archive, environment={PASSWORD_VARIABLE: password}, ask=ask)
    assert asked == []
    load(archive, environment={}, ask=ask)
    assert asked == ["Password of moved.p12: "]


def test_a_missing_and_a_wrong_password_are_distinguished(archive: Path) -> None:
    with pytest.raises(NotConfigured, match="password of the signing key is missing"):
        load(archive, environment={})
    with pytest.raises(NotConfigured, match="does not open: the password is wrong"):
        load(archive, environment={PASSWORD_VARIABLE: "wrong"})
    with pytest.raises(NotConfigured, match="cannot be read"):
        load(archive.with_name("absent.p12"), environment={PASSWORD_VARIABLE: "x"})
    archive.write_bytes(b"not an archive")
    with pytest.raises(NotConfigured, match="or it is not PKCS#12"):
        load(archive, environment={PASSWORD_VARIABLE: "x"})


def test_identities_are_listed_without_opening_them(folder: Path) -> None:
    (stored,) = identities(folder)
    assert stored.id == "development-ada-lovelace"
    assert stored.certificate.development
    assert identities(folder / "absent") == ()


def test_roots_are_the_registered_ones_and_own_development_identities(
    world: World, tmp_path: Path
) -> None:
    assert roots(tmp_path) == ()
    root = world.certificate("root")
    assert register_root(tmp_path, root.pem()) == (root,)
    register_root(tmp_path, root.pem())
    assert roots(tmp_path) == (root,)
    own = init_development(tmp_path, name="Ada", today=TODAY)
    assert roots(tmp_path) == (root, own.certificate)


def test_only_certificates_are_registered(tmp_path: Path, world: World) -> None:
    with pytest.raises(NotReadable, match="No certificate"):
        register_root(tmp_path, b"hello")
    key = b"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"
    with pytest.raises(NotConfigured, match="private key"):
        register_root(tmp_path, world.certificate("root").pem() + key)
    broken = b"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----\n"
    with pytest.raises(NotReadable, match="not a certificate"):
        read_pem(broken)
    assert not (tmp_path / "roots").exists()


def test_an_expired_identity_does_not_sign(folder: Path, unsigned: bytes) -> None:
    identity = load(folder / "development-ada-lovelace.p12", environment={})
    for moment in (datetime(2024, 4, 29, tzinfo=UTC), datetime(2025, 5, 2, tzinfo=UTC)):
        with pytest.raises(NotConfigured, match="is valid from 2024-04-30 to 2025-05-01"):
            sign(unsigned, identity=identity, reason="r", location="l", signing_time=moment)


def test_what_a_request_lacks_is_named(unsigned: bytes, development: Identity) -> None:
    ask = partial(sign, reason="Submission", location="Reno", identity=development)
    with pytest.raises(NotConfigured, match="no signature field 'Elsewhere'") as caught:
        ask(unsigned, field="Elsewhere")
    assert "Approver, Laboratory, Reviewer, Signature" in caught.value.message
    with pytest.raises(NotConfigured, match="needs a timestamp authority"):
        ask(unsigned, long_term=True)
    with pytest.raises(NotConfigured, match="is not the URL"):
        ask(unsigned, timestamp_url="ftp://example.org")
    with pytest.raises(NotConfigured, match="no time zone"):
        ask(unsigned, signing_time=datetime(2024, 5, 1))  # noqa: DTZ001 - the fault
    with pytest.raises(NotReadable, match="not a readable PDF"):
        ask(b"hello")
    assert caught.value.remedy == (
        "Sign in a role whose field is empty: preparer, laboratory, approver or reviewer."
    )
    once = ask(unsigned).data
    with pytest.raises(NotConfigured, match="is already signed") as caught:
        ask(once)
    assert caught.value.remedy.endswith(": laboratory, approver or reviewer.")
    with pytest.raises(NotConfigured, match="Only the first signature"):
        ask(once, field="Reviewer")


def test_the_declared_time_and_the_draft_mark_are_printed(
    unsigned: bytes, development: Identity, tmp_path: Path
) -> None:
    moment = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=1)
    data = sign(
        unsigned,
        identity=development,
        reason="100% paid",
        location="Reno",
        signing_time=moment,
    ).data
    path = tmp_path / "signed.pdf"
    path.write_bytes(data)
    printed = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
    assert (
        "DRAFT – signed with a development key, which certifies no name; names are as declared"
        in printed.stdout
    )
    assert f"Date: {moment:%Y-%m-%d %H:%M:%S} UTC, by the signer's own clock" in printed.stdout
    assert "Signed as: 100% paid" in printed.stdout
    assert "PAdES B-B" in printed.stdout


def test_importing_the_package_is_cheap() -> None:
    script = (
        "import sys; from certify.signatures import identity, identity_folder; "
        "from certify.signatures import sign, verify; "
        "heavy = {'pyhanko', 'cryptography', 'pikepdf', 'asn1crypto', 'fontTools'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


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
