"""Counts of deals by result, for one option, house way and strategy; hands divided or not.

All options of a game with the same ties are counted in one pass: the dealer's hands are labeled by
the conditions of all options that they meet, and an option adds up labels. An option that depends
on the dealer's set hand has a separate pass. A concealed dealer and optimal play are the exception,
as the best split depends on the pays of the option.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from certify.engine.count_cache import cached_count
from certify.engine.deck import load_deck, workers
from certify.engine.house_way.audit import card_name, chosen_splits
from certify.engine.main.countable import (
    find_unit,
    is_labeled,
    list_conditions,
    refuse_impossible,
    refuse_many_kinds,
    refuse_terms,
    scale_worths,
)
from certify.engine.main.dealer_labels import (
    Labeling,
    Truth,
    build_regions,
    count_by_label,
    dealer_labels,
)
from certify.engine.main.kinds import changed_kinds, played_kinds
from certify.engine.main.outcomes import (
    DealCounts,
    OutcomeCount,
    OutcomeCounts,
    merge_outcomes,
    read,
    split_outcomes,
    stake_units,
)
from certify.model.analysis import Boundary, BoundaryHand, CostlyHand, HouseWayUse
from certify.model.condition import Condition
from certify.model.encoding import Progress
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import (
    Action,
    HandPay,
    MainWager,
    Outcome,
    OutcomeReason,
    Ties,
)
from certify.words.rankings import front_name, ranking_words, short_ranks

if TYPE_CHECKING:
    from certify.kernels.features import Shape

RESULTS = (1, 0, -1)
"""The signs of a comparison: the player's hand is higher, equal, lower."""


class Played(NamedTuple):
    """Hands of one rank, by action: how many are played so, and what the action is worth on all.

    ``best`` is what the best actions are worth. Worths are sums over deals, per unit of the wager.
    """

    key: int
    hands: Sequence[int]
    worth: Sequence[Fraction]
    best: Fraction


def count_undivided_hands(
    option: MainWager, game: Game, progress: Progress | None = None
) -> OutcomeCounts:
    """Count every deal of a main wager whose hands are not divided.

    Raises:
        NotConfigured: no hand of the dealer can qualify for the raise, or its pays are too fine.
    """
    counted = cached_count(
        ("undivided", game.hands, option), lambda: _count(option, game, progress)
    )
    truths, owns = counted["truths"], counted["own"]
    outcomes: list[OutcomeCount] = []
    for own_label, action, label, deals in counted["outcomes"]:
        rule, qualifies = read(option, truths[label])
        outcomes += split_outcomes(
            option,
            rule,
            _tally(deals, option.ties),
            action=option.actions[action],
            qualifies=qualifies,
            own_hand=option.read_own(owns[own_label]),
        )
    played = [
        Played(key, hands, [Fraction(each, counted["unit"]) for each in worth],
               Fraction(best, counted["unit"]))
        for key, hands, worth, best in counted["keys"]
    ]  # fmt: skip
    lines = [
        (0, action, kind, number)
        for (_, hands, *_), kind in zip(counted["keys"], counted["kinds"], strict=True)
        for action, number in enumerate(hands)
    ]
    total = sum(outcome.deals for outcome in outcomes)
    outcomes.sort(key=lambda outcome: _place_own_pays(option, outcome.reason))
    return OutcomeCounts(
        total=total,
        outcomes=merge_outcomes(outcomes),
        uses=(),
        played=played_kinds(lines, option, game, Strategy.OPTIMAL),
        boundary=_find_boundary(played, option, game, total),
    )


def _place_own_pays(option: MainWager, reason: OutcomeReason) -> list[int]:
    """Return the places of the pays for the own hand in their lists; a hand without one is last."""
    met: tuple[tuple[Sequence[HandPay], str | None], ...] = (
        (option.raise_pays, reason.raise_pay),
        (option.companion_pays, reason.companion_pay),
        (option.bonus, reason.bonus),
    )
    places = [
        {entry.id: place for place, entry in enumerate(entries)}.get(name or "", len(entries))
        for entries, name in met
    ]
    return [*places, -int(reason.largest), int(reason.rule is not None)]


def _count(option: MainWager, game: Game, progress: Progress | None) -> dict[str, Any]:
    from certify.kernels.set_kinds import split_kinds
    from certify.kernels.undivided import count_undivided, prepare

    conditions = list_conditions(option, game=game, strategy=Strategy.OPTIMAL)
    hands, dealt = game.hands.compared, game.hands.shape
    _, classes, splits = load_deck(hands)
    label, truths = dealer_labels(hands, conditions)
    refuse_impossible(option, truths)
    own_labels, owns = dealer_labels(hands, option.own_conditions)
    keys, key = np.unique(splits.high[:, 0], return_inverse=True)
    worth = [
        [
            [[_net(option, truth, action, mine, result) for result in RESULTS] for truth in truths]
            for action in option.actions
        ]
        for mine in owns
    ]
    flat = [net for of in worth for each in of for line in each for net in line]
    unit = find_unit(option, flat, game.hands.deals)
    units = np.array([int(net * unit) for net in flat], dtype=np.int64)
    plan = prepare(
        classes,
        key.ravel(),
        label,
        own_labels,
        units.reshape(len(owns), len(option.actions), len(truths), len(RESULTS)),
        np.array(
            [
                [
                    option.read_own(mine).may_enlarge or not action.largest
                    for action in option.actions
                ]
                for mine in owns
            ]
        ),
        player=dealt.cards,
        dealer=dealt.dealer,
        seen=dealt.dealer_shows > 0,
    )
    with ThreadPoolExecutor(workers()) as executor:
        tally = count_undivided(plan, executor=executor, progress=progress)
    places = np.argwhere(tally.outcome.any(axis=3)).tolist()
    return {
        "truths": [list(truth) for truth in truths],
        "own": [list(mine) for mine in owns],
        "outcomes": [[*place, tally.outcome[tuple(place)].tolist()] for place in places],
        "unit": unit,
        "keys": [
            [int(name), hands.tolist(), worths.tolist(), int(best)]
            for name, hands, worths, best in zip(
                keys, tally.hands, tally.worth, tally.best, strict=True
            )
        ],
        "kinds": split_kinds(keys, np.zeros_like(keys)).tolist(),
    }


def _net(
    option: MainWager, truth: Truth, action: Action, own_truth: Truth, result: int
) -> Fraction:
    """Return the net of a round, per unit of the main wager."""
    rule, qualifies = read(option, truth)
    deals = [int(result == each) for each in RESULTS]
    ended = split_outcomes(
        option,
        rule,
        _tally(deals, option.ties),
        action=action,
        qualifies=qualifies,
        own_hand=option.read_own(own_truth),
    )
    return sum((outcome.net * outcome.deals for outcome in ended), Fraction(0))


def _tally(deals: Sequence[int], ties: Ties) -> DealCounts:
    """Return the deals by outcome from those by the sign of the comparison."""
    of = dict.fromkeys(Outcome, 0)
    for sign, number in zip(RESULTS, deals, strict=True):
        of[ties.outcome(sign, 0)] += number
    return DealCounts(sum(deals), of[Outcome.WIN], of[Outcome.LOSE])


def _find_boundary(
    played: Sequence[Played], option: MainWager, game: Game, total: int
) -> Boundary | None:
    """Return the lowest hands from which every hand is raised, and the cost of raising from there.

    Of several sizes, each has its own lowest hand: every hand from there takes it or a larger one.
    A hand that may not be raised at the largest size takes the smallest there.
    """
    if len(option.actions) == 1:
        return None
    shape = load_deck(game.hands.compared).shape
    actions = range(1, len(option.actions))
    certain = [*accumulate((_certain(played, action, option) for action in actions), max)]
    cheapest = [_cheapest(played, action, certain[action - 1]) for action in actions]
    if cheapest != sorted(cheapest):
        cheapest = certain
    costs = [
        sum(
            (
                each.best - each.worth[action]
                for action, (first, last) in enumerate(pairwise((0, *from_, len(played))))
                for each in played[first:last]
            ),
            Fraction(0),
        )
        / (total * stake_units(option))
        for from_ in (certain, cheapest)
    ]
    return Boundary(
        hands=tuple(_name_boundary(option, played, certain, shape)),
        cost=costs[0],
        cheapest=tuple(_name_boundary(option, played, cheapest, shape)),
        least_cost=costs[1],
        seen=game.hands.shape.dealer_shows > 0,
    )


def _certain(played: Sequence[Played], action: int, option: MainWager) -> int:
    """Return the lowest rank from which each hand that may be is played so, or larger."""
    limited = action > 1 and option.raise_ is not None and option.raise_.largest_when is not None
    # Where a hand may not be raised so, the worth is that of the smaller raise.
    first = max(
        (
            at
            for at, each in enumerate(played, 1)
            if any(each.hands[:action]) and not (limited and each.worth[action] == each.best)
        ),
        default=0,
    )
    places = range(first, len(played))
    return next((at for at in places if any(played[at].hands[action:])), len(played))


def _cheapest(played: Sequence[Played], action: int, certain: int) -> int:
    """Return the lowest rank from which an action instead of the one before is worth most.

    It is not above the rank from which each hand is played so at best: there, each hand may be.
    """
    gains = [each.worth[action] - each.worth[action - 1] for each in played[:certain]]
    sums = [*accumulate(reversed(gains), initial=Fraction(0))]
    return certain - max(range(len(sums)), key=lambda number: (sums[number], -number))


def _name_boundary(
    option: MainWager, played: Sequence[Played], from_: Sequence[int], shape: "Shape"
) -> Iterator[BoundaryHand]:
    for action, place in zip(option.actions[1:], from_, strict=True):
        at = played[place].key if place < len(played) else None
        yield BoundaryHand(
            action=action.key,
            hand=ranking_words(at, shape) if at is not None else "",
            ranks=short_ranks(at, shape) if at is not None else "",
            hands=sum(sum(each.hands) for each in played[place:]),
        )


class Ways(NamedTuple):
    """The dealer's house way, and that of a player who plays by one."""

    dealer: HouseWay
    player: HouseWay


def outcome_counts(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    player: HouseWay | None = None,
    base: Labeling | None = None,
    progress: Progress | None = None,
) -> OutcomeCounts:
    """Count every deal of a main wager.

    ``player`` is the house way of a player who plays by one; the dealer's if None. With ``base``,
    a play with cached counts, only the deals that differ are counted, if that gives the same
    counts.

    Raises:
        NotConfigured: the house way is not valid, the game has a raise and an exposed dealer, or no
            hand of the dealer can qualify for the raise.
    """
    refuse_terms(option, game=game, strategy=strategy)
    if not game.hands.shape.is_divided:
        return count_undivided_hands(option, game, progress)
    if not is_labeled(option, game=game, strategy=strategy):
        ways = Ways(house_way, player or house_way)
        return _per_hand(option, game, ways, strategy, progress)
    play = label_play(option, game=game, house_way=house_way, strategy=strategy, player=player)
    return _per_label(option, play.conditions, count_by_label(play, base, progress))


def label_play(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    player: HouseWay | None = None,
) -> Labeling:
    """Return the settings, strategies and dealer rules that an option is counted with.

    See `outcome_counts` for the arguments.
    """
    return Labeling(
        game.hands,
        list_conditions(option, game=game, strategy=strategy),
        house_way,
        strategy,
        player if player and strategy is Strategy.HOUSE_WAY else house_way,
        option.ties,
    )


def _per_label(
    option: MainWager, conditions: Sequence[Condition], counted: dict[str, Any]
) -> OutcomeCounts:
    """Add up the labels of one option; all options of the game are counted in one pass."""
    outcomes: list[OutcomeCount] = []
    for truths, *counts in counted["labels"]:
        holds = dict(zip(conditions, truths, strict=True))
        rule = next((rule for rule in option.dealer_rules if holds[rule.when]), None)
        outcomes += split_outcomes(option, rule, DealCounts(*counts))
    return OutcomeCounts(
        total=sum(label[1] for label in counted["labels"]),
        outcomes=merge_outcomes(outcomes),
        uses=tuple(HouseWayUse(rule=rule, hands=hands) for rule, hands in counted["uses"]),
    )


def _per_hand(
    option: MainWager,
    game: Game,
    ways: Ways,
    strategy: Strategy,
    progress: Progress | None,
) -> OutcomeCounts:
    """Count one option hand by hand, each set and raised as is best for it."""
    counted = cached_count(
        ("hand by hand", game.hands, option, *ways),
        lambda: _count_hands(option, game, ways, progress),
    )
    stake = stake_units(option)
    outcomes: list[OutcomeCount] = []
    play = counted["optimal" if strategy is Strategy.OPTIMAL else "house"]
    for action, channels in zip(option.actions, play, strict=True):
        for truths, (win, lose, total) in zip(counted["truths"], channels, strict=True):
            rule, qualifies = read(option, truths)
            tally = DealCounts(total, win, lose)
            outcomes += split_outcomes(option, rule, tally, action=action, qualifies=qualifies)
    return OutcomeCounts(
        total=sum(outcome.deals for outcome in outcomes),
        outcomes=merge_outcomes(outcomes),
        uses=tuple(
            HouseWayUse(
                rule=rule,
                hands=hands,
                differs_from_optimal=differs,
                cost=Fraction(cost, counted["scale"]) / stake,
            )
            for rule, hands, differs, cost in counted["uses"]
        ),
        costly_hands=tuple(
            CostlyHand(
                cards=tuple(cards),
                house_front=house,
                best_front=best,
                cost=Fraction(cost, scale) / stake,
            )
            for cards, house, best, cost, scale in counted["worst"]
        ),
        played=played_kinds(counted["played"], option, game, strategy),
        changed=changed_kinds(counted["changed"], game, counted["scale"] * stake),
    )


def _count_hands(
    option: MainWager, game: Game, ways: Ways, progress: Progress | None
) -> dict[str, Any]:
    dealt = load_deck(game.hands)
    from certify.kernels.concealed import count_concealed
    from certify.kernels.events import set_hands
    from certify.kernels.optimal_plan import Worth

    conditions = list_conditions(option, game=game, strategy=Strategy.OPTIMAL)
    labels, truths = dealer_labels(game.hands, conditions, ways.dealer)
    refuse_impossible(option, truths)
    refuse_many_kinds(truths)
    dealer, way = (chosen_splits(each, dealt.classes, dealt.splits) for each in ways)
    unit, worth = scale_worths(option, truths, game.hands.deals)
    house = _count_house_way(option, game, ways, truths, progress)
    with ThreadPoolExecutor(workers()) as executor:
        counts = count_concealed(
            dealt.classes,
            dealt.splits,
            set_hands(dealt.splits, dealer.split, labels),
            way.split.astype(np.int64),
            way.rule.astype(np.int64),
            [
                Worth(*(tuple(int(w * unit) for w in row) for row in zip(*each, strict=True)))
                for each in worth
            ],
            regions=build_regions(option.ties),
            house=house,
            executor=executor,
            progress=progress,
        )
    pairs = sum(total for action in counts.optimal for _, _, total in action)
    cards_left = game.hands.deck.cards - dealt.shape.hand
    # The kernel returns the rules up to the last one that decides a hand.
    idle = (0,) * (len(way.uses) - len(counts.rule_hands))
    return {
        "truths": [list(truth) for truth in truths],
        "optimal": [[list(channel) for channel in action] for action in counts.optimal],
        "house": [[list(channel) for channel in action] for action in counts.house],
        "scale": pairs * unit,
        "worst": [
            [
                [card_name(card, dealt.shape) for card in hand.cards],
                front_name(hand.house[1], dealt.shape),
                front_name(hand.best[1], dealt.shape),
                hand.cost,
                unit * comb(cards_left, dealt.shape.hand),
            ]
            for hand in counts.worst
        ],
        "played": counts.played,
        "changed": counts.changed,
        "uses": [
            [use.rule, use.decided, hands, cost]
            for use, hands, cost in zip(
                way.uses, (*counts.rule_hands, *idle), (*counts.rule_cost, *idle), strict=True
            )
        ],
    }


def _count_house_way(
    option: MainWager, game: Game, ways: Ways, truths: Sequence[Truth], progress: Progress | None
) -> list[list[int]] | None:
    """Count the deals under the player's house way, by the truth of the option's conditions.

    Returns:
        For each truth the deals won, lost and all; None if a raise has to be weighed.
    """
    if not is_labeled(option, game=game, strategy=Strategy.HOUSE_WAY):
        return None
    play = label_play(
        option, game=game, house_way=ways.dealer, strategy=Strategy.HOUSE_WAY, player=ways.player
    )
    sums = {truth: [0, 0, 0] for truth in truths}
    for truth, total, win, lose in count_by_label(play, None, progress)["labels"]:
        holds = dict(zip(play.conditions, truth, strict=True))
        of = sums[tuple(holds[rule.when] for rule in option.dealer_rules)]
        for place, deals in enumerate((win, lose, total)):
            of[place] += deals
    return list(sums.values())
