import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.figures.evaluate import Settings, evaluate
from certify.figures.play import audit_house_ways
from certify.figures.targets import select
from certify.intake.read import read_catalog
from certify.model.finding import Unfit
from certify.model.game import JokerRule
from certify.review.check import check

GAME = "commission-free-pai-gow-express"


def test_declared_house_ways_are_sound_with_every_joker_rule_that_is_allowed() -> None:
    catalog, _ = read_catalog(library.paytables())
    found = audit_house_ways(catalog)
    assert {item.audit.house_way for item in found} == set(catalog.house_ways)
    assert [problem for item in found for problem in item.audit.problems] == []
    assert all(sum(use.decided for use in item.audit.uses) == item.audit.hands for item in found)
    wild = [item for item in found if item.joker is JokerRule.FULLY_WILD]
    assert wild
    assert not any(item.own_joker for item in wild)


def test_main_wager_with_a_house_way_that_leaves_a_hand_open_has_no_figure() -> None:
    selection = select(f"{GAME}/main")
    catalog = selection.catalog
    way = catalog.house_ways[selection.game.house_way]
    left_open = replace(way, sections=way.sections[1:])
    altered = replace(catalog, house_ways={**catalog.house_ways, way.id: left_open})
    with pytest.raises(Unfit) as raised:
        evaluate(replace(selection, catalog=altered), Settings())
    assert {finding.code for finding in raised.value.findings} == {"H004"}
    assert all(finding.file.endswith(f"{way.id}.json") for finding in raised.value.findings)


@pytest.mark.long
def test_file_of_a_house_way_is_audited_in_any_folder(tmp_path: Path) -> None:
    declared = library.paytables() / "house-ways" / "foxwoods.json"
    path = tmp_path / "mine.json"
    own = {"id": "mine", "source": {"document": "mine", "clause": "House way"}}
    value = json.loads(declared.read_text(encoding="utf-8")) | own
    path.write_text(json.dumps(value), encoding="utf-8")
    assert [finding.code for finding in check([path]).findings] == []
    value["sections"].pop()
    path.write_text(json.dumps(value), encoding="utf-8")
    found = check([path]).findings
    assert [finding.code for finding in found] == ["H004"]
    assert found[0].pointer == "/sections"
