"""Verify a file, report the verdict as JSON, and countersign it."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, to_builtins

from certify.errors import CertifyError, NotAuthentic, NotConfigured
from certify.formatting import utc_minute
from certify.intake.plain_json import strict_value
from certify.model.approval import NOBODY, Role
from certify.model.encoding import pick_values
from certify.model.submission import Change
from certify.pipeline.statement import judge_statements, prepare_statement
from certify.pipeline.submit.evidence import EVIDENCE
from certify.signatures.certificate import Certificate, find_top
from certify.signatures.identity import Identity, signing_reason
from certify.signatures.sign import sign
from certify.signatures.verify import (
    NO_DEMANDS,
    Demands,
    SignatureVerdict,
    verify,
    verify_and_open,
)


class VerifiedFile(Struct, frozen=True, kw_only=True):
    """The verdict on a file, or the error that left it without one.

    Attributes:
        answer: the same for scripts.
        data: the file; empty if it cannot be read.
        verdict: the verdict; None after an error.
        files: the attachments of an authentic document.
        error: why there is no verdict.
    """

    answer: Mapping[str, Any]
    data: bytes
    verdict: SignatureVerdict | None = None
    files: Mapping[str, bytes] = MappingProxyType({})
    error: CertifyError | None = None

    @property
    def name(self) -> str:
        """The path of the file, as it was given."""
        return str(self.answer["file"])

    @property
    def exit_code(self) -> int:
        """0 for an authentic document, 1 for any other one, or that of the error."""
        if self.error is not None:
            return self.error.exit_code
        return 0 if self.verdict is not None and self.verdict.authentic else 1


def judge_document(
    pdf: bytes,
    *,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    countersigners: Mapping[Role, str] = NOBODY,
    demands: Demands = NO_DEMANDS,
    at: dt.datetime,
    online: bool = False,
) -> tuple[SignatureVerdict, dict[str, bytes], list[dict[str, Any]]]:
    """Return the verdict on a document, its attachments, and the statements of its signatures.

    Raises:
        CertifyError: see `certify.signatures.verify.verify_and_open`.
    """
    verdict, files = verify_and_open(
        pdf,
        trust=trust,
        signer=signer,
        countersigners=countersigners,
        demands=demands,
        at=at,
        online=online,
    )
    verdict, statements = judge_statements(verdict, files)
    return verdict, files, statements


def verify_file(
    name: str,
    pdf: bytes,
    *,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    countersigners: Mapping[Role, str] = NOBODY,
    demands: Demands = NO_DEMANDS,
    online: bool = False,
) -> VerifiedFile:
    """Return the verdict on a file as of now.

    Raises:
        CertifyError: see `certify.signatures.verify.verify_and_open`.
    """
    verdict, files, statements = judge_document(
        pdf,
        trust=trust,
        signer=signer,
        countersigners=countersigners,
        demands=demands,
        at=dt.datetime.now(dt.UTC),
        online=online,
    )
    answer = {
        "file": name,
        "verdict": verdict.verdict,
        "checks": [
            pick_values(check, "id", "passed", "required", "detail") for check in verdict.checks
        ],
        "signer": verdict.signer,
        "fingerprint": verdict.fingerprint,
        "countersigners": list(verdict.countersigners),
        "signatures": [
            to_builtins(signature) | statement
            for signature, statement in zip(verdict.signatures, statements, strict=True)
        ],
        "timestamps": to_builtins(verdict.timestamps),
        "pages": to_builtins(verdict.pages),
        "profile": verdict.profile,
        "provable_until": verdict.provable_until,
        "proves_identity": verdict.proves_identity,
        "records": _records(files),
    }
    return VerifiedFile(answer=answer, data=pdf, verdict=verdict, files=files)


def _records(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the records that are not certify's own, as the evidence of a submission states."""
    try:
        stated = strict_value(files[EVIDENCE])["provenance"]["records"]
        return {str(path): str(Change(change)) for path, change in stated.items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}  # the file is no submission of this format


def encode_error(name: str, error: CertifyError) -> dict[str, Any]:
    """Return the answer for a file that could not be verified."""
    return {"file": name, "verdict": error.message, "checks": []}


def countersign(
    pdf: bytes,
    *,
    identity: Identity,
    role: Role = Role.LABORATORY,
    reason: str | None = None,
    location: str,
    trust: tuple[Certificate, ...],
    demands: Demands = NO_DEMANDS,
    signer: str | None = None,
    timestamp_url: str | None = None,
    long_term: bool = False,
    allow_lower_profile: bool = False,
    statement: bytes = b"",
    warn: Callable[[str], None] = lambda _: None,
) -> bytes:
    """Return the document with a signature more; it starts with the bytes that were there.

    ``reason`` is the role's own where none is given. ``statement`` is the file of the
    laboratory's, if any. The signature has the profile of the document at least, unless
    ``allow_lower_profile`` is True. ``warn`` receives notices on the revocation of signers.

    Raises:
        NotAuthentic: the document does not pass verification, so nobody should sign it; or by the
            data in it the identity is revoked.
        NothingChecked: it has no signature.
        NotConfigured: the identity has signed it already, or signs as laboratory under the
            preparer's root; the field is missing or taken; or the statement is not of this document
            or is not the laboratory's; or the document has a timestamp and the signature none.
        Unfit: the statement has errors.
    """
    now = dt.datetime.now(dt.UTC)
    verdict, files, _ = judge_document(
        pdf, trust=trust, signer=signer, demands=demands, at=now, online=long_term
    )
    _refuse_not_authentic(verdict)
    for notice in (*_doubts(verdict), *identity.list_notices(long_term=long_term)):
        warn(notice)
    if identity.certificate.fingerprint in {each.fingerprint for each in verdict.signatures}:
        raise NotConfigured(
            f"{identity.name} has already signed this document.",
            remedy="Each role needs another signer: use another --identity.",
        )
    known = (*trust, *(root for roots in demands.roots.values() for root in roots))
    if role is Role.LABORATORY and not demands.allow_same_root:
        _refuse_dependent(identity, verdict, known)
    if statement and role is not Role.LABORATORY:
        raise NotConfigured(
            "Only a laboratory signs a statement of what was examined.",
            remedy="Use the role laboratory, or omit the statement.",
        )
    archive = long_term or verdict.profile == "B-LTA"
    if not allow_lower_profile:
        _refuse_lower_profile(verdict, timestamp_url)
        long_term = long_term or verdict.profile in ("B-LT", "B-LTA")
    reason = signing_reason(role) if reason is None else reason
    lines: tuple[str, ...] = ()
    if statement:
        reason, lines = prepare_statement(statement, files, pdf, identity.name, reason)
    data = sign(
        pdf,
        identity=identity,
        field=role.field,
        reason=reason,
        location=location,
        signing_time=now,
        timestamp_url=timestamp_url,
        long_term=long_term,
        archive=archive,
        certify=False,
        trust=known,
        statement=statement,
        statement_lines=lines,
    ).data
    trust, now = (*known, find_top(identity.certificate, identity.chain)), dt.datetime.now(dt.UTC)
    signed = verify(data, trust=trust, demands=demands, at=now)
    _refuse_revoked(signed, "Sign with a certificate that is not revoked.")
    return data


def _refuse_not_authentic(verdict: SignatureVerdict) -> None:
    """Refuse a document that verification does not accept; a revoked signer is named."""
    if verdict.authentic:
        return
    _refuse_revoked(verdict, "Request a document of signers that are not revoked.")
    raise NotAuthentic(
        f"The document is not countersigned: {verdict.verdict}",
        remedy="Request a document that `certify verify` accepts, or trust its root.",
    )


def _refuse_dependent(
    identity: Identity, verdict: SignatureVerdict, known: tuple[Certificate, ...]
) -> None:
    """Refuse a laboratory whose certificate leads to the preparer's root."""
    top = find_top(identity.certificate, (*identity.chain, *known)).key_sha256
    preparer = verdict.signatures[0].root_sha256
    if top in {root.key_sha256 for root in known if root.fingerprint == preparer}:
        raise NotConfigured(
            f"{identity.name} is not independent of the preparer: their certificates lead to "
            f"the same root, {verdict.signatures[0].root!r}.",
            remedy="Sign with a certificate of the laboratory's own issuer, or use "
            "--allow-same-root; the verdict then says so.",
        )


def _refuse_lower_profile(verdict: SignatureVerdict, timestamp_url: str | None) -> None:
    """Refuse a signature without a timestamp on a document with one."""
    if verdict.profile != "B-B" and timestamp_url is None:
        raise NotConfigured(
            f"The document has the profile PAdES {verdict.profile} and is provable until "
            f"{utc_minute(verdict.provable_until)}. A signature without a timestamp is provable "
            "only until its certificate expires, and the document no longer than each signature.",
            remedy="Name a timestamp authority with --timestamp-url; the signature then has the "
            "same profile. To sign without one, use --allow-lower-profile.",
        )


def _doubts(verdict: SignatureVerdict) -> Iterator[str]:
    """Yield why the revocation of an earlier signer is unknown, or when it happened later."""
    for signature in verdict.signatures:
        found = signature.revocation
        if found.reason:
            who = f"{signature.name!r} ({signature.role})"
            yield f"Revocation of {who}: {found.status}; {found.reason}."


def _refuse_revoked(verdict: SignatureVerdict, remedy: str) -> None:
    """Refuse a document with a signer that was revoked when the signature was made."""
    for signature in verdict.signatures:
        if signature.revocation.status == "revoked":
            raise NotAuthentic(
                f"The document is not countersigned: {signature.revocation.reason}.", remedy=remedy
            )
