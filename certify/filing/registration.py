"""Registration of submissions as entries of the register."""

import contextlib
import hashlib
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from certify import __version__, library
from certify.errors import CertifyError, NotConfigured, NotReadable
from certify.figures.evaluate import resolve_house_way
from certify.figures.targets import Selection, load_catalog, lookup, select, select_entries
from certify.filing.declared import entry_digests
from certify.filing.delivery import find_status
from certify.filing.identities import TrustOptions
from certify.filing.register import IN_FORCE, content_digest, rules_digest
from certify.filing.verify import verify_file
from certify.intake.files import change_register
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    Correction,
    Register,
    RegisteredDocument,
)
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Status
from certify.project_log import account_name, utc_now
from certify.received.files import open_file
from certify.storage import read_bytes

REPLACES: Final = {
    ApprovalStatus.APPROVED: IN_FORCE,
    ApprovalStatus.PENDING: (ApprovalStatus.PENDING,),
    ApprovalStatus.REJECTED: (ApprovalStatus.PENDING,),
}
"""Earlier statuses of the same target that a new entry supersedes."""


NO_LETTER: Final = "An approval needs the regulator's letter, or another file with the decision."
LETTER_REMEDY: Final = "Name the file; the register stores its digest."


class Entry(Struct, frozen=True, kw_only=True):
    """The user's details of one submission; ``letter`` is a file.

    ``documents`` are those of `describe_documents`.
    """

    target: str
    jurisdiction: str
    status: ApprovalStatus
    day: date
    house_way: str | None = None
    letter: Path | None = None
    documents: tuple[RegisteredDocument, ...] = ()


def add(path: Path, entry: Entry) -> tuple[Approval, ...]:
    """Add a record for every paytable and option under a target; earlier ones are superseded.

    Raises:
        NotConfigured: the target, the jurisdiction or the house way is unknown, or an approval
            has no letter.
        Unfit: the register has errors; it stays unchanged.
        Unfit: the declared data has errors.
    """
    if entry.status is ApprovalStatus.SUPERSEDED:
        raise NotReadable(
            "An entry is superseded by another entry.",
            remedy="Add the approval that replaces it.",
        )
    if entry.status is ApprovalStatus.APPROVED and entry.letter is None:
        raise NotConfigured(NO_LETTER, remedy=LETTER_REMEDY)
    selection = _selection(entry.target)
    if not selection.records:
        raise NotConfigured(
            f"{entry.target} has no paytable.", remedy="Name a target that has a paytable."
        )
    lookup("jurisdiction", entry.jurisdiction, selection.catalog.jurisdictions)
    drafts = tuple(_draft(selection, record, entry) for _, record in selection.records)
    added: list[Approval] = []

    def change(register: Register) -> Register:
        added.clear()
        for draft in drafts:
            approval = replace(draft, id=_next_id(register, draft), **_maker())
            register = append_record(register, approval)
            added.append(approval)
        return register

    change_register(path, change)
    return tuple(added)


def correct(
    path: Path,
    entry: str,
    *,
    by: str,
    on: date,
    reason: str,
    status: ApprovalStatus | None = None,
    day: date | None = None,
    letter: Path | None = None,
    documents: tuple[RegisteredDocument, ...] = (),
) -> Approval:
    """Add the corrected version of an entry; the earlier version stays, superseded by it.

    The content that was filed is not corrected. What is None or empty stays unchanged.

    Raises:
        NotConfigured: there is no such entry, it was superseded, nothing changes, the author or
            the reason is missing, or an approval has no letter.
        Unfit: the register has errors; it stays unchanged.
    """
    if not (by and reason):
        raise NotConfigured(
            "A correction needs its author and a reason.", remedy="State who corrects it, and why."
        )
    letter_sha256 = _file_digest(letter) if letter is not None else None
    added: list[Approval] = []

    def change(register: Register) -> Register:
        before = next((each for each in register.approvals if each.id == entry), None)
        if before is None or before.status is ApprovalStatus.SUPERSEDED:
            raise NotConfigured(
                f"The register has no entry {entry} in force.",
                remedy="Name an entry that is not superseded.",
            )
        after = replace(
            before,
            status=status or before.status,
            day=day or before.day,
            letter_sha256=letter_sha256 or before.letter_sha256,
            documents=documents or before.documents,
        )
        if after == before:
            raise NotConfigured(
                f"Entry {before.id} says this already.", remedy="Change its status, date or files."
            )
        if after.status is ApprovalStatus.APPROVED and after.letter_sha256 is None:
            raise NotConfigured(NO_LETTER, remedy=LETTER_REMEDY)
        correction = Correction(
            entry=before.id, status=before.status, person=by, on=on, reason=reason
        )
        made = _maker() | {"person": by}
        after = replace(after, id=_next_id(register, after), correction=correction, **made)
        superseded = replace(before, status=ApprovalStatus.SUPERSEDED, superseded_by=after.id)
        kept = tuple(superseded if each is before else each for each in register.approvals)
        added[:] = [after]
        return append_record(Register(approvals=kept), after)

    change_register(path, change)
    return added[0]


def _maker() -> dict[str, str]:
    """Return who makes an entry, when, and with which build."""
    build = library.build_sha256()
    person, now = account_name(), utc_now()
    return {"person": person, "time": now, "version": __version__, "build": build}


def append_record(register: Register, added: Approval) -> Register:
    """Return the register with a record at its end; those whose place it takes are marked."""
    replaced = REPLACES.get(added.status, ())
    kept = tuple(
        replace(approval, status=ApprovalStatus.SUPERSEDED, superseded_by=added.id)
        if approval.status in replaced
        and approval.target == added.target
        and approval.jurisdiction == added.jurisdiction
        and approval.house_way == added.house_way
        else approval
        for approval in register.approvals
    )
    return Register(approvals=(*kept, added))


def _draft(selection: Selection, record: Paytable | MainWager, entry: Entry) -> Approval:
    catalog, game = selection.catalog, selection.game
    way = None
    if isinstance(record, MainWager):
        way = resolve_house_way(catalog, game, entry.house_way).id
    return Approval(
        id="",
        game=game.id,
        game_name=game.name,
        wager=record.wager,
        paytable=record.id,
        house_way=way,
        jurisdiction=entry.jurisdiction,
        status=entry.status,
        day=entry.day,
        content_sha256=content_digest(catalog, record.target, house_way=way),
        pays=record.odds if isinstance(record, Paytable) else {},
        revision=game.revision,
        rules_sha256=rules_digest(catalog, game.id),
        parts_sha256=entry_digests(catalog, record.target),
        letter_sha256=_file_digest(entry.letter) if entry.letter is not None else None,
        documents=entry.documents,
    )


def describe_documents(paths: Iterable[Path]) -> tuple[RegisteredDocument, ...]:
    """Return name, digest and, of a PDF that is signed for filing, the end of its time.

    The end is that of `certify verify` by the roots that this user trusts.

    Raises:
        NotReadable: a file cannot be read.
    """
    return tuple(
        RegisteredDocument(
            name=path.name, sha256=_file_digest(path), provable_until=_find_until(path)
        )
        for path in paths
    )


def _find_until(path: Path) -> str:
    """Return until when a PDF is provable; empty for another file, or one that is not accepted."""
    if path.suffix.lower() != ".pdf":
        return ""
    with contextlib.suppress(CertifyError):
        if find_status(path) is Status.FINAL:
            answer = verify_file(path.name, read_bytes(path), **TrustOptions().read()).answer
            if answer["provable_until"]:
                end = datetime.fromisoformat(answer["provable_until"]).astimezone(UTC)
                return f"{end:%Y-%m-%dT%H:%M:%SZ}"
    return ""


def _selection(target: str) -> Selection:
    """Return the declared content of a target, from the whole catalog."""
    catalog, named = load_catalog(), select(target)
    if named.game.id != target.partition("/")[0]:
        return named  # a file, in any folder
    return select_entries(catalog, named.game, {record.target for _, record in named.records})


def _next_id(register: Register, draft: Approval) -> str:
    """Return the first free id: the jurisdiction and a number."""
    used = {approval.id for approval in register.approvals}
    number = len(register.approvals) + 1
    while f"{draft.jurisdiction}-{number}" in used:
        number += 1
    return f"{draft.jurisdiction}-{number}"


def _file_digest(path: Path) -> str:
    try:
        with open_file(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise NotReadable(
            f"Cannot read {path}: {error.strerror}.", remedy="Name an existing file."
        ) from error
