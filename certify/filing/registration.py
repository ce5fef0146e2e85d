"""Registration of submissions as entries of the register."""

import contextlib
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from certify import __version__, library
from certify.errors import CertifyError, NotConfigured, NotReadable
from certify.figures.evaluate import resolve_house_way
from certify.figures.targets import Selection, load_catalog, lookup, select, select_entries
from certify.filing.declaration import entry_digests, find_filing, resolve_order
from certify.filing.delivery import find_status
from certify.filing.identities import TrustOptions
from certify.filing.listing import digest_states
from certify.filing.order import build_filing, filed_records
from certify.filing.register import IN_FORCE, content_digest, rules_digest
from certify.filing.verify import verify_file
from certify.formatting import join_words
from certify.intake.files import change_register
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    Correction,
    Register,
    RegisteredDocument,
    RegisteredPaytable,
)
from certify.model.encoding import pick_values
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Filing, Order, Status
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
OF_REVISION: Final = re.compile(r"\.r([A-Za-z0-9._-]+)\.\d{4}-\d{2}-\d{2}\.")
"""The revision in the name of a file of a submission."""

LETTER_REMEDY: Final = "Name the file; the register stores its digest."


class Entry(Struct, frozen=True, kw_only=True):
    """The user's details of one submission; ``letter`` is a file.

    ``target`` may be the id of a filing, which declares its jurisdiction and house way.
    ``documents`` are those of `describe_documents`. ``revision`` is that of the decided entry; None
    for the pending one.
    """

    target: str
    jurisdiction: str
    status: ApprovalStatus
    day: date
    revision: str | None = None
    conditions: str | None = None
    effective: date | None = None
    trial_until: date | None = None
    house_way: str | None = None
    letter: Path | None = None
    documents: tuple[RegisteredDocument, ...] = ()


def add(path: Path, entry: Entry) -> tuple[Approval, ...]:
    """Add an entry for a filing, or for each paytable and option under a target.

    Earlier entries on the same are superseded.

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
    is_filing = find_filing(entry.target) is not None
    drafts = () if is_filing and entry.status is not ApprovalStatus.PENDING else _drafts(entry)
    fields = pick_values(entry, "documents", "conditions", "effective", "trial_until")
    if entry.letter is not None:
        fields["letter_sha256"] = _file_digest(entry.letter)
    decision = {name: value for name, value in fields.items() if value}
    decision |= {"status": entry.status, "day": entry.day}
    return _append(
        path,
        lambda register: [
            replace(draft, **decision) for draft in _find_decided(register, entry, drafts)
        ],
    )


def _append(
    path: Path, find_drafts: Callable[[Register], Iterable[Approval]]
) -> tuple[Approval, ...]:
    """Add entries to a register, each with its id and its maker, and return them.

    Raises:
        Unfit: the register has errors; it stays unchanged.
    """
    added: list[Approval] = []

    def change(register: Register) -> Register:
        added.clear()
        for draft in find_drafts(register):
            approval = replace(draft, id=_next_id(register, draft), **_maker())
            register = append_record(register, approval)
            added.append(approval)
        return register

    change_register(path, change)
    return tuple(added)


def add_filing(path: Path, filing: Filing, day: date, files: Iterable[Path]) -> str:
    """Add the pending entry of a filing that was submitted, and return its id.

    The digests are those of the submitted records. ``files`` are the written ones; the PDFs that
    are filed are stored.

    Raises:
        Unfit: the register has errors; it stays unchanged.
    """
    filed = [each for each in files if each.suffix == ".pdf" and ".memo." not in each.name]
    entry = Entry(
        target="",
        jurisdiction=filing.jurisdiction.id,
        status=ApprovalStatus.PENDING,
        day=day,
        documents=describe_documents(filed),
    )
    draft = replace(draft_filing(filing, entry), documents=entry.documents)
    return _append(path, lambda _: [draft])[0].id


def _drafts(entry: Entry) -> tuple[Approval, ...]:
    """Return the entries of a target or a filing by its present files."""
    if find_filing(entry.target) is not None:
        order = Order(
            game=entry.target, jurisdiction=entry.jurisdiction, house_way=entry.house_way or None
        )
        return (draft_filing(build_filing(resolve_order(order)), entry),)
    selection = _selection(entry.target)
    if not selection.records:
        raise NotConfigured(
            f"{entry.target} has no paytable.", remedy="Name a target that has a paytable."
        )
    lookup("jurisdiction", entry.jurisdiction, selection.catalog.jurisdictions)
    return tuple(_draft(selection, [record], entry) for _, record in selection.records)


def draft_filing(filing: Filing, entry: Entry) -> Approval:
    """Return the entry of a filing with its id, operator, revision and digests."""
    terms, selection = filing.terms, replace(filed_records(filing), catalog=filing.declared)
    entry = replace(entry, jurisdiction=filing.jurisdiction.id, house_way=filing.order.house_way)
    operator = terms.operator.name if terms.operator is not None else None
    return replace(
        _draft(selection, filing.records, entry, filed=True), filing=terms.id, operator=operator
    )


def _find_decided(
    register: Register, entry: Entry, drafts: tuple[Approval, ...]
) -> tuple[Approval, ...]:
    """Return the entries that a decision is on, as they were filed; present files do not matter.

    Raises:
        NotConfigured: nothing was filed that is decided, several revisions are pending, or a
            document is not one of the filing.
    """
    if entry.status is ApprovalStatus.PENDING:
        return drafts
    keys = {_key(draft) for draft in drafts}
    filed = [
        each
        for each in register.approvals
        if (each.filing == entry.target if not drafts else _key(each) in keys)
        and (
            each.revision == entry.revision
            if entry.revision is not None
            else each.status is ApprovalStatus.PENDING
        )
    ]
    if not filed and (entry.revision is not None or not drafts):
        revision = f" revision {entry.revision}" if entry.revision is not None else ""
        raise NotConfigured(
            f"The register has no pending entry of {entry.target}{revision}.",
            remedy=f"Add what was filed: `certify register add {entry.target} --status pending`.",
        )
    revisions = {each.revision: None for each in filed}
    if not drafts and len(revisions) > 1:
        raise NotConfigured(
            f"Revisions {join_words(map(str, revisions))} of {entry.target} are pending.",
            remedy="Name the decided one with --revision.",
        )
    latest = {_key(each): each for each in filed}
    _refuse_other_documents(entry, tuple(latest.values()) or drafts)
    cleared = {"superseded_by": None, "correction": None}
    return tuple(
        replace(latest.get(key, draft), **cleared)
        for key, draft in ({_key(draft): draft for draft in drafts} or latest).items()
    )


def _refuse_other_documents(entry: Entry, decided: Sequence[Approval]) -> None:
    """Refuse a PDF that is neither a filed document nor a copy with later signatures.

    Where no document was filed, its name must not be that of another revision.
    """
    filed = {file.sha256 for each in decided for file in each.documents}
    revisions = {re.sub(r"[^A-Za-z0-9._-]", "-", each.revision or "") for each in decided}
    for document in entry.documents:
        named = OF_REVISION.search(document.name)
        other = named is not None and named[1] not in revisions
        unfiled = filed.isdisjoint({document.sha256, *document.earlier_sha256})
        if document.name.endswith(".pdf") and (unfiled if filed else other):
            raise NotConfigured(
                f"{document.name} is no document of the decided filing "
                f"({decided[0].target}, revision {decided[0].revision}).",
                remedy="Name a filed document, a copy of one with later signatures that `certify "
                "verify` accepts, or the decided revision with --revision.",
            )


def _key(approval: Approval) -> tuple[str | None, ...]:
    """Return the parts of an entry by which a later one is about the same."""
    way = approval.house_way if approval.filing is None else None
    return (approval.target, approval.jurisdiction, way)


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
    revision: str | None = None,
    **fields: Any,  # noqa: ANN401 - fields of an entry
) -> Approval:
    """Add the corrected version of an entry; the earlier version stays, superseded by it.

    What is None or empty stays unchanged. ``revision`` gives it the revision and the digests of an
    entry of that revision; ``fields`` are its operator, conditions, first day, and end of a trial.

    Raises:
        NotConfigured: there is no such entry, it was superseded, nothing changes, the author or
            the reason is missing, an approval has no letter, or no entry has this revision.
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
            **{name: value for name, value in fields.items() if value},
            **_find_revision(register, before, revision),
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
        maker = _maker() | {"person": by}
        after = replace(after, id=_next_id(register, after), correction=correction, **maker)
        earlier = tuple(
            replace(before, status=ApprovalStatus.SUPERSEDED, superseded_by=after.id)
            if each is before
            else each
            for each in register.approvals
        )
        added[:] = [after]
        return append_record(Register(approvals=earlier), after)

    change_register(path, change)
    return added[0]


def _find_revision(register: Register, entry: Approval, revision: str | None) -> dict[str, Any]:
    """Return the revision and the digests of the latest entry on the same of a revision.

    Raises:
        NotConfigured: there is none.
    """
    if revision is None:
        return {}
    entries = [
        each
        for each in register.approvals
        if each.revision == revision and _key(each) == _key(entry)
    ]
    if not entries:
        raise NotConfigured(
            f"The register has no entry of revision {revision} of {entry.target}.",
            remedy="Restore the files of that revision, and use `certify register add`.",
        )
    return pick_values(entries[-1], "revision", "paytables", "rules_sha256", "parts_sha256")


def _maker() -> dict[str, str]:
    """Return who makes an entry, when, and with which build."""
    return {
        "person": account_name(),
        "time": utc_now(),
        "version": __version__,
        "build": library.build_sha256(),
    }


def append_record(register: Register, added: Approval) -> Register:
    """Return the register with a record at its end; those whose place it takes are marked."""
    replaced, key = REPLACES.get(added.status, ()), _key(added)
    places = [
        place
        for place, approval in enumerate(register.approvals)
        if _key(approval) == key and approval.revision == added.revision
    ]
    # A pending revision of a filing stays pending while an earlier one is decided.
    last = places[-1] if places and added.filing is not None else len(register.approvals)
    first = places[0] if places else last
    begin = first if added.filing is not None and added.status is ApprovalStatus.PENDING else 0
    earlier = tuple(
        replace(approval, status=ApprovalStatus.SUPERSEDED, superseded_by=added.id)
        if approval.status in replaced
        and _key(approval) == key
        and (approval.status is ApprovalStatus.APPROVED or begin <= place <= last)
        else approval
        for place, approval in enumerate(register.approvals)
    )
    return Register(approvals=(*earlier, added))


def _draft(
    selection: Selection,
    records: Iterable[Paytable | MainWager],
    entry: Entry,
    *,
    filed: bool = False,
) -> Approval:
    catalog, game = selection.catalog, selection.game
    paytables = tuple(_describe(selection, record, entry, filed=filed) for record in records)
    draft = Approval(
        id="",
        game=game.id,
        game_name=game.name,
        jurisdiction=entry.jurisdiction,
        status=entry.status,
        day=entry.day,
        paytables=paytables,
        revision=game.revision,
        rules_sha256=rules_digest(catalog, game.id),
    )
    return replace(draft, parts_sha256=entry_digests(catalog, draft.targets))


def _describe(
    selection: Selection, record: Paytable | MainWager, entry: Entry, *, filed: bool
) -> RegisteredPaytable:
    """Return a paytable or option as an entry states it."""
    catalog, way = selection.catalog, None
    if isinstance(record, MainWager):
        way = resolve_house_way(catalog, selection.game, entry.house_way).id
    return RegisteredPaytable(
        wager=record.wager,
        paytable=record.id,
        house_way=way,
        content_sha256=content_digest(catalog, record.target, house_way=way, filed=filed),
        pays=record.odds if isinstance(record, Paytable) else {},
    )


def describe_documents(paths: Iterable[Path]) -> tuple[RegisteredDocument, ...]:
    """Return name and digest, and of a PDF its earlier digests and the end of its time.

    The end is that of `certify verify` by the roots that this user trusts.

    Raises:
        NotReadable: a file cannot be read.
    """
    return tuple(
        RegisteredDocument(name=path.name, sha256=_file_digest(path), **_find_signed(path))
        for path in paths
    )


def _find_signed(path: Path) -> dict[str, Any]:
    """Return the earlier digests and the provable end of a PDF that is signed for filing.

    Both are missing of another file, and of one that `certify verify` does not accept.
    """
    with contextlib.suppress(CertifyError):
        if path.suffix.lower() == ".pdf" and find_status(path) is Status.FINAL:
            pdf = read_bytes(path)
            answer = verify_file(path.name, pdf, **TrustOptions().read()).answer
            if answer["provable_until"]:
                end = datetime.fromisoformat(answer["provable_until"]).astimezone(UTC)
                return {
                    "earlier_sha256": tuple(digest_states(pdf)[:-1]),
                    "provable_until": f"{end:%Y-%m-%dT%H:%M:%SZ}",
                }
    return {}


def _selection(target: str) -> Selection:
    """Return the declared content of a target, from the whole catalog."""
    catalog, named = load_catalog(), select(target)
    if named.game.id != target.partition("/")[0]:
        return named  # a file, in any folder
    return select_entries(catalog, named.game, {record.target for _, record in named.records})


def _next_id(register: Register, draft: Approval) -> str:
    """Return the first free id: the jurisdiction and a number."""
    used = {approval.id for approval in register.approvals}
    ids = (f"{draft.jurisdiction}-{number}" for number in count(len(register.approvals) + 1))
    return next(name for name in ids if name not in used)


def _file_digest(path: Path) -> str:
    try:
        with open_file(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise NotReadable(
            f"Cannot read {path}: {error.strerror}.", remedy="Name an existing file."
        ) from error
