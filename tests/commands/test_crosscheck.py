import json
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

import certify_recount
from certify.cli.app import run
from certify.cli.comparison import check_text
from certify.engine.hands.awards import row_counts
from certify.figures import second_counts
from certify.figures import second_counts as pipeline
from certify.figures.second_counts import recount_paytables
from certify.model.catalog import Catalog
from certify.model.comparison import CrossCheck
from certify.model.game import Deck
from certify.model.paytable import HandOf, Paytable
from certify_recount import hands as recount

TARGET = "pai-gow-mania/three-card-bonus/fitzgeralds-2004"


def list_paytables(catalog: Catalog) -> list[Paytable]:
    return [
        paytable
        for game in catalog.games.values()
        for paytable in game.paytables
        if paytable.hand is not HandOf.BOTH
    ]


def recount_table(catalog: Catalog, paytable: Paytable) -> CrossCheck:
    game = catalog.games[paytable.game]
    (check,) = recount_paytables(catalog, [paytable], game=game)
    return check


@pytest.mark.long
def test_every_declared_wager_on_one_hand_is_recounted_row_by_row(catalog: Catalog) -> None:
    checks = [recount_table(catalog, paytable) for paytable in list_paytables(catalog)]
    differing = [
        (check.target, row.event) for check in checks for row in check.comparisons if not row.agrees
    ]
    assert differing == []
    assert all(sum(row.other for row in check.comparisons) == 1 for check in checks)
    assert len(checks) > 40


@pytest.mark.parametrize(
    ("recount", "said"),
    [
        (certify_recount.digest(), ""),
        ("", "on 2026-11-27; the SHA-256 of its recount is not recorded."),
        ("a" * 64, f"on 2026-11-27 by another recount, SHA-256 {'a' * 64}; this one has"),
    ],
)
def test_a_stored_count_of_another_recount_is_named(recount: str, said: str) -> None:
    check = CrossCheck(
        target=TARGET,
        method="exact",
        rounds=1,
        comparisons=(),
        digest="d" * 64,
        counted=date(2026, 11, 27),
        version="0.2.0",
        recount=recount,
    )
    text = check_text(check)
    assert ("certify 0.2.0 made the stored count" in text) == bool(said)
    assert said in text
    assert ("--again" in text) == bool(said)


def test_a_deck_that_the_engine_does_not_count_is_noticed(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    (paytable,) = (table for table in list_paytables(catalog) if table.target == TARGET)
    hands = replace(catalog.games[paytable.game].hands, deck=Deck(joker=0))

    def wrong(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - passed on
        return row_counts(*arguments, **(named | {"hands": hands}))

    monkeypatch.setattr(second_counts, "row_counts", wrong)
    assert not recount_table(catalog, paytable).agrees


def test_a_feature_that_the_recount_misreads_exits_1_and_agreement_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pipeline, "cached_count", lambda _, count, **_options: count())
    assert run(["crosscheck", TARGET, "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    assert (found["method"], found["agrees"]) == ("exact", True)
    assert {row["difference"] for row in found["comparisons"]} == {"0/1"}
    readers = {**recount.FEATURES, "of_a_kind": lambda hand: max(hand.naturals)}
    monkeypatch.setattr(recount, "FEATURES", readers)
    assert run(["crosscheck", TARGET]) == 1
    assert "DIFFERS" in capsys.readouterr().out
