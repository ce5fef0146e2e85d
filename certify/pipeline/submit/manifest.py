"""The files of a submission: names, manifest and checklist."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from certify.model.encoding import drop_empty, encode_json, pick_values
from certify.model.submission import ChecklistLine, Submission
from certify.pipeline.submit.evidence import MANIFEST, provenance_json


class OutputFile(Struct, frozen=True, kw_only=True):
    """One file: its part, such as ``rules.pdf``, and its bytes.

    ``confidential`` files are not for publication; ``unsigned`` is a document before its first
    signature, and ``signature`` the PAdES profile of a signed one. ``provable_until`` is the last
    moment at which `verify` accepts a final one unchanged. It is empty until that is known.
    """

    part: str
    data: bytes = b""
    unsigned: bytes = b""
    confidential: bool = False
    signature: str | None = None
    provable_until: str | None = None

    def name(self, report_id: str) -> str:
        """The file's name, which shows if it is confidential."""
        return f"{report_id}.{'confidential.' if self.confidential else ''}{self.part}"


def _json_bytes(value: Mapping[str, Any]) -> bytes:
    """Return a JSON file: one value a line, keys in their order, UTF-8."""
    return (json.dumps(encode_json(value), indent=1, ensure_ascii=False) + "\n").encode()


def manifest(
    submission: Submission,
    files: Sequence[OutputFile],
    notices: Sequence[str],
) -> OutputFile:
    """Return the list of all other files with their digests, and notices on the submission.

    The mathematics report embeds a copy, made before anything is signed: it has the digests of the
    other documents without their signatures, which also hold when somebody countersigns.
    """
    value: dict[str, Any] = {
        "format": 1,
        "submission": submission.report_id,
        "status": submission.status,
        "game": submission.game.id,
        "jurisdiction": submission.jurisdiction.id,
        "option": submission.main.id if submission.main is not None else None,
        "options": [option.id for option in submission.options],
        "paytables": [paytable.target for paytable in submission.paytables],
        "revision": submission.game.revision,
        "revised": submission.game.revised,
        "rules_as_of": submission.as_of,
        "evidence_sha256": submission.evidence_sha256,
        "engine": {"version": submission.engine_version},
        "files": [
            _list_file(file, submission.report_id)
            for file in sorted(files, key=lambda file: file.name(submission.report_id))
        ],
        "register": to_builtins(submission.register),
        "provenance": provenance_json(submission.provenance),
        "accept_replaced": submission.order.accept_replaced,
        "notices": notices,
    }
    return OutputFile(part=MANIFEST, data=_json_bytes(value))


def _list_file(file: OutputFile, report_id: str) -> dict[str, Any]:
    """Return the manifest's entry for a file."""
    known: dict[str, Any] = {"name": file.name(report_id), "confidential": file.confidential}
    if file.data:
        digest = hashlib.sha256(file.data).hexdigest()
        known |= {"bytes": len(file.data), "sha256": digest}
    if file.unsigned:
        known["unsigned_sha256"] = hashlib.sha256(file.unsigned).hexdigest()
    return known | drop_empty(pick_values(file, "signature", "provable_until"))


def checklist(submission: Submission) -> OutputFile:
    """Return the checklist of the submission as data: done, open, or not needed."""
    states = [line.state for line in submission.checklist]
    value = {
        "submission": submission.report_id,
        "jurisdiction": submission.jurisdiction.id,
        "rules_as_of": submission.as_of,
        "totals": {state: states.count(state) for state in dict.fromkeys(states)},
        "lines": [_line(line) for line in submission.checklist],
    }
    return OutputFile(part="checklist.json", data=_json_bytes(value))


def _line(line: ChecklistLine) -> dict[str, Any]:
    value = pick_values(line.item, "id", "text", "bearer", "rule") | pick_values(
        line, "state", "detail"
    )
    if line.judgement is not None and line.judgement.version is not None:
        text = line.judgement.version
        value |= pick_values(line.judgement, "standing") | pick_values(
            text, "confidence", "text_date"
        )
        value["text_read_on"] = text.read_on
    return value
