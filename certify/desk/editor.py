"""Edited files: forms, drafts, entries of lists, versions of two windows, and saving."""

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct, convert
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from certify.declare import editing, user_state
from certify.declare.rewriting import (
    ROWS,
    add_entry,
    arrangement,
    difference,
    rearrange,
    replace_values,
    resolve_pointer,
)
from certify.desk.answers import NotHere, get_route, page, post_route, redirect
from certify.figures.evaluate import overview
from certify.filing.listing import CHANGED, find_approvals, group_in_force
from certify.model.finding import Document, worst_first
from certify.project_log import account_name

Texts = dict[str, str]

Version = dict[str, Texts]
"""Entries by pointer, in their order, each with its texts by their pointers in it."""


class EditableFile(Struct, frozen=True, kw_only=True):
    """A file that a page edits: its texts by pointer, and its lists that can be arranged.

    ``fields`` has the texts of a new entry by the pointer of its list; ``hidden`` the form fields
    that name the file.
    """

    key: str
    name: str
    document: Document
    address: str
    find_texts: Callable[[Document], Texts]
    fields: Mapping[str, tuple[str, ...]]
    hidden: Mapping[str, str]

    def takes(self, name: str) -> bool:
        """Return True if a form field is a text of the file or of a new entry, or an order."""
        at, _, field = re.sub(r"/\+[0-9]{1,3}/", " ", name, count=1).partition(" ")
        if name in self.find_texts(self.document):
            return bool(self.fields) or not name.endswith("/clause")
        return at in self.fields and (not field or field in self.fields[at])

    def drop_unchanged(self, values: Mapping[str, str]) -> Texts:
        """Return the values that are not those of the file."""
        orders = {at: " ".join(arrangement(self.document, {}, at)) for at in self.fields}
        return {
            name: text
            for name, text in values.items()
            if "/+" in name or text != orders.get(name, resolve_pointer(self.document, name) or "")
        }


class Edited(Struct, frozen=True, kw_only=True):
    """A declared file as a form would change it.

    ``values`` are the edits, by pointer; ``base`` is the digest of the edited file, and ``back``
    the page. ``window`` and ``seen`` are as in `user_state.keep_draft`.
    """

    key: str
    document: Document
    values: Texts
    base: str
    back: str
    window: str = ""
    seen: str = ""

    @property
    def text(self) -> str:
        """The file with its edits."""
        return replace_values(self.document, self.values)

    def keep(self) -> bool:
        """Store the unsaved edits, for the next visit of the page; see `user_state.keep_draft`."""
        return user_state.keep_draft(
            self.key, self.base, self.values, window=self.window, seen=self.seen
        )


def read_edited(file: EditableFile, form: FormData) -> Edited:
    """Return the edits of a form; values of the present file are no edits of it.

    Those of another version are kept, and not saved: all its texts are, as they may be gone here.
    """
    base = str(form.get("base", ""))
    is_present = base == file.document.sha256
    typed = parse_values(form, file.takes if is_present else lambda name: name.startswith("/"))
    return Edited(
        key=file.key,
        document=file.document,
        values=file.drop_unchanged(typed) if is_present else typed,
        base=base,
        window=str(form.get("window", "")),
        seen=str(form.get("seen", "")),
        back=file.address,
    )


def parse_values(form: FormData, of_file: Callable[[str], bool]) -> Texts:
    """Return the fields of a form that are values of a file, by pointer."""
    typed = ((name, str(value)) for name, value in form.multi_items() if of_file(name))
    return {name: " ".join(value.split()) for name, value in typed}


def build_review(file: EditableFile, edited: Edited) -> dict[str, Any]:
    """Return the preview of a file before it is saved, with its changed entries."""
    return {
        "file": file,
        "window": edited.window,
        "seen": edited.seen,
        "changes": list(_list_changes(file, edited.values)),
        **build_preview(edited),
    }


def build_preview(edited: Edited) -> dict[str, Any]:
    """Return the preview of a file before it is saved."""
    findings = worst_first(editing.check_text(edited.document, edited.text))
    return {
        "base": edited.base,
        "values": edited.values,
        "lines": list(difference(edited.document.text, edited.text)),
        "findings": findings,
        "new_id": f"{edited.key.rpartition('/')[2]}-2",
        "clause": edited.document.value.get("source", {}).get("clause") or "",
        "has_errors": any(finding.is_error for finding in findings),
        "changes_approved": any(finding.code == CHANGED for finding in findings),
    }


def save_as_typed(edited: Edited, form: FormData) -> str:
    """Save a record under the id that a form names; return its target."""
    return editing.save_copy(
        edited.key,
        edited.base,
        edited.values,
        name=str(form.get("new_id", "")).strip(),
        clause=str(form.get("clause", "")).strip(),
    )


def state_names() -> dict[str, str]:
    """Return the name of each jurisdiction by its id."""
    return {state.id: state.name for state in overview().catalog.jurisdictions.values()}


def build_state(key: str, document: Document) -> dict[str, Any]:
    """Return the state of a file: its approvals, unsaved edits and last save, and a new window.

    ``typist`` is the other user who typed the edits, as `find_typist`; ``others`` has that of each
    window.
    """
    return {
        "document": document,
        "unsaved": user_state.load_unsaved(key, document),
        "typist": find_typist(key, document),
        "others": {
            window: _name_other(convert(other, user_state.Unsaved))
            for window, other in user_state.load_others(key, document).items()
        },
        **new_window(key),
        "can_undo": editing.can_undo(key, document),
        "approvals": group_in_force(find_approvals(key)),
    }


def find_typist(key: str, document: Document) -> str:
    """Return the name of the other user who edits a file; empty for none."""
    unsaved = user_state.load_unsaved(key, document)
    return _name_other(unsaved) if unsaved else ""


def _name_other(unsaved: user_state.Unsaved) -> str:
    return unsaved.user if unsaved.user != account_name() else ""


def find_page(key: str) -> str:
    """Return the address of the page that edits a file."""
    owner, _, name = key.rpartition("/")
    game = key.partition("/")[0]
    if name in editing.RECORDS:
        return f"/sources/{owner}"
    declared = overview().catalog.games.get(game)
    is_paytable = declared and any(key == table.target for table in declared.paytables)
    return f"/games/{key}" if is_paytable else f"/rules/{game}"


def new_window(key: str) -> dict[str, str]:
    """Return the id of a new page, and the version of the draft that it shows."""
    return {"window": secrets.token_hex(4), "seen": user_state.draft_version(key)}


def read_version(
    file: EditableFile, document: Document | None, values: Mapping[str, str]
) -> Version:
    """Return the entries of a document with changes; without a document, those of the changes."""
    version: Version = {}
    for at in file.fields:
        names = arrangement(document, values, at) if document else values.get(at, "").split()
        for name in names:
            id_ = resolve_pointer(document, f"{at}/{name}/id") if document else None
            version[f"{at}/{name}"] = {"id": str(id_)} if id_ else {}
    texts = {**(file.find_texts(document) if document else {}), **values}
    for pointer, text in texts.items():
        inside = next((at for at in file.fields if f"{pointer}/".startswith(f"{at}/")), "")
        if inside:
            key = next((each for each in version if pointer.startswith(f"{each}/")), "")
        else:
            key = re.sub("(/source/clause|/[^/]*)$", "", pointer)
        if key:
            version.setdefault(key, {})[pointer.removeprefix(f"{key}/")] = text
    return version


def _write_version(file: EditableFile, version: Version) -> Texts:
    """Return a version as the changes of a draft."""
    values = {
        f"{key}/{name}": text for key, texts in version.items() for name, text in texts.items()
    }
    for at in file.fields:
        inner = (key.rpartition("/") for key in version)
        values[at] = " ".join(name for list_, _, name in inner if list_ == at)
    return file.drop_unchanged(values)


def _rename(version: Version, like: Version, *, same: bool) -> Version:
    """Return entries under the names of the same entries of another version.

    A new entry, and one of an earlier file (not ``same``), is the entry with the same event or id.
    """
    renamed: Version = {}
    for key, texts in version.items():
        at, _, name = key.rpartition("/")
        is_declared = name.isdecimal()
        alike = (
            other
            for other, theirs in like.items()
            if other.rpartition("/")[0] == at
            and _identify(theirs) == _identify(texts)
            and other not in renamed
            and not (same and other.rpartition("/")[2].isdecimal())
        )
        free = (new for new in map(f"{at}/+{{}}".format, count(1)) if new not in {*like, *version})
        keeps = (same and is_declared) or not (is_declared or name.startswith("+"))
        match = key if keeps else next(alike, None)
        renamed[match or next(new for new in free if new not in renamed)] = texts
    return renamed


def _identify(texts: Mapping[str, str]) -> str:
    return texts.get("event") or texts.get("id", "")


class Conflict(Struct, frozen=True, kw_only=True):
    """Two versions of a file, and the one before both; None if that is not known."""

    mine: Version
    theirs: Version
    before: Version | None

    @property
    def keys(self) -> list[str]:
        """The entries: in my order if only this window changed it, otherwise in theirs."""
        theirs_moved = self.before is None or [*self.before] != [*self.theirs]
        return [*({**self.theirs, **self.mine} if theirs_moved else {**self.mine, **self.theirs})]

    def choose(self, key: str) -> str:
        """Return the version that changed an entry alone; empty if both did or it is not known."""
        if self.before is None:
            return ""
        mine, theirs, before = (
            version.get(key) for version in (self.mine, self.theirs, self.before)
        )
        return "theirs" if mine == before else "mine" if theirs == before else ""


def _load_conflict(file: EditableFile, window: str) -> Conflict:
    """Return the changes of a window, and the draft.

    Raises:
        NotHere: the window has typed nothing, or its changes were settled.
    """
    other = user_state.load_others(file.key, file.document).get(window)
    if other is None:
        raise NotHere("There is nothing left to decide.", remedy="Open the page again.")
    before = editing.load_version(file.key, other["base"])
    # A form of rows sends all of them: their earlier file is not needed.
    typed_on = before or (None if ROWS in other["values"] else file.document)
    same = before is not None and before.sha256 == file.document.sha256
    theirs = read_version(file, file.document, user_state.load_draft(file.key, file.document))
    mine = read_version(file, typed_on, other["values"])
    return Conflict(
        mine=_rename(mine, theirs, same=same),
        theirs=theirs,
        before=_rename(read_version(file, before, {}), theirs, same=same) if before else None,
    )


def _list_changes(file: EditableFile, values: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield each entry that the edits of a file change, before and after."""
    before, after = read_version(file, file.document, {}), read_version(file, file.document, values)
    for key in {**before, **after}:
        if before.get(key) != after.get(key):
            yield {"before": _describe(before.get(key)), "after": _describe(after.get(key))}


def _list_differences(conflict: Conflict) -> Iterator[dict[str, Any]]:
    for key in conflict.keys:
        mine, theirs = conflict.mine.get(key), conflict.theirs.get(key)
        if mine != theirs:
            yield {
                "name": key,
                "mine": _describe(mine),
                "theirs": _describe(theirs),
                "chosen": conflict.choose(key),
            }


def _describe(texts: Mapping[str, str] | None) -> dict[str, str]:
    """Return an entry in words: its text, and its place in the source."""
    if texts is None:
        return {"text": "", "clause": ""}
    if "event" in texts and "pays" in texts:
        words = f"{texts['name']} ({texts['event'].replace('_', ' ')}): {texts['pays']}"
        return {"text": words, "clause": ""}
    clauses = [text for name, text in texts.items() if name.endswith("clause")]
    shown = [text for name, text in texts.items()
             if name not in ("id", "source/document") and text not in clauses]  # fmt: skip
    return {"text": " ".join(filter(None, shown)), "clause": "; ".join(filter(None, clauses))}


Open = Callable[[Request, Mapping[str, Any]], EditableFile]
"""Finds the file that an address and a form name."""


def conflict_routes(address: str, open_file: Open) -> tuple[BaseRoute, BaseRoute]:
    """Return the page that compares the versions of two windows, and the route of its form."""

    def show(request: Request) -> Response:
        file = open_file(request, request.query_params)
        window = request.query_params.get("window", "")
        return page(
            request,
            "conflict",
            name=file.name,
            back=file.address,
            address=request.url.path,
            hidden={**file.hidden, "window": window},
            differences=list(_list_differences(_load_conflict(file, window))),
        )

    def settle(request: Request, form: FormData) -> Response:
        file, window = open_file(request, form), str(form.get("window", ""))
        conflict = _load_conflict(file, window)
        chosen: Version = {}
        for key in conflict.keys:
            use = form.get("all") or form.get(f"use {key}", "theirs")
            entry = (conflict.mine if use == "mine" else conflict.theirs).get(key)
            chosen |= {} if entry is None else {key: entry}
        user_state.settle_draft(file.key, window, file.document, _write_version(file, chosen))
        return redirect(file.address)

    return get_route(f"{address}/conflict", show), post_route(f"{address}/conflict", settle)


def arrange_route(
    address: str, open_file: Open, start: Callable[[EditableFile, str, Texts], Texts]
) -> BaseRoute:
    """Return the route that moves, removes or adds an entry of a list; ``start`` begins one."""

    def arrange(request: Request, form: FormData) -> Response:
        file = open_file(request, form)
        edited = read_edited(file, form)
        act, at, name = (*str(form.get("act", "")).split(" "), "", "", "")[:3]
        if at not in file.fields:
            raise NotHere("There is no such list.", remedy="Open the page again.")
        if not edited.keep() or edited.base != file.document.sha256:
            query = urlencode({**file.hidden, "window": edited.window})
            return redirect(f"{request.url.path.rpartition('/')[0]}/conflict?{query}")
        if act == "add":
            texts = start(file, at, edited.values)
            values = add_entry(file.document, edited.values, texts, at)
        else:
            values = rearrange(file.document, edited.values, act, name, at)
        user_state.keep_draft(file.key, edited.base, values, **new_window(file.key))
        order = arrangement(file.document, values, at)
        shown = order[-1] if act == "add" else name
        return redirect(
            f"{file.address}#{at}/{shown}" if shown in order else f"{file.address}#{at}"
        )

    return post_route(f"{address}/arrange", arrange)


def save_routes(
    address: str, edited_of: Callable[[Request, FormData], Edited]
) -> tuple[BaseRoute, BaseRoute, BaseRoute]:
    """Return the routes that save a file, undo the last save, and discard edits."""

    def route(name: str, act: Callable[[Edited], object]) -> BaseRoute:
        def answer(request: Request, form: FormData) -> Response:
            edited = edited_of(request, form)
            act(edited)
            return redirect(edited.back)

        return post_route(f"{address}/{name}", answer)

    def save(edited: Edited) -> None:
        edited.keep()  # shown again if the file is not saved
        editing.save(edited.key, edited.base, edited.values)

    return (
        route("save", save),
        route("undo", lambda edited: editing.undo(edited.key, edited.base)),
        route("discard", lambda edited: user_state.forget_draft(edited.key)),
    )
