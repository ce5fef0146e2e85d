"""Recompute a submitted PDF from its evidence and compare its pages, in a child process.

The job is the embedded files and the requested comparisons, the answer one line for each.
"""

import base64
import contextlib
import datetime as dt
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace
from pikepdf import PdfError

from certify.commands.reproduce.stated import (
    MADE_BY,
    SHOWN,
    ReproduceRequest,
    Step,
    aside,
    build_step,
    compare_evidence,
    compare_figures,
    describe,
    listed_differences,
    name_builds,
)
from certify.errors import (
    CertifyError,
    NotAuthentic,
    NothingChecked,
    NotInstalled,
    NotJudged,
    naming,
    needing_pieces,
)
from certify.figures.evaluate import resolve_house_way
from certify.figures.provenance import is_shipped, is_template
from certify.figures.second_counts import count_options, count_paytable, is_covered
from certify.filing.documents import render_pdf
from certify.filing.embedded import (
    Recounted,
    attach_again,
    read_evidence,
    read_part,
    recount,
    refuse_public,
    unpack,
)
from certify.filing.evidence import (
    EVIDENCE,
    is_this_build,
    other_than,
)
from certify.formatting import join_words, plain_reason
from certify.intake.layout import OWN
from certify.model.comparison import SecondCount
from certify.model.encoding import Progress, pick_values
from certify.model.paytable import HandOf
from certify.model.request import Result
from certify.model.submission import CountOrigin, Status, Submission
from certify.printing.figures import Figure, differing_figures
from certify.signatures.certificate import DEVELOPMENT, Certificate
from certify.signatures.verify import (
    NO_DEMANDS,
    Demands,
    SignatureVerdict,
    embedded_files,
    verify_and_open,
)
from certify.storage import read_bytes
from certify.worker import Limits, run

MOST_FIGURES = 100  # of those that differ; the rest is counted
LONGEST_WORD = 40


def compare_pages(
    submission: Submission,
    files: Mapping[str, bytes],
    pages: bytes,
    *,
    engine: dict[str, Any],
    accept_replaced: bool = False,
) -> Iterator[Step]:
    """Yield the steps on the pages of a document.

    Args:
        submission: its contents, counted again.
        files: the embedded files by name.
        pages: the document as it was signed.
        engine: the stated versions of what it was made with.
        accept_replaced: accept pages that templates of the preparer made.

    Raises:
        CertifyError: the document cannot be printed here.
    """
    part, attached = read_part(files), attach_again(submission, files)
    preparers = [
        document.evidence_path.removeprefix(f"{OWN}/")
        for key, document in sorted(submission.catalog.documents.items())
        if document is not submission.second_counts and not is_shipped(key, submission.catalog)
    ]
    declared, templates = (
        join_words(path for path in preparers if is_template(path) is templated)
        for templated in (False, True)
    )
    if declared:
        step = aside("declared", "declared", paths=declared)
        yield replace(step, verdict=describe("agreed_as_declared", paths=declared))
    if submission.enclosures and part == "letter":
        yield aside("enclosures", "enclosures")
    shipped = render_pdf(replace(submission, templates=()), part, attached)
    if shipped == pages:
        yield build_step("print", passed=True)
        return
    same = bool(templates) and render_pdf(submission, part, attached) == pages
    others = other_than(engine)
    yield build_step(
        "print",
        passed=same,
        name="embedded" if templates else "",
        made=describe("made_otherwise" if others else "made_alike", others=", ".join(others)),
    )
    try:
        wrong = [*dict.fromkeys(_describe(*pair) for pair in differing_figures(pages, shipped))]
    except (PdfError, LookupError, TypeError, ValueError, AttributeError):
        wrong = [describe("unreadable")]
    here = is_this_build(engine)
    yield build_step(
        "figures",
        passed=not wrong,
        required=here,
        wrong=listed_differences(wrong, MOST_FIGURES if here else SHOWN),
    )
    if same:
        step = aside("templates", "templates", paths=templates)
        yield replace(
            step, required=not accept_replaced, verdict=describe("by_preparer", paths=templates)
        )


def _describe(printed: Figure | None, ours: Figure | None) -> str:
    """Return the words for a figure of the signed pages, and for the one that belongs there."""
    name = "printed_less" if printed is None else "printed_more" if ours is None else "printed"
    words = [
        figure and (figure.word.strip(".,;:()") or figure.word)[:LONGEST_WORD]
        for figure in (printed, ours)
    ]
    place = printed or ours
    return describe(name, page=place and place.page, printed=words[0], own=words[1])


LIMITS = Limits(seconds=900, mebibytes=6144)
"""For one document; that of Emperor's Challenge takes some 60 s of processor time."""

RECOUNTING = Limits(seconds=7200, mebibytes=16384)
"""Limits if the verification counts are made again."""


class Comparisons(Struct, frozen=True, kw_only=True):
    """Requested comparisons.

    Attributes:
        signer: the signer, None if the signature is not checked.
        pages: True to print the document again.
        second_counts: True to make the verification counts again.
        accept_replaced: True to accept pages that templates of the preparer made.
    """

    signer: str | None
    pages: bool
    second_counts: bool = False
    accept_replaced: bool = False


def compare_embedded(
    files: Mapping[str, bytes],
    pages: bytes | None,
    comparisons: Comparisons,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> list[Step]:
    """Compare the embedded files with recomputed values, in a process with limits.

    Args:
        files: the embedded files by name.
        pages: the unsigned document, None if it is not to be printed again.
        comparisons: the requested ones.
        limits: processor time and memory that it may take; `LIMITS` or `RECOUNTING` if not given.
        progress: receives how far long counts are.

    Raises:
        NotAuthentic: the file embeds no evidence that certify wrote.
        NotJudged: it reached a limit.
    """
    encoded = {name: base64.b64encode(data).decode("ascii") for name, data in files.items()}
    job: dict[str, Any] = {"files": encoded, "asked": asdict(comparisons)}
    if pages is not None:
        job["pages"] = base64.b64encode(pages).decode("ascii")
    answered = run(
        __name__,
        json.dumps(job).encode("ascii"),
        limits or (RECOUNTING if comparisons.second_counts else LIMITS),
        subject="Recomputing the document",
        progress=progress,
    )
    return [Step(**step) for step in json.loads(answered)]


def answer(job: bytes, progress: Progress) -> bytes:
    """Return the steps of a job as JSON, by the library that certify ships."""
    os.environ.pop("CERTIFY_LIBRARY", None)
    question = json.loads(job)
    files = {name: base64.b64decode(data) for name, data in question["files"].items()}
    pages = base64.b64decode(question["pages"]) if "pages" in question else None
    steps = compare(files, pages, Comparisons(**question["asked"]), progress)
    return json.dumps([asdict(step) for step in steps]).encode("ascii")


def compare(
    files: Mapping[str, bytes],
    pages: bytes | None,
    comparisons: Comparisons,
    progress: Progress | None,
) -> list[Step]:
    """Compare the embedded files with recomputed values, in this process.

    Raises:
        NotAuthentic: the file embeds no evidence that certify wrote.
    """
    with tempfile.TemporaryDirectory(prefix="certify-") as folder:
        try:
            return [*_steps(files, pages, comparisons, Path(folder), progress)]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NotAuthentic(
                f"The embedded {EVIDENCE} is not what certify writes: {plain_reason(error)}.",
                remedy="Use a document that `certify submit` wrote.",
            ) from error


def _steps(
    files: Mapping[str, bytes],
    pages: bytes | None,
    comparisons: Comparisons,
    folder: Path,
    progress: Progress | None,
) -> Iterator[Step]:
    evidence = read_evidence(files)
    wrong, number = unpack(files, evidence, folder), len(evidence["sources"])
    build = name_builds(evidence["engine"])
    same_build = build.passed
    steps = [build, build_step("sources", passed=not wrong, number=number, wrong=", ".join(wrong))]
    try:
        counted = recount(evidence, folder, progress)
        refuse_public(files, evidence, counted.filing)
        steps += compare_figures(evidence, counted.filing.analyses, same_build=same_build)
        steps += compare_evidence(evidence, files[EVIDENCE], counted, same_build=same_build)
        steps += _second_counts(counted, progress, again=comparisons.second_counts)
    except (NotInstalled, NotJudged):
        raise
    except CertifyError as error:
        detail = f"{error.message} {error.remedy}".strip()
        steps.append(Step(id="recompute", passed=False, detail=detail))
    else:
        if comparisons.signer is not None:
            steps.insert(0, _status(counted, comparisons.signer, required=comparisons.pages))
        if pages is None:
            steps.append(aside("print", "not_printed"))
        elif all(step.passed for step in steps if step.required):
            steps += _pages(files, counted, pages, comparisons)
    yield from steps


def _status(counted: Recounted, signer: str, *, required: bool) -> Step:
    """Compare the declared status with the signer, and with the accepted files."""
    status = Status(counted.evidence["status"])
    draft = DEVELOPMENT in signer or bool(counted.filing.unaccepted_records)
    wrong = status is Status.UNSIGNED or (status is Status.FINAL and draft)
    return build_step("status", passed=not wrong, required=required, status=status)


def _second_counts(counted: Recounted, progress: Progress | None, *, again: bool) -> Iterator[Step]:
    """Yield steps on verification counts: which are only declared, or all recounted."""
    filing = counted.filing
    if again and filing.second_counts is not None:
        declared = filing.catalog.second_counts[filing.game.id]
        recounted = {count.digest: _counts(count) for count in _counted_again(counted, progress)}
        judged = [count for count in declared if count.digest in recounted]
        wrong = ", ".join(each.target for each in judged if recounted[each.digest] != _counts(each))
        if judged:
            yield build_step("second-counts", passed=not wrong, number=len(judged), wrong=wrong)
        else:
            yield aside("second-counts", "other_counts")
    else:
        by_user = [*filing.provenance.counts.values()].count(CountOrigin.THIS_USER)
        if by_user:
            yield aside("second-counts", "counts_stated", number=by_user)


def _counts(count: SecondCount) -> tuple[object, ...]:
    return {row: number for row, number in count.rows.items() if number}, count.house_edge


def _counted_again(counted: Recounted, progress: Progress | None) -> Iterator[SecondCount]:
    """Yield a verification count of every wager on two hands that is filed."""
    filing = counted.filing
    catalog, game = filing.catalog, filing.game
    if game.options:
        yield from count_options(
            catalog,
            game.options,
            game=game,
            house_way=resolve_house_way(catalog, game, filing.order.house_way),
            progress=progress,
        )
    for paytable in filing.paytables:
        if paytable.hand is HandOf.BOTH and is_covered(catalog, paytable.target):
            yield count_paytable(
                catalog, paytable, house_way=filing.order.house_way, progress=progress
            )


def _pages(
    files: Mapping[str, bytes], counted: Recounted, pages: bytes, comparisons: Comparisons
) -> list[Step]:
    """Return the steps on the pages, or one that they cannot be printed here."""
    submission, engine = counted.submission(files), counted.evidence["engine"]
    try:
        return [
            *compare_pages(
                submission, files, pages, engine=engine, accept_replaced=comparisons.accept_replaced
            )
        ]
    except (NotInstalled, NotJudged):
        raise
    except CertifyError as error:
        return [
            Step(
                id="print",
                passed=False,
                detail=describe("not_printable", error=f"{error.message} {error.remedy}".strip()),
                verdict=describe("unprinted"),
            )
        ]


class Reproduction(Result, frozen=True, kw_only=True):
    """Result of a reproduction by step; ``agreed`` if all required steps passed.

    ``by_preparer`` is True if templates of the preparer made the pages.
    """

    table = "checks"

    verdict: str
    agreed: bool
    by_preparer: bool
    steps: tuple[Step, ...]
    signer: str | None
    figures_only: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify reproduce --format json``."""
        names = ("id", "passed", "required", "detail")
        return {
            "verdict": self.verdict,
            "checks": [pick_values(step, *names) for step in self.steps],
            "signer": self.signer,
            "figures_only": self.figures_only,
        }


def reproduce_file(request: ReproduceRequest) -> Reproduction:
    """Recompute a submitted document from its embedded files; see `reproduce`."""
    trust, pdf = request.read(), read_bytes(request.file)
    with naming(request.file):
        return reproduce(
            pdf,
            **trust,
            signer=request.signer,
            figures_only=request.figures_only,
            second_counts=request.recount,
            accept_replaced=request.accept_replaced,
            progress=request.progress,
        )


def reproduce(
    pdf: bytes,
    *,
    trust: tuple[Certificate, ...],
    demands: Demands = NO_DEMANDS,
    signer: str | None = None,
    figures_only: bool = False,
    second_counts: bool = False,
    accept_replaced: bool = False,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Reproduction:
    """Recompute a submitted document from its embedded files.

    Args:
        pdf: the file.
        trust: the only roots that chains of certificates may lead to.
        demands: what else is demanded; see `certify.signatures.verify.Demands`.
        signer: the required signer; None for anyone trusted.
        figures_only: ignore signature and pages. Without a valid signature, the files are then
            taken from the PDF as they are.
        second_counts: make the verification counts again, which takes minutes.
        accept_replaced: accept pages that templates of the preparer made; the verdict says so.
        limits: limits of processor time and memory for recomputing, see `compare_embedded`.
        progress: called with the progress of long counts.

    Raises:
        NothingChecked: the file has no signature, and one is required.
        NotAuthentic: the file embeds no evidence of certify.
        NotJudged: reading, recomputing or printing reached a limit.
    """
    verdict: SignatureVerdict | None = None
    try:
        verdict, files = verify_and_open(
            pdf, trust=trust, signer=signer, demands=demands, at=dt.datetime.now(dt.UTC)
        )
    except NothingChecked:
        if not figures_only:
            raise
        files = {}
    authentic = verdict is not None and verdict.authentic
    steps = [
        Step(
            id="signature",
            passed=authentic,
            detail=verdict.verdict if verdict else describe("unsigned"),
            required=not figures_only,
        )
    ]
    if authentic or figures_only:
        files = files if authentic else embedded_files(pdf, signed=False)
        comparisons = Comparisons(
            signer=(verdict.signer or "") if verdict else None,
            pages=not figures_only,
            second_counts=second_counts,
            accept_replaced=accept_replaced,
        )
        pages = None if figures_only or verdict is None else verdict.unsigned_bytes
        if pages is not None:
            with needing_pieces():  # said now, and not after minutes of counting
                import_module("certify.report.workbook")
        steps += compare_embedded(files, pages, comparisons, limits=limits, progress=progress)
    elif verdict is not None and not any(
        check.required and not check.passed and check.id != "trust" for check in verdict.checks
    ):
        steps += _name_stated_build(pdf)
    return Reproduction(
        verdict=_summary(steps, figures_only=figures_only),
        agreed=all(step.passed for step in steps if step.required),
        by_preparer=any(step.id == "templates" for step in steps),
        steps=tuple(steps),
        signer=verdict.signer if verdict else None,
        figures_only=figures_only,
    )


def _name_stated_build(pdf: bytes) -> Iterator[Step]:
    """Yield the build that an unchanged file of an unknown signer states, if it states one."""
    with contextlib.suppress(CertifyError, KeyError, TypeError, ValueError, AttributeError):
        yield name_builds(read_evidence(embedded_files(pdf))["engine"], authentic=False)


def _summary(steps: list[Step], *, figures_only: bool) -> str:
    """Return the verdict; that on a document of another build names both builds first."""
    other = next((step for step in steps if step.id == MADE_BY and not step.passed), None)
    failed = {step.id for step in steps if step.required and not step.passed}
    if "signature" in failed:
        return f"{other.detail} {steps[0].detail}" if other else steps[0].detail
    if figures_only:
        name = "figures_of_both" if other else "figures_only"
        text = build_step(name, passed=not failed).detail
    elif failed == {"print"}:
        (printing,) = (step for step in steps if step.id == "print")
        text = printing.verdict or describe("printed_by_another" if other else "printed_otherwise")
    elif failed - {"templates"}:
        text = describe("differing")
    else:
        text = next((step.verdict for step in reversed(steps) if step.verdict), describe("agreed"))
    return f"{other.detail} {text}" if other else text
