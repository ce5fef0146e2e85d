"""Reproduce: from a signed PDF alone, recompute every figure and print the document again."""

import datetime as dt
import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify import __version__
from certify.errors import CertifyError, NotAuthentic
from certify.model.analysis import Analysis
from certify.model.game import Strategy
from certify.model.submission import Status
from certify.pipeline.evaluate import Progress
from certify.pipeline.submission import Filing, Order, analyses_of, filing_of, submission_of
from certify.pipeline.submit import EVIDENCE, LABEL, attachments_of, document_of
from certify.report.evidence import analysis_json
from certify.seal.certificate import Certificate
from certify.seal.verdict import Verdict
from certify.seal.verify import embedded_files, verify


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
    """Recompute a submitted document from what is embedded in it.

    Raises:
        NothingChecked: the file has no signature.
        NotAuthentic: the signed part holds no evidence of ours.
    """
    verdict = verify(pdf, trust=trust, signer=signer, at=dt.datetime.now(dt.UTC))
    steps = [Step(id="signature", passed=verdict.authentic, detail=verdict.verdict)]
    if verdict.authentic:
        files = embedded_files(pdf)
        with tempfile.TemporaryDirectory(prefix="certify-") as folder:
            steps += _recomputed(files, verdict, Path(folder), progress)
    agreed = all(one.passed for one in steps if one.required)
    return Reproduction(
        verdict=_summary(steps, agreed=agreed),
        agreed=agreed,
        steps=tuple(steps),
        signer=verdict.signer,
    )


def _recomputed(
    files: Mapping[str, bytes], verdict: Verdict, folder: Path, progress: Progress | None
) -> Iterator[Step]:
    evidence = _json(files, EVIDENCE)
    yield from _sources(files, evidence, folder)
    order = _order(evidence)
    try:
        filing = filing_of(order, folder / "paytables")
        analyses = analyses_of(filing, order, progress)
    except CertifyError as error:
        yield Step(id="recompute", passed=False, detail=f"{error.message} {error.remedy}".strip())
        return
    yield from _figures(evidence, analyses)
    yield _printed(files, verdict, filing, analyses)


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


def _order(evidence: Mapping[str, Any]) -> Order:
    asked = evidence["order"]
    return Order(
        game=asked["game"],
        jurisdiction=asked["jurisdiction"],
        command=asked["command"],
        paytables=tuple(dict.fromkeys((*asked["paytables"], asked["option"]))),
        house_way=asked["house_way"],
        strategy=Strategy(asked["strategy"]) if asked["strategy"] else None,
        as_of=dt.date.fromisoformat(asked["as_of"]) if asked["as_of"] else None,
    )


def _figures(evidence: Mapping[str, Any], analyses: Mapping[str, Analysis]) -> Iterator[Step]:
    """Compare every figure of every target with the one that is stated."""
    stated = {one["target"]: one for one in evidence["results"]}
    for target in dict.fromkeys((*stated, *analyses)):
        if target not in stated or target not in analyses:
            yield Step(id=target, passed=False, detail=f"{target}: stated or recomputed, not both.")
            continue
        ours, theirs = analysis_json(analyses[target]), dict(stated[target])
        ours.pop("engine")
        theirs.pop("engine", None)
        differing = sorted(key for key in {*ours, *theirs} if ours.get(key) != theirs.get(key))
        yield Step(
            id=target,
            passed=not differing,
            detail=f"{target}: {len(ours['rows'])} rows and every figure agree."
            if not differing
            else f"{target}: these differ: {', '.join(differing)}.",
        )


def _printed(
    files: Mapping[str, bytes],
    verdict: Verdict,
    filing: Filing,
    analyses: dict[str, Analysis],
) -> Step:
    """Print the document again and compare the bytes that were signed."""
    evidence = _json(files, EVIDENCE)
    same_engine = evidence["engine"]["version"] == __version__
    submission = submission_of(
        filing,
        _order(evidence),
        analyses,
        status=Status(evidence["status"]),
        evidence_sha256=hashlib.sha256(files[EVIDENCE]).hexdigest(),
    )
    part = _json(files, LABEL)["part"]
    again = document_of(submission, part, attachments_of(filing, files[EVIDENCE]))
    same = again == verdict.unsigned_bytes
    if same:
        detail = "The document was printed again: the same bytes."
    elif same_engine:
        detail = "The document was printed again: other bytes (libraries or fonts may differ)."
    else:
        detail = f"Made by certify {evidence['engine']['version']}: printing is not compared."
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
        return "Some figures do not agree with what the document states."
    return "Every figure agrees with what the document states."
