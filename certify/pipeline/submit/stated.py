"""Steps of a reproduction on the evidence: who made it, each figure, and what is only stated."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from certify.model.analysis import Analysis
from certify.pipeline.submit.differences import compare_values
from certify.pipeline.submit.embedded import Recounted
from certify.pipeline.submit.evidence import COMPLETE, FORMAT, is_this_build, list_versions
from certify.pipeline.submit.steps import Step, aside, build_step, describe, listed_differences
from certify.report.evidence import analysis_json
from certify.version import BUILD

MADE_BY = "build"
"""Id of the step that names the builds."""

VERIFICATION = "verification"
"""The part of the evidence on verification counts."""


def name_builds(engine: Mapping[str, Any]) -> Step:
    """Return the step that names the build which made the document, and this one."""
    here = list_versions()
    return build_step(
        MADE_BY,
        passed=is_this_build(engine),
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
        found = compare_values(theirs, ours)
        wrong = found.all if same_build else [*found.figures, *_list_omitted(theirs, ours)]
        name = "edge" if public and "house_edge" in theirs else "rows"
        yield build_step(
            target,
            passed=not wrong and found.equal > 0,
            name=name if same_build else "by_value",
            target=target,
            rows=rows,
            number=found.equal,
            wrong=listed_differences(wrong),
        )


def _list_omitted(stated: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    """Yield the edge and the counts of rows that another build must state, and does not.

    Every release states them; without them, agreement of the rest would say nothing of the edge.
    """
    if ours.get("house_edge") is not None and stated.get("house_edge") is None:
        yield "house_edge: states nothing"
    counts, own = (
        {row["event"]: row.get("combinations") for row in value.get("rows") or ()}
        for value in (stated, ours)
    )
    for event in dict.fromkeys((*own, *counts)):
        one, other = counts.get(event), own.get(event)
        if (one is None and other) or (other is None and one):  # a row of no hands is left out
            yield f"rows/{event}/combinations: stated or recomputed, not both"


def compare_evidence(
    evidence: dict[str, Any], stated: bytes, counted: Recounted, *, same_build: bool
) -> Iterator[Step]:
    """Compare the whole evidence, and list values that cannot be derived.

    The evidence of this build is compared byte for byte, that of another one by its figures.
    """
    ours = counted.evidence_again
    own = json.loads(ours)
    if not same_build:
        evidence = {**evidence, "format": FORMAT}
        # Stored verification counts have other digests in each build.
        if evidence.pop(VERIFICATION, None) != own.pop(VERIFICATION, None):
            yield aside(VERIFICATION, "other_counts")
    found = compare_values(evidence, own)
    if same_build:
        wrong = listed_differences(found.all) or describe("other_form")
        yield build_step("evidence", passed=stated == ours, wrong=wrong)
    else:
        wrong = listed_differences(found.figures)
        passed, number = not found.figures, found.equal
        yield build_step("evidence", passed=passed, name="values", number=number, wrong=wrong)
        if found.one_sided:
            yield aside("one-sided", "stated_once", paths=listed_differences(found.one_sided))
        if found.texts:
            yield aside("texts", "texts", texts=listed_differences(found.texts))
    yield from _list_stated(evidence, counted)


def _list_stated(evidence: Mapping[str, Any], counted: Recounted) -> Iterator[Step]:
    """Yield the steps on what the evidence states and nothing in the document confirms."""
    public = COMPLETE in evidence
    if public:
        yield aside("confidential", "confidential", sha256=evidence[COMPLETE])
    if counted.lacks_workbook:
        yield aside("workbook", "workbook")
    if counted.filing.register is not None:
        yield aside("register", "register")
    papers = [name for name, digest in counted.filing.provenance.papers.items() if digest]
    if papers:
        yield aside("papers", "papers", papers=", ".join(papers))
    if public and counted.filing.provenance.letter is not None:
        yield aside("letter", "letter")
