"""Edits of declared files, checked before they are saved into the project.

Only values of the file are changed, each at its position; all other text stays unchanged. A file
that comes with certify is saved into the project, which overrides it.
"""

import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from certify import library, storage
from certify.declare import user_state
from certify.declare.new import (
    check_id,
    copy_record,
    format_record,
    write_new,
)
from certify.declare.rewriting import (
    add_revision,
    arrangement,
    insert_entry,
    read_entry,
    replace_values,
    resolve_pointer,
)
from certify.declare.user_state import forget_draft, keep_draft, load_draft
from certify.errors import ChangedMeanwhile, NotConfigured, NotReadable
from certify.figures.evaluate import Settings, evaluate, select_target
from certify.figures.targets import Selection, refuse_errors, select_entries
from certify.filing.listing import CHANGED, find_approvals
from certify.intake.schema import describe_values
from certify.intake.strict_json import scan
from certify.intake.workspace import replace_text
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.finding import Document, Finding, Unfit
from certify.project_log import LOG, read_log, utc_now
from certify.review.check import check_unsaved
from certify.storage import lock

DELETED = "deleted"
UNDO = "undo"
RECORDS = ("published", "discrepancies")
"""Files of a game on its document, which are no targets."""


def open_file(target: str) -> Document:
    """Return the file of a target or of a game's records, the project's before the built-in.

    Raises:
        NotConfigured: there is no such target.
        Unfit: a file that it rests on has errors.
    """
    owner, _, name = target.rpartition("/")
    return select_target(owner if name in RECORDS else target).catalog.documents[target]


def describe_choices(kind: str, pointer: str) -> list[dict[str, str]]:
    """Return the allowed values of a property of a schema, each with its words."""
    values = describe_values(kind, pointer)
    return [{"id": value, "name": words.rstrip(".")} for value, words in values.items()]


def load_version(key: str, base: str) -> Document | None:
    """Return the version of a file with the SHA-256 ``base``: the present one, or the one before.

    None if it is neither.
    """
    document = open_file(key)
    former = user_state.load(UNDO, _version(key, document.sha256))
    if document.sha256 == base or former is None or former["base"] != base:
        return document if document.sha256 == base else None
    return scan(_former_text(document, former).encode(), document.path)[0]


def _former_text(document: Document, former: Mapping[str, Any]) -> str:
    """Return the text that the last save replaced; None for the text of the built-in file."""
    if former["text"] is None:
        return storage.read_at_most(library.paytables() / _relative_path(document)).decode()
    return str(former["text"])


def evaluate_text(selection: Selection, text: str) -> Analysis:
    """Return the figures of the one paytable of a selection as it would be with another text.

    Raises:
        Unfit: the text has errors.
        NotConfigured: it cannot be counted.
    """
    ((_, edited),) = selection.records
    key = edited.target
    catalog = replace_text(selection.catalog, key, _place(selection.catalog.documents[key]), text)
    (analysis,) = evaluate(
        select_entries(catalog, catalog.games[selection.game.id], {key}), Settings()
    )
    return analysis


def overlay_drafts(catalog: Catalog, keys: Iterable[str]) -> Catalog:
    """Return a catalog with the unsaved changes of some files.

    Raises:
        Unfit: with its changes a file has errors.
    """
    for key in keys:
        document = catalog.documents[key]
        values = load_draft(key, document)
        if values:
            catalog = replace_text(catalog, key, _place(document), replace_values(document, values))
    return catalog


def check_text(document: Document, text: str) -> tuple[Finding, ...]:
    """Return the findings in a file as it would be with another text."""
    return check_unsaved(_place(document), text.encode()).findings


def save(key: str, base: str, values: Mapping[str, str]) -> Path:
    """Write a file with changed values into the project; return its path.

    Args:
        key: the file's key in the catalog.
        base: the SHA-256 of the file that was edited.
        values: the changed texts by pointer.

    Raises:
        ChangedMeanwhile: the file has changed since.
        Unfit: with these values it would have errors, or would change an approved entry.
        NotConfigured: there is no project to save into.
    """
    with lock(library.own_paytables()):
        document, path, present = _open_to_change(key, base)
        is_own = present is not None
        text = replace_values(document, values if is_own else {**values, **_schema(document)})
        find_approvals(key)  # refuses a register with errors
        findings = check_text(document, text)
        _refuse_approved(findings)
        refuse_errors(findings)
        data = text.encode()
        if data != present:
            # First, and of this version: the last save can be undone until the file is replaced.
            removed = dict(_list_removed(document, values))
            former = {"base": base, "text": document.text if is_own else None}
            user_state.store(UNDO, _version(key, _digest(data)), former | {"removed": [*removed]})
            for entry, value in removed.items():
                user_state.store(DELETED, f"{key}:{entry}", value | {"key": f"{key}:{entry}"})
            storage.write_atomically(path, data, before=present)
            user_state.discard(UNDO, _version(key, base))
        forget_draft(key, values)
    return path


def save_copy(key: str, base: str, values: Mapping[str, str], *, name: str, clause: str) -> str:
    """Write a paytable or option with changed values under another id; return its target.

    Args:
        key: the target of the record that was edited, which stays unchanged.
        base: the SHA-256 of the file that the changes were made to.
        values: the changed texts by pointer.
        name: the new id.
        clause: where the game's document prints the new record.

    Raises:
        ChangedMeanwhile: the file is another by now.
        NotReadable: the id is not one, or the clause is missing.
        NotConfigured: the wager has this id already, or there is no project to save into.
        Unfit: the new record would have errors.
    """
    check_id(name)
    if not clause:
        raise NotReadable(
            "The clause of the new paytable is missing.",
            remedy="Write the clause, such as “Sheet 2”.",
        )
    wager = key.rpartition("/")[0]
    target = f"{wager}/{name}"
    with lock(library.own_paytables()):
        document, _, _ = _open_to_change(key, base)
        if library.find_declared(f"{target}.json") is not None:
            raise NotConfigured(f"{wager} already has {name}.", remedy="Choose another id.")
        value = json.loads(replace_values(document, {**values, **_schema(document)}))
        data = format_record(copy_record(value, name, clause))
        path = library.own_paytables() / f"{target}.json"
        refuse_errors(check_unsaved(path, data).findings)
        write_new({path: data})
        forget_draft(key, values)
    return target


def revise(game: str, *, text: str, day: dt.date, revision: str | None = None) -> Path:
    """Create the next revision of a game; return its file in the project.

    Unsaved changes of the file are moved to the new revision.

    Args:
        game: the id of the game.
        text: the changes of the revision, as printed in the rules of play.
        day: the date of the revision.
        revision: its id; None for the number after the last.

    Raises:
        NotReadable: the text is missing, or the last revision is no number and none is given.
        NotConfigured: there is no such game, no project, or such a revision already.
        Unfit: the file would have errors.
    """
    with lock(library.own_paytables()):
        document, place, present = _open_to_change(game)
        draft = load_draft(game, document)
        text = add_revision(document, revision, day.isoformat(), text)
        if present is None:
            text = replace_values(scan(text.encode(), document.path)[0], _schema(document))
        refuse_errors(check_text(document, text))
        data = text.encode()
        if draft:
            keep_draft(game, _digest(data), draft)
        storage.write_atomically(place, data, before=present)
    return place


def undo(key: str, base: str) -> None:
    """Restore a file, whose SHA-256 is ``base``, to its content before it was last saved here.

    Raises:
        ChangedMeanwhile: it was changed since, or nothing was saved.
        Unfit: it would change an approved record.
        NotConfigured: there is no project.
    """
    with lock(library.own_paytables()):
        document, path, present = _open_to_change(key, base)
        version = _version(key, base)
        former = user_state.load(UNDO, version)
        if former is None:
            raise ChangedMeanwhile(
                f"No save of {key} can be undone: there was none, or the file was changed since.",
                remedy="Open the page again: it shows the current file.",
            )
        before = _former_text(document, former)
        _refuse_approved(check_text(document, before))
        if former["text"] is None:
            storage.remove(path, present)
        else:
            storage.write_atomically(path, before.encode(), before=present)
        for entry in former.get("removed", ()):
            user_state.discard(DELETED, f"{key}:{entry}")
        user_state.discard(UNDO, version)


def _list_removed(
    document: Document, values: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the entries with an id that an edit removes, by id, as `restore_entry` needs them."""
    for at in values:
        left = arrangement(document, values, at)
        for name in arrangement(document, {}, at):
            entry = resolve_pointer(document, f"{at}/{name}")
            if name not in left and isinstance(entry, dict) and "id" in entry:
                yield (
                    str(entry["id"]),
                    {
                        "base": "",
                        "at": utc_now(),
                        "list": at,
                        "place": int(name),
                        "entry": read_entry(document, at, int(name)),
                        "text": str(entry.get("text") or entry.get("title") or ""),
                    },
                )


def restore_entry(name: str) -> None:
    """Write a removed entry back to its place in its list.

    Args:
        name: the key of the file and the id of the entry, with a colon between them.

    Raises:
        NotConfigured: it was not removed, or its list is gone.
        Unfit: the file would have errors, or would change an approved entry.
    """
    key, _, entry = name.partition(":")
    with lock(library.own_paytables()):
        removed = user_state.load(DELETED, name)
        document, path, present = _open_to_change(key)
        listed = resolve_pointer(document, removed["list"]) if removed else None
        if removed is None or not isinstance(listed, list):
            raise NotConfigured(
                f"{entry} cannot be restored: its list is no longer in {key}.",
                remedy="Add it again on the page of the file.",
            )
        if not any(each.get("id") == entry for each in listed):
            text = insert_entry(document, removed["list"], removed["place"], removed["entry"])
            findings = check_text(document, text)
            _refuse_approved(findings)
            refuse_errors(findings)
            storage.write_atomically(path, text.encode(), before=present)
        user_state.discard(DELETED, name)


def can_undo(key: str, document: Document) -> bool:
    """Return True if a file is as it was last saved here."""
    return user_state.load(UNDO, _version(key, document.sha256)) is not None


def _open_to_change(key: str, base: str | None = None) -> tuple[Document, Path, bytes | None]:
    """Return a file, its path in the project, and its content there; None for a built-in file.

    Raises:
        ChangedMeanwhile: its digest is not ``base``, or an editor changes it at this moment.
    """
    document = open_file(key)
    path = library.own_paytables() / _relative_path(document)
    present = storage.read_present(path)
    changed = present is not None and _digest(present) != document.sha256
    if changed or base not in {None, document.sha256}:
        raise ChangedMeanwhile(
            f"{_find_writer(path, present)} saved {key} after you opened it. "
            "Your changes are not saved.",
            remedy="Open the page again: it shows the current file and your draft.",
        )
    return document, path, present


def _find_writer(path: Path, data: bytes | None) -> str:
    """Return who wrote a file, as the log of the project says."""
    project, digest = library.own_paytables().parent, _digest(data or b"")
    name, writer = path.relative_to(project).as_posix(), "Someone else"
    with contextlib.suppress(NotReadable):
        for line in read_log(project / LOG):
            if line.entry and line.entry.outputs.get(name) == digest:
                writer = f"At {line.entry.time}, {line.entry.user}"
    return writer


def _version(key: str, digest: str) -> str:
    """Return the name of what is kept for one version of a file."""
    return f"{key} {digest}"


def _refuse_approved(findings: Iterable[Finding]) -> None:
    changed = tuple(finding for finding in findings if finding.code == CHANGED)
    if changed:
        raise Unfit(changed, "Not saved: approved or filed content must not change.")


def _schema(document: Document) -> dict[str, str]:
    """Return the schema name to write if the project has no folder of schemas."""
    named = resolve_pointer(document, "/$schema")
    return {"/$schema": str(named).rpartition("/")[2]} if named else {}


def _relative_path(document: Document) -> Path:
    """Return a file's path below its folder of declared data."""
    return Path(document.evidence_path.partition("paytables/")[2])


def _place(document: Document) -> Path:
    """Return the path of a file once changed: in the project, or else its present path."""
    try:
        return library.own_paytables() / _relative_path(document)
    except NotConfigured:
        return library.paytables() / _relative_path(document)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
