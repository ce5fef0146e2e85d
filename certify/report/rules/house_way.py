"""House ways and the ranking of hands in the rules of play."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from certify.model.condition import iter_tests
from certify.model.explanation import HOUSE_WAY, SetHand
from certify.model.game import JokerRule, WheelRule
from certify.model.house_way import HouseWay, HouseWayRule, HouseWaySection
from certify.model.paytable import HandOf, Paytable
from certify.model.source import HOUSE_WAY_CHOICE, JOKER, WHEEL, Concern, Dealt, Statement
from certify.model.submission import Submission
from certify.model.vocabulary import EventFeature
from certify.report.rules.numbering import derive_texts, find_marked, iter_numbers, rules
from certify.report.wording import capitalize_first, lower_first, name_in_print, names
from certify.words.groups import NUMBERS
from certify.words.house_ways import HouseWayWords, house_way_words


class NumberedRule(Struct, frozen=True, kw_only=True):
    """A rule with its number, such as ``3.2``; one that closes a group begins with “Otherwise”.

    ``assumption`` is what the filing decided about it; ``hand`` is a hand that it sets, if one is
    shown. ``marked``: an interpretation is about it.
    """

    number: str
    text: str
    clause: str
    assumption: str
    id: str
    hand: SetHand | None = None
    marked: bool = False


class NumberedSection(Struct, frozen=True, kw_only=True):
    """The rules for one kind of hand, which ``scope`` describes."""

    title: str
    scope: str
    rules: tuple[NumberedRule, ...]

    @property
    def clause(self) -> str:
        """The clause of all rules of the section; empty if they have several."""
        first, *others = dict.fromkeys(rule.clause for rule in self.rules)
        return "" if others else first


def number_sections(
    house_way: HouseWay,
    dealt: Dealt,
    hands: Mapping[str, SetHand] | None = None,
    marked: Collection[str] = (),
) -> tuple[NumberedSection, ...]:
    """Return every section with its rules numbered: exceptions first, then the base rule.

    They are in the words of a game with the joker of ``dealt``. ``hands`` has a hand to show for a
    rule, by the rule's id; ``marked`` are ids of rules.
    """
    shown = hands or {}
    words = house_way_words(house_way, wild=dealt.wild is True)
    return tuple(
        NumberedSection(
            title=f"{number}. {section.title}",
            scope=words.scopes[section.id],
            rules=tuple(
                replace(
                    _rule(
                        f"{number}.{place}",
                        rule,
                        section,
                        words,
                        hand=shown.get(rule.id),
                        dealt=dealt,
                    ),
                    marked=rule.id in marked,
                )
                for place, rule in enumerate(_in_priority(section), 1)
            ),
        )
        for number, section in enumerate(house_way.sections, 1)
    )


def rule_numbers(house_way: HouseWay, dealt: Dealt) -> dict[str, NumberedRule]:
    """Return every rule by its id."""
    return {
        rule.id: rule for section in number_sections(house_way, dealt) for rule in section.rules
    }


def _in_priority(section: HouseWaySection) -> list[HouseWayRule]:
    """Return the exceptions, each before those that it goes before, and then the base rule."""
    waiting = list(section.exceptions)
    ordered: list[HouseWayRule] = []
    while waiting:
        held_back = {later for waiting_rule in waiting for later in waiting_rule.before}
        # A circle of precedence is a finding of the checks; here it must only end.
        first = next((rule for rule in waiting if rule.id not in held_back), waiting[0])
        waiting.remove(first)
        ordered.append(first)
    return [*ordered, section.base]


def _rule(
    number: str,
    rule: HouseWayRule,
    section: HouseWaySection,
    words: HouseWayWords,
    *,
    hand: SetHand | None,
    dealt: Dealt,
) -> NumberedRule:
    last = rule is section.base and bool(section.exceptions)
    assumption, text = rule.assumption, words.rules[rule.id]
    stated = assumption and assumption.concern is Concern.PLAY and assumption.fits.fits(dealt)
    return NumberedRule(
        number=number,
        text=f"Otherwise, {lower_first(text)}" if last else text,
        clause=rule.source.clause,
        assumption=assumption.text if assumption and stated else "",
        id=rule.id,
        hand=hand,
    )


def house_way_section(submission: Submission, section: int) -> dict[str, Any]:
    """Return the contents of the section on the house way, with a sample hand per rule.

    ``chosen``: the source leaves the house way to the casino. ``excluded`` names the house ways
    with which the player has an advantage, ``favorable`` their figures by option. ``marked``: an
    interpretation is about the choice of the house way.
    """
    marked = find_marked(submission)
    way, numbers = submission.house_way, iter_numbers(section)
    hands = {
        example.event: example.player
        for example in submission.examples
        if example.kind == HOUSE_WAY and example.player is not None
    }
    return {
        "way": way,
        "chosen": not submission.game.house_way_in_source,
        "excluded": [*dict.fromkeys(name for name, _ in submission.favorable_ways)],
        "favorable": [
            (name, by_way.paytable, by_way.house_edge) for name, by_way in submission.favorable_ways
        ],
        "choice": len(submission.options) > 1,
        "marked": HOUSE_WAY_CHOICE in marked,
        "general": rules(submission.filter_statements(way.statements), submission, numbers),
        "decisions": rules(submission.readings(way.general_assumptions), submission, numbers),
        "groups": number_sections(way, submission.game.dealt, hands, marked),
    }


JOKER_EXAMPLE = 6
"""Cards of the example for the joker in a row of a paytable: Joker-A-A-K-Q-J."""

RUN, TOP = "A-2-3-4-5", "A-K-Q-J-10"
"""The straights with a low and with a high ace."""

ROYAL_FLUSHES = frozenset({EventFeature.ROYAL_FLUSH, EventFeature.NATURAL_ROYAL_FLUSH})
OF_STRAIGHTS = frozenset(
    {
        EventFeature.STRAIGHT_LENGTH,
        EventFeature.STRAIGHT_FLUSH_LENGTH,
        EventFeature.NATURAL_STRAIGHT_LENGTH,
        EventFeature.NATURAL_STRAIGHT_FLUSH_LENGTH,
        EventFeature.PAI_GOW_HIGH,
    }
)
"""The features that a straight decides."""


def ranking(submission: Submission, section: int) -> dict[str, Any]:
    """Return the contents of the section on ranking and terms.

    ``order`` are the names and meanings of undivided hands that are ranked, highest first. ``run``
    is A-2-3-4-5, or as much of it as a straight has, with its clause; an interpretation is about
    the rule if it is ``wheel_marked`` or ``joker_marked``. ``straights`` are those of
    paytables where hands are not ranked; ``royals`` is the royal flush that the main wager asks
    for. The result is empty if it says nothing of the game.
    """
    game, hands = submission.game, submission.game.hands
    numbers, marked = iter_numbers(section), find_marked(submission)
    readings = submission.readings(game.assumptions)
    decided = [reading for reading in readings if reading.replaces == WHEEL]
    order, divided = name_ranking(submission), hands.shape.is_divided
    ranked = bool(order) or divided
    content = {
        "order": order,
        "divided": divided,
        "order_clause": hands.ranking.source.clause if hands.ranking is not None else "",
        "run": RUN[: 2 * hands.shape.back - 1],
        "jokers": hands.deck.joker,
        "several_jokers": hands.deck.joker > 1,
        "joker_clause": _clause(JOKER, game.definitions),
        "joker_marked": JOKER in marked,
        "joker_in_rows": bool(submission.paytables) and hands.shape.cards >= JOKER_EXAMPLE,
        "joker_number": next(numbers) if hands.deck.joker else "",
        "wild": hands.joker is JokerRule.FULLY_WILD,
        "wheel_clause": _clause(WHEEL, [*decided, *game.definitions]),
        "wheel_number": next(numbers) if ranked else "",
        "straights": [
            (next(numbers), size, _first(RUN, size), _first(TOP, size))
            for size in _straights(submission, ranked=ranked)
        ],
        "royals": [
            (next(numbers), _first(TOP, hands.shape.back))
            for asked in [_asked_of_main(submission) & ROYAL_FLUSHES]
            if asked and order
        ],
        "values_number": next(numbers)
        if any(
            EventFeature.TOTAL in _asked_features(submission, each) for each in submission.paytables
        )
        else "",
        "wheel_lowest": hands.wheel is WheelRule.LOWEST,
        "wheel_marked": WHEEL in marked,
        "low_number": next(numbers) if hands.shape.front else "",
        "single": hands.shape.front == 1,
        "joker_highest": hands.deck.joker > 0 and hands.joker_beats_ace_in_front,
        "terms": rules(
            derive_texts(_others(submission.filter_statements(game.definitions)), submission),
            submission,
            numbers,
        ),
        "decisions": rules(_others(readings), submission, numbers),
    }
    printed = ("order", "divided", "jokers", "straights", "values_number", "terms", "decisions")
    return content if any(content[name] for name in printed) else {}


def name_ranking(submission: Submission) -> list[tuple[str, str]]:
    """Return the names and meanings of undivided hands, highest first; none if nothing ranks."""
    size = capitalize_first(NUMBERS[submission.game.hands.shape.back])
    meanings = names("category_meaning")
    return [
        (name_in_print("category", each), meanings[each].format(size=size))
        for each in submission.ranking
    ]


def _straights(submission: Submission, *, ranked: bool) -> list[int]:
    """Return the numbers of cards of straights in paytables of hands that are not ranked."""
    hands = submission.game.hands
    return sorted(
        {
            min(hands.for_wager(table).shape.back, table.cards)
            for table in submission.paytables
            if table.hand is HandOf.TOGETHER or not ranked
            for feature in _asked_features(submission, table)
            if feature in OF_STRAIGHTS
        }
    )


def _asked_features(submission: Submission, table: Paytable) -> set[str]:
    """Return the features that the rows of a paytable depend on."""
    return {
        test.feature
        for row in table.rows
        for condition in submission.catalog.events[row.event].conditions
        for test in iter_tests(condition)
    }


def _asked_of_main(submission: Submission) -> set[str]:
    """Return the features that the terms of the main wager depend on."""
    return {
        test.feature
        for option in submission.options
        for condition in (*(rule.when for rule in option.dealer_rules), *option.own_conditions)
        for test in iter_tests(condition)
    }


def _first(run: str, size: int) -> str:
    return "-".join(run.split("-")[:size])


def _clause(convention: str, statements: Iterable[Statement]) -> str:
    """Return the clause of the statement of a convention."""
    saying = (each.source.clause for each in statements if each.replaces == convention)
    return next(saying, "")


def _others(statements: Iterable[Statement]) -> list[Statement]:
    return [statement for statement in statements if statement.replaces not in (JOKER, WHEEL)]
