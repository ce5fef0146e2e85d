"""Check of the register of approvals: entries in force, and their content."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from certify import library
from certify.checks.r_jurisdictions.documents import R014, namesakes
from certify.errors import NotConfigured
from certify.figures.provenance import is_shipped
from certify.figures.targets import lookup, refuse_errors, unknown_id
from certify.filing.declaration import REVISION, digest_value, take_amounts
from certify.formatting import join_words
from certify.intake.files import read_register
from certify.intake.layout import OWN
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    Consulted,
    FilingStanding,
    PaytableStanding,
    Register,
)
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.finding import Document, Finding
from certify.model.game import Game
from certify.model.jurisdiction import Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable

IN_FORCE: Final[tuple[ApprovalStatus, ...]] = (ApprovalStatus.APPROVED, ApprovalStatus.PENDING)


def content_digest(
    catalog: Catalog, target: str, *, house_way: str | None = None, filed: bool = False
) -> str:
    """Return the SHA-256 digest of the meaning of an option or paytable.

    It covers the object, its envy table, the conditions of its events in their order of rank, and
    for a main wager the game's deck and hands and the house way. Citations, the file's layout and
    the order of its properties do not matter; if it is ``filed`` by a filing, the amounts that a
    filing sets do not matter either.

    Raises:
        NotConfigured: the target is not declared.
    """
    documents = catalog.documents
    record = lookup("target", target, documents).value
    game, wager, _ = target.split("/")
    parts: dict[str, Any] = {"record": record}
    if record.get("envy") is not None:
        parts["envy"] = documents[f"{game}/{wager}/envy/{record['envy']}"].value
    if filed:
        parts = {name: take_amounts(part)[0] for name, part in parts.items()}
    used = {row["event"] for part in parts.values() for row in part.get("rows", ())}
    parts["events"] = [
        {name: event[name] for name in ("id", "when", "player", "dealer") if name in event}
        for key in EVENT_FILES
        if key in documents
        for event in documents[key].value["events"]
        if event["id"] in used
    ]
    declared = documents[game].value
    parts["game"] = {name: declared.get(name) for name in ("deck", "hand", "joker", "wheel")}
    if house_way is not None:
        parts["house_way"] = documents[f"house-ways/{house_way}"].value
    return digest_value(_meaning(parts))


def rules_digest(catalog: Catalog, game: str) -> str | None:
    """Return the digest of a game's rules by SHA-256: its file and those of its wagers.

    The revision, its date and the list of changes are left out. None where a file is not there.
    """
    documents = catalog.documents
    if game not in documents:
        return None
    rules = {name: part for name, part in documents[game].value.items() if name not in REVISION}
    keys = [f"{game}/{wager}" for wager in rules.get("wagers", ())]
    if not documents.keys() >= set(keys):
        return None
    return digest_value(_meaning([rules, *(documents[key].value for key in keys)]))


def rules_changed(approval: Approval, catalog: Catalog, digest: str | None) -> bool:
    """Return True if the rules differ from those of an entry of the same revision.

    ``digest`` is the `rules_digest` of its game.
    """
    game = catalog.documents.get(approval.game)
    if approval.rules_sha256 is None or game is None:
        return False
    same = game.value.get("revision") == approval.revision
    return same and digest not in {None, approval.rules_sha256}


def rules_finding(
    document: Document,
    pointer: str,
    approval: Approval,
    catalog: Catalog,
    related: tuple[str, ...] = (),
) -> Finding:
    """Return the finding on rules that changed without a new revision."""
    documents = catalog.documents
    wagers = documents[approval.game].value.get("wagers", ()) if approval.game in documents else ()
    project_files, shipped = _split(
        (approval.game, *(f"{approval.game}/{wager}" for wager in wagers)), catalog
    )
    restore = "Restore the rules, or create" if project_files else "Create"
    owner = approval.filing or approval.game
    return document.finding(
        R014.id,
        pointer,
        f"Revision {approval.revision} of the rules of {owner} is {approval.status} in "
        f"{catalog.jurisdiction_name(approval.jurisdiction)} ({approval.entered}), "
        f"but the rules have changed.{_explain(approval, project_files, shipped)}",
        f"{restore} a new revision: `certify new revision {owner} --text CHANGES`.",
        related=related,
    )


def _meaning(value: object) -> object:
    """Return a JSON value without properties that do not affect its meaning, such as citations."""
    if isinstance(value, dict):
        named = {name: part for name, part in value.items() if name not in ("$schema", "source")}
        return {name: _meaning(part) for name, part in named.items()}
    return [_meaning(part) for part in value] if isinstance(value, list) else value


def consult(
    path: Path,
    *,
    catalog: Catalog,
    game: Game,
    jurisdiction: str,
    records: Iterable[Paytable | MainWager],
    house_way: str,
    terms: Terms,
) -> Consulted:
    """Return a register's entries on a submission; see `list_standings` for the arguments.

    Of a filing, those of its holder count; without one, those of no filing.

    Raises:
        NotConfigured: there is no register.
        Unfit: it has errors.
        Unfit: an id is approved or pending with other content.
    """
    if not path.is_file():
        raise NotConfigured(
            f"There is no register {path}.",
            remedy="Name the file that `certify register add` writes, or omit --register.",
        )
    whole, document = read_register(path)
    holder = terms.operator.name if terms.operator is not None else terms.id
    entries = {
        place: entry
        for place, entry in enumerate(whole.approvals)
        if (entry.filing is None if terms.id is None else entry.holder == holder)
    }
    standings = list_standings(
        Register(approvals=tuple(entries.values())),
        catalog=catalog,
        jurisdiction=jurisdiction,
        records=records,
        house_way=house_way,
    )
    refuse_errors(_find_changed(document, whole, catalog, standings))
    digest = rules_digest(catalog, game.id)
    changed = (
        rules_finding(document, f"/approvals/{place}/rules_sha256", entry, catalog)
        for place, entry in entries.items()
        if (entry.game, entry.jurisdiction) == (game.id, jurisdiction)
        and entry.status in IN_FORCE
        and rules_changed(entry, catalog, digest)
    )
    refuse_errors(islice(changed, 1))
    names = other_names(whole, game=game.id, jurisdiction=jurisdiction)
    return Consulted(
        sha256=document.sha256,
        records=len(whole.approvals),
        last=max((approval.day for approval in whole.approvals), default=None),
        standings=standings,
        other_names=len(names),
        namesakes=namesakes(game, names),
    )


def _find_changed(
    document: Document,
    register: Register,
    catalog: Catalog,
    standings: Iterable[PaytableStanding],
) -> Iterator[Finding]:
    """Yield findings on entries in force whose content differs from the submitted content."""
    changed = {
        standing.target: standing
        for standing in standings
        if standing.standing is FilingStanding.CHANGED
    }
    for place, approval in enumerate(register.approvals):
        for number, each in enumerate(approval.by_paytable):
            standing = changed.get(each.targets[0])
            if standing is not None and standing.record == approval.id:
                pointer = find_pointer(approval, place, number, "content_sha256")
                yield changed_finding(
                    document,
                    pointer,
                    each,
                    catalog,
                    standing.detail + explain_change(each, catalog),
                )


def list_standings(
    register: Register,
    *,
    catalog: Catalog,
    jurisdiction: str,
    records: Iterable[Paytable | MainWager],
    house_way: str,
) -> tuple[PaytableStanding, ...]:
    """Return the status of each paytable and option: approved, pending, new, or changed.

    Args:
        register: the entries.
        catalog: the present catalog.
        jurisdiction: the jurisdiction of the submission.
        records: the submitted options and paytables.
        house_way: the house way that a main wager's figures depend on.
    """
    return tuple(
        _standing(register, catalog, jurisdiction, record, house_way) for record in records
    )


def other_names(register: Register, *, game: str, jurisdiction: str) -> tuple[str, ...]:
    """Return the names under which other games are approved or pending in a jurisdiction."""
    names = {
        approval.game_name: None
        for approval in register.approvals
        if approval.game != game
        and approval.jurisdiction == jurisdiction
        and approval.status in IN_FORCE
    }
    return tuple(names)


def explain_change(approval: Approval, catalog: Catalog) -> str:
    """Return the reason for changed content if files that come with certify may be it."""
    return _explain(approval, *_split_files(approval, catalog))


def _explain(approval: Approval, project_files: Sequence[str], shipped: Sequence[str]) -> str:
    """Return a sentence on what may have changed the content, as far as the entry can show it.

    Files of the project that are gone leave no trace, nor does an edit of the entry.
    """
    same_build = approval.build == library.build_sha256()
    if not shipped or (project_files and same_build):
        return ""
    if same_build:
        return (
            " This build of certify made the entry, and only its files are left: the entry was "
            "edited, or files of the project are gone."
        )
    condition = (
        f"{join_words(project_files)} did not change"
        if project_files
        else "no file of the project is gone"
    )
    return (
        f" If {condition}, another version of certify changed the files that come with it: its "
        "changelog lists the figures that moved."
    )


def _split_files(approval: Approval, catalog: Catalog) -> tuple[list[str], list[str]]:
    """Return the own files that a paytable depends on, and those that come with certify."""
    way = (f"house-ways/{approval.house_way}",) if approval.house_way else ()
    (target,) = approval.targets
    prizes = f"{target.rpartition('/')[0]}/envy/"
    envies = (key for key in catalog.documents if key.startswith(prizes))
    return _split((target, approval.game, *way, *EVENT_FILES, *envies), catalog)


def _split(keys: Iterable[str], catalog: Catalog) -> tuple[list[str], list[str]]:
    files: tuple[list[str], list[str]] = ([], [])
    for key, document in ((key, catalog.documents.get(key)) for key in keys):
        if document is not None:
            own = document.evidence_path.startswith(f"{OWN}/")
            files[not own and is_shipped(key, catalog)].append(document.path)
    return files


def describe_fix(approval: Approval, catalog: Catalog) -> str:
    """Return the fix for changed content of an approved paytable: use another id.

    Content of certify's own files cannot be restored but by the version that had it.
    """
    project_files, shipped = _split_files(approval, catalog)
    (target,) = approval.targets
    if shipped and not project_files:
        if approval.build == library.build_sha256():
            return "Restore the register and the files of the project from a backup."
        return (
            f"Compare the figures with the filed ones, and file {target} again. To work "
            "with the filed content, install the version of certify that made the entry."
        )
    wager, _, name = target.rpartition("/")
    if approval.house_way is not None:  # an option of the main wager
        return f"{R014.fix} `certify diff` prints the redline of the two."
    return (
        f"{R014.fix} `certify new paytable {wager}/NEW-ID --like {name} --clause CLAUSE` makes "
        f"it; `certify diff {target} {wager}/NEW-ID` prints the redline."
    )


def changed_finding(
    document: Document, pointer: str, approval: Approval, catalog: Catalog, message: str
) -> Finding:
    """Return the finding on a paytable of an entry whose content changed."""
    return document.finding(R014.id, pointer, message, describe_fix(approval, catalog))


def has_content(approval: Approval, catalog: Catalog) -> bool:
    """Return True if each paytable has the content of an entry."""
    filed = approval.filing is not None
    return all(
        paytable.content_sha256
        == content_digest(catalog, target, house_way=paytable.house_way, filed=filed)
        for target, paytable in zip(approval.targets, approval.paytables, strict=True)
    )


def find_pointer(approval: Approval, place: int, number: int, name: str) -> str:
    """Return the place of a field of a paytable in the file of the register."""
    inner = "" if approval.filing is None else f"/paytables/{number}"
    return f"/approvals/{place}{inner}/{name}"


def _standing(
    register: Register,
    catalog: Catalog,
    jurisdiction: str,
    record: Paytable | MainWager,
    house_way: str,
) -> PaytableStanding:
    way = house_way if isinstance(record, MainWager) else None
    approvals = [
        approval
        for entry in register.approvals
        for approval in entry.by_paytable
        if approval.targets == (record.target,)
        and approval.jurisdiction == jurisdiction
        and approval.house_way == way
        and approval.status in IN_FORCE
    ]
    changed = [approval for approval in approvals if not has_content(approval, catalog)]
    approved = [approval for approval in approvals if approval.status is ApprovalStatus.APPROVED]
    for approval in (*changed, *approved, *approvals):
        standing = FilingStanding.CHANGED if changed else FilingStanding(str(approval.status))
        return PaytableStanding(
            target=record.target, standing=standing, record=approval.id, day=approval.day
        )
    return PaytableStanding(target=record.target, standing=FilingStanding.NEW)


def find(register: Register, name: str) -> Sequence[Approval]:
    """Return the record with an id, or every record of a target.

    Raises:
        NotConfigured: there is none.
    """
    approvals = [
        approval
        for approval in register.approvals
        if name in (approval.id, approval.game, approval.filing)
        or any(f"{target}/".startswith(f"{name}/") for target in approval.targets)
    ]
    if not approvals:
        raise unknown_id(
            "entry", name, [*(approval.id for approval in register.approvals),
                             *dict.fromkeys(approval.target for approval in register.approvals)],
        )  # fmt: skip
    return approvals
