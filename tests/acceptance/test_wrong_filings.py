"""Wrong rule packs, terms and games: `check` stops each with line, column and remedy.

None of them reaches a document: a filing of it is refused before anything is counted.
"""

import json
import shutil
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from certify import library
from certify.model.finding import Unfit
from certify.pipeline.filing import Order, filing_of
from tests.acceptance.command_line import ROOT, Certify
from tests.altering import put

GAME = "emperors-challenge-exposed"
PACKS = ROOT / "paytables" / "jurisdictions"


@dataclass(frozen=True, slots=True)
class Wrong:
    """Values that make a sound file wrong, by pointer, and what is found: code, a word, the place.

    A last ``-`` adds to a list; a value that is a function is made of the record. What is found
    stands where the last of the values was put, or at ``pointer`` from there.
    """

    name: str
    values: dict[str, Any]
    code: str
    words: str
    pointer: str | None = None

    def alter(self, record: dict[str, Any]) -> str:
        """Put the values into the record; return the pointer of what is wrong."""
        for place, value in self.values.items():
            put(place, value(record) if callable(value) else value)(record)
        if self.pointer is not None and self.pointer.startswith("/"):
            return self.pointer
        parent, _, last = place.rpartition("/")
        if last == "-":
            listed = record[parent.rpartition("/")[2]]
            place = f"{parent}/{len(listed) - 1}"
        return "/".join(part for part in (place, self.pointer) if part)


def again(name: str, place: int, **other: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    """Declare an entry of a list once more, with other values."""
    return {f"/{name}/-": lambda record: deepcopy(record[name][place]) | other}


def item(**values: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    return {"/checklist/-": {"id": "more", "text": "More", "bearer": "ours"} | values}


APP, EX, AGG = "/rules/1", "/rules/3", "/rules/6"
APP_TEXT, EX_TEXT, AGG_TEXT = (f"{rule}/versions/0" for rule in (APP, EX, AGG))
BORROWED = {"citation": "N.J.A.C. 13:69F-11.20", "confidence": "verified_text"}
"""Another state's floor of $40,000, under the test of the multiple of the maximum wager."""
FLOOR = {f"{AGG}/test": "fixed_payout_floor"}
"""The test that a rule without one is given, so that it takes a parameter."""

# fmt: off
PACK = (
    Wrong("another state's number under a test that does not read it",
          {f"{AGG}/test": "aggregate_limit_floor",
           AGG_TEXT: lambda pack: pack["rules"][6]["versions"][0] | BORROWED
           | {"parameters": {"least_cents": 4000000}}},
          "R016", "belongs to fixed_payout_floor", "parameters/least_cents"),
    Wrong("a parameter that is misspelt",
          FLOOR | {f"{AGG_TEXT}/parameters": {"least_cents": 50, "least_cens": 50}},
          "R016", "Did you mean least_cents?", "least_cens"),
    Wrong("a parameter that is missing",
          FLOOR | {AGG_TEXT: lambda pack: pack["rules"][6]["versions"][0]},
          "R016", "Add `least_cents`"),
    Wrong("a parameter of nought",
          FLOOR | {f"{AGG_TEXT}/parameters": {"least_cents": 0}},
          "R016", "from 1 to", "least_cents"),
    Wrong("true where a number is wanted",
          FLOOR | {f"{AGG_TEXT}/parameters": {"least_cents": True}},
          "R016", "a whole number", "least_cents"),
    Wrong("text where a number is wanted",
          FLOOR | {f"{AGG_TEXT}/parameters": {"least_cents": "50"}},
          "S003", "whole number", "least_cents"),
    Wrong("a parameter of a test that takes none",
          {f"{EX_TEXT}/parameters": {"examples_per_wager": 3}},
          "R016", "takes no parameter", "examples_per_wager"),
    Wrong("parameters without a test",
          {f"{APP_TEXT}/parameters": {"copies": 2}}, "R016", "`certify rule --tests`"),
    Wrong("a test that is not known",
          {f"{EX}/test": "worked_example"}, "S004", 'Did you mean "worked_examples"?'),
    Wrong("a rule's id twice", again("rules", 1), "D004", "another id", "id"),
    Wrong("two rules for one test",
          again("rules", 3, id="Reg. 14.230(2)"), "R018", "a text for each period", "test"),
    Wrong("a text that ends before it begins",
          {f"{EX_TEXT}/effective_from": "2021-01-01", f"{EX_TEXT}/effective_to": "2020-01-01"},
          "R017", "the first day no longer in force"),
    Wrong("two texts on one day",
          {f"{EX}/versions/-": lambda pack: deepcopy(pack["rules"][3]["versions"][0])},
          "R017", "End the older text", f"{EX}/versions/1/effective_from"),
    Wrong("an item that names no rule of the pack",
          item(rule="NV-EXX"), "R019", "Did you mean NV-EX?", "rule"),
    Wrong("an item whose rule cannot prove it",
          item(rule="NV-APP", proof=["rule"]), "R019", "Name a rule with a test", "proof/0"),
    Wrong("a fact that is not known",
          item(proof=["suplier"]), "S004", 'Did you mean "supplier"?', "proof/0"),
    Wrong("an item's id twice", item(id="patent"), "D004", "another id", "id"),
    Wrong("a clause for no rule of the pack",
          {"/clauses/-": {"id": "side-bets", "text": "Side bets are prohibited.",
                          "rule": "13:69F-11.20",
                          "source": {"document": "nevada", "clause": "1"}}},
          "R019", "Declared: NV-VAR", "rule"),
    Wrong("a section that is not known",
          {"/sections/-": "rackcard"}, "S004", 'Did you mean "rack_card"?'),
    Wrong("an error by a text that nobody read",
          {f"{AGG}/severity": "error"}, "S008", "verified_text", f"{AGG}/versions"),
)

TERMS = (
    Wrong("a wager that the game does not have",
          {"/largest_wagers": {"emperors-tresure": 2500}},
          "R021", "Did you mean emperors-treasure?", "emperors-tresure"),
    Wrong("a limit on such a wager",
          {"/aggregate_limits": [{"cents": 100, "wagers": ["tie"]}]},
          "R021", "Declared: main", "0/wagers/0"),
    Wrong("a meter that no paytable has",
          {"/links": [[{"paytable": "PT-BJS-EC-ET-01", "level": "1"},
                       {"paytable": "PT-BJS-EC-ET-01", "level": "7"}]]},
          "R021", "Declared: 1", "0/1/level"),
    Wrong("a game that is not declared",
          {"/game": "emperors-challenge"}, "R021", "Did you mean emperors-challenge-exposed?"),
    Wrong("a minimum above the maximum",
          {"/least_wagers": {"main": 5001}}, "R022", "not above the maximum", "main"),
    Wrong("a wager in two limits",
          {"/aggregate_limits": [{"cents": 2000000, "wagers": ["emperors-treasure"]},
                                 {"cents": 3000000, "wagers": ["emperors-treasure"]}]},
          "R022", "State one limit for a wager", "1/wagers/0"),
    Wrong("a property of the supplier that is misspelt",
          {"/supplier": {"name": "Sample", "license": "M 1"}},
          "S002", "Did you mean `licence`?", "license"),
    Wrong("a procedure that is not known",
          {"/procedures": {"misdeals": "All wagers are returned."}},
          "S002", "Did you mean `misdeal`?", "misdeals"),
    Wrong("dollars with a fraction", {"/largest_wagers": {"main": 50.5}}, "J004", "", "main"),
)

PAYTABLE = (
    Wrong("an event that is misspelt",
          {"/rows/0/event": "natural_seven_card_straigt_flush"},
          "P001", "Did you mean natural_seven_card_straight_flush?"),
    Wrong("a pay that no dealer can read", {"/rows/0/pays": "5000 too 1"}, "S005", "odds"),
    Wrong("a game that is not declared",
          {"/game": "emperors-challenge-exposd"}, "D010", f"Did you mean {GAME}?"),
    Wrong("the same hand twice", again("rows", 0), "P003", "", "event"),
)
# fmt: on


def written(file: Path, value: dict[str, Any], wrong: Wrong) -> str:
    """Write the wrong file; return the pointer of what is wrong."""
    pointer = wrong.alter(value)
    file.write_text(json.dumps(value, indent=2, ensure_ascii=False), encoding="utf-8")
    return pointer


def stopped(certify: Certify, file: Path, wrong: Wrong, pointer: str) -> None:
    """Check a file and see its fault, with place and remedy."""
    ran = certify("check", file, "--format", "json")
    assert ran.code == 1, ran.out
    errors = [one for one in ran.json["findings"] if one["severity"] == "error"]
    (found,) = [one for one in errors if (one["code"], one["pointer"]) == (wrong.code, pointer)]
    assert found["line"] > 1
    assert found["column"] > 1
    assert wrong.words in found["remedy"]
    assert all(one["remedy"] for one in errors)


@pytest.mark.parametrize("wrong", PACK, ids=lambda one: one.name)
def test_wrong_rule_pack_is_stopped(wrong: Wrong, certify: Certify, tmp_path: Path) -> None:
    pack = json.loads((PACKS / "nevada.json").read_text(encoding="utf-8"))
    file = tmp_path / "nevada.json"
    stopped(certify, file, wrong, written(file, pack, wrong))


@pytest.mark.parametrize("wrong", TERMS, ids=lambda one: one.name)
def test_wrong_terms_are_stopped(wrong: Wrong, certify: Certify, tmp_path: Path) -> None:
    terms = {"$schema": "terms.schema.json", "game": GAME, "largest_wagers": {"main": 5000}}
    file = tmp_path / "terms.json"
    stopped(certify, file, wrong, written(file, terms, wrong))
    with pytest.raises(Unfit) as refused:
        filing_of(Order(game=GAME, jurisdiction="nevada", command="", terms=file))
    # A game that is not declared is above all not the one that is filed.
    code = "R022" if "/game" in wrong.values else wrong.code
    assert code in {one.code for one in refused.value.findings}
    assert all(one.line > 1 and one.column > 1 for one in refused.value.findings)


@pytest.mark.parametrize("wrong", PAYTABLE, ids=lambda one: one.name)
def test_wrong_paytable_is_stopped(wrong: Wrong, certify: Certify, tmp_path: Path) -> None:
    name = "PT-FLT-EC-ET-01.json"
    table = json.loads((ROOT / "paytables" / GAME / "emperors-treasure" / name).read_text())
    file = tmp_path / name
    stopped(certify, file, wrong, written(file, table, wrong))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what is declared, of which each test changes one state."""
    return Path(shutil.copytree(library.paytables(), tmp_path_factory.mktemp("data") / "paytables"))


@pytest.mark.parametrize("wrong", PACK, ids=lambda one: one.name)
def test_no_filing_is_made_by_a_wrong_rule_pack(wrong: Wrong, folder: Path) -> None:
    file = folder / "jurisdictions" / "nevada.json"
    written(file, json.loads((PACKS / "nevada.json").read_text(encoding="utf-8")), wrong)
    with pytest.raises(Unfit) as refused:
        filing_of(Order(game=GAME, jurisdiction="nevada", command=""), folder)
    assert wrong.code in {one.code for one in refused.value.findings}
    assert {Path(one.file).name for one in refused.value.findings} == {"nevada.json"}


def test_a_sound_pack_and_sound_terms_pass(certify: Certify, tmp_path: Path) -> None:
    pack = tmp_path / "nevada.json"
    shutil.copy(PACKS / "nevada.json", pack)
    terms = tmp_path / "terms.json"
    terms.write_text(json.dumps({"$schema": "terms.schema.json", "game": GAME}), encoding="utf-8")
    assert certify("check", pack, terms).code == 0
