import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.command_line import ROOT, Certify, Ran

Edit = Callable[[dict[str, Any]], None]


def commission(value: dict[str, Any]) -> None:
    value["commission"]["rate"] = "999%"


def seats(value: dict[str, Any]) -> None:
    value["players"] = 7


def twice(value: dict[str, Any]) -> None:
    value["rows"].append(value["rows"][0] | {"pays": "1 to 1"})


def shadow_rows(value: dict[str, Any]) -> None:
    value["rows"].insert(0, value["rows"].pop())


MANIA = "pai-gow-mania"
CASES: dict[str, tuple[str, str, Edit, str]] = {
    "a commission of 999%": (
        f"{MANIA}/main/commission-5-percent", f"{MANIA}/main/commission-5-percent.json",
        commission, "M003",
    ),
    "seven players of seven cards": (
        f"{MANIA}/seven-card-bonus/fitzgeralds-2004", f"{MANIA}/game.json", seats, "M006",
    ),
    "an event in two rows": (
        "mini-pai-gow/bonus/A", "mini-pai-gow/bonus/A.json", twice, "P003",
    ),
    "a row that is never paid, which only its count shows": (
        f"{MANIA}/seven-card-bonus/fitzgeralds-2004",
        f"{MANIA}/seven-card-bonus/fitzgeralds-2004.json", shadow_rows, "P002",
    ),
}  # fmt: skip
"""The target whose figures are asked for, the file that is spoiled, how, and the finding."""


@pytest.fixture
def spoiled_case(
    request: pytest.FixtureRequest,
    certify: Certify,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[str, str]:
    target, file, edit, code = CASES[request.param]
    monkeypatch.chdir(tmp_path)
    assert certify("init", ".").code == 0
    value = json.loads((ROOT / "paytables" / file).read_bytes())
    edit(value)
    value.pop("$schema")
    path = Path("paytables") / file
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    checked = certify("check", "--format", "json")
    errors = {each["code"] for each in checked.json["findings"] if each["severity"] == "error"}
    assert code in errors
    return target, code


def refuses(ran: Ran, code: str) -> bool:
    return (ran.code, ran.out) == (1, "") and f"error {code}: " in ran.err


@pytest.mark.parametrize("spoiled_case", CASES, indirect=True)
def test_evaluate_refuses_what_check_calls_an_error(
    certify: Certify, spoiled_case: tuple[str, str]
) -> None:
    target, code = spoiled_case
    assert refuses(certify("evaluate", target), code)
    ran = certify("evaluate", target, "--format", "json")
    assert ran.code == 1
    assert code in {each["code"] for each in ran.json["findings"]}
    assert "house_edge" not in ran.out
    assert refuses(certify("evaluate", target.rpartition("/")[0]), code)
    file = Path(f"paytables/{target}.json")
    if file.is_file():
        assert refuses(certify("evaluate", file), code)


@pytest.mark.parametrize("spoiled_case", ["an event in two rows"], indirect=True)
def test_every_command_that_gives_figures_refuses(
    certify: Certify, spoiled_case: tuple[str, str]
) -> None:
    target, code = spoiled_case
    counts = Path("counts.csv")
    counts.write_text("row,combinations\nFlush,1\n", encoding="utf-8")
    results = Path("results.csv")
    results.write_text("rounds,wagered,paid\n1000,5000,4000\n", encoding="utf-8")
    for command in (
        ("explain", target, "As Ks Qs Js Ts 2c"),
        ("crosscheck", target),
        ("diff", target, "mini-pai-gow/bonus/B"),
        ("solve", target, "--edge", "1%..90%", "--open", "royal_flush"),
        ("compare", counts, target),
        ("monitor", results, "--target", target),
    ):
        assert refuses(certify(*command), code), command


@pytest.mark.parametrize("spoiled_case", ["a commission of 999%"], indirect=True)
def test_comparison_of_house_ways_refuses(certify: Certify, spoiled_case: tuple[str, str]) -> None:
    _, code = spoiled_case
    assert refuses(certify("compare", "house-ways", MANIA), code)


def test_file_outside_of_any_project_is_refused_too(certify: Certify, tmp_path: Path) -> None:
    value = json.loads((ROOT / "paytables/mini-pai-gow/bonus/A.json").read_bytes())
    twice(value)
    path = tmp_path / "draft.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert refuses(certify("evaluate", path), "P003")
