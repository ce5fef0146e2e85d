"""Numbered rules with their clauses, and the wagers on offer."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count
from string import ascii_lowercase
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from certify.model.game import Wager
from certify.model.jurisdiction import IN_PLACE, AggregateLimit, Scope
from certify.model.main_wager import Outcome
from certify.model.paytable import EnvyTable, Paytable
from certify.model.source import Concern, Statement
from certify.model.submission import Submission
from certify.model.topic import Procedure, Topic
from certify.report.interpretations import find_marked
from certify.report.wording import name_in_print
from certify.words.hands import describe_deck


class PrintedRule(Struct, frozen=True, kw_only=True):
    """A rule: ``number`` such as ``3.2``, a letter for a part; ``clause`` is its source.

    ``marked``: an interpretation that the mathematics report lists is about it.
    """

    id: str
    number: str
    anchor: str
    text: str
    clause: str
    marked: bool = False
    parts: tuple["PrintedRule", ...] = ()


def iter_numbers(section: int) -> Iterator[str]:
    """Yield the numbers of a section's rules: ``3.1``, ``3.2`` and so on."""
    return (f"{section}.{number}" for number in count(1))


def rules(
    statements: Iterable[Statement], numbers: Iterator[str], marked: Collection[str]
) -> tuple[PrintedRule, ...]:
    """Return statements as printed, with the next numbers; ``marked`` are ids."""
    return tuple(
        rule(
            statement.id,
            statement.text,
            cite(statement),
            next(numbers),
            marked,
            parts=statement.parts,
        )
        for statement in statements
    )


def cite(statement: Statement) -> str:
    """Return the clause of a statement as printed; an edited one is in place of its clause."""
    clause = statement.source.clause
    return clause if statement.original is None else f"Edited, in place of: {clause}"


def print_section(
    name: str, submission: Submission, numbers: Iterator[str]
) -> tuple[PrintedRule, ...]:
    """Return a section of the game's file, with the procedures of the terms.

    A procedure of the terms replaces the statement of its topic, or else is printed at the end of
    its section. It interprets no source, and nothing marks it. The deck is printed as it is
    counted, in the place of the statement on it.
    """
    marked = find_marked(submission)
    texts = _procedures(submission)
    left, printed = dict(texts), list[PrintedRule]()
    for part in submission.game.sections:
        for statement in submission.filter_statements(part.statements):
            procedure = statement.replaced_by
            replaced = procedure in texts
            text = left.pop(procedure, None) if procedure is not None else None
            if part.id == name and text is not None:
                clause = f"{IN_PLACE} {statement.source.clause}"
                printed.append(rule(f"terms/{procedure}", text, clause, next(numbers)))
            elif part.id == name and not replaced:
                printed += rules([_with_deck(statement, submission)], numbers, marked)
    printed += [
        rule(f"terms/{procedure}", text, "Terms of the table", next(numbers))
        for procedure, text in left.items()
        if procedure.section == name
    ]
    return tuple(printed)


def _with_deck(statement: Statement, submission: Submission) -> Statement:
    """Return a statement; if it is on the deck, with the declared deck in words."""
    if statement.topic is not Topic.DECK:
        return statement
    return replace(statement, text=describe_deck(submission.game.hands.deck))


def state_procedure(procedure: Procedure, submission: Submission) -> str:
    """Return the printed rule on a procedure; empty if that is a blank."""
    statements = [each for section in submission.game.sections for each in section.statements]
    printed = [
        each.text
        for each in submission.filter_statements(statements)
        if each.replaced_by is procedure
    ]
    return _procedures(submission).get(procedure, " ".join(printed))


def _procedures(submission: Submission) -> dict[Procedure, str]:
    """Return the procedures of the terms, for fouls with the result against a pushing hand."""
    texts, result = dict(submission.terms.procedures), submission.terms.foul_against_push
    decided = (each.outcome for option in submission.options for each in option.dealer_rules)
    if result and Outcome.PUSH in decided:
        texts[Procedure.FOUL] += f" {name_in_print('foul_against_push', result)}"
    return texts


def rule(
    id_: str,
    text: str,
    clause: str,
    number: str,
    marked: Collection[str] = (),
    *,
    parts: Iterable[Statement] = (),
    counted: Iterable[str] = (),
) -> PrintedRule:
    """Return one rule as printed; its parts are lettered.

    The last ones are the ``counted`` values of a term in words, from its own clause.
    """
    lettered = (
        *((part.id, part.text, cite(part)) for part in parts),
        *((f"{id_}/counted/{place}", text, clause) for place, text in enumerate(counted, 1)),
    )
    return PrintedRule(
        id=id_,
        number=number,
        anchor=f"rule-{number}",
        text=text,
        clause=clause,
        marked=id_ in marked,
        parts=tuple(
            rule(part, words, source, f"{number}.{letter}", marked)
            for letter, (part, words, source) in zip(ascii_lowercase, lettered, strict=False)
        ),
    )


def list_offered(submission: Submission) -> tuple[Wager, ...]:
    """Return the main wager and every bonus wager with a filed paytable, in declared order."""
    return tuple(
        wager
        for wager in submission.game.wagers
        if submission.main in wager.options or filed_paytables(wager, submission)
    )


def bonus_wagers(submission: Submission) -> tuple[Wager, ...]:
    """Return the bonus wagers that are offered."""
    return tuple(wager for wager in list_offered(submission) if not wager.options)


def filed_paytables(wager: Wager, submission: Submission) -> tuple[Paytable, ...]:
    """Return the filed paytables of one wager, in declared order."""
    return tuple(paytable for paytable in submission.paytables if paytable.wager == wager.id)


def filed_envies(wager: Wager, filed: Sequence[Paytable]) -> tuple[EnvyTable, ...]:
    """Return the envy tables that go with the filed paytables of one wager."""
    used = {paytable.envy for paytable in filed}
    return tuple(envy for envy in wager.envies if envy.id in used)


def play_decisions(submission: Submission) -> tuple[Statement, ...]:
    """Return the decisions on how the main wager is played, once each, of the filed options."""
    decisions = {
        assumption.id: assumption
        for option in submission.options
        for assumption in submission.filter_statements(option.assumptions)
        if assumption.concern is Concern.PLAY
    }
    return tuple(decisions.values())


def payout_limit(submission: Submission, limit: AggregateLimit) -> dict[str, Any]:
    """Return a payout limit with the names of its wagers."""
    called = {wager.id: wager.name for wager in submission.game.wagers}
    return {
        "cents": limit.cents,
        "table": limit.scope is Scope.TABLE,
        "wagers": [called[wager] for wager in limit.wagers],
        "together": len(limit.wagers) > 1,
    }
