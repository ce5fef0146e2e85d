"""Wagers on the dealer's and the player's hand: main wagers by option, paytables by row."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import NamedTuple, TypeGuard

from .census import award_rows, split_tables
from .files import Event, HandPay, HouseWay, Json, MainWager, Paytable, Ties
from .hands import PARTS_OF_HANDS, Condition, Progress, Uncountable, condition_features
from .pairs import Counted, Tallies, count
from .players import Decision, Ends, Flags, Payoffs, Question
from .set_hands import Rules

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


def comparison(ties: Ties, *, divided: bool = True) -> Ends:
    """Return the outcome of a round for each pair of comparison signs, high hand and low hand.

    A sign is 1 where the player's hand is the higher one, 0 in a tie. Undivided hands have no low
    hands: these always tie, and decide nothing.
    """
    taken = {"dealer": -1, "player": 1, "other_hand": 0}
    ends = {}
    for high, low in product((1, 0, -1), repeat=2):
        sides = [(high, ties.high), (low, ties.low)][: 1 + divided]
        tied = [tie for sign, tie in sides if sign == 0]
        won = sum(sign or taken.get(tie, 0) for sign, tie in sides)
        push = "push" in tied or (ties.both_push and len(tied) == 2)
        ends[high, low] = "push" if push or not won else "win" if won > 0 else "lose"
    return ends


def mirror_ties(ties: Ties) -> Ties:
    """Return ties from the other side of the table: the dealer's ties become the player's."""
    high, low = OPPOSITE.get(ties.high, ties.high), OPPOSITE.get(ties.low, ties.low)
    return ties._replace(high=high, low=low)


def net(pays: str) -> Fraction:
    """Return the net win per unit of a pay such as ``3 to 2``."""
    amount, basis, units = pays.split()
    return Fraction(int(amount), int(units)) - (basis == "for")


def first_met(pays: Sequence[HandPay], met_by_pay: Iterable[bool]) -> HandPay | None:
    """Return the first pay whose condition holds."""
    return next((pay for pay, met in zip(pays, met_by_pay, strict=True) if met), None)


def is_due(pay: HandPay | None, outcome: str, usual: str) -> TypeGuard[HandPay]:
    """Return True if a pay is due with an outcome; ``usual``: when, if it is not declared."""
    due = {"always": ("win", "push", "lose"), "if_won": ("win",), "if_not_lost": ("win", "push")}
    return pay is not None and outcome in due[pay.paid or usual]


class Option:
    """One declared option of a main wager.

    Attributes:
        staked: the stake before the hands are seen, per unit of the wager, without a companion
            wager.
        conditions: on the dealer's hand.
        own: on the player's hand: for the bonuses, the pays of the raise and of the companion
            wager, and the largest raise.
    """

    def __init__(self, declared: MainWager) -> None:
        """Take the declared values."""
        self.declared = declared
        self.rules, self.raised, self.wager = (
            declared.dealer_rules, declared.raise_, declared.wager_cents,
        )  # fmt: skip
        self.companion = Fraction(declared.companion.size) if declared.companion else Fraction(0)
        self.staked = 1 + self.posted_amount
        qualifies = [self.raised.qualifies] if self.raised else []
        self.conditions: list[Condition] = [*(rule.when for rule in self.rules), *qualifies]
        self.pays = (
            declared.bonus,
            self.raised.pays if self.raised else (),
            declared.companion.pays if declared.companion else (),
        )
        self.own: list[Condition] = [pay.when for pays in self.pays for pay in pays]
        if self.raised and self.raised.largest_when:
            self.own.append(self.raised.largest_when)

    @property
    def actions(self) -> list[Action]:
        """Possible actions; of the raise sizes only the smallest and the largest can be best."""
        if self.raised is None:
            return [Action()]
        sizes = [self.raised.size, self.raised.largest or self.raised.size]
        raises = [Action(Fraction(size), size != sizes[0]) for size in dict.fromkeys(sizes)]
        return [Action(folded=self.raised.fold is not None), *raises]

    @property
    def depends_on_wager(self) -> bool:
        """True if a fee, or a part of the commission, does not grow with the wager."""
        taken = self.declared.commission
        fixed = taken is not None and (taken.unit_cents is not None or taken.minimum_cents)
        return self.declared.fee is not None or bool(fixed)

    def charge(self, units: Fraction) -> Fraction:
        """Return the commission on an amount, both in units of the wager."""
        commission = self.declared.commission
        if commission is None:
            return Fraction(0)
        rate = Fraction(Fraction(commission.rate.removesuffix("%")), 100)
        least, unit = commission.minimum_cents, commission.unit_cents
        if self.wager is None or (unit is None and least is None):
            return rate * units
        share = rate * units * self.wager
        if unit is not None:
            parts = Fraction(share, unit)
            whole = {"up": -(-parts // 1), "down": parts // 1, "nearest": (2 * parts + 1) // 2}
            share = Fraction(whole[commission.rounding] * unit)
        return Fraction(max(share, Fraction(least or 0)), self.wager)

    @property
    def posted_amount(self) -> Fraction:
        """The commission that is posted in advance, per unit of the wager."""
        commission = self.declared.commission
        return self.charge(Fraction(1)) if commission and commission.prepaid else Fraction(0)

    @property
    def fee(self) -> Fraction:
        """The fee of every round per unit of the wager: that of the highest band it reaches."""
        bands = self.declared.fee.bands if self.declared.fee else ()
        reached = [
            (band.from_cents, band.cents)
            for band in bands
            if self.wager and band.from_cents <= self.wager
        ]
        return Fraction(max(reached)[1], self.wager or 1) if reached else Fraction(0)

    def win(self, pays: str) -> Fraction:
        """Return the net win per unit, after commission, of a pay."""
        commission = self.declared.commission
        return (
            net(pays) if commission and commission.prepaid else net(pays) - self.charge(net(pays))
        )

    def row(
        self, action: Action, truths: Flags, result: str, player_flags: Flags = ()
    ) -> tuple[str, str, Fraction]:
        """Return the id of the way in which a round ends, its outcome, and its net.

        Args:
            action: what the player did.
            truths: which of the conditions hold of the dealer's hand.
            result: how the comparison of the hands ends.
            player_flags: which of the own conditions hold of the player's hand.
        """
        rule = next(
            (rule for rule, holds_true in zip(self.rules, truths, strict=False) if holds_true), None
        )
        fixed = rule.outcome if rule else None
        outcome = fixed or result
        won = self.win(rule.win_pays if rule and rule.win_pays else self.declared.win_pays)
        if action.largest and self.raised and self.raised.largest_when and not player_flags[-1]:
            action = Action(Fraction(self.raised.size))
        name = rule.id if rule and (fixed or outcome == "win") else outcome
        brings = {"win": won, "push": Fraction(0), "lose": -self.staked}[outcome]
        left = iter(player_flags)
        bonus, raise_pay, companion_pay = (
            first_met(pays, [next(left) for _ in pays]) for pays in self.pays
        )
        if action.folded:
            plays = self.declared.companion and self.declared.companion.after_fold == "plays"
            if not (plays and is_due(companion_pay, "lose", "always")):
                return "lose_folded", "lose", -self.staked - self.companion
            name = f"lose_folded_companion_{companion_pay.id}".replace("-", "_")
            return name, "lose", self.companion * net(companion_pay.pays) - self.staked
        if self.raised and action.size:
            name += "_raised" + "_largest" * action.largest
            qualifies, wins = truths[len(self.rules)], self.raised.not_qualified == "win"
            in_action, unqualified = fixed is None and qualifies, wins and not qualifies
            if fixed is None and not qualifies:
                name += "_not_qualified"
            elif fixed and qualifies and wins:
                name += "_qualified"
            raise_ends = "win" if unqualified else outcome if in_action else "push"
            if is_due(raise_pay, raise_ends, "if_won"):
                name += f"_raise_{raise_pay.id}"
                brings += action.size * net(raise_pay.pays)
            elif unqualified:
                brings += action.size * net(self.declared.win_pays)
            elif in_action:
                brings *= 1 + action.size
        if is_due(companion_pay, outcome, "always"):
            name += f"_companion_{companion_pay.id}"
            brings += self.companion * net(companion_pay.pays)
        elif fixed is None and outcome == "lose":
            brings -= self.companion
        if is_due(bonus, outcome, "always"):
            name, brings = f"{name}_bonus_{bonus.id}", brings + net(bonus.pays)
        return name.replace("-", "_"), outcome, brings


class Play:
    """An option and a strategy, as part of a count that answers several options at once."""

    def __init__(self, option: Option, question: Question, strategy: str) -> None:
        """Locate the conditions of the option in those of the question."""
        self.option, self.question = option, question
        self.dealer = [question.labels.index(condition) for condition in option.conditions]
        self.own = [question.own.index(condition) for condition in option.own]
        self.decision = Decision(strategy == OPTIMAL, len(option.actions), self.worth)
        # Without a choice, and if the dealer's hand is seen, play does not depend on the pays.
        decides = option.raised or (strategy == OPTIMAL and not question.seen)
        self.key = repr((question, strategy == OPTIMAL, option.declared if decides else None))

    def truths(self, label: Flags) -> Flags:
        """Return the truth of each condition for the dealer's hand."""
        return tuple(label[place] for place in self.dealer)

    def own_truths(self, label: Flags) -> Flags:
        """Return the truth of each condition for the player's hand."""
        return tuple(label[place] for place in self.own)

    def worth(self, action: int, player_flags: Flags, labels: Sequence[Flags]) -> Payoffs:
        """Return the value of win, push and loss for each dealer label, in integer units."""
        option = self.option
        nets = [
            [
                option.row(done, self.truths(label), result, self.own_truths(player_flags))[2]
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
        for (done, player_flags), line in tally.items():
            action = option.actions[done]
            for label, fared in zip(counted.labels, line, strict=True):
                wagered += fared.total * (1 + action.size)
                for result, number in fared.results.items():
                    name, outcome, brings = option.row(
                        action, self.truths(label), result, self.own_truths(player_flags)
                    )
                    brings = Fraction(brings - option.fee, option.staked)
                    pairs[name] += number
                    rows[name] = Row(outcome, pairs[name], brings)
                    won += number * brings
        total = pairs.total()
        counted_rows = {name: row for name, row in rows.items() if row.pairs}
        return Settled(counted_rows, Fraction(-won, total), Fraction(wagered, total), counted.uses)


def merge_options(
    options: Sequence[Option], *, rules: Rules, house_way: HouseWay | None, seen: bool, ties: Ties,
    shows: bool = False,
) -> Question:  # fmt: skip
    """Combine the conditions of options with the same tie rules into one question.

    ``house_way`` is None if hands are not divided; ``seen``: the player sees the dealer's set hand;
    ``shows``: the player sees one card of the dealer.
    """
    labels: list[Condition] = []
    player_conditions: list[Condition] = []
    for option in options:
        labels += [condition for condition in option.conditions if condition not in labels]
        player_conditions += [
            condition for condition in option.own if condition not in player_conditions
        ]
    ends = comparison(ties, divided=rules.front > 0)
    undivided = house_way is None
    shows = shows and any(option.raised for option in options)  # otherwise it decides nothing
    return Question(
        rules,
        house_way,
        labels,
        player_conditions,
        [ends],
        seen,
        best=undivided,
        of_best=undivided,
        shows=shows,
    )


Signs = tuple[int, int]
"""The higher high hand and the higher low hand: 1 for the player's, 0 for a tie, -1."""

HIGHER = {"player": 1, "copy": 0, "dealer": -1}

LEAST = (((1, 1), (1, 0)), ((1, -1), (0, -1)), ((0, 1), (0, 0)), ((-1, 1), (-1, 0)))
"""Least signs of the deals that are counted as won, and of those that are not lost."""


def _no_worth(*_: object) -> Payoffs:
    return ()


def _ends(won: Signs, safe: Signs) -> Ends:
    """Return ends such that deals with at least some signs are won, and others are not lost."""
    return {
        (high, low): "win" if high >= won[0] and low >= won[1]
        else "push" if high >= safe[0] and low >= safe[1] else "lose"
        for high, low in product((1, 0, -1), repeat=2)
    }  # fmt: skip


def count_signs(
    question: Question, processes: int | None, progress: Progress | None
) -> Iterator[tuple[Flags, Flags, Signs, int]]:
    """Yield the deals by the conditions that hold for both hands, and by the higher hands."""
    decisions = [
        Decision(optimal=False, actions=1, worth=_no_worth, way=way)
        for way in range(len(question.ends))
    ]
    counted = count(question, decisions, processes=processes, progress=progress)
    for action, mine in counted.tallies[0]:
        tallies = zip(*(tally[action, mine] for tally in counted.tallies), strict=True)
        for theirs, line in zip(counted.labels, tallies, strict=True):
            if len(line) == 1:
                yield theirs, mine, (0, 0), line[0].total
                continue
            least = Counter({(-1, -1): line[0].total})
            for (won, safe), tally in zip(LEAST, line, strict=True):
                least[won], least[safe] = tally.win, tally.safe
            for high, low in product((1, 0, -1), repeat=2):
                number = least[high, low] - least[high + 1, low] - least[high, low + 1]
                yield theirs, mine, (high, low), number + least[high + 1, low + 1]


def needs_house_way(paytable: Paytable, events: Mapping[str, Event]) -> bool:
    """Return True if a row depends on how the house way sets a hand."""
    listed = [events[event] for table in split_tables(paytable, events) for event in table]
    conditions = [event.when for event in listed]
    conditions += [side for event in listed for deal in event.deals for side in deal[:2]]
    names = {name for condition in conditions for name in condition_features(condition)}
    names |= {name for event in listed for deal in event.deals for name in deal.compare or ()}
    return not PARTS_OF_HANDS.isdisjoint(names)


def fits(compare: Json | None, signs: Signs) -> bool:
    """Return True if the comparison of two hands ends as an event asks."""
    compared = {"best_hand": signs[0], "high_hand": signs[0], "low_hand": signs[1]}
    required = {
        part: listed if isinstance(listed, list) else [listed]
        for part, listed in (compare or {}).items()
    }
    return all(compared[part] in map(HIGHER.__getitem__, required[part]) for part in required)


def pair_counts(
    paytable: Paytable,
    events: Mapping[str, Event],
    *,
    rules: Rules,
    house_way: HouseWay | None = None,
    processes: int | None = None,
    progress: Progress | None = None,
) -> Counter[str]:
    """Count the pairs of hands of each row; rows that are paid together are joined by ``+``.

    ``house_way`` sets the hands if a row depends on it.

    Raises:
        Uncountable: an event differs between hands that are counted as one, or both the best hands
            and hands as set are compared.
    """
    tables = split_tables(paytable, events)
    deals = [
        (event, deal) for event in sorted(set().union(*tables)) for deal in events[event].deals
    ]
    compared = {part for _, deal in deals for part in deal.compare or ()}
    if "best_hand" in compared and (house_way is not None or len(compared) > 1):
        raise Uncountable("best hands together with hands as set")
    question = Question(
        rules, house_way,
        [deal.dealer for _, deal in deals], [deal.player for _, deal in deals],
        [_ends(*least) for least in LEAST] if compared else [comparison(Ties())],
        best="best_hand" in compared,
    )  # fmt: skip

    def find_row(theirs: Flags, mine: Flags, signs: Signs) -> str:
        met = {
            event
            for (event, deal), a, b in zip(deals, theirs, mine, strict=True)
            if a and b and fits(deal.compare, signs)
        }
        return award_rows(tables, met)

    counts: Counter[str] = Counter()
    for theirs, mine, signs, number in count_signs(question, processes, progress):
        counts[find_row(theirs, mine, signs)] += number
    return counts
