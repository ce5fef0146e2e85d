"""Who signed and when: each signature against explicit roots, at the time that is proven for it.

The signatures are walked from the last to the first. At first the proven time is the moment of
the verification. A document timestamp that holds at the proven time proves that all before it
existed when it was made, and its time becomes the proven time. A signature with a timestamp of
its own is judged at that time, any other at the proven time: an expired certificate could
otherwise be used with a backdated clock.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from asn1crypto import crl, ocsp
from asn1crypto import x509 as asn1
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.decode_limits import DecodePurpose
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESIndeterminate
from pyhanko.sign.validation import async_validate_pdf_signature, async_validate_pdf_timestamp
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.generic_cms import extract_tst_data_iter
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import (
    DocumentTimestampStatus,
    PdfSignatureStatus,
    SignatureStatus,
    TimestampSignatureStatus,
)
from pyhanko_certvalidator import ValidationContext

from certify.seal.certificate import Certificate
from certify.seal.container import oddity
from certify.seal.document import Document, Signature

DIGESTS = frozenset({"sha256", "sha384", "sha512"})
SIGNING_USAGE = KeyUsageConstraints(key_usage={"non_repudiation", "digital_signature"})
"""A signer's certificate allows at least one of the two (RFC 5280, section 4.2.1.3)."""

TOLERANCE = timedelta(minutes=5)
"""How far a signer's clock may be ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What cryptography and certificates say about one signature.

    Attributes:
        signature: the signature.
        certificate: its signer's; None where the signature cannot be read.
        intact: why it is not cryptographically sound; empty where it is.
        trusted: why its chain does not lead to a given root; empty where it does.
        timely: why its certificate or its timestamp does not hold at its time; empty where it does.
        declared: the time that the signer states.
        proven: the time that an authority states for it, or None.
        revocation: the document brings complete validation data for it: no certificate of the
            chain that can be revoked was revoked when it was used.
    """

    signature: Signature
    certificate: Certificate | None
    intact: str = ""
    trusted: str = ""
    timely: str = ""
    declared: datetime | None = None
    proven: datetime | None = None
    revocation: bool = False

    @property
    def sound(self) -> bool:
        """Say whether nothing is wrong with it."""
        return not (self.intact or self.trusted or self.timely)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Roots that are trusted, and what the document brings: certificates and revocation data."""

    trust: tuple[Certificate, ...]
    certificates: tuple[asn1.Certificate, ...] = ()
    revocation_lists: tuple[crl.CertificateList, ...] = ()
    responses: tuple[ocsp.OCSPResponse, ...] = ()

    def context(self, moment: datetime, *, complete: bool) -> ValidationContext:
        """Return the rules for a chain at ``moment``; nothing is ever fetched.

        ``complete`` demands revocation data for each certificate that names where to find some;
        without it none are used, because those of the document grow stale with the years. They
        are newer than the signature that they vouch for, hence retroactive.
        """
        return ValidationContext(
            trust_roots=[root.asn1() for root in self.trust],
            other_certs=self.certificates,
            crls=self.revocation_lists if complete else (),
            ocsps=self.responses if complete else (),
            moment=moment.astimezone(UTC),
            allow_fetching=False,
            revocation_mode="hard-fail" if complete else "soft-fail",
            retroactive_revinfo=True,
        )

    def lists(self, certificate: asn1.Certificate, moment: datetime) -> bool:
        """Say whether a revocation list of the document, however old, names a certificate."""
        return any(
            one["user_certificate"].native == certificate.serial_number
            and one["revocation_date"].native <= moment
            for revocations in self.revocation_lists
            if revocations.issuer == certificate.issuer
            for one in revocations["tbs_cert_list"]["revoked_certificates"] or ()
        )


def examine(
    document: Document, *, trust: tuple[Certificate, ...], at: datetime
) -> tuple[Examined, ...]:
    """Examine every signature of a document, in its order.

    Args:
        document: the document.
        trust: the only roots; those of the operating system are never used.
        at: the moment of the verification, aware.

    Returns:
        One finding for each signature; malformed ones are findings too.
    """
    return asyncio.run(_examine_all(document, _evidence(document.reader, trust), at))


def has_store(document: Document) -> bool:
    """Say whether the document brings validation data."""
    return "/DSS" in document.reader.root


def _evidence(reader: PdfFileReader, trust: tuple[Certificate, ...]) -> Evidence:
    """Collect the roots and the validation data; data that cannot be read count as missing."""
    try:
        store = DocumentSecurityStore.read_dss(reader)
        return Evidence(
            trust=trust,
            certificates=tuple(store.load_certs()),
            revocation_lists=tuple(map(crl.CertificateList.load, _streams(store.crls))),
            responses=tuple(map(ocsp.OCSPResponse.load, _streams(store.ocsps))),
        )
    except Exception:  # noqa: BLE001 - the same; without data, what asks for them fails
        return Evidence(trust=trust)


def _streams(references: list[generic.IndirectObject]) -> Iterator[bytes]:
    for reference in references:
        stream = reference.get_object()  # type: ignore[no-untyped-call]
        yield stream.read_data(DecodePurpose.CRL)


async def _examine_all(
    document: Document, evidence: Evidence, at: datetime
) -> tuple[Examined, ...]:
    found: list[Examined] = []
    proven = at
    for signature in reversed(document.signatures):
        examine_one = _examine_stamp if signature.kind == "timestamp" else _examine_signature
        try:
            examined = await examine_one(signature, evidence, proven)
        except Exception as error:  # noqa: BLE001 - hostile bytes make the libraries raise anything
            reason = f"it cannot be read ({error or type(error).__name__})"
            examined = Examined(signature=signature, certificate=None, intact=reason)
        if signature.kind == "timestamp" and examined.sound and examined.proven is not None:
            proven = examined.proven
        found.append(examined)
    return tuple(reversed(found))


async def _examine_stamp(signature: Signature, evidence: Evidence, proven: datetime) -> Examined:
    async def judge(moment: datetime, *, complete: bool) -> DocumentTimestampStatus:
        context = evidence.context(moment, complete=complete)
        return await async_validate_pdf_timestamp(signature.embedded, context, skip_diff=True)

    status = await judge(proven, complete=False)
    at_its_time = await judge(status.timestamp, complete=True)
    return Examined(
        signature=signature,
        certificate=signature.certificate,
        intact=_unsound(status) or oddity(signature.embedded, evidence.trust),
        trusted=_untrusted(status, proven)
        or _no_authority(status)
        or _revoked(at_its_time, evidence, status.timestamp),
        timely=_untimely(status, proven) or _late(status.timestamp, proven),
        proven=status.timestamp,
        revocation=at_its_time.trusted,
    )


async def _examine_signature(
    signature: Signature, evidence: Evidence, proven: datetime
) -> Examined:
    stamps = _stamp_times(signature)
    moment = min((proven, *stamps))

    async def judge(stamp_moment: datetime, *, complete: bool) -> PdfSignatureStatus:
        return await async_validate_pdf_signature(
            signature.embedded,
            signer_validation_context=evidence.context(moment, complete=complete),
            ts_validation_context=evidence.context(stamp_moment, complete=complete),
            key_usage_settings=SIGNING_USAGE,
            skip_diff=True,
        )

    status = await judge(proven, complete=False)
    at_its_time = await judge(moment, complete=True)
    stamp, stamp_then = status.timestamp_validity, at_its_time.timestamp_validity
    declared = signature.embedded.self_reported_timestamp
    return Examined(
        signature=signature,
        certificate=signature.certificate,
        intact=_unsound(status)
        or oddity(signature.embedded, evidence.trust)
        or _not_pades(signature, status, len(stamps)),
        trusted=_untrusted(status, moment)
        or _revoked(at_its_time, evidence, moment)
        or (_untrusted_stamp(stamp, proven) if stamp else "")
        or (_revoked(stamp_then, evidence, moment) if stamp_then else ""),
        timely=_untimely(status, moment)
        or (_untimely(stamp, proven) or _late(stamp.timestamp, proven) if stamp else "")
        or _misdated(declared, moment, signature.certificate),
        declared=declared,
        proven=stamp.timestamp if stamp else None,
        revocation=at_its_time.trusted and (stamp_then is None or stamp_then.trusted),
    )


def _stamp_times(signature: Signature) -> list[datetime]:
    """Return the times that the timestamps inside the signature state, not yet verified."""
    tokens = extract_tst_data_iter(signature.embedded.signer_info, signed=False)
    return [token["encap_content_info"]["content"].parsed["gen_time"].native for token in tokens]


def _unsound(status: SignatureStatus) -> str:
    """Say why a signature is cryptographically void."""
    if not status.intact:
        return "what it covers was changed after it was made"
    if not status.valid:
        return "its cryptographic value is wrong"
    if status.md_algorithm not in DIGESTS:
        return f"its digest {status.md_algorithm} is too weak"
    return ""


def _not_pades(signature: Signature, status: PdfSignatureStatus, stamps: int) -> str:
    """Say what the baseline profile demands and the signature lacks (ETSI EN 319 142-1, 6.3)."""
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


def _untrusted(status: SignatureStatus, moment: datetime) -> str:
    """Say why the chain of certificates does not lead to a given root.

    That the signer's own certificate ran out is not said here but by ``_untimely``.
    """
    if status.trusted or not (status.intact and status.valid):
        return ""
    certificate = _certificate(status)
    expired = status.trust_problem_indic is AdESIndeterminate.OUT_OF_BOUNDS_NO_POE
    if expired and not certificate.valid_at(moment):
        return ""
    name = certificate.common_name
    unknown = status.trust_problem_indic is AdESIndeterminate.NO_CERTIFICATE_CHAIN_FOUND
    if unknown or certificate.self_signed:
        return f"no root that you trust vouches for {name}"
    return f"the chain of certificates of {name} does not hold ({status.trust_problem_indic})"


def _revoked(status: SignatureStatus, evidence: Evidence, moment: datetime) -> str:
    """Say that a certificate was revoked when it was used, by the data of the document."""
    if not status.revoked and not evidence.lists(status.signing_cert, moment):
        return ""
    return f"the certificate of {_certificate(status).common_name}, or of its issuer, was revoked"


def _untrusted_stamp(stamp: TimestampSignatureStatus, moment: datetime) -> str:
    fault = _unsound(stamp) or _untrusted(stamp, moment) or _no_authority(stamp)
    return f"its timestamp does not hold: {fault}" if fault else ""


def _no_authority(status: SignatureStatus) -> str:
    """Say why a certificate may not issue timestamps; a trusted root is no exception."""
    usage = status.signing_cert.extended_key_usage_value
    if usage is not None and usage.native == ["time_stamping"]:
        return ""
    return f"{_certificate(status).common_name} is not a timestamp authority"


def _untimely(status: SignatureStatus, moment: datetime) -> str:
    """Say why a certificate does not hold; a trusted root is no exception."""
    certificate = _certificate(status)
    if certificate.valid_at(moment):
        return ""
    return (
        f"the certificate of {certificate.common_name} is valid from "
        f"{certificate.not_before:%Y-%m-%d} to {certificate.not_after:%Y-%m-%d}, and nothing "
        f"proves a use before {moment:%Y-%m-%d}"
    )


def _late(stated: datetime, proven: datetime) -> str:
    if stated <= proven + TOLERANCE:
        return ""
    return f"its timestamp of {stated:%Y-%m-%d %H:%M} lies in the future"


def _misdated(declared: datetime | None, moment: datetime, certificate: Certificate) -> str:
    """Say why the time that the signer declares cannot be true."""
    if declared is None or declared.utcoffset() is None:
        return "it does not state when it was made"
    if declared > moment + TOLERANCE:
        return f"its declared time {declared:%Y-%m-%d %H:%M} lies in the future"
    if not certificate.valid_at(declared):
        return f"its certificate was not valid at the declared time {declared:%Y-%m-%d %H:%M}"
    return ""


def _certificate(status: SignatureStatus) -> Certificate:
    return Certificate.from_der(status.signing_cert.dump())
