"""Wagers on hands as they are set and compared equal the enumeration of every deal of small decks.

The enumeration is that of `tests.oracle.two_hands`: hands are cards, values are tuples, and which
hands share no card, hold something or are lower are sets of hands, kept as the bits of an integer.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, product
from typing import Any

import pytest

from certify.engine.hands.as_set import cells_as_set
from certify.engine.hands.awards import event_counts, pair_counts
from certify.errors import NotConfigured
from certify.figures.targets import select
from certify.intake.decode import decode
from certify.model.condition import Event
from certify.model.game import Deck, HandRules, HandShape, WheelRule
from certify.model.house_way import HouseWay
from certify.model.vocabulary import EventFeature
from certify_recount import recount
from tests.engine.small_games import COMPLETE, FIXTURES, WAYS, fresh_counts, house_way
from tests.marks import further
from tests.oracle.two_hands import (
    FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    Cards,
    Game,
    Setting,
    Value,
    bits,
    count_jokers,
    find_value,
)
from tests.oracle.two_hands import Deals as SetDeals

__all__ = ("fresh_counts",)

Holds = Callable[["Deals", int], bool]
"""Whether a hand, by its number, is as a condition asks."""


def event(**declared: Any) -> Event:  # noqa: ANN401 - a JSON value
    """An event as a file declares it."""
    value = {"id": "event", "text": "It.", "source": {"document": "d", "clause": "c"}, **declared}
    declared_event: Event = decode("events", {"events": [value]})[0]
    return declared_event


@dataclass(frozen=True)
class Deals:
    ranks: int
    joker: bool
    cards: int
    front: int
    way: str

    @cached_property
    def game(self) -> Game:
        return Game(
            ranks=self.ranks, joker=self.joker, hand=self.cards, front=self.front, low_wheel=True
        )

    @property
    def rules(self) -> HandRules:
        return HandRules(
            deck=Deck(ranks=self.ranks, joker=self.joker),
            shape=HandShape(cards=self.cards, back=self.cards - self.front, front=self.front),
            wheel=WheelRule.LOWEST,
        )

    @property
    def house_way(self) -> HouseWay:
        return house_way(self.way)

    @cached_property
    def hands(self) -> list[Cards]:
        return self.game.hands

    @cached_property
    def dealt(self) -> SetDeals:
        return SetDeals(self.game, WAYS[self.way])

    @property
    def settings(self) -> list[Setting]:
        return self.dealt.set_hand

    @cached_property
    def best(self) -> list[Value]:
        """The highest high hand of every hand, with any low hand."""
        size = self.cards - self.front
        return self.dealt.find_each(
            lambda game, hand: max(
                find_value(game, cards, front=False) for cards in combinations(hand, size)
            )
        )

    @cached_property
    def apart(self) -> list[int]:
        """For every hand, those that share no card with it."""
        return [self.dealt.apart(hand) for hand in self.hands]

    def select(self, holds: Holds) -> int:
        return bits(holds(self, number) for number in range(len(self.hands)))

    def values(self, what: str) -> list[Value]:
        """The values of all hands by which they are compared."""
        if what == "best_hand":
            return self.best
        return [setting[what == "low_hand"] for setting in self.settings]

    @cache  # noqa: B019 - a few decks in a test
    def against(self, what: str) -> dict[Value, dict[str, int]]:
        """By the value of the player's hand, the dealer's hands against which it ends so."""
        values = self.values(what)
        return {
            value: {
                "player": bits(other < value for other in values),
                "copy": bits(other == value for other in values),
                "dealer": bits(other > value for other in values),
            }
            for value in set(values)
        }


# What conditions say, as the enumeration reads it


def anything(_deals: Deals, _number: int) -> bool:
    return True


def low_pair_of_aces(deals: Deals, number: int) -> bool:
    return deals.settings[number][1] == (1, (deals.ranks - 1,))


def low_king_high(deals: Deals, number: int) -> bool:
    kind, ranks = deals.settings[number][1]
    return kind == 0 and ranks[0] == deals.ranks - 2


def high(*kinds: int) -> Holds:
    return lambda deals, number: deals.settings[number][0][0] in kinds


def best(*kinds: int) -> Holds:
    return lambda deals, number: deals.best[number][0] in kinds


def holds_joker(deals: Deals, number: int) -> bool:
    return count_jokers(deals.hands[number]) > 0


ONE_PAIR = {"of_a_kind": 2, "pairs": 1, "not": COMPLETE}
SETS: list[tuple[dict[str, Any], Holds]] = [
    ({"low_hand": {"highest_pair": "A"}}, low_pair_of_aces),
    ({"low_hand": {"pai_gow_high": "K"}}, low_king_high),
    ({"high_hand": ONE_PAIR}, high(1)),
    ({"high_hand": {"straight_length": {"min": 1}, "straight_flush_length": 0}}, high(STRAIGHT)),
    ({"high_hand": {"flush_length": {"min": 1}, "straight_flush_length": 0}}, high(FLUSH)),
    ({"high_hand": {"straight_flush_length": {"min": 1}}}, high(STRAIGHT_FLUSH, 9)),
    ({"high_hand": {"royal_flush": True}}, high(9)),
    (
        {"joker": True, "low_hand": {"pai_gow_high": "K"}},
        lambda deals, number: holds_joker(deals, number) and low_king_high(deals, number),
    ),
]

FOUR_AND_TWO = Deals(4, joker=True, cards=6, front=2, way="short-hands")
"""Jack to ace and the joker: 12,376 hands of four and two."""

THREE_AND_TWO = Deals(5, joker=False, cards=5, front=2, way="short-hands")
"""Ten to ace: 15,504 hands of three and two."""

THREE_AND_ONE = Deals(5, joker=True, cards=4, front=1, way="short-hands-one-card")
"""Ten to ace and the joker: 5,985 hands of three and one."""


def recount_event(deals: Deals, hand: str, **declared: Any) -> int:  # noqa: ANN401 - JSON
    """Return the hands, or the pairs of hands, that the recount finds an event in."""
    game = {
        "id": "g", "deck": {"ranks": deals.ranks, "joker": deals.joker}, "wheel": "lowest",
        "hand": {"cards": deals.cards, "back": deals.cards - deals.front, "front": deals.front},
        "dealer_exposed": True, "players": 6, "house_way": deals.way,
    }  # fmt: skip
    table = {
        "hand": hand, "cards": deals.cards, "award": "first_row_contained",
        "rows": [{"event": "event"}],
    }  # fmt: skip
    files = {"g/game.json": game, "g/side/1.json": table}
    files["events.json"] = {"events": [{"id": "event", **declared}]}
    written = {f"paytables/{name}": json.dumps(value).encode() for name, value in files.items()}
    way = f"house-ways/{deals.way}.json"
    written[f"paytables/{way}"] = (FIXTURES / way).read_bytes()
    (counted,) = recount(written, "g/side/1", processes=1)
    return counted.rows.get("event", 0)


DECKS = [FOUR_AND_TWO, THREE_AND_TWO, THREE_AND_ONE]


@pytest.mark.parametrize("deals", DECKS, ids=["4+2", "3+2", "3+1"])
def test_hands_as_set(deals: Deals) -> None:
    for when, holds in SETS:
        total, (counted,) = event_counts(
            [event(when=when)], [0], hands=deals.rules, cards=deals.cards, house_way=deals.house_way
        )
        assert total == len(deals.hands)
        assert counted == deals.select(holds).bit_count(), when
        assert counted == recount_event(deals, "player", when=when)


def count_pairs(deals: Deals, compare: dict[str, Any], player: Holds, dealer: Holds) -> int:
    dealers, players = deals.select(dealer), deals.select(player)
    asked = [
        (deals.values(what), deals.against(what), [who] if isinstance(who, str) else who)
        for what, who in compare.items()
    ]
    found = 0
    for number in range(len(deals.hands)):
        if not players >> number & 1:
            continue
        others = deals.apart[number] & dealers
        for values, against, who in asked:
            fitting = 0
            for result in who:
                fitting |= against[values[number]][result]
            others &= fitting
        found += others.bit_count()
    return found


COMPARISONS: list[dict[str, Any]] = [
    {"best_hand": "dealer"},
    {"best_hand": ["player", "copy"]},
    {"high_hand": "copy"},
    {"low_hand": ["copy", "dealer"]},
    *(
        {"high_hand": high_hand, "low_hand": low_hand}
        for high_hand, low_hand in product(("player", "copy", "dealer"), repeat=2)
    ),
]


@pytest.mark.parametrize("deals", [*further(DECKS[:2]), *DECKS[2:]], ids=["4+2", "3+2", "3+1"])
def test_two_hands_compared(deals: Deals) -> None:
    for compare in COMPARISONS:
        total, (counted,) = pair_counts(
            [event(compare=compare)],
            [0],
            hands=deals.rules,
            cards=deals.cards,
            house_way=deals.house_way,
        )
        assert total == sum(others.bit_count() for others in deals.apart)
        assert counted == count_pairs(deals, compare, anything, anything), compare
        assert counted == recount_event(deals, "both", compare=compare)


@pytest.mark.parametrize("deals", DECKS, ids=["4+2", "3+2", "3+1"])
def test_two_hands_compared_with_conditions(deals: Deals) -> None:
    """Both sides must meet conditions on the whole hand and on hands as set."""
    low_aces = {"low_hand": {"highest_pair": "A"}}
    low_king = {"low_hand": {"pai_gow_high": "K"}}
    flush, no_joker = {"flush_length": {"min": 1}}, {"joker": False}
    for compare, player, dealer, of_player, of_dealer in (
        ({}, low_king, low_aces, low_king_high, low_pair_of_aces),
        ({"low_hand": "copy"}, low_king, low_king, low_king_high, low_king_high),
        ({"high_hand": "dealer"}, {"high_hand": ONE_PAIR}, no_joker, high(1), lacks_joker),
        ({"best_hand": "dealer"}, flush, None, best(FLUSH, STRAIGHT_FLUSH, 9), anything),
    ):  # fmt: skip
        declared = {
            name: value
            for name, value in (("player", player), ("dealer", dealer), ("compare", compare))
            if value
        }
        if compare.get("best_hand") and deals.front == 2 and deals.joker:
            # Four of a kind may stand beside a flush of four.
            continue
        _, (counted,) = pair_counts(
            [event(**declared)], [0], hands=deals.rules, cards=deals.cards,
            house_way=deals.house_way,
        )  # fmt: skip
        assert counted == count_pairs(deals, compare, of_player, of_dealer), declared
        assert counted == recount_event(deals, "both", **declared)


def lacks_joker(deals: Deals, number: int) -> bool:
    return not holds_joker(deals, number)


def test_a_bad_beat_of_either_hand_is_paid_once() -> None:
    """A flush or better is beaten, the player's or the dealer's; then one is copied."""
    deals = THREE_AND_TWO
    flush = {"flush_length": {"min": 1}}
    beaten = event(
        either=[
            {"player": flush, "compare": {"best_hand": "dealer"}},
            {"dealer": flush, "compare": {"best_hand": "player"}},
        ]
    )
    copied = event(player=flush, compare={"best_hand": ["copy", "dealer"]})
    _, counts = pair_counts([beaten, copied], [0, 1], hands=deals.rules, cards=deals.cards)
    kinds = best(FLUSH, STRAIGHT_FLUSH, 9)
    # Only one of two hands is beaten, so the two ways to meet the event have no pair in common.
    by_dealer = count_pairs(deals, {"best_hand": "dealer"}, kinds, anything)
    by_player = count_pairs(deals, {"best_hand": "player"}, anything, kinds)
    assert counts == (
        by_dealer + by_player,
        count_pairs(deals, {"best_hand": "copy"}, kinds, anything),
    )


def test_either_without_a_comparison_needs_no_house_way() -> None:
    deals = THREE_AND_ONE
    straight = {"straight_length": {"min": 1}}
    one = event(either=[{"player": straight}, {"dealer": straight}])
    total, (counted,) = pair_counts([one], [0], hands=deals.rules, cards=deals.cards)
    neither = count_pairs(deals, {}, not_a_straight, not_a_straight)
    assert counted == total - neither
    either = [{"player": straight}, {"dealer": straight}]
    assert counted == recount_event(deals, "both", either=either)


def not_a_straight(deals: Deals, number: int) -> bool:
    held = {rank for rank, _ in deals.hands[number]}
    size = deals.cards - deals.front
    natural, joker = held - {None}, None in held
    return not any(len(run & natural) + joker >= size for run in deals.game.straights)


def test_what_is_refused() -> None:
    deals = THREE_AND_ONE
    low = event(when={"low_hand": {"joker": True}})
    with pytest.raises(NotConfigured, match="no house way"):
        event_counts([low], [0], hands=deals.rules, cards=4)
    with pytest.raises(NotConfigured, match="set and compared with all 4 cards"):
        event_counts([low], [0], hands=deals.rules, cards=3, house_way=deals.house_way)
    red = event(when={"low_hand": {"joker": True}, "red_cards": 2})
    with pytest.raises(NotConfigured, match="cannot be counted by 'red_cards'"):
        event_counts([red], [0], hands=deals.rules, cards=4, house_way=deals.house_way)
    both = [event(compare={"best_hand": "copy"}), event(compare={"low_hand": "copy"})]
    with pytest.raises(NotConfigured, match="best hands and hands as set"):
        pair_counts(both, [0, 1], hands=deals.rules, cards=4, house_way=deals.house_way)


def test_a_refused_feature_has_its_name_in_the_file() -> None:
    """The feature may be a member of the enumeration, as the conditions of the library hold it."""
    hands = select("pai-gow-mania").game.hands
    with pytest.raises(NotConfigured, match="cannot be counted by 'suited_pair'"):
        cells_as_set(hands, [EventFeature.SUITED_PAIR])
