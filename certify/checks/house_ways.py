"""Checks of house ways by their audit: does exactly one rule decide every hand, without a foul?"""

from collections.abc import Iterator

from certify.checks.check import Context, Fault, finds
from certify.model.catalogue import EVENT_FILES
from certify.model.finding import Severity
from certify.model.house_way import AuditedInGame, HouseWay, HouseWayProblem, ProblemKind


@finds(
    "H004",
    "A house way does not say how to set a hand",
    mend="Widen the condition of the section that should take the hand; `certify explain` shows "
    "what a hand holds.",
    wrong='sections for {"groups": "no_pair"} and {"groups": "pair"} alone',
    right='one section more for {"not": {"groups": ["no_pair", "pair"]}}',
)
def uncovered(context: Context) -> Iterator[Fault]:
    """Every hand must be set in one way. With a hand that no section takes, the dealer would
    decide, and no edge could be counted.
    """
    return _problems(context, ProblemKind.UNCOVERED, "No section takes {hands}.")


@finds(
    "H005",
    "Two sections of a house way take one hand",
    mend="Narrow the condition of one of the two sections.",
    wrong='{"groups": "two_pair"} and {"groups": ["two_pair", "three_pair"]}',
    right='{"groups": "two_pair"} and {"groups": "three_pair"}',
)
def two_sections(context: Context) -> Iterator[Fault]:
    """Sections part all hands among them. Where two take one hand, their rules may set it
    differently, and the order of print would decide in silence.
    """
    sentence = "The sections {ids[0]} and {ids[1]} both take {hands}."
    return _problems(context, ProblemKind.TWO_SECTIONS, sentence, part="/when")


@finds(
    "H006",
    "Two exceptions of a house way apply to one hand",
    mend='Narrow the condition of one, or name the other under "before" in the one that the source '
    "puts first.",
    wrong='an exception for {"joker": true} and one for {"high_pair": "A"}',
    right='the same two, the first with {"before": ["two-pair.aces"]}',
)
def two_exceptions(context: Context) -> Iterator[Fault]:
    """Neither says that it goes before the other, so the hand has two settings, or one setting by
    accident. The finding says how many hands the two would set differently.
    """
    return _problems(
        context,
        ProblemKind.TWO_EXCEPTIONS,
        "The exceptions {ids[0]} and {ids[1]} both apply to {hands}, and neither goes before the "
        "other; {differently}.",
        part="/when",
    )


@finds(
    "H007",
    "A rule of a house way asks for a front that cannot be set",
    mend="Narrow the condition of the rule, add an exception for the hands, or ask for a front "
    "that they hold.",
    wrong='{"groups": "three_pair"} with {"front": "two_highest_singletons"}',
    right='{"groups": "three_pair"} with {"front": "high_pair"}',
)
def cannot_be_set(context: Context) -> Iterator[Fault]:
    """The rule decides hands that do not hold the cards it asks for, or that cannot leave what it
    asks to be left; such hands would have no setting.
    """
    return _problems(
        context,
        ProblemKind.CANNOT_BE_SET,
        "The rule {ids[0]} decides {hands}, and the front that it asks for cannot be set.",
        part="/front",
    )


@finds(
    "H008",
    "A rule of a house way makes a hand foul",
    mend='Ask for a lower front in such hands, or add an exception for them; "can_be_set" asks '
    "whether a rule's own front is no foul.",
    wrong='{"groups": "two_pair"} with {"front": "high_pair"} and nothing else',
    right='{"groups": "two_pair"} with {"front": "low_pair"}',
)
def foul(context: Context) -> Iterator[Fault]:
    """The front that the rule asks for is higher than any back beside it. A hand set so loses by
    the rules of every game of this kind.
    """
    sentence = "The rule {ids[0]} makes {hands}, foul."
    return _problems(context, ProblemKind.FOUL, sentence, part="/front")


@finds(
    "H009",
    "A rule of a house way refers to something that is not there",
    mend="Name a section or a rule of this house way, and give each an id of its own.",
    wrong='{"id": "two-pair.joker", "before": ["two-pair.ace"]} without such an exception',
    right='{"id": "two-pair.joker", "before": ["two-pair.aces"]}',
)
def malformed(context: Context) -> Iterator[Fault]:
    """A rule that goes before another, improves on another or sends hands to a section names it by
    its id. Without that one the rule means nothing, so no hand is set by this house way.
    """
    return _problems(context, ProblemKind.MALFORMED, "{message}")


@finds(
    "H010",
    "No hand needs a rule of a house way",
    severity=Severity.NOTE,
    mend="Compare the condition with the source; leave the rule if the source prints it so.",
    remedy="Compare its condition with the source; leave it if the source prints it so.",
    wrong='an exception to {"groups": "no_pair"} with the condition {"high_pair": "A"}',
    right="an exception that decides at least one hand",
)
def idle(context: Context) -> Iterator[Fault]:
    """Either the rule repeats what the others say anyway, or its condition describes no hand and
    was meant otherwise.
    """
    for way in context.catalogue.house_ways.values():
        audits = [each.audit for each in context.house_ways or () if each.audit.house_way == way.id]
        if not audits or any(audit.problems for audit in audits):
            continue
        for rule in way.rules:
            if all(rule.id in audit.idle for audit in audits):
                place = _place_of(way, rule.id)
                yield Fault(f"house-ways/{way.id}", place, f"No hand needs the rule {rule.id}.")


@finds(
    "H011",
    "A house way could not be audited",
    severity=Severity.WARNING,
    mend="Correct the numbers of cards, or declare the game that uses the house way.",
    remedy="Correct the numbers, or declare the game that uses it.",
    wrong='{"cards": 7, "front": 1} where every game sets two cards in front',
    right='{"cards": 7, "front": 2}',
)
def not_audited(context: Context) -> Iterator[Fault]:
    """No declared game deals and divides hands like it, so there are no hands to audit it over.
    What was not checked has not passed.
    """
    if context.house_ways is None or _a_game_is_left_out(context):
        return
    audited = {each.audit.house_way for each in context.house_ways}
    # One that a game names is of another size, which is reported there.
    named = {name for game in context.games for name in game.house_ways}
    for way in context.catalogue.house_ways.values():
        if way.id not in audited | named:
            yield Fault(
                f"house-ways/{way.id}",
                "/cards",
                f"No game deals {way.cards} cards and sets {way.front} of them in front, so there "
                "are no hands to audit this house way over.",
            )


def _problems(
    context: Context, kind: ProblemKind, sentence: str, *, part: str = ""
) -> Iterator[Fault]:
    """Yield the problems of a kind, each once, in the first game where it shows.

    Args:
        context: the audits.
        kind: of these problems.
        sentence: what is said, over the ids, the hands and how many differ.
        part: the property of the section or rule that is pointed at.
    """
    told: set[tuple[object, ...]] = set()
    for audited in context.house_ways or ():
        way = context.catalogue.house_ways[audited.audit.house_way]
        for problem in audited.audit.problems:
            name = (way.id, problem.ids, problem.message)
            if problem.kind is not kind or name in told:
                continue
            told.add(name)
            differently = (
                f"{problem.disagreeing:,} of them would be set differently"
                if problem.disagreeing
                else "both set all of them alike"
            )
            yield Fault(
                f"house-ways/{way.id}",
                _place_of(way, problem.ids[-1], part) if problem.ids else "/sections",
                sentence.format(
                    ids=problem.ids,
                    hands=_hands(problem, audited),
                    differently=differently,
                    message=problem.message,
                ),
                problem.remedy,
                related=(audited.game,),
            )


def _place_of(way: HouseWay, name: str, part: str = "") -> str:
    """Return the pointer of the section or the rule with this id, the last one of several."""
    places = {}
    for index, section in enumerate(way.sections):
        places[section.id] = f"/sections/{index}"
        places[section.base.id] = f"/sections/{index}/base"
        for number, rule in enumerate(section.exceptions):
            places[rule.id] = f"/sections/{index}/exceptions/{number}"
    return f"{places[name]}{part}" if name in places else ""


def _hands(problem: HouseWayProblem, audited: AuditedInGame) -> str:
    """Return how many hands of which game are concerned, with one of them."""
    joker = "" if audited.own_joker else f" with the joker {str(audited.joker).replace('_', ' ')}"
    noun = "hand" if problem.hands == 1 else "hands"
    return f"{problem.hands:,} {noun} of {audited.game}{joker}, such as {problem.example}"


def _a_game_is_left_out(context: Context) -> bool:
    """Whether a game's own file has faults; it may be the one that uses the house way."""
    catalogue = context.catalogue
    games = {key for key in catalogue.documents if "/" not in key} - set(EVENT_FILES)
    return not games <= set(catalogue.games)
