"""House ways: their rules in order, and how any hand is set by them."""

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from certify.desk.answers import page, record, shown
from certify.desk.cards import cards, grid
from certify.errors import CertifyError, NotConfigured
from certify.model.explanation import SetExplanation
from certify.model.game import Game
from certify.model.house_way import HouseWay
from certify.pipeline.explain import FORMS, explain, explained_json
from certify.pipeline.figures.house_way_audit import audit_house_ways
from certify.pipeline.figures.overview import Overview, overview

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

MENU = (("House ways", "/house-ways"),)

HAND = 200
"""Most characters of a hand as it is typed."""


def _list(request: "Request") -> "Response":
    known = overview().catalogue
    ways = [
        {
            "way": way,
            "games": [game.name for game in known.games.values() if game.house_way == way.id],
        }
        for way in known.house_ways.values()
    ]
    compared = [game for game in known.games.values() if game.house_ways]
    return page(request, "house_ways", {"ways": ways, "compared": compared})


def _way_of(request: "Request") -> tuple[Overview, HouseWay]:
    """Return the house way that an address names, looked up among what is declared."""
    known = overview()
    way = known.catalogue.house_ways.get(request.path_params["way"])
    if way is None:
        raise NotConfigured("There is no such house way.", remedy="Choose one of the list.")
    return known, way


def _show(request: "Request") -> "Response":
    known, way = _way_of(request)
    games, game = _games_of(request, known, way)
    held = hand_asked(request, "card", "hand")
    view = {
        "way": way,
        "sections": [{"section": section, "rules": section.rules} for section in way.sections],
        "games": [
            {"game": each, "here": game is not None and each.id == game.id} for each in games
        ],
        "game": game,
        "hand": request.query_params.get("hand", "")[:HAND],
        "grid": grid(game.hands.deck, request.query_params.getlist("card")) if game else [],
        **_set(game, way, held),
    }
    return page(request, "house_way", view)


def _games_of(request: "Request", known: Overview, way: HouseWay) -> tuple[list[Game], Game | None]:
    """Return the games that use a house way, and the one that is asked for, or the first."""
    games = [game for game in known.catalogue.games.values() if way.id in game.house_ways]
    chosen = next((game for game in games if game.id == request.query_params.get("game")), None)
    return games, chosen or next(iter(games), None)


def hand_asked(request: "Request", field: str, typed: str) -> tuple[str, ...]:
    """Return the cards that are clicked, or those that are typed where none is."""
    asked = request.query_params
    clicked = tuple(asked.getlist(field))
    return clicked or tuple(asked.get(typed, "")[:HAND].split())


def _set(game: Game | None, way: HouseWay, held: tuple[str, ...]) -> dict[str, Any]:
    """Return how a hand is set, or why it is not."""
    empty: dict[str, Any] = {"setting": None, "error": None, "findings": ()}
    if game is None or not held:
        return empty
    try:
        explained = explain(game.id, " ".join(held), house_way=way.id)
    except CertifyError as error:
        return {**empty, "error": error}
    return {**empty, "setting": explained.setting and setting(explained.setting)}


def setting(explanation: SetExplanation) -> dict[str, Any]:
    """Return a hand as it is set for a template, its cards drawn."""
    return {
        "explanation": explanation,
        "hand": cards(explanation.hand.cards),
        "settings": [
            {"setting": split, "back": cards(split.back), "front": cards(split.front)}
            for split in explanation.settings
        ],
    }


def _uses(request: "Request") -> "Response":
    known, way = _way_of(request)
    audits = _audited(known, way.id)
    named = known.catalogue.games
    texts = {rule.id: rule.text for rule in way.rules}
    view = {
        "way": way,
        "audits": [
            {
                "game": named[audited.game].name,
                "joker": audited.joker,
                "hands": audited.audit.hands,
                "problems": audited.audit.problems,
                "uses": [
                    {
                        "use": use,
                        "text": texts[use.rule],
                        "share": Fraction(use.decided, audited.audit.hands),
                        "example": cards((use.example or "").split()),
                    }
                    for use in audited.audit.uses
                ],
            }
            for audited in audits
        ],
    }
    return page(request, "house_way_uses", view)


@lru_cache(maxsize=32)
def _audited(known: Overview, way: str) -> Any:  # noqa: ANN401 - audits of a house way
    return audit_house_ways(known.catalogue, only=(way,))


def _list_json(_: "Request") -> "Response":
    known = overview().catalogue
    files = [known.documents[f"house-ways/{name}"] for name in known.house_ways]
    return record({"house_ways": [file.value for file in files]})


def _json(request: "Request") -> "Response":
    """Answer with the house way as it is declared, or how it sets a hand.

    The hand is answered as `certify explain GAME HAND --house-way WAY --format json`.
    """
    known, way = _way_of(request)
    held = hand_asked(request, "card", "hand")
    if not held:
        return record(known.catalogue.documents[f"house-ways/{way.id}"].value)
    _, game = _games_of(request, known, way)
    if game is None:
        raise NotConfigured("No game uses this house way.", remedy="Choose another one.")
    return record(explained_json(explain(game.id, " ".join(held), house_way=way.id)), FORMS)


ROUTES = (
    shown("/house-ways.json", _list_json),
    shown("/house-ways", _list),
    shown("/house-ways/{way}.json", _json),
    shown("/house-ways/{way}", _show),
    shown("/house-ways/{way}/uses", _uses),
)
