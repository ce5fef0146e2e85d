"""Which sample deals show how a round of the main wager can end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from certify.engine.explain.bonus_cases import LOSE, PUSH, WIN, WITH_JOKER
from certify.engine.explain.main import explain_main
from certify.engine.explain.sample_hands import Cards, SampleDeal, sample_deals, set_keys
from certify.engine.explain.settlement import settle
from certify.engine.house_way.one_hand import SetKeys
from certify.engine.main.classes import shape_of
from certify.model.explanation import Settlement
from certify.model.game import Game
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, Outcome

COPY: Final = "copy"
DEALER_RULE: Final = "dealer_rule"
RAISED: Final = "raise"
RAISE_RETURNED: Final = "raise_returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class MainCase:
    """A deal that shows how a round can end; ``rule`` is the dealer rule that it shows."""

    kind: str
    player: Cards
    dealer: Cards
    settlement: Settlement


def main_cases(option: MainWager, *, game: Game, house_way: HouseWay) -> tuple[MainCase, ...]:
    """Return deals that show every way a round of the main wager can end.

    Both hands are set by the house way. Where the dealer's hand is seen, no setting of the player
    would end the round better, so that the house way is the best play too.

    Raises:
        NotConfigured: the house way cannot be used.
    """
    deals = sample_deals(game.hands, game.hands.shape.cards)
    cards = [hand.cards for deal in deals for hand in (deal.player, deal.dealer)]
    keys = set_keys(house_way, game.hands, cards)
    ended = tuple(
        _End(deal=deal, settlement=_settled(option, game, deal, keys[2 * at], keys[2 * at + 1]))
        for at, deal in enumerate(deals)
    )
    shown: list[_End] = []
    cases = []
    for kind, several in _wanted(option, ended):
        for candidates in several:
            sound = [one for one in candidates if one not in shown] or candidates
            found = next(
                (one for one in sound if _house_way_is_best(one, option, game, house_way)), None
            )
            if found is not None:
                shown.append(found)
                cases.append(
                    MainCase(
                        kind=kind,
                        player=found.deal.player.cards,
                        dealer=found.deal.dealer.cards,
                        settlement=found.settlement,
                    )
                )
                break
    return tuple(cases)


def _wanted(
    option: MainWager, ended: Sequence["_End"]
) -> Iterator[tuple[str, tuple[list["_End"], ...]]]:
    """Yield each kind of case with the deals that show it, the clearest ones first."""
    plain = [one for one in ended if not one.joker]
    for kind, outcome in ((WIN, Outcome.WIN), (LOSE, Outcome.LOSE), (PUSH, Outcome.PUSH)):
        yield kind, ([one for one in plain if one.compared(outcome) and not one.copies],)
    for rule in option.dealer_rules:
        yield DEALER_RULE, ([one for one in ended if one.settlement.decided_by == rule.id],)
    copies = [one for one in ended if one.copies]
    split = [one for one in copies if not one.joker and one.compared(Outcome.PUSH)]
    won = [one for one in ended if one.compared(Outcome.WIN)]
    yield COPY, (split, copies)
    yield WITH_JOKER, ([one for one in won if one.joker],)
    if option.raise_ is not None:
        natural = [one for one in won if not one.joker]
        yield RAISED, ([one for one in natural if one.raised],)
        yield RAISE_RETURNED, ([one for one in natural if not one.raised],)


def _house_way_is_best(end: "_End", option: MainWager, game: Game, house_way: HouseWay) -> bool:
    """Whether the house way sets the player's hand as well as seeing the dealer's allows."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """A deal and how it ends."""

    deal: SampleDeal
    settlement: Settlement

    @property
    def joker(self) -> bool:
        return self.deal.player.joker

    @property
    def copies(self) -> bool:
        return any(one.copy for one in self.settlement.comparisons)

    @property
    def raised(self) -> bool:
        return self.settlement.raise_ is not None and self.settlement.raise_.in_action

    def compared(self, outcome: Outcome) -> bool:
        """Return whether the hands were compared, no dealer rule said more, and ended so."""
        return not self.settlement.decided_by and self.settlement.outcome is outcome


def _settled(
    option: MainWager, game: Game, deal: SampleDeal, player: SetKeys, dealer: SetKeys
) -> Settlement:
    return settle(
        option,
        shape=shape_of(game.hands),
        dealer_features=deal.dealer.features,
        dealer=dealer,
        player=player,
    )
