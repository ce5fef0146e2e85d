"""D codes: names, duplicates, and what records refer to: papers, targets, limits and revisions."""

import re
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import pairwise
from typing import Protocol

from certify.checks.framework import (
    Context,
    Fault,
    Location,
    check,
    repeats,
    sources,
    statements,
    walk_objects,
)
from certify.checks.p_siblings import RANK_OF
from certify.formatting import did_you_mean, money
from certify.model.finding import Code, Severity
from certify.model.game import Game, Wager, WagerKind, is_allowed
from certify.model.paytable import EnvyRow, Paytable, Row


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
    lists += [
        (f"alternatives/{game}", "alternatives", each.alternatives)
        for game, each in catalog.alternatives.items()
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
    "D006",
    "A wager has neither a paytable nor a reason, or both",
    fix=(
        'Declare a paytable (an option for a main wager), or add "absent" with the reason; '
        "not both."
    ),
    wrong='{"id": "jacks-beat", "kind": "bonus"} without a paytable',
    right='{"id": "jacks-beat", "absent": {"id": "absent", "text": "The source prints no pays."}}',
)
def paytable_or_reason(context: Context) -> Iterator[Fault]:
    """A wager without a paytable cannot be certified, so its file must give the reason. A wager
    with paytables and such a reason contradicts itself.
    """
    for wager in context.wagers:
        key = wager.target
        noun = "an option" if wager.kind is WagerKind.MAIN else "a paytable"
        related = tuple(record.target for record in wager.records)
        # A file with errors counts, too.
        files = [name for name in context.catalog.documents if name.startswith(f"{key}/")]
        declared = any(not name.startswith(f"{key}/envy/") for name in (*related, *files))
        if declared and wager.absent is not None:
            message = f"The wager {wager.id} has {noun} and declares that it has none."
            yield Fault(key, "/absent", message, "Remove `absent`, or the files.", related=related)
        elif not declared and wager.absent is None:
            lacks = "option" if wager.kind is WagerKind.MAIN else "paytable"
            message = f"The wager {wager.id} has no {lacks} and no reason."
            yield Fault(key, "", message, f"Declare {noun}, or add `absent` with the reason.")


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
    "D008",
    "A source names an unknown document",
    severity=Severity.WARNING,
    fix="Correct the document's id, or declare the document with the game.",
    wrong='{"source": {"document": "emperor-challenge-exposed"}}',
    right='{"source": {"document": "emperors-challenge-exposed"}}',
)
def unknown_document(context: Context) -> Iterator[Fault]:
    """Every value must cite a document. No game and no house way declares this id."""
    declared = {game.document.id for game in context.games}
    declared |= {document.id for game in context.games for document in game.references}
    declared |= {way.source.document for way in context.catalog.house_ways.values()}
    reported: set[tuple[str, str]] = set()
    for source, at in sources(context.catalog):
        name = source.document
        if name not in declared and (at.key, name) not in reported:
            reported.add((at.key, name))  # once for a file
            message = f"No game or house way declares the document {name}."
            yield at.fault("/document", message, did_you_mean(name, tuple(sorted(declared))))


@check(
    "D009",
    "A discrepancy names a target that is not declared",
    fix="Correct the target: game, game/wager or game/wager/paytable.",
    wrong='{"targets": ["sample/bonus/11"]}',
    right='{"targets": ["sample/bonus/1"]}',
)
def unknown_target(context: Context) -> Iterator[Fault]:
    """The discrepancy would not be printed with any paytable."""
    targets = context.targets
    for game, discrepancies in context.catalog.discrepancies.items():
        file = Location(f"{game}/discrepancies")
        for discrepancy, at in file.items("/discrepancies", discrepancies):
            for target, place in at.items("/targets", discrepancy.targets):
                yield from place.unknown("", target, targets, f"There is no target {target}.")


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


_not_letters = re.compile(r"[^a-z0-9]+")


@check(
    "D013",
    "Limits of a wager contradict each other",
    fix="Correct the amounts; both are in cents.",
    wrong='{"minimum_cents": 2500, "maximum_cents": 500}',
    right='{"minimum_cents": 500, "maximum_cents": 2500}',
)
def limits(context: Context) -> Iterator[Fault]:
    """No wager can be placed if its minimum is above its maximum. Figures for a wager that the
    limits exclude apply to no player.
    """
    for wager in context.wagers:
        least, most = wager.minimum_cents, wager.maximum_cents
        if least is not None and most is not None and least > most:
            message = f"The minimum wager ({least} cents) is above the maximum ({most} cents)."
            yield Fault(wager.target, "/minimum_cents", message)
        for option in wager.options:
            if option.wager_cents is not None and not is_allowed(option.wager_cents, least, most):
                message = (
                    f"The figures are for a wager of {money(option.wager_cents)}, which the "
                    "limits of the wager exclude."
                )
                yield Fault(option.target, "/wager_cents", message)


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
    "D015",
    "The list of changes does not end with this revision",
    fix="Add an entry for this revision, with its date, after the older ones.",
    wrong='{"revision": "2", "changes": [{"revision": "1", …}]}',
    right='{"revision": "2", "changes": [{"revision": "1", …}, {"revision": "2", …}]}',
)
def revisions(context: Context) -> Iterator[Fault]:
    """The rules of play print the changes as their history. A history that stops before the
    current revision, or is out of order, hides changes.
    """
    for game in context.games:
        changes = list(Location(game.id).items("/changes", game.changes))
        for last, at in changes[-1:]:
            if (last.revision, last.date) != (game.revision, game.revised):
                yield at.fault(
                    "",
                    f"The last change is revision {last.revision} of {last.date}; the game is "
                    "revision "
                    f"{game.revision} of {game.revised}.",
                    "Add the changes of this revision, or correct revision and date.",
                )
        for (before, _), (after, at) in pairwise(changes):
            if after.date < before.date:
                yield at.fault(
                    "/date",
                    f"Revision {after.revision} is dated before revision {before.revision}.",
                    "List the changes oldest first, each with its date.",
                )


@check(
    "D018",
    "A copy still cites its original",
    severity=Severity.WARNING,
    fix=(
        "Cite its own document and clauses; remove the figures and discrepancies of the original."
    ),
    wrong='a new game or house way with the "document" of its original',
    right="the document that was published for it",
)
def still_cites_the_original(context: Context) -> Iterator[Fault]:
    """The submission would cite a document that does not contain the figure or the rule."""
    originals_first = sorted(context.games, key=lambda game: game.id != game.document.id)
    for game, original in repeats(originals_first, key=lambda game: game.document.id):
        message = f"{game.id} cites the document of {original.id}."
        yield Fault(game.id, "/document/id", message, related=(original.id,))
        for records, of in (
            (context.catalog.published, "published"),
            (context.catalog.discrepancies, "discrepancies"),
        ):
            if records.get(game.id):
                message = f"This is about {original.id}, whose document is cited."
                yield Fault(f"{game.id}/{of}", "", message, related=(original.id,))
    for way, first in repeats(context.catalog.house_ways.values(), key=lambda way: way.source):
        message = f"{way.id} cites the same place as {first.id}."
        yield Fault(f"house-ways/{way.id}", "/source", message, related=(f"house-ways/{first.id}",))


D019 = Code(
    "D019",
    "A cited document is not in the project",
    severity=Severity.WARNING,
    why="A figure of a missing document cannot be checked. Submissions "
    "omit such a document, and its figures do not count as reproduced.",
    fix=(
        "Put the file next to `game.json` or into the folder `sources` of the project. Its "
        "SHA-256 must be the declared one."
    ),
    wrong='"references": [{"id": "letter", "file": "letter.pdf", …}] without a file letter.pdf',
    right="the same with letter.pdf next to game.json",
)


@check(
    "D023",
    "A source has no clause",
    severity=Severity.WARNING,
    fix="Add the clause, section or table of the document; until then the game cannot be filed.",
    wrong='{"source": {"document": "harbor", "clause": null}}',
    right='{"source": {"document": "harbor", "clause": "Section 4"}}',
)
def uncited(context: Context) -> Iterator[Fault]:
    """Documents print the clause of each rule and paytable, and a reader looks it up there. A game
    copied with another document has no clauses, as those of the original are about its document.
    The value null declares that a clause is not known yet.
    """
    for key, document in context.catalog.documents.items():
        if context.involves is not None and not context.involves(key):
            continue
        open_sources = [
            pointer
            for source, pointer in walk_objects(document.value)
            if _of_source(pointer) and source.get("clause", "") is None
        ]
        if open_sources:  # once for a file
            count = len(open_sources)
            message = f"{count} sources have no clause." if count > 1 else "A source has no clause."
            yield Fault(key, open_sources[0], message)


_of_source = re.compile(r".*/(?:source|sources/[0-9]+)").fullmatch
"""Match the pointer of a source."""


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
    events, project_events = context.catalog.events, context.catalog.own_events
    for game in context.games:
        for row, at in named_rows(game):
            named = _event_named(row.name)
            if named == row.event or not {named, row.event} <= events.keys():
                continue
            if row.event in project_events and named not in project_events:
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
