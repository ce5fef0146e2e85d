import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from certify.errors import NotConfigured
from certify.signatures._reading import judge as verify
from certify.signatures.certificate import Certificate
from certify.signatures.identity import Identity, Profile
from certify.signatures.sign import sign
from certify.signatures.verify import SignatureVerdict, embedded_files
from tests.marks import further

from .conftest import EVIDENCE, World

PROFILES: tuple[Profile, ...] = ("B-B", "B-T", "B-LT", "B-LTA")
QUICK = {("B-B", "B-B"), ("B-T", "B-LT"), ("B-LT", "B-B"), ("B-LTA", "B-LTA")}


def seal(
    data: bytes,
    identity: Identity,
    profile: Profile,
    world: World,
    *,
    field: str = "Signature",
    certify: bool = True,
) -> bytes:
    made = sign(
        data,
        identity=identity,
        field=field,
        reason="Submission",
        location="Reno",
        timestamp_url=None if profile == "B-B" else world.url,
        long_term=profile in ("B-LT", "B-LTA"),
        archive=profile == "B-LTA",
        certify=certify,
        trust=world.trust,
    )
    assert made.profile == profile
    return made.data


Sealed = Callable[[Profile], bytes]


@pytest.fixture(scope="module")
def sealed(unsigned: bytes, server_of_world: World) -> Sealed:
    """Return the document that the signer sealed, made once for each profile."""
    signer = server_of_world.identity("signer")
    return cache(lambda profile: seal(unsigned, signer, profile, server_of_world))


def list_failures(verdict: SignatureVerdict) -> list[str]:
    return [check.id for check in verdict.checks if check.required and not check.passed]


def accept(
    data: bytes, trust: tuple[Certificate, ...], at: datetime | None = None
) -> SignatureVerdict:
    verdict = verify(data, trust=trust, at=at or datetime.now(UTC))
    assert verdict.authentic, [check for check in verdict.checks if not check.passed]
    return verdict


@contextmanager
def switched_off(world: World) -> Iterator[None]:
    """Refuse every request, and check that none was made."""
    world.on, before = False, world.requests
    yield
    world.on = True
    assert world.requests == before


@pytest.mark.parametrize("profile", PROFILES)
def test_each_profile_is_accepted_and_named(
    profile: Profile, unsigned: bytes, world: World
) -> None:
    begun = datetime.now(UTC).replace(microsecond=0)
    data = seal(unsigned, world.identity("signer"), profile, world)
    with switched_off(world):
        verdict = accept(data, world.trust)
    assert verdict.profile == profile
    (signature,) = verdict.signatures
    assert (signature.role, signature.name) == ("preparer", "TEST ONLY Signer")
    assert (signature.issuer, signature.vouched) == ("TEST ONLY Root", True)
    assert signature.fingerprint == world.certificate("signer").fingerprint
    assert begun <= datetime.fromisoformat(signature.declared) <= datetime.now(UTC)
    if profile == "B-B":
        assert signature.proven == ""
    else:
        assert begun <= datetime.fromisoformat(signature.proven) <= datetime.now(UTC)
    assert verdict.signer == "TEST ONLY Signer"
    assert verdict.proves_identity
    limits = {
        "B-B": "; revocation was not looked up for 'TEST ONLY Signer' (preparer); "
        "no timestamp proves when it was signed",
        "B-T": "; revocation was not looked up for 'TEST ONLY Signer' (preparer) and "
        "'TEST ONLY Authority' (timestamp authority)",
    }
    assert verdict.verdict == (
        "The document is authentic: signed by 'TEST ONLY Signer' and unchanged since"
        f"{limits.get(profile, '')}."
    )
    assert data.startswith(unsigned)
    assert verdict.unsigned_bytes == unsigned
    assert embedded_files(data) == {"evidence.json": EVIDENCE}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(first, second, marks=() if pair in QUICK else pytest.mark.slow)
        for pair in product(PROFILES, PROFILES)
        for first, second in [pair]
    ],
)
def test_a_reviewer_may_countersign_every_profile(
    first: Profile, second: Profile, sealed: Sealed, unsigned: bytes, world: World
) -> None:
    once = sealed(first)
    twice = seal(once, world.identity("reviewer"), second, world, field="Reviewer", certify=False)
    with switched_off(world):
        verdict = accept(twice, world.trust)
    assert twice.startswith(once)
    assert verdict.signer == "TEST ONLY Signer"
    assert verdict.countersigners == ("TEST ONLY Reviewer",)
    assert verdict.unsigned_bytes == unsigned


def test_a_development_identity_proves_integrity_and_not_identity(
    signed: bytes, development: Identity
) -> None:
    verdict = accept(signed, (development.certificate,))
    assert verdict.profile == "B-B"
    assert not verdict.proves_identity
    assert verdict.verdict.endswith(
        "This development certificate proves integrity, not identity: "
        "no other party vouches for that name."
    )


def test_a_development_identity_can_reach_every_profile(
    unsigned: bytes, development: Identity, world: World
) -> None:
    data = seal(unsigned, development, "B-LTA", world)
    verdict = accept(data, (development.certificate, *world.trust))
    assert verdict.profile == "B-LTA"
    assert not verdict.proves_identity


@pytest.mark.parametrize(
    ("profile", "days", "holds"),
    [
        ("B-B", 9, True),
        ("B-B", 20, False),  # the signer's certificate ran out, and nothing proves an earlier use
        ("B-T", 20, True),
        ("B-LTA", 20, True),
        ("B-T", 40, False),  # the authority's certificate ran out as well
        ("B-LTA", 40, False),
    ],
)
def test_a_timestamp_outlives_the_signer_certificate_but_not_its_authority(
    profile: Profile, days: int, holds: bool, sealed: Sealed, world: World
) -> None:
    data = sealed(profile)
    with switched_off(world):
        verdict = verify(data, trust=world.trust, at=datetime.now(UTC) + timedelta(days=days))
    assert verdict.authentic == holds, str(verdict.checks)
    assert list_failures(verdict) == ([] if holds else ["time"])
    if not holds:
        assert verdict.verdict == "A certificate was not valid when it was used."


def test_a_trusted_signer_is_no_timestamp_authority(
    unsigned: bytes, development: Identity, world: World
) -> None:
    """Whoever trusts the root of the signer alone does not trust the authority."""
    data = seal(unsigned, development, "B-T", world)
    verdict = verify(data, trust=(development.certificate,), at=datetime.now(UTC))
    assert list_failures(verdict) == ["trust"]
    assert "no root that you trust vouches for 'TEST ONLY Authority'" in str(verdict.checks)


def test_a_revoked_certificate_cannot_reach_long_term(unsigned: bytes, world: World) -> None:
    with pytest.raises(NotConfigured, match="revoked"):
        seal(unsigned, world.identity("leaver"), "B-LT", world)


def test_a_certificate_that_the_document_itself_lists_as_revoked_is_refused(
    unsigned: bytes, world: World
) -> None:
    """The later signer's long-term data hold the list that names the first one."""
    data = seal(unsigned, world.identity("leaver"), "B-T", world)
    once = verify(data, trust=world.trust, at=datetime.now(UTC))
    assert once.authentic
    (looked_up,) = (check for check in once.checks if check.id == "revocation")
    assert (looked_up.passed, looked_up.required) == (False, False)
    assert "Revocation was not looked up" in looked_up.detail
    assert "; revocation was not looked up for 'TEST ONLY Leaver' (preparer)" in once.verdict
    data = seal(data, world.identity("card"), "B-LT", world, field="Reviewer", certify=False)
    for days in (0, 20):
        verdict = verify(data, trust=world.trust, at=datetime.now(UTC) + timedelta(days=days))
        assert list_failures(verdict) == ["revocation"]
        assert verdict.verdict == "A certificate was revoked when it was used."
        assert "the certificate of 'TEST ONLY Leaver' was revoked on" in str(verdict.checks)


@pytest.mark.parametrize("profile", [*further(PROFILES[:-1]), PROFILES[-1]])
def test_other_readers_agree(
    profile: Profile, sealed: Sealed, world: World, tmp_path: Path
) -> None:
    data = seal(
        sealed(profile), world.identity("reviewer"), profile, world, field="Reviewer", certify=False
    )
    path = tmp_path / "signed.pdf"
    path.write_bytes(data)
    missing = [tool for tool in ("qpdf", "pdfsig") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    checked = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    printed = subprocess.run(
        ["pdfsig", "-nocert", path], capture_output=True, text=True, check=False
    ).stdout
    # poppler lists document timestamps and does not judge them
    assert printed.count("Signature is Valid.") == 2
    assert printed.count("not yet been verified") == (2 if profile == "B-LTA" else 0)
    assert "Total document signed" in printed
    assert "TEST ONLY Signer" in printed


def test_an_authority_that_does_not_answer_is_named(
    unsigned: bytes, development: Identity, world: World
) -> None:
    world.on = False
    with pytest.raises(NotConfigured, match="gave no timestamp") as caught:
        seal(unsigned, development, "B-T", world)
    assert world.url in caught.value.message
    assert "B-B" in caught.value.remedy


def test_a_root_that_is_missing_for_long_term_data_is_named(
    unsigned: bytes, development: Identity, world: World
) -> None:
    with pytest.raises(NotConfigured, match="TEST ONLY Authority") as caught:
        sign(
            unsigned,
            identity=development,
            reason="Submission",
            location="Reno",
            timestamp_url=world.url,
            long_term=True,
        )
    assert "root" in caught.value.remedy
