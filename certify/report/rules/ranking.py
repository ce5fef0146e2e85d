"""What the rules of play print of the ranking of hands: what a game's joker and hands decide."""

from collections.abc import Iterable
from dataclasses import dataclass

from certify.model.cards import JokerRule, WheelRule
from certify.model.source import Statement
from certify.model.submission import Submission
from certify.model.vocabulary import Category
from certify.report.rules.numbering import PrintedRule, numbers_of, rules

THREE = 3
"""Cards of a complete hand in which a straight is rarer than a flush."""

WORDS = {3: "Three", 4: "Four", 5: "Five"}
"""Cards of a straight and of a flush."""

RUN = "A-2-3-4-5"
"""The straight with a low ace."""

JOKER, WHEEL = "base-joker", "base-wheel"
"""The conventions of the count on the joker and on A-2-3-4-5, which the template says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The section on ranking and terms: what the sentences of the template depend on.

    ``three``: a complete hand is three cards. ``order`` are the categories, highest first, where a
    base game compares hands that are not divided. ``run`` is A-2-3-4-5, or as much of it as a
    straight has, and ``wheel`` the statement that a game makes of it; a ``decision`` where the
    sources leave it open.
    """

    three: bool
    order: tuple[Category, ...]
    order_clause: str
    size: str
    run: str
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
        order=_order(submission),
        order_clause=hands.ranking.source.clause if hands.ranking is not None else "",
        size=WORDS.get(hands.shape.back, ""),
        run=RUN[: 2 * hands.shape.back - 1],
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


def _order(submission: Submission) -> tuple[Category, ...]:
    """Return the order in which undivided hands are compared; nothing where none are."""
    hands = submission.game.hands
    if hands.ranking is not None:
        return hands.ranking.highest_first
    compared = submission.main is not None and not hands.shape.divided
    return tuple(reversed(hands.categories)) if compared else ()


def _saying(convention: str, statements: Iterable[Statement]) -> Statement | None:
    """Return the statement that says a convention, for its clause."""
    return next((statement for statement in statements if statement.replaces == convention), None)
