"""Verify: a file judged, and the answer as scripts read it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from certify.errors import CertifyError
from certify.model.signatory import NOBODY, Role
from certify.signatures.certificate import Certificate
from certify.signatures.verifying.verdict import SignatureVerdict
from certify.signatures.verifying.verify import verify


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
        CertifyError: see `certify.signatures.verifying.verify.verify`.
    """
    verdict = verify(
        pdf, trust=trust, signer=signer, countersigners=countersigners, at=dt.datetime.now(dt.UTC)
    )
    return verdict, {
        "file": name,
        "verdict": verdict.verdict,
        "checks": [
            {"id": check.id, "passed": check.passed, "detail": check.detail}
            for check in verdict.checks
        ],
        "signer": verdict.signer,
        "fingerprint": verdict.fingerprint,
        "countersigners": list(verdict.countersigners),
        "signatures": [asdict(signature) for signature in verdict.signatures],
        "pages": [asdict(pages) for pages in verdict.pages],
        "profile": verdict.profile,
        "proves_identity": verdict.proves_identity,
    }


def unjudged(name: str, error: CertifyError) -> dict[str, Any]:
    """Return the answer for a file that could not be judged."""
    return {"file": name, "verdict": error.message, "checks": []}
