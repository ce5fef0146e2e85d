"""What the rules of play print of limits: of wagers, of payouts, of meters."""

from collections.abc import Iterator
from typing import Any

from certify.model.jurisdiction import RuleVersion
from certify.model.submission import Submission
from certify.model.terms import AggregateLimit, MeterReduction, Scope
from certify.report.rules.offered import bonus_wagers, filed_paytables, offered
from certify.report.wording import label

GAMES, LARGEST = "games_per_hand", "largest_wager"
"""The tests of a jurisdiction's limits on the number and on the size of wagers."""

THRESHOLD = 500
"""Cents above which wagers are counted apart where the jurisdiction says nothing else."""


def limits(submission: Submission) -> dict[str, Any]:
    """Return what is set for the table: wagers, payouts, links and lowering of meters.

    None is not stated, empty says that there is none. ``reductions`` say whether a meter may be
    lowered for a reason, by the reason's name.
    """
    terms, reductions = submission.terms, submission.terms.meter_reductions or ()
    state = _state(submission)
    stated = (version.parameter("threshold_cents") for test, version in state if test == GAMES)
    threshold = next(stated, None) or THRESHOLD
    optional = len(bonus_wagers(submission))
    return {
        "optional": optional,
        "single": optional == 1,
        "wagers": [*_lines(submission, threshold)],
        "state": [_limit(version) for _, version in state],
        "threshold_cents": threshold,
        "counted": "wager_count" in submission.jurisdiction.sections,
        "payouts": [_payout(submission, limit) for limit in terms.aggregate_limits or ()],
        "notices": [rule.notice for rule in submission.rules if rule.notice],
        "metered": any(paytable.progressive is not None for paytable in submission.paytables),
        "links": [
            [f"meter {meter.level} of {label(meter.paytable)}" for meter in meters]
            for meters in terms.links or ()
        ],
        "reductions": {str(reason): reason in reductions for reason in MeterReduction},
        "lowered": bool(reductions),
    }


def _state(submission: Submission) -> list[tuple[str, RuleVersion]]:
    """Return the jurisdiction's limits on number and size of wagers, by their tests."""
    return [
        (rule.test, version)
        for rule in submission.jurisdiction.rules
        if rule.test in (GAMES, LARGEST) and (version := rule.version_at(submission.as_of))
    ]


def _limit(version: RuleVersion) -> dict[str, Any]:
    """Return a jurisdiction's limit on the number or the size of wagers; None is no part of it."""
    return {
        "citation": version.citation,
        "games": version.parameter("largest_number"),
        "games_above": version.parameter("largest_number_above_threshold"),
        "threshold_cents": version.parameter("threshold_cents"),
        "wager_cents": version.parameter("largest_wager_cents"),
    }


def _payout(submission: Submission, limit: AggregateLimit) -> dict[str, Any]:
    called = {wager.id: wager.name for wager in submission.game.wagers}
    return {
        "cents": limit.cents,
        "table": limit.scope is Scope.TABLE,
        "wagers": [called[wager] for wager in limit.wagers],
        "together": len(limit.wagers) > 1,
    }


def _lines(submission: Submission, threshold: int) -> Iterator[dict[str, Any]]:
    """Yield the wagers that one hand can carry, and what is filed of each.

    None is not stated; ``above`` is whether the largest is counted apart. A wager that goes
    ``with`` another has the limits of that one.
    """
    for wager in offered(submission):
        least, largest = submission.terms.least(wager), submission.terms.largest(wager)
        yield {
            "name": wager.name,
            "main": bool(wager.options),
            "with_": "",
            "least": least,
            "largest": largest,
            "above": largest is not None and largest > threshold,
            "paytables": [label(paytable.id) for paytable in filed_paytables(wager, submission)]
            or [option.id for option in submission.options],
        }
        raised = submission.main.raise_ if wager.options and submission.main is not None else None
        if raised is not None:
            most = None if largest is None else largest * (raised.largest or raised.size)
            yield {
                "name": raised.name,
                "main": False,
                "with_": wager.name,
                "least": None if least is None else int(least * raised.size),
                "largest": None if most is None else int(most),
                "above": most is not None and most > threshold,
                "paytables": [],
            }
