"""R codes: a filing: what it names, its parties and its revision."""

from collections.abc import Iterator, Sequence

from certify.checks.catalog_parts import statements
from certify.checks.framework import Context, Fault, Location, check
from certify.formatting import did_you_mean
from certify.model.finding import Severity
from certify.model.game import Game
from certify.model.jurisdiction import TERMS, Applicant, Jurisdiction, Terms
from certify.model.paytable import Paytable


@check(
    "R028",
    "The file declares terms, and no filing",
    severity=Severity.WARNING,
    fix="`certify new filing NAME --like FILE --game GAME --jurisdiction JURISDICTION` writes the "
    "file of a filing.",
    wrong='{"$schema": "terms.schema.json", "game": "mini-pai-gow"}',
    right='{"$schema": "filing.schema.json", "id": "nj", "game": "mini-pai-gow", '
    '"jurisdiction": "new-jersey", …}',
)
def terms_of_no_filing(context: Context) -> Iterator[Fault]:
    """Version 0.2 wrote the terms of a table without jurisdiction and revision. Such a file can be
    filed in a jurisdiction that it was not made for.
    """
    document = context.catalog.documents.get(TERMS)
    if document is not None and str(document.value.get("$schema")).endswith("terms.schema.json"):
        yield Fault(TERMS, "/$schema", "This file is for no jurisdiction and has no revision.")


def find_unknown(
    context: Context, terms: Terms, games: Sequence[Game], owner: str
) -> Iterator[Fault]:
    """Yield the unknown jurisdiction, paytables, meters, envy tables and sentences of a filing.

    ``owner`` begins a message on the games to which it may apply.
    """
    known = tuple(context.catalog.jurisdictions)
    if terms.jurisdiction is not None and terms.jurisdiction not in known:
        message = f"There is no jurisdiction {terms.jurisdiction}."
        yield Fault(TERMS, "/jurisdiction", message, did_you_mean(terms.jurisdiction, known))
    elif terms.jurisdiction is not None:
        yield from _find_unknown_items(terms, context.catalog.jurisdictions[terms.jurisdiction])
    yield from _find_unknown_amounts(terms, games, owner)
    if len(games) == 1:
        yield from _find_unknown_sentences(context, terms, games[0])


def _find_unknown_items(terms: Terms, where: Jurisdiction) -> Iterator[Fault]:
    """Yield the supplied items that the jurisdiction does not ask to be supplied."""
    asked = tuple(item.id for item in where.checklist if not item.proof)
    for supplied, at in Location(TERMS).items("/supplied", terms.supplied):
        if supplied.item not in asked:
            message = f"{where.name} has no item {supplied.item} that a filing supplies."
            yield at.fault("/item", message, did_you_mean(supplied.item, asked))


def _find_unknown_sentences(context: Context, terms: Terms, game: Game) -> Iterator[Fault]:
    """Yield the sentences that replace none of the game."""
    known = [(at.key, each.id) for each, at in statements(context.catalog)]
    for sentence, at in Location(TERMS).items("/sentences", terms.sentences):
        key = f"{game.id}/{sentence.wager}" if sentence.wager is not None else game.id
        if (key, sentence.id) not in known:
            names = tuple(name for owner, name in known if owner == key)
            message = f"{key} has no sentence {sentence.id}."
            yield at.fault("/id", message, did_you_mean(sentence.id, names))


def _find_unknown_amounts(terms: Terms, games: Sequence[Game], owner: str) -> Iterator[Fault]:
    """Yield the amounts of unknown meters and envy tables, and unknown filed paytables."""
    wagers = [wager for game in games for wager in game.wagers]
    records = [record for wager in wagers for record in wager.records]
    filed = tuple(name for record in records for name in (record.id, record.target))
    meters = {
        f"{table.wager}/{table.id}/{meter.level}"
        for record in records
        if isinstance(table := record, Paytable)
        for meter in table.meters
    }
    envies = {f"{envy.wager}/{envy.id}" for wager in wagers for envy in wager.envies}
    for amounts, at in Location(TERMS).items("/meters", terms.meters):
        name = f"{amounts.wager}/{amounts.paytable}/{amounts.level}"
        if name not in meters:
            yield at.fault("", f"{owner} no meter {name}.", did_you_mean(name, tuple(meters)))
    for minimum, at in Location(TERMS).items("/envies", terms.envies):
        name = f"{minimum.wager}/{minimum.table}"
        if name not in envies:
            yield at.fault("", f"{owner} no envy table {name}.", did_you_mean(name, tuple(envies)))
    for name, at in Location(TERMS).items("/paytables", terms.paytables):
        if name not in filed:
            yield at.fault("", f"{owner} no paytable {name}.", did_you_mean(name, filed))


def find_contradictions(terms: Terms) -> Iterator[Fault]:
    """Yield a missing operator, and a revision without its date or its changes."""
    if (terms.revision is None) != (terms.revised is None):
        stated = "revised" if terms.revision is None else "revision"
        message = "A filing declares its revision together with its date."
        yield Fault(TERMS, f"/{stated}", message, "Declare `revision` and `revised`.")
    for last in terms.changes[-1:]:
        if (last.revision, last.date) != (terms.revision, terms.revised):
            message = f"The last change is revision {last.revision} of {last.date}; the filing is "
            message += f"revision {terms.revision} of {terms.revised}."
            yield Fault(TERMS, "/changes", message, "Add the changes of this revision.")
    if terms.applicant is Applicant.OPERATOR and terms.operator is None:
        message = "The operator requests the approval, but the filing declares no operator."
        yield Fault(TERMS, "/applicant", message, "Declare the operator.")
