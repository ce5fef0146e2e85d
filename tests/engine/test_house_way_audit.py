"""The audit of house ways, and their printed sentences: both set hands as they are counted."""

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from certify import library
from certify.engine.house_way.audit import audit, chosen_splits, set_hand
from certify.engine.house_way.compiler import decide
from certify.engine.house_way.features import hand_facts
from certify.errors import NotConfigured, NotReadable
from certify.intake.decode import decode
from certify.kernels.class_arrays import (
    HandClasses,
    Splits,
    class_splits,
    hand_classes,
    own_classes,
)
from certify.kernels.features import Shape
from certify.model.condition import AllOf, AnyOf, Condition, FeatureTest, Not
from certify.model.condition import iter_tests as asked_of
from certify.model.game import RANKS
from certify.model.house_way import HouseWay, HouseWayProblem, ProblemKind
from certify.model.source import Dealt
from certify.model.vocabulary import RANK_FEATURES
from certify.report.rules.house_way import number_sections
from certify.words.house_ways import house_way_words
from tests.engine.test_house_way import load_way
from tests.marks import further
from tests.oracle import house_way as oracle
from tests.oracle.house_way_sentences import Group, Set, apply_groups, read_group, read_rule

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


# The printed sentences of every house way set hands as they are counted. A dealer who knows
# only the sentences (`tests/oracle/house_way_sentences.py`) sets hands around every limit of
# rank; the engine sets them from the conditions.


WAYS = sorted(path.stem for path in (library.paytables() / "house-ways").glob("*.json"))
LOWEST = 2
SAME = (
    "(b) four tens through kings",  # (c) takes these hands of the super full house already
    "a singleton king or better and a king as the second-highest singleton",  # then it is an ace
    "four kings or better and ",  # no hand has four kings and two more
)
"""Limits that can be moved without another hand being taken."""


def read_sections(way: HouseWay) -> list[Group]:
    return [
        read_group(
            section.title.partition(". ")[2], section.scope, [rule.text for rule in section.rules]
        )
        for section in number_sections(way, Dealt(wild=False))
    ]


def draw_hand(dice: random.Random, ranks: list[int], cards: int) -> oracle.Hand:
    """These ranks, then others held once; suits at random, sometimes an ace as the joker."""
    others = [rank for rank in range(2, 15) if rank not in ranks]
    dice.shuffle(others)
    held: list[oracle.Card] = []
    for rank in [*ranks, *others][:cards]:
        suits = [suit for suit in range(4) if (rank, suit) not in held]
        joker = rank == oracle.ACE and oracle.JOKER not in held
        if joker and (not suits or dice.random() < 0.5):
            held.append(oracle.JOKER)
        else:
            held.append((rank, dice.choice(suits)))
    return tuple(held)


def draw_complete(dice: random.Random, cards: int) -> Iterator[oracle.Hand]:
    """Straights, flushes and straight flushes with every kind of other cards."""
    deck = oracle.deck(oracle.Table())
    for top in range(5, 15):
        run = [rank if rank > 1 else oracle.ACE for rank in range(top - 4, top + 1)]
        for kind in range(24):
            suit = dice.randrange(4)
            if kind % 3 == 1:
                run = dice.sample(range(2, 15), 5)
            core = [(rank, suit if kind % 3 else dice.randrange(4)) for rank in run]
            if kind % 2:
                core[dice.randrange(5)] = oracle.JOKER
            left = [card for card in deck if card not in core]
            pairing = [card for card in left if card[0] in {rank for rank, _ in core}]
            more: list[oracle.Card] = []
            while len(core) + len(more) < cards:
                pool = pairing if dice.random() < 0.6 else left
                card = dice.choice([item for item in pool if item not in more])
                more.append(card)
            yield (*core, *more)


def draw_straight_flushes(dice: random.Random, cards: int) -> Iterator[oracle.Hand]:
    """Straight flushes with pairs, high cards and longer runs, natural and with the joker."""
    pairs = [(rank, rank) for rank in range(2, 15)]
    for top in range(5, 15):
        run = [rank if rank > 1 else oracle.ACE for rank in range(top - 4, top + 1)]
        for more in [
            *pairs,
            (14, 13),
            (14, 12),
            (14, 11),
            (14, 10),
            (13, 12),
            (9, 4),
            (7, 2),
            (top + 1, top + 2),
        ]:
            for joker in (None, 0, 2, 4):
                suit, other = dice.sample(range(4), 2)
                core = [(rank, suit) for rank in run]
                if joker is not None:
                    core[joker] = oracle.JOKER
                suits = [suit if more[0] > top else other, (other + 1) % 4]
                rest = [
                    (rank, at) for rank, at in zip(more, suits, strict=True) if rank <= oracle.ACE
                ]
                if len(core) + len(rest) >= cards:
                    yield (*core, *rest)[:cards]
    # The aces that the joker joins, with a straight of four other ranks.
    for ranks in ([13, 13, 12, 11], [12, 12, 13, 10], [13, 12, 11, 10], [2, 2, 3, 4], [3, 4, 5, 2]):
        for flush in (True, False):
            suits = [0] * 4 if flush and len(set(ranks)) == len(ranks) else [0, 1, 0, 0]
            rest = list(zip(ranks, suits, strict=True))
            yield (oracle.JOKER, (14, 0), (14, 1), *rest)[:cards]
            yield (oracle.JOKER, (14, 0), (14, 1), (14, 2), *rest)[:cards]


def rank_patterns(cards: int) -> Iterator[list[int]]:
    """Every rank, or pair of ranks, of everything held twice or more."""
    every = range(2, 15)
    yield []
    for first in every:
        yield from ([first] * 2, [first] * 3, [first] * 4)
        for second in every:
            if second == first:
                continue
            yield [first] * 3 + [second] * 2
            yield [first] * 4 + [second] * 2
            if second < first:
                yield [first] * 2 + [second] * 2
                yield [first] * 3 + [second] * 3
            if cards == 7:
                yield [first] * 4 + [second] * 3
    yield from ([oracle.ACE] * 5, [oracle.ACE] * 5 + [13] * 2, [oracle.ACE] * 5 + [12] * 2)


@cache
def hands(cards: int) -> tuple[oracle.SevenCards, ...]:
    dice = random.Random(31)  # noqa: S311 - hands to compare
    dealt = [
        draw_hand(dice, pattern, cards)
        for pattern in rank_patterns(cards)
        if len(pattern) <= cards
        for _ in range({0: 200, 2: 20, 3: 12, 4: 6}.get(len(pattern), 2))
    ]
    for _ in range(150):
        three = sorted(dice.sample(range(2, 15), 3))
        dealt += [
            draw_hand(dice, [rank for rank in three for _ in range(2)], cards),
            draw_hand(dice, ([three[0]] * 3 + [three[1]] * 2 + [three[2]] * 2)[:cards], cards),
            draw_hand(dice, ([three[2]] * 3 + [three[1]] * 2 + [three[0]] * 2)[:cards], cards),
        ]
    # The full house of twos or threes with two other cards near the limits.
    for pair in (2, 3):
        for high in (oracle.ACE, 13, 12, 11):
            for second in (13, 12, 11, 10):
                if second != high:
                    ranks = [dice.choice([5, 7, 9])] * 3 + [pair] * 2 + [high, second]
                    dealt.append(draw_hand(dice, ranks, 7)[:cards])
    for pattern in ([four] * 4 for four in range(2, 15)):
        for high in range(11, 15):
            for second in range(9, high):
                if pattern[0] not in (high, second):
                    dealt.append(draw_hand(dice, [*pattern, high, second], cards))
    dealt += [*draw_complete(dice, cards), *draw_straight_flushes(dice, cards)]
    table = oracle.Table(front=cards - 5)
    unique = {tuple(sorted(hand)): hand for hand in dealt if len(set(hand)) == cards}
    return tuple(oracle.SevenCards(hand, table) for hand in unique.values())


def set_by_engine(way: HouseWay) -> list[tuple[oracle.Value, oracle.Value]]:
    """The values of both hands as the engine sets them."""
    shape = Shape(hand=way.cards, front=way.front, joker_beats_ace=way.front == 1)
    numbers = [
        sorted(
            (4 * (rank - LOWEST) + suit if suit < 4 else 52 for rank, suit in hand.cards),
            key=lambda card: -(card ^ 3),
        )
        for hand in hands(way.cards)
    ]
    classes = own_classes(shape, np.array(numbers, dtype=np.int8))
    decisions = decide(way, hand_facts(classes, class_splits(classes)))
    assert not decisions.problems
    splits = class_splits(classes)
    found = []
    for row, hand in enumerate(hands(way.cards)):
        places = splits.fronts[decisions.split[row]]
        chosen = {int(classes.cards[row, place]) for place in places}
        front = {
            card
            for card in hand.cards
            if (52 if card == oracle.JOKER else 4 * (card[0] - LOWEST) + card[1]) in chosen
        }
        found.append(values(hand, tuple(front)))
    return found


@cache
def set_by_sentences(name: str) -> tuple[Set, ...]:
    way = load_way(name)
    groups = read_sections(way)
    return tuple(apply_groups(groups, hand) for hand in hands(way.cards))


def values(hand: oracle.SevenCards, front: oracle.Hand) -> tuple[oracle.Value, oracle.Value]:
    (setting,) = [each for each in hand.settings if set(each[2]) == set(front)]
    return setting[0], setting[1]


@pytest.mark.parametrize(
    "name", ["mini-pai-gow", *further(way for way in WAYS if way != "mini-pai-gow")]
)
def test_a_dealer_who_follows_the_sentences_sets_hands_as_they_are_counted(name: str) -> None:
    way = load_way(name)
    wrong = [
        (hand.cards, read.followed, read.front, counted)
        for hand, read, counted in zip(
            hands(way.cards), set_by_sentences(name), set_by_engine(way), strict=True
        )
        if values(hand, read.front) != counted
    ]
    assert not wrong, (len(wrong), wrong[:3])


@pytest.mark.parametrize("name", WAYS)
def test_the_hands_lie_around_every_limit_of_rank(name: str) -> None:
    # Otherwise the test above could pass with a wrong rank in a sentence.
    way = load_way(name)
    before, limits = house_way_words(way, wild=False).rules, 0
    for at, section in enumerate(way.sections):
        for place, rule in enumerate(section.exceptions):
            assert rule.when is not None
            for when in move_limits(
                rule.when, aces=asks_aces(rule.when) or asks_aces(section.when)
            ):
                exceptions = list(section.exceptions)
                exceptions[place] = replace(rule, when=when)
                sections = list(way.sections)
                sections[at] = replace(section, exceptions=tuple(exceptions))
                other = house_way_words(replace(way, sections=tuple(sections)), wild=False)
                sentence, changed = before[rule.id], other.rules[rule.id]
                assert changed != sentence, when
                mine, theirs = read_rule(sentence).holds, read_rule(changed).holds
                differ = any(mine(hand) != theirs(hand) for hand in hands(way.cards))
                assert differ or any(same in changed for same in SAME), changed
                limits += 1
    assert limits or name == "mini-pai-gow"


def asks_aces(condition: Condition) -> bool:
    return any(test.values == ("A",) for test in asked_of(condition))


def move_limits(condition: Condition, *, aces: bool) -> Iterator[Condition]:
    """The condition with each limit of rank moved to the next rank, one at a time.

    A rank that no hand can have there is left: two pair has no higher pair of twos, and where
    ``aces`` are asked for elsewhere, they are nothing else.
    """
    match condition:
        case FeatureTest(feature=feature, values=ranks) if feature in RANK_FEATURES:
            held = [RANKS.index(str(rank)) for rank in ranks]
            most = len(RANKS) - (2 if aces or feature == "low_pair" else 1)
            if held[-1] < most:
                yield replace(condition, values=(*ranks, RANKS[held[-1] + 1]))
            if held[0] > (1 if feature == "high_pair" else 0):
                yield replace(condition, values=(RANKS[held[0] - 1], *ranks))
        case AllOf(conditions=parts) | AnyOf(conditions=parts):
            for at, part in enumerate(parts):
                for other in move_limits(part, aces=aces):
                    yield replace(condition, conditions=(*parts[:at], other, *parts[at + 1 :]))
        case Not(condition=part):
            yield from (Not(condition=other) for other in move_limits(part, aces=aces))


@pytest.mark.parametrize("name", WAYS)
def test_every_sentence_sets_a_hand(name: str) -> None:
    followed = {sentence for read in set_by_sentences(name) for sentence in read.followed}
    sentences = {
        rule.text
        for section in number_sections(load_way(name), Dealt(wild=False))
        for rule in section.rules
    }
    assert sentences - followed == set()
