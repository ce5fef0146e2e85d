"""D codes: printed names of hands, and names of files."""

import re
from collections.abc import Iterator
from functools import lru_cache

from certify.checks.catalog_parts import repeats
from certify.checks.framework import Context, Fault, Location, check
from certify.checks.p_paytables.siblings import RANK_OF
from certify.model.finding import Severity
from certify.model.game import Game
from certify.model.paytable import EnvyRow, Row

_not_letters = re.compile(r"[^a-z0-9]+")


@check(
    "D007",
    "A hand has more than one name in one document",
    severity=Severity.NOTE,
    fix="If the source prints both names, keep them; otherwise use one.",
    wrong='"Four of a Kind" in one table and "Quads" in another',
    right='"Four of a Kind" in both',
)
def names_of_a_hand(context: Context) -> Iterator[Fault]:
    """Dealers and players read the layout. A hand with different names in two tables of one
    document invites disputes. Capitals and punctuation are not compared.
    """
    for game in context.games:
        names: dict[str, dict[str, tuple[str, Location]]] = {}
        for row, at in named_rows(game):
            if row.event in context.catalog.events:  # any other is reported as such
                names.setdefault(row.event, {}).setdefault(_plain(row.name), (row.name, at))
        for event, several in names.items():
            if len(several) > 1:
                (_, first), (_, second), *_ = several.values()
                listed = ", ".join(f"`{name}`" for name, _ in several.values())
                message = f"{event} has {len(several)} names in this game: {listed}."
                yield second.fault("/name", message, related=(first.key,))


@check(
    "D014",
    "One name is used for two hands of a wager",
    severity=Severity.NOTE,
    fix="Give each hand its own name, or correct the event.",
    wrong='"Royal Flush" for royal_flush in table 1 and for straight_flush in table 2',
    right='"Royal Flush" for royal_flush in both',
)
def hands_of_a_name(context: Context) -> Iterator[Fault]:
    """A name that means different hands in two tables of a wager is the most common cause of a
    wrong pay.
    """
    for wager in context.wagers:
        first: dict[str, tuple[str, str]] = {}
        reported: set[tuple[str, str]] = set()
        for paytable in wager.paytables:
            for row, at in Location(paytable.target).items("/rows", paytable.rows):
                if row.event not in context.catalog.events:
                    continue  # reported as such
                name = _plain(row.name)
                before, target = first.setdefault(name, (row.event, at.key))
                if before != row.event and (name, row.event) not in reported:
                    reported.add((name, row.event))
                    yield at.fault(
                        "/name",
                        f"`{row.name}` is {row.event} here and {before} in an earlier row of this "
                        "wager.",
                        related=(target,),
                    )


def named_rows(game: Game) -> Iterator[tuple[Row | EnvyRow, Location]]:
    """Yield each row and each prize of a game with its place."""
    for wager in game.wagers:
        for paytable in wager.paytables:
            yield from Location(paytable.target).items("/rows", paytable.rows)
        for envy in wager.envies:
            yield from Location(envy.target).items("/rows", envy.rows)


@lru_cache(maxsize=10_000)
def _plain(name: str) -> str:
    return _not_letters.sub("", name.casefold())


@check(
    "D024",
    "A hand has the name of another",
    fix="Give the row the name of its event, or correct the event.",
    wrong='{"event": "straight_flush", "name": "Four of a Kind"}',
    right='{"event": "straight_flush", "name": "Straight Flush"}',
)
def names_of_others(context: Context) -> Iterator[Fault]:
    """The layout would promise the pay of one hand for another. The standard name of an event is
    its id: "4 of a Kind", "Any Four-of-a-Kind" and "Four of a Kind" name `four_of_a_kind`. A name
    may be part of the event's id, as Flush for `three_card_flush`, unless that is a standard hand
    as well.
    """
    events, own = context.catalog.events, context.catalog.own_events
    for game in context.games:
        for row, at in named_rows(game):
            named = _event_named(row.name)
            if named == row.event or not {named, row.event} <= events.keys():
                continue
            if row.event in own and named not in own:
                continue  # the project names its events, and may define a standard hand itself
            ranks = RANK_OF.get(named), RANK_OF.get(row.event)
            if None in ranks:
                wrong = f"_{named}_" not in f"_{row.event}_"
            else:
                wrong = ranks[0] is not ranks[1]
            if wrong:
                yield at.fault("/name", f"`{row.name}` is the name of {named}, not of {row.event}.")


NUMBERS = dict(zip("1234567", ("one", "two", "three", "four", "five", "six", "seven"), strict=True))


def _event_named(name: str) -> str:
    """Return the id of the event whose standard name is ``name``, if there is any."""
    words = re.findall("[a-z]+|[0-9]+", name.casefold())
    id_ = "_".join(NUMBERS.get(word, word) for word in words)
    return id_.removeprefix("any_").removeprefix("five_card_")


@check(
    "D025",
    "Names of two files differ only in case",
    fix="Rename one of them, and its id.",
    wrong="bonus/A.json and bonus/a.json",
    right="bonus/A.json and bonus/A-2.json",
)
def names_in_case(context: Context) -> Iterator[Fault]:
    """A file system of macOS or Windows holds only one of the two, so a clone there lacks a file
    and prints other pays.
    """
    documents = context.catalog.documents.items()
    for (key, file), (first, other) in repeats(documents, key=lambda item: item[1].path.casefold()):
        if file.path != other.path:
            yield Fault(
                key, "", f"{file.path} and {other.path} differ only in case.", related=(first,)
            )
