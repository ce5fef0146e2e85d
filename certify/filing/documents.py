"""The documents of a filing: their views, pages and attachments; pages of drafts are kept."""

import contextlib
import hashlib
import hmac
from collections.abc import Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Literal

from certify import library, storage
from certify.engine.count_cache import seal
from certify.errors import NotConfigured
from certify.figures.provenance import is_template
from certify.filing.evidence import (
    INTERNAL_FILES,
    data_attachment,
    list_attachments,
    list_versions,
    part_label,
    public_evidence,
)
from certify.model.submission import Filing, Submission
from certify.printing.print_pdf import Attachment, print_pdf
from certify.report.application import application_view
from certify.report.compose import compose
from certify.report.letter import letter_view
from certify.report.mathematics.view import mathematics_view
from certify.report.memo import memo_view
from certify.report.rules.view import rules_view

LANGUAGE = "en-US"

Part = Literal["rules", "mathematics", "application", "letter", "memo"]
PARTS: tuple[Part, ...] = ("rules", "mathematics", "letter", "memo")
"""The documents of a submission; the order is that of the signatures, but for the memo."""

EVERY_PART: tuple[Part, ...] = (*PARTS, "application")
"""The same with the application, which only some jurisdictions ask for."""

COUNTERSIGNED = PARTS[:2]
"""Those that a laboratory and an approver sign."""

PUBLIC = frozenset({"rules", "letter"})
"""Those that disclose no mathematics."""

REDLINE = "redline.pdf"
"""The changes of an approved game, as a file of its submission; `reproduce` cannot print it."""

INTERNAL = frozenset(part for part in PARTS if f"{part}.pdf" in INTERNAL_FILES)
"""Those that are not filed."""

NOTICED = 3  # files of a kind that the notice over each page names; the rest is counted

VIEWS = {
    "rules": rules_view,
    "mathematics": mathematics_view,
    "application": application_view,
    "letter": letter_view,
    "memo": memo_view,
}


def list_parts(filing: Filing) -> tuple[Part, ...]:
    """Return the documents of a filing, with an application if its form is a document."""
    form = filing.jurisdiction.application
    return EVERY_PART if form is not None and form.title is not None else PARTS


def render_pdf(
    submission: Submission,
    part: Part,
    attachments: tuple[Attachment, ...],
) -> bytes:
    """Return one unsigned document: the same submission always gives the same bytes."""
    return prepare_pdf(submission, part, attachments)()


def prepare_pdf(
    submission: Submission,
    part: Part,
    attachments: tuple[Attachment, ...],
) -> "partial[bytes]":
    """Return a call that prints one document, which is composed already."""
    view, when = _view(submission, part), submission.game.revised
    attachments = (*attachments, part_label(view["report_id"], part))
    return _prepare(f"{part}.html.j2", view, when, attachments, submission.templates)


def prepare_redline(
    view: dict[str, Any], twin: bytes, when: date, folders: tuple[Path, ...]
) -> "partial[bytes]":
    """Return a call that prints a redline, with the exact figures as data attached.

    ``view`` are the variables of its template, ``twin`` is the same comparison as JSON, ``folders``
    are those of the user's templates.
    """
    attached = data_attachment("redline.json", twin, "The exact figures of this comparison")
    return _prepare("diff.html.j2", view, when, (attached,), folders)


def _prepare(
    template: str,
    view: dict[str, Any],
    when: date,
    attachments: tuple[Attachment, ...],
    folders: tuple[Path, ...],
) -> "partial[bytes]":
    """Return a call that prints a template, by the styles of the first of the user's folders."""
    styles = (folder / "style.css" for folder in folders)
    return partial(
        print_pdf,
        compose(template, view, own=folders),
        title=view["title"],
        language=LANGUAGE,
        document_id=view["report_id"],
        date=when,
        attachments=attachments,
        templates=library.templates(),
        style=next((style for style in styles if style.is_file()), None),
        notice=_compose_notice(view),
    )


def _compose_notice(view: Mapping[str, Any]) -> str:
    """Return the notice over each page as HTML, by certify's own template; empty if none is due."""
    due = {}
    for change in ("replaced", "added"):
        paths = sorted(view.get(change, ()), key=is_template, reverse=True)
        due[change] = [(paths[:NOTICED], len(paths[NOTICED:]))] if paths else []
    return compose("notice.html.j2", due) if any(due.values()) else ""


def render_html(submission: Submission, part: Part) -> str:
    """Return one document as HTML, before it is set on pages."""
    return compose(f"{part}.html.j2", _view(submission, part), own=submission.templates)


def render_preview(submission: Submission, part: Part) -> str:
    """Return one document as HTML with its style, to be looked at before it is set on pages."""
    folders = (*reversed(submission.templates), library.templates())
    sheet = next(folder / "style.css" for folder in folders if (folder / "style.css").is_file())
    style = f"<style>\n{storage.read_text(sheet)}\nbody {{ margin: 1.5rem; }}\n</style>\n</head>"
    return render_html(submission, part).replace("</head>", style, 1)


def _view(submission: Submission, part: Part) -> dict[str, Any]:
    return VIEWS[part](submission) | {"report_id": f"{submission.report_id}.{part}"}


def select_attachments(filing: Filing, part: Part, evidence: bytes) -> tuple[Attachment, ...]:
    """Return the files that a document embeds; a public part omits confidential mathematics."""
    public = part in PUBLIC and filing.jurisdiction.confidential
    evidence = public_evidence(evidence) if public else evidence
    return list_attachments(filing, evidence, internal=part in INTERNAL)


DRAFTS_KEPT = 24
"""The most documents kept, those of the latest drafts."""


def print_draft(printing: "partial[bytes]") -> bytes:
    """Return the document that a call prints, from an earlier draft if it is unchanged.

    The pages of drafts are kept on this machine. A file is named by a digest of everything that its
    bytes depend on and carries an HMAC under a key of this user; a file that fails the check is
    printed again. A final submission is always printed.

    Raises:
        NotPrivate: others may write to the folder, or read the key.
    """
    style = printing.keywords["style"]
    text = style and storage.read_at_most(style)
    inputs = (list_versions(), printing.args, printing.keywords, text)
    name = hashlib.sha256(repr(inputs).encode()).hexdigest()
    path, pages = None, None
    with contextlib.suppress(OSError):  # a store that cannot be used costs time, never a page
        path = storage.private(storage.private(storage.cache()) / "pages") / f"{name}.pdf"
        pages = _read_kept(path)
    if pages is None:
        pages = printing()
        if path is not None:
            with contextlib.suppress(OSError):
                _keep(path, pages)
    return pages


def _read_kept(path: Path) -> bytes | None:
    if not path.is_file():
        return None
    mac, _, pages = path.read_bytes().partition(b"\n")
    path.touch()
    return pages if hmac.compare_digest(mac, _mac(path, pages)) else None


def _keep(path: Path, pages: bytes) -> None:
    with contextlib.suppress(NotConfigured):
        storage.write_atomically(path, _mac(path, pages) + b"\n" + pages, mode=0o600)
    pages_kept = sorted(
        path.parent.glob("*.pdf"), key=lambda each: each.stat().st_mtime, reverse=True
    )
    for old in pages_kept[DRAFTS_KEPT:]:
        old.unlink(missing_ok=True)


def _mac(path: Path, pages: bytes) -> bytes:
    return seal(path.stem, hashlib.sha256(pages).hexdigest()).encode()
