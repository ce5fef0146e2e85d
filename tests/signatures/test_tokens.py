import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from certify.commands.renew import renew
from certify.errors import NotAuthentic, NotConfigured
from certify.signatures._reading import judge
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import PASSWORD_VARIABLE, load_token
from certify.signatures.sign import sign
from certify.signatures.verify import SignatureVerdict

from .conftest import DAY, KEYS, YEAR, World, find_failures
from .test_profiles import PROFILES, accept, seal

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


def test_a_token_signs_in_every_profile(module: Path, unsigned: bytes, world: World) -> None:
    identity = _card(module)
    assert identity.name == "TEST ONLY Card"
    assert PIN not in repr(identity.key)
    for profile in PROFILES:
        verdict = accept(seal(unsigned, identity, profile, world), world.trust)
        assert verdict.signer == "TEST ONLY Card"


def test_a_token_signs_with_the_chain_that_it_holds(
    module: Path, unsigned: bytes, world: World
) -> None:
    """A filing that this certificate signed ages ten years below."""
    identity = _card(module, label="elder")
    assert {each.common_name for each in identity.chain} >= {"TEST ONLY Issuing"}
    accept(seal(unsigned, identity, "B-LTA", world), world.trust)


def test_what_is_wrong_with_a_token_is_named(module: Path, tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="PIN of the token 'test-only' is wrong"):
        _card(module, pin="9999")
    with pytest.raises(NotConfigured, match="'elsewhere' cannot be opened"):
        _card(module, token="elsewhere")  # noqa: S106 - a label
    with pytest.raises(NotConfigured, match="exactly one RSA key and one certificate"):
        _card(module, label="nobody")
    with pytest.raises(NotConfigured, match="cannot be opened through"):
        _card(tmp_path / "absent.so")


# A filing in the ten years after it was signed: each verdict, and what keeps it provable


class Years:
    """The clock of the authorities and of certify, in years from now."""

    def __init__(self, world: World) -> None:
        self.world, self.start = world, datetime.now(UTC)

    def moment(self, years: float) -> datetime:
        return self.start + years * YEAR * DAY

    def file(self, pdf: bytes, identity: Identity) -> bytes:
        """Sign as `submit --long-term` does, today."""
        first, trust = self.world.authority("first"), self.world.trust
        return sign(
            pdf, identity=identity, reason="", location="", timestamp_url=first, long_term=True,
            trust=trust,
        ).data  # fmt: skip

    def examine(self, pdf: bytes, years: float, *, stamped: bool = True) -> bytes:
        """Sign as the laboratory, whose certificate will be revoked after three years."""
        self.world.clock = at = self.moment(years)
        return sign(
            pdf, identity=self.world.identity("younger"), field="Laboratory", reason="",
            location="", signing_time=at, certify=False,
            timestamp_url=self.world.authority("first") if stamped else None,
        ).data  # fmt: skip

    def renew(self, pdf: bytes, years: float, authority: str) -> bytes:
        self.world.clock = at = self.moment(years)
        url = self.world.authority(authority)
        return renew(pdf, timestamp_url=url, trust=self.world.trust, at=at).data

    def judge(self, pdf: bytes, years: float) -> SignatureVerdict:
        return judge(pdf, trust=self.world.trust, at=self.moment(years))

    def accepts(self, pdf: bytes, years: float, until: float) -> bool:
        """Return True if a file is accepted after some years, and provable until that year."""
        verdict = self.judge(pdf, years)
        if not verdict.authentic:
            assert find_failures(verdict) <= {"time", "trust"}
            return False
        found = datetime.fromisoformat(verdict.provable_until) - self.start
        assert abs(found / (YEAR * DAY) - until) < 0.01
        return True


def age_filing(pdf: bytes, identity: Identity, world: World) -> None:
    """Check a filing through ten years.

    The issuer of the preparer expires after 2 years and the preparer after 3, when the laboratory
    is revoked; the authorities expire after 5, 8 and 12 years.
    """
    years = Years(world)
    filed = years.file(pdf, identity)
    plain = sign(pdf, identity=identity, reason="", location="").data
    assert [years.accepts(plain, at, until=2) for at in (0, 1.9, 2.1)] == [True, True, False]

    examined = years.examine(filed, 1)
    spoiled = years.examine(filed, 1, stamped=False)
    for at in (3.5, 4.9):
        assert years.accepts(filed, at, until=5)
        assert years.accepts(examined, at, until=5)
    assert not years.accepts(filed, 5.1, until=5)
    assert not years.accepts(examined, 5.1, until=5)

    late = years.examine(filed, 3.5)  # after the revocation, and before anybody looks it up
    for unproven in (late, spoiled):
        with pytest.raises(NotConfigured, match=r"revoked on .* nothing proves a use before then"):
            years.renew(unproven, 4.5, "next")

    once = years.renew(examined, 4.5, "next")
    assert years.judge(once, 4.6).profile == "B-LTA"
    assert [years.accepts(once, at, until=8) for at in (5.1, 7.9, 8.1)] == [True, True, False]
    with pytest.raises(NotAuthentic):
        years.renew(examined, 5.1, "next")  # too late

    twice = years.renew(once, 7.5, "last")
    assert twice.startswith(once)
    assert [years.accepts(twice, at, until=12) for at in (8.1, 10, 11.9)] == [True] * 3
    assert not years.accepts(twice, 12.1, until=12)
    verdict = years.judge(twice, 10)
    assert [signature.role for signature in verdict.signatures] == ["preparer", "laboratory"]
    assert [stamp.authority for stamp in verdict.timestamps] == [
        f"TEST ONLY {name}" for name in ("First", "First", "First", "Next", "Last")
    ]
    assert verdict.unsigned_bytes == pdf
    changed = twice[:300] + bytes([twice[300] ^ 1]) + twice[301:]
    assert not years.judge(changed, 10).authentic


@pytest.mark.long
def test_a_filing_ages_ten_years(unsigned: bytes, world: World) -> None:
    age_filing(unsigned, world.identity("elder"), world)
