"""A wager paid by several tables at once, and tables that are equal."""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb

import pytest
from msgspec.structs import replace

from certify.engine.bonus import evaluate
from certify.engine.hands.cards import hand_features
from certify.engine.joint_tables import merge_paytables
from certify.errors import NotConfigured
from certify.explanations.bonus import explain_bonus
from certify.model.condition import Event, FeatureTest
from certify.model.game import Deck, HandRules, HandShape, Wager, WheelRule, deck_cards
from certify.model.paytable import (
    AlsoTable,
    Award,
    Basis,
    DynamicDraw,
    HandOf,
    Payout,
    Paytable,
    Row,
)
from certify.model.source import PublishedFigure, Quantity, Source
from tests.catalog import catalog

# A wager paid by several tables at once: against every hand of a small deck, table by table.


SOURCE = Source(document="none", clause="none")
HANDS = HandRules(
    deck=Deck(ranks=6),
    shape=HandShape(cards=4, back=3, front=1),
    wheel=WheelRule.LOWEST,
)
HELD = {
    "three": lambda seen: seen["of_a_kind"] >= 3,
    "straight": lambda seen: seen["straight_length"] >= 3,
    "pair": lambda seen: seen["of_a_kind"] >= 2,
    "queens": lambda seen: seen["queens"] >= 1,
    "red": lambda seen: seen["red_cards"] >= 3,
}
"""What the events ask, said once more."""

EVENTS: Mapping[str, Event] = {
    name: Event(id=name, text=name, source=SOURCE, when=when)
    for name, when in {
        "three": FeatureTest(feature="of_a_kind", minimum=3),
        "straight": FeatureTest(feature="straight_length", minimum=3),
        "pair": FeatureTest(feature="of_a_kind", minimum=2),
        "queens": FeatureTest(feature="queens", minimum=1),
        "red": FeatureTest(feature="red_cards", minimum=3),
    }.items()
}


def row(event: str, basis: Basis, amount: int = 0) -> Row:
    return Row(event=event, name=event, payout=Payout(basis=basis, amount=Fraction(amount)))


FIRST = (row("three", Basis.TO, 9), row("straight", Basis.FOR, 4), row("pair", Basis.PUSH))
SECOND = (row("queens", Basis.FOR, 2), row("red", Basis.TO, 1))
TABLE = Paytable(
    id="1",
    game="any",
    wager="any",
    name="Both",
    hand=HandOf.PLAYER,
    cards=4,
    award=Award.FIRST_ROW_CONTAINED,
    rows=FIRST,
    also=(AlsoTable(name="Side", award=Award.FIRST_ROW_CONTAINED, rows=SECOND),),
    source=SOURCE,
)


def net(seen: Mapping[str, object]) -> Fraction:
    """Return the net win of a hand: all pays, less the wager if nothing returns it."""
    awarded = [
        next((item.payout for item in rows if HELD[item.event](seen)), None)
        for rows in (FIRST, SECOND)
    ]
    paid = [payout for payout in awarded if payout is not None]
    returned = any(payout.basis in (Basis.TO, Basis.PUSH) for payout in paid)
    return sum((payout.amount for payout in paid), Fraction(0)) - (0 if returned else 1)


def test_every_hand_nets_what_its_rows_pay_together() -> None:
    analysis = evaluate(TABLE, events=EVENTS, hands=HANDS)
    nets = [net(hand_features(hand, HANDS)) for hand in combinations(deck_cards(HANDS.deck), 4)]
    mean = sum(nets, Fraction(0)) / len(nets)
    assert analysis.house_edge == -mean
    assert analysis.variance == sum((item - mean) ** 2 for item in nets) / len(nets)
    assert analysis.hit_frequency == Fraction(sum(item > 0 for item in nets), len(nets))
    assert sum(item.combinations for item in analysis.rows) == analysis.total == len(nets)
    assert all(item.combinations for item in analysis.rows)


def test_every_deal_nets_what_a_table_on_each_side_pays() -> None:
    """One table is on the player's hand and one on the dealer's, of three cards of twelve."""
    hands = replace(HANDS, deck=Deck(ranks=3, joker=0), shape=HandShape(cards=3, back=3, front=0))
    queens = FeatureTest(feature="queens", minimum=2)
    kings = FeatureTest(feature="kings", minimum=1)
    events = {
        "mine": Event(id="mine", text="mine", source=SOURCE, player=queens),
        "theirs": Event(id="theirs", text="theirs", source=SOURCE, dealer=kings),
    }
    side = replace(TABLE.also[0], rows=(row("theirs", Basis.FOR, 2),))
    table = replace(
        TABLE, hand=HandOf.BOTH, cards=3, rows=(row("mine", Basis.TO, 4),), also=(side,)
    )
    nets = []
    for mine in combinations(deck_cards(hands.deck), 3):
        left = [card for card in deck_cards(hands.deck) if card not in mine]
        won = sum(card[0] == "Q" for card in mine) >= 2
        for theirs in combinations(left, 3):
            also = any(card[0] == "K" for card in theirs)
            nets.append((4 if won else -1) + (2 if also else 0))
    analysis = evaluate(table, events=events, hands=hands)
    mean = Fraction(sum(nets), len(nets))
    assert analysis.total == len(nets)
    assert analysis.house_edge == -mean
    assert analysis.variance == sum((item - mean) ** 2 for item in nets) / len(nets)


def test_a_row_may_take_every_hand() -> None:
    """Every hand has a card of some rank, which means that even money on it doubles each wager."""
    anything = FeatureTest(feature="of_a_kind", minimum=1)
    events = {"any": Event(id="any", text="any", source=SOURCE, when=anything)}
    table = replace(TABLE, rows=(row("any", Basis.TO, 1),), also=())
    analysis = evaluate(table, events=events, hands=HANDS)
    assert [item.combinations for item in analysis.rows] == [comb(25, 4), 0]
    assert analysis.return_to_player == 2


def test_a_hand_is_explained_by_both_rows() -> None:
    explained = explain_bonus(TABLE, events=EVENTS, hands=HANDS, player=["Qc", "Qd", "Qh", "9d"])
    assert (explained.event, explained.pays) == ("three+queens", "11 to 1")
    assert explained.net == 11


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (replace(TABLE, rows=(row("three", Basis.METER),)), "with a meter or a draw"),
        (replace(TABLE, dynamic=DynamicDraw(minimum_rows=1, maximum_rows=1)), "meter or a draw"),
        (replace(TABLE, rows=FIRST * 50), "more than 400 ways"),
    ],
)
def test_what_cannot_be_added_up(table: Paytable, message: str) -> None:
    with pytest.raises(NotConfigured, match=message):
        merge_paytables(table, EVENTS, hands=HANDS)


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
