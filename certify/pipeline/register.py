"""The register of approvals: what is added, what is in force, and whether it is still the same."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from certify import library
from certify.checks.context import records_of
from certify.errors import NotConfigured, NotReadable
from certify.intake.catalogue import read_catalogue
from certify.intake.register import change_register, read_register
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    FiledDocument,
    FilingStanding,
    PaytableStanding,
    Register,
)
from certify.model.catalogue import Catalogue
from certify.model.document import Document
from certify.model.finding import Finding, Severity, Unfit
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.pipeline.evaluate import house_way_of
from certify.pipeline.targets import Selection, select, unknown

DEFAULT: Final = Path("register.json")
LEFT_OUT: Final = ("$schema", "source")
"""What the content's digest leaves out: where a fact was read changes no meaning."""

IN_FORCE: Final = (ApprovalStatus.APPROVED, ApprovalStatus.PENDING)
REPLACES: Final = {
    ApprovalStatus.APPROVED: IN_FORCE,
    ApprovalStatus.PENDING: (ApprovalStatus.PENDING,),
    ApprovalStatus.REJECTED: (ApprovalStatus.PENDING,),
}
"""Which earlier records of the same target a new one takes the place of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the user says of one filing; ``letter`` and ``documents`` are files."""

    target: str
    jurisdiction: str
    status: ApprovalStatus
    day: date
    house_way: str | None = None
    letter: Path | None = None
    documents: tuple[Path, ...] = ()


def add(path: Path, entry: Entry) -> tuple[Approval, ...]:
    """Add a record for every paytable and option under a target; earlier ones are superseded.

    Raises:
        NotConfigured: the target, the jurisdiction or the house way is unknown.
        UnfitRegister: the register has errors; it is left as it is.
        Unfit: the declared data has errors.
    """
    if entry.status is ApprovalStatus.SUPERSEDED:
        raise NotReadable(
            "A record is superseded by another one, not by itself.",
            remedy="Add the approval that takes its place.",
        )
    selection = _selection(entry.target)
    if not selection.records:
        raise NotConfigured(
            f"{entry.target} has no paytable.", remedy="Name a target that has a paytable."
        )
    if entry.jurisdiction not in selection.catalogue.jurisdictions:
        raise unknown("jurisdiction", entry.jurisdiction, selection.catalogue.jurisdictions)
    drafts = tuple(_draft(selection, record, entry) for _, record in selection.records)
    added: list[Approval] = []

    def change(register: Register) -> Register:
        added.clear()
        for draft in drafts:
            one = replace(draft, id=_next_id(register, draft))
            register = with_record(register, one)
            added.append(one)
        return register

    change_register(path, change)
    return tuple(added)


def with_record(register: Register, added: Approval) -> Register:
    """Return the register with a record at its end; those whose place it takes are marked."""
    replaced = REPLACES.get(added.status, ())
    kept = tuple(
        replace(one, status=ApprovalStatus.SUPERSEDED, superseded_by=added.id)
        if _same_filing(one, added) and one.status in replaced
        else one
        for one in register.approvals
    )
    return Register(approvals=(*kept, added))


def standing_of(
    register: Register,
    *,
    catalogue: Catalogue,
    jurisdiction: str,
    records: Iterable[Paytable | MainWager],
    house_way: str,
) -> tuple[PaytableStanding, ...]:
    """Say of each paytable and option: approved, pending, a new filing, or changed under its id.

    Args:
        register: the records.
        catalogue: what is declared now.
        jurisdiction: where it is to be filed.
        records: what is to be filed.
        house_way: the house way that a main wager's figures rest on.
    """
    return tuple(_standing(register, catalogue, jurisdiction, one, house_way) for one in records)


def other_names(register: Register, *, game: str, jurisdiction: str) -> tuple[str, ...]:
    """Return the names under which other games are approved or pending in a jurisdiction."""
    names = {
        one.game_name: None
        for one in register.approvals
        if one.game != game and one.jurisdiction == jurisdiction and one.status in IN_FORCE
    }
    return tuple(names)


def content_digest(catalogue: Catalogue, target: str, *, house_way: str | None = None) -> str:
    """Return the digest of what a record means, by SHA-256.

    It covers the record, its envy table, the conditions of its events in their order of rank, and
    for a main wager the game's deck and hands and the house way. Where the facts were read, the
    file's layout and the order of its properties do not matter.

    Raises:
        NotConfigured: the target is not declared.
    """
    documents = catalogue.documents
    if target not in documents:
        raise unknown("target", target, documents)
    record = documents[target].value
    game, wager, _ = target.split("/")
    parts: dict[str, Any] = {"record": record}
    if record.get("envy") is not None:
        parts["envy"] = documents[f"{game}/{wager}/envy/{record['envy']}"].value
    used = {row["event"] for one in parts.values() for row in one.get("rows", ())}
    parts["events"] = [
        {name: event[name] for name in ("id", "when", "player", "dealer") if name in event}
        for event in documents["events"].value["events"]
        if event["id"] in used
    ]
    declared = documents[game].value
    parts["game"] = {name: declared.get(name) for name in ("deck", "hand", "joker", "wheel")}
    if house_way is not None:
        parts["house_way"] = documents[f"house-ways/{house_way}"].value
    text = json.dumps(_meaning(parts), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_register(path: Path) -> tuple[tuple[Finding, ...], int]:
    """Compare every record in force with what is declared now.

    Returns:
        The findings, and how many records were looked at.

    Raises:
        UnfitRegister: the register has errors.
        Unfit: the declared data has errors.
    """
    register, document = read_register(path)
    catalogue = _catalogue()
    findings = []
    for place, one in enumerate(register.approvals):
        if one.status in IN_FORCE:
            findings += _compare(document, place, one, catalogue)
    return tuple(findings), len(register.approvals)


def _compare(document: Document, place: int, one: Approval, catalogue: Catalogue) -> list[Finding]:
    """Return what is wrong with one record in force."""
    if one.target not in catalogue.documents:
        message, pointer = f"{one.target} is {one.status} and is no longer declared.", "paytable"
    elif one.house_way is not None and one.house_way not in catalogue.house_ways:
        message, pointer = f"The house way {one.house_way} is no longer declared.", "house_way"
    elif _digest(catalogue, one.target, one.house_way) != one.content_sha256:
        message = f"{one.target} is {one.status}, and its content has changed since."
        pointer = "content_sha256"
    else:
        return []
    return [
        document.finding(
            code="R014",
            severity=Severity.ERROR,
            pointer=f"/approvals/{place}/{pointer}",
            message=message,
            remedy="Restore the content that was filed, and give the new one another id.",
        )
    ]


def _standing(
    register: Register,
    catalogue: Catalogue,
    jurisdiction: str,
    record: Paytable | MainWager,
    house_way: str,
) -> PaytableStanding:
    way = house_way if isinstance(record, MainWager) else None
    digest = _digest(catalogue, record.target, way)
    found = [
        one
        for one in register.approvals
        if one.target == record.target
        and one.jurisdiction == jurisdiction
        and one.house_way == way
        and one.status in IN_FORCE
    ]
    changed = [one for one in found if one.content_sha256 != digest]
    if changed:
        one = changed[0]
        detail = (
            f"{record.target} is {one.status} since {one.day.isoformat()} with other content "
            f"(record {one.id})."
        )
        standing = FilingStanding.CHANGED
        return PaytableStanding(
            target=record.target, standing=standing, detail=detail, approval=one
        )
    for status in IN_FORCE:
        for one in found:
            if one.status is status:
                detail = f"{status} since {one.day.isoformat()} (record {one.id})"
                standing = FilingStanding(str(status))
                return PaytableStanding(
                    target=record.target, standing=standing, detail=detail, approval=one
                )
    return PaytableStanding(
        target=record.target, standing=FilingStanding.NEW, detail="a new filing"
    )


def _draft(selection: Selection, record: Paytable | MainWager, entry: Entry) -> Approval:
    catalogue, game = selection.catalogue, selection.game
    way = None
    if isinstance(record, MainWager):
        way = house_way_of(catalogue, game, entry.house_way).id
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
        content_sha256=_digest(catalogue, record.target, way),
        letter_sha256=_file_digest(entry.letter) if entry.letter is not None else None,
        documents=tuple(
            FiledDocument(name=one.name, sha256=_file_digest(one)) for one in entry.documents
        ),
    )


def _selection(target: str) -> Selection:
    """Return what is declared under a target, among everything declared."""
    catalogue = _catalogue()
    game = catalogue.games.get(target.partition("/")[0])
    records = tuple(
        (wager, record)
        for wager in (game.wagers if game else ())
        for record in records_of(wager)
        if f"{record.target}/".startswith(f"{target}/")
    )
    if game is None or not records:
        # An unknown id is refused there, with what is near it.
        return select(target)
    return Selection(catalogue=catalogue, game=game, records=records)


def _catalogue() -> Catalogue:
    catalogue, findings = read_catalogue(library.paytables())
    errors = tuple(one for one in findings if one.severity is Severity.ERROR)
    if errors:
        raise Unfit(errors)
    return catalogue


def _digest(catalogue: Catalogue, target: str, house_way: str | None) -> str:
    return content_digest(catalogue, target, house_way=house_way)


def _meaning(value: object) -> object:
    """Return a JSON value without what does not matter to its meaning."""
    if isinstance(value, dict):
        return {name: _meaning(one) for name, one in value.items() if name not in LEFT_OUT}
    return [_meaning(one) for one in value] if isinstance(value, list) else value


def _same_filing(one: Approval, other: Approval) -> bool:
    return (one.target, one.jurisdiction, one.house_way) == (
        other.target,
        other.jurisdiction,
        other.house_way,
    )


def _next_id(register: Register, draft: Approval) -> str:
    """Return the first free id: the jurisdiction and a number."""
    used = {one.id for one in register.approvals}
    number = len(register.approvals) + 1
    while f"{draft.jurisdiction}-{number}" in used:
        number += 1
    return f"{draft.jurisdiction}-{number}"


def _file_digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise NotReadable(
            f"Cannot read {path}: {error.strerror}.", remedy="Name a file that is there."
        ) from error


def find(register: Register, name: str) -> Sequence[Approval]:
    """Return the record with an id, or every record of a target.

    Raises:
        NotConfigured: there is none.
    """
    found = [
        one
        for one in register.approvals
        if name in (one.id, one.game, f"{one.game}/{one.wager}", one.target)
    ]
    if not found:
        raise unknown(
            "record", name, [*(one.id for one in register.approvals),
                             *dict.fromkeys(one.target for one in register.approvals)],
        )  # fmt: skip
    return found
