"""Worked examples in the rules of play."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from certify.formatting import money
from certify.model.explanation import (
    BestPlay,
    BonusExplanation,
    Example,
    MainExplanation,
    SettingExplanation,
    Settlement,
)
from certify.model.game import Wager
from certify.model.main_wager import MainWager, Outcome
from certify.model.paytable import Award, Basis, HandOf, Payout, Paytable
from certify.model.submission import Submission
from certify.report.rules.house_way import NumberedRule, rule_numbers
from certify.report.rules.numbering import filed_paytables
from certify.report.wording import capitalize_first, keep_together, label, names, pays, together

STAKE: Final = 1000
"""Cents wagered in an example where the paytable names no base wager and the limits allow it."""

METER: Final = 1_000_000
"""Cents on the meter in an example."""

ENVY: Final = "envy"
HIGHEST_ONLY: Final = "highest_only"
DEALER_CHOICE: Final = "dealer_choice"
DYNAMIC: Final = "dynamic"
FOUL: Final = "foul"


def examples(submission: Submission, wager: Wager) -> list[dict[str, Any]]:
    """Return the worked examples of one wager; each names its paytable if several have examples.

    ``options`` are the same hands at every option, where there are several and they end alike.
    """
    filed: Sequence[MainWager | Paytable] = (
        submission.options if wager.options else filed_paytables(wager, submission)
    )
    records = {record.target: record for record in filed}
    kinds = dict(names("examples"))
    if not submission.game.hands.shape.is_divided:
        kinds |= names("undivided_examples")
    order = [*kinds]
    shown = [
        example
        for example in submission.examples
        if example.target in records and example.kind in kinds
    ]
    way = submission.way
    companion = submission.main.companion if submission.main is not None else None
    numbers = rule_numbers(way, submission.game.dealt) if way is not None else {}
    bounds = _bounds(submission, wager)
    alike: dict[Hashable, list[dict[str, Any]]] = together(
        (_ends(example, record.target), _example(example, record, numbers, bounds))
        for example in sorted(shown, key=lambda example: order.index(example.kind))
        for record in [records[example.target]]
    )
    return [
        first
        | {
            "kind": kinds[first["kind"]].format(
                raised=submission.raise_name, companion=companion.name if companion else ""
            ),
            "named": len(filed if wager.options else {each.target for each in shown}) > 1,
            "options": (first, *others) if others else (),
        }
        for first, *others in alike.values()
    ]


class Bounds(Struct, frozen=True, kw_only=True):
    """The wager and the greatest pay at odds of an example, in cents; None is not declared.

    A round with several wagers names the main one.
    """

    stake: int
    paid: int | None
    called: str = "wager"


def _bounds(submission: Submission, wager: Wager) -> Bounds:
    """Return the wager of examples, within the declared limits, and the lowest payout limit."""
    terms = submission.terms
    least, largest = terms.least(wager), terms.largest(wager)
    stake = max(STAKE, least or 0)
    divided = submission.game.hands.shape.is_divided
    limits = [limit.cents for limit in terms.aggregate_limits or () if wager.id in limit.wagers]
    return Bounds(
        stake=stake if largest is None else min(stake, largest),
        paid=min(limits, default=None),
        called="wager" if divided else wager.name,
    )


def _ends(example: Example, target: str) -> tuple[Hashable, ...]:
    """Return the key of examples that are printed together: same hands, same end."""
    hands = example.kind, example.player, example.dealer
    match example.explained:
        case Settlement() as settlement:
            return (*hands, settlement.text, False)
        case MainExplanation(best=BestPlay(settlement=settlement)) as explained:
            return (*hands, settlement.text, _pushes(explained))
        case BonusExplanation():
            return (*hands, target)
        case _:
            return hands


def _example(
    example: Example,
    record: MainWager | Paytable,
    numbers: Mapping[str, NumberedRule],
    bounds: Bounds,
) -> dict[str, Any]:
    """Return a worked example as printed, each hand with the number of the rule that set it."""
    player = "Other" if example.kind == ENVY else "Player"
    joined = isinstance(record, Paytable) and record.hand is HandOf.TOGETHER
    if joined and example.dealer is None:
        player = "Both"
    sides = ((player, example.player), ("Dealer", example.dealer))
    bonus = main = foul = None
    paid = FOUL
    match example.explained, record:
        case BonusExplanation() as explained, Paytable():
            bonus = _bonus_result(explained, example.kind, record, bounds)
            prize = bonus["prize"]
            paid = money(prize.prize_cents) if prize else pays(bonus["payout"])
        case Settlement() as settlement, MainWager():
            main = _main_result(settlement, record, bounds)
            paid = settlement.pays
        case MainExplanation(best=BestPlay(settlement=settlement)) as explained, MainWager():
            main = _main_result(settlement, record, bounds) | {
                "house_way": explained.player.chosen,
                "house_push": _pushes(explained),
            }
            paid = settlement.pays
        case SettingExplanation() as setting, _:
            foul = setting
    return {
        "kind": example.kind,
        "table": record.id if isinstance(record, MainWager) else label(record.id),
        "hands": [(name, hand, numbers.get(hand.rule)) for name, hand in sides if hand is not None],
        "pays": keep_together(capitalize_first(paid)),
        "bonus": bonus,
        "main": main,
        "foul": foul,
    }


def _pushes(explained: MainExplanation) -> bool:
    """Return True if the player's hand as set by the house way pushes."""
    ended = explained.settlement
    return ended is not None and ended.outcome is Outcome.PUSH


def _bonus_result(
    explained: BonusExplanation, kind: str, paytable: Paytable, bounds: Bounds
) -> dict[str, Any]:
    """Return the pay of a hand at a wager of ``stake_cents``: ``amount_cents``, unless it loses.

    ``cut``: a payout limit reduces the pay at odds.

    ``holds`` are the words of the one hand that counts, empty if there are two. ``also`` is the
    second row that it holds, paid less or not at all by the award, unless rows add up several
    tables; ``prize`` is the prize of other players, if the example shows that.
    ``dealer_chosen``: the player's hand does not count. ``default`` is the payout that the drawn
    ``payout`` replaces. ``red`` and ``black`` count the cards.
    """
    row = next((row for row in paytable.rows if row.event == explained.event), None)
    payout = row.payout if row is not None else Payout(basis=Basis.LOSS)
    default = None
    if kind == DYNAMIC and row is not None:
        drawn = next(drawn for drawn in row.dynamic if str(drawn) == explained.pays)
        default, payout = payout, drawn
    sides = (explained.player, explained.dealer, explained.together)
    hands = [hand for hand in sides if hand is not None]
    suits = Counter(card[1] for card in hands[0].cards)
    progressive = paytable.progressive
    stake = progressive.base_wager_cents if progressive is not None else bounds.stake
    metered = payout.basis is Basis.METER
    amount = payout.amount * (METER if metered else stake)
    cut = not metered and bounds.paid is not None and amount > bounds.paid
    trials = [trial for trial in explained.rows if trial.verdict != "not_held"]
    return {
        "explained": explained,
        "holds": capitalize_first(hands[0].holds) if len(hands) == 1 else "",
        "red": suits["d"] + suits["h"],
        "black": suits["c"] + suits["s"],
        "also": trials[1] if kind == HIGHEST_ONLY and not paytable.joined else None,
        "highest": paytable.award is Award.HIGHEST_RANKING_HAND,
        "prize": explained.envy if kind == ENVY else None,
        "dealer_chosen": kind == DEALER_CHOICE,
        "row": row,
        "payout": payout,
        "default": default,
        "push": payout.is_push,
        "loss": payout.basis is Basis.LOSS,
        "metered": metered,
        "for_one": payout.basis is Basis.FOR,
        "stake_cents": stake,
        "meter_cents": METER,
        "amount_cents": bounds.paid if cut else amount,
        "cut": cut,
    }


def _main_result(settlement: Settlement, option: MainWager, bounds: Bounds) -> dict[str, Any]:
    """Return the result of a round at a wager of ``stake_cents``, with amounts posted.

    ``limit_cents`` is the payout limit if more is won. ``raise_cents`` is the win or loss of a
    raise, 0 if it is returned, and ``largest_cents`` the same for the largest raise;
    ``companion_cents`` is that of the companion wager. ``house_way`` is the setting by the house
    way if the player sets the hand otherwise; it would push or, unless ``house_push``, lose.
    """
    raised, companion = settlement.raise_, settlement.companion
    stake = option.wager_cents or bounds.stake
    nets = (
        settlement.net + option.fee_rate,
        (raised.largest_net or raised.net) if raised is not None else Fraction(0),
        companion.net if companion is not None else Fraction(0),
        settlement.bonus.net if settlement.bonus is not None else Fraction(0),
    )
    won = stake * sum(max(net, Fraction(0)) for net in nets)
    return {
        "limit_cents": bounds.paid if bounds.paid is not None and won > bounds.paid else None,
        "settlement": settlement,
        "wager": bounds.called,
        "folds": option.has_fold,
        "won": settlement.outcome is Outcome.WIN,
        "push": settlement.outcome is Outcome.PUSH,
        "stake_cents": stake,
        "posted_cents": stake * option.posted_amount,
        "amount_cents": stake * abs(settlement.net + option.fee_rate),
        "raise_won": raised is not None and raised.net > 0,
        "raise_cents": stake * abs(raised.net) if raised is not None else 0,
        "largest_cents": stake * abs(raised.largest_net)
        if raised is not None and raised.largest_net
        else 0,
        "companion_cents": stake * companion.net if companion is not None else 0,
        "companion_lost": companion is not None and companion.net < 0,
        "companion_lost_cents": -stake * companion.net if companion is not None else 0,
        "house_way": None,
        "house_push": False,
    }
