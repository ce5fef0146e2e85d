"""Sample hands for the pays of a bonus wager: a win, a loss, a push, the joker, and so on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from certify.engine.explain.sample_hands import (
    Cards,
    SampleHand,
    sample_deals,
    sample_hands,
)
from certify.engine.explain.set_hands import SetBy, needs_set_hand
from certify.engine.hands.awards import award_order
from certify.engine.hands.conditions import Predicate, find, predicate
from certify.model.condition import Condition, Event
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.paytable import Basis, EnvyTable, HandOf, Payout, Paytable, Row

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
        return self.rows[0].payout.basis if self.rows else Basis.LOSS


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
    held = tuple(_find_cases(paytable, events, hands, house_way))
    cases = [
        _case(
            WIN,
            _first(held, lambda sample: sample.basis in (Basis.TO, Basis.FOR) and not sample.joker),
        ),
        _case(LOSE, _first(held, lambda sample: sample.basis is Basis.LOSS and not sample.joker)),
        _case(PUSH, _first(held, lambda sample: sample.basis is Basis.PUSH)),
        _case(
            WITH_JOKER,
            _first(held, lambda sample: sample.joker and sample.basis in (Basis.TO, Basis.FOR))
            or _first(held, lambda sample: sample.joker),
        ),
        _case(HIGHEST_ONLY, _two_rows(held)),
        _case(SHARE, _share(held)),
        _dynamic(held),
    ]
    shown = [case for case in cases if case is not None]
    if paytable.hand is HandOf.PLAYER_OR_DEALER:
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
    order = award_order(paytable, events)
    rows = [paytable.rows[place] for place in order]
    asked = find(events, [row.event for row in rows])
    if paytable.hand is HandOf.BOTH:
        for deal in sample_deals(hands, paytable.cards, _way(asked, house_way)):
            held = tuple(row for row, event in zip(rows, asked, strict=True) if deal.holds(event))
            yield _Held(player=deal.player, dealer=deal.dealer, rows=held)
        return
    samples = sample_hands(hands.for_wager(paytable), paytable.cards, _way(asked, house_way))
    single = [_test(event.when, samples[0]) for event in asked]
    for hand in samples:
        held = tuple(row for row, holds in zip(rows, single, strict=True) if holds(hand.values))
        of_dealer = paytable.hand is HandOf.DEALER
        yield _Held(
            player=None if of_dealer else hand, dealer=hand if of_dealer else None, rows=held
        )


def _way(asked: Sequence[Event], house_way: HouseWay | None) -> SetBy | None:
    """Return the house way for the hands, if events require one."""
    return SetBy(house_way) if needs_set_hand(asked) else None


def _test(condition: Condition | None, hand: SampleHand) -> Predicate:
    return predicate(condition, hand.names)


def _first(held: Sequence[_Held], wanted: Callable[[_Held], bool]) -> _Held | None:
    return next((sample for sample in held if wanted(sample)), None)


def _two_rows(held: Sequence[_Held]) -> _Held | None:
    """Return a hand of two rows, neither of which every hand of the other holds if possible."""
    together: dict[str, frozenset[str]] = {}
    for sample in held:
        events = frozenset(row.event for row in sample.rows)
        for event in events:
            together[event] = together.get(event, events) & events

    def apart(sample: _Held) -> bool:
        return len(sample.rows) > 1 and sample.rows[1].event not in together[sample.rows[0].event]

    natural = [sample for sample in held if not sample.joker]
    return _first(natural, apart) or _first(held, apart) or _first(
        natural, lambda sample: len(sample.rows) > 1
    )  # fmt: skip


def _share(held: Sequence[_Held]) -> _Held | None:
    """Return a hand that is paid from a meter, a part of it rather than all."""
    return _first(
        held, lambda sample: sample.basis is Basis.METER and sample.rows[0].payout.amount < 1
    ) or _first(held, lambda sample: sample.basis is Basis.METER)


def _dynamic(held: Sequence[_Held]) -> BonusCase | None:
    """Return a hand whose payout can be replaced for a round, with the first that can be drawn."""
    sample = _first(held, lambda sample: bool(sample.rows and sample.rows[0].dynamic))
    case = _case(DYNAMIC, sample)
    return replace(case, drawn=sample.rows[0].dynamic[0]) if sample and case else None


def _dealer_choice(
    paytable: Paytable,
    events: Mapping[str, Event],
    hands: HandRules,
    house_way: HouseWay | None,
) -> list[BonusCase]:
    """Return a deal in which the dealer's hand wins and the player's own would lose."""
    asked = find(events, [paytable.rows[place].event for place in award_order(paytable, events)])
    for deal in sample_deals(hands, paytable.cards, _way(asked, house_way)):
        mine, theirs = (
            tuple(event.id for event in asked if _test(event.when, hand)(hand.values))
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
    asked = find(events, [row.event for row in envy.rows])
    tests = [_test(event.when, samples[0]) for event in asked]
    for hand in samples:
        prize = next(
            (event.id for event, holds in zip(asked, tests, strict=True) if holds(hand.values)),
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
