import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from certify import library
from certify.model.finding import Finding, Severity
from certify.review.check import check

EXPRESS = "commission-free-pai-gow-express"
GAMES = ("dealer-open-pai-gow", "mini-pai-gow")
DYNASTY = f"{EXPRESS}/dynasty-bonus"

Edit = Callable[[Any], Any]


def copy_games(folder: Path, *games: str) -> Path:
    """Copy the shared files and some games; return the folder of declared data."""
    root = folder / "paytables"
    shutil.copytree(
        library.paytables(),
        root,
        ignore=lambda top, names: [
            name for name in names if Path(top) == library.paytables() and is_other(name, games)
        ],
    )
    return root


def is_other(name: str, games: tuple[str, ...]) -> bool:
    return name not in ("events.json", "house-ways", "jurisdictions", *games)


def edit(path: Path, change: Edit) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(change(value) or value, indent=2), encoding="utf-8")


def errors(*paths: Path) -> set[Finding]:
    return {finding for finding in check(paths).findings if finding.severity is Severity.ERROR}


def pay_more(value: Any) -> None:  # noqa: ANN401 - a JSON value
    row = next(row for row in value["rows"] if row["pays"].endswith(" to 1"))
    row["pays"] = f"{int(row['pays'].split()[0]) + 1} to 1"


@pytest.mark.parametrize("names", [("3",), ("3", "4"), ("3", "4", "5", "6"), ()])
def test_wrong_pay_is_found_however_many_files_are_named(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    root = copy_games(tmp_path, EXPRESS)
    edit(root / DYNASTY / "3.json", pay_more)
    paths = [root / DYNASTY / f"{name}.json" for name in names] or [root / DYNASTY]
    assert errors(*paths) == errors(root)
    assert {(error.code, Path(error.file).name) for error in errors(*paths)} == {
        ("F001", "published.json")
    }


def test_missing_envy_table_hides_nothing_else(tmp_path: Path) -> None:
    root = copy_games(tmp_path, EXPRESS)
    edit(root / DYNASTY / "3.json", pay_more)
    (root / DYNASTY / "envy" / "3.json").unlink()
    assert {error.code for error in errors(root / DYNASTY / "3.json")} == {"E001", "F001"}


def test_fault_of_a_file_that_the_named_one_rests_on_is_found(tmp_path: Path) -> None:
    root = copy_games(tmp_path, EXPRESS)
    edit(root / EXPRESS / "game.json", lambda item: item | {"players": "7"})
    found = errors(root / DYNASTY / "3.json")
    assert {(finding.code, Path(finding.file).name) for finding in found} == {("S003", "game.json")}


def test_file_of_no_game_is_found_in_its_folder(tmp_path: Path) -> None:
    root = copy_games(tmp_path, EXPRESS)
    (root / EXPRESS / "game.json").unlink()
    assert {error.code for error in errors(root)} == {"D010"}
    assert {error.code for error in errors(root / DYNASTY / "3.json")} == {"D010"}


def test_duplicate_is_found_in_the_copy_and_names_the_original(tmp_path: Path) -> None:
    root = copy_games(tmp_path, "emperors-challenge-exposed")
    folder = root / "emperors-challenge-exposed" / "emperors-treasure"
    copy = json.loads((folder / "PT-FLT-EC-ET-01.json").read_text(encoding="utf-8"))
    outside = tmp_path / "mine.json"
    for name in ("PT-FLT-EC-ET-99", "PT-FLT-EC-ET-00", "MINE"):
        path = outside if name == "MINE" else folder / f"{name}.json"
        path.write_text(json.dumps(copy | {"id": name}), encoding="utf-8")
        (found,) = [finding for finding in check([path]).findings if finding.code == "D005"]
        assert (Path(found.file).name, found.pointer) == (path.name, "/id")
        assert found.message == f"{name} pays the same as PT-FLT-EC-ET-01."
        assert found.related[0].endswith("/PT-FLT-EC-ET-01.json")


def test_folder_under_another_name_is_one_fault_and_its_files_are_judged_all_the_same(
    tmp_path: Path,
) -> None:
    root = copy_games(tmp_path, "mini-pai-gow")
    edit(root / "mini-pai-gow/bonus/A.json", pay_more)
    before = {error.code for error in errors(root)}
    (root / "mini-pai-gow/bonus").rename(root / "mini-pai-gow/bnus")
    (root / "mini-pai-gow").rename(root / "mini-pai-go")
    found = errors(root)
    assert sorted(finding.message for finding in found if finding.code == "D001") == [
        "The folder is bnus, but all of its files name bonus.",
        "The folder is mini-pai-go, but all of its files name mini-pai-gow.",
    ]
    assert {finding.code for finding in found} == before | {"D001"}


def move_to_end(event: str) -> Edit:
    def change(value: Any) -> None:  # noqa: ANN401 - a JSON value
        rows = value["rows"]
        rows.append(rows.pop([row["event"] for row in rows].index(event)))

    return change


def test_row_that_is_never_paid_names_the_rows_that_take_its_hands(tmp_path: Path) -> None:
    root = copy_games(tmp_path, "mini-pai-gow")
    path = root / "mini-pai-gow/bonus/A.json"
    edit(path, move_to_end("full_house"))
    (fault,) = (error for error in errors(path) if error.code == "P002")
    assert fault.message == (
        "Every hand of the row `Full House` is paid by an earlier row: "
        "`Four of a Kind` and `Three of a Kind`."
    )


def test_row_that_no_hand_of_the_deck_holds_is_reported(tmp_path: Path) -> None:
    root = copy_games(tmp_path, "mini-pai-gow")
    path = root / "mini-pai-gow/bonus/A.json"

    def seven_cards(value: Any) -> None:  # noqa: ANN401 - a JSON value
        value["rows"][0]["event"] = "seven_card_straight_flush"

    edit(path, seven_cards)
    (fault,) = (error for error in errors(path) if error.code == "P002")
    assert fault.message == "No hand of this deck matches the row `Five Aces`."


FIXTURES = Path(__file__).parents[2] / "fixtures"
LIBRARY = FIXTURES / "valid" / "library"
CASES = {
    case.parent.parent.name: case
    for case in sorted((FIXTURES / "invalid").glob("*/*/library"), reverse=True)
}


@pytest.mark.parametrize("code", sorted(CASES))
def test_verdict_of_a_file_does_not_depend_on_other_arguments(code: str, tmp_path: Path) -> None:
    root = tmp_path / "paytables"
    shutil.copytree(LIBRARY, root)
    shutil.copytree(CASES[code], root, dirs_exist_ok=True, symlinks=True)
    whole = check([root])
    laid_over = {
        path.relative_to(CASES[code])
        for path in CASES[code].rglob("*.json")
        if path.is_file() or path.is_symlink()
    }
    laid_over &= {Path(name).relative_to(root.name) for name in whole.files}
    chosen = [*sorted(laid_over)[:3], Path("events.json")]
    named = [root / path for path in chosen]
    alone = [set(check([path]).findings) for path in named]
    assert set(check(named).findings) == set().union(*alone)
    assert set().union(*alone) <= set(whole.findings)
    names = {Path(root.name, path).as_posix() for path in chosen}
    assert {finding for finding in whole.findings if finding.file in names} <= set().union(*alone)
