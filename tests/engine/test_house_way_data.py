import json
from typing import Any

import pytest

from certify import library
from certify.intake.decode import decode
from certify.intake.schema import describe_values
from certify.model.game import RANKS
from certify.model.vocabulary import RANK_FEATURES, Category, Groups, HouseWayFeature


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
