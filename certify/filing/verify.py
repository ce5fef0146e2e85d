"""Verify a file, judge the laboratory's statements in it, and countersign it."""

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace

from certify import library
from certify.errors import CertifyError, NotAuthentic, NotConfigured
from certify.filing.evidence import COMPLETE, EVIDENCE, LABEL
from certify.filing.identities import refuse_incomplete_chain
from certify.formatting import join_words, utc_minute
from certify.intake.files import read_statement
from certify.intake.strict_json import strict_value
from certify.model.approval import NOBODY, Examination, LaboratoryStatement, Role
from certify.model.encoding import pick_values
from certify.model.finding import Unfit
from certify.model.submission import Change
from certify.signatures.certificate import Certificate, find_top
from certify.signatures.identity import Identity, signing_reason
from certify.signatures.sign import sign
from certify.signatures.verify import (
    NO_DEMANDS,
    CheckedRule,
    Demands,
    SignatureVerdict,
    SignedBy,
    verify,
    verify_and_open,
)

LARGEST = 30_000
"""Bytes of a statement: PDF/A allows strings of 32,767 bytes."""


def find_faults(
    statement: LaboratoryStatement, files: Mapping[str, bytes], received_sha256: str
) -> list[str]:
    """Return the reasons why a statement does not belong to a document.

    Args:
        statement: the statement.
        files: the embedded files of the document.
        received_sha256: digest of the file as the laboratory received it.
    """
    try:
        evidence, label = strict_value(files[EVIDENCE]), strict_value(files[LABEL])
        submission = label["document"].removesuffix(f".{label['part']}")
        digest = evidence.get(COMPLETE) or hashlib.sha256(files[EVIDENCE]).hexdigest()
        filed = [result["target"] for result in evidence["results"]]
    except (KeyError, TypeError, ValueError, AttributeError):
        return ["the document is not of a submission"]
    parts = (*statement.examined, *statement.not_examined)
    named = [target for part in parts for target in part.targets]
    dates = [
        statement.dates[name] for name in ("received", "examined_from", "examined_to", "issued")
    ]
    faults = {
        f"it names the submission {statement.submission!r}, not {submission!r}": (
            statement.submission != submission
        ),
        f"it does not name the evidence, of SHA-256 {digest}": statement.evidence_sha256 != digest,
        f"it does not name the file received, of SHA-256 {received_sha256}": (
            received_sha256 not in {file.sha256 for file in statement.files}
        ),
        "its dates are not in order": dates != sorted(dates),
        **{
            f"it names {target!r}, which is not in the submission": target not in filed
            for target in named
        },
        **{
            f"it names {target!r} {named.count(target)} times, not once": named.count(target) != 1
            for target in filed
        },
    }
    return [fault for fault, holds in faults.items() if holds]


def prepare_statement(
    data: bytes, files: Mapping[str, bytes], pdf: bytes, signer: str, reason: str
) -> tuple[str, tuple[str, ...]]:
    """Return the reason of a signature with a statement, and the printed lines of the statement.

    Args:
        data: the bytes of its file.
        files: the embedded files of the document.
        pdf: the document as the laboratory received it.
        signer: the name in the laboratory's certificate.
        reason: the reason without the statement.

    Raises:
        Unfit: the statement has errors.
        NotConfigured: it is too large, or does not belong to the document.
    """
    if len(data) > LARGEST:
        raise NotConfigured(
            f"The statement has {len(data):,} bytes; a signature holds at most {LARGEST:,}.",
            remedy="Shorten the statement.",
        )
    statement, received = read_statement(data), hashlib.sha256(pdf).hexdigest()
    faults = find_faults(statement, files, received)
    if faults:
        raise NotConfigured(
            f"The statement does not belong to this document: {join_words(faults)}.",
            remedy="Correct the statement, or name the document that was examined.",
        )
    form, digest = library.words("signature")["reason_with_statement"], hashlib.sha256(data)
    reason = form.format(reason=reason, id=statement.id, sha256=digest.hexdigest())
    return reason, tuple(print_lines(statement, received, signer))


def print_lines(statement: LaboratoryStatement, received_sha256: str, signer: str) -> list[str]:
    """Return the lines of a statement on one file, which has been found to belong to it."""
    words: Mapping[str, str] = library.words("signature")["statement"]
    facts = asdict(statement)
    (file, *_) = (file for file in statement.files if file.sha256 == received_sha256)
    same = statement.authorized_by["name"] == signer
    authorized = words["authorized" if same else "authorized_by_another"]
    return [
        words["id"].format_map(facts),
        words["laboratory"].format_map(statement.laboratory),
        words["customer"].format_map(statement.customer),
        words["item"].format_map(facts),
        words["file"].format_map(asdict(file)),
        *(_examination(each, words) for each in (*statement.examined, *statement.not_examined)),
        *([] if statement.not_examined else [words["all_examined"]]),
        *(words["exception"].format(text=text) for text in statement.exceptions),
        *([] if statement.exceptions else [words["no_exceptions"]]),
        words["dates"].format_map(statement.dates),
        authorized.format_map({**statement.authorized_by, "signer": signer}),
        words["only_this_item"],
    ]


def _examination(examination: Examination, words: Mapping[str, str]) -> str:
    facts = asdict(examination) | {"targets": join_words(examination.targets)}
    line = words["examined" if examination.method else "not_examined"].format_map(facts)
    program = examination.program
    if not program:
        return line
    return line + words["program_of_digest" if "sha256" in program else "program"].format_map(
        program
    )


def judge_statements(
    verdict: SignatureVerdict, files: Mapping[str, bytes]
) -> tuple[SignatureVerdict, list[dict[str, Any]]]:
    """Return the verdict with its statements judged, and the statement of each signature.

    A statement is the JSON of its file and its printed lines; None and none if there is none that
    belongs to an authentic document.
    """
    statements = [
        _judge(signature, files)
        if verdict.authentic and signature.statement
        else {"statement": None, "statement_lines": []}
        for signature in verdict.signatures
    ]
    checks = [each.pop("check") for each in statements if "check" in each]
    verdict = replace(verdict, checks=(*verdict.checks, *checks))
    if not all(check.passed for check in checks):
        undated = tuple(replace(each, provable_until="") for each in verdict.signatures)
        verdict = replace(
            verdict,
            authentic=False,
            verdict="A statement in the document does not belong to it.",
            signatures=undated,
            pages=(),
            profile="",
            provable_until="",
            proves_identity=False,
        )
    return verdict, statements


def _judge(signature: SignedBy, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the check of a statement, and the statement if it belongs to the document."""
    value, lines, who = None, [], f"The statement of {signature.name!r}"
    try:
        statement = read_statement(signature.statement.encode())
        faults = find_faults(statement, files, signature.received_sha256)
        detail = f"{who} does not belong to the document: {join_words(faults)}."
    except Unfit as error:
        faults = [error.findings[0].message]
        detail = f"{who} cannot be read: {faults[0]}"
    if not faults:
        detail = f"{who} names this submission, its evidence, this file and every target."
        value = json.loads(signature.statement)
        lines = print_lines(statement, signature.received_sha256, signature.name)
    return {
        "statement": value,
        "statement_lines": lines,
        "check": CheckedRule(id="statement", passed=not faults, detail=detail),
    }


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
        records = strict_value(files[EVIDENCE])["provenance"]["records"]
        return {str(path): str(Change(change)) for path, change in records.items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}  # the file is no submission of this format


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
        NotConfigured: the identity has signed it already, leads to no root, or signs as laboratory
            under the preparer's root; the field is missing or taken; or the statement is not of
            this document or is not the laboratory's; or the document has a timestamp and the
            signature none.
        Unfit: the statement has errors.
    """
    now = dt.datetime.now(dt.UTC)
    ask = partial(judge_document, pdf, trust=trust, signer=signer, demands=demands, at=now)
    verdict, files, _ = ask()
    _refuse_not_authentic(verdict)
    archive = long_term or verdict.profile == "B-LTA"
    if not allow_lower_profile:
        _refuse_lower_profile(verdict, timestamp_url)
        long_term = long_term or verdict.profile in ("B-LT", "B-LTA")
    if long_term:
        verdict, files, _ = ask(online=True)
        _refuse_not_authentic(verdict)
    _warn_of_revocations(verdict, warn)
    roots = (*trust, *(root for known in demands.roots.values() for root in known))
    _refuse_signed(identity, verdict)
    if role is Role.LABORATORY and not demands.allow_same_root:
        _refuse_dependent(identity, verdict, roots)
    if statement and role is not Role.LABORATORY:
        raise NotConfigured(
            "Only a laboratory signs a statement of what was examined.",
            remedy="Use the role laboratory, or omit the statement.",
        )
    if not long_term:  # long-term data include the chain, which is fetched
        refuse_incomplete_chain(identity, roots)
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
        trust=roots,
        statement=statement,
        statement_lines=lines,
    ).data
    trust = (*roots, find_top(identity.certificate, identity.chain))
    signed = verify(data, trust=trust, demands=demands, at=dt.datetime.now(dt.UTC))
    _refuse_revoked(signed, "Sign with a certificate that is not revoked.")
    for notice in identity.list_notices(long_term=long_term):
        warn(notice)
    return data


def _refuse_signed(identity: Identity, verdict: SignatureVerdict) -> None:
    if identity.certificate.fingerprint in {each.fingerprint for each in verdict.signatures}:
        raise NotConfigured(
            f"{identity.name} has already signed this document.",
            remedy="Each role needs another signer: use another --identity.",
        )


def _warn_of_revocations(verdict: SignatureVerdict, warn: Callable[[str], None]) -> None:
    """Warn of signers whose revocation is unknown, or happened after they signed."""
    for signature in verdict.signatures:
        revocation = signature.revocation
        if revocation.reason:
            who = f"{signature.name!r} ({signature.role})"
            warn(f"Revocation of {who}: {revocation.status}; {revocation.reason}.")


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
    identity: Identity, verdict: SignatureVerdict, roots: tuple[Certificate, ...]
) -> None:
    """Refuse a laboratory whose certificate leads to the preparer's root."""
    top = find_top(identity.certificate, (*identity.chain, *roots)).key_sha256
    preparer = verdict.signatures[0].root_sha256
    if top in {root.key_sha256 for root in roots if root.fingerprint == preparer}:
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


def _refuse_revoked(verdict: SignatureVerdict, remedy: str) -> None:
    """Refuse a document with a signer that was revoked when the signature was made."""
    for signature in verdict.signatures:
        if signature.revocation.status == "revoked":
            raise NotAuthentic(
                f"The document is not countersigned: {signature.revocation.reason}.", remedy=remedy
            )
