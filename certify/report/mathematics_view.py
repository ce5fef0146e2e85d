"""What the mathematics report prints: eighteen sections, every figure exact and rounded."""

from collections.abc import Iterator
from typing import Any

from certify.formatting import ROUNDING_TEXT, money, percent, square_root, thousands
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.paytable import Paytable
from certify.model.submission import Status, Submission
from certify.report.alternatives_view import alternatives, numbers
from certify.report.assumption_view import assumptions, conventions
from certify.report.exposure_view import aggregate_rules, exposure
from certify.report.figures_view import (
    advantage,
    bases,
    by_meter,
    option_of,
    top_award,
    without_envy,
)
from certify.report.head_view import Entry, Section, control_table, head_view
from certify.report.limit_view import COUNTED, OPEN, at_limit, bounded
from certify.report.main_view import main_view
from certify.report.open_limits_view import open_limits
from certify.report.progressive_view import progressive_figures
from certify.report.proof_view import (
    checklist_table,
    discrepancy_views,
    frequency_table,
    input_table,
    rule_table,
    standing_table,
)
from certify.report.tables import Table, table
from certify.report.verification_view import (
    figure_summary,
    figure_tables,
    verification_summary,
    verification_tables,
    verification_text,
    vouched,
)
from certify.report.volatility_view import band_charts, volatility_table
from certify.report.wager_view import wager_figures
from certify.report.wording import STRATEGY_TEXT, WHEEL_TEXT, all_printed, joker_text, label

SECTIONS = (
    ("control", "0. Control page"),
    ("summary", "1. Summary"),
    ("requirements", "2. Requirements and where they are met"),
    ("definitions", "3. Definitions"),
    ("assumptions", "4. Assumptions"),
    ("method", "5. Method"),
    ("frequencies", "6. Hand frequencies"),
    ("main", "7. Main wager"),
    ("wagers", "8. Bonus wagers"),
    ("envy", "9. Prizes for the hands of other players"),
    ("progressive", "10. Progressive wagers"),
    ("volatility", "11. Volatility"),
    ("exposure", "12. Largest exposure in one round"),
    ("verification", "13. Independent verification"),
    ("discrepancies", "14. Discrepancies of the source"),
    ("reproducibility", "15. Reproducing this report"),
    ("reliance", "16. Reliance"),
    ("signatures", "17. Signatures"),
    ("checklist", "Annex A. What the filing needs"),
    ("figures", "Annex B. Published figures"),
)
"""Template and title of every section; the numbers are those of the reference of sections."""


NEW_PAGE = frozenset({"summary", "checklist"})
"""Sections that start a page."""


def mathematics_view(submission: Submission) -> dict[str, Any]:
    """Return what the template of the mathematics report prints."""
    game = submission.game
    analysed = _analysed(submission)
    figures = [one for one in (wager_figures(w, submission) for w in game.wagers) if one]
    meters = [one for one in (progressive_figures(w, submission) for w in game.wagers) if one]
    envies = [one for one in figures if one.envies]
    return head_view(submission, "Mathematics Report") | {
        "sections": _sections(
            {
                "wagers": [Entry(anchor=one.anchor, title=one.name) for one in figures],
                "progressive": [Entry(anchor=one.anchor, title=one.name) for one in meters],
            }
        ),
        "control": control_table(submission, "mathematics"),
        "filed": _filed(submission),
        "summary": _summary(submission, analysed),
        "rules": rule_table(submission),
        "standings": standing_table(submission),
        "joker": joker_text(game.hands),
        "wheel": WHEEL_TEXT[game.hands.wheel],
        "definitions": all_printed(game.definitions, prefix="definition."),
        "assumptions": assumptions(submission, analysed),
        "alternatives": alternatives(submission, analysed),
        "method": _method(submission),
        "conventions": conventions(submission, analysed),
        "frequencies": frequency_table(submission),
        "main": main_view(submission),
        "wagers": figures,
        "envies": envies,
        "meters": meters,
        "volatility": volatility_table(analysed),
        "band_charts": band_charts(analysed),
        "exposure": exposure(analysed, submission),
        "open_limits": open_limits(analysed, submission),
        "aggregate_rules": aggregate_rules(submission),
        "verified": verification_text(submission),
        "verification": verification_summary(submission),
        "verification_tables": verification_tables(submission),
        "figure_summary": figure_summary(submission),
        "vouched": vouched(submission),
        "figures": figure_tables(submission),
        "discrepancies": discrepancy_views(submission, numbers(analysed)),
        "command": submission.command,
        "final": submission.status is Status.FINAL,
        "rounding": ROUNDING_TEXT,
        "inputs": input_table(submission),
        "checklist": checklist_table(submission),
    }


def _sections(entries: dict[str, list[Entry]]) -> tuple[Section, ...]:
    return tuple(
        Section(
            anchor=f"section-{name}",
            title=title,
            template=f"mathematics/{name}.html.j2",
            entries=tuple(entries.get(name, ())),
            new_page=name in NEW_PAGE,
        )
        for name, title in SECTIONS
    )


def _analysed(submission: Submission) -> list[tuple[Wager, Analysis]]:
    """Return the filed option and every filed paytable with its wager, in the game's order."""
    filed = {one.target for one in submission.options}
    filed |= {one.target for one in submission.paytables}
    targets = [
        (wager, one)
        for wager in submission.game.wagers
        for one in (
            *(option.target for option in wager.options),
            *(paytable.target for paytable in wager.paytables),
        )
    ]
    return [
        (wager, submission.analyses[one])
        for wager, one in targets
        if one in filed and one in submission.analyses
    ]


def _filed(submission: Submission) -> Table:
    """Return the ids that are filed, wager by wager."""
    ids: dict[str, list[str]] = {}
    for paytable in submission.paytables:
        ids.setdefault(paytable.wager, []).append(label(paytable.id))
    names = {wager.id: wager.name for wager in submission.game.wagers}
    main = [(names[one.wager], f"Option {one.id}") for one in submission.options]
    return table(
        "Filed",
        "Wager @36 | Ids",
        main + [(names[wager], ", ".join(tables)) for wager, tables in ids.items()],
    )


def _summary(submission: Submission, analysed: list[tuple[Wager, Analysis]]) -> Table:
    paytables = {one.target: one for one in submission.paytables}
    notes = (
        "Return and house edge are per unit wagered. A hit is a round that pays more than the "
        "wager.",
        bases(analysed),
        "“By meter”: section 10 gives the return as a function of the meter."
        if any(one.progressive is not None for _, one in analysed)
        else "",
        "“By draw”: the dynamic pays that are drawn decide it too."
        if any(one.dynamic is not None for _, one in analysed)
        else "",
        *(
            f"“Without {called}”: section 9 gives the house edge with these prizes."
            for called in dict.fromkeys(one.envy.called for _, one in analysed if one.envy)
        ),
        f"A row with a limit has what becomes of the row above it. {COUNTED}"
        if any(one.limit is not None and one.limit.amounts for _, one in analysed)
        else "",
        OPEN if any(one.limit is not None and one.limit.open for _, one in analysed) else "",
        "“Bounds”: what a limit that is shared cuts is not one figure; see section 8."
        if any(one.limit is not None and one.limit.shared for _, one in analysed)
        else "",
        advantage(one.house_edge for _, one in analysed),
    )
    return table(
        "Every wager of this submission",
        "Wager @20 | Paytable, configuration @20 | #Return % @8 | #House edge % @8 | #Hit % @8"
        " | #Std. dev. @8 | Top award @21 | Method @7",
        [
            row
            for w, one in analysed
            for row in (
                _summary_row(submission, w, one, paytables.get(one.target)),
                *_limited_rows(w, one),
            )
        ],
        note=" ".join(one for one in notes if one),
    )


def _summary_row(
    submission: Submission, wager: Wager, one: Analysis, paytable: Paytable | None
) -> tuple[str, ...]:
    edge, returned = one.house_edge, one.return_to_player
    return (
        wager.name,
        _configuration(submission, one, paytable),
        percent(returned) if returned is not None else by_meter(one),
        percent(edge) if edge is not None else by_meter(one),
        percent(one.hit_frequency),
        square_root(one.variance, 4) if one.variance is not None else by_meter(one),
        top_award(one, paytable, option_of(wager, one)),
        one.method,
    )


def _limited_rows(wager: Wager, analysis: Analysis) -> Iterator[tuple[str, ...]]:
    """Yield one row for each amount at which a limit changes the figures of the row above."""
    limit, edge = analysis.limit, analysis.house_edge
    if limit is None:
        return
    for one in limit.amounts:
        figures = (
            (by_meter(analysis),) * 2
            if edge is None
            else (bounded(one, 1 - edge, percent, falls=True), bounded(one, edge, percent))
        )
        spread = square_root(one.variance, 4) if one.variance is not None else "–"
        yield (
            wager.name,
            f"{label(analysis.paytable)} at {at_limit(limit, one)}",
            *figures,
            percent(analysis.hit_frequency),
            by_meter(analysis) if edge is None else spread,
            f"{'' if one.cost == one.greatest_cost else 'at most '}{money(one.top_cents)}",
            analysis.method if one.cost == one.greatest_cost else "bounds",
        )


def _configuration(submission: Submission, one: Analysis, paytable: Paytable | None) -> str:
    """Return the paytable or option, and what else its figures are for."""
    if paytable is not None:
        return f"{label(one.paytable)}{without_envy([one])}"
    if one.main is None:
        return one.paytable
    return (
        f"{one.paytable}; dealer: {submission.house_way.name}; "
        f"player: {STRATEGY_TEXT[one.main.strategy]}"
    )


def _method(submission: Submission) -> Table:
    hands = submission.game.hands
    joker = " and one joker" if hands.deck.joker else ""
    rows = [
        ("Deck", f"{hands.deck.cards} cards: {hands.deck.ranks} ranks in four suits{joker}"),
        (
            "Number of hands",
            f"{thousands(submission.frequencies.total)} of {hands.shape.cards} cards",
        ),
    ]
    option = submission.analyses.get(submission.option.target)
    if option is not None:
        rows.append(
            ("Deals of two hands", f"{thousands(option.total)}, none with a card in common")
        )
    rows += [
        ("Counting", "every hand is counted, grouped by ranks and flush suit; nothing is sampled"),
        ("Two hands", "pairs without a common card by inclusion and exclusion over shared cards"),
        ("Symmetry", "exchanging suits changes no figure; hands that differ so are counted once"),
        ("Numbers", "integers and ratios of integers from the first count to the last figure"),
        ("Rounding", f"in print only, {ROUNDING_TEXT}"),
    ]
    return table("Method", "Part @24 | How", rows)
