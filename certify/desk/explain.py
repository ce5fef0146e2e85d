"""Explanation page: the pay of a hand for each wager, with the reasons."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from certify.commands.explain import Explained, ExplainRequest, explain
from certify.desk.answers import get_route, page, record
from certify.desk.games import list_targets
from certify.desk.house_way import HAND, arrange_deck, read_hand
from certify.errors import CertifyError, NotConfigured
from certify.figures.evaluate import overview
from certify.model.game import Game, Wager
from certify.report.summary import explanation


def _show(request: Request) -> Response:
    game = _find_game(request)
    hand, dealer = read_hand(request, "card", "hand"), read_hand(request, "dealer", "against")
    query = request.query_params
    return page(
        request,
        "explain",
        games=overview().catalog.games.values(),
        game=game,
        hand=query.get("hand", "")[:HAND],
        against=query.get("against", "")[:HAND],
        deck=arrange_deck(game.hands.deck),
        taken={field: query.getlist(field) for field in ("card", "dealer")},
        answers=[_answer(wager, hand, dealer) for wager in game.wagers if wager.records and hand],
    )


def _find_game(request: Request) -> Game:
    """Return the requested game, or the first."""
    games = overview().catalog.games
    name = request.query_params.get("game") or next(iter(games), "")
    if name not in games:
        raise NotConfigured("There is no such game.", remedy="Choose an entry from the list.")
    return games[name]


def _answer(wager: Wager, hand: tuple[str, ...], dealer: tuple[str, ...]) -> dict[str, Any]:
    """Return the result of one wager for the hands, or the missing input."""
    try:
        explained = _explain(wager.target, hand, dealer)
    except CertifyError as error:
        return {"wager": wager, "error": error, "sections": ()}
    names = {table.target: table.name for table in wager.records}
    sections = [explanation(record, names[record.target]) for record in explained.records]
    return {"wager": wager, "error": None, "sections": sections}


def _json(request: Request) -> Response:
    """Answer as `certify explain TARGET HAND --dealer HAND --format json`."""
    game = _find_game(request)
    target = request.query_params.get("target", game.id)
    if target not in list_targets(game):
        raise NotConfigured("There is no such target.", remedy="Choose a target of this game.")
    hand, dealer = read_hand(request, "card", "hand"), read_hand(request, "dealer", "against")
    return record(_explain(target, hand, dealer).to_dict())


def _explain(target: str, hand: tuple[str, ...], dealer: tuple[str, ...]) -> Explained:
    cards = " ".join(dealer) or None
    return explain(ExplainRequest(target=target, hand=" ".join(hand), dealer=cards))


ROUTES = (get_route("/explain", _show), get_route("/explain.json", _json))
