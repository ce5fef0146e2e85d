"""The application: which pages there are, and the guard around them."""

import re

from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp

from certify import library
from certify.desk.answers import NotHere, page, posted, refused, shown, takes_forms
from certify.desk.guard import Guard
from certify.desk.pages import (
    comparison,
    explain,
    games,
    house_way,
    jobs,
    matrix,
    option,
    paytable,
    register,
    rules,
    submission,
    verification,
)
from certify.desk.state import Desk
from certify.errors import CertifyError

PAGES = (
    games, paytable, option, rules, house_way, explain, comparison, matrix, submission,
    verification, register, jobs,
)  # fmt: skip
"""The modules of pages; each has its ``ROUTES``."""

READABLE = (games, paytable, option, rules, house_way, matrix)
"""The pages that show what is declared and counted, and need nobody to ask for more."""

MENU = (
    ("Games", "/"),
    ("Rules", "/rules"),
    ("House ways", "/house-ways"),
    ("Explain", "/explain"),
    ("Compare", "/compare"),
    ("Submission", "/submit"),
    ("Verify", "/verify"),
    ("Register", "/register"),
)
"""What is listed above every page, where there is such a page."""

STATIC = {
    "icon.svg": "image/svg+xml",
    "desk.css": "text/css; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
}
"""The files that pages are made with, and what they are."""


def application(desk: Desk) -> "ASGIApp":
    """Return the application of a desk, guarded."""
    return Guard(pages_of(desk), desk)


def pages_of(desk: Desk) -> Starlette:
    """Return the pages of a desk; of one that is read only those that nothing can be sent to."""
    modules = READABLE if desk.read_only else PAGES
    declared = [
        *(route for module in modules for route in module.ROUTES),
        shown("/static/{name}", _static),
        posted("/stop", _stop),
    ]
    routes = [route for route in declared if not (desk.read_only and takes_forms(route))]
    addresses = {route.path for route in routes}
    app = Starlette(
        routes=routes,
        exception_handlers={
            CertifyError: refused,
            HTTPException: _unknown,
            Exception: refused,
        },
    )
    app.state.desk = desk
    app.state.menu = [entry for entry in MENU if entry[1] in addresses]
    return app


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise NotHere("There is no such file.")
    data = (library.templates() / "desk" / name).read_bytes()
    return Response(data, headers={"content-type": STATIC[name]})


def _stop(request: Request, _: "FormData") -> Response:
    answer = page(request, "stopped", {})
    request.app.state.desk.stop()
    return answer


def _unknown(request: Request, error: Exception) -> Response:
    """Answer what Starlette itself refuses: no such address, a body that is no form."""
    status = getattr(error, "status_code", 404)
    if status == 404:  # noqa: PLR2004 - as RFC 9110 names it
        return refused(
            request,
            NotHere(
                f"There is no page {_short(request.url.path)}.", remedy="Choose one of the menu."
            ),
        )
    return PlainTextResponse(str(getattr(error, "detail", "")), status)


def _short(path: str) -> str:
    return re.sub(r"^(.{80}).+$", r"\1…", path, flags=re.DOTALL)
