"""Pages that design a paytable: other paytables of its wager side by side, and pays for an edge.

The search is that of `certify solve`, for the paytable with its unsaved changes.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.commands.solve.problem import (
    DeviationBand,
    EdgeBand,
    HitBand,
    Question,
    read_bounds,
)
from certify.commands.solve.solve import Solutions, solve
from certify.declare import user_state
from certify.declare.rewriting import replace_values
from certify.desk.answers import (
    Form,
    NotHere,
    get_result,
    get_route,
    page,
    post_route,
    read_fields,
    redirect,
    start_job,
)
from certify.desk.editor import new_window
from certify.desk.paytable import (
    ADDRESS,
    Opened,
    find_edge,
    get_table,
    read_rows,
    write_rows,
)
from certify.errors import NotConfigured, NotReadable
from certify.figures.evaluate import overview
from certify.model.analysis import By, Kind, Unknown
from certify.model.encoding import Progress
from certify.model.request import build

BANDS = {"edge": EdgeBand, "hits": HitBand, "deviation": DeviationBand}
"""The bands of the form, by the name of the request's field."""

FIRST = 3
"""Other paytables that are shown if none is chosen."""

WIDTH, HEIGHT = 640, 200
"""The chart of solutions, in its own units."""


def solve_paytable(progress: Progress, *, question: Question) -> Solutions:  # noqa: ARG001 - a job reports its progress
    """Search for pays: the work of a job.

    Raises:
        NotConfigured: as for `solve`, with a remedy for the form.
    """
    try:
        return solve(question)
    except NotConfigured as error:
        remedy = "Let fewer rows change, or give them smaller ranges."
        raise NotConfigured(error.message, remedy=remedy) from error


def _read_question(here: Opened, form: Form) -> Question | None:
    """Return the question of a form; None if a field has a fault."""
    bands: dict[str, Any] = {}
    for name, kind in BANDS.items():
        ends = [form.text(f"{name}_{end}") for end in ("low", "high")]
        if not any(ends) and name != "edge":
            continue
        try:
            bands[name] = kind.parse("..".join(ends))
        except NotReadable:
            form.faults[name] = f"Type two {kind.unit}, the smaller one first."
    opened, bounds = form.values.get("open", []), dict[Unknown, tuple[int, ...]]()
    if not opened:
        form.faults["open"] = "Choose the rows that may change."
    for event in opened:
        ends = [form.text(f"{event}_{end}") for end in ("low", "high")]
        try:
            bounds |= read_bounds([f"{event}={'..'.join(ends)}"]) if any(ends) else {}
        except NotReadable:
            form.faults[event] = "Type two whole numbers, the smaller one first, or none."
    if form.wrong:
        return None
    return build(
        Question,
        target=replace_values(here.document, here.draft).encode(),
        unknowns=opened,
        bounds=bounds,
        by=form.text("by") or None,
        jurisdiction=form.text("jurisdiction") or None,
        may_omit=form.has("may_omit", "yes"),
        **bands,
    )


def _show(request: Request) -> Response:
    return _page(request, get_table(request), Form(values=read_fields(request.query_params)))


def _page(request: Request, here: Opened, form: Form, solved: Solutions | None = None) -> Response:
    return page(
        request,
        "design",
        here=here,
        form=form,
        rows=read_rows(here, here.draft).values(),
        metered=bool(here.table.meters),
        states=overview().catalog.jurisdictions.values(),
        rankings=[{"id": str(by), "name": str(by).replace("-", " ")} for by in By],
        solved=solved,
        left_out=list(solved.left_out.items()) if solved else [],
        listed=len(solved.solutions) if solved else 0,
        names=[unknown.id.replace("_", " ") for unknown in solved.bounds] if solved else [],
        job=request.path_params.get("job", ""),
        solutions=list(_list_solutions(solved)) if solved else [],
        width=WIDTH,
        height=HEIGHT,
        status=422 if form.wrong else 200,
    )


def _list_solutions(solved: Solutions) -> Iterator[dict[str, Any]]:
    """Yield each solution with its pays, its figures, and its place in the chart."""
    deviations = [
        isqrt(int((solution.analysis.variance or 0) * 10**12)) for solution in solved.solutions
    ]
    least, most = min(deviations, default=0), max(deviations, default=0)
    for solution, deviation in zip(solved.solutions, deviations, strict=True):
        pays = {row.event: str(row.payout) for row in solution.paytable.rows}
        share = (solution.edge - solved.low) / ((solved.high - solved.low) or 1)
        yield {
            "pays": [pays.get(unknown.id, "left out") for unknown in solved.bounds],
            "solution": solution,
            "x": int(share * WIDTH),
            "y": HEIGHT - (deviation - least) * HEIGHT // ((most - least) or 1),
        }


def _begin(request: Request, form: FormData) -> Response:
    here = get_table(request)
    values = read_fields(form)
    design_form = Form(values=values)
    question = _read_question(here, design_form)
    if question is None:
        return _page(request, here, design_form)
    back = f"{here.address}/design"
    query = urlencode({name: texts for name, texts in values.items() if any(texts)}, doseq=True)
    title, then = f"Pays for {here.table.name}", f"{back}/{{id}}?{query}"
    arguments = {"question": question}
    return start_job(request, title, solve_paytable, arguments, then=then, back=f"{back}?{query}")


def _find_solutions(request: Request) -> tuple[Opened, Solutions]:
    here = get_table(request)
    otherwise = NotHere("This job has no pays for this paytable.", remedy="Search again.")
    solved = get_result(request, Solutions, otherwise)
    if solved.target != here.table.target:
        raise otherwise
    return here, solved


def _show_solutions(request: Request) -> Response:
    here, solved = _find_solutions(request)
    return _page(request, here, Form(values=read_fields(request.query_params)), solved)


def _adopt_solution(request: Request, form: FormData) -> Response:
    """Put the pays of a solution into the draft of the paytable."""
    here, solved = _find_solutions(request)
    numbered = {str(number): each for number, each in enumerate(solved.solutions, 1)}
    chosen = numbered.get(str(form.get("choose", "")))
    if chosen is None:
        raise NotHere("There is no such solution.", remedy="Choose one from the list.")
    pays = {row.event: str(row.payout) for row in chosen.paytable.rows}
    rows = {
        name: row | {"pays": pays.get(row["event"], row["pays"])}
        for name, row in read_rows(here, here.draft).items()
        if row["event"] in pays or Unknown(kind=Kind.ROW, id=row["event"]) not in chosen.amounts
    }
    user_state.keep_draft(
        here.table.target, here.document.sha256, write_rows(rows), **new_window(here.table.target)
    )
    return redirect(here.address)


Column = tuple[str, dict[str, str], Fraction | None]
"""A paytable side by side with others: its name, the pays by event, and the house edge."""


def _show_side_by_side(request: Request) -> Response:
    """Show the paytable, as it is edited, with others of its wager."""
    here = get_table(request)
    wagers = overview().catalog.games[here.selection.game.id].wagers
    every = (table for wager in wagers if wager.id == here.wager.id for table in wager.paytables)
    others = [table for table in every if table.id != here.table.id]
    chosen = request.query_params.getlist("with") or [table.id for table in others[:FIRST]]
    drafted = {row["event"]: row["pays"] for row in read_rows(here, here.draft).values()}
    edge = find_edge(here, replace_values(here.document, here.draft))
    tables: list[Column] = [(here.table.name, drafted, edge)]
    for table in (each for each in others if each.id in chosen):
        pays = {row.event: str(row.payout) for row in table.rows}
        figures = overview().analyses.get(table.target)
        tables.append((table.name, pays, figures.house_edge if figures else None))
    lines = [
        {"hand": event.replace("_", " "), "cells": list(_compare_pays(event, tables))}
        for event in dict.fromkeys(event for _, pays, _ in tables for event in pays)
    ]
    return page(
        request, "side_by_side", here=here, others=others, chosen=chosen, tables=tables, lines=lines
    )


def _compare_pays(event: str, tables: Sequence[Column]) -> Iterator[dict[str, Any]]:
    """Yield what each paytable pays for an event, and if it differs from the first one."""
    paid = [pays.get(event, "not paid") for _, pays, _ in tables]
    yield from ({"pays": text, "differs": text != paid[0]} for text in paid)


ROUTES = (
    get_route(f"{ADDRESS}/design", _show),
    post_route(f"{ADDRESS}/design", _begin),
    get_route(f"{ADDRESS}/design/{{job}}", _show_solutions),
    post_route(f"{ADDRESS}/design/{{job}}", _adopt_solution),
    get_route(f"{ADDRESS}/compare", _show_side_by_side),
)
