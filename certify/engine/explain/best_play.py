"""What the best play of a wager with a raise or a fold does with one hand, and its exact worth.

The dealer's hands that the player's cards leave are counted class by class; every way to set the
hand and every action is weighed against all of them.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np

from certify.engine.divided import deal
from certify.engine.hands.conditions import predicate
from certify.engine.house_way.audit import chosen_splits
from certify.engine.house_way.one_hand import SetKeys, card_numbers
from certify.engine.main.labels import dealer_labels
from certify.engine.main.outcomes import DealCounts, read, settled
from certify.formatting import exact
from certify.kernels.partition.class_arrays import HandClasses, Integers, by_rank
from certify.model.condition import FeatureValue
from certify.model.explanation import FOLD, PlayChoice, PlayExplanation, SettingExplanation
from certify.model.game import SUITS, Game
from certify.model.house_way import HouseWay
from certify.model.main_wager import Action, HandBonus, MainWager, Outcome


def best_play(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    cards: Sequence[str],
    features: dict[str, FeatureValue],
    settings: Sequence[tuple[SettingExplanation, SetKeys]],
) -> PlayExplanation | None:
    """Weigh every action with a hand; None where the wager leaves the player no action.

    ``features`` are those of the player's hand. Of equal worths the first is the best: of settings
    the higher high hand, of actions the smaller wager.

    Raises:
        NotConfigured: the dealer's hands cannot be counted, or the house way cannot be used.
    """
    if option.raise_ is None:
        return None
    against = _Dealer(option, game, house_way, cards)
    bonus = next(
        (
            each
            for each in option.bonus
            if predicate(each.when, tuple(features))(tuple(features.values()))
        ),
        None,
    )
    legal = [(setting, keys) for setting, keys in settings if setting.legal]
    house = next((setting, keys) for setting, keys in legal if setting.chosen)
    choices = [against.choice(action, *house, bonus) for action in option.actions]
    chosen = max(choices, key=lambda choice: choice.worth)
    every = [against.choice(action, *each, bonus) for each in legal for action in option.actions]
    best = max(every, key=lambda choice: choice.worth)
    return PlayExplanation(
        chosen=chosen,
        choices=tuple(choices),
        dealer_hands=against.total,
        better_setting=best if best.worth > chosen.worth else None,
    )


class _Dealer:
    """Every hand that the dealer can hold beside the player's, as the house way sets it."""

    def __init__(
        self, option: MainWager, game: Game, house_way: HouseWay, cards: Sequence[str]
    ) -> None:
        conditions = [rule.when for rule in option.dealer_rules]
        if option.raise_ is not None:
            conditions.append(option.raise_.qualifies)
        shape, classes, splits = deal(game.hands)
        self.option = option
        self.labels, self.truths = dealer_labels(game.hands, conditions, house_way)
        split = chosen_splits(house_way, classes, splits).split
        rows = np.arange(len(split))
        self.backs, self.fronts = splits.high[rows, split], splits.low[rows, split]
        self.left = hands_left(classes, card_numbers(shape, cards))
        self.total = comb(game.hands.deck.cards - shape.hand, shape.hand)

    def choice(
        self,
        action: Action,
        setting: SettingExplanation,
        keys: SetKeys,
        bonus: HandBonus | None,
    ) -> PlayChoice:
        """Return what an action is worth on average, per unit of the main wager."""
        option, worth = self.option, Fraction(0)
        back, front = np.sign(keys.back - self.backs), np.sign(keys.front - self.fronts)
        ends = [[option.ties.outcome(high, low) for low in (-1, 0, 1)] for high in (-1, 0, 1)]
        for label, truth in enumerate(self.truths):
            of_label = np.where(self.labels == label, self.left, 0)
            tally = dict.fromkeys(Outcome, 0)
            for high in (-1, 0, 1):
                for low in (-1, 0, 1):
                    hands = of_label[(back == high) & (front == low)].sum()
                    tally[ends[high + 1][low + 1]] += int(hands)
            rule, qualifies = read(option, truth)
            counts = DealCounts(sum(tally.values()), tally[Outcome.WIN], tally[Outcome.LOSE])
            worth += sum(
                outcome.net * outcome.deals
                for outcome in settled(
                    option, rule, counts, action=action, qualifies=qualifies, bonus=bonus
                )
            )
        return PlayChoice(
            action=_kind(action),
            name=_name(option, action),
            size=action.size,
            worth=worth / self.total,
            setting=setting,
        )


def hands_left(classes: HandClasses, gone: Sequence[int]) -> Integers:
    """Return how many hands of each class hold none of some cards."""
    shape = classes.shape
    suits = len(SUITS)
    free = np.ones((suits, shape.ranks), dtype=np.int64)
    natural = [card for card in gone if card < suits * shape.ranks]
    for card in natural:
        free[card % suits, card // suits] = 0
    chosen = np.array([[comb(n, k) for k in range(16)] for n in range(suits + 1)])
    ranks = np.arange(shape.ranks)
    spare = shape.joker - (len(gone) - len(natural))
    jokers = np.array([comb(spare, held) for held in range(shape.joker + 1)])[classes.joker]
    left: Integers = chosen[free.sum(axis=0)[ranks], by_rank(classes.counts, shape.ranks)].prod(
        axis=1
    )
    left *= jokers
    flushes = slice(classes.rank_classes, None)
    suited = ((classes.flush[flushes, None] >> ranks) & 1).astype(bool)
    others = by_rank(classes.others[flushes], shape.ranks)
    made: Integers = np.zeros(len(others), dtype=np.int64)
    for suit in range(suits):
        beside = free.sum(axis=0) - free[suit]
        whole = (~suited | (free[suit] == 1)).all(axis=1)
        made += whole * chosen[beside[ranks], others].prod(axis=1)
    left[flushes] = made * jokers[flushes]
    # A rank class is without its flushes, which are classes of their own.
    np.subtract.at(left, classes.rank_class[flushes], left[flushes])
    return left


def _kind(action: Action) -> str:
    if action.folded:
        return FOLD
    if not action.size:
        return "no_raise"
    return "largest_raise" if action.largest else "raise"


def _name(option: MainWager, action: Action) -> str:
    """Return what an action is called: ``fold``, ``Play``, ``no Double Down``."""
    raised = option.raise_
    if action.folded or raised is None:
        return FOLD
    if not action.size:
        return f"no {raised.name}"
    return f"{raised.name} {exact(action.size)}x" if raised.largest is not None else raised.name
