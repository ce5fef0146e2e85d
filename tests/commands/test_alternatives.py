"""Other readings of the sources: each is applied, counted, and its price printed."""

import re
from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace

from certify.figures.alternatives import find_invalid_alternatives, with_alternatives
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import Selection, load_catalog
from certify.intake.workspace import apply_interpretation
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.finding import Unfit
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.source import Alternative, Alternatives, Figure, Op, RecordChange

VAGUE = re.compile(
    r"\b(slightly|a little|little|somewhat|about|roughly|nearly|is smaller|is larger|lies nearer|"
    r"would be larger|would be smaller|by as much as|"
    r"would (rise|fall)(?! by (at most )?\d)(?! into))\b"
)
"""What is said of a quantity that was not counted."""


@cache
def catalog() -> Catalog:
    return load_catalog()


def prices(target: str, *alternatives: str) -> dict[str, dict[Figure, Fraction]]:
    """Return the changes of one target's figures by some alternatives, or by all."""
    name, wager_id, record_id = target.split("/")
    game = catalog().games[name]
    wager = next(wager for wager in game.wagers if wager.id == wager_id)
    records: tuple[Paytable | MainWager, ...] = (*wager.options, *wager.paytables)
    record = next(record for record in records if record.id == record_id)
    selection = Selection(catalog=catalog(), game=game, records=((wager, record),))
    analyses: dict[str, Analysis] = {
        analysis.target: analysis for analysis in evaluate(selection, Settings())
    }
    found = with_alternatives(selection, Settings(), analyses, only=alternatives)[
        target
    ].alternatives
    assert len(found) == len({price.alternative.id for price in found})
    return {
        item.alternative.id: {figure: read - filed for figure, (filed, read) in item.moved.items()}
        for item in found
    }


def test_a_hand_that_is_two_rows_is_paid_by_the_lower_pay() -> None:
    """201,824 hands are three of a kind and a straight: 3 to 1 by order of print, 2 to 1 by rank.

    The count stands in the published figures of the Dynasty Bonus: 7,672,500 - 7,470,676.
    """
    moved = prices("dealer-open-pai-gow/chan-chu/3", "best-hand-is-paid")
    change = Fraction(7_672_500 - 7_470_676, 154_143_080)
    assert moved == {"best-hand-is-paid": {Figure.HOUSE_EDGE: change, Figure.FULL_TABLE: change}}


def test_an_alternative_of_another_paytable_moves_nothing() -> None:
    assert prices("dealer-open-pai-gow/chan-chu/3", "three-pair-pushes") == {}


def test_three_pair_as_a_push_gives_its_stakes_back() -> None:
    """2,862,000 hands are three pair and no row of Pay Table 1: published count of three pair."""
    moved = prices("dealer-open-pai-gow/chan-chu/1", "three-pair-pushes")
    assert moved["three-pair-pushes"] == {Figure.HOUSE_EDGE: Fraction(-2_862_000, 154_143_080)}


@pytest.mark.slow
def test_prices_that_reviewers_derived_by_independent_code() -> None:
    """Printed by reviewers with three decimals: -0.152, -0.123 and +0.004 points."""
    moved = prices(
        "dealer-open-pai-gow/main/no-push",
        "joker-no-ace-beside-complete-hand",
        "pair-not-king-high",
        "wheel-lowest",
    )
    found = {name: round(float(one[Figure.HOUSE_EDGE]) * 100, 3) for name, one in moved.items()}
    assert found == {
        "joker-no-ace-beside-complete-hand": -0.152,
        "pair-not-king-high": -0.123,
        "wheel-lowest": 0.004,
    }


@pytest.mark.slow
def test_every_declared_alternative_can_be_counted() -> None:
    assert list(find_invalid_alternatives(catalog())) == []


@pytest.mark.parametrize("owner", sorted(load_catalog().alternatives))
def test_alternatives_belong_to_what_is_declared(owner: str) -> None:
    readings = catalog().alternatives[owner].alternatives
    assert len({reading.id for reading in readings}) == len(readings)
    known = _ids()
    for reading in readings:
        assert set(reading.of) <= known, reading.id
        apply_interpretation(catalog(), owner, reading)


@pytest.mark.parametrize("left", ["dealer-open-pai-gow", "dealer-open-pai-gow/chan-chu/1"])
def test_a_record_below_one_with_faults_is_not_read_otherwise(left: str) -> None:
    """Its own faults have been reported, and the interpretation has no others."""
    owner = "dealer-open-pai-gow"
    reading = next(
        alternative
        for alternative in catalog().alternatives[owner].alternatives
        if any(change.record == f"{owner}/chan-chu/1" for change in alternative.changes)
    )
    faulty = replace(catalog(), left_out=frozenset({left}))
    with pytest.raises(Unfit) as caught:
        apply_interpretation(faulty, owner, reading)
    assert caught.value.findings == ()


def test_a_reading_of_a_house_way_without_an_effect_is_reported() -> None:
    other_words = RecordChange(
        record="house-ways/mini-pai-gow",
        op=Op.REPLACE,
        path="/sections/straight/title",
        value="Cards in sequence",
    )
    reading = Alternative(id="same", text="In other words.", of=(), changes=(other_words,))
    declared_so = Alternatives(id="mini-pai-gow", alternatives=(reading,))
    faults = find_invalid_alternatives(
        replace(catalog(), alternatives={"mini-pai-gow": declared_so})
    )
    assert ["Every hand is set as it was." in fault.message for fault in faults] == [True]


def _ids() -> set[str]:
    found = {item.id for several in catalog().discrepancies.values() for item in several}
    found |= {
        assumption.id for way in catalog().house_ways.values() for assumption in way.assumptions
    }
    for game in catalog().games.values():
        found |= {assumption.id for assumption in game.assumptions}
        found |= {definition.id for definition in game.definitions if definition.effect is not None}
        for wager in game.wagers:
            found |= {
                assumption.id for option in wager.options for assumption in option.assumptions
            }
            found |= {
                assumption.id for table in wager.paytables for assumption in table.assumptions
            }
    return found


def _effects() -> list[tuple[str, str, bool]]:
    """Return every declared effect with its id, and whether it is an assumption's."""
    found: list[tuple[str, str, bool]] = []

    def walk(value: object, *, assumed: bool) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("effect"), str):
                found.append((value.get("id", ""), value["effect"], assumed))
            for name, item in value.items():
                walk(item, assumed=name == "assumptions")
        elif isinstance(value, list):
            for item in value:
                walk(item, assumed=assumed)

    for document in catalog().documents.values():
        walk(document.value, assumed=False)
    return found


def test_no_effect_is_reported_by_a_quantity_that_was_not_counted() -> None:
    assert [(name, effect) for name, effect, _ in _effects() if VAGUE.search(effect)] == []


def test_every_assumption_has_a_price_or_a_reason_for_none() -> None:
    """It is read otherwise in an alternative, or moves nothing, or cannot be counted."""
    counted = {
        name
        for owner in catalog().alternatives.values()
        for alternative in owner.alternatives
        for name in alternative.of
    }
    assumed = {(name, effect) for name, effect, is_assumed in _effects() if is_assumed and name}
    assert [
        (name, effect)
        for name, effect in sorted(assumed)
        if name not in counted
        and not effect.startswith("No figure")
        and "Not counted" not in effect
    ] == []
