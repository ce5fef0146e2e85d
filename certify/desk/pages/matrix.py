"""House ways of dealer and player against one another, in every option of a game."""

from functools import lru_cache

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.desk.answers import Refused, page, posted, record, shown
from certify.desk.pages.games import game_of
from certify.desk.pages.jobs import begun
from certify.errors import NotConfigured
from certify.model.comparison import HouseWayComparison
from certify.model.encoding import Progress
from certify.model.game import Game
from certify.pipeline.compare import compare_house_ways, is_counted
from certify.pipeline.evaluate import Overview
from certify.report.comparison import house_way_tables, house_ways_json

ADDRESS = "/compare/house-ways/{game}"


def _divided(request: Request) -> tuple[Overview, Game]:
    """Return the game that an address names, if it has house ways to compare."""
    known, game = game_of(request)
    if not game.house_ways or not any(wager.options for wager in game.wagers):
        raise NotConfigured(
            f"{game.name} has no main wager with a house way.", remedy="Choose another game."
        )
    return known, game


def _show(request: Request) -> Response:
    known, game = _divided(request)
    comparison = _compared(known, game.id) if is_counted(known.catalogue, game) else None
    view = {
        "game": game,
        "address": ADDRESS.format(game=game.id),
        "comparison": comparison,
        "tables": house_way_tables(comparison) if comparison else (),
        "ways": known.catalogue.house_ways,
    }
    return page(request, "matrix", view)


@lru_cache(maxsize=8)
def _compared(_: Overview, game: str) -> HouseWayComparison:
    return compare_house_ways(game)


def _json(request: Request) -> Response:
    """Answer as `certify compare house-ways GAME --format json`."""
    known, game = _divided(request)
    if not is_counted(known.catalogue, game):
        raise Refused(
            f"The house ways of {game.name} are not compared yet.",
            remedy=f"Compare them on the page, or with `certify compare house-ways {game.id}`.",
        )
    return record(house_ways_json(_compared(known, game.id)))


def count(progress: Progress, *, game: str) -> None:
    """Compare the house ways of a game: the work of a job, whose counts are kept."""
    compare_house_ways(game, progress=progress)


def _count(request: Request, _: FormData) -> Response:
    game = _divided(request)[1]
    then = ADDRESS.format(game=game.id)
    return begun(request, f"House ways of {game.name}", count, {"game": game.id}, then=then)


ROUTES = (
    shown(f"{ADDRESS}.json", _json),
    shown(ADDRESS, _show),
    posted(f"{ADDRESS}/count", _count),
)
