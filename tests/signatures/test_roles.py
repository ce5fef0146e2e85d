from datetime import UTC, datetime
from itertools import permutations

import pytest

from certify.model.approval import Role
from certify.signatures import verify as bounded
from certify.signatures._reading import judge
from certify.signatures.identity import Identity
from certify.signatures.sign import sign
from certify.signatures.verify import SignatureVerdict, SignedPages

from .conftest import World

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


def find_failures(verdict: SignatureVerdict) -> dict[str, str]:
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
    assert find_failures(verdict) == {}
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
    assert find_failures(verdict).keys() == {"trust"}
    assert "field 'Approver'" in find_failures(verdict)["trust"]
    assert "TEST ONLY Stranger" in find_failures(verdict)["trust"]


def test_no_signer_has_two_roles(prepared_pdf: bytes, world: World) -> None:
    data = sign_as(prepared_pdf, world.identity("signer"), LABORATORY)
    verdict = judge_now(data, world)
    assert find_failures(verdict) == {
        "roles": "'TEST ONLY Signer' signed as preparer and as laboratory, with one certificate."
    }
    assert verdict.verdict == "The signers do not have different roles."
    twice = sign_as(prepared_pdf, world.identity("reviewer"), LABORATORY)
    twice = sign_as(twice, world.identity("reviewer"), APPROVER)
    assert find_failures(judge_now(twice, world)) == {
        "roles": "'TEST ONLY Reviewer' signed as laboratory and as approver, with one certificate."
    }


def test_the_preparer_signs_first(unsigned: bytes, world: World) -> None:
    """A laboratory cannot certify what nobody has prepared."""
    data = sign_as(unsigned, world.identity("reviewer"), LABORATORY, first=True)
    detail = (
        "'TEST ONLY Reviewer' signed first, in the field 'Laboratory', which is not that of the "
        "preparer."
    )
    assert find_failures(judge_now(data, world)) == {"roles": detail}
    data = sign_as(data, world.identity("signer"), PREPARER, first=False)
    assert find_failures(judge_now(data, world)) == {"roles": detail}


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
    assert find_failures(verdict) == {
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
