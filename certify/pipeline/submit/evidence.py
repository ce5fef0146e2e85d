"""The machine-readable twin of a submission, and everything that is embedded beside it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from certify.model.analysis import Analysis
from certify.model.approval import Consulted, PaytableStanding
from certify.model.document import Document
from certify.model.encoding import as_json, chosen
from certify.model.submission import Status, Submission
from certify.model.terms import TERMS
from certify.pipeline.filing import Filing
from certify.pipeline.submit.made_with import made_with
from certify.printing.print_pdf import Attachment
from certify.report.evidence import analysis_json, judgements_json
from certify.report.workbook.book import Table, workbook

EVIDENCE = "evidence.json"
LABEL = "document.json"
FORMAT = 1

PUBLISHED = frozenset(
    ("target", "game", "wager", "paytable", "method", "house_edge", "house_edge_decimal")
) | {"house_edge_percent", "rounding", "limit"}
"""What the public part states of a wager where the mathematics is confidential: its edges."""


def evidence_of(
    filing: Filing,
    analyses: Mapping[str, Analysis],
    status: Status,
    *,
    engine: Mapping[str, Any] | None = None,
    submission: Submission | None = None,
) -> bytes:
    """Return the machine-readable twin of the report: what was asked, and every exact figure.

    ``engine`` is what the evidence states that it was made with, where it is made again.
    ``submission`` has what was judged of the filing; without it figures alone are stated.
    """
    engine, order = engine or made_with(), filing.order
    value = {
        "format": FORMAT,
        "engine": engine,
        "order": {
            "game": order.game,
            "jurisdiction": order.jurisdiction,
            "option": filing.main.id if filing.main is not None else None,
            "paytables": list(order.paytables),
            "house_way": order.house_way,
            "strategy": str(order.strategy) if order.strategy else None,
            "as_of": order.as_of.isoformat() if order.as_of else None,
            "terms": source_name(filing.catalogue.documents[TERMS]) if order.terms else None,
            "command": order.command,
        },
        "register": None if filing.register is None else consulted_json(filing.register),
        "status": str(status),
        "results": [
            analysis_json(replace(analysis, engine_version=engine["version"]))
            for analysis in analyses.values()
        ],
        "sources": {source_name(document): document.sha256 for document in filing.documents},
        "workbook_sha256": hashlib.sha256(par_sheets(filing, analyses)).hexdigest(),
    }
    if submission is not None:
        value["judgements"] = judgements_json(submission)
    return _bytes(value)


def par_sheets(filing: Filing, analyses: Mapping[str, Analysis]) -> bytes:
    """Return the workbook of a filing: a sheet for every table that was counted."""
    tables: list[Table] = [*filing.options, *filing.paytables]
    counted = [(table, analyses[table.target]) for table in tables if table.target in analyses]
    return workbook(filing.game, counted, report_id=filing.report_id)


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
    states each wager's edge, as its text does, and the digest of everything else.
    """
    value: dict[str, Any] = json.loads(evidence)
    value["results"] = [
        {key: result[key] for key in result if key in PUBLISHED} for result in value["results"]
    ]
    value.pop("judgements", None)
    value["complete_evidence_sha256"] = hashlib.sha256(evidence).hexdigest()
    return _bytes(value)


def attachments_of(filing: Filing, evidence: bytes) -> tuple[Attachment, ...]:
    """Return the evidence and every declared file that the documents rest on.

    The second counts come with the complete evidence only, as they are figures.
    """
    public = "complete_evidence_sha256" in json.loads(evidence)
    second = filing.second_counts
    return (
        Attachment(
            name=EVIDENCE,
            data=evidence,
            relationship="Data",
            description="Every exact figure of this submission"
            if not public
            else "What this document states, and the digest of the confidential evidence",
            media_type="application/json",
        ),
        *(
            Attachment(
                name=source_name(document),
                data=document.text.encode(),
                relationship="Source",
                description=f"Declared data: {document.filed_as}"
                if document.value is not None
                else f"Template: {document.filed_as}",
                media_type="application/json" if document.value is not None else "text/plain",
            )
            for document in filing.documents
        ),
        *(
            Attachment(
                name=source_name(document),
                data=document.text.encode(),
                relationship="Data",
                description="Second exact counts, each with the digest of what was counted",
                media_type="application/json",
            )
            for document in (second,)
            if document is not None and not public
        ),
    )


def part_label(report_id: str, part: str) -> Attachment:
    """Return the small file by which a program knows which document this is."""
    return Attachment(
        name=LABEL,
        data=json.dumps({"document": report_id, "part": part}).encode(),
        relationship="Data",
        description="Which document of the submission this is",
        media_type="application/json",
    )


def source_name(document: Document) -> str:
    """Return the attachment's name of a declared file: its path with ``--`` for ``/``.

    No id has two hyphens in a row, so the name gives the path back.
    """
    return document.filed_as.replace("/", "--")


def _bytes(value: Any) -> bytes:  # noqa: ANN401 - any JSON value
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()
