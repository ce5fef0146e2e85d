"""Submission of a game, signed as its recipients will judge it, with all files written or none."""

import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from certify import library
from certify.engine.count_cache import bypass_cache
from certify.engine.deck import free_decks, workers
from certify.errors import CertifyError, InvariantBroken, NotConfigured, NotReadable
from certify.filing.declaration import list_filings, resolve_order
from certify.filing.delivery import (
    OutputFile,
    checklist,
    deliver,
    filed_manifest,
    list_enclosures,
    manifest,
    refuse_conflicts,
)
from certify.filing.documents import (
    INTERNAL,
    PUBLIC,
    Part,
    build_submission,
    count_filing,
    list_parts,
    prepare_pdf,
    print_draft,
    render_html,
    render_preview,
    select_attachments,
)
from certify.filing.evidence import (
    build_evidence,
    build_kit,
    manifest_attachment,
    par_sheets,
)
from certify.filing.identities import (
    Ask,
    LongTerm,
    Signer,
    TimestampUrl,
    list_roots,
    open_identity,
    refuse_incomplete_chain,
)
from certify.filing.listing import REGISTER
from certify.filing.order import build_filing, with_register_status
from certify.filing.redline import list_missing, print_redline
from certify.filing.registration import add_filing
from certify.formatting import join_words
from certify.model.approval import Role
from certify.model.encoding import Progress, Step, Work, about, begin, encode_object
from certify.model.finding import Finding
from certify.model.request import Request, Result, option
from certify.model.submission import Change, Filing, ItemState, Order, Status, Submission
from certify.report.compose import list_templates, refuse_faulty_templates
from certify.report.submission import checklist_text, filed_json, filed_view
from certify.signatures.certificate import Certificate
from certify.signatures.identity import Identity, signing_reason
from certify.signatures.sign import Signed, blank_document, sign
from certify.signatures.verify import Demands, SignatureVerdict, verify


def refuse_own_authority(trial: bytes, signing: "Signing") -> None:
    """Refuse a timestamp authority that has the root of the signer: `verify` would refuse it.

    ``trial`` is any document that was signed as the filing will be.

    Raises:
        NotConfigured: the authority is not independent.
    """
    verdict = _verify(trial, signing)
    for check in verdict.checks if verdict else ():
        if check.id == "independent" and not check.passed:
            raise NotConfigured(
                f"`certify verify` would refuse the filing: {check.detail}",
                remedy="Use a timestamp authority under another root.",
            )


def _verify(pdf: bytes, signing: "Signing") -> SignatureVerdict | None:
    """Return the verdict on a document that was signed now.

    None if it cannot be verified here: the root of the timestamp authority may be unknown.
    """
    chain = (signing.identity.certificate, *signing.identity.chain)
    roots = (*signing.trust, *(root for root in chain if root.self_signed))
    demands = Demands(allow_same_root=True)
    with contextlib.suppress(CertifyError):
        return verify(pdf, trust=roots, demands=demands, at=dt.datetime.now(dt.UTC))
    return None


class Profile(Request, frozen=True, kw_only=True):
    """The requested profile of a signature.

    With a timestamp authority it is B-T; with ``long_term`` B-LTA, or B-LT without ``archive``.
    """

    timestamp_url: TimestampUrl = None
    long_term: LongTerm = False
    archive: Annotated[
        bool,
        option(
            "With --long-term: timestamp the whole file too (without: B-LT).  [default: archive]",
            "--archive/--no-archive",
        ),
    ] = True


class Signing(Profile, frozen=True, kw_only=True):
    """The signing identity, the profile, and the roots of the signer's and authority's chains."""

    identity: Identity
    trust: tuple[Certificate, ...] = ()


def refuse_to_ask(_prompt: str) -> str:
    """Refuse to ask for a password."""
    raise NotConfigured(
        "A password is required to sign.",
        remedy="Give password_file, or set CERTIFY_KEY_PASSWORD.",
    )


class SubmitRequest(Request, frozen=True, kw_only=True):
    """Options of `certify submit`; ``ask`` prompts for a password that no file has."""

    order: Order
    out: Annotated[
        Path, option("Folder for the documents; signed filings in it are never replaced.")
    ]
    signer: Signer = Signer()
    profile: Profile = Profile()
    unsigned: Annotated[bool, option("Write unsigned documents, marked UNSIGNED.")] = False
    ask: Ask = refuse_to_ask
    progress: Progress | None = None

    __repr__ = object.__repr__  # without secrets

    def open_signing(self) -> Signing | None:
        """Return who signs, with the roots that this user trusts; None for nobody."""
        if self.unsigned:
            return None
        return Signing(
            identity=open_identity(self.signer, self.ask),
            trust=(*list_roots(),),
            **asdict(self.profile),
        )


def run_request(request: SubmitRequest) -> "WrittenSubmission":
    """Make a submission and write it, see `submit`."""
    return submit(
        request.order, signing=request.open_signing(), out=request.out, progress=request.progress
    )


def submit_each(
    request: SubmitRequest,
) -> Iterator[tuple[str, "WrittenSubmission | CertifyError"]]:
    """Submit each filing of the project into a folder of its name; yield what came of it.

    A filing that is refused does not stop the others.

    Raises:
        NotReadable: the request names a filing.
        NotConfigured: the project has no filing, or nobody can sign.
    """
    if request.order.game:
        raise NotReadable("--all submits every filing.", remedy="Name no filing, or omit --all.")
    names = list_filings()
    if not names:
        raise NotConfigured(
            "The project has no filing.", remedy="Create one with `certify new filing`."
        )
    signing = request.open_signing()
    for name in names:
        order, out = replace(request.order, game=name), request.out / name
        try:
            yield name, submit(order, signing=signing, out=out, progress=request.progress)
        except InvariantBroken:
            raise
        except CertifyError as error:
            yield name, error


class WrittenSubmission(Result, frozen=True, kw_only=True):
    """The submission, its files, and notices for the user.

    ``sha256`` has the digest of each file, by its name.
    """

    table = "files"

    submission: Submission
    files: tuple[Path, ...]
    sha256: Mapping[str, str]
    findings: tuple[Finding, ...]
    notices: tuple[str, ...]
    other_notices: tuple[str, ...]
    """Notices that are not lines of the checklist."""

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify submit --format json``."""
        written = {"files": list(map(str, self.files)), "notices": list(self.notices)}
        return encode_object(filed_json(self.submission) | written)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the name and the digest of each file."""
        return [{"file": name, "sha256": digest} for name, digest in self.sha256.items()]


def submit(
    order: Order, *, signing: Signing | None, out: Path, progress: Progress | None = None
) -> WrittenSubmission:
    """Make the documents, their evidence, the checklist and the manifest, and write them.

    Raises:
        CertifyError: something is missing or wrong; then nothing is written.
    """
    filing = with_register_status(build_filing(resolve_order(order)))
    refuse_faulty_templates(filing.templates)
    status = _status(signing, filing)
    refuse_conflicts(out, filing.report_id, status)
    if signing is not None:
        if status is Status.FINAL and not signing.long_term:
            refuse_incomplete_chain(signing.identity, signing.trust)
        # A key, a chain or an authority that fails does so before anything is counted.
        trial = _sign_document(blank_document(), filing, signing)
        if status is Status.FINAL and signing.timestamp_url:
            refuse_own_authority(trial.data, signing)
    if status is Status.FINAL and any(list_templates(filing.templates)):
        _fill_templates(filing, status, progress)
    # Final submissions are counted in this run; a draft may use cached counts.
    with bypass_cache() if status is Status.FINAL else contextlib.nullcontext():
        judged = build_submission(count_filing(filing, progress), status=status, progress=progress)
        workbook = par_sheets(judged)
        digest = hashlib.sha256(workbook).hexdigest()
        evidence = build_evidence(judged, status, workbook_sha256=digest)
        submission = replace(judged, evidence_sha256=hashlib.sha256(evidence).hexdigest())
        redline = print_redline(submission, progress)
    begin(progress, Step.DOCUMENTS)
    confidential = submission.jurisdiction.confidential
    files = [
        OutputFile(part="evidence.json", data=evidence, confidential=confidential),
        checklist(submission),
        OutputFile(part="checklist.txt", data=checklist_text(submission).encode()),
        OutputFile(part="par-sheets.xlsx", data=workbook, confidential=confidential),
    ]
    if redline is not None:
        files.append(_sign_printed(redline, submission, signing))
    if order.kit:
        files.append(
            OutputFile(
                part="kit.zip", data=build_kit(submission, evidence), confidential=confidential
            )
        )
    listed = submission.register.standings if submission.register else ()
    standings = tuple(f"{standing.target}: {standing.detail}" for standing in listed)
    unstated = _signer_notices(signing)
    origins = tuple(_origins(submission))
    missing = (
        f"Missing for the filing: {line.item.text} ({line.detail})"
        for line in submission.checklist
        if line.state is ItemState.OPEN and line.item.proof
    )
    redlines = list_missing(filing)
    notices = (*standings, *missing, *unstated, *origins, *redlines)
    files[1:1] = _documents(
        submission, evidence, files, notices, signing=signing, progress=progress
    )
    files.append(manifest(submission, files, notices))
    written = deliver(out, submission.report_id, files, status=status)
    entered = _register(filing, status, written.files)
    return WrittenSubmission(
        submission=submission,
        files=written.files,
        sha256={
            file.name(submission.report_id): hashlib.sha256(file.data).hexdigest() for file in files
        },
        findings=submission.findings,
        notices=(*notices, *written.notices, *entered),
        other_notices=(*standings, *unstated, *origins, *redlines, *written.notices, *entered),
    )


def _fill_templates(filing: Filing, status: Status, progress: Progress | None) -> None:
    """Fill the user's own templates with the counts of an earlier draft, before a final count.

    What is not cached is counted, and is not counted again: this run made it.

    Raises:
        NotReadable: a template does not fit what it prints.
    """
    trial = build_submission(count_filing(filing, progress), status=status, progress=progress)
    for part in list_parts(trial):
        render_html(trial, part)


def _register(filing: Filing, status: Status, files: Sequence[Path]) -> tuple[str, ...]:
    """Enter a filing of the project that was signed for filing as pending; return a notice."""
    project = library.project()
    if project is None or filing.terms.id is None or status is not Status.FINAL:
        return ()
    path = filing.order.register or project / REGISTER
    entry = add_filing(path, filing, dt.datetime.now(dt.UTC).date(), files)
    return (f"Entered in {path.name} as pending: {entry}.",)


GROUPS: tuple[tuple[Part, ...], ...] = (
    ("rules", "application", "memo"),
    ("mathematics",),
    ("letter",),
)
"""The documents that are printed side by side, in the order of their digests."""


def _documents(
    submission: Submission,
    evidence: bytes,
    others: Sequence[OutputFile],
    notices: Sequence[str],
    *,
    signing: Signing | None,
    progress: Progress | None,
) -> list[OutputFile]:
    """Return the documents, printed and signed in three steps.

    The mathematics report embeds the manifest, with the digests of the files before it. The letter
    prints the digests of all other filed files as they are signed, so it is the last.
    The largest takes a hundred MiB or more: no more are printed at once than there are processors,
    and the hands of the decks, which are counted now, are freed first.
    """
    free_decks()
    closed, parts = submission.jurisdiction.confidential, list_parts(submission)
    documents = {
        part: OutputFile(
            part=f"{part}.pdf",
            confidential=part in INTERNAL or (closed and part not in PUBLIC),
        )
        for part in parts
    }
    listeners = {part: about(progress, Work.PRINTING, f"{part}.pdf") for part in parts}
    _tell(listeners[parts[0]], 0)
    with ThreadPoolExecutor(workers()) as printers:
        for group in GROUPS:
            if group == GROUPS[-1]:
                documents |= {
                    part: _sign_printed(document, submission, signing)
                    for part, document in documents.items()
                    if document.unsigned
                }
            listed = filed_manifest(manifest(submission, [*others, *documents.values()], notices))
            enclosed = replace(submission, enclosures=list_enclosures(json.loads(listed)))
            printing = {}
            for part in (part for part in group if part in parts):
                attached = select_attachments(submission, part, evidence)
                if part in ("mathematics", "letter"):
                    attached = (*attached, manifest_attachment(listed))
                call = prepare_pdf(enclosed, part, attached)
                is_final = submission.status is Status.FINAL
                printing[printers.submit(call if is_final else partial(print_draft, call))] = part
            for printed in as_completed(printing):
                part = printing[printed]
                documents[part] = replace(documents[part], unsigned=printed.result())
                _tell(listeners[part], 1)
    documents["letter"] = _sign_printed(documents["letter"], submission, signing)
    return [*documents.values()]


def _sign_printed(
    document: OutputFile, submission: Submission, signing: Signing | None
) -> OutputFile:
    """Return a printed document with its signature, if it is to be signed."""
    if signing is None:
        return replace(document, data=document.unsigned)
    signed = _sign_document(document.unsigned, submission, signing)
    is_final = submission.status is Status.FINAL
    verdict = _verify(signed.data, signing) if is_final else None
    until = verdict.provable_until if verdict else ""
    return replace(
        document, data=signed.data, signature=signed.profile, provable_until=until or None
    )


def _tell(listener: Progress | None, done: int) -> None:
    if listener is not None:
        listener(done, 1)


def _status(signing: Signing | None, filing: Filing) -> Status:
    if signing is None:
        return Status.UNSIGNED
    unfit = signing.identity.development or filing.unaccepted_records or filing.placeholders
    return Status.DRAFT if unfit else Status.FINAL


def _sign_document(pdf: bytes, filing: Filing, signing: Signing) -> Signed:
    return sign(
        pdf,
        identity=signing.identity,
        reason=signing_reason(Role.PREPARER, filing.report_id),
        location=filing.jurisdiction.name,
        signing_time=dt.datetime.now(dt.UTC),
        timestamp_url=signing.timestamp_url,
        long_term=signing.long_term,
        archive=signing.archive,
        trust=signing.trust,
    )


def _signer_notices(signing: Signing | None) -> tuple[str, ...]:
    """Return notices on what a final signature lacks: details of the signer, and proof."""
    if signing is None or signing.identity.development:
        return ()
    facts = asdict(signing.identity.signatory).items()
    missing = ["license" if part == "licence" else part for part, words in facts if not words]
    return (
        *(
            f"The signature does not state the signer's {part}: `certify keys describe` adds it."
            for part in missing
        ),
        *signing.identity.list_notices(long_term=signing.long_term),
    )


def _origins(filing: Submission) -> Iterator[str]:
    """Yield notices on files and counts that certify does not ship, and on missing papers."""
    for change, words in (
        (Change.REPLACES, "Library files replaced"),
        (Change.ADDED, "Files that are not certify's own"),
    ):
        paths = [path for path, origin in filing.provenance.records.items() if origin is change]
        if paths:
            yield f"{words}: {join_words(paths)}."
    if filing.unaccepted_records:
        yield (
            f"The documents are drafts, because {join_words(filing.unaccepted_records)} "
            f"{'is' if len(filing.unaccepted_records) == 1 else 'are'} not certify's "
            "own. To accept this, use --accept-replaced; the documents then "
            "say so."
        )
    if filing.placeholders:
        tables = join_words(table.target for table in filing.placeholders)
        yield f"The documents are not final, because these payouts are placeholders: {tables}."
    for paper in filing.game.references:
        if paper.id not in filing.provenance.papers:
            yield (
                f"The document {paper.id} is omitted: its file {paper.file} is not "
                "in the project, or has another digest than declared."
            )
    for check in filing.crosschecks:
        if check.declared:
            yield (
                f"{check.target}: the project declares a verification count that was not made "
                f"here. Make it with: certify crosscheck {check.target} --store"
            )


class Preview(Struct, frozen=True, kw_only=True):
    """Both documents as HTML by part, with their style; the view and the record of the filing."""

    pages: dict[str, str]
    view: dict[str, Any]
    record: dict[str, Any]


def preview(order: Order, progress: Progress | None = None) -> Preview:
    """Return the documents that `submit` would print, unsigned; nothing is written.

    Pango is not needed.

    Raises:
        CertifyError: something is missing or wrong.
    """
    filing = with_register_status(build_filing(resolve_order(order)))
    filing = count_filing(filing, progress)
    submission = build_submission(filing, status=Status.UNSIGNED, progress=progress)
    return Preview(
        pages={part: render_preview(submission, part) for part in list_parts(submission)},
        view=filed_view(submission),
        record=filed_json(submission),
    )
