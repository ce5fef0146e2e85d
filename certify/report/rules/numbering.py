"""Numbered rules with their clauses, adopted interpretations, and the wagers on offer.

One list of interpretations is for the daggers of the rules and for the mathematics report.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from itertools import count
from string import ascii_lowercase
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from certify.formatting import join_words
from certify.model.game import Wager
from certify.model.jurisdiction import IN_PLACE, AggregateLimit, Scope
from certify.model.main_wager import MainWager, Outcome
from certify.model.paytable import EnvyTable, Paytable
from certify.model.source import CLAUSE, Alternative, Concern, Statement
from certify.model.submission import Submission
from certify.model.topic import Procedure, Topic
from certify.report.wording import name_in_print, together
from certify.words.hands import describe_deck, ties_in_words


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
    statements: Iterable[Statement],
    submission: Submission,
    numbers: Iterator[str],
) -> tuple[PrintedRule, ...]:
    """Return statements as printed, with the next numbers."""
    return tuple(
        rule(
            statement.id,
            statement.text,
            cite(statement),
            next(numbers),
            find_marked(submission),
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
    its section. It interprets no source, and nothing marks it. Texts on the deck and on ties are
    derived.
    """
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
                printed += rules(derive_texts([statement], submission), submission, numbers)
    printed += [
        rule(f"terms/{procedure}", text, "Terms of the table", next(numbers))
        for procedure, text in left.items()
        if procedure.section == name
    ]
    return tuple(printed)


def derive_texts(statements: Iterable[Statement], submission: Submission) -> Iterator[Statement]:
    """Yield statements of the game; one on the deck or on ties with its sentence from the record.

    An interpretation of ties, and a statement on the ties of another wager, are left as they are.
    """
    texts = derived_texts(submission)
    for statement in statements:
        replaced = statement.topic in texts and _is_replaced(statement.topic, statement, submission)
        yield replace(statement, text=texts[statement.topic]) if replaced else statement


def derived_texts(submission: Submission) -> Mapping[Topic | None, str]:
    """Return the sentences that are derived from the declared game, by their topic."""
    texts: dict[Topic | None, str] = {
        Topic.DECK: describe_deck(submission.game.hands.deck),
        Topic.TIES: state_ties(submission),
    }
    return {topic: text for topic, text in texts.items() if text}


def _is_replaced(topic: Topic | None, statement: Statement, submission: Submission) -> bool:
    """Return True if a derived text replaces a statement on a topic."""
    if statement.topic is not topic:
        return False
    main = submission.main
    of_main = statement.wager is None or (main is not None and statement.wager == main.wager)
    return topic is Topic.DECK or (of_main and statement.effect is None)


def state_ties(submission: Submission) -> str:
    """Return the result of ties in the filed options, with their names if they differ.

    It is empty if no main wager is filed.
    """
    divided = submission.game.hands.shape.is_divided
    stated = together(
        (" ".join(ties_in_words(option.ties, divided=divided).values()), option.name)
        for option in submission.options
    )
    if len(stated) < 2:  # noqa: PLR2004 - sentences that differ
        return next(iter(stated), "")
    return " ".join(f"{join_words(names)}: {words}" for words, names in stated.items())


def rule_on_ties(
    submission: Submission, option: MainWager, numbers: Iterator[str]
) -> Iterator[PrintedRule]:
    """Yield a rule on ties, cited as the option, unless a statement on them is printed."""
    if not is_stated(Topic.TIES, submission):
        yield rule("main/ties", state_ties(submission), option.source.clause, next(numbers))


def is_stated(topic: Topic, submission: Submission) -> bool:
    """Return True if a statement of the game or of its main wager on a topic is printed."""
    game = submission.game
    statements = [each for section in game.sections for each in section.statements]
    statements += game.definitions
    statements += [each for option in submission.options for each in game.find_wager(option).rules]
    return any(
        _is_replaced(topic, each, submission) for each in submission.filter_statements(statements)
    )


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
    """Return a payout limit with the names of its wagers.

    ``others`` are the wagers and bonuses that are paid under the same limit with the ``main`` one.
    """
    called = submission.game.called
    main = submission.main if submission.main and submission.main.wager in limit.wagers else None
    others = [main.raise_, main.companion] if main is not None else []
    bonus = [name_in_print("counted", "own_bonus")] if main is not None and main.bonus else []
    return {
        "main": called[main.wager] if main is not None else "",
        "others": [*(other.name for other in others if other is not None), *bonus],
        "cents": limit.cents,
        "table": limit.scope is Scope.TABLE,
        "wagers": [called[wager] for wager in limit.wagers],
        "together": len(limit.wagers) > 1,
    }


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
