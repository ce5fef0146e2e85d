import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from certify import library
from certify.declare import blank, new
from certify.declare.blank import WagerRequest
from certify.declare.new import GameRequest
from certify.errors import CertifyError, NotConfigured, NotReadable
from certify.model.finding import Severity
from certify.review.check import check

ON = date(2026, 11, 21)


def write_game(name: str, **values: Any) -> tuple[Path, ...]:  # noqa: ANN401 - of any field
    return blank.game(GameRequest(id=name, blank=True, clause="1", on=ON, **values))


def write_wager(target: str, **values: Any) -> tuple[Path, ...]:  # noqa: ANN401 - of any field
    return blank.wager(WagerRequest(target=target, called="Bonus", clause="2", **values))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    new.project(tmp_path)
    monkeypatch.chdir(tmp_path)
    write_game("our-game", called="Our Game", document="Rules of Our Game")
    return tmp_path


def errors(folder: Path) -> list[str]:
    found = check([folder / "paytables"]).findings
    return [finding.message for finding in found if finding.severity is Severity.ERROR]


def value(path: Path) -> Any:  # noqa: ANN401 - of a JSON file
    return json.loads(path.read_bytes())


def test_each_blank_record_is_sound(project: Path) -> None:
    own = project / "paytables"
    made = write_wager("our-game/bonus")
    assert made == (own / "our-game/bonus/wager.json", own / "our-game/game.json")
    assert value(own / "our-game/game.json")["wagers"] == ["main", "bonus"]
    document = {"document": "our-game", "clause": "4"}
    blank.event("our_flush", text="A flush.", when=None, like="flush", **document)
    blank.event("our_six", text="Six hearts.", when='{"flush_length": 6}', like=None, **document)
    first, second = value(own / "events.json")["events"]
    assert first["when"] == next(
        event["when"]
        for event in value(library.paytables() / "events.json")["events"]
        if event["id"] == "flush"
    )
    assert (first["source"], second["when"]) == (document, {"flush_length": 6})
    rows = ["our_six=50 to 1", "straight_flush = 20 to 1", "our_flush=4 to 1"]
    blank.paytable("our-game/bonus/A", rows=rows, clause="3")
    table = value(own / "our-game/bonus/A.json")
    assert [(row["event"], row["pays"]) for row in table["rows"]] == [
        ("our_six", "50 to 1"),
        ("straight_flush", "20 to 1"),
        ("our_flush", "4 to 1"),
    ]
    assert next(row["name"] for row in table["rows"]) == "Our Six"
    assert (table["cards"], table["hand"], table["source"]["clause"]) == (7, "player", "3")
    blank.jurisdiction(
        "our-state", called="Our State", regulator="The Board", clause="Rule 1",
        address="https://example.com/rules", on=ON,
    )  # fmt: skip
    assert errors(project) == []


@pytest.mark.parametrize(("cards", "event"), [(3, "three_card_flush"), (5, "flush"), (7, "flush")])
def test_a_game_of_undivided_hands_has_a_bonus_wager_only(
    project: Path, cards: int, event: str
) -> None:
    made = write_game("trio", called="Trio", document="Rules of Trio", undivided=cards)
    own = project / "paytables" / "trio"
    assert made == (own / "game.json", own / "bonus" / "wager.json")
    assert value(own / "game.json")["hand"] == {"cards": cards, "back": min(cards, 5), "front": 0}
    blank.paytable("trio/bonus/1", rows=[f"{event}=4 to 1"], clause="2")
    assert errors(project) == []


def test_a_wager_on_a_shoe_has_its_hand_cards_and_kind(project: Path) -> None:
    write_game("shoe", called="Shoe", document="Rules of Shoe", undivided=2, decks=6)
    own = project / "paytables" / "shoe"
    assert value(own / "game.json")["deck"]["decks"] == 6
    write_wager("shoe/three", hand="together", cards=3)
    write_wager("shoe/jackpot", kind="progressive")
    assert value(own / "jackpot" / "wager.json")["kind"] == "progressive"
    blank.paytable("shoe/three/1", rows=["three_card_flush=4 to 1"], clause="2")
    table = own / "three" / "1.json"
    assert [value(table)[name] for name in ("hand", "cards")] == ["together", 3]
    differs = "The paytable uses 4 cards, the wager 3."
    assert differs not in errors(project)
    table.write_text(json.dumps(value(table) | {"cards": 4}), encoding="utf-8")
    assert differs in errors(project)


@pytest.mark.parametrize("length", [5, 36, 64])
def test_the_first_rule_of_a_state_has_an_id_that_fits(project: Path, length: int) -> None:
    name = "x" * length
    blank.jurisdiction(name, called="A State", regulator="A", clause="1", address="a", on=ON)
    (rule,) = value(project / f"paytables/jurisdictions/{name}.json")["rules"]
    assert rule["id"] == "X" * min(length, 36) + "-1"
    assert errors(project) == []


EVENT = {"text": "A hand.", "document": "our-game", "clause": "1"}


@pytest.mark.parametrize(
    ("made", "kind", "says"),
    [
        (
            lambda: write_wager("our-game"),
            NotReadable,
            "id of a wager",
        ),
        (
            lambda: write_wager("a/b/c"),
            NotReadable,
            "id of a wager",
        ),
        (
            lambda: write_wager("a/b c"),
            NotReadable,
            "is not an id",
        ),
        (
            lambda: write_wager("our-game/m", kind="main"),
            NotReadable,
            "created with its game",
        ),
        (
            lambda: write_game("other", called="O", document="O", decks=6),
            NotReadable,
            "several decks are not divided",
        ),
        (lambda: blank.paytable("our-game/A", rows=[], clause="1"), NotReadable, "of a paytable"),
        (
            lambda: blank.paytable("our-game/main/A", rows=["flush"], clause="1"),
            NotReadable,
            "flush is not a row",
        ),
        (
            lambda: blank.paytable("our-game/main/A", rows=["flsh=4 to 1"], clause="1"),
            NotConfigured,
            "flsh",
        ),
        (
            lambda: blank.event("flush", when=None, like="straight", **EVENT),
            NotConfigured,
            "The event flush already exists",
        ),
        (
            lambda: blank.event("ours", when="{", like=None, **EVENT),
            NotReadable,
            "not JSON",
        ),
        (
            lambda: blank.event("ours", when=None, like=None, **EVENT),
            NotReadable,
            "has no condition",
        ),
        (
            lambda: blank.event("ours", when=None, like="flsh", **EVENT),
            NotConfigured,
            "flsh",
        ),
    ],
)
def test_what_is_refused_leaves_nothing_behind(
    project: Path, made: Callable[[], object], kind: type[CertifyError], says: str
) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*.json")}
    with pytest.raises(kind, match=says) as refused:
        made()
    assert refused.value.remedy
    assert {path: path.read_bytes() for path in project.rglob("*.json")} == before


def test_an_event_belongs_to_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotConfigured, match="in no project"):
        blank.event("ours", when="{}", like=None, **EVENT)
