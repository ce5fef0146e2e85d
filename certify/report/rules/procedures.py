"""Rules of a section of the game's file, with the procedures of the terms."""

from collections.abc import Iterator

from certify.model.main_wager import Outcome
from certify.model.source import Procedure
from certify.model.submission import Submission
from certify.report.rules.numbering import PrintedRule, rule, rules
from certify.report.wording import name_in_print


def print_section(
    name: str, submission: Submission, numbers: Iterator[str]
) -> tuple[PrintedRule, ...]:
    """Return a section of the game's file, with the procedures of the terms.

    A procedure of the terms replaces the rule that states it, as a decision of the submission, or
    else is printed at the end of its section.
    """
    given = _procedures(submission)
    printed: list[PrintedRule] = []
    replaced: set[Procedure] = set()
    for part in submission.game.sections:
        for statement in submission.filter_statements(part.statements):
            stated = [procedure for procedure in statement.states if procedure in given]
            clause = f"Terms of the table, in place of: {statement.source.clause}"
            if part.id == name:
                printed += [
                    rule(given[procedure], clause, next(numbers), decision=True)
                    for procedure in stated
                    if procedure not in replaced
                ]
            if part.id == name and not stated:
                printed += rules([statement], numbers)
            replaced.update(stated)
    printed += [
        rule(text, "Terms of the table", next(numbers))
        for procedure, text in given.items()
        if procedure.section == name and procedure not in replaced
    ]
    return tuple(printed)


def _procedures(submission: Submission) -> dict[Procedure, str]:
    """Return the procedures of the terms, for fouls with the result against a pushing hand."""
    given, result = dict(submission.terms.procedures), submission.terms.foul_against_push
    rules = (rule for option in submission.options for rule in option.dealer_rules)
    if result and any(rule.outcome is Outcome.PUSH for rule in rules):
        given[Procedure.FOUL] += f" {name_in_print('foul_against_push', result)}"
    return given
