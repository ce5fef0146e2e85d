"""Editing: a declared file as somebody changes it, judged before it is saved, and saved as theirs.

What is changed are values of the file, each in its own place: all other text stays as it stands. A
file that comes with certify is saved into the project, which goes before it.
"""

import difflib
import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from certify import library
from certify.errors import CertifyError, NotConfigured
from certify.intake.reread import with_text
from certify.model.analysis import Analysis
from certify.model.catalogue import Catalogue
from certify.model.document import Document, Span
from certify.model.finding import Finding, Severity, Unfit
from certify.pipeline.check import check_unsaved
from certify.pipeline.declare.arranging import arrangement, new_row
from certify.pipeline.figures.evaluate import Settings, evaluate
from certify.pipeline.figures.overview import selected
from certify.pipeline.targets import Selection

DRAFTS = "drafts"
UNDO = "undo"
SEPARATOR = ",\n    "
"""Between rows, in a file that has only one."""

_saving = threading.Lock()


class ChangedMeanwhile(CertifyError):
    """The file on disk is not the one that was edited."""

    status = 409


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Changes that were not saved: the digest of the file that they were made to, and the values.

    ``values`` are by RFC 6901 pointer.
    """

    base: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """One line of a difference: ``added``, ``removed`` or ``kept``."""

    kind: str
    text: str

    @property
    def added(self) -> bool:
        """Whether it is there after the change only."""
        return self.kind == "added"

    @property
    def removed(self) -> bool:
        """Whether it was there before the change only."""
        return self.kind == "removed"


def opened(target: str) -> Document:
    """Return the file of a paytable, the project's before the built-in.

    Raises:
        NotConfigured: there is no such paytable.
        Unfit: a file that it rests on has errors.
    """
    return selected(target).catalogue.documents[target]


def changed(document: Document, values: Mapping[str, str]) -> str:
    """Return the file's text with texts of it replaced, each at its pointer, and rows arranged.

    A pointer to something else than a text of the file is passed over. The value of ``/rows`` is
    the arrangement of the rows, see `certify.pipeline.declare.arranging`.
    """
    starts = _line_starts(document.text)
    edits = sorted(
        (
            starts[span.line - 1] + span.column - 1,
            span.length,
            json.dumps(value, ensure_ascii=False),
        )
        for pointer, value in values.items()
        if (span := document.spans.get(pointer)) is not None
        and isinstance(at(document, pointer), str)
        and at(document, pointer) != value
    )

    def rewritten(begin: int, end: int) -> str:
        """Return a part of the text with what was edited in it."""
        parts, last = [], begin
        for place, length, text in edits:
            if begin <= place < end:
                parts += [document.text[last:place], text]
                last = place + length
        return "".join([*parts, document.text[last:end]])

    end, order = len(document.text), arrangement(document, values)
    if order == arrangement(document, {}):
        return rewritten(0, end)
    places = _rows_in(document, starts)
    between = document.text[places[0][1] : places[1][0]] if len(places) > 1 else SEPARATOR
    rows = [
        rewritten(*places[int(row)]) if row.isdecimal() else new_row(values, row) for row in order
    ]
    return rewritten(0, places[0][0]) + between.join(rows) + rewritten(places[-1][1], end)


def _line_starts(text: str) -> list[int]:
    return [0, *(number + 1 for number, letter in enumerate(text) if letter == "\n")]


def _offset(starts: Sequence[int], span: Span) -> int:
    return starts[span.line - 1] + span.column - 1


def _rows_in(document: Document, starts: Sequence[int]) -> list[tuple[int, int]]:
    """Return where each row of a paytable begins and ends in its text; the list has one."""
    places = []
    for number in range(len(document.value["rows"])):
        begin = _offset(starts, document.spans[f"/rows/{number}"])
        places.append((begin, json.JSONDecoder().raw_decode(document.text, begin)[1]))
    return places


def at(document: Document, pointer: str) -> object:
    """Return the value at an RFC 6901 pointer; None where the file has none."""
    value = document.value
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return value


def evaluated(known: Selection, text: str) -> Analysis:
    """Return the figures of the one paytable of a selection as it would be with another text.

    Raises:
        Unfit: the text has errors.
        NotConfigured: it cannot be counted.
    """
    ((_, edited),) = known.records
    key = edited.target
    place = _place(known.catalogue.documents[key])
    catalogue = with_text(known.catalogue, key, place, text)
    game = catalogue.games[known.game.id]
    records = tuple(
        (wager, table) for wager in game.wagers for table in wager.paytables if table.target == key
    )
    read = replace(known, catalogue=catalogue, game=game, records=records)
    (analysis,) = evaluate(read, Settings())
    return analysis


def drafted(catalogue: Catalogue, keys: Iterable[str]) -> Catalogue:
    """Return a catalogue with the changes that were kept for some files, not saved yet.

    Raises:
        Unfit: with its changes a file has errors.
    """
    for key in keys:
        document, draft = catalogue.documents[key], draft_of(key)
        if draft is not None and draft.base == document.sha256:
            text = changed(document, draft.values)
            catalogue = with_text(catalogue, key, _place(document), text)
    return catalogue


def judged(document: Document, text: str) -> tuple[Finding, ...]:
    """Return the findings in a file as it would be with another text."""
    findings = check_unsaved(_place(document), text.encode()).findings
    return tuple(dict.fromkeys(findings))


def difference(before: str, after: str) -> Iterator[DiffLine]:
    """Yield the lines that differ, each with two lines around it."""
    kinds = {"+": "added", "-": "removed", " ": "kept"}
    compared = difflib.unified_diff(before.split("\n"), after.split("\n"), n=2, lineterm="")
    for number, line in enumerate(compared):
        if number > 1 and line[0] in kinds:
            yield DiffLine(kind=kinds[line[0]], text=line[1:])


def save(key: str, base: str, values: Mapping[str, str]) -> Path:
    """Write a file with changed values into the project; return where it stands now.

    Args:
        key: the file's key in the catalogue.
        base: the SHA-256 of the file that the changes were made to.
        values: the changed texts by pointer.

    Raises:
        ChangedMeanwhile: the file is another by now.
        Unfit: with these values it would have errors.
        NotConfigured: there is no project to save into.
    """
    with _saving:
        document = opened(key)
        path = library.own_paytables() / _below(document)
        _refuse_another(document, base)
        there = path.is_file()
        text = changed(document, values if there else {**values, **_schema(document)})
        errors = tuple(
            finding for finding in judged(document, text) if finding.severity is Severity.ERROR
        )
        if errors:
            raise Unfit(errors)
        before = document.text if there else None
        library.write_atomically(path, text.encode())
        _keep(key, UNDO, {"base": _digest(text), "text": before})
        forget(key)
    return path


def undo(key: str) -> None:
    """Put a file back to what it was before it was saved here last.

    Raises:
        ChangedMeanwhile: it was changed since, or nothing was saved.
        NotConfigured: there is no project.
    """
    with _saving:
        document, kept = opened(key), _kept(key, UNDO)
        if kept is None:
            raise ChangedMeanwhile("Nothing was saved here that could be undone.")
        _refuse_another(document, str(kept["base"]))
        path = library.own_paytables() / _below(document)
        if kept["text"] is None:
            path.unlink()
        else:
            library.write_atomically(path, str(kept["text"]).encode())
        _slot(key, UNDO).unlink(missing_ok=True)


def can_undo(key: str) -> bool:
    """Whether what stands there is what was saved here last."""
    kept = _kept(key, UNDO)
    return kept is not None and kept["base"] == opened(key).sha256


def keep(key: str, draft: Draft) -> None:
    """Keep changes that are not saved, for when the page is opened again."""
    _keep(key, DRAFTS, {"base": draft.base, "values": dict(draft.values)})


def draft_of(key: str) -> Draft | None:
    """Return the changes that were kept."""
    kept = _kept(key, DRAFTS)
    values = kept and kept.get("values")
    if kept is None or not isinstance(values, dict):
        return None
    texts = {str(name): str(value) for name, value in values.items()}
    return Draft(base=str(kept["base"]), values=texts)


def forget(key: str) -> None:
    """Drop the changes that were kept."""
    _slot(key, DRAFTS).unlink(missing_ok=True)


def _refuse_another(document: Document, base: str) -> None:
    if document.sha256 != base:
        raise ChangedMeanwhile(
            f"{document.path} was changed meanwhile, so it was not written.",
            remedy="Open the page again: it shows what stands there now, and your draft beside.",
        )


def _schema(document: Document) -> dict[str, str]:
    """Return how a file names its schema where no folder of schemas is beside it."""
    named = at(document, "/$schema")
    return {"/$schema": str(named).rpartition("/")[2]} if named else {}


def _below(document: Document) -> Path:
    """Return a file's path below its folder of declared data."""
    return Path(document.filed_as.partition("paytables/")[2])


def _place(document: Document) -> Path:
    """Return where a file is read from if it is changed: the project, or where it stands."""
    try:
        return library.own_paytables() / _below(document)
    except NotConfigured:
        return library.paytables() / _below(document)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _slot(key: str, kind: str) -> Path:
    """Return where something is kept for a file of this project, among this user's own files."""
    whose = f"{library.project() or library.root()}\n{key}"
    return library.home() / kind / f"{_digest(whose)}.json"


def _keep(key: str, kind: str, value: Mapping[str, Any]) -> None:
    path = _slot(key, kind)
    library.private(library.home())
    library.write_atomically(path, json.dumps(value).encode(), mode=0o600)


def _kept(key: str, kind: str) -> dict[str, Any] | None:
    try:
        value: Any = json.loads(_slot(key, kind).read_bytes())
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) and "base" in value else None
