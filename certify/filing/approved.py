"""The approved document of a game that a register names, found by its digest."""

import hashlib
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from msgspec import Struct

from certify.figures.targets import load_catalog
from certify.intake.files import read_register
from certify.model.application import Content
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    ApprovedDocument,
    Elsewhere,
    Register,
)
from certify.model.submission import Filing
from certify.received.files import walk
from certify.storage import read_at_most

DEPTH = 3
"""Levels of folders below that of the register in which the document is looked for."""
WHOLE = re.compile(r"\.mathematics(\..+)?\.pdf")
"""The end of the name of a document that embeds all of a filing, signed once or more often."""
REVISION = re.compile(rb"%%EOF(\r?\n|\r)?")
"""The end of a revision of a PDF, with or without its line end."""


class Found(Struct, frozen=True, kw_only=True):
    """An approved document, and the file with its digest; None if there is no such file."""

    document: ApprovedDocument
    path: Path | None = None


def find_approved(path: Path, filing: Filing) -> Found | None:
    """Return the latest approved mathematics report of a filing that a register names, or None.

    It is of the same game, jurisdiction and holder. Files are looked for below the register's
    folder, by name and digest. If none is there, the result has no path.

    Raises:
        Unfit: the register has errors.
    """
    named = [*_list_documents(read_register(path)[0], filing)]
    files = [*walk(path.absolute().parent, DEPTH)] if named else []
    for document in named:
        for file in files:
            if file.name == document.name and _sha256(file) == document.sha256:
                return Found(document=document, path=file)
    return Found(document=named[0]) if named else None


def list_elsewhere(path: Path, filing: Filing) -> tuple[Elsewhere, ...]:
    """Return the entries of a register on the filed wagers in other jurisdictions, by their day.

    Empty if the application does not list them: nothing else of the register is disclosed.
    Superseded entries are left out.

    Raises:
        Unfit: the register has errors.
    """
    form = filing.jurisdiction.application
    if form is None or not form.has(Content.ELSEWHERE):
        return ()
    names = {wager.id: wager.name for wager in filing.wagers}
    wagers: dict[tuple[date, str, ApprovalStatus], dict[str, None]] = {}
    for entry in read_register(path)[0].approvals:
        current = entry.superseded_by is None and entry.status is not ApprovalStatus.SUPERSEDED
        other = entry.game == filing.game.id and entry.jurisdiction != filing.jurisdiction.id
        listed = {each.wager: None for each in entry.paytables if each.wager in names}
        if current and other and listed:
            decision = (entry.day, entry.jurisdiction, entry.status)
            wagers.setdefault(decision, {}).update(dict.fromkeys(names[each] for each in listed))
    catalog = load_catalog() if wagers else filing.catalog
    return tuple(
        Elsewhere(
            jurisdiction=catalog.jurisdiction_name(where),
            status=status,
            day=day,
            wagers=tuple(wagers[day, where, status]),
        )
        for day, where, status in sorted(wagers)
    )


def _list_documents(register: Register, filing: Filing) -> Iterator[ApprovedDocument]:
    """Yield the documents of approved entries, those of the latest day first."""
    approved = [
        approval
        for approval in register.approvals
        if (approval.game, approval.jurisdiction) == (filing.game.id, filing.jurisdiction.id)
        and approval.holder == filing.terms.holder
        and approval.status is ApprovalStatus.APPROVED
    ]
    for approval in sorted(approved, key=lambda each: each.day, reverse=True):
        yield from _of_entry(approval)


def _of_entry(approval: Approval) -> Iterator[ApprovedDocument]:
    for each in approval.documents:
        if WHOLE.search(each.name):
            yield ApprovedDocument(
                name=each.name, sha256=each.sha256, record=approval.id, day=approval.day
            )


def _sha256(path: Path) -> str:
    """Return the digest of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(read_at_most(path)).hexdigest()
    except OSError:
        return ""


def digest_states(pdf: bytes) -> list[str]:
    """Return the SHA-256 of a PDF after each of its revisions, that of the whole file last."""
    ends = {end for match in REVISION.finditer(pdf) for end in (match.start() + 5, match.end())}
    digest, start, states = hashlib.sha256(), 0, []
    for end in sorted({*ends, len(pdf)}):
        digest.update(pdf[start:end])
        states.append(digest.hexdigest())
        start = end
    return states
