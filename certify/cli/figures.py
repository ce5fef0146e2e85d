"""``certify evaluate``, ``explain``, ``strategy`` and ``events``: figures, hands, vocabulary."""

from fractions import Fraction
from typing import TYPE_CHECKING

import typer

from certify.cli.output import (
    FORMAT,
    Format,
    Progress,
    cents,
    meters,
    pairs,
    print_json,
    print_text,
    section_text,
    table_text,
    warn,
)
from certify.formatting import format_one_in, one_line
from certify.model.game import JokerRule, Strategy
from certify.report.tables import table

if TYPE_CHECKING:
    from certify.commands.events import EventShown, Vocabulary
    from certify.model.analysis import Analysis


def evaluate(
    target: str = typer.Argument(help="GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file."),
    players: int = typer.Option(
        None, min=1, max=8, help="Number of bettors at the table. Default: the game's own."
    ),
    wager: str = typer.Option(None, help="Wager in dollars, such as 5 or 2.50."),
    limit: str = typer.Option(
        None, help="Payout limit in dollars, for one player, wager and round."
    ),
    meter: list[str] = typer.Option(None, help="Amount of a meter in dollars; repeat for more."),
    house_way: str = typer.Option(None, help="House way of the dealer. Default: the game's own."),
    strategy: Strategy = typer.Option(None, help="Player strategy."),
    joker: JokerRule = typer.Option(None, help="Joker rule, if the casino may choose it."),
    details: bool = typer.Option(
        False, "--details", help="Print every row and assumption of several paytables."
    ),
    output: Format = FORMAT,
) -> None:
    """Print the exact return of every paytable under a target."""
    from certify import api
    from certify.report.summary import build_overview

    found = api.evaluate(
        target,
        players=players,
        wager_cents=cents("--wager", wager) if wager else None,
        limit_cents=cents("--limit", limit) if limit else None,
        meters=meters(meter or []),
        house_way=house_way,
        strategy=strategy,
        joker=joker,
        progress=Progress("Counting"),
    )
    for notice in found.notices:
        warn(notice)
    if output is Format.JSON:
        print_json(found.to_dict())
    elif details or limit or len(found.analyses) == 1:
        print_text("\n\n".join(analysis_text(analysis) for analysis in found.analyses))
    else:
        print_text(f"{table_text(build_overview(found.analyses))}\n\n{MORE}")


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
            f"  - {assumption.text} [{assumption.source.clause}]"
            for assumption in analysis.assumptions
        ]
    return "\n".join(lines)


def explain(
    target: str = typer.Argument(help="GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file."),
    hand: str = typer.Argument(help='Cards as rank and suit, Jk for the joker: "As Td 2c Jk …".'),
    dealer: str = typer.Option(None, help="Cards of the dealer, in the same form."),
    house_way: str = typer.Option(None, help="House way. Default: the game's own."),
    output: Format = FORMAT,
) -> None:
    """Explain the rank, pay and setting of a hand, with the rules that apply."""
    from certify import api
    from certify.report.explanation_view import explanation

    found = api.explain(target, hand, dealer=dealer, house_way=house_way)
    explained = found.explained
    if output is Format.JSON:
        print_json(found.to_dict())
    else:
        asked = [explanation(record) for record in explained.records]
        if explained.setting is not None:
            asked = [explanation(explained.setting, explained.game)]
        print_text("\n\n".join(map(section_text, asked)))


def strategy(
    target: str = typer.Argument(help="GAME, GAME/WAGER, GAME/WAGER/OPTION, or a JSON file."),
    house_way: str = typer.Option(None, help="House way of the dealer. Default: the game's own."),
    output: Format = FORMAT,
) -> None:
    """Print the optimal play of a main wager with a raise, and the lowest hands to raise."""
    from certify import api
    from certify.report.mathematics.strategy import build_section, tables_of

    found = api.strategy(target, house_way=house_way, progress=Progress("Counting"))
    if output is Format.JSON:
        print_json(found.to_dict())
    else:
        played = map(build_section, tables_of(found.options, found.analyses))
        print_text("\n\n".join(map(section_text, played)))


def events(
    word: str = typer.Argument(None, help="Id of an event, or a word of its description."),
    game: str = typer.Option(
        None, help="Count with the deck and the hands of this game. Default: 7 of 53 cards."
    ),
    cards: int = typer.Option(None, help="Number of cards. Default: those of a hand."),
    output: Format = FORMAT,
) -> None:
    """List the events that a paytable may pay for, with counts and example hands."""
    from certify.commands.events import vocabulary

    words = vocabulary(word, game=game, cards=cards)
    if output is Format.JSON:
        print_json(words)
    elif len(words.events) == 1:
        typer.echo(_describe_event(words.events[0]))
    else:
        print_text(_list_events(words))


AS_SET = "only with --game and whole hands, because they depend on a house way"


def _list_events(words: "Vocabulary") -> str:
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


def _describe_event(event: "EventShown") -> str:
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


def _example(event: "EventShown") -> str:
    if event.combinations == 0:
        return "no hand of this deck"
    if event.player is None:
        return "–"
    shown = " ".join(event.player)
    return f"{shown} against {' '.join(event.dealer)}" if event.dealer else shown
