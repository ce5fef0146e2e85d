"""What the mathematics report prints: eighteen sections, every figure exact and rounded."""

from typing import Any

from certify.model.analysis import Analysis
from certify.model.game import WagerKind
from certify.model.submission import Status, Submission
from certify.report.main_view import main_view
from certify.report.numbers import ROUNDING, money, percent, square_root, thousands
from certify.report.proof_view import (
    checklist_table,
    discrepancy_views,
    figure_tables,
    frequency_table,
    input_table,
    rule_table,
    verification_views,
)
from certify.report.tables import Table, table
from certify.report.wager_view import wager_figures
from certify.report.wording import (
    JOKER_TEXT,
    STATUS_TEXT,
    WHEEL_TEXT,
    all_printed,
    listed,
)


def mathematics_view(submission: Submission) -> dict[str, Any]:
    """Return what the template of the mathematics report prints."""
    game = submission.game
    analyses = _analyses(submission)
    return {
        "title": f"{game.name}: Mathematics Report",
        "has_envy": any(one.envy for one in analyses),
        "has_progressive": any(one.progressive for one in analyses),
        "game": game.name,
        "supplier": game.supplier,
        "jurisdiction": submission.jurisdiction.name,
        "regulator": submission.jurisdiction.regulator,
        "confidential": submission.jurisdiction.confidential,
        "report_id": submission.report_id,
        "revision": game.revision,
        "revised": game.revised.isoformat(),
        "digest": submission.evidence_sha256,
        "status": STATUS_TEXT[submission.status],
        "draft": submission.status is not Status.FINAL,
        "as_of": submission.as_of.isoformat(),
        "engine_version": submission.engine_version,
        "command": submission.command,
        "rounding": ROUNDING,
        "house_way": submission.house_way.name,
        "paytable_ids": listed([submission.option.id, *(one.id for one in submission.paytables)]),
        "inputs": input_table(submission),
        "summary": _summary(submission),
        "rules": rule_table(submission),
        "joker": JOKER_TEXT[game.hands.joker],
        "wheel": WHEEL_TEXT[game.hands.wheel],
        "definitions": all_printed(game.definitions, prefix="definition."),
        "assumptions": _assumptions(submission),
        "method": _method(submission),
        "frequencies": frequency_table(submission),
        "main": main_view(submission),
        "wagers": [
            {"name": wager.name, "id": wager.id, "tables": figures}
            for wager in game.wagers
            if wager.kind is not WagerKind.MAIN and (figures := wager_figures(wager, submission))
        ],
        "volatility": _volatility(submission),
        "exposure": _exposure(submission),
        "verification": verification_views(submission),
        "figures": figure_tables(submission),
        "discrepancies": discrepancy_views(submission),
        "checklist": checklist_table(submission),
    }


def _analyses(submission: Submission) -> list[Analysis]:
    targets = [submission.option.target, *(one.target for one in submission.paytables)]
    return [submission.analyses[one] for one in targets if one in submission.analyses]


def _wager_name(submission: Submission, analysis: Analysis) -> str:
    return next(one.name for one in submission.game.wagers if one.id == analysis.wager)


def _summary(submission: Submission) -> Table:
    rows = []
    for one in _analyses(submission):
        if one.house_edge is not None and one.return_to_player is not None:
            figures = (percent(one.return_to_player), percent(one.house_edge))
        else:
            figures = ("by meter", "by meter")
        rows.append(
            (
                _wager_name(submission, one),
                one.paytable,
                *figures,
                percent(one.hit_frequency),
                square_root(one.variance, 4) if one.variance is not None else "by meter",
                f"{thousands(one.top_award)} to 1" if one.top_award is not None else "by meter",
            )
        )
    return table(
        "Every wager of this submission",
        "Wager | Paytable | #Return % | #House edge % | #Hit % | #Deviation | #Top award",
        rows,
        note="Return and house edge are per unit wagered. A hit is a round that pays more than the "
        "wager. Where a meter decides the return, section 10 gives it as a function of the meter. "
        "Every figure is counted exactly.",
    )


def _assumptions(submission: Submission) -> Table:
    """Return every assumption once, in the order it is first met."""
    seen: dict[tuple[str, str], tuple[str, str, str]] = {}
    statements = [*submission.game.assumptions, *submission.house_way.assumptions]
    for analysis in _analyses(submission):
        statements += analysis.assumptions
    for one in statements:
        source = f"{one.source.document}: {one.source.clause}"
        seen.setdefault((one.id, one.text), (one.text, source, one.effect or "none on the figures"))
    return table(
        "Assumptions", "Assumed | Source | Effect if it were otherwise", list(seen.values())
    )


def _method(submission: Submission) -> Table:
    hands = submission.game.hands
    rows = [
        (
            "Deck",
            f"{hands.deck.cards} cards: {hands.deck.ranks} ranks in four suits"
            + (" and one joker" if hands.deck.joker else ""),
        ),
        ("Hands", f"{thousands(submission.frequencies.total)} of {hands.shape.cards} cards"),
    ]
    option = submission.analyses.get(submission.option.target)
    if option is not None:
        rows.append(
            ("Ordered pairs of hands", f"{thousands(option.total)}, none with a card in common")
        )
    rows += [
        ("Counting", "every hand is counted, grouped by ranks and flush suit; nothing is sampled"),
        ("Two hands", "pairs without a common card by inclusion and exclusion over shared cards"),
        ("Numbers", "integers and ratios of integers from the first count to the last figure"),
        ("Rounding", ROUNDING),
    ]
    return table("Method", "Part | How", rows)


ROUNDS = (1_000, 10_000, 100_000, 1_000_000)


def _volatility(submission: Submission) -> Table:
    """Return mean and the band of twice the standard deviation, per number of rounds."""
    rows = []
    for one in _analyses(submission):
        if one.return_to_player is None or one.variance is None:
            continue
        for rounds in ROUNDS:
            # The deviation of a mean over n rounds is the root of variance / n.
            spread = one.variance * 4 / rounds
            width = square_root(spread * 10_000, 3)
            rows.append(
                (
                    f"{one.wager} {one.paytable}",
                    thousands(rounds),
                    percent(one.return_to_player, 3),
                    f"± {width}",
                )
            )
    return table(
        "Return over a number of rounds, in percent of what is wagered",
        "Wager | #Rounds | #Mean % | #Band of two deviations",
        rows,
        note="The band is twice the exact standard deviation of the mean of that many independent "
        "rounds. For wagers with rare high pays the distribution is skew, and the band is no "
        "interval of 95 %.",
    )


def _exposure(submission: Submission) -> Table:
    rows = []
    for one in _analyses(submission):
        if one.top_award is None:
            continue
        least = one.top_award * 100
        envy = "–"
        if one.envy is not None:
            top = max(
                table_row.prize_cents
                for wager in submission.game.wagers
                for prize in wager.envies
                if prize.id == one.envy.paytable and wager.id == one.wager
                for table_row in prize.rows
            )
            envy = f"{money(top)} for each of {submission.game.players - 1} other bettors"
        rows.append(
            (f"{one.wager} {one.paytable}", f"{thousands(one.top_award)} to 1", money(least), envy)
        )
    return table(
        "Largest loss of the house in one round",
        "Wager | #Top award | #On a wager of $1 | Prizes beside it",
        rows,
        note="Shares of a progressive meter are paid from the meter and left out.",
    )
