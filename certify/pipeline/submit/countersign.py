"""Countersign: verify a signed document, then add the signature of another role to it."""

import datetime as dt

from certify.errors import NotAuthentic, NotConfigured
from certify.model.approval import Role
from certify.signatures.certificate import Certificate
from certify.signatures.identities.identity import Identity
from certify.signatures.signing.request import reason_of
from certify.signatures.signing.sign import sign
from certify.signatures.verifying.verify import verify


def countersign(
    pdf: bytes,
    *,
    identity: Identity,
    role: Role = Role.LABORATORY,
    reason: str | None = None,
    location: str,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    timestamp_url: str | None = None,
    long_term: bool = False,
) -> bytes:
    """Return the document with a signature more; it starts with the bytes that were there.

    ``reason`` is the role's own where none is given.

    Raises:
        NotAuthentic: the document does not pass verification, so nobody should sign it.
        NothingChecked: it has no signature.
        NotConfigured: the identity has signed it already, or the field is missing or taken.
    """
    now = dt.datetime.now(dt.UTC)
    verdict = verify(pdf, trust=trust, signer=signer, at=now)
    if not verdict.authentic:
        raise NotAuthentic(
            f"The document is not countersigned: {verdict.verdict}",
            remedy="Ask for a document that `certify verify` accepts, or trust its root.",
        )
    if identity.certificate.fingerprint in {
        signature.fingerprint for signature in verdict.signatures
    }:
        raise NotConfigured(
            f"{identity.name} signed this document already.",
            remedy="Each role is somebody else's: name another identity with --identity.",
        )
    return sign(
        pdf,
        identity=identity,
        field=role.field,
        reason=reason_of(role) if reason is None else reason,
        location=location,
        signing_time=now,
        timestamp_url=timestamp_url,
        long_term=long_term,
        certify=False,
        trust=trust,
    ).data
