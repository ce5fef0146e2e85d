"""Wagers counted from their declared files, the slow and obvious way: every deal of a small deck.

It shares nothing with the package but the rules of the games: it reads the JSON as its schema
describes it. Hands and their values are those of `tests.oracle.undivided`, features of hands those
of `tests.oracle.one_hand`. Suits are alike in all terms of a main wager, so of player's hands that
differ by suits only one is dealt, with their number as its weight.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tests.oracle import one_hand, undivided

Json = Mapping[str, Any]
LETTERS = "23456789TJQKA"
COUNTED = {
    "tens": "T", "eights": "8", "sevens": "7", "sixes": "6", "fives": "5", "fours": "4",
    "threes": "3", "twos": "2",
}  # fmt: skip


class Figures(NamedTuple):
    """The figures of a wager: its edge, how often it wins, and the deals by result."""

    edge: Fraction
    hits: Fraction
    total: int


# --------------------------------------------------------------------- conditions and pays


def net(odds: str) -> Fraction:
    """Return what odds win per unit."""
    if odds in ("push", "loss"):
        return Fraction(-(odds == "loss"))
    amount, basis, unit = odds.split()
    return Fraction(int(amount), int(unit)) - (basis == "for")


def holds(condition: Json, held: Mapping[str, Any]) -> bool:
    """Return True if a hand with these features meets a condition."""
    return all(_part_holds(name, wanted, held) for name, wanted in condition.items())


def _part_holds(name: str, wanted: Any, held: Mapping[str, Any]) -> bool:  # noqa: ANN401 - JSON
    if name in ("all", "any"):
        return (all if name == "all" else any)(holds(part, held) for part in wanted)
    if name == "not":
        return not holds(wanted, held)
    value = held[name]
    if isinstance(wanted, dict):
        return bool(wanted.get("min", 0) <= value <= wanted.get("max", 99))
    return value in wanted if isinstance(wanted, list) else bool(value == wanted)


def find_features(table: one_hand.Table, hand: one_hand.Hand) -> dict[str, Any]:
    """Return the features of a hand by name."""
    letters = LETTERS[-table.ranks :]
    natural = [card for card in hand if card is not None]
    held = Counter(letters[rank] for rank, _ in natural)
    suits = Counter("cdhs"[suit] for _, suit in natural)
    top = one_hand.pai_gow_high(table, hand)
    values = [{"A": 1, "K": 10, "Q": 10, "J": 10, "T": 10}.get(letter) for letter in letters]
    reds = suits["d"] + suits["h"]
    return {
        **one_hand.holdings(table, hand),
        **{name: held[letter] for name, letter in COUNTED.items()},
        "pai_gow_high": None if top is None else letters[top],
        "red_cards": reds,
        "one_colour": reds in (0, len(natural)),
        **{name: suits[name[0]] for name in ("clubs", "diamonds", "hearts", "spades")},
        "same_card": max(Counter(natural).values(), default=0),
        "total": sum(values[rank] or int(letters[rank]) for rank, _ in natural),
    }


# ------------------------------------------------------------------- wagers on dealt cards


def count_rows(game: Json, table: Json, events: Mapping[str, Json]) -> tuple[list[int], int]:
    """Return the hands of each row of a wager on one hand, and all hands."""
    deck, cards = game["deck"], table["cards"]
    rules = one_hand.Table(
        ranks=deck["ranks"],
        joker=int(deck["joker"]),
        size=min(cards, 5 if table["hand"] == "together" else game["hand"]["back"]),
        wild=game.get("joker") == "fully_wild",
    )
    counts, total = [0] * len(table["rows"]), 0
    for ways, held in list_dealt(rules, cards, deck.get("decks", 1)):
        total += ways
        for place, row in enumerate(table["rows"]):
            if holds(events[row["event"]]["when"], held):
                counts[place] += ways
                break
    return counts, total


@cache
def list_dealt(
    rules: one_hand.Table, cards: int, decks: int
) -> Sequence[tuple[int, Mapping[str, Any]]]:
    """Return the features of every hand of a deck or a shoe, with the ways in which it is dealt."""
    natural = [card for card in rules.deck() if card is not None]
    dealt = []
    for jokers in range(min(rules.joker, cards) + 1):
        for held in combinations_with_replacement(natural, cards - jokers):
            copies = Counter(held).values()
            if max(copies, default=0) <= decks:
                ways = prod(comb(decks, number) for number in copies) * comb(rules.joker, jokers)
                hand = (*held, *[None] * jokers)
                dealt.append((ways, find_features(rules, hand)))
    return dealt


# ------------------------------------------------------------------------- the main wager


class Action(NamedTuple):
    """What a player does after the deal: nothing, a raise of some size, or a fold."""

    size: int = 0
    folds: bool = False
    enlarged: bool = False


def list_actions(option: Json) -> list[Action]:
    """Return the actions of the player; the first of equally good ones is taken."""
    raised = option.get("raise")
    if raised is None:
        return [Action()]
    sizes = [Action(int(raised["size"]))]
    if "largest" in raised:
        sizes.append(Action(int(raised["largest"]), enlarged=True))
    return [Action(folds="fold" in raised), *sizes]


class Hands(NamedTuple):
    """All hands of a side, as bits of their cards, the places of their values, and features."""

    cards: list[undivided.Hand]
    mask: npt.NDArray[np.int64]
    place: npt.NDArray[np.int64]
    held: list[Mapping[str, Any]]


@cache
def list_held(ranks: int, cards: int) -> Mapping[undivided.Hand, Mapping[str, Any]]:
    """Return the features of every hand of so many cards."""
    table = one_hand.Table(ranks=ranks, joker=0, size=cards)
    return {
        hand: find_features(table, [divmod(card, 4) for card in hand])
        for hand in combinations(range(4 * ranks), cards)
    }


class Round(NamedTuple):
    """A player's hand with the card that is seen, and the worth of each action against all hands.

    ``weight`` is the number of hands that differ from it by suits only, ``place`` that of its
    value. ``met`` are the dealer's hands by kind and result, and ``worth`` the nets of an action.
    """

    hand: undivided.Hand
    seen: undivided.Hand
    place: int
    weight: int
    met: list[int]
    worth: list[list[Fraction]]

    @property
    def nets(self) -> list[Fraction]:
        """The net of each action, over all hands of the dealer."""
        pairs = [zip(of, self.met, strict=True) for of in self.worth]
        return [sum((each * number for each, number in of if number), Fraction(0)) for of in pairs]

    @property
    def action(self) -> int:
        nets = self.nets
        return max(range(len(nets)), key=lambda each: (nets[each], -each))


class MainWager:
    """A main wager on hands that are not divided, of a deck without a joker."""

    def __init__(self, game: Json, option: Json) -> None:
        self.game, self.option = game, option
        self.ranks, shape = game["deck"]["ranks"], game["hand"]
        self.back, self.shows = shape["back"], shape.get("dealer_shows", 0)
        order = game.get("ranking", {}).get("highest_first")
        self.rules = undivided.Rules(
            ranks=self.ranks,
            cards=self.back,
            order=undivided.FIVE_CARDS if order is None else order[::-1],
            low_wheel=game["wheel"] == "lowest",
        )
        deck = range(4 * self.ranks)
        few = [*combinations(deck, self.back)]
        self.value = {hand: undivided.find_value(hand, self.rules) for hand in few}
        self.ladder = {value: at for at, value in enumerate(sorted(set(self.value.values())))}
        self.held = list_held(self.ranks, self.back)
        self.player = self.list_hands(shape["cards"])
        self.dealer = self.list_hands(shape.get("dealer_cards", shape["cards"]))
        self.kind = [self.decide(held) for held in self.dealer.held]
        self.kinds = sorted(set(self.kind))
        self.label = np.array([self.kinds.index(kind) for kind in self.kind])

    def list_hands(self, cards: int) -> Hands:
        hands = [*combinations(range(4 * self.ranks), cards)]
        best = [max(combinations(hand, self.back), key=self.value.__getitem__) for hand in hands]
        return Hands(
            hands,
            np.array([sum(1 << card for card in hand) for hand in hands]),
            np.array([self.ladder[self.value[hand]] for hand in best]),
            [self.held[hand] for hand in best],
        )

    def decide(self, held: Mapping[str, Any]) -> tuple[int, bool]:
        """Return the place of the rule that decides, and if the hand qualifies for a raise."""
        rules = self.option.get("dealer_rules", [])
        raised = self.option.get("raise")
        met = [place for place, rule in enumerate(rules) if holds(rule["when"], held)]
        return met[0] if met else len(rules), raised is not None and holds(
            raised["qualifies"], held
        )

    def settle(
        self, kind: tuple[int, bool], sign: int, own: Mapping[str, Any], done: Action
    ) -> Fraction:
        """Return the net of a round."""
        option, (place, qualifies) = self.option, kind
        raised, side = option.get("raise", {}), option.get("companion")
        rate, stake = Fraction(0), Fraction(1)
        if "commission" in option:
            rate = Fraction(option["commission"]["rate"].rstrip("%")) / 100
            if option["commission"]["prepaid"]:
                rate, stake = Fraction(0), 1 + rate
        size = int(side["size"]) if side else 0
        if done.folds:
            lost = Fraction(-1)
            if side and side.get("after_fold") == "plays":
                lost = first_pay(side["pays"], own, lost, "lose")
            return size * lost - stake
        rules = [*option.get("dealer_rules", []), {}]
        rule = rules[place]
        pays = net(rule.get("win_pays", option["win_pays"]))
        compared = "outcome" not in rule
        tie = {"dealer": "lose", "player": "win"}.get(
            option.get("ties", {}).get("high", "dealer"), "push"
        )
        ends = rule["outcome"] if not compared else ("lose", tie, "win")[sign + 1]
        worth = {"win": pays - rate * pays, "push": Fraction(0), "lose": -stake}[ends]
        total = worth
        if done.size:
            result, otherwise = "push", Fraction(0)
            if not qualifies and raised.get("not_qualified") == "win":
                result, otherwise = "win", net(option["win_pays"])
            elif qualifies and compared:
                result, otherwise = ends, worth
            listed = [{"paid": "if_won"} | pay for pay in raised.get("pays", [])]
            total += done.size * first_pay(listed, own, otherwise, result)
        if side:
            lost = Fraction(-(compared and ends == "lose"))
            total += size * first_pay(side["pays"], own, lost, ends)
        return total + first_pay(option.get("bonus", []), own, Fraction(0), ends)

    def count(self) -> Figures:
        """Return the figures of best play, over every deal and every card that is seen."""
        won, hits, total = Fraction(0), 0, 0
        stake = Fraction(1)
        if self.option.get("commission", {}).get("prepaid"):
            stake += Fraction(self.option["commission"]["rate"].rstrip("%")) / 100
        for dealt in self.list_rounds():
            won += dealt.weight * max(dealt.nets)
            total += dealt.weight * sum(dealt.met)
            results = zip(dealt.worth[dealt.action], dealt.met, strict=True)
            hits += dealt.weight * sum(number for each, number in results if each > 0)
        return Figures(-won / total / stake, Fraction(hits, total), total)

    def list_rounds(self) -> Iterator[Round]:
        """Yield every hand of the player, up to suits, with every card that may be seen."""
        actions = list_actions(self.option)
        enlarge = self.option.get("raise", {}).get("largest_when", {})
        for at, weight in self.up_to_suits():
            own, place = self.player.held[at], int(self.player.place[at])
            codes = 3 * self.label + 1 + np.sign(place - self.dealer.place)
            worth = [
                [self.settle(kind, sign, own, done) for kind in self.kinds for sign in (-1, 0, 1)]
                for done in actions
                if not done.enlarged or holds(enlarge, own)
            ]
            hand, size = self.player.cards[at], 3 * len(self.kinds)
            apart = (self.dealer.mask & self.player.mask[at]) == 0
            left = [(card,) for card in range(4 * self.ranks) if card not in hand]
            for seen in left if self.shows else [()]:
                bits = sum(1 << card for card in seen)
                codes_met = codes[apart & (self.dealer.mask & bits == bits)]
                met = np.bincount(codes_met, minlength=size).tolist()
                yield Round(hand, seen, place, weight, met, worth)

    def up_to_suits(self) -> Iterator[tuple[int, int]]:
        """Yield the place of a hand and the number of those that differ from it by suits only."""
        place: dict[undivided.Hand, int] = {}
        alike: Counter[undivided.Hand] = Counter()
        suits = [*permutations(range(4))]
        for at, hand in enumerate(self.player.cards):
            lowest = min(
                tuple(sorted(card - card % 4 + of[card % 4] for card in hand)) for of in suits
            )
            alike[lowest] += 1
            place.setdefault(lowest, at)
        yield from ((place[hand], number) for hand, number in alike.items())


def first_pay(
    pays: Sequence[Json], own: Mapping[str, Any], otherwise: Fraction, result: str
) -> Fraction:
    """Return the pay of the first entry that a hand meets, if it is due with a result."""
    met = next((pay for pay in pays if holds(pay["when"], own)), None)
    if met is None or (met.get("paid") == "if_won" and result != "win"):
        return otherwise
    if met.get("paid") == "if_not_lost" and result == "lose":
        return otherwise
    return net(met["pays"])
