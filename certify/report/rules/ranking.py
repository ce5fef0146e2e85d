"""What the rules of play print of the ranking of hands: what a game's joker and hands decide."""

from collections.abc import Iterable
from dataclasses import dataclass

from certify.model.cards import JokerRule, WheelRule
from certify.model.source import Statement
from certify.model.submission import Submission
from certify.report.rules.numbering import PrintedRule, numbers_of, rules

THREE = 3
"""Cards of a complete hand in which a straight is rarer than a flush."""

JOKER, WHEEL = "base-joker", "base-wheel"
"""The conventions of the count on the joker and on A-2-3-4-5, which the template says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The section on ranking and terms: what the sentences of the template depend on.

    ``three``: a complete hand is three cards. ``wheel`` is the statement that a game makes of
    A-2-3-4-5; a ``decision`` where the sources leave it open.
    """

    three: bool
    joker: bool
    several_jokers: bool
    joker_number: str
    joker_clause: str
    wild: bool
    wheel_number: str
    wheel_lowest: bool
    wheel_clause: str
    wheel_decision: bool
    low_number: str
    undivided: bool
    single: bool
    terms: tuple[PrintedRule, ...]
    decisions: tuple[PrintedRule, ...]


def ranking(submission: Submission, section: int) -> Ranking:
    """Return what the section on ranking and terms prints."""
    game, hands = submission.game, submission.game.hands
    numbers = numbers_of(section)
    readings = submission.readings(game.assumptions)
    decided = _saying(WHEEL, readings)
    read = decided or _saying(WHEEL, game.definitions)
    return Ranking(
        three=hands.shape.back == THREE,
        joker=hands.deck.joker > 0,
        several_jokers=hands.deck.joker > 1,
        joker_number=next(numbers) if hands.deck.joker else "",
        joker_clause=said.source.clause if (said := _saying(JOKER, game.definitions)) else "",
        wild=hands.joker is JokerRule.FULLY_WILD,
        wheel_number=next(numbers),
        wheel_lowest=hands.wheel is WheelRule.LOWEST,
        wheel_clause=read.source.clause if read is not None else "",
        wheel_decision=decided is not None,
        low_number=next(numbers) if hands.shape.front else "",
        undivided=hands.shape.front == 0,
        single=hands.shape.front == 1,
        terms=rules(
            (
                definition
                for definition in submission.printed(game.definitions)
                if definition.replaces not in (JOKER, WHEEL)
            ),
            numbers,
        ),
        decisions=rules(
            (reading for reading in readings if reading.replaces not in (JOKER, WHEEL)),
            numbers,
            decision=True,
        ),
    )


def _saying(convention: str, statements: Iterable[Statement]) -> Statement | None:
    """Return the statement that says a convention, for its clause."""
    return next((statement for statement in statements if statement.replaces == convention), None)
