"""Embedded contents of a document: evidence, declared files, and the submission request."""

import datetime as dt
import hashlib
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import replace

from certify import library
from certify.errors import NotAuthentic
from certify.filing.delivery import list_enclosures
from certify.filing.documents import (
    EVERY_PART,
    INTERNAL,
    PUBLIC,
    Part,
    build_submission,
    count_filing,
)
from certify.filing.evidence import (
    COMPLETE,
    DOUBTS,
    EVIDENCE,
    FORMAT,
    LABEL,
    MANIFEST,
    WORKBOOK,
    build_evidence,
    is_confidential,
    is_internal,
    is_this_build,
    list_attachments,
    manifest_attachment,
    public_evidence,
)
from certify.filing.order import UNFILED, build_filing
from certify.formatting import join_words
from certify.intake.layout import OWN, PAYTABLES
from certify.intake.strict_json import strict_value
from certify.model.analysis import Analysis, LimitAnalysis, LimitedFigures, MainAnalysis
from certify.model.approval import Consulted
from certify.model.encoding import Progress
from certify.model.game import Strategy
from certify.model.submission import (
    Change,
    CountOrigin,
    Filing,
    Letter,
    Order,
    Provenance,
    Status,
    Submission,
)
from certify.printing.print_pdf import Attachment
from certify.received.files import PROJECT, is_plain_name
from certify.report.compose import has_templates

LATER = (
    "D021", "D022", "D024", "D025", "E008", "M010", "P017", "P018", "P019", "P020", "R027", "R028",
    "R029", "R030", "R031",
)  # fmt: skip
"""Codes of findings that came after the release 0.2.0; no figure rests on them."""

FIGURES_ALONE = 1
"""Format of the evidence of version 0.1, of which the figures are compared and nothing else."""

LIBRARY = re.compile(r"[a-z][a-z0-9]{0,19}")
VERSION = re.compile(r"[0-9][0-9A-Za-z._+-]{0,39}")
"""The name of a library, and a version."""

LONGEST_PART = 100
"""The most characters of one part of an embedded file's path."""


class Recounted(Struct, frozen=True, kw_only=True, dict=True):
    """The contents of a document, with figures counted again; ``evidence`` is the embedded one."""

    evidence: dict[str, Any]
    filing: Filing

    @cached_property
    def judged_submission(self) -> Submission:
        """The printed contents, without the digest of the evidence."""
        status = Status(self.evidence["status"])
        submission = build_submission(
            self.filing, status=status, ignored=_list_ignored(self.evidence)
        )
        printed = self.evidence.get("printed", {})
        if "marks" in printed and (COMPLETE in self.evidence or not has_templates()):
            submission = replace(submission, stated_marks=convert(printed["marks"], frozenset[str]))
        if submission.game.id in submission.catalog.discrepancies:
            return submission
        resolutions = printed.get("mathematics", {}).get("resolutions", {})
        return replace(submission, stated_resolutions=dict(resolutions))

    @cached_property
    def evidence_again(self) -> bytes:
        """The evidence, rebuilt from the new counts; of a public part, its public evidence."""
        complete_sha256 = self.evidence.get(COMPLETE)
        written = complete_sha256 is None and not self.lacks_workbook
        complete = build_evidence(
            self.judged_submission,
            self.judged_submission.status,
            engine=self.evidence["engine"],
            workbook_sha256=None if written else self.evidence.get(WORKBOOK, ""),
        )
        return public_evidence(complete, complete_sha256) if complete_sha256 else complete

    @property
    def lacks_workbook(self) -> bool:
        """True if the evidence states a workbook, and no spreadsheet writer is installed."""
        return WORKBOOK in self.evidence and find_spec("xlsxwriter") is None

    def submission(self, files: Mapping[str, bytes]) -> Submission:
        """Return the printed contents of a document that embeds ``files``."""
        digest = self.evidence.get(COMPLETE) or hashlib.sha256(files[EVIDENCE]).hexdigest()
        enclosures = list_enclosures(_json(files, MANIFEST)) if MANIFEST in files else ()
        return replace(self.judged_submission, evidence_sha256=digest, enclosures=enclosures)


def attach_again(submission: Submission, files: Mapping[str, bytes]) -> tuple[Attachment, ...]:
    """Return the attachments of a document whose embedded files are ``files``."""
    listed = (manifest_attachment(files[MANIFEST]),) if MANIFEST in files else ()
    internal = read_part(files) in INTERNAL
    return (*list_attachments(submission, files[EVIDENCE], internal=internal), *listed)


def read_evidence(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the evidence that a document embeds.

    Raises:
        NotAuthentic: there is none, it is of another format, or states
            something twice, or terms that are not embedded.
    """
    evidence = _json(files, EVIDENCE)
    if type(evidence["format"]) is not int or evidence["format"] not in (FIGURES_ALONE, FORMAT):
        raise NotAuthentic(
            f"The evidence has format {evidence['format']}; this version of "
            f"certify reads {FORMAT}.",
            remedy=f"Use certify {evidence['engine']['version']}, which made the document.",
        )
    if evidence["format"] == FIGURES_ALONE:
        evidence.update(_complete(evidence["order"]))
    targets = [result["target"] for result in evidence["results"]]
    twice = sorted({target for target in targets if targets.count(target) > 1})
    if twice:
        raise NotAuthentic(
            f"The evidence states the results of {join_words(twice)} more than once."
        )
    if evidence["order"]["terms"] not in (None, *evidence["sources"]):
        raise NotAuthentic("The evidence names terms that are not embedded.")
    _refuse_engine(evidence["engine"])
    if rebuild_order(evidence, Path()).stated_command != evidence["order"]["command"]:
        raise NotAuthentic("The evidence states a command that does not fit its order.")
    return evidence


def _complete(order: Mapping[str, Any]) -> dict[str, Any]:
    """Return the order of version 0.1 in the form of this version, and an empty provenance."""
    completed: dict[str, Any] = {**order, "accept_replaced": False}
    if order["option"] is not None:
        completed["paytables"] = [order["option"], *order["paytables"]]
    completed["command"] = rebuild_order({"order": completed}, Path()).stated_command
    return {
        "order": completed,
        "provenance": {"letter": None, "records": {}, "counts": {}, "papers": {}},
    }


def _refuse_engine(engine: Mapping[str, Any]) -> None:
    """Refuse anything but versions in the engine part of evidence.

    Raises:
        NotAuthentic: it states something else.
    """
    libraries = engine["libraries"]
    versions = [engine["version"], engine["python"], *filter(None, libraries.values())]
    fit = (
        engine.keys() - {"recount_sha256"} == {"version", "python", "sha256", "libraries"}
        and re.fullmatch("[0-9a-f]{64}", engine["sha256"])
        and re.fullmatch("[0-9a-f]{64}", engine.get("recount_sha256", engine["sha256"]))
        and all(map(LIBRARY.fullmatch, libraries))
        and all(map(VERSION.fullmatch, versions))
    )
    if not fit:
        raise NotAuthentic("The evidence states more than versions of what it was made with.")


def read_part(files: Mapping[str, bytes]) -> Part:
    """Return the document's part of the submission.

    Raises:
        NotAuthentic: it does not declare one, or certify makes no such document.
    """
    part_name = _json(files, LABEL)["part"]
    for part in EVERY_PART:
        if part == part_name:
            return part
    raise NotAuthentic(f"The document calls itself {part_name!r}, which certify does not make.")


def unpack(files: Mapping[str, bytes], evidence: Mapping[str, Any], folder: Path) -> list[str]:
    """Write the embedded declared files as a library and a project; return the false ones.

    False is a file whose digest is not the one that the evidence states. The laboratory's letter
    is not in a public part; the evidence does not state the verification counts, nor the doubts
    about the source, which only the memo embeds.

    Raises:
        NotAuthentic: the evidence names a file outside the folder, or two in one place.
    """
    digests: dict[str, str] = dict(evidence["sources"])
    start = f"{PAYTABLES}--{evidence['order']['game']}"
    unstated = {f"{start}--second-counts.json", f"{start}--{DOUBTS}"}
    names = {*digests, *({*unstated, *(f"{OWN}--{name}" for name in unstated)} & files.keys())}
    letter = evidence["provenance"]["letter"]
    if letter is not None and COMPLETE not in evidence:
        names.add(letter["name"])
        digests[letter["name"]] = letter["sha256"]
    paths = {embedded_path(name): name for name in sorted(names)}
    folders = {parent for path in paths for parent in path.parents}
    if len(paths) < len(names) or folders & paths.keys():
        raise NotAuthentic("Two embedded files have the same place.")
    for path, name in paths.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        data = files.get(name, b"")
        if evidence["format"] == FIGURES_ALONE and path.parent.name == "jurisdictions":
            # Its form has changed since version 0.1, and no figure depends on it.
            data = library.read_shipped(str(path)) or b""
        this_build = is_this_build(evidence["engine"])
        (folder / path).write_bytes(data if this_build else _add_topics(data))
    if (folder / OWN).is_dir():
        (folder / OWN / PROJECT).touch()
    return [
        name
        for name, digest in digests.items()
        if hashlib.sha256(files.get(name, b"")).hexdigest() != digest
    ]


def _add_topics(data: bytes) -> bytes:
    """Return a declared file of another build, with topics for statements that have none.

    Builds until version 0.2 declared none. No figure depends on a topic.
    """
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):  # reading it again names the fault
        return data
    if not isinstance(record, dict):
        return data
    lists = [record.get(name) for name in ("definitions", "assumptions", "rules", "clauses")]
    lists += [each.get("statements") for each in _objects(record.get("sections"))]
    old = [
        each
        for listed in (*lists, [record.get("absent")])
        for each in _objects(listed)
        if each.keys() >= {"text", "source"} and "topic" not in each
    ]
    for each in old:
        each["topic"] = "description"
        each.pop("states", None)
    return json.dumps(record).encode() if old else data


def _objects(listed: object) -> list[dict[str, Any]]:
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def embedded_path(name: str) -> PurePosixPath:
    """Return the relative path that the name of an embedded file represents.

    Raises:
        NotAuthentic: it is an invalid name, such as ``..``, ``/etc/passwd`` or one that is too
            long.
    """
    parts = name.split("--")
    if any(
        not is_plain_name(part)
        or len(part) > LONGEST_PART
        or not part.isascii()
        or part.startswith(".")
        for part in parts
    ):
        raise NotAuthentic(f"The evidence names a file outside its folder: {name[:80]!r}.")
    return PurePosixPath(*parts)


def list_layers(folder: Path) -> tuple[Path, ...]:
    """Return the folders of declared data that `unpack` wrote."""
    project = folder / OWN
    return (folder / PAYTABLES, project / PAYTABLES) if project.is_dir() else (folder / PAYTABLES,)


def rebuild_order(evidence: Mapping[str, Any], folder: Path) -> Order:
    """Return the submission request in the evidence; its files are in ``folder``."""
    order = evidence["order"]
    return Order(
        game=order["game"],
        jurisdiction=order["jurisdiction"],
        register=Path("register.json") if "--register" in order["command"].split() else None,
        paytables=tuple(order["paytables"]),
        house_way=order["house_way"],
        strategy=convert(order["strategy"], Strategy | None),
        as_of=convert(order["as_of"], dt.date | None),
        terms=folder / embedded_path(order["terms"]) if order["terms"] else None,
        accept_replaced=order["accept_replaced"],
    )


def rebuild_filing(evidence: Mapping[str, Any], folder: Path) -> Filing:
    """Return the filing whose declared files are laid out in ``folder``.

    Raises:
        CertifyError: the order does not fit the files, or the files have errors.
    """
    letter, public = evidence["provenance"]["letter"], COMPLETE in evidence
    return build_filing(
        rebuild_order(evidence, folder),
        *list_layers(folder),
        letter=Letter(**letter) if letter is not None and public else None,
        ignored=_list_ignored(evidence),
        embedded=True,
    )


STATED = (
    *("house_edge", "return_to_player", "hit_frequency", "variance", "top_award"),
    "element_of_risk",
)
"""Exact figures of a main wager in evidence."""

EXACT = re.compile(r"-?[0-9]+/[0-9]*[1-9][0-9]*")
"""A fraction in evidence."""


def stated_main_wagers(evidence: Mapping[str, Any], filing: Filing) -> dict[str, Analysis]:
    """Return the figures of main wagers as evidence states them, by target, without rows.

    A public part states no such figures; those of version 0.1 are not read.

    Raises:
        KeyError, TypeError, ValueError: a figure is not what certify writes.
    """
    if COMPLETE in evidence or evidence["format"] == FIGURES_ALONE:
        return {}
    options = {option.target for option in filing.options}
    return {
        result["target"]: _state_main_wager(result)
        for result in evidence["results"]
        if result["target"] in options
    }


def _state_main_wager(result: Mapping[str, Any]) -> Analysis:
    figures = {name: _parse_exact(result[name]) for name in STATED if name in result}
    edge = figures["house_edge"]
    return Analysis(
        target=result["target"],
        game=result["game"],
        wager=result["wager"],
        paytable=result["paytable"],
        total=convert(result["total_combinations"], int),
        rows=(),
        hit_frequency=figures["hit_frequency"],
        assumptions=(),
        inputs=(),
        engine_version="",
        return_to_player=figures["return_to_player"],
        house_edge=edge,
        variance=figures.get("variance"),
        top_award=figures.get("top_award"),
        main=MainAnalysis(
            outcomes=convert(result["outcomes"], dict[str, int]),
            house_way=result["house_way"] or "",
            strategy=convert(result["strategy"], Strategy),
            element_of_risk=figures.get("element_of_risk"),
        ),
        limit=_state_limit(result["limit"], edge) if "limit" in result else None,
    )


def _state_limit(limit: Mapping[str, Any], edge: Fraction) -> LimitAnalysis:
    """Return the stated edges at wagers under limits."""
    amounts = []
    for at in limit["amounts"]:
        least = at["least_house_edge"] if "least_house_edge" in at else at["house_edge"]
        greatest = at.get("greatest_house_edge", None if "least_house_edge" in at else least)
        amounts.append(
            LimitedFigures(
                wager_cents=convert(at["wager_cents"], int),
                cost=_parse_exact(least) - edge,
                greatest_cost=None if greatest is None else _parse_exact(greatest) - edge,
                top_award=Fraction(0),
                top_cents=Fraction(0),
            )
        )
    return LimitAnalysis(limits=(), binds_above_cents=None, amounts=tuple(amounts))


def _parse_exact(text: str) -> Fraction:
    if EXACT.fullmatch(text) is None:
        raise ValueError(f"{text[:40]!r} is no fraction")
    return Fraction(text)


def _list_ignored(evidence: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the codes of findings that do not keep a filing from being made again.

    Files that are not embedded cause some, such as D016 in a public part, which embeds its own
    jurisdiction only; an earlier version of certify accepted files with the others.
    """
    codes = (*LATER, *UNFILED)
    return ("D016", *codes) if COMPLETE in evidence else codes


def refuse_public(files: Mapping[str, bytes], evidence: Mapping[str, Any], filing: Filing) -> None:
    """Refuse the evidence of a public part in a document that is none.

    Raises:
        NotAuthentic: the document is not a public one of a jurisdiction with confidential
            mathematics, so it must embed the complete evidence.
    """
    if COMPLETE not in evidence:
        return
    if read_part(files) not in PUBLIC or not filing.jurisdiction.confidential:
        raise NotAuthentic("The document embeds a part of the evidence, and must embed all of it.")


def recount(evidence: dict[str, Any], folder: Path, progress: Progress | None = None) -> Recounted:
    """Count everything again from the evidence and the declared files laid out in ``folder``.

    Raises:
        CertifyError: the order does not fit the files, or the files have errors.
    """
    public, provenance = COMPLETE in evidence, evidence["provenance"]
    filing = rebuild_filing(evidence, folder)
    filing = replace(
        filing,
        register=convert(evidence.get("register"), Consulted | None),  # it is not embedded
        provenance=_merge_stated(
            filing.provenance, provenance, filing.jurisdiction.id, public=public
        ),
    )
    return Recounted(evidence=evidence, filing=count_filing(filing, progress, fresh=True))


def _merge_stated(
    ours: Provenance, declared: Mapping[str, Any], jurisdiction: str, *, public: bool
) -> Provenance:
    """Return the provenance, with values of the evidence that no file can confirm.

    Who made a verification count and which papers were there is stated; that certify ships a
    count or a record is looked up here. Of a public part only the records are stated, those that it
    does not embed among them; of any other, that the doubts about the source are replaced.
    """
    records = {path: Change(change) for path, change in declared["records"].items()}
    hidden = {
        path: change
        for path, change in records.items()
        if path in ours.records
        or is_internal(path)
        or (public and is_confidential(path, jurisdiction))
    }
    ours = replace(ours, records=dict(sorted({**hidden, **ours.records}.items())))
    if public:
        return ours
    said = {digest: CountOrigin(origin) for digest, origin in declared["counts"].items()}
    said = {
        digest: origin
        if (claim := said.get(digest, CountOrigin.DECLARED)) is CountOrigin.BUILT_IN
        else claim
        for digest, origin in ours.counts.items()
    }
    papers = {name: sha for name, sha in declared["papers"].items() if sha or name in ours.papers}
    return replace(ours, counts=said, papers=papers)


def _json(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    try:
        value = strict_value(files[name])
    except (KeyError, ValueError) as error:
        raise NotAuthentic(
            f"The document has no readable {name}.",
            remedy="Use a document that `certify submit` wrote.",
        ) from error
    if not isinstance(value, dict):
        raise NotAuthentic(f"The embedded {name} is not what certify writes.")
    return value
