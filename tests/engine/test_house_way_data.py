import json
from typing import Any

import pytest

from certify import library
from certify.engine.house_way.features import CATEGORIES
from certify.intake.decode import condition, decode
from certify.kernels import features
from certify.model.condition import AllOf, AnyOf, FeatureTest, Not
from certify.model.game import RANKS
from certify.model.house_way import HighestFront
from certify.model.vocabulary import RANK_FEATURES, Category, Groups, HouseWayFeature, NamedFront


@pytest.fixture(scope="module")
def definitions() -> dict[str, Any]:
    path = library.schemas() / "house-way.schema.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["$defs"]
    return found


def test_the_schema_lists_what_the_model_knows(definitions: dict[str, Any]) -> None:
    asked = set(definitions["condition"]["properties"]) - {"all", "any", "not"}
    assert asked == set(HouseWayFeature)
    assert definitions["category"]["enum"] == list(Category)
    assert definitions["groups_name"]["enum"] == list(Groups)
    assert definitions["named_front"]["enum"] == list(NamedFront)
    assert definitions["rank"]["enum"] == list(RANKS)
    assert set(definitions["highest_front"]["properties"]) == set(HighestFront.__slots__)
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


def test_categories_have_the_order_of_the_kernels() -> None:
    assert [getattr(features, name.upper()) for name in CATEGORIES] == list(range(len(CATEGORIES)))


def test_a_range_of_ranks_is_each_of_its_ranks() -> None:
    assert condition({"high_pair": {"min": "9", "max": "J"}}) == FeatureTest(
        feature="high_pair", values=("9", "T", "J")
    )
    assert condition({"low_pair": {"max": "3"}}) == FeatureTest(
        feature="low_pair", values=("2", "3")
    )
    assert condition({"three_of_a_kind": None}) == FeatureTest(
        feature="three_of_a_kind", values=(None,)
    )


def test_every_property_of_a_condition_must_hold() -> None:
    joker = FeatureTest(feature="joker", values=(True,))
    four = FeatureTest(feature="groups", values=("four_of_a_kind",))
    assert condition({"joker": True, "not": {"groups": "four_of_a_kind"}}) == AllOf(
        conditions=(joker, Not(condition=four))
    )
    assert condition({"any": [{"joker": True}, {"groups": ["four_of_a_kind"]}]}) == AnyOf(
        conditions=(joker, four)
    )


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


def test_an_assumption_covers_each_missing_instruction_of_the_source() -> None:
    path = library.paytables() / "house-ways" / "dealer-open-pai-gow.json"
    way = decode("house-way", json.loads(path.read_text(encoding="utf-8")))
    ids = {statement.id for statement in way.assumptions}
    assert "four-of-a-kind.super-full-house" in ids
