"""The slow, obvious twin of the two-hand counts: every hand, every pair, no classes, no algebra.

It shares nothing with the package but the rules of the games, and is meant for tiny decks. A card
is (rank, suit), rank 0 the lowest and `ranks - 1` the ace; a joker is (None, its number). A hand's
value is a tuple that Python compares. "Which hands hold this card" and "which hands are beaten"
are sets of hands, as the bits of one Python integer. Hands that differ only by the names of suits
are alike in everything, and are counted once for all of them.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import accumulate, combinations, combinations_with_replacement
from operator import or_
from typing import TypeVar

from msgspec import Struct

Card = tuple[int | None, int | None]
Cards = tuple[Card, ...]
Value = tuple[int, tuple[int, ...]]
Setting = tuple[Value, Value]
Worth = list[list[tuple[int, ...]]]
"""By action and label: worth of a win, cost of a loss, worth of every round."""

Found = TypeVar("Found")
Named = TypeVar("Named", bound=Hashable)

WIN, PUSH, LOSE = "win", "push", "lose"
JOKERS: Cards = ((None, 0), (None, 1))
STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL, FIVE = 4, 5, 6, 7, 8, 9, 10
SEQUENCES = frozenset({STRAIGHT, STRAIGHT_FLUSH, ROYAL})
"""The kinds whose ranks are the place among the straights."""

SHAPES = {
    (1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7, (5,): 10,
    (1, 1, 1, 1): 0, (2, 1, 1): 1, (2, 2): 2, (3, 1): 3, (4,): 7,
    (1, 1, 1): 0, (2, 1): 1, (3,): 3, (1, 1): 0, (2,): 1, (1,): 0, (): 0,
}  # fmt: skip


class Game(Struct, frozen=True, dict=True):
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

    @cached_property
    def first_alike(self) -> list[int]:
        """For every hand the place of the first hand that has the same cards in other suits."""
        first: dict[object, int] = {}
        return [
            first.setdefault(without_names(hand), place) for place, hand in enumerate(self.hands)
        ]

    @cached_property
    def alike(self) -> Counter[int]:
        """The number of hands that are alike, by the place of the first of them."""
        return Counter(self.first_alike)


def without_names(hand: Cards) -> object:
    """Return a hand without the names of its suits."""
    suits = [tuple(rank for rank, suit in hand if rank is not None and suit == n) for n in range(4)]
    return tuple(sorted(suits)), tuple(card for card in hand if card in JOKERS)


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


class Deals:
    """All hands of a deck, the dealer's set by a house way, and sets of hands as bits."""

    def __init__(self, game: Game, house_way: HouseWay) -> None:
        self.game = game
        self.hands = game.hands
        self.everything = (1 << len(self.hands)) - 1
        self.holding = {
            card: members(place for place, hand in enumerate(self.hands) if card in hand)
            for card in game.deck
        }
        self.set_hand = self.find_each(house_way)
        self.parts = [group(setting[part] for setting in self.set_hand) for part in (0, 1)]
        self.below = [accumulate_groups(part) for part in self.parts]

    def find_settings(self) -> list[tuple[Setting, ...]]:
        return self.find_each(find_settings)

    def set_by(self, way: HouseWay) -> list[tuple[Setting, ...]]:
        """Return the only setting of every hand, by a house way."""
        return [(setting,) for setting in self.find_each(way)]

    def find_each(self, find: Callable[[Game, Cards], Found]) -> list[Found]:
        """Return what is found of every hand; it must not depend on the names of suits."""
        found = {place: find(self.game, self.hands[place]) for place in self.game.alike}
        return [found[place] for place in self.game.first_alike]

    def apart(self, hand: Cards) -> int:
        """The hands that share no card with `hand`."""
        touching = 0
        for card in hand:
            touching |= self.holding[card]
        return self.everything & ~touching

    def find_lower(self, part: int, value: Value) -> int:
        """The dealer's hands whose back (part 0) or front (part 1) is lower than a value."""
        values, lower = self.below[part]
        return lower[bisect_left(values, value)]

    def find_equal(self, part: int, value: Value) -> int:
        """The dealer's hands whose back (part 0) or front (part 1) ties with a value."""
        return self.parts[part].get(value, 0)

    def meet(
        self,
        kinds: Sequence[Named],
        choices: Sequence[tuple[Setting, ...]],
        compare: Callable[[Setting, Setting], str] | None = None,
    ) -> Counter[tuple[Named, str]]:
        """Count deals by the kind of the dealer's hand and the best result of the choices.

        `compare` says how the player's setting ends against the dealer's; without it the dealer
        wins ties.
        """
        holders = group(choices)

        @cache
        def against(dealer: Setting) -> tuple[int, int]:
            high, low = dealer
            won = lost = 0
            for choice, players in holders.items():
                if compare is not None:
                    ends = {compare(setting, dealer) for setting in choice}
                    won |= players if WIN in ends else 0
                    lost |= players if ends == {LOSE} else 0
                elif any(h > high and w > low for h, w in choice):
                    won |= players
                elif not any(h > high or w > low for h, w in choice):
                    lost |= players
            return won, lost

        met: Counter[tuple[Named, str]] = Counter()
        for dealer, number in self.game.alike.items():
            players = self.apart(self.hands[dealer])
            won, lost = (
                (players & result).bit_count() for result in against(self.set_hand[dealer])
            )
            kind = kinds[dealer]
            met[kind, WIN] += number * won
            met[kind, LOSE] += number * lost
            met[kind, PUSH] += number * (players.bit_count() - won - lost)
        return met


class Table(Deals):
    """All hands of a deck, the dealer's labeled."""

    def __init__(self, game: Game, dealer: HouseWay, label: Label) -> None:
        super().__init__(game, dealer)
        self.label = self.find_each(label)
        self.labeled = group(self.label)
        self.labels = sorted(self.labeled)

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

    def play(self, options: list[tuple[Setting, ...]]) -> dict[int, list[int]]:
        """Count total, wins and losses by the dealer's label, the player seeing the set hand.

        `options` lists the settings that every hand may take; one setting is a fixed player.
        """
        met = self.meet(self.label, options)
        return {
            label: [met[label, WIN] + met[label, PUSH] + met[label, LOSE], met[label, WIN],
                    met[label, LOSE]]
            for label in self.labels
        }  # fmt: skip

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
        for place, number in self.game.alike.items():
            hand = self.hands[place]
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
            result.differing += number * (best[0] > value)
            result.cost += number * (best[0] - value)
            result.played[0, best[1], best[3]] += number
            result.played[1, action, kept] += number
            if best[0] > value:
                line = result.changed.setdefault((kept, best[3]), [0, 0])
                line[0] += number
                line[1] += number * (best[0] - value)
            for counts, choice, outcome in (
                (result.optimal, best[1], best[2]),
                (result.house, action, judged),
            ):
                for label, numbers in outcome.items():
                    row = counts[choice, label]
                    row[:] = [a + number * b for a, b in zip(row, numbers, strict=True)]
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


def members(places: Iterable[int]) -> int:
    """Return the integer whose bits at these places are set."""
    found = bytearray()
    for place in places:
        found.extend(bytes(max(0, place // 8 + 1 - len(found))))
        found[place // 8] |= 1 << place % 8
    return int.from_bytes(found, "little")


def group(values: Iterable[Named]) -> dict[Named, int]:
    """Return the set of hands that have each value."""
    places: dict[Named, list[int]] = defaultdict(list)
    for place, value in enumerate(values):
        places[value].append(place)
    return {value: members(found) for value, found in places.items()}


def accumulate_groups(groups: dict[Value, int]) -> tuple[list[Value], list[int]]:
    """Return the values in order, and the hands below each of them, then all hands."""
    values = sorted(groups)
    return values, [*accumulate((groups[value] for value in values), or_, initial=0)]
