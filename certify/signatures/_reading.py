"""Reading process: checks one signed file, or extracts its attachments, within limits.

Run by `certify.signatures.verify` and by nobody else, as a task of `certify.worker`. A
job is one line of JSON and the file; an answer is JSON.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any

import pikepdf
from msgspec import convert, to_builtins
from msgspec.structs import replace

from certify.errors import NotAuthentic
from certify.formatting import join_words, plain_reason
from certify.model.approval import NOBODY, Role
from certify.model.encoding import Progress
from certify.signatures.certificate import Certificate
from certify.signatures.chain import examine
from certify.signatures.document import Damaged, Signature, SignedDocument, iter_unlisted, read
from certify.signatures.evidence import collect_evidence
from certify.signatures.policy import Subject, rules_for
from certify.signatures.revisions import Alteration, attachments, changes, fields_by_page
from certify.signatures.verify import (
    NO_DEMANDS,
    NOTHING_FETCHED,
    CheckedRule,
    Demands,
    Fetched,
    Question,
    SignatureVerdict,
    SignedBy,
    SignedPages,
    StampedBy,
    refused_verdict,
)


def judge(
    data: bytes,
    *,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    countersigners: Mapping[Role, str] = NOBODY,
    demands: Demands = NO_DEMANDS,
    at: datetime,
    fetched: Fetched = NOTHING_FETCHED,
) -> SignatureVerdict:
    """Apply every rule in this process, without limits; see ``verify``."""
    try:
        document = read(data)
    except Damaged as damaged:
        return refused_verdict(
            "The document is damaged, or was changed after it was signed: "
            "its signatures cannot be read.",
            f"Reading failed: {damaged}.",
        )
    alterations, damage = _changes(document)
    subject = Subject(
        document=document,
        examined=examine(document, collect_evidence(document, trust, demands.roots, fetched), at),
        alterations=alterations,
        damage=damage,
        expected=({Role.PREPARER: signer} if signer is not None else {}) | dict(countersigners),
        demands=demands,
        fetched=fetched != NOTHING_FETCHED,
    )
    return _build_verdict(subject, {rule(subject): words for words, rule in rules_for(subject)})


def _changes(document: SignedDocument) -> tuple[tuple[Alteration, ...], str]:
    """Compare each state of the file with the next one, and the unsigned state with the last."""
    data, first, last = document.data, document.unsigned_end, len(document.data)
    ends = sorted({first, last, *(each.end for each in document.signatures if each.end > first)})
    alterations: list[Alteration] = []
    try:
        alterations += (Alteration(area="structure", text=text) for text in iter_unlisted(document))
        for before, after in dict.fromkeys((*pairwise(ends), (first, last))):
            new = [each for each in document.signatures if before < each.end <= after]
            alterations += changes(
                data[:before],
                data[:after],
                signed=frozenset(each.field_name for each in new if each.kind == "signature"),
                stamped=frozenset(each.field_name for each in new if each.kind == "timestamp"),
            )
    except MemoryError:
        raise  # this says nothing about the document
    except Exception as error:  # noqa: BLE001 - hostile bytes make the libraries raise anything
        return tuple(alterations), plain_reason(error)
    return tuple(dict.fromkeys(alterations)), ""


def _profile(subject: Subject) -> str:
    """Return the PAdES baseline profile that the first signature meets."""
    author, later = subject.author, subject.examined[1:]
    archived = [examined for examined in later if examined.signature.kind == "timestamp"]
    if author.proven is None and not archived:
        return "B-B"
    has_validation_data = "/DSS" in subject.document.reader.root
    if not has_validation_data or author.list_parties("not looked up"):
        return "B-T"
    return "B-LTA" if archived else "B-LT"


def _build_verdict(subject: Subject, checks: Mapping[CheckedRule, str]) -> SignatureVerdict:
    """Return the verdict; ``checks`` come with the verdict that their failure gives."""
    authentic = all(check.passed for check in checks if check.required)
    certificate = subject.author.certificate
    signatures = tuple(
        SignedBy(
            role=str(examined.role or ""),
            name=signer.common_name,
            issuer=signer.issuer,
            root=examined.root.common_name if examined.root else "",
            root_sha256=examined.root.fingerprint if examined.root else "",
            fingerprint=signer.fingerprint,
            vouched=signer.is_vouched,
            declared=_isoformat(examined.declared),
            proven=_isoformat(examined.proven),
            existed=_isoformat(examined.existed),
            revocation=examined.revocation,
            received_sha256=_received_sha256(subject.document, examined.signature),
            statement=examined.signature.statement,
            provable_until=_isoformat(examined.until) if authentic else "",
        )
        for examined, signer in subject.signatures
    )
    failed = (words for check, words in checks.items() if check.required and not check.passed)
    document = subject.document
    return SignatureVerdict(
        verdict=_praise(signatures, subject) if authentic else next(failed),
        authentic=authentic,
        checks=tuple(checks),
        signer=certificate.common_name if certificate else None,
        fingerprint=certificate.fingerprint if certificate else None,
        countersigners=tuple(
            signer.common_name
            for examined, signer in subject.signatures
            if examined is not subject.author
        ),
        signatures=signatures,
        timestamps=tuple(
            StampedBy(
                of=str(examined.role or ""),
                time=examined.proven.isoformat(),
                authority=examined.authority.common_name,
                root=examined.authority_root.common_name if examined.authority_root else "",
                revocation=examined.authority_revocation,
            )
            for examined in subject.examined
            if examined.authority is not None and examined.proven is not None
        ),
        pages=_pages(subject) if authentic else (),
        profile=_profile(subject) if authentic else "",
        provable_until=min(_isoformat(each.until) for each in subject.examined)
        if authentic
        else "",
        chains=tuple(chain for examined in subject.examined for chain in examined.chains),
        proves_identity=authentic and certificate is not None and certificate.is_vouched,
        unsigned_bytes=document.data[: document.unsigned_end],
        signed_bytes=document.data[: document.signatures[0].end],
    )


def _isoformat(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _received_sha256(document: SignedDocument, signature: Signature) -> str:
    """Return the digest of the file before a signature was added."""
    earlier = (each.end for each in document.signatures if each.revision < signature.revision)
    return hashlib.sha256(document.data[: max((document.unsigned_end, *earlier))]).hexdigest()


def _pages(subject: Subject) -> tuple[SignedPages, ...]:
    """Return the signatures on each page of an authentic document; equal pages are grouped.

    Other checks have confirmed that no page was added, removed or changed; this lists the pages on
    which later signers filled their fields.
    """
    names = [examined.field for examined, _ in subject.signatures]
    numbers = tuple(range(1, len(names) + 1))
    pages: list[SignedPages] = []
    for number, fields in enumerate(fields_by_page(subject.document.data), start=1):
        filled = tuple(n for n in numbers[1:] if names[n - 1] in fields)
        if pages and pages[-1].filled_later == filled:
            pages[-1] = replace(pages[-1], last=number)
        else:
            pages.append(
                SignedPages(first=number, last=number, signatures=numbers, filled_later=filled)
            )
    return tuple(pages)


def _praise(signatures: tuple[SignedBy, ...], subject: Subject) -> str:
    """Return the signers, names without an independent issuer, and missing proofs, as text."""
    several = len(signatures) > 1
    signed = [signature.name for signature in signatures]
    names = join_words(
        repr(signature.name)
        + (f" (SHA-256 {signature.fingerprint})" if signed.count(signature.name) > 1 else "")
        + (f" as {signature.role}" if several else "")
        for signature in signatures
    )
    dependent = [f"{name} is not independent of the preparer" for name in subject.dependents]
    alone = [f"the {signature.role}" for signature in signatures if not signature.vouched]
    if not alone:
        missing = subject.list_parties("not looked up")
        limits = [
            *([f"revocation was not looked up for {join_words(missing)}"] if missing else []),
            *([] if subject.is_timestamped else ["no timestamp proves when it was signed"]),
            *dependent,
            *subject.mixtures,
        ]
        limited = "".join(f"; {limit}" for limit in limits)
        return f"The document is authentic: signed by {names} and unchanged since{limited}."
    text = f"The document is unchanged since it was signed by {names}."
    if several:
        return (
            f"{text} Development and self-signed certificates prove integrity, not identity: "
            f"no other party vouches for {join_words(alone)}."
        )
    ((_, certificate),) = subject.signatures
    return (
        f"{text} This {'development' if certificate.development else 'self-signed'} certificate "
        "proves integrity, not identity: no other party vouches for that name."
    )


JUDGED = ("trust", "signer", "countersigners", "demands", "at", "fetched")
"""The parts of a question that decide the verdict."""

EMBEDDED = 64 << 20
"""The most bytes that all attachments together may unpack to."""


def answer(job: bytes, progress: Progress) -> bytes:
    """Return the verdict on a file, or its attachments in base 64, as JSON."""
    del progress
    head, _, data = job.partition(b"\n")
    question = convert(json.loads(head), Question)
    if question.task == "files":
        result: dict[str, Any] = to_builtins(_files(data, signed=question.signed))
    else:
        options = {name: getattr(question, name) for name in JUDGED}
        verdict = judge(data, **options)
        result = to_builtins(verdict)
        for part in ("unsigned_bytes", "signed_bytes"):  # given by their lengths
            result[part] = len(getattr(verdict, part))
        if question.task == "open" and verdict.authentic:
            result["files"] = to_builtins(_files(verdict.signed_bytes, signed=False))
    return json.dumps(result).encode("ascii")


def _files(data: bytes, *, signed: bool) -> dict[str, bytes]:
    """Return the attachments of the whole file, or of the part that its first signature covers."""
    try:
        files = attachments(_first_signed_revision(data) if signed else data)
    except (Damaged, pikepdf.PdfError, RuntimeError, ValueError, KeyError) as error:
        raise NotAuthentic(
            f"The embedded files cannot be read: {plain_reason(error)}.",
            remedy="Request the signed document again.",
        ) from error
    size = sum(map(len, files.values()))
    if size > EMBEDDED:
        raise NotAuthentic(
            f"The embedded files have {size:,} bytes; at most {EMBEDDED:,} are read.",
            remedy="Request the signed document again.",
        )
    return files


def _first_signed_revision(data: bytes) -> bytes:
    first = read(data).signatures[0]
    if first.fault:
        raise Damaged(first.fault)
    return data[: first.end]
