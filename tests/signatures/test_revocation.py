"""Revocation by signer: which data answer for a signature, and what is refused."""

import re
import socket
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.cli.app import run
from certify.errors import NotAuthentic, NotConfigured
from certify.filing.verify import countersign
from certify.formatting import plain_reason, utc_minute
from certify.model.approval import Role
from certify.signatures import network
from certify.signatures import verify as reading
from certify.signatures._reading import judge
from certify.signatures.sign import sign
from certify.signatures.verify import Demands, SignatureVerdict

from .conftest import DAY, YEAR, World

CLASS_NAME = re.compile(r"[a-z][A-Z]|[A-Z]+_[A-Z]+")
"""Words of programmers: neither English nor a name of the test has one."""


def add(data: bytes, world: World, who: str, role: Role, *, long_term: bool) -> bytes:
    return sign(
        data,
        identity=world.identity(who),
        field=role.field,
        reason="Examined",
        location="Reno",
        timestamp_url=world.url,
        long_term=long_term,
        certify=role is Role.PREPARER,
        trust=world.trust,
    ).data


@pytest.fixture(scope="module")
def filing(unsigned: bytes, server_of_world: World) -> bytes:
    """A filing with a list, valid for a week, from before the laboratory was revoked."""
    return add(unsigned, server_of_world, "signer", Role.PREPARER, long_term=True)


@pytest.fixture(scope="module")
def examined(filing: bytes, server_of_world: World) -> bytes:
    """The same with the signature of the laboratory that had been revoked."""
    return add(filing, server_of_world, "convict", Role.LABORATORY, long_term=False)


def detail(verdict: SignatureVerdict) -> str:
    (check,) = (check for check in verdict.checks if check.id == "revocation")
    return check.detail


def statuses(verdict: SignatureVerdict) -> list[str]:
    return [signature.revocation.status for signature in verdict.signatures]


def test_an_earlier_list_does_not_answer_for_a_later_signature(
    filing: bytes, examined: bytes, world: World
) -> None:
    assert statuses(world.judge(filing)) == ["good"]
    verdict = world.judge(examined)
    assert verdict.authentic
    assert verdict.profile == "B-LTA"
    assert statuses(verdict) == ["good", "not looked up"]
    assert "revocation was not looked up for 'TEST ONLY Convict' (laboratory)" in verdict.verdict
    assert "were in the document before the signature" in detail(verdict)
    assert "'TEST ONLY Signer'" not in detail(verdict)
    demanded = judge(
        examined, trust=world.trust, demands=Demands(require_revocation=True), at=datetime.now(UTC)
    )
    assert demanded.verdict == "Revocation data are required, and not all are at hand."


def test_later_data_show_that_the_laboratory_was_revoked(examined: bytes, world: World) -> None:
    world.fresh = True
    data = add(examined, world, "reviewer", Role.APPROVER, long_term=True)
    verdict = world.judge(data)
    assert statuses(verdict) == ["good", "revoked", "good"]
    assert verdict.verdict == "A certificate was revoked when it was used."
    assert (
        "'TEST ONLY Convict' (laboratory): the certificate of 'TEST ONLY Convict' was revoked"
        in (detail(verdict))
    )


def test_a_signature_with_its_own_data_is_looked_up(filing: bytes, world: World) -> None:
    """The list is the one of the preparer's timestamp: the file has it already."""
    data = add(filing, world, "reviewer", Role.LABORATORY, long_term=True)
    verdict = world.judge(data)
    assert verdict.authentic
    assert statuses(verdict) == ["good", "good"]
    assert {stamp.revocation.status for stamp in verdict.timestamps} == {"good"}


def test_what_the_document_lacks_can_be_fetched(examined: bytes, world: World) -> None:
    world.fresh = True
    verdict = reading.verify(examined, trust=world.trust, at=datetime.now(UTC), online=True)
    assert statuses(verdict) == ["good", "revoked"]
    before = world.requests
    reading.verify(examined, trust=world.trust, at=datetime.now(UTC))
    assert world.requests == before
    world.on = False
    verdict = reading.verify(examined, trust=world.trust, at=datetime.now(UTC), online=True)
    assert statuses(verdict) == ["good", "not looked up"]
    assert "gave no revocation data: it answered with HTTP status 503" in detail(verdict)
    assert "were in the document before the signature" in detail(verdict)


def test_a_revoked_identity_does_not_countersign_where_it_can_be_known(
    filing: bytes, examined: bytes, world: World
) -> None:
    convict = world.identity("convict")
    told: list[str] = []
    world.fresh = True
    lower = partial(
        countersign, identity=convict, location="", trust=world.trust, allow_lower_profile=True
    )
    lower(filing, warn=told.append)
    assert told == ["The revocation of 'TEST ONLY Convict' was not looked up: use --long-term."]
    known = add(filing, world, "reviewer", Role.APPROVER, long_term=True)
    with pytest.raises(NotAuthentic, match="'TEST ONLY Convict' was revoked on"):
        lower(known)
    with pytest.raises(NotConfigured, match="'TEST ONLY Convict' was revoked on") as caught:
        add(filing, world, "convict", Role.LABORATORY, long_term=True)
    assert "are not revoked" in caught.value.remedy
    with pytest.raises(NotAuthentic, match="'TEST ONLY Convict' was revoked on"):
        countersign(
            examined,
            identity=world.identity("reviewer"),
            role=Role.APPROVER,
            location="",
            trust=world.trust,
            timestamp_url=world.url,
            long_term=True,
        )


def test_a_kept_profile_is_looked_up_without_being_asked_for(filing: bytes, world: World) -> None:
    """The document is B-LTA: the data of signers are fetched, and nothing says the contrary."""
    told: list[str] = []
    countersign_as = partial(
        countersign,
        filing,
        location="",
        trust=world.trust,
        timestamp_url=world.url,
        warn=told.append,
    )
    countersign_as(identity=world.identity("reviewer"))
    assert told == []
    world.fresh = True
    with pytest.raises(NotConfigured, match="'TEST ONLY Convict' was revoked on"):
        countersign_as(identity=world.identity("convict"))
    assert told == []


def test_earlier_signers_are_looked_up_for_a_kept_profile(filing: bytes, world: World) -> None:
    data = add(filing, world, "reviewer", Role.LABORATORY, long_term=False)
    assert statuses(world.judge(data)) == ["good", "not looked up"]
    told: list[str] = []
    countersign(
        data,
        identity=world.identity("card"),
        role=Role.APPROVER,
        location="",
        trust=world.trust,
        timestamp_url=world.url,
        warn=told.append,
    )
    assert told == []


def test_an_identity_without_its_issuer_does_not_countersign(unsigned: bytes, world: World) -> None:
    filing = world.sign(unsigned, "reviewer")
    whole = world.identity("elder")
    assert countersign(filing, identity=whole, location="", trust=world.trust)
    alone = replace(whole, chain=())
    with pytest.raises(NotConfigured, match="lead to no root: the certificate of 'TEST ONLY Issu"):
        countersign(filing, identity=alone, location="", trust=world.trust)


@pytest.mark.parametrize(("who", "status"), [("asked", "good"), ("denied", "revoked")])
def test_a_responder_answers_for_a_signer(
    who: str, status: str, unsigned: bytes, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = world.sign(unsigned, who)
    assert statuses(world.judge(data)) == ["not looked up"]
    now = datetime.now(UTC)
    verdict = reading.verify(data, trust=world.trust, at=now, online=True)
    assert statuses(verdict) == [status]
    assert verdict.authentic == (status == "good")
    monkeypatch.setattr(World, "answer", lambda *_: ("application/ocsp-response", b"0"))
    unknown = reading.verify(data, trust=world.trust, at=now, online=True)
    assert "/ocsp/root gave no revocation data: its answer cannot be read" in detail(unknown)
    world.on = False
    unknown = reading.verify(data, trust=world.trust, at=now, online=True)
    assert "/ocsp/root gave no revocation data: it answered with HTTP status 503" in detail(unknown)


def test_the_command_prints_when_each_signer_signed(
    filing: bytes, world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path := tmp_path / "filing.pdf").write_bytes(filing)
    roots = [tmp_path / f"{root.fingerprint}.pem" for root in world.trust]
    for root, file in zip(world.trust, roots, strict=True):
        file.write_bytes(root.pem())
    assert run(["verify", str(path), *(f"--trust={file}" for file in roots)]) == 0
    stamp = utc_minute(world.judge(filing).signatures[0].existed)
    printed = " ".join(capsys.readouterr().out.split())
    assert " signed 'TEST ONLY Signer' (preparer): " in printed
    assert f"; a timestamp proves the signature at {stamp}." in printed


def test_the_command_prints_when_a_refused_document_says_that_it_was_signed(
    filing: bytes, world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path := tmp_path / "filing.pdf").write_bytes(filing)
    foreign = tmp_path / "stranger.pem"
    foreign.write_bytes(world.certificate("stranger").pem())
    assert run(["verify", str(path), f"--trust={foreign}"]) == 1
    time = utc_minute(world.judge(filing).signatures[0].declared)
    printed = " ".join(capsys.readouterr().out.split())
    stated = f" states 'TEST ONLY Signer' (preparer): {time}, as the file states; "
    assert f"{stated}nothing is proven of a document that fails." in printed
    assert " signed " not in printed.replace("was signed", "")
    assert run(["verify", str(path), f"--trust={foreign}", "--quiet"]) == 1
    assert time not in capsys.readouterr().out


def test_after_an_issuer_expired_the_headline_gives_the_reason(
    unsigned: bytes, world: World
) -> None:
    data = world.sign(unsigned, "elder")
    verdict = judge(data, trust=world.trust, at=datetime.now(UTC) + 2.5 * YEAR * DAY)
    assert verdict.verdict == "A certificate was not valid when it was used."
    (fault,) = (check.detail for check in verdict.checks if check.id == "time")
    assert "'TEST ONLY Issuing' is valid from" in fault
    assert not any(CLASS_NAME.search(check.detail) for check in verdict.checks)


def test_an_authority_that_says_nothing_is_named(
    unsigned: bytes, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(NotConfigured) as caught:
            sign(
                unsigned, identity=world.identity("signer"), reason="", location="",
                timestamp_url=url,
            )  # fmt: skip
    assert (
        caught.value.message
        == f"The timestamp authority {url} gave no timestamp: no answer in time."
    )


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (KeyError("/Root"), "OTHER"),
        (ValueError("AdESIndeterminate.CERTIFICATE_CHAIN_GENERAL_FAILURE"), "OTHER"),
        (ValueError(""), "OTHER"),
        (OSError(111, "Connection refused"), "Connection refused"),
        (ValueError("the signature is wrong."), "the signature is wrong"),
    ],
)  # fmt: skip
def test_no_name_of_a_class_reaches_the_reader(error: Exception, reason: str) -> None:
    assert plain_reason(error, "OTHER") == reason
