"""R codes: a filing: what it names, its parties, its revision and its terms."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from operator import attrgetter, itemgetter

from msgspec.structs import replace

from certify.checks.framework import Context, Fault, Location, check, repeats, statements
from certify.checks.quantities import Kind, find_quantities
from certify.formatting import money
from certify.model.finding import Severity
from certify.model.game import Game, Wager, is_allowed
from certify.model.jurisdiction import (
    TERMS,
    AggregateLimit,
    Applicant,
    LinkedMeter,
    Terms,
)
from certify.model.main_wager import Outcome
from certify.model.paytable import Paytable
from certify.model.source import Banking, Statement
from certify.model.topic import Procedure, Topic


@check(
    "R021",
    "A filing names an unknown game, jurisdiction, wager, paytable or meter",
    fix="Correct the id. If the file names a `game`, use the wagers of that game.",
    wrong='{"game": "mini-pai-gow", "largest_wagers": {"bonuss": 2500}}',
    right='{"game": "mini-pai-gow", "largest_wagers": {"bonus": 2500}}',
)
def unknown_in_terms(context: Context) -> Iterator[Fault]:
    """A limit on an unknown wager has no effect, and the rules of play would not print it."""
    terms, games = context.terms, _games(context)
    if terms is None:
        return
    file = Location(TERMS)
    if not games:
        message = f"There is no game {terms.game}."
        yield from file.unknown("/game", terms.game, context.catalog.games, message)
        return
    owner = f"{games[0].name} has" if len(games) == 1 else "There is"
    wagers = tuple(dict.fromkeys(wager.id for game in games for wager in game.wagers))
    for name, at in _wagers_named(terms):
        yield from at.unknown("", name, wagers, f"{owner} no wager {name}.")
    meters = _meters(games)
    for linked, at in _list_links(terms):
        name, level = linked.paytable, linked.level
        yield from at.unknown(
            "/paytable", name, meters, f"{owner} no paytable {name} with a meter."
        )
        levels = meters.get(name, (level,))
        yield from at.unknown("/level", level, levels, f"{name} has no meter {level}.")
    yield from find_unknown(context, terms, games, owner)


@check(
    "R022",
    "A filing contradicts itself or the game",
    fix="Correct one of the two values.",
    wrong='{"least_wagers": {"main": 5000}, "largest_wagers": {"main": 2500}}',
    right='{"least_wagers": {"main": 500}, "largest_wagers": {"main": 2500}}',
)
def contradictions(context: Context) -> Iterator[Fault]:
    """A minimum above the maximum, two limits on one wager, a meter that is linked twice, two
    entries for one meter, envy table, sentence or item of the checklist, or the terms of another
    game: only one of the two values would be printed. Limits can also exclude the wager that the
    figures of a filed option are for. A rule of a jurisdiction or of a wager on the same topic
    would be printed with the procedure. If the filed option has a dealer's hand that makes all main
    wagers push, a procedure for fouls must say whether a foul pushes, too, as the rule of the
    option does.
    """
    terms = context.terms
    if terms is None:
        return
    if context.game is not None and terms.game not in (None, context.game.id):
        yield Fault(
            TERMS,
            "/game",
            f"The terms are for {terms.game}, not for {context.game.id}.",
            "Use the terms of a table with this game.",
        )
    for game in _games(context):
        for wager in game.wagers:
            yield from _find_bad_limits(context, terms, wager)
        yield from _find_foul_conflicts(context, terms, game)
        yield from _find_unoffered(terms, game)
    yield from _find_second_answers(context)
    for (limit, name, at), _ in repeats(_limits(terms), key=lambda each: (each[1], each[0].scope)):
        remedy = "Declare at most one limit per player and one per table for a wager."
        yield at.fault("", f"{name} has two limits per {limit.scope}.", remedy)
    yield from find_contradictions(terms)
    for (linked, at), _ in repeats(_list_links(terms), key=lambda listed: listed[0]):
        remedy = "Name each meter once, in one list of linked meters."
        yield at.fault("", f"Meter {linked.level} of {linked.paytable} is linked twice.", remedy)
    yield from _find_second_entries(terms)


@check(
    "R026",
    "The terms replace a rule of the source, or go with one on the same subject",
    severity=Severity.WARNING,
    fix="Remove it from the terms, or confirm that the table uses it.",
    wrong='{"game": "mini-pai-gow", "procedures": {"shuffle": "..."}}',
    right='{"game": "mini-pai-gow"}',
)
def replaced_rules(context: Context) -> Iterator[Fault]:
    """The rules of play print the procedure of the terms instead of the source's rule on the same
    topic, with the replaced clause in the margin. The regulator may ask why the two differ. A rule
    on a related topic is printed with the procedure; nothing else compares the two texts.
    """
    terms = context.terms
    procedures = dict(terms.procedures) if terms is not None else {}
    for statement, at in _printed_statements(context):
        topic = statement.topic
        if terms is None or topic is None:
            continue
        where = f"“{statement.text}” ({at.key}: {statement.id})"
        if topic.replaced_by in procedures and _is_replaced(at):
            message = f"The terms replace this rule: {where}"
            yield Fault(TERMS, f"/procedures/{topic.replaced_by}", message, related=(at.key,))
        elif topic.is_beside in procedures or (topic.replaced_by in procedures and statement.open):
            procedure = topic.is_beside or topic.replaced_by
            message = f"This rule is printed with the procedure: {where}"
            remedy = "Confirm that the two agree."
            yield Fault(TERMS, f"/procedures/{procedure}", message, remedy, related=(at.key,))
        elif (
            topic is Topic.SEATS
            and not statement.open
            and terms.players not in (None, _games(context)[0].players)
        ):
            message = f"The terms replace this rule: {where}"
            yield Fault(TERMS, "/players", message, related=(at.key,))


def _find_second_entries(terms: Terms) -> Iterator[Fault]:
    """Yield each entry of a list that sets what an earlier one sets."""
    for name, entries, words, key in (
        ("meters", terms.meters, "meter", attrgetter("wager", "paytable", "level")),
        ("envies", terms.envies, "envy table", attrgetter("wager", "table")),
        ("sentences", terms.sentences, "sentence", attrgetter("wager", "id")),
        ("supplied", terms.supplied, "item", attrgetter("item")),
    ):
        listed = [(key(entry), at) for entry, at in Location(TERMS).items(f"/{name}", entries)]
        for (_, at), _ in repeats(listed, key=itemgetter(0)):
            yield at.fault("", f"An earlier entry is for the same {words}.", "Keep one of the two.")


def _find_second_answers(context: Context) -> Iterator[Fault]:
    """Yield each rule that is printed with the terms although both answer its topic."""
    terms = context.terms or Terms()
    procedures = dict(terms.procedures)
    minima = dict(terms.least_wagers)
    for statement, at in _printed_statements(context):
        where = f"“{statement.text}” ({at.key}: {statement.id})"
        procedure = statement.replaced_by
        if procedure in procedures and not statement.open and not _is_replaced(at):
            message = f"This rule answers the same question and is printed, too: {where}"
            remedy = "Remove the procedure from the terms."
            yield Fault(TERMS, f"/procedures/{procedure}", message, remedy, related=(at.key,))
        wager = at.key.rpartition("/")[2]
        if statement.topic is Topic.MINIMUM and wager in minima:
            quantities = find_quantities(statement.text)
            amounts = [each.value for each in quantities if each.kind is Kind.MONEY]
            if amounts and minima[wager] not in amounts:
                message = f"The minimum is {money(minima[wager])}, but this rule differs: {where}"
                remedy = "Replace it in `sentences`, or remove the minimum from the terms."
                yield Fault(TERMS, f"/least_wagers/{wager}", message, remedy, related=(at.key,))


def _printed_statements(context: Context) -> Iterator[tuple[Statement, Location]]:
    """Yield the statements of the only game, and of the jurisdiction, that rules of play print.

    Before a jurisdiction and an option are chosen, rules for one of them only are left out.
    """
    games, filing = _games(context), context.filing
    if context.terms is None or len(games) != 1:
        return
    keys, dealt = [games[0].id], games[0].dealt
    dealt = replace(dealt, banking=context.terms.banking or dealt.banking)
    if filing is not None:
        keys.append(f"jurisdictions/{filing.jurisdiction.id}")
    for statement, at in statements(context.catalog):
        if at.key not in keys and not at.key.startswith(f"{games[0].id}/"):
            continue
        general = statement.jurisdiction is None and statement.option is None
        fitting = general and statement.fits.fits(dealt)
        if fitting if filing is None else filing.filter_statements([statement]):
            yield statement, at


def _is_replaced(at: Location) -> bool:
    """Return True if rules of play print a procedure of the terms instead of a statement."""
    return at.pointer.startswith("/sections/")


def _find_unoffered(terms: Terms, game: Game) -> Iterator[Fault]:
    """Yield a joker that the game does not offer, a bank that its options contradict, and players
    for whom the deck has too few cards.
    """
    offered = (game.hands.joker, *game.hands.joker_choices)
    if terms.joker is not None and (terms.joker not in offered or not game.hands.deck.joker):
        message = f"{game.name} does not offer the joker rule `{terms.joker}`."
        choices = (
            " or ".join(f"`{joker}`" for joker in offered) if game.hands.deck.joker else "none"
        )
        yield Fault(TERMS, "/joker", message, f"It offers {choices}.")
    by_players = [option for option in game.options if option.bank is not None]
    if terms.banking is Banking.HOUSE and by_players:
        message = f"The house banks by the terms, but a player may bank by {by_players[0].name}."
        yield Fault(TERMS, "/banking", message, "Omit `banking`, or remove `bank` of the option.")
    if terms.fees is not None and any(option.fee for option in game.options):
        message = "The filing declares collection fees, and an option of the game has its own."
        yield Fault(TERMS, "/fees", message, "Omit `fees`, or remove `fee` of the option.")
    elif terms.fees is not None and not game.options:
        message = f"{game.name} has no main wager, so no collection fee is printed."
        yield Fault(TERMS, "/fees", message, "Omit `fees`.")
    for (band, at), (following, _) in pairwise(
        Location(TERMS).items("/fees/bands", terms.fees.bands if terms.fees is not None else ())
    ):
        if band.from_cents >= following.from_cents:
            yield at.fault(
                "/from_cents", "The bands of the fees do not rise.", "List them by size."
            )
    deck, shape = game.hands.deck, game.hands.shape
    served = (deck.cards - shape.dealer) // shape.cards
    if terms.players is not None and terms.players > served:
        message = f"A deck of {deck.cards} cards serves {served} players and the dealer, not "
        yield Fault(TERMS, "/players", f"{message}{terms.players} players.", "Lower `players`.")


def _find_bad_limits(context: Context, terms: Terms, wager: Wager) -> Iterator[Fault]:
    """Yield limits of the terms that contradict each other, or exclude the wager of the figures.

    Before an option is chosen, that is known where the terms exclude the wagers of all options.
    """
    amounts_of = {"least_wagers": terms.least_wagers, "largest_wagers": terms.largest_wagers}
    named = [name for name, amounts in amounts_of.items() if wager.id in dict(amounts)]
    if not named:
        return
    place, limits = f"/{named[0]}/{wager.id}", (terms.least(wager), terms.largest(wager))
    least, largest = limits
    if least is not None and largest is not None and least > largest:
        yield Fault(
            TERMS,
            place,
            f"The minimum wager on {wager.name} is {money(least)}, but the maximum is "
            f"{money(largest)}.",
            "Declare a minimum that is not above the maximum.",
        )
    options = [each for each in wager.options if each.wager_cents is not None]
    excluded = [each for each in options if not is_allowed(each.wager_cents or 0, *limits)]
    if context.filing is not None:
        excluded = [each for each in excluded if each in context.filing.options]
    elif len(excluded) < len(wager.options):
        return
    for option in excluded:
        yield Fault(
            TERMS,
            place,
            f"The figures of {wager.name} {option.id} are for a wager of "
            f"{money(option.wager_cents or 0)}, which these limits exclude.",
            "Declare limits that allow it, or give the option another `wager_cents`.",
        )


def _find_foul_conflicts(context: Context, terms: Terms, game: Game) -> Iterator[Fault]:
    """Yield where the result of a foul against a pushing dealer's hand is missing or differs.

    Before an option is chosen, that is known only if every option has such a hand.
    """
    options = game.options if context.filing is None else context.filing.options
    pushing = [
        [rule for rule in option.dealer_rules if rule.outcome is Outcome.PUSH] for option in options
    ]
    if context.filing is None and not all(pushing):
        return
    result, defined = terms.foul_against_push, Procedure.FOUL in dict(terms.procedures)
    if result is not None and not defined:
        message = "The terms specify the result of a foul, but not what a foul is."
        yield Fault(TERMS, "/foul_against_push", message, "Add the procedure `foul`.")
    for rule in chain.from_iterable(pushing):
        if defined and result is None:
            yield Fault(
                TERMS,
                "/procedures/foul",
                f"The terms do not specify the result of a foul under the rule “{rule.text}”",
                "Add `foul_against_push`: `push` if a foul pushes, too, `lose` if it loses.",
            )
        elif rule.fouls is not None and result not in (None, rule.fouls):
            yield Fault(
                TERMS,
                "/foul_against_push",
                f"The rule of the option has another result of a foul: “{rule.text}”",
                f"Declare `{rule.fouls}`, or file an option whose rule, in text and `fouls`, says "
                f"`{result}`. No figure rests on it.",
            )


def _games(context: Context) -> tuple[Game, ...]:
    """Return the games to which the terms may apply: the filed or named one, or all."""
    terms, games = context.terms, context.catalog.games
    if context.game is not None:
        return (context.game,)
    if terms is None or terms.game is None:
        return context.games
    return (games[terms.game],) if terms.game in games else ()


def _wagers_named(terms: Terms) -> Iterator[tuple[str, Location]]:
    for property_, amounts in (
        ("largest_wagers", terms.largest_wagers),
        ("least_wagers", terms.least_wagers),
        ("player_advantage", terms.player_advantage),
        ("code_options", terms.code_options),
    ):
        for name, _ in amounts:
            yield name, Location(TERMS, f"/{property_}/{name}")
    for _, name, at in _limits(terms):
        yield name, at


def _limits(terms: Terms) -> Iterator[tuple[AggregateLimit, str, Location]]:
    """Yield every wager in a limit."""
    for limit, at in Location(TERMS).items("/aggregate_limits", terms.aggregate_limits or ()):
        for name, inner in at.items("/wagers", limit.wagers):
            yield limit, name, inner


def _list_links(terms: Terms) -> Iterator[tuple[LinkedMeter, Location]]:
    for link, at in Location(TERMS).items("/links", terms.links or ()):
        yield from at.items("", link)


def _meters(games: tuple[Game, ...]) -> dict[str, tuple[str, ...]]:
    """Return the names of the meters of every paytable that has any."""
    return {
        table.id: tuple(meter.level for meter in table.meters)
        for game in games
        for wager in game.wagers
        for table in wager.paytables
        if table.meters
    }


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


@check(
    "R031",
    "A printed sentence names a wager or a house way that is not filed",
    fix='Add `"wager"` with its id to the rule, or file the wager. Remove the name of a house way.',
    wrong='{"id": "dealing.wager", "text": "Each player may add the Bonus.", …}',
    right='{"id": "dealing.wager", "text": "Each player may add the Bonus.", "wager": "bonus", …}',
)
def unfiled_in_rules(context: Context) -> Iterator[Fault]:
    """The rules of play would offer a wager that was not submitted, without its payouts; or the
    mathematics report would say that its figures are for another house way. A rule on one wager
    names it in `wager`; one on any of them has `fits` with `optional_wagers` or `envy`.
    """
    filing = context.filing
    if filing is None:
        return
    game, declared = filing.game, filing.declared
    filed = [*filing.wagers, *(wager for wager in game.wagers if wager.absent)]
    keys, ids = {game.id, *(wager.target for wager in filed)}, {wager.id for wager in filed}
    printed = [
        (statement.text, at.inner("/text"))
        for statement, at in statements(context.catalog)
        if at.key in keys and filing.filter_statements([statement])
    ]
    names = {
        name.casefold(): "" if wager.id in ids else wager.name
        for wager in declared.games[game.id].wagers
        for name in (wager.name, *wager.aliases)
    }
    yield from _find_names(names, printed)
    doubts = context.catalog.discrepancies.get(game.id, ())
    for doubt, at in Location(f"{game.id}/discrepancies").items("/discrepancies", doubts):
        printed.append((doubt.resolution, at.inner("/resolution")))
    ways = [declared.house_ways[each] for each in game.house_ways if each in declared.house_ways]
    chosen = filing.order.house_way or game.house_way
    names = {way.name.casefold(): "" if way.id == chosen else way.name for way in ways}
    yield from _find_names(names, printed)


def _find_names(names: Mapping[str, str], texts: Iterable[tuple[str, Location]]) -> Iterator[Fault]:
    """Yield each name in a text of what is not filed; the name of what is filed has none."""
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    find_all = re.compile(rf"(?<!\w)(?:{words})(?!\w)").findall
    for text, at in texts:
        for name in filter(None, map(names.get, find_all(text.casefold()))):
            yield at.fault("", f"The sentence names {name}, which is not filed.")


def find_unknown(
    context: Context, terms: Terms, games: Sequence[Game], owner: str
) -> Iterator[Fault]:
    """Yield the unknown jurisdiction, paytables, meters, envy tables and sentences of a filing.

    ``owner`` begins a message on the games to which it may apply.
    """
    name, jurisdictions, file = terms.jurisdiction, context.catalog.jurisdictions, Location(TERMS)
    yield from file.unknown(
        "/jurisdiction", name, jurisdictions, f"There is no jurisdiction {name}."
    )
    if (where := jurisdictions.get(name or "")) is not None:
        items = tuple(item.id for item in where.suppliable)
        for supplied, at in file.items("/supplied", terms.supplied):
            message = f"{where.name} has no item {supplied.item} that a filing supplies."
            yield from at.unknown("/item", supplied.item, items, message)
    yield from _find_unknown_amounts(terms, games, owner)
    if len(games) == 1:
        yield from _find_unknown_sentences(context, terms, games[0])


def _find_unknown_sentences(context: Context, terms: Terms, game: Game) -> Iterator[Fault]:
    """Yield the sentences that replace none of the game."""
    sentences = [(at.key, each.id) for each, at in statements(context.catalog)]
    for sentence, at in Location(TERMS).items("/sentences", terms.sentences):
        key = f"{game.id}/{sentence.wager}" if sentence.wager is not None else game.id
        names = tuple(name for owner, name in sentences if owner == key)
        yield from at.unknown("/id", sentence.id, names, f"{key} has no sentence {sentence.id}.")


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
        yield from at.unknown("", name, meters, f"{owner} no meter {name}.")
    for minimum, at in Location(TERMS).items("/envies", terms.envies):
        name = f"{minimum.wager}/{minimum.table}"
        yield from at.unknown("", name, envies, f"{owner} no envy table {name}.")
    for name, at in Location(TERMS).items("/paytables", terms.paytables):
        yield from at.unknown("", name, filed, f"{owner} no paytable {name}.")


def find_contradictions(terms: Terms) -> Iterator[Fault]:
    """Yield a missing operator, and a revision without its date or its changes."""
    if (terms.revision is None) != (terms.revised is None):
        missing = "revised" if terms.revision is None else "revision"
        message = "A filing declares its revision together with its date."
        yield Fault(TERMS, f"/{missing}", message, "Declare `revision` and `revised`.")
    for last in terms.changes[-1:]:
        if (last.revision, last.date) != (terms.revision, terms.revised):
            message = f"The last change is revision {last.revision} of {last.date}; the filing is "
            message += f"revision {terms.revision} of {terms.revised}."
            yield Fault(TERMS, "/changes", message, "Add the changes of this revision.")
    if terms.applicant is Applicant.OPERATOR and terms.operator is None:
        message = "The operator requests the approval, but the filing declares no operator."
        yield Fault(TERMS, "/applicant", message, "Declare the operator.")
