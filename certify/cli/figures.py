"""``certify evaluate``, ``explain``, ``strategy`` and ``events``: figures, hands, vocabulary."""

from fractions import Fraction
from typing import TYPE_CHECKING

import typer
from msgspec.structs import replace

from certify.cli.output import (
    FORMAT,
    Format,
    Progress,
    expand,
    pairs,
    print_json,
    print_text,
    section_text,
    table_text,
    warn,
)
from certify.commands.evaluate import EvaluateRequest, StrategyRequest, find_strategy
from certify.commands.evaluate import evaluate as run
from certify.commands.events import EventShown, EventsRequest, Vocabulary, find_events
from certify.commands.explain import ExplainRequest
from certify.commands.explain import explain as explain_hand
from certify.formatting import format_one_in, one_line
from certify.report.tables import table

if TYPE_CHECKING:
    from certify.model.analysis import Analysis


@expand
def evaluate(
    request: EvaluateRequest,
    *,
    details: bool = typer.Option(
        False, "--details", help="Print every row and assumption of several paytables."
    ),
    output: Format = FORMAT,
) -> None:
    """Print the exact return of every paytable under a target."""
    from certify.report.summary import build_overview

    evaluation = run(replace(request, progress=Progress("Counting")))
    for notice in evaluation.notices:
        warn(notice)
    if output is Format.JSON:
        print_json(evaluation.to_dict())
    elif details or request.limit_cents is not None or len(evaluation.analyses) == 1:
        print_text("\n\n".join(analysis_text(analysis) for analysis in evaluation.analyses))
    else:
        print_text(f"{table_text(build_overview(evaluation.analyses))}\n\n{MORE}")


MORE = "For the rows of each, add --details or name one paytable."


def analysis_text(analysis: "Analysis") -> str:
    """Return an analysis as text: the usual table, then the figures."""
    from certify.report.summary import build_rows, build_summary

    lines = [table_text(build_rows(analysis)), ""]
    figures = build_summary(analysis)
    width = max(len(name) for name, _ in figures)
    lines += [one_line(f"{name.ljust(width)}  {value}") for name, value in figures]
    if analysis.assumptions:
        lines += ["", "Assumptions"]
        lines += [
            f"  - {assumption.text}{f' [{clause}]' if (clause := assumption.source.clause) else ''}"
            for assumption in analysis.assumptions
        ]
    return "\n".join(lines)


@expand
def explain(request: ExplainRequest, *, output: Format = FORMAT) -> None:
    """Explain the rank, pay and setting of a hand, with the rules that apply."""
    from certify.report.summary import explanation

    explained = explain_hand(request)
    if output is Format.JSON:
        print_json(explained.to_dict())
    else:
        sections = [explanation(record) for record in explained.records]
        if explained.setting is not None:
            sections = [explanation(explained.setting, explained.game)]
        left_out = [
            one_line(f"Not explained: {each.target}. {each.message}") for each in explained.left_out
        ]
        print_text("\n\n".join([*map(section_text, sections), *left_out]))


@expand
def strategy(request: StrategyRequest, *, output: Format = FORMAT) -> None:
    """Print the optimal play of a main wager with a raise, and the lowest hands to raise."""
    from certify.report.mathematics.strategy import build_section, tables_of

    strategies = find_strategy(replace(request, progress=Progress("Counting")))
    if output is Format.JSON:
        print_json(strategies.to_dict())
    else:
        played = map(build_section, tables_of(strategies.options, strategies.analyses))
        print_text("\n\n".join(map(section_text, played)))


@expand
def events(request: EventsRequest, *, output: Format = FORMAT) -> None:
    """List the events that a paytable may pay for, with counts and example hands."""
    words = find_events(request)
    if output is Format.JSON:
        print_json(words.to_dict())
    elif len(words.events) == 1:
        typer.echo(_describe_event(words.events[0]))
    else:
        print_text(_list_events(words))


AS_SET = "only with --game and whole hands, because they depend on a house way"


def _list_events(words: Vocabulary) -> str:
    """Return the events as a table, and the deck that was counted."""
    rows = [
        (
            event.id,
            _example(event),
            *(
                ("–" if event.refusal else "as set", "")
                if event.combinations is None
                else (
                    f"{event.combinations:,}",
                    format_one_in(Fraction(event.combinations, event.total)),
                )
            ),
        )
        for event in words.events
    ]
    counted = (
        f"Counted: {words.cards} of {words.deck.cards} cards. `certify events ID` shows details."
    )
    return f"{table_text(table('', 'Event | Example | #Hands | #Chance', rows))}\n\n{counted}"


def _describe_event(event: EventShown) -> str:
    """Return all fields of one event as text."""
    noun = "pairs of hands" if event.dealer else "hands"
    return pairs(
        {
            "Event": event.id,
            "Means": event.text,
            "Source": event.clause,
            "Counts": (event.refusal or AS_SET)
            if event.combinations is None
            else f"{event.combinations:,} of {event.total:,} {noun}, "
            f"{format_one_in(Fraction(event.combinations, event.total))}",
            "Example": _example(event),
            "Paid by": ", ".join(event.games) or "no game",
        }
    )


def _example(event: EventShown) -> str:
    if event.combinations == 0:
        return "no hand of this deck"
    if event.player is None:
        return "–"
    shown = " ".join(event.player)
    return f"{shown} against {' '.join(event.dealer)}" if event.dealer else shown
