"""Sample deals for the possible results of a round of the main wager."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from certify.engine.deck import build_shape
from certify.engine.explain.bonus_cases import LOSE, PUSH, WIN, WITH_JOKER
from certify.engine.explain.main import explain_main, explain_setting
from certify.engine.explain.sample_hands import (
    Cards,
    SampleDeal,
    read_best_cards,
    sample_deals,
    set_keys,
)
from certify.engine.explain.set_hands import SetBy
from certify.engine.explain.settlement import read_own, settle
from certify.engine.house_way.one_hand import SetKeys
from certify.model.explanation import FOLD, SettingExplanation, Settlement
from certify.model.game import Game
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, Outcome
from certify.model.own_hand import OwnHand

COPY: Final = "copy"
FOUL: Final = "foul"
BETTER_SETTING: Final = "better_setting"
DEALER_RULE: Final = "dealer_rule"
RAISED: Final = "raise"
RAISE_RETURNED: Final = "raise_returned"
RAISE_PAID: Final = "raise_paid"
LARGEST: Final = "largest_raise"
COMPANION: Final = "companion"
BONUS: Final = "hand_bonus"


class MainCase(Struct, frozen=True, kw_only=True):
    """A deal that shows how a round can end.

    ``setting`` is how the player sets the hand against the house way; a foul has no dealer's hand
    and no settlement. A `FOLD` is what best play does with the hand.
    """

    kind: str
    player: Cards
    dealer: Cards | None
    settlement: Settlement | None
    setting: SettingExplanation | None = None


def main_cases(option: MainWager, *, game: Game, house_way: HouseWay) -> tuple[MainCase, ...]:
    """Return deals that show every way a round of the main wager can end.

    Both hands are set by the house way. If the dealer's hand is seen, no setting of the player
    would end the round better, which makes the house way the best play too. Disputable cases come
    last: a hand that ends better if the player sets it, and a foul. Undivided hands end with a
    hand that best play folds, if the option has a fold.

    Raises:
        NotConfigured: the house way cannot be used.
    """
    deals, keys = _deal(option, game, house_way)
    ended = tuple(
        _End(
            deal=deal,
            settlement=_settle_deal(option, game, deal, *both),
            key=both[0].back,
            own=read_own(option, deal.player.features) if option.own_conditions else OwnHand(),
        )
        for deal, both in zip(deals, keys, strict=True)
    )
    shown: list[_End] = []
    cases = []
    for kind, several in _list_cases(option, ended):
        for candidates in several:
            sound = [end for end in candidates if end not in shown] or candidates
            chosen = next(
                (end for end in sound if _house_way_is_best(end, option, game, house_way)), None
            )
            if chosen is not None:
                shown.append(chosen)
                cases.append(
                    MainCase(
                        kind=kind,
                        player=chosen.deal.player.cards,
                        dealer=chosen.deal.dealer.cards,
                        settlement=chosen.settlement,
                    )
                )
                break
    if game.hands.shape.is_divided:
        last = (_set_better(ended, option, game, house_way), _foul(deals, game, house_way))
    else:
        last = (_fold(ended, option, game, house_way), None)
    return (*cases, *(case for case in last if case is not None))


def _deal(
    option: MainWager, game: Game, house_way: HouseWay
) -> tuple[Sequence[SampleDeal], Sequence[tuple[SetKeys, SetKeys]]]:
    """Return deals, undivided hands read by their best cards, and the keys of both hands."""
    hands, shape = game.hands, game.hands.shape
    as_set = SetBy(house_way) if option.needs_set_hand else None
    deals = sample_deals(hands, shape.cards, as_set, shape.dealer)
    sides = [[deal.player.cards for deal in deals], [deal.dealer.cards for deal in deals]]
    if shape.is_divided:
        mine, theirs = (set_keys(house_way, hands, side) for side in sides)
        return deals, [*zip(mine, theirs, strict=True)]
    read = [*zip(*(read_best_cards(hands, side) for side in sides), strict=True)]
    compared = [SampleDeal(player=player, dealer=dealer) for (player, _), (dealer, _) in read]
    return compared, [(player, dealer) for (_, player), (_, dealer) in read]


def _fold(
    ended: Sequence["_End"], option: MainWager, game: Game, house_way: HouseWay
) -> MainCase | None:
    """Return the lowest hand that best play folds, None if the option has no fold."""
    if option.raise_ is None or option.raise_.fold is None:
        return None
    for end in sorted(ended, key=lambda end: end.key):
        player, dealer = end.deal.player.cards, end.deal.dealer.cards
        explained = explain_main(
            option, game=game, house_way=house_way, player=player, dealer=dealer, weighed=True
        )
        if explained.play is not None and explained.play.chosen.action == FOLD:
            return MainCase(
                kind=FOLD, player=player, dealer=dealer, settlement=explained.settlement
            )
    return None


def _set_better(
    ended: Sequence["_End"], option: MainWager, game: Game, house_way: HouseWay
) -> MainCase | None:
    """Return a deal that ends best by the highest high hand, which the house way does not set."""
    for end in ended:
        if end.joker or end.settlement.decided_by or end.settlement.outcome is Outcome.WIN:
            continue
        player, dealer = end.deal.player.cards, end.deal.dealer.cards
        explained = explain_main(
            option, game=game, house_way=house_way, player=player, dealer=dealer, seen=True
        )
        best = explained.best
        if (
            best is not None
            and best.better_than_house_way
            and best.setting == explained.player.settings[0]
        ):
            return MainCase(
                kind=BETTER_SETTING,
                player=player,
                dealer=dealer,
                settlement=best.settlement,
                setting=best.setting,
            )
    return None


def _foul(deals: Sequence[SampleDeal], game: Game, house_way: HouseWay) -> MainCase | None:
    """Return a hand without the joker set foul by a low hand of one rank."""
    for hand in (deal.player for deal in deals if not deal.player.joker):
        for setting in explain_setting(game, house_way, hand.cards).explanation.settings:
            if not setting.legal and len({card[0] for card in setting.front}) == 1:
                return MainCase(
                    kind=FOUL, player=hand.cards, dealer=None, settlement=None, setting=setting
                )
    return None


def _list_cases(
    option: MainWager, ended: Sequence["_End"]
) -> Iterator[tuple[str, tuple[list["_End"], ...]]]:
    """Yield each kind of case with the deals that show it, the clearest ones first."""
    plain = [end for end in ended if not end.joker]
    for kind, outcome in ((WIN, Outcome.WIN), (LOSE, Outcome.LOSE), (PUSH, Outcome.PUSH)):
        shown = [end for end in plain if end.compared(outcome)]
        yield kind, ([end for end in shown if not end.copies or (end.whole and kind == PUSH)],)
    for rule in option.dealer_rules:
        yield DEALER_RULE, ([end for end in ended if end.settlement.decided_by == rule.id],)
    copies = [end for end in ended if end.copies]
    split = [end for end in copies if not end.joker and end.compared(Outcome.PUSH)]
    won = [end for end in ended if end.compared(Outcome.WIN)]
    if not any(end.whole for end in split):  # that push is one already
        yield COPY, (split, copies)
    yield WITH_JOKER, ([end for end in won if end.joker],)
    if option.raise_ is not None:
        natural = [end for end in won if not end.joker]
        yield RAISED, ([end for end in natural if end.raised],)
        yield RAISE_RETURNED, ([end for end in natural if not end.raised],)
        paid = [end for end in natural if end.raised and end.own.raise_pay is not None]
        yield RAISE_PAID, (paid,)
        if option.raise_.largest_when is not None:
            enlarged = [end for end in ended if end.raised and end.own.may_enlarge]
            yield LARGEST, ([end for end in enlarged if end in won], enlarged)
    if option.bonus:
        yield BONUS, ([end for end in ended if end.settlement.bonus is not None],)
    if option.companion is not None:
        met = [end for end in ended if end.own.companion_pay is not None]
        yield COMPANION, ([end for end in met if end.compared(Outcome.LOSE)], met)


def _house_way_is_best(end: "_End", option: MainWager, game: Game, house_way: HouseWay) -> bool:
    """Return True unless the dealer's hand is exposed and another setting beats the house way's."""
    if not game.dealer_exposed:
        return True
    explained = explain_main(
        option,
        game=game,
        house_way=house_way,
        player=end.deal.player.cards,
        dealer=end.deal.dealer.cards,
    )
    return explained.best is None or not explained.best.better_than_house_way


class _End(Struct, frozen=True, kw_only=True):
    """A deal and how it ends; ``key`` is that of the player's high hand."""

    deal: SampleDeal
    settlement: Settlement
    key: int
    own: OwnHand

    @property
    def joker(self) -> bool:
        return self.deal.player.joker

    @property
    def copies(self) -> bool:
        return any(hands.copy for hands in self.settlement.comparisons)

    @property
    def whole(self) -> bool:
        """The hands are not divided."""
        return len(self.settlement.comparisons) == 1

    @property
    def raised(self) -> bool:
        return self.settlement.raise_ is not None and self.settlement.raise_.in_action

    def compared(self, outcome: Outcome) -> bool:
        """Return True if the comparison alone decided the round, with this outcome."""
        return not self.settlement.decided_by and self.settlement.outcome is outcome


def _settle_deal(
    option: MainWager, game: Game, deal: SampleDeal, player: SetKeys, dealer: SetKeys
) -> Settlement:
    return settle(
        option,
        shape=build_shape(game.hands),
        dealer_features=deal.dealer.features,
        dealer=dealer,
        player=player,
        own=deal.player.features if option.own_conditions else {},
    )
