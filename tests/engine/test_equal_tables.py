from collections.abc import Hashable
from functools import cache
from itertools import permutations

import pytest

from certify.model.game import Wager
from certify.model.paytable import Basis, Payout, Paytable
from certify.model.source import PublishedFigure, Quantity
from tests.catalog import catalog

EDGES = {
    Quantity.HOUSE_EDGE,
    Quantity.TOTAL_RETURN,
    Quantity.HOUSE_EDGE_WITH_PLAYERS,
    Quantity.ENVY_PER_OTHER_PLAYER,
}
Quoted = tuple[str, Quantity, int | None, str, str]


def lines(table: Paytable) -> list[tuple[str, Payout]]:
    """List the rows that pay; a pair beside a royal flush is of any suit."""
    return [
        (row.event.partition("_with_suited")[0], row.payout)
        for row in table.rows
        if row.payout.basis is not Basis.LOSS
    ]


def prizes(wager: Wager, table: Paytable) -> Hashable:
    envy = next((envy for envy in wager.envies if envy.id == table.envy), None)
    return envy and (
        envy.qualifying_wager_cents,
        envy.pays_on_own_hand,
        envy.pays_on_dealer_hand,
        tuple((row.event.partition("_with_suited")[0], row.prize_cents) for row in envy.rows),
    )


@cache
def pairs() -> list[tuple[str, str, bool]]:
    """List the equal tables of different games, and whether their envy prizes are equal too."""
    flat = [
        (
            (lines(table), table.hand, table.cards, table.award, game.hands.deck, game.hands.joker),
            prizes(wager, table),
            table,
        )
        for game in catalog().games.values()
        for wager in game.wagers
        for table in wager.paytables
        if table.progressive is None and table.dynamic is None
    ]
    return [
        (one.target, other.target, prize is not None and prize == others)
        for (content, prize, one), (same, others, other) in permutations(flat, 2)
        if one.game != other.game and content == same
    ]


def quote(figure: PublishedFigure, target: str) -> Quoted:
    return target, figure.quantity, figure.players, figure.printed, figure.source.clause


def test_there_are_equal_tables() -> None:
    assert {envy for _, _, envy in pairs()} == {True, False}


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
