"""The kit's count of all deals of two hands, against every deal of a small deck one by one."""

import importlib
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb
from types import ModuleType

import pytest

from .conftest import ROOT

Card = tuple[int, int]
Ends = dict[tuple[int, int], str]
JOKER: Card = (-1, -1)
STRAIGHT, FLUSH, SUITED = 4, 5, 8

WAY = {
    "sections": [
        {
            "id": "straights-and-flushes",
            "when": {"straight_or_flush": True},
            "base": {
                "id": "complete",
                "front": {"leaves": ["straight", "flush", "straight_flush", "royal_flush"]},
            },
        },
        {
            "id": "other",
            "when": {"not": {"straight_or_flush": True}},
            "base": {"id": "highest", "front": {}},
        },
    ]
}


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Import the kit's own modules, and forget them again."""
    monkeypatch.syspath_prepend(str(ROOT / "certify"))
    monkeypatch.syspath_prepend(str(ROOT / "templates" / "kit"))
    yield importlib.import_module("base_game")
    for name in ("base_game", "recount", "recount.hands"):
        sys.modules.pop(name)


def worth(cards: list[Card], ranks: int) -> tuple[int, list[int]]:
    """Return the kind of three natural cards, and what breaks ties; only three ranks to hold."""
    held = Counter(rank for rank, _ in cards)
    order = sorted(held, key=lambda rank: (-held[rank], -rank))
    if len(order) == 1:
        return 3, order
    if len(order) == 2:
        return 1, order
    suited = len({suit for _, suit in cards}) == 1
    # Three of three ranks are always in sequence; of four, the ace also goes with the two lowest.
    straight = order[0] - order[2] == 2 or order == [ranks - 1, 1, 0]
    top = [ranks * 2 - 3] if order == [ranks - 1, 1, 0] and ranks > 3 else [2 * order[0]]
    if straight:
        return (SUITED + (top == [2 * ranks - 2]) if suited else STRAIGHT), top
    return (FLUSH if suited else 0), order


def best(cards: list[Card], ranks: int) -> tuple[int, list[int]]:
    """Return the worth of three cards, the joker a bug: an ace, or what completes a hand."""
    natural = [card for card in cards if card != JOKER]
    if len(natural) == len(cards):
        return worth(cards, ranks)
    stands = [(rank, suit) for rank in range(ranks) for suit in range(5)]
    tried = [(card, worth([*natural, card], ranks)) for card in stands if card not in natural]
    return max(
        one for (rank, _), one in tried if rank == ranks - 1 or one[0] in (4, 5, 8, 9)
    )  # fmt: skip


def low_worth(cards: list[Card], ranks: int) -> tuple[int, list[int]]:
    held = sorted((ranks - 1 if card == JOKER else card[0] for card in cards), reverse=True)
    alike = len(held) == 2 and held[0] == held[1]
    return (1, held[:1]) if alike else (0, held)


Split = tuple[tuple[int, list[int]], tuple[int, list[int]]]


def splits(hand: tuple[Card, ...], front: int, ranks: int) -> list[Split]:
    """Return every (low hand, high hand) that is no foul."""
    found = []
    for low in combinations(hand, front):
        rest = [card for card in hand if card not in low]
        pair = low_worth(list(low), ranks), best(rest, ranks)
        if pair[1] >= pair[0]:
            found.append(pair)
    return found


def every_deal(
    ranks: int, jokers: int, cards: int, front: int, *, optimal: bool, ends: Ends
) -> dict[bool, Counter[str]]:
    """Play every deal of two hands; by whether the dealer holds a pair or better of ranks."""
    deck = [(rank, suit) for rank in range(ranks) for suit in range(4)] + [JOKER] * jokers
    hands = []
    for places in combinations(range(len(deck)), cards):
        hand = tuple(deck[place] for place in places)
        found = splits(hand, front, ranks)
        complete = [one for one in found if one[1][0] in (4, 5, 8, 9)]
        can = any(
            best([card for card in hand if card not in low], ranks)[0] in (4, 5, 8, 9)
            for low in combinations(hand, front)
        )
        chosen = max(complete if can else found)
        held = Counter(ranks - 1 if card == JOKER else card[0] for card in hand)
        label = max(held.values()) > 2
        mask = sum(1 << place for place in places)
        hands.append((mask, label, chosen, found if optimal else [chosen]))
    tally: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    rank_of = {"lose": 0, "push": 1, "win": 2}
    for mask, label, dealer, _ in hands:
        for other, _, _, settings in hands:
            if not mask & other:
                results = (
                    ends[
                        (high > dealer[1]) - (high < dealer[1]),
                        (low > dealer[0]) - (low < dealer[0]),
                    ]
                    for low, high in settings
                )
                tally[label][max(results, key=rank_of.__getitem__)] += 1
    return tally


TO_DEALER = {
    (high, low): "win" if min(high, low) > 0 else "lose" if max(high, low) <= 0 else "push"
    for high in (1, 0, -1)
    for low in (1, 0, -1)
}
BOTH_PUSH = TO_DEALER | {(0, 0): "push"}


@pytest.mark.parametrize(
    ("deck", "optimal", "ties", "ends"),
    [
        ((3, 1, 4, 1), False, {}, TO_DEALER),
        ((3, 1, 4, 1), True, {}, TO_DEALER),
        ((4, 0, 4, 1), False, {"both_push": True}, BOTH_PUSH),
        ((3, 0, 5, 2), True, {"both_push": True}, BOTH_PUSH),
    ],
)
def test_every_deal_of_a_small_deck(
    kit: ModuleType,
    deck: tuple[int, int, int, int],
    optimal: bool,
    ties: dict[str, bool],
    ends: Ends,
) -> None:
    ranks, jokers, cards, front = deck
    rules = kit.Rules(
        ranks=ranks, jokers=jokers, cards=cards, back=3, front=front, wild=False, low_wheel=False,
        joker_beats_ace=False, house_way=WAY, ties=ties, labels=({"of_a_kind": {"min": 3}},),
        optimal=optimal,
    )  # fmt: skip
    counted, uses = kit.count(rules, 1)
    expected = every_deal(ranks, jokers, cards, front, optimal=optimal, ends=ends)
    assert {
        one.truths: Counter(win=one.win, push=one.total - one.win - one.lose, lose=one.lose)
        for one in counted
    } == {(label,): tally for label, tally in expected.items() if tally}
    deals = sum(sum(tally.values()) for tally in expected.values())
    assert sum(one.total for one in counted) == deals
    assert sum(uses.values()) == comb(4 * ranks + jokers, cards)
