from pathlib import Path

from tests.acceptance.command_line import Certify

DYNASTY = "commission-free-pai-gow-express/dynasty-bonus/3"
FLOOR = f"""target,name,rounds,wagered,paid
{DYNASTY},Table 1,1200,"6,000",5125.00
{DYNASTY},Table 2,250000,1250000,1160000
mini-pai-gow/bonus/A,,900,900,1210
"""


def test_results_are_set_against_their_bands(certify: Certify, tmp_path: Path) -> None:
    path, drawn = tmp_path / "floor.csv", tmp_path / "floor.svg"
    path.write_text(FLOOR, encoding="utf-8")
    ran = certify("monitor", path, "--picture", drawn)
    assert ran.code == 0
    assert f"1  {DYNASTY} Table 1" in ran.out
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
