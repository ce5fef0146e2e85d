"""H codes: the house ways that a game names, and the audit of each over every hand."""

from collections.abc import Iterator

from certify.checks.framework import Context, Fault, Location, check
from certify.model.catalog import EVENT_FILES
from certify.model.finding import Severity
from certify.model.house_way import AuditedInGame, HouseWay, HouseWayProblem, ProblemKind


@check(
    "H001",
    "A game names a house way that is not declared",
    fix="Correct the id, or declare the house way in house-ways/<id>.json.",
    wrong='{"house_ways": ["foxwods"]}',
    right='{"house_ways": ["foxwoods"]}',
)
def house_way_missing(context: Context) -> Iterator[Fault]:
    """The edge of a game depends on how the dealer's hand is set."""
    declared = tuple(context.catalog.house_ways)
    for game in context.games:
        if not game.house_way:
            continue
        named = list(Location(game.id).items("/house_ways", game.house_ways))
        if game.house_way not in game.house_ways:
            named.append((game.house_way, Location(game.id, "/house_way")))
        for name, at in named:
            if not context.has_file(f"house-ways/{name}"):
                yield from at.unknown("", name, declared, f"There is no house way {name}.")


@check(
    "H002",
    "The default house way is not an allowed one",
    fix='Add the default to "house_ways", or choose another default.',
    wrong='{"house_way": "foxwoods", "house_ways": ["trump-plaza"]}',
    right='{"house_way": "foxwoods", "house_ways": ["foxwoods", "trump-plaza"]}',
)
def house_way_not_allowed(context: Context) -> Iterator[Fault]:
    """Default figures would use a house way that the game excludes."""
    for game in context.games:
        way = game.house_way
        if way and way not in game.house_ways:
            message = f"The default {way} is not among the house ways that may be used."
            yield Fault(game.id, "/house_way", message)


@check(
    "H003",
    "A house way is for hands of another size",
    fix="Use a house way that deals and divides as many cards as the game.",
    wrong="a game of six cards with a house way of seven",
    right="a game of seven cards with a house way of seven",
)
def house_way_size(context: Context) -> Iterator[Fault]:
    """A house way for seven cards cannot set the six cards of another game."""
    for game in context.games:
        shape = game.hands.shape
        for name, at in Location(game.id).items("/house_ways", game.house_ways):
            way = context.catalog.house_ways.get(name)
            if way is not None and (way.cards, way.front) != (shape.cards, shape.front):
                yield at.fault(
                    "",
                    f"{name} sets {way.front} of {way.cards} cards in the low hand; the game sets "
                    f"{shape.front} of {shape.cards}.",
                    related=(f"house-ways/{name}",),
                )


@check(
    "H004",
    "A house way does not set a hand",
    fix=(
        "Widen the condition of the section for this hand; `certify explain` shows the "
        "features of a hand."
    ),
    wrong='only sections for {"groups": "no_pair"} and {"groups": "pair"}',
    right='another section for {"not": {"groups": ["no_pair", "pair"]}}',
)
def check_coverage(context: Context) -> Iterator[Fault]:
    """Every hand must be set in one way. If no section matches a hand, the dealer would decide,
    and no edge could be counted.
    """
    return _problems(context, ProblemKind.UNCOVERED, "No section matches {hands}.")


@check(
    "H005",
    "Two sections of a house way match one hand",
    fix="Narrow the condition of one of the two sections.",
    wrong='{"groups": "two_pair"} and {"groups": ["two_pair", "three_pair"]}',
    right='{"groups": "two_pair"} and {"groups": "three_pair"}',
)
def two_sections(context: Context) -> Iterator[Fault]:
    """Sections partition all hands. If two match one hand, their rules may set it differently, and
    print order would decide silently.
    """
    sentence = "The sections {ids[0]} and {ids[1]} both match {hands}."
    return _problems(context, ProblemKind.TWO_SECTIONS, sentence, part="/when")


@check(
    "H006",
    "Two exceptions of a house way apply to one hand",
    fix=('Narrow the condition of one, or add the other to "before" of the one with precedence.'),
    wrong='an exception for {"joker": true} and one for {"high_pair": "A"}',
    right='the same two, the first with {"before": ["two-pair.aces"]}',
)
def two_exceptions(context: Context) -> Iterator[Fault]:
    """Neither takes precedence, so the hand has two settings, or one by accident. The finding
    gives the number of hands that the two set differently.
    """
    return _problems(
        context,
        ProblemKind.TWO_EXCEPTIONS,
        "The exceptions {ids[0]} and {ids[1]} both apply to {hands}, and neither takes "
        "precedence; {differently}.",
        part="/when",
    )


@check(
    "H007",
    "A rule of a house way asks for an impossible low hand",
    fix=(
        "Narrow the condition of the rule, add an exception, or use a low hand that these "
        "hands contain."
    ),
    wrong='{"groups": "three_pair"} with {"front": "two_highest_singletons"}',
    right='{"groups": "three_pair"} with {"front": "high_pair"}',
)
def cannot_be_set(context: Context) -> Iterator[Fault]:
    """The rule applies to hands that do not contain the cards it needs, or cannot leave the
    required high hand. Such hands would have no setting.
    """
    return _problems(
        context,
        ProblemKind.CANNOT_BE_SET,
        "The rule {ids[0]} applies to {hands}, and its low hand cannot be set.",
        part="/front",
    )


@check(
    "H008",
    "A rule of a house way fouls a hand",
    fix=(
        'Use a lower low hand, or add an exception; "can_be_set" tests whether a rule\'s low '
        "hand fouls."
    ),
    wrong='{"groups": "two_pair"} with only {"front": "high_pair"}',
    right='{"groups": "two_pair"} with {"front": "low_pair"}',
)
def foul(context: Context) -> Iterator[Fault]:
    """The low hand of the rule outranks every possible high hand. A fouled hand loses in every
    game of this kind.
    """
    return _problems(context, ProblemKind.FOUL, "The rule {ids[0]} fouls {hands}.", part="/front")


@check(
    "H009",
    "A rule of a house way refers to an unknown id",
    fix="Use the id of a section or a rule of this house way, and give each its own id.",
    wrong='{"id": "two-pair.joker", "before": ["two-pair.ace"]} without such an exception',
    right='{"id": "two-pair.joker", "before": ["two-pair.aces"]}',
)
def check_rule_ids(context: Context) -> Iterator[Fault]:
    """A rule names other rules and sections by id. An unknown id makes the rule meaningless, so
    the house way sets no hand.
    """
    return _problems(context, ProblemKind.MALFORMED, "{message}")


SOUNDNESS = (
    check_coverage, two_sections, two_exceptions, cannot_be_set, foul, check_rule_ids,
)  # fmt: skip
"""The checks of a house way that sets each hand in one way."""


@check(
    "H010",
    "No hand needs a rule of a house way",
    severity=Severity.NOTE,
    fix="Compare the condition with the source; keep the rule if the source prints it.",
    wrong='an exception to {"groups": "no_pair"} with the condition {"high_pair": "A"}',
    right="an exception that decides at least one hand",
)
def idle(context: Context) -> Iterator[Fault]:
    """The rule repeats others, or its condition matches no hand and is probably wrong."""
    for way in context.catalog.house_ways.values():
        audits = [each.audit for each in context.house_ways or () if each.audit.house_way == way.id]
        if not audits or any(audit.problems for audit in audits):
            continue
        for rule in way.rules:
            if all(rule.id in audit.idle for audit in audits):
                place = _find_place(way, rule.id)
                yield Fault(f"house-ways/{way.id}", place, f"No hand needs the rule {rule.id}.")


@check(
    "H011",
    "A house way could not be audited",
    severity=Severity.WARNING,
    fix="Correct the numbers of cards, or declare the game that uses the house way.",
    wrong='{"cards": 7, "front": 1} if every game has two cards in the low hand',
    right='{"cards": 7, "front": 2}',
)
def not_audited(context: Context) -> Iterator[Fault]:
    """No declared game deals and divides hands like this house way, so it was not audited. An
    unaudited house way has not passed.
    """
    catalog = context.catalog
    games = {key for key in catalog.documents if "/" not in key} - set(EVENT_FILES)
    # A game whose file has errors may use the house way.
    if context.house_ways is None or not games <= set(catalog.games):
        return
    audited = {each.audit.house_way for each in context.house_ways}
    # One that a game names is of another size, which is reported there.
    named = {name for game in context.games for name in game.house_ways}
    for way in catalog.house_ways.values():
        if way.id not in audited | named:
            yield Fault(
                f"house-ways/{way.id}",
                "/cards",
                f"No game deals {way.cards} cards with {way.front} in the low hand, so this house "
                "way "
                "cannot be audited.",
            )


def _problems(
    context: Context, kind: ProblemKind, sentence: str, *, part: str = ""
) -> Iterator[Fault]:
    """Yield the problems of a kind, each once, in the first game that shows it.

    Args:
        context: the audits.
        kind: the kind of problem.
        sentence: the message, with fields for the ids, the hands and the number that differ.
        part: the property of the section or rule for the position.
    """
    reported: set[tuple[object, ...]] = set()
    for audited in context.house_ways or ():
        way = context.catalog.house_ways[audited.audit.house_way]
        for problem in audited.audit.problems:
            name = (way.id, problem.ids, problem.message)
            if problem.kind is not kind or name in reported:
                continue
            reported.add(name)
            differently = (
                f"they set {problem.disagreeing:,} of them differently"
                if problem.disagreeing
                else "both set all of them equally"
            )
            yield Fault(
                f"house-ways/{way.id}",
                _find_place(way, problem.ids[-1], part) if problem.ids else "/sections",
                sentence.format(
                    ids=problem.ids,
                    hands=_hands(problem, audited),
                    differently=differently,
                    message=problem.message,
                ),
                problem.remedy,
                related=(audited.game,),
            )


def _find_place(way: HouseWay, name: str, part: str = "") -> str:
    """Return the pointer of the last section or rule with this id."""
    places = {}
    for index, section in enumerate(way.sections):
        places[section.id] = f"/sections/{index}"
        places[section.base.id] = f"/sections/{index}/base"
        for number, rule in enumerate(section.exceptions):
            places[rule.id] = f"/sections/{index}/exceptions/{number}"
    return f"{places[name]}{part}" if name in places else ""


def _hands(problem: HouseWayProblem, audited: AuditedInGame) -> str:
    """Return the number of affected hands, the game, and an example."""
    joker = "" if audited.own_joker else f" with the joker {str(audited.joker).replace('_', ' ')}"
    noun = "hand" if problem.hands == 1 else "hands"
    return f"{problem.hands:,} {noun} of {audited.game}{joker}, such as {problem.example}"
