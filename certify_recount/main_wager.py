"""The main wager: results and pays of its rounds under the declared options."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from .hands import Condition, Progress
from .pairs import Counted, Tallies, count
from .players import Decision, Ends, Flags, Payoffs, Question
from .set_hands import Rules

Json = Mapping[str, Any]

HOUSE_WAY, OPTIMAL = "house-way", "optimal"
OPPOSITE = {"dealer": "player", "player": "dealer"}


class Row(NamedTuple):
    """One way in which rounds end: the outcome, the pairs of hands, and the net of a round.

    ``net`` is per unit that is staked before the hands are seen.
    """

    outcome: str
    pairs: int
    net: Fraction


class Settled(NamedTuple):
    """Result of an option: its outcomes and its figures.

    Attributes:
        rows: the ways to end by their ids.
        edge: the house edge, per unit that is staked before the hands are seen.
        wagered: the average wager with a raise, in units of the first one.
        uses: how many hands each rule of the house way sets.
    """

    rows: dict[str, Row]
    edge: Fraction
    wagered: Fraction
    uses: dict[str, int]

    @property
    def counts(self) -> dict[str, int]:
        """The pairs of each row."""
        return {name: row.pairs for name, row in self.rows.items()}


class Action(NamedTuple):
    """Action of a player after seeing the hand: none, a raise of a size, or a fold."""

    size: Fraction = Fraction(0)
    largest: bool = False
    folded: bool = False


def comparison(ties: Json, *, divided: bool = True) -> Ends:
    """Return the outcome of a round for each pair of comparison signs, high hand and low hand.

    A sign is 1 where the player's hand is the higher one, 0 in a tie. Undivided hands have no low
    hands: these always tie, and decide nothing.
    """
    taken = {"dealer": -1, "player": 1, "other_hand": 0}
    ends = {}
    for high, low in product((1, 0, -1), repeat=2):
        sides = [(high, ties.get("high", "dealer"))]
        if divided:
            sides.append((low, ties.get("low", "dealer")))
        tied = [tie for sign, tie in sides if sign == 0]
        won = sum(sign or taken.get(tie, 0) for sign, tie in sides)
        push = "push" in tied or (ties.get("both_push") and len(tied) == 2)
        ends[high, low] = "push" if push or not won else "win" if won > 0 else "lose"
    return ends


def mirror_ties(ties: Json) -> Json:
    """Return the tie rules with the seats exchanged: the dealer's ties become the player's."""
    hands = {hand: ties.get(hand, "dealer") for hand in ("high", "low")}
    return {**ties, **{hand: OPPOSITE.get(tie, tie) for hand, tie in hands.items()}}


def net(pays: str) -> Fraction:
    """Return the net win per unit of a pay such as ``3 to 2``."""
    amount, basis, units = pays.split()
    return Fraction(int(amount), int(units)) - (basis == "for")


class Option:
    """One declared option of a main wager."""

    def __init__(self, declared: Json) -> None:
        """Read the declared values."""
        self.declared = declared
        self.rules: Sequence[Json] = declared.get("dealer_rules", ())
        self.raised: Json | None = declared.get("raise")
        self.bonuses: Sequence[Json] = declared.get("bonus", ())
        self.wager: int | None = declared.get("wager_cents")
        self.staked = 1 + self.posted_amount
        qualifies = [self.raised["qualifies"]] if self.raised else []
        self.conditions: list[Condition] = [*(rule["when"] for rule in self.rules), *qualifies]
        self.own: list[Condition] = [bonus["when"] for bonus in self.bonuses]

    @property
    def actions(self) -> list[Action]:
        """Possible actions; of the raise sizes only the smallest and the largest can be best."""
        if self.raised is None:
            return [Action()]
        sizes = [self.raised["size"], self.raised.get("largest", self.raised["size"])]
        raises = [Action(Fraction(size), size != sizes[0]) for size in dict.fromkeys(sizes)]
        return [Action(folded="fold" in self.raised), *raises]

    def charge(self, units: Fraction) -> Fraction:
        """Return the commission on an amount, both in units of the wager."""
        commission = self.declared["commission"]
        rate = Fraction(commission["rate"].rstrip("%")) / 100
        least, unit = commission.get("minimum_cents"), commission.get("unit_cents")
        if self.wager is None or (unit is None and least is None):
            return rate * units
        share = rate * units * self.wager
        if unit is not None:
            parts = share / unit
            rounding = commission.get("rounding", "up")
            whole = {"up": -(-parts // 1), "down": parts // 1, "nearest": (2 * parts + 1) // 2}
            share = Fraction(whole[rounding] * unit)
        return max(share, Fraction(least or 0)) / self.wager

    @property
    def posted_amount(self) -> Fraction:
        """The commission that is posted in advance, per unit of the wager."""
        if not self.declared.get("commission", {}).get("prepaid"):
            return Fraction(0)
        return self.charge(Fraction(1))

    @property
    def fee(self) -> Fraction:
        """The fee of every round per unit of the wager: that of the highest band it reaches."""
        bands = self.declared.get("fee", {}).get("bands", ())
        reached = [
            (band["from_cents"], band["cents"])
            for band in bands
            if self.wager and band["from_cents"] <= self.wager
        ]
        return Fraction(max(reached)[1], self.wager or 1) if reached else Fraction(0)

    def win(self, rule: Json | None) -> Fraction:
        """Return the net win per unit, after commission."""
        pays = net((rule or {}).get("win_pays", self.declared["win_pays"]))
        commission = self.declared.get("commission")
        if commission is None or commission.get("prepaid"):
            return pays
        return pays - self.charge(pays)

    def bonus(self, own: Flags) -> Json | None:
        """Return the first bonus whose condition the player's hand meets."""
        return next((bonus for bonus, held in zip(self.bonuses, own, strict=True) if held), None)

    def row(
        self, action: Action, truths: Flags, result: str, own: Flags = ()
    ) -> tuple[str, str, Fraction]:
        """Return the id of the way in which a round ends, its outcome, and its net.

        Args:
            action: what the player did.
            truths: which of the conditions hold of the dealer's hand.
            result: how the comparison of the hands ends.
            own: which of the own conditions hold of the player's hand.
        """
        rule = next((rule for rule, held in zip(self.rules, truths, strict=False) if held), None)
        fixed = rule["outcome"] if rule and "outcome" in rule else None
        outcome = fixed or result
        nets = {"win": self.win(rule), "push": Fraction(0), "lose": -self.staked}
        if action.folded:
            return "lose_folded", "lose", nets["lose"]
        name = rule["id"] if rule and (fixed or outcome == "win") else outcome
        brings = nets[outcome]
        if action.size:
            name += "_raised" + "_largest" * action.largest
            if fixed is None:
                if truths[len(self.rules)]:
                    brings *= 1 + action.size
                else:
                    name += "_not_qualified"
        bonus = self.bonus(own)
        if bonus is not None:
            name, brings = f"{name}_bonus_{bonus['id']}", brings + net(bonus["pays"])
        return name, outcome, brings


class Play:
    """An option and a strategy, as part of a count that answers several options at once."""

    def __init__(self, option: Option, question: Question, strategy: str) -> None:
        """Locate the conditions of the option in those of the question."""
        self.option = option
        self.dealer = [question.labels.index(condition) for condition in option.conditions]
        self.own = [question.own.index(condition) for condition in option.own]
        self.decision = Decision(strategy == OPTIMAL, len(option.actions), self.worth)

    def truths(self, label: Flags) -> Flags:
        """Return the truth of each condition for the dealer's hand."""
        return tuple(label[place] for place in self.dealer)

    def own_truths(self, label: Flags) -> Flags:
        """Return the truth of each condition for the player's hand."""
        return tuple(label[place] for place in self.own)

    def worth(self, action: int, own: Flags, labels: Sequence[Flags]) -> Payoffs:
        """Return the value of win, push and loss for each dealer label, in integer units."""
        option = self.option
        nets = [
            [
                option.row(done, self.truths(label), result, self.own_truths(own))[2]
                for result in ("win", "push", "lose")
            ]
            for done in option.actions
            for label in labels
        ]
        unit = lcm(*(value.denominator for line in nets for value in line))
        mine = nets[action * len(labels) : (action + 1) * len(labels)]
        return tuple((int(w * unit), int(p * unit), int(x * unit)) for w, p, x in mine)

    def settle(self, counted: Counted, tally: Tallies) -> Settled:
        """Return the outcomes and figures that a tally gives."""
        option = self.option
        pairs: Counter[str] = Counter()
        rows, won, wagered = {}, Fraction(0), Fraction(0)
        for (done, own), line in tally.items():
            action = option.actions[done]
            for label, fared in zip(counted.labels, line, strict=True):
                wagered += fared.total * (1 + action.size)
                for result, number in fared.results.items():
                    name, outcome, brings = option.row(
                        action, self.truths(label), result, self.own_truths(own)
                    )
                    brings = (brings - option.fee) / option.staked
                    pairs[name] += number
                    rows[name] = Row(outcome, pairs[name], brings)
                    won += number * brings
        total = pairs.total()
        made = {name: row for name, row in rows.items() if row.pairs}
        return Settled(made, -won / total, wagered / total, counted.uses)


def merge_options(
    options: Iterable[Option], *, rules: Rules, house_way: Json, seen: bool, ties: Json
) -> Question:
    """Combine the conditions of options with the same tie rules into one question.

    ``seen``: the player sees the dealer's set hand.
    """
    asked: list[Condition] = []
    own: list[Condition] = []
    for option in options:
        asked += [condition for condition in option.conditions if condition not in asked]
        own += [condition for condition in option.own if condition not in own]
    return Question(rules, house_way, asked, own, comparison(ties, divided=rules.front > 0), seen)


def count_options(
    options: Mapping[str, Json],
    *,
    rules: Rules,
    house_way: Json,
    seen: bool,
    strategies: Sequence[str] = (HOUSE_WAY, OPTIMAL),
    processes: int | None = None,
    progress: Progress | None = None,
) -> dict[tuple[str, str], Settled]:
    """Count options of one game, by the house way and by optimal play.

    Options with the same ties are counted at once.

    Args:
        options: the declared options, by any name.
        rules: the deck and the hands.
        house_way: the declared house way, by which the dealer sets.
        seen: the dealer's set hand is seen by the player.
        strategies: how the player sets the hands.
        processes: how many to use; as many as there are processors if not given.
        progress: receives how much of a count is done.

    Raises:
        Uncountable: a condition differs between hands that are counted as one.
        Undecided: the house way does not decide every hand.
    """
    settled: dict[tuple[str, str], Settled] = {}
    while left := {
        name: opt for name, opt in options.items() if (name, strategies[0]) not in settled
    }:
        ties = next(iter(left.values())).get("ties", {})
        alike = {name: Option(opt) for name, opt in left.items() if opt.get("ties", {}) == ties}
        question = merge_options(
            alike.values(), rules=rules, house_way=house_way, seen=seen, ties=ties
        )
        plays = {
            (name, strategy): Play(option, question, strategy)
            for name, option in alike.items()
            for strategy in strategies
        }
        decisions = [play.decision for play in plays.values()]
        counted = count(question, decisions, processes=processes, progress=progress)
        for (name, play), tally in zip(plays.items(), counted.tallies, strict=True):
            settled[name] = play.settle(counted, tally)
    return settled
