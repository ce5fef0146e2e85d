import stat
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from certify.errors import NotConfigured, NotReadable
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

from .conftest import World

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
