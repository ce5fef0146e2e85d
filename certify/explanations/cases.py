"""Sample deals for the possible results of a round of the main wager and of bonus wagers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from certify.engine.deck import build_shape
from certify.engine.hands.awards import award_order
from certify.engine.hands.conditions import Predicate, find, predicate
from certify.engine.house_way.audit import SetKeys
from certify.explanations.hands import SetBy, needs_set_hand
from certify.explanations.main import explain_main, explain_setting
from certify.explanations.sample_hands import (
    Cards,
    SampleDeal,
    SampleHand,
    read_best_cards,
    sample_deals,
    sample_hands,
    set_keys,
)
from certify.explanations.settlement import read_own, settle
from certify.model.condition import Condition, Event
from certify.model.explanation import FOLD, SettingExplanation, Settlement
from certify.model.game import Game, HandRules
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, Outcome, OwnHand
from certify.model.paytable import (
    Basis,
    EnvyTable,
    HandOf,
    Payout,
    Paytable,
    Row,
    depends_on_sides,
    split_cards,
)

WIN: Final = "win"
LOSE: Final = "lose"
PUSH: Final = "push"
WITH_JOKER: Final = "joker"
HIGHEST_ONLY: Final = "highest_only"
ENVY: Final = "envy"
SHARE: Final = "progressive_split"
DEALER_CHOICE: Final = "dealer_choice"
DYNAMIC: Final = "dynamic"


class BonusCase(Struct, frozen=True, kw_only=True):
    """A hand (or two) that shows one kind of result; ``rows`` are the events it holds, paid first.

    For an envy case ``rows`` is the event of the prize, for a choice of the dealer's hand what that
    hand holds. ``drawn`` is the payout that is drawn for the round in place of the first row's.
    """

    kind: str
    player: Cards | None
    dealer: Cards | None
    rows: tuple[str, ...]
    drawn: Payout | None = None


class _Held(Struct, frozen=True, kw_only=True):
    """A sample with the rows it holds, in the order in which they are tried."""

    player: SampleHand | None
    dealer: SampleHand | None
    rows: tuple[Row, ...]

    @property
    def joker(self) -> bool:
        return any(hand is not None and hand.joker for hand in (self.player, self.dealer))

    @property
    def basis(self) -> Basis:
        if not self.rows:
            return Basis.LOSS
        payout = self.rows[0].payout
        return Basis.PUSH if payout.is_push else payout.basis


def bonus_cases(
    paytable: Paytable,
    *,
    events: Mapping[str, Event],
    hands: HandRules,
    house_way: HouseWay | None = None,
    envy: EnvyTable | None = None,
) -> tuple[BonusCase, ...]:
    """Return the cases of a bonus paytable, as many kinds as its rows allow.

    Raises:
        NotConfigured: an event is unknown.
    """
    samples = tuple(_find_cases(paytable, events, hands, house_way))
    cases = [
        _case(
            WIN,
            _first(
                samples, lambda sample: sample.basis in (Basis.TO, Basis.FOR) and not sample.joker
            ),
        ),
        _case(
            LOSE, _first(samples, lambda sample: sample.basis is Basis.LOSS and not sample.joker)
        ),
        _case(PUSH, _first(samples, lambda sample: sample.basis is Basis.PUSH)),
        _case(
            WITH_JOKER,
            _first(samples, lambda sample: sample.joker and sample.basis in (Basis.TO, Basis.FOR))
            or _first(samples, lambda sample: sample.joker),
        ),
        _case(HIGHEST_ONLY, _two_rows(samples)),
        _case(  # a part of the meter rather than all
            SHARE,
            _first(
                samples,
                lambda sample: sample.basis is Basis.METER and sample.rows[0].payout.amount < 1,
            )
            or _first(samples, lambda sample: sample.basis is Basis.METER),
        ),
        _dynamic(samples),
    ]
    shown = [case for case in cases if case is not None]
    if paytable.hand is HandOf.CHOSEN_IN_ADVANCE:
        shown += _dealer_choice(paytable, events, hands, house_way)
    if envy is not None:
        shown += _envy(envy, events, hands, paytable.cards)
    return tuple(shown)


def _find_cases(
    paytable: Paytable,
    events: Mapping[str, Event],
    hands: HandRules,
    house_way: HouseWay | None,
) -> Iterator[_Held]:
    rows = [paytable.rows[place] for place in award_order(paytable, events)]
    events_of_rows = find(events, [row.event for row in rows])
    if depends_on_sides(paytable, events_of_rows):
        mine, theirs = split_cards(paytable, hands.shape.cards)
        for deal in sample_deals(hands, mine, _way(events_of_rows, house_way), theirs):
            rows_held = tuple(
                row for row, event in zip(rows, events_of_rows, strict=True) if deal.holds(event)
            )
            yield _Held(player=deal.player, dealer=deal.dealer, rows=rows_held)
        return
    samples = sample_hands(
        hands.for_wager(paytable), paytable.cards, _way(events_of_rows, house_way)
    )
    single = [_test(event.when, samples[0]) for event in events_of_rows]
    for hand in samples:
        rows_held = tuple(
            row for row, holds in zip(rows, single, strict=True) if holds(hand.values)
        )
        of_dealer = paytable.hand is HandOf.DEALER
        yield _Held(
            player=None if of_dealer else hand, dealer=hand if of_dealer else None, rows=rows_held
        )


def _way(events: Sequence[Event], house_way: HouseWay | None) -> SetBy | None:
    """Return the house way for the hands, if events require one."""
    return SetBy(house_way) if needs_set_hand(events) else None


def _test(condition: Condition | None, hand: SampleHand) -> Predicate:
    return predicate(condition, hand.names)


def _first(samples: Sequence[_Held], is_wanted: Callable[[_Held], bool]) -> _Held | None:
    return next((sample for sample in samples if is_wanted(sample)), None)


def _two_rows(samples: Sequence[_Held]) -> _Held | None:
    """Return a hand of two rows, neither of which every hand of the other holds if possible."""
    together: dict[str, frozenset[str]] = {}
    for sample in samples:
        events = frozenset(row.event for row in sample.rows)
        for event in events:
            together[event] = together.get(event, events) & events

    def apart(sample: _Held) -> bool:
        return len(sample.rows) > 1 and sample.rows[1].event not in together[sample.rows[0].event]

    natural = [sample for sample in samples if not sample.joker]
    return _first(natural, apart) or _first(samples, apart) or _first(
        natural, lambda sample: len(sample.rows) > 1
    )  # fmt: skip


def _dynamic(samples: Sequence[_Held]) -> BonusCase | None:
    """Return a hand whose payout can be replaced for a round, with the first that can be drawn."""
    sample = _first(samples, lambda sample: bool(sample.rows and sample.rows[0].dynamic))
    case = _case(DYNAMIC, sample)
    return replace(case, drawn=sample.rows[0].dynamic[0]) if sample and case else None


def _dealer_choice(
    paytable: Paytable,
    events: Mapping[str, Event],
    hands: HandRules,
    house_way: HouseWay | None,
) -> list[BonusCase]:
    """Return a deal in which the dealer's hand wins and the player's own would lose."""
    events_of_rows = find(
        events, [paytable.rows[place].event for place in award_order(paytable, events)]
    )
    for deal in sample_deals(hands, paytable.cards, _way(events_of_rows, house_way)):
        mine, theirs = (
            tuple(event.id for event in events_of_rows if _test(event.when, hand)(hand.values))
            for hand in (deal.player, deal.dealer)
        )
        if theirs and not mine and not deal.dealer.joker:
            return [
                BonusCase(
                    kind=DEALER_CHOICE,
                    player=deal.player.cards,
                    dealer=deal.dealer.cards,
                    rows=theirs,
                )
            ]
    return []


def _envy(
    envy: EnvyTable, events: Mapping[str, Event], hands: HandRules, cards: int
) -> list[BonusCase]:
    """Return a hand of another player with a prize: the first that was dealt, else made."""
    samples = sample_hands(hands, cards)
    events_of_prizes = find(events, [row.event for row in envy.rows])
    tests = [_test(event.when, samples[0]) for event in events_of_prizes]
    for hand in samples:
        prize = next(
            (
                event.id
                for event, holds in zip(events_of_prizes, tests, strict=True)
                if holds(hand.values)
            ),
            None,
        )
        if prize is not None:
            return [BonusCase(kind=ENVY, player=hand.cards, dealer=None, rows=(prize,))]
    return []


def _case(kind: str, sample: _Held | None) -> BonusCase | None:
    if sample is None:
        return None
    return BonusCase(
        kind=kind,
        player=sample.player.cards if sample.player else None,
        dealer=sample.dealer.cards if sample.dealer else None,
        rows=tuple(row.event for row in sample.rows),
    )


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
            settlement=settle(
                option,
                shape=build_shape(game.hands),
                dealer_features=deal.dealer.features,
                dealer=dealer,
                player=player,
                features=deal.player.features if option.own_conditions else {},
            ),
            key=player.back,
            own=read_own(option, deal.player.features) if option.own_conditions else OwnHand(),
        )
        for deal, (player, dealer) in zip(deals, keys, strict=True)
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
    compared = [
        replace(deal, player=player, dealer=dealer)
        for deal, ((player, _), (dealer, _)) in zip(deals, read, strict=True)
    ]
    return compared, [(player, dealer) for (_, player), (_, dealer) in read]


def _fold(
    ended: Sequence["_End"], option: MainWager, game: Game, house_way: HouseWay
) -> MainCase | None:
    """Return the lowest hand that best play folds, None if the option has no fold."""
    if not option.has_fold:
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
        met = [end for end in ended if end.paid_companion]
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

    @property
    def paid_companion(self) -> bool:
        return self.settlement.companion is not None and bool(self.settlement.companion.hand)

    def compared(self, outcome: Outcome) -> bool:
        """Return True if the comparison alone decided the round, with this outcome."""
        return not self.settlement.decided_by and self.settlement.outcome is outcome
