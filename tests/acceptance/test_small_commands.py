"""Commands whose tests are short."""

import io
import json
import re
import shutil
import sys
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from certify import library
from certify.cli.app import run
from certify.cli.output import Progress
from certify.formatting import percentage
from tests.acceptance.command_line import ROOT, Certify

REGISTER = ROOT / "fixtures" / "register" / "valid" / "register.json"
DECLARED = json.loads(REGISTER.read_text(encoding="utf-8"))["approvals"]
Printed = pytest.CaptureFixture[str]


def test_the_register_is_listed_by_state(capsys: Printed) -> None:
    assert run(["register", "list", "--file", str(REGISTER)]) == 0
    text = capsys.readouterr().out
    assert all(record["id"] in text for record in DECLARED)
    assert "superseded by nevada-2" in text
    assert run(["register", "list", "--file", str(REGISTER), "--jurisdiction", "wsgc"]) == 0
    text = capsys.readouterr().out
    of_state = {record["id"]: record["jurisdiction"] == "wsgc" for record in DECLARED}
    assert {name: name in text for name in of_state} == of_state


def test_an_empty_register_is_reported(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "register.json"
    path.write_text('{"$schema": "register.schema.json", "approvals": []}', encoding="utf-8")
    assert run(["register", "list", "--file", str(path)]) == 0
    assert capsys.readouterr().out == f"{path} has no entries.\n"
    assert run(["register", "check", "--file", str(path)]) == 3


def test_a_record_is_shown_whole(capsys: Printed) -> None:
    (record,) = (item for item in DECLARED if item["id"] == "nevada-2")
    assert run(["register", "show", "nevada-2", "--file", str(REGISTER)]) == 0
    text = capsys.readouterr().out
    assert record["content_sha256"] in text
    assert f"rules.pdf {record['documents'][0]['sha256']}" in text
    named = ["register", "show", "nevada-2", "--file", str(REGISTER), "--format", "json"]
    assert run(named) == 0
    (shown,) = json.loads(capsys.readouterr().out)["approvals"]
    assert (shown["id"], shown["letter_sha256"]) == ("nevada-2", record["letter_sha256"])


def test_the_check_of_a_register_as_json(capsys: Printed) -> None:
    """The sample's records are of a game that nobody declares: each in force is a finding."""
    assert run(["register", "check", "--file", str(REGISTER), "--format", "json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    in_force = [item for item in DECLARED if item["status"] != "superseded"]
    assert (printed["checked"], len(printed["findings"])) == (len(DECLARED), len(in_force))
    assert {finding["code"] for finding in printed["findings"]} == {"R014"}


def test_keys_are_listed_with_the_roots_that_are_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path))
    assert run(["keys", "list"]) == 0
    assert "No identity." in capsys.readouterr().out
    assert run(["keys", "init-dev"]) == 0
    certificate = str(tmp_path / "keys" / "development-key.pem")
    assert run(["keys", "trust", certificate]) == 0
    capsys.readouterr()
    assert run(["keys", "list"]) == 0
    text = capsys.readouterr().out
    assert "No identity." not in text
    assert re.search(r"^development-key +\S.* +\d{4}-\d\d-\d\d$", text, flags=re.MULTILINE)
    assert re.search(r"^Trusted: .+  SHA-256 [0-9A-Fa-f:]{64,}$", text, flags=re.MULTILINE)


def test_codes_are_listed_explained_and_guessed(capsys: Printed) -> None:
    assert run(["rule", "all"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert run(["rule", listed[0].split()[0].lower()]) == 0
    assert capsys.readouterr().out.startswith(listed[0].split()[0])
    assert run(["rule", "P004", "--where"]) == 0
    file, _, rest = capsys.readouterr().out.strip().partition(":")
    line, name = rest.split()
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    assert any(f"def {name}(" in each for each in lines[int(line) - 1 : int(line) + 9])
    assert run(["rule", "--tests"]) == 0
    assert len(capsys.readouterr().out.split("\n\n")) > 10
    assert run(["rule"]) == 2
    assert run(["rule", "P0O4"]) == 2
    assert "Did you mean P" in capsys.readouterr().err
    assert run(["rule", "zzzzzzzz"]) == 2
    assert "`certify rule all` lists them." in capsys.readouterr().err


def test_counts_of_a_laboratory_that_agree_and_that_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.chdir(tmp_path)
    target = "mini-pai-gow/bonus/A"
    assert run(["evaluate", target, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    ours = {row["event"]: row["combinations"] for row in rows}
    assert run(["compare", "counts.csv", target, "--template"]) == 0
    head, *lines = Path("counts.csv").read_text(encoding="utf-8").splitlines()
    filled = [f"{line}{ours[line.split(',')[0]]}" for line in lines]
    Path("counts.csv").write_text("\n".join([head, *filled]) + "\n", encoding="utf-8")
    capsys.readouterr()
    assert run(["compare", "counts.csv", target, "-q"]) == 0
    assert capsys.readouterr().out == ""
    assert run(["compare", "counts.csv", target]) == 0
    assert f"{len(lines)} rows compared, 0 different." in capsys.readouterr().out
    filled[0] += "0"
    Path("counts.csv").write_text("\n".join([head, *filled]) + "\n", encoding="utf-8")
    assert run(["compare", "counts.csv", target, "-q"]) == 1
    text = capsys.readouterr().out
    assert text.count("DIFFERS") == 1
    assert f"{len(lines)} rows compared, 1 different." in text


def test_progress_is_a_line_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("CI", raising=False)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = Progress("Counting")
    for done in range(4):
        progress(done, 3)
    Progress("One")(1, 1)
    Progress("None")(0, 0)
    assert terminal.getvalue() == (
        "\rCounting:   0%\rCounting:  33%\rCounting:  66%\rCounting: 100%\n"
        "\rOne: 100%\n"
        "\rNone:   0%\n"
    )


TARGET = "commission-free-pai-gow-express/dynasty-bonus/3"
TWO = ("solve", TARGET, "--edge", "7.5..8", "--open", "four_of_a_kind,full_house")


def test_solutions_are_listed_for_people_and_for_scripts(certify: Certify) -> None:
    ran = certify(*TWO, "--limit", 2)
    assert ran.code == 0
    assert "House edge: 7.5% to 8%, now 7.7656%" in ran.out
    assert "four_of_a_kind from 4 to 50" in ran.out
    assert "1         25 to 1      5 to 1  7.7656%    0.0000" in ran.out
    listed = certify(*TWO, "--limit", 2, "--format", "json").json
    assert listed["target"] == TARGET
    assert listed["band"] == {"low": "3/40", "high": "2/25"}
    assert listed["solutions"][0]["amounts"] == {"four_of_a_kind": 25, "full_house": 5}
    assert listed["solutions"][0]["house_edge"] == "1496262/19267885"
    assert listed["count"] > len(listed["solutions"]) == 2


def test_no_solution_is_no_success(certify: Certify) -> None:
    nothing = (*TWO[:3], "90..95", *TWO[4:])
    ran = certify(*nothing)
    assert ran.code == 1
    assert "No table is in the band. The nearest reachable edges:" in ran.out
    assert certify(*nothing, "--format", "json").json["nearest"].keys() == {
        "below",
        "below_decimal",
    }


def test_the_chosen_solution_is_written(
    certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert certify("init", tmp_path).code == 0
    path = tmp_path / "paytables" / TARGET.rpartition("/")[0] / "ours.json"
    ran = certify(*TWO, "--limit", 1, "--write", path, "--choose", 2)
    assert (ran.code, f"Wrote {path}." in ran.err) == (0, True)
    second = certify(*TWO, "--limit", 2, "--format", "json").json["solutions"][1]
    monkeypatch.chdir(tmp_path)
    assert certify("check", path).code == 0
    again = certify(*TWO, "--limit", 2, "--write", path)
    assert (again.code, "already exists" in again.err) == (2, True)
    assert f'"pays": "{second["amounts"]["four_of_a_kind"]} to 1"' in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--edge", "7", "--open", "flush"), "is not a band"),
        (("--edge", "8..7", "--open", "flush"), "is below the lower one"),
        (("--edge", "7..8", "--open", "odds:flush"), "is not an unknown"),
        (("--edge", "7..8", "--open", "flsh"), "Did you mean flush"),
        (("--edge", "7..8", "--open", "flush", "--bound", "flush=3"), "is not NAME=LOW..HIGH"),
        (("--edge", "7..8", "--open", "flush", "--bound", "flush=5..3"), "allows no value from 1"),
        (("--edge", "7..8", "--open", "flush", "--bound", "straight=2..3"), "is not open"),
        (
            ("--edge", "7..8", "--open", "flush", "--step", "0"),
            "step is 0 cents, which",
        ),
        (("--edge", "7..8", "--open", "flush", "--choose", "2"), "Add --write FILE"),
        (("--edge", "5..9", "--open", "flush", "--jurisdiction", "nevda"), "Did you mean nevada"),
    ],
)
def test_what_cannot_be_read_is_refused(
    certify: Certify, options: tuple[str, ...], words: str
) -> None:
    ran = certify("solve", TARGET, *options)
    assert (ran.code, words in ran.err) == (2, True), ran.err


TEXT = (ROOT / "docs" / "how-to" / "sweep.md").read_text(encoding="utf-8")


def test_every_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    declared = re.findall(r"```json (\S+)\n(.*?)```", TEXT, flags=re.DOTALL)
    assert [name for name, _ in declared] == ["grid.json", "states.json"]
    for name, text in declared:
        (tmp_path / name).write_text(text, encoding="utf-8")
    commands = re.findall(r"^    certify (.+)$", TEXT, flags=re.MULTILINE)
    written: dict[str, list[bytes]] = {}
    for command in commands:
        arguments = command.split()
        assert run(arguments) == 0
        folder = arguments[arguments.index("--out") + 1]
        results = (tmp_path / folder / "results.csv").read_bytes()
        written.setdefault(folder, []).append(results)
    assert {folder: len(results) for folder, results in written.items()} == {
        "results": 2,
        "by-state": 1,
    }
    assert len(set(written["results"])) == 1
    header = written["by-state"][0].decode().splitlines()[0].split(",")
    columns = re.findall(r"^\| (`.+?) \|", TEXT, flags=re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", "".join(columns))) <= set(header)
    assert "mini-pai-gow/bonus/A" in capsys.readouterr().out


FLOOR = f"""target,name,rounds,wagered,paid
{TARGET},Table 1,1200,"6,000",5125.00
{TARGET},Table 2,250000,1250000,1160000
mini-pai-gow/bonus/A,,900,900,1210
"""


def test_results_are_set_against_their_bands(certify: Certify, tmp_path: Path) -> None:
    path, drawn = tmp_path / "floor.csv", tmp_path / "floor.svg"
    path.write_text(FLOOR, encoding="utf-8")
    ran = certify("monitor", path, "--picture", drawn)
    assert ran.code == 0
    assert f"1  {TARGET} Table 1" in ran.out
    assert "mini-pai-gow/bonus/A: outside the 95% band." in ran.out
    svg = drawn.read_text(encoding="utf-8")
    # The ground, and for each of four lines the 99% line, the 95% bar and the mark.
    assert svg.count("<rect ") == 1 + 4 * 3
    found = certify("monitor", path, "--format", "json").json
    assert [line["method"] for line in found["lines"]] == ["exact", "normal", "exact"]
    assert found["lines"][2]["won_cents"] == "-31000/1"
    assert found["total"]["rounds"] == 252_100
    assert [line.get("outside_band") for line in found["lines"]] == [None, None, 95]


def test_a_result_outside_its_band_is_a_finding(certify: Certify, tmp_path: Path) -> None:
    path = tmp_path / "floor.csv"
    path.write_text("rounds,wagered,won\n900,900,-400\n", encoding="utf-8")
    ran = certify("monitor", path, "--target", "mini-pai-gow/bonus/A")
    assert (ran.code, "outside the 99% band" in ran.out) == (1, True)


def test_a_file_that_cannot_be_read_is_reported(certify: Certify, tmp_path: Path) -> None:
    ran = certify("monitor", tmp_path / "none.csv")
    assert (ran.code, "cannot be read" in ran.err) == (2, True)


def test_assumptions_of_a_figure_are_printed(certify: Certify, tmp_path: Path) -> None:
    path = tmp_path / "floor.csv"
    main = "mini-pai-gow/main/1"
    path.write_text(f"target,rounds,wagered,won\n{main},1000,25000,300\n", encoding="utf-8")
    ran = certify("monitor", path)
    assert "the strategy “house way” and the house way “mini-pai-gow”" in ran.out
    assert "same deals" not in ran.out
    (line,) = certify("monitor", path, "--format", "json").json["lines"]
    assert (line["strategy"], line["house_way"]) == ("house-way", "mini-pai-gow")
    path.write_text(FLOOR, encoding="utf-8")
    ran = certify("monitor", path)
    assert "wagers on the same deals" in ran.out
    assert "strategy" not in ran.out


def test_project_is_the_folder_around_that_holds_paytables(
    certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "paytables"
    shutil.copytree(library.paytables() / "mini-pai-gow", root / "mini-pai-gow")
    (tmp_path / "docs" / "notes").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "docs" / "notes")
    path = root / "mini-pai-gow" / "bonus" / "A.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"pays": "', '"pays": "x', 1), encoding="utf-8")
    ran = certify("check", "--format", "json")
    assert ran.code == 1
    assert {
        finding["code"] for finding in ran.json["findings"] if finding["severity"] == "error"
    } == {"S005"}
    assert ran.json["checked"] == len(list(root.rglob("*.json")))


def test_where_there_is_no_project_nothing_is_checked(
    certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = certify("check", "--format", "json")
    assert ran.code == 3
    assert ran.json == {
        "error": {
            "exit_code": 3,
            "message": "There is no folder paytables here or above, so nothing was checked.",
            "remedy": "Name files or folders, create a project with `certify init`, or check the "
            "library with --builtin.",
        },
        "findings": [],
        "checked": 0,
    }


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nowhere.json",), 3),
        (("--colour",), 2),
        (("--builtin", "nowhere.json"), 2),
        (("--artwork", "card.txt"), 2),
        (("x" * 300 + ".json",), 3),
    ],
)
def test_what_went_wrong_is_json_too(
    arguments: tuple[str, ...], code: int, certify: Certify
) -> None:
    ran = certify("check", "--format", "json", *arguments)
    assert (ran.code, ran.json["error"]["exit_code"], ran.json["findings"]) == (code, code, [])
    assert ran.json["error"]["message"] in ran.err


def test_a_sound_rule_pack_and_sound_terms_pass_outside_a_project(
    certify: Certify, tmp_path: Path
) -> None:
    pack = shutil.copy(library.paytables() / "jurisdictions" / "nevada.json", tmp_path)
    terms = tmp_path / "terms.json"
    value = {"$schema": "filing.schema.json", "game": "mini-pai-gow"}
    terms.write_text(json.dumps(value), encoding="utf-8")
    assert certify("check", pack, terms).code == 0


EMPEROR = "emperors-challenge-exposed"


def pairs(text: str) -> dict[str, str]:
    lines = (line.partition("  ") for line in text.splitlines())
    return {name: value.strip() for name, _, value in lines if name and value}


def test_a_hand_on_each_side_is_set_compared_and_settled(certify: Certify) -> None:
    """King-jack beats nine-eight, ace high loses to queens: a push, and no setting wins both."""
    hands = ("Ah Kh 9h Jh Td 2c 3d", "--dealer", "Qs Qd 9c 8d 5s 4h 2s")
    said = certify("explain", f"{EMPEROR}/main/ace-high-push", *hands).out
    lines = [line.strip() for line in said.splitlines()]
    assert "no pair, no straight and no flush, ace high" in lines
    assert any(
        line.startswith("House way foxwoods: high hand Ah Td 9h 3d 2c (")
        and "low hand Kh Jh (" in line
        for line in lines
    )
    rule = lines.index("Dealer rules of the option, in order")
    assert lines[rule + 1].startswith("does not hold: If the dealer has an ace-high pai gow")
    ended = lines.index("Both hands set by the house way: push (net 0 of the wager)")
    assert [line.rpartition(": ")[2] for line in lines[ended + 1 : ended + 3]] == [
        "dealer",
        "player",
    ]
    assert lines[ended + 1].startswith("high hand: player ace-ten")
    assert lines[ended + 2].startswith("low hand: player king-jack, dealer nine-eight")
    assert lines[-1] == "The dealer's hand is seen; no other setting ends better."


def test_a_better_setting_against_a_hand_that_is_seen_is_shown(certify: Certify) -> None:
    """The dealer has eights behind twos. Tens and sixes together leave ace-eight for the low hand,
    which loses to the twos; tens behind sixes win both.
    """
    hands = ("6s 8s 6c Td As Ts 7d", "--dealer", "2c 8h Jd 7c 2d 8c Qh")
    said = certify("explain", f"{EMPEROR}/main/ace-high-push", *hands).out
    lines = [line.strip() for line in said.splitlines()]
    assert "Both hands set by the house way: push (net 0 of the wager)" in lines
    better = lines.index("The dealer's hand is seen, and another setting is better:")
    assert lines[better + 1].startswith("high hand As Td Ts 8s 7d (")
    assert lines[better + 1].endswith("low hand 6c 6s (a pair of sixes)")
    assert lines[better + 3] == "Set so: win, 1 to 1 (net 1 of the wager)"


def test_a_win_less_commission_is_reported_with_what_it_brings(certify: Certify) -> None:
    hands = ("Ah Ad 9h Jh Td 2c 3d", "--dealer", "Qs Qd 9c 8d 5s 4h 2s")
    said = certify("explain", "pai-gow-mania/main/commission-5-percent", *hands).out
    assert "Both hands set by the house way: win, 1 to 1 less 5% (net 0.95 of the wager)" in said
    assert "The dealer's hand is seen" not in said


def test_a_limit_is_reported_with_both_edges(certify: Certify) -> None:
    """At $200 under $10,000 nobody is paid more than 50 to 1 (see `test_limits_in_documents`)."""
    target = f"{EMPEROR}/emperors-treasure/PT-FLT-EC-ET-01"
    said = pairs(certify("evaluate", target, "--wager", "200", "--limit", "10000").out)
    cut = Fraction(220_226, 2_752_555) + Fraction(1_890_600, comb(53, 7))
    assert said["House edge"].startswith("8.0008%")
    assert said["Payout limit"] == "$10,000 to one player"
    assert said["Payout limit binds"] == "above a wager of $2"
    assert said["House edge at $200"] == f"{percentage(cut)}  = {cut}"
    alone, prizes = said["House edge, 0 other players"], said["House edge, 5 other players"]
    worth = Fraction(alone.rstrip("%")) - Fraction(prizes.rstrip("%"))
    with_prizes = Fraction(said["House edge at $200, 5 other players"].rstrip("%"))
    assert abs(100 * cut - worth - with_prizes) <= Fraction(2, 10_000)


def test_a_limit_that_no_wager_reaches_is_reported_as_such(certify: Certify) -> None:
    """A round of Mini Pai Gow pays 2 to 1 at most, with its double down: $100 for $50."""
    said = pairs(certify("evaluate", "mini-pai-gow/main", "--wager", "50", "--limit", "150").out)
    assert said["Payout limit binds"] == ("above a wager of $75, and no wager here is larger")
    assert "House edge at $50" not in said
    assert said["Average wager"].startswith("1.2464")


def test_a_meter_and_a_draw_are_reported_with_and_without_a_limit(certify: Certify) -> None:
    """1,128 hands of five aces are paid $500 instead of $1,000, which the meter has to make up."""
    target = f"{EMPEROR}/emperors-treasure-progressive/PT-BJS-EC-ET-01"
    said = pairs(certify("evaluate", target, "--wager", "1", "--limit", "500").out)
    fixed, under = (
        Fraction(said[name].rstrip("%"))
        for name in ("Return of fixed pays, without the meters", "Return of fixed pays at $1")
    )
    cut = Fraction(100 * 1_128 * 500, comb(53, 7))
    assert abs(fixed - under - cut) <= Fraction(1, 10_000)
    assert said["Meter 1: break-even"].startswith("$656,084.96 for a $1 wager")
    assert said["Meter 1: break-even at $1"] == "$660,905.47"
    drawn = f"{EMPEROR}/emperors-treasure-dynamic-progressive/PT-PRG-EC-ET-D01"
    said = pairs(certify("evaluate", drawn, "--wager", "1", "--limit", "100").out)
    most = [
        said[name].rpartition(" to ")[2] for name in ("Dynamic pays add", "Dynamic pays add at $1")
    ]
    assert Fraction(most[0].rstrip("%")) > Fraction(most[1].rstrip("%"))


def test_a_redline_of_prizes_and_meters_names_each_figure(certify: Certify) -> None:
    chan_chu = "dealer-open-pai-gow/chan-chu"
    said = certify("diff", f"{chan_chu}/1", f"{chan_chu}/3").out
    assert "House edge, 1 other player" in said
    assert "bettor" not in said
    metered = f"{EMPEROR}/emperors-treasure-progressive"
    said = certify("diff", f"{metered}/PT-BJS-EC-ET-01", f"{metered}/PT-BJS-EC-ET-02").out
    assert "Meter 1: break-even, times the wager" in said
    assert "Return of fixed pays" in said
