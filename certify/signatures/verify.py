"""Verify that a document is authentic and unchanged, and report its signers.

A file from outside may be constructed to be read without end. A child process reads it, with limits
on size, processor time and memory (`LIMITS`). A document that reaches a limit is not judged.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from certify.errors import NotConfigured, NotReadable
from certify.model.approval import NOBODY, Role
from certify.signatures.certificate import Certificate
from certify.worker import Limits, run


class CheckedRule(Struct, frozen=True, kw_only=True):
    """One rule of the policy and its result.

    Attributes:
        id: stable name of the rule.
        passed: True if the document meets it.
        detail: one or two sentences for a person.
        required: True if the document is refused without it; a failed optional rule limits the
            verdict.
    """

    id: str
    passed: bool
    detail: str
    required: bool = True


class Demands(Struct, frozen=True, kw_only=True):
    """Demands of a reader on signers and times, in addition to an unchanged document.

    Attributes:
        roots: roots that vouch for one role, or for timestamps, only.
        allow_same_root: accept a laboratory or a timestamp authority under the preparer's root.
        require_timestamp: refuse a signature without a proven time.
        require_revocation: refuse a document without complete revocation data.
    """

    roots: Mapping[str, tuple[Certificate, ...]] = field(default_factory=dict)
    allow_same_root: bool = False
    require_timestamp: bool = False
    require_revocation: bool = False


NO_DEMANDS = Demands()


class Revocation(Struct, frozen=True, kw_only=True):
    """Result of the search for the revocation of a chain of certificates.

    Attributes:
        status: ``good``; ``revoked`` at the proven time of use; ``not looked up`` where no data
            answer; or ``none named`` where no certificate of the chain names revocation data.
        data: when the newest data that say so were issued, ISO 8601; empty without any.
        reason: why it is revoked or was not looked up, or when it was revoked later.
    """

    status: Literal["good", "revoked", "not looked up", "none named"]
    data: str = ""
    reason: str = ""


NONE_NAMED = Revocation(status="none named")


class Fetched(Struct, frozen=True, kw_only=True):
    """Revocation data that were fetched for a document.

    Attributes:
        lists: revocation lists, DER.
        responses: OCSP responses, DER.
        failures: why nothing was fetched for a certificate, by its SHA-256, hexadecimal.
    """

    lists: tuple[bytes, ...] = ()
    responses: tuple[bytes, ...] = ()
    failures: Mapping[str, str] = field(default_factory=dict)


NOTHING_FETCHED = Fetched()


class Question(Struct, frozen=True, kw_only=True):
    """A question to the reading process; see `verify`.

    Attributes:
        task: ``judge``; ``open`` for the attachments of an authentic document, too; or ``files``
            for the attachments without a verdict.
        signed: only the attachments that the first signature covers.
    """

    task: Literal["judge", "open", "files"]
    signed: bool = True
    trust: tuple[Certificate, ...] = ()
    signer: str | None = None
    countersigners: Mapping[Role, str] = field(default_factory=dict)
    demands: Demands = NO_DEMANDS
    at: datetime | None = None
    fetched: Fetched = NOTHING_FETCHED

    def __post_init__(self) -> None:
        """Refuse a time without a zone."""
        if self.at is not None and self.at.utcoffset() is None:
            raise NotConfigured(
                "The time of the verification has no time zone.", remedy="Give it with its zone."
            )


class SignedBy(Struct, frozen=True, kw_only=True):
    """One signature, as its certificate names the signer.

    Attributes:
        role: what the signer signed as, by the field; empty for a field that is for nobody.
        name: the certificate's common name.
        issuer: that of the certificate's issuer.
        root: common name of the root of its chain; empty if that does not hold.
        root_sha256: SHA-256 of that root, hexadecimal.
        fingerprint: SHA-256 of the certificate, hexadecimal.
        vouched: somebody else issued the certificate, and it is not one for drafts.
        declared: when it was signed by the signer's clock, ISO 8601; empty if not stated.
        proven: when at the latest, by a timestamp inside the signature; empty without one.
        existed: the earliest time at which a timestamp, in the signature or of the document after
            it, proves that the signature existed; empty without one.
        revocation: whether the certificate was revoked when it was used.
        received_sha256: SHA-256 of the file that the signer received and signed.
        statement: text of the laboratory's statement in the signature; empty without one.
        provable_until: the last moment at which this signature is found valid, ISO 8601; empty
            unless the document is authentic.
    """

    role: str
    name: str
    issuer: str
    root: str
    root_sha256: str
    fingerprint: str
    vouched: bool
    declared: str
    proven: str
    existed: str
    revocation: Revocation
    received_sha256: str
    statement: str
    provable_until: str


class StampedBy(Struct, frozen=True, kw_only=True):
    """One timestamp.

    Attributes:
        of: the role of the signature that holds it; empty for a timestamp of the whole document.
        time: the time that it states, ISO 8601.
        authority: common name of the authority's certificate.
        root: that of the root of its chain; empty if that does not hold.
        revocation: whether the authority's certificate was revoked at that time.
    """

    of: str
    time: str
    authority: str
    root: str
    revocation: Revocation


class SignedPages(Struct, frozen=True, kw_only=True):
    """Consecutive pages with the same signatures.

    A signature covers the whole file as it was when it was made. So each page that is there is
    covered by every signature, and shows what it showed when the first was made, but for the
    fields that later signers filled with their own signature.

    Attributes:
        first: number of the first of these pages, from 1.
        last: number of the last.
        signatures: the signatures that cover them, by their place in the order of signing, from 1.
        filled_later: those of them whose visible field on these pages was filled after an earlier
            signature was made, which covers the field empty.
    """

    first: int
    last: int
    signatures: tuple[int, ...]
    filled_later: tuple[int, ...]


class SignatureVerdict(Struct, frozen=True, kw_only=True):
    """Verdict on a document: authenticity, changes and signers.

    Attributes:
        verdict: the answer in plain words; faults first.
        authentic: True if every required check passed.
        checks: the rules in the order of the policy.
        signer: common name of the first signature's certificate, verified or not.
        fingerprint: SHA-256 of that certificate, hexadecimal.
        countersigners: common names of the further signatures.
        signatures: every signature that can be read, in the order of signing, verified or not.
        timestamps: every timestamp, in the order of the signatures.
        pages: the signatures on each page, and later additions; empty unless authentic.
        profile: ``B-B``, ``B-T``, ``B-LT`` or ``B-LTA``; empty unless authentic.
        provable_until: the last moment at which this file is found authentic by the same roots,
            ISO 8601; empty unless authentic.
        chains: the certificates of each trusted chain, DER, from the root to the signer or the
            timestamp authority.
        proves_identity: authentic, and another party vouches for the signer's name.
        unsigned_bytes: the document before its first signature.
        signed_bytes: the document up to the end of the part that the first signature covers;
            evidence is read from it and from nothing later.
    """

    verdict: str
    authentic: bool
    checks: tuple[CheckedRule, ...]
    signer: str | None
    fingerprint: str | None
    countersigners: tuple[str, ...]
    signatures: tuple[SignedBy, ...]
    timestamps: tuple[StampedBy, ...]
    pages: tuple[SignedPages, ...]
    profile: str
    provable_until: str
    chains: tuple[tuple[bytes, ...], ...]
    proves_identity: bool
    unsigned_bytes: bytes
    signed_bytes: bytes


def refused_verdict(verdict: str, reason: str) -> SignatureVerdict:
    """Return the verdict on a file that could not be read to its end, and why in a sentence."""
    return SignatureVerdict(
        verdict=verdict,
        authentic=False,
        checks=(CheckedRule(id="readable", passed=False, detail=reason),),
        signer=None,
        fingerprint=None,
        countersigners=(),
        signatures=(),
        timestamps=(),
        pages=(),
        profile="",
        provable_until="",
        chains=(),
        proves_identity=False,
        unsigned_bytes=b"",
        signed_bytes=b"",
    )


READER = "certify.signatures._reading"
LIMITS = Limits(seconds=18, mebibytes=384)
"""For the reading process; a report of 19,000 objects takes one second and 160 MiB."""

LARGEST = 16 << 20
"""Bytes of a file that is read at all; the largest document of ours has about one million."""


def verify(
    pdf: bytes,
    *,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    countersigners: Mapping[Role, str] = NOBODY,
    demands: Demands = NO_DEMANDS,
    at: datetime,
    online: bool = False,
) -> SignatureVerdict:
    """Verify a signed document by a policy that fails closed.

    Args:
        pdf: the file.
        trust: the only roots that chains of certificates may lead to.
        signer: the required first signer: a common name, or the SHA-256 fingerprint of the
            certificate; None for anyone trusted.
        countersigners: the required further signers, by role, named likewise.
        demands: what else the reader demands.
        at: the moment of the verification, aware.
        online: fetch the revocation data that certificates under the given roots name; otherwise
            nothing is fetched.

    Returns:
        The verdict, also for a document that fails.

    Raises:
        NothingChecked: the file has no signature.
        NotReadable: the file is not a PDF, or is too large.
        NotConfigured: ``at`` has no time zone.
        NotJudged: reading it reached a limit.
    """
    question = Question(
        task="judge", trust=trust, signer=signer, countersigners=dict(countersigners),
        demands=demands, at=at,
    )  # fmt: skip
    return _read_verdict(pdf, question, online=online)[0]


def verify_and_open(
    pdf: bytes,
    *,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    countersigners: Mapping[Role, str] = NOBODY,
    demands: Demands = NO_DEMANDS,
    at: datetime,
    online: bool = False,
) -> tuple[SignatureVerdict, dict[str, bytes]]:
    """Return the result of `verify`, and for an authentic document that of `embedded_files`.

    Raises:
        CertifyError: as raised by either.
    """
    question = Question(
        task="open", trust=trust, signer=signer, countersigners=dict(countersigners),
        demands=demands, at=at,
    )  # fmt: skip
    return _read_verdict(pdf, question, online=online)


def embedded_files(pdf: bytes, *, signed: bool = True) -> dict[str, bytes]:
    """Return the attachments by name, only from the part that the first signature covers.

    This does not verify anything: call ``verify`` first. Without ``signed``, the files are those of
    the present PDF, whoever added them.

    Raises:
        NothingChecked: the file has no signature.
        NotReadable: the file is not a PDF, or is too large.
        NotAuthentic: the document, or the part that its first signature covers, cannot be read.
        NotJudged: reading it reached a limit.
    """
    return convert(_read(pdf, Question(task="files", signed=signed)), dict[str, bytes])


def _read_verdict(
    pdf: bytes, question: Question, *, online: bool
) -> tuple[SignatureVerdict, dict[str, bytes]]:
    """Return the verdict and the attachments from the JSON of the reading process.

    The reading process never uses the network: this process fetches what the trusted chains name,
    and asks again.
    """
    facts = _read(pdf, question)
    if online:
        from certify.signatures.network import fetch

        lists, responses, failures = fetch(convert(facts["chains"], tuple[tuple[bytes, ...], ...]))
        fetched = Fetched(lists=lists, responses=responses, failures=failures)
        facts = _read(pdf, replace(question, fetched=fetched))
    parts = {name: pdf[: facts[name]] for name in ("unsigned_bytes", "signed_bytes")}
    verdict = convert(facts | parts, SignatureVerdict)
    return verdict, convert(facts.get("files", {}), dict[str, bytes])


def _read(pdf: bytes, question: Question) -> dict[str, Any]:
    """Return the answer of the reading process."""
    if len(pdf) > LARGEST:
        raise NotReadable(
            f"The file has {len(pdf):,} bytes; at most {LARGEST:,} are read.",
            remedy="Name a document that `certify submit` made.",
        )
    head = json.dumps(to_builtins(question)).encode("ascii")
    answer: dict[str, Any] = json.loads(
        run(READER, head + b"\n" + pdf, LIMITS, subject="Reading the document")
    )
    return answer
