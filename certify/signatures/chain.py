"""Signers and times: each signature against explicit roots, at the time proven for it.

The signatures are examined from the last to the first. At first the proven time is the moment of
the verification. A document timestamp that is valid at the proven time proves that all before it
existed when it was made, and its time becomes the proven time. A signature with its own timestamp
is judged at that time, any other at the proven time: an expired certificate could otherwise be used
with a backdated clock.
"""

import asyncio
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace
from pyhanko.sign.validation import async_validate_pdf_signature, async_validate_pdf_timestamp
from pyhanko.sign.validation.generic_cms import extract_tst_data_iter
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import DocumentTimestampStatus, SignatureStatus

from certify.formatting import plain_reason
from certify.model.approval import ROLES, Role, RootRole
from certify.signatures import signature_faults as faults
from certify.signatures.certificate import Certificate
from certify.signatures.document import Signature, SignedDocument
from certify.signatures.evidence import Evidence
from certify.signatures.verify import NONE_NAMED, Revocation

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
        existed: the earliest time at which a timestamp proves that it existed, or None.
        revocation: whether the signer was revoked when it was made.
        authority_revocation: whether the authority of its time was revoked at that time.
        chains: the certificates of its trusted chains, DER, from each root on.
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
    existed: datetime | None = None
    revocation: Revocation = NONE_NAMED
    authority_revocation: Revocation = NONE_NAMED
    chains: tuple[tuple[bytes, ...], ...] = ()
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
        return not (self.intact or self.trusted or self.timely or self.list_parties("revoked"))

    def list_parties(self, status: str) -> dict[str, Revocation]:
        """Return the signer and the authority with a result of the search for revocation."""
        return {
            f"{holder.common_name!r} ({role})": revocation
            for holder, role, revocation in (
                (self.certificate, self.role or "no role", self.revocation),
                (self.authority, "timestamp authority", self.authority_revocation),
            )
            if holder is not None and revocation.status == status
        }


def examine(document: SignedDocument, evidence: Evidence, at: datetime) -> tuple[Examined, ...]:
    """Examine every signature of a document, in its order.

    Args:
        document: the document.
        evidence: the only roots that chains may lead to, and the revocation data.
        at: the moment of the verification, aware.

    Returns:
        One finding for each signature; malformed ones are findings too.
    """
    return asyncio.run(_examine_all(document.signatures, evidence, at))


async def _examine_all(
    signatures: tuple[Signature, ...], evidence: Evidence, at: datetime
) -> tuple[Examined, ...]:
    results: list[Examined] = []
    proven, latest = at, None
    for number, signature in reversed([*enumerate(signatures, start=1)]):
        examine_one = _examine_stamp if signature.kind == "timestamp" else _examine_signature
        try:
            examined = await examine_one(signatures[:number], evidence, proven)
        except MemoryError:
            raise  # this says nothing about the document
        except Exception as error:  # noqa: BLE001 - hostile bytes make the libraries raise anything
            reason = f"it cannot be read ({plain_reason(error)})"
            examined = Examined(signature=signature, certificate=None, intact=reason)
        existed = min(examined.proven or at, proven)
        if latest is not None and examined.until is not None:
            # a later timestamp proves the time of this one until it expires itself
            examined = replace(examined, until=max(latest, examined.until))
        results.append(replace(examined, existed=existed if existed < at else None))
        if signature.kind == "timestamp" and examined.sound and examined.proven is not None:
            proven, latest = examined.proven, examined.until
    return tuple(reversed(results))


async def _examine_stamp(
    earlier: tuple[Signature, ...], evidence: Evidence, proven: datetime
) -> Examined:
    signature = earlier[-1]
    status: DocumentTimestampStatus = await async_validate_pdf_timestamp(
        signature.embedded, evidence.context(proven, RootRole.TIME), skip_diff=True
    )
    issuers = evidence.issuers(signature, signature.certificate)
    revocation = await evidence.look_up(
        status.validation_path, status.timestamp, evidence.first_revision(earlier)
    )
    return Examined(
        signature=signature,
        certificate=signature.certificate,
        intact=faults.unsound(status) or faults.oddity(signature.embedded, evidence.known),
        trusted=faults.explain_untrusted(status, proven, _purpose(evidence, RootRole.TIME), issuers)
        or faults.no_authority(status),
        timely=faults.untimely(status, proven, issuers) or faults.late(status.timestamp, proven),
        proven=status.timestamp,
        authority=signature.certificate,
        authority_root=evidence.find_root(status),
        authority_revocation=revocation,
        chains=_chains(status),
        until=_expiry(status),
    )


async def _examine_signature(
    earlier: tuple[Signature, ...], evidence: Evidence, proven: datetime
) -> Examined:
    signature = earlier[-1]
    stamps, role = _stamp_times(signature), str(ROLES.get(signature.field_name, ""))
    moment = min((proven, *stamps))
    first = evidence.first_revision(earlier)
    status = await async_validate_pdf_signature(
        signature.embedded,
        signer_validation_context=evidence.context(moment, role, holder=signature.certificate),
        ts_validation_context=evidence.context(proven, RootRole.TIME),
        key_usage_settings=SIGNING_USAGE,
        skip_diff=True,
    )
    stamp = status.timestamp_validity
    authority = Certificate.from_der(stamp.signing_cert.dump()) if stamp else None
    issuers = evidence.issuers(signature, signature.certificate)
    above = evidence.issuers(signature, authority) if authority else ()
    declared = signature.embedded.self_reported_timestamp
    return Examined(
        signature=signature,
        certificate=signature.certificate,
        intact=faults.unsound(status)
        or faults.oddity(signature.embedded, evidence.known)
        or faults.not_pades(signature, status, len(stamps)),
        trusted=faults.no_signer(status)
        or faults.weak(signature)
        or faults.explain_untrusted(status, moment, _purpose(evidence, role), issuers)
        or (
            faults.untrusted_stamp(stamp, proven, _purpose(evidence, RootRole.TIME), above)
            if stamp
            else ""
        ),
        timely=faults.untimely(status, moment, issuers)
        or (
            faults.untimely(stamp, proven, above) or faults.late(stamp.timestamp, proven)
            if stamp
            else ""
        )
        or faults.explain_misdated(declared, moment, signature.certificate),
        declared=declared,
        proven=stamp.timestamp if stamp else None,
        root=evidence.find_root(status),
        authority=authority,
        authority_root=evidence.find_root(stamp) if stamp else None,
        revocation=await evidence.look_up(status.validation_path, moment, first),
        authority_revocation=await evidence.look_up(stamp.validation_path, moment, first)
        if stamp
        else NONE_NAMED,
        chains=_chains(status, stamp),
        until=_expiry(stamp or status),
    )


def _chains(*statuses: SignatureStatus | None) -> tuple[tuple[bytes, ...], ...]:
    """Return the certificates of the trusted chains, DER, from each root on."""
    paths = (status.validation_path for status in statuses if status is not None)
    return tuple(tuple(each.dump() for each in path) for path in paths if path is not None)


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
