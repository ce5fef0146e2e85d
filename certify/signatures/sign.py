"""Signing: a PAdES signature in the field that the document holds ready for it."""

from datetime import UTC, datetime

from msgspec import Struct

from certify.activity import activity
from certify.errors import InvariantBroken, NotConfigured
from certify.model.approval import Role
from certify.signatures.certificate import Certificate, first_weakness
from certify.signatures.identity import Identity, Profile, SigningRequest


class Signed(Struct, frozen=True, kw_only=True):
    """A signed document and the profile that was reached."""

    data: bytes
    profile: Profile


def blank_document() -> bytes:
    """Return an empty page with the preparer's empty field, on which a signature can be tried."""
    from certify.signatures import pades

    return pades.blank_document(Role.PREPARER.field)


def sign(
    pdf: bytes,
    *,
    identity: Identity,
    field: str = Role.PREPARER.field,
    reason: str,
    location: str,
    signing_time: datetime | None = None,
    timestamp_url: str | None = None,
    long_term: bool = False,
    archive: bool = True,
    certify: bool = True,
    trust: tuple[Certificate, ...] = (),
    statement: bytes = b"",
    statement_lines: tuple[str, ...] = (),
) -> Signed:
    """Sign a document in its empty field ``field``; the result starts with the bytes of ``pdf``.

    Args:
        pdf: the document.
        identity: who signs.
        field: name of an empty signature field of the document.
        reason: why, in words that the signature carries.
        location: where, likewise.
        signing_time: when, as declared (aware); now, where it is None.
        timestamp_url: address of an RFC 3161 authority; without one the profile is B-B.
        long_term: embed all that a later verification needs (B-LT); needs an authority.
        archive: with ``long_term``, also timestamp the whole document (B-LTA).
        certify: certification signature that allows further signatures; only the first can be
            one, so a reviewer signs with False.
        trust: roots of the signer's and of the authority's chain; only ``long_term`` needs them.
        statement: the file of the laboratory's statement, which the signature holds.
        statement_lines: the same as printed above the signature.

    Raises:
        NotReadable: ``pdf`` is not a PDF.
        NotConfigured: no such field, a certificate that is not valid at that time, a wrong
            password, an authority that cannot be reached, an incomplete chain.

    Source: ETSI EN 319 142-1 V1.2.1; ISO 32000-1, 12.8.
    """
    from certify.signatures import pades

    moment = signing_time or datetime.now(UTC)
    profile = _profile(timestamp_url, long_term=long_term, archive=archive)
    _refuse_invalid(identity, moment)
    request = SigningRequest(
        identity=identity,
        field=field,
        reason=reason,
        location=location,
        moment=moment,
        timestamp_url=timestamp_url,
        profile=profile,
        certify=certify,
        trust=trust,
        statement=statement,
        statement_lines=statement_lines,
    )
    data = _starting_with(pdf, pades.sign_pdf(pdf, request))
    activity.get().keys[identity.certificate.fingerprint] = identity.certificate.common_name
    return Signed(data=data, profile=profile)


def renew(
    pdf: bytes, *, timestamp_url: str, trust: tuple[Certificate, ...], moment: datetime
) -> bytes:
    """Return a signed document with validation data and one more timestamp of the whole document.

    Args:
        pdf: the document, which has been verified.
        timestamp_url: address of an RFC 3161 authority.
        trust: roots of the signers' and of the authorities' chains.
        moment: the present, aware.

    Raises:
        NotConfigured: no address, an authority that cannot be reached, an incomplete chain, or a
            certificate that was revoked when it was used.

    Source: ETSI EN 319 142-1 V1.2.1, clause 5.5.
    """
    from certify.signatures import pades

    _profile(timestamp_url, long_term=True, archive=True)
    data = pades.renew_pdf(pdf, timestamp_url=timestamp_url, trust=trust, moment=moment)
    return _starting_with(pdf, data)


def _starting_with(pdf: bytes, data: bytes) -> bytes:
    if not data.startswith(pdf):
        raise InvariantBroken("Signing changed the bytes that were to be signed.")
    return data


def _profile(timestamp_url: str | None, *, long_term: bool, archive: bool) -> Profile:
    if timestamp_url is None:
        if long_term:
            raise NotConfigured(
                "A long-term signature needs a timestamp authority, and none was named.",
                remedy="Give the URL of an RFC 3161 authority, or sign without long-term data.",
            )
        return "B-B"
    if not timestamp_url.startswith(("https://", "http://")):
        raise NotConfigured(
            f"{timestamp_url!r} is not the URL of a timestamp authority.",
            remedy="Give a URL that begins with https:// or http://.",
        )
    if not long_term:
        return "B-T"
    return "B-LTA" if archive else "B-LT"


def _refuse_invalid(identity: Identity, moment: datetime) -> None:
    if moment.utcoffset() is None:
        raise NotConfigured(
            "The signing time has no time zone.", remedy="Give the time with its zone."
        )
    certificate = identity.certificate
    if not certificate.signs_documents:
        raise NotConfigured(
            f"The certificate of {certificate.common_name!r} is not for signing documents.",
            remedy="Use a certificate for signing documents, not that of a timestamp "
            "authority, a server or a program.",
        )
    weakness = first_weakness((certificate, *identity.chain))
    if weakness:
        raise NotConfigured(
            f"The identity {certificate.common_name!r} cannot be used: {weakness}.",
            remedy="Sign with an RSA key of 3,072 bits whose certificates have one plain name "
            "each, signed with SHA-256.",
        )
    if not certificate.is_valid_at(moment):
        raise NotConfigured(
            f"The certificate of {certificate.common_name!r} is valid from "
            f"{certificate.not_before:%Y-%m-%d} to {certificate.not_after:%Y-%m-%d}, "
            f"not on {moment:%Y-%m-%d}.",
            remedy="Use a certificate that is valid then; `certify keys init-dev` "
            "creates a new development identity.",
        )
