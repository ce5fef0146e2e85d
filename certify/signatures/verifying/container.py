"""The CMS container of a signature, bit by bit: nothing in it may be idle or malleable.

A signature protects what it covers, but large parts of its own container are outside of that:
spare certificates, version numbers, lists of algorithms. Whoever changes those has not forged
anything; still, a certified file is these bytes and no others.
"""

from collections.abc import Iterator

from asn1crypto import cms
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from pyhanko.sign.validation import EmbeddedPdfSignature
from pyhanko.sign.validation.generic_cms import extract_certs_for_validation, extract_tst_data_iter

from certify.signatures.certificate import Certificate

VERSIONS = {"data": "v1", "tst_info": "v3"}
"""Version of the container by its content (RFC 5652, section 5.1)."""


def oddity(embedded: EmbeddedPdfSignature, roots: tuple[Certificate, ...]) -> str:
    """Say what in a signature's container, or in its timestamp's, is not as it was made.

    Args:
        embedded: the signature.
        roots: certificates that may have issued those in the container.

    Returns:
        The reason; empty where there is none.
    """
    if not _is_canonical(embedded.pkcs7_content):
        return "its encoding was changed"
    for container in _containers(embedded):
        reason = _irregular(container) or _idle_certificate(container, roots)
        if reason:
            return reason
    return ""


def _containers(embedded: EmbeddedPdfSignature) -> Iterator[cms.SignedData]:
    yield embedded.signed_data
    yield from extract_tst_data_iter(embedded.signer_info, signed=False)


def _is_canonical(content: bytes) -> bool:
    """Say whether the bytes are one DER structure, then zeros, as PAdES pads it."""
    return not any(content[len(cms.ContentInfo.load(content).dump()) :])


def _irregular(container: cms.SignedData) -> str:
    """Compare what the container repeats with what was signed."""
    kind = container["encap_content_info"]["content_type"].native
    (signer,) = container["signer_infos"]
    digests = [algorithm.dump() for algorithm in container["digest_algorithms"]]
    if container["version"].native != VERSIONS.get(kind) or signer["version"].native != "v1":
        return "its version is not the one that its content asks for"
    if digests != [signer["digest_algorithm"].dump()]:
        return "its list of digests is not that of its signer"
    issuer = extract_certs_for_validation(container).signer_cert.issuer.dump()
    if signer["sid"].name != "issuer_and_serial_number" or (
        signer["sid"].chosen["issuer"].dump() != issuer
    ):
        return "it does not name the issuer of its signer letter by letter"
    if container["crls"] is not None and len(container["crls"].native or ()):
        return "it carries revocation lists where none belong"
    return ""


def _idle_certificate(container: cms.SignedData, roots: tuple[Certificate, ...]) -> str:
    """Find a spare certificate that no other one in sight has issued; a flipped bit makes it so.

    The signer's own is named by its digest in what was signed, so it needs no such care.
    """
    own = extract_certs_for_validation(container).signer_cert.dump()
    ders = [choice.chosen.dump() for choice in container["certificates"]]
    try:
        carried = [x509.load_der_x509_certificate(der) for der in ders]
        known = [*carried, *(x509.load_der_x509_certificate(root.der) for root in roots)]
    except ValueError:
        return "it carries a certificate that cannot be read"
    for der, certificate in zip(ders, carried, strict=True):
        if der != own and not any(_issued(issuer, certificate) for issuer in known):
            name = certificate.subject.rfc4514_string()
            return f"it carries a certificate that nothing vouches for ({name})"
    return ""


def _issued(issuer: x509.Certificate, certificate: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(issuer)
    except (InvalidSignature, UnsupportedAlgorithm, TypeError, ValueError):
        return False
    return True
