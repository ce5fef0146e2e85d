"""D codes: papers, targets, limits and revisions that a record refers to."""

from collections.abc import Iterator
from itertools import pairwise

from certify.checks.catalog_parts import repeats, sources
from certify.checks.framework import Context, Fault, Location, check
from certify.formatting import did_you_mean, money
from certify.model.finding import Code, Severity
from certify.model.game import WagerKind, is_allowed


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
            remedy = "Remove `absent`, or the files."
            yield Fault(key, "/absent", message, remedy, related=related)
        elif not declared and wager.absent is None:
            lacks = "option" if wager.kind is WagerKind.MAIN else "paytable"
            message = f"The wager {wager.id} has no {lacks} and no reason."
            yield Fault(key, "", message, f"Declare {noun}, or add `absent` with the reason.")


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
    known = {game.document.id for game in context.games}
    known |= {document.id for game in context.games for document in game.references}
    known |= {way.source.document for way in context.catalog.house_ways.values()}
    reported: set[tuple[str, str]] = set()
    for source, at in sources(context.catalog):
        name = source.document
        if name not in known and (at.key, name) not in reported:
            reported.add((at.key, name))  # once for a file
            message = f"No game or house way declares the document {name}."
            yield at.fault("/document", message, did_you_mean(name, tuple(sorted(known))))


@check(
    "D009",
    "A discrepancy names a target that is not declared",
    fix="Correct the target: game, game/wager or game/wager/paytable.",
    wrong='{"targets": ["sample/bonus/11"]}',
    right='{"targets": ["sample/bonus/1"]}',
)
def unknown_target(context: Context) -> Iterator[Fault]:
    """The discrepancy would not be printed with any paytable."""
    known = context.targets
    for game, discrepancies in context.catalog.discrepancies.items():
        file = Location(f"{game}/discrepancies")
        for discrepancy, at in file.items("/discrepancies", discrepancies):
            for target, place in at.items("/targets", discrepancy.targets):
                if target not in known:
                    message = f"There is no target {target}."
                    yield place.fault("", message, did_you_mean(target, known))


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
    ways = context.catalog.house_ways.values()
    for way, first in repeats(ways, key=lambda way: way.source):
        message = f"{way.id} cites the same place as {first.id}."
        related = (f"house-ways/{first.id}",)
        yield Fault(f"house-ways/{way.id}", "/source", message, related=related)


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
        open_sources = tuple(_open_sources(document.value, ""))
        if open_sources:  # once for a file
            count = len(open_sources)
            message = f"{count} sources have no clause." if count > 1 else "A source has no clause."
            yield Fault(key, open_sources[0], message)


def _open_sources(value: object, pointer: str) -> Iterator[str]:
    """Yield the pointer of each source without a clause in a JSON value."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _open_sources(item, f"{pointer}/{index}")
    elif isinstance(value, dict):
        for name, part in value.items():
            at = f"{pointer}/{name}"
            if name == "source" and isinstance(part, dict) and part.get("clause", "") is None:
                yield at
            elif name == "sources" and isinstance(part, list):
                for index, source in enumerate(part):
                    if isinstance(source, dict) and source.get("clause", "") is None:
                        yield f"{at}/{index}"
            else:
                yield from _open_sources(part, at)
