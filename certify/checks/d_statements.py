"""D codes: statements of rules, amounts in them and their owners."""

import re
from collections.abc import Iterator, Mapping

from certify.checks.framework import Context, Fault, Location, check, statements, walk_objects
from certify.model.catalog import Catalog
from certify.model.finding import Severity
from certify.model.game import Game, WagerKind
from certify.model.source import CLAUSE, PLACES_OF_GAME, PLACES_OF_MAIN, PLACES_OF_WAGER, Statement
from certify.model.topic import Topic

_bad_money = re.compile(
    r"\b[0-9][0-9,.]*\s?(?:dollars?|USD)\b|\bUSD\s?[0-9]|[0-9]\s?\$(?![0-9])|\$\s[0-9]"
    r"|\$[0-9,]*\.[0-9](?![0-9])|\$[0-9]{4,}",
    re.IGNORECASE,
)

OLD_DECISION = "`decision` of a footnote marks nothing."
DECLARE_IT = (
    "Declare the interpretation as an assumption that `marks` the row or the rule, and remove "
    "`decision`."
)


@check(
    "D012",
    "Money is written in more than one way",
    severity=Severity.WARNING,
    fix="Write $5, $2.50 or $1,000.",
    wrong='{"text": "Wagers of 5 dollars or more qualify."}',
    right='{"text": "Wagers of $5 or more qualify."}',
)
def money_written(context: Context) -> Iterator[Fault]:
    """Readers compare amounts, and "5 dollars", "5$" and "$5.0" look different from "$5". Counted
    amounts are integer cents.
    """
    for statement, at in statements(context.catalog):
        amount = _bad_money.search(statement.text)
        if amount:
            written = amount.group().strip()
            yield at.fault("/text", f"The amount `{written}` is not in the form $1,000 or $2.50.")


@check(
    "D016",
    "A rule names an undeclared option, wager or jurisdiction",
    fix="Correct the id, or omit it if the rule applies to all of them.",
    wrong='{"option": "ace-high"}',
    right='{"option": "ace-high-push"}',
)
def owners_of_statements(context: Context) -> Iterator[Fault]:
    """A rule of one option, wager or jurisdiction is printed only if that one is filed. With an
    unknown id it would never be printed.
    """
    jurisdictions = tuple(context.catalog.jurisdictions)
    options_of = {game.id: tuple(_list_options(context, game)) for game in context.games}
    wagers_of = {game.id: tuple(wager.id for wager in game.wagers) for game in context.games}
    for statement, at in statements(context.catalog):
        game = at.key.partition("/")[0]
        options, wagers = options_of.get(game, ()), wagers_of.get(game, ())
        for key, name, declared, words in (
            ("option", statement.option, options, "option {} of the main wager"),
            ("wager", statement.wager, wagers, "wager {}"),
            ("jurisdiction", statement.jurisdiction, jurisdictions, "jurisdiction {}"),
        ):
            # Where a single file is checked, jurisdictions are not read.
            if declared:
                message = f"There is no {words.format(name)}."
                yield from at.unknown(f"/{key}", name, declared, message)


@check(
    "D020",
    "Two rules on one topic apply at once",
    fix="Combine them in one rule, or give each another topic, option or jurisdiction.",
    wrong='[{"id": "a", "topic": "misdeal", …}, {"id": "b", "topic": "misdeal", …}]',
    right='[{"id": "a", "topic": "misdeal", …}, {"id": "b", "topic": "exposed_card", …}]',
)
def topics_twice(context: Context) -> Iterator[Fault]:
    """Two rules that answer one question can contradict each other, and both would be printed. An
    interpretation may be printed with the rule that it interprets.
    """
    earlier: dict[tuple[str, Topic, bool], list[Statement]] = {}
    for statement, at in statements(context.catalog):
        topic = statement.topic
        if topic is None or not topic.is_single:
            continue
        others = earlier.setdefault((at.key, topic, statement.effect is None), [])
        for other in others:
            if _apply_at_once(statement, other):
                yield at.fault("/topic", f"The rule {other.id} is on the topic {topic}, too.")
        others.append(statement)


def _apply_at_once(first: Statement, second: Statement) -> bool:
    scopes = ((first.option, second.option), (first.jurisdiction, second.jurisdiction))
    return first.fits == second.fits and all(a == b or None in (a, b) for a, b in scopes)


def _list_options(context: Context, game: Game) -> Iterator[str]:
    """Yield the ids of the options of a game's main wager, including files with errors."""
    main = {wager.target for wager in game.wagers if wager.kind is WagerKind.MAIN}
    for key in context.catalog.documents:
        folder, _, name = key.rpartition("/")
        if folder in main:
            yield name


@check(
    "D021",
    "An interpretation marks nothing that is printed",
    fix="Name in `marks` the rule, row or table of the game that the interpretation is about.",
    wrong='{"id": "high-ace", "text": "...", "effect": "...", "marks": ["bonus/ro_paid"]}',
    right='{"id": "high-ace", "text": "...", "effect": "...", "marks": ["bonus/row_paid"]}',
)
def unmarked(context: Context) -> Iterator[Fault]:
    """The rules of play print a dagger (†) at each rule that an interpretation is about, and the
    mathematics report lists the interpretation with the number of that rule. Without one, a reader
    cannot see that the rule could be read otherwise, or which rule a listed figure is about. An
    alternative marks what the assumptions in its `of` mark, unless it has `marks`. An assumption on
    figures only (`concern`) marks nothing. Nor does `decision` of a footnote, which marked its
    paytable in version 0.2.
    """
    catalog = context.catalog
    yield from _find_old_decisions(context)
    if catalog.left_out:
        return  # a mark can be of a file that has another fault
    printed = {game.id: _list_places(catalog, game) for game in catalog.games.values()}
    every = frozenset().union(*printed.values())
    for statement, at in statements(catalog):
        places = printed.get(at.key.partition("/")[0], every)
        yield from _find_unknown(statement.marks, at, places)
    assumed = _list_assumed(catalog)
    for owner, listed in catalog.alternatives.items():
        if owner not in printed:
            continue  # of a house way alone, or of a game that is not in the catalog
        places = printed[owner]
        for each, at in Location(f"alternatives/{owner}").items(
            "/alternatives", listed.alternatives
        ):
            yield from _find_unknown(each.marks, at, places)
            if not each.marks and assumed and assumed.isdisjoint(each.of):
                yield at.fault("/of", "It names no assumption, and there are no `marks`.")


def _find_old_decisions(context: Context) -> Iterator[Fault]:
    for key, document in context.catalog.documents.items():
        if context.involves is not None and not context.involves(key):
            continue
        for note, pointer in walk_objects(document.value):
            if note.get("decision") is True and "text" in note:
                place = Location(key, f"{pointer}/decision")
                yield place.fault("", OLD_DECISION, DECLARE_IT, severity=Severity.WARNING)


def _find_unknown(marks: tuple[str, ...], at: Location, places: frozenset[str]) -> Iterator[Fault]:
    for mark, inner in at.items("/marks", marks):
        if places:
            message = f"The rules of play print nothing with the id {mark}."
            yield from inner.unknown("", mark, places, message)


def _list_assumed(catalog: Catalog) -> frozenset[str]:
    """Return the ids of all assumptions, and of rules that can be read otherwise."""
    sentences = [each for each, _ in statements(catalog)]
    sentences += [each for way in catalog.house_ways.values() for each in way.assumptions]
    return frozenset(each.id for each in sentences if each.effect is not None)


def _list_places(catalog: Catalog, game: Game) -> frozenset[str]:
    """Return the ids of all that rules of play of a game can print with a dagger."""
    places = {*PLACES_OF_GAME, *PLACES_OF_MAIN}
    for each, at in statements(catalog):
        if at.key.partition("/")[0] == game.id:
            places.add(each.id)
    for way in catalog.house_ways.values():
        places.update(each.id for each in (*way.statements, *way.assumptions))
        places.update(rule.id for rule in way.rules)
    for where in catalog.jurisdictions.values():
        places.update(f"{CLAUSE}{each.id}" for each in where.clauses)
    for wager in game.wagers:
        places.update(f"{wager.id}/{name}" for name in PLACES_OF_WAGER)
        for option in wager.options:
            places.update(rule.id for rule in option.dealer_rules)
            places.update(bonus.id for bonus in option.bonus)
        for table in wager.paytables:
            places.update(f"{wager.id}/{row.event}" for row in table.rows)
    return frozenset(places)


@check(
    "D026",
    "An edited sentence cites the clause of the source",
    severity=Severity.WARNING,
    fix="Add `original` with the sentence that it replaces, or the clause that has it so.",
    wrong='a project with another sentence as "dealing.first", from "Clauses 7 and 8b"',
    right='the sentence with {"original": "The positions are numbered 1 to 7; …"}',
)
def edited_sentences(context: Context) -> Iterator[Fault]:
    """A project may edit a rule of a built-in game. The margin would still name the clause of the
    source, which says something else. An edited sentence is an interpretation: the rules mark it
    with a dagger (†), and the mathematics report prints the sentence that it replaces.
    """
    earlier_sentences = {
        key: [
            {
                (str(each.get("id")), str(source.get("clause"))): each["text"]
                for each, _ in walk_objects(earlier.value)
                if isinstance(each.get("text"), str)
                and isinstance(source := each.get("source"), Mapping)
            }
            for earlier in versions
        ]
        for key, versions in context.earlier_versions.items()
    }
    for statement, at in statements(context.catalog):
        for sentences in earlier_sentences.get(at.key, ()):
            sentence = sentences.get((statement.id, statement.source.clause))
            if statement.original is None and sentence not in (None, statement.text):
                yield at.fault(
                    "/text",
                    f"The source ({statement.source.clause}) has another sentence: “{sentence}”",
                )
