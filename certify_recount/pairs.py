"""Pairs of hands that share no card, as they are set and played."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import comb
from typing import NamedTuple

from .classes import HandClass, encode_ranks, iter_classes
from .hands import (
    CARDS,
    COLORS,
    PARTS_OF_HANDS,
    Condition,
    Progress,
    Uncountable,
    condition_features,
)
from .players import (
    Dealer,
    Decision,
    Flags,
    Player,
    Question,
    SetHand,
    Tally,
    set_class,
)
from .set_hands import Rules, Table
from .sweeps import Dealt, Sweeps, iter_shown, processors, run_parts

SMALL = 4000
"""Classes of hands that are not worth more than one process."""

NOT_OF_CLASSES = COLORS | CARDS | {"suited_pair"}
"""Features that differ between the hands of a class."""


class Counted(NamedTuple):
    """Result of a count of pairs of hands.

    Attributes:
        labels: which conditions on the dealer's hand hold, for every label.
        tallies: of every decision, by action and own label: the pairs by label of the dealer.
        uses: how many hands each rule of the house way sets.
    """

    labels: list[Flags]
    tallies: "list[Tallies]"
    uses: dict[str, int]


Tallies = dict[tuple[int, Flags], list[Tally]]


def set_part(shared: tuple[Question, Rules], classes: Sequence[HandClass]) -> list[SetHand]:
    """Set some classes."""
    question, rules = shared
    table = Table(rules, question.house_way)
    return [set_class(question, table, hands) for hands in classes]


def set_hands(
    question: Question, rules: Rules, processes: int | None
) -> tuple[list[HandClass], list[SetHand], list[int]]:
    """Return every class of hands, set, and the number of its hands."""
    classes = list(iter_classes(rules))
    parts = [classes[start : start + SMALL] for start in range(0, len(classes), SMALL)]
    processes = processes if len(parts) > 1 else 1
    shared = question, rules
    hands = [*chain.from_iterable(run_parts(set_part, shared, parts, processes=processes))]
    sizes = [each.suits(rules).total * comb(rules.jokers, each.jokers) for each in classes]
    return classes, hands, sizes


def refuse_conditions(conditions: Sequence[Condition | None], *, set_by: object) -> None:
    """Refuse conditions that differ between the hands of a class, or that no house way decides.

    Raises:
        Uncountable: there is one.
    """
    names = set().union(*map(condition_features, conditions))
    for name in sorted(names & (NOT_OF_CLASSES if set_by else NOT_OF_CLASSES | PARTS_OF_HANDS)):
        raise Uncountable(name)


class _Work(NamedTuple):
    dealer: Dealer
    classes: Sequence[HandClass]
    hands: Sequence[SetHand]
    decisions: Sequence[Decision]
    usual: Flags | None


def most_usual(question: Question, hands: Sequence[SetHand], sizes: Sequence[int]) -> Flags | None:
    """Return the own label of most hands, if only labels are counted; otherwise None.

    Pairs with these hands are counted last: they are the rest of all pairs.
    """
    if question.house_way is not None or question.best:
        return None
    numbers: Counter[Flags] = Counter()
    for set_hand, size in zip(hands, sizes, strict=True):
        numbers[set_hand.own] += size
    return max(numbers, key=numbers.__getitem__)


def count_part(work: _Work, part: tuple[int, int]) -> list[Tallies]:
    """Count for every n-th multiset of ranks, from a first one."""
    first, step = part
    dealer = work.dealer
    players: dict[tuple[int, int], list[Player]] = {}
    hands: list[Dealt] = []
    group = -1
    for hand, set_hand in zip(work.classes, work.hands, strict=True):
        group += not hand.flush
        if group % step == first and set_hand.own != work.usual:
            player = Player(dealer, hand, set_hand, work.decisions)
            players.setdefault((encode_ranks(hand.counts), hand.jokers), []).append(player)
            hands.append((hand, set_hand, player))
    Sweeps(dealer, players, work.decisions).run()
    tallies: list[Tallies] = [{} for _ in work.decisions]
    if dealer.question.shows:
        for player, deals in iter_shown(dealer, hands, work.decisions):
            for decision, tally in zip(work.decisions, tallies, strict=True):
                decide_shown(player, decision, dealer.labels, deals, tally)
        return tallies
    for (_, jokers), group_players in players.items():
        dealt = comb(dealer.question.rules.jokers, jokers)
        for player in group_players:
            for decision, tally in zip(work.decisions, tallies, strict=True):
                decide(player, decision, dealer.labels, dealt, tally)
    return tallies


def decide(
    player: Player, decision: Decision, labels: Sequence[Flags], dealt: int, tally: Tallies
) -> None:
    """Add how the hands of a class fare, each played as is decided."""
    choices = player.choices(decision)
    for choice, packed in iter_choices(player, decision, labels, choices):
        way, action = choices[choice]
        fared = player.count_results(way, player.lanes(packed, len(labels)), len(labels))
        add(tally, (action, player.own), fared, dealt)


def decide_shown(
    player: Player,
    decision: Decision,
    labels: Sequence[Flags],
    deals: Mapping[int, int],
    tally: Tallies,
) -> None:
    """Add how the hands of a class fare against each shown card, each played as is decided."""
    choices = player.choices(decision)
    payoffs = [decision.worth(action, player.own, labels) for action in range(decision.actions)]
    weights = [player.weights(way, payoffs[action]) for way, action in choices]
    for packed, hands in deals.items():
        lanes = player.lanes(packed, len(labels))
        values = [sum(weight * lanes[lane] for lane, weight in part) for part in weights]
        way, action = choices[values.index(max(values))]
        fared = player.count_results(way, lanes, len(labels))
        add(tally, (action, player.own), fared, hands)


def add(tally: Tallies, key: tuple[int, Flags], fared: Sequence[Tally], times: int = 1) -> None:
    """Add pairs to a tally."""
    totals = tally.get(key, [Tally(0, 0, 0)] * len(fared))
    tally[key] = [
        Tally(*(old + times * new for old, new in zip(mine, more, strict=True)))
        for mine, more in zip(totals, fared, strict=True)
    ]


def iter_choices(
    player: Player,
    decision: Decision,
    labels: Sequence[Flags],
    choices: Sequence[tuple[int, int]],
) -> Iterator[tuple[int, int]]:
    """Yield the choices that are made, and the lanes of all hands that make each."""
    if player.fixed:
        yield 0, player.by_ranks
        return
    suits = player.suits
    if not suits.total:
        return  # with its jokers each hand of these ranks is a flush
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
    lanes_by_choice: dict[int, int] = {}
    for number, holding_places in suits.hands:
        first, second, third, fourth = (of_holding[place] for place in holding_places)
        sums = [
            a + b + c + d + e
            for a, b, c, d, e in zip(of_ranks, first, second, third, fourth, strict=True)
        ]
        best = sums.index(max(sums))
        packed = player.by_ranks + sum(player.by_holding[place] for place in holding_places)
        lanes_by_choice[best] = lanes_by_choice.get(best, 0) + number * packed
    yield from lanes_by_choice.items()


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
    rules = question.rules
    refuse_conditions([*question.labels, *question.own], set_by=question.house_way)
    if rules.decks > 1:
        raise Uncountable("a shoe of several decks")
    if question.shows and rules.jokers:
        raise Uncountable("a joker that the dealer may show")
    classes, hands, sizes = set_hands(question, rules, processes)
    theirs = classes, hands, sizes
    if rules.theirs != rules:
        theirs = set_hands(question, rules.theirs, processes)
    processes = (processes or processors()) if len(classes) > SMALL else 1
    dealer = Dealer(question, *theirs[:2])
    usual = most_usual(question, hands, sizes)
    steps = sum(
        rules.cards - jokers + 1 + len(Sweeps(dealer, {}).sets)
        for jokers in range(rules.jokers + 1)
    )
    results = run_parts(
        count_part,
        _Work(dealer, classes, hands, decisions, usual),
        [(first, processes) for first in range(processes)],
        processes=processes,
        steps=steps * processes,
        progress=progress,
    )
    tallies: list[Tallies] = [{} for _ in decisions]
    for counted in results:
        for total, tally in zip(tallies, counted, strict=True):
            for key, more in tally.items():
                add(total, key, more)
    others = comb(rules.deck.size - rules.cards, rules.theirs.cards)
    others *= rules.theirs.cards if question.shows else 1
    if usual is not None:
        dealt: Counter[Flags] = Counter()
        for set_hand, size in zip(theirs[1], theirs[2], strict=True):
            dealt[set_hand.label] += size
        mine = comb(rules.deck.size - rules.theirs.cards, rules.cards)
        for total in tallies:
            sums = [sum(line[at].total for line in total.values()) for at in range(len(dealt))]
            left = [dealt[label] * mine - n for label, n in zip(dealer.labels, sums, strict=True)]
            total[0, usual] = [Tally(number, 0, 0) for number in left]
    for total in tallies:
        every = sum(pairs.total for fared in total.values() for pairs in fared)
        if every != comb(rules.deck.size, rules.cards) * others:
            raise ArithmeticError("The pairs of hands do not sum to all there are.")
    uses: Counter[str] = Counter()
    for set_hand, size in zip(hands, sizes, strict=True):
        uses[set_hand.rule] += size
    return Counted(dealer.labels, tallies, +uses)
