import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from certify import library
from certify.errors import CertifyError
from certify.filing.documents import PARTS
from certify.filing.order import build_filing
from certify.model.finding import Finding, Severity
from certify.model.submission import Order
from certify.review.check import check
from tests.commands.submissions import build_without_counts, compose_part
from tests.marks import further

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


# Games that `check` passes can be filed: altered in structure, checked and then composed
# The figures of the main wager are round ones; all the rest is the filing's own.


Value = Any  # a JSON value, altered in place
Change = Callable[[Path], None]

OPEN = "dealer-open-pai-gow"
MINI = "mini-pai-gow"


def put(name: str, **values: Value) -> Change:
    """Return a change that writes values into a file of the game; None removes a value."""

    def change(game: Path) -> None:
        path = game / name
        record = json.loads(path.read_text(encoding="utf-8")) | values
        kept = {key: value for key, value in record.items() if value is not None}
        path.write_text(json.dumps(kept), encoding="utf-8")

    return change


def rows(name: str, *numbers: int, **values: Value) -> Change:
    def change(game: Path) -> None:
        record = json.loads((game / name).read_text(encoding="utf-8"))
        put(name, rows=[record["rows"][number] | values for number in numbers])(game)

    return change


def remove(name: str) -> Change:
    def change(game: Path) -> None:
        path = game / name
        if path.is_dir():
            shutil.rmtree(path)
            listed = json.loads((game / "game.json").read_text(encoding="utf-8"))["wagers"]
            put("game.json", wagers=[item for item in listed if item != name])(game)
        else:
            path.unlink()

    return change


def remove_section(name: str) -> Change:
    def change(game: Path) -> None:
        sections = json.loads((game / "game.json").read_text(encoding="utf-8"))["sections"]
        put("game.json", sections=[section for section in sections if section["id"] != name])(game)

    return change


def absent(game: Path) -> None:
    for path in (game / "main").glob("*.json"):
        if path.name != "wager.json":
            path.unlink()
    source = {"document": game.name, "clause": "not stated"}
    absent = {"id": "absent", "text": "None.", "topic": "wagers_offered", "source": source}
    put("main/wager.json", absent=absent)(game)


def hand(cards: int, back: int, front: int) -> Change:
    return put("game.json", hand={"cards": cards, "back": back, "front": front})


ALTERED: dict[str, tuple[str, Change]] = {
    "as declared": (MINI, put("game.json")),
    "no main wager": (MINI, remove("main")),
    "main wager absent": (MINI, absent),
    "no option": (MINI, remove("main/1.json")),
    "main wager of another kind": (MINI, put("main/wager.json", kind="bonus")),
    "no bonus": (MINI, remove("bonus")),
    "main wager alone listed": (MINI, put("game.json", wagers=["main"])),
    "no list of wagers": (MINI, put("game.json", wagers=[])),
    "no sections": (MINI, put("game.json", sections=[])),
    **{
        f"no section {item}": (MINI, remove_section(item))
        for item in ("description", "round", "main", "dealing", "irregularities", "notices")
    },
    "no definitions": (MINI, put("game.json", definitions=[])),
    "no assumptions": (MINI, put("game.json", assumptions=None)),
    "no changes": (MINI, put("game.json", changes=None)),
    "one player": (MINI, put("game.json", players=1)),
    "exposed dealer and a raise": (MINI, put("game.json", dealer_exposed=True)),
    "best play": (MINI, put("game.json", strategy="optimal")),
    "fully wild joker": (MINI, put("game.json", joker="fully_wild")),
    "no joker": (MINI, put("game.json", deck={"ranks": 13, "joker": False}, joker=None)),
    "five ranks": (MINI, put("game.json", deck={"ranks": 5, "joker": True})),
    "eight ranks": (MINI, put("game.json", deck={"ranks": 8, "joker": True})),
    "undivided hand": (MINI, hand(5, 5, 0)),
    "hand not divided as it is dealt": (MINI, hand(6, 5, 2)),
    "short hands": (MINI, hand(4, 3, 1)),
    "other house way": (MINI, put("game.json", house_way="foxwoods", house_ways=["foxwoods"])),
    "no rules of the main wager": (MINI, put("main/wager.json", rules=[])),
    "no rules of the bonus": (MINI, put("bonus/wager.json", rules=[])),
    "no raise": (MINI, put("main/1.json", **{"raise": None})),
    "raise that never counts": (
        MINI,
        lambda game: put(
            "main/1.json",
            **{
                "raise": json.loads((game / "main/1.json").read_text(encoding="utf-8"))["raise"]
                | {"qualifies": {"of_a_kind": {"min": 6}}}
            },
        )(game),
    ),
    "no paytable with envy": (MINI, remove("bonus/community.json")),
    "no envy table": (MINI, remove("bonus/envy")),
    **{f"bonus of {n} cards": (MINI, put("bonus/A.json", cards=n)) for n in (1, 2, 3, 4, 5, 7)},
    "bonus on both hands": (MINI, put("bonus/A.json", hand="both")),
    "bonus on the dealer's hand": (MINI, put("bonus/A.json", hand="dealer")),
    "one row": (MINI, rows("bonus/A.json", 0)),
    "no rows": (MINI, rows("bonus/A.json")),
    "a push alone": (MINI, rows("bonus/A.json", 0, pays="push")),
    "losses alone": (MINI, rows("bonus/A.json", 0, 1, pays="loss")),
    "no printed figures": (MINI, remove("published.json")),
    "no discrepancies": (MINI, remove("discrepancies.json")),
    "wagers of nothing": (MINI, put("bonus/wager.json", minimum_cents=0, maximum_cents=0)),
    "no dealer rules": (OPEN, put("main/ace-high-push.json", dealer_rules=[])),
    "concealed dealer": (OPEN, put("game.json", dealer_exposed=False)),
    "no choice of options": (OPEN, remove("main/no-push.json")),
    "lowest wheel": (OPEN, put("game.json", wheel="lowest")),
    "progressive kind": (OPEN, put("chan-chu/wager.json", kind="progressive")),
}
"""What is altered, in which game."""


def copy_game(game: str, folder: Path) -> Path:
    """Copy the shared files and one game; return the folder of declared data."""
    declared, root = library.paytables(), folder / "paytables"
    root.mkdir()
    shutil.copy(declared / "events.json", root)
    for name in ("house-ways", "jurisdictions", game):
        shutil.copytree(declared / name, root / name)
    return root


@pytest.mark.parametrize("name", [*[*ALTERED][:12], *further([*ALTERED][12:])])
def test_games_that_pass_the_check_are_composed(name: str, tmp_path: Path) -> None:
    game, change = ALTERED[name]
    root = copy_game(game, tmp_path)
    change(root / game)
    errors = [finding for finding in check([root]).findings if finding.severity is Severity.ERROR]
    for jurisdiction in ("nevada", "wsgc") if name == "as declared" else ("nevada",):
        order = Order(game=game, jurisdiction=jurisdiction)
        refusal = None
        try:
            submission = build_without_counts(build_filing(order, root))
        except CertifyError as error:
            refusal = error
        if refusal is None:
            assert all(compose_part(submission, part) for part in PARTS)
        else:
            assert (bool(errors), refusal.exit_code in (1, 2)) == (True, True), refusal
