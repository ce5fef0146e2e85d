"""How a concrete hand is set by a house way, and how it fares against the dealer's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from certify.engine.divided import shape_of
from certify.engine.explain.best_play import best_play
from certify.engine.explain.bonus import read_cards
from certify.engine.explain.ranking_words import ranking_words
from certify.engine.explain.settlement import dealer_rule_trials, settle
from certify.engine.explain.words import in_order
from certify.engine.hands.features import part_features
from certify.engine.house_way.one_hand import HandAsSet, SetKeys, Split, set_hand
from certify.kernels.partition.features import Shape
from certify.model.condition import FeatureValue, part_feature
from certify.model.explanation import (
    FOLD,
    BestPlay,
    MainExplanation,
    PlayExplanation,
    SetExplanation,
    SettingExplanation,
    Settlement,
)
from certify.model.game import Game, HandRules, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.vocabulary import HandPart


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedHand:
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
    """Say how the house way sets a hand, by which rule, and every other way to set it.

    Raises:
        NotReadable: the cards are not a hand of this deck.
        NotConfigured: the house way cannot be used for this hand.
    """
    shape, cards = shape_of(game.hands), in_order(cards)
    hand = set_hand(house_way, shape, cards)
    if not game.hands.shape.divided:
        return _undivided(hand, game, cards)
    rule = hand.rule
    return ExplainedHand(
        explanation=SetExplanation(
            hand=read_cards(cards, game.hands),
            house_way=house_way.id,
            section=hand.section.title,
            rule=rule.id,
            text=hand.text,
            source=rule.source,
            chosen=_in_words(hand.chosen, shape),
            settings=tuple(_in_words(split, shape) for split in hand.splits),
            sent_by=hand.sent_by,
            passed_over=hand.passed_over,
            assumption=rule.assumption.text if rule.assumption else "",
        ),
        keys=tuple(split.keys for split in hand.splits),
        chosen=hand.chosen.keys,
        as_set=_features_as_set(hand.chosen, game.hands),
    )


def _undivided(hand: HandAsSet, game: Game, cards: Sequence[str]) -> ExplainedHand:
    """Say what a hand that is not divided is."""
    return ExplainedHand(
        explanation=SetExplanation(
            hand=read_cards(cards, game.hands), chosen=_in_words(hand.chosen, shape_of(game.hands))
        ),
        keys=(hand.chosen.keys,),
        chosen=hand.chosen.keys,
        as_set={},
    )


def _features_as_set(split: Split, hands: HandRules) -> dict[str, FeatureValue]:
    return {
        part_feature(part, name): value
        for part, cards in ((HandPart.HIGH_HAND, split.back), (HandPart.LOW_HAND, split.front))
        for name, value in part_features(cards, hands, part).items()
    }


def _in_words(split: Split, shape: Shape) -> SettingExplanation:
    return SettingExplanation(
        back=in_order(split.back),
        front=in_order(split.front),
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
    """Say how a hand is set and, against a dealer's hand, how the round ends under one option.

    Where the game exposes the dealer's hand, or it is ``seen`` afterwards, the best setting against
    it is given too. A raise or a fold is ``weighed``: the player does what is best on average.
    Otherwise, as in worked examples, a raise is settled as if
    it was made.

    Raises:
        NotReadable: the cards are not hands of this deck.
        NotConfigured: the house way cannot be used for them.
    """
    mine = explain_setting(game, house_way, player)
    play = _play(option, game, house_way, mine) if weighed else None
    if dealer is None:
        return MainExplanation(target=option.target, player=mine.explanation, play=play)
    theirs = explain_setting(game, house_way, dealer)
    return against(option, game=game, player=mine, dealer=theirs, seen=seen, play=play)


def _play(
    option: MainWager, game: Game, house_way: HouseWay, mine: ExplainedHand
) -> PlayExplanation | None:
    """Return what best play does with a hand where there is a raise or a fold."""
    settings = mine.explanation.settings or (mine.explanation.chosen,)
    return best_play(
        option,
        game=game,
        house_way=house_way,
        cards=mine.explanation.hand.cards,
        features=dict(mine.features),
        settings=list(zip(settings, mine.keys, strict=True)),
    )


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
    shape, divided = shape_of(game.hands), game.hands.shape.divided
    shown = seen or game.dealer_exposed

    def ends(keys: SetKeys) -> Settlement:
        return settle(
            option,
            shape=shape,
            dealer_features=dealer.features,
            dealer=dealer.chosen,
            player=keys,
            own=player.features,
            played=play.chosen if play is not None else None,
        )

    folded = play is not None and play.chosen.action == FOLD
    settlement = ends(player.chosen)
    return MainExplanation(
        target=option.target,
        player=player.explanation,
        play=play,
        dealer=dealer.explanation,
        dealer_rules=() if folded else dealer_rule_trials(option, dealer.features),
        settlement=settlement,
        best=_best(player, settlement, ends) if divided and shown else None,
        strategy=Strategy.HOUSE_WAY if divided else None,
    )


def _best(
    player: ExplainedHand, house: Settlement, ends: Callable[[SetKeys], Settlement]
) -> BestPlay:
    """Return the best legal setting; the house way's where none is better, else the highest."""
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
