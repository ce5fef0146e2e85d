"""What the rules of play print of the main wager: one option, its rules, its commission."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from certify.model.source import Concern, Statement
from certify.model.submission import Submission
from certify.report.example_view import examples
from certify.report.head_view import main_wager
from certify.report.numbers import percent, plain
from certify.report.wording import STRATEGY_TEXT, all_printed, clause, pays


def main_rules(submission: Submission) -> dict[str, Any]:
    """Return what the section on the main wager prints."""
    option = submission.option
    wager = main_wager(submission)
    raised = option.raise_
    return {
        "wager": wager.name,
        "option": option.name,
        "option_id": option.id,
        "clause": clause(option.source),
        "win_pays": pays(option.win_pays),
        "rules": all_printed(_of_option(wager.rules, option.id), prefix="main."),
        "dealer_rules": [
            {"text": rule.text, "clause": clause(rule.source)} for rule in option.dealer_rules
        ],
        "raise_name": raised.name if raised is not None else "",
        "raise_text": raised.text if raised is not None else "",
        "raise_clause": clause(raised.source) if raised is not None else "",
        "commission": _commission(submission),
        "edge": _edge(submission),
        "assumptions": all_printed(
            (one for one in option.assumptions if one.concern is Concern.PLAY),
            prefix="main.assumption.",
        ),
        "examples": examples(submission, option.target),
    }


def _of_option(rules: Sequence[Statement], option: str) -> tuple[Statement, ...]:
    """Return the rules, with their parts, that belong to one option or to all."""
    return tuple(
        replace(one, parts=_of_option(one.parts, option)) for one in rules if one.of_option(option)
    )


def _edge(submission: Submission) -> str:
    analysis = submission.analyses.get(submission.option.target)
    if analysis is None or analysis.house_edge is None or analysis.main is None:
        return ""
    return (
        f"House edge {percent(analysis.house_edge)} % of the wager. The dealer sets by the house "
        f"way “{submission.house_way.name}”; the player: {STRATEGY_TEXT[analysis.main.strategy]}. "
        "With another house way the house edge may differ."
    )


def _commission(submission: Submission) -> str:
    commission = submission.option.commission
    if commission is None:
        return "No commission is taken."
    rate = f"{plain(commission.rate * 100)} %"
    if commission.prepaid:
        return (
            f"A commission of {rate} of the wager is posted beside it in advance. It is lost with "
            "a losing wager and returned with a winning or pushing one."
        )
    return f"A commission of {rate} is taken from winnings."
