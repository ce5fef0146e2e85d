"""Paytables: figures, pays edited in place, and saving.

`certify.declare.editing` receives the input unchanged. The figures come from the functions
of `certify evaluate`, the findings from those of `certify check`.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from msgspec import Struct
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.commands.events import EventsRequest, find_events, row_examples
from certify.declare import editing, user_state
from certify.declare.new import check_id
from certify.declare.rewriting import (
    ROWS,
    TEXTS,
    add_entry,
    arrangement,
    read_typed,
    rearrange,
    replace_values,
)
from certify.desk.answers import (
    NotHere,
    get_findings,
    get_route,
    page,
    post_route,
    record,
    redirect,
)
from certify.desk.creation import offers
from certify.desk.editor import (
    EditableFile,
    Edited,
    Texts,
    build_preview,
    build_state,
    conflict_routes,
    find_typist,
    new_window,
    parse_values,
    save_as_typed,
    save_routes,
    state_names,
)
from certify.errors import CertifyError, NotReadable
from certify.figures.evaluate import Settings, evaluate, select_target
from certify.figures.targets import Selection
from certify.filing.declaration import read_filings
from certify.filing.listing import find_approvals, group_in_force
from certify.model.condition import Event
from certify.model.finding import Document, Finding, worst_first
from certify.model.game import Wager
from certify.model.paytable import Paytable
from certify.report.evidence import results_json
from certify.report.summary import build_rows, build_summary
from certify.words.hands import describe_event


class Opened(Struct, frozen=True, kw_only=True):
    """A paytable of an address, its file, and the files that it depends on."""

    selection: Selection
    wager: Wager
    table: Paytable

    @property
    def document(self) -> Document:
        """Its file."""
        return self.selection.catalog.documents[self.table.target]

    @property
    def address(self) -> str:
        """The address of its page."""
        return f"/games/{self.table.target}"

    @property
    def draft(self) -> dict[str, str]:
        """The unsaved changes, if they were made to the present file."""
        return user_state.load_draft(self.table.target, self.document)


def iter_examples(here: Opened) -> Iterator[dict[str, Any]]:
    """Yield a hand for each row, one that it pays."""
    shown = row_examples(here.selection, here.table)
    for row, example in zip(here.table.rows, shown, strict=True):
        yield {
            "name": row.name,
            "means": _describe(here, example.event),
            "clause": str(example.event.source),
            "player": example.player,
            "dealer": example.dealer,
        }


def _describe(here: Opened, event: Event) -> str:
    return describe_event(event, here.selection.game.hands.for_wager(here.table), here.table.cards)


def compute_figures(here: Opened, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the figures of the edited paytable, or the error."""
    view: dict[str, Any] = {
        "error": None, "findings": (), "summary": [], "counted": [], "losing": None,
        "saved_edge": find_edge(here, here.document.text) if values else None,
    }  # fmt: skip
    try:
        analysis = editing.evaluate_text(here.selection, replace_values(here.document, values))
    except CertifyError as error:
        return {**view, "error": error, "findings": get_findings(error)}
    names = ("name", "pays", "combinations", "probability", "rounds", "returned")
    shown: list[dict[str, Any]] = [
        dict(zip(names, row, strict=True)) for row in build_rows(analysis).rows
    ]
    *counted, losing = shown[: len(analysis.rows)]  # the total follows the losing hands
    shares = [max(row.contribution, Fraction(0)) for row in analysis.rows]
    for cells, share in zip(counted, shares, strict=False):
        cells["share"] = int(100 * share / (max(shares) or 1))
    return {**view, "summary": build_summary(analysis), "counted": counted, "losing": losing}


def rows_edited(
    here: Opened, values: Mapping[str, str], figures: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield the rows as they are edited, each with its texts, figures and fault.

    ``figures`` are those of `compute_figures`; without figures they have findings.
    """
    counted = figures["counted"]
    faults = {finding.pointer: finding for finding in figures["findings"]}
    events, declared = here.selection.catalog.events, here.document.value["rows"]
    for place, row in enumerate(arrangement(here.document, values)):
        declared_row = declared[int(row)] if row.isdecimal() else dict.fromkeys(TEXTS, "")
        texts = {
            name: values.get(f"{ROWS}/{row}/{name}", str(declared_row[name])) for name in TEXTS
        }
        event = events.get(texts["event"])
        yield {
            "row": row,
            "key": row.replace("+", "new-"),
            **texts,
            "hand": texts["event"].replace("_", " "),
            "means": _describe(here, event) if event else "",
            "clause": str(event.source.clause) if event and event.source else "",
            "new": not row.isdecimal(),
            "counted": counted[place] if counted else None,
            "read": "",
            "fault": _row_fault(texts, event, faults.get(f"{ROWS}/{place}/pays")),
        }


def _row_fault(texts: Mapping[str, str], event: Event | None, finding: Finding | None) -> str:
    name = texts["name"] or texts["event"].replace("_", " ")
    if event is None:
        return f"{name or 'New row'}: choose an event from the list."
    if finding is None:
        return ""
    if not finding.code.startswith("S"):
        return f"{finding.message} {finding.remedy}"
    return f"{name or 'New row'}: enter the pay as 250 to 1, 3 to 2, push or loss."


UNCOUNTED: Mapping[str, Any] = {"counted": (), "findings": ()}
"""Figures of `rows_edited` for rows that are only read."""

ADDRESS = "/games/{game}/{wager}/{table}"


def get_table(request: Request) -> Opened:
    """Return the paytable of an address, from the catalog.

    Raises:
        NotHere: there is none.
        Unfit: a file that it depends on has errors.
    """
    names = [request.path_params[name] for name in ("game", "wager", "table")]
    try:
        for name in names:
            check_id(name)
    except NotReadable as error:
        raise NotHere(error.message, remedy="Choose a game from the list.") from error
    selection = select_target("/".join(names))
    ((wager, table),) = selection.records
    if not isinstance(table, Paytable):
        raise NotHere(f"{table.target} is not a paytable.", remedy="Choose a game from the list.")
    return Opened(selection=selection, wager=wager, table=table)


def _read_edited(here: Opened, form: FormData) -> Edited:
    typed = parse_values(form, lambda name: name == ROWS or name.startswith(f"{ROWS}/"))
    return Edited(
        key=here.table.target,
        document=here.document,
        values={name: read_typed(name, text) for name, text in typed.items()},
        base=str(form.get("base", "")),
        back=here.address,
        window=str(form.get("window", "")),
        seen=str(form.get("seen", "")),
    )


def _show(request: Request) -> Response:
    here = get_table(request)
    values = here.draft
    figures = compute_figures(here, values)
    return page(
        request,
        "paytable",
        here=here,
        rows=list(rows_edited(here, values, figures)),
        order=" ".join(arrangement(here.document, values)),
        blank=dict.fromkeys(("hand", "name", "pays", "means", "fault", "read", "counted"), "")
        | {"row": "+0", "key": "new-0", "new": True},
        examples=list(iter_examples(here)),
        **build_state(here.table.target, here.document),
        state_names=state_names(),
        filed=any(terms.game == here.selection.game.id for terms in read_filings().values()),
        came_from=request.query_params.get("from", ""),
        creations=offers(here.table.target, here.table.name),
        **figures,
    )


def _show_edited(request: Request, form: FormData) -> Response:
    here = get_table(request)
    edited = _read_edited(here, form)
    behind = not edited.keep() or edited.base != here.document.sha256
    figures = compute_figures(here, edited.values)
    rows = list(rows_edited(here, edited.values, figures))
    for row in rows:
        typed = str(form.get(f"{ROWS}/{row['row']}/pays", row["pays"])).strip()
        row["read"] = "" if typed == row["pays"] else row["pays"]
    return page(
        request,
        "paytable_edited",
        here=here,
        rows=rows,
        behind=behind,
        window=edited.window,
        typist=find_typist(edited.key, here.document),
        **figures,
    )


def _arrange_rows(request: Request, form: FormData) -> Response:
    here = get_table(request)
    edited = _read_edited(here, form)
    act, _, row = str(form.get("act", "")).partition(" ")
    # The event of a new row comes from the field next to the button, or from an event's button.
    row = row or read_typed("/event", str(form.get("new_event", "")))
    if act == "add" and row not in here.selection.catalog.events:
        raise NotHere("There is no such event.", remedy="Choose an event from the list.")
    if edited.values and not edited.keep():
        return redirect(f"{here.address}/conflict?window={quote(edited.window)}")
    # The page of all events has no fields: a row is added to the present draft.
    draft = edited.values or here.draft
    if act == "add":
        texts = {"event": row, "name": row.replace("_", " ").title(), "pays": ""}
        values = add_entry(here.document, draft, texts)
    else:
        values = rearrange(here.document, draft, act, row)
    user_state.keep_draft(edited.key, edited.base, values, **new_window(edited.key))
    moved_row = arrangement(here.document, values)[-1] if act == "add" else row
    return redirect(f"{here.address}#row-{moved_row}")


def _found(request: Request, form: FormData) -> Response:
    edited = _read_edited(get_table(request), form)
    findings = worst_first(editing.check_text(edited.document, edited.text))
    return page(request, "paytable_found", findings=findings)


def _review(request: Request, form: FormData) -> Response:
    here = get_table(request)
    edited = _read_edited(here, form)
    preview = build_preview(edited)
    printed = [finding for finding in preview["findings"] if finding.code == "F001"]
    preview["findings"] = [finding for finding in preview["findings"] if finding not in printed]
    return page(
        request,
        "paytable_review",
        here=here,
        **preview,
        before=find_edge(here, here.document.text),
        after=find_edge(here, edited.text),
        printed=len(printed),
        changes=list(_list_changes(here, edited.values)),
        window=edited.window,
        seen=edited.seen,
        approvals=group_in_force(find_approvals(here.table.target)),
        state_names=state_names(),
    )


def _list_changes(here: Opened, values: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield each row that an edit changes, before and after; None for a new or a removed row."""
    before, after = read_rows(here, {}), read_rows(here, values)
    for row in {**before, **after}:
        old, new = before.get(row), after.get(row)
        if old is None or new is None or any(old[name] != new[name] for name in TEXTS):
            yield {"old": old, "new": new}


def _save_copy(request: Request, form: FormData) -> Response:
    here = get_table(request)
    target = save_as_typed(_read_edited(here, form), form)
    return redirect(f"/games/{target}?from={here.table.target}")


def find_edge(here: Opened, text: str) -> Fraction | None:
    """Return the house edge of the paytable with another text; None if it cannot be counted."""
    try:
        return editing.evaluate_text(here.selection, text).house_edge
    except CertifyError:
        return None


def _events(request: Request) -> Response:
    """Show every event that the deck of the game can deal, each with a hand that holds it."""
    here = get_table(request)
    events = _vocabulary(tuple(here.selection.catalog.events), here.table.game, here.table.cards)
    dealt = [
        {"id": event.id, "name": event.id.replace("_", " "), "shown": event}
        for event in events
        if event.combinations != 0 and not event.refusal
    ]
    return page(request, "events", here=here, events=dealt)


@lru_cache(maxsize=8)
def _vocabulary(_: tuple[str, ...], game: str, cards: int) -> Any:  # noqa: ANN401 - events, as shown
    return find_events(EventsRequest(game=game, cards=cards)).events


def _json(request: Request) -> Response:
    return record(results_json(evaluate(get_table(request).selection, Settings())))


Rows = dict[str, dict[str, Any]]
"""The rows of a version in their order, by name."""


def read_rows(here: Opened, values: Mapping[str, str]) -> Rows:
    """Return the rows with the given changes."""
    return {row["row"]: row for row in rows_edited(here, values, UNCOUNTED)}


def write_rows(rows: Rows) -> dict[str, str]:
    """Return rows as the changes of a draft."""
    texts = {f"{ROWS}/{name}/{text}": row[text] for name, row in rows.items() for text in TEXTS}
    return {ROWS: " ".join(rows), **texts}


def _open_rows(here: Opened) -> EditableFile:
    return EditableFile(
        key=here.table.target,
        name=here.table.name,
        document=here.document,
        address=here.address,
        find_texts=_find_texts,
        fields={ROWS: TEXTS},
        hidden={},
    )


def _find_texts(document: Document) -> Texts:
    """Return the texts of the rows of a paytable by pointer."""
    return {
        f"{ROWS}/{number}/{name}": str(row[name])
        for number, row in enumerate(document.value["rows"])
        for name in TEXTS
    }


ROUTES = (
    get_route(f"{ADDRESS}.json", _json),
    get_route(ADDRESS, _show),
    get_route(f"{ADDRESS}/events", _events),
    post_route(f"{ADDRESS}/edited", _show_edited),
    post_route(f"{ADDRESS}/rows", _arrange_rows),
    post_route(f"{ADDRESS}/found", _found),
    post_route(f"{ADDRESS}/review", _review),
    post_route(f"{ADDRESS}/save-as", _save_copy),
    *conflict_routes(ADDRESS, lambda request, _: _open_rows(get_table(request))),
    *save_routes(ADDRESS, lambda request, form: _read_edited(get_table(request), form)),
)
