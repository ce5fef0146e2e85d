"""Verify: a file judged, and the answer as scripts read it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from certify.errors import CertifyError
from certify.intake.text.plain_json import strict_value
from certify.model.approval import NOBODY, Role
from certify.model.encoding import chosen
from certify.model.filed import Change
from certify.pipeline.submit.evidence import EVIDENCE
from certify.signatures.certificate import Certificate
from certify.signatures.verifying.verify import SignatureVerdict, verify_and_open


def verified(
    name: str,
    pdf: bytes,
    *,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    countersigners: Mapping[Role, str] = NOBODY,
) -> tuple[SignatureVerdict, dict[str, Any]]:
    """Return the verdict on a file as of now, and the same for scripts.

    Raises:
        CertifyError: see `certify.signatures.verifying.verify.verify_and_open`.
    """
    verdict, files = verify_and_open(
        pdf, trust=trust, signer=signer, countersigners=countersigners, at=dt.datetime.now(dt.UTC)
    )
    return verdict, {
        "file": name,
        "verdict": verdict.verdict,
        "checks": [chosen(check, "id", "passed", "required", "detail") for check in verdict.checks],
        "signer": verdict.signer,
        "fingerprint": verdict.fingerprint,
        "countersigners": list(verdict.countersigners),
        "signatures": [asdict(signature) for signature in verdict.signatures],
        "pages": [asdict(pages) for pages in verdict.pages],
        "profile": verdict.profile,
        "proves_identity": verdict.proves_identity,
        "records": _records(files),
    }


def _records(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the records that are not certify's own, as the evidence of a submission states."""
    try:
        stated = strict_value(files[EVIDENCE])["provenance"]["records"]
        return {str(path): str(Change(change)) for path, change in stated.items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}  # the file is no submission of this format


def unjudged(name: str, error: CertifyError) -> dict[str, Any]:
    """Return the answer for a file that could not be judged."""
    return {"file": name, "verdict": error.message, "checks": []}
