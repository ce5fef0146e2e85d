"""The slow, obvious twin of the two-hand counts: every hand, every pair, no classes, no algebra.

It shares nothing with the package but the rules of the games, and is meant for tiny decks. A card
is (rank, suit), rank 0 the lowest and `ranks - 1` the ace; a joker is (None, its number). A hand's
value is a tuple that Python compares. "Which hands hold this card" and "which hands are beaten"
are sets of hands, kept as the bits of one Python integer.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement

Card = tuple[int | None, int | None]
Cards = tuple[Card, ...]
Value = tuple[int, tuple[int, ...]]
Setting = tuple[Value, Value]
Worth = list[list[tuple[int, ...]]]
"""By action and label: worth of a win, cost of a loss, worth of every round."""

JOKERS: Cards = ((None, 0), (None, 1))
STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL, FIVE = 4, 5, 6, 7, 8, 9, 10
SEQUENCES = frozenset({STRAIGHT, STRAIGHT_FLUSH, ROYAL})
"""The kinds whose ranks are the place among the straights."""

SHAPES = {
    (1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7, (5,): 10,
    (1, 1, 1, 1): 0, (2, 1, 1): 1, (2, 2): 2, (3, 1): 3, (4,): 7,
    (1, 1, 1): 0, (2, 1): 1, (3,): 3, (1, 1): 0, (2,): 1, (1,): 0, (): 0,
}  # fmt: skip


@dataclass(frozen=True)
class Game:
    """A tiny deck and the rules that decide a rank."""

    ranks: int
    joker: int
    hand: int
    front: int
    wild: bool = False
    low_wheel: bool = False
    joker_beats_ace: bool = False
    order: int = 0xA9876543210
    flushes: bool = True

    @cached_property
    def deck(self) -> list[Card]:
        cards: list[Card] = [(rank, suit) for rank in range(self.ranks) for suit in range(4)]
        return [*cards, *JOKERS[: self.joker]]

    @cached_property
    def straights(self) -> list[set[int]]:
        """The sets of ranks that are straights, from the lowest to the highest."""
        size = self.hand - self.front
        found = [set(range(low, low + size)) for low in range(self.ranks - size + 1)]
        wheel = {self.ranks - 1, *range(size - 1)}
        if wheel not in found:
            found.insert(0 if self.low_wheel else len(found) - 1, wheel)
        return found

    @cached_property
    def hands(self) -> list[Cards]:
        return list(combinations(self.deck, self.hand))


def natural_value(game: Game, cards: Cards, *, front: bool) -> Value:
    """The value of cards without a joker; only a whole back can be a straight or a flush."""
    ranks = [rank for rank, _ in cards if rank is not None]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    value = (SHAPES[tuple(count for count, _ in groups)], tuple(rank for _, rank in groups))
    if front:
        return value
    suits = {suit for _, suit in cards}
    flush = game.flushes and len(suits) == 1 and len(groups) == len(cards)
    if set(ranks) in game.straights and len(groups) == len(cards):
        order = game.straights.index(set(ranks))
        if not flush:
            return (STRAIGHT, (order,))
        royal = order == len(game.straights) - 1
        return (ROYAL if royal else STRAIGHT_FLUSH, (order,))
    return max(value, (FLUSH, value[1])) if flush else value


def count_jokers(hand: Cards) -> int:
    return sum(card in JOKERS for card in hand)


@cache
def find_value(game: Game, cards: Cards, *, front: bool) -> Value:
    """The best value that the joker rule allows; a back's kind is its place in the game's order."""

    def placed(value: Value) -> Value:
        return value if front else ((game.order >> (4 * value[0])) & 15, value[1])

    others = tuple(card for card in cards if card not in JOKERS)
    # A suitless card: the bug's ace, and the fifth of a kind of the fully wild joker.
    cards_meant = [(rank, suit) for rank in range(game.ranks) for suit in (0, 1, 2, 3, 9)]
    values = []
    for meant in combinations_with_replacement(cards_meant, count_jokers(cards)):
        suited = [card for card in meant if card[1] != 9]
        if len(set(suited)) < len(suited) or set(suited) & set(others):
            continue
        value = natural_value(game, (*others, *meant), front=front)
        if game.wild:
            allowed = len(suited) == len(meant) or value[0] == FIVE
        else:
            aces = all(card == (game.ranks - 1, 9) for card in meant)
            completes = value[0] in {STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL}
            allowed = aces or (completes and len(suited) == len(meant))
        if allowed:
            values.append(value)
    return max(map(placed, values))


@cache
def find_settings(game: Game, hand: Cards) -> tuple[Setting, ...]:
    """Every different legal setting of a hand, as (value of the back, value of the front)."""
    found = set()
    for chosen in combinations(range(len(hand)), game.front):
        front = tuple(hand[i] for i in chosen)
        back = tuple(card for i, card in enumerate(hand) if i not in chosen)
        high, low = find_value(game, back, front=False), find_value(game, front, front=True)
        if high < low:
            continue
        if front[0] in JOKERS and len(front) == 1 and game.joker_beats_ace:
            low = (0, (game.ranks,))
        found.add((high, low))
    return tuple(sorted(found, reverse=True))


def find_frontier(game: Game, hand: Cards) -> list[Setting]:
    """The settings that no other one equals or beats in both hands, highest back first."""
    settings = find_settings(game, hand)
    return [
        (high, low)
        for high, low in settings
        if not any(
            (other, another) != (high, low) and other >= high and another >= low
            for other, another in settings
        )
    ]


HouseWay = Callable[[Game, Cards], Setting]
Label = Callable[[Game, Cards], int]


def middle_way(game: Game, hand: Cards) -> Setting:
    """A house way for tests: the middle of the frontier."""
    frontier = find_frontier(game, hand)
    return frontier[(len(frontier) - 1) // 2]


def top_way(game: Game, hand: Cards) -> Setting:
    """Another: the highest back, with the best front that it leaves."""
    return find_frontier(game, hand)[0]


def worst_way(game: Game, hand: Cards) -> Setting:
    """A third, beaten by others wherever possible: the lowest legal back, the lowest front."""
    return find_settings(game, hand)[-1]


def label_pai_gow(game: Game, hand: Cards) -> int:
    """A label for tests: 1 a hand without anything, 2 the same with the joker, 3 two top cards."""
    high, _ = find_settings(game, hand)[0]
    if high[0] == 0:
        return 2 if count_jokers(hand) else 1
    return 3 if sum(rank == game.ranks - 2 for rank, _ in hand) > 1 else 0


@dataclass
class Concealed:
    """Wins, losses and all pairs by (raised, label), and what the house way loses.

    ``played`` are hands by way (0 best, 1 house way), action and setting, ``changed`` hands and
    cost by the house way's setting and the best one.
    """

    optimal: dict[tuple[int, int], list[int]]
    house: dict[tuple[int, int], list[int]]
    differing: int = 0
    cost: int = 0
    played: Counter[tuple[int, int, Setting]] = field(default_factory=Counter)
    changed: dict[tuple[Setting, Setting], list[int]] = field(default_factory=dict)


class Table:
    """All hands of a deck, and sets of hands as the bits of integers."""

    def __init__(self, game: Game, dealer: HouseWay, label: Label) -> None:
        self.game = game
        self.size = len(game.hands)
        self.everything = (1 << self.size) - 1
        self.holding = {card: bits(card in hand for hand in game.hands) for card in game.deck}
        self.set_hand = [dealer(game, hand) for hand in game.hands]
        self.label = [label(game, hand) for hand in game.hands]
        self.labels = sorted(set(self.label))
        self.labeled = {
            label: bits(other == label for other in self.label) for label in self.labels
        }
        self.lower: dict[tuple[int, Value], int] = {}

    def apart(self, hand: Cards) -> int:
        """The hands that share no card with `hand`."""
        touching = 0
        for card in hand:
            touching |= self.holding[card]
        return self.everything & ~touching

    def outcomes(self, wins: Callable[[int, int], bool | None]) -> dict[int, list[int]]:
        """Count pairs one by one: for each label of the dealer total, wins and losses.

        `wins(dealer, player)` is True, False or None for a push, by numbers of hands.
        """
        counts = {label: [0, 0, 0] for label in self.labels}
        for dealer, hand in enumerate(self.game.hands):
            for player, other in enumerate(self.game.hands):
                if not set(hand) & set(other):
                    row = counts[self.label[dealer]]
                    row[0] += 1
                    result = wins(dealer, player)
                    row[1] += result is True
                    row[2] += result is False
        return counts

    def play(self, options: list[list[Setting]]) -> dict[int, list[int]]:
        """Count total, wins and losses by the dealer's label, the player seeing the set hand.

        `options` lists the settings that every hand may take; one setting is a fixed player.
        """
        counts = {label: [0, 0, 0] for label in self.labels}
        won: dict[Setting, tuple[int, int]] = {}
        for dealer, hand in enumerate(self.game.hands):
            setting = self.set_hand[dealer]
            if setting not in won:
                high, low = setting
                won[setting] = (
                    bits(any(h > high and w > low for h, w in choice) for choice in options),
                    bits(all(h <= high and w <= low for h, w in choice) for choice in options),
                )
            apart = self.apart(hand)
            row = counts[self.label[dealer]]
            row[0] += apart.bit_count()
            row[1] += (apart & won[setting][0]).bit_count()
            row[2] += (apart & won[setting][1]).bit_count()
        return counts

    def judge(self, hand: Cards, setting: Setting) -> dict[int, tuple[int, int, int]]:
        """Count wins, losses and all dealer's hands by label, for one hand set in one way."""
        apart = self.apart(hand)
        found = {}
        for label in self.labels:
            dealers = apart & self.labeled[label]
            beaten = dealers & self.find_lower(0, setting[0]) & self.find_lower(1, setting[1])
            failed = dealers & ~self.find_lower(0, setting[0]) & ~self.find_lower(1, setting[1])
            found[label] = (beaten.bit_count(), failed.bit_count(), dealers.bit_count())
        return found

    def find_lower(self, part: int, value: Value) -> int:
        """The dealer's hands whose back (part 0) or front (part 1) is lower than a value."""
        if (part, value) not in self.lower:
            self.lower[part, value] = bits(setting[part] < value for setting in self.set_hand)
        return self.lower[part, value]

    def play_concealed(self, house: HouseWay, worth: Worth) -> Concealed:
        """Set every hand best without seeing the dealer's, and by the house way.

        Of equally good settings the one with the higher back, then front, is taken, and of
        equally good actions the first.
        """
        each = [(action, label) for action in range(len(worth)) for label in self.labels]
        result = Concealed(
            optimal={place: [0, 0, 0] for place in each},
            house={place: [0, 0, 0] for place in each},
        )
        for hand in self.game.hands:
            best: tuple[int, int, dict[int, tuple[int, int, int]], Setting] | None = None
            for setting in find_frontier(self.game, hand):
                judged = self.judge(hand, setting)
                value, action = self.value(judged, worth)
                if best is None or value > best[0]:
                    best = (value, action, judged, setting)
            assert best is not None
            kept = house(self.game, hand)
            judged = self.judge(hand, kept)
            value, action = self.value(judged, worth)
            result.differing += best[0] > value
            result.cost += best[0] - value
            result.played[0, best[1], best[3]] += 1
            result.played[1, action, kept] += 1
            if best[0] > value:
                line = result.changed.setdefault((kept, best[3]), [0, 0])
                line[0] += 1
                line[1] += best[0] - value
            for counts, choice, outcome in (
                (result.optimal, best[1], best[2]),
                (result.house, action, judged),
            ):
                for label, numbers in outcome.items():
                    row = counts[choice, label]
                    row[:] = [a + b for a, b in zip(row, numbers, strict=True)]
        return result

    def value(self, judged: dict[int, tuple[int, int, int]], worth: Worth) -> tuple[int, int]:
        """The value of a setting, and the action that it is had by."""
        values = [
            sum(
                win * of[label][0] - lose * of[label][1] + dealt * of[label][2]
                for label, (win, lose, dealt) in judged.items()
            )
            for of in worth
        ]
        return max(values), values.index(max(values))


def bits(flags: Iterable[bool]) -> int:
    """The integer whose bit i is the i-th flag."""
    text = "".join("1" if flag else "0" for flag in flags)
    return int(text[::-1] or "0", 2)
