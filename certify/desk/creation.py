"""Create, copy, rename and delete: projects, games and paytables."""

import contextlib
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify import library
from certify.declare import blank, deletion, editing, new
from certify.desk.answers import Form, NotHere, get_route, page, post_route, redirect, today
from certify.desk.editor import find_page
from certify.errors import CertifyError
from certify.figures.evaluate import overview
from certify.model.game import Game, WagerKind
from certify.model.paytable import HandOf


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


def _name(form: Form) -> str:
    """Return the typed id, or one from the name.

    Raises:
        WrongFields: the name has no Latin letters.
    """
    latin = unicodedata.normalize("NFKD", form.text("called").lower()).encode("ascii", "ignore")
    name = form.text("id") or re.sub(r"[^a-z0-9]+", "-", latin.decode()).strip("-")
    if not name:
        raise new.WrongFields(
            {"id": "The name has no Latin letters. Write an id, such as lucky-dragon."}
        )
    return name


def _new_game(key: str, form: Form) -> str:
    """Copy a game; without a key, start a blank one."""
    request = new.GameRequest(
        id=_name(form),
        like=key or None,
        blank=not key,
        called=form.text("called"),
        document=form.text("document"),
        supplier=form.text("supplier"),
        dated=form.text("dated"),
        clause=form.text("clause"),
        on=today(),
    )
    blank.game(request)
    return f"/games/{request.id}"


def _new_wager(key: str, form: Form) -> str:
    request = blank.WagerRequest(
        target=f"{key}/{_name(form)}",
        called=form.text("called"),
        clause=form.text("clause"),
        hand=HandOf(form.text("hand")),
        kind=WagerKind(form.text("kind")),
    )
    blank.wager(request)
    return f"/games/{key}"


def _new_event(key: str, form: Form) -> str:
    blank.event(
        form.text("id"),
        text=form.text("text"),
        when=form.text("when") or None,
        like=form.text("like"),
        document=overview().catalog.games[key.partition("/")[0]].document.id,
        clause=form.text("clause"),
    )
    return f"/games/{key}/events"


def _new_jurisdiction(_key: str, form: Form) -> str:
    blank.jurisdiction(
        _name(form),
        called=form.text("called"),
        regulator=form.text("regulator"),
        clause=form.text("clause"),
        address=form.text("address"),
        on=today(),
    )
    return "/cases"


def _new_paytable(_key: str, form: Form) -> str:
    """Copy a paytable; without one of the wager, start with one row."""
    wager, _, model = form.text("like").rpartition("/")
    target = f"{wager}/{form.text('new_id')}"
    new.check_id(form.text("new_id"))
    if model:
        new.paytable(target, like=model, clause=form.text("clause"))
    else:
        blank.paytable(target, rows=[form.text("row")], clause=form.text("clause"))
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
    owner, _, entry = key.partition(":")
    if entry:
        editing.restore_entry(key)
        return find_page(owner)
    deletion.restore(key)
    return f"/games/{key}"


def _new_project(_key: str, form: Form) -> str:
    folder = Path(form.text("folder")).expanduser()
    new.project(folder)
    os.chdir(folder)
    return "/"


ACTS: Mapping[str, Callable[[str, Form], str]] = {
    "project": _new_project,
    "game": _new_game,
    "copy": _new_game,
    "wager": _new_wager,
    "paytable": _new_paytable,
    "event": _new_event,
    "jurisdiction": _new_jurisdiction,
    "rename": _rename,
    "delete": _delete,
    "restore": _restore,
}


ID = Field(
    name="id",
    label="Id",
    help="Latin letters, digits and hyphens. Empty: from the name.",
    optional=True,
)
DOCUMENT = Field(name="document", label="Title of its document")
CLAUSE = Field(name="clause", label="Section of the game’s document")
FIELDS: Mapping[str, tuple[Field, ...]] = {
    "project": (Field(name="folder", label="Folder", help="It is created if it is missing."),),
    "game": (
        Field(name="called", label="Name of the new game", help="In any script."),
        ID,
        DOCUMENT,
        Field(name="clause", label="Section with its rules"),
    ),
    "copy": (
        Field(
            name="called",
            label="Name of the new game",
            help="In any script. It replaces the name in all sentences.",
        ),
        replace(ID, label="Id of the new game"),
        Field(name="supplier", label="Supplier of the new game"),
        DOCUMENT,
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
    "jurisdiction": (
        Field(name="called", label="Name of the jurisdiction"),
        ID,
        Field(name="regulator", label="Regulator"),
        Field(name="clause", label="Citation of its first rule"),
        Field(name="address", label="Address at which the rule was read"),
    ),
    "rename": (Field(name="name", label="Printed name"),),
}
"""The fields of the forms that are the same for every game."""


def _options(ids: Iterable[str]) -> list[dict[str, str]]:
    return [{"id": str(name), "name": name.replace("_", " ")} for name in ids]


def _fields(act: str, game: Game | None) -> tuple[Field, ...]:
    if game is None or act not in ("wager", "event", "paytable"):
        return FIELDS.get(act, ())
    if act == "wager":
        return (
            Field(name="called", label="Name of the new wager"),
            ID,
            CLAUSE,
            Field(name="hand", label="Hand that it uses", options=_options(HandOf)),
            Field(
                name="kind",
                label="Kind",
                options=_options((WagerKind.BONUS, WagerKind.PROGRESSIVE)),
            ),
        )
    if act == "event":
        events = sorted(overview().catalog.events)
        return (
            Field(name="id", label="Id of the new event", help="Such as royal_match."),
            Field(name="text", label="Description in the rules of play"),
            CLAUSE,
            Field(name="like", label="Event with the same condition", options=_options(events)),
            Field(
                name="when",
                label="Another condition, as JSON",
                help='Such as {"flush_length": 6, "joker": false}.',
                optional=True,
            ),
        )
    models = [
        {"id": table.target, "name": f"{wager.name}: {table.name}"}
        for wager in game.wagers
        for table in wager.paytables
    ] + [
        {"id": f"{wager.target}/", "name": f"{wager.name}: no copy, one row"}
        for wager in game.wagers
        if wager.kind is not WagerKind.MAIN
    ]
    return (
        Field(name="new_id", label="Id of the new paytable", help="Such as PT-2."),
        Field(name="like", label="Paytable to copy", options=models),
        CLAUSE,
        Field(
            name="row", label="The row, without a copy", help="Such as flush=4 to 1.", optional=True
        ),
    )


def offer(act: str, key: str, **values: str) -> Creation:
    """Return a form with its values."""
    game = overview().catalog.games.get(key.partition("/")[0])
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
    acts = ["copy", "wager", "paytable"] if game else []
    acts += ["rename", "delete"] if deletion.own_files(key) else []
    return [offer(act, key, **({"name": name} if act == "rename" else {})) for act in acts]


def deleted(request: Request) -> Creation | None:
    """Return the form that undoes the deletion which an address names."""
    key = request.query_params.get("deleted", "")
    return offer("restore", key) if key and deletion.was_deleted(key) else None


def _list_deleted(request: Request) -> Response:
    """List what can be restored."""
    deletions = deletion.list_deleted() if library.project() is not None else []
    return page(request, "deletions", entries=deletions)


def _act(request: Request, form: FormData) -> Response:
    act, key = request.path_params["act"], request.path_params["key"]
    values = {name: str(value).strip() for name, value in form.items() if name != "csrf"}
    creation_form = offer(act, key, **values)
    if act not in ACTS or not (creation_form.fields or act in ("delete", "restore")):
        raise NotHere("There is no such form.")
    for each in creation_form.fields:
        value = values.get(each.name, "")
        if not (value or each.optional):
            creation_form.form.faults[each.name] = "Fill in this field."
        elif each.options and value not in [option["id"] for option in each.options]:
            creation_form.form.faults[each.name] = "Choose an entry of the list."
    if not creation_form.form.wrong:
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
