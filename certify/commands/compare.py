"""Compare house ways with one another, and a laboratory's counts with ours.

Each house way of the dealer is compared with each house way of the player, option by option. The
game's default house way is counted in full, and each other pair by its differences from it, see
`certify.kernels.changes`. Counts are cached; one more house way adds the cost of its row and
column.
"""

from collections.abc import Collection, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from msgspec.structs import replace

from certify import __version__
from certify.engine.count_cache import cached_count, load_cached
from certify.errors import InvariantBroken, NotConfigured, NotReadable
from certify.figures.evaluate import Settings, evaluate, list_inputs
from certify.figures.play import Play, audit_game, fits
from certify.figures.targets import (
    load_catalog,
    lookup,
    refuse_faulty,
    select_entries,
    select_sound,
)
from certify.intake.results import REMEDY, read_counts
from certify.model.analysis import Analysis
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.comparison import CountCell, CountComparison, HouseWayComparison, HouseWayMatrix
from certify.model.encoding import Progress
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.request import Request, Result, argument, option
from certify.report.comparison import counts_json, house_ways_json


class HouseWaysResult(HouseWayComparison, Result, frozen=True, kw_only=True):
    """Every house way that fits a game, against every option."""

    table = "options"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify compare house-ways --format json``."""
        return house_ways_json(self)


class CountsResult(CountComparison, Result, frozen=True, kw_only=True):
    """A laboratory's counts of one paytable against ours, cell by cell."""

    table = "cells"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify compare FILE --format json``."""
        return counts_json(self)


HOUSE_WAYS = "house-ways"


class CompareRequest(Request, frozen=True, kw_only=True):
    """House ways to compare, or a file of counts and its paytable."""

    what: Annotated[
        str, argument("house-ways, or a CSV file or workbook of a laboratory's counts.")
    ]
    target: Annotated[str, argument("GAME for house-ways, GAME/WAGER/PAYTABLE for counts.")]
    house_ways: Annotated[
        tuple[str, ...],
        option(
            "House way to compare; repeat for more. Default: all that fit the game.",
            "--house-way",
            metavar="ID",
        ),
    ] = ()
    best_play: Annotated[
        bool,
        option(
            "Count optimal play too, for the cost of each house way (minutes). Default: on.",
            "--best-play/--no-best-play",
        ),
    ] = True
    progress: Progress | None = None


def compare(request: CompareRequest) -> HouseWaysResult | CountsResult:
    """Compare house ways with one another, or a laboratory's counts with ours.

    Raises:
        NotReadable: there is no such file, or it is no table of counts.
        NotConfigured: the game or the paytable is unknown.
    """
    if request.what == HOUSE_WAYS:
        return compare_house_ways(
            request.target,
            only=request.house_ways,
            best_play=request.best_play,
            progress=request.progress,
        )
    if not Path(request.what).is_file():
        raise NotReadable(
            f"There is no file {request.what}.",
            remedy=f"Give the path of a .csv or .xlsx file, or the word {HOUSE_WAYS}.",
        )
    return compare_counts(Path(request.what), request.target, request.progress)


def compare_counts(path: Path, target: str, progress: Progress | None = None) -> CountsResult:
    """Compare the counts in a file with ours.

    A row is named by the id of its event or as the paytable prints it, in any case of letters. Of
    a workbook, the sheet that the paytable's id names is compared, or the only one with counts.

    Raises:
        NotReadable: the file is no table of counts, or names a row twice.
        NotConfigured: the target does not name one paytable.
    """
    analysis = analyze_target(target, progress)
    names = {_plain(row.name): row.event for row in analysis.rows}
    names |= {_plain(row.event): row.event for row in analysis.rows}
    theirs: dict[str, int] = {}
    printed: dict[str, str] = {}
    sheets = (analysis.paytable, f"{analysis.wager} {analysis.paytable}")
    for keys, combinations in read_counts(path, sheets):
        event = next((names[_plain(key)] for key in keys if _plain(key) in names), keys[0])
        if event in theirs:
            raise NotReadable(f"{path} gives the row {keys[0]} twice.", remedy=REMEDY)
        theirs[event], printed[event] = combinations, keys[-1]
    ours = {row.event: row for row in analysis.rows}
    cells = [
        CountCell(event=event, name=row.name, ours=row.combinations, theirs=theirs.get(event))
        for event, row in ours.items()
    ] + [
        CountCell(event=event, name=printed[event], ours=None, theirs=theirs[event])
        for event in theirs
        if event not in ours
    ]
    return CountsResult(target=analysis.target, file=path.name, cells=tuple(cells))


def analyze_target(target: str, progress: Progress | None = None) -> Analysis:
    """Return the analysis of the one paytable that a target names.

    Raises:
        NotConfigured: it names none, or several.
    """
    selection = select_sound(target)
    if len(selection.records) != 1:
        raise NotConfigured(
            f"{target} names {len(selection.records)} paytables.",
            remedy="Name one, such as "
            + (selection.records[0][1].target if selection.records else "GAME/WAGER/PAYTABLE")
            + ".",
        )
    (analysis,) = evaluate(selection, Settings(progress=progress))
    return analysis


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())


def compare_house_ways(
    name: str,
    *,
    only: Collection[str] = (),
    best_play: bool = True,
    progress: Progress | None = None,
) -> HouseWaysResult:
    """Compare every declared house way that fits a game.

    Args:
        name: the game's id.
        only: ids of the house ways to compare; all that fit if empty.
        best_play: also count best play against each dealer's house way, for the cost of each.
        progress: called with the progress of each count.

    Raises:
        NotConfigured: there is no such game or house way, or none fits.
        Unfit: the declared data has errors.
    """
    catalog = load_catalog()
    game = lookup("game", name, catalog.games)
    refuse_faulty(select_entries(catalog, game))
    ways = fitting = tuple(_fitting(catalog, game, only))
    unsound = tuple(
        way.id for way in ways if audit_game(game, way, game.hands.joker).audit.problems
    )
    ways = tuple(way for way in ways if way.id not in unsound)
    if not ways or not game.options:
        missing = "main wager to count" if ways else "sound house way that fits it"
        raise NotConfigured(
            f"{game.name} has no {missing}.", remedy="Declare one, and check it with certify check."
        )
    keys = (*EVENT_FILES, game.id, *(option.target for option in game.options))
    matrices = tuple(_matrix(game, option, ways, best_play, progress) for option in game.options)
    cached_count(_list_inputs(game, fitting, best_play=best_play), lambda: True)
    return HouseWaysResult(
        game=game,
        ways=ways,
        matrices=matrices,
        unsound=unsound,
        inputs=list_inputs(catalog, (*keys, *(f"house-ways/{way.id}" for way in ways))),
        engine_version=__version__,
    )


def is_counted(catalog: Catalog, game: Game) -> bool:
    """Return True if this machine has compared all house ways that fit a game, and best play."""
    return bool(load_cached(_list_inputs(game, tuple(_fitting(catalog, game, ())), best_play=True)))


def _list_inputs(game: Game, ways: tuple[HouseWay, ...], *, best_play: bool) -> tuple[object, ...]:
    """Return the inputs of a comparison; True is cached for them when all its counts are made."""
    return ("compared", game.options, game.hands, game.dealer_exposed, ways, best_play)


def _fitting(catalog: Catalog, game: Game, only: Collection[str]) -> Iterator[HouseWay]:
    """Yield the house ways to compare: the game's own first, then by id."""
    for name in only:
        if not fits(lookup("house way", name, catalog.house_ways), game.hands):
            raise NotConfigured(
                f"The house way {name!r} does not set the hands that {game.name} deals.",
                remedy="Remove it.",
            )
    for name in sorted(catalog.house_ways, key=lambda each: (each != game.house_way, each)):
        way = catalog.house_ways[name]
        if (not only or name in only) and fits(way, game.hands):
            yield way


def _matrix(
    game: Game,
    option: MainWager,
    ways: tuple[HouseWay, ...],
    best_play: bool,
    progress: Progress | None,
) -> HouseWayMatrix:
    def edge(dealer: HouseWay, player: HouseWay | None) -> Fraction:
        """Return the house edge with the player by another house way, or by the best play."""
        play = Play(
            option=option,
            game=game,
            house_way=dealer,
            strategy=Strategy.OPTIMAL if player is None else Strategy.HOUSE_WAY,
            player=player,
        )
        base = replace(play, house_way=ways[0], player=None)
        counted = play.evaluate(base=base, progress=progress).house_edge
        if counted is None:
            raise InvariantBroken(f"{option.target} has no house edge.")
        return counted

    return HouseWayMatrix(
        option=option,
        edges={(dealer.id, player.id): edge(dealer, player) for dealer in ways for player in ways},
        best={dealer.id: edge(dealer, None) for dealer in ways if best_play},
    )
