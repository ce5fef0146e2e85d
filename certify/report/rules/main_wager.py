"""Main wagers, rounds on undivided hands, and worked examples in the rules of play."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from certify.formatting import money
from certify.model.analysis import Analysis
from certify.model.explanation import (
    BestPlay,
    BonusExplanation,
    Example,
    MainExplanation,
    SettingExplanation,
    Settlement,
)
from certify.model.game import Strategy, Wager
from certify.model.main_wager import MainWager, Outcome, OutcomeReason, Tie
from certify.model.paytable import Basis, HandOf, Payout, Paytable
from certify.model.submission import Submission
from certify.report.interpretations import find_marked
from certify.report.rules.house_way import NumberedRule, rule_numbers
from certify.report.rules.numbering import (
    filed_paytables,
    iter_numbers,
    play_decisions,
    print_section,
    rule,
    rules,
)
from certify.report.wording import (
    FiguresWithLimit,
    capitalize_first,
    figures_with_limit,
    keep_together,
    label,
    name_in_print,
    names,
    pays,
    together,
)

BONUS = "bonus"


class Result(Struct, frozen=True, kw_only=True):
    """The result of one wager: ``paid`` in words, empty if it is not made or pays nothing extra.

    ``by_hand``: a pay for the player's own hand.
    """

    wager: str
    paid: str = ""
    by_hand: bool = False


def list_results(option: MainWager, reason: OutcomeReason, wager: str) -> Iterator[Result]:
    """Yield the result of each wager in a round that ends so; the main ``wager`` comes first."""
    rule = next((rule for rule in option.dealer_rules if rule.id == reason.rule), None)
    words = {
        Outcome.WIN: option.win_in_words(rule),
        Outcome.PUSH: name_in_print("result", "push"),
        Outcome.LOSE: name_in_print("result", "lose"),
    }
    yield Result(wager=wager, paid=words[reason.outcome])
    raised, companion = option.raise_, option.companion
    if raised is not None and not reason.raised:
        yield Result(wager=raised.name)
    elif raised is not None:
        won = pays(option.win_pays) if reason.raise_won else words[Outcome.PUSH]
        usual = words[reason.outcome] if reason.is_raised else won
        by_hand = {pay.id: pays(pay.pays) for pay in raised.pays}.get(reason.raise_pay or "")
        yield Result(wager=raised.name, paid=by_hand or usual, by_hand=by_hand is not None)
    if companion is not None:
        lost = reason.folded or (reason.compared and reason.outcome is Outcome.LOSE)
        usual = words[Outcome.LOSE if lost else Outcome.PUSH]
        by_hand = {pay.id: pays(pay.pays) for pay in companion.pays}.get(reason.companion_pay or "")
        yield Result(wager=companion.name, paid=by_hand or usual, by_hand=by_hand is not None)
    if option.bonus:
        by_hand = {pay.id: pays(pay.pays) for pay in option.bonus}.get(reason.bonus or "")
        name = name_in_print("result", BONUS)
        yield Result(wager=name, paid=by_hand or "", by_hand=by_hand is not None)


def describe_round(submission: Submission, option: MainWager) -> dict[str, Any] | None:
    """Return the order of play and the settlement of a round; None for divided hands.

    ``whole``: hands are compared as dealt. ``ends`` are the ways to end with the results of each of
    the ``wagers``, empty if nothing is counted.
    """
    shape, raised = submission.game.hands.shape, option.raise_
    if shape.is_divided:
        return None
    analysis = submission.analyses.get(option.target)
    wager = submission.game.find_wager(option).name
    ends = _list_ends(option, analysis, wager) if analysis is not None else []
    return {
        "option": option,
        "cards": shape.cards,
        "dealer": shape.dealer,
        "best": shape.back,
        "whole": shape.is_whole,
        "shows": shape.dealer_shows > 0,
        "exposed": submission.game.dealer_exposed,
        "raised": raised,
        "enlarges": raised is not None and raised.largest_when is not None,
        "wagers": [each.wager for each in ends[0]["results"]] if ends else [],
        "ends": ends,
    }


def _list_ends(option: MainWager, analysis: Analysis, wager: str) -> list[dict[str, Any]]:
    """Return the ways in which a round ends, a fold and the dealer's rules first."""
    ends: dict[tuple[Any, ...], list[list[Result]]] = {}
    for row in analysis.rows:
        reason = row.reason
        if reason is not None:
            idle = reason.raised and reason.compared and not reason.qualified
            compared = None if reason.folded or not reason.compared else reason.outcome
            ended = (not reason.folded, reason.rule is None, reason.rule, compared, idle)
            ends.setdefault(ended, []).append([*list_results(option, reason, wager)])
    texts = {rule.id: rule.text for rule in option.dealer_rules}
    return [
        {
            "end": texts.get(rule or "") or _name_end(option, compared),
            "idle": idle,
            "results": [_join(results) for results in zip(*rounds, strict=True)],
        }
        for (*_, rule, compared, idle), rounds in sorted(ends.items(), key=lambda end: end[0][:2])
    ]


def _name_end(option: MainWager, outcome: Outcome | None) -> str:
    """Return the name of the end of a round; no outcome is a fold."""
    ties = {Tie.PLAYER: Outcome.WIN, Tie.DEALER: Outcome.LOSE}
    tied = "_or_tie" if ties.get(option.ties.high) is outcome and outcome is not None else ""
    return name_in_print("round_end", f"{outcome or 'folded'}{tied}")


def _join(results: Sequence[Result]) -> Result:
    """Return the result of a wager over all rounds that end so."""
    usual = dict.fromkeys(each.paid for each in results if each.paid and not each.by_hand)
    return Result(
        wager=results[0].wager,
        paid=name_in_print("result", "or").join(usual),
        by_hand=any(each.by_hand for each in results),
    )


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
    """Return the worked examples of one wager; each names its paytable if several are filed.

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
    way, joker = submission.way, submission.game.hands.joker
    companion = submission.main.companion if submission.main is not None else None
    numbers = rule_numbers(way, joker) if way is not None else {}
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
            "named": len(filed) > 1,
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
    if isinstance(record, Paytable) and record.hand is HandOf.TOGETHER:
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
    second row that it holds and ``prize`` the prize of other players, if the example shows that.
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
    held = [trial for trial in explained.rows if trial.verdict != "not_held"]
    return {
        "explained": explained,
        "holds": capitalize_first(hands[0].holds) if len(hands) == 1 else "",
        "red": suits["d"] + suits["h"],
        "black": suits["c"] + suits["s"],
        "also": held[1] if kind == HIGHEST_ONLY else None,
        "prize": explained.envy if kind == ENVY else None,
        "dealer_chosen": kind == DEALER_CHOICE,
        "row": row,
        "payout": payout,
        "default": default,
        "push": payout.basis is Basis.PUSH,
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

    ``raise_cents`` is the win or loss of a raise, 0 if it is returned, and ``largest_cents`` the
    same for the largest raise; ``companion_cents`` is that of the companion wager. ``house_way`` is
    the setting by the house way if the player sets the hand otherwise; it would push or, unless
    ``house_push``, lose.
    """
    raised, companion = settlement.raise_, settlement.companion
    stake = option.wager_cents or bounds.stake
    return {
        "settlement": settlement,
        "wager": bounds.called,
        "folds": option.raise_ is not None and option.raise_.fold is not None,
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


SETTING = "round"
"""The section of a game's record on setting the hands."""


def main_wager_section(submission: Submission, section: int) -> dict[str, Any]:
    """Return the contents of the section on the main wager.

    ``strategies`` are those of the player whose house edges are printed in columns; without any,
    ``optimal`` says what the house edge refers to. ``raised`` is the raise that it includes;
    ``house_way`` is empty if hands are not divided; ``rounds`` describe the filed options then.
    """
    option = submission.option
    wager = submission.game.find_wager(option)
    raised = option.raise_
    numbers = iter_numbers(section)
    marked = find_marked(submission)
    settling = (
        *((each.id, each) for each in option.dealer_rules),
        ("main/fee", option.fee),
        ("main/bank", option.bank),
        *((each.id, each) for each in option.bonus),
        ("main/companion", option.companion),
    )
    raising = (
        ("main/raise", raised),
        ("main/fold", raised.fold if raised is not None else None),
    )
    setting = print_section(SETTING, submission, numbers)
    strategies = compare_strategies(submission)
    analysis = submission.analyses.get(option.target)
    settled = (
        *(
            rule(name, term.text, term.source.clause, next(numbers), marked)
            for name, term in settling
            if term
        ),
        *rules(submission.filter_statements(wager.rules), numbers, marked),
    )
    raise_rules = tuple(
        rule(name, term.text, term.source.clause, next(numbers), marked)
        for name, term in raising
        if term
    )
    return {
        "wager": wager.name,
        "setting": setting,
        "settling": settled,
        "raised": submission.raise_name,
        "raise_rules": raise_rules,
        "companion": option.companion,
        "rounds": [
            described
            for filed in submission.options
            if (described := describe_round(submission, filed)) is not None
        ],
        "folds": raised is not None and raised.fold is not None,
        "sizes": raised is not None and raised.largest is not None,
        "marked": "main/payouts" in marked,
        "decisions": rules(play_decisions(submission), numbers, marked),
        "options": [_option(submission, filed, strategies) for filed in submission.options],
        "choice": len(submission.options) > 1,
        "house_way": submission.way.name if submission.way is not None else "",
        "other_ways": [
            (name, by_way.paytable, by_way.house_edge) for name, by_way in submission.other_ways
        ],
        "strategies": strategies,
        "optimal": analysis is not None
        and analysis.main is not None
        and analysis.main.strategy is Strategy.OPTIMAL,
        "examples": examples(submission, wager),
    }


def compare_strategies(submission: Submission) -> tuple[Strategy, ...]:
    """Return the strategies of the player if their house edges differ, else none."""
    edges = _edges(submission)
    compared = (Strategy.OPTIMAL, Strategy.HOUSE_WAY)
    options = [
        [edges.get((option.target, strategy)) for strategy in compared]
        for option in submission.options
    ]
    complete = all(None not in each for each in options)
    return compared if complete and any(best != house for best, house in options) else ()


def _edges(submission: Submission) -> dict[tuple[str, Strategy], Fraction | None]:
    """Return the house edges of the filed options by the player's strategy, without limits."""
    return {
        (analysis.target, analysis.main.strategy): analysis.house_edge
        for analysis in (*submission.comparison, *submission.analyses.values())
        if analysis.main is not None
    }


class PrintedEdge(Struct, frozen=True, kw_only=True):
    """A house edge of the main wager by the player's strategy, None if it was not counted.

    ``on_wager`` is the edge per unit of the wager alone, if a commission is posted with it.

    ``limited``: the figures under a limit, which are known for the filed strategy; for the other
    one, ``unlimited`` says that there is a limit.
    """

    strategy: Strategy | None
    edge: Fraction | None
    on_wager: Fraction | None
    limited: FiguresWithLimit | None
    unlimited: bool


def _option(
    submission: Submission, option: MainWager, strategies: Sequence[Strategy]
) -> tuple[MainWager, list[PrintedEdge]]:
    """Return a submitted option and its house edge by each strategy, or by the filed one."""
    analysis, edges = submission.analyses.get(option.target), _edges(submission)
    limited = figures_with_limit(analysis)
    filed = analysis.main.strategy if analysis is not None and analysis.main is not None else None
    return option, [
        PrintedEdge(
            strategy=strategy,
            edge=edge,
            on_wager=option.edge_on_wager(edge),
            limited=limited if strategy is filed else None,
            unlimited=limited is not None and strategy is not filed,
        )
        for strategy in strategies or (filed,)
        for edge in [edges.get((option.target, strategy)) if strategy is not None else None]
    ]
