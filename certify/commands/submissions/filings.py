"""The filings of a project: cases from draft to decision, differences, what a change touches."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from certify import library
from certify.commands.submissions.submissions import FoundSubmission, Step, list_submissions
from certify.errors import CertifyError, NotConfigured
from certify.figures.findings import find_filing_rule
from certify.figures.targets import load_catalog, lookup, unknown_id
from certify.filing.declaration import (
    declare_approved,
    list_filings,
    read_filings,
    resolve_order,
    split_sentences,
    take_amounts,
    term_values,
)
from certify.filing.listing import Due, list_record, read_approvals
from certify.filing.order import build_filing
from certify.filing.register import IN_FORCE, has_content
from certify.filing.register_check import list_unlike
from certify.intake.files import read_terms
from certify.intake.layout import FILINGS
from certify.model.approval import Approval, ApprovalStatus, Role
from certify.model.catalog import Catalog
from certify.model.game import Game
from certify.model.jurisdiction import TERMS, Terms
from certify.model.paytable import Paytable
from certify.model.submission import Filing, Order, Status
from certify.report.tables import Table, table

STATUSES: Final = (Status.UNSIGNED, Status.DRAFT, Status.FINAL)

COLUMNS = (
    "game", "jurisdiction", "filing", "operator", "revision", "status", "next_step",
    "approved_revision", "approved", "next_deadline",
)  # fmt: skip


class Stage(Struct, frozen=True, kw_only=True):
    """A stage of a case: who completed it, on which day, and the local time of a signature.

    ``state`` is ``done``, ``now`` for the next one, or ``later``.
    """

    name: str
    state: str
    who: str = ""
    day: dt.date | None = None
    time: str = ""


class Case(Struct, frozen=True, kw_only=True):
    """One filing of a game in a jurisdiction, or its submissions there without a filing.

    Attributes:
        game: its id.
        jurisdiction: its id.
        filing: the name of the filing; empty without one.
        terms: the declared filing; None without a file.
        submissions: its drafts and signed filings, the latest revision first.
        entries: its entries of the register, in their order.
    """

    game: str
    jurisdiction: str
    filing: str
    terms: Terms | None
    submissions: tuple[FoundSubmission, ...]
    entries: tuple[Approval, ...]

    @property
    def revision(self) -> str:
        """The declared revision; without a filing, the latest one that was made."""
        if self.terms is not None and self.terms.revision is not None:
            return self.terms.revision
        submitted = [str(each.manifest["revision"]) for each in self.submissions]
        filed = [each.revision or "" for each in self.entries[::-1]]
        return next(iter((*submitted, *filed)), "")

    @property
    def current(self) -> FoundSubmission | None:
        """The submission of this revision that is furthest; None if nothing was made."""
        submissions = [
            each for each in self.submissions if str(each.manifest["revision"]) == self.revision
        ]
        return max(submissions, key=lambda each: STATUSES.index(each.status), default=None)

    @property
    def step(self) -> str:
        """The next step, `Step`; ``draft`` if nothing of this revision was made."""
        if self.current is not None:
            return self.current.step
        entries = [each for each in self.entries if each.revision == self.revision]
        if not entries:
            return "draft"
        return Step.WAIT if entries[-1].status is ApprovalStatus.PENDING else Step.DECIDED

    @property
    def approved(self) -> tuple[Approval, ...]:
        """The approvals in force."""
        return tuple(each for each in self.entries if each.status is ApprovalStatus.APPROVED)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages from draft to decision of the declared revision."""
        current = self.current
        signed = current.signatures if current is not None else {}
        final = current is not None and current.status is Status.FINAL
        entries = [each for each in self.entries if each.revision == self.revision]
        decided = [each for each in entries if each.status is not ApprovalStatus.PENDING]
        preparer = _describe_signature(signed.get(Role.PREPARER))
        completed: dict[str, dict[str, Any] | None] = {
            "draft": ({} if final else preparer) if current is not None else None,
            "signed": preparer if final else None,
        }
        for role in (Role.LABORATORY, Role.APPROVER):
            is_signed = final and role in signed
            completed[str(role)] = _describe_signature(signed[role]) if is_signed else None
        filed = [{"who": each.person or "", "day": each.day} for each in entries]
        completed["filed"] = filed[0] if filed else None
        name = str(decided[-1].status) if decided else "decided"
        completed[name] = {"day": decided[-1].day} if decided else None
        waiting = () if decided else (name for name, done in completed.items() if done is None)
        now = next(iter(waiting), "")
        return tuple(
            Stage(name=name, state="now" if name == now else "later")
            if done is None
            else Stage(name=name, state="done", **done)
            for name, done in completed.items()
        )

    def list_due(self, catalog: Catalog, today: dt.date) -> tuple[Due, ...]:
        """Return the deadlines that its entries in force have begun."""
        in_force = (each for each in self.entries if each.status in IN_FORCE)
        dues = (due for each in in_force
                for due in list_record(each, catalog.jurisdictions, today).due)  # fmt: skip
        return tuple({(due.deadline.id, due.day): due for due in dues}.values())

    def list_changes(self, catalog: Catalog) -> tuple[str, ...]:
        """Return the present differences from the approved filing, in words.

        Raises:
            Unfit: the file of the filing has errors.
        """
        if not self.approved:
            return ()
        present = declare_approved(self.approved, catalog).get(self.filing or None)
        if present is None:
            return (f"{FILINGS}/{self.filing}.json is missing",)
        changes = []
        for approval in self.approved:
            missing = [target for target in approval.targets if target not in present.documents]
            changes += [f"{target} is missing" for target in missing]
            changes += [] if missing else [list_unlike(approval, present)]
        return tuple(dict.fromkeys(filter(None, changes)))


def _describe_signature(signature: tuple[str, dt.datetime | None] | None) -> dict[str, Any]:
    """Return who signed, and when in local time, as the signature states it."""
    who, moment = signature or ("", None)
    if moment is None:
        return {"who": who}
    local = moment.astimezone()
    return {"who": who, "day": local.date(), "time": f"{local:%H:%M}"}


def list_cases(project: Path) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the cases of a project, and why files or the register cannot be read."""
    submissions, problems = list_submissions(project)
    filings = read_filings()
    declared = [
        (terms.game, terms.jurisdiction, name)
        for name, terms in filings.items()
        if terms.game and terms.jurisdiction
    ]
    try:
        entries = read_approvals(project)
    except CertifyError:
        entries = ()  # said by `list_submissions`
    keys = dict.fromkeys((*declared, *map(_found_key, submissions), *map(_key, entries)))
    cases = tuple(
        Case(
            game=key[0],
            jurisdiction=key[1],
            filing=key[2],
            terms=filings.get(key[2]),
            submissions=tuple(each for each in submissions if _found_key(each) == key),
            entries=tuple(each for each in entries if _key(each) == key),
        )
        for key in keys
    )
    return cases, problems


def _found_key(submission: FoundSubmission) -> tuple[str, str, str]:
    manifest = submission.manifest
    return str(manifest["game"]), str(manifest["jurisdiction"]), str(manifest.get("filing") or "")


def _key(entry: Approval) -> tuple[str, str, str]:
    return entry.game, entry.jurisdiction, entry.filing or ""


def list_rows(cases: tuple[Case, ...], catalog: Catalog, today: dt.date) -> list[list[str]]:
    """Return a row for each case, with the texts of `COLUMNS`."""
    rows = []
    for case in cases:
        current, approved = case.current, case.approved[-1] if case.approved else None
        due = [str(each.day) for each in case.list_due(catalog, today) if not each.is_past]
        rows.append([
            case.game,
            case.jurisdiction,
            case.filing,
            case.terms.operator.name if case.terms and case.terms.operator else "",
            case.revision,
            str(current.status) if current else "",
            str(case.step),
            (approved.revision or "") if approved else "",
            str(approved.day) if approved else "",
            min(due, default=""),
        ])  # fmt: skip
    return rows


def list_changed(filing: str, game: Game, catalog: Catalog) -> list[str] | None:
    """Return the paytables of a game that differ from the register's entries of a filing, or lack.

    None if the register has no entry of the filing.

    Raises:
        Unfit: the register or the filing has errors.
    """
    approvals = read_approvals(library.project())
    latest = {
        paytable.targets[0]: paytable
        for each in approvals
        if each.filing == filing
        for paytable in each.by_paytable
    }
    if not latest:
        return None
    present = declare_approved(latest.values(), catalog).get(filing)
    return [
        table.target
        for table in game.paytables
        if present is None
        or table.target not in latest
        or not has_content(latest[table.target], present)
    ]


class Touched(Struct, frozen=True, kw_only=True):
    """A filing that rests on a target, and its entry in force, if it has one.

    ``applicant`` is the party that files with the regulator. ``revision`` is the declared one.
    ``entry`` has its status and revision; ``changed`` says what differs from it now. ``citation``
    and ``requirement`` are those of the rule of the jurisdiction on the filing of a change.
    """

    filing: str
    jurisdiction: str
    regulator: str
    operator: str
    revision: str
    entry: str = ""
    changed: str = ""
    applicant: str = ""
    citation: str = ""
    requirement: str = ""


def list_differences(game: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return the names of a game's filings, and the values of each topic that differs among them.

    Raises:
        NotConfigured: the game is unknown, or the project has no filing of it.
        Unfit: a filing cannot be submitted.
    """
    filings = _build_filings(lookup("game", game, load_catalog().games).id)
    values = {name: _topics(filing) for name, filing in filings.items()}
    topics = dict.fromkeys(topic for by_topic in values.values() for topic in by_topic)
    rows = {topic: [by_topic.get(topic, "") for by_topic in values.values()] for topic in topics}
    return [*filings], {topic: row for topic, row in rows.items() if len({*row}) > 1}


def list_touched(target: str) -> tuple[Touched, ...]:
    """Return the filings of a project that rest on a game, wager, option, paytable or house way.

    Raises:
        NotConfigured: the target is unknown, or the project has no filing.
        Unfit: a filing cannot be submitted, or the register has errors.
    """
    catalog = load_catalog()
    if target not in catalog.documents and target not in catalog.games:
        raise unknown_id("target", target, list(catalog.documents))
    approvals = read_approvals(library.project())
    return tuple(
        _describe_touched(name, filing, approvals)
        for name, filing in _build_filings().items()
        if _rests_on(filing, target)
    )


def differences_json(names: Sequence[str], rows: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the object of ``certify matrix --format json``."""
    return {
        "filings": names,
        "topics": [
            {"topic": topic, "values": dict(zip(names, row, strict=True))}
            for topic, row in rows.items()
        ],
    }


def touched_table(touched: Iterable[Touched]) -> Table:
    """Return the filings that a change touches as a table."""
    return table(
        "",
        "Filing | Regulator | Applicant | Declared | Register | Changed since",
        [
            (each.filing, each.regulator, each.applicant, each.revision, each.entry, each.changed)
            for each in touched
        ],
    )


def _build_filings(game: str | None = None) -> dict[str, Filing]:
    """Return the filings of the project, or of one game, by name."""
    named = {name: read_terms(path)[0].game for name, path in list_filings().items()}
    filings = {
        name: build_filing(resolve_order(Order(game=name)))
        for name, owner in named.items()
        if game in (None, owner)
    }
    if not filings:
        raise NotConfigured(
            f"The project has no filing{'' if game is None else f' of {game}'}.",
            remedy="Create one with `certify new filing`.",
        )
    return filings


def _topics(filing: Filing) -> Mapping[str, str]:
    """Return the values of a filing in words, by topic."""
    documents, game = filing.catalog.documents, filing.game
    declared = documents[TERMS].value
    facts: dict[str, Any] = {
        "jurisdiction": filing.jurisdiction.name,
        "revision": f"{game.revision} of {game.revised}",
        "filed": [record.target.removeprefix(f"{game.id}/") for record in filing.records],
        "house way": filing.order.house_way or game.house_way,
        "strategy": filing.order.strategy or game.strategy,
    }
    facts |= {f"terms: {topic}": value for topic, value in term_values(declared).items()}
    for paytable in filing.paytables:
        facts[f"amounts: {paytable.target}"] = take_amounts(documents[paytable.target].value)[1]
        envy = documents.get(f"{game.id}/{paytable.wager}/envy/{paytable.envy}")
        if envy is not None:
            facts[f"envy minimum: {envy.value['id']}"] = envy.value["qualifying_wager_cents"]
    for key, document in documents.items():
        if key.partition("/")[0] == game.id and key.count("/") <= 1:
            sentences = split_sentences(document.value)
            facts |= {f"rule: {key}: {name}": each["text"] for name, each in sentences.items()
                      if name}  # fmt: skip
    return {topic: _say(value) for topic, value in facts.items()}


def _say(value: Any) -> str:  # noqa: ANN401 - a JSON value
    if isinstance(value, dict):
        return ", ".join(f"{name} {_say(part)}" for name, part in value.items())
    return ", ".join(map(_say, value)) if isinstance(value, list) else str(value)


def _rests_on(filing: Filing, target: str) -> bool:
    """Return True if a filing has a record of a target, or one that rests on it."""
    names = [record.target for record in filing.records]
    names += [
        f"{filing.game.id}/{record.wager}/envy/{record.envy}"
        for record in filing.paytables
        if isinstance(record, Paytable) and record.envy is not None
    ]
    way = filing.order.house_way or filing.game.house_way
    if target == f"house-ways/{way}":
        return filing.main is not None
    return any(f"{name}/".startswith(f"{target}/") for name in names)


def _describe_touched(name: str, filing: Filing, approvals: tuple[Approval, ...]) -> Touched:
    terms = filing.terms
    entries = [each for each in approvals if each.filing == name and each.status in IN_FORCE]
    latest = entries[-1] if entries else None
    _, rule = find_filing_rule(filing.jurisdiction, dt.datetime.now(dt.UTC).date())
    return Touched(
        filing=name,
        jurisdiction=filing.jurisdiction.name,
        regulator=filing.jurisdiction.regulator,
        operator=terms.operator.name if terms.operator is not None else "",
        revision=filing.game.revision,
        entry=f"{latest.status}, revision {latest.revision}" if latest is not None else "",
        changed=list_unlike(latest, filing.catalog) if latest is not None else "",
        applicant=(terms.applying and terms.applying.name) or "",
        citation=rule.citation if rule is not None else "",
        requirement=rule.text if rule is not None else "",
    )
