"""The round of a main wager on undivided hands: order of play, and the result of each wager."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from certify.model.analysis import Analysis
from certify.model.main_wager import MainWager, Outcome, OutcomeReason, Tie
from certify.model.submission import Submission
from certify.report.wording import name_in_print, pays

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
