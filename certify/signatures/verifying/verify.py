"""Verification: is this document authentic and unchanged, and by whom was it signed.

A file from outside may be built so that reading it never ends. A child process reads it, with
limits on size, processor time and memory (`LIMITS`). A document that reaches a limit is not judged.
"""

import base64
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from certify.errors import NotConfigured, NotReadable
from certify.model.signatory import NOBODY, Role
from certify.signatures.certificate import Certificate
from certify.signatures.verifying.verdict import SignatureVerdict
from certify.worker import Limits, run

READER = "certify.signatures.verifying._reading"
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
    at: datetime,
) -> SignatureVerdict:
    """Judge a signed document by a policy that fails closed; nothing is fetched.

    Args:
        pdf: the file.
        trust: the only roots that chains of certificates may lead to.
        signer: who must have made the first signature: a common name, or the SHA-256
            fingerprint of the certificate; anybody trusted where it is None.
        countersigners: who must have signed further, by role, named likewise.
        at: the moment of the verification, aware.

    Returns:
        The verdict; a document that fails, however badly, has one too.

    Raises:
        NothingChecked: the file has no signature.
        NotReadable: the file is not a PDF, or is larger than what is read.
        NotConfigured: ``at`` has no time zone.
        NotJudged: reading it reached a limit.
    """
    return _judged(pdf, _asked("judge", trust, signer, countersigners, at))[0]


def verify_and_open(
    pdf: bytes,
    *,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    countersigners: Mapping[Role, str] = NOBODY,
    at: datetime,
) -> tuple[SignatureVerdict, dict[str, bytes]]:
    """Return what `verify` does, and of an authentic document what `embedded_files` does.

    Raises:
        CertifyError: what either of them raises.
    """
    return _judged(pdf, _asked("open", trust, signer, countersigners, at))


def embedded_files(pdf: bytes, *, signed: bool = True) -> dict[str, bytes]:
    """Return the attachments by name, as the first signature covers them and from nothing later.

    This does not verify anything: call ``verify`` first. Without ``signed`` they are taken as the
    file holds them now, whoever put them there.

    Raises:
        NothingChecked: the file has no signature.
        NotReadable: the file is not a PDF, or is larger than what is read.
        NotAuthentic: the document, or what its first signature covers, cannot be read.
        NotJudged: reading it reached a limit.
    """
    return _files(_read(pdf, {"task": "files", "signed": signed}))


def _files(encoded: dict[str, str]) -> dict[str, bytes]:
    return {name: base64.b64decode(data) for name, data in encoded.items()}


def _asked(
    task: str,
    trust: tuple[Certificate, ...],
    signer: str | None,
    countersigners: Mapping[Role, str],
    at: datetime,
) -> dict[str, Any]:
    """Return the question to the reading process."""
    if at.utcoffset() is None:
        raise NotConfigured(
            "The time of the verification has no time zone.", remedy="Give it with its zone."
        )
    return {
        "task": task,
        "trust": [base64.b64encode(root.der).decode("ascii") for root in trust],
        "signer": signer,
        "countersigners": dict(countersigners),
        "at": at.isoformat(),
    }


def _judged(pdf: bytes, asked: dict[str, Any]) -> tuple[SignatureVerdict, dict[str, bytes]]:
    """Return the verdict that the reading process tells as JSON, and the attachments."""
    from cattrs import BaseConverter

    told = _read(pdf, asked)
    parts = {name: pdf[: told[name]] for name in ("unsigned_bytes", "signed_bytes")}
    verdict = BaseConverter().structure(told | parts, SignatureVerdict)
    return verdict, _files(told.get("files", {}))


def _read(pdf: bytes, asked: dict[str, Any]) -> dict[str, Any]:
    """Return what the reading process answers."""
    if len(pdf) > LARGEST:
        raise NotReadable(
            f"The file has {len(pdf):,} bytes; at most {LARGEST:,} are read.",
            remedy="Name a document that `certify submit` made.",
        )
    head = json.dumps(asked).encode("ascii")
    answer: dict[str, Any] = json.loads(
        run(READER, head + b"\n" + pdf, LIMITS, subject="Reading the document")
    )
    return answer
