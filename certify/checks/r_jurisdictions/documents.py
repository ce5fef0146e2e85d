"""Rule tests of the documents: sentences, approvals, names, examples, supplied papers."""

from collections import Counter
from collections.abc import Iterable

from certify.checks.framework import Fault
from certify.checks.r_jurisdictions.payout_limits import top_share
from certify.checks.r_jurisdictions.rule_test import (
    WEAK,
    Judging,
    RuleVerdict,
    faults_verdict,
    not_applicable,
    review_verdict,
    rule_test,
    satisfied_verdict,
    unverified_verdict,
)
from certify.formatting import join_words
from certify.model.approval import FilingStanding
from certify.model.explanation import BestPlay, Example, MainExplanation, Settlement
from certify.model.finding import Code
from certify.model.game import Game, Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.main_wager import Outcome
from certify.model.paytable import Paytable
from certify.model.submission import CLAUSES, Filing

R010 = Code(
    "R010",
    "A required sentence is missing",
    why=f"A regulator may require certain sentences in every set of rules. {WEAK}",
    fix=(
        "In the jurisdiction, add a clause with this `rule`, and `standing_clauses` to `sections`."
    ),
    wrong="a jurisdiction without the clause `side-bets`",
    right='{"id": "side-bets", "text": "Side bets between players are prohibited.", ...}',
)


@rule_test(section="Standing clauses", code=R010)
def shuffler_sentence(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The standing clauses print the clause that names this rule."""
    return _sentence(filed, "shuffler_sentence", "on the shoe and the shuffler")


@rule_test(section="Standing clauses", code=R010)
def side_bet_sentence(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The standing clauses print the clause that names this rule."""
    return _sentence(filed, "side_bet_sentence", "on side bets between players")


def _sentence(filed: Filing, test: str, about: str) -> RuleVerdict:
    """Test that a clause for a rule with this test is printed."""
    jurisdiction = filed.jurisdiction
    key = f"jurisdictions/{jurisdiction.id}"
    if CLAUSES not in jurisdiction.sections:
        message = "The rules of play have no section for standing clauses."
        return faults_verdict([Fault(key, "/sections", message)])
    rules = [rule.id for rule in jurisdiction.rules if rule.test == test]
    for clause in filed.filter_statements(jurisdiction.clauses):
        if clause.rule in rules:
            return satisfied_verdict(f"The standing clauses print: {clause.text}")
    return faults_verdict([Fault(key, "/clauses", f"The clause {about} is missing.")])


@rule_test()
def tribal(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The limits of a tribal compact apply at a tribal table; manual review decides."""
    if filed.terms.tribal is False:
        return not_applicable("The table is not a tribal one.")
    return review_verdict("At a tribal table the limits of the tribe's compact apply, not these.")


def _each_record(number: int) -> str:
    """Return the subject of a sentence on every filed paytable and option."""
    if number == 1:
        return "The paytable or option of this submission"
    return f"Each of the {number} paytables and options of this submission"


R014 = Code(
    "R014",
    "Approved content has changed",
    why="An approved or filed id identifies its content: rows, envy prizes, events, house "
    "way. Different content under the same id could be mistaken for the approved content. "
    "Files that come with certify change with its version; the finding says if they may be the "
    "reason.",
    fix="Restore the filed content, and declare the new content under a new id.",
    wrong="an approved paytable 1 in which a pay was raised",
    right="paytable 1 as approved and a new paytable 2",
)


@rule_test(section="Paytables filed", code=R014, by_code=True)
def variation_filing(filed: Filing, _version: RuleVersion) -> Judging:
    """Every filed id is approved, pending or new, and none was approved with other content."""
    if filed.register is None:
        return review_verdict(
            f"{_each_record(len(filed.records))} is a filing unless it is approved; no register "
            "of approvals was consulted."
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
    return satisfied_verdict(f"By the register: {detail}{': ' + ', '.join(new) if new else ''}.")


@rule_test(
    code=Code(
        "R011",
        "Another approved game has this name",
        why=f"The name of a game must differ from the names of approved games. {WEAK}",
        fix=(
            "Choose another name, or correct the register if it lists this game under another id."
        ),
        wrong='a register with "game_name": "Sample Game" for another game',
        right="a name that is not in the register",
    )
)
def unique_name(filed: Filing, _version: RuleVersion) -> Judging:
    """No other game of the register of approvals has the name."""
    if filed.register is None:
        return review_verdict("The names of approved games are not known here.")
    for taken in namesakes(filed.game, filed.register.namesakes)[:1]:
        message = f"The register lists another approved game named {taken}."
        yield Fault(filed.game.id, "/name", message)
    return review_verdict(
        "No other game of the register has this name; the regulator's own list is not known here."
    )


def namesakes(game: Game, names: Iterable[str]) -> tuple[str, ...]:
    """Return those names that are the game's own, whatever their capitals."""
    game_names = {name.casefold() for name in (game.name, *game.aliases)}
    return tuple(sorted(name for name in names if name.casefold() in game_names))


PUSH = "push"
JOKER = "joker"
ENVY = "envy"
SHARE = "progressive_split"
HIGHEST_ONLY = "highest_only"

KIND_TEXT = {
    JOKER: "a hand with the joker",
    ENVY: "a prize for another player's hand",
    SHARE: "a share of a meter",
}
"""Kinds of examples whose names are not words of the trade."""


@rule_test(
    section="Worked examples",
    code=Code(
        "R012",
        "A wager lacks a worked example of an outcome",
        why="The rules of play show a win, a loss and a tie of each wager, a hand with the "
        "joker, an envy prize and a share of a meter. An outcome that no filed paytable of "
        "the wager has is not required. A push is required for every filed paytable that has "
        f"one, unless its row is shown for another paytable of the wager. {WEAK}",
        fix="Report this gap to the maintainers; the documents should show the example.",
        wrong="a wager that can tie, with examples of a win and a loss only",
        right="a win, a loss and a tie",
    ),
)
def worked_examples(filed: Filing, _version: RuleVersion) -> Judging:
    """Every wager has a worked example of each way that it can end."""
    if filed.examples is None:
        return unverified_verdict("The examples were not made yet.")
    for wager in filed.wagers:
        shown = _examples(filed.examples, wager)
        kinds = {kind for example in shown for kind in (example.kind, _name_end(example))}
        needed = what_can_be_shown(filed, wager)
        absent = [KIND_TEXT.get(kind, kind) for kind in needed if kind not in kinds]
        absent += _pushes_not_shown(filed, wager, shown)
        if absent:
            message = f"{wager.name} has no worked example of: {join_words(absent)}."
            yield Fault(wager.target, "", message)
    joker = ", a hand with the joker" if filed.game.hands.deck.joker else ""
    return satisfied_verdict(
        f"{len(filed.examples)} examples. Each wager has a win, a loss{joker} and, where a filed "
        f"record has one, a push, a prize for another player's hand and a share of a meter."
        f"{_highest_only(filed, filed.examples)}"
    )


def _name_end(example: Example) -> str:
    """Return the result of a round of the main wager; the kind of any other example."""
    match example.explained:
        case (
            Settlement(outcome=ended)
            | MainExplanation(best=BestPlay(settlement=Settlement(outcome=ended)))
        ):
            return str(ended)
        case _:
            return example.kind


def what_can_be_shown(filed: Filing, wager: Wager) -> tuple[str, ...]:
    """Return the kinds of examples that a submitted wager can have, without pushes.

    For a main wager, the outcomes that occur are required; if it was not counted, all three are,
    including the push. No example is required of a hand that holds two rows, as it is not declared
    whether one exists.
    """
    joker = (JOKER,) if filed.game.hands.deck.joker else ()
    if filed.main in wager.options:
        analysis = filed.analyses.get(filed.option.target)
        counted = None if analysis is None or analysis.main is None else analysis.main.outcomes
        ends = tuple(str(end) for end in Outcome if counted is None or counted.get(str(end)))
        return (*ends, *joker)
    envy = (ENVY,) if any(table.envy for table in filed.tables(wager)) else ()
    share = (SHARE,) if top_share(filed, wager) is not None else ()
    return ("win", "lose", *joker, *envy, *share)


def _pushes_not_shown(filed: Filing, wager: Wager, shown: tuple[Example, ...]) -> list[str]:
    """Return the filed paytables with a push of which no example shows a row."""
    events = {example.event for example in shown if example.kind == PUSH}
    return [
        f"push, paytable {table.id}"
        for table in filed.tables(wager)
        if (pushes := _pushes(table)) and not pushes & events
    ]


def _pushes(paytable: Paytable) -> set[str]:
    return {row.event for row in paytable.rows if row.payout.is_push}


def _highest_only(filed: Filing, examples: tuple[Example, ...]) -> str:
    """Return of which bonus wagers an example shows that the highest row alone is paid."""
    bonus = [wager for wager in filed.wagers if filed.main not in wager.options]
    having = [
        wager
        for wager in bonus
        if any(example.kind == HIGHEST_ONLY for example in _examples(examples, wager))
    ]
    if not having:
        return ""
    others = [wager for wager in bonus if wager not in having]
    without = f", not for {filed.join_names(others)}" if others else ""
    return f" That only the highest row is paid is shown for {filed.join_names(having)}{without}."


def _examples(examples: tuple[Example, ...], wager: Wager) -> tuple[Example, ...]:
    targets = {record.target for record in wager.records}
    return tuple(example for example in examples if example.target in targets)


@rule_test()
def laboratory_certification(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The laboratory's letter is embedded, with the digest that the terms state."""
    letter = filed.provenance.letter
    if letter is not None:
        return satisfied_verdict(
            f"The laboratory's letter, {letter.name}, is embedded in the mathematics report; "
            f"SHA-256 {letter.sha256}. Its content is not examined here."
        )
    digest = filed.terms.laboratory_letter
    if digest is None:
        return review_verdict("Attach the laboratory's letter.")
    return review_verdict(f"Attach the laboratory's letter, SHA-256 {digest}.")


@rule_test(
    code=Code(
        "R013",
        "The rules of play do not print the rack-card text",
        why="The text on the table must match the filed text, so both are printed from the same "
        f"declared files. {WEAK}",
        fix='Add "rack_card" to the sections of the jurisdiction.',
        wrong='{"sections": ["main", "bonus"]}',
        right='{"sections": ["main", "bonus", "rack_card"]}',
    )
)
def posted_text(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The text of layout and rack card is printed; a person compares the artwork."""
    if "rack_card" in filed.jurisdiction.sections:
        return review_verdict(
            "The rack cards in the rules of play are printed from the same records as the "
            "paytables. The casino compares the artwork and the displays at the table with them."
        )
    key = f"jurisdictions/{filed.jurisdiction.id}"
    return faults_verdict(
        [Fault(key, "/sections", "The rules of play have no section with the rack-card text.")]
    )


R015 = Code(
    "R015",
    "The artwork differs from the filed paytable",
    why="Layouts and rack cards must show the filed content: the same "
    "hands in the same order, with the same pays, to or for.",
    fix="Correct the artwork, or file the other paytable.",
    wrong="Five Aces 250 for 1",
    right="Five Aces 250 to 1",
)
