"""Analyses and submissions in short, and the table that identifies a document."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from certify.formatting import (
    decimal,
    edge_in_words,
    exact,
    format_one_in,
    json_exact,
    money,
    percent,
    percentage,
    rounds_to_a_hit,
    square_root,
    thousands,
)
from certify.model.analysis import Analysis, LimitAnalysis, LimitedFigures, ProgressiveAnalysis
from certify.model.comparison import Standing
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Change, ItemState, Status, Submission
from certify.report.compose import compose
from certify.report.tables import Table, table
from certify.report.wording import (
    UNSTATED,
    Bounded,
    bound_figure,
    capitalize_first,
    limit_text,
    name_in_print,
    other_players,
    span,
)

COLUMNS = "Hand | Pays | #Combinations | #Probability | #1 in | #Return"

BY_METER = "by meter"
"""Text for the return of a row that a meter of unknown level pays."""

WITHOUT_METERS = "Return without the hands paid by a meter"


def build_rows(analysis: Analysis) -> Table:
    """Return the rows: hand, pays, combinations, probability, 1 in N, return."""
    rows: list[tuple[str, ...]] = [
        (
            row.name,
            row.pays,
            thousands(row.combinations),
            decimal(row.probability, 10),
            rounds_to_a_hit(row.probability),
            decimal(row.contribution, 8) if row.weight is None else BY_METER,
        )
        for row in analysis.rows
    ]
    total = sum(row.combinations for row in analysis.rows)
    summed = [row.contribution for row in analysis.rows if row.weight is None]
    known = len(summed) == len(analysis.rows)
    returned = decimal(sum(summed, start=Fraction(0)), 8)
    share = decimal(Fraction(total, analysis.total), 10)
    rows.append(("Total", "", thousands(total), share, "", returned if known else ""))
    if not known:
        rows.append((WITHOUT_METERS, "", "", "", "", returned))
    return table(analysis.target, COLUMNS, rows)


def build_summary(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the figures by name, exact and rounded."""
    figures: list[tuple[str, str]] = []
    if analysis.main is not None:
        if analysis.main.house_way:
            figures += [
                ("House way", analysis.main.house_way),
                ("Strategy", name_in_print("strategy", analysis.main.strategy)),
            ]
        figures += [
            (
                name.capitalize(),
                f"{percentage(Fraction(count, analysis.total), 5)}  ({thousands(count)})",
            )
            for name, count in analysis.main.outcomes.items()
        ]
    if analysis.house_way is not None:
        figures.append(("House way", analysis.house_way))
    if analysis.house_edge is not None and analysis.return_to_player is not None:
        in_words = capitalize_first(edge_in_words(analysis.house_edge))
        figures += [
            ("House edge", f"{percentage(analysis.house_edge)}  = {exact(analysis.house_edge)}"),
            *([("In words", f"{in_words}.")] if analysis.house_edge < 0 else []),
            ("Return to player", percentage(analysis.return_to_player)),
            ("Cost per $100 wagered", money(analysis.house_edge * 10000)),
        ]
    if analysis.main is not None:
        figures += [
            (f"House edge at {money(at.wager_cents)}", percentage(at.house_edge))
            for at in analysis.main.by_wager
        ]
    if analysis.main is not None and analysis.main.bank is not None:
        bank = analysis.main.bank
        figures += [
            ("House edge while banking", percentage(bank.house_edge)),
            (f"House edge, banking {exact(bank.share)}", percentage(bank.combined_edge)),
        ]
    if analysis.main is not None and analysis.main.element_of_risk is not None:
        figures.append(("Element of risk", percentage(analysis.main.element_of_risk)))
    if analysis.main is not None and analysis.main.average_wager is not None:
        figures.append(("Average wager", decimal(analysis.main.average_wager, 6)))
    figures.append(
        (
            "Hit frequency",
            f"{percentage(analysis.hit_frequency)}  ({format_one_in(analysis.hit_frequency)})",
        )
    )
    if analysis.variance is not None:
        figures.append(("Standard deviation", square_root(analysis.variance, 6)))
    return figures + _envy(analysis) + _progressive(analysis) + _limits(analysis)


def build_overview(analyses: Sequence[Analysis]) -> Table:
    """Return one line of figures for each paytable or option, without empty columns.

    A progressive paytable has the return of its fixed payouts instead of a house edge.
    """
    rows = [
        (
            analysis.target.partition("/")[2],
            *_edge_and_return(analysis),
            percentage(analysis.hit_frequency),
            square_root(analysis.variance, 4) if analysis.variance is not None else "",
        )
        for analysis in analyses
    ]
    titles = ("Paytable", "#House edge", "#Return", "#Hit frequency", "#Standard deviation")
    filled = [place for place in range(len(titles)) if any(row[place] for row in rows)]
    return table(
        analyses[0].game,
        " | ".join(titles[place] for place in filled),
        [[row[place] for place in filled] for row in rows],
    )


def _edge_and_return(analysis: Analysis) -> tuple[str, str]:
    if analysis.progressive is not None:
        return "", f"{percentage(analysis.progressive.fixed_return)} fixed"
    if analysis.house_edge is None or analysis.return_to_player is None:
        return "", ""
    return percentage(analysis.house_edge), percentage(analysis.return_to_player)


def _envy(analysis: Analysis) -> list[tuple[str, str]]:
    envy = analysis.envy
    if envy is None:
        return []
    wager = money(envy.wager_cents)
    return [
        (
            f"{capitalize_first(envy.called)} table {envy.paytable}",
            f"{percentage(envy.per_other_player)} of a {wager} wager per other player",
        ),
        *(
            (f"House edge, {other_players(players)}", percentage(edge))
            for players, edge in envy.house_edge_by_players.items()
        ),
    ]


def _progressive(analysis: Analysis) -> list[tuple[str, str]]:
    progressive = analysis.progressive
    if progressive is None:
        return []
    base = progressive.base_wager_cents
    figures = [("Return of fixed pays, without the meters", percentage(progressive.fixed_return))]
    for meter in progressive.meters:
        figures += [
            (f"Meter {meter.level}: weight", exact(meter.weight)),
            (
                f"Meter {meter.level}: break-even",
                f"{money(meter.break_even * base)} for a {money(base)} wager"
                + ("" if len(progressive.meters) == 1 else ", the other meters at zero"),
            ),
        ]
    if analysis.dynamic is not None:
        figures.append(
            (
                "Dynamic pays add",
                f"{percentage(analysis.dynamic.least)} to {percentage(analysis.dynamic.greatest)}",
            )
        )
    return figures


def _limits(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the figures of a wager under limits, as names and values; empty without a limit."""
    limit, progressive = analysis.limit, analysis.progressive
    if limit is None:
        return []
    lines = [("Payout limit", limit_text(declared)) for declared in limit.limits]
    lines.append(("Payout limit binds", _binds(limit)))
    for at in limit.amounts:
        wager = f"at {money(at.wager_cents)}"
        edge = bound_figure(analysis.house_edge, at)
        if edge is not None:
            fraction = f"  = {exact(edge.low)}" if edge.exact else ""
            lines.append((f"House edge {wager}", _in_words(edge) + fraction))
        lines += [
            (f"House edge {wager}, {other_players(players)}", percentage(with_prizes))
            for players, with_prizes in at.house_edge_by_players.items()
            if players > 1
        ]
        if progressive is not None:
            lines += _meter_lines(progressive, at, wager)
    return lines


def _binds(limit: LimitAnalysis) -> str:
    """Return the wager from which a pay can be reduced."""
    if limit.binds_above_cents is None:
        return "never: nothing is paid at odds"
    above = f"above a wager of {money(limit.binds_above_cents)}"
    return above if limit.amounts else f"{above}, which is more than is wagered here"


def _in_words(figure: Bounded) -> str:
    """Return a figure under a limit, or its bounds."""
    if figure.exact:
        return percentage(figure.low)
    first, second = ("at most", "at least") if figure.falls else ("at least", "at most")
    bound = "" if figure.high is None else f", {second} {percentage(figure.high)}"
    return f"{first} {percentage(figure.low)}{bound}"


def _meter_lines(
    progressive: ProgressiveAnalysis, at: LimitedFigures, wager: str
) -> Iterator[tuple[str, str]]:
    fixed = bound_figure(progressive.fixed_return, at, falls=True)
    if fixed is not None:
        yield f"Return of fixed pays {wager}", _in_words(fixed)
    for level, meter in at.break_evens:
        break_even = money(meter * progressive.base_wager_cents)
        yield f"Meter {level}: break-even {wager}", break_even
    if at.dynamic is not None:
        low, high = at.dynamic
        yield f"Dynamic pays add {wager}", f"{percentage(low)} to {percentage(high)}"


def head_view(submission: Submission, title: str) -> dict[str, Any]:
    """Return the names that the cover, the running headers and the metadata print."""
    game, jurisdiction = submission.game, submission.jurisdiction
    supplier = submission.terms.supplier
    filed = submission.analyses.get(submission.main.target) if submission.main else None
    return {
        "limited_to": [] if submission.main else [wager.name for wager in submission.wagers],
        "submission": submission,
        "title": f"{game.name}: {title}",
        "game": game.name,
        "aliases": game.aliases,
        "supplier": supplier.name if supplier is not None else game.supplier or UNSTATED,
        "jurisdiction": jurisdiction.name,
        "regulator": jurisdiction.regulator,
        "confidential": jurisdiction.confidential,
        "strategy": filed and filed.main and filed.main.strategy,
        "report_id": submission.report_id,
        "revision": game.revision,
        "revised": game.revised,
        "digest": submission.evidence_sha256,
        "texts": _texts(submission),
        "draft": submission.status is not Status.FINAL,
        "unsigned": submission.status is Status.UNSIGNED,
        "replaced": _records(submission, Change.REPLACES),
        "added": _records(submission, Change.ADDED),
        "to_accept": submission.provenance.replaced_records,
        "accepted": submission.order.accept_replaced,
    }


def _records(submission: Submission, change: Change) -> list[str]:
    return [path for path, known in submission.provenance.records.items() if known is change]


def _texts(submission: Submission) -> dict[str, Any]:
    """Return the official texts that were applied, and those whose text in force is unconfirmed.

    ``read`` has the days on which the official texts were read.
    """
    applied = [
        judgement.version
        for judgement in submission.rules
        if judgement.version is not None and judgement.standing is not Standing.NOT_APPLICABLE
    ]
    official = [version for version in applied if version.official]
    return {
        "official": [*dict.fromkeys(version.citation for version in official)],
        "read": span(version.read_on for version in official),
        "unconfirmed": [
            *dict.fromkeys(version.citation for version in applied if not version.official)
        ],
    }


WIDTH = 80


def filed_view(submission: Submission) -> dict[str, Any]:
    """Return the submitted wagers with their edges, and the checklist by state.

    A job passes it to another process, so it does not include the submission with all its files.
    """
    checklist = {
        str(state): [line for line in submission.checklist if line.state is state]
        for state in ItemState
    }
    head = head_view(submission, "Submission")
    del head["submission"]
    return head | {
        "as_of": submission.as_of,
        "house_way": submission.way and submission.way.name,
        "wagers": [_wager(submission, record) for record in submission.records],
        "checklist": checklist,
        "totals": {state: len(lines) for state, lines in checklist.items()},
    }


def filed_json(submission: Submission) -> dict[str, Any]:
    """Return a summary of the submission as JSON."""
    edges = {
        record.target: submission.analyses[record.target].house_edge
        for record in submission.records
    }
    return {
        "submission": submission.report_id,
        "status": str(submission.status),
        "game": submission.game.id,
        "jurisdiction": submission.jurisdiction.id,
        "revision": submission.game.revision,
        "rules_as_of": submission.as_of.isoformat(),
        "wagers": [
            {"target": target}
            if edge is None
            else {
                "target": target,
                "house_edge": json_exact(edge),
                "house_edge_percent": percent(edge),
            }
            for target, edge in edges.items()
        ],
        "open": [
            {"id": line.item.id, "text": line.item.text, "detail": line.detail}
            for line in submission.checklist
            if line.state is ItemState.OPEN
        ],
    }


def checklist_text(submission: Submission) -> str:
    """Return the checklist as text, open items first, in lines of at most 80 characters."""
    return plain("plain/checklist.txt.j2", filed_view(submission), width=WIDTH)


def filed_text(submission: Submission, width: int = WIDTH) -> str:
    """Return a summary of the submission in a few lines."""
    return plain("plain/submitted.txt.j2", filed_view(submission), width=width)


def plain(template: str, view: Mapping[str, Any], *, width: int) -> str:
    """Return a text, each line of it within a width; continuation lines are indented."""
    text = compose(template, view)
    pieces: list[str] = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        pieces += textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        ) or [""]
    return "".join(f"{piece}\n" for piece in pieces)


def _wager(
    submission: Submission, record: MainWager | Paytable
) -> tuple[str, MainWager | Paytable, Analysis, bool]:
    """Return a wager's name, its entry, its figures, and True if a meter determines them."""
    wager, analysis = submission.game.find_wager(record), submission.analyses[record.target]
    return wager.name, record, analysis, analysis.house_edge is None
