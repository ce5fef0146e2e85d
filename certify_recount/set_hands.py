"""Set hands: every split of a hand into a high and a low hand, and the split of a house way.

A worth is a pair: the place of the kind of hand in the game's order of hands, then what decides
between hands of that kind. Python compares worths as they are. The high hand is the game's `back`,
the low hand its `front`.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

from .files import HouseWay, Json, Rule, Section
from .hands import PARTS_OF_HANDS, RANKS, Condition, Deck, Hand, Value, run

KINDS = (
    "high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house",
    "four_of_a_kind", "straight_flush", "royal_flush", "five_of_a_kind",
)  # fmt: skip
"""The kinds of five-card hands, lowest first."""

RUNS_AND_SUITS = frozenset({"straight", "flush", "straight_flush", "royal_flush"})

WILD = -1
"""A joker among ranks, which count from 0 for the lowest."""

Worth = tuple[int, tuple[int, ...]]
Card = tuple[int, bool]
"""A rank, and whether the card is of the suit that holds a flush."""


class Undecided(ValueError):
    """The house way does not decide a hand, or not in one way."""


class Rules(NamedTuple):
    """The rules that decide how hands are set and compared.

    A hand without a low hand, ``front`` 0, counts as its best ``back`` cards. ``dealer`` is the
    number of the dealer's cards, 0 for as many as the player's.
    """

    ranks: int
    jokers: int
    cards: int
    back: int
    front: int
    wild: bool
    low_wheel: bool
    joker_beats_ace: bool
    order: tuple[str, ...] = KINDS
    decks: int = 1
    dealer: int = 0

    @property
    def theirs(self) -> "Rules":
        """The rules for the dealer's hand."""
        return self._replace(cards=self.dealer or self.cards)

    @property
    def deck(self) -> Deck:
        """The deck, and the cards of a complete hand."""
        return Deck(self.ranks, self.jokers, min(self.back, self.cards), self.wild, self.decks)


class Split(NamedTuple):
    """One split of a hand: the low hand, the high hand, and the comparison value of the low hand.

    A joker alone in the low hand is an ace to the house way, and may be compared as more.
    ``front`` are the cards of the low hand.
    """

    low: Worth
    high: Worth
    compared: Worth
    front: tuple[Card, ...]


class Table:
    """Sets the hands of one game by one house way."""

    def __init__(self, rules: Rules, house_way: HouseWay | None) -> None:
        """Take the house way; without one, hands can be valued only."""
        self.rules = rules
        self.ace = rules.ranks - 1
        sections = house_way.sections if house_way else ()
        self.sections = {section.id: section for section in sections}
        self.all_rules = {
            rule.id: rule for section in sections for rule in [section.base, *section.exceptions]
        }
        self.natural_worth = cache(self._natural_worth)
        self.high_worth = cache(self._high_worth)
        self.low_worth = cache(self._low_worth)

    def _natural_worth(self, ranks: tuple[int, ...], suited: bool) -> Worth:
        """Return the worth of natural cards, ranks highest first."""
        groups = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
        sizes = [n for n, _ in groups]
        deciding = tuple(rank for _, rank in groups)
        kind = {5: "five_of_a_kind", 4: "four_of_a_kind", 3: "three_of_a_kind", 2: "pair"}.get(
            sizes[0], "high_card"
        )
        if sizes[1:2] == [2]:
            kind = {"three_of_a_kind": "full_house", "pair": "two_pair"}[kind]
        if sizes[0] == 1 and len(ranks) == self.rules.back:
            top = self.straight_top(ranks)
            if top is None:
                kind = "flush" if suited else kind
            else:
                royal = "royal_flush" if top == 2 * self.ace else "straight_flush"
                kind, deciding = royal if suited else "straight", (top,)
        return self.rules.order.index(kind), deciding

    def straight_top(self, ranks: Sequence[int]) -> int | None:
        """Return the rank of a straight relative to other straights, or None for other ranks."""
        size = self.rules.back
        if ranks[0] - ranks[-1] == size - 1:
            return 2 * ranks[0]
        if ranks[0] == self.ace and list(ranks[1:]) == list(range(size - 2, -1, -1)):
            return 2 * (size - 2) if self.rules.low_wheel else 2 * self.ace - 1
        return None

    def _high_worth(self, ranks: tuple[int, ...], jokers: int, suited: bool) -> Worth:
        """Return the worth of a high hand; its jokers are whatever makes it best.

        A joker that is a bug is an ace, or completes a straight or a flush.
        """
        if not jokers:
            return self.natural_worth(ranks, suited)
        straight = self.rules.order.index("straight")
        worths = []
        for stands in combinations_with_replacement(range(self.rules.ranks), jokers):
            cards = tuple(sorted((*ranks, *stands), reverse=True))
            worth = self.natural_worth(cards, False)
            if self.rules.wild or set(stands) == {self.ace} or worth[0] == straight:
                worths.append(worth)
            if suited and len(set(stands)) == jokers and not set(stands) & set(ranks):
                worths.append(self.natural_worth(cards, True))
        return max(worths)

    def _low_worth(self, ranks: tuple[int, ...]) -> tuple[Worth, Worth]:
        """Return the value of a low hand with its jokers as aces, and its comparison value."""
        if not ranks:
            return (0, ()), (0, ())
        if len(ranks) == 1:
            joker = ranks[0] == WILD
            plain = 0, (self.ace if joker else ranks[0],)
            above = joker and self.rules.joker_beats_ace
            return plain, (0, (self.rules.ranks,)) if above else plain
        naturals = [rank for rank in ranks if rank != WILD] or [self.ace]
        joined = naturals[0] if self.rules.wild else self.ace
        naturals += [joined] * (2 - len(naturals))
        high, low = max(naturals), min(naturals)
        pair = self.rules.order.index("pair")
        worth = (pair, (high,)) if high == low else (0, (high, low))
        return worth, worth

    def splits(self, hand: Sequence[Card]) -> tuple[list[Split], set[str]]:
        """Return every split that is no foul, and the kinds of all high hands.

        ``hand`` has the highest cards first and the jokers last. A low hand above the high hand is
        a foul.
        """
        fair, kinds = [], set()
        for front in set(combinations(hand, self.rules.front)):
            high = self.value(remove_cards(hand, front))
            low, compared = self.low_worth(tuple(rank for rank, _ in front))
            kinds.add(self.rules.order[high[0]])
            if high >= low:
                fair.append(Split(low, high, compared, front))
        return fair, kinds

    def value(self, cards: Sequence[Card]) -> Worth:
        """Return the worth of the cards of a high hand."""
        naturals = tuple(rank for rank, _ in cards if rank != WILD)
        suited = all(suited for _, suited in cards)
        return self.high_worth(naturals, len(cards) - len(naturals), suited)

    def best(self, hand: Sequence[Card]) -> Sequence[Card]:
        """Return the cards of the best high hand that the cards of a hand make."""
        return max(combinations(hand, self.rules.back), key=self.value)

    def features(self, hand: Sequence[Card], kinds: Collection[str]) -> dict[str, Any]:
        """Return the features that house ways use; ranks are numbers, None if there is none."""
        naturals = [rank for rank, _ in hand if rank != WILD]
        jokers = len(hand) - len(naturals)
        counts = Counter(naturals)
        straights = [
            top for top in range(self.rules.ranks) if self.has_straight(counts, top, jokers)
        ]
        length = run(frozenset(counts), jokers, self.rules.ranks)
        if jokers:
            most = max(counts.values(), default=0)
            joined = max((rank for rank, n in counts.items() if n == most), default=self.ace)
            counts[joined if self.rules.wild else self.ace] += jokers
        by_size = [sorted((r for r in counts if counts[r] == n), reverse=True) for n in range(7)]
        singles = [*by_size[1], *[None] * 5]
        fours = [*by_size[6], *by_size[5], *by_size[4]]

        def rank_at(ranks: Sequence[int], place: int = 0) -> int | None:
            return ranks[place] if ranks else None

        return {
            "groups": group_name(counts.values()),
            "best_hand": max(kinds, key=self.rules.order.index),
            "straight_or_flush": bool(RUNS_AND_SUITS & set(kinds)),
            "straight_length": length if length >= self.rules.back else 0,
            "straight_rank": max(straights, default=None),
            "joker": jokers > 0,
            "high_pair": rank_at(by_size[2]),
            "low_pair": rank_at(by_size[2], -1),
            "three_of_a_kind": rank_at(by_size[3]),
            "four_of_a_kind": rank_at(fours),
            "highest_singleton": singles[0],
            "second_singleton": singles[1],
            "third_singleton": singles[2],
            "fourth_singleton": singles[3],
            "fifth_singleton": singles[4],
        }

    def has_straight(self, ranks_present: Collection[int], top: int, jokers: int) -> bool:
        """Return True if a straight up to a rank can be made; the ace is also below the lowest."""
        size = self.rules.back
        ranks = [place if place >= 0 else self.ace for place in range(top, top - size, -1)]
        return top >= size - 2 and sum(rank not in ranks_present for rank in ranks) <= jokers

    def set_hand(
        self, hand: Sequence[Card], splits: Sequence[Split], kinds: Collection[str]
    ) -> tuple[Split, str]:
        """Return the split that the house way chooses, and the rule that decides.

        Raises:
            Undecided: no section or rule decides, or more than one.
        """
        reader = _Reader(self, self.features(hand, kinds), splits)
        fitting = [section for section in self.sections.values() if reader.holds(section.when)]
        if len(fitting) != 1:
            raise Undecided(f"{len(fitting)} sections of the house way take {hand}")
        section = fitting[0]
        while (rule := reader.decide(section)).by:
            section = self.sections[rule.by]
        split = reader.choice(rule)
        if split is None:
            raise Undecided(f"{rule.id} cannot set {hand}")
        return split, rule.id


def remove_cards(hand: Sequence[Card], cards: Sequence[Card]) -> list[Card]:
    """Return the cards of a hand without some of its cards."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return rest


class SetValues:
    """The features of a hand, and under ``high_hand`` and ``low_hand`` those of its parts."""

    def __init__(self, whole: Hand, hand: Sequence[Card], front: Sequence[Card]) -> None:
        """Take the hand and the cards of its low hand."""
        self.whole, self.hand, self.front = whole, hand, front

    def __getitem__(self, name: str) -> Value | Hand:
        """Return a feature, or the features of a part."""
        if name not in PARTS_OF_HANDS:
            return self.whole[name]
        cards = self.front if name == "low_hand" else remove_cards(self.hand, self.front)
        return describe(cards, self.whole.deck)


def describe(cards: Sequence[Card], deck: Deck) -> Hand:
    """Return the features of some of the cards of a hand."""
    naturals = [rank for rank, _ in cards if rank != WILD]
    counts = tuple(naturals.count(rank) for rank in range(deck.ranks))
    flush = naturals if all(suited for _, suited in cards) else ()
    return Hand(counts, len(cards) - len(naturals), deck, flush)


def group_name(sizes: Collection[int]) -> str:
    """Return the name that house ways give to the way in which the ranks of a hand repeat."""
    numbers = Counter(min(n, 5) for n in sizes)
    if numbers[5]:
        return "five_of_a_kind_and_pair" if numbers[2] else "five_of_a_kind"
    if numbers[4]:
        rest = "_and_three_of_a_kind" if numbers[3] else "_and_pair" if numbers[2] else ""
        return "four_of_a_kind" + rest
    if numbers[3] == 2:
        return "two_sets_of_three_of_a_kind"
    if numbers[3]:
        return "three_of_a_kind" + ("", "_and_pair", "_and_two_pair")[numbers[2]]
    return ("no_pair", "pair", "two_pair", "three_pair")[numbers[2]]


NAMED = {
    "two_highest_singletons": ("highest_singleton", "second_singleton"),
    "second_and_third_highest_singletons": ("second_singleton", "third_singleton"),
    "high_pair": ("high_pair", "high_pair"),
    "low_pair": ("low_pair", "low_pair"),
    "two_of_three_of_a_kind": ("three_of_a_kind", "three_of_a_kind"),
    "two_of_four_of_a_kind": ("four_of_a_kind", "four_of_a_kind"),
    "one_of_three_of_a_kind_and_highest_singleton": ("three_of_a_kind", "highest_singleton"),
    "highest_singleton": ("highest_singleton",),
    "second_highest_singleton": ("second_singleton",),
    "one_of_high_pair": ("high_pair",),
    "one_of_three_of_a_kind": ("three_of_a_kind",),
}
"""The ranks of the low hands that a rule names."""


class _Reader:
    """Reads the rules of a house way for one hand."""

    def __init__(self, table: Table, features: Json, splits: Sequence[Split]) -> None:
        """Take the hand's features and splits."""
        self.table = table
        self.values = features
        self.splits = splits

    def decide(self, section: Section) -> Rule:
        """Return the rule of a section that decides: its base rule, unless an exception applies.

        An exception goes before the rules that it names, and before those that they go before.

        Raises:
            Undecided: two exceptions apply, and neither goes before the other.
        """
        applying = [rule for rule in section.exceptions if self.holds(rule.when, rule)]
        beaten = {name for rule in applying for name in self.later(rule)}
        left = [rule for rule in applying if rule.id not in beaten]
        if len(left) > 1:
            raise Undecided(f"{left[0].id} and {left[1].id} both apply")
        return left[0] if left else section.base

    def later(self, rule: Rule) -> set[str]:
        """Return the rules that a rule goes before, directly or through others."""
        names: set[str] = set()
        todo = list(rule.before)
        while todo:
            name = todo.pop()
            if name not in names:
                names.add(name)
                todo += self.table.all_rules[name].before
        return names

    def holds(self, condition: Condition | None, rule: Rule | None = None) -> bool:
        """Return True if a condition of ``rule`` holds for the hand."""
        return all(self.part_holds(key, value, rule) for key, value in (condition or {}).items())

    def part_holds(self, key: str, required: Any, rule: Rule | None) -> bool:  # noqa: ANN401 - JSON
        """Return True if one part of a condition holds."""
        if key in {"all", "any"}:
            return {"all": all, "any": any}[key](self.holds(entry, rule) for entry in required)
        if key == "not":
            return not self.holds(required, rule)
        if key == "can_be_set" and rule is not None:
            return [self.choice(rule) is not None] == (
                required if isinstance(required, list) else [required]
            )
        if key == "improves_on" and rule is not None:
            name = required[0] if isinstance(required, list) else required
            mine, other = self.choice(rule), self.choice(self.table.all_rules[name])
            return mine is not None and (other is None or mine.low > other.low)
        value = self.values[key]
        if isinstance(required, Mapping):
            low, high = (self.number(required.get(side)) for side in ("min", "max"))
            return value is not None and (low is None or value >= low) and (
                high is None or value <= high
            )  # fmt: skip
        listed = required if isinstance(required, list) else [required]
        return value in [self.number(entry) for entry in listed]

    def number(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        """Return the number of a rank's letter in this deck, and any other value unchanged."""
        if isinstance(value, str) and len(value) == 1:
            return RANKS.index(value) - len(RANKS) + self.table.rules.ranks
        return value

    def choice(self, rule: Rule) -> Split | None:
        """Return the highest low hand that a rule asks for, then the highest high hand."""
        front = rule.front
        if isinstance(front, str):
            ranks = tuple(self.values[name] for name in NAMED[front])
            if None in ranks:
                return None
            low, _ = self.table.low_worth(ranks)
            return max((split for split in self.splits if split.low == low), default=None)
        return max((split for split in self.splits if self.fits(split, front or {})), default=None)

    def fits(self, split: Split, front: Json) -> bool:
        """Return True if a split has the high hand and the low hand that a rule requires."""
        order = self.table.rules.order
        pair = order[split.low[0]] == "pair"
        lowest = self.number(front.get("at_least"))
        return (
            (not front.get("leaves") or order[split.high[0]] in front["leaves"])
            and (pair or lowest is None or split.low[1][0] >= lowest)
            and (front.get("pair") is None or pair == front["pair"])
            and (not front.get("highest_back") or split.high == max(s.high for s in self.splits))
        )
