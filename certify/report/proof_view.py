"""What the mathematics report rests on: inputs, requirements, frequencies, discrepancies."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from certify.formatting import decimal, listed, rounds_to_a_hit, thousands
from certify.model.audit import RuleJudgement, Standing
from certify.model.condition import FeatureValue
from certify.model.jurisdiction import Bearer
from certify.model.published import Discrepancy
from certify.model.submission import ChecklistLine, ItemState, Submission
from certify.report.matrix_view import clauses_of
from certify.report.tables import Table, table
from certify.report.wording import as_written, known_by

STANDING_TEXT = {
    Standing.SATISFIED: "satisfied",
    Standing.NOT_SATISFIED: "not satisfied",
    Standing.TO_BE_SETTLED: "to be settled",
    Standing.UNVERIFIED: "to be stated",
    Standing.BY_PEOPLE: "to be judged",
    Standing.NOT_APPLICABLE: "not applicable",
}

FOLDER = "paytables/"

BEARER_TEXT = {
    Bearer.OURS: "these documents",
    Bearer.THEIRS: "supplier, casino",
    Bearer.LABORATORY: "laboratory",
}

STATE_TEXT = {
    ItemState.DONE: "done",
    ItemState.OPEN: "open",
    ItemState.NOT_NEEDED: "not needed",
}

DECIDED = (Standing.SATISFIED, Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""The standings that rest on the words of a rule."""


def input_table(submission: Submission) -> Table:
    """Return every declared file that is embedded, with its digest."""
    files = {
        one.path: one.sha256 for analysis in submission.analyses.values() for one in analysis.inputs
    }
    files |= submission.sources
    return table(
        f"Declared files under {FOLDER}, and their SHA-256 digests",
        "File @50 | =Digest",
        sorted((path.removeprefix(FOLDER), digest) for path, digest in files.items()),
        note="Other house ways and options that the game's records name are embedded too, so that "
        "the records are complete.",
    )


def standing_text(one: RuleJudgement) -> str:
    """Return where a rule stands, and by which text if its words decided."""
    words = STANDING_TEXT[one.standing]
    if one.version is None or one.standing not in DECIDED:
        return words
    return f"{words}, by a {known_by(one.version)}"


def rule_table(submission: Submission) -> Table:
    """Return each requirement, the text applied, where it stands, and where it is met."""
    rows = []
    for one in submission.rules:
        text = one.version
        cited = (
            f"{text.citation} ({known_by(text)}; read {text.read_on.isoformat()})"
            if text
            else "no text in force"
        )
        where = f" Where: {one.section}." if one.section else ""
        rows.append(
            (one.rule.id, one.rule.title, cited, standing_text(one), f"{one.detail}{where}")
        )
    return table(
        "Requirements, and the text applied of each",
        "Rule @12 | Requirement @22 | Citation (text known by) @21 | Standing @12 | What was found",
        rows,
        note=f"Of each rule the text is applied that is known to be in force on "
        f"{submission.as_of.isoformat()}; the date is that of the text, not of this report. A rule "
        "may have been changed since a text was read. Standing: satisfied; not satisfied; to be "
        "settled (a text that is not known word for word speaks against it); to be stated (a fact "
        "or the text is not known); to be judged (a person has to judge it); not applicable. Text "
        "known by: verified text (the rule's own words were read); secondary text (another's "
        "account of the rule was read); text from memory (no text was read).",
        none="No rule of this jurisdiction is recorded.",
    )


def standing_table(submission: Submission) -> Table | None:
    """Return where each filed record stands in the register; None where none was consulted."""
    register = submission.register
    if register is None:
        return None
    shared = listed(register.namesakes) if register.namesakes else "none"
    return table(
        "Where each option and paytable stands in the register of approvals",
        "Record @60 | Standing @40",
        [(one.target.partition("/")[2], one.detail) for one in register.standings],
        note=f"Names of other games that are approved or pending in {submission.jurisdiction.name} "
        f"by the register: {register.other_names}; those that are also this game's: {shared}.",
    )


def frequency_table(submission: Submission) -> Table:
    """Return the master table of hand frequencies; it sums to the deck."""
    census = submission.frequencies
    rows = [
        (
            *_hand(submission, cell[0]),
            thousands(count),
            decimal(Fraction(count, census.total), 10),
            rounds_to_a_hit(Fraction(count, census.total)),
        )
        for cell, count in census.cells.items()
    ]
    return table(
        f"Every hand of {census.cards} cards",
        "Hand @20 | What it is @36 | #Combinations | #Probability | #1 in",
        rows,
        foot=[("Total", "", thousands(census.total), decimal(Fraction(1), 10), "")],
        note="A hand is counted once, under the first name that it has. A row of a paytable can "
        "count more hands than are counted here: it may be looked for before a higher hand, such "
        "as three of a kind before a straight.",
    )


def _hand(submission: Submission, event: FeatureValue) -> tuple[str, str]:
    """Return what the hand is called and what it is; of the rest there is nothing to say."""
    if event is None:
        return "All other hands", "–"
    one = submission.events[str(event)]
    words = one.words(joker=submission.game.hands.deck.joker)
    return one.name or words, words


def discrepancy_views(submission: Submission, counted: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the discrepancies of the source, how each is read, and where it is read otherwise."""
    return [
        _discrepancy(number, one, counted.get(one.id, ""))
        for number, one in enumerate(submission.discrepancies, 1)
    ]


def _discrepancy(number: int, one: Discrepancy, counted: str) -> dict[str, Any]:
    return {
        "number": str(number),
        "title": one.title,
        "kind": as_written(str(one.kind)),
        "words": " · ".join(f"“{words}”" for words in one.words),
        "places": clauses_of(one.sources),
        "effect": one.effect,
        "resolution": one.resolution,
        "counted": counted,
    }


def checklist_table(submission: Submission) -> Table:
    """Return what a filing needs and what of it is here."""
    return table(
        f"What a filing in {submission.jurisdiction.name} needs",
        "Item @40 | State @12 | Brought by @14 | Detail",
        [
            (
                line.item.text,
                _state(line),
                BEARER_TEXT[line.item.bearer],
                line.detail,
            )
            for line in submission.checklist
        ],
        note="Done: these documents state it. Open: it is not stated here, or somebody has to "
        "bring or judge it; the detail says what. Not needed: it has no object in this filing.",
        none="No checklist of this jurisdiction is recorded.",
    )


def _state(line: ChecklistLine) -> str:
    """Return the state of an item, and by which text if a rule's words made it done."""
    words = STATE_TEXT[line.state]
    version = line.judgement.version if line.judgement is not None else None
    if version is None or line.state is not ItemState.DONE:
        return words
    return f"{words}, by a {known_by(version)}"
