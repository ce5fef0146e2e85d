"""The reading process: judges one signed file, or takes the attachments out of it, in a limit.

Run by `certify.signatures.verifying.verify` and by nobody else, as a task of `certify.worker`. A
job is one line of JSON and the file; an answer is JSON.
"""

import base64
import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

import pikepdf

from certify.errors import NotAuthentic
from certify.model.approval import Role
from certify.model.encoding import Progress
from certify.signatures.certificate import Certificate
from certify.signatures.verifying.document import Damaged, read
from certify.signatures.verifying.judgement import judge
from certify.signatures.verifying.revisions import attachments

EMBEDDED = 64 << 20
"""The most bytes that all attachments together may unpack to."""


def answer(job: bytes, progress: Progress) -> bytes:
    """Return the verdict on a file, or its attachments in base 64, as JSON."""
    del progress
    head, _, data = job.partition(b"\n")
    asked = json.loads(head)
    if asked["task"] == "files":
        told: dict[str, Any] = _files(data, signed=asked["signed"])
    else:
        told = _verdict(data, asked)
        if asked["task"] == "open":
            told["files"] = _files(data, signed=True) if told["authentic"] else {}
    return json.dumps(told).encode("ascii")


def _verdict(data: bytes, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a verdict; the parts of the file that it names are told by their lengths."""
    verdict = judge(
        data,
        trust=tuple(Certificate.from_der(base64.b64decode(der)) for der in asked["trust"]),
        signer=asked["signer"],
        countersigners={Role(role): name for role, name in asked["countersigners"].items()},
        at=datetime.fromisoformat(asked["at"]),
    )
    return asdict(verdict) | {
        "unsigned_bytes": len(verdict.unsigned_bytes),
        "signed_bytes": len(verdict.signed_bytes),
    }


def _files(data: bytes, *, signed: bool) -> dict[str, str]:
    """Return the attachments in base 64: of all the file, or of what its first signature covers."""
    try:
        files = attachments(_first_signed_revision(data) if signed else data)
    except (Damaged, pikepdf.PdfError, RuntimeError, ValueError, KeyError) as error:
        raise NotAuthentic(
            f"What the document embeds cannot be read: {error}.",
            remedy="Ask for the signed document again.",
        ) from error
    size = sum(map(len, files.values()))
    if size > EMBEDDED:
        raise NotAuthentic(
            f"What the document embeds has {size:,} bytes; at most {EMBEDDED:,} are read.",
            remedy="Ask for the signed document again.",
        )
    return {name: base64.b64encode(file).decode("ascii") for name, file in files.items()}


def _first_signed_revision(data: bytes) -> bytes:
    first = read(data).signatures[0]
    if first.fault:
        raise Damaged(first.fault)
    return data[: first.end]
