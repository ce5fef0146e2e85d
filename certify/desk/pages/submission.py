"""Submission: what is to be filed is chosen, stated, previewed, signed and written."""

import datetime as dt
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certify import library
from certify.desk.answers import Changed, NotHere, desk_of, moved, page, posted, record, shown
from certify.desk.guard import DOCUMENT_POLICY
from certify.desk.pages.jobs import result_of
from certify.errors import NotReadable
from certify.model.game import Game, Strategy
from certify.model.progress import Progress
from certify.pipeline import table_terms
from certify.pipeline.filing import Order
from certify.pipeline.identities import Signer, open_identity, stored, trusted
from certify.pipeline.submit.command import command_of
from certify.pipeline.submit.preview import Preview, preview
from certify.pipeline.submit.submit import Signing, submit, submitted_json
from certify.pipeline.targets import declared, unknown
from certify.report.filed import filed_view

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

MENU = (("Submission", "/submit"),)

UNSIGNED, FILE, TOKEN = "", "file", "token"
MEDIA = {
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": "application/zip",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of several that may be chosen."""

    id: str
    name: str
    chosen: bool = False


def _choices(known: dict[str, str], chosen: str | None) -> list[Choice]:
    return [Choice(id=one, name=name, chosen=one == chosen) for one, name in known.items()]


def _show(request: "Request") -> "Response":
    catalogue = declared()
    name = request.query_params.get("game", "")
    state = request.query_params.get("jurisdiction", "")
    view: dict[str, Any] = {
        "games": _choices({one.id: one.name for one in catalogue.games.values()}, name),
        "states": _choices({one.id: one.name for one in catalogue.jurisdictions.values()}, state),
        "asked": None,
    }
    if name and state:
        if name not in catalogue.games:
            raise unknown("game", name, catalogue.games)
        if state not in catalogue.jurisdictions:
            raise unknown("jurisdiction", state, catalogue.jurisdictions)
        game = catalogue.games[name]
        view |= {
            "asked": _asked(game),
            "game": game,
            "state": catalogue.jurisdictions[state],
            "ways": _choices(
                {one: catalogue.house_ways[one].name for one in game.house_ways}, game.house_way
            ),
        }
    return page(request, "submission", view)


def _asked(game: Game) -> dict[str, Any]:
    """Return what the form asks of a game."""
    path = _terms_of(game)
    value = table_terms.kept(path)
    limit, dollars = table_terms.limit_of(value)
    return {
        "options": [
            Choice(id=option.target, name=option.name, chosen=not place)
            for wager in game.wagers
            for place, option in enumerate(wager.options)
        ],
        "wagers": [
            {
                "name": wager.name,
                "tables": [Choice(id=one.target, name=one.name) for one in wager.paytables],
            }
            for wager in game.wagers
            if wager.paytables
        ],
        "strategies": _choices({str(one): str(one) for one in Strategy}, str(game.strategy)),
        "groups": table_terms.form(game, value),
        "limits": _choices(
            {"": "not stated", "none": "there is none", "limited": "for each player, all wagers"},
            limit,
        ),
        "limit_dollars": dollars,
        "terms_file": path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path,
        "stamp": _stamp(path),
        "identities": [
            Choice(
                id=one.id,
                name=f"{one.certificate.common_name}, until {one.certificate.not_after.date()}",
            )
            for one in stored()
        ],
    }


def _terms_of(game: Game) -> Path:
    return table_terms.path_of(game.id, library.project() or Path.cwd())


def _stamp(path: Path) -> str:
    """Return what tells whether a file has changed since a form was filled from it."""
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"


def _text(form: "FormData", name: str) -> str:
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def _order(form: "FormData") -> Order:
    """Return the order of a form, the terms that it states written to their file."""
    catalogue = declared()
    name = _text(form, "game")
    if name not in catalogue.games:
        raise unknown("game", name, catalogue.games)
    game = catalogue.games[name]
    chosen = (*form.getlist("option"), *form.getlist("paytable"))
    return _with_command(
        Order(
            game=name,
            jurisdiction=_text(form, "jurisdiction"),
            command="",
            paytables=tuple(str(one) for one in chosen),
            house_way=_other(_text(form, "house_way"), game.house_way),
            strategy=_strategy(_text(form, "strategy"), game),
            as_of=_day(_text(form, "as_of")),
            kit=bool(form.get("kit")),
            register=_register(form),
            terms=_terms(form, game),
        )
    )


def _with_command(order: Order) -> Order:
    return replace(order, command=command_of(order))


def _other(said: str, usual: str | None) -> str | None:
    return said if said and said != usual else None


def _strategy(said: str, game: Game) -> Strategy | None:
    return Strategy(said) if said in tuple(Strategy) and said != str(game.strategy) else None


def _day(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError as error:
        raise NotReadable(
            f"{text} is not a date.", remedy="Write year-month-day, such as 2026-11-21."
        ) from error


def _register(form: "FormData") -> Path | None:
    return Path("register.json") if form.get("register") else None


def _terms(form: "FormData", game: Game) -> Path | None:
    """Keep the terms of a form; return their file, None where nothing is stated."""
    path = _terms_of(game)
    before = table_terms.kept(path)
    given = {name: value for name, value in form.items() if isinstance(value, str)}
    value = table_terms.stated(game, before, given)
    if set(value) <= {"$schema", "game"} and not before:
        return None
    if value != before:
        if _text(form, "stamp") != _stamp(path):
            raise Changed(
                f"{path.name} was changed by somebody else meanwhile, and is left as it is.",
                remedy="Open the page again; it shows what the file says now.",
            )
        table_terms.own_folder(table_terms.FOLDER)
        table_terms.keep(path, value)
    root = library.project() or Path.cwd()
    return path.relative_to(Path.cwd()) if root.resolve() == Path.cwd().resolve() else path


def _preview(request: "Request", form: "FormData") -> "Response":
    order = _order(form)
    job = desk_of(request).jobs.start(
        f"Preview of {order.game}, {order.jurisdiction}",
        previewed,
        {"order": order},
        then="/submit/preview/{id}",
    )
    return moved(f"/jobs/{job.id}")


def previewed(progress: Progress, *, order: Order) -> Preview:
    """Return the preview of an order: the work of a job."""
    return preview(order, progress)


def _make(request: "Request", form: "FormData") -> "Response":
    order = _order(form)
    out = table_terms.own_folder(_text(form, "out") or "out")
    job = desk_of(request).jobs.start(
        f"Submission of {order.game}, {order.jurisdiction}",
        made,
        {
            "order": order,
            "signer": _signer(form),
            "password": _text(form, "password"),
            "timestamp_url": _text(form, "timestamp_url") or None,
            "out": out,
        },
        then="/submit/made/{id}",
    )
    return moved(f"/jobs/{job.id}")


def _signer(form: "FormData") -> Signer | None:
    """Return who is to sign as a form says it; None for nobody."""
    match _text(form, "signer"):
        case "":
            return None
        case "file":
            return Signer(name=_text(form, "key_file") or "?.p12")
        case "token":
            return Signer(
                module=Path(_text(form, "module")),
                token=_text(form, "token"),
                key=_text(form, "key"),
            )
        case name:
            return Signer(name=name)


def made(
    progress: Progress,
    *,
    order: Order,
    signer: Signer | None,
    password: str,
    timestamp_url: str | None,
    out: Path,
) -> dict[str, Any]:
    """Make a submission and write it: the work of a job; the password ends with it."""
    signing = None
    if signer is not None:
        identity = open_identity(signer, lambda _: password)
        signing = Signing(identity=identity, timestamp_url=timestamp_url, trust=trusted())
    result = submit(order, signing=signing, out=out, progress=progress)
    return {
        "view": filed_view(result.submission),
        "record": submitted_json(result),
        "files": result.files,
        "beside": result.beside,
        "findings": [asdict(one) for one in result.findings if one.severity != "note"],
        "command": order.command,
    }


def _previewed(request: "Request") -> "Response":
    return page(request, "submission_preview", {"view": _preview_of(request).view} | _job(request))


def _job(request: "Request") -> dict[str, str]:
    return {"job": request.path_params["job"]}


def _preview_of(request: "Request") -> Preview:
    found = result_of(request)
    if not isinstance(found, Preview):
        raise NotHere("This job is no preview.")
    return found


def _preview_record(request: "Request") -> "Response":
    return record(_preview_of(request).record)


def _document(request: "Request") -> "Response":
    from starlette.responses import HTMLResponse

    pages, part = _preview_of(request).pages, request.path_params["part"]
    if part not in pages:
        raise NotHere("There is no such document.")
    return HTMLResponse(pages[part], headers={"content-security-policy": DOCUMENT_POLICY})


def _made_of(request: "Request") -> dict[str, Any]:
    found = result_of(request)
    if not isinstance(found, dict) or "files" not in found:
        raise NotHere("This job wrote no submission.")
    return found


def _made(request: "Request") -> "Response":
    found = _made_of(request)
    return page(
        request,
        "submission_made",
        {
            **_job(request),
            "view": found["view"],
            "files": [path.name for path in found["files"]],
            "folder": found["files"][0].parent,
            "beside": found["beside"],
            "findings": found["findings"],
            "command": found["command"],
        },
    )


def _made_record(request: "Request") -> "Response":
    return record(_made_of(request)["record"])


def _file(request: "Request") -> "Response":
    from starlette.responses import Response

    named = {path.name: path for path in _made_of(request)["files"]}
    name = request.path_params["name"]
    if name not in named or not named[name].is_file():
        raise NotHere("There is no such file.")
    return Response(
        named[name].read_bytes(),
        media_type=MEDIA.get(named[name].suffix, "application/octet-stream"),
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


ROUTES = (
    shown("/submit", _show),
    posted("/submit", _make),
    posted("/submit/preview", _preview),
    shown("/submit/preview/{job}/record.json", _preview_record),
    shown("/submit/preview/{job}", _previewed),
    shown("/submit/preview/{job}/{part}", _document),
    shown("/submit/made/{job}/record.json", _made_record),
    shown("/submit/made/{job}", _made),
    shown("/submit/made/{job}/{name}", _file),
)
