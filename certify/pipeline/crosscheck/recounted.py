"""Counts of the recount for declared records: made once for the same declaration, and kept."""

from collections.abc import Mapping

from certify.engine.count_cache import kept
from certify.model.condition import Event, tests_of
from certify.model.encoding import Progress
from certify.model.game import Game
from certify.model.paytable import HandOf, Paytable
from certify.pipeline.crosscheck.second_counts import deck_of, events_json, paytable_json
from certify.recount.hands import Deck, census
from certify.recount.tables import row_counts, tables_of


def recount_one_hand(
    paytable: Paytable,
    events: Mapping[str, Event],
    game: Game,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Return how many hands each row of a wager on one hand is awarded, and all other hands.

    One census serves every paytable of the game that looks at as many cards.
    """
    deck = Deck(*deck_of(game.hands, paytable.cards))
    features = _features(paytable, events, game)
    cells = kept(
        ("recount", deck, paytable.cards, features),
        lambda: [
            [*cell, number]
            for cell, number in census(paytable.cards, deck, features, progress).items()
        ],
        second=True,
        plain=True,
    )
    counted = {tuple(cell): number for *cell, number in cells}
    declared = events_json(events)
    tables = tables_of(paytable_json(paytable), declared)
    return row_counts(tables, declared, counted, features)


def _features(paytable: Paytable, events: Mapping[str, Event], game: Game) -> tuple[str, ...]:
    """Return what is asked of a hand by all paytables of a game that look at as many cards."""
    alike = [
        table
        for table in game.paytables
        if table.cards == paytable.cards and table.hand is not HandOf.BOTH
    ]
    rows = [
        row
        for table in (paytable, *alike)
        for rows in (table.rows, *(more.rows for more in table.also))
        for row in rows
    ]
    known = (events[row.event] for row in rows if row.event in events)
    asked = {test for event in known for test in tests_of(event.when) if not test.part.is_set}
    return tuple(sorted({test.feature for test in asked}))
