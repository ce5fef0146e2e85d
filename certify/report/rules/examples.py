"""What the documents print of a worked example."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from certify.formatting import money
from certify.model.example import Example
from certify.model.explanation import (
    BestPlay,
    BonusExplanation,
    EnvyPrize,
    MainExplanation,
    RowTrial,
    SettingExplanation,
    Settlement,
)
from certify.model.game import Wager
from certify.model.main_wager import MainWager, Outcome
from certify.model.payout import Basis, Payout
from certify.model.paytable import Paytable, Row
from certify.model.submission import Submission
from certify.report.rules.house_way import rule_numbers
from certify.report.rules.offered import filed_paytables
from certify.report.rules.set_hand import ShownHand, shown_hand
from certify.report.wording import as_written, label, named, names, pays, unbroken

STAKE: Final = 1000
"""Cents wagered in an example where the paytable names no base wager."""

METER: Final = 1_000_000
"""Cents on the meter in an example."""

ENVY: Final = "envy"
HIGHEST_ONLY: Final = "highest_only"
DEALER_CHOICE: Final = "dealer_choice"
DYNAMIC: Final = "dynamic"
FOUL: Final = "foul"


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusResult:
    """What a hand is paid at a bonus wager of ``stake_cents``: ``amount_cents``, unless it loses.

    ``holds`` are the words of the one hand that counts, empty where two do. ``also`` is the second
    row that it holds and ``prize`` what other players are paid, where the example shows that.
    ``dealer_chosen``: the player's hand does not count. ``default`` is what ``payout`` is drawn in
    place of. ``red`` and ``black`` count the cards.
    """

    explained: BonusExplanation
    holds: str
    red: int
    black: int
    also: RowTrial | None
    prize: EnvyPrize | None
    dealer_chosen: bool
    row: Row | None
    payout: Payout
    default: Payout | None
    push: bool
    loss: bool
    metered: bool
    for_one: bool
    stake_cents: int
    meter_cents: int
    amount_cents: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class MainResult:
    """How a round ends at a main wager of ``stake_cents``, with what was posted beside it.

    ``raise_cents`` is what a raise wins or loses, None where it is returned, and
    ``largest_cents`` the same of the largest that the player may choose. ``house_way`` is how the
    player's hand would be set by it where it is set otherwise, which would end in a push or, unless
    ``house_push``, in a loss.
    """

    settlement: Settlement
    won: bool
    push: bool
    stake_cents: int
    posted_cents: Fraction | None
    amount_cents: Fraction
    raise_won: bool
    raise_cents: Fraction | None
    largest_cents: Fraction | None
    house_way: SettingExplanation | None
    house_push: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownExample:
    """A worked example as printed; ``set`` if its hands are set, ``foul`` if one is set so.

    ``others`` are the same hands at the wager's other options, where they end alike.
    """

    kind: str
    table: str
    hands: tuple[ShownHand, ...]
    set: bool
    pays: str
    bonus: BonusResult | None
    main: MainResult | None
    foul: SettingExplanation | None
    others: tuple["ShownExample", ...] = ()

    @property
    def options(self) -> tuple["ShownExample", ...]:
        """The same hands at every option, where there are several."""
        return (self, *self.others) if self.others else ()


def examples(submission: Submission, wager: Wager) -> tuple[ShownExample, ...]:
    """Return the worked examples of one wager; each names its paytable if several are filed."""
    filed: Sequence[MainWager | Paytable] = (
        submission.options if wager.options else filed_paytables(wager, submission)
    )
    records = {record.target: record for record in filed}
    kinds = list(names("examples"))
    shown = [
        example
        for example in submission.examples
        if example.target in records and example.kind in kinds
    ]
    several = len(filed) > 1
    alike: dict[Hashable, list[ShownExample]] = {}
    for example in sorted(shown, key=lambda example: kinds.index(example.kind)):
        printed = _example(example, records[example.target], submission, several=several)
        ends = (printed.table, "", False)
        if not printed.bonus:
            main = printed.main
            ends = ("", main.settlement.text, main.house_push) if main else ("", "", False)
        alike.setdefault((printed.kind, printed.hands, ends), []).append(printed)
    return tuple(replace(first, others=tuple(others)) for first, *others in alike.values())


def _example(
    example: Example, record: MainWager | Paytable, submission: Submission, *, several: bool
) -> ShownExample:
    player = "Other" if example.kind == ENVY else "Player"
    sides = ((player, example.player), ("Dealer", example.dealer))
    raised = submission.raised
    numbered = rule_numbers(submission.way) if submission.way is not None else {}
    numbers = {id_: rule.number for id_, rule in numbered.items()}
    bonus: BonusResult | None = None
    main: MainResult | None = None
    foul: SettingExplanation | None = None
    paid = FOUL
    match example.explained, record:
        case BonusExplanation() as explained, Paytable():
            bonus = _bonus_result(explained, example.kind, record)
            paid = money(bonus.prize.prize_cents) if bonus.prize else pays(bonus.payout)
        case Settlement() as settlement, MainWager():
            main = _main_result(settlement, record)
            paid = settlement.pays
        case MainExplanation(best=BestPlay(settlement=settlement)) as explained, MainWager():
            main = _main_result(settlement, record, house_way=explained)
            paid = settlement.pays
        case SettingExplanation() as setting, _:
            foul = setting
    return ShownExample(
        kind=named("examples", example.kind).format(raised=raised),
        table=_name(record) if several else "",
        hands=tuple(shown_hand(name, hand, numbers) for name, hand in sides if hand is not None),
        set=any(hand is not None and bool(hand.back) for _, hand in sides),
        pays=unbroken(as_written(paid)),
        bonus=bonus,
        main=main,
        foul=foul,
    )


def _name(record: MainWager | Paytable) -> str:
    return record.id if isinstance(record, MainWager) else label(record.id)


def _bonus_result(explained: BonusExplanation, kind: str, paytable: Paytable) -> BonusResult:
    row = next((row for row in paytable.rows if row.event == explained.event), None)
    payout = row.payout if row is not None else Payout(basis=Basis.LOSS)
    default = None
    if kind == DYNAMIC and row is not None:
        default, payout = (
            payout,
            next(drawn for drawn in row.dynamic if str(drawn) == explained.pays),
        )
    hands = [hand for hand in (explained.player, explained.dealer) if hand is not None]
    suits = Counter(card[1] for card in hands[0].cards)
    progressive = paytable.progressive
    stake = progressive.base_wager_cents if progressive is not None else STAKE
    held = [trial for trial in explained.rows if trial.verdict != "not_held"]
    return BonusResult(
        explained=explained,
        holds=as_written(hands[0].holds) if len(hands) == 1 else "",
        red=suits["d"] + suits["h"],
        black=suits["c"] + suits["s"],
        also=held[1] if kind == HIGHEST_ONLY else None,
        prize=explained.envy if kind == ENVY else None,
        dealer_chosen=kind == DEALER_CHOICE,
        row=row,
        payout=payout,
        default=default,
        push=payout.basis is Basis.PUSH,
        loss=payout.basis is Basis.LOSS,
        metered=payout.basis is Basis.METER,
        for_one=payout.basis is Basis.FOR,
        stake_cents=stake,
        meter_cents=METER,
        amount_cents=payout.amount * (METER if payout.basis is Basis.METER else stake),
    )


def _main_result(
    settlement: Settlement, option: MainWager, *, house_way: MainExplanation | None = None
) -> MainResult:
    raised, stake = settlement.raise_, option.wager_cents or STAKE
    in_action = raised is not None and raised.in_action and raised.net != 0
    return MainResult(
        settlement=settlement,
        won=settlement.outcome is Outcome.WIN,
        push=settlement.outcome is Outcome.PUSH,
        stake_cents=stake,
        posted_cents=stake * option.posted or None,
        amount_cents=stake * abs(settlement.net + option.collected),
        raise_won=raised is not None and raised.net > 0,
        raise_cents=stake * abs(raised.net) if raised is not None and in_action else None,
        largest_cents=stake * abs(raised.largest_net)
        if raised is not None and raised.largest_net
        else None,
        house_way=house_way.player.chosen if house_way is not None else None,
        house_push=house_way is not None
        and house_way.settlement is not None
        and house_way.settlement.outcome is Outcome.PUSH,
    )
