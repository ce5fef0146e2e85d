"""Tests of what is written and what is on record: sentences, approvals, names."""

from collections import Counter
from collections.abc import Iterable

from certify.checks.fault import Fault
from certify.checks.jurisdiction.rule_test import WEAK, judges
from certify.checks.jurisdiction.verdict import (
    Judging,
    RuleVerdict,
    broken,
    by_people,
    not_applicable,
    satisfied,
)
from certify.model.approval import FilingStanding
from certify.model.filed import Filing
from certify.model.finding import Code
from certify.model.game import Game
from certify.model.jurisdiction import RuleVersion

CLAUSES = "standing_clauses"
"""The section of the rules of play that prints the jurisdiction's own clauses."""


R010 = Code(
    "R010",
    "A standing sentence is missing",
    why=f"A commission may want the same sentence in every set of rules. {WEAK}",
    mend="Add the clause to the jurisdiction, and the standing clauses to its sections.",
    remedy="Add the clause to the jurisdiction, with `rule`, and its section.",
    wrong="a jurisdiction without the clause `side-bets`",
    right='{"id": "side-bets", "text": "Side bets between players are prohibited.", ...}',
)


@judges(section="Standing clauses", finds=R010)
def shuffler_sentence(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The standing clauses print the clause that names this rule."""
    return _sentence(filed, "shuffler_sentence", "on shoe and shuffler")


@judges(section="Standing clauses", finds=R010)
def side_bet_sentence(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The standing clauses print the clause that names this rule."""
    return _sentence(filed, "side_bet_sentence", "on side bets between players")


def _sentence(filed: Filing, test: str, about: str) -> RuleVerdict:
    """Judge that a clause which names a rule with this test is among those that are printed."""
    jurisdiction = filed.jurisdiction
    key = f"jurisdictions/{jurisdiction.id}"
    if CLAUSES not in jurisdiction.sections:
        message = "The rules of play have no section for standing clauses."
        return broken([Fault(key, "/sections", message)])
    rules = [rule.id for rule in jurisdiction.rules if rule.test == test]
    for clause in filed.printed(jurisdiction.clauses):
        if clause.rule in rules:
            return satisfied(f"“{clause.text}”")
    return broken([Fault(key, "/clauses", f"There is no sentence {about}.")])


@judges()
def tribal(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """Whose limits apply at a tribal table; a person judges it."""
    if filed.terms.tribal is False:
        return not_applicable("The table is not a tribal one.")
    return by_people("At a tribal table the limits of the tribe's compact apply, not these.")


R014 = Code(
    "R014",
    "The content under an approved id has changed",
    why="""An id that was approved or filed stands for its content: rows, envy prizes, events, house
    way. Other numbers under the same id could be taken for the approved ones.""",
    mend="Restore the content that was filed, and give the new one another id.",
    wrong="an approved paytable 1 in which a pay was raised",
    right="paytable 1 as approved beside a new paytable 2",
)


@judges(section="Paytables filed", finds=R014, by_code=True)
def variation_filing(filed: Filing, _version: RuleVersion) -> Judging:
    """Every filed id is approved, pending or a new filing, and none is approved with other
    content.
    """
    if filed.register is None:
        number = len(filed.paytables) + 1
        return by_people(
            f"Each of the {number} paytables and options of this submission is a filing unless it "
            "is approved; no register of approvals was consulted."
        )
    for each in filed.register.standings:
        if each.standing is FilingStanding.CHANGED:
            yield Fault(each.target, "", each.detail)
    counts = Counter(each.standing for each in filed.register.standings)
    new = [
        each.target.partition("/")[2]
        for each in filed.register.standings
        if each.standing is FilingStanding.NEW
    ]
    detail = (
        f"{counts[FilingStanding.APPROVED]} approved, {counts[FilingStanding.PENDING]} pending, "
        f"{len(new)} new filings"
    )
    return satisfied(f"By the register: {detail}{': ' + ', '.join(new) if new else ''}.")


R011 = Code(
    "R011",
    "Another approved game has this name",
    why=f"A game is filed under a name that no approved game has. {WEAK}",
    mend="Choose another name; correct the register if it holds the same game under another id.",
    remedy="Choose another name, or correct the register.",
    wrong='a register with "game_name": "Sample Game" under another game',
    right="a name that the register does not hold",
)


@judges(finds=R011)
def unique_name(filed: Filing, _version: RuleVersion) -> Judging:
    """No other game of the register of approvals has the name."""
    if filed.register is None:
        return by_people("The names of approved games are not known here.")
    for taken in namesakes(filed.game, filed.register.namesakes)[:1]:
        message = f"The register holds another approved game called {taken}."
        yield Fault(filed.game.id, "/name", message)
    return by_people(
        "No other game of the register has this name; the regulator's own list is not known here."
    )


def namesakes(game: Game, names: Iterable[str]) -> tuple[str, ...]:
    """Return those names that are the game's own, whatever their capitals."""
    own = {name.casefold() for name in (game.name, *game.aliases)}
    return tuple(sorted(name for name in names if name.casefold() in own))
