"""Pages of house ways: the list, one house way, and a comparison of all for a game."""

from fractions import Fraction
from functools import lru_cache
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.commands.compare import HouseWaysResult, compare_house_ways, is_counted
from certify.commands.explain import ExplainRequest, explain
from certify.declare.new import house_way
from certify.desk.answers import Refused, get_route, page, post_route, record, redirect, start_job
from certify.desk.editor import state_names
from certify.desk.games import get_game
from certify.errors import CertifyError, NotConfigured
from certify.figures.evaluate import Overview, overview
from certify.figures.play import audit_house_ways
from certify.filing.listing import approvals_by_house_way, group_in_force
from certify.model.encoding import Progress
from certify.model.game import JOKER, RANKS, SUITS, Deck, Game, JokerRule
from certify.model.house_way import HouseWay
from certify.report.comparison import house_way_tables
from certify.report.summary import explanation
from certify.words.house_ways import HouseWayWords, house_way_words

HAND = 200
"""Most characters of a hand."""


def _list(request: Request) -> Response:
    catalog = overview().catalog
    games = catalog.games.values()
    users = {
        way: [game.name for game in games if game.house_way == way] for way in catalog.house_ways
    }
    compared = [game for game in games if game.house_ways]
    return page(
        request, "house_ways", ways=catalog.house_ways.values(), users=users, compared=compared
    )


def _find_house_way(request: Request) -> tuple[Overview, HouseWay]:
    """Return the house way of an address, from the catalog."""
    data = overview()
    way = data.catalog.house_ways.get(request.path_params["way"])
    if way is None:
        raise NotConfigured("There is no such house way.", remedy="Choose an entry from the list.")
    return data, way


def _show(request: Request) -> Response:
    data, way = _find_house_way(request)
    games, game = _find_games(request, data, way)
    return page(
        request,
        "house_way",
        way=way,
        words=_words(way, game),
        games=games,
        game=game,
        hand=request.query_params.get("hand", "")[:HAND],
        deck=arrange_deck(game.hands.deck) if game else (),
        taken=request.query_params.getlist("card"),
        approvals=group_in_force(approvals_by_house_way(way.id)),
        state_names=state_names(),
        **_set_hand(game, way, read_hand(request, "card", "hand")),
    )


def _find_games(request: Request, data: Overview, way: HouseWay) -> tuple[list[Game], Game | None]:
    """Return the games that use a house way, and the requested one, or the first."""
    games = [game for game in data.catalog.games.values() if way.id in game.house_ways]
    chosen = next((game for game in games if game.id == request.query_params.get("game")), None)
    return games, chosen or next(iter(games), None)


def _words(way: HouseWay, game: Game | None) -> HouseWayWords:
    """Return the sentences of a house way, with the joker of a game or else the usual one."""
    return house_way_words(way, wild=game is not None and game.hands.joker is JokerRule.FULLY_WILD)


def arrange_deck(deck: Deck) -> list[list[str]]:
    """Return a deck to click on: a line for each suit, the joker after the last."""
    ranks = RANKS[len(RANKS) - deck.ranks :]
    lines = [[f"{rank}{suit}" for rank in reversed(ranks)] for suit in reversed(SUITS)]
    if deck.joker:
        lines[-1].append(JOKER)
    return lines


def read_hand(request: Request, field: str, typed: str) -> tuple[str, ...]:
    """Return the clicked cards, or else the typed ones."""
    query = request.query_params
    return tuple(query.getlist(field) or query.get(typed, "")[:HAND].split())


def _set_hand(game: Game | None, way: HouseWay, hand: tuple[str, ...]) -> dict[str, Any]:
    """Return the setting of a hand, or the error."""
    setting, wrong = None, None
    try:
        if game is not None and hand:
            request = ExplainRequest(target=game.id, hand=" ".join(hand), house_way=way.id)
            explained = explain(request).setting
            setting = explanation(explained) if explained is not None else None
    except CertifyError as error:
        wrong = error
    return {"setting": setting, "error": wrong, "findings": ()}


def _copy(request: Request, form: FormData) -> Response:
    """Write a copy of a house way under another id into the project."""
    data, way = _find_house_way(request)
    name = str(form.get("new_id", "")).strip()
    if name in data.catalog.house_ways:
        raise NotConfigured(f"There is a house way {name}.", remedy="Choose another id.")
    house_way(name, like=way.id, out=None)
    return redirect(f"/house-ways/{name}")


def _uses(request: Request) -> Response:
    data, way = _find_house_way(request)
    return page(
        request,
        "house_way_uses",
        way=way,
        texts=_words(way, next(iter(_find_games(request, data, way)[0]), None)).rules,
        games=data.catalog.games,
        audits=[
            {
                "audited": audited,
                "uses": [
                    {
                        "use": use,
                        "share": Fraction(use.decided, audited.audit.hands),
                        "example": (use.example or "").split(),
                    }
                    for use in audited.audit.uses
                ],
            }
            for audited in _audit_house_way(data, way.id)
        ],
    )


@lru_cache(maxsize=32)
def _audit_house_way(data: Overview, way: str) -> Any:  # noqa: ANN401 - audits of a house way
    return audit_house_ways(data.catalog, only=(way,))


def _list_json(_: Request) -> Response:
    catalog = overview().catalog
    files = [catalog.documents[f"house-ways/{name}"] for name in catalog.house_ways]
    return record({"house_ways": [file.value for file in files]})


def _json(request: Request) -> Response:
    """Return the JSON of the declared house way, or of its setting of a hand.

    The latter is that of `certify explain GAME HAND --house-way WAY --format json`.
    """
    data, way = _find_house_way(request)
    hand = read_hand(request, "card", "hand")
    if not hand:
        return record(data.catalog.documents[f"house-ways/{way.id}"].value)
    _, game = _find_games(request, data, way)
    if game is None:
        raise NotConfigured("No game uses this house way.", remedy="Choose another one.")
    explain_request = ExplainRequest(target=game.id, hand=" ".join(hand), house_way=way.id)
    return record(explain(explain_request).to_dict())


MATRIX = "/compare/house-ways/{game}"


def _find_divided_game(request: Request) -> tuple[Overview, Game]:
    """Return the game that an address names, if it has house ways to compare."""
    data, game = get_game(request)
    if not game.house_ways or not game.options:
        raise NotConfigured(
            f"{game.name} has no main wager with a house way.", remedy="Choose another game."
        )
    return data, game


def _show_matrix(request: Request) -> Response:
    data, game = _find_divided_game(request)
    comparison = _compare_cached(data, game.id) if is_counted(data.catalog, game) else None
    return page(
        request,
        "matrix",
        game=game,
        address=MATRIX.format(game=game.id),
        comparison=comparison,
        tables=house_way_tables(comparison) if comparison else (),
        ways=data.catalog.house_ways,
    )


@lru_cache(maxsize=8)
def _compare_cached(_: Overview, game: str) -> HouseWaysResult:
    return compare_house_ways(game)


def _matrix_json(request: Request) -> Response:
    """Answer as `certify compare house-ways GAME --format json`."""
    data, game = _find_divided_game(request)
    if not is_counted(data.catalog, game):
        raise Refused(
            f"The house ways of {game.name} are not compared yet.",
            remedy=f"Compare them on the page, or with `certify compare house-ways {game.id}`.",
        )
    return record(_compare_cached(data, game.id).to_dict())


def count_matrix(progress: Progress, *, game: str) -> None:
    """Compare the house ways of a game: the work of a job, with cached counts."""
    compare_house_ways(game, progress=progress)


def _count(request: Request, _: FormData) -> Response:
    game = _find_divided_game(request)[1]
    address = MATRIX.format(game=game.id)
    return start_job(
        request,
        f"House ways of {game.name}",
        count_matrix,
        {"game": game.id},
        then=address,
        back=address,
        lasting=address,
    )


ROUTES = (
    get_route("/house-ways.json", _list_json),
    get_route("/house-ways", _list),
    get_route("/house-ways/{way}.json", _json),
    get_route("/house-ways/{way}", _show),
    get_route("/house-ways/{way}/uses", _uses),
    post_route("/house-ways/{way}/copy", _copy),
    get_route(f"{MATRIX}.json", _matrix_json),
    get_route(MATRIX, _show_matrix),
    post_route(f"{MATRIX}/count", _count),
)
