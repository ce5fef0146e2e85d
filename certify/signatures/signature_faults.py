"""Faults of a signature in words.

Each public function returns the reason, or an empty text if there is no fault.

A signature does not cover large parts of its own container (CMS): spare certificates, version
numbers, lists of algorithms. A change there forges nothing. A certified file must still consist of
exactly the signed bytes, so unused or malleable parts of the container are faults (`oddity`).
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from asn1crypto import cms
from pyhanko.sign.ades.report import AdESIndeterminate
from pyhanko.sign.validation import EmbeddedPdfSignature
from pyhanko.sign.validation.generic_cms import extract_certs_for_validation, extract_tst_data_iter
from pyhanko.sign.validation.status import (
    PdfSignatureStatus,
    SignatureStatus,
    TimestampSignatureStatus,
)

from certify.errors import NotReadable
from certify.signatures.certificate import DIGESTS, Certificate, first_weakness, has_issued
from certify.signatures.document import Signature

VERSIONS = {"data": "v1", "tst_info": "v3"}
"""Version of the container by its content (RFC 5652, section 5.1)."""

TOLERANCE = timedelta(minutes=5)
"""Most time that a signer's clock may be ahead."""


def unsound(status: SignatureStatus) -> str:
    """Return the reason why a signature is cryptographically invalid, or an empty text."""
    if not status.intact:
        return "what it covers was changed after it was made"
    if not status.valid:
        return "its cryptographic value is wrong"
    if status.md_algorithm not in DIGESTS:
        return f"its digest {status.md_algorithm} is too weak"
    return ""


def not_pades(signature: Signature, status: PdfSignatureStatus, stamps: int) -> str:
    """Return the baseline requirement that the signature lacks (ETSI EN 319 142-1, 6.3), if any."""
    info = signature.embedded.signer_info
    signed = {attribute["type"].native for attribute in info["signed_attrs"]}
    unsigned = [attribute["type"].native for attribute in info["unsigned_attrs"] or ()]
    if "signing_certificate_v2" not in signed:
        return "it does not name the certificate that it was made with"
    if stamps > 1 or set(unsigned) - {"signature_time_stamp_token"}:
        return "it carries unsigned additions that the policy does not list"
    if status.content_timestamp_validity is not None or not status.seed_value_ok:
        return "it carries conditions that the policy does not list"
    return ""


UNKNOWN = AdESIndeterminate.NO_CERTIFICATE_CHAIN_FOUND

WEAK = "an algorithm in it is too weak"

BROKEN_CHAINS: dict[object, str] = {
    AdESIndeterminate.CHAIN_CONSTRAINTS_FAILURE: "a certificate in it is not for this use",
    AdESIndeterminate.CRYPTO_CONSTRAINTS_FAILURE: WEAK,
    AdESIndeterminate.CRYPTO_CONSTRAINTS_FAILURE_NO_POE: WEAK,
}
"""Why a chain that leads to a root does not hold, by the result of the library."""

BROKEN_RULE = "it breaks a rule for chains of certificates (RFC 5280, section 6)"

OUTDATED = (
    AdESIndeterminate.OUT_OF_BOUNDS_NO_POE,
    AdESIndeterminate.CERTIFICATE_CHAIN_GENERAL_FAILURE,
)
"""Results of the library for a chain with a certificate that was not valid at the time."""


def explain_untrusted(
    status: SignatureStatus,
    moment: datetime,
    purpose: str = "",
    issuers: Sequence[Certificate] = (),
) -> str:
    """Return the reason why the chain of certificates does not lead to a given root, if any.

    Expiry of the signer's certificate, or of one of its ``issuers``, is reported by ``untimely``.
    """
    if status.trusted or not (status.intact and status.valid):
        return ""
    if status.trust_problem_indic in OUTDATED and untimely(status, moment, issuers):
        return ""
    certificate = _certificate(status)
    name = certificate.common_name
    if status.trust_problem_indic is UNKNOWN or certificate.self_signed:
        return f"no root that you trust{purpose} vouches for {name!r}"
    reason = BROKEN_CHAINS.get(status.trust_problem_indic, BROKEN_RULE)
    return f"the chain of certificates of {name!r} does not hold: {reason}"


def weak(signature: Signature) -> str:
    """Return the weakness of the signer's chain, if any; signing refuses the same ones."""
    others = (Certificate.from_der(each.dump()) for each in signature.embedded.other_embedded_certs)
    return first_weakness((signature.certificate, *others))


def untrusted_stamp(
    stamp: TimestampSignatureStatus,
    moment: datetime,
    purpose: str = "",
    issuers: Sequence[Certificate] = (),
) -> str:
    """Return the reason why the timestamp in a signature is invalid, if any."""
    untrusted = explain_untrusted(stamp, moment, purpose, issuers)
    fault = unsound(stamp) or untrusted or no_authority(stamp)
    return f"its timestamp does not hold: {fault}" if fault else ""


def no_authority(status: SignatureStatus) -> str:
    """Return the reason why a certificate may not issue timestamps, even as a root, if any."""
    usage = status.signing_cert.extended_key_usage_value
    if usage is not None and usage.native == ["time_stamping"]:
        return ""
    return f"{_certificate(status).common_name!r} is not a timestamp authority"


def no_signer(status: SignatureStatus) -> str:
    """Return the reason why a certificate may not sign documents, even as a root, if any."""
    certificate = _certificate(status)
    if certificate.signs_documents:
        return ""
    return f"the certificate of {certificate.common_name!r} is not for signing documents"


def untimely(status: SignatureStatus, moment: datetime, issuers: Sequence[Certificate] = ()) -> str:
    """Return the reason why a certificate was not valid at the time, even as a root, if any.

    Those of the ``issuers`` count if the chain leads to a root and does not hold.
    """
    others = () if status.trusted or status.trust_problem_indic is UNKNOWN else issuers
    for certificate in (_certificate(status), *others):
        if not certificate.is_valid_at(moment):
            return (
                f"the certificate of {certificate.common_name!r} is valid from "
                f"{certificate.not_before:%Y-%m-%d} to {certificate.not_after:%Y-%m-%d}, and "
                f"nothing proves a use before {moment:%Y-%m-%d}"
            )
    return ""


def late(claimed: datetime, proven: datetime) -> str:
    """Return the reason why the time of a timestamp cannot be true, if any."""
    if claimed <= proven + TOLERANCE:
        return ""
    return f"its timestamp of {claimed:%Y-%m-%d %H:%M} lies in the future"


def explain_misdated(declared: datetime | None, moment: datetime, certificate: Certificate) -> str:
    """Return the reason why the signer's declared time cannot be true, if any."""
    if declared is None or declared.utcoffset() is None:
        return "it does not state when it was made"
    if declared > moment + TOLERANCE:
        return f"its declared time {declared:%Y-%m-%d %H:%M} lies in the future"
    if not certificate.is_valid_at(declared):
        return f"its certificate was not valid at the declared time {declared:%Y-%m-%d %H:%M}"
    return ""


def _certificate(status: SignatureStatus) -> Certificate:
    return Certificate.from_der(status.signing_cert.dump())


def oddity(embedded: EmbeddedPdfSignature, roots: tuple[Certificate, ...]) -> str:
    """Return the irregularity in a signature's container, or in its timestamp's, if any.

    ``roots`` are certificates that may have issued those in the container.
    """
    content = embedded.pkcs7_content
    if any(content[len(cms.ContentInfo.load(content).dump()) :]):  # PAdES pads it with zeros
        return "its encoding was changed"
    for container in iter_containers(embedded):
        reason = _irregular(container) or _idle_certificate(container, roots)
        if reason:
            return reason
    return ""


def iter_containers(embedded: EmbeddedPdfSignature) -> Iterator[cms.SignedData]:
    """Yield the container of a signature, and that of its timestamp."""
    yield embedded.signed_data
    yield from extract_tst_data_iter(embedded.signer_info, signed=False)


def _irregular(container: cms.SignedData) -> str:
    """Return the conflict of the container's repeated values with the signed ones, if any."""
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

    The signed data names the signer's certificate by its digest, so it needs no such check.
    """
    signer = extract_certs_for_validation(container).signer_cert.dump()
    try:
        carried = [Certificate.from_der(each.chosen.dump()) for each in container["certificates"]]
    except NotReadable:
        return "it carries a certificate that cannot be read"
    for each in carried:
        if each.der != signer and not any(
            has_issued(issuer, each) for issuer in (*carried, *roots)
        ):
            return f"it carries a certificate that nothing vouches for ({each.common_name!r})"
    return ""
