"""Figures of a target: returns, and the optimal play of a main wager with a raise."""

from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from certify.errors import NotConfigured
from certify.figures.evaluate import HouseWayId, Settings
from certify.figures.evaluate import evaluate as count
from certify.figures.play import own_limits
from certify.figures.targets import load_catalog, refuse_faulty, select_sound
from certify.model.analysis import Analysis
from certify.model.encoding import Progress, encode_object
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.model.request import Cents, Request, Result, Target, argument, option


class EvaluateRequest(Settings, frozen=True, kw_only=True):
    """Target of `certify evaluate`, and the user's choices."""

    target: Annotated[Target, argument("GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file.")]
    limit_cents: Annotated[
        Cents | None, option("Payout limit in dollars, for one player, wager and round.")
    ] = None


class Evaluation(Result, frozen=True, kw_only=True):
    """Exact figures of paytables and options, in the order of the game.

    ``notices`` name wagers of the game that cannot be evaluated, with the reason.
    """

    analyses: tuple[Analysis, ...]
    notices: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify evaluate --format json``."""
        from certify.report.evidence import results_json

        return encode_object(results_json(self.analyses))

    def to_records(self) -> list[dict[str, Any]]:
        """Return the rows of all paytables, each with its target."""
        from certify.report.evidence import analysis_json

        return [
            {"target": analysis.target} | row
            for analysis in self.analyses
            for row in encode_object(analysis_json(analysis))["rows"]
        ]


def evaluate(request: EvaluateRequest) -> Evaluation:
    """Count the exact return of every paytable and option under a target.

    Raises:
        CertifyError: the target is unknown, an option does not fit it, or its files have errors.
    """
    selection = select_sound(request.target)
    if request.limit_cents is not None:
        wagers = [wager for wager, _ in selection.records]
        request = replace(request, terms=own_limits(wagers, request.limit_cents))
    analyses = count(selection, request)
    refuse_faulty(selection, analyses)
    return Evaluation(
        analyses=tuple(analyses),
        notices=tuple(
            f"{wager.game}/{wager.id}: {wager.absent.text}"
            for wager in selection.absent
            if wager.absent is not None
        ),
    )


class StrategyRequest(Request, frozen=True, kw_only=True):
    """Target of `certify strategy`."""

    target: Annotated[Target, argument("GAME, GAME/WAGER, GAME/WAGER/OPTION, or a JSON file.")]
    house_way: HouseWayId = None
    progress: Progress | None = None


class Strategies(Result, frozen=True, kw_only=True):
    """Optimal play of the options of a main wager that have a raise, with the exact figures."""

    options: tuple[MainWager, ...]
    analyses: tuple[Analysis, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify strategy --format json``."""
        from certify.report.evidence import strategies_json

        return encode_object(strategies_json(self.analyses))


def find_strategy(request: StrategyRequest) -> Strategies:
    """Count the optimal play of every option with a raise under a target.

    Raises:
        CertifyError: the target is unknown or has no raise, or its files have errors.
    """
    selection = select_sound(request.target)
    raised = tuple(
        (wager, record)
        for wager, record in selection.records
        if isinstance(record, MainWager) and record.raise_ is not None
    )
    if not raised:
        raise NotConfigured(
            "No main wager of the target has a raise, so there is no play to choose.",
            remedy="Choose a game or an option with a raise.",
        )
    settings = Settings(
        house_way=request.house_way,
        strategy=Strategy.OPTIMAL if selection.game.hands.shape.is_divided else None,
        progress=request.progress,
    )
    analyses = count(replace(selection, records=raised), settings)
    refuse_faulty(selection, analyses)
    return Strategies(options=tuple(option for _, option in raised), analyses=analyses)


class ListedWager(Struct, frozen=True, kw_only=True):
    """A wager and the ids of its paytables, or of the options of a main wager."""

    id: str
    name: str
    records: tuple[str, ...]


class ListedGame(Struct, frozen=True, kw_only=True):
    """A game, its wagers and the ids of its house ways."""

    id: str
    name: str
    house_ways: tuple[str, ...]
    wagers: tuple[ListedWager, ...]


class GameList(Result, frozen=True, kw_only=True):
    """The games of the library and the project."""

    table = "games"

    games: tuple[ListedGame, ...]


def list_games() -> GameList:
    """Return the games, with the ids that targets are made of.

    Raises:
        Unfit: the declared data has errors.
    """
    return GameList(
        games=tuple(
            ListedGame(
                id=game.id,
                name=game.name,
                house_ways=game.house_ways,
                wagers=tuple(
                    ListedWager(
                        id=wager.id,
                        name=wager.name,
                        records=tuple(record.id for record in wager.records),
                    )
                    for wager in game.wagers
                ),
            )
            for game in load_catalog().games.values()
        )
    )
