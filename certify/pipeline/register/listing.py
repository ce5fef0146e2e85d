"""The register as it is listed: each record, how long it waits, when its state's rules change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from certify.intake.register import read_register
from certify.model.approval import Approval, ApprovalStatus
from certify.model.encoding import Forms, chosen, stated
from certify.model.finding import Finding
from certify.model.jurisdiction import Deadline, Jurisdiction
from certify.pipeline.register.register import check_register
from certify.pipeline.targets import declared

COLUMNS = ("id", "target", "game_name", "house_way", "jurisdiction", "status", "date")


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A deadline that a record has begun: its last day, and how many days that is from now.

    ``days`` is negative where the day has passed.
    """

    deadline: Deadline
    day: date
    days: int

    @property
    def passed(self) -> bool:
        """Whether the day has passed."""
        return self.days < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One record, and the days that belong to it.

    ``waiting`` are the days that a pending one waits; ``next_change`` is the next day on which a
    rule of its jurisdiction changes, as far as that is declared, and ``days`` how far it is.
    ``due`` are the deadlines that its own day begins, those to come first.
    """

    record: Approval
    waiting: int | None
    next_change: date | None
    days: int | None
    due: tuple[Due, ...]


def listed(path: Path, today: date) -> tuple[tuple[Listed, ...], tuple[Finding, ...]]:
    """Return the records of a register as of a day, and what has changed since they were made.

    Raises:
        Unfit: the register has errors.
        Unfit: the declared data has errors.
    """
    register, _ = read_register(path)
    findings, _ = check_register(path)
    states = declared().jurisdictions
    return tuple(_listed(approval, states, today) for approval in register.approvals), findings


def _listed(record: Approval, states: Mapping[str, Jurisdiction], today: date) -> Listed:
    pending = record.status is ApprovalStatus.PENDING
    state = states.get(record.jurisdiction)
    coming = min(_coming(state, today), default=None) if state else None
    return Listed(
        record=record,
        waiting=(today - record.day).days if pending else None,
        next_change=coming,
        days=(coming - today).days if coming else None,
        due=tuple(_due(record, state, today)) if state else (),
    )


def _due(record: Approval, state: Jurisdiction, today: date) -> list[Due]:
    """Return the deadlines that begin with the status that a record has, on its day."""
    begun = (deadline for deadline in state.deadlines if deadline.begins == str(record.status))
    days = ((deadline, deadline.ends(record.day)) for deadline in begun)
    dues = [Due(deadline=deadline, day=day, days=(day - today).days) for deadline, day in days]
    return sorted(dues, key=lambda due: (due.passed, due.day))


def _coming(state: Jurisdiction, today: date) -> Iterator[date]:
    """Yield the days to come on which a text of a rule begins or ends."""
    for rule in state.rules:
        for version in rule.versions:
            for day in (version.effective_from, version.effective_to):
                if day is not None and day > today:
                    yield day


def approval_json(approval: Approval) -> dict[str, Any]:
    """Return a record for scripts; what is not stated is absent."""
    filed = chosen(approval, "id", "target", "game_name", "house_way", "jurisdiction", "status")
    kept = chosen(
        approval, "content_sha256", "revision", "rules_sha256", "letter_sha256", "documents",
        "superseded_by",
    )  # fmt: skip
    return stated(filed | {"date": approval.day} | kept)


FORMS: Forms = {Approval: approval_json}
