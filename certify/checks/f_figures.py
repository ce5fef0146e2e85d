"""F codes: printed figures."""

import re
from collections.abc import Iterator

from certify.checks.framework import Context, Fault, Location, check
from certify.model.comparison import Agreement, FigureJudgement
from certify.model.finding import Code, Severity
from certify.model.main_wager import Outcome
from certify.model.source import PublishedFigure, Quantity

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


@check(
    "F001",
    "A printed figure differs from the recomputed one",
    fix=(
        "Compare the figure with the source. If the source prints it, add the interpretation "
        "or the reason."
    ),
    wrong='{"quantity": "house_edge", "printed": "8.02%"} if the exact edge rounds to 8.00%',
    right='{"quantity": "house_edge", "printed": "8.00%"}',
)
def differs(context: Context) -> Iterator[Fault]:
    """A printed figure must be reproduced to its last digit, or its entry must explain the
    difference. The finding is a warning if the entry gives a reason, and a note if it names the
    interpretation that reproduces the figure.
    """
    judged = {
        (judgement.figure.source.document, judgement.figure.id): judgement
        for judgement in context.judgements
    }
    for figure, at in _figures(context):
        judgement = judged.get((figure.source.document, figure.id))
        if judgement is None or judgement.figure != figure:
            continue
        severity, message = _verdict(judgement)
        if severity is not None:
            read_as = figure.reading and figure.reading.target
            related = (figure.target, read_as) if read_as else (figure.target,)
            yield at.fault("/printed", message, severity=severity, related=related)


@check(
    "F002",
    "Printed combinations do not add up",
    fix="Compare the rows with the source; if the source prints them, add the reason.",
    wrong="rows of 32, 196 and 154142853 with a total of 154143080",
    right="rows of 32, 196 and 154142852 with a total of 154143080",
)
def sums(context: Context) -> Iterator[Fault]:
    """The rows of a table partition all hands, so their combinations sum to the total. The finding
    is a note if a row has a reason.
    """
    tables: dict[tuple[str, str], list[tuple[PublishedFigure, Location]]] = {}
    for figure, at in _figures(context):
        if figure.quantity in (Quantity.COMBINATIONS, Quantity.TOTAL_COMBINATIONS):
            tables.setdefault((at.key, figure.target), []).append((figure, at))
    for (_, target), listed in tables.items():
        figures = [figure for figure, _ in listed]
        totals = [each for each in listed if each[0].quantity is Quantity.TOTAL_COMBINATIONS]
        counts = [figure for figure in figures if figure.quantity is Quantity.COMBINATIONS]
        whole = any(figure.event == "all_other" for figure in counts)
        if not totals or not whole or not all(_count(figure.printed) for figure in figures):
            continue
        (total, at), summed = totals[0], sum(map(_number, counts))
        if _number(total) != summed:
            explained = any(figure.reason is not None for figure in figures)
            yield at.fault(
                "/printed",
                f"The rows of {target} sum to {summed:,}, not to {_number(total):,}.",
                severity=Severity.NOTE if explained else None,
            )


@check(
    "F003",
    "A printed figure refers to something undeclared",
    fix="Correct the target or the event of the figure.",
    wrong='{"target": "sample/bonus/11", "event": "flush"}',
    right='{"target": "sample/bonus/1", "event": "flush"}',
)
def about_nothing(context: Context) -> Iterator[Fault]:
    """The figure would not be compared with anything."""
    targets = context.targets
    events = (*context.catalog.events, "all_other")
    options = {option.target for option in context.options}
    for figure, at in _figures(context):
        for name, value, allowed in (
            ("target", figure.target, targets),
            ("event", figure.event, tuple(Outcome) if figure.target in options else events),
            ("house_way", figure.house_way, tuple(context.catalog.house_ways)),
        ):
            if len(allowed) > 1:
                yield from at.unknown(f"/{name}", value, allowed, f"There is no {name} {value}.")


@check(
    "F004",
    "A printed figure has no row or number of players",
    fix='Add "event" or "players".',
    wrong='{"quantity": "row_return", "printed": "0.01"}',
    right='{"quantity": "row_return", "event": "flush", "printed": "0.01"}',
)
def incomplete(context: Context) -> Iterator[Fault]:
    """The figure of a row needs its event. An edge with players needs their number."""
    for figure, at in _figures(context):
        lacks = ""
        if figure.quantity in _OF_A_ROW and figure.event is None:
            lacks = "event"
        if figure.quantity is Quantity.HOUSE_EDGE_WITH_PLAYERS and figure.players is None:
            lacks = "players"
        if lacks:
            yield at.fault("", f"The figure {figure.id} has no {lacks}.", f"Add `{lacks}`.")


@check(
    "F005",
    "The text of a printed figure does not fit its quantity",
    fix="Correct the figure or its quantity.",
    wrong='{"quantity": "combinations", "printed": "0.0312"}',
    right='{"quantity": "probability", "printed": "0.0312"}',
)
def form(context: Context) -> Iterator[Fault]:
    """A count of hands is an integer and a house edge is at most 100%. A figure of another form
    was probably copied to the wrong place.
    """
    for figure, at in _figures(context):
        if figure.quantity in _COUNTS and not _count(figure.printed):
            yield at.fault("/printed", f"{figure.printed} is not a count of hands.")


@check(
    "F006",
    "A figure that cannot be computed has no reason",
    fix='Add "reason".',
    wrong='{"quantity": "not_computable", "printed": "97%"}',
    right='{"quantity": "not_computable", "printed": "97%", "reason": "The meter is not stated."}',
)
def no_reason(context: Context) -> Iterator[Fault]:
    """A printed figure may be skipped only with a reason."""
    for figure, at in _figures(context):
        if figure.quantity is Quantity.NOT_COMPUTABLE and figure.reason is None:
            message = f"The figure {figure.id} cannot be computed, and no reason is given."
            yield at.fault("", message)


F007 = Code(
    "F007",
    "A stored verification count contradicts itself",
    why=(
        "The rows of `second-counts.json` decide the house edge of a main wager, and `check` "
        "judges the wager and its printed figures by them. Those of a wager on both hands must "
        "have the shares of the first count. An altered count proves nothing."
    ),
    fix="Count again: `certify crosscheck TARGET --store`.",
    wrong='"house_edge": "1/50" above rows that give 672337017377/11786370044592',
    right='"house_edge": "672337017377/11786370044592"',
)


def _figures(context: Context) -> Iterator[tuple[PublishedFigure, Location]]:
    """Yield every printed figure with its place."""
    for game, figures in context.catalog.published.items():
        yield from Location(f"{game}/published").items("/figures", figures)


def _verdict(judgement: FigureJudgement) -> tuple[Severity | None, str]:
    """Return the severity and message of a comparison."""
    figure = judgement.figure
    if judgement.agreement is Agreement.DIFFERS:
        severity = Severity.WARNING if figure.reason else Severity.ERROR
        exact = "" if judgement.recomputed is None else f" is {judgement.recomputed} exactly"
        reason = f": {judgement.reason}" if judgement.reason else ""
        return severity, f"{figure.printed} is printed; the recomputed value{exact}{reason}."
    if judgement.agreement is Agreement.AGREES and figure.reading is not None:
        return Severity.ERROR, f"{figure.printed} is printed and recomputed. {judgement.reason}"
    if judgement.agreement is Agreement.AGREES_UNDER_READING:
        return Severity.NOTE, f"{figure.printed} is reproduced only as {figure.reading}."
    return None, ""


def _number(figure: PublishedFigure) -> int:
    return int(figure.printed.replace(",", ""))
