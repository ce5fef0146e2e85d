"""Roots are bound to roles, and the preparer's root vouches for no one else's independence."""

import json
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from certify.cli.app import run
from certify.errors import NotConfigured
from certify.filing.verify import countersign
from certify.model.approval import Role
from certify.signatures import verify as bounded
from certify.signatures._reading import judge
from certify.signatures.certificate import Certificate
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import register_root, remove_root, roots
from certify.signatures.sign import sign
from certify.signatures.verify import Demands, SignatureVerdict, SignedPages, StampedBy

from .conftest import World, find_failures, issue_certificate, open_identity
from .test_purposes import issue

LABORATORY = Role.LABORATORY
DEPENDENT = "A laboratory or a timestamp authority is not independent of the preparer."


@pytest.fixture(scope="module")
def prepared(unsigned: bytes, server_of_world: World) -> bytes:
    return sign_as(unsigned, server_of_world.identity("signer"), Role.PREPARER)


@pytest.fixture(scope="module")
def examined(prepared: bytes, server_of_world: World) -> bytes:
    """The document that the real laboratory countersigned, with a timestamp."""
    identity = server_of_world.identity("reviewer")
    return sign_as(prepared, identity, LABORATORY, profile=server_of_world.url)


@pytest.fixture(scope="module")
def fake(prepared: bytes, server_of_world: World) -> bytes:
    """The same name, but the preparer's root issued the certificate."""
    return sign_as(prepared, server_of_world.identity("fake"), LABORATORY)


def find(verdict: SignatureVerdict, name: str) -> tuple[bool, bool, str]:
    (check,) = (check for check in verdict.checks if check.id == name)
    return check.passed, check.required, check.detail


def judge_with(
    data: bytes, trust: tuple[Certificate, ...], at: datetime | None = None, **demands: object
) -> SignatureVerdict:
    wanted = Demands(**demands)  # type: ignore[arg-type]
    return judge(data, trust=trust, demands=wanted, at=at or datetime.now(UTC))


def test_a_laboratory_under_the_preparers_root_is_refused(fake: bytes, world: World) -> None:
    verdict = judge_with(fake, world.trust)
    assert (verdict.verdict, find_failures(verdict)) == (DEPENDENT, {"independent"})
    said = (
        "The root 'TEST ONLY Root' vouches for the preparer and for the laboratory "
        "'TEST ONLY Reviewer', which is not independent."
    )
    assert find(verdict, "independent") == (False, True, said)
    allowed = judge_with(fake, world.trust, allow_same_root=True)
    assert allowed.authentic
    assert find(allowed, "independent") == (False, False, said)
    assert "the laboratory 'TEST ONLY Reviewer' is not independent of the preparer." in (
        allowed.verdict
    )


def test_the_real_laboratory_is_accepted_and_every_issuer_is_named(
    examined: bytes, world: World
) -> None:
    verdict = judge_with(examined, world.trust)
    assert verdict.authentic
    assert find(verdict, "independent")[0]
    assert find(verdict, "trust")[2] == (
        "Every chain of certificates leads to a root that you trust. "
        "'TEST ONLY Signer' was certified by 'TEST ONLY Root' under the root 'TEST ONLY Root'. "
        "'TEST ONLY Reviewer' was certified by 'TEST ONLY Second' under the root "
        "'TEST ONLY Second'. "
        "Timestamp authority: 'TEST ONLY Authority' under the root 'TEST ONLY Second'."
    )
    assert [(each.root, each.root_sha256) for each in verdict.signatures] == [
        (f"TEST ONLY {name.title()}", world.certificate(name).fingerprint)
        for name in ("root", "second")
    ]
    (proven,) = (each.proven for each in verdict.signatures if each.proven)
    assert verdict.timestamps == (
        StampedBy(
            of="laboratory",
            time=proven,
            authority="TEST ONLY Authority",
            root="TEST ONLY Second",
            revocation=verdict.timestamps[0].revocation,
        ),
    )


def test_an_approver_may_have_the_preparers_root(prepared: bytes, world: World) -> None:
    data = sign_as(prepared, world.identity("card"), Role.APPROVER)
    assert judge_with(data, world.trust).authentic


def test_a_backdated_timestamp_of_the_signers_own_authority_is_refused(
    unsigned: bytes, world: World
) -> None:
    """The signer's certificate has expired; only the own authority says that it was used before."""
    data = sign_as(
        unsigned,
        world.identity("signer"),
        Role.PREPARER,
        profile=world.url.replace("/tsa/tsa", "/tsa/own"),
    )
    later = datetime.now(UTC) + timedelta(days=15)
    verdict = judge_with(data, world.trust, later)
    assert (verdict.verdict, find_failures(verdict)) == (DEPENDENT, {"independent"})
    assert find(verdict, "independent")[2] == (
        "The root 'TEST ONLY Root' vouches for the preparer and for the timestamp authority "
        "'TEST ONLY Locksmith', which is not independent."
    )
    allowed = judge_with(data, world.trust, later, allow_same_root=True)
    assert allowed.authentic
    assert "the timestamp authority 'TEST ONLY Locksmith' is not independent" in allowed.verdict


def test_a_root_vouches_for_its_roles_only(examined: bytes, fake: bytes, world: World) -> None:
    root, second = ((world.certificate(name),) for name in ("root", "second"))
    right = {"preparer": root, "laboratory": second, "time": second}
    assert judge_with(examined, (), roots=right).authentic
    for role, unknown in (
        ("preparer", "Signer"),
        ("laboratory", "Reviewer"),
        ("time", "Authority"),
    ):
        without = {name: pems for name, pems in right.items() if name != role}
        verdict = judge_with(examined, (), roots=without)
        assert find_failures(verdict) == {"trust"}, role
        assert (
            find(verdict, "trust")[2].count(
                f"no root that you trust for the role {role} vouches for 'TEST ONLY {unknown}'"
            )
            == 1
        )
    assert find_failures(judge_with(fake, (), roots=right)) == {"trust"}


def test_two_trusted_certificates_of_one_hierarchy_are_one_root(unsigned: bytes) -> None:
    """Whoever trusts a file with the root and an issuer below it is not deceived by that."""
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(4)]
    signs = ["digital_signature", "content_commitment"]
    issues = [*signs, "key_cert_sign"]

    def certify(number: int, issuer: int, name: str, by: str, usages: list[str]):  # type: ignore[no-untyped-def]  # noqa: ANN202 - a certificate
        subject = {NameOID.COMMON_NAME: name}
        return issue_certificate(
            keys[number], keys[issuer], issuer=by, subject=subject, usages=usages
        )

    root = certify(0, 0, "Company", "Company", issues)
    below = certify(1, 0, "Company Issuer", "Company", issues)
    preparer = open_identity(keys[2], certify(2, 1, "Ada", "Company Issuer", signs), below)
    fake = open_identity(keys[3], certify(3, 0, "GLI", "Company", signs), root)
    data = sign_as(sign_as(unsigned, preparer, Role.PREPARER), fake, LABORATORY)
    trust = (fake.chain[0], preparer.chain[0])
    for order in (trust, trust[::-1]):
        assert find_failures(judge_with(data, order)) == {"independent"}


def test_a_timestamp_and_revocation_data_can_be_required(
    prepared: bytes, examined: bytes, world: World
) -> None:
    verdict = judge_with(examined, world.trust, require_timestamp=True)
    assert verdict.verdict == "A timestamp is required, and a signature has none."
    assert find(verdict, "timestamp")[2] == "No timestamp proves when 'TEST ONLY Signer' signed."
    stamped = sign_as(prepared, world.identity("card"), Role.APPROVER, profile=world.url)
    assert find_failures(judge_with(stamped, world.trust, require_timestamp=True)) == {"timestamp"}
    verdict = judge_with(prepared, world.trust, require_revocation=True)
    assert verdict.verdict == "Revocation data are required, and not all are at hand."
    assert find_failures(verdict) == {"revocation"}


def test_a_laboratory_of_the_preparers_root_does_not_countersign(
    prepared: bytes, world: World
) -> None:
    fake = world.identity("fake")
    with pytest.raises(NotConfigured, match="is not independent of the preparer") as refused:
        countersign(prepared, identity=fake, location="Reno", trust=world.trust)
    assert "--allow-same-root" in refused.value.remedy
    countersign(
        prepared, identity=fake, location="Reno", trust=world.trust,
        demands=Demands(allow_same_root=True),
    )  # fmt: skip
    countersign(prepared, identity=world.identity("reviewer"), location="Reno", trust=world.trust)


@pytest.mark.parametrize(
    ("name", "mixed"),
    [
        ("G\u0430ming Laboratories", "Latin and Cyrillic"),
        ("\u0391da Lovelace", "Latin and Greek"),
        ("\uff21da Lovelace", "Latin and Fullwidth"),
        ("\u0410da \u0391", "Latin, Greek and Cyrillic"),
        ("Ada Lovelace 3, \u00c9d.", ""),
        ("\u0410\u0434\u0430", ""),
        ("Ada \u6fb3\u9580", ""),
    ],
)
def test_alphabets_that_a_name_mixes(name: str, mixed: str) -> None:
    assert issue(name).certificate.mixture == mixed


def test_letters_that_look_alike_are_pointed_out(unsigned: bytes) -> None:
    identity = issue("G\u0430ming Laboratories", company="G\u0430ming")
    verdict = judge_with(sign_as(unsigned, identity, Role.PREPARER), identity.chain)
    assert verdict.authentic
    said = f"the name {identity.name!r} mixes Latin and Cyrillic letters"
    assert f"{said}." in verdict.verdict
    assert find(verdict, "alphabet") == (False, False, f"T{said[1:]}.")


def test_the_command_takes_roots_by_role(
    examined: bytes,
    fake: bytes,
    world: World,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, data in (("examined", examined), ("fake", fake)):
        (tmp_path / f"{name}.pdf").write_bytes(data)
    for name in ("root", "second"):
        (tmp_path / f"{name}.pem").write_bytes(world.certificate(name).pem())
    root, second = (str(tmp_path / f"{name}.pem") for name in ("root", "second"))
    lab, time = ["--trust-laboratory", second], ["--trust-time", second]

    def verify(name: str, *options: str) -> int:
        return run(["verify", str(tmp_path / f"{name}.pdf"), "--format", "json", *options])

    assert verify("examined", "--trust-preparer", root, *lab, *time) == 0
    assert json.loads(capsys.readouterr().out)["timestamps"][0]["root"] == "TEST ONLY Second"
    assert verify("examined", "--trust-preparer", root, *lab) == 1
    assert verify("fake", "--trust-preparer", root, *lab, *time) == 1
    assert verify("fake", "--trust", root) == 1
    assert verify("fake", "--trust", root, "--allow-same-root") == 0
    assert verify("examined", "--trust", root, "--trust", second, "--require-timestamp") == 1
    assert verify("examined", "--trust", root, "--trust", second, "--require-revocation") == 1


def test_registered_roots_have_roles(
    examined: bytes,
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))
    path, root = tmp_path / "examined.pdf", tmp_path / "root.pem"
    path.write_bytes(examined)
    for name, roles in (("root", ["preparer"]), ("second", ["laboratory", "time"])):
        root.write_bytes(world.certificate(name).pem())
        options = [part for role in roles for part in ("--role", role)]
        assert run(["keys", "trust", str(root), *options]) == 0
    capsys.readouterr()
    assert run(["keys", "list"]) == 0
    listed = " ".join(capsys.readouterr().out.split())
    assert "Trusted: TEST ONLY Root for preparer only SHA-256" in listed
    assert "Trusted: TEST ONLY Second for laboratory and time only SHA-256" in listed
    assert run(["verify", str(path), "--quiet"]) == 0
    assert run(["keys", "trust", str(root), "--role", "laboratory"]) == 0
    assert run(["verify", str(path), "--quiet"]) == 1
    folder, second = tmp_path / "home" / "keys", world.certificate("second")
    assert [roots(folder, role) for role in ("", "laboratory", "time")] == [(), (second,), ()]
    register_root(folder, second.pem())
    assert [roots(folder, role) for role in ("", "laboratory")] == [(second,), ()]
    remove_root(folder, second.fingerprint)
    assert roots(folder) == ()


PREPARER, LABORATORY, APPROVER = Role.PREPARER, Role.LABORATORY, Role.APPROVER


def sign_as(
    data: bytes, identity: Identity, role: Role, *, first: bool | None = None, profile: str = ""
) -> bytes:
    certify = role is PREPARER if first is None else first
    return sign(
        data,
        identity=identity,
        field=role.field,
        reason=f"The {role}",
        location="Reno",
        certify=certify,
        timestamp_url=profile or None,
    ).data


def judge_now(data: bytes, world: World, **expected: str) -> SignatureVerdict:
    return judge(
        data,
        trust=world.trust,
        at=datetime.now(UTC),
        countersigners={Role(role): name for role, name in expected.items()},
    )


def explain_failures(verdict: SignatureVerdict) -> dict[str, str]:
    return {
        check.id: check.detail for check in verdict.checks if check.required and not check.passed
    }


@pytest.fixture(scope="module")
def prepared_pdf(unsigned: bytes, server_of_world: World) -> bytes:
    return sign_as(unsigned, server_of_world.identity("signer"), PREPARER)


@pytest.mark.parametrize("order", [*permutations((LABORATORY, APPROVER))])
def test_laboratory_and_approver_sign_in_either_order(
    order: tuple[Role, ...], prepared_pdf: bytes, world: World
) -> None:
    people = {LABORATORY: "reviewer", APPROVER: "card"}
    data = prepared_pdf
    for role in order:
        data = sign_as(data, world.identity(people[role]), role, profile=world.url)
    verdict = bounded.verify(
        data,
        trust=world.trust,
        signer="TEST ONLY Signer",
        countersigners={LABORATORY: "TEST ONLY Reviewer", APPROVER: "TEST ONLY Card"},
        at=datetime.now(UTC),
    )
    assert explain_failures(verdict) == {}
    assert [(signature.role, signature.name) for signature in verdict.signatures] == [
        ("preparer", "TEST ONLY Signer"),
        *((str(role), f"TEST ONLY {people[role].title()}") for role in order),
    ]
    issuers = {"TEST ONLY Reviewer": "TEST ONLY Second"}
    assert [signature.issuer for signature in verdict.signatures] == [
        issuers.get(signature.name, "TEST ONLY Root") for signature in verdict.signatures
    ]
    assert [bool(signature.proven) for signature in verdict.signatures] == [False, True, True]
    assert all(signature.vouched and signature.declared for signature in verdict.signatures)
    assert verdict.countersigners == tuple(signature.name for signature in verdict.signatures[1:])
    first, second = (f"'TEST ONLY {people[role].title()}' as {role}" for role in order)
    unanswered = [f"'TEST ONLY {people[role].title()}' ({role})" for role in order]
    assert verdict.verdict == (
        f"The document is authentic: signed by 'TEST ONLY Signer' as preparer, {first} and "
        f"{second} and unchanged since; revocation was not looked up for 'TEST ONLY Signer' "
        f"(preparer), {unanswered[0]}, 'TEST ONLY Authority' (timestamp authority) and "
        f"{unanswered[1]}; no timestamp proves when it was signed."
    )


def test_a_stranger_in_a_role_is_named(prepared_pdf: bytes, world: World) -> None:
    data = sign_as(prepared_pdf, world.identity("reviewer"), LABORATORY)
    verdict = judge_now(sign_as(data, world.identity("stranger"), APPROVER), world)
    assert explain_failures(verdict).keys() == {"trust"}
    assert "field 'Approver'" in explain_failures(verdict)["trust"]
    assert "TEST ONLY Stranger" in explain_failures(verdict)["trust"]


def test_no_signer_has_two_roles(prepared_pdf: bytes, world: World) -> None:
    data = sign_as(prepared_pdf, world.identity("signer"), LABORATORY)
    verdict = judge_now(data, world)
    assert explain_failures(verdict) == {
        "roles": "'TEST ONLY Signer' signed as preparer and as laboratory, with one certificate."
    }
    assert verdict.verdict == "The signers do not have different roles."
    twice = sign_as(prepared_pdf, world.identity("reviewer"), LABORATORY)
    twice = sign_as(twice, world.identity("reviewer"), APPROVER)
    assert explain_failures(judge_now(twice, world)) == {
        "roles": "'TEST ONLY Reviewer' signed as laboratory and as approver, with one certificate."
    }


def test_the_preparer_signs_first(unsigned: bytes, world: World) -> None:
    """A laboratory cannot certify what nobody has prepared."""
    data = sign_as(unsigned, world.identity("reviewer"), LABORATORY, first=True)
    detail = (
        "'TEST ONLY Reviewer' signed first, in the field 'Laboratory', which is not that of the "
        "preparer."
    )
    assert explain_failures(judge_now(data, world)) == {"roles": detail}
    data = sign_as(data, world.identity("signer"), PREPARER, first=False)
    assert explain_failures(judge_now(data, world)) == {"roles": detail}


def test_an_unexpected_signer_of_a_role_is_named(prepared_pdf: bytes, world: World) -> None:
    data = sign_as(prepared_pdf, world.identity("reviewer"), LABORATORY)
    verdict = judge_now(data, world, laboratory="TEST ONLY Reviewer")
    assert verdict.authentic
    (detail,) = (check.detail for check in verdict.checks if check.id == "signer")
    assert detail.startswith(
        "Signed by 'TEST ONLY Signer'; no signer was required. "
        "Signed as laboratory by 'TEST ONLY Reviewer', as required. SHA-256"
    )
    fingerprint = world.certificate("reviewer").fingerprint
    assert judge_now(data, world, laboratory=fingerprint).authentic
    verdict = judge_now(data, world, laboratory="TEST ONLY Card", approver="TEST ONLY Reviewer")
    assert explain_failures(verdict) == {
        "signer": "Signed as laboratory by 'TEST ONLY Reviewer', but 'TEST ONLY Card' is required. "
        "Signed as approver by nobody, but 'TEST ONLY Reviewer' is required."
    }
    assert verdict.verdict == "The document is not signed by the required signer."


def test_an_unproven_name_is_listed_with_the_proven_ones(
    prepared_pdf: bytes, development: Identity, world: World
) -> None:
    data = sign_as(prepared_pdf, development, LABORATORY)
    trust = (*world.trust, development.certificate)
    verdict = judge(data, trust=trust, at=datetime.now(UTC))
    assert verdict.authentic
    assert verdict.proves_identity  # of the preparer
    assert verdict.verdict == (
        f"The document is unchanged since it was signed by 'TEST ONLY Signer' as preparer and "
        f"{development.name!r} as laboratory. Development and self-signed certificates prove "
        "integrity, not identity: no other party vouches for the laboratory."
    )


def test_each_page_lists_its_signatures_and_later_fields(prepared_pdf: bytes, world: World) -> None:
    """The document has two pages; the fields of all roles are on the first."""
    alone = SignedPages(first=1, last=2, signatures=(1,), filled_later=())
    assert judge_now(prepared_pdf, world).pages == (alone,)
    data = sign_as(prepared_pdf, world.identity("reviewer"), LABORATORY)
    expected = (
        SignedPages(first=1, last=1, signatures=(1, 2), filled_later=(2,)),
        SignedPages(first=2, last=2, signatures=(1, 2), filled_later=()),
    )
    assert judge_now(data, world).pages == expected
    at = datetime.now(UTC)
    assert bounded.verify(data, trust=world.trust, at=at).pages == expected
    middle = len(prepared_pdf) // 2
    changed = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
    assert judge_now(changed, world).pages == ()


def test_nothing_but_signatures_is_added_between_the_roles(
    prepared_pdf: bytes, world: World
) -> None:
    """A field that the laboratory filled cannot be emptied or filled again for the approver."""
    data = sign_as(prepared_pdf, world.identity("reviewer"), LABORATORY)
    later = sign_as(data, world.identity("card"), APPROVER)
    for place in (len(prepared_pdf) + 40, len(data) + 40):
        changed = later[:place] + bytes([later[place] ^ 1]) + later[place + 1 :]
        assert not judge_now(changed, world).authentic
    assert not judge_now(later[: len(data)] + b"\n", world).authentic
