"""The two sides of a count of pairs: the dealer's hands as they are set, and the player's.

The dealer's hands that a setting beats are a sum of *corners*: dealer's hands with a high hand
below one position and a low hand below another, by label. The dealer's hands that hold some shared
cards are sorted by their high hands; their running total is one long number with a lane for each
corner of the low hands and each label.
"""

import struct
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from .classes import HandClass, Suits, encode_ranks
from .files import HouseWay
from .hands import Condition, Hand, Uncountable, holds
from .set_hands import Rules, SetValues, Split, Table, Worth, describe

LANE = 64
"""Bits per count in a packed number."""

ZERO = 1 << LANE - 1
"""The lane value for 0 while a count can be negative."""

Flags = tuple[bool, ...]
Corners = Counter[tuple[int, int]]
Ends = Mapping[tuple[int, int], str]
"""Results of a round, by the sign of the high hands and of the low hands."""

Payoffs = tuple[tuple[int, int, int], ...]
"""Payoffs of a win, a push and a loss against the dealer's hands of each label."""


class Decision(NamedTuple):
    """Decision rule of a player: optimal or by the house way, then the choice of an action.

    ``worth`` returns the `Payoffs` of an action with a hand of an own label, by the labels of the
    dealer. Of settings of equal worth the one with the highest high hand is chosen, of actions the
    first. ``way`` is the place of its ends if the question has several.
    """

    optimal: bool
    actions: int
    worth: Callable[[int, Flags, Sequence[Flags]], Payoffs]
    way: int = 0


class Tally(NamedTuple):
    """Pairs of hands, those that the player wins, and those that the player does not lose."""

    total: int
    win: int
    safe: int

    @property
    def results(self) -> dict[str, int]:
        """The pairs by result."""
        return {"win": self.win, "push": self.safe - self.win, "lose": self.total - self.safe}


class Question(NamedTuple):
    """Question to count.

    Attributes:
        rules: the deck and the hands.
        house_way: how the dealer sets hands; None where hands are not set.
        labels: conditions on the dealer's hand.
        own: conditions on the player's hand.
        ends: how a round ends; of several ways, each is counted with the hands by the house way.
        seen: the player sees the dealer's set hand, and sets as well as can be against it.
        best: hands that are not set are compared by the best cards of each.
        of_best: conditions are on these cards, and not on the whole hand.
        shows: the player sees a card of the dealer before an action.
    """

    rules: Rules
    house_way: HouseWay | None
    labels: Sequence[Condition | None]
    own: Sequence[Condition | None]
    ends: Sequence[Ends]
    seen: bool = False
    best: bool = False
    of_best: bool = False
    shows: bool = False


class SetHand(NamedTuple):
    """Settings of the hands of a class, and the conditions that they meet.

    ``best`` are (high hand, low hand) that no other split equals or beats in both, the highest
    high hand first.
    """

    high: Worth
    low: Worth
    rule: str
    best: tuple[tuple[Worth, Worth], ...]
    label: Flags
    own: Flags


NOTHING: Worth = (0, ())


def set_class(question: Question, table: Table, hands: HandClass) -> SetHand:
    """Set the hands of a class by the house way, and list the best ways to set them."""
    hand, cards = Hand(hands.counts, hands.jokers, table.rules.deck, hands.flush), hands.cards()
    if question.house_way is None:
        best = table.best(cards) if question.best else ()
        if question.of_best and len(best) < len(cards):
            hand = describe(best, table.rules.deck)
        whole = Split(NOTHING, table.value(best) if best else NOTHING, NOTHING, ())
        splits, chosen, rule = [whole], whole, ""
    else:
        splits, kinds = table.splits(cards)
        chosen, rule = table.set_hand(cards, splits, kinds)
    values = [SetValues(hand, cards, split.front) for split in splits if split[:3] == chosen[:3]]
    label, player_label = (
        tuple(holds_alike(condition, values) for condition in conditions)
        for conditions in (question.labels, question.own)
    )
    return SetHand(
        chosen.high, chosen.compared, rule, undominated_splits(splits), label, player_label
    )


def holds_alike(condition: Condition | None, values: Sequence[SetValues]) -> bool:
    """Return True if a condition holds for a hand that is set in one of some equal ways.

    Raises:
        Uncountable: it holds only for some of the ways.
    """
    first, *others = (holds(condition, each) for each in values)
    if any(other != first for other in others):
        raise Uncountable("a condition on one of several equal ways to set a hand")
    return first


def undominated_splits(splits: Sequence[Split]) -> tuple[tuple[Worth, Worth], ...]:
    """Return the splits that no other one equals or beats in both hands."""
    best: list[tuple[Worth, Worth]] = []
    for high, low in sorted({(split.high, split.compared) for split in splits}, reverse=True):
        if not best or low > best[-1][1]:
            best.append((high, low))
    return tuple(best)


def sum_corners(
    settings: Sequence[tuple[Worth, Worth]],
    ends: Ends,
    endings: Sequence[str],
    highs: Sequence[Worth],
    lows: Sequence[Worth],
) -> Corners:
    """Return the dealer's hands against which some setting ends as wanted, as a sum of corners.

    A corner (a, b) is all dealer's hands below the a-th high hand and below the b-th low hand.
    """
    corners_found = set()
    for high, low in settings:
        # From 1, the dealer's hand is lower, over 0, a tie, to -1: any hand.
        above = bisect_left(highs, high), bisect_right(highs, high), len(highs)
        beyond = bisect_left(lows, low), bisect_right(lows, low), len(lows)
        corners_found |= {
            (above[1 - h], beyond[1 - w]) for (h, w), end in ends.items() if end in endings
        }
    steps: list[tuple[int, int]] = []
    for a, b in sorted(corners_found, reverse=True):
        if a and b and (not steps or b > steps[-1][1]):
            steps.append((a, b))
    total = Counter(steps)
    total.subtract((right[0], left[1]) for left, right in pairwise(steps))
    return total


class Dealer:
    """The dealer's hands as they are counted: places of high hand, low hand and label as a number.

    Attributes:
        question: the question to count.
        highs: the dealer's high hands, lowest first.
        lows: the dealer's low hands, lowest first.
        labels: the labels.
        by_ranks: the hands of some ranks as set without a flush, by code and jokers.
        changes: by flush: the other cards, the jokers, and the set hand with and without the flush.
    """

    def __init__(
        self, question: Question, classes: Sequence[HandClass], hands: Sequence[SetHand]
    ) -> None:
        """Number the hands."""
        self.question = question
        self.highs = sorted({hand.high for hand in hands})
        self.lows = sorted({hand.low for hand in hands})
        self.labels = sorted({hand.label for hand in hands})
        high, low, label = (
            {value: place for place, value in enumerate(values)}
            for values in (self.highs, self.lows, self.labels)
        )
        self.width = len(low) * len(label)
        self.by_ranks: dict[tuple[int, int], int] = {}
        self.changes: dict[tuple[int, ...], list[tuple[tuple[int, ...], int, int, int]]] = {}
        for hand, set_hand in zip(classes, hands, strict=True):
            number = high[set_hand.high] * self.width
            number += low[set_hand.low] * len(label) + label[set_hand.label]
            key = encode_ranks(hand.counts), hand.jokers
            if not hand.flush:
                self.by_ranks[key] = number
            elif number != self.by_ranks[key]:
                change = hand.others, hand.jokers, number, self.by_ranks[key]
                self.changes.setdefault(hand.flush, []).append(change)
        self.lanes = (len(self.lows) + 1) * len(self.labels)
        self.below = [
            sum(1 << LANE * lane for lane in range(at + len(label), self.lanes, len(label)))
            for at in range(self.width)
        ]
        self.nothing, self.zeros = zeros(self.lanes), zeros(len(self.labels))

    def sweep(self, cells: Mapping[int, int]) -> "Sweep":
        """Return the running totals of some of the dealer's hands, lowest high hand first."""
        highs: list[int] = []
        totals: list[int] = []
        total = self.nothing
        for number in sorted(cells):
            ways = cells[number]
            if ways:
                place, rest = divmod(number, self.width)
                if not highs or place != highs[-1]:
                    highs.append(place)
                    totals.append(total)
                total += ways * self.below[rest]
        totals.append(total)
        last = LANE * len(self.labels) * len(self.lows)
        mask = (1 << LANE * len(self.labels)) - 1
        return Sweep(highs, totals, [total >> last for total in totals], total, mask)


class Sweep(NamedTuple):
    """Running totals of the dealer's hands.

    Attributes:
        highs: the places of the high hands that occur.
        totals: the total of all hands below each one, then of all; a lane for each low hand
            that the hands can be below, and for each label.
        ends: of each total the last lanes: whatever the low hand is.
        total: the total of all.
        mask: the lanes of one low hand.
    """

    highs: list[int]
    totals: list[int]
    ends: list[int]
    total: int
    mask: int


@cache
def zeros(lanes: int) -> int:
    """Return a number with 0 in each of its lanes."""
    return sum(ZERO << LANE * lane for lane in range(lanes))


class Player:
    """The hands of a class: how they can be set, and how they fare.

    How they fare is one number with these lanes, each once for every label: all pairs, and of every
    way to set the hands the pairs that are won and those that are not lost.

    Attributes:
        own: which of the own conditions hold.
        ranks: the ranks of its natural cards.
        suits: the ways to choose suits for its cards.
        settings: the ways to set it that matter, each a list of splits.
        ways: how many they are.
        best: which of the ways can be best.
        house: which of the ways is the house way's.
        corners: by place of the high hand: the factor of whatever low hand, then the bits to a low
            hand's lanes in a running total, and the factor that adds these to the player's lanes.
        lows: the same for corners of whatever high hand.
        fixed: it is always set in the same way; only sums over its hands are stored.
        by_ranks: how it fares against the dealer's hands as set without flushes; summed over the
            hands, and with what flushes change, if it is fixed.
        by_holding: what flushes in a suit change, by place of its holding.
    """

    __slots__ = (
        "best", "by_holding", "by_ranks", "corners", "fixed", "house", "lows", "nothing", "own",
        "ranks", "settings", "suits", "ways",
    )  # fmt: skip

    def __init__(
        self,
        dealer: Dealer,
        hand: HandClass,
        set_hand: SetHand,
        decisions: Sequence[Decision],
    ) -> None:
        """List the ways to set the hand that matter."""
        question, house = dealer.question, (set_hand.high, set_hand.low)
        settings = [[split] for split in set_hand.best]
        if question.seen:
            settings = [list(set_hand.best)]
        self.best = range(len(settings))
        if [house] not in settings:
            settings.append([house])
        self.house = settings.index([house])
        if len(question.ends) > 1:
            settings, self.house = [[house]] * len(question.ends), 0
        self.own, self.ranks = set_hand.own, hand.ranks
        self.suits: Suits = hand.suits(question.rules)
        one_choice = all(len(self.choices(decision)) == 1 for decision in decisions)
        self.fixed = one_choice and not question.shows  # a shown card tells hands apart
        self.by_ranks = 0
        self.by_holding = [] if self.fixed else [0] * len(self.suits.holdings)
        self.list_corners(dealer, settings)

    def list_corners(self, dealer: Dealer, settings: list[list[tuple[Worth, Worth]]]) -> None:
        """List the corners of these ways to set the hand."""
        question = dealer.question
        self.settings, self.ways = settings, len(settings)
        ends = question.ends if len(question.ends) > 1 else [*question.ends] * self.ways
        chunk = LANE * len(dealer.labels)
        factors = Counter({(len(dealer.highs), len(dealer.lows)): 1})
        for way, setting in enumerate(settings):
            for place, endings in enumerate((("win",), ("win", "push")), 2 * way + 1):
                for corner, times in sum_corners(
                    setting, ends[way], endings, dealer.highs, dealer.lows
                ).items():
                    factors[corner] += times << chunk * place
        by_high: dict[int, list[tuple[int, int]]] = {}
        for (a, b), factor in factors.items():
            by_high.setdefault(a, []).append((chunk * b, factor))
        self.lows = by_high.pop(len(dealer.highs))
        end = chunk * len(dealer.lows)
        self.corners = [
            (a, dict(parts).get(end, 0), [(shift, n) for shift, n in parts if shift != end])
            for a, parts in by_high.items()
        ]
        self.nothing = sum(factors.values()) * dealer.zeros

    def keep(self, dealer: Dealer, remaining: Sequence[int]) -> None:
        """Drop the ways to set the hand, except these of `best`, ascending, and the house way's.

        If one of the best remains, the hand is fixed: its suits do not change how it is set.
        """
        labels = len(dealer.labels)
        lanes = self.lanes(self.by_ranks, labels)
        places = [*remaining] if self.house in remaining else [*remaining, self.house]
        left = lanes[:labels]
        for way in places:
            left += lanes[(2 * way + 1) * labels : (2 * way + 3) * labels]
        self.by_ranks = sum(lane << LANE * place for place, lane in enumerate(left))
        self.best, self.house = range(len(remaining)), places.index(self.house)
        self.list_corners(dealer, [self.settings[way] for way in places])
        if len(remaining) == 1:
            self.fixed, self.by_ranks, self.by_holding = True, self.suits.total * self.by_ranks, []

    def choices(self, decision: Decision) -> list[tuple[int, int]]:
        """Return the choices of a player: pairs of a split and an action."""
        ways = self.best if decision.optimal else (decision.way or self.house,)
        return [(way, action) for way in ways for action in range(decision.actions)]

    def read(self, sweep: Sweep) -> int:
        """Return the results of the hand against the dealer's hands of a sweep."""
        highs, totals, ends, last, mask = sweep
        lanes = -self.nothing
        for shift, factor in self.lows:
            lanes += (last >> shift & mask) * factor
        for a, end, parts in self.corners:
            place = bisect_left(highs, a)
            if end:
                lanes += ends[place] * end
            total = totals[place]
            for shift, factor in parts:
                lanes += (total >> shift & mask) * factor
        return lanes

    def lanes(self, number: int, labels: int) -> tuple[int, ...]:
        """Return the counts in the lanes of a number."""
        size = (2 * self.ways + 1) * labels
        packed = (number + zeros(size)).to_bytes(LANE // 8 * size, "little")
        return tuple(lane - ZERO for lane in struct.unpack(f"<{size}Q", packed))

    def count_results(self, way: int, lanes: Sequence[int], labels: int) -> list[Tally]:
        """Return the results of one split, by label."""
        won = (2 * way + 1) * labels
        return [Tally(lanes[at], lanes[won + at], lanes[won + labels + at]) for at in range(labels)]

    def weights(self, way: int, payoffs: Payoffs) -> list[tuple[int, int]]:
        """Return the weight of each lane in the value of a split."""
        labels = len(payoffs)
        won = (2 * way + 1) * labels
        weights = []
        for at, (win, push, lose) in enumerate(payoffs):
            weights += [(at, lose), (won + at, win - push), (won + labels + at, push - lose)]
        return [(lane, weight) for lane, weight in weights if weight]
