"""Pages of games: the list, one game, and the options of a main wager."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify import library
from certify.declare import deletion
from certify.desk import creation
from certify.desk.answers import (
    Refused,
    cut_list,
    download_table,
    get_desk,
    get_result,
    get_route,
    page,
    post_route,
    record,
    start_job,
)
from certify.errors import NotConfigured
from certify.figures.evaluate import Overview, Settings, evaluate, overview, select_target
from certify.figures.play import load_count
from certify.filing.declaration import read_filings
from certify.filing.listing import find_approvals
from certify.formatting import percentage
from certify.model.analysis import Analysis
from certify.model.encoding import Progress
from certify.model.finding import Finding, worst_first
from certify.model.game import Game, Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.report.evidence import analysis_json, results_json
from certify.report.summary import build_rows, build_summary
from certify.report.wording import together
from certify.review.check import check

COLUMNS = (
    ("game", "Game"),
    ("wager", "Wager"),
    ("table", "Paytable"),
    ("edge", "House edge"),
    ("returned", "Return"),
    ("hits", "Hit frequency"),
)
"""The columns of the list, each with its heading."""

FIGURES = ("edge", "returned", "hits")

STEP = Fraction(1, 20)
"""The axis is marked at every five per cent, or at a multiple of it."""


FEW = 12
"""Rows of a list that needs no groups and no filters."""

FACETS = {"game": "Game", "wager": "Wager", "kind": "Kind", "status": "Status"}
"""The filters of lists, each with its heading."""


def _show(request: Request) -> Response:
    data = overview()
    return page(
        request,
        "games",
        game=None,
        faults=worst_first(data.faults),
        **_list(request, list(_rows(data)), ("game", "kind")),
        **_creations(request),
    )


def _list(
    request: Request, rows: Sequence[dict[str, Any]], filtered: Sequence[str]
) -> dict[str, Any]:
    """Return one page of the rows that are searched for, in the requested order.

    ``filtered`` are the values of rows that a long list can be filtered by.
    """
    query = request.query_params
    words, by, down = query.get("q", ""), query.get("by", ""), "down" in query
    is_long = len(rows) > FEW and not get_desk(request).read_only
    filters = {name: query[name] for name in filtered if is_long and query.get(name)}
    rows = [row for row in rows if words.casefold() in str(row["words"])]
    names = filtered if is_long else ()
    facets = [*_facets(request.url.path, rows, names, filters, words)]
    rows = _filter_rows(rows, filters)
    if by in dict(COLUMNS):
        rows = _sort_rows(rows, by, down=down)
    chosen = filters | {"q": words, "by": by} | ({"down": "1"} if down else {})
    part = cut_list(request, rows, f"{request.url.path}?{urlencode(chosen)}&")
    is_grouped = is_long and by in ("", "game")
    return {
        "rows": rows,
        "part": part,
        "groups": list(_group_rows(rows, part.shown, named=is_grouped)),
        "sought": words,
        "filters": filters,
        "facets": facets,
        "columns": list(_columns(request.url.path, filters | {"q": words}, by, down=down)),
        "picture": _picture(rows),
        "path": request.url.path,
        "table": f"/games{request.url.path.removeprefix('/games')}".rstrip("/"),
    }


def _filter_rows(
    rows: Sequence[dict[str, Any]], filters: Mapping[str, str]
) -> list[dict[str, Any]]:
    return [row for row in rows if all(row[name] == filters[name] for name in filters)]


def _facets(
    path: str,
    rows: Sequence[dict[str, Any]],
    names: Sequence[str],
    filters: Mapping[str, str],
    words: str,
) -> Iterator[dict[str, Any]]:
    """Yield each filter with its values; each value with its number of rows, and its address."""
    for name in names:
        others = {other: filters[other] for other in filters if other != name}
        counts = Counter(row[name] for row in _filter_rows(rows, others))
        if len(counts) > 1 or name in filters:
            yield {
                "heading": FACETS[name],
                "choices": [
                    {
                        "name": value,
                        "count": number,
                        "chosen": filters.get(name) == value,
                        "address": f"{path}?{urlencode(others | {'q': words, name: value})}",
                    }
                    for value, number in counts.items()
                ],
                "all": f"{path}?{urlencode(others | {'q': words})}",
            }


def _group_rows(
    rows: Sequence[dict[str, Any]], shown: Sequence[dict[str, Any]], *, named: bool
) -> Iterator[dict[str, Any]]:
    """Yield the shown rows by wager, each group with the range of all its edges; or unnamed."""
    members = together((_wager(row), row) for row in rows)
    for wager, group in groupby(shown, key=lambda row: _wager(row) if named else ("", "")):
        every = members.get(wager, [])
        edges = [row["edge"] for row in every if row["edge"] is not None]
        yield {
            "game": wager[0],
            "wager": wager[1],
            "rows": list(group),
            "count": len(every),
            "least": min(edges, default=None),
            "most": max(edges, default=None),
        }


def _wager(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["game"], row["wager"]


def _creations(request: Request) -> dict[str, Any]:
    """Return the forms of the list; a read-only page has none."""
    if get_desk(request).read_only:
        return {"deleted": None, "new_project": None}
    missing = library.project() is None
    project = creation.offer("project", "", folder=str(Path.cwd())) if missing else None
    return {"deleted": creation.deleted(request), "new_project": project}


def _rows(data: Overview) -> Iterator[dict[str, Any]]:
    for game in data.catalog.games.values():
        for wager in game.wagers:
            for table in wager.records:
                main = isinstance(table, MainWager)
                figures = (
                    load_count(table, game, data.catalog)
                    if isinstance(table, MainWager)
                    else data.analyses.get(table.target)
                )
                yield {
                    "address": f"/{'options' if main else 'games'}/{table.target}",
                    "about": f"/games/{game.id}",
                    "words": f"{game.name} {wager.name} {table.name} {table.target}".casefold(),
                    "game": game.name,
                    "wager": wager.name,
                    "table": table.name,
                    "kind": str(wager.kind),
                    "target": table.target,
                    "uncounted": main and figures is None,
                    "edge": figures and figures.house_edge,
                    "returned": figures and figures.return_to_player,
                    "hits": figures and figures.hit_frequency,
                    "refusal": data.refusals.get(table.target),
                    "approvals": (),
                }


def _sort_rows(rows: Sequence[dict[str, Any]], by: str, *, down: bool) -> list[dict[str, Any]]:
    """Return rows by one column; those without its figure come last either way."""
    there = [row for row in rows if row[by] is not None]
    absent = [row for row in rows if row[by] is None]
    return [*sorted(there, key=lambda row: row[by], reverse=down), *absent]


def _columns(
    path: str, chosen: Mapping[str, str], by: str, *, down: bool
) -> Iterator[dict[str, Any]]:
    """Yield each heading, with the address that sorts by it or reverses the order."""
    for name, heading in COLUMNS:
        here = name == by
        query = {**chosen, "by": name} | ({"down": "1"} if here and not down else {})
        order = ("descending" if down else "ascending") if here else "none"
        yield {
            "name": name,
            "heading": heading,
            "address": f"{path}?{urlencode(query)}",
            "order": order,
            "figure": name in FIGURES,
        }


def _picture(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the edges as places on an axis: a line for each wager, a mark for each paytable."""
    drawn = [row for row in rows if row["edge"] is not None]
    wagers = list(dict.fromkeys((row["game"], row["wager"]) for row in drawn))
    most = max([STEP, *(row["edge"] for row in drawn)])
    step = STEP * (int(most / STEP) // 4 + 1)
    steps = range(int(most / step) + 2)

    def place(edge: Fraction) -> str:
        tenths = int(1000 * max(edge, Fraction(0)) / (step * steps[-1]))
        return f"{tenths // 10}.{tenths % 10}%"

    return {
        "axis": [{"at": place(step * n), "share": step * n} for n in steps],
        "lines": [
            {
                "name": f"{game}: {wager}",
                "marks": [
                    {**row, "at": place(row["edge"])}
                    for row in drawn
                    if (row["game"], row["wager"]) == (game, wager)
                ],
            }
            for game, wager in wagers
        ],
    }


def get_game(request: Request) -> tuple[Overview, Game]:
    """Return the game of an address, from the catalog.

    Raises:
        NotConfigured: there is none.
    """
    data = overview()
    game = data.catalog.games.get(request.path_params["game"])
    if game is None:
        raise NotConfigured("There is no such game.", remedy="Choose a game from the list.")
    return data, game


def list_targets(game: Game) -> set[str]:
    """Return the ids of a game and of everything under it that commands take."""
    return {game.id, *(each.target for each in (*game.wagers, *list_tables(game)))}


def list_tables(game: Game) -> tuple[MainWager | Paytable, ...]:
    """Return everything of a game that has figures, in declared order."""
    return tuple(table for wager in game.wagers for table in wager.records)


def _game(request: Request) -> Response:
    data, game = get_game(request)
    approvals = together(
        (target, each) for each in find_approvals(game.id) for target in each.targets
    )
    rows = []
    for row in _rows(data):
        if row["about"] == f"/games/{game.id}":
            approved = approvals.get(row["target"], [])
            status = ", ".join(sorted({str(each.status) for each in approved})) or "not filed"
            rows.append(row | {"approvals": approved, "status": status})
    return page(
        request,
        "game",
        game=game,
        own=deletion.is_own(game.id) and not get_desk(request).read_only,
        whole=not any(row["uncounted"] for row in rows),
        **_list(request, rows, ("wager", "kind", "status")),
        filed=any(terms.game == game.id for terms in read_filings().values()),
        state_names={state.id: state.name for state in data.catalog.jurisdictions.values()},
        creations=[] if get_desk(request).read_only else creation.offers(game.id, game.name),
        **_creations(request),
    )


def _found(request: Request) -> Response:
    data, game = get_game(request)
    return page(request, "game_found", game=game, findings=_findings(data, game.id))


@lru_cache(maxsize=32)
def _findings(_: Overview, game: str) -> tuple[Finding, ...]:
    folders = (layer / game for layer in library.layers())
    return worst_first(check([folder for folder in folders if folder.is_dir()]).findings)


def figures_json(request: Request) -> Response:
    """Answer as `certify evaluate TARGET --format json`; the address names the target.

    Raises:
        NotConfigured: nothing has that id.
        Refused: the target includes a main wager that has not been counted yet.
    """
    data, game = get_game(request)
    target = "/".join(request.path_params.values())
    if target not in list_targets(game):
        raise NotConfigured("There is no such target.", remedy="Choose a target of this game.")
    selection = select_target(target)
    for _, table in selection.records:
        if isinstance(table, MainWager) and not load_count(table, game, data.catalog):
            raise Refused(
                f"{table.target} is not counted yet.",
                remedy=f"Count it on its page, or with `certify evaluate {table.target}`.",
            )
    return record(results_json(evaluate(selection, Settings())))


def _all_json(_: Request) -> Response:
    """Return the JSON of `certify evaluate` for all counted wagers, with a list of the others."""
    data = overview()
    analyses = dict(data.analyses)
    waiting = []
    for game in data.catalog.games.values():
        for option in game.options:
            if load_count(option, game, data.catalog):
                (analyses[option.target],) = evaluate(select_target(option.target), Settings())
            else:
                waiting.append(option.target)
    order = (table.target for game in data.catalog.games.values() for table in list_tables(game))
    results = [analysis_json(analyses[target]) for target in order if target in analyses]
    return record({"results": results, "not_counted": waiting})


def _export(request: Request) -> Response:
    """Return the list of all games, or of one, as a table: CSV, or a workbook."""
    game = request.path_params.get("game")
    rows = (row for row in _rows(overview()) if game is None or row["about"] == f"/games/{game}")
    columns = {**dict(COLUMNS), "target": "Id"}
    table = [[_write(row[name]) for name in columns] for row in rows]
    return download_table(request, "Paytables", [*columns.values()], table)


def _write(value: str | Fraction | None) -> str:
    return percentage(value) if isinstance(value, Fraction) else value or ""


OPTION = "/options/{game}/{wager}/{option}"


def _find_option(request: Request) -> tuple[Game, Wager, MainWager]:
    """Return the option of an address, from the catalog."""
    names, games = request.path_params, overview().catalog.games
    for wager in games[names["game"]].wagers if names["game"] in games else ():
        for option in wager.options:
            if (wager.id, option.id) == (names["wager"], names["option"]):
                return games[names["game"]], wager, option
    raise NotConfigured("There is no such option.", remedy="Choose a game from the list.")


def _show_option(request: Request) -> Response:
    game, _, option = _find_option(request)
    figures = load_count(option, game, overview().catalog)
    (analysis,) = evaluate(select_target(option.target), Settings()) if figures else (None,)
    return _page(request, analysis)


def _show_result(request: Request) -> Response:
    """Show the result of a job, even if this machine cannot cache it."""
    otherwise = NotConfigured("This job counted something else.", remedy="Count it again.")
    analysis, (_, _, option) = get_result(request, Analysis, otherwise), _find_option(request)
    if analysis.target != option.target:
        raise otherwise
    return _page(request, analysis)


def _page(request: Request, analysis: Analysis | None) -> Response:
    game, wager, option = _find_option(request)
    return page(
        request,
        "option",
        game=game,
        wager=wager,
        option=option,
        address=f"/options/{option.target}",
        summary=build_summary(analysis) if analysis else (),
        outcomes=build_rows(analysis) if analysis else None,
    )


def count_option(progress: Progress, *, target: str) -> Analysis:
    """Return the figures of an option, in a separate process."""
    (analysis,) = evaluate(select_target(target), Settings(progress=progress))
    return analysis


def _count(request: Request, _: FormData) -> Response:
    game, wager, option = _find_option(request)
    return start_job(
        request,
        f"{game.name}, {wager.name}: {option.name}",
        count_option,
        {"target": option.target},
        then=f"/options/{option.target}/counted/{{id}}",
        back=f"/options/{option.target}",
        lasting=f"/options/{option.target}",
    )


ROUTES = (
    get_route("/", _show),
    get_route("/games.json", _all_json),
    get_route("/games.csv", _export),
    get_route("/games.xlsx", _export),
    get_route("/games/{game}.json", figures_json),
    get_route("/games/{game}.csv", _export),
    get_route("/games/{game}.xlsx", _export),
    get_route("/games/{game}", _game),
    get_route("/games/{game}/found", _found),
    get_route("/games/{game}/{wager}.json", figures_json),
    get_route(f"{OPTION}.json", figures_json),
    get_route(OPTION, _show_option),
    get_route(f"{OPTION}/counted/{{job}}", _show_result),
    post_route(f"{OPTION}/count", _count),
)
