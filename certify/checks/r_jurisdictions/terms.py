"""R codes: the terms of a filing."""

from collections.abc import Iterator
from itertools import chain, pairwise

from msgspec.structs import replace

from certify.checks.catalog_parts import repeats, statements
from certify.checks.framework import Context, Fault, Location, check
from certify.checks.r_jurisdictions.filings import find_contradictions, find_unknown
from certify.formatting import did_you_mean, money
from certify.model.finding import Severity
from certify.model.game import Game, Wager, is_allowed
from certify.model.jurisdiction import TERMS, AggregateLimit, LinkedMeter, Terms
from certify.model.main_wager import Outcome
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
    if not games:
        remedy = did_you_mean(terms.game or "", tuple(context.catalog.games))
        yield Fault(TERMS, "/game", f"There is no game {terms.game}.", remedy)
        return
    owner = f"{games[0].name} has" if len(games) == 1 else "There is"
    wagers = tuple(dict.fromkeys(wager.id for game in games for wager in game.wagers))
    for name, at in _wagers_named(terms):
        if name not in wagers:
            yield at.fault("", f"{owner} no wager {name}.", did_you_mean(name, wagers))
    meters = _meters(games)
    for linked, at in _list_links(terms):
        name, level = linked.paytable, linked.level
        if name not in meters:
            message = f"{owner} no paytable {name} with a meter."
            yield at.fault("/paytable", message, did_you_mean(name, tuple(meters)))
        elif level not in meters[name]:
            message = f"{name} has no meter {level}."
            yield at.fault("/level", message, did_you_mean(level, meters[name]))
    yield from find_unknown(context, terms, games, owner)


@check(
    "R022",
    "A filing contradicts itself or the game",
    fix="Correct one of the two values.",
    wrong='{"least_wagers": {"main": 5000}, "largest_wagers": {"main": 2500}}',
    right='{"least_wagers": {"main": 500}, "largest_wagers": {"main": 2500}}',
)
def contradictions(context: Context) -> Iterator[Fault]:
    """A minimum above the maximum, two limits on one wager, a meter that is linked twice, or the
    terms of another game: only one of the two values would be printed. Limits can also exclude the
    wager that the figures of a filed option are for. A rule of a jurisdiction or of a wager on the
    same topic would be printed with the procedure. If the filed option has a dealer's hand that
    makes all main wagers push, a procedure for fouls must say whether a foul pushes, too, as the
    rule of the option does.
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
            yield from _least_above_largest(terms, wager)
            yield from _find_excluded(context, terms, wager)
        yield from _find_foul_conflicts(context, terms, game)
        yield from _find_unoffered(terms, game)
    yield from _find_second_answers(context)
    for (limit, name, at), _ in repeats(_limits(terms), key=lambda each: (each[1], each[0].scope)):
        message = f"{name} has two limits per {limit.scope}."
        remedy = "Declare at most one limit per player and one per table for a wager."
        yield at.fault("", message, remedy)
    yield from find_contradictions(terms)
    for (linked, at), _ in repeats(_list_links(terms), key=lambda listed: listed[0]):
        message = f"Meter {linked.level} of {linked.paytable} is linked twice."
        remedy = "Name each meter once, in one list of linked meters."
        yield at.fault("", message, remedy)


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
    given = dict(terms.procedures) if terms is not None else {}
    for statement, at in _printed_statements(context):
        topic = statement.topic
        if terms is None or topic is None:
            continue
        where = f"“{statement.text}” ({at.key}: {statement.id})"
        if topic.replaced_by in given and _is_replaced(at):
            message = f"The terms replace this rule: {where}"
            yield Fault(TERMS, f"/procedures/{topic.replaced_by}", message, related=(at.key,))
        elif topic.is_beside in given or (topic.replaced_by in given and statement.open):
            procedure = topic.is_beside or topic.replaced_by
            message = f"This rule is printed with the procedure: {where}"
            remedy = "Confirm that the two agree."
            yield Fault(TERMS, f"/procedures/{procedure}", message, remedy, related=(at.key,))
        elif topic is Topic.SEATS and not statement.open and _has_other_players(context):
            message = f"The terms replace this rule: {where}"
            yield Fault(TERMS, "/players", message, related=(at.key,))


def _find_second_answers(context: Context) -> Iterator[Fault]:
    """Yield each rule that is printed with the terms although both answer its topic."""
    terms = context.terms or Terms()
    given = dict(terms.procedures)
    minima = dict(terms.least_wagers)
    for statement, at in _printed_statements(context):
        where = f"“{statement.text}” ({at.key}: {statement.id})"
        procedure = statement.replaced_by
        if procedure in given and not statement.open and not _is_replaced(at):
            message = f"This rule answers the same question and is printed, too: {where}"
            remedy = "Remove the procedure from the terms."
            yield Fault(TERMS, f"/procedures/{procedure}", message, remedy, related=(at.key,))
        wager = at.key.rpartition("/")[2]
        if statement.topic is Topic.MINIMUM and wager in minima:
            declared = _minimum(context, at.key)
            if declared not in (None, minima[wager]):
                message = f"The minimum is {money(minima[wager])}, but this rule differs: {where}"
                remedy = f"Declare {declared}, or remove it from the terms."
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


def _has_other_players(context: Context) -> bool:
    players = context.terms.players if context.terms is not None else None
    return players is not None and players != _games(context)[0].players


def _minimum(context: Context, target: str) -> int | None:
    """Return the minimum that a wager declares."""
    wagers = [wager for game in _games(context) for wager in game.wagers]
    return next((wager.minimum_cents for wager in wagers if wager.target == target), None)


def _least_above_largest(terms: Terms, wager: Wager) -> Iterator[Fault]:
    """Yield wagers whose minimum is above their maximum, if the terms declare either amount."""
    least, largest = terms.least(wager), terms.largest(wager)
    stated = {"least_wagers": terms.least_wagers, "largest_wagers": terms.largest_wagers}
    named = [name for name, amounts in stated.items() if wager.id in dict(amounts)]
    if named and least is not None and largest is not None and least > largest:
        yield Fault(
            TERMS,
            f"/{named[0]}/{wager.id}",
            f"The minimum wager on {wager.name} is {money(least)}, but the maximum is "
            f"{money(largest)}.",
            "Declare a minimum that is not above the maximum.",
        )


def _find_unoffered(terms: Terms, game: Game) -> Iterator[Fault]:
    """Yield a joker that the game does not offer, a bank that its options contradict, and players
    for whom the deck has too few cards.
    """
    offered = (game.hands.joker, *game.hands.joker_choices)
    if terms.joker is not None and (terms.joker not in offered or not game.hands.deck.joker):
        message = f"{game.name} does not offer the joker rule `{terms.joker}`."
        known = " or ".join(f"`{joker}`" for joker in offered) if game.hands.deck.joker else "none"
        yield Fault(TERMS, "/joker", message, f"It offers {known}.")
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


def _find_excluded(context: Context, terms: Terms, wager: Wager) -> Iterator[Fault]:
    """Yield the filed options whose figures are for a wager that the terms exclude.

    Before an option is chosen, that is known where the terms exclude the wagers of all options.
    """
    stated = {"least_wagers": terms.least_wagers, "largest_wagers": terms.largest_wagers}
    named = [name for name, amounts in stated.items() if wager.id in dict(amounts)]
    limits = terms.least(wager), terms.largest(wager)
    options = [each for each in wager.options if each.wager_cents is not None]
    excluded = [each for each in options if not is_allowed(each.wager_cents or 0, *limits)]
    if context.filing is not None:
        excluded = [each for each in excluded if each in context.filing.options]
    elif len(excluded) < len(wager.options):
        return
    for option in excluded if named else ():
        yield Fault(
            TERMS,
            f"/{named[0]}/{wager.id}",
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
    stated, defined = terms.foul_against_push, Procedure.FOUL in dict(terms.procedures)
    if stated is not None and not defined:
        message = "The terms specify the result of a foul, but not what a foul is."
        yield Fault(TERMS, "/foul_against_push", message, "Add the procedure `foul`.")
    for rule in chain.from_iterable(pushing):
        if defined and stated is None:
            yield Fault(
                TERMS,
                "/procedures/foul",
                f"The terms do not specify the result of a foul under the rule “{rule.text}”",
                "Add `foul_against_push`: `push` if a foul pushes, too, `lose` if it loses.",
            )
        elif rule.fouls is not None and stated not in (None, rule.fouls):
            yield Fault(
                TERMS,
                "/foul_against_push",
                f"The rule of the option has another result of a foul: “{rule.text}”",
                f"Declare `{rule.fouls}`, or file an option whose rule, in text and `fouls`, says "
                f"`{stated}`. No figure rests on it.",
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
