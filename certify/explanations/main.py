"""Explain a hand of the main wager: house way or best play, and the result against the dealer."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from certify.engine.deck import build_shape, load_deck
from certify.engine.hands.cards import part_features
from certify.engine.house_way.audit import SetKeys, Split, card_numbers, chosen_splits, set_hand
from certify.engine.main.dealer_labels import dealer_labels
from certify.engine.main.outcomes import DealCounts, read, split_outcomes
from certify.explanations.bonus import read_cards
from certify.explanations.hands import sort_cards
from certify.explanations.settlement import dealer_rule_trials, read_own, settle
from certify.formatting import plain
from certify.kernels.class_arrays import HandClasses, Integers, unpack_ranks
from certify.kernels.features import Shape
from certify.kernels.subsets import count_left
from certify.model.condition import FeatureValue, part_feature
from certify.model.explanation import (
    FOLD,
    BestPlay,
    MainExplanation,
    PlayChoice,
    PlayExplanation,
    SetExplanation,
    SettingExplanation,
    Settlement,
)
from certify.model.game import SUITS, Game, HandRules, Strategy, deck_cards
from certify.model.house_way import HouseWay, nothing_set
from certify.model.main_wager import Action, MainWager, Outcome, OwnHand
from certify.model.vocabulary import HandPart
from certify.words.rankings import ranking_words


def best_play(
    option: MainWager,
    game: Game,
    house_way: HouseWay,
    mine: "ExplainedHand",
    shown: Sequence[str],
) -> PlayExplanation | None:
    """Evaluate every action with a hand; None if the wager leaves the player no action.

    ``shown`` are the cards of the dealer that are seen. Of equal worths the first is the best: of
    settings the higher high hand, of actions the smaller wager.

    Raises:
        NotConfigured: the dealer's hands cannot be counted, or the house way cannot be used.
    """
    if option.raise_ is None:
        return None
    against = _Dealer(option, game, house_way, mine.explanation.hand.cards, shown)
    own_cards = read_own(option, mine.features)
    settings = mine.explanation.settings or (mine.explanation.chosen,)
    actions = [action for action in option.actions if own_cards.may_enlarge or not action.largest]
    ways = zip(settings, mine.keys, strict=True)
    legal = [(setting, keys) for setting, keys in ways if setting.legal]
    house = next((setting, keys) for setting, keys in legal if setting.chosen)
    choices = [against.choice(action, *house, own_cards) for action in actions]
    chosen = max(choices, key=lambda choice: choice.worth)
    every = [against.choice(action, *each, own_cards) for each in legal for action in actions]
    best = max(every, key=lambda choice: choice.worth)
    return PlayExplanation(
        chosen=chosen,
        choices=tuple(choices),
        dealer_hands=against.total,
        better_setting=best if best.worth > chosen.worth else None,
    )


class _Dealer:
    """All dealer hands that are possible with the player's cards gone, set by the house way."""

    def __init__(
        self,
        option: MainWager,
        game: Game,
        house_way: HouseWay,
        cards: Sequence[str],
        shown: Sequence[str],
    ) -> None:
        conditions = [rule.when for rule in option.dealer_rules]
        if option.raise_ is not None:
            conditions.append(option.raise_.qualifies)
        divided, deck = game.hands.shape.is_divided, game.hands.deck
        rules = game.hands if divided else game.hands.compared
        shape, classes, splits = load_deck(rules)
        self.option = option
        self.labels, self.truths = dealer_labels(rules, conditions, house_way)
        if divided:
            split = chosen_splits(house_way, classes, splits).split
            rows = np.arange(len(split))
            self.backs, self.fronts = splits.high[rows, split], splits.low[rows, split]
            self.left = hands_left(classes, card_numbers(shape, cards))
        else:
            left: dict[str, list[int]] = {}
            for number, card in enumerate(deck_cards(deck)):
                left.setdefault(card, []).append(number)
            gone, seen = ([left[card].pop() for card in side] for side in (cards, shown))
            self.backs, self.fronts = splits.high[:, 0], splits.low[:, 0]
            self.left = count_left(
                classes, self.backs.astype(np.int64), gone, seen, game.hands.shape.dealer
            )
        self.total = int(self.left.sum())

    def choice(
        self,
        action: Action,
        setting: SettingExplanation,
        keys: SetKeys,
        own_hand: OwnHand,
    ) -> PlayChoice:
        """Return the average result of an action, per unit of the main wager."""
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
                for outcome in split_outcomes(
                    option, rule, counts, action=action, qualifies=qualifies, own_hand=own_hand
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
    """Return the number of hands of each class that hold none of some cards."""
    shape = classes.shape
    suits = len(SUITS)
    free = np.ones((suits, shape.ranks), dtype=np.int64)
    natural = [card for card in gone if card < suits * shape.ranks]
    for card in natural:
        free[card % suits, card // suits] = 0
    chosen = np.array([[comb(n, k) for k in range(16)] for n in range(suits + 1)])
    ranks = np.arange(shape.ranks)
    spare = shape.joker - (len(gone) - len(natural))
    jokers = np.array([comb(spare, number) for number in range(shape.joker + 1)])[classes.joker]
    left: Integers = chosen[
        free.sum(axis=0)[ranks], unpack_ranks(classes.counts, shape.ranks)
    ].prod(axis=1)
    left *= jokers
    flushes = slice(classes.rank_classes, None)
    suited = ((classes.flush[flushes, None] >> ranks) & 1).astype(bool)
    others = unpack_ranks(classes.others[flushes], shape.ranks)
    ways: Integers = np.zeros(len(others), dtype=np.int64)
    for suit in range(suits):
        outside = free.sum(axis=0) - free[suit]
        whole = (~suited | (free[suit] == 1)).all(axis=1)
        ways += whole * chosen[outside[ranks], others].prod(axis=1)
    left[flushes] = ways * jokers[flushes]
    # A rank class excludes its flushes, which are separate classes.
    np.subtract.at(left, classes.rank_class[flushes], left[flushes])
    return left


def _kind(action: Action) -> str:
    if action.folded:
        return FOLD
    if not action.size:
        return "no_raise"
    return "largest_raise" if action.largest else "raise"


def _name(option: MainWager, action: Action) -> str:
    """Return the name of an action: ``fold``, ``Play``, ``no Double Down``."""
    raised = option.raise_
    if action.folded or raised is None:
        return FOLD
    if not action.size:
        return f"no {raised.name}"
    return f"{raised.name} {plain(action.size)}x" if raised.largest is not None else raised.name


class ExplainedHand(Struct, frozen=True, kw_only=True):
    """One side's hand: the explanation, and the keys of every way to set it, in its order.

    ``as_set`` are the features of the two hands that the house way sets.
    """

    explanation: SetExplanation
    keys: tuple[SetKeys, ...]
    chosen: SetKeys
    as_set: Mapping[str, FeatureValue]

    @property
    def features(self) -> Mapping[str, FeatureValue]:
        """The features of all the cards, and of the two hands as they are set."""
        whole = {feature.name: feature.value for feature in self.explanation.hand.features}
        return {**whole, **self.as_set}


def explain_setting(game: Game, house_way: HouseWay, cards: Sequence[str]) -> ExplainedHand:
    """Explain how the house way sets a hand, with the deciding rule and every other setting.

    Raises:
        NotReadable: the cards are not a hand of this deck.
        NotConfigured: the house way cannot be used for this hand.
    """
    if not game.hands.shape.is_divided:
        return _explain_undivided(game.hands.compared, sort_cards(cards))
    shape, cards = build_shape(game.hands), sort_cards(cards)
    hand = set_hand(house_way, shape, cards)
    rule = hand.rule
    return ExplainedHand(
        explanation=SetExplanation(
            hand=read_cards(cards, game.hands),
            house_way=house_way.id,
            section=hand.section.title,
            rule=rule.id,
            text=hand.text,
            source=rule.source,
            chosen=_describe_split(hand.split, shape),
            settings=tuple(_describe_split(split, shape) for split in hand.splits),
            sent_by=hand.sent_by,
            passed_over=hand.passed_over,
            assumption=rule.assumption.text if rule.assumption else "",
        ),
        keys=tuple(split.keys for split in hand.splits),
        chosen=hand.split.keys,
        as_set={
            part_feature(part, name): value
            for part, part_cards in (
                (HandPart.HIGH_HAND, hand.split.back),
                (HandPart.LOW_HAND, hand.split.front),
            )
            for name, value in part_features(part_cards, game.hands, part).items()
        },
    )


def _explain_undivided(hands: HandRules, cards: Sequence[str]) -> ExplainedHand:
    """Explain a hand that is not divided: its best cards and their features."""
    shape, way = build_shape(hands), nothing_set(hands.shape.cards)
    every = (set_hand(way, shape, best) for best in combinations(cards, hands.shape.cards))
    hand = max(every, key=lambda each: each.split.keys.back)
    reading = read_cards(hand.split.back, hands)
    if len(cards) > hands.shape.cards:
        reading = replace(reading, cards=tuple(cards), high_hand=reading.cards)
    return ExplainedHand(
        explanation=SetExplanation(hand=reading, chosen=_describe_split(hand.split, shape)),
        keys=(hand.split.keys,),
        chosen=hand.split.keys,
        as_set={},
    )


def _describe_split(split: Split, shape: Shape) -> SettingExplanation:
    return SettingExplanation(
        back=sort_cards(split.back),
        front=sort_cards(split.front),
        back_is=ranking_words(split.keys.back, shape),
        front_is=ranking_words(split.keys.front, shape),
        legal=split.legal,
        chosen=split.chosen,
    )


def explain_main(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    player: Sequence[str],
    dealer: Sequence[str] | None = None,
    seen: bool = False,
    weighed: bool = False,
) -> MainExplanation:
    """Explain how a hand is set and, against a dealer's hand, the result under one option.

    If the dealer's hand is exposed, or ``seen`` afterwards, the best setting against it is given
    too. If ``weighed``, the player raises or folds as is best on average. Otherwise, as in worked
    examples, a raise is settled as if it was made. Of a dealer's hand of which the player sees a
    card, that is the first one; the others may be missing.

    Raises:
        NotReadable: the cards are not hands of this deck.
        NotConfigured: the house way cannot be used for them.
    """
    mine = explain_setting(game, house_way, player)
    shown = (dealer or ())[: game.hands.shape.dealer_shows]
    play = best_play(option, game, house_way, mine, shown) if weighed else None
    if dealer is None or len(dealer) < game.hands.shape.dealer:
        return MainExplanation(target=option.target, player=mine.explanation, play=play)
    theirs = explain_setting(game, house_way, dealer)
    return against(option, game=game, player=mine, dealer=theirs, seen=seen, play=play)


def against(
    option: MainWager,
    *,
    game: Game,
    player: ExplainedHand,
    dealer: ExplainedHand,
    seen: bool = False,
    play: PlayExplanation | None = None,
) -> MainExplanation:
    """Settle a round of two hands that are set by the house way; ``seen`` as in `explain_main`.

    With ``play`` the player acts so; without it a raise is settled as if it was made.
    """
    shape, divided = build_shape(game.hands), game.hands.shape.is_divided
    shown = seen or game.dealer_exposed

    def ends(keys: SetKeys) -> Settlement:
        return settle(
            option,
            shape=shape,
            dealer_features=dealer.features,
            dealer=dealer.chosen,
            player=keys,
            features=player.features,
            played=play.chosen if play is not None else None,
        )

    folded = play is not None and play.chosen.action == FOLD
    settlement = ends(player.chosen)
    return MainExplanation(
        target=option.target,
        player=player.explanation,
        play=play,
        dealer=dealer.explanation,
        dealer_rules=() if folded else dealer_rule_trials(option, dealer.features, game.hands),
        settlement=settlement,
        best=_best(player, settlement, ends) if divided and shown else None,
        strategy=Strategy.HOUSE_WAY if divided else None,
    )


def _best(
    player: ExplainedHand, house: Settlement, ends: Callable[[SetKeys], Settlement]
) -> BestPlay:
    """Return the best legal setting: of equal ones the house way's, or else the highest."""
    best_net, best = house.net, None
    for place, setting in enumerate(player.explanation.settings):
        if setting.legal and (net := ends(player.keys[place]).net) > best_net:
            best_net, best = net, place
    if best is None:
        chosen = player.explanation.chosen
        return BestPlay(setting=chosen, settlement=house, better_than_house_way=False)
    return BestPlay(
        setting=player.explanation.settings[best],
        settlement=ends(player.keys[best]),
        better_than_house_way=best_net > house.net,
    )
