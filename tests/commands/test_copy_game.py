"""A copy of a game with a document of its own."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.cli.app import run
from certify.declare import blank
from certify.declare.new import GameRequest, WrongFields, copy_game
from certify.errors import NotConfigured
from certify.figures.evaluate import overview
from certify.filing.order import build_filing, with_register_status
from certify.library import find_declared
from certify.model.finding import Unfit
from certify.model.submission import Order
from certify.review.check import check


@pytest.mark.parametrize("like", ["mini-pai-gow", "pai-gow-mania", "dealer-open-pai-gow"])
def test_a_copy_names_neither_the_original_nor_its_document(
    like: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == 0
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
    for file in (tmp_path / "paytables/acme").rglob("*.json"):
        text = file.read_text(encoding="utf-8")
        assert [name for name in names if name in text] == [], file
        assert f'"document": "{original["document"]["id"]}"' not in text
    game = json.loads((tmp_path / "paytables/acme/game.json").read_bytes())
    assert game["supplier"] == "Acme"
    assert game["document"]["title"] == "牌九扑克: Rules"
    assert game["document"]["revision"] == "May 2026"
    assert not (tmp_path / "paytables/acme/published.json").exists()


def test_a_copy_keeps_the_footnotes_of_its_paytables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == 0
    like = "commission-free-pai-gow-express"
    arguments = ["--like", like, "--called", "Harbor", "--document", "Rules", "--supplier", "Acme"]
    arguments += ["--dated", "2026"]
    assert run(["new", "game", "harbor", *arguments]) == 0
    path = "red-black/1.json"
    original = find_declared(f"{like}/{path}")
    assert original is not None
    texts = [note["text"] for note in json.loads(original.read_bytes())["source"]["notes"]]
    copied = json.loads((tmp_path / "paytables/harbor" / path).read_bytes())["source"]
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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == 0
    arguments = ["--like", "mini-pai-gow", "--called", "Harbor"]
    arguments += ["--document", "Harbor Rules", "--supplier", "Acme", "--dated", "2026"]
    assert run(["new", "game", "harbor", *arguments]) == 0
    declared = tmp_path / "paytables/harbor"
    values = {file: json.loads(file.read_bytes()) for file in declared.rglob("*.json")}
    cited = {file: [*list_sources([value])] for file, value in values.items()}
    for source in (source for listed in cited.values() for source in listed):
        assert (source["document"], source["clause"]) == ("harbor", None)
    capsys.readouterr()
    submitted = ["submit", "harbor", "--jurisdiction", "nevada", "--unsigned", "--out", "out"]
    assert run(submitted) == 1
    said = capsys.readouterr()
    assert "error D023" in said.out + said.err
    assert not (tmp_path / "out").exists()
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


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == 0
    return tmp_path


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
