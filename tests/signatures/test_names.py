"""Names in certificates: whoever is trusted, none is read as a sentence or as another name."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from certify.cli.app import run
from certify.errors import NotConfigured
from certify.signatures import sign as signing
from certify.signatures.identity import Identity
from certify.signatures.sign import sign
from tests.acceptance.test_hostile_text import LIE, RARE, UNSEEN, assert_plain

from .conftest import issue_certificate, open_identity

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
