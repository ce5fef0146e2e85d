"""Adding a paytable is adding one file: it evaluates, checks and prints with no change of code."""

import json
import shutil
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from certify.model.submission import Order
from certify.pipeline.filing import build_filing
from tests.acceptance.command_line import ROOT, Certify
from tests.pipeline.submissions import build_without_counts, compose_part

TARGET = "mini-pai-gow/bonus/D"
SOURCE = {"document": "mini-pai-gow", "clause": "Bonus Pay Tables, D"}
NEW = {
    "$schema": "../../../schemas/paytable.schema.json",
    "id": "D",
    "game": "mini-pai-gow",
    "wager": "bonus",
    "name": "D",
    "hand": "player",
    "cards": 6,
    "award": "first_row_contained",
    "rows": [
        {"event": "five_aces", "name": "Five Aces", "pays": "400 to 1"},
        {"event": "three_pair", "name": "Three Pair and No More", "pays": "21 to 2"},
    ],
    "source": SOURCE,
}

SIX_CARD_HANDS = comb(53, 6)
FIVE_ACES = 48
"""Four aces, the joker and any other card."""

THREE_PAIR = comb(13, 3) * 6**3 + comb(12, 2) * 6**2 * 4
"""Three natural pairs; or two pairs below aces with an ace and the joker, which is an ace then.
Two cards of each of three ranks leave no room for a flush or a straight of five cards."""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the library into a folder with blanks and umlauts, with one more paytable."""
    library = tmp_path / "Bücher der Aufsicht"
    shutil.copytree(ROOT / "paytables", library / "paytables")
    for folder in ("schemas", "templates"):
        (library / folder).symlink_to(ROOT / folder)
    write(library / "paytables" / f"{TARGET}.json")
    monkeypatch.setenv("CERTIFY_LIBRARY", str(library))
    return library


def write(path: Path) -> None:
    path.write_text(json.dumps(NEW, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


@pytest.mark.usefixtures("library")
def test_new_paytable_evaluates_by_its_id(certify: Certify) -> None:
    ran = certify("evaluate", TARGET, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    counts = {row["event"]: row["combinations"] for row in ran.json["rows"]}
    assert counts == {
        "five_aces": FIVE_ACES,
        "three_pair": THREE_PAIR,
        "all_other": SIX_CARD_HANDS - FIVE_ACES - THREE_PAIR,
    }
    paid = 400 * FIVE_ACES + Fraction(21, 2) * THREE_PAIR
    edge = Fraction(counts["all_other"] - paid, SIX_CARD_HANDS)
    assert Fraction(ran.json["house_edge"]) == edge


@pytest.mark.usefixtures("library")
def test_new_paytable_is_listed_with_the_others(certify: Certify) -> None:
    ran = certify("evaluate", "mini-pai-gow/bonus", "--format", "json")
    found = [result["paytable"] for result in ran.json["results"]]
    assert found == ["A", "B", "C", "D", "community"]


def test_new_paytable_is_checked(library: Path, certify: Certify) -> None:
    ran = certify("check", library / "paytables" / f"{TARGET}.json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("1 file checked: 0 errors, 0 warnings, 0 notes.\n")


@pytest.mark.usefixtures("library")
def test_new_paytable_is_printed() -> None:
    order = Order(game="mini-pai-gow", jurisdiction="nevada", paytables=("D",))
    text = compose_part(build_without_counts(build_filing(order)), "rules")
    assert "Three Pair and No More" in text
    assert "21 to 2" in text


def test_file_anywhere_is_evaluated_by_its_path(certify: Certify, tmp_path: Path) -> None:
    path = tmp_path / "Entwurf für später.json"
    write(path)
    by_path = certify("evaluate", path, "--format", "json")
    assert (by_path.code, by_path.err) == (0, "")
    assert by_path.json["target"] == TARGET
    assert {"path": path.name} in [{"path": item["path"]} for item in by_path.json["inputs"]]
    checked = certify("check", path)
    assert (checked.code, checked.out) == (
        0, "1 file checked: 0 errors, 0 warnings, 0 notes.\n"
    )  # fmt: skip


def test_scaffold_is_a_copy_that_checks_and_evaluates(library: Path, certify: Certify) -> None:
    target = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-99"
    made = certify("new", "paytable", target, "--clause", "Appendix X", "--like", "PT-FLT-EC-ET-02")
    path = library / "paytables" / f"{target}.json"
    assert (made.code, made.err) == (0, "")
    assert made.out.splitlines()[0] == str(path)
    assert certify("check", path).code == 0
    old = certify("evaluate", target.replace("99", "02"), "--format", "json").json
    new = certify("evaluate", target, "--format", "json").json
    assert (new["rows"], new["house_edge"]) == (old["rows"], old["house_edge"])
    again = certify("new", "paytable", target, "--clause", "Appendix X")
    assert (again.code, again.err) == (
        2,
        f"Error: {path} already exists.\n  Fix: Choose another id or another folder.\n",
    )


def test_altered_printed_figure_is_found_at_its_position(library: Path, certify: Certify) -> None:
    path = library / "paytables" / "dealer-open-pai-gow" / "published.json"
    text = path.read_text(encoding="utf-8")
    printed = json.loads(text)["figures"][0]["printed"]
    last = str((int(printed.rstrip("%")[-1]) + 1) % 10)
    altered = printed.rstrip("%")[:-1] + last + "%" * printed.endswith("%")
    path.write_text(text.replace(f'"{printed}"', f'"{altered}"', 1), encoding="utf-8")
    line = next(n for n, one in enumerate(text.split("\n"), 1) if f'"{printed}"' in one)
    ran = certify("audit", "dealer-open-pai-gow")
    assert ran.code == 1
    assert "DIFFERS" in ran.out
    checked = certify("check", path, "--format", "json")
    assert checked.code == 1
    found = [finding for finding in checked.json["findings"] if finding["code"] == "F001"]
    assert [item["line"] for item in found] == [line]
