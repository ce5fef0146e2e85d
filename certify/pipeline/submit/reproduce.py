"""Reproduce: from a signed PDF alone, recompute every figure and print the document again."""

import datetime as dt
from dataclasses import dataclass

from certify.errors import NothingChecked
from certify.model.encoding import Progress
from certify.pipeline.submit.recomputing import Asked, Step, recomputed, said, step_of
from certify.signatures.certificate import Certificate
from certify.signatures.verifying.verify import SignatureVerdict, embedded_files, verify_and_open
from certify.worker import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """What agreed, line by line; ``agreed`` if everything did that was required."""

    verdict: str
    agreed: bool
    steps: tuple[Step, ...]
    signer: str | None


def reproduce(
    pdf: bytes,
    *,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    figures_only: bool = False,
    second_counts: bool = False,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Reproduction:
    """Recompute a submitted document from what is embedded in it.

    Args:
        pdf: the file.
        trust: the only roots that chains of certificates may lead to.
        signer: who must have signed; anybody trusted where it is None.
        figures_only: leave signature and pages aside. The files are then taken as they stand in
            the PDF, unless the signature holds.
        second_counts: make the verification counts again, which takes minutes.
        limits: processor time and memory that recomputing may take, see `recomputed`.
        progress: is told how far long counts are.

    Raises:
        NothingChecked: the file has no signature, and one is required.
        NotAuthentic: the file embeds no evidence of ours.
        NotJudged: reading, recomputing or printing reached a limit.
    """
    verdict, files = _opened(pdf, trust, signer, required=not figures_only)
    authentic = verdict is not None and verdict.authentic
    steps = [
        Step(
            id="signature",
            passed=authentic,
            detail=verdict.verdict if verdict else said("unsigned"),
            required=not figures_only,
        )
    ]
    if authentic or figures_only:
        files = files if authentic else embedded_files(pdf, signed=False)
        asked = Asked(
            signer=(verdict.signer or "") if verdict else None,
            pages=not figures_only,
            second_counts=second_counts,
        )
        pages = None if figures_only or verdict is None else verdict.unsigned_bytes
        steps += recomputed(files, pages, asked, limits=limits, progress=progress)
    return Reproduction(
        verdict=_summary(steps, figures_only=figures_only),
        agreed=all(step.passed for step in steps if step.required),
        steps=tuple(steps),
        signer=verdict.signer if verdict else None,
    )


def _opened(
    pdf: bytes, trust: tuple[Certificate, ...], signer: str | None, *, required: bool
) -> tuple[SignatureVerdict | None, dict[str, bytes]]:
    """Return what is to be said of the signatures, if any or required, and what they cover."""
    try:
        return verify_and_open(pdf, trust=trust, signer=signer, at=dt.datetime.now(dt.UTC))
    except NothingChecked:
        if required:
            raise
        return None, {}


def _summary(steps: list[Step], *, figures_only: bool) -> str:
    failed = {step.id for step in steps if step.required and not step.passed}
    if "signature" in failed:
        return steps[0].detail
    if figures_only:
        return step_of("figures_only", passed=not failed).detail
    if failed == {"print"}:
        return said("printed_otherwise")
    return said("differing") if failed else said("agreed")
