"""Worked examples: chosen by the engine, and checked against `explain`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from certify.engine.bonus import ALL_OTHER
from certify.errors import InvariantBroken
from certify.explanations.bonus import explain_bonus, is_colour_bet
from certify.explanations.cases import (
    DEALER_CHOICE,
    DYNAMIC,
    ENVY,
    FOUL,
    HIGHEST_ONLY,
    LOSE,
    PUSH,
    SHARE,
    WIN,
    WITH_JOKER,
    BonusCase,
    MainCase,
    bonus_cases,
    main_cases,
)
from certify.explanations.hands import sort_cards
from certify.explanations.main import explain_main, explain_setting
from certify.model.condition import Event
from certify.model.explanation import (
    FOLD,
    HOUSE_WAY,
    BonusExplanation,
    Example,
    HandReading,
    MainExplanation,
    SetExplanation,
    SetHand,
    SettingExplanation,
)
from certify.model.game import Game, Wager
from certify.model.house_way import HouseWay, RuleUse
from certify.model.main_wager import MainWager
from certify.model.paytable import HandOf, Paytable


def worked_examples(
    game: Game,
    options: Sequence[MainWager],
    paytables: Sequence[Paytable],
    *,
    events: Mapping[str, Event],
    house_way: HouseWay | None,
    uses: Iterable[RuleUse],
) -> Iterator[Example]:
    """Yield worked examples of every wager that is filed.

    They are of the options and of each wager's first filed paytable; what that one cannot show, a
    push, a prize, a share of a meter or a dynamic payout, of the first paytable that can. ``uses``
    are those of the house way's audit.

    Raises:
        InvariantBroken: `explain` does not say of an example what the example says.
    """
    for wager in game.wagers:
        for option in options:
            if house_way is not None and option in wager.options:
                yield from main_examples(option, game=game, house_way=house_way)
        filed = [table for table in wager.paytables if table in paytables]
        for paytable, kinds in _shared_cases(filed):
            examples = bonus_examples(paytable, wager, events, game, house_way)
            yield from (example for example in examples if example.kind in kinds)
    if house_way is not None:
        yield from house_way_examples(game, house_way, uses)


def house_way_examples(
    game: Game, house_way: HouseWay, uses: Iterable[RuleUse]
) -> Iterator[Example]:
    """Yield an example for each rule of the house way: a hand that it decides or delegates."""
    for use in uses:
        if use.example is not None:
            yield Example(
                target=f"house-ways/{house_way.id}",
                kind=HOUSE_WAY,
                player=_set(explain_setting(game, house_way, use.example.split()).explanation),
                dealer=None,
                event=use.rule,
            )


def _shared_cases(filed: Sequence[Paytable]) -> Iterator[tuple[Paytable, frozenset[str]]]:
    """Yield the first paytable with its cases, and others for cases that only they have."""
    can_show: dict[str, Callable[[Paytable], bool]] = {
        PUSH: lambda table: any(row.payout.is_push for row in table.rows),
        SHARE: lambda table: table.progressive is not None,
        ENVY: lambda table: table.envy is not None,
        DYNAMIC: lambda table: table.dynamic is not None,
        DEALER_CHOICE: lambda table: table.hand is HandOf.CHOSEN_IN_ADVANCE,
    }
    for place, paytable in enumerate(filed):
        special = {
            kind
            for kind, shows in can_show.items()
            if shows(paytable) and not any(shows(before) for before in filed[:place])
        }
        kinds = special if place else special | {WIN, LOSE, WITH_JOKER, HIGHEST_ONLY}
        if kinds:
            yield paytable, frozenset(kinds)


def bonus_examples(
    paytable: Paytable,
    wager: Wager,
    events: Mapping[str, Event],
    game: Game,
    house_way: HouseWay | None = None,
) -> Iterator[Example]:
    """Yield the examples of one bonus paytable.

    Raises:
        InvariantBroken: an example and its explanation disagree.
    """
    envy = wager.find_envy(paytable)
    as_set = any(events[row.event].needs_set_hand for row in paytable.rows)
    way = house_way if as_set else None
    chosen = "red" if is_colour_bet(paytable, events) else ""
    for case in bonus_cases(paytable, events=events, hands=game.hands, house_way=way, envy=envy):
        explained = explain_bonus(
            _draw_payouts(paytable, case),
            events=events,
            hands=game.hands,
            player=case.player if case.kind != DEALER_CHOICE else None,
            dealer=case.dealer,
            house_way=way,
            envy=envy,
            chosen=chosen,
        )
        _agree_bonus(case, explained)
        yield Example(
            target=paytable.target,
            kind=case.kind,
            player=_dealt(case.player, explained.player),
            dealer=_dealt(case.dealer, explained.dealer),
            event=explained.event,
            explained=explained,
        )


def _dealt(cards: Sequence[str] | None, read: HandReading | None) -> SetHand | None:
    """Return a hand as dealt, or as set if the wager depends on that."""
    if not cards:
        return None
    if read is None:
        return SetHand(cards=sort_cards(cards))
    return SetHand(cards=sort_cards(cards), back=read.high_hand, front=read.low_hand)


def _draw_payouts(paytable: Paytable, case: BonusCase) -> Paytable:
    """Return the paytable with the payout that is drawn for the round of a case."""
    if case.drawn is None:
        return paytable
    rows = (
        replace(row, payout=case.drawn) if row.event == case.rows[0] else row
        for row in paytable.rows
    )
    return replace(paytable, rows=tuple(rows))


def main_examples(option: MainWager, *, game: Game, house_way: HouseWay) -> Iterator[Example]:
    """Yield the examples of one option of the main wager, both hands set by the house way.

    In a case of another setting the player's hand is set so.

    Raises:
        InvariantBroken: an example and its explanation disagree.
    """
    for case in main_cases(option, game=game, house_way=house_way):
        explained = explain_main(
            option,
            game=game,
            house_way=house_way,
            player=case.player,
            dealer=case.dealer,
            seen=case.setting is not None,
            weighed=case.kind == FOLD,
        )
        _agree_main(case, explained)
        ended = case.settlement
        yield Example(
            target=option.target,
            kind=case.kind,
            player=_laid_out(explained.player, case, case.setting),
            dealer=_dealer_laid_out(explained, case, game.hands.shape.dealer_shows),
            event=FOUL if ended is None else ended.decided_by or str(ended.outcome),
            explained=case.setting if ended is None else explained if case.setting else ended,
        )


def _agree_main(case: MainCase, explained: MainExplanation) -> None:
    """Hold how the hands of a case are set, and how it ends, against the explanation."""
    if case.setting is None:
        agrees = explained.settlement == case.settlement
    elif explained.best is None:
        agrees = case.settlement is None and case.setting in explained.player.settings
    else:
        best = explained.best
        agrees = (best.setting, best.settlement) == (case.setting, case.settlement)
    if not agrees:
        raise InvariantBroken(
            f"The example {' '.join(case.player)} of {explained.target} is explained otherwise."
        )


def _agree_bonus(case: BonusCase, explained: BonusExplanation) -> None:
    """Check the explanation against the case."""
    events = tuple(row.event for row in explained.rows if row.verdict != "not_held")
    if case.kind == ENVY:
        agrees = explained.envy is not None
    else:
        agrees = events == case.rows and explained.event == (events[0] if events else ALL_OTHER)
    if not agrees:
        raise InvariantBroken(
            f"The example {' '.join(case.player or case.dealer or ())} of {explained.target} is "
            "explained otherwise."
        )


def _laid_out(
    side: SetExplanation, case: MainCase, setting: SettingExplanation | None = None
) -> SetHand:
    """Return a hand as set; only its cards if a set hand ends the round without a comparison."""
    if setting is not None:
        return SetHand(cards=side.hand.cards, back=setting.back, front=setting.front)
    compared = case.settlement is not None and case.settlement.comparisons
    return _set(side) if compared or not side.house_way else SetHand(cards=side.hand.cards)


def _dealer_laid_out(explained: MainExplanation, case: MainCase, shows: int) -> SetHand | None:
    """Return the dealer's hand, of which the player sees the first cards; a fold sees no others."""
    if explained.dealer is None or case.dealer is None:
        return None
    seen = case.dealer[:shows]
    if case.kind == FOLD:
        return SetHand(cards=seen, seen=seen) if seen else None
    return replace(_laid_out(explained.dealer, case), seen=seen)


def _set(side: SetExplanation) -> SetHand:
    return SetHand(
        cards=side.hand.cards,
        back=side.chosen.back,
        front=side.chosen.front,
        rule=side.rule,
    )
