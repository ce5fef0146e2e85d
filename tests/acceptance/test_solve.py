from pathlib import Path

import pytest

from tests.acceptance.command_line import Certify

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
