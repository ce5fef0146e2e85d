"""Games: every wager and paytable that is declared, with its figures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from certify.desk.answers import page, shown
from certify.pipeline.overview import Overview, overview

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

MENU = (("Games", "/"),)


def _show(request: "Request") -> "Response":
    return page(request, "games", {"rows": list(_rows(overview()))})


def _rows(known: Overview) -> Iterator[dict[str, Any]]:
    for game in known.catalogue.games.values():
        for wager in game.wagers:
            for table in wager.records:
                analysis = known.analyses.get(table.target)
                yield {
                    "target": table.target,
                    "game": game.name,
                    "wager": wager.name,
                    "table": table.name,
                    "edge": analysis and analysis.house_edge,
                    "returned": analysis and analysis.return_to_player,
                    "hits": analysis and analysis.hit_frequency,
                }


ROUTES = (shown("/", _show),)
