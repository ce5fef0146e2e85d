"""Create, copy, rename and delete: projects, games and paytables."""

import contextlib
import os
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify import library
from certify.declare import deletion, editing, new
from certify.desk.answers import Form, NotHere, get_route, page, post_route, redirect, today
from certify.errors import CertifyError, NotReadable
from certify.figures.evaluate import overview
from certify.formatting import utc_minute
from certify.model.game import Game


class Field(Struct, frozen=True, kw_only=True):
    """A field of a form; with ``options`` it is a list."""

    name: str
    label: str
    help: str = ""
    optional: bool = False
    options: Sequence[Mapping[str, str]] = ()


class Creation(Struct, frozen=True, kw_only=True):
    """A form that creates or changes a project, a game or a paytable."""

    act: str
    key: str
    fields: tuple[Field, ...]
    form: Form
    also: tuple[str, ...] = ()
    """Other files that a deletion changes or deletes."""

    @property
    def address(self) -> str:
        """The address that it is sent to."""
        return f"/create/{self.act}/{self.key}"


def _copy_game(key: str, form: Form) -> str:
    latin = unicodedata.normalize("NFKD", form.text("called").lower()).encode("ascii", "ignore")
    suggested = re.sub(r"[^a-z0-9]+", "-", latin.decode()).strip("-")
    name = form.text("id") or suggested
    if not name:
        raise new.WrongFields(
            {"id": "The name has no Latin letters. Write an id, such as lucky-dragon."}
        )
    copy = new.GameRequest(
        id=name,
        like=key,
        called=form.text("called"),
        document=form.text("document"),
        supplier=form.text("supplier"),
        dated=form.text("dated"),
        clause=form.text("clause"),
        on=today(),
    )
    new.copy_game(copy)
    return f"/games/{name}"


def _new_paytable(key: str, form: Form) -> str:
    wager, _, model = form.text("like").rpartition("/")
    target = f"{wager}/{form.text('new_id')}"
    if wager.partition("/")[0] != key:
        raise NotReadable("The paytable to copy is of another game.", remedy="Choose it again.")
    new.paytable(target, like=model, clause=form.text("clause"))
    return f"/games/{target}"


def _rename(key: str, form: Form) -> str:
    editing.save(key, editing.open_file(key).sha256, {"/name": form.text("name")})
    return f"/games/{key}"


def _delete(key: str, _form: Form) -> str:
    deletion.delete(key)
    game, _, paytable = key.partition("/")
    above = f"/games/{game}" if paytable or game in overview().catalog.games else "/"
    return f"{above}?deleted={key}"


def _restore(key: str, _form: Form) -> str:
    deletion.restore(key)
    return f"/games/{key}"


def _new_project(_key: str, form: Form) -> str:
    folder = Path(form.text("folder")).expanduser()
    new.project(folder)
    os.chdir(folder)
    return "/"


ACTS: Mapping[str, Callable[[str, Form], str]] = {
    "project": _new_project,
    "copy": _copy_game,
    "paytable": _new_paytable,
    "rename": _rename,
    "delete": _delete,
    "restore": _restore,
}


FIELDS = {
    "project": (Field(name="folder", label="Folder", help="It is created if it is missing."),),
    "copy": (
        Field(
            name="called",
            label="Name of the new game",
            help="In any script. It replaces the name in all sentences.",
        ),
        Field(
            name="id",
            label="Id of the new game",
            help="Latin letters, digits and hyphens. Empty: from the name.",
            optional=True,
        ),
        Field(name="supplier", label="Supplier of the new game"),
        Field(name="document", label="Title of its document"),
        Field(
            name="dated",
            label="Date or revision of its document",
            help="As the document states it.",
        ),
        Field(
            name="clause",
            label="Section with its rules",
            help="Cited for rules and paytables. Empty: no filing until each has one.",
            optional=True,
        ),
    ),
    "rename": (Field(name="name", label="Printed name"),),
}
"""The fields of the forms that are the same for every game."""


def _fields(act: str, game: Game | None) -> tuple[Field, ...]:
    if act != "paytable" or game is None:
        return FIELDS.get(act, ())
    models = [
        {"id": table.target, "name": f"{wager.name}: {table.name}"}
        for wager in game.wagers
        for table in wager.paytables
    ]
    return (
        Field(name="new_id", label="Id of the new paytable", help="Such as PT-2."),
        Field(name="like", label="Paytable to copy", options=models),
        Field(name="clause", label="Section of the game’s document"),
    )


def offer(act: str, key: str, **values: str) -> Creation:
    """Return a form with its values."""
    game = overview().catalog.games.get(key)
    form = Form(values={name: [text] for name, text in values.items()})
    also: tuple[str, ...] = ()
    if act == "delete":
        with contextlib.suppress(CertifyError):  # said when the form is sent
            also = tuple(path.name for path in deletion.list_mentions(key))
    return Creation(act=act, key=key, fields=_fields(act, game), form=form, also=also)


def offers(key: str, name: str) -> list[Creation]:
    """Return the forms for a game or a paytable; without a project there are none."""
    if library.project() is None:
        return []
    game = overview().catalog.games.get(key)
    acts = ["copy", *(["paytable"] if game.paytables else [])] if game else []
    acts += ["rename", "delete"] if deletion.own_files(key) else []
    return [offer(act, key, **({"name": name} if act == "rename" else {})) for act in acts]


def deleted(request: Request) -> Creation | None:
    """Return the form that undoes the deletion which an address names."""
    key = request.query_params.get("deleted", "")
    return offer("restore", key) if key and deletion.was_deleted(key) else None


def _list_deleted(request: Request) -> Response:
    """List what can be restored."""
    deletions = deletion.list_deleted() if library.project() is not None else []
    entries = [
        {"deleted": each, "creation": offer("restore", each.key), "at": utc_minute(each.at)}
        for each in deletions
    ]
    return page(request, "deletions", entries=entries)


def _act(request: Request, form: FormData) -> Response:
    act, key = request.path_params["act"], request.path_params["key"]
    if act not in ACTS:
        raise NotHere("There is no such form.")
    values = {name: str(value).strip() for name, value in form.items() if name != "csrf"}
    creation_form = offer(act, key, **values)
    empty = [
        each.name
        for each in creation_form.fields
        if not each.optional and not values.get(each.name)
    ]
    creation_form.form.faults |= dict.fromkeys(empty, "Fill in this field.")
    if not empty:
        try:
            return redirect(ACTS[act](key, creation_form.form))
        except CertifyError as error:
            if not creation_form.fields:
                raise
            fault = {creation_form.fields[0].name: f"{error.message} {error.remedy}"}
            creation_form.form.faults |= (
                error.faults if isinstance(error, new.WrongFields) else fault
            )
    return page(request, "create", creation=creation_form, status=422)


def _show(request: Request) -> Response:
    creation_form = offer(request.path_params["act"], request.path_params["key"])
    if not creation_form.fields:
        raise NotHere("There is no such form.")
    return page(request, "create", creation=creation_form)


ROUTES: tuple[Any, ...] = (
    get_route("/deleted", _list_deleted),
    get_route("/create/{act}/{key:path}", _show),
    post_route("/create/{act}/{key:path}", _act),
)
