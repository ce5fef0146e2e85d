"""The recount of meters in the long run, against the engine."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.engine.bonus import evaluate
from certify.intake.decode import decode
from certify.intake.read import read_catalog
from certify.model.catalog import Catalog
from certify.report.evidence import analysis_json
from certify_recount.figures import differences, figures
from certify_recount.files import apply_terms
from certify_recount.meters import add_long_run

PAYTABLES = Path(__file__).parents[2] / "paytables"
GAME = "emperors-challenge-exposed"
SHARES = f"{GAME}/emperors-treasure-progressive/PT-BJS-EC-ET-03"
LEVELS = f"{GAME}/emperors-treasure-multi-level-progressive/PT-PRG-MLP-ET-01"
JOKER_DECK = 53

FULL = {"seed_cents": 500_000, "increment": "12%", "reserve": "2.5%"}
CAPPED = FULL | {"cap_cents": 2_500_000}
SMALL = {"seed_cents": 25_000, "increment": "1/3%", "cap_cents": 25_100}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return read_catalog(PAYTABLES)[0]


@pytest.mark.parametrize(
    ("target", "amounts", "long_run"),
    [
        (SHARES, [FULL], "long_run_return"),
        (SHARES, [CAPPED], "return_at_reset"),
        (SHARES, [{"seed_cents": 0, "increment": "0%", "reserve": "1%"}], "long_run_return"),
        (LEVELS, [FULL, FULL, FULL], "long_run_return"),
        (LEVELS, [CAPPED | {"overflow": "not_added"}, FULL, SMALL], "greatest_long_run_return"),
        (LEVELS, [CAPPED | {"overflow": "next_meter"}, FULL, FULL], "long_run_return"),
        (LEVELS, [CAPPED, FULL, {"seed_cents": 100}], "return_at_reset"),
        (LEVELS, [FULL, {}, FULL], "fixed_return"),
    ],
)
def test_the_recount_follows_meters_as_the_engine_does(
    catalog: Catalog, target: str, amounts: list[dict[str, Any]], long_run: str
) -> None:
    table = json.loads((PAYTABLES / f"{target}.json").read_text())
    meters = [{"level": str(n)} | each for n, each in enumerate(amounts, 1)]
    table["progressive"]["meters"] = meters
    game = catalog.games[GAME]
    paytable = next(
        paytable
        for wager in game.wagers
        for paytable in wager.paytables
        if paytable.target == target
    )
    paytable = replace(paytable, progressive=decode("progressive", table["progressive"]))
    analysis = evaluate(paytable, events=catalog.events, hands=game.hands, players=game.players)
    stated = analysis_json(analysis)
    recounted = figures(table, {row.event: row.combinations for row in analysis.rows})
    add_long_run(recounted, table, JOKER_DECK, game.players)
    figures_alone = {name: stated[name] for name in recounted}
    assert differences(figures_alone, recounted) == []
    assert long_run in recounted["progressive"]


def test_the_amounts_of_a_filing_are_in_the_files_that_are_recounted() -> None:
    """The meters and envy minimums of the terms replace those of the files of their wagers."""
    place, of_envy = f"paytables/{SHARES}.json", f"paytables/{GAME}/emperors-treasure/envy/E01.json"
    files = {path: (PAYTABLES.parent / path).read_bytes() for path in (place, of_envy)}
    terms = {
        "meters": [{"wager": "emperors-treasure-progressive", "paytable": "PT-BJS-EC-ET-03",
                    "level": "1"} | FULL],
        "envies": [{"wager": "emperors-treasure", "table": "E01", "qualifying_wager_cents": 1_500}],
    }  # fmt: skip
    changed = {path: json.loads(data) for path, data in apply_terms(files, terms).items()}
    (meter,) = changed[place]["progressive"]["meters"]
    assert {name: meter[name] for name in FULL} == FULL
    assert changed[of_envy]["qualifying_wager_cents"] == 1_500
    assert apply_terms(files, {}) == files
