"""An option of a main wager: counted on request, for it takes minutes when nothing is kept."""

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.desk.answers import page, posted, shown
from certify.desk.pages.games import figures_json
from certify.desk.pages.jobs import begun, result_of
from certify.errors import NotConfigured
from certify.model.analysis import Analysis
from certify.model.encoding import Progress
from certify.model.game import Game, Wager
from certify.model.main_wager import MainWager
from certify.pipeline.evaluate import Settings, evaluate, overview, selected
from certify.pipeline.play import counted
from certify.report.summary import rows_of, summary_of

ADDRESS = "/options/{game}/{wager}/{option}"


def _option_of(request: Request) -> tuple[Game, Wager, MainWager]:
    """Return the option that an address names, looked up among what is declared."""
    names, games = request.path_params, overview().catalogue.games
    for wager in games[names["game"]].wagers if names["game"] in games else ():
        for option in wager.options:
            if (wager.id, option.id) == (names["wager"], names["option"]):
                return games[names["game"]], wager, option
    raise NotConfigured("There is no such option.", remedy="Choose one of the list of games.")


def _show(request: Request) -> Response:
    game, _, option = _option_of(request)
    figures = counted(option, game, overview().catalogue)
    (analysis,) = evaluate(selected(option.target), Settings()) if figures else (None,)
    return _page(request, analysis)


def _counted(request: Request) -> Response:
    """Show what a job came to, also where nothing can be kept on this machine."""
    otherwise = NotConfigured("This job has counted something else.", remedy="Count it again.")
    analysis, (_, _, option) = result_of(request, Analysis, otherwise), _option_of(request)
    if analysis.target != option.target:
        raise otherwise
    return _page(request, analysis)


def _page(request: Request, analysis: Analysis | None) -> Response:
    game, wager, option = _option_of(request)
    view = {
        "game": game,
        "wager": wager,
        "option": option,
        "address": f"/options/{option.target}",
        "summary": summary_of(analysis) if analysis else (),
        "outcomes": rows_of(analysis) if analysis else None,
    }
    return page(request, "option", view)


def count(progress: Progress, *, target: str) -> Analysis:
    """Return the figures of an option, in a process of its own."""
    (analysis,) = evaluate(selected(target), Settings(progress=progress))
    return analysis


def _count(request: Request, _: FormData) -> Response:
    game, wager, option = _option_of(request)
    return begun(
        request,
        f"{game.name}, {wager.name}: {option.name}",
        count,
        {"target": option.target},
        then=f"/options/{option.target}/counted/{{id}}",
    )


ROUTES = (
    shown(f"{ADDRESS}.json", figures_json),
    shown(ADDRESS, _show),
    shown(f"{ADDRESS}/counted/{{job}}", _counted),
    posted(f"{ADDRESS}/count", _count),
)
