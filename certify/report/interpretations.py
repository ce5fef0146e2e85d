"""Adopted interpretations: one list for the daggers of the rules and for the mathematics report."""

from collections.abc import Mapping
from html.parser import HTMLParser

from msgspec.structs import replace

from certify.model.source import CLAUSE, Alternative, Statement
from certify.model.submission import Submission
from certify.report.wording import together

UNKNOWN = ("",)
"""The mark of an interpretation that names nothing: it is printed nowhere."""


def list_assumptions(submission: Submission) -> list[tuple[str, Statement, tuple[str, ...]]]:
    """Return the assumptions of the figures and the interpreted rules, with the ids they mark.

    Each has the paytable or option that declares it, empty for the game. An assumption of the game
    overrides one of the same id. Conventions of the count, which no record declares, mark nothing.
    """
    game = submission.game
    general = submission.assumptions
    general_ids = {statement.id for statement in general}
    marked = [("", statement, statement.marked()) for statement in general]
    for record in submission.records:
        analysis, wager = submission.analyses.get(record.target), game.find_wager(record)
        table = "" if wager.options else f"{wager.id}/payouts"
        marked += [
            (record.id, statement, statement.marked(table) if declared else ())
            for statement in (analysis.assumptions if analysis is not None else ())
            if statement.id not in general_ids
            for declared in [statement in record.assumptions]
        ]
    rules = [rule for section in game.sections for rule in section.statements]
    rules += [rule for wager in submission.wagers for rule in wager.rules]
    rules += [*filter(None, (wager.absent for wager in game.wagers))]
    rules += list_clauses(submission)
    rules += [part for rule in submission.filter_statements(rules) for part in rule.parts]
    marked += [("", rule, rule.marked()) for rule in rules if rule.effect is not None]
    # Paytables share most of their assumptions.
    printed = {each: submission.filter_statements([each]) for each in {each[1] for each in marked}}
    return [
        (table, shown, marks) for table, statement, marks in marked for shown in printed[statement]
    ]


def list_clauses(submission: Submission) -> tuple[Statement, ...]:
    """Return the clauses of the jurisdiction; their ids can be those of rules of the game."""
    clauses = submission.filter_statements(submission.jurisdiction.clauses)
    return tuple(replace(each, id=f"{CLAUSE}{each.id}") for each in clauses)


def list_alternatives(submission: Submission) -> list[tuple[Alternative, tuple[str, ...]]]:
    """Return the other interpretations that change a filed figure, with the ids that each marks."""
    assumed = {
        statement.id: marks
        for _, statement, marks in reversed(list_assumptions(submission))
        if statement.effect is not None
    }
    priced = {
        price.alternative.id: price.alternative
        for record in submission.records
        if record.target in submission.analyses
        for price in submission.analyses[record.target].alternatives
    }
    return [
        (each, each.marks or tuple(mark for name in each.of for mark in assumed.get(name, ())))
        if each.marks or not assumed.keys().isdisjoint(each.of)
        else (each, UNKNOWN)  # a finding of the checks
        for each in priced.values()
    ]


def find_marked(submission: Submission) -> frozenset[str]:
    """Return the ids that are printed with a dagger: all that an interpretation marks.

    Public rules are printed again from public files, which have no alternatives: their evidence
    states the marks.
    """
    if submission.stated_marks is not None:
        return submission.stated_marks
    marks = [marks for _, marks in list_alternatives(submission)]
    marks += [
        marks
        for _, statement, marks in list_assumptions(submission)
        if statement.effect is not None
    ]
    return frozenset(mark for each in marks for mark in each)


class _Places(HTMLParser):
    """The reader of the numbers of rules and tables, as the style sheet counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[tuple[str, str]] = []
        self._place, self._tables = "", 0
        self._number: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        classes = (attributes.get("class") or "").split()
        if tag == "table" and "rack" not in classes:
            self._tables += 1
            self._place = f"Table {self._tables}"
        if tag == "h2" or "rule-number" in classes:
            self._number = attributes.get("data-rule") or ""
        elif key := attributes.get("data-rule"):
            self.places.append((key, self._place))

    def handle_data(self, data: str) -> None:
        if self._number is None:
            return
        number = data.partition(". ")
        self._place = f"Section {number[0]}" if number[1] else data
        if self._number:
            self.places.append((self._number, self._place))
        self._number = None


def find_places(rules: str) -> Mapping[str, list[str]]:
    """Return the printed numbers of rules and tables by id, from the HTML of rules of play."""
    reader = _Places()
    reader.feed(rules)
    return {key: [*dict.fromkeys(places)] for key, places in together(reader.places).items()}
