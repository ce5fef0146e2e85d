"""A floor's results against the exact distribution: moments, chances, and refusals."""

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from certify.commands.monitor import monitor
from certify.errors import NotConfigured, NotReadable
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import select
from certify.formatting import percentage
from certify.model.analysis import Method, Monitored, Monitoring
from certify.model.main_wager import MainWager
from certify.report.comparison import band, chance, chance_bound, outside

DYNASTY = "commission-free-pai-gow-express/dynasty-bonus/3"
FEW_WAYS = "commission-free-pai-gow-express/red-black/1"
METERED = "emperors-challenge-exposed/emperors-treasure-progressive/PT-BJS-EC-ET-01"
DRAWN = "emperors-challenge-exposed/emperors-treasure-dynamic-progressive/PT-PRG-EC-ET-D01"


def run_monitor(text: str, target: str | None = None, **meters: int) -> Monitoring:
    levels = {level.removeprefix("m"): cents for level, cents in meters.items()}
    return monitor(text.encode(), "floor.csv", target=target, meters=levels)


def line(text: str, target: str | None = None, **meters: int) -> Monitored:
    (found,) = run_monitor(text, target, **meters).lines
    return found


def test_what_is_expected_is_the_printed_edge_of_what_was_wagered() -> None:
    found = line("rounds,wagered,paid\n2000,10000,9400\n", DYNASTY)
    # The source prints a return of 92.2344 % of a unit for this table.
    assert percentage(found.expected / found.wagered) == "7.7656%"
    assert (found.rounds, int(found.wagered), int(found.won)) == (2000, 1_000_000, 60_000)
    (analysis,) = evaluate(select(DYNASTY), Settings())
    assert analysis.variance is not None
    assert found.variance == 2000 * 500**2 * analysis.variance


def test_few_rounds_have_the_distribution_of_round_after_round() -> None:
    (analysis,) = evaluate(select(FEW_WAYS), Settings())
    sums = {Fraction(0): Fraction(1)}
    rounds, won = 30, Fraction(-8)
    for _ in range(rounds):
        longer: dict[Fraction, Fraction] = {}
        for total, weight in sums.items():
            for row in analysis.rows:
                after = total - row.contribution / row.probability  # what the house has won
                longer[after] = longer.get(after, Fraction(0)) + weight * row.probability
        sums = longer
    found = line(f"rounds,wagered,won\n{rounds},{rounds},{won}\n", FEW_WAYS)
    assert found.method is Method.EXACT
    mean = sum((total * weight for total, weight in sums.items()), Fraction(0))
    assert found.expected == mean * 100
    assert found.chance == sum(
        weight for total, weight in sums.items() if abs(total - mean) >= abs(won - mean)
    )
    for level in (95, 99):
        low, high = (end / 100 for end in band(found, level))
        left = Fraction(100 - level, 200)
        under = sum(weight for total, weight in sums.items() if total < low)
        over = sum(weight for total, weight in sums.items() if total > high)
        assert under <= left <= under + sums[low]
        assert over <= left <= over + sums[high]


def test_many_rounds_go_by_the_normal_distribution_with_a_certain_bound() -> None:
    found = line("rounds,wagered,hold\n400000,2000000,6.5\n", DYNASTY)
    assert found.method is Method.NORMAL
    assert found.chance is None
    low, high = band(found, 95)
    assert (low + high) / 2 == found.expected
    assert ((high - low) / 2) ** 2 / found.variance == pytest.approx(1.959964**2)
    assert chance(found) <= chance_bound(found) <= 1 / found.z_squared


def test_the_bound_holds_where_the_chance_can_be_counted() -> None:
    found = line("rounds,wagered,won\n1000,1000,150\n", DYNASTY)
    assert found.chance is not None
    third, root = Fraction(0), found.variance
    (analysis,) = evaluate(select(DYNASTY), Settings())
    for row in analysis.rows:
        net = row.contribution / row.probability
        third += row.probability * abs(net + analysis.house_edge) ** 3 * 1000 * 100**3  # type: ignore[operator]
    from certify.commands.monitor import EACH

    bounded = Monitored(
        name="",
        target="",
        rounds=1000,
        wagered=found.wagered,
        won=found.won,
        expected=found.expected,
        variance=root,
        method=Method.NORMAL,
        error_squared=(EACH * third) ** 2 / root**3,
    )
    assert found.chance <= chance_bound(bounded)
    assert chance(bounded) != found.chance


def test_lines_add_up_to_the_total() -> None:
    text = (
        "target,name,rounds,wagered,paid\n"
        f'{DYNASTY},day 1,300,"1,500.00",$1400\n{DYNASTY},day 2,200,400,900\n'
        f"mini-pai-gow/bonus/A,,100,100,0\n"
    )
    found = run_monitor(text)
    assert found.total is not None
    for name in ("rounds", "wagered", "won", "expected", "variance"):
        assert getattr(found.total, name) == sum(getattr(item, name) for item in found.lines)
    assert found.lines[0].won == 100_00
    third = Fraction(0)
    for each in found.lines:
        (analysis,) = evaluate(select(each.target), Settings())
        edge = analysis.house_edge or Fraction(0)
        nets = [(row.probability, row.contribution / row.probability) for row in analysis.rows]
        moment = sum((chance * abs(net + edge) ** 3 for chance, net in nets), Fraction(0))
        third += each.rounds * moment * (each.wagered / each.rounds) ** 3
    # Berry and Esseen with the constant 0.56 of unequal summands (Shevtsova 2010).
    bound = Fraction(56, 100) ** 2 * third**2 / found.total.variance**3
    assert found.total.error_squared == bound
    assert [outside(item) for item in found.lines] == [0, 99, 99]


def test_the_average_wager_is_used_for_the_rounds() -> None:
    stated = line("rounds,wagered,won\n400,2000,100\n", DYNASTY)
    assert line("average_wager,wagered,won\n5,2000,100\n", DYNASTY) == stated
    assert line("rounds,average_wager,wagered,won\n400,5.00,2000,100\n", DYNASTY) == stated


def test_a_meter_is_needed_where_it_decides() -> None:
    text = "rounds,wagered,won\n50,50,10\n"
    with pytest.raises(NotConfigured, match="depends on meter 1"):
        line(text, METERED)
    found = line(text, METERED, m1=5_000_000)
    (analysis,) = evaluate(select(METERED), Settings(meters={"1": 5_000_000}))
    assert found.expected == analysis.house_edge * 5000  # type: ignore[operator]


def test_a_meter_that_no_wager_has_is_refused() -> None:
    with pytest.raises(NotConfigured, match="No wager of the results has a meter '1'"):
        line("rounds,wagered,paid\n2000,10000,9400\n", DYNASTY, m1=50_000)


@pytest.mark.parametrize(
    ("target", "words"),
    [(DRAWN, "draws its pays"), (DYNASTY.rpartition("/")[0], "is not one paytable")],
)
def test_what_has_no_expectation_is_refused(target: str, words: str) -> None:
    with pytest.raises(NotConfigured, match=words):
        line("rounds,wagered,won\n50,50,10\n", target)


HEAD = "rounds,wagered,won\n"


@pytest.mark.parametrize(
    ("text", "target", "words"),
    [
        ("", DYNASTY, "no lines of results"),
        (HEAD, DYNASTY, "no lines of results"),
        pytest.param(HEAD + "1,1,1\n" * 20_001, DYNASTY, "more than 20,000 lines", id="endless"),
        (
            HEAD + "ten,50,10\n",
            DYNASTY,
            r"line 2, column 1 \(rounds\): 'ten' is not a whole number",
        ),
        (HEAD + "0,50,10\n", DYNASTY, r"line 2, column 1 \(rounds\): '0' is not a whole number"),
        (HEAD + "10,-50,10\n", DYNASTY, r"line 2, column 2 \(wagered\): '-50' is negative"),
        (HEAD + "10,0,10\n", DYNASTY, r"line 2, column 2 \(wagered\): '0' is nothing"),
        (HEAD + "10,50,1e3\n", DYNASTY, r"line 2, column 3 \(won\): '1e3' is not an amount"),
        (HEAD + "10,50,51\n", DYNASTY, r"column 3 \(won\): '51' is more than the amount wagered"),
        (HEAD + "10,50\n", DYNASTY, "line 2: 2 values for 3 columns"),
        (HEAD + "10,50,1\n\n10,50,1\n", DYNASTY, "line 4: .* is already in line 2"),
        (HEAD + "10,50,1\n", None, "the column target is missing"),
        ("target," + HEAD + f"{DYNASTY},10,50,1\n", DYNASTY, "is in a column and in --target"),
        ("target," + HEAD + ",10,50,1\n", None, r"column 1 \(target\): there is no target"),
        ("round,wagered,won\n1,1,1\n", DYNASTY, r"line 1, column 1 \(round\): .* mean rounds"),
        ("rounds\twagered\twon\n1\t1\t1\n", DYNASTY, "there is no such column"),
        ("rounds,wagered,won,won\n1,1,1,1\n", DYNASTY, r"column 4 \(won\): .* twice"),
        ("rounds,won\n1,1\n", DYNASTY, "wagered is missing"),
        ("wagered,won\n1,1\n", DYNASTY, "rounds or average_wager is missing"),
        ("rounds,wagered\n1,1\n", DYNASTY, "one of paid, won, hold is needed"),
        ("rounds,wagered,won,paid\n1,1,1,0\n", DYNASTY, "one of paid, won, hold is needed"),
        ("rounds,wagered,paid\n1,1,-1\n", DYNASTY, r"\(paid\): '-1' is negative"),
        ("rounds,wagered,hold\n1,1,4,5\n", DYNASTY, "4 values for 3 columns"),
        ("rounds,wagered,hold\n1,1,x\n", DYNASTY, r"\(hold\): 'x' is not a percentage"),
        (
            "rounds,average_wager,wagered,won\n10,5,60,1\n",
            DYNASTY,
            r"\(average_wager\): '5' times the rounds is not the amount wagered",
        ),
        (HEAD + '10,50,"1\n', DYNASTY, "is not CSV"),
    ],
)
def test_faults_are_reported_with_line_and_column(
    text: str, target: str | None, words: str
) -> None:
    with pytest.raises(NotReadable, match=words):
        run_monitor(text, target)


def test_every_fault_is_reported_at_once() -> None:
    with pytest.raises(NotReadable) as refused:
        run_monitor(HEAD + "x,y,1\n", DYNASTY)
    assert refused.value.message.count("line 2, column ") == 2


def test_another_encoding_is_refused() -> None:
    with pytest.raises(NotReadable, match="is not UTF-8 at byte 1"):
        monitor(b"\xff\xfe", "floor.csv", target=DYNASTY, meters={})


@pytest.fixture
def base_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWager:
    """A main wager on a small deck, with a commission in whole dollars."""
    root, fixtures = tmp_path / "paytables", Path(__file__).parents[2] / "fixtures"
    (tmp_path / "certify.toml").touch()
    shutil.copytree(fixtures / "games" / "classic-pai-gow-poker", root / "classic-pai-gow-poker")
    (root / "house-ways").mkdir()
    shutil.copy(fixtures / "house-ways" / "short-hands-one-card.json", root / "house-ways")
    path = root / "classic-pai-gow-poker" / "game.json"
    game = json.loads(path.read_text(encoding="utf-8"))
    game["deck"]["ranks"], game["hand"] = 6, {"cards": 4, "back": 3, "front": 1}
    game["house_way"], game["house_ways"] = "short-hands-one-card", ["short-hands-one-card"]
    game["players"] = 4
    path.write_text(json.dumps(game), encoding="utf-8")
    path = path.parent / "main" / "commission-5-percent.json"
    option = json.loads(path.read_text(encoding="utf-8"))
    option["commission"]["unit_cents"], option["wager_cents"] = 100, 10_000
    path.write_text(json.dumps(option), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ((_, record),) = select("classic-pai-gow-poker/main").records
    assert isinstance(record, MainWager)
    return record


def test_a_main_wager_is_held_against_its_figures_at_the_average_wager(
    base_game: MainWager,
) -> None:
    """Of a $10 win the house takes a whole dollar, of a $100 win five."""
    found = run_monitor(
        f"target,name,rounds,wagered,won\n{base_game.target},small,100,1000,20\n"
        f"{base_game.target},large,100,10000,200\n"
    )
    selection = select(base_game.target)
    for line_, cents, takes in zip(found.lines, (1000, 10_000), (1, 5), strict=True):
        (analysis,) = evaluate(selection, Settings(wager_cents=cents))
        assert analysis.house_edge is not None
        assert line_.expected == analysis.house_edge * line_.wagered
        (win,) = [row for row in analysis.rows if row.event == "win"]
        assert win.contribution / win.probability == 1 - Fraction(100 * takes, cents)
    small, large = found.lines
    assert small.expected / small.wagered > large.expected / large.wagered
