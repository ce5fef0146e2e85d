"""How a concrete hand is set by a house way, and how it fares against the dealer's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from certify.engine.explain.bonus import read_cards
from certify.engine.explain.ranking_words import key_words
from certify.engine.explain.settlement import SetKeys, dealer_rule_trials, settle
from certify.engine.explain.words import in_order
from certify.engine.house_way.audit import card_name
from certify.engine.house_way.one_hand import PassedOver, one_hand, set_hand
from certify.engine.main.classes import shape_of
from certify.errors import InvariantBroken
from certify.kernels.partition.shape import Shape
from certify.model.condition import FeatureValue
from certify.model.explanation import (
    BestPlay,
    MainExplanation,
    RulePassed,
    SetExplanation,
    SettingExplanation,
    Settlement,
)
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay, HouseWayRule
from certify.model.main_wager import MainWager


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side's hand: the explanation, and the keys of every setting beside it."""

    explanation: SetExplanation
    keys: tuple[SetKeys, ...]

    @property
    def chosen(self) -> SetKeys:
        """The keys of the setting that the house way chooses."""
        places = [place for place, one in enumerate(self.explanation.settings) if one.chosen]
        return self.keys[places[0]]

    @property
    def features(self) -> Mapping[str, FeatureValue]:
        """The features of all the cards."""
        return {one.name: one.value for one in self.explanation.hand.features}


def explain_setting(game: Game, house_way: HouseWay, cards: Sequence[str]) -> Side:
    """Say how the house way sets a hand, by which rule, and every other way to set it.

    Raises:
        NotReadable: the cards are not a hand of this deck.
        NotConfigured: the house way cannot be used for this hand.
    """
    shape = shape_of(game.hands)
    cards = in_order(cards)
    found = set_hand(house_way, shape, cards)
    keys_of = _keys(shape, cards)
    keys = [keys_of[frozenset(one.front)] for one in found.settings]
    settings = tuple(
        SettingExplanation(
            back=in_order(one.back),
            front=in_order(one.front),
            back_is=key_words(key.back, shape),
            front_is=key_words(key.front, shape),
            legal=one.legal,
            chosen=one.chosen,
        )
        for one, key in zip(found.settings, keys, strict=True)
    )
    rule = found.rule
    return Side(
        explanation=SetExplanation(
            hand=read_cards(cards, game.hands),
            house_way=house_way.id,
            section=found.section.title,
            rule=rule.id,
            text=rule.text,
            source=rule.source,
            chosen=next(one for one in settings if one.chosen),
            settings=settings,
            sent_by=tuple(_sent(one) for one in found.sent_by),
            passed_over=tuple(_passed(one) for one in found.passed_over),
            assumption=rule.assumption.text if rule.assumption else "",
        ),
        keys=tuple(keys),
    )


def explain_main(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    player: Sequence[str],
    dealer: Sequence[str] | None = None,
) -> MainExplanation:
    """Say how a hand is set and, against a dealer's hand, how the round ends under one option.

    Where the dealer's hand is seen the best setting against it is given too.

    Raises:
        NotReadable: the cards are not hands of this deck.
        NotConfigured: the house way cannot be used for them.
    """
    mine = explain_setting(game, house_way, player)
    if dealer is None:
        return MainExplanation(target=option.target, player=mine.explanation)
    return against(option, game=game, player=mine, dealer=explain_setting(game, house_way, dealer))


def against(option: MainWager, *, game: Game, player: Side, dealer: Side) -> MainExplanation:
    """Settle a round of two hands that are set by the house way."""
    shape = shape_of(game.hands)

    def ends(keys: SetKeys) -> Settlement:
        return settle(
            option,
            shape=shape,
            dealer_features=dealer.features,
            dealer=dealer.chosen,
            player=keys,
        )

    settlement = ends(player.chosen)
    return MainExplanation(
        target=option.target,
        player=player.explanation,
        dealer=dealer.explanation,
        dealer_rules=dealer_rule_trials(option, dealer.features),
        settlement=settlement,
        best=_best(player, settlement, ends) if game.dealer_exposed else None,
        strategy=Strategy.HOUSE_WAY,
    )


def _best(player: Side, house: Settlement, ends: Callable[[SetKeys], Settlement]) -> BestPlay:
    """Return the best legal setting; the house way's where none is better, else the highest."""
    best_net, best = house.net, None
    for place, one in enumerate(player.explanation.settings):
        if one.legal and (net := ends(player.keys[place]).net) > best_net:
            best_net, best = net, place
    if best is None:
        chosen = player.explanation.chosen
        return BestPlay(setting=chosen, settlement=house, better_than_house_way=False)
    return BestPlay(
        setting=player.explanation.settings[best],
        settlement=ends(player.keys[best]),
        better_than_house_way=best_net > house.net,
    )


def _keys(shape: Shape, cards: Sequence[str]) -> dict[frozenset[str], SetKeys]:
    """Return the keys of every setting by the cards in front."""
    facts = one_hand(shape, cards)
    settings = facts.settings
    names = [card_name(int(card), shape) for card in facts.classes.cards[0]]
    keys = {}
    for column, front in enumerate(settings.fronts):
        cards_in_front = frozenset(names[int(place)] for place in front)
        keys[cards_in_front] = SetKeys(
            back=int(settings.high[0, column]), front=int(settings.low[0, column])
        )
    if len(keys) != len(settings.fronts):
        raise InvariantBroken("Two settings of one hand have the same front.")
    return keys


def _sent(rule: HouseWayRule) -> RulePassed:
    return RulePassed(
        rule=rule.id, text=rule.text, reason=f"it sends the hand to {rule.by}", source=rule.source
    )


def _passed(one: PassedOver) -> RulePassed:
    return RulePassed(
        rule=one.rule.id, text=one.rule.text, reason=one.reason, source=one.rule.source
    )
