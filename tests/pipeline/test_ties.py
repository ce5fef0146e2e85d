"""A published figure that two readings meet settles neither: such ties are declared."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from certify.model.analysis import Analysis
from certify.model.catalogue import Catalogue
from certify.model.comparison import Agreement
from certify.model.paytable import Paytable
from certify.model.source import Alternative
from certify.pipeline.alternatives import read_otherwise
from certify.pipeline.audit import judge_figures
from certify.pipeline.evaluate import Settings, evaluate
from certify.pipeline.targets import Selection, select

GAMES = (
    "commission-free-pai-gow-express",
    "dealer-open-pai-gow",
    "emperors-challenge-exposed",
    "pai-gow-mania",
)
"""The games of which figures are published; main wagers are counted elsewhere."""


def paytables(selection: Selection) -> Selection:
    records = [(w, record) for w, record in selection.records if isinstance(record, Paytable)]
    return Selection(catalogue=selection.catalogue, game=selection.game, records=tuple(records))


def analysed(selection: Selection) -> dict[str, Analysis]:
    found = evaluate(paytables(selection), Settings())
    return {analysis.target: analysis for analysis in found}


def met(
    catalogue: Catalogue, selection: Selection, analyses: dict[str, Analysis]
) -> dict[str, str]:
    """The figures that agree at their printed precision, each with its target."""
    return {
        judged.figure.id: judged.figure.target
        for judged in judge_figures(catalogue, selection.game, analyses)
        if judged.agreement in (Agreement.AGREES, Agreement.AGREES_UNDER_READING)
    }


def reads_otherwise(catalogue: Catalogue, touched: Selection) -> Iterator[str]:
    """The paytables whose rows, or the hands of whose rows, are read otherwise."""
    other = touched.catalogue
    for wager, record in paytables(touched).records:
        before = next(
            table
            for each in catalogue.games[touched.game.id].wagers
            if each.id == wager.id
            for table in each.paytables
            if table.id == record.id
        )
        assert isinstance(record, Paytable)
        events = {row.event for row in record.rows} & catalogue.events.keys()
        if before != record or any(
            catalogue.events[name] != other.events.get(name) for name in events
        ):
            yield record.target


@pytest.mark.parametrize("name", GAMES)
def test_every_reading_that_meets_the_published_figures_says_so(name: str) -> None:
    selection = select(name)
    catalogue = selection.catalogue
    filed = met(catalogue, selection, analysed(selection))
    declared, ties = {}, {}
    alternative: Alternative
    for _, alternative, touched in read_otherwise(selection, ""):
        changed = set(reads_otherwise(catalogue, touched))
        of_changed = {figure for figure, target in filed.items() if target in changed}
        if alternative.meets:
            declared[alternative.id] = alternative.meets
        if of_changed:
            still = met(catalogue, touched, analysed(touched))
            if of_changed <= still.keys():
                ties[alternative.id] = of_changed
    assert declared.keys() == ties.keys()
    for reading, figures in declared.items():
        assert set(figures) <= ties[reading]


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
        analysis = analysed(touched)["commission-free-pai-gow-express/dynasty-bonus/1"]
        rows = {row.event: row.combinations for row in analysis.rows}
        counted[alternative.id] = rows["luhn_tao_wheel"]
    # Twelve more hold the suited ace and queen, and are paid before.
    assert counted["luhn-tao-wheel-highest"] == 4320 - 12
    assert counted["luhn-tao-wheel-beside-joker"] == 4488
