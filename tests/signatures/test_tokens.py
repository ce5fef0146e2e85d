import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from certify.errors import NotConfigured
from certify.signatures._reading import judge as verify
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import PASSWORD_VARIABLE, load_token
from certify.signatures.sign import sign

from .conftest import KEYS, World
from .test_aging import age_filing

MODULES = (
    Path("/usr/lib/softhsm/libsofthsm2.so"),
    Path("/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so"),
    Path("/usr/lib64/softhsm/libsofthsm2.so"),
    Path("/usr/local/lib/softhsm/libsofthsm2.so"),
    Path("/opt/homebrew/lib/softhsm/libsofthsm2.so"),
)
PIN = "1234"
TOKEN = "test-only"  # noqa: S105 - the label of a token, not a password
PRIVATE = KEYS / "test-only-card.key.pem"


@contextmanager
def _environment(configuration: Path) -> Iterator[None]:
    """SoftHSM2 reads its configuration when the module is loaded, once per process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOFTHSM2_CONF", str(configuration))
        yield


@pytest.fixture(scope="module")
def module(server_of_world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A token with the key of the card holder, which is the elder's too, and their certificates.

    Each signer's certificate has the label of the key; those of the issuers have other labels.
    """
    found = next((path for path in MODULES if path.is_file()), None)
    if shutil.which("softhsm2-util") is None or found is None:
        pytest.skip("SoftHSM2 is not installed: keys on PKCS#11 tokens were not tested")
    folder = tmp_path_factory.mktemp("token")
    (folder / "tokens").mkdir()
    configuration = folder / "softhsm2.conf"
    configuration.write_text(f"directories.tokendir = {folder / 'tokens'}\nlog.level = ERROR\n")
    key = folder / "key.pem"
    subprocess.run(
        ["openssl", "pkcs8", "-topk8", "-nocrypt", "-in", PRIVATE, "-out", key],
        check=True,
    )
    with _environment(configuration):
        _softhsm("--init-token", "--free", "--label", TOKEN, "--pin", PIN, "--so-pin", PIN)
        for label, number in (("card", "01"), ("elder", "02")):
            _softhsm(
                "--import", str(key), "--token", TOKEN, "--label", label, "--id", number,
                "--pin", PIN,
            )  # fmt: skip
        for label in ("card", "elder", "issuing"):
            _store_certificate(found, server_of_world, label)
        yield found


def _softhsm(*options: str) -> None:
    subprocess.run(["softhsm2-util", *options], check=True, capture_output=True)


def _store_certificate(module: Path, world: World, label: str) -> None:
    import pkcs11
    from pkcs11.util.x509 import decode_x509_certificate

    token = pkcs11.lib(str(module)).get_token(token_label=TOKEN)
    with token.open(user_pin=PIN, rw=True) as session:
        attributes = decode_x509_certificate(world.certificate(label).der)
        attributes |= {
            pkcs11.Attribute.TOKEN: True,
            pkcs11.Attribute.LABEL: label,
            pkcs11.Attribute.ID: b"\x02" if label == "elder" else b"\x01",
        }
        session.create_object(attributes)


def _card(module: Path, *, pin: str = PIN, token: str = TOKEN, label: str = "card") -> Identity:
    return load_token(module=module, token=token, label=label, environment={PASSWORD_VARIABLE: pin})


def test_a_token_signs(module: Path, unsigned: bytes, world: World) -> None:
    identity = _card(module)
    assert identity.name == "TEST ONLY Card"
    assert PIN not in repr(identity.key)
    for profile, url in (("B-B", None), ("B-T", world.url)):
        made = sign(
            unsigned, identity=identity, reason="Submission", location="Reno", timestamp_url=url
        )
        assert made.profile == profile
        verdict = verify(made.data, trust=world.trust, at=datetime.now(UTC))
        assert verdict.authentic, verdict.checks
        assert verdict.signer == "TEST ONLY Card"


@pytest.mark.long
def test_a_filing_that_a_token_signed_ages_ten_years(
    module: Path, unsigned: bytes, world: World
) -> None:
    identity = _card(module, label="elder")
    assert {each.common_name for each in identity.chain} >= {"TEST ONLY Issuing"}
    age_filing(unsigned, identity, world)


def test_what_is_wrong_with_a_token_is_named(module: Path, tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="PIN of the token 'test-only' is wrong"):
        _card(module, pin="9999")
    with pytest.raises(NotConfigured, match="'elsewhere' cannot be opened"):
        _card(module, token="elsewhere")  # noqa: S106 - a label
    with pytest.raises(NotConfigured, match="exactly one RSA key and one certificate"):
        _card(module, label="nobody")
    with pytest.raises(NotConfigured, match="cannot be opened through"):
        _card(tmp_path / "absent.so")
