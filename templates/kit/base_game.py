"""The base game: every deal of a dealer's and a player's hand, as both sides set them.

The dealer sets by the declared house way. The player sets by it too, or, where the dealer's set
hand is seen first, as well as can be against it. Plain Python, exact, minutes on two processors.

How pairs are counted. For hands X and Y that must not share a card, the sum over disjoint pairs is
the sum over card sets S of (-1)^|S| times the sum over all X and Y that both hold S. A hand is set
by its ranks and, in at most one suit, by a flush. Let k be how a hand is set, and k0 how it would
be set if there were no flushes; k0 depends on ranks alone. What is compared is linear in either
hand, so the sum over (k, k) is (k0, k) + (k - k0, k0) + (k - k0, k - k0). In the first two parts
one hand is all hands of its ranks, so S is a multiset of ranks. In the third both hands have a
flush, in the same suit or in two: S is what they share of those suits, and a multiset of ranks of
the others.

How hands are compared. A player's hand is a sum of quadrants: of all dealer's hands that are lower
than this in the high hand and lower than that in the low hand. One sweep over the dealer's hands,
lowest high hand first, counts them all.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod
from multiprocessing import Pool
from typing import NamedTuple

from recount.hands import RANKS, Deck, Hand, holds, multisets, run

KINDS = (
    "high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house",
    "four_of_a_kind", "straight_flush", "royal_flush", "five_of_a_kind",
)  # fmt: skip
PAIR, STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL, FIVE = 1, 4, 5, 8, 9, 10
WILD = -1
"""The joker among ranks, which count from 0 for the lowest."""

SAFE = 1 << 128
"""Two counts are kept in one number: rounds won, and this times the rounds that are not lost."""

MASK = 7
"""A multiset of ranks is written with three bits for each rank."""


class Rules(NamedTuple):
    """What decides how hands are set and compared; JSON values as they are declared."""

    ranks: int
    jokers: int
    cards: int
    back: int
    front: int
    wild: bool
    low_wheel: bool
    joker_beats_ace: bool
    house_way: dict
    ties: dict
    labels: tuple = ()
    optimal: bool = False


# --------------------------------------------------------------------------- hands as they are set


class Table:
    """Sets hands: every split of the cards, and the one that the house way chooses."""

    def __init__(self, rules):
        """Read the house way."""
        self.rules = rules
        self.ace = rules.ranks - 1
        self.sections = {section["id"]: section for section in rules.house_way["sections"]}
        self.all_rules = {
            rule["id"]: rule
            for section in self.sections.values()
            for rule in [section["base"], *section.get("exceptions", ())]
        }
        self.natural = cache(self.natural)
        self.back_value = cache(self.back_value)
        self.front_value = cache(self.front_value)

    def natural(self, ranks, suited):
        """Return the worth of natural cards, ranks highest first: a kind, then what breaks ties."""
        groups = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
        sizes = [n for n, _ in groups]
        order = tuple(rank for _, rank in groups)
        threes = "full_house" if sizes[1:2] == [2] else "three_of_a_kind"
        alike = {5: "five_of_a_kind", 4: "four_of_a_kind", 3: threes}.get(sizes[0])
        kind = KINDS.index(alike) if alike else sizes.count(2)
        if kind or len(ranks) < self.rules.back:
            return kind, order
        top = self.straight_top(ranks)
        if top is None:
            return (FLUSH if suited else 0), order
        if not suited:
            return STRAIGHT, (top,)
        return (ROYAL if top == 2 * self.ace else STRAIGHT_FLUSH), (top,)

    def straight_top(self, ranks):
        """Return where a straight stands among the straights, None for other ranks."""
        size = self.rules.back
        if ranks[0] - ranks[-1] == size - 1:
            return 2 * ranks[0]
        if ranks[0] == self.ace and list(ranks[1:]) == list(range(size - 2, -1, -1)):
            return 2 * (size - 2) if self.rules.low_wheel else 2 * self.ace - 1
        return None

    def back_value(self, ranks, suited, joker):
        """Return the worth of a high hand; the joker is whatever it may be that makes it best."""
        if not joker:
            return self.natural(ranks, suited)
        worths = []
        for rank in range(self.rules.ranks):
            cards = tuple(sorted((*ranks, rank), reverse=True))
            worth = self.natural(cards, False)
            if self.rules.wild or rank == self.ace or worth[0] == STRAIGHT:
                worths.append(worth)
            if suited and rank not in ranks:
                worths.append(self.natural(cards, True))
        return max(worths)

    def front_value(self, ranks):
        """Return the worth of a low hand with the joker as an ace, and as it is compared."""
        if len(ranks) == 1:
            joker = ranks[0] == WILD
            plain = (0, (self.ace if joker else ranks[0],))
            above = joker and self.rules.joker_beats_ace
            return plain, (0, (self.rules.ranks,)) if above else plain
        naturals = [rank for rank in ranks if rank != WILD]
        if len(naturals) == 1:
            naturals.append(naturals[0] if self.rules.wild else self.ace)
        high, low = max(naturals), min(naturals)
        worth = (PAIR, (high,)) if high == low else (0, (high, low))
        return worth, worth

    def splits(self, hand):
        """Return every split as (low hand, high hand, low hand as compared), and all high hands.

        ``hand`` are (rank, whether of the flush's suit), highest first; the joker comes last. A
        low hand above the high hand is a foul and no split.
        """
        fair, backs = [], set()
        for front in set(combinations(hand, self.rules.front)):
            rest = list(hand)
            for card in front:
                rest.remove(card)
            joker = rest[-1][0] == WILD
            ranks = tuple(rank for rank, _ in rest if rank != WILD)
            back = self.back_value(ranks, all(suited for _, suited in rest), joker)
            low, compared = self.front_value(tuple(rank for rank, _ in front))
            backs.add(back[0])
            if back >= low:
                fair.append((low, back, compared))
        return fair, backs

    def features(self, hand, backs):
        """Return what a house way may ask of a hand, ranks as numbers, None for no such rank."""
        naturals = [rank for rank, _ in hand if rank != WILD]
        joker = len(naturals) < len(hand)
        held = Counter(naturals)
        straights = [top for top in range(self.rules.ranks) if self.straight_at(held, top, joker)]
        size = self.longest_run(held, joker)
        if joker:
            most = max(held.values())
            joined = max(rank for rank, n in held.items() if n == most)
            held[joined if self.rules.wild else self.ace] += 1
        by_size = {n: sorted((r for r in held if held[r] == n), reverse=True) for n in range(1, 6)}
        single = [*by_size[1], *[None] * 5]
        four = (by_size[5] or by_size[4] or [None])[0]
        return {
            "groups": group_name(sorted(held.values(), reverse=True)),
            "best_hand": KINDS[max(backs)],
            "straight_or_flush": bool(backs & {STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL}),
            "straight_length": size,
            "straight_rank": max(straights, default=None),
            "joker": joker,
            "high_pair": (by_size[2] or [None])[0],
            "low_pair": (by_size[2] or [None])[-1],
            "three_of_a_kind": (by_size[3] or [None])[0],
            "four_of_a_kind": four,
            "highest_singleton": single[0],
            "second_singleton": single[1],
            "third_singleton": single[2],
            "fourth_singleton": single[3],
            "fifth_singleton": single[4],
        }

    def straight_at(self, held, top, joker):
        """Say whether a straight up to this rank can be formed; the ace is also below the two."""
        size = self.rules.back
        ranks = [place if place >= 0 else self.ace for place in range(top, top - size, -1)]
        return top >= size - 2 and sum(rank not in held for rank in ranks) <= joker

    def longest_run(self, held, joker):
        """Return the longest run of ranks, the joker in a gap or at an end; 0 if too short."""
        length = run(frozenset(held), joker, self.rules.ranks)
        return length if length >= self.rules.back else 0

    def set_by_house_way(self, hand, splits, backs):
        """Return the split that the house way chooses, and the rule that decides.

        Raises:
            ValueError: no section or rule decides, or more than one.
        """
        reader = HouseWayReader(self, self.features(hand, backs), splits)
        fitting = [
            section for section in self.sections.values() if reader.holds(section["when"], None)
        ]
        if len(fitting) != 1:
            raise ValueError(f"{len(fitting)} sections of the house way take {hand}")
        section = fitting[0]
        while True:
            rule = reader.decide(section)
            if "by" not in rule:
                break
            section = self.sections[rule["by"]]
        split = reader.choice(rule)
        if split is None:
            raise ValueError(f"{rule['id']} cannot set {hand}")
        return split, rule["id"]


def group_name(sizes):
    """Return how the ranks of a hand repeat."""
    numbers = Counter(sizes)
    if numbers[5]:
        return "five_of_a_kind_and_pair" if numbers[2] else "five_of_a_kind"
    if numbers[4]:
        beside = "_and_three_of_a_kind" if numbers[3] else "_and_pair" if numbers[2] else ""
        return "four_of_a_kind" + beside
    if numbers[3]:
        if numbers[3] == 2:
            return "two_sets_of_three_of_a_kind"
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
"""The ranks of each front that is named by its ranks."""


class HouseWayReader:
    """Reads the rules of a house way over one hand."""

    def __init__(self, table, features, splits):
        """Take the hand's features and splits."""
        self.table = table
        self.values = features
        self.splits = splits

    def decide(self, section):
        """Return the rule of a section that decides: its base rule, unless an exception applies."""
        applying = [
            rule for rule in section.get("exceptions", ()) if self.holds(rule["when"], rule)
        ]
        beaten = {name for rule in applying for name in rule.get("before", ())}
        left = [rule for rule in applying if rule["id"] not in beaten]
        if len(left) > 1:
            raise ValueError(f"{left[0]['id']} and {left[1]['id']} both apply")
        return left[0] if left else section["base"]

    def holds(self, condition, rule):
        """Say whether a condition holds of the hand; ``rule`` is the one that it stands in."""
        return all(self.part(key, wanted, rule) for key, wanted in (condition or {}).items())

    def part(self, key, wanted, rule):
        """Say whether one part of a condition holds."""
        if key in ("all", "any"):
            return {"all": all, "any": any}[key](self.holds(entry, rule) for entry in wanted)
        if key == "not":
            return not self.holds(wanted, rule)
        if key == "can_be_set":
            return (self.choice(rule) is not None) == wanted
        if key == "improves_on":
            mine, other = self.choice(rule), self.choice(self.table.all_rules[wanted])
            return mine is not None and (other is None or mine[0] > other[0])
        value = self.values[key]
        if isinstance(wanted, dict):
            low, high = (self.number(wanted.get(side)) for side in ("min", "max"))
            return value is not None and (low is None or value >= low) and (
                high is None or value <= high
            )  # fmt: skip
        listed = wanted if isinstance(wanted, list) else [wanted]
        return value in [self.number(entry) for entry in listed]

    def number(self, value):
        """Return a rank's letter as its number, and anything else as it is."""
        if isinstance(value, str) and len(value) == 1:
            return RANKS.index(value) - len(RANKS) + self.table.rules.ranks
        return value

    def choice(self, rule):
        """Return the split that a rule asks for: low hand, then high hand as high as can be."""
        front = rule.get("front")
        if isinstance(front, str):
            ranks = tuple(self.values[name] for name in NAMED[front])
            if None in ranks:
                return None
            wanted, _ = self.table.front_value(ranks)
            fitting = [split for split in self.splits if split[0] == wanted]
        else:
            fitting = [split for split in self.splits if self.fits(split, front or {})]
        return max(fitting, default=None)

    def fits(self, split, front):
        """Say whether a split leaves what a rule says, and has such a front."""
        low, back, _ = split
        pair = low[0] == PAIR
        return (
            ("leaves" not in front or KINDS[back[0]] in front["leaves"])
            and (pair or "at_least" not in front or low[1][0] >= self.number(front["at_least"]))
            and ("pair" not in front or pair == front["pair"])
            and (not front.get("highest_back") or back == max(other[1] for other in self.splits))
        )


# --------------------------------------------------------------------------- who wins


def quadrants(settings, ends, wanted, highs, lows):
    """Return the quadrants of dealer's hands against which some setting ends as wanted.

    ``ends`` says how hands compare: by the sign of the high hand and of the low hand. A quadrant
    (a, b) is all dealer's hands below the a-th high hand and the b-th low hand that occur.
    """
    corners = set()
    for _, back, front in settings:
        # Signs fall from 1, a lower hand of the dealer, over 0, a tie, to -1, any hand.
        high = bisect_left(highs, back), bisect_right(highs, back), len(highs)
        low = bisect_left(lows, front), bisect_right(lows, front), len(lows)
        corners |= {
            (high[1 - back_sign], low[1 - front_sign])
            for back_sign in (1, 0, -1)
            for front_sign in (1, 0, -1)
            if ends[back_sign, front_sign] in wanted
        }
    steps = []
    for a, b in sorted(corners, reverse=True):
        if a and b and (not steps or b > steps[-1][1]):
            steps.append((a, b))
    total = Counter(steps)
    total.subtract((right[0], left[1]) for left, right in pairwise(steps))
    return total


def comparison(ties):
    """Return how a round ends by the signs of the high hand and of the low hand."""
    taken = {"dealer": -1, "player": 1, "other_hand": 0}
    ends = {}
    for high in (1, 0, -1):
        for low in (1, 0, -1):
            sides = [(high, ties.get("high", "dealer")), (low, ties.get("low", "dealer"))]
            tied = [tie for sign, tie in sides if sign == 0]
            won = sum(sign or taken.get(tie, 0) for sign, tie in sides)
            push = "push" in tied or (ties.get("both_push") and len(tied) == 2)
            ends[high, low] = "push" if push or not won else "win" if won > 0 else "lose"
    return ends


class Class(NamedTuple):
    """Hands that are set alike: ranks, ranks in the flush's suit, those beside, the joker."""

    counts: tuple
    flush: tuple
    beside: tuple
    joker: int


def classes_of(rules):
    """Yield every multiset of ranks as a class without a flush, then its classes with one."""
    for joker in range(rules.jokers + 1):
        for counts in multisets(rules.cards - joker, rules.ranks):
            yield Class(counts, (), (), joker)
            held = [rank for rank in range(rules.ranks) if counts[rank]]
            for size in range(rules.back - joker, len(held) + 1):
                for flush in combinations(held, size):
                    left = [counts[rank] - (rank in flush) for rank in range(rules.ranks)]
                    if max(left) < 4:
                        beside = tuple(rank for rank, n in enumerate(left) for _ in range(n))
                        yield Class(counts, flush, beside, joker)


def cards_of(hand_class):
    """Return the cards of a class as (rank, whether of the flush's suit), the joker last."""
    flush = [(rank, True) for rank in hand_class.flush]
    beside = [(rank, False) for rank in hand_class.beside]
    if not hand_class.flush:
        beside = [(rank, False) for rank, n in enumerate(hand_class.counts) for _ in range(n)]
    return (*sorted(flush + beside, reverse=True), *[(WILD, True)] * hand_class.joker)


def label_of(hand_class, rules):
    """Return which of the rules' conditions hold of the dealer's hand."""
    if not rules.labels:
        return ()
    deck = Deck(rules.ranks, rules.jokers, rules.back, rules.wild)
    looked_at = Hand(hand_class.counts, hand_class.joker, deck, hand_class.flush)
    return tuple(holds(condition, looked_at) for condition in rules.labels)


def set_part(work):
    """Set some classes: the dealer's hand, its label, the rule, and the player's settings."""
    rules, listed = work
    table = Table(rules)
    set_hands = []
    for hand_class in listed:
        hand = cards_of(hand_class)
        splits, backs = table.splits(hand)
        chosen, rule = table.set_by_house_way(hand, splits, backs)
        settings = best_of(splits) if rules.optimal else (chosen,)
        set_hands.append((chosen[1], chosen[2], label_of(hand_class, rules), rule, settings))
    return set_hands


def best_of(splits):
    """Return the splits that no other one equals or beats in both hands."""
    best = []
    for split in sorted(splits, key=lambda split: (split[1], split[2]), reverse=True):
        if not best or split[2] > best[-1][2]:
            best.append(split)
    return tuple(best)


# --------------------------------------------------------------------------- tables of all hands


class Tables:
    """Every hand as the parts of the count ask for it.

    A dealer's hand is a number: high hand, low hand and label. A player's hand is the number of a
    sum of quadrants.
    """

    def __init__(self, rules, pool=None):
        """Set every class of hands and number what comes out."""
        self.rules = rules
        classes = list(classes_of(rules))
        work = [(rules, classes[start : start + 4000]) for start in range(0, len(classes), 4000)]
        parts = pool.map(set_part, work, 1) if pool else map(set_part, work)
        set_hands = [set_hand for part in parts for set_hand in part]
        self.highs = sorted({set_hand[0] for set_hand in set_hands})
        self.lows = sorted({set_hand[1] for set_hand in set_hands})
        self.labels = sorted({set_hand[2] for set_hand in set_hands})
        self.sums, self.label_hands, self.uses = [], [0] * len(self.labels), Counter()
        self.fill(classes, set_hands)

    def fill(self, classes, set_hands):
        """Number the hands, and list them by ranks and by flush."""
        high = {back: place for place, back in enumerate(self.highs)}
        low = {front: place for place, front in enumerate(self.lows)}
        label = {truths: place for place, truths in enumerate(self.labels)}
        numbers = {}
        self.by_ranks = {}
        self.flushes = []
        for hand_class, (back, front, truths, rule, settings) in zip(classes, set_hands):
            dealer = (high[back] * len(low) + low[front]) * len(label) + label[truths]
            player = numbers.get(settings)
            if player is None:
                player = numbers[settings] = len(self.sums)
                self.sums.append(self.quadrants(settings))
            code = sum(n << MASK.bit_length() * rank for rank, n in enumerate(hand_class.counts))
            if not hand_class.flush:
                ranks = self.by_ranks[code, hand_class.joker] = RanksOf(dealer, player, rule)
                ranks.all_players[player] = prod(comb(4, n) for n in hand_class.counts)
                self.label_hands[label[truths]] += ranks.all_players[player]
                self.uses[rule] += ranks.all_players[player]
                continue
            ranks = self.by_ranks[code, hand_class.joker]
            ways = 4 * prod(comb(3, n) for n in Counter(hand_class.beside).values())
            ranks.all_players[ranks.player] -= ways
            ranks.all_players[player] += ways
            ranks.changes[dealer] += ways
            ranks.changes[ranks.dealer] -= ways
            self.label_hands[label[truths]] += ways
            self.label_hands[ranks.dealer % len(label)] -= ways
            self.uses[rule] += ways
            self.uses[ranks.rule] -= ways
            if (dealer, player) != (ranks.dealer, ranks.player):
                changes = (dealer, ranks.dealer), (player, ranks.player)
                self.flushes.append(
                    (frozenset(hand_class.flush), hand_class.beside, hand_class.joker, *changes)
                )

    def quadrants(self, settings):
        """Return a player's quadrants as (a, b, number of times), see `SAFE`."""
        ends = comparison(self.rules.ties)
        total = Counter()
        for wanted, unit in ((("win",), 1), (("win", "push"), SAFE)):
            corners = quadrants(settings, ends, wanted, self.highs, self.lows)
            for corner, times in corners.items():
                total[corner] += times * unit
        width = len(self.lows) + 1
        return tuple((a * width + b, times) for (a, b), times in total.items() if times)


class RanksOf:
    """All hands of some ranks: as they would be set without flushes, and what flushes change."""

    __slots__ = ("all_players", "changes", "dealer", "player", "rule")

    def __init__(self, dealer, player, rule):
        """Start without flushes."""
        self.dealer, self.player, self.rule = dealer, player, rule
        self.all_players, self.changes = Counter(), Counter()


@cache
def parts_of(beside):
    """Return every part of what lies beside a flush, and the ways to choose suits for the rest."""
    held, parts = Counter(beside), []
    for part in {part for n in range(len(beside) + 1) for part in combinations(beside, n)}:
        taken = Counter(part)
        ways = prod(comb(3 - taken[rank], n - taken[rank]) for rank, n in held.items())
        parts.append((part, ways))
    return parts


def add_flush(sums, changes, joker, ways):
    """Add what a flush changes of the dealer's and of the player's hand, see `Pairs.above`."""
    for place in range(0, 2 * joker + 1, 2):
        for side, (new, old) in enumerate(changes):
            total = sums[place + side]
            total[new] = total.get(new, 0) + ways
            total[old] = total.get(old, 0) - ways


# --------------------------------------------------------------------------- pairs of hands


class Pairs:
    """The three parts of the count."""

    def __init__(self, tables):
        """Make the lists of multisets and of sets of ranks."""
        self.tables = tables
        self.rules = rules = tables.rules
        self.width = len(tables.lows) + 1
        self.numbers = range(len(tables.labels))
        self.multisets = [
            [
                (
                    sum(n << MASK.bit_length() * rank for rank, n in enumerate(counts)),
                    tuple((rank, n) for rank, n in enumerate(counts) if n),
                )
                for counts in multisets(cards, rules.ranks)
            ]
            for cards in range(rules.cards + 1)
        ]
        ranks = range(rules.ranks)
        self.shared = [
            chosen for size in range(rules.cards + 1) for chosen in combinations(ranks, size)
        ]
        self.most = rules.cards - rules.back  # the joker is of the flush, wherever there is one
        self.beside = [
            chosen
            for size in range(self.most + 1)
            for chosen in combinations_with_replacement(ranks, size)
        ]
        self.by_flush, self.by_part = {}, {}
        for flush, beside, joker, *changes in tables.flushes:
            self.by_flush.setdefault(flush, []).append((beside, joker, changes))
            for part, ways in parts_of(beside):
                self.by_part.setdefault(part, []).append((flush, joker, changes, ways))
        self.above = lru_cache(maxsize=100)(self.above)

    def tasks(self):
        """Return what can be counted on its own: a function's name and what it is given."""
        tasks = [("same", ranks) for ranks in self.shared]
        tasks += [("other", ranks) for ranks in self.shared if len(ranks) <= self.most]
        for size, listed in enumerate(self.multisets):
            step = 1 if size < 3 else 200
            tasks += [
                ("by_ranks", (size, start, start + step)) for start in range(0, len(listed), step)
            ]
        return sorted(tasks, key=lambda task: len(task[1]) if task[0] != "by_ranks" else task[1][0])

    def count(self, task):
        """Return the rounds of one task, by the dealer's label, see `SAFE`."""
        name, given = task
        totals = [0] * len(self.numbers)
        for sign, sums in getattr(self, name)(given):
            for side in range(0, 2 * self.rules.jokers + 1, 2):  # all hands; less: both the joker
                if sums[side] and sums[side + 1]:
                    for label, rounds in self.compare(sums[side], sums[side + 1]):
                        totals[label] += (-sign if side else sign) * rounds
        return totals

    def by_ranks(self, part):
        """Yield the first two parts of the count, for some shared multisets of ranks."""
        size, start, end = part
        sign = (-1) ** size
        for code, listed in self.multisets[size][start:end]:
            held = dict(listed)
            first, second = ({}, {}, {}, {}), ({}, {}, {}, {})
            for joker in range(self.rules.jokers + 1):
                left = self.rules.cards - joker - size
                for more, beside in self.multisets[left] if left >= 0 else ():
                    ranks = self.tables.by_ranks.get((code + more, joker))
                    if ranks is not None:
                        self.add_ranks(ranks, held, beside, joker, first, second)
            yield sign, first
            yield sign, second

    @staticmethod
    def add_ranks(ranks, held, beside, joker, first, second):
        """Add all hands of some ranks that hold the shared ones."""
        free = chosen = 1
        for rank, n in beside:
            shared = held.get(rank, 0)
            free *= comb(4 - shared, n)
            chosen *= comb(shared + n, n)
        for which in range(0, 2 * joker + 1, 2):
            dealers, players = first[which], first[which + 1]
            dealers[ranks.dealer] = dealers.get(ranks.dealer, 0) + free
            for player, ways in ranks.all_players.items():
                players[player] = players.get(player, 0) + chosen * ways
            dealers, players = second[which], second[which + 1]
            for dealer, ways in ranks.changes.items():
                dealers[dealer] = dealers.get(dealer, 0) + chosen * ways
            players[ranks.player] = players.get(ranks.player, 0) + free

    def above(self, shared, beside):
        """Return what flushes change for all hands that hold these ranks of the flush's suit.

        ``beside`` is what they hold of the other suits. Four sums: dealers and players, all of
        them and those with the joker.
        """
        wanted = set(shared)
        sums = ({}, {}, {}, {})
        for flush, joker, changes, ways in self.by_part.get(beside, ()):
            if wanted <= flush:
                add_flush(sums, changes, joker, ways)
        return sums

    def same(self, shared):
        """Yield the part in which both hands have a flush in the same of four suits."""
        wanted = set(shared)
        by_part = {}
        for flush, listed in self.by_flush.items():
            if wanted <= flush:
                for beside, joker, changes in listed:
                    for part, ways in parts_of(beside):
                        sums = by_part.setdefault(part, ({}, {}, {}, {}))
                        add_flush(sums, changes, joker, ways)
        for beside, sums in by_part.items():
            ways = prod(comb(3, n) for n in Counter(beside).values())
            yield 4 * ways * (-1) ** (len(shared) + len(beside)), sums

    def other(self, mine):
        """Yield the part in which both hands have a flush, the player's in another suit.

        ``mine`` are shared cards of the dealer's flush, ``theirs`` of the player's, ``more`` are
        shared cards of the other two suits.
        """
        for more in self.beside:
            ways = prod(comb(2, n) for n in Counter(more).values())
            if not ways or len(mine) + len(more) > self.most:
                continue
            for theirs in self.shared:
                if len(theirs) + len(more) > self.most:
                    break
                sign = (-1) ** (len(mine) + len(theirs) + len(more))
                dealers = self.above(mine, tuple(sorted(theirs + more)))
                players = self.above(theirs, tuple(sorted(mine + more)))
                sums = dealers[0], players[1], dealers[2], players[3]
                yield 12 * ways * sign, sums

    def compare(self, dealers, players):
        """Yield, by label, the rounds of all these dealers' hands with all these players'."""
        points = {}
        for number, ways in players.items():
            if ways:
                for corner, times in self.tables.sums[number]:
                    points[corner] = points.get(corner, 0) + ways * times
        order = sorted(kind for kind, ways in dealers.items() if ways)
        labels, lows = len(self.numbers), self.width - 1
        columns = [[0] * lows for _ in self.numbers]
        rounds = [0] * labels
        place, end, row = 0, len(order), lows * labels
        for corner in sorted(points):
            above, before = divmod(corner, self.width)
            limit = above * row
            while place < end and order[place] < limit:
                kind = order[place]
                low, label = divmod(kind % row, labels)
                columns[label][low] += dealers[kind]
                place += 1
            times = points[corner]
            for label in self.numbers:
                rounds[label] += times * sum(columns[label][:before])
        return enumerate(rounds)


# --------------------------------------------------------------------------- all deals

_at_work = {}


def _prepare(tables):
    _at_work["pairs"] = Pairs(tables)


def _count(tasks):
    totals = [0] * len(_at_work["pairs"].numbers)
    for task in tasks:
        totals = [a + b for a, b in zip(totals, _at_work["pairs"].count(task))]
    return totals


class Outcomes(NamedTuple):
    """Deals against the dealer's hands of one label: which conditions hold, and how they end."""

    truths: tuple
    total: int
    win: int
    lose: int


def count(rules, processes=None):
    """Return the outcomes of every deal by the dealer's label, and the hands that each rule sets.

    Raises:
        ValueError: the house way does not decide every hand, or the deals do not sum.
    """
    with Pool(processes) as pool:
        tables = Tables(rules, pool)
    with Pool(processes, _prepare, (tables,)) as pool:
        tasks = Pairs(tables).tasks()
        work = [tasks[start : start + 20] for start in range(0, len(tasks), 20)]
        totals = [0] * len(tables.labels)
        for part in pool.imap_unordered(_count, work):
            totals = [a + b for a, b in zip(totals, part)]
    deck = 4 * rules.ranks + rules.jokers
    others = comb(deck - rules.cards, rules.cards)
    ended = []
    for truths, hands, rounds in zip(tables.labels, tables.label_hands, totals):
        safe, win = divmod(rounds, SAFE)
        ended.append(Outcomes(truths, hands * others, win, hands * others - safe))
    if sum(outcome.total for outcome in ended) != comb(deck, rules.cards) * others:
        raise ValueError("the hands do not cover the deck")
    return ended, {rule: hands for rule, hands in tables.uses.items() if hands}
