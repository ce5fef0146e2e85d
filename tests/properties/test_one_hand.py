from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from certify import library
from certify.engine.bonus import ALL_OTHER, evaluate
from certify.engine.hands.conditions import count
from certify.engine.hands.features import SUIT_COUNTS, hand_features
from certify.explanations.bonus import explain_bonus
from certify.intake.read import read_catalog
from certify.model.catalog import Catalog
from certify.model.condition import Event
from certify.model.game import JOKER, RANKS, SUITS, JokerRule
from certify.model.paytable import Award, Basis, HandOf, Payout, Paytable, Row
from certify.model.source import Source
from certify.model.vocabulary import COLOUR_FEATURES
from tests.engine.census_audit import CLASS_FEATURES
from tests.engine.test_census import rules

UNHURRIED = settings(deadline=None, derandomize=True)
"""The first count of a deck takes longer than the next; the same examples are tried every time."""

CARDS = [rank + suit for rank in RANKS for suit in SUITS] + [JOKER]
HANDS = st.lists(st.sampled_from(CARDS), min_size=7, max_size=7, unique=True)
JOKERS = st.sampled_from(JokerRule)


@cache
def catalog() -> Catalog:
    return read_catalog(library.paytables(), only="pai-gow-mania")[0]


def one_handed() -> Mapping[str, Event]:
    return {event.id: event for event in catalog().events.values() if not event.two_handed}


@st.composite
def paytables(draw: st.DrawFn) -> Paytable:
    """Any rows of the vocabulary in any order with any pays."""
    ids = draw(st.lists(st.sampled_from(sorted(one_handed())), min_size=1, max_size=8, unique=True))
    pays = draw(st.lists(st.integers(1, 5000), min_size=len(ids), max_size=len(ids)))
    return Paytable(
        id="any",
        game="any",
        wager="any",
        name="any",
        hand=HandOf.PLAYER,
        cards=7,
        award=draw(st.sampled_from(Award)),
        rows=tuple(row(event, pay) for event, pay in zip(ids, pays, strict=True)),
        source=Source(document="none", clause="none"),
    )


def row(event: str, pays: int) -> Row:
    return Row(event=event, name=event, payout=Payout(basis=Basis.TO, amount=Fraction(pays)))


@UNHURRIED
@given(HANDS, st.permutations(SUITS), JOKERS)
def test_permuting_suits_changes_only_color(
    hand: list[str], suits: list[str], joker: JokerRule
) -> None:
    renamed = dict(zip(SUITS, suits, strict=True))
    other = [card if card == JOKER else card[0] + renamed[card[1]] for card in hand]
    before, after = (
        hand_features(hand, rules(joker=joker)),
        hand_features(other, rules(joker=joker)),
    )
    of_suits = COLOUR_FEATURES | {*SUIT_COUNTS}
    assert {name: before[name] for name in before if name not in of_suits} == {
        name: after[name] for name in after if name not in of_suits
    }


@UNHURRIED
@given(HANDS, st.permutations(range(7)), JOKERS)
def test_the_order_of_cards_changes_nothing(
    hand: list[str], order: list[int], joker: JokerRule
) -> None:
    assert hand_features(hand, rules(joker=joker)) == hand_features(
        [hand[place] for place in order], rules(joker=joker)
    )


@UNHURRIED
@given(HANDS, JOKERS)
def test_every_hand_has_a_cell(hand: list[str], joker: JokerRule) -> None:
    census = count(rules(joker=joker), cards=5, features=CLASS_FEATURES)
    features = hand_features(hand[:5], rules(joker=joker), cards=5)
    assert census.cells[tuple(features[name] for name in census.features)] > 0


@UNHURRIED
@given(HANDS)
def test_a_fully_wild_joker_is_never_worth_less_than_a_bug(hand: list[str]) -> None:
    bug, wild = hand_features(hand, rules()), hand_features(hand, rules(joker=JokerRule.FULLY_WILD))
    for name in ("of_a_kind", "pairs", "straight_length", "flush_length", "straight_flush_length"):
        assert isinstance(bug[name], int)
        assert bug[name] <= wild[name]  # type: ignore[operator] # both are counts


@UNHURRIED
@given(paytables())
def test_rows_partition_the_deck(paytable: Paytable) -> None:
    analysis = evaluate(paytable, events=catalog().events, hands=rules())
    assert sum(item.combinations for item in analysis.rows) == comb(53, 7)
    assert all(item.combinations >= 0 for item in analysis.rows)
    assert sum(item.contribution for item in analysis.rows) == (analysis.return_to_player or 0) - 1


@UNHURRIED
@given(paytables(), st.data())
def test_raising_a_pay_raises_the_return_by_its_chance(
    paytable: Paytable, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(paytable.rows) - 1))
    old = paytable.rows[place]
    rows = list(paytable.rows)
    rows[place] = row(old.event, int(old.payout.amount) + 1)
    before, after = (
        evaluate(item, events=catalog().events, hands=rules())
        for item in (paytable, replace(paytable, rows=tuple(rows)))
    )
    assert before.return_to_player is not None
    assert after.return_to_player == before.return_to_player + before.rows[place].probability


@UNHURRIED
@given(paytables(), HANDS)
def test_one_hand_is_paid_one_row_at_most(paytable: Paytable, hand: list[str]) -> None:
    explained = explain_bonus(paytable, events=catalog().events, hands=rules(), player=hand)
    held = [trial for trial in explained.rows if trial.verdict != "not_held"]
    assert [trial.verdict for trial in held] == (["paid"] + ["held_but_not_paid"] * 99)[: len(held)]
    assert explained.event == (held[0].event if held else ALL_OTHER)
    assert len(explained.rows) == len(paytable.rows)


@UNHURRIED
@given(st.integers(5, 6), st.booleans(), st.integers(5, 7), JOKERS)
def test_cells_sum_to_the_deck(ranks: int, with_joker: bool, cards: int, joker: JokerRule) -> None:
    hands = rules(joker=joker, ranks=ranks, with_joker=with_joker)
    census = count(hands, cards=cards, features=CLASS_FEATURES)
    assert sum(census.cells.values()) == comb(4 * ranks + with_joker, cards)
    reds = census.features.index("red_cards")
    assert sum(n for cell, n in census.cells.items() if cell[reds] == cards) == comb(
        2 * ranks, cards
    )
