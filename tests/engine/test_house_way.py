"""The declared house ways: worked examples, the slow twin, and their data."""

import json
import random
from collections import Counter
from functools import cache, lru_cache
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from certify import library
from certify.engine.house_way.audit import ChosenSplits, audit, chosen_splits, set_hand
from certify.engine.house_way.features import GROUPS_ORDER, hand_facts
from certify.intake.decode import decode
from certify.intake.schema import describe_values
from certify.kernels.class_arrays import HandClasses, Splits, class_splits, hand_classes
from certify.kernels.features import CATEGORY_SHIFT, STRAIGHT, STRAIGHT_FLUSH, Shape, category
from certify.model.game import RANKS, SUITS
from certify.model.house_way import HouseWay, HouseWayAudit
from certify.model.vocabulary import RANK_FEATURES, Category, Groups, HouseWayFeature
from certify_recount.set_hands import WILD, Card, Rules, Table
from tests.marks import further
from tests.oracle import house_way as oracle

# The declared house ways: worked examples, the slow twin, and the audit over every hand.


SEVEN = ("foxwoods", "trump-plaza", "dealer-open-pai-gow")
ALL = (*SEVEN, "mini-pai-gow")
OTHERS = sorted(
    path.stem
    for path in (library.paytables() / "house-ways").glob("*.json")
    if path.stem not in ALL
)
"""House ways that no game names, restated publicly: held against the oracle, without examples."""

VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors" / "house-way"


@cache
def load_way(name: str) -> HouseWay:
    path = library.paytables() / "house-ways" / f"{name}.json"
    way: HouseWay = decode("house-way", json.loads(path.read_text(encoding="utf-8")))
    return way


def build_shape(name: str, **rules: Any) -> Shape:  # noqa: ANN401 - passed on as they are
    if load_way(name).front == 2:
        return Shape(**rules)
    return Shape(hand=6, front=1, joker_beats_ace=True, **rules)


@lru_cache(maxsize=4)
def count_classes(shape: Shape) -> tuple[HandClasses, Splits]:
    classes = hand_classes(shape)
    return classes, class_splits(classes)


@cache
def choose_splits(name: str, shape: Shape) -> ChosenSplits:
    return chosen_splits(load_way(name), *count_classes(shape))


@cache
def run_audit(name: str, shape: Shape) -> HouseWayAudit:
    return audit(load_way(name), *count_classes(shape))


def vectors() -> list[Any]:
    return [
        pytest.param(file.stem, hand, id=f"{file.stem}: {hand['clause']}: {hand['hand']}")
        for file in sorted(VECTORS.glob("*.json"))
        for hand in json.loads(file.read_text(encoding="utf-8"))["hands"]
    ]


@pytest.mark.parametrize(("name", "vector"), vectors())
def test_worked_example(name: str, vector: dict[str, str]) -> None:
    cards = vector["hand"].split()
    result = set_hand(load_way(name), build_shape(name), cards)
    assert set_hand(load_way(name), build_shape(name), cards[::-1]) == result
    letters = ["A" if card == "Jk" else card[0] for card in result.split.front]
    assert "".join(sorted(letters, key=RANKS.index, reverse=True)) == vector["front"]
    assert tuple(Category)[category(result.split.keys.back)] == vector["back"]
    assert result.rule.id == vector["rule"]


@pytest.mark.parametrize("name", ALL)
def test_every_rule_has_a_worked_example(name: str) -> None:
    used = set()
    for vector in json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["hands"]:
        result = set_hand(load_way(name), build_shape(name), vector["hand"].split())
        used |= {result.rule.id, *(sent.rule for sent in result.sent_by)}
    assert {rule.id for rule in load_way(name).rules} == used


@pytest.mark.parametrize("name", [*ALL, *further(OTHERS)])
def test_exactly_one_rule_decides_every_hand(name: str) -> None:
    shape = build_shape(name)
    found = run_audit(name, shape)
    assert found.problems == ()
    assert found.idle == ()
    assert found.hands == comb(53, shape.hand)
    assert sum(use.decided for use in found.uses) == comb(53, shape.hand)


@pytest.mark.parametrize("name", [SEVEN[0], *further([*SEVEN[1:], *OTHERS])])
@pytest.mark.parametrize("rules", [{"wild": True}, {"low_wheel": True}, {"joker": False}])
def test_other_rules_of_rank_leave_no_hand_open(name: str, rules: dict[str, bool]) -> None:
    assert run_audit(name, build_shape(name, **rules)).problems == ()


def test_high_card_hands_are_as_many_as_published() -> None:
    # Pai gow hands by top card, nine to ace: reference of the published counts.
    pai_gow = 31_080 + 248_640 + 963_480 + 2_719_500 + 6_386_940 + 14_430_780
    for name, rule in zip(SEVEN, ("no-pair.base", "no-pair.base", "high-card.base"), strict=True):
        uses = {use.rule: use.decided for use in run_audit(name, build_shape(name)).uses}
        assert uses[rule] == pai_gow


def test_five_aces_are_as_many_as_there_are_two_other_cards() -> None:
    for name in SEVEN:
        uses = {use.rule: use.decided for use in run_audit(name, build_shape(name)).uses}
        assert uses["five-aces.base"] + uses["five-aces.with-kings"] == comb(48, 2)
        assert uses["five-aces.with-kings"] == comb(4, 2)


def test_foxwoods_would_split_as_many_three_of_a_kind_as_its_assumption_states() -> None:
    # Three ranks, the highest held three times; with the joker, three aces above two pairs.
    natural = comb(13, 3) * 4 * comb(4, 2) ** 2
    joker = comb(4, 2) * comb(12, 2) * comb(4, 2) ** 2
    effects = [statement.effect or "" for statement in load_way("foxwoods").assumptions]
    assert any(f"in {natural + joker:,} of the {comb(53, 7):,} hands" in text for text in effects)


def test_mini_plays_the_higher_of_two_straights_as_often_as_its_record_states() -> None:
    # The joker between the two highest or the two lowest of five ranks such as K-J-10-9-7, from
    # ace high down to 7-5-4-3-A; no four of one suit, or all five, ace high being a royal flush.
    straights = 8 * (4**5 - 4 * 5 * 3 - 4)
    straight_flushes = 4 * 7
    path = library.paytables() / "mini-pai-gow" / "discrepancies.json"
    records = json.loads(path.read_text(encoding="utf-8"))["discrepancies"]
    record = next(record for record in records if record["id"] == "house-way-lower-straight")
    changed = straights + straight_flushes
    assert record["effect"].startswith(f"{changed:,} of the {comb(53, 6):,} hands")
    shape = build_shape("mini-pai-gow")
    classes, settings = count_classes(shape)
    rows = np.arange(len(classes.plain))
    kept = settings.high[rows, choose_splits("mini-pai-gow", shape).split]
    category = kept >> CATEGORY_SHIFT
    two = (settings.high >> CATEGORY_SHIFT == category[:, None]) & (settings.high < kept[:, None])
    five = ~find_sequences(classes) & np.isin(category, [STRAIGHT, STRAIGHT_FLUSH])
    assert int(classes.plain[five & two.any(axis=1)].sum()) == changed


def find_sequences(classes: HandClasses) -> npt.NDArray[np.bool_]:
    ranks = np.where(classes.cards < 52, classes.cards // 4 + 2, 0).astype(np.int64)
    found = np.zeros(len(ranks), dtype=np.bool_)
    for ace in (14, 1):
        line = np.where(ranks == 14, ace, ranks)
        least = np.where(line == 0, 99, line).min(axis=1)
        unlike = (np.diff(np.sort(line, axis=1), axis=1) > 0).all(axis=1)
        found |= unlike & (line.max(axis=1) - least <= 5)
    return found


def natural_card(card: int, ranks: int) -> oracle.Card:
    return oracle.JOKER if card == 4 * ranks else (15 - ranks + card // 4, card % 4)


def check_row(
    names: tuple[str, ...], shape: Shape, row: int, dealt: tuple[oracle.Card, ...] | None = None
) -> None:
    """Compare the settings of a class with the twin's, of its own hand or of another one."""
    classes, settings = count_classes(shape)
    table = oracle.Table(lowest=15 - shape.ranks, low_wheel=shape.low_wheel, front=shape.front)
    cards = tuple(natural_card(int(card), shape.ranks) for card in classes.cards[row])
    hand = oracle.SevenCards(dealt or cards, table)
    for name in names:
        positions = set(settings.fronts[choose_splits(name, shape).split[row]].tolist())
        front = tuple(card for place, card in enumerate(cards) if place in positions)
        back = tuple(card for place, card in enumerate(cards) if place not in positions)
        expected = oracle.HOUSE_WAYS[name](hand)
        assert (oracle.front_value(front), oracle.back_value(back, table)) == (
            oracle.front_value(expected[0]),
            oracle.back_value(expected[1], table),
        ), f"{name}: {cards}: {front} is set, {expected[0]} is expected"


def check_rows(names: tuple[str, ...], shape: Shape, rows: npt.NDArray[np.int64]) -> None:
    for row in rows:
        check_row(names, shape, row)


@pytest.mark.parametrize("names", [SEVEN, OTHERS, ("mini-pai-gow",)])
@pytest.mark.parametrize("rules", [{}, *further([{"low_wheel": True}, {"joker": False}])])
def test_the_twin_agrees_on_every_class_of_a_small_deck(
    names: tuple[str, ...], rules: dict[str, bool]
) -> None:
    shape = build_shape(names[0], ranks=6, **rules)
    check_rows(names, shape, np.flatnonzero(count_classes(shape)[0].plain))


@pytest.mark.parametrize("name", [*ALL, *further(OTHERS)])
def test_the_twin_agrees_on_hands_of_every_rule(name: str) -> None:
    shape = build_shape(name)
    generator = np.random.default_rng(7)
    plain = count_classes(shape)[0].plain
    for rule in range(len(load_way(name).rules)):
        rows = np.flatnonzero((choose_splits(name, shape).rule == rule) & (plain > 0))
        check_rows((name,), shape, generator.permutation(rows)[:12])


@pytest.mark.parametrize("names", [SEVEN, OTHERS, ("mini-pai-gow",)])
def test_the_twin_agrees_on_random_hands(names: tuple[str, ...]) -> None:
    check_random_hands(names, 500)


@pytest.mark.slow
@pytest.mark.parametrize("names", [SEVEN, OTHERS, ("mini-pai-gow",)])
def test_the_twin_agrees_on_many_random_hands(names: tuple[str, ...]) -> None:
    check_random_hands(names, 50_000)


@pytest.mark.slow
@pytest.mark.parametrize("names", [(name,) for name in (*ALL, *OTHERS)])
def test_the_twin_agrees_on_every_class_of_the_full_deck(names: tuple[str, ...]) -> None:
    shape = build_shape(names[0])
    check_rows(names, shape, np.flatnonzero(count_classes(shape)[0].plain))


def check_random_hands(names: tuple[str, ...], hands: int) -> None:
    """Deal hands, find their class the obvious way, and compare the hand itself with the class."""
    shape = build_shape(names[0])
    classes, _ = count_classes(shape)
    rows = {
        (int(counts), bool(joker), int(flush), int(others)): row
        for row, (counts, joker, flush, others) in enumerate(
            zip(classes.counts, classes.joker, classes.flush, classes.others, strict=True)
        )
    }
    dealer = random.Random(20)  # noqa: S311 - a seeded sample, no secret
    for _ in range(hands):
        dealt = dealer.sample(range(shape.cards), shape.hand)
        row = rows[class_code(dealt, shape)]
        check_row(names, shape, row, tuple(natural_card(card, 13) for card in dealt))


def class_code(dealt: list[int], shape: Shape) -> tuple[int, bool, int, int]:
    joker = 4 * shape.ranks in dealt
    natural = [card for card in dealt if card < 4 * shape.ranks]
    counts = sum(1 << (4 * (card // 4)) for card in natural)
    for suit in range(4):
        suited = [card for card in natural if card % 4 == suit]
        if len(suited) + joker >= shape.back:
            flush = sum(1 << (card // 4) for card in suited)
            others = sum(1 << (4 * (card // 4)) for card in natural if card % 4 != suit)
            return counts, joker, flush, others
    return counts, joker, 0, 0


def test_a_hand_set_alone_is_set_as_its_class() -> None:
    name, shape = "foxwoods", build_shape("foxwoods")
    classes, _ = count_classes(shape)
    for row in np.random.default_rng(3).permutation(np.flatnonzero(classes.plain))[:60]:
        cards = [
            "Jk" if card == 52 else RANKS[card // 4] + SUITS[card % 4]
            for card in classes.cards[row].tolist()
        ]
        alone = set_hand(load_way(name), shape, cards)
        assert alone.rule is load_way(name).rules[int(choose_splits(name, shape).rule[row])]


@pytest.fixture(scope="module")
def definitions() -> dict[str, Any]:
    path = library.schemas() / "house-way.schema.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["$defs"]
    return found


def test_the_schema_lists_what_the_model_knows(definitions: dict[str, Any]) -> None:
    asked = set(definitions["condition"]["properties"]) - {"all", "any", "not"}
    assert asked == set(HouseWayFeature)
    assert list(describe_values("common", "/$defs/rank")) == list(RANKS)
    by_rank = {
        name
        for name, feature in definitions["condition"]["properties"].items()
        if feature.get("$ref") == "#/$defs/rank_test"
    }
    assert by_rank == set(RANK_FEATURES)


def test_hands_have_the_same_names_in_events_and_in_house_ways() -> None:
    declared = json.loads((library.paytables() / "events.json").read_text(encoding="utf-8"))
    events = {event["id"] for event in declared["events"]}
    assert set(Category) - events == {Category.HIGH_CARD}
    for words in Groups:
        for name in words.removeprefix("two_sets_of_").split("_and_"):
            assert name in {Groups.NO_PAIR} | events


def test_assumptions_are_listed_with_what_they_would_change() -> None:
    folder = library.paytables() / "house-ways"
    for path in sorted(folder.glob("*.json")):
        way = decode("house-way", json.loads(path.read_text(encoding="utf-8")))
        assert way.id == path.stem
        assert len({statement.id for statement in way.assumptions}) == len(way.assumptions)
        assert all(statement.effect for statement in way.assumptions)
        assert all(rule.source.document == way.source.document for rule in way.rules)
    names = {path.stem for path in folder.glob("*.json")}
    assert names >= {"dealer-open-pai-gow", "foxwoods", "mini-pai-gow", "trump-plaza"}


SINGLETONS = [
    HouseWayFeature.HIGHEST_SINGLETON,
    HouseWayFeature.SECOND_SINGLETON,
    HouseWayFeature.THIRD_SINGLETON,
    HouseWayFeature.FOURTH_SINGLETON,
    HouseWayFeature.FIFTH_SINGLETON,
]


WRITTEN = {
    *SINGLETONS,
    HouseWayFeature.STRAIGHT_RANK,
    HouseWayFeature.HIGH_PAIR,
    HouseWayFeature.LOW_PAIR,
    HouseWayFeature.THREE_OF_A_KIND,
    HouseWayFeature.FOUR_OF_A_KIND,
}


def build_rules(shape: Shape) -> Rules:
    return Rules(
        ranks=shape.ranks, jokers=int(shape.joker), cards=shape.hand, back=shape.back,
        front=shape.front, wild=shape.wild, low_wheel=shape.low_wheel, joker_beats_ace=False,
    )  # fmt: skip


def convert_cards(shape: Shape, cards: list[int]) -> tuple[Card, ...]:
    """Return ranks, each with whether it is of the suit of a flush, if there is one."""
    natural = [card for card in cards if card < 4 * shape.ranks]
    jokers = len(cards) - len(natural)
    suit, most = Counter(card % 4 for card in natural).most_common(1)[0]
    flush = most + jokers >= shape.back
    hand = sorted(((card // 4, flush and card % 4 == suit) for card in natural), reverse=True)
    return (*hand, *[(WILD, True)] * jokers)


def read_ranks(shape: Shape, cards: list[int]) -> dict[str, int]:
    """Ranks count from 1; the joker is with the aces, or fully wild with the most held."""
    held = [card // 4 + 1 for card in cards if card < 4 * shape.ranks]
    joker = len(held) < len(cards)
    runs = [[shape.ranks, *range(1, shape.back)]]
    runs += [list(range(low, low + shape.back)) for low in range(1, shape.ranks - shape.back + 2)]
    formed = [run[-1] for run in runs if len(set(run) - set(held)) <= joker]
    if joker:
        most = max(held, key=lambda rank: (held.count(rank), rank))
        held.append(most if shape.wild else shape.ranks)
    alone = sorted((rank for rank in held if held.count(rank) == 1), reverse=True)
    return {
        HouseWayFeature.STRAIGHT_RANK: max(formed, default=0),
        **dict(zip(SINGLETONS, [*alone, 0, 0, 0, 0, 0], strict=False)),
    }


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(Shape(), marks=pytest.mark.further),
        pytest.param(Shape(wild=True), marks=pytest.mark.further),
        Shape(ranks=9, joker=False),
        Shape(ranks=6, hand=6, front=1),
        Shape(ranks=4, hand=4, front=1, wild=True),
    ],
    ids=["whole deck", "fully wild", "nine ranks", "six ranks", "four ranks"],
)
def test_tests_of_a_house_way_agree_in_both_counts(shape: Shape) -> None:
    classes = hand_classes(shape)
    facts = hand_facts(classes, class_splits(classes))
    table = Table(build_rules(shape), None)
    dice = random.Random(7)  # noqa: S311 - hands to compare
    size = len(classes.cards)
    seen = set()
    for row in dice.sample(range(size), min(size, 3000)):
        cards = [int(card) for card in classes.cards[row]]
        expected = read_ranks(shape, cards)
        hand = convert_cards(shape, cards)
        _, kinds = table.splits(hand)
        features = table.features(hand, kinds)
        for name, rank in expected.items():
            assert facts.features[name][row] == rank, (name, cards)
        for feature, value in features.items():
            kept = facts.features[HouseWayFeature(feature)][row]
            if feature == HouseWayFeature.GROUPS:
                assert GROUPS_ORDER[kept] == value, cards
            elif feature == HouseWayFeature.BEST_HAND:
                assert list(Category)[kept] == value, cards
            elif feature in WRITTEN:
                assert kept == (0 if value is None else value + 1), (feature, cards)
            else:
                assert kept == value, (feature, cards)
        seen.add(expected[HouseWayFeature.STRAIGHT_RANK])
    assert {0, shape.back - 1, shape.ranks} <= seen or shape.ranks == shape.back + 1
