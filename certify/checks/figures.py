"""Checks of printed figures: what they are about, their form, their sums, their agreement."""

import re
from collections.abc import Iterator

from certify.checks.context import Context, did_you_mean
from certify.checks.data_set import declared_targets
from certify.checks.pages import figures as pages
from certify.model.audit import Agreement, FigureJudgement
from certify.model.finding import Finding, Severity
from certify.model.main_wager import Outcome
from certify.model.published import PublishedFigure, Quantity

_OF_A_ROW = (
    Quantity.COMBINATIONS,
    Quantity.PROBABILITY,
    Quantity.ROW_RETURN,
    Quantity.ENVY_ROW_RETURN,
    Quantity.ENVY_ROW_PROBABILITY,
    Quantity.ENVY_ROW_COMBINATIONS,
)
_COUNTS = (
    Quantity.COMBINATIONS,
    Quantity.TOTAL_COMBINATIONS,
    Quantity.ENVY_ROW_COMBINATIONS,
)
_count = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})*|[0-9]+").fullmatch


def differs(context: Context) -> Iterator[Finding]:
    """F001: every printed figure agrees with the recomputed one, or the record says why not."""
    judged = {
        (judgement.figure.source.document, judgement.figure.id): judgement
        for judgement in context.judgements
    }
    for key, place, figure in _figures(context):
        judgement = judged.get((figure.source.document, figure.id))
        if judgement is not None and judgement.figure == figure:
            severity, message = _verdict(judgement)
            if severity is not None:
                yield context.finding(
                    pages.F001,
                    key,
                    f"/figures/{place}/printed",
                    message,
                    "Compare it with the source; record the reading or the reason.",
                    severity=severity,
                    related=(figure.target, figure.reading.target if figure.reading else None),
                )


def sums(context: Context) -> Iterator[Finding]:
    """F002: the printed combinations of a whole table sum to its printed total."""
    tables: dict[tuple[str, str], list[tuple[int, PublishedFigure]]] = {}
    for key, place, figure in _figures(context):
        if figure.quantity in (Quantity.COMBINATIONS, Quantity.TOTAL_COMBINATIONS):
            tables.setdefault((key, figure.target), []).append((place, figure))
    for (key, target), rows in tables.items():
        totals = [one for one in rows if one[1].quantity is Quantity.TOTAL_COMBINATIONS]
        counts = [one for one in rows if one[1].quantity is Quantity.COMBINATIONS]
        if not totals or not any(one.event == "all_other" for _, one in counts):
            continue
        if not all(_count(one.printed) for _, one in rows):
            continue
        total = _number(totals[0][1])
        total_of_rows = sum(_number(one) for _, one in counts)
        if total != total_of_rows:
            told = any(one.reason is not None for _, one in rows)
            yield context.finding(
                pages.F002,
                key,
                f"/figures/{totals[0][0]}/printed",
                f"The rows of {target} sum to {total_of_rows:,}, not to {total:,}.",
                "Compare the rows with the source; if it prints them so, record the reason.",
                severity=Severity.NOTE if told else None,
            )


def about_nothing(context: Context) -> Iterator[Finding]:
    """F003: every figure is about a declared target and one of its rows."""
    known = declared_targets(context)
    events = (*context.catalogue.events, "all_other")
    options = {option.target for _, option in context.options()}
    for key, place, figure in _figures(context):
        for name, value, allowed in (
            ("target", figure.target, known),
            ("event", figure.event, tuple(Outcome) if figure.target in options else events),
            ("house_way", figure.house_way, tuple(context.catalogue.house_ways)),
        ):
            if value is not None and value not in allowed and len(allowed) > 1:
                yield context.finding(
                    pages.F003,
                    key,
                    f"/figures/{place}/{name}",
                    f"There is no {name} {value}.",
                    did_you_mean(value, tuple(allowed)),
                )


def incomplete(context: Context) -> Iterator[Finding]:
    """F004: a value of a row names it, an edge with players says how many."""
    for key, place, figure in _figures(context):
        lacks = ""
        if figure.quantity in _OF_A_ROW and figure.event is None:
            lacks = "event"
        if figure.quantity is Quantity.HOUSE_EDGE_WITH_PLAYERS and figure.players is None:
            lacks = "players"
        if lacks:
            yield context.finding(
                pages.F004,
                key,
                f"/figures/{place}",
                f"The figure {figure.id} does not say its {lacks}.",
                f"Add `{lacks}`.",
            )


def form(context: Context) -> Iterator[Finding]:
    """F005: counts are integers, with commas in threes or none."""
    for key, place, figure in _figures(context):
        if figure.quantity in _COUNTS and not _count(figure.printed):
            yield context.finding(
                pages.F005,
                key,
                f"/figures/{place}/printed",
                f"{figure.printed} is not a count of hands.",
                "Correct the figure or its quantity.",
            )


def no_reason(context: Context) -> Iterator[Finding]:
    """F006: a figure that cannot be computed says why."""
    for key, place, figure in _figures(context):
        if figure.quantity is Quantity.NOT_COMPUTABLE and figure.reason is None:
            yield context.finding(
                pages.F006,
                key,
                f"/figures/{place}",
                f"The figure {figure.id} cannot be computed, and no reason is given.",
                "Add `reason`.",
            )


def _figures(context: Context) -> Iterator[tuple[str, int, PublishedFigure]]:
    """Yield every printed figure with the key of its file and its place there."""
    for game, figures in context.catalogue.published.items():
        for place, figure in enumerate(figures):
            yield f"{game}/published", place, figure


def _verdict(judgement: FigureJudgement) -> tuple[Severity | None, str]:
    """Return how much a judgement matters, and its message."""
    figure = judgement.figure
    if judgement.agreement is Agreement.DIFFERS:
        severity = Severity.WARNING if figure.reason else Severity.ERROR
        exact = "" if judgement.recomputed is None else f" is {judgement.recomputed} exactly"
        reason = f": {judgement.reason}" if judgement.reason else ""
        return severity, f"{figure.printed} is printed; the recomputed value{exact}{reason}."
    if judgement.agreement is Agreement.AGREES_UNDER_READING:
        return Severity.NOTE, f"{figure.printed} is reproduced only as {figure.reading}."
    return None, ""


def _number(figure: PublishedFigure) -> int:
    return int(figure.printed.replace(",", ""))
