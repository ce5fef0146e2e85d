"""Worked examples: chosen by the engine, written here, and checked by what `explain` says."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from certify.engine.bonus.evaluate import ALL_OTHER
from certify.engine.explain.bonus import explain_bonus, on_a_colour
from certify.engine.explain.bonus_cases import (
    ENVY,
    HIGHEST_ONLY,
    LOSE,
    PUSH,
    SHARE,
    WIN,
    WITH_JOKER,
    BonusCase,
    bonus_cases,
)
from certify.engine.explain.main import explain_main, explain_setting
from certify.engine.explain.main_cases import MainCase, main_cases
from certify.engine.explain.words import in_order
from certify.errors import InvariantBroken
from certify.formatting import money
from certify.model.example import HOUSE_WAY, Example, SetHand
from certify.model.explanation import BonusExplanation, SetExplanation, Settlement
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, Outcome
from certify.model.payout import Basis
from certify.model.paytable import Paytable, Row
from certify.pipeline.house_way_audit import audit_in
from certify.report.wording import as_written, pays

if TYPE_CHECKING:
    from certify.model.catalogue import Catalogue
    from certify.model.game import Game, Wager
    from certify.pipeline.filing import Filing

STAKE: Final = 1000
"""Cents wagered in an example where the paytable names no base wager."""

METER: Final = 1_000_000
"""Cents on the meter in an example."""

PARTS: Final = {"back": "High hand", "front": "Low hand"}
"""What the parts of a set hand are called in print."""


def examples_of(filing: "Filing", house_way: HouseWay) -> tuple[Example, ...]:
    """Return worked examples of every wager that is filed.

    They are of the option and of each wager's first filed paytable; what that one cannot show, a
    push, a prize or a share of a meter, of the first paytable that can.

    Raises:
        InvariantBroken: `explain` does not say of an example what the example says.
    """
    found: list[Example] = []
    for wager in filing.game.wagers:
        for option in filing.game.filed_with(filing.option):
            if option in wager.options:
                found.extend(main_examples(option, game=filing.game, house_way=house_way))
        filed = [table for table in wager.paytables if table in filing.paytables]
        for paytable, kinds in _shared(filed):
            made = bonus_examples(paytable, wager, filing.catalogue, filing.game)
            found.extend(one for one in made if one.kind in kinds)
    return (*found, *house_way_examples(filing.game, house_way))


def house_way_examples(game: "Game", house_way: HouseWay) -> Iterator[Example]:
    """Yield for each rule of the house way a hand that it decides or sends on, as it is set."""
    for use in audit_in(game, house_way, game.hands.joker).audit.uses:
        if use.example is not None:
            yield Example(
                target=f"house-ways/{house_way.id}",
                kind=HOUSE_WAY,
                player=_set(explain_setting(game, house_way, use.example.split()).explanation),
                dealer=None,
                event=use.rule,
                pays="",
                text="",
            )


def _shared(filed: Sequence[Paytable]) -> Iterator[tuple[Paytable, frozenset[str]]]:
    """Yield the first paytable with what it shows, and others for what only they can show."""
    can_show: dict[str, Callable[[Paytable], bool]] = {
        PUSH: lambda one: any(row.payout.basis is Basis.PUSH for row in one.rows),
        SHARE: lambda one: one.progressive is not None,
        ENVY: lambda one: one.envy is not None,
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
    paytable: Paytable, wager: "Wager", catalogue: "Catalogue", game: "Game"
) -> Iterator[Example]:
    """Yield the examples of one bonus paytable.

    Raises:
        InvariantBroken: an example and its explanation disagree.
    """
    envy = wager.envy_of(paytable)
    chosen = "red" if on_a_colour(paytable, catalogue.events) else ""
    rows = {row.event: row for row in paytable.rows}
    for case in bonus_cases(paytable, events=catalogue.events, hands=game.hands, envy=envy):
        explained = explain_bonus(
            paytable,
            events=catalogue.events,
            hands=game.hands,
            player=case.player,
            dealer=case.dealer,
            envy=envy,
            chosen=chosen,
        )
        _agree_bonus(case, explained)
        yield Example(
            target=paytable.target,
            kind=case.kind,
            player=SetHand(cards=in_order(case.player)) if case.player else None,
            dealer=SetHand(cards=in_order(case.dealer)) if case.dealer else None,
            event=explained.event,
            pays=_prize(explained) if case.kind == ENVY else _pays(rows.get(explained.event)),
            text=_bonus_text(case, explained, paytable, rows),
        )


def main_examples(option: MainWager, *, game: "Game", house_way: HouseWay) -> Iterator[Example]:
    """Yield the examples of one option of the main wager, both hands set by the house way.

    Raises:
        InvariantBroken: an example and its explanation disagree.
    """
    for case in main_cases(option, game=game, house_way=house_way):
        explained = explain_main(
            option, game=game, house_way=house_way, player=case.player, dealer=case.dealer
        )
        if explained.settlement != case.settlement or explained.dealer is None:
            raise InvariantBroken(
                f"The example {' '.join(case.player)} of {option.target} is explained otherwise."
            )
        yield Example(
            target=option.target,
            kind=case.kind,
            player=_laid_out(explained.player, case),
            dealer=_laid_out(explained.dealer, case),
            event=case.settlement.decided_by or str(case.settlement.outcome),
            pays=case.settlement.pays,
            text=_main_text(option, case),
        )


def _agree_bonus(case: BonusCase, explained: BonusExplanation) -> None:
    """Hold what the case was chosen for against the explanation."""
    held = tuple(row.event for row in explained.rows if row.verdict != "not_held")
    if case.kind == ENVY:
        agrees = explained.envy is not None
    else:
        agrees = held == case.rows and explained.event == (held[0] if held else ALL_OTHER)
    if not agrees:
        raise InvariantBroken(
            f"The example {' '.join(case.player or case.dealer or ())} of {explained.target} is "
            "explained otherwise."
        )


def _bonus_text(
    case: BonusCase, explained: BonusExplanation, paytable: Paytable, rows: dict[str, Row]
) -> str:
    sides = [
        (whose, reading)
        for whose, reading in (("player", explained.player), ("dealer", explained.dealer))
        if reading is not None
    ]
    if case.kind == ENVY:
        return _envy_text(explained)
    if len(sides) == 1:
        holds = f"{as_written(sides[0][1].holds)}."
    else:
        holds = " ".join(f"{whose.capitalize()}: {reading.holds}." for whose, reading in sides)
    if explained.chosen:
        holds = f"The player chose {explained.chosen}. {_colours(explained)}"
    parts = [holds]
    if case.kind == HIGHEST_ONLY:
        others = [rows[event].name for event in case.rows[1:2]]
        parts.append(f"Also {others[0]}; only the first winning hand is paid.")
    parts.append(_paid_text(paytable, rows.get(explained.event)))
    return " ".join(parts)


def _colours(explained: BonusExplanation) -> str:
    hand = explained.player or explained.dealer
    cards = hand.cards if hand else ()
    red = sum(card[1] in "dh" for card in cards)
    black = sum(card[1] in "cs" for card in cards)
    return f"{red} of the cards are red and {black} are black."


def _paid_text(paytable: Paytable, row: Row | None) -> str:
    stake = paytable.progressive.base_wager_cents if paytable.progressive else STAKE
    if row is None:
        return f"No winning hand: a {money(stake)} wager loses."
    payout = row.payout
    match payout.basis:
        case Basis.PUSH:
            return f"{row.name}: a {money(stake)} wager is returned."
        case Basis.LOSS:
            return f"{row.name}: a {money(stake)} wager loses."
        case Basis.METER:
            return (
                f"{row.name} pays {pays(payout)}: with {money(METER)} on it, "
                f"{money(METER * payout.amount)}."
            )
        case Basis.FOR:
            return (
                f"{row.name} pays {pays(payout)}: a {money(stake)} wager receives "
                f"{money(stake * payout.amount)} and is not returned."
            )
    return (
        f"{row.name} pays {pays(payout)}: a {money(stake)} wager wins "
        f"{money(stake * payout.amount)} and is returned."
    )


def _envy_text(explained: BonusExplanation) -> str:
    prize, hand = explained.envy, explained.player
    if prize is None or hand is None:
        raise InvariantBroken(f"An envy example of {explained.target} has no prize.")
    whose = "Another player with this wager holds" if prize.with_wager else "Another player holds"
    return (
        f"{whose} {hand.holds}. Every other wager of {money(prize.qualifying_wager_cents)} or "
        f"more is paid {money(prize.prize_cents)} for {prize.name}."
    )


def _prize(explained: BonusExplanation) -> str:
    return money(explained.envy.prize_cents) if explained.envy else ""


def _pays(row: Row | None) -> str:
    return pays(row.payout) if row else "Loss"


def _main_text(option: MainWager, case: MainCase) -> str:
    settlement = case.settlement
    parts = [
        f"{PARTS[one.part]}: {one.player} against {one.dealer}." for one in settlement.comparisons
    ]
    parts += [settlement.text, _settled_text(option, settlement)]
    raised = settlement.raise_
    if raised is not None:
        parts.append(raised.reason)
        if raised.in_action and raised.net:
            ended = "wins" if raised.net > 0 else "loses"
            parts.append(f"If made, it {ended} {money(STAKE * abs(raised.net))}.")
    return " ".join(parts)


def _settled_text(option: MainWager, settlement: Settlement) -> str:
    posted = (
        f" with {money(STAKE * option.commission.rate)} posted"
        if option.commission is not None and option.commission.prepaid
        else ""
    )
    amount = money(STAKE * abs(settlement.net))
    match settlement.outcome:
        case Outcome.WIN:
            return f"A {money(STAKE)} wager{posted} wins {amount}."
        case Outcome.PUSH:
            return f"A {money(STAKE)} wager{posted} is returned."
    return f"A {money(STAKE)} wager{posted} loses {amount}."


def _laid_out(side: SetExplanation, case: MainCase) -> SetHand:
    """Return the hand as it is set; only its cards where the round ends without a comparison."""
    return _set(side) if case.settlement.comparisons else SetHand(cards=side.hand.cards)


def _set(side: SetExplanation) -> SetHand:
    return SetHand(
        cards=side.hand.cards,
        back=side.chosen.back,
        front=side.chosen.front,
        rule=side.rule,
        rule_text=f"{side.text} [{side.source.clause}]",
    )
