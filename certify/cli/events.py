"""``certify events``: the vocabulary of hands that a paytable may pay for."""

from fractions import Fraction
from typing import TYPE_CHECKING

import typer

from certify.cli.output import FORMAT, Format, pairs, print_json, table_text
from certify.report.tables import table

if TYPE_CHECKING:
    from certify.pipeline.events import EventShown, Vocabulary


def events(
    word: str = typer.Argument(None, help="An event's id, or a word of its description."),
    game: str = typer.Option(
        None, help="Count the deck and the hands of this game; 7 of 53 cards if not given."
    ),
    cards: int = typer.Option(None, help="How many cards are looked at; a hand's if not given."),
    output: Format = FORMAT,
) -> int:
    """List the events that a paytable may pay for, each with its count and an example hand."""
    from certify.pipeline.events import vocabulary

    words = vocabulary(word, game=game, cards=cards)
    if output is Format.JSON:
        print_json(words)
    elif len(words.events) == 1:
        typer.echo(_in_full(words.events[0]))
    else:
        typer.echo(_listed(words))
    return 0


AS_SET = "only with --game and its whole hands, which are set by the game's house way"


def _listed(words: "Vocabulary") -> str:
    """Return the events as a table, and what was counted."""
    from certify.formatting import one_in

    rows = [
        (
            event.id,
            _example(event),
            *(
                ("as set", "")
                if event.combinations is None
                else (
                    f"{event.combinations:,}",
                    one_in(Fraction(event.combinations, event.total)),
                )
            ),
        )
        for event in words.events
    ]
    counted = f"Counted: {words.cards} of {words.deck.cards} cards. `certify events ID` says more."
    return f"{table_text(table('', 'Event | Example | #Hands | #Chance', rows))}\n\n{counted}"


def _in_full(event: "EventShown") -> str:
    """Return all that is known of one event."""
    from certify.formatting import one_in

    noun = "pairs of hands" if event.dealer else "hands"
    return pairs(
        {
            "Event": event.id,
            "Means": event.text,
            "Source": event.clause,
            "Counts": AS_SET
            if event.combinations is None
            else f"{event.combinations:,} of {event.total:,} {noun}, "
            f"{one_in(Fraction(event.combinations, event.total))}",
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
