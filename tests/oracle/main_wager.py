"""Base games counted the slow, obvious way: every deal of a tiny deck, settled as the rules read.

It shares nothing with the package but the rules of the games. Cards, values and legal settings are
those of `tests.oracle.two_hands`; sets of hands are the bits of Python integers, so that "all
dealer's hands that share no card with mine and beat me in front" is one expression.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from msgspec import Struct

from tests.oracle import house_way as declared_ways
from tests.oracle import two_hands
from tests.oracle.two_hands import (
    LOSE,
    PUSH,
    WIN,
    Card,
    Cards,
    Game,
    HouseWay,
    Setting,
    Value,
    count_jokers,
    find_settings,
    find_value,
    group,
    natural_value,
)

COMPLETE = (4, 5, 8, 9)
LETTERS = "23456789TJQKA"

Holds = Callable[[Game, Cards], bool]


# What the dealer's hand can be


def find_rank(game: Game, letter: str) -> int:
    """The number of a rank in a deck of the highest ranks; negative if the deck has none."""
    return LETTERS.index(letter) - (13 - game.ranks)


def backs(game: Game, hand: Cards) -> list[Value]:
    """The value of every back, fouls included."""
    return [high for high, _ in find_settings(game, hand)]


def can_be_complete(game: Game, hand: Cards) -> bool:
    return any(high[0] in COMPLETE for high in backs(game, hand))


def pai_gow_top(game: Game, hand: Cards) -> str | None:
    """The highest card of a hand without pair, straight and flush, the joker an ace."""
    if max(backs(game, hand))[0] > 0:
        return None
    tops = [game.ranks - 1 if rank is None else rank for rank, _ in hand]
    return LETTERS[13 - game.ranks + max(tops)]


def pai_gow(*letters: str) -> Holds:
    return lambda game, hand: pai_gow_top(game, hand) in letters


def any_pai_gow(game: Game, hand: Cards) -> bool:
    return pai_gow_top(game, hand) is not None


def two_jacks(game: Game, hand: Cards) -> bool:
    """Natural jacks: the joker is never one."""
    return sum(rank == find_rank(game, "J") for rank, _ in hand) > 1


def holds_pair_or_better(letter: str) -> Holds:
    """A pair of this rank or anything higher; the joker is an ace or completes a hand."""

    def holds(game: Game, hand: Cards) -> bool:
        held = Counter(game.ranks - 1 if rank is None else rank for rank, _ in hand)
        pairs = [rank for rank, count in held.items() if count > 1]
        better = len(pairs) > 1 or max(held.values()) > 2 or can_be_complete(game, hand)
        return better or any(rank >= find_rank(game, letter) for rank in pairs)

    return holds


def always(_game: Game, _hand: Cards) -> bool:
    return True


# The rules of one option


class Rule(Struct, frozen=True):
    """A kind of dealer's hand that ends the round (`ends`) or changes the pay of a win."""

    id: str
    holds: Holds
    ends: str | None = None
    pays: Fraction = Fraction(1)


class Kind(NamedTuple):
    """All that the settlement must know of the dealer's hand: the rule that holds, qualifying."""

    rule: int
    qualifies: bool


class Option(Struct, frozen=True):
    """One option of a base game."""

    rules: tuple[Rule, ...] = ()
    commission: Fraction = Fraction(0)
    prepaid: bool = False
    high_tie: str = "dealer"
    low_tie: str = "dealer"
    both_push: bool = False
    wager: int = 1
    coin: int | None = None
    rounded: str = "up"
    least: int = 0
    fee: int = 0
    raise_size: int = 0
    most: int = 0
    fold: bool = False
    qualifies: Holds = always
    wins_unqualified: bool = False

    def kind(self, game: Game, hand: Cards) -> Kind:
        rule = next((n for n, rule in enumerate(self.rules) if rule.holds(game, hand)), -1)
        return Kind(rule, bool(self.raise_size) and self.qualifies(game, hand))

    @property
    def ties_to_dealer(self) -> bool:
        return (self.high_tie, self.low_tie, self.both_push) == ("dealer", "dealer", False)

    @property
    def ties_are_taken(self) -> bool:
        """Return True if one side takes every tie."""
        return not self.both_push and {self.high_tie, self.low_tie} <= {"dealer", "player"}

    def compare(self, mine: Setting, theirs: Setting) -> str:
        """Compare two set hands by the rules, one hand after the other."""
        winners = [
            tie if a == b else "player" if a > b else "dealer"
            for a, b, tie in zip(mine, theirs, (self.high_tie, self.low_tie), strict=True)
        ]
        if "push" in winners or (self.both_push and mine == theirs):
            return PUSH
        player, dealer = winners.count("player"), winners.count("dealer")
        return WIN if player > dealer else LOSE if player < dealer else PUSH

    @property
    def sizes(self) -> list[int]:
        """The raises of a hand: 0 does not raise, or folds if that is the rule."""
        return [0, *range(self.raise_size, max(self.raise_size, self.most) + 1)][
            : None if self.raise_size else 1
        ]

    def settle(self, kind: Kind, result: str, *, size: int) -> tuple[str, str, Fraction]:
        """The row, how the round ends, and what the player nets in units of the main wager."""
        if self.fold and not size:
            return "lose_folded", LOSE, -self.stake - self.collection
        raised = "_raised_largest" if size > self.raise_size else "_raised" if size else ""
        rule = self.rules[kind.rule] if kind.rule >= 0 else None
        alone = size if self.wins_unqualified and not kind.qualifies else 0
        if rule is not None and rule.ends is not None:
            returned = "_qualified" if raised and self.wins_unqualified and not alone else ""
            row, result = rule.id + raised + returned, rule.ends
            wagers = 1
        else:
            row = rule.id if rule is not None and result == WIN else result
            if raised:
                row += raised if kind.qualifies else f"{raised}_not_qualified"
            wagers = 1 + size if kind.qualifies else 1
        if result == PUSH:
            return row, result, alone - self.collection
        if result == LOSE:
            return row, result, alone - wagers * self.stake - self.collection
        pays = rule.pays if rule is not None else Fraction(1)
        taken = Fraction(0) if self.prepaid else self.charge(pays)
        return row, result, alone + wagers * (pays - taken) - self.collection

    @property
    def stake(self) -> Fraction:
        return 1 + self.charge(Fraction(1)) * self.prepaid

    @property
    def collection(self) -> Fraction:
        return Fraction(self.fee, self.wager)

    def charge(self, winnings: Fraction) -> Fraction:
        """The commission, laid down coin by coin."""
        cents = self.commission * winnings * self.wager
        if self.coin is not None:
            coins = 0
            while (coins + 1) * self.coin <= cents:
                coins += 1
            over = cents - coins * self.coin
            if over and (
                self.rounded == "up" or (self.rounded == "nearest" and 2 * over >= self.coin)
            ):
                coins += 1
            cents = Fraction(coins * self.coin)
        return max(cents, Fraction(self.least)) / self.wager


# Counting


@dataclass
class Tally:
    """Deals by kind of the dealer's hand, result of the comparison, and the size of the raise."""

    deals: Counter[tuple[Kind, str, int]] = field(default_factory=Counter)
    house_differs: int = 0


class Deals(two_hands.Deals):
    """Every hand of a tiny deck, the dealer's set by a house way."""

    def kinds(self, option: Option) -> list[Kind]:
        return self.find_each(option.kind)

    def house_settings(self) -> list[tuple[Setting, ...]]:
        return [(setting,) for setting in self.set_hand]

    def play_seen(self, option: Option, choices: Sequence[tuple[Setting, ...]]) -> Tally:
        """Deal by deal: win if some choice wins, else push if some choice pushes, else lose."""
        compare = None if option.ties_to_dealer else option.compare
        met = self.meet(self.kinds(option), choices, compare)
        return Tally(Counter({(kind, end, 0): number for (kind, end), number in met.items()}))

    def play_unseen(self, option: Option, choices: Sequence[tuple[Setting, ...]]) -> Tally:
        """Hand by hand: try every choice, raised and not, on all dealer's hands; take the best.

        Of equally good ones the one with the higher back; a raise only if it gains, and the
        smaller of two that are as good.
        """
        dealers = group(self.kinds(option))
        nets = {
            (kind, result, size): option.settle(kind, result, size=size)[2]
            for kind in dealers
            for result in (WIN, PUSH, LOSE)
            for size in option.sizes
        }
        unit = lcm(*(net.denominator for net in nets.values()))
        worth = {case: int(net * unit) for case, net in nets.items()}
        tally = Tally()
        for player, number in self.game.alike.items():
            others = self.apart(self.hands[player])
            of_kind = {kind: others & part for kind, part in dealers.items()}
            best: tuple[int, int, Counter[tuple[Kind, str]]] | None = None
            values: dict[Setting, int] = {}
            for setting in sorted({*choices[player], self.set_hand[player]}, reverse=True):
                results = self.results(of_kind, setting, option)
                for size in option.sizes:
                    value = sum(worth[*case, size] * count for case, count in results.items())
                    values[setting] = max(value, values.get(setting, value))
                    if setting in choices[player] and (best is None or value > best[0]):
                        best = value, size, results
            assert best is not None
            tally.house_differs += number * (values[self.set_hand[player]] < best[0])
            for (kind, result), count in best[2].items():
                tally.deals[kind, result, best[1]] += number * count
        return tally

    def results(
        self, dealers: dict[Kind, int], setting: Setting, option: Option
    ) -> Counter[tuple[Kind, str]]:
        if not option.ties_to_dealer:
            return self.results_with_ties(dealers, setting, option)
        front, back = self.find_lower(1, setting[1]), self.find_lower(0, setting[0])
        found: Counter[tuple[Kind, str]] = Counter()
        for kind, part in dealers.items():
            won, lost = (part & front & back).bit_count(), (part & ~(front | back)).bit_count()
            found[kind, WIN] = won
            found[kind, LOSE] = lost
            found[kind, PUSH] = part.bit_count() - won - lost
        return found

    def results_with_ties(
        self, dealers: dict[Kind, int], setting: Setting, option: Option
    ) -> Counter[tuple[Kind, str]]:
        """The same by the nine ways in which two hands can compare with two."""
        found: Counter[tuple[Kind, str]] = Counter()
        sides = []
        for part in (0, 1):
            below, alike = (
                self.find_lower(part, setting[part]),
                self.find_equal(part, setting[part]),
            )
            sides.append(((1, below), (0, alike), (-1, self.everything & ~(below | alike))))
        for kind, part_of in dealers.items():
            for high, backs in sides[0]:
                for low, fronts in sides[1]:
                    result = option.compare(((high, ()), (low, ())), ((0, ()), (0, ())))
                    found[kind, result] += (part_of & backs & fronts).bit_count()
        return found

    def pair_by_pair(self, option: Option, choices: Sequence[tuple[Setting, ...]]) -> Tally:
        """The same as `seen`, two hands at a time, without sets of hands."""
        tally = Tally()
        kinds = self.kinds(option)
        for dealer, hand in enumerate(self.hands):
            high, low = self.set_hand[dealer]
            for player, other in enumerate(self.hands):
                if set(hand) & set(other):
                    continue
                ends = {option.compare(setting, (high, low)) for setting in choices[player]}
                result = next(end for end in (WIN, PUSH, LOSE) if end in ends)
                tally.deals[kinds[dealer], result, 0] += 1
        return tally


@dataclass
class Figures:
    """Figures of an option; ``hits`` are the deals that net more than nothing."""

    rows: dict[str, int]
    outcomes: dict[str, int]
    hits: int
    total: int
    house_edge: Fraction
    variance: Fraction
    top_award: Fraction
    average_wager: Fraction | None
    element_of_risk: Fraction | None


def figures(option: Option, tally: Tally) -> Figures:
    """Settle every deal. A prepaid commission is part of the stake."""
    rows: Counter[str] = Counter()
    outcomes: Counter[str] = Counter({WIN: 0, PUSH: 0, LOSE: 0})
    staked = option.stake
    total = sum(tally.deals.values())
    mean = square = Fraction(0)
    raised_units = hits = 0
    nets = set()
    for (kind, result, size), deals in tally.deals.items():
        row, outcome, net = option.settle(kind, result, size=size)
        if deals:
            rows[row] += deals
            nets.add(net / staked)
        outcomes[outcome] += deals
        mean += deals * net / staked / total
        square += deals * (net / staked) ** 2 / total
        raised_units += deals * size
        hits += deals * (net > 0)
    wagered = 1 + Fraction(raised_units, total) if option.raise_size else None
    return Figures(
        rows=dict(rows),
        outcomes=dict(outcomes),
        hits=hits,
        total=total,
        house_edge=-mean,
        variance=square - mean**2,
        top_award=max(nets),
        average_wager=wagered,
        element_of_risk=-mean / wagered if wagered else None,
    )


# House ways


def held_ranks(game: Game, hand: Cards) -> Counter[int]:
    """Count the ranks of a hand, jokers as aces, or fully wild as the most frequent rank."""
    held = Counter(rank for rank, _ in hand if rank is not None)
    if jokers := count_jokers(hand):
        most = max(held, key=lambda rank: (held[rank], rank))
        held[most if game.wild else game.ranks - 1] += jokers
    return held


def sort_key(game: Game, setting: Setting) -> tuple[Value, Value, Value]:
    """A setting with its front first, for "the highest front, then the highest back".

    A joker alone in front is looked at as an ace; of two settings alike it goes before the ace.
    """
    high, low = setting
    ace: Value = (0, (game.ranks - 1,))
    return (ace if low == (0, (game.ranks,)) else low), high, low


def highest_front(game: Game, settings: Iterable[Setting]) -> Setting:
    return max(settings, key=lambda setting: sort_key(game, setting))


def find_settings_with_front(game: Game, hand: Cards, ranks: Iterable[int]) -> list[Setting]:
    """The legal settings with these ranks in front."""
    front = natural_value(game, tuple((rank, 0) for rank in ranks), front=True)
    return [setting for setting in find_settings(game, hand) if sort_key(game, setting)[0] == front]


def short_hands_one_card(game: Game, hand: Cards) -> Setting:
    """The house way of `fixtures/house-ways/short-hands-one-card.json`, from its words."""
    settings = find_settings(game, hand)
    complete = [setting for setting in settings if setting[0][0] in COMPLETE]
    if complete:
        return highest_front(game, complete)
    held = held_ranks(game, hand)
    if sorted(held.values()) == [1] * (len(hand) - 2) + [2]:
        top = max(rank for rank, count in held.items() if count == 1)
        settings = tuple(find_settings_with_front(game, hand, [top]))
    return highest_front(game, settings)


def short_hands(game: Game, hand: Cards) -> Setting:
    """The house way of `fixtures/house-ways/short-hands.json`, from its words."""
    settings = find_settings(game, hand)
    held = held_ranks(game, hand)
    single = sorted((rank for rank, count in held.items() if count == 1), reverse=True)
    one_pair = sorted(held.values()) == [1] * (len(hand) - 2) + [2]
    complete = [setting for setting in settings if setting[0][0] in COMPLETE]
    if complete:
        best = highest_front(game, complete)
        pair = max(held, key=lambda rank: held[rank])
        if one_pair and pair >= find_rank(game, "T") and single[0] == game.ranks - 1:
            settings_with_kickers = find_settings_with_front(game, hand, single[:2])
            if settings_with_kickers and settings_with_kickers[0][1] > best[1]:
                return highest_front(game, settings_with_kickers)
        return best
    if not one_pair and max(held.values()) == 1:
        return highest_front(game, find_settings_with_front(game, hand, single[1:3]))
    if one_pair:
        return highest_front(game, find_settings_with_front(game, hand, single[:2]))
    return highest_front(game, settings)


def published_way(name: str) -> HouseWay:
    """A house way of a source, as `tests.oracle.house_way` reads it."""

    def way(game: Game, hand: Cards) -> Setting:
        table = declared_ways.Table(
            lowest=15 - game.ranks, low_wheel=game.low_wheel, front=game.front
        )
        known: dict[tuple[int, int], Card] = {
            (declared_ways.JOKER if rank is None else (15 - game.ranks + rank, suit or 0)): (
                rank,
                suit,
            )
            for rank, suit in hand
        }
        front, back = declared_ways.set_hand(name, tuple(known), table)
        low = find_value(game, tuple(known[card] for card in front), front=True)
        if front == (declared_ways.JOKER,) and game.joker_beats_ace:
            low = (0, (game.ranks,))
        return find_value(game, tuple(known[card] for card in back), front=False), low

    return way
