"""Checks of house ways by their audit: does exactly one rule decide every hand, without a foul?"""

from collections.abc import Iterator
from itertools import chain

from certify.checks.context import Context
from certify.checks.pages import house_ways as pages
from certify.model.finding import Code, Finding
from certify.model.house_way import HouseWay
from certify.model.house_way_audit import AuditedInGame, HouseWayProblem, ProblemKind


def uncovered(context: Context) -> Iterator[Finding]:
    """H004: every hand has a section."""
    for audited, problem in _problems(context, ProblemKind.UNCOVERED):
        sentence = f"No section takes {_hands(problem, audited)}."
        yield _finding(context, pages.H004, audited, problem, sentence)


def two_sections(context: Context) -> Iterator[Finding]:
    """H005: no hand has two sections."""
    for audited, problem in _problems(context, ProblemKind.TWO_SECTIONS):
        one, other = problem.ids
        sentence = f"The sections {one} and {other} both take {_hands(problem, audited)}."
        yield _finding(context, pages.H005, audited, problem, sentence)


def two_exceptions(context: Context) -> Iterator[Finding]:
    """H006: of two exceptions that apply to a hand, one goes before the other."""
    for audited, problem in _problems(context, ProblemKind.TWO_EXCEPTIONS):
        one, other = problem.ids
        differently = (
            f"{problem.disagreeing:,} of them would be set differently"
            if problem.disagreeing
            else "both set all of them alike"
        )
        sentence = (
            f"The exceptions {one} and {other} both apply to {_hands(problem, audited)}, and "
            f"neither goes before the other; {differently}."
        )
        yield _finding(context, pages.H006, audited, problem, sentence)


def cannot_be_set(context: Context) -> Iterator[Finding]:
    """H007: a rule asks for a front that the hands it decides hold."""
    for audited, problem in _problems(context, ProblemKind.CANNOT_BE_SET):
        sentence = (
            f"The rule {problem.ids[0]} decides {_hands(problem, audited)}, and the front that it "
            "asks for cannot be set."
        )
        yield _finding(context, pages.H007, audited, problem, sentence)


def foul(context: Context) -> Iterator[Finding]:
    """H008: no rule makes a hand foul."""
    for audited, problem in _problems(context, ProblemKind.FOUL):
        sentence = f"The rule {problem.ids[0]} makes {_hands(problem, audited)}, foul."
        yield _finding(context, pages.H008, audited, problem, sentence)


def malformed(context: Context) -> Iterator[Finding]:
    """H009: what a rule names is there, once."""
    for audited, problem in _problems(context, ProblemKind.MALFORMED):
        yield _finding(context, pages.H009, audited, problem, problem.message)


def idle(context: Context) -> Iterator[Finding]:
    """H010: every rule decides a hand, in a game that allows the house way."""
    for way in context.catalogue.house_ways.values():
        audits = [one.audit for one in context.house_ways or () if one.audit.house_way == way.id]
        if not audits or any(one.problems for one in audits):
            continue
        for rule in way.rules:
            if all(rule.id in one.idle for one in audits):
                yield context.finding(
                    pages.H010,
                    f"house-ways/{way.id}",
                    place_of(way, rule.id),
                    f"No hand needs the rule {rule.id}.",
                    "Compare its condition with the source; leave it if the source prints it so.",
                )


def not_audited(context: Context) -> Iterator[Finding]:
    """H011: every house way is audited, unless the audits were not asked for."""
    if context.house_ways is None or _a_game_is_left_out(context):
        return
    audited = {one.audit.house_way for one in context.house_ways}
    for way in context.catalogue.house_ways.values():
        if way.id not in audited and not _is_named(context, way):
            yield context.finding(
                pages.H011,
                f"house-ways/{way.id}",
                "/cards",
                f"No game deals {way.cards} cards and sets {way.front} of them in front, so there "
                "are no hands to audit this house way over.",
                "Correct the numbers, or declare the game that uses it.",
            )


def place_of(way: HouseWay, name: str, part: str = "") -> str:
    """Return the pointer of the section or the rule with this id, the last one of several.

    Args:
        way: the house way.
        name: the id of a section or of a rule.
        part: a property of it to point at.
    """
    places = {}
    for index, section in enumerate(way.sections):
        places[section.id] = f"/sections/{index}"
        places[section.base.id] = f"/sections/{index}/base"
        for number, rule in enumerate(section.exceptions):
            places[rule.id] = f"/sections/{index}/exceptions/{number}"
    return f"{places[name]}{part}" if name in places else ""


_PARTS = {
    ProblemKind.TWO_SECTIONS: "/when",
    ProblemKind.TWO_EXCEPTIONS: "/when",
    ProblemKind.CANNOT_BE_SET: "/front",
    ProblemKind.FOUL: "/front",
    ProblemKind.MALFORMED: "",
}
"""The property of the section or rule that a finding points at."""


def _problems(
    context: Context, kind: ProblemKind
) -> Iterator[tuple[AuditedInGame, HouseWayProblem]]:
    """Yield the problems of a kind, each once, in the first game where it shows."""
    told: set[tuple[object, ...]] = set()
    each = chain.from_iterable(
        ((one, problem) for problem in one.audit.problems) for one in context.house_ways or ()
    )
    for audited, problem in each:
        name = (audited.audit.house_way, problem.ids, problem.message)
        if problem.kind is kind and name not in told:
            told.add(name)
            yield audited, problem


def _finding(
    context: Context, code: Code, audited: AuditedInGame, problem: HouseWayProblem, sentence: str
) -> Finding:
    way = context.catalogue.house_ways[audited.audit.house_way]
    pointer = "/sections"
    if problem.ids:
        pointer = place_of(way, problem.ids[-1], _PARTS[problem.kind])
    return context.finding(
        code,
        f"house-ways/{way.id}",
        pointer,
        sentence,
        problem.remedy,
        related=(audited.game,),
    )


def _hands(problem: HouseWayProblem, audited: AuditedInGame) -> str:
    """Return how many hands of which game are concerned, with one of them."""
    joker = "" if audited.own_joker else f" with the joker {str(audited.joker).replace('_', ' ')}"
    noun = "hand" if problem.hands == 1 else "hands"
    return f"{problem.hands:,} {noun} of {audited.game}{joker}, such as {problem.example}"


def _is_named(context: Context, way: HouseWay) -> bool:
    """Whether a game names the house way; one of another size is reported there."""
    return any(way.id in game.house_ways for game in context.catalogue.games.values())


def _a_game_is_left_out(context: Context) -> bool:
    """Whether a game's own file has faults; it may be the one that uses the house way."""
    catalogue = context.catalogue
    games = {key for key in catalogue.documents if "/" not in key} - {"events"}
    return not games <= set(catalogue.games)
