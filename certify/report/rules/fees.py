"""Collection fees of a filing by the size of the wager, with the cost to the player."""

from fractions import Fraction
from typing import Any

from certify.model.main_wager import MainWager
from certify.model.submission import Submission


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
