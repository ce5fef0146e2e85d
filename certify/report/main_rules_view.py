"""What the rules of play print of the main wager: one option, its rules, its commission."""

from typing import Any

from certify.formatting import percentage
from certify.model.game import Strategy
from certify.model.submission import Submission
from certify.report.example_view import examples
from certify.report.head_view import main_wager
from certify.report.limit_view import edge_with_limit
from certify.report.wording import all_printed, clause, commission_text, pays

CONCEALED = "Both hands are set by the house way."
EXPOSED = (
    "Both hands are set by the house way. Players who see the dealer's hand may set otherwise; in "
    "these examples no other setting ends better."
)

PLAYED = {
    Strategy.HOUSE_WAY: "the player sets by the same house way",
    Strategy.OPTIMAL: "the player plays optimally",
}


def main_rules(submission: Submission) -> dict[str, Any]:
    """Return what the section on the main wager prints."""
    option = submission.option
    wager = main_wager(submission)
    raised = option.raise_
    return {
        "wager": wager.name,
        "option": option.name,
        "option_id": option.id,
        "choice": len(wager.options) > len(submission.options),
        "clause": clause(option.source),
        "win_pays": pays(option.win_pays),
        "rules": all_printed(submission.printed(wager.rules), prefix="main."),
        "dealer_rules": [
            {"text": rule.text, "clause": clause(rule.source)} for rule in option.dealer_rules
        ],
        "raise_name": raised.name if raised is not None else "",
        "raise_text": raised.text if raised is not None else "",
        "raise_clause": clause(raised.source) if raised is not None else "",
        "commission": commission_text(option.commission),
        "ways": _ways(submission),
        "edge": _edge(submission),
        "assumptions": all_printed(
            dict.fromkeys(
                reading
                for one in submission.options
                for reading in submission.readings(one.assumptions)
            ),
            prefix="main.assumption.",
        ),
        "examples": examples(submission, wager),
        "examples_note": EXPOSED if submission.game.dealer_exposed else CONCEALED,
    }


def _ways(submission: Submission) -> list[dict[str, str]]:
    """Return the options that the player chooses among, each with its edge; none if it is one."""
    if len(submission.options) == 1:
        return []
    found = []
    for one in submission.options:
        analysis = submission.analyses.get(one.target)
        edge = analysis.house_edge if analysis is not None else None
        found.append(
            {
                "name": one.name,
                "clause": clause(one.source),
                "commission": commission_text(one.commission),
                "edge": percentage(edge) if edge is not None else "",
                "of": "wager and commission together"
                if one.commission is not None and one.commission.prepaid
                else "the wager",
            }
        )
    return found


def _edge(submission: Submission) -> str:
    analysis = submission.analyses.get(submission.option.target)
    if analysis is None or analysis.house_edge is None or analysis.main is None:
        return ""
    if len(submission.options) > 1:
        return (
            f"The dealer sets by the house way “{submission.house_way.name}”; "
            f"{PLAYED[analysis.main.strategy]}. With another house way the house edges may differ."
        )
    raised = submission.option.raise_
    played = PLAYED[analysis.main.strategy]
    if raised is not None:
        played += f" and makes {raised.name} on exactly the hands that gain by it"
    return (
        f"House edge {percentage(analysis.house_edge)} of the wager"
        f"{edge_with_limit(analysis)}. The dealer sets by the house "
        f"way “{submission.house_way.name}”; {played}. With another house way the house edge may "
        "differ."
    )
