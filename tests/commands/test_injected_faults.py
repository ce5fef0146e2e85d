"""Faults put into the code that the recount verifies: the crosscheck differs for each one.

A fault of the reader is put into `certify.intake.decode`; a recount fed by the records that it
makes would agree. The others are faults of features, ranks, house ways and kernels. Nothing is
taken from a cache. The games are a bonus wager, three-card poker, and a tiny deck.
"""

import functools
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.engine import count_cache, deck
from certify.engine.hands import conditions, features
from certify.engine.house_way import compiler
from certify.figures import crosscheck as room
from certify.figures import second_counts
from certify.figures.crosscheck import CrosscheckRequest, crosscheck
from certify.intake import decode
from certify.intake.decode import READERS, WRITTEN
from certify.kernels import class_arrays, concealed, pair_count, undivided
from certify.kernels.classes import SUIT_BITS
from certify.kernels.features import PLACE
from certify.model.catalog import Catalog
from certify.model.condition import AnyOf, FeatureTest
from certify.model.game import HandRules, Ranking
from certify.model.main_wager import MainWager, Raise
from certify.model.paytable import Commission, Payout, Paytable
from tests.commands.ante_and_play import ante_and_play
from tests.commands.pair_plus import SOURCE, pair_plus
from tests.commands.test_crosscheck_runs import main_wager, tiny
from tests.declared_files import write_files

Patch = pytest.MonkeyPatch
BONUS, TRIO = "mini-pai-gow/bonus/A", "trio/main/standard"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: Patch) -> Iterator[None]:
    """Work in a project with three-card poker."""
    monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    ante_and_play(tmp_path)
    yield
    forget()


def forget() -> None:
    """Forget what was read and counted in this process."""
    os.environ["CERTIFY_CACHE"] = tempfile.mkdtemp(dir=Path.cwd())
    count_cache._counted.clear()
    modules = [module for name, module in sys.modules.items() if name.startswith("certify.")]
    for value in [value for module in modules for value in vars(module).values()]:
        closure = value.__closure__ if isfunction(value) else None
        inner = [cell.cell_contents for cell in closure or ()]
        for each in (value, *inner):
            if isinstance(each, functools._lru_cache_wrapper):
                each.cache_clear()


def agrees(target: str) -> bool:
    forget()
    checks = crosscheck(CrosscheckRequest(target=target, again=True)).checks
    return all(check.agrees for check in checks)


def use_records(patch: Patch) -> None:
    """Feed the recount with the records that the catalog holds, as it was before."""

    def write(catalog: Catalog) -> dict[str, bytes]:
        written: dict[str, bytes] = {}
        for game in catalog.games.values():
            way = catalog.house_ways.get(game.house_way)
            records: list[MainWager | Paytable] = [*game.options, *game.paytables]
            written |= write_files(game, *records, house_way=way, events=catalog.events)
        return written

    patch.setattr(second_counts, "_files", write)


# Faults of the reader


def longer_flush(patch: Patch) -> None:
    made = decode._make_condition

    def wrong(name: str, wanted: Any) -> Any:  # noqa: ANN401 - a JSON value
        found = made(name, wanted)
        if isinstance(found, FeatureTest) and found.feature == "flush_length":
            return replace(found, minimum=6)
        return found

    patch.setattr(decode, "_make_condition", wrong)


def any_for_all(patch: Patch) -> None:
    patch.setattr(decode, "AllOf", AnyOf)


def wild_joker(patch: Patch) -> None:
    made = WRITTEN[HandRules]
    patch.setitem(
        WRITTEN,
        HandRules,
        lambda value: (
            made({**value, "joker": "fully_wild"}) if value["deck"]["joker"] else made(value)
        ),
    )


def other_award(patch: Patch) -> None:
    """Read the rows of a paytable in the order of the opposite end."""
    record = decode._record

    def wrong(kind: Any, value: Any) -> Any:  # noqa: ANN401 - any record
        if kind is Paytable:
            value = {**value, "rows": value["rows"][::-1]}
        return record(kind, value)

    patch.setattr(decode, "_record", wrong)


def other_pay(patch: Patch) -> None:
    made = READERS[Payout]

    def wrong(value: Any) -> Payout:  # noqa: ANN401 - a JSON value
        payout: Payout = made(value)
        return replace(payout, amount=payout.amount * 2)

    patch.setitem(READERS, Payout, wrong)


def no_commission(patch: Patch) -> None:
    patch.setitem(
        WRITTEN,
        Commission,
        lambda value: {**value, "rate": "4%"},
    )


def other_raise(patch: Patch) -> None:
    """Read twice the size, and no text that D022 would compare with it."""
    patch.setitem(WRITTEN, Raise, lambda value: {**value, "size": "2", "text": "Invented."})


def other_ranking(patch: Patch) -> None:
    """Rank a flush above a straight."""

    def wrong(value: dict[str, Any]) -> dict[str, Any]:
        swapped = {"straight": "flush", "flush": "straight"}
        return {**value, "highest_first": [swapped.get(c, c) for c in value["highest_first"]]}

    patch.setitem(WRITTEN, Ranking, wrong)


READ: list[tuple[str, Callable[[Patch], None]]] = [
    (BONUS, longer_flush),
    (BONUS, any_for_all),
    (BONUS, wild_joker),
    (BONUS, other_award),
    (TRIO, other_pay),
    (TRIO, other_raise),
    (TRIO, other_ranking),
]


@pytest.mark.parametrize("target", [BONUS, TRIO])
def test_without_a_fault_the_crosscheck_agrees(target: str) -> None:
    assert agrees(target)


@pytest.mark.parametrize(("target", "fault"), READ, ids=lambda each: getattr(each, "__name__", ""))
def test_a_fault_of_the_reader_differs(
    target: str, fault: Callable[[Patch], None], monkeypatch: Patch
) -> None:
    fault(monkeypatch)
    assert not agrees(target)
    use_records(monkeypatch)
    assert agrees(target)


def test_a_commission_that_is_misread_differs(tmp_path: Path, monkeypatch: Patch) -> None:
    path = tmp_path / "paytables" / "trio" / "main" / "standard.json"
    option = json.loads(path.read_text())
    for part in ("raise", "bonus"):
        option.pop(part, None)
    option["commission"] = {"rate": "5%", "prepaid": False}
    path.write_text(json.dumps(option))
    assert agrees(TRIO)
    no_commission(monkeypatch)
    assert not agrees(TRIO)
    use_records(monkeypatch)
    assert agrees(TRIO)


# Faults of what counts


def forgotten_bug(patch: Patch) -> None:
    """Do not count the joker as an ace."""
    patch.setattr(features, "_join_jokers", lambda sizes, *_: sizes)


def shorter_run(patch: Patch) -> None:
    """Read a straight of six cards as none."""
    readers = dict(features.FEATURES)
    length = readers["straight_length"]

    def wrong(hand: features.Hand) -> int:
        found = length(hand)
        return found if isinstance(found, int) and found < 6 else 0

    patch.setattr(conditions, "FEATURES", {**readers, "straight_length": wrong})


def move_one_hand(kernel: str, read: Callable[[int], int] = abs) -> Callable[[Patch], None]:
    """Return a fault that counts a hand of one cell of a census in another cell.

    ``read`` reads what the target asks for from the code of a cell.
    """
    count = getattr(conditions, kernel)

    def wrong(*arguments: Any, **named: Any) -> dict[int, int]:  # noqa: ANN401 - passed on
        cells = count(*arguments, **named)
        first, last = min(cells, key=read), max(cells, key=read)
        return {**cells, first: cells[first] - 1, last: cells[last] + 1}

    return lambda patch: patch.setattr(conditions, kernel, wrong)


def ignored_ranking(patch: Patch) -> None:
    """Rank undivided hands as five cards are ranked."""
    listed = deck._lowest_first
    patch.setattr(deck, "_lowest_first", lambda ranking: sorted(listed(ranking)))


def lost_ties(patch: Patch) -> None:
    """Settle pushed deals of undivided hands as lost."""
    run = undivided.run

    def wrong(plan: Any, part: Any) -> Any:  # noqa: ANN401 - passed on
        tally = run(plan, part)
        tally.outcome[..., 2] += tally.outcome[..., 1]
        tally.outcome[..., 1] = 0
        return tally

    patch.setattr(undivided, "run", wrong)


def no_exceptions(patch: Patch) -> None:
    """Set every hand by the base rule of its section."""
    decide = compiler._Compiler.decide_section

    def wrong(self: Any, section: Any, rows: Any) -> None:  # noqa: ANN401 - passed on
        decide(self, replace(section, exceptions=()), rows)

    patch.setattr(compiler._Compiler, "decide_section", wrong)


def unseen_flushes(patch: Patch) -> None:
    """Rank a flush as cards of several suits."""
    build = class_arrays.build_key_tables

    def wrong(shape: Any) -> Any:  # noqa: ANN401 - passed on
        tables = build(shape)
        return tables._replace(flushes=tables.backs)

    patch.setattr(class_arrays, "build_key_tables", wrong)


def swapped_results(patch: Patch) -> None:
    """Count won pairs of hands as lost, and lost ones as won."""
    count = pair_count.exact_counts
    patch.setattr(
        pair_count,
        "exact_counts",
        lambda sums: count([[total, won, lost] for total, lost, won in sums]),
    )


def one_push_less(patch: Patch) -> None:
    """Count one pushed deal of a concealed hand as won."""
    combine = concealed.combine

    def wrong(plan: Any, tallies: Any) -> Any:  # noqa: ANN401 - passed on
        tallies[0].outcome[..., 0] += 1
        return combine(plan, tallies)

    patch.setattr(concealed, "combine", wrong)


def read_hearts(code: int) -> int:
    return code >> PLACE["suits"] + 2 * SUIT_BITS & 7


HEARTS = "three-card-poker/pair-plus/1"


@pytest.mark.parametrize(
    ("target", "fault"),
    [
        (BONUS, forgotten_bug),
        (BONUS, shorter_run),
        (BONUS, move_one_hand("count_features")),
        (HEARTS, move_one_hand("count_shoe", read_hearts)),
        (TRIO, ignored_ranking),
        (TRIO, lost_ties),
        ("emperors-challenge-exposed", no_exceptions),
        ("emperors-challenge-exposed", unseen_flushes),
        ("emperors-challenge-exposed", swapped_results),
        ("mini-pai-gow", one_push_less),
    ],
)
def test_a_fault_of_what_counts_differs(
    target: str, fault: Callable[[Patch], None], tmp_path: Path, monkeypatch: Patch
) -> None:
    if target == HEARTS:
        count_hearts(tmp_path)
    elif "/" not in target:
        target = main_wager(target)
        monkeypatch.setattr(room, "select_sound", tiny)
    assert agrees(target)
    fault(monkeypatch)
    assert not agrees(target)


def count_hearts(project: Path) -> None:
    """Declare a wager that is counted card by card."""
    root = pair_plus(project)
    hearts = {"id": "hearts", "text": "Three hearts", "when": {"hearts": 3}, "source": SOURCE}
    events = {"$schema": "events.schema.json", "events": [hearts]}
    (root.parent / "events.json").write_text(json.dumps(events))
    path = root / "pair-plus" / "1.json"
    rows = [{"event": "hearts", "name": "Three hearts", "pays": "60 to 1"}]
    path.write_text(json.dumps(json.loads(path.read_text()) | {"rows": rows}))
