"""Main wagers in the rules of play: rounds on undivided hands, counted terms, collection fees."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from certify.model.analysis import Analysis
from certify.model.game import Strategy
from certify.model.main_wager import (
    MainWager,
    Outcome,
    OutcomeReason,
    Tie,
)
from certify.model.submission import Submission
from certify.report.rules.examples import examples
from certify.report.rules.numbering import (
    derive_texts,
    find_marked,
    iter_numbers,
    play_decisions,
    print_section,
    rule_on_ties,
    rules,
)
from certify.report.rules.terms import describe_sizes, pays_by_hand, print_terms
from certify.report.wording import (
    FiguresWithLimit,
    figures_with_limit,
    name_in_print,
    pays,
    pays_for,
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
        "sizes": describe_sizes(raised, wager, submission) if raised else "",
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
    setting = print_section(SETTING, submission, numbers)
    strategies = compare_strategies(submission)
    analysis = submission.analyses.get(option.target)
    settled = (
        *print_terms(submission, numbers, of_raise=False),
        *rules(
            derive_texts(submission.filter_statements(wager.rules), submission),
            submission,
            numbers,
        ),
        *rule_on_ties(submission, option, numbers),
    )
    raise_rules = print_terms(submission, numbers, of_raise=True)
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
        "by_hand": [*pays_by_hand(submission)],
        "exposed": submission.game.dealer_exposed,
        "for_one": any(map(pays_for, submission.options)),
        "folds": option.has_fold,
        "sizes": raised is not None and raised.largest is not None,
        "limited": raised is not None and raised.largest_when is not None,
        "marked": "main/payouts" in marked,
        "decisions": rules(play_decisions(submission), submission, numbers),
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
        "fees": list_fees(submission),
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


def list_fees(submission: Submission) -> dict[str, Any] | None:
    """Return the schedule that the filing declares, None without one.

    ``edges`` are exact costs per unit of the wager, the fee included, by filed option.
    """
    schedule = submission.terms.fees
    if schedule is None:
        return None
    return {
        "text": schedule.text,
        "banker": any(band.banker_cents is not None for band in schedule.bands),
        "options": [option.name for option in submission.options],
        "rows": [
            {
                "band": band,
                "share": Fraction(band.cents, band.from_cents),
                "edges": [
                    _add_fee(option, Fraction(band.cents, band.from_cents), submission)
                    for option in submission.options
                ],
            }
            for band in schedule.bands
        ],
    }


def _add_fee(option: MainWager, share: Fraction, submission: Submission) -> Fraction | None:
    """Return the house edge with the fee of a wager, which every round costs in addition.

    None if the figures depend on the wager otherwise, or are not per unit of the wager alone.
    """
    analysis = submission.analyses.get(option.target)
    edge = analysis.house_edge if analysis is not None else None
    if edge is None or option.depends_on_wager or option.posted_amount:
        return None
    return edge + share
