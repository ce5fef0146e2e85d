"""What a document embeds, taken out again: evidence, declared files, and the order behind them."""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from certify.errors import NotAuthentic
from certify.intake.layout import OWN, PAYTABLES
from certify.library import PROJECT
from certify.model.analysis import Analysis
from certify.model.approval import Consulted, FilingStanding, PaytableStanding
from certify.model.game import Strategy
from certify.model.progress import Progress
from certify.model.submission import Status, Submission
from certify.pipeline.filing import Filing, Order, filing_of
from certify.pipeline.submit.build import analyses_of, submission_of
from certify.pipeline.submit.evidence import EVIDENCE, FORMAT, LABEL, evidence_of
from certify.pipeline.submit.submit import PARTS, Part

COMPLETE = "complete_evidence_sha256"
"""What a public part states of the confidential evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recounted:
    """What a document rests on, read from it and counted again; ``evidence`` is what it states."""

    evidence: dict[str, Any]
    filing: Filing
    analyses: dict[str, Analysis]

    @property
    def judged(self) -> Submission:
        """What the documents print, but for the digest of the evidence."""
        status = Status(self.evidence["status"])
        return submission_of(self.filing, self.analyses, status=status)

    @property
    def complete(self) -> bytes:
        """The complete evidence, made again of what was counted."""
        return evidence_of(
            self.filing,
            self.analyses,
            Status(self.evidence["status"]),
            engine=self.evidence["engine"],
            submission=self.judged,
        )

    def submission(self, stated: bytes) -> Submission:
        """Return everything that the documents print; ``stated`` is the embedded evidence."""
        digest = self.evidence.get(COMPLETE) or hashlib.sha256(stated).hexdigest()
        return replace(self.judged, evidence_sha256=digest)


def evidence_in(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the evidence that a document embeds.

    Raises:
        NotAuthentic: there is none, or it is of another format.
    """
    evidence = _json(files, EVIDENCE)
    if evidence["format"] != FORMAT:
        raise NotAuthentic(
            f"The evidence has format {evidence['format']}, and this certify reads {FORMAT}.",
            remedy=f"Use certify {evidence['engine']['version']}, which made the document.",
        )
    return evidence


def part_in(files: Mapping[str, bytes]) -> Part:
    """Return which document of a submission this is.

    Raises:
        NotAuthentic: it does not say, or certify makes no such document.
    """
    stated = _json(files, LABEL)["part"]
    for part in PARTS:
        if part == stated:
            return part
    raise NotAuthentic(f"The document calls itself {stated!r}, which certify does not make.")


def unpack(files: Mapping[str, bytes], evidence: Mapping[str, Any], folder: Path) -> list[str]:
    """Write the embedded declared files as a library and a project; return the false ones.

    False is a file whose digest is not the one that the evidence states.

    Raises:
        NotAuthentic: the evidence names a file outside the folder.
    """
    stated: dict[str, str] = evidence["sources"]
    second = f"{PAYTABLES}--{evidence['order']['game']}--second-counts.json"
    for name in (*stated, *({second, f"{OWN}--{second}"} & files.keys())):
        path = folder.joinpath(*name.split("--"))
        if not path.resolve().is_relative_to(folder.resolve()):
            raise NotAuthentic(f"The evidence names a file outside its folder: {name}.")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files.get(name, b""))
    if (folder / OWN).is_dir():
        (folder / OWN / PROJECT).touch()
    return [
        name
        for name, digest in stated.items()
        if hashlib.sha256(files.get(name, b"")).hexdigest() != digest
    ]


def layers_in(folder: Path) -> tuple[Path, ...]:
    """Return the folders of declared data that `lay_out` wrote."""
    own = folder / OWN
    return (folder / PAYTABLES, own / PAYTABLES) if own.is_dir() else (folder / PAYTABLES,)


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
        as_of=_day(asked["as_of"]),
        terms=folder / asked["terms"] if asked["terms"] else None,
    )


def recount(evidence: dict[str, Any], folder: Path, progress: Progress | None = None) -> Recounted:
    """Count everything again from the evidence and the declared files laid out in ``folder``.

    Raises:
        CertifyError: the order does not fit the files, or the files have errors.
    """
    filing = filing_of(order_of(evidence, folder), *layers_in(folder))
    filing = replace(filing, register=_consulted(evidence.get("register")))
    analyses = analyses_of(filing, progress, anew=True)
    return Recounted(evidence=evidence, filing=filing, analyses=analyses)


def _consulted(stated: Mapping[str, Any] | None) -> Consulted | None:
    """Return what the evidence states that a register said; the register itself is not embedded."""
    if stated is None:
        return None
    return Consulted(
        sha256=stated["sha256"],
        records=stated["records"],
        last=_day(stated["last"]),
        standings=tuple(
            PaytableStanding(
                target=answer["target"],
                standing=FilingStanding(answer["standing"]),
                record=answer["record"],
                day=_day(answer["date"]),
            )
            for answer in stated["standings"]
        ),
        other_names=stated["other_names"],
        namesakes=tuple(stated["namesakes"]),
    )


def _day(text: str | None) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


def _json(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    try:
        value = json.loads(files[name])
    except (KeyError, ValueError, RecursionError) as error:
        raise NotAuthentic(
            f"The document embeds no readable {name}.",
            remedy="Give a document that `certify submit` made.",
        ) from error
    if not isinstance(value, dict):
        raise NotAuthentic(f"The embedded {name} is not what certify writes.")
    return value
