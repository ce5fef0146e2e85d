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

from certify import __version__
from certify.errors import CertifyError, NotAuthentic
from certify.model.analysis import Analysis
from certify.model.game import Strategy
from certify.model.submission import Status
from certify.pipeline.evaluate import Progress
from certify.pipeline.evidence import EVIDENCE, FORMAT, LABEL, attachments_of, evidence_of
from certify.pipeline.submission import Filing, Order, analyses_of, filing_of, submission_of
from certify.pipeline.submit import PARTS, document_of
from certify.report.evidence import analysis_json
from certify.signatures.certificate import DEVELOPMENT, Certificate
from certify.signatures.verifying.verdict import Verdict
from certify.signatures.verifying.verify import embedded_files, verify

SHOWN = 8
"""Differences of one target that are written out; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that was compared; ``required`` is False where libraries may rightly differ."""

    id: str
    passed: bool
    detail: str
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """What agreed, line by line."""

    verdict: str
    agreed: bool
    steps: tuple[Step, ...]
    signer: str | None


def reproduce(
    pdf: bytes,
    *,
    trust: tuple[Certificate, ...],
    signer: str | None = None,
    progress: Progress | None = None,
) -> Reproduction:
    """Recompute a submitted document from what is embedded in its signed part.

    Raises:
        NothingChecked: the file has no signature.
        NotAuthentic: the signed part holds no evidence of ours.
    """
    verdict = verify(pdf, trust=trust, signer=signer, at=dt.datetime.now(dt.UTC))
    steps = [Step(id="signature", passed=verdict.authentic, detail=verdict.verdict)]
    if verdict.authentic:
        files = embedded_files(pdf)
        with tempfile.TemporaryDirectory(prefix="certify-") as folder:
            try:
                steps += _recomputed(files, verdict, Path(folder), progress)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise NotAuthentic(
                    f"The embedded {EVIDENCE} is not what certify writes: {error!r}.",
                    remedy="Give a document that `certify submit` made.",
                ) from error
    agreed = all(one.passed for one in steps if one.required)
    return Reproduction(
        verdict=_summary(steps, agreed=agreed),
        agreed=agreed,
        steps=tuple(steps),
        signer=verdict.signer,
    )


def _recomputed(
    files: Mapping[str, bytes], verdict: Verdict, folder: Path, progress: Progress | None
) -> list[Step]:
    evidence = _json(files, EVIDENCE)
    if evidence["format"] != FORMAT:
        raise NotAuthentic(
            f"The evidence has format {evidence['format']}, and this certify reads {FORMAT}.",
            remedy=f"Use certify {evidence['engine']['version']}, which made the document.",
        )
    steps = [_standing(evidence, verdict), *_sources(files, evidence, folder)]
    order = order_of(evidence, folder)
    try:
        filing = filing_of(order, folder / "paytables")
        analyses = analyses_of(filing, order, progress)
    except CertifyError as error:
        detail = f"{error.message} {error.remedy}".strip()
        return [*steps, Step(id="recompute", passed=False, detail=detail)]
    steps += _figures(evidence, analyses)
    if "complete_evidence_sha256" in evidence:
        complete = evidence_of(filing, order, analyses, Status(evidence["status"]))
        steps.append(_confidential(evidence, complete))
    if all(one.passed for one in steps):
        steps.append(_printed(files, verdict, filing, order, analyses))
    return steps


def _standing(evidence: Mapping[str, Any], verdict: Verdict) -> Step:
    """Compare what the document says of itself with who signed it."""
    status = Status(evidence["status"])
    development = DEVELOPMENT in (verdict.signer or "")
    wrong = status is Status.UNSIGNED or (status is Status.FINAL and development)
    return Step(
        id="status",
        passed=not wrong,
        detail=f"The document calls itself {status}, and its signature does not bear that out."
        if wrong
        else f"The document calls itself {status}, as its signature allows.",
    )


def _sources(
    files: Mapping[str, bytes], evidence: Mapping[str, Any], folder: Path
) -> Iterator[Step]:
    """Lay the embedded declared data out as a library, each file against its digest."""
    stated: dict[str, str] = evidence["sources"]
    wrong = [
        name
        for name, digest in stated.items()
        if hashlib.sha256(files.get(name, b"")).hexdigest() != digest
    ]
    for name in stated:
        path = folder.joinpath(*name.split("--"))
        if not path.resolve().is_relative_to(folder.resolve()):
            raise NotAuthentic(f"The evidence names a file outside its folder: {name}.")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files.get(name, b""))
    yield Step(
        id="sources",
        passed=not wrong,
        detail=f"{len(stated)} declared files embedded, each with the digest that is stated."
        if not wrong
        else f"The digests of these embedded files differ: {', '.join(wrong)}.",
    )


def order_of(evidence: Mapping[str, Any], folder: Path) -> Order:
    """Return what was asked for when the evidence was made; its files lie in ``folder``."""
    asked = evidence["order"]
    return Order(
        game=asked["game"],
        jurisdiction=asked["jurisdiction"],
        command=asked["command"],
        paytables=tuple(asked["paytables"]),
        house_way=asked["house_way"],
        strategy=Strategy(asked["strategy"]) if asked["strategy"] else None,
        as_of=dt.date.fromisoformat(asked["as_of"]) if asked["as_of"] else None,
        terms=folder / asked["terms"] if asked["terms"] else None,
    )


def _figures(evidence: Mapping[str, Any], analyses: Mapping[str, Analysis]) -> Iterator[Step]:
    """Compare every figure of every target with the one that is stated."""
    stated = {one["target"]: one for one in evidence["results"]}
    public = "complete_evidence_sha256" in evidence
    for target in dict.fromkeys((*stated, *analyses)):
        if target not in stated or target not in analyses:
            yield Step(id=target, passed=False, detail=f"{target}: stated or recomputed, not both.")
            continue
        ours, theirs = analysis_json(analyses[target]), dict(stated[target])
        rows = len(ours["rows"])
        if public:
            ours = {key: value for key, value in ours.items() if key in theirs}
        ours.pop("engine", None)
        theirs.pop("engine", None)
        different = list(differences(theirs, ours))
        yield Step(
            id=target,
            passed=not different,
            detail=f"{target}: these differ: {_listed(different)}."
            if different
            else f"{target}: the edge agrees."
            if public and "house_edge" in theirs
            else f"{target}: {rows} rows and every figure agree.",
        )


def differences(stated: object, ours: object, path: str = "") -> Iterator[str]:
    """Yield a line for every value of the evidence that is not what was recomputed."""
    if isinstance(stated, dict) and isinstance(ours, dict):
        for key in dict.fromkeys((*ours, *stated)):
            yield from differences(stated.get(key), ours.get(key), f"{path}/{key}".lstrip("/"))
    elif isinstance(stated, list) and isinstance(ours, list) and len(stated) == len(ours):
        for place, (one, other) in enumerate(zip(stated, ours, strict=True)):
            name = other.get("event") or other.get("level") if isinstance(other, dict) else None
            yield from differences(one, other, f"{path}/{name or place}")
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
    same = hashlib.sha256(complete).hexdigest() == evidence["complete_evidence_sha256"]
    made_by = evidence["engine"]["version"]
    if same:
        detail = "The confidential evidence, recomputed, has the digest that is stated."
    elif made_by == __version__:
        detail = "The confidential evidence, recomputed, has another digest than is stated."
    else:
        detail = f"Made by certify {made_by}: the digest of confidential evidence is not compared."
    return Step(id="confidential", passed=same, detail=detail, required=made_by == __version__)


def _printed(
    files: Mapping[str, bytes],
    verdict: Verdict,
    filing: Filing,
    order: Order,
    analyses: dict[str, Analysis],
) -> Step:
    """Print the document again and compare the bytes that were signed."""
    evidence, part = _json(files, EVIDENCE), _json(files, LABEL)["part"]
    if part not in PARTS:
        raise NotAuthentic(f"The document calls itself {part!r}, which certify does not make.")
    made_by = evidence["engine"]["version"]
    if made_by != __version__:
        detail = f"Made by certify {made_by}: printing is not compared."
        return Step(id="print", passed=False, detail=detail, required=False)
    stated = evidence.get("complete_evidence_sha256")
    try:
        submission = submission_of(
            filing,
            order,
            analyses,
            status=Status(evidence["status"]),
            evidence_sha256=stated or hashlib.sha256(files[EVIDENCE]).hexdigest(),
        )
        again = document_of(submission, part, attachments_of(filing, files[EVIDENCE]))
    except CertifyError as error:
        detail = f"The document cannot be printed again here: {error.message}"
        return Step(id="print", passed=False, detail=detail, required=False)
    same = again == verdict.unsigned_bytes
    detail = (
        "The document was printed again: the same bytes."
        if same
        else "The document was printed again: other bytes (libraries or fonts may differ)."
    )
    return Step(id="print", passed=same, detail=detail, required=False)


def _json(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    try:
        value = json.loads(files[name])
    except (KeyError, ValueError) as error:
        raise NotAuthentic(
            f"The signed part of the document holds no readable {name}.",
            remedy="Give a document that `certify submit` made.",
        ) from error
    if not isinstance(value, dict):
        raise NotAuthentic(f"The embedded {name} is not what certify writes.")
    return value


def _summary(steps: list[Step], *, agreed: bool) -> str:
    if not steps[0].passed:
        return steps[0].detail
    if not agreed:
        return "Some of what the document states does not agree with what was recomputed."
    return "Every figure agrees with what the document states."
