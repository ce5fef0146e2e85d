"""What the rules of play print: everything as text, in the order of the jurisdiction's sections."""

from typing import Any

from certify.model.game import WagerKind
from certify.model.payout import Basis
from certify.model.submission import Status, Submission
from certify.report.example_view import examples
from certify.report.numbers import money, percent
from certify.report.paytable_view import filed_paytables, matrices, wager_view
from certify.report.rankings import BACK_RANKINGS, FRONT_RANKINGS
from certify.report.tables import Table, table
from certify.report.wording import (
    JOKER_TEXT,
    STATUS_TEXT,
    STRATEGY_TEXT,
    WHEEL_TEXT,
    all_printed,
    clause,
    pays,
)


def rules_view(submission: Submission) -> dict[str, Any]:
    """Return what the template of the rules of play prints."""
    game = submission.game
    return {
        "title": f"{game.name}: Rules of Play",
        "game": game.name,
        "aliases": game.aliases,
        "supplier": game.supplier,
        "jurisdiction": submission.jurisdiction.name,
        "regulator": submission.jurisdiction.regulator,
        "report_id": submission.report_id,
        "revision": game.revision,
        "revised": game.revised.isoformat(),
        "digest": submission.evidence_sha256,
        "status": STATUS_TEXT[submission.status],
        "draft": submission.status is not Status.FINAL,
        "section_ids": submission.jurisdiction.sections,
        "paytable_index": _index(submission),
        "game_sections": {
            section.id: {
                "title": section.title,
                "statements": all_printed(section.statements, prefix=f"{section.id}."),
            }
            for section in game.sections
        },
        "definitions": all_printed(game.definitions, prefix="definition."),
        "rankings": _rankings(submission),
        "joker": JOKER_TEXT[game.hands.joker],
        "wheel": WHEEL_TEXT[game.hands.wheel],
        "assumptions": all_printed(game.assumptions, prefix="assumption."),
        "main": _main(submission),
        "house_way": _house_way(submission),
        "clauses": all_printed(submission.jurisdiction.clauses, prefix="clause."),
        "wager_count": _wager_count(submission),
        "wagers": [
            wager_view(wager, submission)
            for wager in game.wagers
            if wager.kind is not WagerKind.MAIN
        ],
        "matrices": [
            matrix
            for wager in game.wagers
            for matrix in matrices(wager, filed_paytables(wager, submission))
        ],
        "rack_card": _rack_card(submission),
        "source_title": game.document.title,
        "source_publisher": game.document.publisher,
        "source_revision": game.document.revision or "not stated",
    }


def _index(submission: Submission) -> Table:
    rows = [(_wager_name(submission, "main"), submission.option.id, submission.option.name)]
    for paytable in submission.paytables:
        envy = f"with envy table {paytable.envy}" if paytable.envy else ""
        rows.append((_wager_name(submission, paytable.wager), paytable.id, envy))
    rows += [
        (wager.name, "none declared", wager.absent.text)
        for wager in submission.game.wagers
        if wager.absent is not None
    ]
    return table("Paytables filed", "Wager | Paytable | Remark", rows)


def _wager_name(submission: Submission, wager_id: str) -> str:
    return next(one.name for one in submission.game.wagers if one.id == wager_id)


def _rankings(submission: Submission) -> dict[str, Any]:
    hands = submission.game.hands
    backs = [
        (name, text)
        for category, name, text in BACK_RANKINGS
        if hands.shape.back >= 5 or category == "any"  # noqa: PLR2004 - a complete hand
    ]
    front = FRONT_RANKINGS[hands.shape.front]
    return {
        "back": table(
            f"Ranking of the {hands.shape.back}-card high hand, highest first",
            "Hand | What it is",
            backs,
        ),
        "front": front,
    }


def _main(submission: Submission) -> dict[str, Any]:
    option = submission.option
    wager = next(one for one in submission.game.wagers if one.id == "main")
    analysis = submission.analyses.get(option.target)
    edge = ""
    if analysis is not None and analysis.house_edge is not None and analysis.main is not None:
        edge = (
            f"House edge {percent(analysis.house_edge, 4)} % of the wager, both hands counted "
            f"exactly; dealer sets by the house way “{submission.house_way.name}”, player: "
            f"{STRATEGY_TEXT[analysis.main.strategy]}."
        )
    return {
        "name": wager.name,
        "option": option.name,
        "option_id": option.id,
        "clause": clause(option.source),
        "win_pays": pays(option.win_pays),
        "rules": all_printed(wager.rules, prefix="main."),
        "dealer_rules": [
            {"text": rule.text, "clause": clause(rule.source)} for rule in option.dealer_rules
        ],
        "raise": {"name": option.raise_.name, "text": option.raise_.text}
        if option.raise_ is not None
        else None,
        "commission": _commission(submission),
        "edge": edge,
        "assumptions": all_printed(option.assumptions, prefix="main.assumption."),
        "examples": examples(submission, option.target),
    }


def _commission(submission: Submission) -> str:
    commission = submission.option.commission
    if commission is None:
        return "No commission is taken."
    rate = f"{percent(commission.rate, 0)} %"
    if commission.prepaid:
        return (
            f"A commission of {rate} of the wager is posted beside it in advance. It is lost with "
            "a losing wager and returned with a winning or pushing one."
        )
    return f"A commission of {rate} is taken from winnings."


def _house_way(submission: Submission) -> dict[str, Any]:
    way = submission.house_way
    return {
        "name": way.name,
        "in_source": submission.game.house_way_in_source,
        "clause": clause(way.source),
        "general": all_printed((*way.statements, *way.general_assumptions), prefix="house-way."),
        "sections": [
            {
                "title": section.title,
                "rules": [
                    {
                        "id": rule.id,
                        "text": rule.text,
                        "clause": clause(rule.source),
                        "assumption": rule.assumption.text if rule.assumption else "",
                    }
                    for rule in section.rules
                ],
            }
            for section in way.sections
        ],
    }


def _wager_count(submission: Submission) -> Table:
    rows = []
    for wager in submission.game.wagers:
        least = money(wager.minimum_cents) if wager.minimum_cents is not None else "by the casino"
        most = money(wager.maximum_cents) if wager.maximum_cents is not None else "by the casino"
        rows.append((wager.name, str(wager.kind), least, most))
    return table(
        "Wagers on one hand",
        "Wager | Kind | #Least | #Greatest",
        rows,
        note="Where the casino sets a limit, the regulation's own limit stands above it.",
    )


def _rack_card(submission: Submission) -> list[dict[str, Any]]:
    """Return the text of layout and rack card, from the same rows as the paytables."""
    found = []
    for paytable in submission.paytables:
        lines = [
            f"{row.name}  {pays(row.payout)}"
            for row in paytable.rows
            if row.payout.basis is not Basis.LOSS
        ]
        found.append(
            {
                "heading": f"{_wager_name(submission, paytable.wager)} ({paytable.id})",
                "lines": lines,
            }
        )
    return found
