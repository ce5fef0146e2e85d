"""Steps of a reproduction: builds, figures, values that are only stated."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct, field

from certify import library
from certify.errors import NotReadable
from certify.filing.embedded import Recounted
from certify.filing.evidence import COMPLETE, DOUBTS, FORMAT, is_this_build, list_versions
from certify.filing.identities import SignerOptions
from certify.intake.layout import PAYTABLES
from certify.model.analysis import Analysis
from certify.model.encoding import Progress
from certify.model.request import argument, option
from certify.report.evidence import analysis_json
from certify.version import BUILD

SHOWN = 8
"""Differences of one target that are written out; the rest is counted."""


class ReproduceRequest(SignerOptions, frozen=True, kw_only=True):
    """The document of `certify reproduce`, its required signature, and the comparisons."""

    file: Annotated[Path, argument("Signed PDF of a submission.")]
    figures_only: Annotated[bool, option("Ignore the signature and the pages.")] = False
    recount: Annotated[bool, option("Repeat the verification counts too (minutes).")] = False
    accept_replaced: Annotated[
        bool, option("Accept pages that templates of the preparer made.")
    ] = False
    progress: Progress | None = None

    def __post_init__(self) -> None:
        """Refuse values that do not fit their fields, or one another."""
        SignerOptions.__post_init__(self)
        if self.figures_only and self.signer is not None:
            raise NotReadable(
                "--figures-only ignores the signature, so --signer has no effect.",
                remedy="Remove one of the two.",
            )


class Step(Struct, frozen=True, kw_only=True):
    """One comparison.

    ``required`` is False if the user or the file excludes it. ``verdict`` is the verdict on the
    document if no other required step fails; empty for the usual one.
    """

    id: str
    passed: bool
    detail: str
    required: bool = True
    verdict: str = ""


def describe(name: str, **values: object) -> str:
    """Return the words for the result of a comparison; see `templates/words/reproduction.json`."""
    return str(library.words("reproduction")[name]).format(**values)


def build_step(
    id_: str, *, passed: bool, name: str = "", required: bool = True, **values: object
) -> Step:
    """Return a step with the words of its id or of ``name``, for agreement or difference."""
    words = library.words("reproduction")[name or id_]["agrees" if passed else "differs"]
    return Step(id=id_, passed=passed, detail=words.format(**values), required=required)


def aside(id_: str, name: str, **values: object) -> Step:
    """Return a step on what is not compared, with the words of ``name``."""
    return Step(id=id_, passed=False, detail=describe(name, **values), required=False)


def listed_differences(lines: list[str], most: int = SHOWN) -> str:
    """Return the first lines as one, with the number of the others."""
    more = len(lines) - most
    return "; ".join(lines[:most]) + (f"; and {more} more" if more > 0 else "")


IDS = ("event", "level", "target", "id")
"""Properties by which the items of a list are found on the other side, if each has one."""

FIGURE = re.compile(r"-?[0-9][0-9,]*(\.[0-9]+)?%?|-?[0-9]+/[0-9]+|[0-9]+ (to|for) [0-9]+|push|loss")
"""A number, a fraction or a payout, as text."""


class Differences(Struct, kw_only=True):
    """Differences of two values, as lines.

    Attributes:
        figures: figures that differ, and values of different kinds.
        texts: texts and ids that differ.
        one_sided: paths of what only one side states.
        equal: the number of figures that are equal.
    """

    figures: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    one_sided: list[str] = field(default_factory=list)
    equal: int = 0

    @property
    def all(self) -> list[str]:
        """Every line."""
        return [*self.figures, *self.texts, *self.one_sided]

    def compare(self, theirs: object, ours: object, path: str = "") -> None:
        """Add the differences of two JSON values at a path; null is like a missing value."""
        if isinstance(theirs, list) and isinstance(ours, list):
            theirs, ours = _match_items(theirs, ours)
        if isinstance(theirs, dict) and isinstance(ours, dict):
            for key in dict.fromkeys((*ours, *theirs)):
                self.compare(theirs.get(key), ours.get(key), f"{path}/{key}".lstrip("/"))
        elif isinstance(theirs, list) and isinstance(ours, list):
            line = f"{path}: states {len(theirs)} items, recomputed {len(ours)}"
            self.one_sided.append(line)
        elif theirs == ours and type(theirs) is type(ours):
            self.equal += not isinstance(theirs, dict | list | None) and not _is_text(theirs)
        else:
            line = f"{path}: states {_shorten(theirs)}, recomputed {_shorten(ours)}"
            if theirs is None or ours is None:
                self.one_sided.append(line)
            elif _is_text(theirs) and _is_text(ours):
                self.texts.append(line)
            else:
                self.figures.append(line)


def compare_values(theirs: object, ours: object) -> Differences:
    """Return the differences of two JSON values."""
    differences = Differences()
    differences.compare(theirs, ours)
    return differences


def _match_items(theirs: Sequence[object], ours: Sequence[object]) -> tuple[object, object]:
    """Return the items of two lists by an id, or else by place; the lists if neither fits."""
    for name in IDS:
        pair = _index_by_id(theirs, name), _index_by_id(ours, name)
        if None not in pair:
            return pair
    if len(theirs) == len(ours):
        return dict(enumerate(theirs)), dict(enumerate(ours))
    return theirs, ours


def _index_by_id(items: Sequence[object], name: str) -> dict[str, object] | None:
    """Return the items by a property, or None if two have the same value or one has none."""
    by_id: dict[str, object] = {
        item[name]: item
        for item in items
        if isinstance(item, dict) and isinstance(item.get(name), str)
    }
    return by_id if len(by_id) == len(items) else None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not FIGURE.fullmatch(value)


def _shorten(value: object) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - room on a line


MADE_BY = "build"
"""Id of the step that names the builds."""

VERIFICATION = "verification"
"""The part of the evidence on verification counts."""


def name_builds(engine: Mapping[str, Any], *, authentic: bool = True) -> Step:
    """Return the step that names the build which made the document, and this one.

    Of a document of an unknown signer, the build is as the file states it.
    """
    here = list_versions()
    return build_step(
        MADE_BY,
        passed=is_this_build(engine),
        name="" if authentic else "stated_build",
        required=False,
        version=engine["version"],
        build=engine["sha256"][:BUILD],
        here=here["version"],
        ours=here["sha256"][:BUILD],
    )


def compare_figures(
    evidence: Mapping[str, Any], analyses: Mapping[str, Analysis], *, same_build: bool
) -> Iterator[Step]:
    """Compare every figure of every target with the declared one."""
    results = {result["target"]: result for result in evidence["results"]}
    public = COMPLETE in evidence
    for target in dict.fromkeys((*results, *analyses)):
        if target not in results or target not in analyses:
            yield Step(id=target, passed=False, detail=describe("one_side", target=target))
            continue
        ours, theirs = analysis_json(analyses[target]), dict(results[target])
        rows = len(ours["rows"])
        if public:
            ours = {key: value for key, value in ours.items() if key in theirs}
        ours.pop("engine", None)
        theirs.pop("engine", None)
        differences = compare_values(theirs, ours)
        wrong = (
            differences.all if same_build else [*differences.figures, *_list_omitted(theirs, ours)]
        )
        name = "edge" if public and "house_edge" in theirs else "rows"
        yield build_step(
            target,
            passed=not wrong and differences.equal > 0,
            name=name if same_build else "by_value",
            target=target,
            rows=rows,
            number=differences.equal,
            wrong=listed_differences(wrong),
        )


def _list_omitted(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    """Yield the edge and the counts of rows that another build must state, and does not.

    Every release states them; without them, agreement of the rest would say nothing of the edge.
    """
    if ours.get("house_edge") is not None and theirs.get("house_edge") is None:
        yield "house_edge: states nothing"
    their_counts, our_counts = (
        {row["event"]: row.get("combinations") for row in value.get("rows") or ()}
        for value in (theirs, ours)
    )
    for event in dict.fromkeys((*our_counts, *their_counts)):
        one, other = their_counts.get(event), our_counts.get(event)
        if (one is None and other) or (other is None and one):  # a row of no hands is left out
            yield f"rows/{event}/combinations: stated or recomputed, not both"


def compare_evidence(
    evidence: dict[str, Any], their_bytes: bytes, counted: Recounted, *, same_build: bool
) -> Iterator[Step]:
    """Compare the whole evidence, and list values that cannot be derived.

    The evidence of this build is compared byte for byte, that of another one by its figures.
    """
    ours = counted.evidence_again
    our_evidence = json.loads(ours)
    if not same_build:
        evidence = {**evidence, "format": FORMAT}
        # Stored verification counts have other digests in each build.
        if evidence.pop(VERIFICATION, None) != our_evidence.pop(VERIFICATION, None):
            yield aside(VERIFICATION, "other_counts")
    differences = compare_values(evidence, our_evidence)
    if same_build:
        yield build_step(
            "evidence",
            passed=their_bytes == ours,
            wrong=listed_differences(differences.all) or describe("other_form"),
        )
    else:
        yield build_step(
            "evidence",
            passed=not differences.figures,
            name="values",
            number=differences.equal,
            wrong=listed_differences(differences.figures),
        )
        if differences.one_sided:
            yield aside("one-sided", "stated_once", paths=listed_differences(differences.one_sided))
        if differences.texts:
            yield aside("texts", "texts", texts=listed_differences(differences.texts))
    yield from _list_stated(evidence, counted)


def _list_stated(evidence: Mapping[str, Any], counted: Recounted) -> Iterator[Step]:
    """Yield the steps on what the evidence states and nothing in the document confirms."""
    public = COMPLETE in evidence
    if public:
        yield aside("confidential", "confidential", sha256=evidence[COMPLETE])
    if counted.judged_submission.stated_marks is not None:
        yield aside("marks", "marks" if public else "marks_not_composed")
    if counted.lacks_workbook:
        yield aside("workbook", "workbook")
    game, resolutions = counted.filing.game.id, counted.judged_submission.stated_resolutions or {}
    shipped = json.loads(library.read_shipped(f"{PAYTABLES}/{game}/{DOUBTS}") or "{}")
    shipped_resolutions = {each["resolution"] for each in shipped.get("discrepancies", ())}
    if not shipped_resolutions.issuperset(resolutions.values()):
        yield aside("resolutions", "resolutions")
    if counted.filing.register is not None:
        yield aside("register", "register")
    papers = [name for name, digest in counted.filing.provenance.papers.items() if digest]
    if papers:
        yield aside("papers", "papers", papers=", ".join(papers))
    if public and counted.filing.provenance.letter is not None:
        yield aside("letter", "letter")
