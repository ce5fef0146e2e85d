import json
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from certify import library
from certify.api import explain
from certify.declare import blank, new
from certify.declare.blank import WagerRequest
from certify.declare.new import GameRequest
from certify.errors import NotConfigured
from certify.explanations.worked_examples import bonus_examples
from certify.figures.crosscheck import CrosscheckRequest, crosscheck
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import Selection, select
from certify.model.analysis import Analysis
from certify.model.explanation import BonusExplanation
from certify.model.game import Wager
from certify.model.paytable import Paytable
from certify.report.evidence import analysis_json
from certify.review.check import check

GAME = "emperors-challenge-exposed"
SOURCE = {"document": GAME, "clause": "a wager for tests"}
FULL_HOUSE = {
    "any": [
        {"of_a_kind": {"min": 4}},
        {"of_a_kind": 3, "second_of_a_kind": {"min": 2}},
        {"straight_flush_length": {"min": 5}},
    ]
}
EVENTS: list[dict[str, Any]] = [
    {"id": "low_hand_nine_high", "when": {"low_hand": {"pai_gow_high": "9"}}},
    {
        "id": "full_house_beaten",
        "either": [
            {"player": FULL_HOUSE, "compare": {"best_hand": "dealer"}},
            {"dealer": FULL_HOUSE, "compare": {"best_hand": "player"}},
        ],
    },
    {"id": "both_hands_copied", "compare": {"high_hand": "copy", "low_hand": "copy"}},
    {"id": "player_takes_both", "compare": {"high_hand": "player", "low_hand": "player"}},
    {
        "id": "dealer_takes_both",
        "compare": {"high_hand": ["dealer", "copy"], "low_hand": ["dealer", "copy"]},
    },
]
TABLES = {
    "tiger-nine": ("dealer", [("low_hand_nine_high", "30 to 1")]),
    "bad-beat": ("both", [("full_house_beaten", "100 to 1")]),
    "round": ("both", [("player_takes_both", "1 to 1"), ("dealer_takes_both", "push")]),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("library")
    shutil.copytree(library.paytables(), folder / "paytables")
    paytables = folder / "paytables"
    vocabulary = paytables / "events.json"
    declared = json.loads(vocabulary.read_text(encoding="utf-8"))
    declared["events"] += [
        {"text": f"It is {event['id']}.", "source": SOURCE, **event} for event in EVENTS
    ]
    vocabulary.write_text(json.dumps(declared), encoding="utf-8")
    for wager, (hand, rows) in TABLES.items():
        (paytables / GAME / wager).mkdir()
        shared = {"game": GAME, "hand": hand, "source": SOURCE}
        about = {"id": wager, "name": wager, "kind": "bonus", "rules": [], **shared}
        table = {
            "id": "1",
            "wager": wager,
            "name": wager,
            "cards": 7,
            "award": "first_row_contained",
            "rows": [{"event": event, "name": event, "pays": pays} for event, pays in rows],
            **shared,
        }
        for name, value in (("wager", about), ("1", table)):
            path = paytables / GAME / wager / f"{name}.json"
            path.write_text(json.dumps(value), encoding="utf-8")
    game = json.loads((paytables / GAME / "game.json").read_text(encoding="utf-8"))
    game["wagers"] += [*TABLES]
    (paytables / GAME / "game.json").write_text(json.dumps(game), encoding="utf-8")
    for name in ("schemas", "templates"):
        (folder / name).symlink_to(library.root() / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CERTIFY_LIBRARY", str(folder))
        yield paytables


def find_table(wager: str) -> tuple[Selection, Wager, Paytable]:
    selection = select(f"{GAME}/{wager}/1")
    ((about, table),) = selection.records
    assert isinstance(table, Paytable)
    return selection, about, table


def explain_wager(wager: str, player: str, dealer: str | None = None) -> BonusExplanation:
    (found,) = explain(f"{GAME}/{wager}/1", player, dealer=dealer).records
    assert isinstance(found, BonusExplanation)
    return found


def evaluate_wager(wager: str, **settings: Any) -> Analysis:  # noqa: ANN401 - of several types
    return evaluate(select(f"{GAME}/{wager}/1"), Settings(**settings))[0]


@pytest.mark.usefixtures("project")
def test_a_low_hand_as_set_has_the_published_figures() -> None:
    """Fortune Commission Free Pai Gow Poker's Tiger 9, by the Trump Plaza house way.

    Wizard of Odds (3 October 2013) prints 0.025007 and a house edge of 22.48 %, not from a count of
    every hand; its page does not say how many hands were dealt.
    """
    tiger = evaluate_wager("tiger-nine", house_way="trump-plaza")
    chance, edge = tiger.rows[0].probability, tiger.house_edge
    assert tiger.total == 154_143_080
    assert abs(chance - Fraction("0.025007")) < Fraction("0.00001")
    assert edge == 1 - 31 * chance
    assert abs(edge - Fraction("0.2248")) < Fraction("0.0003")


@pytest.mark.usefixtures("project")
def test_the_house_way_is_named_and_can_be_chosen() -> None:
    own, other = (
        evaluate_wager("tiger-nine"),
        evaluate_wager("tiger-nine", house_way="dealer-open-pai-gow"),
    )
    assert (own.house_way, other.house_way) == ("foxwoods", "dealer-open-pai-gow")
    assert analysis_json(own)["house_way"] == "foxwoods"
    assert any(file.path.endswith("house-ways/foxwoods.json") for file in own.inputs)
    (said,) = [assumption.text for assumption in own.assumptions if assumption.id == "set-hands"]
    assert "Foxwoods house way" in said
    # The source's own house way puts a lower second pair into fewer high hands.
    assert own.rows[0].combinations < other.rows[0].combinations
    with pytest.raises(NotConfigured, match="has no effect"):
        evaluate(select(f"{GAME}/pai-gow-insurance"), Settings(house_way="foxwoods"))


@pytest.mark.usefixtures("project")
def test_explain_prints_the_setting_of_the_hand() -> None:
    won = explain_wager("tiger-nine", "As 9d 8c 6h 5s 3c 2d")
    lost = explain_wager("tiger-nine", "As Qd 9c 6h 5s 3c 2d")
    assert (won.event, won.pays, won.house_way) == ("low_hand_nine_high", "30 to 1", "foxwoods")
    assert won.dealer is not None
    assert won.dealer.low_hand == ("9d", "8c")
    assert "the high hand is As 6h 5s 3c 2d and the low hand 9d 8c" in won.text
    (row,) = lost.rows
    assert row.reason == (
        "it requires a nine as the highest card in the low hand; the low hand has a queen as the "
        "highest card"
    )


@pytest.mark.usefixtures("project")
def test_explain_prints_the_higher_hand() -> None:
    """A full house is beaten by another; the other way round it is the dealer's that is beaten."""
    nines, kings = "9s 9d 9c 4h 4s 2c 7d", "Ks Kd Kc 3h 3s 5c 8d"
    for player, dealer in ((nines, kings), (kings, nines)):
        found = explain_wager("bad-beat", player, dealer)
        assert (found.event, found.pays) == ("full_house_beaten", "100 to 1")
    found = explain_wager("bad-beat", kings, "As Qd 9c 6h 5s 2h 2d")
    (row,) = found.rows
    assert (
        "of the best hands it requires that the dealer's is higher; the player's is higher"
        in row.reason
    )
    assert ", or else of the dealer's hand: it requires" in row.reason


@pytest.mark.usefixtures("project")
def test_worked_examples_show_the_hand_as_set() -> None:
    selection, wager, table = find_table("tiger-nine")
    way = selection.catalog.house_ways["foxwoods"]
    made = {
        bonus_example.kind: bonus_example.dealer
        for bonus_example in bonus_examples(
            table, wager, selection.catalog.events, selection.game, way
        )
    }
    assert {"win", "lose"} <= made.keys()
    shown = made["win"]
    assert shown is not None
    assert max(card[0] for card in shown.front) == "9"
    assert len(shown.back) == 5


@pytest.mark.usefixtures("project")
@pytest.mark.slow
def test_hands_as_set_and_compared_are_counted_a_second_time() -> None:
    for wager in TABLES:
        (checked,) = crosscheck(CrosscheckRequest(target=f"{GAME}/{wager}/1")).checks
        assert checked.agrees, checked


def test_a_declared_table_is_checked(project: Path) -> None:
    path = project / GAME / "tiger-nine" / "1.json"
    assert [
        finding.message for finding in check((path,)).findings if finding.severity == "error"
    ] == []
    short = json.loads(path.read_text(encoding="utf-8")) | {"cards": 3}
    path.write_text(json.dumps(short), encoding="utf-8")
    (fault,) = [finding for finding in check((path,)).findings if finding.severity == "error"]
    assert (fault.code, fault.pointer) == ("P014", "/cards")
    assert fault.message.startswith("Hands are set and compared with all 7 cards")
    path.write_text(json.dumps(short | {"cards": 7}), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("project")
def test_a_round_won_is_the_base_game_won() -> None:
    """Both hands higher is a win of the base game, which was counted a second time by other code.

    An option in which no dealer's hand ends the round: every deal is settled by the comparison.
    """
    selection = select(f"{GAME}/round/1")
    found = evaluate(selection, Settings())[0]
    (kept,) = [
        second_count
        for second_count in selection.catalog.second_counts[GAME]
        if second_count.target.endswith("/any-pai-gow-pays-1-to-2")
        and (second_count.house_way, second_count.strategy) == ("foxwoods", "house-way")
    ]
    won, lost, _ = (row.combinations for row in found.rows)
    assert won == sum(pairs for row, pairs in kept.rows.items() if row.startswith("win"))
    assert lost == sum(pairs for row, pairs in kept.rows.items() if row.startswith("lose"))


@pytest.mark.slow
@pytest.mark.usefixtures("project")
def test_a_bad_beat_is_as_likely_for_either_side() -> None:
    found = evaluate_wager("bad-beat")
    assert found.rows[0].combinations % 2 == 0
    assert found.house_way is None
    assert "best-hands" in [assumption.id for assumption in found.assumptions]


EVENT = {"document": "harbor", "clause": "1"}


@pytest.mark.parametrize(
    ("house_ways", "messages"),
    [
        # Foxwoods keeps five aces together beside a pair of kings: six hands.
        (["casino-real", "foxwoods"], []),
        (
            ["casino-real", "stones-gambling-hall"],
            [
                "No hand of this deck, set by `casino-real` or `stones-gambling-hall`, matches "
                "the row `Five aces`."
            ],
        ),
    ],
)
def test_a_row_that_another_house_way_pays_is_no_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    house_ways: list[str],
    messages: list[str],
) -> None:
    new.project(tmp_path)
    monkeypatch.chdir(tmp_path)
    asked = GameRequest(id="harbor", blank=True, called="Harbor", document="Rules", clause="1")
    blank.game(asked)
    blank.wager(WagerRequest(target="harbor/bonus", called="Bonus", clause="2"))
    kept = '{"high_hand": {"of_a_kind": {"min": 5}}}'
    blank.event("kept", text="Five aces in the high hand", when=kept, like=None, **EVENT)
    blank.paytable("harbor/bonus/1", rows=["kept=500 to 1", "flush=4 to 1"], clause="3")
    game = Path("paytables/harbor/game.json")
    value = json.loads(game.read_bytes())
    value |= {"house_way": house_ways[0], "house_ways": house_ways}
    game.write_text(json.dumps(value), encoding="utf-8")
    table = Path("paytables/harbor/bonus/1.json")
    named = json.loads(table.read_bytes())
    named["rows"][0]["name"] = "Five aces"
    table.write_text(json.dumps(named), encoding="utf-8")
    found = [finding for finding in check([Path("paytables")]).findings if finding.code == "P002"]
    assert [finding.message for finding in found] == messages
