"""Countersign: verify a signed document, then add the reviewer's signature to it."""

import datetime as dt

from certify.errors import NotAuthentic, NotConfigured
from certify.signatures.certificate import Certificate
from certify.signatures.identities.identity import Identity
from certify.signatures.signing.sign import sign
from certify.signatures.verifying.verify import verify

FIELD = "Reviewer"


def countersign(
    pdf: bytes,
    *,
    identity: Identity,
    reason: str,
    location: str,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    timestamp_url: str | None = None,
    long_term: bool = False,
) -> bytes:
    """Return the document with a second signature; it starts with the bytes of the first.

    Raises:
        NotAuthentic: the document does not pass verification, so nobody should sign it.
        NothingChecked: it has no signature.
        NotConfigured: the reviewer is the signer, or the field is missing or taken.
    """
    now = dt.datetime.now(dt.UTC)
    verdict = verify(pdf, trust=trust, signer=signer, at=now)
    if not verdict.authentic:
        raise NotAuthentic(
            f"The document is not countersigned: {verdict.verdict}",
            remedy="Ask for a document that `certify verify` accepts, or trust its root.",
        )
    if identity.certificate.fingerprint == verdict.fingerprint:
        raise NotConfigured(
            f"{identity.name} signed this document already.",
            remedy="A reviewer is somebody else: name another identity with --identity.",
        )
    return sign(
        pdf,
        identity=identity,
        field=FIELD,
        reason=reason,
        location=location,
        signing_time=now,
        timestamp_url=timestamp_url,
        long_term=long_term,
        certify=False,
        trust=trust,
    ).data
