import json
from typing import Any

import pytest

from certify import library
from certify.declare import terms_form
from certify.declare.missing_terms import missing
from certify.errors import NotConfigured
from certify.figures.targets import load_catalog
from certify.filing.declaration import project_folder
from certify.model.finding import Severity
from certify.model.game import Game

WHOLE: dict[str, Any] = {
    "$schema": "filing.schema.json",
    "game": "emperors-challenge-exposed",
    "player_advantage": {"emperors-treasure": "A promotion of one week."},
    "supplier": {
        "name": "Sample Games LLC",
        "address": "1 Main Street, Reno, NV 89501",
        "contact": "Compliance, +1 775 555 0100",
        "licence": "Manufacturer 00000",
    },
    "procedures": {
        name: f"About {name}."
        for name in (
            "shuffle", "first_hand", "dealing_order", "remaining_cards", "settlement", "misdeal",
            "exposed_card", "foul", "dealer_error", "table_opening", "tokes",
            "layout", "meter_payment", "meter_winners", "meter_reset", "meter_malfunction",
        )
    },
    "foul_against_push": "push",
    "largest_wagers": {"main": 40000, "emperors-treasure": 2550},
    "least_wagers": {"main": 1000},
    "aggregate_limits": [
        {"cents": 2000000, "wagers": ["emperors-treasure"], "scope": "table"},
        {"cents": 1000000, "wagers": ["main", "pai-gow-insurance"]},
    ],
    "links": [
        [
            {"paytable": "PT-PRG-EC-ET-D01", "level": "1"},
            {"paytable": "PT-PRG-EC-ET-D02", "level": "1"},
        ]
    ],
    "meter_reductions": ["amount_won", "malfunction", "other"],
    "players": 6,
    "tribal": False,
    "application": "variation",
    "laboratory_letter": "0" * 64,
    "laboratory_letter_file": "letter.pdf",
    "code_options": {"main": "58 Pa. Code § 649a.1, option 1"},
    "fees": {
        "bands": [
            {"from_cents": 500, "cents": 0, "banker_cents": 50}, {"from_cents": 2050, "cents": 100}
        ],
        "text": "Collected before the deal.",
    },
    "supplied": [
        {"item": "artwork", "statement": "The layout is attached."},
        {"item": "sample", "files": [{"name": "a.pdf", "sha256": "1" * 64}]},
    ],
}  # fmt: skip


OF_THE_FILING: dict[str, Any] = {
    "id": "nv",
    "jurisdiction": "nevada",
    "operator": {"name": "Sample Casino"},
    "laboratory": {"name": "Sample Laboratory"},
    "applicant": "operator",
    "application_reason": "A larger seed.",
    "revision": "2",
    "revised": "2026-11-29",
    "changes": [{"revision": "2", "date": "2026-11-29", "text": "The seed is larger."}],
    "paytables": ["PT-FLT-EC-PGI-01"],
    "house_way": "dealer-open-pai-gow",
    "strategy": "house-way",
    "meters": [{"wager": "m", "paytable": "p", "level": "1", "seed_cents": 500000}],
    "envies": [{"wager": "e", "table": "E01", "qualifying_wager_cents": 500}],
    "sentences": [{"id": "dealing.first", "text": "Dice decide."}],
    "banking": "house",
    "joker": "semi_wild",
}
"""Properties that the form has no fields for."""


@pytest.fixture(scope="module")
def game() -> Game:
    return load_catalog().games["emperors-challenge-exposed"]


def test_the_whole_record_is_one_that_states_everything() -> None:
    schema = json.loads((library.schemas() / "filing.schema.json").read_bytes())
    assert set(WHOLE) | set(OF_THE_FILING) == set(schema["properties"])


def test_a_form_keeps_what_it_has_no_fields_for(game: Game) -> None:
    kept = WHOLE | OF_THE_FILING
    form = terms_form.form_values(game, kept) | {"players": ["5"]}
    assert terms_form.parse_terms(game, kept, form).value == kept | {"players": 5}


def test_a_form_has_every_field_of_a_file(game: Game) -> None:
    said = terms_form.form_values(game, WHOLE)
    parsed = terms_form.parse_terms(game, {}, said)
    assert (parsed.faults, parsed.value) == ({}, WHOLE)


def test_a_form_that_is_sent_as_it_was_shown_changes_nothing(game: Game) -> None:
    kept = {**WHOLE, "meter_reductions": ["other", "amount_won"]}
    kept["aggregate_limits"] = [{"cents": 1000, "wagers": ["main"], "scope": "player"}]
    kept["procedures"] = {"shuffle": "By hand.\n\nOr by a machine."}
    kept["supplied"] = [{"item": "a", "statement": text} for text in ("One.", "Another.")]
    assert terms_form.parse_terms(game, kept, terms_form.form_values(game, kept)).value == kept
    assert terms_form.parse_terms(game, kept, {}).value == kept


@pytest.mark.parametrize("part", ["aggregate_limits", "links", "meter_reductions"])
@pytest.mark.parametrize(("said", "value"), [("", None), ("none", [])])
def test_that_there_is_none_is_another_thing_than_not_stated(
    game: Game, part: str, said: str, value: list[str] | None
) -> None:
    form = terms_form.form_values(game, WHOLE) | {part: [said]}
    assert terms_form.parse_terms(game, WHOLE, form).value.get(part) == value


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"largest_wagers/main": ["ten"]}, "largest_wagers/main"),
        ({"players": ["six"]}, "players"),
        ({"aggregate_limits/0/cents": [""]}, "aggregate_limits/0/cents"),
        ({"aggregate_limits/1/wagers": []}, "aggregate_limits/1/wagers"),
        (
            {f"aggregate_limits/{n}/{part}": [] for n in (0, 1) for part in ("cents", "wagers")},
            "aggregate_limits",
        ),
        ({"links/PT-PRG-EC-ET-D02/1": [""]}, "links/PT-PRG-EC-ET-D01/1"),
        (
            {"links/PT-PRG-EC-ET-D01/1": [""], "links/PT-PRG-EC-ET-D02/1": [""]},
            "links",
        ),
        ({"meter_reductions/reasons": []}, "meter_reductions"),
        ({"fees/bands/1/cents": ["one"]}, "fees/bands/1/cents"),
    ],
)
def test_a_fault_is_that_of_its_field(game: Game, change: dict[str, list[str]], at: str) -> None:
    found = terms_form.parse_terms(game, {}, terms_form.form_values(game, WHOLE) | change)
    assert list(found.faults) == [at]


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"least_wagers": {"main": 50000}}, "least_wagers/main"),
        ({"players": 9}, "players"),
        ({"laboratory_letter": "abc"}, "laboratory_letter"),
        ({"aggregate_limits": [{"cents": 1, "wagers": ["nobody"]}]}, "aggregate_limits/0/wagers"),
        ({"supplier": {"address": "Reno"}}, "supplier/address"),
        ({"fees": {"bands": [{"from_cents": 500}], "text": "x"}}, "fees/bands/0/from_cents"),
        ({"fees": {"bands": [], "text": "x"}}, "fees/text"),
        ({"code_options": {"nobody": "x"}}, "code_options/nobody"),
        (
            {"supplied": [{"item": "x", "files": [{"name": "../x", "sha256": "1" * 64}]}]},
            "supplied/x/files",
        ),
    ],
)
def test_what_check_finds_belongs_to_a_field(game: Game, change: dict[str, Any], at: str) -> None:
    value = {**WHOLE, **change}
    path = library.root() / "filings" / f"{game.id}-nevada.json"
    found = terms_form.check_terms(game, path, value)
    (finding,) = [each for each in found if each.severity is Severity.ERROR]
    said = terms_form.form_values(game, value)
    assert at in set(terms_form.fields_at_fault(list(said), finding.pointer))


def test_what_is_not_stated_is_missing_and_then_is_not(game: Game) -> None:
    state = load_catalog().jurisdictions["wsgc"]
    named = {name for item in missing(game, state, {}) for name in item.fields}
    asked = {"supplier/contact", "links", "meter_reductions", "tribal", "aggregate_limits"}
    assert asked <= named
    whole = dict(WHOLE)
    whole["largest_wagers"] = {wager.id: 500 for wager in game.wagers}
    whole["least_wagers"] = {wager.id: 100 for wager in game.wagers}
    assert missing(game, state, whole) == ()


@pytest.mark.parametrize("part", ["largest_wagers", "least_wagers"])
def test_missing_amounts_are_requested_one_by_one_or_all(game: Game, part: str) -> None:
    state = load_catalog().jurisdictions["nevada"]
    amounts = dict.fromkeys((wager.id for wager in game.wagers), 500)
    both = {"largest_wagers": amounts, "least_wagers": amounts}

    def asked(known: dict[str, int]) -> list[str]:
        fields = [
            name for item in missing(game, state, {**both, part: known}) for name in item.fields
        ]
        return [name for name in fields if name.partition("/")[0] in both]

    first, second, *others = amounts
    assert asked(amounts) == []
    assert asked(dict.fromkeys((second, *others), 500)) == [f"{part}/{first}"]
    assert asked(dict.fromkeys(others, 500)) == [part]


def test_a_folder_leads_nowhere_else() -> None:
    with pytest.raises(NotConfigured):
        project_folder("../elsewhere")
