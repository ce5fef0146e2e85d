"""Submit: the straight line to its end, with every file written whole or not at all."""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from certify import __version__, library
from certify.model.analysis import Analysis
from certify.model.document import Document
from certify.model.finding import Finding
from certify.model.submission import Status, Submission
from certify.pipeline.evaluate import Progress, source_path
from certify.pipeline.submission import Filing, Order, analyses_of, filing_of, submission_of
from certify.report.compose import compose
from certify.report.evidence import analysis_json
from certify.report.mathematics_view import mathematics_view
from certify.report.print_pdf import Attachment, print_pdf
from certify.report.rules_view import rules_view
from certify.seal.identity import Identity
from certify.seal.sign import sign

EVIDENCE = "evidence.json"
LABEL = "document.json"
LANGUAGE = "en-US"

Part = Literal["rules", "mathematics"]
PARTS: tuple[Part, ...] = ("rules", "mathematics")
VIEWS = {"rules": rules_view, "mathematics": mathematics_view}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signing:
    """Who signs, and how long the signature must hold."""

    identity: Identity
    timestamp_url: str | None = None
    long_term: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """The files that were written, and what the user should know of them."""

    files: tuple[Path, ...]
    findings: tuple[Finding, ...]
    notices: tuple[str, ...]


def submit(
    order: Order, *, signing: Signing | None, out: Path, progress: Progress | None = None
) -> Submitted:
    """Make both documents, their evidence and the manifest, and write them to ``out``.

    Raises:
        CertifyError: something is missing or wrong; then nothing is written.
    """
    filing = filing_of(order)
    analyses = analyses_of(filing, order, progress)
    status = _status(signing)
    evidence = evidence_of(filing, order, analyses, status)
    submission = submission_of(
        filing,
        order,
        analyses,
        status=status,
        evidence_sha256=hashlib.sha256(evidence).hexdigest(),
    )
    attachments = attachments_of(filing, evidence)
    files: dict[str, bytes] = {f"{submission.report_id}.evidence.json": evidence}
    for part in PARTS:
        unsigned = document_of(submission, part, attachments)
        files[f"{submission.report_id}.{part}.pdf"] = _signed(unsigned, submission, signing)
    manifest = _manifest(submission, files)
    files[f"{submission.report_id}.manifest.json"] = manifest
    for name, data in files.items():
        library.write_atomically(out / name, data)
    return Submitted(
        files=tuple(out / name for name in files),
        findings=submission.findings,
        notices=_notices(submission),
    )


def document_of(submission: Submission, part: Part, attachments: tuple[Attachment, ...]) -> bytes:
    """Return one unsigned document: the same submission always gives the same bytes."""
    view = VIEWS[part](submission)
    view["report_id"] = f"{submission.report_id}.{part}"
    folder = library.templates()
    return print_pdf(
        compose(f"{part}.html.j2", view, templates=folder),
        title=view["title"],
        language=LANGUAGE,
        document_id=view["report_id"],
        date=submission.game.revised,
        attachments=(*attachments, _label(view["report_id"], part)),
        templates=folder,
    )


def _label(report_id: str, part: Part) -> Attachment:
    """Return the small file by which a program knows which document this is."""
    return Attachment(
        name=LABEL,
        data=json.dumps({"document": report_id, "part": part}).encode(),
        relationship="Data",
        description="Which document of the submission this is",
        media_type="application/json",
    )


def evidence_of(
    filing: Filing, order: Order, analyses: Mapping[str, Analysis], status: Status
) -> bytes:
    """Return the machine-readable twin of the report: what was asked, and every exact figure."""
    value = {
        "format": 1,
        "engine": {"version": __version__},
        "order": {
            "game": order.game,
            "jurisdiction": order.jurisdiction,
            "option": filing.option.id,
            "paytables": list(order.paytables),
            "house_way": order.house_way,
            "strategy": str(order.strategy) if order.strategy else None,
            "as_of": order.as_of.isoformat() if order.as_of else None,
            "command": order.command,
        },
        "status": str(status),
        "results": [analysis_json(one) for one in analyses.values()],
        "sources": {source_name(one): one.sha256 for one in _documents(filing)},
    }
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def attachments_of(filing: Filing, evidence: bytes) -> tuple[Attachment, ...]:
    """Return the evidence and every declared file that the documents rest on."""
    return (
        Attachment(
            name=EVIDENCE,
            data=evidence,
            relationship="Data",
            description="Every exact figure of this submission",
            media_type="application/json",
        ),
        *(
            Attachment(
                name=source_name(one),
                data=one.text.encode(),
                relationship="Source",
                description=f"Declared data: {source_name(one).replace('--', '/')}",
                media_type="application/json",
            )
            for one in _documents(filing)
        ),
    )


def source_name(document: Document) -> str:
    """Return the attachment's name of a declared file: its path with ``--`` for ``/``."""
    return source_path(document).replace("/", "--")


def _documents(filing: Filing) -> list[Document]:
    """Return the declared files of this filing: the game's own, and what it shares."""
    game = filing.game
    shared = {"events", f"jurisdictions/{filing.jurisdiction.id}"}
    shared |= {f"house-ways/{one}" for one in game.house_ways}
    return [
        document
        for key, document in sorted(filing.catalogue.documents.items())
        if key in shared or key == game.id or key.startswith(f"{game.id}/")
    ]


def _status(signing: Signing | None) -> Status:
    if signing is None:
        return Status.UNSIGNED
    return Status.DRAFT if signing.identity.development else Status.FINAL


def _signed(pdf: bytes, submission: Submission, signing: Signing | None) -> bytes:
    if signing is None:
        return pdf
    return sign(
        pdf,
        identity=signing.identity,
        reason=f"Preparer of {submission.report_id}",
        location=submission.jurisdiction.name,
        signing_time=dt.datetime.now(dt.UTC),
        timestamp_url=signing.timestamp_url,
        long_term=signing.long_term,
    ).data


def _manifest(submission: Submission, files: dict[str, bytes]) -> bytes:
    value = {
        "submission": submission.report_id,
        "status": str(submission.status),
        "files": [
            {"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in sorted(files.items())
        ],
    }
    return (json.dumps(value, indent=1) + "\n").encode()


def _notices(submission: Submission) -> tuple[str, ...]:
    missing = [line for line in submission.checklist if line.state == "missing"]
    return tuple(f"Missing for the filing: {line.item.text} ({line.detail})" for line in missing)
