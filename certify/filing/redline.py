"""Redlines: two sides compared by meaning, and the redline against an approved filing."""

import json
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from certify import storage
from certify.errors import NotConfigured, NotReadable
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import Record, Selection
from certify.filing.compare_records import Compared, compare_records
from certify.filing.declaration import (
    GAME,
    compare_values,
    file_values,
    filing_values,
    record_values,
    selected_values,
)
from certify.filing.delivery import OutputFile
from certify.filing.documents import REDLINE, prepare_redline, print_draft
from certify.filing.evidence import DOUBTS
from certify.filing.listing import find_approved
from certify.filing.order import filed_records, register_of, select_filed
from certify.filing.register_check import number_rules, number_sentences
from certify.formatting import plain_reason
from certify.intake.layout import SECOND_COUNTS
from certify.model.catalog import Catalog
from certify.model.comparison import Difference, RecordDifference, ValueChange
from certify.model.encoding import Progress, encode_object
from certify.model.finding import Document
from certify.model.game import Wager
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Filing, Status, Submission
from certify.report.diff_view import diff_view, difference_json
from certify.report.submission import head_view
from certify.report.wording import together


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
    """Return the filing that is embedded in a submitted PDF; its signature is not checked."""
    from certify.filing.embedded import read_evidence, rebuild_filing, unpack
    from certify.signatures.verify import LARGEST, embedded_files

    try:
        files = embedded_files(storage.read_at_most(path, LARGEST))
        evidence = read_evidence(files)
        with tempfile.TemporaryDirectory(prefix="certify-") as folder:
            wrong = unpack(files, evidence, Path(folder))
            filing = rebuild_filing(evidence, Path(folder))
        # Builds until version 0.2 embedded the whole files of a game.
        catalog = select_filed(filing.catalog, filing.game, filing.paytables)
        filing = replace(filing, catalog=catalog, game=catalog.games[filing.game.id])
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


def compare_selections(
    old: Selection,
    new: Selection,
    *,
    alone: bool = False,
    main: bool = False,
    progress: Progress | None = None,
) -> tuple[RecordDifference, ...]:
    """Return the differences between entries of the same name.

    Args:
        old: the entries before.
        new: those after.
        alone: each side is a single entry, which needs no common name.
        main: count main wagers, too (minutes).
        progress: listener of the counts.
    """
    before, after = _pairs(old, new, alone=alone)
    count = partial(_count_record, main=main, progress=progress)
    return tuple(
        compare_records(count(old, before.get(key)), count(new, after.get(key)))
        for key in {**before, **after}
    )


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
        replace(change, rule=numbers.get((change.file, change.path.partition("/")[0]), ""))
        for change in changes
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
    selection: Selection,
    pair: tuple[Wager, Record] | None,
    *,
    main: bool,
    progress: Progress | None,
) -> Compared | None:
    """Return an entry with its figures; main wagers are counted only on request."""
    if pair is None:
        return None
    wager, record = pair
    undivided = selection.game.hands.shape.undivided
    if isinstance(record, MainWager) and not main:
        return Compared(record=record, undivided=undivided)
    (analysis,) = evaluate(replace(selection, records=(pair,)), Settings(progress=progress))
    envy = wager.find_envy(record) if isinstance(record, Paytable) else None
    return Compared(record=record, undivided=undivided, envy=envy, analysis=analysis)


UNFILED = (f"{GAME}/{Path(DOUBTS).stem}", f"{GAME}/{SECOND_COUNTS}")
"""Declared values that a filed redline omits: doubts about the source, and verification counts."""


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
    changes = tuple(change for change in changes if change.file not in UNFILED)
    # The filings that changes need in other jurisdictions, and findings, are for the preparer.
    difference = Difference(
        before=before.name,
        after=after.name,
        records=compare_selections(old, new, progress=progress),
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
