"""Comparison of register entries with the declared files, by the numbers of printed rules."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple, replace

from certify import __version__, library
from certify.checks.r_jurisdictions.documents import R014
from certify.figures.evaluate import resolve_house_way
from certify.figures.targets import Selection, select_entries
from certify.filing.declaration import (
    GAME,
    SENTENCE,
    Values,
    declare_approved,
    entry_digests,
    game_digests,
    name_record,
    selected_values,
    split_sentences,
)
from certify.filing.listing import Listed, list_record
from certify.filing.order import merge_side_tables
from certify.filing.register import (
    IN_FORCE,
    changed_finding,
    explain_change,
    find_pointer,
    has_content,
    rules_changed,
    rules_digest,
    rules_finding,
)
from certify.intake.files import own_templates, read_register, read_templates
from certify.model.analysis import Analysis, Census
from certify.model.approval import Approval, Register
from certify.model.catalog import Catalog
from certify.model.finding import Document, Finding, Severity
from certify.model.game import Game
from certify.model.jurisdiction import TERMS, Jurisdiction
from certify.model.paytable import EntryOfWager, Payout
from certify.model.submission import Filing, Order, Status, Submission
from certify.report.rules.numbering import PrintedRule
from certify.report.rules.view import list_sections

UNKNOWN: Final = "unknown"
"""The difference of an entry without digests."""


def check_register(path: Path, present: Catalog) -> tuple[tuple[Finding, ...], int]:
    """Compare every entry in force with the current files.

    Returns:
        The findings, and how many records were looked at.

    Raises:
        Unfit: the register has errors.
    """
    register, document = read_register(path)
    return _find_changes(register, document, present), len(register.approvals)


def _find_changes(register: Register, document: Document, present: Catalog) -> tuple[Finding, ...]:
    catalogs = declare_approved(register.approvals, present)
    findings: list[Finding] = []
    reported: set[tuple[str | None, ...]] = set()

    @cache
    def digest_game(filing: str | None, game: str) -> dict[str, str]:
        return game_digests(catalogs[filing], catalogs[filing].games[game])

    @cache
    def digest_rules(filing: str | None, game: str) -> str | None:
        return rules_digest(catalogs[filing], game)

    for place, approval in enumerate(register.approvals):
        if approval.status not in IN_FORCE:
            continue
        catalog = catalogs.get(approval.filing)
        if catalog is None:
            message = (
                f"The filing {approval.filing} is {approval.status} but is no longer declared."
            )
            findings.append(
                document.finding(
                    R014.id, f"/approvals/{place}/filing", message, "Restore its file."
                )
            )
            continue
        rules = digest_rules(approval.filing, approval.game)
        changed = _compare(document, place, approval, catalog, rules)
        if not changed or changed[0].pointer.endswith("rules_sha256"):
            of_game = digest_game(approval.filing, approval.game)
            unlike = list_unlike(approval, catalog, of_game)
            # Without a filing, a game has an entry for each paytable; one finding is enough.
            owner = approval.filing or approval.game
            same = (owner, approval.jurisdiction, approval.revision, unlike)
            if unlike and changed:
                changed = [replace(changed[0], message=f"{changed[0].message} Changed: {unlike}.")]
            elif unlike and same not in reported:
                changed = [_unlike(document, place, approval, catalog, unlike)]
            reported.add(same)
        findings += changed
    return tuple(findings)


def list_unlike(
    approval: Approval, catalog: Catalog, of_game: Mapping[str, str] | None = None
) -> str:
    """Return the rules by number, the terms, the figures and other files that differ from an entry.

    ``of_game``: see `entry_digests`.

    Returns:
        An empty text if nothing differs, `UNKNOWN` for an entry without digests.
    """
    if not approval.parts_sha256:
        return UNKNOWN
    present = entry_digests(catalog, approval.targets, of_game)
    filed = approval.parts_sha256
    changed = [name for name in {**filed, **present} if filed.get(name) != present.get(name)]
    if not changed:
        return ""
    state = catalog.jurisdictions.get(approval.jurisdiction)
    selection = select_entries(catalog, catalog.games[approval.game], {*approval.targets})
    names = {target: name_record(target, catalog) for target in approval.targets}
    values = selected_values(selection, names)
    printed_in = {} if state is None else number_rules(selection, state)
    numbers = number_sentences(printed_in, values)
    rules = {name: numbers.get((file, key)) for name in changed
             for file, _, key in (name.partition(SENTENCE),)}  # fmt: skip
    printed = [number for number in rules.values() if number is not None]
    others = [name for name, number in rules.items() if number is None]
    prefix = f"{TERMS}{SENTENCE}"
    terms = [name.removeprefix(prefix) for name in others if name.startswith(prefix)]
    figures = [name for name in others if not name.startswith((prefix, GAME))]
    groups = {"rules": printed, "terms": terms, "figures": figures}
    differences = [f"{word} {', '.join(names)}" for word, names in groups.items() if names]
    return "; ".join([*differences, *(name for name in others if name.startswith(GAME))])


def _unlike(
    document: Document, place: int, approval: Approval, catalog: Catalog, unlike: str
) -> Finding:
    """Return the finding on a revision that differs from an entry, or on an entry that is older."""
    where = f"/approvals/{place}/"
    name = catalog.jurisdiction_name(approval.jurisdiction)
    pdf = next(
        (file.name for file in approval.documents if file.name.endswith(".pdf")), "FILED.pdf"
    )
    owner = approval.filing or approval.game
    redline = f"Print the redline: `certify diff {pdf} {owner}`."
    if unlike == UNKNOWN:
        return document.finding(
            R014.id,
            where + "id",
            f"{approval.target}, {name}: rules not compared: the entry of {approval.day} has no "
            "digest of them.",
            redline,
            severity=Severity.NOTE,
        )
    revision = catalog.games[approval.game].revision
    same = " Create a new revision before it is filed." if revision == approval.revision else ""
    return document.finding(
        R014.id,
        where + "parts_sha256",
        f"{owner}: revision {approval.revision} is {approval.status} in {name} "
        f"({approval.entered}), and the declared revision {revision} differs: {unlike}.",
        redline + same,
        severity=Severity.WARNING,
    )


def _compare(
    document: Document, place: int, approval: Approval, catalog: Catalog, rules: str | None
) -> list[Finding]:
    """Return the findings on one entry in force; ``rules`` is the digest of the present ones."""
    findings = [
        changed_finding(document, find_pointer(approval, place, number, name), each, catalog, text)
        for number, each in enumerate(approval.by_paytable)
        for name, text in _find_change(each, catalog)
    ]
    if not findings and rules_changed(approval, catalog, rules):
        return [rules_finding(document, f"/approvals/{place}/rules_sha256", approval, catalog)]
    return findings


def _find_change(approval: Approval, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Yield the field that differs from a paytable of an entry, and the difference in words."""
    (target,) = approval.targets
    if target not in catalog.documents:
        yield "paytable", f"{target} is {approval.status} but is no longer declared."
    elif approval.house_way is not None and approval.house_way not in catalog.house_ways:
        yield "house_way", f"The house way {approval.house_way} is no longer declared."
    elif not has_content(approval, catalog):
        text = f"{target} is {approval.status} ({approval.entered}), but its content has changed."
        yield "content_sha256", text + explain_change(approval, catalog)


_last: tuple[object, tuple[Finding, ...]] | None = None
"""The files of the last list of records, and what was found."""


def list_records(
    path: Path, present: Catalog, today: date
) -> tuple[tuple[Listed, ...], tuple[Finding, ...]]:
    """Return the entries of a register as of a day, with changes of the current files.

    Raises:
        Unfit: the register has errors.
    """
    global _last  # noqa: PLW0603 - of one page
    register, document = read_register(path)
    files = (document, present, read_templates(own_templates(library.layers())))
    if _last is None or _last[0] != files:
        _last = (files, _find_changes(register, document, present))
    return tuple(
        list_record(approval, present.jurisdictions, today) for approval in register.approvals
    ), _last[1]


def lay_out_rules(
    catalog: Catalog,
    analyses: Mapping[str, Analysis],
    game: Game,
    jurisdiction: Jurisdiction,
    option: str = "",
) -> Submission:
    """Return a submission of the rules of play of a whole game, without counted figures.

    ``option`` is the id of the printed option of the main wager; the first if there is none.
    """
    catalog = merge_side_tables(catalog, game)
    game = catalog.games[game.id]
    options = sorted(game.options, key=lambda main: main.id != option)
    return Submission(
        templates=own_templates(library.layers()),
        order=Order(game=game.id, jurisdiction=jurisdiction.id),
        catalog=catalog,
        game=game,
        jurisdiction=jurisdiction,
        way=resolve_house_way(catalog, game, None) if game.house_way else None,
        main=next(iter(options), None),
        paytables=game.paytables,
        analyses=analyses,
        frequencies=Census(features=(), cards=game.hands.shape.cards, total=0, cells={}),
        examples=(),
        figures=(),
        rules=(),
        crosschecks=(),
        checklist=(),
        findings=(),
        engine_version=__version__,
        evidence_sha256="",
        status=Status.UNSIGNED,
    )


def find_numbers(submission: Submission) -> dict[str, str]:
    """Return the number that each sentence has in print, such as ``3.2``, by its text."""
    return {rule.text: rule.number for rule in list_rules(submission)}


def list_rules(submission: Submission) -> tuple[PrintedRule, ...]:
    """Return every rule of the rules of play, with the sentence that is printed."""
    return tuple(_rules(list_sections(submission)))


def number_rules(
    selection: Selection, jurisdiction: Jurisdiction, filing: Filing | None = None
) -> dict[str, str]:
    """Return the number that each sentence has in the rules of play for a jurisdiction, by text.

    Those of a filing have its option, paytables and terms.
    """
    if filing is not None:
        return find_numbers(lay_out_filing(filing))
    return find_numbers(lay_out_rules(selection.catalog, {}, selection.game, jurisdiction))


def lay_out_filing(filing: Filing) -> Submission:
    """Return a submission of a filing's rules of play, without counted figures."""
    submission = lay_out_rules(filing.catalog, {}, filing.game, filing.jurisdiction)
    way = submission.way and resolve_house_way(filing.catalog, filing.game, filing.order.house_way)
    return replace(
        submission,
        order=filing.order,
        way=way,
        main=filing.main,
        paytables=filing.paytables,
        terms=filing.terms,
    )


def number_sentences(printed: Mapping[str, str], values: Values) -> dict[tuple[str, str], str]:
    """Return the numbers of the printed sentences of some files, by file and id."""
    return {
        (name, key): printed[sentence["text"]]
        for name, value in values.items()
        for key, sentence in split_sentences(value).items()
        if key and sentence["text"] in printed
    }


_WITHOUT_RULES: Final = frozenset({str, bool, int, type(None), Fraction, Payout})
"""The types of most values that templates print, which hold no printed rule."""


def _rules(value: Any) -> Iterator[PrintedRule]:  # noqa: ANN401 - what a template prints
    waiting = [value]
    while waiting:
        each = waiting.pop()
        parts: Iterable[Any] = ()
        if isinstance(each, tuple | list):
            parts = each
        elif isinstance(each, dict):
            parts = each.values()
        elif isinstance(each, Struct) and not isinstance(each, EntryOfWager):
            parts = astuple(each)  # a declared record has no printed rule
        if isinstance(each, PrintedRule):
            yield each
        waiting += [part for part in reversed([*parts]) if type(part) not in _WITHOUT_RULES]
