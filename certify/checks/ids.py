"""Checks of ids: each is used once, and stands for one content."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from certify.checks.check import finds
from certify.checks.context import Context
from certify.checks.fault import Fault, Location
from certify.checks.walk import statements
from certify.model.finding import Severity
from certify.model.game import Wager
from certify.model.paytable import Paytable


@finds(
    "D004",
    "An id is used twice",
    mend="Give one of them another id.",
    wrong='{"figures": [{"id": "edge-1"}, {"id": "edge-1"}]}',
    right='{"figures": [{"id": "edge-1"}, {"id": "edge-2"}]}',
)
def id_twice(context: Context) -> Iterator[Fault]:
    """A reference to the id would mean either of two things."""
    seen: set[tuple[str, str, str]] = set()
    for kind, name, at in _ids(context):
        if (at.key, kind, name) in seen:
            yield at.fault("/id", f"The id {name} is used before in this file.")
        seen.add((at.key, kind, name))


class Named(Protocol):
    """A record with an id."""

    @property
    def id(self) -> str:
        """The id."""


def _ids(context: Context) -> Iterator[tuple[str, str, Location]]:
    """Yield a kind of thing, an id of that kind, and the place of the record."""
    catalogue = context.catalogue
    for statement, at in statements(catalogue):
        yield "statements", statement.id, at
    lists: list[tuple[str, str, Iterable[Named]]] = []
    lists += [(f"{game}/published", "figures", each) for game, each in catalogue.published.items()]
    lists += [
        (f"{game}/discrepancies", "discrepancies", each)
        for game, each in catalogue.discrepancies.items()
    ]
    lists += [(game.id, "sections", game.sections) for game in context.games]
    for where in catalogue.jurisdictions.values():
        key = f"jurisdictions/{where.id}"
        lists += [(key, "rules", where.rules), (key, "checklist", where.checklist)]
    for key, kind, records in lists:
        for record, at in Location(key).items(f"/{kind}", records):
            yield kind, record.id, at


@finds(
    "D005",
    "Two ids have identical content",
    severity=Severity.NOTE,
    mend="If the source prints both, leave them and record the duplicate among the discrepancies; "
    "otherwise correct one.",
    remedy="Leave both if the source prints both; otherwise correct one.",
    wrong="PT-FLT-EC-PGI-02 with the rows of PT-FLT-EC-PGI-01",
    right="two paytables that differ in a pay",
)
def identical(context: Context) -> Iterator[Fault]:
    """Two paytables that pay the same are either one paytable with two names, or one was copied
    and not changed.
    """
    for wager in context.wagers:
        first: dict[object, Paytable] = {}
        for paytable in _originals_first(context, wager.game, wager.paytables):
            original = first.setdefault(_content(paytable, wager), paytable)
            if original is not paytable:
                message = f"{paytable.id} pays the same as {original.id}."
                yield Fault(paytable.target, "/id", message, related=(original.target,))


@finds(
    "D011",
    "One id stands for two contents",
    severity=Severity.NOTE,
    mend="Give one of them another id, or leave both if the source prints them so.",
    remedy="Leave both if the source prints both so; otherwise rename one.",
    wrong="PT-FLT-01 under two wagers, with different rows",
    right="PT-FLT-01 and PT-FLT-02",
)
def id_of_two(context: Context) -> Iterator[Fault]:
    """Letters of approval name paytables by their ids; an id that means different pays in two
    wagers of one game can be taken for the other. Plain numbers and letters such as 1 or A are
    not compared.
    """
    for game in context.games:
        contents = {
            paytable: _content(paytable, wager)
            for wager in game.wagers
            for paytable in wager.paytables
        }
        first: dict[str, Paytable] = {}
        for paytable in _originals_first(context, game.id, contents):
            other = first.setdefault(paytable.id, paytable)
            if "-" in paytable.id and contents[other] != contents[paytable]:
                message = f"{paytable.id} is also a paytable of {other.wager}, with other content."
                yield Fault(paytable.target, "/id", message, related=(other.target,))


def _originals_first(context: Context, game: str, paytables: Iterable[Paytable]) -> list[Paytable]:
    """Return first what printed figures or discrepancies are about: a copy is about nothing yet."""
    told = {figure.target for figure in context.catalogue.published.get(game, ())}
    for discrepancy in context.catalogue.discrepancies.get(game, ()):
        told.update(discrepancy.targets)
    return sorted(paytables, key=lambda paytable: paytable.target not in told)


def _content(paytable: Paytable, wager: Wager) -> object:
    """Return what decides the pays: names, notes and the id itself left out."""
    envy = wager.envy_of(paytable)
    prizes = envy and (
        envy.qualifying_wager_cents,
        envy.pays_on_own_hand,
        envy.pays_on_dealer_hand,
        tuple((row.event, row.prize_cents) for row in envy.rows),
    )
    rows = tuple((row.event, row.payout, row.dynamic) for row in paytable.rows)
    return (
        paytable.hand,
        paytable.cards,
        paytable.award,
        rows,
        prizes,
        paytable.progressive,
        paytable.dynamic,
    )
