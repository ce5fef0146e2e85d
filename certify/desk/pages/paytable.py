"""A paytable: its figures, its pays edited in place, and what is saved of that.

What is typed goes to `certify.pipeline.declare.editing` as it stands; the figures come back from
the same functions as `certify evaluate`, and the findings from those of `certify check`.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from certify.desk.answers import NotHere, moved, page, posted, record, shown
from certify.desk.cards import cards
from certify.desk.pages.paytable_view import Opened, drafted, examples_of, figures_of, rows_edited
from certify.errors import CertifyError, NotReadable
from certify.model.finding import worst_first
from certify.model.paytable import Paytable
from certify.pipeline.declare import editing
from certify.pipeline.declare.arranging import ROWS, arrangement, rearranged
from certify.pipeline.declare.new import check_id
from certify.pipeline.declare.rewriting import changed, difference
from certify.pipeline.events import vocabulary
from certify.pipeline.figures.evaluate import Settings, evaluate
from certify.pipeline.figures.overview import selected

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

MENU: tuple[tuple[str, str], ...] = ()

ADDRESS = "/games/{game}/{wager}/{table}"


def table_of(request: "Request") -> Opened:
    """Return the paytable that an address names; what is declared is looked up once.

    Raises:
        NotHere: there is none.
        Unfit: a file that it rests on has errors.
    """
    names = [request.path_params[name] for name in ("game", "wager", "table")]
    try:
        for name in names:
            check_id(name)
    except NotReadable as error:
        raise NotHere(error.message, remedy="Choose one of the list of games.") from error
    selection = selected("/".join(names))
    ((wager, table),) = selection.records
    if not isinstance(table, Paytable):
        raise NotHere(f"{table.target} is no paytable.", remedy="Choose one of the list of games.")
    return Opened(known=selection, wager=wager, table=table)


def _show(request: "Request") -> "Response":
    here = table_of(request)
    table, document = here.table, here.document
    values = drafted(here)
    figures = figures_of(here, values)
    view = {
        "game": here.known.game,
        "wager": here.wager,
        "table": table,
        "document": document,
        "address": here.address,
        "rows": list(rows_edited(here, values, figures["counted"])),
        "order": " ".join(arrangement(document, values)),
        "events": list(here.known.catalogue.events),
        "drafted": bool(values),
        "outdated": editing.is_outdated(table.target, document),
        "can_undo": editing.can_undo(table.target),
        "source": table.source,
        "examples": list(examples_of(here)),
        **figures,
    }
    return page(request, "paytable", view)


def _edited(request: "Request", form: "FormData") -> "Response":
    here, values = table_of(request), _values(form)
    behind = _is_behind(here, values)
    if not behind:
        _keep(here, form, values)
    figures = figures_of(here, values)
    rows = list(rows_edited(here, values, figures["counted"]))
    return page(
        request,
        "paytable_edited",
        {"address": here.address, "rows": rows, "behind": behind, **figures},
    )


def _keep(here: Opened, form: "FormData", values: Mapping[str, str]) -> None:
    editing.keep(here.table.target, str(form.get("base", "")), values)


def _is_behind(here: Opened, values: Mapping[str, str]) -> bool:
    """Whether rows were moved since a page was opened: what it still sends would undo that."""
    draft = drafted(here)
    order = arrangement(here.document, draft)
    return ROWS in draft and order != arrangement(here.document, values)


def _arranged(request: "Request", form: "FormData") -> "Response":
    here = table_of(request)
    act, _, row = str(form.get("act", "")).partition(" ")
    # A new row's event is picked beside the button that adds it, or named by its own button.
    row = row or str(form.get("new_event", ""))
    if act == "add" and row not in here.known.catalogue.events:
        raise NotHere("There is no such event.", remedy="Choose one of the vocabulary.")
    # The page of all events has no fields: a row is added to the draft as it stands.
    given = _values(form) or drafted(here)
    values = rearranged(here.document, given, act, row)
    _keep(here, form, values)
    moved_row = arrangement(here.document, values)[-1] if act == "add" else row
    return moved(f"{here.address}#row-{moved_row}")


def _found(request: "Request", form: "FormData") -> "Response":
    document = table_of(request).document
    findings = editing.judged(document, changed(document, _values(form)))
    return page(request, "paytable_found", {"findings": worst_first(findings)})


def _review(request: "Request", form: "FormData") -> "Response":
    here, values = table_of(request), _values(form)
    document = here.document
    text = changed(document, values)
    findings = editing.judged(document, text)
    view = {
        "game": here.known.game,
        "wager": here.wager,
        "table": here.table,
        "address": here.address,
        "base": str(form.get("base", "")),
        "values": [{"name": name, "value": value} for name, value in values.items()],
        "lines": list(difference(document.text, text)),
        "findings": worst_first(findings),
        "before": _edge(here, document.text),
        "after": _edge(here, text),
    }
    return page(request, "paytable_review", view)


def _edge(here: Opened, text: str) -> Fraction | None:
    try:
        return editing.evaluated(here.known, text).house_edge
    except CertifyError:
        return None


def _save(request: "Request", form: "FormData") -> "Response":
    here = table_of(request)
    editing.save(here.table.target, str(form.get("base", "")), _values(form))
    return moved(here.address)


def _undo(request: "Request", _: "FormData") -> "Response":
    here = table_of(request)
    editing.undo(here.table.target)
    return moved(here.address)


def _discard(request: "Request", _: "FormData") -> "Response":
    here = table_of(request)
    editing.forget(here.table.target)
    return moved(here.address)


def _events(request: "Request") -> "Response":
    """Show every event that a row may be given, each with a hand that holds it."""
    here = table_of(request)
    table = here.table
    known = _vocabulary(tuple(here.known.catalogue.events), table.game, table.cards)
    examples = [
        {
            "event": example,
            "player": cards(example.player or ()),
            "dealer": cards(example.dealer or ()),
        }
        for example in known
    ]
    view = {"table": table, "address": here.address, "base": here.document.sha256}
    return page(request, "events", {**view, "examples": examples})


@lru_cache(maxsize=8)
def _vocabulary(_: tuple[str, ...], game: str, cards: int) -> Any:  # noqa: ANN401 - events, as shown
    return vocabulary(None, game=game, cards=cards).events


def _json(request: "Request") -> "Response":
    from certify.report.evidence import results_json

    return record(results_json(evaluate(table_of(request).known, Settings())))


def _values(form: "FormData") -> dict[str, str]:
    """Return the fields of a form that stand for values of the file, by pointer."""
    return {
        name: " ".join(str(value).split())
        for name, value in form.multi_items()
        if name == ROWS or name.startswith(f"{ROWS}/")
    }


ROUTES = (
    shown(f"{ADDRESS}.json", _json),
    shown(ADDRESS, _show),
    shown(f"{ADDRESS}/events", _events),
    posted(f"{ADDRESS}/edited", _edited),
    posted(f"{ADDRESS}/rows", _arranged),
    posted(f"{ADDRESS}/found", _found),
    posted(f"{ADDRESS}/review", _review),
    posted(f"{ADDRESS}/save", _save),
    posted(f"{ADDRESS}/undo", _undo),
    posted(f"{ADDRESS}/discard", _discard),
)
