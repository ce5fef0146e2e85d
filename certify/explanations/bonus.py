"""Explanation of the pay of a hand under a bonus paytable, row by row, with reasons."""

from collections.abc import Mapping, Sequence
from typing import Final

from certify.engine.bonus import ALL_OTHER, LOSS
from certify.engine.hands.awards import award_order
from certify.engine.hands.cards import hand_features
from certify.engine.hands.conditions import find, predicate
from certify.engine.joint_tables import merge_paytables
from certify.errors import NotConfigured
from certify.explanations.hands import (
    Features,
    Results,
    SetReading,
    compare_hands,
    hand_words,
    needs_set_hand,
    not_compared,
    read_set_hands,
    reason_not_held,
    sort_cards,
)
from certify.model.condition import Condition, Event
from certify.model.explanation import (
    BonusExplanation,
    EnvyPrize,
    HandReading,
    HeldFeature,
    RowTrial,
)
from certify.model.game import SUITS, HandRules
from certify.model.house_way import HouseWay
from certify.model.paytable import (
    Basis,
    EnvyTable,
    HandOf,
    HandsOf,
    Paytable,
    Row,
    by_holder,
    depends_on_sides,
    split_cards,
)
from certify.model.vocabulary import EventFeature
from certify.words.hands import describe_event, number

TOGETHER: Final = "together"
"""The side of cards of the player and the dealer as one hand."""

OTHER_COLOUR: Final = dict(zip(SUITS, "dcsh", strict=True))
"""Red suits for black ones and back: what black cards are to a wager on black."""


def read_cards(
    cards: Sequence[str], hands: HandRules, as_set: SetReading | None = None
) -> HandReading:
    """Return the features of cards, with words; include features of the set hands if given.

    Raises:
        NotReadable: a card is unknown, or is held twice.
    """
    features = hand_features(cards, hands, cards=len(cards))
    values = {**features, **as_set.features} if as_set else features
    return HandReading(
        cards=sort_cards(cards),
        holds=hand_words(cards, features, hands),
        features=tuple(HeldFeature(name=name, value=value) for name, value in values.items()),
        high_hand=as_set.high_hand if as_set else (),
        low_hand=as_set.low_hand if as_set else (),
    )


def is_colour_bet(paytable: Paytable, events: Mapping[str, Event]) -> bool:
    """Return True if a paytable is on a color that the player chooses."""
    return any(
        "colour" in row.event
        and getattr(events[row.event].when, "feature", "") == EventFeature.RED_CARDS
        for row in paytable.rows
    )


def explain_bonus(
    paytable: Paytable,
    *,
    events: Mapping[str, Event],
    hands: HandRules,
    player: Sequence[str] | None,
    dealer: Sequence[str] | None = None,
    house_way: HouseWay | None = None,
    envy: EnvyTable | None = None,
    chosen: str = "",
) -> BonusExplanation:
    """Explain which row pays a hand, and why every other row does not.

    Args:
        paytable: the declared paytable.
        events: the event vocabulary.
        hands: the deck and the joker's rule.
        player: the player's cards, if the wager depends on them.
        dealer: the dealer's cards, if the wager depends on them.
        house_way: sets the hands, if a row depends on how they are set.
        envy: the envy table that goes with the wager.
        chosen: ``red`` or ``black`` if the wager is on a color.

    Raises:
        NotReadable: the cards are not a hand of this deck.
        NotConfigured: a hand is missing.
    """
    if not by_holder(paytable, find(events, [row.event for row in paytable.rows])):
        hands = hands.for_wager(paytable)
    paytable, events = merge_paytables(paytable, events, hands=hands, house_way=house_way)
    listed = find(events, [row.event for row in paytable.rows])
    sides = _sides(paytable, listed, hands, player, dealer)
    as_set = _read_set_hands(listed, sides, hands, house_way)
    seen = _read_features(sides, hands, as_set, chosen, both=depends_on_sides(paytable, listed))
    results = compare_hands(as_set["player"], as_set["dealer"]) if len(as_set) > 1 else {}
    trials: list[RowTrial] = []
    paid: Row | None = None
    for place in award_order(paytable, events):
        row, event = paytable.rows[place], listed[place]
        reason = "; ".join(_why_not(event, seen, results, hands))
        verdict = "not_held" if reason else "paid" if paid is None else "held_but_not_paid"
        if verdict == "paid":
            paid, reason = row, "the first row that the hand holds"
        elif not reason:
            reason = f"the hand holds it too, but is paid once, as {paid.name}" if paid else ""
        trials.append(
            RowTrial(
                event=row.event,
                name=row.name,
                pays=str(row.payout),
                text=describe_event(event, hands, paytable.cards),
                verdict=verdict,
                reason=reason,
                source=event.source,
            )
        )
    readings = {whose: read_cards(cards, hands, as_set[whose]) for whose, cards in sides.items()}
    payout = paid.payout if paid else LOSS
    meter = payout.meter if payout.basis is Basis.METER else None
    return BonusExplanation(
        target=paytable.target,
        wager=paytable.wager,
        player=readings.get("player"),
        dealer=readings.get("dealer"),
        together=readings.get(TOGETHER),
        rows=tuple(trials),
        event=paid.event if paid else ALL_OTHER,
        name=paid.name if paid else "no row",
        pays=str(payout),
        net=payout.net,
        source=paytable.source,
        text=_text(paytable, readings, paid, chosen),
        chosen=chosen,
        meter=meter,
        share=payout.amount if meter else None,
        house_way=house_way.id if house_way else "",
        envy=_envy(envy, events, seen),
    )


def _sides(
    paytable: Paytable,
    events: Sequence[Event],
    hands: HandRules,
    player: Sequence[str] | None,
    dealer: Sequence[str] | None,
) -> dict[str, tuple[str, ...]]:
    """Return the hands that the wager depends on, by side."""
    cards_of = {"player": player, "dealer": dealer}
    wanted = {"player": paytable.cards, "dealer": paytable.cards}
    if depends_on_sides(paytable, events):
        wanted = dict(zip(wanted, split_cards(paytable, hands.shape.cards), strict=True))
        chosen_sides: tuple[str, ...] = ("player", "dealer")
    else:
        match paytable.hand:
            case HandOf.PLAYER | HandOf.TOGETHER:
                chosen_sides = ("player",)
            case HandOf.DEALER:
                chosen_sides = ("dealer",) if dealer else ("player",)
            case _:
                chosen_sides = ("player",) if player else ("dealer",)
    sides = {}
    for whose in chosen_sides:
        cards = cards_of[whose]
        if not cards:
            raise NotConfigured(
                f"{paytable.target} uses the player's and the dealer's hand.",
                remedy='Add the dealer\'s cards: --dealer "As Kd …".',
            )
        if len(cards) != wanted[whose]:
            raise NotConfigured(
                f"{paytable.target} uses {number(wanted[whose])} cards; {len(cards)} are given.",
                remedy=f"Give {number(wanted[whose])} cards.",
            )
        # A wager on the dealer's hand alone is explained by the one hand that is given.
        one_hand = {HandOf.DEALER: "dealer", HandOf.TOGETHER: TOGETHER}
        side = whose if len(chosen_sides) > 1 else one_hand.get(paytable.hand, whose)
        sides[side] = tuple(cards)
    if len(sides) > 1 and sum(map(len, sides.values())) > len(set().union(*sides.values())):
        hand_features([card for cards in sides.values() for card in cards], hands,
                      cards=sum(map(len, sides.values())))  # fmt: skip
    return sides


def _read_features(
    sides: Mapping[str, Sequence[str]],
    hands: HandRules,
    as_set: Mapping[str, SetReading],
    chosen: str,
    *,
    both: bool,
) -> dict[str, Features]:
    """Return the features of each hand, and of all cards if rows depend on ``both`` sides."""
    seen: dict[str, Features] = {
        whose: {**_features(cards, hands, chosen), **as_set[whose].features}
        for whose, cards in sides.items()
    }
    if both:
        every = [card for cards in sides.values() for card in cards]
        seen[TOGETHER] = _features(every, hands.join(len(every)), chosen)
    return seen


def _features(cards: Sequence[str], hands: HandRules, chosen: str) -> Features:
    """Return the features; for a wager on black the colors are swapped."""
    if chosen == "black":
        cards = [card[0] + OTHER_COLOUR.get(card[1], card[1]) for card in cards]
    return dict(hand_features(cards, hands, cards=len(cards)))


def _read_set_hands(
    events: Sequence[Event],
    sides: Mapping[str, Sequence[str]],
    hands: HandRules,
    house_way: HouseWay | None,
) -> dict[str, SetReading]:
    """Return the hands as set and ranked, if events require it."""
    if not needs_set_hand(events):
        return {whose: SetReading() for whose in sides}
    return dict(zip(sides, read_set_hands([*sides.values()], hands, house_way), strict=True))


WHOSE: Final = {
    "player": "of the player's hand: ",
    "dealer": "of the dealer's hand: ",
    TOGETHER: "of all cards: ",
}
"""The start of a reason, if a wager depends on several hands."""


def _why_not(
    event: Event,
    seen: Mapping[str, Features],
    results: Results,
    hands: HandRules | None = None,
) -> list[str]:
    """Return the reasons why an event does not hold; empty if it does."""
    if len(seen) == 1:
        return _why_not_asked({next(iter(seen)): event.when}, seen, hands)
    ways = []
    for deal in event.as_deals:
        sides = {"player": deal.player, "dealer": deal.dealer, TOGETHER: deal.together}
        reasons = _why_not_asked(sides, seen, hands)
        reasons += not_compared(deal, results)
        if not reasons:
            return []
        ways.append("; ".join(reasons))
    return [", or else ".join(ways)]


def _why_not_asked(
    condition_of: Mapping[str, Condition | None],
    seen: Mapping[str, Features],
    hands: HandRules | None,
) -> list[str]:
    undivided = hands.shape.undivided if hands is not None else 0
    joker = hands is None or hands.deck.joker > 0
    reasons = []
    for whose, condition in condition_of.items():
        if condition is None:
            continue
        features = seen[whose]
        if not predicate(condition, tuple(features))(tuple(features.values())):
            about = WHOSE[whose] if len(seen) > 1 else ""
            reason = reason_not_held(condition, features, undivided=undivided, joker=joker)
            reasons.append(about + reason)
    return reasons


def _envy(
    envy: EnvyTable | None, events: Mapping[str, Event], seen: Mapping[str, Features]
) -> EnvyPrize | None:
    """Return the first prize of the envy table that the hand holds."""
    if envy is None:
        return None
    for row in envy.rows:
        if not _why_not(events[row.event], seen, {}):
            return EnvyPrize(
                called=envy.called,
                with_wager=envy.hands_of is HandsOf.PLAYERS_WITH_THE_WAGER,
                paytable=envy.id,
                name=row.name,
                prize_cents=row.prize_cents,
                qualifying_wager_cents=envy.qualifying_wager_cents,
                source=envy.source,
            )
    return None


def _name_cards(whose: str, cards: int) -> str:
    if whose == TOGETHER:
        return f"The {number(cards)} cards of the player and the dealer"
    return f"The {whose}'s card" if cards == 1 else f"The {whose}'s {number(cards)} cards"


def _text(
    paytable: Paytable, readings: Mapping[str, HandReading], paid: Row | None, chosen: str
) -> str:
    holds = " ".join(
        f"{_name_cards(whose, len(reading.cards))} "
        f"{'is' if len(reading.cards) == 1 else 'hold'} {reading.holds}."
        + (
            f" Set by the house way, the high hand is {' '.join(reading.high_hand)} and the low "
            f"hand {' '.join(reading.low_hand)}."
            if reading.low_hand
            else ""
        )
        for whose, reading in readings.items()
    )
    colour = f" The player chose {chosen}." if chosen else ""
    if paid is None:
        return f"{holds}{colour} No row of {paytable.name} takes them: the wager loses."
    if paid.payout.basis is Basis.PUSH:
        return f"{holds}{colour} The row {paid.name} is a push: the wager is returned."
    if paid.payout.basis is Basis.LOSS:
        return f"{holds}{colour} The row {paid.name} loses."
    return f"{holds}{colour} The row {paid.name} pays {paid.payout}."
