"""Events on the cards of each side and of all: brute force, the recount and published figures."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import pytest

from certify.engine.hands.awards import pair_counts
from certify.engine.hands.holders import count_holders
from certify.errors import NotConfigured
from certify.intake.decode import decode
from certify.model.condition import Event
from certify.model.game import Deck, HandRules, HandShape, WheelRule
from certify_recount import files as recount_files
from certify_recount.census import split_tables
from certify_recount.holders import holder_counts

Json = dict[str, Any]
Cards = Sequence[str]
SOURCE = {"document": "none", "clause": "1"}


def declare(**of_events: Json) -> list[Json]:
    return [
        {"id": name, "text": name, "source": SOURCE, **event} for name, event in of_events.items()
    ]


def rules(decks: int, cards: int, ranks: int = 13) -> HandRules:
    shape = HandShape(cards=cards, back=cards, front=0)
    return HandRules(
        deck=Deck(ranks=ranks, joker=0, decks=decks), shape=shape, wheel=WheelRule.LOWEST
    )


def count(declared: list[Json], hands: HandRules, sides: tuple[int, int]) -> dict[str, int]:
    events: tuple[Event, ...] = decode("events", {"events": declared})
    _, counts = count_holders(events, tuple(range(len(events))), hands, sides)
    return {event.id: number for event, number in zip(events, counts, strict=True)}


def recount(declared: list[Json], hands: HandRules, sides: tuple[int, int]) -> dict[str, int]:
    """Count with the independent program, which reads the declared JSON itself."""
    game = recount_files.read_record(
        recount_files.Game,
        {
            "id": "game",
            "deck": {"ranks": hands.deck.ranks, "joker": False, "decks": hands.deck.decks},
            "hand": {"cards": hands.shape.cards, "back": hands.shape.back, "front": 0},
            "wheel": "lowest",
            "dealer_exposed": False,
            "players": 7,
        },
    )
    table = recount_files.Paytable(
        hand="together",
        cards=sum(sides),
        award="first_row_contained",
        rows=[recount_files.Row(event["id"]) for event in declared],
    )
    events = {
        event["id"]: recount_files.read_record(recount_files.Event, event) for event in declared
    }
    counted = holder_counts(game, table, events, split_tables(table, events))
    assert counted.total() == comb(hands.deck.cards, sides[0]) * comb(
        hands.deck.cards - sides[0], sides[1]
    )
    return {event["id"]: counted[event["id"]] for event in declared}


def brute_force(
    tests: dict[str, Callable[[Cards, Cards], bool]], hands: HandRules, sides: tuple[int, int]
) -> dict[str, int]:
    """Deal every card of the shoe by its place, and read the cards by hand."""
    letters = "23456789TJQKA"[13 - hands.deck.ranks :]
    shoe = [rank + suit for rank in letters for suit in "cdhs"] * hands.deck.decks
    counts = Counter(dict.fromkeys(tests, 0))
    for mine in combinations(range(len(shoe)), sides[0]):
        others = [place for place in range(len(shoe)) if place not in mine]
        for theirs in combinations(others, sides[1]):
            player, dealer = [shoe[place] for place in mine], [shoe[place] for place in theirs]
            taken = next((name for name, holds in tests.items() if holds(player, dealer)), None)
            if taken is not None:
                counts[taken] += 1
    return dict(counts)


def ranks(cards: Cards) -> int:
    """The most cards of one rank."""
    return max(Counter(card[0] for card in cards).values())


def copies(cards: Cards) -> int:
    return max(Counter(cards).values())


def suits(cards: Cards) -> int:
    return len({card[1] for card in cards})


def colors(cards: Cards) -> int:
    return len({card[1] in "dh" for card in cards})


PAIR, COPY = {"of_a_kind": 2}, {"same_card": 2}

MATCH = declare(
    both_suited={"together": {"same_card": 3}},
    suited_and_not={"player": {"same_card": 1}, "together": {"of_a_kind": 3, "same_card": 2}},
    suited={"player": {"of_a_kind": 1}, "together": {"same_card": 2}},
    both_unsuited={"together": {"of_a_kind": 3}},
    unsuited={"player": {"of_a_kind": 1}, "together": {"of_a_kind": 2}},
)

SMALL = {
    "2+1 of two decks": (
        2,
        (2, 1),
        MATCH,
        {
            "both_suited": lambda mine, theirs: copies([*mine, *theirs]) == 3,
            "suited_and_not": lambda mine, theirs: (
                ranks([*mine, *theirs]) == 3
                and (mine[0] == theirs[0]) is not (mine[1] == theirs[0])
            ),
            "suited": lambda mine, theirs: theirs[0] in mine and ranks(mine) == 1,
            "both_unsuited": lambda mine, theirs: ranks([*mine, *theirs]) == 3,
            "unsuited": lambda mine, theirs: (
                ranks(mine) == 1 and theirs[0][0] in {card[0] for card in mine}
            ),
        },
    ),
    "2+2 of two decks": (
        2,
        (2, 2),
        declare(
            both={"player": COPY, "dealer": COPY},
            either={"either": [{"player": COPY}, {"dealer": COPY}]},
            suited_pair={"dealer": {**PAIR, "red_cards": 2}, "player": {"flush_length": 2}},
            aces={"dealer": {"aces": 1}, "together": {"aces": {"min": 2}, "one_colour": True}},
            two_suits={"player": {"flush_length": 2}, "together": {"not": {"flush_length": 4}}},
        ),
        {
            "both": lambda mine, theirs: copies(mine) == copies(theirs) == 2,
            "either": lambda mine, theirs: 2 in (copies(mine), copies(theirs)),
            "suited_pair": lambda mine, theirs: (
                ranks(theirs) == 2 and all(card[1] in "dh" for card in theirs) and suits(mine) == 1
            ),
            "aces": lambda mine, theirs: (
                sum(card[0] == "A" for card in theirs) == 1
                and sum(card[0] == "A" for card in [*mine, *theirs]) >= 2
                and colors([*mine, *theirs]) == 1
            ),
            "two_suits": lambda mine, theirs: suits(mine) == 1 and suits([*mine, *theirs]) > 1,
        },
    ),
    "3+3 of one deck": (
        1,
        (3, 3),
        declare(
            all_of_one_color={"together": {"one_colour": True}},
            three={"player": {"one_colour": True}, "dealer": {"of_a_kind": 1}},
            six_ranks={"player": {"flush_length": 3}, "together": {"pairs": 0}},
            pairs={"player": PAIR, "dealer": {"hearts": 2}},
        ),
        {
            "all_of_one_color": lambda mine, theirs: colors([*mine, *theirs]) == 1,
            "three": lambda mine, theirs: colors(mine) == 1 and ranks(theirs) == 1,
            "six_ranks": lambda mine, theirs: suits(mine) == 1 and ranks([*mine, *theirs]) == 1,
            "pairs": lambda mine, theirs: (
                ranks(mine) == 2 and sum(card[1] == "h" for card in theirs) == 2
            ),
        },
    ),
}
"""Decks of four ranks: the number of decks, the cards of each side, events, and these by hand."""


@pytest.mark.parametrize("name", SMALL)
def test_brute_force_and_the_recount_agree_on_small_shoes(name: str) -> None:
    decks, sides, declared, by_hand = SMALL[name]
    hands = rules(decks, sides[0], ranks=4)
    expected = brute_force(by_hand, hands, sides)
    assert count(declared, hands, sides) == expected
    assert recount(declared, hands, sides) == expected
    assert sum(value > 0 for value in expected.values()) > len(expected) / 2


def test_all_six_of_one_color_is_counted_by_hand() -> None:
    """Of 26 red cards, 26 C 3 are the player's and 23 C 3 the dealer's; the same for black."""
    declared = declare(
        six={"together": {"one_colour": True}}, three={"player": {"one_colour": True}}
    )
    six, three = 2 * comb(26, 3) * comb(23, 3), 2 * comb(26, 3) * comb(49, 3)
    expected = {"six": six, "three": three - six}
    assert count(declared, rules(1, 3), (3, 3)) == expected
    assert recount(declared, rules(1, 3), (3, 3)) == expected


def test_either_pair_of_eight_decks_is_counted_by_hand() -> None:
    """Inclusion and exclusion: either is one and the other less both, by the rank of each."""
    pair = 13 * comb(32, 2)
    both = 13 * comb(32, 2) * (comb(30, 2) + 12 * comb(32, 2))
    declared = declare(pair={"either": [{"player": PAIR}, {"dealer": PAIR}]})
    expected = {"pair": 2 * pair * comb(414, 2) - both}
    assert count(declared, rules(8, 2), (2, 2)) == expected
    assert recount(declared, rules(8, 2), (2, 2)) == expected
    # Published: house edge 13.71 % at 5 to 1 (wordstreetjournal.com, read November 29, 2026).
    edge = 1 - 6 * Fraction(expected["pair"], comb(416, 2) * comb(414, 2))
    assert round(edge * 10_000) == 1371


def test_wagers_on_both_hands_of_a_shoe_are_counted_by_their_own_conditions() -> None:
    """`both` and `together` mean the same deals, whatever the paytable is declared as."""
    declared = declare(pair={"either": [{"player": PAIR}, {"dealer": PAIR}]})
    events = decode("events", {"events": declared})
    _, counts = pair_counts(events, [0], hands=rules(2, 2), cards=2)
    assert counts == (count(declared, rules(2, 2), (2, 2))["pair"],)


def test_a_single_deck_is_counted_as_by_the_older_method() -> None:
    """Pairs of hands of one deck by ranks are counted by inclusion and exclusion of cards."""
    declared = declare(
        both={"player": PAIR, "dealer": PAIR}, aces={"player": {"aces": 1}, "dealer": {"aces": 1}}
    )
    events = decode("events", {"events": declared})
    hands = rules(1, 3)
    _, older = pair_counts(events, [0, 1], hands=hands, cards=3)
    assert tuple(count(declared, hands, (3, 3)).values()) == older


@pytest.mark.parametrize(
    ("declared", "sides", "words"),
    [
        (declare(pair={"player": PAIR}), (4, 4), "not counted card by card"),
        (declare(pair={"player": PAIR}), (2, 0), "not counted card by card"),
        (declare(high={"compare": {"best_hand": "player"}}), (2, 2), "not compared"),
        (
            declare(run={"player": PAIR, "together": {"straight_flush_length": 6}}),
            (3, 3),
            "too many different cards",
        ),
    ],
)
def test_what_is_not_counted_is_refused(
    declared: list[Json], sides: tuple[int, int], words: str
) -> None:
    with pytest.raises(NotConfigured, match=words):
        count(declared, rules(1, sides[0]), sides)


def test_an_id_of_a_count_does_not_depend_on_a_property_that_an_event_lacks() -> None:
    """Stored verification counts of version 0.2 keep their ids."""
    event = recount_files.read_record(
        recount_files.Event,
        {
            "id": "pair",
            "text": "x",
            "source": SOURCE,
            "either": [{"player": PAIR}, {"dealer": PAIR}],
        },
    )
    deals = [[None, PAIR, None], [PAIR, None, None]]
    written = json.loads(json.dumps(event.identity))
    assert written == ["pair", None, None, None, None, deals]
