"""D codes: records that are declared twice."""

from collections.abc import Hashable, Iterable, Iterator
from functools import partial
from typing import Protocol

from certify.checks.catalog_parts import repeats, statements
from certify.checks.framework import Context, Fault, Location, check
from certify.model.finding import Severity
from certify.model.game import Wager
from certify.model.paytable import Paytable


@check(
    "D004",
    "An id is used twice",
    fix="Rename one of them.",
    wrong='{"figures": [{"id": "edge-1"}, {"id": "edge-1"}]}',
    right='{"figures": [{"id": "edge-1"}, {"id": "edge-2"}]}',
)
def id_twice(context: Context) -> Iterator[Fault]:
    """A reference to the id would be ambiguous."""
    for (_, name, at), _ in repeats(_ids(context), key=lambda used: (used[2].key, *used[:2])):
        yield at.fault("/id", f"The id {name} is already used in this file.")


class Named(Protocol):
    """An entry with an id."""

    @property
    def id(self) -> str:
        """The id."""


def _ids(context: Context) -> Iterator[tuple[str, str, Location]]:
    """Yield the kind, id and location of each entry."""
    catalog = context.catalog
    for statement, at in statements(catalog):
        yield "statements", statement.id, at
    lists: list[tuple[str, str, Iterable[Named]]] = []
    lists += [(f"{game}/published", "figures", each) for game, each in catalog.published.items()]
    lists += [
        (f"{game}/discrepancies", "discrepancies", each)
        for game, each in catalog.discrepancies.items()
    ]
    lists += [(game.id, "sections", game.sections) for game in context.games]
    for where in catalog.jurisdictions.values():
        key = f"jurisdictions/{where.id}"
        lists += [(key, "rules", where.rules), (key, "checklist", where.checklist)]
    for option in context.options:
        raised, companion = option.raise_, option.companion
        lists += [
            (option.target, "bonus", option.bonus),
            (option.target, "raise/pays", raised.pays if raised is not None else ()),
            (option.target, "companion/pays", companion.pays if companion is not None else ()),
        ]
    for key, kind, records in lists:
        for record, at in Location(key).items(f"/{kind}", records):
            yield kind, record.id, at


@check(
    "D005",
    "Two ids have the same content",
    severity=Severity.NOTE,
    fix=(
        "If the source prints both, keep them and record the duplicate as a discrepancy; "
        "otherwise correct one."
    ),
    wrong="PT-FLT-EC-PGI-02 with the rows of PT-FLT-EC-PGI-01",
    right="two paytables that differ in a pay",
)
def identical(context: Context) -> Iterator[Fault]:
    """Two paytables with the same pays are one paytable with two names, or an unchanged copy."""
    for wager in context.wagers:
        paytables = _originals_first(context, wager.game, wager.paytables)
        for paytable, original in repeats(paytables, key=partial(_content, wager=wager)):
            message = f"{paytable.id} pays the same as {original.id}."
            yield Fault(paytable.target, "/id", message, related=(original.target,))


@check(
    "D011",
    "One id is used for two different paytables",
    severity=Severity.NOTE,
    fix="If the source prints both, keep them; otherwise rename one.",
    wrong="PT-FLT-01 under two wagers, with different rows",
    right="PT-FLT-01 and PT-FLT-02",
)
def id_of_two(context: Context) -> Iterator[Fault]:
    """Approval letters name paytables by id. An id with different pays in two wagers of one game
    can be confused. Plain numbers and letters such as 1 or A are not compared.
    """
    for game in context.games:
        wagers = {wager.id: wager for wager in game.wagers}
        paytables = _originals_first(context, game.id, game.paytables)
        compared = [paytable for paytable in paytables if "-" in paytable.id]
        for paytable, other in repeats(compared, key=lambda paytable: paytable.id):
            if _content(other, wagers[other.wager]) != _content(paytable, wagers[paytable.wager]):
                message = f"{paytable.id} is also a paytable of {other.wager}, with other content."
                yield Fault(paytable.target, "/id", message, related=(other.target,))


def _originals_first(context: Context, game: str, paytables: Iterable[Paytable]) -> list[Paytable]:
    """Sort paytables with printed figures or discrepancies before copies."""
    named = {figure.target for figure in context.catalog.published.get(game, ())}
    for discrepancy in context.catalog.discrepancies.get(game, ()):
        named.update(discrepancy.targets)
    return sorted(paytables, key=lambda paytable: paytable.target not in named)


def _content(paytable: Paytable, wager: Wager) -> Hashable:
    """Return the content that decides the pays, without names, notes and id."""
    envy = wager.find_envy(paytable)
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
