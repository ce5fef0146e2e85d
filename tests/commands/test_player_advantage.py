import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from certify import library
from certify.cli.app import run
from certify.declare import terms_form
from certify.engine.main import outcomes
from certify.engine.main.outcomes import OutcomeCount, analyze_deals, split_outcomes
from certify.figures.play import Play, declared_play, keep
from certify.figures.targets import select
from certify.formatting import percentage
from certify.intake.read import read_catalog
from certify.model.finding import Severity, Unfit
from certify.model.submission import Submission
from certify.review.check import check
from tests.commands.pair_plus import GAME, pair_plus
from tests.commands.submissions import compose_part, count_submission

ROOT = Path(__file__).parents[2]
BONUS = "mini-pai-gow/bonus/A"
NO_PUSH = "dealer-open-pai-gow/main/no-push"
PUBLISHED_EDGE = Fraction(128, 5525)
STRAIGHT_FLUSHES, HANDS = 48, 22_100
"""Source: Wizard of Odds, Three Card Poker, Pair Plus with 40 to 1 for a straight flush."""

EDGE = PUBLISHED_EDGE - Fraction(STRAIGHT_FLUSHES * (4000 - 40), HANDS)
"""The house edge where a straight flush pays 4000 to 1."""

REASON = "A promotion of one week, approved by the general manager."


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = pair_plus(tmp_path) / "pair-plus" / "1.json"
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"40 to 1"', '"4000 to 1"', 1), encoding="utf-8")
    return path


def submission(terms: Path | None = None) -> Submission:
    return count_submission(GAME, "nevada", terms)


def write_terms(folder: Path, wager: str) -> Path:
    path = folder / "terms.json"
    terms = {"$schema": "filing.schema.json", "game": GAME, "player_advantage": {wager: REASON}}
    path.write_text(json.dumps(terms), encoding="utf-8")
    return path


@pytest.mark.usefixtures("table")
def test_submit_refuses_it_without_a_reason() -> None:
    with pytest.raises(Unfit) as caught:
        submission()
    (finding,) = caught.value.findings
    assert (finding.code, finding.severity) == ("P015", Severity.ERROR)
    assert "`player_advantage`" in finding.remedy


def test_submit_files_it_with_a_reason_that_the_report_prints(table: Path, tmp_path: Path) -> None:
    filed = submission(write_terms(tmp_path, "pair-plus"))
    (finding,) = [each for each in filed.findings if each.code == "P015"]
    assert finding.severity is Severity.NOTE
    printed = compose_part(filed, "mathematics")
    assert REASON in printed
    assert percentage(EDGE) in printed
    sound = table.read_text(encoding="utf-8").replace('"4000 to 1"', '"40 to 1"')
    table.write_text(sound, encoding="utf-8")
    assert REASON not in compose_part(submission(tmp_path / "terms.json"), "mathematics")


@pytest.mark.usefixtures("table")
def test_reason_for_a_wager_that_the_game_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unfit) as caught:
        submission(write_terms(tmp_path, "pair-minus"))
    assert [finding.code for finding in caught.value.findings] == ["R021"]


@pytest.mark.usefixtures("table")
def test_form_of_the_web_app_states_the_reason() -> None:
    game = select(GAME).game
    said = {"player_advantage/pair-plus": [REASON]}
    terms = terms_form.parse_terms(game, {}, said)
    assert terms.value["player_advantage"] == {"pair-plus": REASON}
    assert terms_form.form_values(game, terms.value).items() >= said.items()


def declare_own(target: str, own: str, **changes: object) -> Path:
    """Make this folder a project with a copy of a built-in record; return its file."""
    Path("certify.toml").touch()
    value = json.loads((ROOT / f"paytables/{target}.json").read_bytes()) | changes
    value.pop("$schema")
    path = Path(f"paytables/{own}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def set_pay(path: Path, pays: str) -> list[tuple[str, str]]:
    """Set the pay of the second row, and return what `check` says of jumps."""
    value = json.loads(path.read_bytes())
    value["rows"][1]["pays"] = pays
    path.write_text(json.dumps(value), encoding="utf-8")
    jumps = [
        each
        for each in check([path]).findings
        if each.code == "P016" and each.severity is Severity.WARNING
    ]
    return [(each.pointer, each.message) for each in jumps]


def test_pay_of_ten_times_the_built_in_one_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = declare_own(BONUS, BONUS)
    number = int(json.loads(path.read_bytes())["rows"][1]["pays"].split(" ")[0])
    assert set_pay(path, f"{number} to 1") == []
    assert set_pay(path, f"{number * 10 - 1} to 1") == []
    for jump in (number * 10, number // 10):
        assert [pointer for pointer, _ in set_pay(path, f"{jump} to 1")] == ["/rows/1/pays"]


@pytest.fixture
def own_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project's paytable under an id that certify does not have."""
    monkeypatch.chdir(tmp_path)
    return declare_own(BONUS, "mini-pai-gow/bonus/Z", id="Z")


@pytest.mark.parametrize("status", ["approved", "pending", "rejected"])
def test_pay_of_ten_times_the_approved_one_is_a_warning(own_table: Path, status: str) -> None:
    value = json.loads(own_table.read_bytes())
    name, pays = value["rows"][1]["name"], value["rows"][1]["pays"]
    number = int(pays.split(" ")[0])
    words = ["register", "add", "mini-pai-gow/bonus/Z", "--jurisdiction", "nevada"]
    words += ["--letter", __file__]
    assert run([*words, "--status", status, "--date", "2026-01-02"]) == 0
    found = set_pay(own_table, f"{number * 10} to 1")
    message = (
        f"`{name}` pays {number * 10} to 1, but {pays} in the paytable approved in Nevada (entry "
        "nevada-1)."
    )
    assert found == ([("/rows/1/pays", message)] if status == "approved" else [])
    assert set_pay(own_table, f"{number * 10 - 1} to 1") == []


def test_register_shows_the_approved_pays(
    own_table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads(own_table.read_bytes())["rows"]
    odds = {row["event"]: row["pays"] for row in rows if " " in row["pays"]}
    words = ["register", "add", "mini-pai-gow/bonus/Z", "--jurisdiction", "nevada"]
    words += ["--letter", __file__]
    assert run([*words, "--status", "approved", "--date", "2026-01-02"]) == 0
    (record,) = json.loads(Path("register.json").read_bytes())["approvals"]
    assert record["pays"] == odds
    capsys.readouterr()
    assert run(["register", "show", "nevada-1", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["approvals"][0]["pays"] == odds
    assert run(["register", "show", "nevada-1"]) == 0
    assert f"{rows[1]['event']} {rows[1]['pays']}" in capsys.readouterr().out


@pytest.fixture
def uncounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without any cached count."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path / "cache"))


def declare_no_push(**rule: str) -> Path:
    """Return a project's copy of a main wager, with values of its first dealer rule replaced."""
    declared = json.loads((ROOT / f"paytables/{NO_PUSH}.json").read_bytes())
    first, *others = declared["dealer_rules"]
    return declare_own(NO_PUSH, NO_PUSH, dealer_rules=[first | rule, *others])


@pytest.mark.usefixtures("uncounted")
def test_check_judges_a_main_wager_by_its_cached_count() -> None:
    counts = json.loads((ROOT / "paytables/dealer-open-pai-gow/second-counts.json").read_bytes())
    (edge,) = [
        Fraction(count["house_edge"])
        for count in counts["counts"]
        if (count["target"], count.get("strategy")) == (NO_PUSH, "optimal")
    ]
    checked = check([declare_no_push()])
    (finding,) = [each for each in checked.findings if each.code == "P015"]
    assert finding.severity is Severity.WARNING
    assert finding.message.endswith(
        f"returns {percentage(1 - edge)} of the wager: the house edge is {percentage(edge)}."
    )
    assert checked.notices == ()


@pytest.mark.usefixtures("uncounted")
def test_a_main_wager_without_a_stored_count_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Play, "evaluate", lambda *_, **__: pytest.fail("it was counted"))
    checked = check([declare_no_push(outcome="push")])
    assert [each.code for each in checked.findings if each.code == "P015"] == []
    (entry,) = checked.not_judged
    assert (entry.code, entry.remedy) == ("N002", f"Run `certify crosscheck {NO_PUSH} --store`.")


@pytest.mark.usefixtures("uncounted")
def test_no_cache_decides_a_verdict() -> None:
    path = declare_no_push(outcome="push")
    game = select("dealer-open-pai-gow").game
    option = next(each for each in game.options if each.target == NO_PUSH)
    play = declared_play(option, game, select(NO_PUSH).catalog)
    assert play is not None
    before = check([path])
    share = Fraction(1)
    keep(play, SimpleNamespace(  # type: ignore[arg-type] # three shares of an analysis
        house_edge=Fraction(-1, 100), return_to_player=share, hit_frequency=share
    ))  # fmt: skip
    assert check([path]) == before


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("house_edge", "1/50", "the stated one is 1/50"),
        ("win", "lose", "The rows give a house edge of"),
        ("win", 1, "deals, and the game has"),
    ],
)
@pytest.mark.usefixtures("uncounted")
def test_a_stored_count_that_contradicts_itself_is_an_error(
    part: str, value: str | int, said: str
) -> None:
    declare_no_push()
    shipped = json.loads((ROOT / "paytables/dealer-open-pai-gow/second-counts.json").read_bytes())
    for count in shipped["counts"]:
        if (count["target"], count.get("strategy")) != (NO_PUSH, "optimal"):
            continue
        if part == "house_edge":
            count["house_edge"] = value
        elif isinstance(value, str):
            count["rows"][part], count["rows"][value] = count["rows"][value], count["rows"][part]
        else:
            count["rows"][part] = value
    path = Path("paytables/dealer-open-pai-gow/second-counts.json")
    path.write_text(json.dumps(shipped), encoding="utf-8")
    found = [each for each in check([Path()]).findings if each.code == "F007"]
    assert [each.file for each in found] == [path.as_posix()]
    assert said in found[0].message


@pytest.mark.usefixtures("uncounted")
def test_printed_figures_of_a_main_wager_are_judged_by_its_stored_count() -> None:
    game = "pai-gow-mania"
    published = json.loads((ROOT / f"paytables/{game}/published.json").read_bytes())
    (figure,) = [each for each in published["figures"] if each["id"] == "foxwoods.win"]
    figure["printed"] = "39.12%"
    declare_own(f"{game}/published", f"{game}/published", figures=published["figures"])
    found = [each for each in check([Path()]).findings if each.code == "F001"]
    assert [each.severity for each in found if "39.12%" in each.message] == [Severity.ERROR]
    figure["printed"] = "29.12%"
    declare_own(f"{game}/published", f"{game}/published", figures=published["figures"])
    found = [each for each in check([Path()]).findings if each.code == "F001"]
    assert [each for each in found if each.severity is Severity.ERROR] == []


def test_rows_of_every_stored_count_give_the_edge_of_the_recount() -> None:
    """The recount settles each pair of hands by its own code, and states the edge."""
    catalog, _ = read_catalog(*library.layers())
    seen = 0
    for name, counts in catalog.second_counts.items():
        game = catalog.games[name]
        options = {option.target: option for option in game.options}
        for count in counts:
            if count.target in options:
                analysis = analyze_deals(
                    options[count.target],
                    count.rows,
                    game=game,
                    house_way=count.house_way or "",
                    strategy=count.strategy or game.strategy,
                )
                assert analysis.house_edge == count.house_edge, count
                seen += 1
    assert seen == 42  # fails if counts of main wagers are lost


@pytest.mark.parametrize("name", ["three-card-poker", "crazy-4-poker"])
def test_rows_with_pays_by_the_own_hand_give_the_edge_of_the_count(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count settles each deal; the rows are read again by their keys, among many other pays."""
    monkeypatch.chdir(ROOT / "fixtures" / "field")
    game = select(name).game
    (option,) = game.options
    play = declared_play(option, game, select(name).catalog)
    assert play is not None
    counted = play.evaluate()
    settled: list[object] = []

    def settle(*terms: Any, **more: Any) -> Iterator[OutcomeCount]:  # noqa: ANN401 - passed on
        settled.append(terms)
        return split_outcomes(*terms, **more)

    monkeypatch.setattr(outcomes, "split_outcomes", settle)
    raised, companion = option.raise_, option.companion
    assert raised is not None
    others = [
        replace(pay, id=f"p{each}")
        for pay in (*raised.pays, *option.bonus, *(companion.pays if companion is not None else ()))
        for each in range(200)
    ]
    many = replace(option, raise_=replace(raised, pays=(*raised.pays, *others)))
    if companion is not None:
        many = replace(many, companion=replace(companion, pays=(*companion.pays, *others)))
    deals = {row.event: row.combinations for row in counted.rows}
    analysis = analyze_deals(
        many, deals, game=game, house_way=play.house_way.id, strategy=play.strategy
    )
    assert (analysis.house_edge, analysis.variance) == (counted.house_edge, counted.variance)
    kinds = (len(option.dealer_rules) + 1) * len(option.actions) * 2
    assert len(settled) <= 2 * len(deals) * kinds
