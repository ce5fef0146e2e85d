"""Main wagers judged by their stored verification counts; nothing is counted here."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from certify import library, storage
from certify.checks.f_figures import F007
from certify.engine.main.outcomes import analyze_deals
from certify.errors import NotConfigured
from certify.figures.audit import judge_figure
from certify.figures.play import Play, declared_play
from certify.figures.second_counts import compared_option, identify
from certify.formatting import exact
from certify.intake.decode import decode
from certify.intake.layout import SECOND_COUNTS
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.comparison import FigureJudgement, SecondCount
from certify.model.finding import Finding
from certify.model.game import Game, Strategy
from certify.model.main_wager import MainWager
from certify.model.source import PublishedFigure, Quantity


def find_analysis(catalog: Catalog, play: Play) -> Analysis | None:
    """Return the figures of a play by the rows of a stored count; None without sound rows.

    The count may be of another game: a copy has the count of its original until it is changed.
    """
    digest = _identify(catalog, play)
    stored = chain(*catalog.second_counts.values(), _read_built_in())
    count = next((count for count in stored if count.digest == digest), None)
    try:
        return None if count is None else _analyze(play, count)
    except NotConfigured:  # `find_false_counts` says why
        return None


@cache
def _read_built_in() -> tuple[SecondCount, ...]:
    """Return every stored count of the library; a project's catalog lacks those of other games."""
    files = sorted(library.paytables().glob(f"*/{SECOND_COUNTS}.json"))
    values = (json.loads(storage.read_bytes(path)) for path in files)
    return tuple(chain(*(decode(SECOND_COUNTS, value) for value in values)))


def find_false_counts(
    catalog: Catalog, games: Collection[str], counted: Mapping[str, Analysis]
) -> Iterator[Finding]:
    """Yield a finding for each stored count of a present wager that is false.

    Args:
        catalog: the records.
        games: the ids of the games that are judged.
        counted: the paytables that were counted, as they are declared.
    """
    for name in sorted(catalog.second_counts.keys() & catalog.games.keys() & set(games)):
        game, document = catalog.games[name], catalog.documents[f"{name}/second-counts"]
        options = {option.target: option for option in game.options}
        for place, count in enumerate(catalog.second_counts[name]):
            play = _find_play(catalog, game, options.get(count.target), count)
            fault = (
                _find_difference(catalog, counted.get(count.target), count)
                if play is None
                else _find_fault(play, count)
            )
            if fault:
                part, message = fault
                remedy = F007.fix.replace("TARGET", count.target)
                yield document.finding(F007.id, f"/counts/{place}/{part}", message, remedy)


def _find_play(
    catalog: Catalog, game: Game, option: MainWager | None, count: SecondCount
) -> Play | None:
    """Return the play that a count is of; None if it is of an earlier wager, so of no use."""
    play = None if option is None else declared_play(option, game, catalog)
    if play is None:
        return None
    way = catalog.house_ways.get(count.house_way or "", play.house_way)
    play = replace(play, house_way=way, strategy=count.strategy or play.strategy)
    return play if _identify(catalog, play) == count.digest else None


def _identify(catalog: Catalog, play: Play) -> str | None:
    way, strategy = play.house_way.id, str(play.strategy)
    return identify(catalog, play.option.target, house_way=way, strategy=strategy)


def _find_fault(play: Play, count: SecondCount) -> tuple[str, str] | None:
    """Return the property of a count that contradicts another one, and the reason."""
    try:
        edge = _analyze(play, count).house_edge
    except NotConfigured as error:
        return "rows", error.message
    if edge is None or edge == count.house_edge:
        return None
    stated_edge = "none" if count.house_edge is None else exact(count.house_edge)
    message = f"The rows give a house edge of {exact(edge)}, and the stated one is {stated_edge}."
    return "house_edge", message


def _find_difference(
    catalog: Catalog, counted: Analysis | None, count: SecondCount
) -> tuple[str, str] | None:
    """Return the rows of a count of a paytable if the first count differs, and the first row."""
    if counted is None or identify(catalog, count.target, house_way=None) != count.digest:
        return None
    rows = compared_option(counted, count).comparisons
    wrong = next((row for row in rows if not row.agrees), None)
    if wrong is None:
        return None
    stated, other = exact(wrong.other), exact(wrong.exact)
    return "rows", f"The share of {wrong.event} is {stated}, and {other} by the first count."


def _analyze(play: Play, count: SecondCount) -> Analysis:
    return analyze_deals(
        play.option,
        count.rows,
        game=play.game,
        house_way=play.house_way.id,
        strategy=play.strategy,
    )


class PrintedFigures(NamedTuple):
    """Printed figures of main wagers: those judged, and those whose play is not stored."""

    judged: tuple[FigureJudgement, ...]
    left: tuple[tuple[PublishedFigure, Play], ...]


def judge_printed(catalog: Catalog, game: Game, involves: Callable[..., bool]) -> PrintedFigures:
    """Judge printed figures of a main wager by the stored count of the play that each is for.

    Args:
        catalog: the records.
        game: the game whose source prints the figures.
        involves: a function of the keys of files, True if a figure that they are about is judged.
    """
    options = {option.target: option for option in game.options}
    judged: list[FigureJudgement] = []
    left: list[tuple[PublishedFigure, Play]] = []
    for figure in catalog.published.get(game.id, ()):
        option = options.get(figure.target)
        play = None if option is None else declared_play(option, game, catalog)
        if play is None or not involves(f"{game.id}/published", figure.target):
            continue
        if figure.house_way is not None and figure.house_way in catalog.house_ways:
            way = catalog.house_ways[figure.house_way]
            play = replace(play, house_way=way, strategy=Strategy.HOUSE_WAY)
        analysis = find_analysis(catalog, play)
        if analysis is not None:
            judged.append(judge_figure(figure, {figure.target: analysis}))
        elif figure.quantity is not Quantity.NOT_COMPUTABLE:
            left.append((figure, play))
    return PrintedFigures(tuple(judged), tuple(left))


class Mains(NamedTuple):
    """Main wagers by their stored counts, and what none is stored of."""

    edges: Mapping[str, Fraction]
    printed: Sequence[FigureJudgement]
    false_counts: Sequence[Finding]
    uncounted: Sequence[Play]
    unprinted: Sequence[tuple[PublishedFigure, Play]]


def judge_mains(
    catalog: Catalog,
    options: Iterable[tuple[Game, MainWager]],
    games: Collection[str],
    involves: Callable[..., bool],
    counted: Mapping[str, Analysis],
) -> Mains:
    """Judge main wagers and their printed figures by stored counts; a cache decides nothing.

    Args:
        catalog: the records.
        options: the options that are judged, with their games.
        games: the ids of the games whose printed figures and stored counts are judged.
        involves: a function of the keys of files, True if a finding on them is requested.
        counted: the paytables that were counted, as they are declared.
    """
    plays = [declared_play(option, game, catalog) for game, option in options]
    analyses = [(play, find_analysis(catalog, play)) for play in plays if play is not None]
    judged = [catalog.games[name] for name in sorted(catalog.games.keys() & games)]
    printed = [judge_printed(catalog, game, involves) for game in judged]
    return Mains(
        edges={
            analysis.target: analysis.house_edge
            for _, analysis in analyses
            if analysis is not None and analysis.house_edge is not None
        },
        printed=[judgement for each in printed for judgement in each.judged],
        false_counts=[*find_false_counts(catalog, games, counted)],
        uncounted=[play for play, analysis in analyses if analysis is None],
        unprinted=[left for each in printed for left in each.left],
    )
