import json
from pathlib import Path
from typing import Any

import pytest

from certify.errors import NotConfigured
from certify.intake.files import read_terms
from certify.model.jurisdiction import (
    AggregateLimit,
    Application,
    LinkedMeter,
    MeterReduction,
    Scope,
    Terms,
)

DIGEST = "0" * 64


def file(folder: Path, value: Any) -> Path:  # noqa: ANN401 - any JSON value
    path = folder / "terms.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_nothing_stated_is_nothing_known(tmp_path: Path) -> None:
    assert read_terms(file(tmp_path, {}))[0] == Terms()


def test_no_limit_differs_from_an_unknown_limit(tmp_path: Path) -> None:
    stated = read_terms(file(tmp_path, {"aggregate_limits": [], "links": []}))[0]
    assert (stated.aggregate_limits, stated.links) == ((), ())


def test_everything_stated(tmp_path: Path) -> None:
    meters = [{"paytable": "M-1", "level": "1"}, {"paytable": "M-2", "level": "1"}]
    value = {
        "largest_wagers": {"main": 40000},
        "least_wagers": {"main": 500},
        "aggregate_limits": [{"cents": 2000000, "wagers": ["bonus"], "scope": "table"}],
        "links": [meters],
        "meter_reductions": ["amount_won"],
        "players": 6,
        "tribal": False,
        "application": "new_game",
        "laboratory_letter": DIGEST,
    }
    assert read_terms(file(tmp_path, value))[0] == Terms(
        largest_wagers=(("main", 40000),),
        least_wagers=(("main", 500),),
        aggregate_limits=(AggregateLimit(cents=2000000, wagers=("bonus",), scope=Scope.TABLE),),
        links=(tuple(LinkedMeter(**meter) for meter in meters),),
        meter_reductions=(MeterReduction.AMOUNT_WON,),
        players=6,
        tribal=False,
        application=Application.NEW_GAME,
        laboratory_letter=DIGEST,
    )


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="Cannot read"):
        read_terms(tmp_path / "terms.json")
