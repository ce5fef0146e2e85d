"""What the rules of play print of the ranking of hands: what a game's joker and hands decide."""

from collections.abc import Iterable
from typing import Any

from certify.model.cards import JokerRule, WheelRule
from certify.model.source import Statement
from certify.model.submission import Submission
from certify.model.vocabulary import Category
from certify.report.rules.numbering import numbers_of, rules

THREE = 3
"""Cards of a complete hand in which a straight is rarer than a flush."""

WORDS = {3: "Three", 4: "Four", 5: "Five"}
"""Cards of a straight and of a flush."""

JOKER_EXAMPLE = 6
"""Cards of the example for the joker in a row of a paytable: Joker-A-A-K-Q-J."""

RUN = "A-2-3-4-5"
"""The straight with a low ace."""

JOKER, WHEEL = "base-joker", "base-wheel"
"""The conventions of the count on the joker and on A-2-3-4-5, which the template says."""


def ranking(submission: Submission, section: int) -> dict[str, Any]:
    """Return the section on ranking and terms: what the sentences of the template depend on.

    ``three``: a complete hand is three cards. ``order`` are the categories, highest first, where a
    base game compares hands that are not divided: of each the one name that is true. ``run`` is
    A-2-3-4-5, or as much of it as a straight has, with its clause; a ``wheel_decision`` or a
    ``joker_decision`` is made where the sources can be read otherwise.
    """
    game, hands = submission.game, submission.game.hands
    numbers = numbers_of(section)
    readings = submission.readings(game.assumptions)
    decided = [reading for reading in readings if reading.replaces == WHEEL]
    return {
        "three": hands.shape.back == THREE,
        "order": [
            {str(each): each is category for each in Category} for category in _order(submission)
        ],
        "order_clause": hands.ranking.source.clause if hands.ranking is not None else "",
        "size": WORDS.get(hands.shape.back, ""),
        "run": RUN[: 2 * hands.shape.back - 1],
        "jokers": hands.deck.joker,
        "several_jokers": hands.deck.joker > 1,
        "joker_clause": _clause(JOKER, game.definitions),
        "joker_decision": any(
            each.replaces == JOKER and each.effect is not None for each in game.definitions
        ),
        "joker_in_rows": bool(submission.paytables) and hands.shape.cards >= JOKER_EXAMPLE,
        "joker_number": next(numbers) if hands.deck.joker else "",
        "wild": hands.joker is JokerRule.FULLY_WILD,
        "wheel_clause": _clause(WHEEL, [*decided, *game.definitions]),
        "wheel_number": next(numbers),
        "wheel_lowest": hands.wheel is WheelRule.LOWEST,
        "wheel_decision": bool(decided),
        "low_number": next(numbers) if hands.shape.front else "",
        "single": hands.shape.front == 1,
        "terms": rules(_others(submission.printed(game.definitions)), numbers),
        "decisions": rules(_others(readings), numbers, decision=True),
    }


def _order(submission: Submission) -> tuple[Category, ...]:
    """Return the order in which undivided hands are compared; nothing where none are."""
    hands = submission.game.hands
    if hands.ranking is not None:
        return hands.ranking.highest_first
    compared = submission.main is not None and not hands.shape.divided
    return tuple(reversed(hands.categories)) if compared else ()


def _clause(convention: str, statements: Iterable[Statement]) -> str:
    """Return the clause of the statement that says a convention."""
    saying = (each.source.clause for each in statements if each.replaces == convention)
    return next(saying, "")


def _others(statements: Iterable[Statement]) -> list[Statement]:
    return [statement for statement in statements if statement.replaces not in (JOKER, WHEEL)]
