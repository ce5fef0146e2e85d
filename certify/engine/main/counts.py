"""Counts of deals by result, for one option, house way and strategy of a main wager.

All options of a game with the same ties are counted in one pass: the dealer's hands are labeled by
the conditions of all options that they meet, and an option adds up labels. An option that depends
on the dealer's set hand has a separate pass. A concealed dealer and optimal play are the exception,
as the best split depends on the pays of the option.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

import numpy as np

from certify.engine.count_cache import cached_count
from certify.engine.deck import load_deck, workers
from certify.engine.house_way.audit import card_name, chosen_splits
from certify.engine.main.countable import (
    is_labeled,
    list_conditions,
    refuse_impossible,
    refuse_many_kinds,
    refuse_terms,
    scale_worths,
)
from certify.engine.main.dealer_labels import (
    Labeling,
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
from certify.engine.main.undivided import count_undivided_hands
from certify.model.analysis import CostlyHand, HouseWayUse
from certify.model.condition import Condition
from certify.model.encoding import Progress
from certify.model.game import JOKER, RANKS, Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager


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
    known: Labeling | None = None,
    progress: Progress | None = None,
) -> OutcomeCounts:
    """Count every deal of a main wager.

    ``player`` is the house way of a player who plays by one; the dealer's if None. With ``known``,
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
    return _per_label(option, play.conditions, count_by_label(play, known, progress))


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
                front_name(hand.house[1], dealt.shape.ranks),
                front_name(hand.best[1], dealt.shape.ranks),
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


def front_name(key: int, ranks: int) -> str:
    """Return the ranks of a low hand from its key, such as ``A-K``; ``Jk`` above an ace."""
    digits = [key >> (4 * place) & 15 for place in (4, 3, 2, 1, 0)]
    names = {digit: RANKS[len(RANKS) - ranks + digit - 1] for digit in range(1, ranks + 1)}
    return "-".join(names.get(digit, JOKER) for digit in digits if digit)
