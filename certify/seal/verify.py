"""Verification: is this document authentic and unchanged, and by whom was it signed."""

from datetime import datetime

from certify.errors import NotAuthentic, NotConfigured
from certify.seal.certificate import Certificate
from certify.seal.verdict import Verdict


def verify(
    pdf: bytes, *, trust: tuple[Certificate, ...], signer: str | None = None, at: datetime
) -> Verdict:
    """Judge a signed document by a policy that fails closed; nothing is fetched.

    Args:
        pdf: the file.
        trust: the only roots that chains of certificates may lead to.
        signer: who must have made the first signature: a common name, or the SHA-256
            fingerprint of the certificate; anybody trusted where it is None.
        at: the moment of the verification, aware.

    Returns:
        The verdict; a document that fails, however badly, has one too.

    Raises:
        NothingChecked: the file has no signature.
        NotReadable: the file is not a PDF.
        NotConfigured: ``at`` has no time zone.
    """
    from certify.seal.judgement import judge

    if at.utcoffset() is None:
        raise NotConfigured(
            "The time of the verification has no time zone.", remedy="Give it with its zone."
        )
    return judge(pdf, trust=trust, signer=signer, at=at)


def embedded_files(pdf: bytes) -> dict[str, bytes]:
    """Return the attachments by name, as the first signature covers them and from nothing later.

    This does not verify anything: call ``verify`` first.

    Raises:
        NothingChecked: the file has no signature.
        NotReadable: the file is not a PDF.
        NotAuthentic: the first signature does not cover a readable document.
    """
    from certify.seal import document, signed_part

    try:
        return signed_part.embedded_files(pdf)
    except document.Damaged as damaged:
        raise NotAuthentic(
            f"The signed part of the document cannot be read: {damaged}.",
            remedy="Ask for the signed document again.",
        ) from damaged
