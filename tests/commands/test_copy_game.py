"""A copy of a game with a document of its own."""

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify import library
from certify.cli.app import run
from certify.declare import blank
from certify.declare.blank import WagerRequest
from certify.declare.new import GameRequest, WrongFields, copy_game
from certify.errors import CertifyError, NotConfigured, NotReadable
from certify.figures.evaluate import overview
from certify.filing.order import build_filing, with_register_status
from certify.library import find_declared
from certify.model.finding import Severity, Unfit
from certify.model.submission import Order
from certify.review.check import check


@pytest.mark.parametrize("like", ["mini-pai-gow", "pai-gow-mania", "dealer-open-pai-gow"])
def test_a_copy_names_neither_the_original_nor_its_document(like: str, project: Path) -> None:
    arguments = ["--like", like, "--called", "牌九扑克", "--supplier", "Acme"]
    arguments += ["--document", "牌九扑克: Rules", "--dated", "May 2026"]
    assert run(["new", "game", "acme", *arguments]) == 0
    found = check([Path()])
    assert [each for each in found.findings if each.severity == "error"] == []
    assert [each for each in found.findings if each.code in ("D018", "D008")] == []
    path = find_declared(f"{like}/game.json")
    assert path is not None
    original = json.loads(path.read_bytes())
    names = [original["name"], *original.get("aliases", ()), original["document"]["title"]]
    names += filter(None, [original["supplier"], original["document"]["publisher"]])
    names += [each["id"] for each in original.get("references", ())]
    for file in (project / "paytables/acme").rglob("*.json"):
        text = file.read_text(encoding="utf-8")
        assert [name for name in names if name in text] == [], file
        assert f'"document": "{original["document"]["id"]}"' not in text
    game = json.loads((project / "paytables/acme/game.json").read_bytes())
    assert game["supplier"] == "Acme"
    assert game["document"]["title"] == "牌九扑克: Rules"
    assert game["document"]["revision"] == "May 2026"
    assert not (project / "paytables/acme/published.json").exists()


def test_a_copy_keeps_the_footnotes_of_its_paytables(project: Path) -> None:
    like = "commission-free-pai-gow-express"
    arguments = ["--like", like, "--called", "Harbor", "--document", "Rules", "--supplier", "Acme"]
    arguments += ["--dated", "2026"]
    assert run(["new", "game", "harbor", *arguments]) == 0
    path = "red-black/1.json"
    original = find_declared(f"{like}/{path}")
    assert original is not None
    texts = [note["text"] for note in json.loads(original.read_bytes())["source"]["notes"]]
    copied = json.loads((project / "paytables/harbor" / path).read_bytes())["source"]
    assert copied == {
        "document": "harbor", "clause": None, "notes": [{"text": text} for text in texts],
    }  # fmt: skip
    assert texts


def list_sources(value: dict[str, Any] | list[Any]) -> Iterator[dict[str, Any]]:
    """Yield every source of a JSON value."""
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict) and isinstance(part.get("source"), dict):
            yield part["source"]
        if isinstance(part, dict | list):
            yield from list_sources(part)


def test_a_copy_is_not_filed_until_every_source_has_a_clause(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--like", "mini-pai-gow", "--called", "Harbor"]
    arguments += ["--document", "Harbor Rules", "--supplier", "Acme", "--dated", "2026"]
    assert run(["new", "game", "harbor", *arguments]) == 0
    declared = project / "paytables/harbor"
    values = {file: json.loads(file.read_bytes()) for file in declared.rglob("*.json")}
    cited = {file: [*list_sources([value])] for file, value in values.items()}
    for source in (source for listed in cited.values() for source in listed):
        assert (source["document"], source["clause"]) == ("harbor", None)
    capsys.readouterr()
    submitted = ["submit", "harbor", "--jurisdiction", "nevada", "--unsigned", "--out", "out"]
    assert run(submitted) == 1
    said = capsys.readouterr()
    assert "error D023" in said.out + said.err
    assert not (project / "out").exists()
    order = Order(game="harbor", jurisdiction="nevada")
    with pytest.raises(Unfit) as refused:
        with_register_status(build_filing(order))
    found = {Path(finding.file).name: finding for finding in refused.value.findings}
    assert {finding.code for finding in found.values()} == {"D023"}
    assert len(refused.value.findings) == sum(map(bool, cited.values()))
    for file, value in values.items():
        for source in cited[file]:
            source["clause"] = "Section 4"
        file.write_text(json.dumps(value), encoding="utf-8")
    assert with_register_status(build_filing(order)).game.id == "harbor"
    assert [each for each in check([Path()]).findings if each.code == "D023"] == []


COPY = GameRequest(
    id="harbor",
    like="mini-pai-gow",
    called="Harbor",
    document="Harbor: Rules of Play",
    supplier="Acme",
    dated="May 2026",
    on=date(2026, 11, 29),
)


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("called", " ", "Give the printed name of the new game."),
        ("document", "", "Give the title of its document."),
        ("supplier", "", "Give its supplier."),
        ("dated", "", "Give the date or revision of its document."),
        ("id", "牌九", "牌九 is not an id."),
        ("id", "mini-pai-gow", "mini-pai-gow already exists."),
        ("id", "Dealer-Open-Pai-Gow", "dealer-open-pai-gow already exists."),
        ("id", "house-ways", "house-ways already exists."),
    ],
)
def test_a_copy_is_refused_at_its_field(field: str, value: str, fault: str, project: Path) -> None:
    with pytest.raises(WrongFields) as refused:
        copy_game(replace(COPY, **{field: value}))
    assert list(refused.value.faults) == [field]
    assert refused.value.faults[field].startswith(fault)
    assert not list((project / "paytables").rglob("*.json"))


def test_the_command_names_the_options_that_are_missing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "game", "harbor", "--like", "mini-pai-gow", "--called", "Harbor"]) == 2
    said = capsys.readouterr().err
    assert "Give its supplier." in said
    assert "Fix: Use --document, --supplier and --dated." in said
    assert not list((project / "paytables").rglob("*.json"))


def test_a_game_from_nothing_has_the_id_of_no_other(project: Path) -> None:
    asked = GameRequest(id="a", blank=True, called="A", document="D", clause="1")
    with pytest.raises(NotConfigured, match="mini-pai-gow already exists"):
        blank.game(replace(asked, id="mini-pai-gow"))
    blank.game(asked)
    with pytest.raises(WrongFields, match="a already exists"):
        copy_game(replace(COPY, id="A"))
    assert [each.name for each in (project / "paytables").iterdir() if each.is_dir()] == ["a"]


def test_a_copy_with_a_clause_cites_it_and_is_filed(project: Path) -> None:
    files = copy_game(replace(COPY, clause="Section 4"))
    cited = [s for file in files for s in list_sources([json.loads(file.read_bytes())])]
    assert {(each["document"], each["clause"]) for each in cited} == {("harbor", "Section 4")}
    order = Order(game="harbor", jurisdiction="nevada")
    assert with_register_status(build_filing(order)).game.name == "Harbor"
    assert [each for each in check([project]).findings if each.code in ("D018", "D023")] == []


@pytest.mark.usefixtures("project")
def test_a_copy_has_the_counted_edges_of_its_original() -> None:
    copy_game(COPY)
    known = overview()
    for table in ("bonus/A", "bonus/B"):
        own, other = (known.analyses[f"{game}/{table}"] for game in ("harbor", "mini-pai-gow"))
        assert own.house_edge == other.house_edge


ON = date(2026, 11, 21)


def write_game(name: str, **values: Any) -> tuple[Path, ...]:  # noqa: ANN401 - of any field
    return blank.game(GameRequest(id=name, blank=True, clause="1", on=ON, **values))


def write_wager(target: str, **values: Any) -> tuple[Path, ...]:  # noqa: ANN401 - of any field
    return blank.wager(WagerRequest(target=target, called="Bonus", clause="2", **values))


@pytest.fixture
def own_project(project: Path) -> Path:
    write_game("our-game", called="Our Game", document="Rules of Our Game")
    return project


def errors(folder: Path) -> list[str]:
    found = check([folder / "paytables"]).findings
    return [finding.message for finding in found if finding.severity is Severity.ERROR]


def value(path: Path) -> Any:  # noqa: ANN401 - of a JSON file
    return json.loads(path.read_bytes())


def test_each_blank_record_is_sound(own_project: Path) -> None:
    own = own_project / "paytables"
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
    assert errors(own_project) == []


@pytest.mark.parametrize(("cards", "event"), [(3, "three_card_flush"), (5, "flush"), (7, "flush")])
def test_a_game_of_undivided_hands_has_a_bonus_wager_only(
    own_project: Path, cards: int, event: str
) -> None:
    made = write_game("trio", called="Trio", document="Rules of Trio", undivided=cards)
    own = own_project / "paytables" / "trio"
    assert made == (own / "game.json", own / "bonus" / "wager.json")
    assert value(own / "game.json")["hand"] == {"cards": cards, "back": min(cards, 5), "front": 0}
    blank.paytable("trio/bonus/1", rows=[f"{event}=4 to 1"], clause="2")
    assert errors(own_project) == []


def test_a_wager_on_a_shoe_has_its_hand_cards_and_kind(own_project: Path) -> None:
    write_game("shoe", called="Shoe", document="Rules of Shoe", undivided=2, decks=6)
    own = own_project / "paytables" / "shoe"
    assert value(own / "game.json")["deck"]["decks"] == 6
    write_wager("shoe/three", hand="together", cards=3)
    write_wager("shoe/jackpot", kind="progressive")
    assert value(own / "jackpot" / "wager.json")["kind"] == "progressive"
    blank.paytable("shoe/three/1", rows=["three_card_flush=4 to 1"], clause="2")
    table = own / "three" / "1.json"
    assert [value(table)[name] for name in ("hand", "cards")] == ["together", 3]
    differs = "The paytable uses 4 cards, the wager 3."
    assert differs not in errors(own_project)
    table.write_text(json.dumps(value(table) | {"cards": 4}), encoding="utf-8")
    assert differs in errors(own_project)


@pytest.mark.parametrize("length", [5, 36, 64])
def test_the_first_rule_of_a_state_has_an_id_that_fits(own_project: Path, length: int) -> None:
    name = "x" * length
    blank.jurisdiction(name, called="A State", regulator="A", clause="1", address="a", on=ON)
    (rule,) = value(own_project / f"paytables/jurisdictions/{name}.json")["rules"]
    assert rule["id"] == "X" * min(length, 36) + "-1"
    assert errors(own_project) == []


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
    own_project: Path, made: Callable[[], object], kind: type[CertifyError], says: str
) -> None:
    before = {path: path.read_bytes() for path in own_project.rglob("*.json")}
    with pytest.raises(kind, match=says) as refused:
        made()
    assert refused.value.remedy
    assert {path: path.read_bytes() for path in own_project.rglob("*.json")} == before


def test_an_event_belongs_to_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotConfigured, match="in no project"):
        blank.event("ours", when="{}", like=None, **EVENT)
