"""Explain: what each wager pays a hand, and why."""

from typing import TYPE_CHECKING, Any

from certify.desk.answers import page, record, shown
from certify.desk.cards import cards, grid
from certify.desk.pages.games import targets_of
from certify.desk.pages.house_way import HAND, hand_asked, setting
from certify.errors import CertifyError, NotConfigured
from certify.model.explanation import BonusExplanation, Explanation
from certify.model.game import Game, Wager
from certify.pipeline.explain import FORMS, explain, explained_json
from certify.pipeline.figures.overview import overview

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

MENU = (("Explain", "/explain"),)


def _show(request: "Request") -> "Response":
    games = overview().catalogue.games
    game = _game_of(request)
    held, dealer = hand_asked(request, "card", "hand"), hand_asked(request, "dealer", "against")
    asked, deck = request.query_params, game.hands.deck
    view = {
        "games": [{"game": listed, "here": listed.id == game.id} for listed in games.values()],
        "game": game,
        "hand": asked.get("hand", "")[:HAND],
        "against": asked.get("against", "")[:HAND],
        "sides": [
            {"name": "Player", "field": "card", "grid": grid(deck, asked.getlist("card"))},
            {"name": "Dealer", "field": "dealer", "grid": grid(deck, asked.getlist("dealer"))},
        ],
        "answers": [
            _answer(wager, held, dealer) for wager in game.wagers if wager.records and held
        ],
    }
    return page(request, "explain", view)


def _game_of(request: "Request") -> Game:
    """Return the game that is asked for, or the first."""
    games = overview().catalogue.games
    name = request.query_params.get("game") or next(iter(games), "")
    if name not in games:
        raise NotConfigured("There is no such game.", remedy="Choose one of the list.")
    return games[name]


def _answer(wager: Wager, held: tuple[str, ...], dealer: tuple[str, ...]) -> dict[str, Any]:
    """Return what one wager makes of the hands, or what it lacks."""
    try:
        explained = explain(wager.target, " ".join(held), dealer=" ".join(dealer) or None)
    except CertifyError as error:
        return {"wager": wager, "error": error, "findings": (), "records": []}
    names = {table.target: table.name for table in wager.records}
    records = [_record(names[explanation.target], explanation) for explanation in explained.records]
    return {"wager": wager, "error": None, "findings": (), "records": records}


def _record(name: str, explanation: Explanation) -> dict[str, Any]:
    if isinstance(explanation, BonusExplanation):
        rows = [{"row": row, "paid": row.verdict == "paid"} for row in explanation.rows]
        return {"name": name, "bonus": explanation, "rows": rows, "main": None}
    sides = [
        {"name": who, **setting(side)}
        for who, side in (("Player", explanation.player), ("Dealer", explanation.dealer))
        if side is not None
    ]
    best = explanation.best and {
        "better": explanation.best.better_than_house_way,
        "back": cards(explanation.best.setting.back),
        "front": cards(explanation.best.setting.front),
        "settlement": explanation.best.settlement,
    }
    return {
        "name": name,
        "bonus": None,
        "rows": [],
        "main": explanation,
        "sides": sides,
        "best": best,
    }


def _json(request: "Request") -> "Response":
    """Answer as `certify explain TARGET HAND --dealer HAND --format json`."""
    asked = request.query_params
    game = _game_of(request)
    target = asked.get("target", game.id)
    if target not in targets_of(game):
        raise NotConfigured("There is no such target.", remedy="Choose one of this game.")
    held, dealer = hand_asked(request, "card", "hand"), hand_asked(request, "dealer", "against")
    explained = explain(target, " ".join(held), dealer=" ".join(dealer) or None)
    return record(explained_json(explained), FORMS)


ROUTES = (shown("/explain", _show), shown("/explain.json", _json))
