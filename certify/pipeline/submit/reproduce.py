"""Reproduce: from a signed PDF alone, recompute every figure and print the document again."""

import datetime as dt
import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from certify import library
from certify.errors import CertifyError, NotAuthentic, NothingChecked, NotJudged
from certify.model.analysis import Analysis
from certify.model.progress import Progress
from certify.model.submission import Status
from certify.pipeline.submit.embedded import (
    COMPLETE,
    Recounted,
    evidence_in,
    part_in,
    recount,
    unpack,
)
from certify.pipeline.submit.evidence import EVIDENCE, attachments_of
from certify.pipeline.submit.made_with import other_than
from certify.pipeline.submit.submit import document_of
from certify.report.evidence import analysis_json
from certify.signatures.certificate import DEVELOPMENT, Certificate
from certify.signatures.verifying.verdict import SignatureVerdict
from certify.signatures.verifying.verify import embedded_files, verify_and_open

SHOWN = 8
"""Differences of one target that are written out; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that was compared; ``required`` is False where the user left it aside."""

    id: str
    passed: bool
    detail: str
    required: bool = True


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
    progress: Progress | None = None,
) -> Reproduction:
    """Recompute a submitted document from what is embedded in it.

    Args:
        pdf: the file.
        trust: the only roots that chains of certificates may lead to.
        signer: who must have signed; anybody trusted where it is None.
        figures_only: leave signature and pages aside. The files are then taken as they stand in
            the PDF, unless the signature holds.
        progress: is told how far long counts are.

    Raises:
        NothingChecked: the file has no signature, and one is required.
        NotAuthentic: the file embeds no evidence of ours.
        NotJudged: reading or printing reached a limit.
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
        pages = None if figures_only or verdict is None else verdict.unsigned_bytes
        with tempfile.TemporaryDirectory(prefix="certify-") as folder:
            try:
                evidence = evidence_in(files)
                if verdict is not None:
                    steps.append(_status(evidence, verdict, required=not figures_only))
                steps += _recomputed(files, evidence, Path(folder), pages, progress)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise NotAuthentic(
                    f"The embedded {EVIDENCE} is not what certify writes: {error!r}.",
                    remedy="Give a document that `certify submit` made.",
                ) from error
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


def _recomputed(
    files: Mapping[str, bytes],
    evidence: dict[str, Any],
    folder: Path,
    pages: bytes | None,
    progress: Progress | None,
) -> list[Step]:
    """Return what agrees of the embedded files; ``pages`` are to be printed again, if any."""
    steps = [_sources(evidence, unpack(files, evidence, folder))]
    try:
        counted = recount(evidence, folder, progress)
    except NotJudged:
        raise
    except CertifyError as error:
        detail = f"{error.message} {error.remedy}".strip()
        return [*steps, Step(id="recompute", passed=False, detail=detail)]
    steps += _figures(evidence, counted.analyses)
    if COMPLETE in evidence:
        steps.append(_confidential(evidence, counted.complete))
    if pages is None:
        aside = Step(id="print", passed=False, detail=said("not_printed"), required=False)
        steps.append(aside)
    elif all(step.passed for step in steps):
        steps.append(_printed(files, counted, pages))
    return steps


def said(name: str, **values: object) -> str:
    """Return the words for what came of a comparison; see `templates/words/reproduction.json`."""
    return str(library.words("reproduction")[name]).format(**values)


def _step(
    id_: str, *, passed: bool, name: str = "", required: bool = True, **values: object
) -> Step:
    """Return a step in the words for its kind, or of a name; of two for what agrees or differs."""
    words = library.words("reproduction")[name or id_]["agrees" if passed else "differs"]
    return Step(id=id_, passed=passed, detail=words.format(**values), required=required)


def _status(evidence: Mapping[str, Any], verdict: SignatureVerdict, *, required: bool) -> Step:
    """Compare what the document says of itself with who signed it."""
    status = Status(evidence["status"])
    development = DEVELOPMENT in (verdict.signer or "")
    wrong = status is Status.UNSIGNED or (status is Status.FINAL and development)
    return _step("status", passed=not wrong, required=required, status=status)


def _sources(evidence: Mapping[str, Any], wrong: list[str]) -> Step:
    """Say which embedded files have another digest than is stated."""
    number = len(evidence["sources"])
    return _step("sources", passed=not wrong, number=number, wrong=", ".join(wrong))


def _figures(evidence: Mapping[str, Any], analyses: Mapping[str, Analysis]) -> Iterator[Step]:
    """Compare every figure of every target with the one that is stated."""
    stated = {result["target"]: result for result in evidence["results"]}
    public = COMPLETE in evidence
    for target in dict.fromkeys((*stated, *analyses)):
        if target not in stated or target not in analyses:
            yield Step(id=target, passed=False, detail=said("one_side", target=target))
            continue
        ours, theirs = analysis_json(analyses[target]), dict(stated[target])
        rows = len(ours["rows"])
        if public:
            ours = {key: value for key, value in ours.items() if key in theirs}
        ours.pop("engine", None)
        theirs.pop("engine", None)
        different = list(differences(theirs, ours))
        yield _step(
            target,
            passed=not different,
            name="edge" if public and "house_edge" in theirs else "rows",
            target=target,
            rows=rows,
            wrong=_listed(different),
        )


def differences(stated: object, ours: object, path: str = "") -> Iterator[str]:
    """Yield a line for every value of the evidence that is not what was recomputed."""
    if isinstance(stated, dict) and isinstance(ours, dict):
        for key in dict.fromkeys((*ours, *stated)):
            yield from differences(stated.get(key), ours.get(key), f"{path}/{key}".lstrip("/"))
    elif isinstance(stated, list) and isinstance(ours, list) and len(stated) == len(ours):
        for place, (theirs, other) in enumerate(zip(stated, ours, strict=True)):
            name = other.get("event") or other.get("level") if isinstance(other, dict) else None
            yield from differences(theirs, other, f"{path}/{name or place}")
    elif stated != ours or type(stated) is not type(ours):
        yield f"{path}: states {_short(stated)}, recomputed {_short(ours)}"


def _short(value: object) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - room on a line


def _listed(lines: list[str]) -> str:
    more = len(lines) - SHOWN
    return "; ".join(islice(lines, SHOWN)) + (f"; and {more} more" if more > 0 else "")


def _confidential(evidence: Mapping[str, Any], complete: bytes) -> Step:
    """Compare the confidential evidence by its digest, which the public part states."""
    same = hashlib.sha256(complete).hexdigest() == evidence[COMPLETE]
    return _step("confidential", passed=same, made="" if same else _made(evidence))


def _printed(files: Mapping[str, bytes], counted: Recounted, pages: bytes) -> Step:
    """Print the document again and compare the bytes that were signed."""
    part = part_in(files)
    try:
        submission = counted.submission(files[EVIDENCE])
        filing = counted.filing
        again = document_of(
            submission, part, attachments_of(filing, files[EVIDENCE]), filing.templates
        )
    except NotJudged:
        raise
    except CertifyError as error:
        detail = said("not_printable", error=f"{error.message} {error.remedy}".strip())
        return Step(id="print", passed=False, detail=detail)
    same = again == pages
    return _step("print", passed=same, made="" if same else _made(counted.evidence))


def _made(evidence: Mapping[str, Any]) -> str:
    """Return what a document was made with and this run was not."""
    others = other_than(evidence["engine"])
    return said("made_otherwise", others=", ".join(others)) if others else said("made_alike")


def _summary(steps: list[Step], *, figures_only: bool) -> str:
    failed = {step.id for step in steps if step.required and not step.passed}
    if "signature" in failed:
        return steps[0].detail
    if figures_only:
        return _step("figures_only", passed=not failed).detail
    if failed == {"print"}:
        return said("printed_otherwise")
    return said("differing") if failed else said("agreed")
