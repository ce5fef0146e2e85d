"""Pairs of hands that share no card: how every way to play every hand fares against the others.

A dealer's hand is set by its ranks alone, unless a flush changes that. So the dealer's hands that a
player's hand can meet are counted in two parts. First, every dealer's hand counts as it would be
set if there were no flushes: how many there are depends on the ranks of the player's hand alone.
Then each dealer's hand with a flush counts as it is set, less as it was counted before: how many
there are in one suit depends on what the player's hand holds in that suit and in the others.
Hands that share cards are left out by inclusion and exclusion: in the first part over the ranks
that both hands share, in the second over those in the suit of the flush and those in other suits.

What a way to play beats is a sum of *corners*: dealer's hands with a high hand below one place and
a low hand below another, by label. The dealer's hands that hold some shared cards are sorted by
their high hands; a running total of them is kept as one long number with a lane for each corner of
the low hands and each label, so that adding two numbers adds all their lanes.
"""

import struct
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, pairwise
from math import comb
from typing import Any, NamedTuple

from .classes import HandClass, Suits, Targets, classes_of, shared_beside
from .hands import Condition, Hand, Progress, Uncountable, asked, holds, multisets
from .processes import advance, in_parts, processors
from .set_hands import Json, Rules, Split, Table, Worth

LANE = 64
"""Bits for each of the counts that are kept in one number."""

ZERO = 1 << LANE - 1
"""What a lane holds for nothing while its count can be negative."""

BITS = 3
"""Bits for the cards of one rank in the code of a multiset of ranks."""

SMALL = 4000
"""Classes of hands that are not worth more than one process."""

NOT_OF_CLASSES = frozenset({"red_cards", "one_colour", "suited_pair"})
"""Features that differ between the hands of a class."""

Truths = tuple[bool, ...]
Corners = Counter[tuple[int, int]]
Ends = Mapping[tuple[int, int], str]
"""How a round ends, by the sign of the high hands and of the low hands."""

Payoffs = tuple[tuple[int, int, int], ...]
"""What a win, a push and a loss are worth against the dealer's hands of each label."""


class Decision(NamedTuple):
    """How a player decides: sets each hand as is best, or by the house way, and then acts.

    ``worth`` returns the `Payoffs` of an action with a hand of an own label, by the labels of the
    dealer. Of settings of equal worth the one with the highest high hand is chosen, of actions the
    first.
    """

    optimal: bool
    actions: int
    worth: Callable[[int, Truths, Sequence[Truths]], Payoffs]


class Fared(NamedTuple):
    """Pairs of hands, those that the player wins, and those that the player does not lose."""

    total: int
    win: int
    safe: int

    @property
    def ended(self) -> dict[str, int]:
        """The pairs by result."""
        return {"win": self.win, "push": self.safe - self.win, "lose": self.total - self.safe}


class Counted(NamedTuple):
    """What was counted.

    Attributes:
        labels: which conditions on the dealer's hand hold, for every label.
        tallies: of every decision, by action and own label: the pairs by label of the dealer.
        uses: how many hands each rule of the house way sets.
    """

    labels: list[Truths]
    tallies: "list[Tally]"
    uses: dict[str, int]


Tally = dict[tuple[int, Truths], list[Fared]]


class Question(NamedTuple):
    """What is counted.

    Attributes:
        rules: the deck and the hands.
        house_way: how the dealer sets hands; None where hands are not compared.
        labels: conditions on the dealer's hand.
        own: conditions on the player's hand.
        ends: how a round ends.
        seen: the player sees the dealer's set hand, and sets as well as can be against it.
    """

    rules: Rules
    house_way: Json | None
    labels: Sequence[Condition | None]
    own: Sequence[Condition | None]
    ends: Ends
    seen: bool = False


# ------------------------------------------------------------------------------ set hands


class SetHand(NamedTuple):
    """How the hands of a class are set, and what holds of them.

    ``best`` are (high hand, low hand) that no other split equals or beats in both, the highest
    high hand first.
    """

    high: Worth
    low: Worth
    rule: str
    best: tuple[tuple[Worth, Worth], ...]
    label: Truths
    own: Truths


NOTHING: Worth = (0, ())


def set_class(question: Question, table: Table | None, hands: HandClass) -> SetHand:
    """Set the hands of a class by the house way, and list the best ways to set them."""
    rules = question.rules
    held = Hand(hands.counts, hands.jokers, rules.deck, hands.flush)
    label, own = (
        tuple(holds(condition, held) for condition in conditions)
        for conditions in (question.labels, question.own)
    )
    if table is None:
        return SetHand(NOTHING, NOTHING, "", ((NOTHING, NOTHING),), label, own)
    cards = hands.cards()
    splits, kinds = table.splits(cards)
    chosen, rule = table.by_house_way(cards, splits, kinds)
    return SetHand(chosen.high, chosen.compared, rule, best_of(splits), label, own)


def best_of(splits: Sequence[Split]) -> tuple[tuple[Worth, Worth], ...]:
    """Return the splits that no other one equals or beats in both hands."""
    best: list[tuple[Worth, Worth]] = []
    for high, low in sorted({(split.high, split.compared) for split in splits}, reverse=True):
        if not best or low > best[-1][1]:
            best.append((high, low))
    return tuple(best)


def set_part(question: Question, classes: Sequence[HandClass]) -> list[SetHand]:
    """Set some classes."""
    table = None
    if question.house_way is not None:
        table = Table(question.rules, question.house_way)
    return [set_class(question, table, hands) for hands in classes]


def refuse_suits(conditions: Sequence[Condition | None]) -> None:
    """Refuse conditions that differ between the hands of a class.

    Raises:
        Uncountable: there is one.
    """
    names = set().union(*map(asked, conditions))
    if names & {"high_hand", "low_hand"}:
        raise Uncountable("hands as they are set")
    for name in sorted(names & NOT_OF_CLASSES):
        raise Uncountable(name)


# ------------------------------------------------------------------------------ corners


def corners_of(
    settings: Sequence[tuple[Worth, Worth]],
    ends: Ends,
    wanted: Sequence[str],
    highs: Sequence[Worth],
    lows: Sequence[Worth],
) -> Corners:
    """Return the dealer's hands against which some setting ends as wanted, as a sum of corners.

    A corner (a, b) is all dealer's hands below the a-th high hand and below the b-th low hand.
    """
    found = set()
    for high, low in settings:
        # From 1, the dealer's hand is lower, over 0, a tie, to -1: any hand.
        above = bisect_left(highs, high), bisect_right(highs, high), len(highs)
        beyond = bisect_left(lows, low), bisect_right(lows, low), len(lows)
        found |= {(above[1 - h], beyond[1 - w]) for (h, w), end in ends.items() if end in wanted}
    steps: list[tuple[int, int]] = []
    for a, b in sorted(found, reverse=True):
        if a and b and (not steps or b > steps[-1][1]):
            steps.append((a, b))
    total = Counter(steps)
    total.subtract((right[0], left[1]) for left, right in pairwise(steps))
    return total


# ------------------------------------------------------------------------------ the dealer


class Dealer:
    """The dealer's hands as they are counted: places of high hand, low hand and label as a number.

    Attributes:
        question: what is counted.
        highs: the dealer's high hands, lowest first.
        lows: the dealer's low hands, lowest first.
        labels: the labels.
        by_ranks: the hands of some ranks as they are set without a flush, by code and jokers.
        changes: by flush, what lies beside it, jokers, and the hand as it is set and without flush.
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
            key = code_of(hand.counts), hand.jokers
            if not hand.flush:
                self.by_ranks[key] = number
            elif number != self.by_ranks[key]:
                change = hand.beside, hand.jokers, number, self.by_ranks[key]
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
        totals: the total of all hands below each of them, then of all; a lane for each low hand
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
    """Return a number with nothing in each of its lanes."""
    return sum(ZERO << LANE * lane for lane in range(lanes))


def code_of(counts: Sequence[int]) -> int:
    """Return the code of a multiset of ranks."""
    return sum(n << BITS * rank for rank, n in enumerate(counts))


# ------------------------------------------------------------------------------ the player


class Player:
    """The hands of a class: how they can be set, and how they fare.

    How they fare is one number with these lanes, each once for every label: all pairs, and of every
    way to set the hands the pairs that are won and those that are not lost.

    Attributes:
        own: which of the own conditions hold.
        ranks: the ranks of its natural cards.
        suits: the ways to choose suits for its cards.
        ways: how many ways to set it matter.
        best: which of the ways can be best.
        house: which of the ways is the house way's.
        corners: by place of the high hand: the factor of whatever low hand, then the bits to a low
            hand's lanes in a running total, and the factor that adds these to the player's lanes.
        lows: the same for corners of whatever high hand.
        fixed: it is always set in the same way, so that only sums over its hands are kept.
        by_ranks: how it fares against the dealer's hands as set without flushes; summed over the
            hands, and with what flushes change, if it is fixed.
        by_holding: what flushes in a suit change, by place of the holding of that suit.
    """

    __slots__ = (
        "best", "by_holding", "by_ranks", "corners", "fixed", "house", "lows", "nothing", "own",
        "ranks", "suits", "ways",
    )  # fmt: skip

    def __init__(
        self,
        dealer: Dealer,
        hand: HandClass,
        set_hand: SetHand,
        decisions: Sequence[Decision],
    ) -> None:
        """List the corners of all ways to set the hand that matter."""
        question, house = dealer.question, (set_hand.high, set_hand.low)
        settings = [[split] for split in set_hand.best]
        if question.seen:
            settings = [list(set_hand.best)]
        self.best = range(len(settings))
        if [house] not in settings:
            settings.append([house])
        self.house, self.ways = settings.index([house]), len(settings)
        chunk = LANE * len(dealer.labels)
        factors = Counter({(len(dealer.highs), len(dealer.lows)): 1})
        for way, setting in enumerate(settings):
            for place, wanted in enumerate((("win",), ("win", "push")), 2 * way + 1):
                for corner, times in corners_of(
                    setting, question.ends, wanted, dealer.highs, dealer.lows
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
        self.own, self.ranks = set_hand.own, hand.ranks
        self.suits: Suits = hand.suits(question.rules)
        self.fixed = all(len(self.choices(decision)) == 1 for decision in decisions)
        self.by_ranks = 0
        self.by_holding = [] if self.fixed else [0] * len(self.suits.holdings)

    def choices(self, decision: Decision) -> list[tuple[int, int]]:
        """Return what a player decides between: ways to set the hand, with an action."""
        ways = self.best if decision.optimal else (self.house,)
        return [(way, action) for way in ways for action in range(decision.actions)]

    def read(self, sweep: Sweep) -> int:
        """Return how the hand fares against the dealer's hands of a sweep."""
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

    def fared(self, way: int, lanes: Sequence[int], labels: int) -> list[Fared]:
        """Return how a way to set the hand fares, by label."""
        won = (2 * way + 1) * labels
        return [Fared(lanes[at], lanes[won + at], lanes[won + labels + at]) for at in range(labels)]

    def weights(self, way: int, payoffs: Payoffs) -> list[tuple[int, int]]:
        """Return what each lane adds to the worth of a way to set the hand."""
        labels = len(payoffs)
        won = (2 * way + 1) * labels
        weights = []
        for at, (win, push, lose) in enumerate(payoffs):
            weights += [(at, lose), (won + at, win - push), (won + labels + at, push - lose)]
        return [(lane, weight) for lane, weight in weights if weight]


# ------------------------------------------------------------------------------ sweeps


class Sweeps:
    """Counts the dealer's hands that some of the player's hands can meet."""

    def __init__(self, dealer: Dealer, players: Mapping[tuple[int, int], Sequence[Player]]) -> None:
        """Take players by the code of their ranks and their jokers."""
        self.dealer, self.players = dealer, players
        self.rules = dealer.question.rules
        self.multisets = list_multisets(self.rules)
        ranks = range(self.rules.ranks)
        self.sets = [
            chosen
            for size in range(self.rules.cards + 1)
            for chosen in combinations(ranks, size)
        ]  # fmt: skip

    def run(self) -> None:
        """Count for every player."""
        for jokers in range(self.rules.jokers + 1):
            if any(held == jokers for _, held in self.players):
                for size in range(self.rules.cards - jokers + 1):
                    for code, listed in self.multisets[size]:
                        self.share_ranks(jokers, size, code, listed)
                    advance()
                for shared in self.sets:
                    self.share_suit(jokers, shared)
                    advance()

    def others(self, jokers: int) -> Iterator[tuple[int, int]]:
        """Yield how many jokers the dealer can hold, and the ways to deal them."""
        left = self.rules.jokers - jokers
        return ((held, comb(left, held)) for held in range(left + 1))

    def share_ranks(
        self, jokers: int, size: int, shared: int, listed: Sequence[tuple[int, int]]
    ) -> None:
        """Count, for all players with these ranks, the dealer's hands that hold them, too."""
        waiting = []
        taken = dict(listed)
        for more, rest in self.multisets[self.rules.cards - jokers - size]:
            found = self.players.get((shared + more, jokers))
            if found:
                ways = (-1) ** size
                for rank, n in rest:
                    if rank in taken:
                        ways *= comb(taken[rank] + n, n)
                waiting.append((found, ways))
        if not waiting:
            return
        cells: dict[int, int] = {}
        for held, dealt in self.others(jokers):
            left = self.rules.cards - held - size
            for more, rest in self.multisets[left] if left >= 0 else ():
                number = self.dealer.by_ranks.get((shared + more, held))
                if number is not None:
                    ways = dealt
                    for rank, n in rest:
                        ways *= comb(4 - taken.get(rank, 0), n)
                    cells[number] = cells.get(number, 0) + ways
        sweep = self.dealer.sweep(cells)
        for found, ways in waiting:
            for player in found:
                hands = player.suits.total if player.fixed else 1
                player.by_ranks += ways * hands * player.read(sweep)

    def share_suit(self, jokers: int, shared: tuple[int, ...]) -> None:
        """Count what flushes of the dealer change, of those that hold the ranks in their suit."""
        left = self.rules.cards - jokers - len(shared)
        if left < 0:
            return
        code = sum(1 << BITS * rank for rank in shared)
        waiting: dict[tuple[int, ...], list[tuple[Player, Targets]]] = {}
        for more, _ in self.multisets[left]:
            for player in self.players.get((code + more, jokers), ()):
                ranks = player.ranks
                mine = sum(1 << ranks.index(rank) for rank in shared)
                for others, targets in player.suits.targets(mine):
                    part = tuple([ranks[at] for at in others])
                    waiting.setdefault(part, []).append((player, targets))
        if not waiting:
            return
        cells = self.flush_cells(jokers, shared, waiting)
        for part, found in waiting.items():
            if part in cells:
                sweep = self.dealer.sweep(cells[part])
                for player, (counted, all_hands) in found:
                    lanes = player.read(sweep)
                    if player.fixed:
                        player.by_ranks += all_hands * lanes
                    else:
                        for place, ways in counted:
                            player.by_holding[place] += ways * lanes

    def flush_cells(
        self, jokers: int, shared: tuple[int, ...], wanted: Mapping[tuple[int, ...], Any]
    ) -> dict[tuple[int, ...], dict[int, int]]:
        """Return what flushes with these ranks change, by what is shared beside them."""
        dealt = dict(self.others(jokers))
        needed = set(shared)
        cells: dict[tuple[int, ...], dict[int, int]] = {}
        for flush, changes in self.dealer.changes.items():
            if not needed.issubset(flush):
                continue
            for beside, held, new, old in changes:
                if held in dealt:
                    for part, ways in shared_beside(beside):
                        if part in wanted:
                            found = cells.setdefault(part, {})
                            ways *= dealt[held]  # noqa: PLW2901
                            found[new] = found.get(new, 0) + ways
                            found[old] = found.get(old, 0) - ways
        return cells


def list_multisets(rules: Rules) -> list[list[tuple[int, tuple[tuple[int, int], ...]]]]:
    """Return every multiset of ranks by size: its code, and how many cards there are of a rank."""
    return [
        [
            (code_of(counts), tuple((rank, n) for rank, n in enumerate(counts) if n))
            for counts in multisets(cards, rules.ranks)
        ]
        for cards in range(rules.cards + 1)
    ]


# ------------------------------------------------------------------------------ all pairs


class _Work(NamedTuple):
    dealer: Dealer
    classes: Sequence[HandClass]
    hands: Sequence[SetHand]
    decisions: Sequence[Decision]


def count_part(work: _Work, part: tuple[int, int]) -> list[Tally]:
    """Count for every n-th multiset of ranks, from a first one."""
    first, step = part
    dealer = work.dealer
    players: dict[tuple[int, int], list[Player]] = {}
    group = -1
    for hand, set_hand in zip(work.classes, work.hands, strict=True):
        group += not hand.flush
        if group % step == first:
            player = Player(dealer, hand, set_hand, work.decisions)
            players.setdefault((code_of(hand.counts), hand.jokers), []).append(player)
    Sweeps(dealer, players).run()
    tallies: list[Tally] = [{} for _ in work.decisions]
    for (_, jokers), found in players.items():
        dealt = comb(dealer.question.rules.jokers, jokers)
        for player in found:
            for decision, tally in zip(work.decisions, tallies, strict=True):
                decide(player, decision, dealer.labels, dealt, tally)
    return tallies


def decide(
    player: Player, decision: Decision, labels: Sequence[Truths], dealt: int, tally: Tally
) -> None:
    """Add how the hands of a class fare, each played as is decided."""
    choices = player.choices(decision)
    for choice, packed in chosen(player, decision, labels, choices):
        way, action = choices[choice]
        fared = player.fared(way, player.lanes(packed, len(labels)), len(labels))
        add(tally, (action, player.own), fared, dealt)


def add(tally: Tally, key: tuple[int, Truths], fared: Sequence[Fared], times: int = 1) -> None:
    """Add pairs to a tally."""
    known = tally.get(key, [Fared(0, 0, 0)] * len(fared))
    tally[key] = [
        Fared(*(old + times * new for old, new in zip(mine, more, strict=True)))
        for mine, more in zip(known, fared, strict=True)
    ]


def chosen(
    player: Player,
    decision: Decision,
    labels: Sequence[Truths],
    choices: Sequence[tuple[int, int]],
) -> Iterator[tuple[int, int]]:
    """Yield the choices that are made, and the lanes of all hands that make each."""
    if player.fixed:
        yield 0, player.by_ranks
        return
    suits = player.suits
    everything = suits.total * player.by_ranks + sum(
        n * lanes for n, lanes in zip(suits.times, player.by_holding, strict=True)
    )
    if len(choices) == 1:
        yield 0, everything
        return
    payoffs = [decision.worth(action, player.own, labels) for action in range(decision.actions)]
    weights = [player.weights(way, payoffs[action]) for way, action in choices]

    def values(packed: int) -> list[int]:
        lanes = player.lanes(packed, len(labels))
        return [sum(weight * lanes[lane] for lane, weight in part) for part in weights]

    of_ranks = values(player.by_ranks)
    of_holding = [values(packed) for packed in player.by_holding]
    best = of_ranks.index(max(of_ranks))
    if all(
        of_ranks[best] - other + 4 * min(of[best] - of[place] for of in of_holding) > 0
        for place, other in enumerate(of_ranks)
        if place != best
    ):
        yield best, everything  # whatever the suits are
        return
    made: dict[int, int] = {}
    for number, held in suits.hands:
        first, second, third, fourth = (of_holding[place] for place in held)
        sums = [
            a + b + c + d + e
            for a, b, c, d, e in zip(of_ranks, first, second, third, fourth, strict=True)
        ]
        best = sums.index(max(sums))
        packed = player.by_ranks + sum(player.by_holding[place] for place in held)
        made[best] = made.get(best, 0) + number * packed
    yield from made.items()


def count(
    question: Question,
    decisions: Sequence[Decision],
    *,
    processes: int | None = None,
    progress: Progress | None = None,
) -> Counted:
    """Count all pairs of hands, as each decision plays them.

    Raises:
        Uncountable: a condition differs between hands that are counted as one.
        Undecided: the house way does not decide every hand.
        ArithmeticError: the pairs do not sum to all there are.
    """
    refuse_suits([*question.labels, *question.own])
    rules = question.rules
    classes = list(classes_of(rules))
    processes = (processes or processors()) if len(classes) > SMALL else 1
    parts = [classes[start : start + SMALL] for start in range(0, len(classes), SMALL)]
    hands = list(chain.from_iterable(in_parts(set_part, question, parts, processes=processes)))
    dealer = Dealer(question, classes, hands)
    steps = sum(
        rules.cards - held + 1 + len(Sweeps(dealer, {}).sets) for held in range(rules.jokers + 1)
    )
    found = in_parts(
        count_part,
        _Work(dealer, classes, hands, decisions),
        [(first, processes) for first in range(processes)],
        processes=processes,
        steps=steps * processes,
        progress=progress,
    )
    tallies: list[Tally] = [{} for _ in decisions]
    for counted in found:
        for total, tally in zip(tallies, counted, strict=True):
            for key, more in tally.items():
                add(total, key, more)
    every = comb(rules.deck.size, rules.cards)
    every *= comb(rules.deck.size - rules.cards, rules.cards)
    for total in tallies:
        if sum(pairs.total for fared in total.values() for pairs in fared) != every:
            raise ArithmeticError(f"The pairs of hands do not sum to {every}.")
    uses: Counter[str] = Counter()
    for hand, set_hand in zip(classes, hands, strict=True):
        uses[set_hand.rule] += hand.suits(rules).total * comb(rules.jokers, hand.jokers)
    return Counted(dealer.labels, tallies, +uses)
