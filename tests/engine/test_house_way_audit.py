import copy
import json
from functools import cache
from math import comb
from typing import Any

import pytest

from certify import library
from certify.engine.house_way.audit import audit, chosen_splits, set_hand
from certify.errors import NotConfigured, NotReadable
from certify.intake.decode import decode
from certify.kernels.class_arrays import HandClasses, Splits, class_splits, hand_classes
from certify.kernels.features import Shape
from certify.model.house_way import HouseWayProblem, ProblemKind

Record = dict[str, Any]

SMALL = Shape(ranks=6)
"""Nine to ace and the joker: 480,700 hands."""


@cache
def small_deck() -> tuple[HandClasses, Splits]:
    classes = hand_classes(SMALL)
    return classes, class_splits(classes)


@cache
def text(name: str) -> str:
    return (library.paytables() / "house-ways" / f"{name}.json").read_text(encoding="utf-8")


@pytest.fixture
def record() -> Record:
    value: Record = json.loads(text("foxwoods"))
    return value


def section(record: Record, name: str) -> Record:
    found: Record = next(part for part in record["sections"] if part["id"] == name)
    return found


def problems(record: Record) -> tuple[HouseWayProblem, ...]:
    return audit(decode("house-way", copy.deepcopy(record)), *small_deck()).problems


def only_problem(record: Record) -> HouseWayProblem:
    found = problems(record)
    assert len(found) == 1
    with pytest.raises(NotConfigured) as raised:
        chosen_splits(decode("house-way", record), *small_deck())
    assert raised.value.message == f"The house way foxwoods cannot be used. {found[0]}"
    assert raised.value.remedy == found[0].remedy
    return found[0]


def test_a_hand_without_a_section_is_found(record: Record) -> None:
    record["sections"].remove(section(record, "five-aces"))
    problem = only_problem(record)
    assert problem.kind is ProblemKind.UNCOVERED
    assert problem.hands == comb(20, 2)  # four aces, the joker and two of the other twenty cards
    assert problem.example.startswith("Jk Ac Ad Ah As ")
    assert problem.message == "No section matches this hand."
    assert str(problem) == f"No section matches this hand. Example: {problem.example}."


def test_a_hand_with_two_sections_is_found(record: Record) -> None:
    section(record, "two-sets-of-three-of-a-kind")["when"] = {
        "groups": ["two_sets_of_three_of_a_kind", "three_pair"]
    }
    found = problems(record)
    assert {problem.kind for problem in found} == {ProblemKind.TWO_SECTIONS}
    assert [problem.ids for problem in found] == [
        ("three-pair", "two-sets-of-three-of-a-kind"),
        ("two-sets-of-three-of-a-kind", "straights-and-flushes"),
    ]
    assert (
        found[0].message
        == "The sections three-pair and two-sets-of-three-of-a-kind both match this hand."
    )
    # Three pairs and a card of another rank; an ace, the joker, two pairs and a card of another
    # rank; three pairs below aces and the joker.
    natural = comb(6, 3) * comb(4, 2) ** 3 * 12
    joker_pair = 4 * comb(5, 2) * comb(4, 2) ** 2 * 12
    joker_alone = comb(5, 3) * comb(4, 2) ** 3
    assert sum(problem.hands for problem in found) == natural + joker_pair + joker_alone


def test_two_exceptions_that_apply_are_found(record: Record) -> None:
    exceptions = section(record, "straights-and-flushes")["exceptions"]
    three = next(rule for rule in exceptions if rule["id"].endswith(".three-of-a-kind"))
    del three["before"]
    problem = only_problem(record)
    assert problem.kind is ProblemKind.TWO_EXCEPTIONS
    assert problem.ids == (
        "straights-and-flushes.three-of-a-kind",
        "straights-and-flushes.three-of-a-kind-without-pair",
    )
    assert problem.hands > 0
    assert problem.disagreeing == 0  # both keep the straight or flush behind the highest front


def test_two_exceptions_that_disagree_are_found(record: Record) -> None:
    exceptions = section(record, "four-of-a-kind")["exceptions"]
    exceptions.append(
        {
            "id": "four-of-a-kind.kings",
            "text": "Kings are kept together.",
            "when": {
                "four_of_a_kind": "K",
                "groups": ["four_of_a_kind", "four_of_a_kind_and_three_of_a_kind"],
            },
            "front": {"leaves": ["four_of_a_kind"]},
            "source": "made up",
        },
    )
    problem = only_problem(record)
    assert problem.ids == ("four-of-a-kind.with-three-of-a-kind", "four-of-a-kind.kings")
    assert problem.hands == 5 * 4 + comb(4, 2)  # three of a lower kind; two aces and the joker
    assert problem.disagreeing == 0
    exceptions[-1]["front"] = "two_of_four_of_a_kind"
    problem = only_problem(record)
    assert problem.disagreeing == problem.hands


def test_a_front_that_is_not_held_is_found(record: Record) -> None:
    section(record, "no-pair")["base"]["front"] = "high_pair"
    section(record, "no-pair")["when"] = {"groups": "no_pair"}
    section(record, "straights-and-flushes")["when"]["groups"].remove("no_pair")
    # Seven cards of six ranks always pair, so the full deck is asked through one hand.
    with pytest.raises(NotConfigured) as raised:
        set_hand(decode("house-way", record), Shape(), ["Ah", "Jd", "9c", "7s", "5h", "3d", "2c"])
    assert raised.value.message == (
        "The house way foxwoods cannot be used. The rule no-pair.base applies, but the hand does "
        "not contain its low hand. Example: Ah Jd 9c 7s 5h 3d 2c."
    )


def test_a_foul_is_found(record: Record) -> None:
    section(record, "two-pair")["base"]["front"] = "high_pair"
    problem = problems(record)[0]
    assert problem.kind is ProblemKind.FOUL
    assert problem.ids == ("two-pair.split",)
    assert problem.message == ("The rule two-pair.split applies, but its low hand fouls the hand.")


def find_malformed(record: Record) -> list[str]:
    found = problems(record)
    assert all(problem.kind is ProblemKind.MALFORMED for problem in found)
    with pytest.raises(NotConfigured):
        chosen_splits(decode("house-way", record), *small_deck())
    return [problem.message for problem in found]


def test_malformed_house_ways_are_found(record: Record) -> None:
    first = section(record, "no-pair")["base"]
    exceptions = section(record, "straights-and-flushes")["exceptions"]
    ace_and_pair, three = exceptions[0], exceptions[-2]
    first["front"] = "highest_singleton"
    section(record, "one-pair")["base"]["id"] = "pair.base"
    section(record, "three-pair")["when"]["can_be_set"] = True
    section(record, "three-pair")["base"].pop("front")
    section(record, "three-pair")["base"]["by"] = "straights-and-flushes"
    section(record, "two-pair")["exceptions"][0]["when"]["high_pair"] = {"min": "T", "max": "7"}
    section(record, "full-house")["exceptions"][0]["id"] = "full-house.base"
    ace_and_pair["when"]["improves_on"] = "straights-and-flushes.two-pair"
    three["before"] = ["two-pair.split"]
    exceptions[1]["by"] = "two-pairs"
    assert find_malformed(record) == [
        "The id full-house.base is given 2 times.",
        "The id pair.base does not begin with its section, one-pair.",
        "The rule straights-and-flushes.two-pair refers to two-pairs, which is not a section.",
        "The section three-pair refers to itself in a circle.",
        "The section straights-and-flushes refers to itself in a circle.",
        "The low hand of no-pair.base, highest_singleton, does not have 2 cards.",
        "No value of high_pair can satisfy the condition of two-pair.sevens-to-tens-with-ace.",
        "Only an exception with `front` can use can_be_set, not three-pair.",
        "straights-and-flushes.ace-and-pair should improve on straights-and-flushes.two-pair, "
        "which is not a rule with `front`.",
        "straights-and-flushes.three-of-a-kind takes precedence over two-pair.split, which is not "
        "an exception of straights-and-flushes.",
    ]


def test_a_rule_that_goes_before_itself_is_found(record: Record) -> None:
    exceptions = section(record, "straights-and-flushes")["exceptions"]
    exceptions[-1]["before"] = ["straights-and-flushes.three-of-a-kind"]
    assert find_malformed(record) == [
        "The rule straights-and-flushes.three-of-a-kind takes precedence over itself.",
        "The rule straights-and-flushes.three-of-a-kind-without-pair takes precedence over itself.",
    ]


def test_a_house_way_for_another_front_is_refused() -> None:
    mini = json.loads(text("mini-pai-gow"))
    assert find_malformed(mini) == ["It sets a low hand of 1 cards; the game sets 2."]


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        ("Ah Jd 9c 7s 5h 3d 1c", "'1c' is not a card of this deck."),
        ("Ah Jd 9c 7s 5h 3d", "'Ah Jd 9c 7s 5h 3d' is not a hand of 7 different cards."),
        ("Ah Ah 9c 7s 5h 3d 2c", "'Ah Ah 9c 7s 5h 3d 2c' is not a hand of 7 different cards."),
    ],
)
def test_what_is_no_hand_is_refused(record: Record, hand: str, message: str) -> None:
    with pytest.raises(NotReadable) as raised:
        set_hand(decode("house-way", record), Shape(), hand.split())
    assert raised.value.message == message


def test_the_rules_passed_over_are_reported(record: Record) -> None:
    way = decode("house-way", record)
    result = set_hand(way, Shape(), ["Kh", "Ks", "Kd", "Qs", "Jh", "Td", "9c"])
    assert result.rule.id == "straights-and-flushes.three-of-a-kind"
    assert {(passed.rule, passed.reason) for passed in result.passed_over} == {
        (
            "straights-and-flushes.base",
            "the exception straights-and-flushes.three-of-a-kind applies",
        ),
        ("straights-and-flushes.ace-and-pair", "its condition does not hold"),
        ("straights-and-flushes.two-pair", "its condition does not hold"),
        ("straights-and-flushes.three-pair", "its condition does not hold"),
        (
            "straights-and-flushes.three-of-a-kind-without-pair",
            "straights-and-flushes.three-of-a-kind takes precedence",
        ),
    }


def test_a_hand_that_is_sent_on_tells_by_which_rule(record: Record) -> None:
    way = decode("house-way", record)
    result = set_hand(way, Shape(), ["Jh", "Td", "9c", "8h", "8s", "7c", "7d"])
    assert [sent.rule for sent in result.sent_by] == ["straights-and-flushes.two-pair"]
    assert result.section.id == "two-pair"
    assert len(result.splits) == comb(7, 2)
    assert sum(split.chosen for split in result.splits) == 1
    assert [split.legal for split in result.splits] == sorted(
        (split.legal for split in result.splits), reverse=True
    )
