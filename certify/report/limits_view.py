"""What the rules of play print of limits: of wagers, of payouts, of meters."""

from collections.abc import Callable, Iterator
from typing import Any

from certify.formatting import listed, money
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.submission import Submission
from certify.model.terms import AggregateLimit, LinkedMeter, MeterReduction
from certify.report.head_view import main_wager, wager_name
from certify.report.limit_view import COUNTED, SCOPE_TEXT
from certify.report.paytable_view import filed_paytables
from certify.report.tables import Table, table
from certify.report.wording import label

REDUCTION_TEXT = {
    MeterReduction.AMOUNT_WON: "the amount was won",
    MeterReduction.MALFUNCTION: "the equipment failed",
    MeterReduction.ABOVE_MAXIMUM: "the meter stood above its greatest amount",
    MeterReduction.NON_DISPLAYED: "the amount belongs to a prize that is not displayed",
    MeterReduction.SEED_RECOVERY: "the seed is recovered",
    MeterReduction.OTHER: "other reasons",
}


def wager_count(submission: Submission) -> dict[str, Any]:
    """Return the wagers that one hand can carry, and the rules about their number and size."""
    offered = (main_wager(submission), *_offered(submission))
    terms = submission.terms
    rows = [
        (
            wager.name,
            "main" if wager.options else "optional",
            _amount(terms.least(wager)),
            _amount(terms.largest(wager)),
            _above(terms.largest(wager), submission),
        )
        for wager in offered
    ]
    raised = submission.option.raise_
    if raised is not None:
        most = terms.largest(offered[0])
        rows.insert(1, (raised.name, "with the main wager", "as the main wager",
                        "as the main wager", _above(most, submission)))  # fmt: skip
    count = f"{len(offered)} in all: 1 main and {len(offered) - 1} optional"
    return {
        "table": table(
            "Wagers on one hand",
            "Wager @32 | Kind @16 | #Minimum @19 | #Maximum @19 | Above $5 @14",
            rows,
        ),
        "count": f"{count}, beside {raised.name}." if raised is not None else f"{count}.",
        "limits": _limits(submission),
    }


def limits(submission: Submission) -> dict[str, Any]:
    """Return what is set for the table: wagers, greatest payouts, links and lowering of meters."""
    return {
        "wagers": _wagers(submission),
        "payouts": tuple(_payouts(submission)),
        "meters": tuple(_meters(submission)),
    }


def _wagers(submission: Submission) -> Table | None:
    """Return the limits of the wagers; nothing if none is stated."""
    terms = submission.terms
    offered = (main_wager(submission), *_offered(submission))
    having = [(one.name, _amount(terms.least(one)), _amount(terms.largest(one))) for one in offered]
    if all(terms.least(one) is None and terms.largest(one) is None for one in offered):
        return None
    return table("Limits of the wagers", "Wager @50 | #Minimum @25 | #Maximum @25", having)


def _payouts(submission: Submission) -> Iterator[str]:
    stated = submission.terms.aggregate_limits
    if stated is None:
        yield (
            "No aggregate payout limit is part of this submission. Every prize is paid in full "
            "unless the operator posts a limit that the regulator has approved."
        )
    elif not stated:
        yield "There is no aggregate payout limit: every prize is paid in full."
    else:
        yield from (_aggregate(one, submission) for one in stated)
        yield COUNTED
    for one in submission.rules:
        if one.notice:
            yield f"{one.notice} This goes before the notes of the source."


def _aggregate(limit: AggregateLimit, submission: Submission) -> str:
    names = listed(wager_name(submission, one) for one in limit.wagers)
    together = " together" if len(limit.wagers) > 1 else ""
    return (
        f"At most {money(limit.cents)} is paid in one round {SCOPE_TEXT[limit.scope]} for {names}"
        f"{together}."
    )


def _meters(submission: Submission) -> Iterator[str]:
    """Yield what is known of the links and the lowering of meters; nothing without meters."""
    if not any(one.progressive is not None for one in submission.paytables):
        return
    links, reasons = submission.terms.links, submission.terms.meter_reductions
    if links is None:
        yield "Whether a meter is linked to meters of other tables or games is not stated."
    elif not links:
        yield "No meter is linked to a meter of another table or game."
    else:
        yield from (_link(one) for one in links)
    if reasons is None:
        yield "The reasons for which a meter may be lowered are not stated."
    elif not reasons:
        yield "A meter is never lowered."
    else:
        found = listed((REDUCTION_TEXT[one] for one in reasons), "or")
        yield f"A meter is lowered only because {found}."


def _link(meters: tuple[LinkedMeter, ...]) -> str:
    names = listed(f"meter {one.level} of {label(one.paytable)}" for one in meters)
    return f"These meters are linked, fed together and paid together: {names}."


def _offered(submission: Submission) -> tuple[Wager, ...]:
    """Return the bonus wagers that are filed."""
    return tuple(
        wager
        for wager in submission.game.wagers
        if not wager.options and wager.absent is None and filed_paytables(wager, submission)
    )


def _amount(cents: int | None) -> str:
    return money(cents) if cents is not None else "set by the operator"


def _above(largest: int | None, submission: Submission) -> str:
    """Return whether a wager can be above the amount that the jurisdiction counts from."""
    threshold = 500
    for rule in submission.jurisdiction.rules:
        version = rule.version_at(submission.as_of)
        if rule.test == "games_per_hand" and version is not None:
            threshold = version.parameter("threshold_cents") or threshold
    if largest is None:
        return "if so set"
    return "yes" if largest > threshold else "no"


def _limits(submission: Submission) -> tuple[dict[str, str], ...]:
    """Return the jurisdiction's limits on number and size of wagers, each with its citation."""
    found = []
    for rule in submission.jurisdiction.rules:
        version = rule.version_at(submission.as_of)
        if version is not None and rule.test in LIMITS:
            text = LIMITS[rule.test](version)
            found.append({"text": text, "citation": f"[{version.citation}]"})
    return tuple(found)


def _games_limit(version: RuleVersion) -> str:
    most = version.parameter("largest_number")
    above = version.parameter("largest_number_above_threshold")
    threshold = version.parameter("threshold_cents")
    if above is None or threshold is None:
        return f"At most {most} separate games are offered on one hand of cards."
    return (
        f"At most {most} separate games are offered on one hand of cards, at most {above} of them "
        f"with wagers above {money(threshold)}."
    )


def _wager_limit(version: RuleVersion) -> str:
    return f"No single wager is above {money(version.parameter('largest_wager_cents') or 0)}."


LIMITS: dict[str, Callable[[RuleVersion], str]] = {
    "games_per_hand": _games_limit,
    "largest_wager": _wager_limit,
}
"""The checks of a jurisdiction whose numbers the wager count names."""
