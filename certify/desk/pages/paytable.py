"""A paytable: its figures, its pays edited in place, and what is saved of that.

What is typed goes to `certify.pipeline.declare.editing` as it stands; the figures come back from
the same functions as `certify evaluate`, and the findings from those of `certify check`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from certify.desk.answers import NotHere, moved, page, posted, record, shown
from certify.desk.cards import cards
from certify.errors import CertifyError, NotReadable
from certify.model.analysis import Analysis
from certify.model.document import Document
from certify.model.finding import Unfit, worst_first
from certify.model.game import Wager
from certify.model.paytable import Paytable
from certify.pipeline.declare import editing
from certify.pipeline.declare.arranging import ROWS, TEXTS, arrangement, rearranged
from certify.pipeline.declare.new import check_id
from certify.pipeline.events import vocabulary
from certify.pipeline.figures.evaluate import Settings, evaluate
from certify.pipeline.figures.overview import selected
from certify.pipeline.row_examples import row_examples
from certify.pipeline.targets import Selection
from certify.report.summary import rows_of, summary_of

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

MENU: tuple[tuple[str, str], ...] = ()

ADDRESS = "/games/{game}/{wager}/{table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A paytable that an address names, its file, and everything that it rests on."""

    known: Selection
    wager: Wager
    table: Paytable

    @property
    def document(self) -> Document:
        """Its file."""
        return self.known.catalogue.documents[self.table.target]

    @property
    def address(self) -> str:
        """Where its page is."""
        return f"/games/{self.table.target}"


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
    draft, values = editing.draft_of(table.target), _drafted(here)
    figures = _figures(here, values)
    view = {
        "game": here.known.game,
        "wager": here.wager,
        "table": table,
        "document": document,
        "address": here.address,
        "rows": list(_rows(here, values, figures["counted"])),
        "order": " ".join(arrangement(document, values)),
        "events": list(here.known.catalogue.events),
        "drafted": bool(values),
        "outdated": draft is not None and draft.base != document.sha256,
        "can_undo": editing.can_undo(table.target),
        "source": table.source,
        "examples": list(_examples(here)),
        **figures,
    }
    return page(request, "paytable", view)


def _edited(request: "Request", form: "FormData") -> "Response":
    here, values = table_of(request), _values(form)
    behind = _is_behind(here, values)
    if not behind:
        _keep(here, form, values)
    figures = _figures(here, values)
    rows = list(_rows(here, values, figures["counted"]))
    return page(
        request,
        "paytable_edited",
        {"address": here.address, "rows": rows, "behind": behind, **figures},
    )


def _keep(here: Opened, form: "FormData", values: Mapping[str, str]) -> None:
    editing.keep(here.table.target, editing.Draft(base=str(form.get("base", "")), values=values))


def _is_behind(here: Opened, values: Mapping[str, str]) -> bool:
    """Whether rows were moved since a page was opened: what it still sends would undo that."""
    draft = _drafted(here)
    order = arrangement(here.document, draft)
    return ROWS in draft and order != arrangement(here.document, values)


def _drafted(here: Opened) -> dict[str, str]:
    """Return what was typed and not saved, if it was typed into the file as it stands."""
    draft = editing.draft_of(here.table.target)
    fits = draft is not None and draft.base == here.document.sha256
    return dict(draft.values) if draft is not None and fits else {}


def _arranged(request: "Request", form: "FormData") -> "Response":
    here = table_of(request)
    act, _, row = str(form.get("act", "")).partition(" ")
    # A new row's event is picked beside the button that adds it, or named by its own button.
    row = row or str(form.get("new_event", ""))
    if act == "add" and row not in here.known.catalogue.events:
        raise NotHere("There is no such event.", remedy="Choose one of the vocabulary.")
    # The page of all events has no fields: a row is added to the draft as it stands.
    given = _values(form) or _drafted(here)
    values = rearranged(here.document, given, act, row)
    _keep(here, form, values)
    moved_row = arrangement(here.document, values)[-1] if act == "add" else row
    return moved(f"{here.address}#row-{moved_row}")


def _found(request: "Request", form: "FormData") -> "Response":
    document = table_of(request).document
    findings = editing.judged(document, editing.changed(document, _values(form)))
    return page(request, "paytable_found", {"findings": worst_first(findings)})


def _review(request: "Request", form: "FormData") -> "Response":
    here, values = table_of(request), _values(form)
    document = here.document
    text = editing.changed(document, values)
    findings = editing.judged(document, text)
    view = {
        "game": here.known.game,
        "wager": here.wager,
        "table": here.table,
        "address": here.address,
        "base": str(form.get("base", "")),
        "values": [{"name": name, "value": value} for name, value in values.items()],
        "lines": list(editing.difference(document.text, text)),
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


def _examples(here: Opened) -> Iterator[dict[str, Any]]:
    """Yield a hand for each row, one that it pays."""
    joker = here.known.game.hands.deck.joker > 0
    shown = row_examples(here.known, here.table)
    for row, example in zip(here.table.rows, shown, strict=True):
        yield {
            "name": row.name,
            "means": example.event.words(joker=joker),
            "clause": str(example.event.source),
            "player": cards(example.player),
            "dealer": cards(example.dealer),
        }


def _values(form: "FormData") -> dict[str, str]:
    """Return the fields of a form that stand for values of the file, by pointer."""
    return {
        name: " ".join(str(value).split())
        for name, value in form.multi_items()
        if name == ROWS or name.startswith(f"{ROWS}/")
    }


def _figures(here: Opened, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the figures of what is typed, or why there are none."""
    view: dict[str, Any] = {"error": None, "findings": (), "summary": [], "counted": []}
    try:
        analysis = editing.evaluated(here.known, editing.changed(here.document, values))
    except Unfit as error:
        return {**view, "error": error, "findings": worst_first(error.findings)}
    except CertifyError as error:
        return {**view, "error": error}
    return {**view, "summary": summary_of(analysis), "counted": _counted(analysis)}


def _counted(analysis: Analysis) -> list[dict[str, Any]]:
    """Return the counted columns of each row, the losing hands and the total after them."""
    _, rows = rows_of(analysis)
    names = ("name", "pays", "combinations", "probability", "rounds", "returned")
    declared = len(analysis.rows) - 1
    return [
        {"n": n, "edited": n < declared, **dict(zip(names, row, strict=True))}
        for n, row in enumerate(rows)
    ]


def _rows(
    here: Opened, values: Mapping[str, str], counted: Sequence[Any]
) -> Iterator[dict[str, Any]]:
    """Yield the rows as they are edited: each field with the pointer that it is sent back under.

    ``counted`` are their figures, empty where they cannot be counted.
    """
    events, declared = here.known.catalogue.events, here.document.value["rows"]
    order = arrangement(here.document, values)
    for place, row in enumerate(order):
        stated = declared[int(row)] if row.isdecimal() else dict.fromkeys(TEXTS, "")
        fields = {
            name: {"pointer": pointer, "value": values.get(pointer, str(stated[name]))}
            for name in TEXTS
            for pointer in [f"{ROWS}/{row}/{name}"]
        }
        event = events.get(fields["event"]["value"])
        yield {
            "n": place,
            "row": row,
            **fields,
            "means": event.text if event else "",
            "clause": str(event.source.clause) if event and event.source else "",
            "picked": [
                {"id": known, "here": known == fields["event"]["value"]} for known in events
            ],
            "first": not place,
            "last": place == len(order) - 1,
            "new": not row.isdecimal(),
            "counted": counted[place] if counted else None,
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
