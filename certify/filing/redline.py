"""Redlines: two sides compared by meaning, and the redline against an approved filing."""

import json
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from certify import storage
from certify.errors import NotConfigured, NotReadable
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import Record, Selection, looks_at_set_hands
from certify.filing.compare_records import Compared, compare_records
from certify.filing.declaration import (
    GAME,
    REVISION,
    SECTION,
    Values,
    canonical_json,
    file_values,
    filing_values,
    record_values,
    selected_values,
    split_sentences,
)
from certify.filing.delivery import OutputFile
from certify.filing.documents import REDLINE, prepare_redline, print_draft
from certify.filing.filed_changes import compare_filings
from certify.filing.filed_terms import compare_terms
from certify.filing.listing import find_approved
from certify.filing.order import filed_records, register_of, select_filed
from certify.filing.register_check import number_rules, number_sentences
from certify.formatting import plain_reason
from certify.intake.files import TEMPLATES
from certify.intake.layout import SECOND_COUNTS
from certify.model.catalog import Catalog
from certify.model.comparison import Difference, Part, RecordDifference, ValueChange
from certify.model.encoding import Progress, encode_object
from certify.model.finding import Document
from certify.model.game import Wager
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import AMOUNTS, TERMS
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Filing, Status, Submission
from certify.report.diff_view import diff_view, difference_json
from certify.report.submission import head_view
from certify.report.wording import together

IN_ROWS: Final = ("event", "name", "pays", "prize_cents")
"""Properties of a row that are compared as rows, next to their hands."""

TEXTS: Final = {
    *("aliases", "document", "effect", "name", "notes", "original", "reason", "references"),
    *("source", "supplier", "text", "title", *REVISION),
}
"""Properties on which no figure depends, in every file."""

TEXT_FILES: Final = tuple(
    f"{GAME}/{name}" for name in ("published", "discrepancies", SECOND_COUNTS)
)
"""Files of a game on which no figure depends."""


class Side(Struct, frozen=True, kw_only=True):
    """One side: its name, and its entries, or a file that is compared alone, with its kind."""

    name: str
    selection: Selection | None = None
    filing: Filing | None = None
    house_way: HouseWay | None = None
    file: Document | None = None
    kind: str | None = None
    single: bool = False

    @property
    def documents(self) -> Mapping[str, Document]:
        """The files of this side by their key."""
        if self.selection is not None:
            return self.selection.catalog.documents
        return {self.name: self.file} if self.file is not None else {}

    @property
    def named_files(self) -> Mapping[str, Document]:
        """The files of the side, by their key."""
        if self.selection is None:
            return self.documents
        targets = [record.target for _, record in self.selection.records]
        return {target: self.documents[target] for target in targets if target in self.documents}


def read_submission(path: Path) -> Filing:
    """Return the filing that is embedded in a submitted PDF; its signature is not checked.

    It has the figures of main wagers that the evidence states.
    """
    from certify.filing.embedded import (
        read_evidence,
        rebuild_filing,
        stated_main_wagers,
        unpack,
    )
    from certify.signatures.verify import LARGEST, embedded_files

    try:
        files = embedded_files(storage.read_at_most(path, LARGEST))
        evidence = read_evidence(files)
        with tempfile.TemporaryDirectory(prefix="certify-") as folder:
            wrong = unpack(files, evidence, Path(folder))
            filing = rebuild_filing(evidence, Path(folder))
        # Builds until version 0.2 embedded the whole files of a game.
        catalog = select_filed(filing.catalog, filing.game, filing.paytables)
        filing = replace(
            filing,
            catalog=catalog,
            game=catalog.games[filing.game.id],
            analyses=stated_main_wagers(evidence, filing),
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise NotReadable(
            f"{path} is not a submission that certify made: {plain_reason(error)}.",
            remedy="Use a mathematics report or rules of play that `certify submit` wrote.",
        ) from error
    if wrong:
        raise NotReadable(
            f"The embedded files of {path} differ from its evidence: {', '.join(wrong)}.",
            remedy="Request the document again.",
        )
    return filing


def compare_sides(
    before: Side, after: Side, *, main: bool = False, progress: Progress | None = None
) -> tuple[RecordDifference, ...]:
    """Return the differences between entries of the same name, or between two single entries.

    Args:
        before: the entries before; of a filing with the terms that concern their figures.
        after: those after.
        main: count main wagers whose figures are not known (minutes).
        progress: listener of the counts.
    """
    if before.selection is None or after.selection is None:
        return ()
    alone = before.single and after.single
    old, new = _pairs(before.selection, after.selection, alone=alone)
    terms: list[tuple[str, frozenset[str]]] = []
    if before.filing is not None and after.filing is not None:
        changes = compare_terms(before.filing, after.filing)
        terms = [(change.title, targets) for change, targets in changes]
    else:  # the terms of one side alone are not compared, nor are figures by them
        before, after = (replace(side, filing=None) for side in (before, after))
    count = partial(_count_record, main=main, progress=progress)
    found = (
        compare_records(count(before, old.get(key)), count(after, new.get(key)))
        for key in {**old, **new}
    )
    return tuple(replace(each, terms=_find_terms(each, terms)) for each in found)


def _find_terms(
    record: RecordDifference, terms: Iterable[tuple[str, frozenset[str]]]
) -> tuple[str, ...]:
    """Return the terms that concern an entry of both sides."""
    if record.before is None or record.after is None:
        return ()
    sides = {record.before, record.after}
    return tuple(title for title, targets in terms if not sides.isdisjoint(targets))


def compare_declared(
    before: Side, after: Side, catalog: Catalog
) -> tuple[tuple[ValueChange, ...], str]:
    """Return the declared values that differ, and the jurisdiction by which rules are numbered.

    A change has the new number of the rule that prints it, or else the old one.
    """
    if before.selection is None or after.selection is None:
        files = (side.file for side in (before, after) if side.file is not None)
        return tuple(compare_values(*map(file_values, files))), ""
    alone = before.single and after.single
    list_values = record_values if alone else selected_values
    pairs = _pairs(before.selection, after.selection, alone=alone)
    old, new = (
        list_values(selection, {record.target: name for name, (_, record) in records.items()})
        for selection, records in zip((before.selection, after.selection), pairs, strict=True)
    )
    if before.filing is not None and after.filing is not None:
        old |= filing_values(before.filing)
        new |= filing_values(after.filing)
    changes = tuple(compare_values(old, new))
    if before.filing is not None and after.filing is not None:
        printed = compare_filings(before.filing, after.filing, (old, new), changes)
        return printed, after.filing.jurisdiction.name
    filing = after.filing or before.filing
    state = filing.jurisdiction if filing else next(iter(catalog.jurisdictions.values()), None)
    if alone or state is None:
        return changes, ""
    numbers: dict[tuple[str, str], str] = {}
    for selection, filing, values in (
        (before.selection, before.filing, old),
        (after.selection, after.filing, new),
    ):
        jurisdiction = filing.jurisdiction if filing else state
        numbers |= number_sentences(number_rules(selection, jurisdiction, filing), values)
    return tuple(
        replace(change, rule=numbers.get((change.file, sentence), "") if name == "text" else "")
        for change in changes
        for sentence, _, name in (change.path.partition("/"),)
    ), state.name


Pairs = dict[str, tuple[Wager, Record]]


def _pairs(old: Selection, new: Selection, *, alone: bool) -> tuple[Pairs, Pairs]:
    """Return the entries by wager and id; single entries need no common id.

    An entry that replaces the only other one of its wager gets the key of the replaced one.
    """
    before, after = (
        {"" if alone else f"{wager.id}/{record.id}": (wager, record) for wager, record in side}
        for side in (old.records, new.records)
    )
    removed, added = (
        together((key.partition("/")[0], key) for key in side if key not in other)
        for side, other in ((before, after), (after, before))
    )
    names = {
        keys[0]: removed[wager][0]
        for wager, keys in added.items()
        if len(keys) == len(removed.get(wager, ())) == 1
    }
    return before, {names.get(key, key): pair for key, pair in after.items()}


def _count_record(
    side: Side,
    pair: tuple[Wager, Record] | None,
    *,
    main: bool,
    progress: Progress | None,
) -> Compared | None:
    """Return an entry with its figures; main wagers are counted only on request.

    A filing may have the figures already. Others are counted by its terms.
    """
    if pair is None or side.selection is None:
        return None
    (wager, record), selection, filing = pair, side.selection, side.filing
    compared = Compared(record=record, undivided=selection.game.hands.shape.undivided)
    is_main = isinstance(record, MainWager)
    analysis = filing.analyses.get(record.target) if filing is not None else None
    if (main and is_main) or (analysis is None and not is_main):
        settings = Settings() if filing is None else _filed_settings(filing, record)
        settings = replace(settings, progress=progress)
        (analysis,) = evaluate(replace(selection, records=(pair,)), settings)
    envy = wager.find_envy(record) if isinstance(record, Paytable) else None
    return replace(compared, envy=envy, analysis=analysis)


def _filed_settings(filing: Filing, record: Record) -> Settings:
    """Return the terms of a filing for one entry, and its play if the entry depends on it."""
    is_main = isinstance(record, MainWager)
    as_set = isinstance(record, Paytable) and looks_at_set_hands(filing.catalog, record)
    return Settings(
        house_way=filing.order.house_way if is_main or as_set else None,
        strategy=filing.order.strategy if is_main else None,
        terms=filing.terms,
        lawful_cents=filing.wager_limit_cents,
    )


def print_redline(submission: Submission, progress: Progress | None = None) -> OutputFile | None:
    """Return the unsigned redline of a submission; None if its register names no approved file.

    Raises:
        NotConfigured: the approved file has changed since the register was read.
        NotReadable: it is not a submission that certify made.
    """
    approved = submission.register.approved if submission.register is not None else None
    register = register_of(submission.order)
    if approved is None or register is None:
        return None
    document, path = find_approved(register, submission)
    if path is None or document != approved:
        raise NotConfigured(
            f"{approved.name} or the register has changed meanwhile.", remedy="Submit again."
        )
    filed = read_submission(path)
    old, new = filed_records(filed), filed_records(submission)
    before = Side(name=approved.name, selection=old, filing=filed)
    after = Side(name=submission.report_id, selection=new, filing=submission)
    changes, numbered_for = compare_declared(before, after, submission.catalog)
    # The filings that changes need in other jurisdictions, and findings, are for the preparer.
    difference = Difference(
        before=before.name,
        after=after.name,
        records=compare_sides(before, after, progress=progress),
        house_way=None,
        filings=(),
        values=changes,
        numbered_for=numbered_for,
    )
    view = diff_view(
        difference,
        as_of=submission.as_of,
        engine_version=submission.engine_version,
        build=submission.build_sha256,
    )
    view |= head_view(submission, "Redline against the Approved Filing")
    view |= {"approved": approved, "report_id": f"{submission.report_id}.redline"}
    twin = json.dumps(
        encode_object(difference_json(difference)), indent=1, ensure_ascii=False
    ).encode()
    call = prepare_redline(view, twin, submission.game.revised, submission.templates)
    pages = call() if submission.status is Status.FINAL else print_draft(call)
    return OutputFile(
        part=REDLINE, unsigned=pages, confidential=submission.jurisdiction.confidential
    )


def list_missing(filing: Filing) -> list[str]:
    """Return the notice on an approved document that a register names and that is not there."""
    path = register_of(filing.order)
    if path is None or (filing.register is not None and filing.register.approved is not None):
        return []
    document, _ = find_approved(path, filing)
    if document is None:
        return []
    return [
        f"There is no redline: {document.name}, which entry {document.record} of the "
        "register names, is not in the folder of the register, or is another file."
    ]


def compare_values(before: Values, after: Values) -> Iterator[ValueChange]:
    """Yield the values that differ. A sentence is found by its id, wherever in its file it is.

    A file that only one side has is one change, but each sentence of a file of the game.
    """
    for name in {**before, **after}:
        if (name in before) != (name in after) and not name.startswith(GAME):
            yield _change(name, "", *(name if name in side else None for side in (before, after)))
            continue
        old, new = (split_sentences(side.get(name, {})) for side in (before, after))
        changes = [*_compare(name, "", old, new)]
        orders = [_order(*sides) for sides in ((old, new), (new, old))]
        if orders[0] != orders[1]:
            changes.append(_change(name, "order", *orders))
        sentences = {"order", *old, *new}
        yield from (replace(each, part=_find_part(each, sentences)) for each in changes)


def _order(sentences: Mapping[str, Any], others: Mapping[str, Any]) -> str:
    """Return the sentences that both sides have in the same section, in the order of one."""
    return ", ".join(
        key
        for key, sentence in sentences.items()
        if key and others.get(key, {}).get(SECTION) == sentence[SECTION]
    )


def _compare(name: str, path: str, old: object, new: object) -> Iterator[ValueChange]:
    if canonical_json(old) == canonical_json(new):
        return
    before, after = (
        _index_by_name(side) if isinstance(side, list) else side for side in (old, new)
    )
    sides = [side if isinstance(side, dict) else {} for side in (before, after)]
    if not any(sides) or not all(isinstance(side, dict | None) for side in (before, after)):
        yield _change(name, path, *map(_scalar, (old, new)))
        return
    if isinstance(old, list) and isinstance(new, list):
        orders = [[key for key in side if key in other] for side, other in (sides, sides[::-1])]
        if orders[0] != orders[1]:
            yield _change(name, _join(path, "order"), *map(", ".join, orders))
    shown = IN_ROWS if path.startswith("rows/") else ()
    for key in {**sides[0], **sides[1]}:
        if key not in shown:
            yield from _compare(name, _join(path, key), *(side.get(key) for side in sides))


def _index_by_name(items: list[Any]) -> dict[str, Any]:
    """Return the entries of a list by their names; by their places if they have no own names."""
    for name in ("id", "event", "level", "topic"):
        keys = [str(item.get(name, "") if isinstance(item, dict) else item) for item in items]
        if all(keys) and len({*keys}) == len(keys):
            return dict(zip(keys, items, strict=True))
    return {str(place): item for place, item in enumerate(items, 1)}


def _join(path: str, name: str) -> str:
    return f"{path}/{name}" if path and name else path or name


def _scalar(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return canonical_json(value)


def _change(name: str, path: str, before: str | None, after: str | None) -> ValueChange:
    return ValueChange(file=name, path=path, before=before, after=after)


def _find_part(change: ValueChange, sentences: Collection[str]) -> Part:
    """Return the part of a filing that a value belongs to; the figures, unless it moves none.

    ``sentences`` are the ids of the sentences of its file.
    """
    names = change.path.split("/")
    if change.file.startswith((TERMS, "jurisdictions/")) or names[-1] in AMOUNTS:
        return Part.TERMS
    is_text = change.file in TEXT_FILES or change.file.startswith(TEMPLATES)
    is_text |= change.file.startswith(GAME) and names[0] in sentences
    return Part.TEXT if is_text or not TEXTS.isdisjoint(names) else Part.FIGURES
