"""Checks of the data set: reasons, documents, targets, limits, revisions."""

from collections.abc import Iterator
from itertools import pairwise

from certify.checks.check import finds
from certify.checks.context import Context
from certify.checks.fault import Fault, Location
from certify.checks.walk import sources
from certify.formatting import did_you_mean
from certify.model.finding import Severity
from certify.model.game import Game, WagerKind
from certify.model.house_way import HouseWay
from certify.model.source import Source


@finds(
    "D006",
    "A wager has neither a paytable nor a reason, or both",
    mend='Declare a paytable (an option for a main wager), or add "absent" with the reason; not '
    "both.",
    wrong='{"id": "jacks-beat", "kind": "bonus"} with no paytable beside it',
    right='{"id": "jacks-beat", "absent": {"id": "absent", "text": "The source prints no pays."}}',
)
def paytable_or_reason(context: Context) -> Iterator[Fault]:
    """A wager without a paytable cannot be certified; that may be so, but the record must say why.
    A wager that has paytables and says why it has none contradicts itself.
    """
    for wager in context.wagers:
        key = wager.target
        noun = "an option" if wager.kind is WagerKind.MAIN else "a paytable"
        related = tuple(record.target for record in wager.records)
        declared = bool(related) or _has_faulty(context, key)
        if declared and wager.absent is not None:
            message = f"The wager {wager.id} has {noun} and says that it has none."
            remedy = "Remove `absent`, or the files beside it."
            yield Fault(key, "/absent", message, remedy, related=related)
        elif not declared and wager.absent is None:
            lacks = "option" if wager.kind is WagerKind.MAIN else "paytable"
            message = f"The wager {wager.id} has no {lacks} and does not say why."
            yield Fault(key, "", message, f"Declare {noun}, or add `absent` with the reason.")


def _has_faulty(context: Context, key: str) -> bool:
    """Whether the wager has the file of a paytable, which may be left out for its faults."""
    return any(
        name.startswith(f"{key}/") and not name.startswith(f"{key}/envy/")
        for name in context.catalogue.documents
    )


@finds(
    "D008",
    "A source is not a document that is known",
    severity=Severity.WARNING,
    mend="Correct the document's id, or declare the document with the game.",
    wrong='{"source": {"document": "emperor-challenge-exposed"}}',
    right='{"source": {"document": "emperors-challenge-exposed"}}',
)
def unknown_document(context: Context) -> Iterator[Fault]:
    """Every value rests on a document that somebody can open; an id that no game and no house way
    declares points nowhere.
    """
    known = {game.document.id for game in context.games}
    known |= {document.id for game in context.games for document in game.references}
    known |= {way.source.document for way in context.catalogue.house_ways.values()}
    told: set[tuple[str, str]] = set()
    for source, at in sources(context.catalogue):
        name = source.document
        if name not in known and (at.key, name) not in told:
            told.add((at.key, name))  # once for a file
            message = f"{name} is no document that a game or a house way declares."
            yield at.fault("/document", message, did_you_mean(name, tuple(sorted(known))))


@finds(
    "D018",
    "A record still cites what it was copied from",
    severity=Severity.WARNING,
    mend="Name the record's own document and clauses; remove the figures and discrepancies of the "
    "other.",
    remedy="Name its own document and clauses; remove what is about the other.",
    wrong='a new game, or a new house way, with the "document" of the one that it was copied from',
    right="the document that was published for it",
)
def still_cites_the_original(context: Context) -> Iterator[Fault]:
    """A figure or a rule would be filed as read in a document that does not say it."""
    first: dict[str, Game] = {}
    for game in sorted(context.games, key=lambda game: game.id != game.document.id):
        first.setdefault(game.document.id, game)
    for game in context.games:
        original = first[game.document.id]
        if original is not game:
            message = f"{game.id} cites the document of {original.id}."
            yield Fault(game.id, "/document/id", message, related=(original.id,))
            for records, of in (
                (context.catalogue.published, "published"),
                (context.catalogue.discrepancies, "discrepancies"),
            ):
                if records.get(game.id):
                    message = f"What stands here is about {original.id}, whose document is cited."
                    yield Fault(f"{game.id}/{of}", "", message, related=(original.id,))
    ways: dict[Source, HouseWay] = {}
    for way in context.catalogue.house_ways.values():
        original_way = ways.setdefault(way.source, way)
        if original_way is not way:
            message = f"{way.id} cites the same place as {original_way.id}."
            related = (f"house-ways/{original_way.id}",)
            yield Fault(f"house-ways/{way.id}", "/source", message, related=related)


@finds(
    "D009",
    "A discrepancy names a target that is not declared",
    mend="Correct the target: game, game/wager or game/wager/paytable.",
    wrong='{"targets": ["sample/bonus/11"]}',
    right='{"targets": ["sample/bonus/1"]}',
)
def unknown_target(context: Context) -> Iterator[Fault]:
    """The discrepancy would be printed beside no paytable at all."""
    known = context.targets
    for game, discrepancies in context.catalogue.discrepancies.items():
        file = Location(f"{game}/discrepancies")
        for discrepancy, at in file.items("/discrepancies", discrepancies):
            for target, place in at.items("/targets", discrepancy.targets):
                if target not in known:
                    message = f"There is no target {target}."
                    yield place.fault("", message, did_you_mean(target, known))


@finds(
    "D013",
    "Limits of a wager contradict each other",
    mend="Correct the amounts; both are in cents.",
    wrong='{"minimum_cents": 2500, "maximum_cents": 500}',
    right='{"minimum_cents": 500, "maximum_cents": 2500}',
)
def limits(context: Context) -> Iterator[Fault]:
    """No wager can be placed whose least amount is above its greatest."""
    for wager in context.wagers:
        least, most = wager.minimum_cents, wager.maximum_cents
        if least is not None and most is not None and least > most:
            message = f"The least wager ({least} cents) is above the greatest ({most} cents)."
            yield Fault(wager.target, "/minimum_cents", message)


@finds(
    "D015",
    "The list of changes does not end with this revision",
    mend="Add an entry for this revision, with its date, after the older ones.",
    wrong='{"revision": "2", "changes": [{"revision": "1", …}]}',
    right='{"revision": "2", "changes": [{"revision": "1", …}, {"revision": "2", …}]}',
)
def revisions(context: Context) -> Iterator[Fault]:
    """The rules of play print the changes as their history; a history that stops before the
    revision on the cover, or goes back in time, hides what was changed.
    """
    for game in context.games:
        changes = list(Location(game.id).items("/changes", game.changes))
        for last, at in changes[-1:]:
            if (last.revision, last.date) != (game.revision, game.revised):
                yield at.fault(
                    "",
                    f"The last change is revision {last.revision} of {last.date}, and the record "
                    f"is revision {game.revision} of {game.revised}.",
                    "Add what this revision brought, or correct revision and date.",
                )
        for (before, _), (after, at) in pairwise(changes):
            if after.date < before.date:
                yield at.fault(
                    "/date",
                    f"Revision {after.revision} is dated before revision {before.revision}.",
                    "List the changes oldest first, each with its own date.",
                )
