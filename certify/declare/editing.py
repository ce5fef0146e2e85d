"""Edits of declared files, checked before they are saved into the project.

Only values of the file are changed, each at its position; all other text stays unchanged. A file
that comes with certify is saved into the project, which overrides it.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
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
from certify.declare.rewriting import add_revision, replace_values, resolve_pointer
from certify.errors import ChangedMeanwhile, NotConfigured, NotReadable
from certify.figures.evaluate import Settings, evaluate, select_target
from certify.figures.targets import Selection, refuse_errors, select_entries
from certify.filing.listing import CHANGED, find_approvals
from certify.intake.schema import describe_values
from certify.intake.strict_json import scan
from certify.intake.workspace import replace_text
from certify.locking import lock
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.finding import Document, Finding, Unfit
from certify.review.check import check_unsaved

DRAFTS = "drafts"
OTHERS = "others"
UNDO = "undo"
CHOICES = "choices"
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
            former = {"base": base, "text": document.text if is_own else None}
            user_state.store(UNDO, _version(key, _digest(data)), former)
            storage.write_atomically(path, data, before=present)
            user_state.discard(UNDO, _version(key, base))
        forget(key, values)
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
        forget(key, values)
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
            keep(game, _digest(data), draft)
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
        user_state.discard(UNDO, version)


def can_undo(key: str) -> bool:
    """Return True if the file is unchanged since it was last saved here."""
    return user_state.load(UNDO, _version(key, open_file(key).sha256)) is not None


def keep(
    key: str, base: str, values: Mapping[str, str], *, window: str = "", seen: str = ""
) -> bool:
    """Keep changes that are not saved, for when the page is opened again; see `save`.

    Changes that another window typed meanwhile are not overwritten: the other changes are kept
    for `load_others`. Return False if the draft is still that of the other window.

    Args:
        key: the file's key in the catalog.
        base: the SHA-256 of the file that was edited.
        values: the changed texts by pointer.
        window: the id of the page that they were typed on.
        seen: the version of the draft that this page showed at first; see `draft_version`.
    """
    mine = {"base": base, "values": dict(values), "window": window}
    draft = user_state.load(DRAFTS, key)
    if (
        draft is not None
        and draft["values"] != mine["values"]
        and draft.get("window", "") != window
    ):
        outdated = draft["base"] != base
        if outdated or draft_version(key) != seen:
            other = draft if outdated else mine
            others = _load_apart(key) | {other.get("window", ""): other}
            user_state.store(OTHERS, key, {"base": "", "values": others})
            if not outdated:
                return False
    user_state.store(DRAFTS, key, mine)
    return True


def draft_version(key: str) -> str:
    """Return a digest of the unsaved changes."""
    return _digest(json.dumps(user_state.load(DRAFTS, key), sort_keys=True).encode())


def _drop_apart(key: str, window: str) -> None:
    others = _load_apart(key)
    if others.pop(window, None) is not None:
        user_state.store(OTHERS, key, {"base": "", "values": others})


def _load_apart(key: str) -> dict[str, Any]:
    """Return the drafts that are kept apart, by the window that they were typed in."""
    return dict((user_state.load(OTHERS, key) or {"values": {}})["values"])


def load_others(key: str, document: Document) -> dict[str, Any]:
    """Return the changes that are not in the draft, by the window that they were typed in.

    These were typed while another window changed the draft, or made to an earlier file.
    """
    draft = user_state.load(DRAFTS, key)
    outdated = draft is not None and draft["base"] != document.sha256
    return _load_apart(key) | ({draft.get("window", ""): draft} if draft and outdated else {})


def settle(key: str, window: str, document: Document, values: Mapping[str, str]) -> None:
    """Keep the result of a conflict as the draft, in place of it and of a window's changes."""
    _drop_apart(key, window)
    user_state.store(
        DRAFTS, key, {"base": document.sha256, "values": dict(values), "window": "settled"}
    )


def load_draft(key: str, document: Document) -> dict[str, str]:
    """Return the unsaved changes, if they were made to the present file."""
    draft = user_state.load(DRAFTS, key)
    values = draft.get("values") if draft is not None and draft["base"] == document.sha256 else None
    if not isinstance(values, dict):
        return {}
    return {str(name): str(value) for name, value in values.items()}


def forget(key: str, saved: Mapping[str, str] | None = None) -> None:
    """Delete the unsaved changes; with ``saved`` only if these were saved."""
    draft = user_state.load(DRAFTS, key)
    if saved is None or draft is None or draft["values"] == dict(saved):
        user_state.discard(DRAFTS, key)
    for window, other in _load_apart(key).items():
        if saved is not None and other["values"] == dict(saved):
            _drop_apart(key, window)


def keep_choices(key: str, choices: Mapping[str, Sequence[str]]) -> None:
    """Keep the choices of a form, for when it is opened again."""
    user_state.store(CHOICES, key, {"base": "", "values": choices})


def load_choices(key: str) -> dict[str, list[str]]:
    """Return the choices of a form that were kept last."""
    stored = user_state.load(CHOICES, key) or {}
    return {str(name): list(map(str, each)) for name, each in stored.get("values", {}).items()}


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
            f"Someone else saved {key} after you opened it. Your changes are not saved.",
            remedy="Open the page again: it shows the current file and your draft.",
        )
    return document, path, present


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
