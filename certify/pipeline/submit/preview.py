"""A submission before it is printed: the same pages as HTML, and what would still be open."""

from dataclasses import dataclass
from typing import Any

from certify import library
from certify.model.filed import Order
from certify.model.progress import Progress
from certify.model.submission import Status, Submission
from certify.pipeline.filing import consulted, filing_of
from certify.pipeline.submit.build import count_filing, submission_of
from certify.pipeline.submit.submit import PARTS, Part, page_of
from certify.report.filed import filed_json, filed_view

ON_SCREEN = "body { margin: 1.5rem; }"
"""What a sheet of paper gives by its margins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Both documents as HTML by part, with their style; the view and the record of the filing."""

    pages: dict[str, str]
    view: dict[str, Any]
    record: dict[str, Any]


def preview(order: Order, progress: Progress | None = None) -> Preview:
    """Return what `submit` would print, unsigned; nothing is written, and Pango is not needed.

    Raises:
        CertifyError: something is missing or wrong.
    """
    filing = count_filing(consulted(filing_of(order)), progress)
    submission = submission_of(filing, status=Status.UNSIGNED, progress=progress)
    return Preview(
        pages={part: on_screen(submission, part) for part in PARTS},
        view=filed_view(submission),
        record=filed_json(submission),
    )


def on_screen(submission: Submission, part: Part) -> str:
    """Return one document as HTML with its style, to be looked at before it is set on pages."""
    folders = (*reversed(submission.templates), library.templates())
    sheet = next(folder / "style.css" for folder in folders if (folder / "style.css").is_file())
    style = f"<style>\n{sheet.read_text(encoding='utf-8')}\n{ON_SCREEN}\n</style>\n</head>"
    return page_of(submission, part).replace("</head>", style, 1)
