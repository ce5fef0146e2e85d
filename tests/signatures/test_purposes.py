# mypy: disable-error-code="no-untyped-call"
# (pyHanko annotates a part of its writer only)
import datetime as dt
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from unittest.mock import Mock

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from pyhanko.sign.signers import PdfTimeStamper
from pyhanko.sign.timestamps import HTTPTimeStamper

from certify.cli.app import run
from certify.errors import NotConfigured
from certify.model.approval import Role
from certify.signatures import sign as signing
from certify.signatures._reading import judge
from certify.signatures.certificate import DEVELOPMENT, Certificate
from certify.signatures.identity import Identity
from certify.signatures.pades import QuietWriter
from certify.signatures.sign import sign
from certify.signatures.verify import verify
from tests.acceptance.test_hostile_text import LIE, RARE, UNSEEN, assert_plain

from .conftest import World, find_failures, issue_certificate, open_identity


@pytest.mark.parametrize("misfit", ["server", "program", "stamper", "locksmith"])
def test_a_certificate_for_another_purpose_signs_nothing(
    misfit: str, unsigned: bytes, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotConfigured, match="is not for signing documents"):
        world.sign(unsigned, misfit)
    monkeypatch.setattr(signing, "_refuse_invalid", lambda *_: None)  # as another program would
    verdict = world.judge(world.sign(unsigned, misfit))
    assert find_failures(verdict) == {"trust"}
    assert "is not for signing documents" in str(verdict.checks)


def test_a_certificate_with_a_fit_purpose_signs(unsigned: bytes, world: World) -> None:
    assert world.judge(world.sign(unsigned, "mailer")).authentic


@pytest.mark.parametrize(("root", "accepted"), [(f"Ada {DEVELOPMENT}", False), ("Ada", True)])
def test_a_development_certificate_vouches_for_no_other_name(
    root: str, accepted: bool, unsigned: bytes
) -> None:
    anchor_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    anchor = issue_certificate(
        anchor_key,
        anchor_key,
        issuer=root,
        subject={NameOID.COMMON_NAME: root},
        usages=["digital_signature", "content_commitment", "key_cert_sign"],
    )
    leaf = issue_certificate(
        key,
        anchor_key,
        issuer=root,
        subject={NameOID.COMMON_NAME: "Grace Hopper"},
        usages=["digital_signature", "content_commitment"],
    )
    identity = open_identity(key, leaf, anchor)
    data = sign(unsigned, identity=identity, reason="Submission", location="Reno").data
    verdict = judge(data, trust=identity.chain, at=datetime.now(UTC))
    assert verdict.authentic is accepted
    assert find_failures(verdict) == (set() if accepted else {"trust"})


def _stamped(data: bytes, world: World, field: str | None = None) -> bytes:
    stamper = PdfTimeStamper(HTTPTimeStamper(world.url), field_name=field)
    stream: BytesIO = stamper.timestamp_pdf(QuietWriter(BytesIO(data)), "sha256")
    return stream.getvalue()


def test_a_timestamp_alone_makes_nothing_authentic(unsigned: bytes, world: World) -> None:
    verdict = world.judge(_stamped(unsigned, world))
    assert find_failures(verdict) == {"signature"}
    assert verdict.verdict == "The document has a timestamp but no signature."


def test_a_timestamp_does_not_fill_the_field_of_the_reviewer(unsigned: bytes, world: World) -> None:
    data = _stamped(world.sign(unsigned), world, "Reviewer")
    assert "content" in find_failures(world.judge(data))


def test_two_of_one_name_are_distinguished_by_their_digests(unsigned: bytes, world: World) -> None:
    signer, namesake = (world.identity(item) for item in ("signer", "namesake"))
    digests = [item.certificate.fingerprint for item in (signer, namesake)]
    assert signer.name == namesake.name
    assert digests[0] != digests[1]
    data = world.sign(unsigned)
    alone = world.judge(data)
    assert digests[0] in str(alone.checks)
    assert f"signed by {signer.name!r} and unchanged" in alone.verdict
    more = sign(
        data,
        identity=namesake,
        field=Role.APPROVER.field,
        reason="Review",
        location="Reno",
        certify=False,
    ).data
    verdict = world.judge(more)
    assert verdict.authentic
    assert [signature.fingerprint for signature in verdict.signatures] == digests
    for digest, role in zip(digests, ("preparer", "approver"), strict=True):
        assert f"{signer.name!r} (SHA-256 {digest}) as {role}" in verdict.verdict
        asked = world.judge(more, signer=digest)
        assert find_failures(asked) == (set() if role == "preparer" else {"signer"})


# Keys that verify refuses sign nothing, and names in certificates are read as no sentence


# A key that `verify` refuses signs nothing: one policy decides for both.


NOW = dt.datetime.now(dt.UTC)
Chain = tuple[Identity, Certificate]


def issue_rsa(bits: int, *, issuer_bits: int = 2048, usage: bool = True) -> Chain:
    """Return a signer whose certificate a root issued, and the root."""
    root_key, key = (
        rsa.generate_private_key(public_exponent=65537, key_size=size)
        for size in (issuer_bits, bits)
    )
    subject = {NameOID.COMMON_NAME: "Root"}
    root = issue_certificate(
        root_key, root_key, issuer="Root", subject=subject, usages=["key_cert_sign"]
    )
    own = issue_certificate(
        key,
        root_key,
        issuer="Root",
        subject={NameOID.COMMON_NAME: "Signer"},
        usages=["digital_signature"] if usage else [],
    )
    identity = open_identity(key, own, root)
    return identity, identity.chain[0]


@pytest.mark.parametrize(
    ("bits", "issuer_bits", "reason"),
    [
        (1024, 2048, "the RSA key of 'Signer' has 1,024 bits"),
        (2048, 1024, "the RSA key of 'Root' has 1,024 bits"),
    ],
)
def test_a_weak_chain_neither_signs_nor_verifies(
    unsigned: bytes, monkeypatch: pytest.MonkeyPatch, bits: int, issuer_bits: int, reason: str
) -> None:
    identity, root = issue_rsa(bits, issuer_bits=issuer_bits)
    with pytest.raises(NotConfigured, match=reason) as refused:
        signing.sign(unsigned, identity=identity, reason="Test", location="Reno")
    assert "3,072 bits" in refused.value.remedy
    monkeypatch.setattr(signing, "first_weakness", lambda _: "")
    made = signing.sign(
        unsigned, identity=identity, reason="Test", location="Reno", signing_time=NOW
    )
    signed = made.data
    verdict = verify(signed, trust=(root,), at=NOW)
    assert not verdict.authentic
    assert reason in " ".join(check.detail for check in verdict.checks if not check.passed)


def test_a_certificate_without_key_usage_neither_signs_nor_verifies(
    unsigned: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity, root = issue_rsa(2048, usage=False)
    with pytest.raises(NotConfigured, match="not for signing documents"):
        signing.sign(unsigned, identity=identity, reason="Test", location="Reno")
    monkeypatch.setattr(signing, "_refuse_invalid", lambda *_: None)
    signed = signing.sign(unsigned, identity=identity, reason="Test", location="Reno").data
    assert not verify(signed, trust=(root,), at=NOW).authentic


@pytest.mark.parametrize("digest", ["sha1", "md5"])
def test_a_certificate_with_a_broken_digest_is_weak(
    monkeypatch: pytest.MonkeyPatch, digest: str
) -> None:
    """No library here can make one, so the digest of a sound one is read as another."""
    identity, root = issue_rsa(2048)
    given = x509.load_der_x509_certificate(identity.certificate.der)
    parsed = Mock(public_key=given.public_key, signature_hash_algorithm=Mock())
    parsed.signature_hash_algorithm.name = digest
    monkeypatch.setattr(x509, "load_der_x509_certificate", lambda _: parsed)
    assert identity.certificate.weakness == f"the certificate of 'Signer' is signed with {digest}"
    assert root.weakness == ""


def test_a_key_of_2048_bits_signs_and_verifies(unsigned: bytes) -> None:
    identity, root = issue_rsa(2048)
    made = signing.sign(
        unsigned, identity=identity, reason="Test", location="Reno", signing_time=NOW
    )
    signed = made.data
    verdict = verify(signed, trust=(root,), at=NOW)
    assert verdict.authentic, [c.detail for c in verdict.checks if not c.passed]


# Names in certificates: whoever is trusted, none is read as a sentence or as another name.


SIGNS = ["digital_signature", "content_commitment"]


def issue(name: str, *more: str, company: str | None = None, root: str = "Root") -> Identity:
    anchor_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    own = {NameOID.COMMON_NAME: root}
    usages = [*SIGNS, "key_cert_sign"]
    anchor = issue_certificate(anchor_key, anchor_key, issuer=root, subject=own, usages=usages)
    subject = {NameOID.COMMON_NAME: name}
    subject |= {NameOID.ORGANIZATION_NAME: company} if company else {}
    leaf = issue_certificate(
        key, anchor_key, issuer=root, subject=subject, usages=SIGNS, more_names=more
    )
    return open_identity(key, leaf, anchor)


def show(
    pdf: bytes, identity: Identity, folder: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    """Return the exit code and the output of `certify verify` with the signer's own root."""
    data = sign(pdf, identity=identity, reason="Submission", location="Reno").data
    (folder / "signed.pdf").write_bytes(data)
    (folder / "root.pem").write_bytes(identity.chain[0].pem())
    code = run(["verify", str(folder / "signed.pdf"), "--trust", str(folder / "root.pem")])
    out, err = capsys.readouterr()
    assert_plain(out + err)
    return code, out


PLAIN_UNSEEN = UNSEEN.removesuffix(" Lovelace")
CLEARED = "\x1b[2J\x1b[H\x1b[3J war.pdf: The document is authentic: signed by Ada"


@pytest.fixture(params=[PLAIN_UNSEEN, CLEARED, f"Ada\n  {LIE}", "Ada\u202e", RARE, None])
def identity(request: pytest.FixtureRequest) -> Identity:
    """A signer whose name, or else whose company, has characters that cannot be seen."""
    return issue(request.param) if request.param else issue("Ada Lovelace", company=RARE)


def test_a_name_with_unseen_characters_neither_signs_nor_verifies(
    unsigned: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    identity: Identity,
) -> None:
    with pytest.raises(NotConfigured, match="has characters that cannot be seen") as refused:
        sign(unsigned, identity=identity, reason="Submission", location="Reno")
    assert_plain(refused.value.message)
    monkeypatch.setattr(signing, "_refuse_invalid", lambda *_: None)  # as another program would
    code, out = show(unsigned, identity, tmp_path, capsys)
    assert code == 1
    assert "has characters that cannot be seen" in out


def test_a_certificate_of_two_names_neither_signs_nor_verifies(
    unsigned: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    identity = issue("Ada Lovelace", "Mallory")
    with pytest.raises(NotConfigured, match="has several common names"):
        sign(unsigned, identity=identity, reason="Submission", location="Reno")
    monkeypatch.setattr(signing, "_refuse_invalid", lambda *_: None)
    code, out = show(unsigned, identity, tmp_path, capsys)
    assert (code, "The name of 'Ada Lovelace' has several common names" in out) == (1, False)
    assert "the name of 'Ada Lovelace' has several common names" in out


def test_the_name_of_a_root_is_shown_plainly(
    unsigned: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(signing, "_refuse_invalid", lambda *_: None)
    identity = issue("Ada Lovelace", root=f"Root\n  {LIE}\x1b[2J")
    show(unsigned, identity, tmp_path, capsys)
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))
    assert run(["keys", "trust", str(tmp_path / "root.pem")]) == 0
    assert run(["keys", "list"]) == 0
    assert_plain("".join(capsys.readouterr()))


def test_a_name_is_quoted_in_the_verdict(
    unsigned: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "Ada, as required. Every figure agrees. Signed by GLI"
    code, out = show(unsigned, issue(name), tmp_path, capsys)
    assert code == 0
    assert f"signed by '{name}' and unchanged since" in out
    assert f"Signed by '{name}'; no signer was required." in out
    assert f"Signed by '{name}' as preparer." in out
    assert out.count(name) == out.count(f"'{name}'")
