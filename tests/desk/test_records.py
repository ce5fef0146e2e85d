import csv
import html
import json
import re
import shlex
from fractions import Fraction

import pytest

from certify.cli.app import run as command
from certify.desk.answers import PAGE
from certify.figures.evaluate import overview
from certify.formatting import percentage
from tests.desk.conftest import ROOT, Client, approve

GAME = "mini-pai-gow"
HAND, TYPED = "As Ad Ah Kd 2c 2d", "As+Ad+Ah+Kd+2c+2d"
DEALER, AGAINST = "3s 3d 4c 5h 7d 9s", "3s+3d+4c+5h+7d+9s"
SAME = (
    (f"/games/{GAME}.json", f"evaluate {GAME}"),
    (f"/games/{GAME}/bonus.json", f"evaluate {GAME}/bonus"),
    (f"/games/{GAME}/bonus/A.json", f"evaluate {GAME}/bonus/A"),
    (f"/options/{GAME}/main/1.json", f"evaluate {GAME}/main/1"),
    (f"/explain.json?game={GAME}&hand={TYPED}", f"explain {GAME} '{HAND}'"),
    (
        f"/explain.json?game={GAME}&target={GAME}/bonus/A&hand={TYPED}",
        f"explain {GAME}/bonus/A '{HAND}'",
    ),
    (
        f"/explain.json?game={GAME}&target={GAME}/main/1&hand={TYPED}&against={AGAINST}",
        f"explain {GAME}/main/1 '{HAND}' --dealer '{DEALER}'",
    ),
    (
        f"/house-ways/{GAME}.json?hand={TYPED}",
        f"explain {GAME} '{HAND}' --house-way {GAME}",
    ),
    (
        f"/compare.json?before={GAME}/bonus/A&after={GAME}/bonus/B",
        f"diff {GAME}/bonus/A {GAME}/bonus/B",
    ),
    ("/register.json", "register list"),
)


def said(capsys: pytest.CaptureFixture[str], words: str) -> str:
    assert command([*shlex.split(words), "--format", "json"]) == 0
    return capsys.readouterr().out


@pytest.fixture
def counted_game(
    desk: Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line in the project of the web app, with the main wager counted."""
    monkeypatch.chdir(desk.folder)
    said(capsys, f"evaluate {GAME}/main")


@pytest.mark.usefixtures("counted_game")
@pytest.mark.parametrize(("address", "words"), SAME)
def test_a_record_is_what_the_command_prints(
    desk: Client, capsys: pytest.CaptureFixture[str], address: str, words: str
) -> None:
    assert desk.get(address).text == said(capsys, words)


@pytest.mark.usefixtures("counted_game")
def test_the_record_of_all_games_holds_that_of_each(
    desk: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(desk.get("/games.json").text)
    own = [result for result in found["results"] if result["game"] == GAME]
    assert own == json.loads(said(capsys, f"evaluate {GAME}"))["results"]
    counted = {result["target"] for result in found["results"]}
    assert not counted & set(found["not_counted"])
    assert not any(target.startswith(GAME) for target in found["not_counted"])


def test_a_house_way_is_the_record_that_is_declared(desk: Client) -> None:
    declared = json.loads((ROOT / "paytables" / "house-ways" / f"{GAME}.json").read_bytes())
    assert json.loads(desk.get(f"/house-ways/{GAME}.json").text) == declared
    assert declared in json.loads(desk.get("/house-ways.json").text)["house_ways"]


@pytest.mark.usefixtures("counted_game")
def test_a_main_wager_that_was_counted_is_shown_with_its_figures(desk: Client) -> None:
    (found,) = (
        result
        for result in json.loads(desk.get(f"/games/{GAME}.json").text)["results"]
        if result["target"] == f"{GAME}/main/1"
    )
    edge = percentage(Fraction(found["house_edge"]))
    for address in ("/?q=double+down", f"/games/{GAME}", f"/options/{GAME}/main/1"):
        row = desk.get(address).text.partition(f"/options/{GAME}/main/1")[2][:500]
        assert edge in row, address


def test_the_log_names_each_form_that_wrote_and_a_broken_chain(desk: Client) -> None:
    log = desk.folder / "certify-log.jsonl"
    log.unlink(missing_ok=True)
    assert "No command has written in this project" in desk.get("/log").text
    entry = {"target": f"{GAME}/bonus/A", "jurisdiction": "nevada", "status": "pending"}
    for _ in range(2):
        assert desk.post("/register", entry).status == 303
    shown = desk.get("/log").text
    assert shown.count("desk POST /register") == 2
    assert '<span class="long">register.json</span>' in shown
    assert "The chain of digests is whole" in shown
    first, second = log.read_text().splitlines()
    log.write_text(first.replace("/register", "/nothing<b>") + f"\n{second}\n")
    shown = desk.get("/log").text
    assert '<p class="fault">Line 2 does not follow line 1' in shown
    assert "is whole" not in shown
    assert "/nothing&lt;b&gt;" in shown
    log.unlink()
    (desk.folder / "register.json").unlink()


def test_a_long_list_has_pages(desk: Client) -> None:
    found = re.compile(r'<td><a href="/(?:games|options)/([^"/]+/[^"]+)">')
    first, second = (desk.get(f"/?page={number}").text for number in (1, 2))
    games = overview().catalog.games.values()
    declared = [table.target for game in games for wager in game.wagers for table in wager.records]
    assert len(declared) > PAGE
    assert len(found.findall(first)) == PAGE
    assert found.findall(first) + found.findall(second) == declared
    assert f"1 to {PAGE} of {len(declared)}" in first
    assert 'href="/?q=&amp;by=&amp;page=2"' in first
    for typed in ("0", "-1", "x", "99", "9" * 9):
        assert found.findall(desk.get(f"/?page={typed}").text)


def test_a_long_register_has_pages_and_its_records_one_line_on_the_rules(desk: Client) -> None:
    games = ("emperors-challenge-exposed", "commission-free-pai-gow-express", "mini-pai-gow")
    declared = overview().catalog.games
    entries = [
        record for game in games for wager in declared[game].wagers for record in wager.records
    ]
    assert len(entries) > PAGE
    for game in games:
        approve(desk, game)
    found = re.compile(r'class="day">(nevada-\d+)<br>')
    first, second = (desk.get(f"/register?page={number}").text for number in (1, 2))
    assert found.findall(first) + found.findall(second) == [
        f"nevada-{number}" for number in range(len(entries), 0, -1)
    ]
    assert len(found.findall(first)) == PAGE
    shown = desk.get(f"/rules/{games[0]}").text
    others = sum(len(wager.records) for wager in declared[games[0]].wagers) - 1
    assert (
        f"(register entries nevada-1 and {others} more): {entries[0].target} and others." in shown
    )
    assert "nevada-2 " not in shown

    unchanged = "None: the declared rules, paytables, house ways and events"
    table = ROOT / "paytables" / f"{entries[-1].target}.json"
    own = desk.folder / "paytables" / f"{entries[-1].target}.json"
    own.parent.mkdir(parents=True)
    assert unchanged in desk.get("/register").text
    own.write_text(table.read_text().replace('"pays": "', '"pays": "1'))
    assert unchanged not in desk.get("/register").text
    own.unlink()
    assert unchanged in desk.get("/register").text
    (desk.folder / "register.json").unlink()


def test_a_long_list_has_groups_filters_and_a_table(desk: Client) -> None:
    link = re.compile(r'<td><a href="/(?:games|options)/([^"/]+/[^"]+)">')
    data = overview()
    wagers = [(game, wager) for game in data.catalog.games.values() for wager in game.wagers]
    metered = [
        table.target
        for _, wager in wagers
        if wager.kind == "progressive"
        for table in wager.records
    ]
    shown = html.unescape(desk.get("/?kind=progressive").text)
    assert link.findall(shown) == metered
    assert f'aria-current="true">progressive <span class="faint">{len(metered)}</span>' in shown
    assert "kind=progressive" in shown.partition("<thead>")[2].partition("</thead>")[0]
    game, wager = next((game, wager) for game, wager in wagers if len(wager.paytables) > PAGE // 10)
    edges = [data.analyses[table.target].house_edge or Fraction(0) for table in wager.paytables]
    low, high = (percentage(edge) for edge in (min(edges), max(edges)))
    words = f"{len(edges)} paytables, house edge {low} to {high}"
    group = f'{game.name}: {wager.name} <span class="faint">{words}</span>'
    assert group in html.unescape(desk.get("/").text)
    lines = [*csv.DictReader(desk.get(f"/games/{game.id}.csv").text.splitlines())]
    assert [line["Id"] for line in lines] == [
        table.target for each in game.wagers for table in each.records
    ]
    (line,) = (line for line in lines if line["Id"] == wager.paytables[0].target)
    assert line["House edge"] == percentage(edges[0])
    assert desk.get("/games.xlsx").data.startswith(b"PK")
