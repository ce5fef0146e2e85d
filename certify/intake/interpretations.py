"""Other interpretations of a source: the catalog with entries changed as an alternative declares.

A changed value is validated, decoded and placed like a file that was read.
"""

from copy import deepcopy
from dataclasses import replace
from typing import Any

from certify.intake.decode import decode
from certify.intake.entries import place_of, with_entry
from certify.intake.schemas.schema import validate
from certify.model.catalogue import Catalogue
from certify.model.finding import Code, Finding, Unfit
from certify.model.source import Alternative, Op, RecordChange

NAMES = ("id", "event", "level")
"""What an entry of a list goes by in the path of a change."""

_READ_OTHERWISE = ("game", "events", "house-way", "main-wager", "paytable", "envy")
"""Kinds that another reading may change: what a wager declares itself moves no figure."""


D017 = Code(
    "D017",
    "Another reading cannot be counted",
    why="""The mathematics report prints what every other reading of the source would change; a
    reading that names no place of a record, or leaves a record that cannot be counted, has no
    price.""",
    mend="""Correct the record, the path or the value of the change. Entries of lists go by their
    id, event or level. A house way must set every hand once and never foul.""",
    wrong='{"record": "house-ways/foxwoods", "op": "replace", "path": "/sections/pairs/base", …}',
    right='{"record": "house-ways/foxwoods", "op": "replace", "path": "/sections/pair/base", …}',
)


class _Misplaced(Exception):
    """A place that a value does not have."""


def apply_interpretation(catalogue: Catalogue, owner: str, alternative: Alternative) -> Catalogue:
    """Return the catalog by another interpretation.

    Args:
        catalogue: everything declared; it holds every record that is changed.
        owner: the game or house way whose readings the alternative stands among.
        alternative: the other reading.

    Raises:
        Unfit: a place does not exist, or a changed record does not fit its schema; the finding
            stands at the change. A record with faults of its own has no other finding.
    """
    for record in dict.fromkeys(change.record for change in alternative.changes):
        document = catalogue.documents.get(record)
        if document is None:
            raise _unfit(catalogue, owner, alternative, record, f"There is no record {record}.")
        parts = record.split("/")
        if any("/".join(parts[:end]) in catalogue.left_out for end in range(1, len(parts) + 1)):
            raise Unfit(())
        changes = [change for change in alternative.changes if change.record == record]
        try:
            value = _changed(document.value, changes)
        except _Misplaced as fault:
            raise _unfit(catalogue, owner, alternative, record, str(fault)) from None
        kind = place_of(catalogue, record)
        if kind is None or kind.kind not in _READ_OTHERWISE:
            message = f"A reading cannot change {record}."
            raise _unfit(catalogue, owner, alternative, record, message)
        other = replace(document, value=value)
        for finding in validate(other, kind.kind):
            message = f"{record} would not fit its schema at {finding.pointer}: {finding.message}"
            raise _unfit(catalogue, owner, alternative, record, message)
        catalogue = with_entry(catalogue, decode(kind.kind, value), other)
    return catalogue


def misfit(catalogue: Catalogue, owner: str, alternative: Alternative, message: str) -> Finding:
    """Return the finding that an alternative cannot be applied, at its first change."""
    return _finding(catalogue, owner, alternative, alternative.changes[0].record, message)


def _changed(value: Any, changes: list[RecordChange]) -> Any:  # noqa: ANN401 - a JSON value
    record = deepcopy(value)
    for change in changes:
        *parents, last = change.path.split("/")[1:]
        inner = record
        for name in parents:
            inner = inner[_key(inner, name)]
        if isinstance(inner, list) and change.op is Op.ADD:
            at = len(inner) if last == "-" else _key(inner, last)
            inner.insert(at, deepcopy(change.value))
        elif change.op is Op.ADD and isinstance(inner, dict):
            inner[last] = deepcopy(change.value)
        elif change.op is Op.REMOVE:
            del inner[_key(inner, last)]
        else:
            inner[_key(inner, last)] = deepcopy(change.value)
    return record


def _key(value: Any, name: str) -> Any:  # noqa: ANN401 - a JSON value, and its key or index
    """Return the key or the index that a part of a path means."""
    if isinstance(value, dict) and name in value:
        return name
    if isinstance(value, list):
        for index, entry in enumerate(value):
            if name == str(index) or _named(entry, name):
                return index
    raise _Misplaced(f"There is no {name}.")


def _named(entry: object, name: str) -> bool:
    return isinstance(entry, dict) and any(entry.get(field) == name for field in NAMES)


def _unfit(
    catalogue: Catalogue, owner: str, alternative: Alternative, record: str, message: str
) -> Unfit:
    return Unfit((_finding(catalogue, owner, alternative, record, message),))


def _finding(
    catalogue: Catalogue, owner: str, alternative: Alternative, record: str, message: str
) -> Finding:
    place = next(i for i, change in enumerate(alternative.changes) if change.record == record)
    listed = catalogue.alternatives[owner].alternatives
    return catalogue.documents[f"alternatives/{owner}"].finding(
        D017.id,
        f"/alternatives/{listed.index(alternative)}/changes/{place}",
        f"The reading {alternative.id} cannot be counted. {message}",
        "Correct the change, so that the record is whole and every hand is set once.",
    )
