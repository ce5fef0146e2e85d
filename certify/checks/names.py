"""Checks of the names of hands: one name for a hand, one hand for a name."""

import re
from collections.abc import Iterator

from certify.checks.check import finds
from certify.checks.context import Context
from certify.checks.fault import Fault, Location
from certify.model.finding import Severity
from certify.model.game import Game

_not_letters = re.compile(r"[^a-z0-9]+")


@finds(
    "D007",
    "A hand has more than one name in one document",
    severity=Severity.NOTE,
    mend="If the source prints both names, leave them; otherwise use one. Capitals and punctuation "
    "are not compared.",
    remedy="Leave them if the source prints them so; otherwise use one name.",
    wrong='"Four of a Kind" in one table and "Quads" in another',
    right='"Four of a Kind" in both',
)
def names_of_a_hand(context: Context) -> Iterator[Fault]:
    """Dealers and players read the table felt; a hand that is called differently in two tables of
    one document invites disputes.
    """
    for game in context.games:
        names: dict[str, dict[str, tuple[str, Location]]] = {}
        for event, name, at in _names(game):
            if event in context.catalogue.events:  # any other is reported as such
                names.setdefault(event, {}).setdefault(_plain(name), (name, at))
        for event, several in names.items():
            if len(several) > 1:
                (_, first), (_, second), *_ = several.values()
                listed = ", ".join(f"`{name}`" for name, _ in several.values())
                message = f"{event} has {len(several)} names in this game: {listed}."
                yield second.fault("/name", message, related=(first.key,))


@finds(
    "D014",
    "One name stands for two hands in one wager",
    severity=Severity.NOTE,
    mend="Give each hand a name of its own, or correct the event.",
    wrong='"Royal Flush" for royal_flush in table 1 and for straight_flush in table 2',
    right='"Royal Flush" for royal_flush in both',
)
def hands_of_a_name(context: Context) -> Iterator[Fault]:
    """A name that means one hand in one table of the wager and another hand in the next is the
    commonest cause of a wrong pay at the table.
    """
    for wager in context.wagers:
        first: dict[str, tuple[str, str]] = {}
        told: set[tuple[str, str]] = set()
        for paytable in wager.paytables:
            for row, at in Location(paytable.target).items("/rows", paytable.rows):
                if row.event not in context.catalogue.events:
                    continue  # reported as such
                name = _plain(row.name)
                before, target = first.setdefault(name, (row.event, at.key))
                if before != row.event and (name, row.event) not in told:
                    told.add((name, row.event))
                    yield at.fault(
                        "/name",
                        f"`{row.name}` is {row.event} here and {before} before in this wager.",
                        related=(target,),
                    )


def _names(game: Game) -> Iterator[tuple[str, str, Location]]:
    """Yield the event and the name of each row and prize of a game, with its place."""
    for wager in game.wagers:
        for paytable in wager.paytables:
            for row, at in Location(paytable.target).items("/rows", paytable.rows):
                yield row.event, row.name, at
        for table in wager.envies:
            for prize, at in Location(table.target).items("/rows", table.rows):
                yield prize.event, prize.name, at


def _plain(name: str) -> str:
    return _not_letters.sub("", name.casefold())
