import json
from pathlib import Path

import pytest
from msgspec.structs import replace

import certify_recount
from certify import library
from certify.errors import NotConfigured
from certify.figures import crosscheck as room
from certify.figures.crosscheck import CrosscheckRequest, CrosscheckResult, crosscheck
from certify.figures.second_counts import EXACT, compared_option
from certify.figures.targets import Selection, select
from certify.model.analysis import Analysis
from certify.model.comparison import CrossCheck, SecondCount
from certify.model.game import Deck, Strategy
from tests.declared_files import with_files, write_files
from tests.engine.small_games import TINY, fresh_counts, house_way

__all__ = ("fresh_counts",)


def tiny(target: str) -> Selection:
    """Select a target, dealt from the tiny deck, both sides set by one house way."""
    declared = select(target)
    way = house_way(TINY.house_way)
    game = replace(TINY.shrink(declared.game), house_ways=(way.id,))
    known = declared.catalog
    known = replace(known, house_ways={**known.house_ways, way.id: way})
    files = write_files(game, *(record for _, record in declared.records), house_way=way)
    return replace(declared, catalog=with_files(known, files), game=game)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "select_sound", tiny)


def main_wager(name: str) -> str:
    game = select(name).game
    return next(option.target for wager in game.wagers for option in wager.options)


def outcome(checked: CrosscheckResult) -> list[tuple[str | None, Strategy | None]]:
    assert checked.findings == ()
    for check in checked.checks:
        assert [comparison.event for comparison in check.comparisons if not comparison.agrees] == []
    return [(check.method, check.strategy) for check in checked.checks]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["emperors-challenge-exposed", "mini-pai-gow"])
def test_a_main_wager_is_recounted_for_each_strategy(name: str) -> None:
    target = main_wager(name)
    own = select(target).game.strategy
    assert outcome(crosscheck(CrosscheckRequest(target=target))) == [(EXACT, own)]
    both = crosscheck(CrosscheckRequest(target=target, again=True))
    assert outcome(both) == [(EXACT, each) for each in Strategy]
    by_house = CrosscheckRequest(target=target, again=True, strategy=Strategy.HOUSE_WAY)
    assert outcome(crosscheck(by_house)) == [(EXACT, Strategy.HOUSE_WAY)]
    assert both.checked == (f"paytables/{target}.json",)
    assert both.kept is None


@pytest.mark.usefixtures("small")
def test_verification_counts_are_stored_and_reused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "own_paytables", lambda: tmp_path)
    target = main_wager("mini-pai-gow")
    checked = crosscheck(CrosscheckRequest(target=target, store=True))
    assert checked.kept == tmp_path / "mini-pai-gow" / "second-counts.json"
    counts = json.loads(checked.kept.read_text())["counts"]
    mine = [count for count in counts if count["house_way"] == TINY.house_way]
    assert [(count["target"], count["strategy"]) for count in mine] == [
        (target, str(strategy)) for strategy in sorted(Strategy)
    ]
    assert {count["digest"] for count in mine} == {check.digest for check in checked.checks}
    assert {count["recount"] for count in mine} == {certify_recount.digest()}
    before = select(target).catalog.second_counts["mini-pai-gow"]
    assert len(counts) == len(before) + len(mine)


@pytest.mark.usefixtures("small")
def test_counts_that_differ_are_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "own_paytables", lambda: tmp_path)

    def differ(analysis: Analysis, second: SecondCount) -> CrossCheck:
        rows = {**second.rows, "win": second.rows["win"] + 1}
        return compared_option(analysis, replace(second, rows=rows))

    monkeypatch.setattr(room, "compared_option", differ)
    target = main_wager("mini-pai-gow")
    checked = crosscheck(CrosscheckRequest(target=target, store=True))
    assert (checked.agrees, checked.kept) == (False, None)
    assert not (tmp_path / "mini-pai-gow").exists()


def test_a_bonus_wager_is_recounted(monkeypatch: pytest.MonkeyPatch) -> None:
    found = select("mini-pai-gow/bonus")
    hands = replace(found.game.hands, deck=Deck(ranks=7, joker=found.game.hands.deck.joker))
    game = replace(found.game, hands=hands)
    seven = replace(found, game=game, catalog=with_files(found.catalog, write_files(game)))
    monkeypatch.setattr(room, "select_sound", lambda _: seven)
    recounted = crosscheck(CrosscheckRequest(target="mini-pai-gow/bonus"))
    assert {method for method, _ in outcome(recounted)} == {EXACT}


def test_a_wager_without_a_paytable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(select("mini-pai-gow"), records=())
    monkeypatch.setattr(room, "select_sound", lambda _: bare)
    with pytest.raises(NotConfigured, match="no paytable to recount"):
        crosscheck(CrosscheckRequest(target="mini-pai-gow"))


def test_counts_of_a_game_without_a_folder_cannot_be_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = select("mini-pai-gow/bonus")
    elsewhere = replace(found, game=replace(found.game, id="elsewhere"))
    monkeypatch.setattr(room, "select_sound", lambda _: elsewhere)
    with pytest.raises(NotConfigured, match="not in a project or library"):
        crosscheck(CrosscheckRequest(target="elsewhere", store=True))
