"""Tests of what is written: sentences, names, approvals, letters, displayed text."""

from collections.abc import Iterable

from certify.checks.jurisdiction.facts import (
    Filed,
    Verdict,
    at,
    broken,
    by_people,
    not_applicable,
    satisfied,
)
from certify.model.approval import FilingStanding
from certify.model.game import Game
from certify.model.jurisdiction import RuleVersion

CLAUSES = "standing_clauses"
"""The section of the rules of play that prints the jurisdiction's own clauses."""


def shuffler_sentence(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - no number
    """Judge that the sentence on shoe and shuffler is printed."""
    return _sentence(filed, "shuffler_sentence", "on shoe and shuffler")


def side_bet_sentence(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Judge that the sentence on side bets between players is printed."""
    return _sentence(filed, "side_bet_sentence", "on side bets between players")


def tribal(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Say whose limits apply at a tribal table; no compact is declared."""
    if filed.terms.tribal is False:
        return not_applicable("The table is not a tribal one.")
    return by_people("At a tribal table the limits of the tribe's compact apply, not these.")


def variation_filing(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Say which paytables are approved, pending or a new filing, as the register has it."""
    if filed.standings is None:
        number = len(filed.paytables) + 1
        return by_people(
            f"Each of the {number} paytables and options of this submission is a filing unless it "
            "is approved; no register of approvals was consulted."
        )
    faults = [
        at((one.target, ""), one.detail)
        for one in filed.standings
        if one.standing is FilingStanding.CHANGED
    ]
    if faults:
        return broken(faults)
    counts = {kind: sum(one.standing is kind for one in filed.standings) for kind in FilingStanding}
    new = [one.target.partition("/")[2] for one in filed.standings
           if one.standing is FilingStanding.NEW]  # fmt: skip
    detail = (
        f"{counts[FilingStanding.APPROVED]} approved, {counts[FilingStanding.PENDING]} pending, "
        f"{counts[FilingStanding.NEW]} new filings"
    )
    return satisfied(f"{detail}{': ' + ', '.join(new) if new else ''}.")


def unique_name(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Judge that no other game of the register is approved under this name."""
    if filed.names is None:
        return by_people("The names of approved games are not known here.")
    taken = namesakes(filed.game, filed.names)
    if taken:
        message = f"The register holds another approved game called {taken[0]}."
        return broken([at((filed.game.id, "/name"), message)])
    return by_people(
        "No other game of the register has this name; the regulator's own list is not known here."
    )


def namesakes(game: Game, names: Iterable[str]) -> tuple[str, ...]:
    """Return those names that are the game's own, whatever their capitals."""
    own = {one.casefold() for one in (game.name, *game.aliases)}
    return tuple(sorted(one for one in names if one.casefold() in own))


def laboratory_certification(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Say whether the laboratory's letter is there."""
    letter = filed.terms.laboratory_letter
    if letter is None:
        return by_people("The laboratory's letter is not attached.")
    return satisfied(f"The laboratory's letter has the digest {letter}.")


def posted_text(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Judge that the text of layout and rack card is printed; a person compares the artwork."""
    if "rack_card" in filed.jurisdiction.sections:
        return by_people(
            "The section of the rules of play on layout and rack-card text is printed from the "
            "same records as the paytables. The casino compares the artwork and what is displayed "
            "at the table with it."
        )
    key = f"jurisdictions/{filed.jurisdiction.id}"
    return broken([at((key, "/sections"), "The rules of play print no rack-card text.")])


def _sentence(filed: Filed, test: str, about: str) -> Verdict:
    """Judge that a clause which names a rule with this test is among those that are printed."""
    jurisdiction = filed.jurisdiction
    key = f"jurisdictions/{jurisdiction.id}"
    if CLAUSES not in jurisdiction.sections:
        message = "The rules of play have no section for standing clauses."
        return broken([at((key, "/sections"), message)])
    rules = [one.id for one in jurisdiction.rules if one.test == test]
    for one in filed.printed(jurisdiction.clauses):
        if one.rule in rules:
            return satisfied(f"“{one.text}”")
    return broken([at((key, "/clauses"), f"There is no sentence {about}.")])
