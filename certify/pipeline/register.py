"""The register of approvals: what is in force, and whether it is still the same."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from certify.intake.register import read_register
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    FilingStanding,
    PaytableStanding,
    Register,
)
from certify.model.catalogue import Catalogue
from certify.model.document import Document
from certify.model.finding import Finding, Severity
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.pipeline.content import content_digest
from certify.pipeline.targets import declared, unknown

IN_FORCE: Final = (ApprovalStatus.APPROVED, ApprovalStatus.PENDING)


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


def check_register(path: Path) -> tuple[tuple[Finding, ...], int]:
    """Compare every record in force with what is declared now.

    Returns:
        The findings, and how many records were looked at.

    Raises:
        UnfitRegister: the register has errors.
        Unfit: the declared data has errors.
    """
    register, document = read_register(path)
    catalogue = declared()
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
    elif content_digest(catalogue, one.target, house_way=one.house_way) != one.content_sha256:
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
    digest = content_digest(catalogue, record.target, house_way=way)
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
