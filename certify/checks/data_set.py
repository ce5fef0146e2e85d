"""Checks of the data set: ids, names, reasons, documents, money."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from certify.checks.context import Context, did_you_mean, envy_of, records_of
from certify.checks.pages import data_set as pages
from certify.checks.walk import sources, statements
from certify.model.finding import Finding
from certify.model.game import Game, Wager, WagerKind
from certify.model.paytable import Paytable

_not_letters = re.compile(r"[^a-z0-9]+")


def id_twice(context: Context) -> Iterator[Finding]:
    """D004: no id is used twice for one kind of thing in one file."""
    seen: set[tuple[str, str, str]] = set()
    for key, kind, pointer, name in _ids(context):
        if (key, kind, name) in seen:
            yield context.finding(
                pages.D004,
                key,
                pointer,
                f"The id {name} is used before in this file.",
                "Give one of them another id.",
            )
        seen.add((key, kind, name))


def _ids(context: Context) -> Iterator[tuple[str, str, str, str]]:
    """Yield the key of a file, a kind of thing, the pointer of its id, and the id."""
    catalogue = context.catalogue
    for one in statements(context):
        yield one.key, "statements", f"{one.pointer}/id", one.statement.id
    for game, figures in catalogue.published.items():
        yield from _listed(f"{game}/published", "figures", (one.id for one in figures))
    for game, several in catalogue.discrepancies.items():
        yield from _listed(f"{game}/discrepancies", "discrepancies", (one.id for one in several))
    for declared in catalogue.games.values():
        yield from _listed(declared.id, "sections", (one.id for one in declared.sections))
    for where in catalogue.jurisdictions.values():
        key = f"jurisdictions/{where.id}"
        yield from _listed(key, "rules", (one.id for one in where.rules))
        yield from _listed(key, "checklist", (one.id for one in where.checklist))


def _listed(key: str, kind: str, names: Iterable[str]) -> Iterator[tuple[str, str, str, str]]:
    for place, name in enumerate(names):
        yield key, kind, f"/{kind}/{place}/id", name


def identical(context: Context) -> Iterator[Finding]:
    """D005: no two paytables of a wager pay the same."""
    for game, wager in context.wagers():
        first: dict[object, Paytable] = {}
        for paytable in _originals_first(context, game, wager.paytables):
            content = _content(paytable, wager)
            original = first.setdefault(content, paytable)
            if original is not paytable:
                yield context.finding(
                    pages.D005,
                    paytable.target,
                    "/id",
                    f"{paytable.id} pays the same as {original.id}.",
                    "Leave both if the source prints both; otherwise correct one.",
                    related=(original.target,),
                )


def paytable_or_reason(context: Context) -> Iterator[Finding]:
    """D006: a wager has a paytable, or an option, or says why not."""
    for game, wager in context.wagers():
        declared = bool(records_of(wager)) or _has_faulty(context, f"{game.id}/{wager.id}")
        noun = "an option" if wager.kind is WagerKind.MAIN else "a paytable"
        if declared is (wager.absent is None):
            continue
        yield context.finding(
            pages.D006,
            f"{game.id}/{wager.id}",
            "/absent" if declared else "",
            f"The wager {wager.id} has {noun} and says that it has none."
            if declared
            else f"The wager {wager.id} has not {noun} and does not say why.",
            "Remove `absent`, or the files beside it."
            if declared
            else f"Declare {noun}, or add `absent` with the reason.",
            related=(one.target for one in records_of(wager)),
        )


def names_of_a_hand(context: Context) -> Iterator[Finding]:
    """D007: one hand has one name across a game's document."""
    for game in context.catalogue.games.values():
        names: dict[str, dict[str, tuple[str, str, str]]] = {}
        for key, pointer, event, name in _names(game):
            if event not in context.catalogue.events:
                continue  # reported as such
            names.setdefault(event, {}).setdefault(_plain(name), (key, pointer, name))
        for event, several in names.items():
            if len(several) > 1:
                (first, *_), (key, pointer, _) = list(several.values())[:2]
                listed = ", ".join(f"`{name}`" for _, _, name in several.values())
                yield context.finding(
                    pages.D007,
                    key,
                    pointer,
                    f"{event} has {len(several)} names in this game: {listed}.",
                    "Leave them if the source prints them so; otherwise use one name.",
                    related=(first,),
                )


def unknown_document(context: Context) -> Iterator[Finding]:
    """D008: every source is a document that a game or a house way declares; once for a file."""
    catalogue = context.catalogue
    known = {game.document.id for game in catalogue.games.values()}
    known |= {one.id for game in catalogue.games.values() for one in game.references}
    known |= {way.source.document for way in catalogue.house_ways.values()}
    told: set[tuple[str, str]] = set()
    for one in sources(context):
        name = (one.key, one.source.document)
        if one.source.document not in known and name not in told:
            told.add(name)
            yield context.finding(
                pages.D008,
                one.key,
                f"{one.pointer}/document",
                f"{one.source.document} is no document that a game or a house way declares.",
                did_you_mean(one.source.document, tuple(sorted(known))),
            )


def unknown_target(context: Context) -> Iterator[Finding]:
    """D009: a discrepancy touches what is declared."""
    known = declared_targets(context)
    for game, several in context.catalogue.discrepancies.items():
        for place, one in enumerate(several):
            for index, target in enumerate(one.targets):
                if target not in known:
                    yield context.finding(
                        pages.D009,
                        f"{game}/discrepancies",
                        f"/discrepancies/{place}/targets/{index}",
                        f"There is no target {target}.",
                        did_you_mean(target, known),
                    )


def id_of_two(context: Context) -> Iterator[Finding]:
    """D011: an id stands for one content in all wagers of a game; plain numbers are no ids."""
    for game in context.catalogue.games.values():
        contents = {one: _content(one, wager) for wager in game.wagers for one in wager.paytables}
        first: dict[str, Paytable] = {}
        for paytable in _originals_first(context, game, contents):
            other = first.setdefault(paytable.id, paytable)
            if "-" in paytable.id and contents[other] != contents[paytable]:
                yield context.finding(
                    pages.D011,
                    paytable.target,
                    "/id",
                    f"{paytable.id} is also a paytable of {other.wager}, with other content.",
                    "Leave both if the source prints both so; otherwise rename one.",
                    related=(other.target,),
                )


def limits(context: Context) -> Iterator[Finding]:
    """D013: the least wager is not above the greatest."""
    for game, wager in context.wagers():
        least, greatest = wager.minimum_cents, wager.maximum_cents
        if least is not None and greatest is not None and least > greatest:
            yield context.finding(
                pages.D013,
                f"{game.id}/{wager.id}",
                "/minimum_cents",
                f"The least wager ({least} cents) is above the greatest ({greatest} cents).",
                "Correct the amounts; both are in cents.",
            )


def hands_of_a_name(context: Context) -> Iterator[Finding]:
    """D014: one name stands for one hand in all tables of a wager."""
    for _, wager in context.wagers():
        first: dict[str, tuple[str, str]] = {}
        told: set[tuple[str, str]] = set()
        for paytable in wager.paytables:
            for index, row in enumerate(paytable.rows):
                if row.event not in context.catalogue.events:
                    continue  # reported as such
                before, of = first.setdefault(_plain(row.name), (row.event, paytable.target))
                if before != row.event and (_plain(row.name), row.event) not in told:
                    told.add((_plain(row.name), row.event))
                    yield context.finding(
                        pages.D014,
                        paytable.target,
                        f"/rows/{index}/name",
                        f"`{row.name}` is {row.event} here and {before} before in this wager.",
                        "Give each hand a name of its own, or correct the event.",
                        related=(of,),
                    )


def revisions(context: Context) -> Iterator[Finding]:
    """D015: the list of changes ends with this revision, and its dates do not go back."""
    for game in context.catalogue.games.values():
        if not game.changes:
            continue
        last = len(game.changes) - 1
        ended = (game.changes[-1].revision, game.changes[-1].date)
        if ended != (game.revision, game.revised):
            yield context.finding(
                pages.D015,
                game.id,
                f"/changes/{last}",
                f"The last change is revision {ended[0]} of {ended[1]}, and the record is "
                f"revision {game.revision} of {game.revised}.",
                "Add what this revision brought, or correct revision and date.",
            )
        for place, (before, after) in enumerate(pairwise(game.changes), start=1):
            if after.date < before.date:
                yield context.finding(
                    pages.D015,
                    game.id,
                    f"/changes/{place}/date",
                    f"Revision {after.revision} is dated before revision {before.revision}.",
                    "List the changes oldest first, each with its own date.",
                )


def declared_targets(context: Context) -> tuple[str, ...]:
    """Return everything that can be a target: games, wagers, paytables, options, envy tables."""
    games = context.catalogue.games
    keys = set(context.catalogue.documents)
    for game in games.values():
        for wager in game.wagers:
            keys |= {one.target for one in records_of(wager)}
    heads = {key.partition("/")[0] for key in keys} - {"events", "house-ways", "jurisdictions"}
    files = {f"{head}/{name}" for head in heads for name in ("published", "discrepancies")}
    return tuple(sorted(key for key in keys - files if key.partition("/")[0] in heads))


def _has_faulty(context: Context, key: str) -> bool:
    """Whether the wager has the file of a paytable, which may be left out for its faults."""
    return any(
        one.startswith(f"{key}/") and not one.startswith(f"{key}/envy/")
        for one in context.catalogue.documents
    )


def _originals_first(context: Context, game: Game, paytables: Iterable[Paytable]) -> list[Paytable]:
    """Return first what printed figures or discrepancies are about: a copy is about nothing yet."""
    told = {one.target for one in context.catalogue.published.get(game.id, ())}
    for one in context.catalogue.discrepancies.get(game.id, ()):
        told.update(one.targets)
    return sorted(paytables, key=lambda one: one.target not in told)


def _content(paytable: Paytable, wager: Wager) -> object:
    """Return what decides the pays: names, notes and the id itself left out."""
    envy = envy_of(wager, paytable)
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


def _names(game: Game) -> Iterable[tuple[str, str, str, str]]:
    """Yield the name of each row: key of the file, pointer, event, name."""
    for wager in game.wagers:
        for paytable in wager.paytables:
            for index, row in enumerate(paytable.rows):
                yield paytable.target, f"/rows/{index}/name", row.event, row.name
        for table in wager.envies:
            key = f"{game.id}/{wager.id}/envy/{table.id}"
            for index, prize in enumerate(table.rows):
                yield key, f"/rows/{index}/name", prize.event, prize.name


def _plain(name: str) -> str:
    return _not_letters.sub("", name.casefold())
