"""Records on the document of a game of the project: its printed figures and its discrepancies."""

from collections.abc import Mapping
from itertools import count
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify import library
from certify.declare import editing, user_state
from certify.declare.deletion import is_own
from certify.declare.new import format_record, write_new
from certify.declare.rewriting import resolve_pointer
from certify.desk.answers import Form, NotHere, get_route, page, post_route, redirect
from certify.desk.editor import (
    EditableFile,
    Texts,
    arrange_route,
    build_review,
    build_state,
    conflict_routes,
    find_typist,
    read_edited,
    read_version,
    save_routes,
)
from certify.desk.games import get_game, list_tables
from certify.model.finding import Document
from certify.model.game import Game

ADDRESS = "/sources/{game}"

LISTS = {"published": "figures", "discrepancies": "discrepancies"}
"""The files of records, and the list that each has."""

FIELDS = {
    "published": (
        "id", "target", "quantity", "event", "printed", "convention", "players", "reason",
        "source/document", "source/clause",
    ),
    "discrepancies": (
        "id", "kind", "title", "words/0", "effect", "resolution", "topic", "targets/0",
        "sources/0/document", "sources/0/clause",
    ),
}  # fmt: skip
"""The texts of a new entry."""

CHOICES = ("quantity", "convention", "kind", "topic")
"""Texts with the allowed values of the schema."""


def _open(request: Request, form: Mapping[str, Any]) -> EditableFile:
    """Return a file of records.

    Raises:
        NotHere: the game is a built-in one, or has no such file.
    """
    data, game = get_game(request)
    kind = str(form.get("file", ""))
    document = data.catalog.documents.get(f"{game.id}/{kind}")
    if kind not in LISTS or document is None or not is_own(game.id):
        raise NotHere(f"{game.name} has no such file.", remedy="Choose a game of your own.")
    return EditableFile(
        key=f"{game.id}/{kind}",
        name=LISTS[kind].capitalize(),
        document=document,
        address=f"/sources/{game.id}",
        find_texts=_find_texts,
        fields={f"/{LISTS[kind]}": FIELDS[kind]},
        hidden={"file": kind},
    )


def _find_texts(document: Document) -> Texts:
    """Return the texts of the entries by pointer, without their ids and documents."""
    values = {pointer: resolve_pointer(document, pointer) for pointer in document.spans}
    return {
        pointer: value or ""
        for pointer, value in values.items()
        if isinstance(value, str | None)
        and pointer.startswith(tuple(f"/{name}/" for name in LISTS.values()))
        and not _is_fixed(pointer)
    }


def _is_fixed(name: str) -> bool:
    """Return True for the texts that are not typed: ids, and ids of documents."""
    return name.rpartition("/")[2] in ("id", "document")


def _show(request: Request) -> Response:
    data, game = get_game(request)
    present = [kind for kind in LISTS if f"{game.id}/{kind}" in data.catalog.documents]
    if not is_own(game.id):
        raise NotHere(f"{game.name} is built in.", remedy="Copy the game first.")
    return page(
        request,
        "sources",
        game=game,
        address=f"/sources/{game.id}",
        absent=[kind for kind in LISTS if kind not in present],
        files=[_view(game, kind, _open(request, {"file": kind})) for kind in present],
    )


def _view(game: Game, kind: str, file: EditableFile) -> dict[str, Any]:
    """Return a file with its entries for a template, each with its fields."""
    (at,) = file.fields
    version = read_version(file, file.document, user_state.load_draft(file.key, file.document))
    return {
        "kind": kind,
        "at": at,
        "entries": [
            {
                "key": key,
                "name": key.rpartition("/")[2],
                "id": texts["id"],
                "hidden": {
                    f"{key}/{name}": text
                    for name, text in texts.items()
                    if name in FIELDS[kind] and _is_fixed(name) and "+" in key
                },
                "form": Form(values={f"{key}/{name}": [text] for name, text in texts.items()}),
                "fields": [
                    {
                        "name": f"{key}/{name}",
                        "label": name.partition("/")[0],
                        "options": _list_options(game, kind, name),
                    }
                    for name in (FIELDS[kind] if key.startswith(f"{at}/+") else texts)
                    if not _is_fixed(name)
                ],
            }
            for key, texts in version.items()
        ],
        **build_state(file.key, file.document),
    }


def _list_options(game: Game, kind: str, name: str) -> list[dict[str, str]]:
    """Return the allowed values of a text, empty if any text is allowed."""
    if name in CHOICES:
        items = f"/properties/{LISTS[kind]}/items/properties"
        return editing.describe_choices(kind, f"{items}/{name}")
    if name in ("target", "targets/0"):
        return [{"id": table.target, "name": table.name} for table in list_tables(game)]
    rows = sorted({row.event for table in game.paytables for row in table.rows})
    known = (*rows, "all_other") if name == "event" else ()
    return [{"id": row, "name": row.replace("_", " ")} for row in known]


def _begin_entry(file: EditableFile, at: str, typed: Mapping[str, str]) -> Texts:
    """Return the first texts of a new entry: an id, and the document of the file."""
    used = {*typed.values(), *(entry["id"] for entry in file.document.value[at[1:]])}
    source = "source" if at == "/figures" else "sources/0"
    free = (f"{at[1:]}.{number}" for number in count(1))
    return {
        "id": next(id_ for id_ in free if id_ not in used),
        f"{source}/document": str(file.document.value["document"]),
        f"{source}/clause": "",
    }


def _begin(request: Request, form: FormData) -> Response:
    """Write a file of records without entries."""
    _, game = get_game(request)
    kind = str(form.get("file", ""))
    if kind not in LISTS or not is_own(game.id):
        raise NotHere("There is no such file.", remedy="Choose a game of your own.")
    value = {"$schema": f"{kind}.schema.json", "document": game.document.id, LISTS[kind]: []}
    write_new({library.own_paytables() / game.id / f"{kind}.json": format_record(value)})
    return redirect(f"/sources/{game.id}#/{LISTS[kind]}")


def _show_edited(request: Request, form: FormData) -> Response:
    file = _open(request, form)
    edited = read_edited(file, form)
    behind = not edited.keep() or edited.base != file.document.sha256
    return page(
        request,
        "sources_edited",
        file=file,
        window=edited.window,
        behind=behind,
        typist=find_typist(file.key, file.document),
    )


def _review(request: Request, form: FormData) -> Response:
    file = _open(request, form)
    _, game = get_game(request)
    view = build_review(file, read_edited(file, form))
    return page(request, "sources_review", game=game, **view)


ROUTES = (
    get_route(ADDRESS, _show),
    post_route(f"{ADDRESS}/begin", _begin),
    post_route(f"{ADDRESS}/edited", _show_edited),
    post_route(f"{ADDRESS}/review", _review),
    *conflict_routes(ADDRESS, _open),
    arrange_route(ADDRESS, _open, _begin_entry),
    *save_routes(ADDRESS, lambda request, form: read_edited(_open(request, form), form)),
)
