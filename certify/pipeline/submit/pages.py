"""Comparison of a document's signed pages with those that certify's own templates print."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace
from pikepdf import PdfError

from certify.formatting import join_words
from certify.intake.layout import OWN
from certify.model.submission import Submission
from certify.pipeline.provenance import is_shipped, is_template
from certify.pipeline.submit.embedded import attach_again, read_part
from certify.pipeline.submit.evidence import is_this_build, other_than
from certify.pipeline.submit.steps import (
    SHOWN,
    Step,
    aside,
    build_step,
    describe,
    listed_differences,
)
from certify.pipeline.submit.submit import render_pdf
from certify.printing.figures import Figure, differing_figures

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
    own = [
        path
        for document in submission.documents
        if not is_shipped(path := document.evidence_path.removeprefix(f"{OWN}/"), document.sha256)
    ]
    declared, templates = (
        join_words(path for path in own if is_template(path) is wanted) for wanted in (False, True)
    )
    if declared:
        step = aside("declared", "declared", paths=declared)
        yield replace(step, verdict=describe("agreed_as_declared", paths=declared))
    shipped = render_pdf(replace(submission, templates=()), part, attached)
    if shipped == pages:
        yield build_step("print", passed=True)
        return
    same = bool(templates) and render_pdf(submission, part, attached) == pages
    others = other_than(engine)
    made = describe("made_otherwise" if others else "made_alike", others=", ".join(others))
    yield build_step("print", passed=same, name="embedded" if templates else "", made=made)
    try:
        wrong = [*dict.fromkeys(_describe(*pair) for pair in differing_figures(pages, shipped))]
    except (PdfError, LookupError, TypeError, ValueError, AttributeError):
        wrong = [describe("unreadable")]
    here = is_this_build(engine)
    listed = listed_differences(wrong, MOST_FIGURES if here else SHOWN)
    yield build_step("figures", passed=not wrong, required=here, wrong=listed)
    if same:
        step = aside("templates", "templates", paths=templates)
        verdict = describe("by_preparer", paths=templates)
        yield replace(step, required=not accept_replaced, verdict=verdict)


def _describe(printed: Figure | None, own: Figure | None) -> str:
    """Return the words for a figure of the signed pages, and for the one that belongs there."""
    name = "printed_less" if printed is None else "printed_more" if own is None else "printed"
    words = [
        figure and (figure.word.strip(".,;:()") or figure.word)[:LONGEST_WORD]
        for figure in (printed, own)
    ]
    place = printed or own
    return describe(name, page=place and place.page, printed=words[0], own=words[1])
