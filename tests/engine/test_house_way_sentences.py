"""The printed sentences of every house way set hands as they are counted.

A dealer who knows only the sentences (`tests/oracle/house_way_sentences.py`) sets hands around
every limit of rank; the engine sets them from the conditions.
"""

import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from certify import library
from certify.engine.house_way.compiler import decide
from certify.engine.house_way.features import hand_facts
from certify.kernels.class_arrays import class_splits, own_classes
from certify.kernels.features import Shape
from certify.model.condition import AllOf, AnyOf, Condition, FeatureTest, Not
from certify.model.condition import iter_tests as asked_of
from certify.model.game import RANKS, JokerRule
from certify.model.house_way import HouseWay
from certify.model.vocabulary import RANK_FEATURES
from certify.report.rules.house_way import number_sections
from certify.words.house_ways import house_way_words
from tests.engine.test_house_way import load_way
from tests.marks import long
from tests.oracle import house_way as oracle
from tests.oracle.house_way_sentences import Group, Set, apply_groups, read_group, read_rule

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
        for section in number_sections(way, JokerRule.BUG)
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
    "name", ["mini-pai-gow", *long(way for way in WAYS if way != "mini-pai-gow")]
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
        for section in number_sections(load_way(name), JokerRule.BUG)
        for rule in section.rules
    }
    assert sentences - followed == set()
