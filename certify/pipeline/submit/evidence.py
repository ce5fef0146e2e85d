"""The machine-readable twin of a submission, and everything that is embedded beside it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from certify.model.approval import Consulted, PaytableStanding
from certify.model.document import Document
from certify.model.encoding import as_json, chosen
from certify.model.filed import Filing
from certify.model.provenance import Provenance
from certify.model.submission import Status, Submission
from certify.model.terms import TERMS
from certify.pipeline.submit.made_with import made_with
from certify.printing.print_pdf import Attachment
from certify.report.evidence import analysis_json, judgements_json
from certify.report.printed import printed_json, verification_json
from certify.report.workbook.book import Table, workbook

EVERY_FIGURE = "Every exact figure of this submission"
DIGEST_ALONE = "What this document states, and the digest of the confidential evidence"
SECOND_COUNTS = "Second exact counts, each with the digest of what was counted"
LETTER = "The laboratory's letter"

EVIDENCE = "evidence.json"
LABEL = "document.json"
FORMAT = 2

ORDERED = (
    *("game", "jurisdiction", "paytables", "house_way", "strategy", "as_of", "command"),
    "accept_replaced",
)
"""What the evidence states of an order as it is."""

PUBLISHED = frozenset(
    ("target", "game", "wager", "paytable", "method", "house_edge", "house_edge_decimal")
) | {"house_edge_percent", "rounding", "limit"}
"""What the public part states of a wager where the mathematics is confidential: its edges."""


def evidence_of(
    filing: Filing,
    status: Status,
    *,
    engine: Mapping[str, Any] | None = None,
    verification: Mapping[str, Any] | None = None,
) -> bytes:
    """Return the machine-readable twin of the report: the request, and every exact figure.

    A submission adds its judgments and the figures that its documents derive. ``engine`` and
    ``verification`` are those that the evidence states, where it is made again.
    """
    engine = engine or made_with()
    terms = filing.catalogue.documents.get(TERMS)
    value = {
        "format": FORMAT,
        "engine": engine,
        "order": as_json(
            chosen(filing.order, *ORDERED)
            | {
                "option": filing.main.id if filing.main is not None else None,
                "terms": terms and source_name(terms),
            }
        ),
        "register": None if filing.register is None else consulted_json(filing.register),
        "provenance": provenance_json(filing.provenance),
        "status": str(status),
        "results": [
            analysis_json(replace(analysis, engine_version=engine["version"]))
            for analysis in filing.analyses.values()
        ],
        "sources": {source_name(document): document.sha256 for document in filing.documents},
        "workbook_sha256": hashlib.sha256(par_sheets(filing)).hexdigest(),
    }
    if isinstance(filing, Submission):
        value["judgements"] = judgements_json(filing)
        value["printed"] = printed_json(filing)
        value["verification"] = verification or verification_json(filing)
    return _bytes(value)


def par_sheets(filing: Filing) -> bytes:
    """Return the workbook of a filing: a sheet for every table that was counted."""
    analyses = filing.analyses
    tables: list[Table] = [*filing.options, *filing.paytables]
    counted = [(table, analyses[table.target]) for table in tables if table.target in analyses]
    return workbook(filing.game, counted, report_id=filing.report_id)


def provenance_json(provenance: Provenance) -> dict[str, Any]:
    """Return the origin of records, verification counts, papers and the laboratory's letter."""
    letter = provenance.letter
    parts = chosen(provenance, "records", "counts", "papers")
    parts["letter"] = None if letter is None else chosen(letter, "name", "sha256")
    value: dict[str, Any] = as_json(parts)
    return value


def consulted_json(register: Consulted) -> dict[str, Any]:
    """Return what a register says of a filing, as evidence and manifest state it."""
    said = chosen(register, "sha256", "records", "last", "other_names", "namesakes", "standings")
    standing = {
        PaytableStanding: lambda table: {
            **chosen(table, "target", "standing", "record"),
            "date": table.day,
        }
    }
    value: dict[str, Any] = as_json(said, standing)
    return value


def public_evidence(evidence: bytes) -> bytes:
    """Return the evidence without its mathematics, tied to the complete one by its digest.

    A jurisdiction that publishes the rules keeps the mathematics confidential: the published part
    states each wager's edge, the figures that its text prints, and the digest of everything else.
    """
    value: dict[str, Any] = json.loads(evidence)
    value["results"] = [
        {key: result[key] for key in result if key in PUBLISHED} for result in value["results"]
    ]
    value.pop("judgements", None)
    if "printed" in value:
        value["printed"] = {"rules": value["printed"]["rules"]}
    value["complete_evidence_sha256"] = hashlib.sha256(evidence).hexdigest()
    return _bytes(value)


def attachments_of(filing: Filing, evidence: bytes) -> tuple[Attachment, ...]:
    """Return the evidence and every declared file that the documents rest on.

    The second counts and the laboratory's letter come with the complete evidence only, as they
    hold figures.
    """
    public = "complete_evidence_sha256" in json.loads(evidence)
    attached = [_data(EVIDENCE, evidence, DIGEST_ALONE if public else EVERY_FIGURE)]
    for document in filing.documents:
        template = document.value is None
        attached.append(
            Attachment(
                name=source_name(document),
                data=document.text.encode(),
                relationship="Source",
                description=f"{'Template' if template else 'Declared data'}: {document.filed_as}",
                media_type="text/plain" if template else "application/json",
            )
        )
    second = filing.second_counts
    if second is not None and not public:
        attached.append(_data(source_name(second), second.text.encode(), SECOND_COUNTS))
    letter = filing.provenance.letter
    if letter is not None and letter.data is not None and not public:
        attached.append(_data(letter.name, letter.data, LETTER, "application/pdf"))
    return tuple(attached)


def part_label(report_id: str, part: str) -> Attachment:
    """Return the small file by which a program knows which document this is."""
    label = json.dumps({"document": report_id, "part": part}).encode()
    return _data(LABEL, label, "Which document of the submission this is")


def _data(
    name: str, data: bytes, description: str, media_type: str = "application/json"
) -> Attachment:
    return Attachment(
        name=name,
        data=data,
        relationship="Data",
        description=description,
        media_type=media_type,
    )


def source_name(document: Document) -> str:
    """Return the attachment's name of a declared file: its path with ``--`` for ``/``.

    No id has two hyphens in a row, so the name gives the path back.
    """
    return document.filed_as.replace("/", "--")


def _bytes(value: Any) -> bytes:  # noqa: ANN401 - any JSON value
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()
