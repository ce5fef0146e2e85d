from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

from certify.figures.alternatives import read_otherwise
from certify.figures.audit import judge_figures
from certify.figures.evaluate import Settings, evaluate, list_plays
from certify.figures.targets import Selection, load_catalog, select
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.comparison import Agreement
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable

GAMES = (
    "commission-free-pai-gow-express",
    "dealer-open-pai-gow",
    "emperors-challenge-exposed",
    "pai-gow-mania",
)
"""The games that have published figures."""

MAIN = "pai-gow-mania"
"""The game whose main wager has published figures."""


def paytables(selection: Selection) -> Selection:
    records = [(w, record) for w, record in selection.records if isinstance(record, Paytable)]
    return replace(selection, records=tuple(records))


def evaluate_all(selection: Selection, known: Selection | None = None) -> dict[str, Analysis]:
    settings = Settings(known=list_plays(known, Settings()) if known else {})
    return {each.target: each for each in evaluate(selection, settings)}


def met(catalog: Catalog, selection: Selection, analyses: dict[str, Analysis]) -> dict[str, str]:
    """The figures that agree at their printed precision, each with its target."""
    return {
        judged.figure.id: judged.figure.target
        for judged in judge_figures(catalog, selection.game, analyses)
        if judged.agreement in (Agreement.AGREES, Agreement.AGREES_UNDER_READING)
    }


def reads_otherwise(catalog: Catalog, touched: Selection) -> Iterator[str]:
    """The records, or the hands of the rows of paytables, that are read otherwise."""
    other = touched.catalog
    for wager, record in touched.records:
        if isinstance(record, MainWager):
            yield record.target
            continue
        before = next(
            table
            for each in catalog.games[touched.game.id].wagers
            if each.id == wager.id
            for table in each.paytables
            if table.id == record.id
        )
        events = {row.event for row in record.rows} & catalog.events.keys()
        if before != record or any(
            catalog.events[name] != other.events.get(name) for name in events
        ):
            yield record.target


def declared_and_found(
    selection: Selection, house_way: str
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The figures that each reading of some records is declared to meet, and does meet.

    A reading meets the figures of what it changes if it meets each of them that the filed one does.
    """
    catalog = selection.catalog
    filed = met(catalog, selection, evaluate_all(selection))
    targets = {record.target for _, record in selection.records}
    about = {
        figure.id
        for figure in catalog.published.get(selection.game.id, ())
        if figure.target in targets
    }
    stated, ties = {}, {}
    for _, alternative, touched in read_otherwise(selection, house_way):
        changed = set(reads_otherwise(catalog, touched))
        of_changed = {figure for figure, target in filed.items() if target in changed}
        if about & set(alternative.meets):
            stated[alternative.id] = about & set(alternative.meets)
        if of_changed:
            still = met(catalog, touched, evaluate_all(touched, selection))
            if of_changed <= still.keys():
                ties[alternative.id] = of_changed
    return stated, ties


@pytest.mark.parametrize("name", GAMES)
def test_every_reading_that_meets_the_published_figures_is_marked(name: str) -> None:
    stated, ties = declared_and_found(paytables(select(name)), "")
    assert stated.keys() == ties.keys()
    for reading, figures in stated.items():
        assert figures <= ties[reading]


def select_main_wagers(name: str) -> dict[str, Selection]:
    """The main wagers of a game of which figures are published, by the house way of these."""
    selection = select(name)
    figures = selection.catalog.published.get(name, ())
    found = {}
    for way in {figure.house_way or selection.game.house_way for figure in figures}:
        targets = {
            figure.target
            for figure in figures
            if (figure.house_way or selection.game.house_way) == way
        }
        records = [
            (wager, record)
            for wager, record in selection.records
            if isinstance(record, MainWager) and record.target in targets
        ]
        if records:
            found[way] = replace(selection, records=tuple(records))
    return found


def test_figures_of_these_main_wagers_are_published() -> None:
    # Each with the game's own house way and play: the search below counts no other.
    published = {name: select_main_wagers(name) for name in load_catalog().games}
    found = {name: set(ways) for name, ways in published.items() if ways}
    assert found == {MAIN: {"foxwoods"}}
    game = select(MAIN).game
    assert (game.house_way, game.strategy) == ("foxwoods", Strategy.HOUSE_WAY)


@pytest.mark.slow
def test_every_reading_of_a_main_wager_that_meets_the_figures_is_marked() -> None:
    for way, selection in select_main_wagers(MAIN).items():
        stated, ties = declared_and_found(selection, way)
        assert stated == ties


def test_the_two_readings_of_a_wheel_hold_as_many_hands_and_not_the_same() -> None:
    # Counted here from the words alone: the wheel in one suit, its six and seven 4 and 5.
    wheel = {0, 1, 2, 3, 12}
    others = [card for card in range(53) if card not in wheel]
    without_joker, highest = set(), set()
    for two in combinations(others, 2):
        joker, six, seven = (card in two for card in (52, 4, 5))
        if seven and (six or joker):
            continue  # seven cards of a straight flush, which are paid before
        if not joker:
            without_joker.add(two)
        if not six:
            highest.add(two)
    assert 4 * len(without_joker) == 4 * len(highest) == 4320
    assert 4 * len(without_joker - highest) == 4 * len(highest - without_joker) == 180
    counted = {}
    named = ("luhn-tao-wheel-highest", "luhn-tao-wheel-beside-joker")
    selection = select("commission-free-pai-gow-express")
    for _, alternative, touched in read_otherwise(selection, "", only=named):
        analysis = evaluate_all(touched)["commission-free-pai-gow-express/dynasty-bonus/1"]
        rows = {row.event: row.combinations for row in analysis.rows}
        counted[alternative.id] = rows["luhn_tao_wheel"]
    # Twelve more hold the suited ace and queen, and are paid before.
    assert counted["luhn-tao-wheel-highest"] == 4320 - 12
    assert counted["luhn-tao-wheel-beside-joker"] == 4488
