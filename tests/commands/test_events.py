from math import comb

import pytest

from certify import library
from certify.api import explain
from certify.commands.events import USUAL, EventsRequest, find_events
from certify.engine.hands.conditions import count, predicate
from certify.errors import NotConfigured
from certify.figures.targets import select
from certify.intake.read import read_catalog
from certify.model.condition import FeatureTest
from certify.model.explanation import BonusExplanation

OTHERS = comb(46, 7)
"""The hands that are left beside one."""


def test_event_is_counted_regardless_of_other_cards() -> None:
    (five_aces,) = find_events(EventsRequest(word="five_aces")).events
    assert (five_aces.combinations, five_aces.total) == (comb(48, 2), comb(53, 7))


def test_event_of_the_dealers_hand_leaves_the_players_any() -> None:
    """The player's hand has no label: its pairs follow from the dealer's hands alone."""
    census = count(USUAL, cards=7, features={"pai_gow_high", "joker"})
    ace_high = predicate(FeatureTest(feature="pai_gow_high", values=("A",)), census.features)
    joker = census.features.index("joker")
    for with_joker, name in ((True, "with"), (False, "without")):
        (event,) = find_events(EventsRequest(word=f"dealer_ace_high_pai_gow_{name}_joker")).events
        hands = sum(
            number
            for cell, number in census.cells.items()
            if ace_high(cell) and cell[joker] is with_joker
        )
        assert event.combinations == hands * OTHERS


def test_example_is_paid_as_the_event_by_a_table_that_has_it() -> None:
    (straight,) = find_events(
        EventsRequest(word="super_full_house", game="dealer-open-pai-gow")
    ).events
    assert straight.player is not None
    (record,) = explain("dealer-open-pai-gow/chan-chu/1", " ".join(straight.player)).records
    assert isinstance(record, BonusExplanation)
    assert [row.name for row in record.rows if row.verdict == "paid"] == ["Super Full House"]


def test_every_event_that_a_hand_can_hold_has_an_example() -> None:
    for cards in (3, 7):
        for event in find_events(EventsRequest(cards=cards)).events:
            assert (event.player is not None) == bool(event.combinations), event.id


def test_word_of_the_description_finds_events() -> None:
    assert [event.id for event in find_events(EventsRequest(word="full house")).events] == [
        "super_full_house",
        "full_house",
    ]


def test_unknown_event_and_too_many_cards_are_refused() -> None:
    with pytest.raises(NotConfigured, match="no event 'flsh'") as refused:
        find_events(EventsRequest(word="flsh"))
    assert "Did you mean flush" in str(refused.value.remedy)
    with pytest.raises(NotConfigured, match="has 6 cards, not 7"):
        find_events(EventsRequest(word="flush", game="mini-pai-gow", cards=7))


OPTIONS = sorted(
    option.target
    for game in read_catalog(library.paytables())[0].games.values()
    for wager in game.wagers
    for option in wager.options
)


@pytest.mark.parametrize("target", OPTIONS)
def test_an_option_comes_with_the_options_that_are_counted_with_it(target: str) -> None:
    """One pass counts all options of a game: the count of one would otherwise be made again."""
    game, _, _ = target.partition("/")
    assert select(target).game.wagers == select(game).game.wagers
