"""The register as a list, and the approved records and documents in it."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from certify import library
from certify.checks.r_jurisdictions.documents import R014
from certify.errors import NotConfigured
from certify.figures.targets import load_catalog
from certify.filing.declaration import declare_approved
from certify.filing.register import (
    IN_FORCE,
    describe_fix,
    explain_change,
    has_content,
    rules_changed,
    rules_digest,
    rules_finding,
)
from certify.intake.files import encode_approval, encode_paytable, read_register
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    ApprovedDocument,
    Content,
    Elsewhere,
    RegisteredPaytable,
)
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.encoding import Forms, drop_empty, pick_values
from certify.model.finding import Finding, Unfit
from certify.model.game import Game
from certify.model.jurisdiction import Deadline, Jurisdiction
from certify.model.paytable import EarlierVersion, Payout
from certify.model.submission import Filing
from certify.received.files import walk
from certify.report.wording import together
from certify.storage import read_at_most

COLUMNS = (
    "id",
    "target",
    "game_name",
    "house_way",
    "jurisdiction",
    "filing",
    "operator",
    "revision",
    "status",
    "date",
    "conditions",
    "effective",
    "trial_until",
    "provable_until",
    "paytables",
    "letter_sha256",
    "documents",
)


def list_fields(records: Iterable[Approval]) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns of a list of entries, and its rows."""
    entries = [
        approval_json(each)
        | {
            "house_way": each.house_way,
            "paytables": " ".join(each.targets),
            "documents": " ".join(document.name for document in each.documents),
        }
        for each in records
    ]
    return [*COLUMNS], [[str(entry.get(name) or "") for name in COLUMNS] for entry in entries]


def by_jurisdiction(records: Iterable[Approval]) -> tuple[list[str], list[list[str]]]:
    """Return the entries in force by jurisdiction: names of columns, and a row for each target.

    A cell has the status, the revision, the day and the holder of each entry.
    """
    in_force = [each for each in records if each.status in IN_FORCE]
    states = sorted({each.jurisdiction for each in in_force})
    cells: dict[str, dict[str, list[str]]] = {}
    for each in in_force:
        revision = f" revision {each.revision}" if each.revision else ""
        holder = f", {each.holder}" if each.holder else ""
        words = f"{each.status}{revision} {each.day}{holder}"
        for target in each.targets:
            cells.setdefault(target, {}).setdefault(each.jurisdiction, []).append(words)
    rows = [
        [target, *("; ".join(row.get(state, ())) for state in states)]
        for target, row in cells.items()
    ]
    return ["target", *states], rows


class Due(Struct, frozen=True, kw_only=True):
    """A deadline that a record has begun: its last day, and how many days that is from now.

    ``days`` is negative where the day has passed.
    """

    deadline: Deadline
    day: date
    days: int

    @property
    def is_past(self) -> bool:
        """True if the day has passed."""
        return self.days < 0


class Listed(Struct, frozen=True, kw_only=True):
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


def list_record(record: Approval, states: Mapping[str, Jurisdiction], today: date) -> Listed:
    """Return an entry with the days that belong to it, by the jurisdictions with their ids."""
    pending = record.status is ApprovalStatus.PENDING
    state = states.get(record.jurisdiction)
    rules = state.rules if state else ()
    versions = (version for rule in rules for version in rule.versions)
    days = (day for each in versions for day in (each.effective_from, each.effective_to))
    coming = min((day for day in days if day is not None and day > today), default=None)
    return Listed(
        record=record,
        waiting=(today - record.day).days if pending else None,
        next_change=coming,
        days=(coming - today).days if coming else None,
        due=tuple(_due(record, state, today)) if state else (),
    )


def _due(record: Approval, state: Jurisdiction, today: date) -> list[Due]:
    """Return the deadlines that begin with the status that a record has, on its day."""
    days = [
        (deadline, deadline.ends(record.day))
        for deadline in state.deadlines
        if deadline.begins == str(record.status)
    ]
    dues = [Due(deadline=deadline, day=day, days=(day - today).days) for deadline, day in days]
    return sorted(dues, key=lambda due: (due.is_past, due.day))


def approval_json(approval: Approval) -> dict[str, Any]:
    """Return a register entry as JSON, with `Approval.provable_until`; empty fields are absent."""
    written = encode_approval(approval, "id", "target", "game_name")
    return written | drop_empty(pick_values(approval, "provable_until"))


FORMS: Forms = {Approval: approval_json, RegisteredPaytable: encode_paytable, Payout: str}


CHANGED = R014.id
"""The finding on an approved or filed record that is declared with other content."""

REGISTER = "register.json"
"""The register of a project, in its folder."""


def find_register(project: Path | None) -> Path | None:
    """Return the register of a project, None if it has none."""
    path = project / REGISTER if project is not None else None
    return path if path is not None and path.is_file() else None


def find_approvals(key: str) -> tuple[Approval, ...]:
    """Return the project's records in force of one target, or of all targets below a game or wager.

    Raises:
        Unfit: the register has errors.
    """
    return tuple(
        approval
        for approval in read_approvals(library.project())
        if approval.status in IN_FORCE
        and any(f"{target}/".startswith(f"{key}/") for target in approval.targets)
    )


def approvals_by_house_way(way: str) -> tuple[Approval, ...]:
    """Return the project's records in force whose figures depend on a house way.

    Raises:
        Unfit: the register has errors.
    """
    return tuple(
        approval
        for approval in read_approvals(library.project())
        if approval.status in IN_FORCE and approval.house_way == way
    )


class InForce(NamedTuple):
    """Records of one status, jurisdiction and day: the first of them, and how many there are."""

    first: Approval
    others: int


def group_in_force(approvals: Iterable[Approval]) -> tuple[InForce, ...]:
    """Return records by status, jurisdiction and day, in the order of the register."""
    grouped = together(
        ((approval.status, approval.jurisdiction, approval.day), approval) for approval in approvals
    )
    return tuple(InForce(group[0], len(group) - 1) for group in grouped.values())


def read_approvals(project: Path | None) -> tuple[Approval, ...]:
    """Return the records of a project, none if it has no register."""
    path = find_register(project)
    return read_register(path)[0].approvals if path is not None else ()


def refuse_approved_rules(game: Game) -> None:
    """Refuse a change of the rules of a game whose revision is approved or filed.

    Raises:
        NotConfigured: a record in force has this revision.
        Unfit: the register has errors.
    """
    for approval in find_approvals(game.id):
        has_rules = approval.filing is None and approval.rules_sha256 is not None
        if has_rules and approval.revision == game.revision:
            raise NotConfigured(
                f"Revision {game.revision} of the rules of {game.id} is {approval.status} in "
                f"{load_catalog().jurisdiction_name(approval.jurisdiction)} (entry {approval.id}).",
                remedy=f"Create the next revision first: `certify new revision {game.id} "
                "--text CHANGES`.",
            )


def changed_records(project: Path, catalog: Catalog) -> tuple[Finding, ...]:
    """Return a finding on each record that is approved or filed and declared with other content.

    A record that the catalog does not hold is passed over, as only some files may have been read.
    """
    try:
        approvals = read_approvals(project)
        catalogs = declare_approved(approvals, catalog)
    except Unfit as error:
        return error.findings
    except NotConfigured:
        return ()
    in_force = [
        (approval, catalogs[approval.filing])
        for approval in approvals
        if approval.status in IN_FORCE and approval.filing in catalogs
    ]

    @cache
    def digest_rules(filing: str | None, game: str) -> str | None:
        return rules_digest(catalogs[filing], game)

    contents = (
        _finding(each, declared)
        for approval, declared in in_force
        for each in approval.by_paytable
        if _is_changed(each, declared)
    )
    # One finding for a game in a jurisdiction, which has an entry for each paytable.
    rules = {
        (approval.game, approval.jurisdiction, approval.filing): _rules_finding(approval, declared)
        for approval, declared in reversed(in_force)
        if rules_changed(approval, declared, digest_rules(approval.filing, approval.game))
    }
    return (*contents, *rules.values())


def approved_pays(
    project: Path, targets: Collection[str], catalog: Catalog
) -> dict[str, list[EarlierVersion]]:
    """Return approved paytables by target, with their pays, for ``targets`` that have some.

    A register with errors gives none; `changed_records` reports them.
    """
    try:
        approvals = read_approvals(project)
    except (Unfit, NotConfigured):
        return {}
    return together(
        (target, _approved_version(approval, paytable, catalog))
        for approval in approvals
        for target, paytable in zip(approval.targets, approval.paytables, strict=True)
        if approval.status is ApprovalStatus.APPROVED and target in targets
    )


def _approved_version(
    approval: Approval, paytable: RegisteredPaytable, catalog: Catalog
) -> EarlierVersion:
    name = (
        f"the paytable approved in {catalog.jurisdiction_name(approval.jurisdiction)} "
        f"(entry {approval.id})"
    )
    rows = [{"event": event, "pays": str(pay)} for event, pay in paytable.pays.items()]
    return EarlierVersion(name, {"rows": rows}, whole=False)


def _is_changed(approval: Approval, catalog: Catalog) -> bool:
    way = approval.house_way
    needed = {*approval.targets, approval.game, *((f"house-ways/{way}",) if way else ())}
    if not needed <= catalog.documents.keys():
        return False
    try:
        return not has_content(approval, catalog)
    except KeyError:  # its envy table is missing, which is reported as a finding
        return False


def _finding(approval: Approval, catalog: Catalog) -> Finding:
    way = f"house-ways/{approval.house_way}"
    documents, (target,) = catalog.documents, approval.targets
    envy = f"{target.rpartition('/')[0]}/envy/{documents[target].value.get('envy')}"
    others = (approval.game, way, *EVENT_FILES, envy)
    return documents[target].finding(
        R014.id,
        "",
        f"{target} is {approval.status} in "
        f"{catalog.jurisdiction_name(approval.jurisdiction)} ({approval.entered}), but its content "
        f"has changed.{explain_change(approval, catalog)}",
        describe_fix(approval, catalog),
        related=tuple(documents[key].path for key in others if key in documents),
    )


def _rules_finding(approval: Approval, catalog: Catalog) -> Finding:
    game = catalog.documents[approval.game]
    wagers = (f"{approval.game}/{wager}" for wager in game.value["wagers"])
    related = tuple(catalog.documents[key].path for key in wagers)
    return rules_finding(game, "/revision", approval, catalog, related)


DEPTH = 3
"""Levels of folders below that of the register in which the document is looked for."""
WHOLE = re.compile(r"\.mathematics(\..+)?\.pdf")
"""The end of the name of a document that embeds all of a filing, signed once or more often."""
REVISION = re.compile(rb"%%EOF(\r?\n|\r)?")
"""The end of a revision of a PDF, with or without its line end."""


def find_approved(path: Path, filing: Filing) -> tuple[ApprovedDocument | None, Path | None]:
    """Return the latest approved mathematics report that a register names, and its file, if any.

    It is of the same game, jurisdiction and holder. Files are looked for below the register's
    folder, by name and digest.

    Raises:
        Unfit: the register has errors.
    """
    owner = (filing.game.id, filing.jurisdiction.id, filing.terms.holder)
    approvals = [
        approval
        for approval in read_register(path)[0].approvals
        if (approval.game, approval.jurisdiction, approval.holder) == owner
        and approval.status is ApprovalStatus.APPROVED
    ]
    documents = [
        ApprovedDocument(name=file.name, sha256=file.sha256, record=approval.id, day=approval.day)
        for approval in sorted(approvals, key=lambda approval: approval.day, reverse=True)
        for file in approval.documents
        if WHOLE.search(file.name)
    ]
    files = [*walk(path.absolute().parent, DEPTH)] if documents else []
    for document in documents:
        for file in files:
            if file.name == document.name and _sha256(file) == document.sha256:
                return document, file
    return next(iter(documents), None), None


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
