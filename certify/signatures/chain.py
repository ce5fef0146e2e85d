"""Signers and times: each signature against explicit roots, at the time proven for it.

The signatures are examined from the last to the first. At first the proven time is the moment of
the verification. A document timestamp that is valid at the proven time proves that all before it
existed when it was made, and its time becomes the proven time. A signature with its own timestamp
is judged at that time, any other at the proven time: an expired certificate could otherwise be used
with a backdated clock.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace
from pyhanko.sign.validation import async_validate_pdf_signature, async_validate_pdf_timestamp
from pyhanko.sign.validation.generic_cms import extract_tst_data_iter
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import (
    DocumentTimestampStatus,
    PdfSignatureStatus,
    SignatureStatus,
)

from certify.model.approval import ROLES, Role, RootRole
from certify.signatures import signature_faults as faults
from certify.signatures.certificate import Certificate
from certify.signatures.document import Signature, SignedDocument
from certify.signatures.signature_faults import Evidence, collect_evidence

SIGNING_USAGE = KeyUsageConstraints(key_usage={"non_repudiation", "digital_signature"})
"""A signer's certificate allows at least one of the two (RFC 5280, section 4.2.1.3)."""


class Examined(Struct, frozen=True, kw_only=True):
    """Results of the cryptographic and certificate checks of one signature.

    Attributes:
        signature: the signature.
        certificate: the signer's certificate; None if the signature cannot be read.
        intact: why it is not cryptographically sound; empty if it is.
        trusted: why its chain does not lead to a given root; empty if it does.
        timely: why its certificate or its timestamp is not valid at its time; empty if it is.
        declared: the time that the signer declares.
        proven: the time that an authority states for it, or None.
        root: the root of its chain; None if that does not hold.
        authority: the certificate of the authority of its time, None without a timestamp.
        authority_root: the root of that one's chain.
        revocation: True if the document has complete validation data for it: no certificate of the
            chain that can be revoked was revoked when it was used.
        until: the last moment at which a verification of the document finds it valid; None where
            its chain does not hold.
    """

    signature: Signature
    certificate: Certificate | None
    intact: str = ""
    trusted: str = ""
    timely: str = ""
    declared: datetime | None = None
    proven: datetime | None = None
    root: Certificate | None = None
    authority: Certificate | None = None
    authority_root: Certificate | None = None
    revocation: bool = False
    until: datetime | None = None

    @property
    def field(self) -> str:
        """The name of its signature field."""
        return self.signature.field_name

    @property
    def role(self) -> Role | None:
        """The signer's role; None in a field without a role."""
        return ROLES.get(self.field)

    @property
    def sound(self) -> bool:
        """True if it has no fault."""
        return not (self.intact or self.trusted or self.timely)


def examine(
    document: SignedDocument,
    *,
    trust: tuple[Certificate, ...],
    roots: Mapping[str, tuple[Certificate, ...]] = MappingProxyType({}),
    at: datetime,
) -> tuple[Examined, ...]:
    """Examine every signature of a document, in its order.

    Args:
        document: the document.
        trust: roots for every role; those of the operating system are never used.
        roots: roots that vouch for one role, or for timestamps, only.
        at: the moment of the verification, aware.

    Returns:
        One finding for each signature; malformed ones are findings too.
    """
    return asyncio.run(_examine_all(document, collect_evidence(document.reader, trust, roots), at))


async def _examine_all(
    document: SignedDocument, evidence: Evidence, at: datetime
) -> tuple[Examined, ...]:
    signatures: list[Examined] = []
    proven, kept = at, None
    for signature in reversed(document.signatures):
        examine_one = _examine_stamp if signature.kind == "timestamp" else _examine_signature
        try:
            examined = await examine_one(signature, evidence, proven)
        except MemoryError:
            raise  # this says nothing about the document
        except Exception as error:  # noqa: BLE001 - hostile bytes make the libraries raise anything
            reason = f"it cannot be read ({error or type(error).__name__})"
            examined = Examined(signature=signature, certificate=None, intact=reason)
        if kept is not None and examined.until is not None:
            # a later timestamp proves the time of this one, for as long as it is valid itself
            examined = replace(examined, until=max(kept, examined.until))
        if signature.kind == "timestamp" and examined.sound and examined.proven is not None:
            proven, kept = examined.proven, examined.until
        signatures.append(examined)
    return tuple(reversed(signatures))


async def _examine_stamp(signature: Signature, evidence: Evidence, proven: datetime) -> Examined:
    async def judge(moment: datetime, *, complete: bool) -> DocumentTimestampStatus:
        context = evidence.context(moment, RootRole.TIME, complete=complete)
        return await async_validate_pdf_timestamp(signature.embedded, context, skip_diff=True)

    status = await judge(proven, complete=False)
    at_its_time = await judge(status.timestamp, complete=True)
    return Examined(
        signature=signature,
        certificate=signature.certificate,
        intact=faults.unsound(status) or faults.oddity(signature.embedded, evidence.known),
        trusted=faults.explain_untrusted(status, proven, _purpose(evidence, RootRole.TIME))
        or faults.no_authority(status)
        or faults.explain_revoked(at_its_time, evidence, status.timestamp),
        timely=faults.untimely(status, proven) or faults.late(status.timestamp, proven),
        proven=status.timestamp,
        authority=signature.certificate,
        authority_root=evidence.find_root(status),
        revocation=at_its_time.trusted,
        until=_expiry(status),
    )


async def _examine_signature(
    signature: Signature, evidence: Evidence, proven: datetime
) -> Examined:
    stamps, role = _stamp_times(signature), str(ROLES.get(signature.field_name, ""))
    moment = min((proven, *stamps))

    async def judge(stamp_moment: datetime, *, complete: bool) -> PdfSignatureStatus:
        return await async_validate_pdf_signature(
            signature.embedded,
            signer_validation_context=evidence.context(
                moment, role, complete=complete, holder=signature.certificate
            ),
            ts_validation_context=evidence.context(stamp_moment, RootRole.TIME, complete=complete),
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
        intact=faults.unsound(status)
        or faults.oddity(signature.embedded, evidence.known)
        or faults.not_pades(signature, status, len(stamps)),
        trusted=faults.no_signer(status)
        or faults.weak(signature)
        or faults.explain_untrusted(status, moment, _purpose(evidence, role))
        or faults.explain_revoked(at_its_time, evidence, moment)
        or (
            faults.untrusted_stamp(stamp, proven, _purpose(evidence, RootRole.TIME))
            if stamp
            else ""
        )
        or (faults.explain_revoked(stamp_then, evidence, moment) if stamp_then else ""),
        timely=faults.untimely(status, moment)
        or (faults.untimely(stamp, proven) or faults.late(stamp.timestamp, proven) if stamp else "")
        or faults.explain_misdated(declared, moment, signature.certificate),
        declared=declared,
        proven=stamp.timestamp if stamp else None,
        root=evidence.find_root(status),
        authority=Certificate.from_der(stamp.signing_cert.dump()) if stamp else None,
        authority_root=evidence.find_root(stamp) if stamp else None,
        revocation=at_its_time.trusted and (stamp_then is None or stamp_then.trusted),
        until=_expiry(stamp or status),
    )


def _expiry(status: SignatureStatus) -> datetime | None:
    """Return when the first certificate of a chain expires, None if the chain does not hold.

    The root that the reader trusts is not asked for its dates, unless it is the signer's own.
    """
    if not status.trusted or status.validation_path is None:
        return None
    _, *issued = status.validation_path
    earliest: datetime = min(each.not_valid_after for each in (status.signing_cert, *issued))
    return earliest


def _purpose(evidence: Evidence, role: str) -> str:
    """Return the purpose of a root in words, where some roots vouch for one purpose only."""
    return f" for the role {role}" if any(evidence.roots.values()) else ""


def _stamp_times(signature: Signature) -> list[datetime]:
    """Return the times that the timestamps inside the signature state, not yet verified."""
    tokens = extract_tst_data_iter(signature.embedded.signer_info, signed=False)
    return [token["encap_content_info"]["content"].parsed["gen_time"].native for token in tokens]
