import json
from functools import cache

import pytest

from certify import library
from certify.intake.read import read_catalog
from certify.model.catalog import Catalog
from certify.model.source import PublishedFigure, Quantity
from tests.engine.equal_tables import equal_tables

EDGES = {
    Quantity.HOUSE_EDGE,
    Quantity.TOTAL_RETURN,
    Quantity.HOUSE_EDGE_WITH_PLAYERS,
    Quantity.ENVY_PER_OTHER_PLAYER,
}
Quoted = tuple[str, Quantity, int | None, str, str]


@cache
def catalog() -> Catalog:
    found, _ = read_catalog(library.paytables())
    return found


def read_pays(target: str) -> list[tuple[str, str]]:
    """Read the rows of a paytable's file, losing rows left out and suited pairs made alike."""
    path = library.paytables() / f"{target}.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return [
        (row["event"].partition("_with_suited")[0], row["pays"])
        for row in rows
        if row["pays"] != "loss"
    ]


def test_equal_tables_have_the_same_lines_in_their_files() -> None:
    found = equal_tables(catalog().games.values(), catalog().events)
    assert found
    for pair in found:
        assert read_pays(pair.target) == read_pays(pair.other)
        assert pair.target.partition("/")[0] != pair.other.partition("/")[0]


def test_every_table_with_the_same_lines_is_found() -> None:
    found = {(target, other) for target, other, _ in pairs()}
    flat = [
        table.target
        for game in catalog().games.values()
        for wager in game.wagers
        for table in wager.paytables
        if table.progressive is None and table.dynamic is None
    ]
    for item in flat:
        for other in flat:
            if item.partition("/")[0] != other.partition("/")[0]:
                assert ((item, other) in found) == (read_pays(item) == read_pays(other)), (
                    item,
                    other,
                )


def pairs() -> list[tuple[str, str, bool]]:
    return [
        (pair.target, pair.other, pair.envy)
        for pair in equal_tables(catalog().games.values(), catalog().events)
    ]


def quote(figure: PublishedFigure, target: str) -> Quoted:
    return target, figure.quantity, figure.players, figure.printed, figure.source.clause


@pytest.mark.parametrize("game", sorted(catalog().games))
def test_what_an_equal_table_prints_is_quoted_with_the_table(game: str) -> None:
    games, published = catalog().games, catalog().published
    documents = {game.document.id: game.id for game in games.values()}
    expected = {
        quote(figure, target)
        for target, other, envy in pairs()
        if target.partition("/")[0] == game
        for figure in published.get(other.partition("/")[0], ())
        if figure.target == other
        and figure.source.document == games[other.partition("/")[0]].document.id
        and figure.quantity in EDGES
        and figure.reading is None
        and (envy or figure.quantity is Quantity.HOUSE_EDGE or (figure.players or 1) == 1)
        and (envy or figure.quantity is not Quantity.ENVY_PER_OTHER_PLAYER)
    }
    found = {
        quote(figure, figure.target)
        for figure in published.get(game, ())
        if documents.get(figure.source.document, game) != game
    }
    assert found == expected
