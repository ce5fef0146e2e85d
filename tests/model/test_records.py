"""Properties of records, each against a plain count."""

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from certify.model.analysis import Method, Monitored
from certify.model.condition import Event
from certify.model.encoding import drop_empty, encode_exact, encode_json
from certify.model.game import (
    Deck,
    HandRules,
    HandShape,
    JokerRule,
    WheelRule,
    deck_cards,
    uncountable,
)
from certify.model.paytable import (
    Basis,
    CollectionFee,
    Commission,
    FeeBand,
    Meter,
    Payout,
    Rounding,
)
from certify.model.source import Source
from certify.words.hands import describe_event

SOURCE = Source(document="none", clause="none")


def two_flushes(cards: int, need: int, jokers: int) -> bool:
    """Return True if this many cards with these jokers can hold flushes of two suits."""
    return any(
        sum(suits) + held == cards and sum(suit + held >= need for suit in suits) > 1
        for held in range(jokers + 1)
        for suits in product(range(cards + 1), repeat=4)
    )


@pytest.mark.parametrize("joker", [0, 1, 2])
@pytest.mark.parametrize("back", [3, 4, 5])
@pytest.mark.parametrize("front", [1, 2])
def test_hands_are_counted_where_one_suit_alone_can_make_a_flush(
    joker: int, back: int, front: int
) -> None:
    shape = HandShape(cards=back + front, back=back, front=front)
    refused = uncountable(Deck(ranks=13, joker=joker), shape)
    assert (refused is not None) is two_flushes(back + front, back, joker)


@pytest.mark.parametrize(
    ("deck", "shape", "words"),
    [
        (Deck(joker=2), (6, 4, 2), "two suits could make a flush of 4"),
        (Deck(), (8, 5, 2), "8 cards does not divide into 5 and 2"),
        (Deck(), (8, 6, 2), "A high hand of 6 and a low hand of 2"),
        (Deck(), (8, 5, 3), "A high hand of 5 and a low hand of 3"),
        (Deck(), (4, 2, 2), "A high hand of 2 and a low hand of 2"),
        (Deck(ranks=4), (7, 5, 2), "4 ranks cannot be counted with a high hand of 5"),
        (Deck(ranks=14), (7, 5, 2), "14 ranks"),
        (Deck(ranks=6), (5, 3, 2), "two suits could make a flush of 3"),
    ],
)
def test_what_cannot_be_counted_is_reported(
    deck: Deck, shape: tuple[int, int, int], words: str
) -> None:
    refused = uncountable(deck, HandShape(cards=shape[0], back=shape[1], front=shape[2]))
    assert refused is not None
    assert words in refused.message


@pytest.mark.parametrize("ranks", [5, 13])
def test_a_back_may_be_as_long_as_the_deck_has_ranks(ranks: int) -> None:
    assert uncountable(Deck(ranks=ranks), HandShape(cards=7, back=5, front=2)) is None


@pytest.mark.parametrize("joker", [0, 1, 2])
@pytest.mark.parametrize("ranks", [4, 13])
def test_a_deck_has_as_many_cards_as_are_in_it(ranks: int, joker: int) -> None:
    deck = Deck(ranks=ranks, joker=joker)
    assert len(deck_cards(deck)) == deck.cards


@pytest.mark.parametrize("unit", [None, 25, 100])
@pytest.mark.parametrize("minimum", [None, 30])
@pytest.mark.parametrize("pays", [(Fraction(1),), (Fraction(1), Fraction(3, 2))])
def test_the_least_wager_without_rounding_is_the_first_that_is_taken_exactly(
    unit: int | None, minimum: int | None, pays: tuple[Fraction, ...]
) -> None:
    commission = Commission(rate=Fraction(1, 20), unit_cents=unit, minimum_cents=minimum)
    first = next(
        wager
        for wager in range(1, 10_000)
        if all(commission.charge(net * wager) == commission.rate * net * wager for net in pays)
    )
    assert commission.exact_minimum(pays) == first


@pytest.mark.parametrize(
    ("commission", "words", "exact"),
    [
        (Commission(rate=Fraction(1, 20)), "5%", True),
        (Commission(rate=Fraction(1, 20), unit_cents=25), "5% rounded up to $0.25", False),
        (
            Commission(rate=Fraction(1, 40), unit_cents=100, rounding=Rounding.NEAREST),
            "2.5% rounded to the nearest $1",
            False,
        ),
        (Commission(rate=Fraction(1, 20), minimum_cents=50), "5%, at least $0.50", False),
    ],
)
def test_a_commission_describes_its_collection(
    commission: Commission, words: str, *, exact: bool
) -> None:
    assert str(commission) == words
    assert commission.exact is exact


@pytest.mark.parametrize(
    ("wager", "fee"), [(499, None), (500, 0), (999, 0), (1000, 50), (5000, 50)]
)
def test_a_fee_is_that_of_the_highest_band_reached(wager: int, fee: int | None) -> None:
    bands = (FeeBand(from_cents=500, cents=0), FeeBand(from_cents=1000, cents=50))
    assert CollectionFee(bands=bands, text="", source=SOURCE).find_fee(wager) == fee


@pytest.mark.parametrize(
    ("payout", "net", "words"),
    [
        (Payout(basis=Basis.TO, amount=Fraction(3, 2)), Fraction(3, 2), "3 to 2"),
        (Payout(basis=Basis.FOR, amount=Fraction(20)), 19, "20 for 1"),
        (Payout(basis=Basis.PUSH), 0, "push"),
        (Payout(basis=Basis.LOSS), -1, "loss"),
        (Payout(basis=Basis.METER, amount=Fraction(1), meter="1"), -1, "100% of meter 1"),
    ],
)
def test_a_stake_is_returned_or_lost_as_the_words_specify(
    payout: Payout, net: Fraction | int, words: str
) -> None:
    assert payout.net == net
    assert str(payout) == words


@pytest.mark.parametrize(
    ("joker", "rule", "words"),
    [
        (1, JokerRule.BUG, "A-K-Q of three, joker allowed"),
        (1, JokerRule.FULLY_WILD, "wild"),
        (0, JokerRule.FULLY_WILD, "A-2-3 of three"),
    ],
)
def test_an_event_is_worded_for_the_hands(joker: int, rule: JokerRule, words: str) -> None:
    hands = HandRules(
        deck=Deck(joker=joker),
        shape=HandShape(cards=5, back=5, front=0),
        wheel=WheelRule.LOWEST,
        joker=rule,
    )
    event = Event(
        id="e",
        text="{royal} of {cards}, joker allowed",
        text_without_joker="{wheel} of {cards}",
        text_fully_wild="wild",
        source=SOURCE,
    )
    assert describe_event(event, hands, 3) == words
    alike = Event(id="e", text="either", source=SOURCE)
    assert describe_event(alike, hands, 3) == "either"


def test_a_meter_names_what_its_source_leaves_open() -> None:
    meter = Meter(level="1", increment=Fraction(1, 10))
    assert meter.missing_amounts == ("seed", "reserve")
    assert replace(meter, seed_cents=0, reserve=Fraction(0)).missing_amounts == ()


def test_the_distance_is_in_standard_deviations() -> None:
    """40 cents beyond the mean of 10, with a variance of 400, are 1.5 deviations of 20."""
    line = Monitored(
        name="",
        target="",
        rounds=1,
        wagered=Fraction(100),
        won=Fraction(40),
        expected=Fraction(10),
        variance=Fraction(400),
        method=Method.NORMAL,
    )
    assert line.z_squared == Fraction(3, 2) ** 2


def test_records_are_written_by_field_without_those_that_do_not_apply() -> None:
    band = FeeBand(from_cents=500, cents=0)
    assert encode_json(band) == {"from_cents": 500, "cents": 0}
    assert encode_json([band], {FeeBand: lambda fee: Fraction(fee.from_cents, 100)}) == ["5/1"]
    assert drop_empty({"a": None, "b": "", "c": (), "d": 0, "e": False}) == {"d": 0, "e": False}
    assert encode_exact("edge", None) == {}
    third = Fraction(1, 3)
    assert encode_exact("edge", third) == {"edge": third, "edge_decimal": "0.3333333333"}
