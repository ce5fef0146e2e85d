"""How rounds of the second count end and what they pay, read from the option alone.

The first count settles by `engine.main.outcomes`; nothing of it is used here.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from certify.errors import InvariantBroken
from certify.model.charge import Rounding
from certify.model.condition import Condition, Event
from certify.model.game import Game, HandRules, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import Action, MainWager, Outcome, Ties
from certify.model.paytable import Paytable
from certify.model.progress import Progress

if TYPE_CHECKING:
    from certify.engine.second.count import HandResults
    from certify.engine.second.tables import Integers

Truths = tuple[bool, ...]
Ended = Mapping[tuple[Action, Truths, Outcome], int]
"""Pairs by what the player did, which conditions the dealer's hand meets, and the result."""

PLAIN: Final = Action()

ALL_OTHER: Final = "all_other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Pairs of hands by row, and the house edge that follows; rows that never come are left out.

    ``edge`` is per unit staked, with a raise per unit of the first wager. None where a wager's
    edge does not follow from the counts alone.
    """

    rows: Mapping[str, int]
    edge: Fraction | None = None

    @property
    def total(self) -> int:
        """The number of pairs."""
        return sum(self.rows.values())


def conditions_of(option: MainWager) -> tuple[Condition, ...]:
    """Return what is asked of the dealer's hand: the option's rules, and what a raise needs."""
    qualifies = (option.raise_.qualifies,) if option.raise_ is not None else ()
    return (*(rule.when for rule in option.dealer_rules), *qualifies)


def row_of(
    option: MainWager, truths: Sequence[bool], result: Outcome, action: Action = PLAIN
) -> tuple[str, Fraction]:
    """Return the name of the way a round ends, and what the player nets per unit of the wager.

    Args:
        option: the rules.
        truths: whether each of `conditions_of` holds; more may follow where there is no raise.
        result: what the comparison of the hands says.
        action: what the player did.
    """
    rules = zip(option.dealer_rules, truths, strict=False)
    rule = next((candidate for candidate, holds in rules if holds), None)
    decided = rule is not None and rule.outcome is not None
    ends = rule.outcome if rule is not None and rule.outcome is not None else result
    pays = rule.win_pays if rule is not None and rule.win_pays is not None else option.win_pays
    win = pays.net
    if option.commission is not None and not option.commission.prepaid:
        win -= _charged(option, win)
    net = {Outcome.WIN: win, Outcome.PUSH: Fraction(0), Outcome.LOSE: -_staked(option)}
    name = rule.id if rule is not None and (decided or ends is Outcome.WIN) else str(ends)
    if action.folded:
        return "lose_folded", net[Outcome.LOSE]
    if not action.size:
        return name, net[ends]
    name = f"{name}_raised{'_largest' if action.largest else ''}"
    if decided:
        return name, net[ends]
    if truths[len(option.dealer_rules)]:
        return name, net[ends] * (1 + action.size)
    return f"{name}_not_qualified", net[ends]


def _actions(option: MainWager) -> tuple[Action, ...]:
    """Return what the player may do: not raise, or fold, and raise by every size there is."""
    raised = option.raise_
    if raised is None:
        return (PLAIN,)
    sizes = range(int(raised.size), int(raised.largest or raised.size) + 1)
    return (
        Action(folded=raised.fold is not None),
        *(Action(size=Fraction(size), largest=size > raised.size) for size in sizes),
    )


def settle(option: MainWager, ended: Ended) -> Counted:
    """Return the rows of an option and its house edge."""
    rows: Counter[str] = Counter()
    won = Fraction(0)
    fee = _fee(option)
    for (action, truths, result), pairs in ended.items():
        name, net = row_of(option, truths, result, action)
        rows[name] += pairs
        won += (net - fee) * pairs
    return Counted(rows=+rows, edge=-won / (_staked(option) * rows.total()))


def _fee(option: MainWager) -> Fraction:
    """Return the fee of every round per unit of the wager: that of the greatest band it reaches."""
    wager, bands = option.wager_cents, option.fee.bands if option.fee is not None else ()
    reached = [(band.from_cents, band.cents) for band in bands if band.from_cents <= (wager or 0)]
    return Fraction(max(reached)[1], wager or 1) if reached else Fraction(0)


def _staked(option: MainWager) -> Fraction:
    """Return what is staked for each unit wagered, a commission posted in advance included."""
    if option.commission is None or not option.commission.prepaid:
        return Fraction(1)
    return 1 + _charged(option, Fraction(1))


def _charged(option: MainWager, units: Fraction) -> Fraction:
    """Return the commission of an amount, both in units of the wager, rounded by remainders."""
    commission, wager = option.commission, option.wager_cents
    if commission is None:
        return Fraction(0)
    share = commission.rate * units
    if wager is None or (commission.unit_cents is None and commission.minimum_cents is None):
        return share
    cents = share * wager
    if commission.unit_cents is not None:
        over = cents % commission.unit_cents
        cents -= over
        up = over > 0 and commission.rounding is Rounding.UP
        near = 2 * over >= commission.unit_cents and commission.rounding is Rounding.NEAREST
        cents += commission.unit_cents if up or near else 0
    if commission.minimum_cents is not None and cents < commission.minimum_cents:
        cents = Fraction(commission.minimum_cents)
    return cents / wager


def second_options(
    options: Sequence[MainWager],
    *,
    game: Game,
    house_way: HouseWay,
    progress: "Progress | None" = None,
) -> dict[tuple[str, Strategy], Counted]:
    """Count options of one game a second time, in one pass, with each way to set the hand.

    Against a dealer's hand that is seen, ties that push, or that the other hand decides, are
    counted for a player who sets by the house way, and not for one who sets best.

    Raises:
        NotConfigured: the house way does not decide every hand, or a rule names suits.
        InvariantBroken: the counts do not sum to the number of pairs.
    """
    counted: dict[tuple[str, Strategy], Counted] = {}
    for ties in dict.fromkeys(option.ties for option in options):
        alike = [option for option in options if option.ties == ties]
        counted |= _second_options(alike, game, house_way, ties, progress)
    return {
        (option.id, strategy): counted[option.id, strategy]
        for option in options
        for strategy in Strategy
        if (option.id, strategy) in counted
    }


def _second_options(
    options: Sequence[MainWager],
    game: Game,
    house_way: HouseWay,
    ties: Ties,
    progress: "Progress | None",
) -> dict[tuple[str, Strategy], Counted]:
    """Count options with the same ties."""
    import numpy as np

    from certify.engine.second.count import hand_results, seen_results
    from certify.engine.second.ties import takings, won_and_lost

    asked = list(
        dict.fromkeys(condition for option in options for condition in conditions_of(option))
    )
    places = {
        option.id: [asked.index(condition) for condition in conditions_of(option)]
        for option in options
    }
    counted: dict[tuple[str, Strategy], Counted] = {}
    if game.dealer_exposed:
        seen = [
            seen_results(game.hands, house_way, asked, taken, progress=progress)
            for taken in takings(ties)
        ]
        # The best of the splits differs from one way to take ties to another.
        strategies = (Strategy.HOUSE_WAY, Strategy.OPTIMAL)[: 1 if len(seen) > 1 else 2]
        for option in options:
            for place, strategy in enumerate(strategies):
                ended: Counter[tuple[Action, Truths, Outcome]] = Counter()
                for truths in seen[0]:
                    mine = tuple(truths[at] for at in places[option.id])
                    fared = [ways[truths][place] for ways in seen]
                    win, lose = won_and_lost(ties, [(fare.win, fare.lose) for fare in fared])
                    ended[PLAIN, mine, Outcome.WIN] += win
                    ended[PLAIN, mine, Outcome.LOSE] += lose
                    ended[PLAIN, mine, Outcome.PUSH] += fared[0].total - win - lose
                counted[option.id, strategy] = settle(option, ended)
        return counted
    every = [
        hand_results(game.hands, house_way, asked, taken, progress=progress)
        for taken in takings(ties)
    ]
    won = won_and_lost(ties, [(result.fared[..., 0], result.fared[..., 1]) for result in every])
    results = every[0]._replace(fared=np.stack(won, axis=-1))
    for option in options:
        for strategy in Strategy:
            played = _played(option, results, places[option.id], strategy)
            counted[option.id, strategy] = settle(option, played)
    return counted


def _played(
    option: MainWager, results: "HandResults", places: Sequence[int], strategy: Strategy
) -> Ended:
    """Set and raise every hand as is best for it, or set it by the house way.

    Of splits of equal worth the one with the highest back is chosen, and of actions the first.
    """
    from math import lcm

    import numpy as np

    labels = [tuple(truth[at] for at in places) for truth in results.truths]
    actions = _actions(option)
    worths = [_worths(option, labels, action) for action in actions]
    unit = lcm(*(value.denominator for of in worths for values in of for value in values))
    values = np.stack([_valued(results, of, unit) for of in worths])
    forms, fared = results.forms, results.fared
    chosen = forms.own
    if strategy is Strategy.OPTIMAL:
        chosen = _best(values.max(axis=0), forms.first, forms.sizes)
    acts = values[:, chosen].argmax(axis=0)
    ended: Counter[tuple[Action, Truths, Outcome]] = Counter()
    for place, truths in enumerate(labels):
        won, lost = fared[chosen, place, 0], fared[chosen, place, 1]
        every = fared[forms.first[1:] - 1, place, 0]
        for number, action in enumerate(actions):
            some = acts == number
            win, lose, total = (int(pairs[some].sum()) for pairs in (won, lost, every))
            ended[action, truths, Outcome.WIN] += win
            ended[action, truths, Outcome.LOSE] += lose
            ended[action, truths, Outcome.PUSH] += total - win - lose
    return ended


def _worths(
    option: MainWager, labels: Sequence[Truths], action: Action
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return what a win and a loss are worth beside a push, and what a push is worth itself."""
    worths = []
    for truths in labels:
        win, push, lose = (
            row_of(option, truths, result, action)[1]
            for result in (Outcome.WIN, Outcome.PUSH, Outcome.LOSE)
        )
        worths.append((win - push, lose - push, push))
    return worths


def _valued(
    results: "HandResults", worths: Sequence[tuple[Fraction, Fraction, Fraction]], unit: int
) -> "Integers":
    """Return the worth of every split in whole units, summed over the hands of its form."""
    import numpy as np

    fared, forms = results.fared, results.forms
    value = np.zeros(len(fared), dtype=np.int64)
    for place, (win, lose, push) in enumerate(worths):
        value += int(win * unit) * fared[:, place, 0] + int(lose * unit) * fared[:, place, 1]
        if push:
            every = fared[forms.first[1:] - 1, place, 0]
            value += int(push * unit) * np.repeat(every, np.diff(forms.first))
    return value


def _best(value: "Integers", first: "Integers", sizes: "Integers") -> "Integers":
    """Return for every form the first split of the greatest value among its best splits."""
    import numpy as np

    chosen = first[:-1].copy()
    for step in range(1, int(sizes.max())):
        other = np.minimum(first[:-1] + step, first[1:] - 1)
        better = (step < sizes) & (value[other] > value[chosen])
        chosen[better] = other[better]
    return chosen


def second_paytable(
    paytable: Paytable,
    events: Mapping[str, Event],
    *,
    hands: HandRules,
    order: Sequence[int],
    progress: "Progress | None" = None,
) -> Counted:
    """Count a paytable on both hands a second time; ``order`` tries its rows.

    Raises:
        NotConfigured: an event names suits.
        InvariantBroken: the counts do not sum to the number of pairs.
    """
    from certify.engine.second.count import label_pairs

    deals = [
        (place, deal) for place, row in enumerate(paytable.rows) for deal in events[row.event].deals
    ]
    pairs = label_pairs(
        hands,
        paytable.cards,
        [deal.dealer for _, deal in deals],
        [deal.player for _, deal in deals],
        progress=progress,
    )
    counts = dict.fromkeys([*(row.event for row in paytable.rows), ALL_OTHER], 0)
    for (dealer, player), number in pairs.items():
        both = zip(deals, dealer, player, strict=True)
        held = {row for (row, _), theirs, mine in both if theirs and mine}
        place = next((row for row in order if row in held), None)
        counts[ALL_OTHER if place is None else paytable.rows[place].event] += number
    if len(counts) != len(paytable.rows) + 1:
        raise InvariantBroken(f"Two rows of {paytable.target} are of one event.")
    return Counted(rows=counts)
