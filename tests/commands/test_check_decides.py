"""Games that `check` passes can be filed: altered in structure, checked and then composed.

The main wager is not counted here: its figures are round ones, of the game's own outcomes. All the
rest, the paytables' counts, the examples, the views and both documents, is the filing's own.
"""

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
from certify.model.finding import Severity
from certify.model.submission import Order
from certify.review.check import check
from tests.commands.submissions import build_without_counts, compose_part
from tests.marks import further

Value = Any  # a JSON value, altered in place
Change = Callable[[Path], None]

OPEN = "dealer-open-pai-gow"
MINI = "mini-pai-gow"
EXPRESS = "commission-free-pai-gow-express"


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
