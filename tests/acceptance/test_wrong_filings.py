"""Wrong rule packs, terms and games: `check` stops each with line, column and remedy.

None of them reaches a document: a filing of it is refused before anything is counted.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from certify import library
from certify.model.finding import Unfit
from certify.pipeline.filing import Order, filing_of
from tests.acceptance.command_line import ROOT, Certify

GAME = "emperors-challenge-exposed"
PACKS = ROOT / "paytables" / "jurisdictions"

Change = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A change that makes a sound file wrong, and what is found: the code, where, a word of it."""

    name: str
    change: Change
    code: str
    pointer: str
    words: str


def rule(pack: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in pack["rules"] if one["id"] == name)


def text(pack: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the newest text of a rule."""
    found: dict[str, Any] = rule(pack, name)["versions"][-1]
    return found


def parameters(name: str, **stated: Any) -> Change:  # noqa: ANN401 - any JSON value
    return lambda pack: text(pack, name).update(parameters=stated)


def borrowed(pack: dict[str, Any]) -> None:
    """Another state's floor of $40,000 under the test of the multiple of the minimum wager."""
    text(pack, "NV-AGG").update(
        citation="N.J.A.C. 13:69F-11.20",
        confidence="verified_text",
        parameters={"least_cents": 4000000},
    )


def copied(name: str, **other: Any) -> Change:  # noqa: ANN401 - any JSON value
    """Declare a rule once more, with other values."""
    return lambda pack: pack["rules"].append(json.loads(json.dumps(rule(pack, name))) | other)


def item(pack: dict[str, Any], **values: Any) -> None:  # noqa: ANN401 - any JSON value
    pack["checklist"].append({"id": "more", "text": "More", "bearer": "ours"} | values)


PACK = (
    Wrong(
        name="another state's number under a test that does not read it",
        change=borrowed,
        code="R016",
        pointer="/rules/6/versions/0/parameters/least_cents",
        words="belongs to fixed_payout_floor",
    ),
    Wrong(
        name="a parameter that is misspelt",
        change=parameters("NV-AGG", least_wager_times=50, least_wager_tmes=50),
        code="R016",
        pointer="/rules/6/versions/0/parameters/least_wager_tmes",
        words="Did you mean least_wager_times?",
    ),
    Wrong(
        name="a parameter that is missing",
        change=lambda pack: text(pack, "NV-AGG").pop("parameters"),
        code="R016",
        pointer="/rules/6/versions/0",
        words="Add `least_wager_times`",
    ),
    Wrong(
        name="a parameter of nought",
        change=parameters("NV-AGG", least_wager_times=0),
        code="R016",
        pointer="/rules/6/versions/0/parameters/least_wager_times",
        words="from 1 to",
    ),
    Wrong(
        name="true where a number is wanted",
        change=parameters("NV-AGG", least_wager_times=True),
        code="R016",
        pointer="/rules/6/versions/0/parameters/least_wager_times",
        words="a whole number",
    ),
    Wrong(
        name="text where a number is wanted",
        change=parameters("NV-AGG", least_wager_times="50"),
        code="S003",
        pointer="/rules/6/versions/0/parameters/least_wager_times",
        words="whole number",
    ),
    Wrong(
        name="a parameter of a test that takes none",
        change=parameters("NV-EX", examples_per_wager=3),
        code="R016",
        pointer="/rules/3/versions/0/parameters/examples_per_wager",
        words="takes no parameter",
    ),
    Wrong(
        name="parameters without a test",
        change=parameters("NV-APP", copies=2),
        code="R016",
        pointer="/rules/1/versions/0/parameters",
        words="`certify rule --tests`",
    ),
    Wrong(
        name="a test that is not known",
        change=lambda pack: rule(pack, "NV-EX").update(test="worked_example"),
        code="S004",
        pointer="/rules/3/test",
        words='Did you mean "worked_examples"?',
    ),
    Wrong(
        name="a rule's id twice",
        change=copied("NV-APP"),
        code="D004",
        pointer="/rules/8/id",
        words="another id",
    ),
    Wrong(
        name="two rules for one test",
        change=copied("NV-EX", id="Reg. 14.230(2)"),
        code="R018",
        pointer="/rules/8/test",
        words="a text for each period",
    ),
    Wrong(
        name="a text that ends before it begins",
        change=lambda pack: text(pack, "NV-EX").update(
            effective_from="2021-01-01", effective_to="2020-01-01"
        ),
        code="R017",
        pointer="/rules/3/versions/0/effective_to",
        words="the first day no longer in force",
    ),
    Wrong(
        name="two texts on one day",
        change=lambda pack: rule(pack, "NV-EX")["versions"].append(dict(text(pack, "NV-EX"))),
        code="R017",
        pointer="/rules/3/versions/1/effective_from",
        words="End the older text",
    ),
    Wrong(
        name="an item that names no rule of the pack",
        change=lambda pack: item(pack, rule="NV-EXX"),
        code="R019",
        pointer="/checklist/-1/rule",
        words="Did you mean NV-EX?",
    ),
    Wrong(
        name="an item whose rule cannot prove it",
        change=lambda pack: item(pack, rule="NV-APP", proof=["rule"]),
        code="R019",
        pointer="/checklist/-1/proof/0",
        words="Name a rule with a test",
    ),
    Wrong(
        name="a fact that is not known",
        change=lambda pack: item(pack, proof=["suplier"]),
        code="S004",
        pointer="/checklist/-1/proof/0",
        words='Did you mean "supplier"?',
    ),
    Wrong(
        name="an item's id twice",
        change=lambda pack: item(pack, id="patent"),
        code="D004",
        pointer="/checklist/-1/id",
        words="another id",
    ),
    Wrong(
        name="a clause for no rule of the pack",
        change=lambda pack: pack["clauses"].append(
            {
                "id": "side-bets",
                "text": "Side bets are prohibited.",
                "rule": "13:69F-11.20",
                "source": {"document": "nevada", "clause": "1"},
            }
        ),
        code="R019",
        pointer="/clauses/0/rule",
        words="Declared: NV-VAR",
    ),
    Wrong(
        name="a section that is not known",
        change=lambda pack: pack["sections"].append("rackcard"),
        code="S004",
        pointer="/sections/11",
        words='Did you mean "rack_card"?',
    ),
    Wrong(
        name="an error by a text that nobody read",
        change=lambda pack: rule(pack, "NV-AGG").update(severity="error"),
        code="S008",
        pointer="/rules/6/versions",
        words="verified_text",
    ),
)

TERMS = (
    Wrong(
        name="a wager that the game does not have",
        change=lambda terms: terms.update(largest_wagers={"emperors-tresure": 2500}),
        code="R021",
        pointer="/largest_wagers/emperors-tresure",
        words="Did you mean emperors-treasure?",
    ),
    Wrong(
        name="a limit on such a wager",
        change=lambda terms: terms.update(aggregate_limits=[{"cents": 100, "wagers": ["tie"]}]),
        code="R021",
        pointer="/aggregate_limits/0/wagers/0",
        words="Declared: main",
    ),
    Wrong(
        name="a meter that no paytable has",
        change=lambda terms: terms.update(
            links=[
                [
                    {"paytable": "PT-BJS-EC-ET-01", "level": "1"},
                    {"paytable": "PT-BJS-EC-ET-01", "level": "7"},
                ]
            ]
        ),
        code="R021",
        pointer="/links/0/1/level",
        words="Declared: 1",
    ),
    Wrong(
        name="a game that is not declared",
        change=lambda terms: terms.update(game="emperors-challenge"),
        code="R021",
        pointer="/game",
        words="Did you mean emperors-challenge-exposed?",
    ),
    Wrong(
        name="a minimum above the maximum",
        change=lambda terms: terms.update(least_wagers={"main": 5001}),
        code="R022",
        pointer="/least_wagers/main",
        words="not above the maximum",
    ),
    Wrong(
        name="a wager in two limits",
        change=lambda terms: terms.update(
            aggregate_limits=[
                {"cents": 2000000, "wagers": ["emperors-treasure"]},
                {"cents": 3000000, "wagers": ["emperors-treasure"]},
            ]
        ),
        code="R022",
        pointer="/aggregate_limits/1/wagers/0",
        words="State one limit for a wager",
    ),
    Wrong(
        name="a property of the supplier that is misspelt",
        change=lambda terms: terms.update(supplier={"name": "Sample", "license": "M 1"}),
        code="S002",
        pointer="/supplier/license",
        words="Did you mean `licence`?",
    ),
    Wrong(
        name="a procedure that is not known",
        change=lambda terms: terms.update(procedures={"misdeals": "All wagers are returned."}),
        code="S002",
        pointer="/procedures/misdeals",
        words="Did you mean `misdeal`?",
    ),
    Wrong(
        name="dollars with a fraction",
        change=lambda terms: terms.update(largest_wagers={"main": 50.5}),
        code="J004",
        pointer="/largest_wagers/main",
        words="",
    ),
)


PAYTABLE = (
    Wrong(
        name="an event that is misspelt",
        change=lambda table: table["rows"][0].update(event="natural_seven_card_straigt_flush"),
        code="P001",
        pointer="/rows/0/event",
        words="Did you mean natural_seven_card_straight_flush?",
    ),
    Wrong(
        name="a pay that no dealer can read",
        change=lambda table: table["rows"][0].update(pays="5000 too 1"),
        code="S005",
        pointer="/rows/0/pays",
        words="odds",
    ),
    Wrong(
        name="a game that is not declared",
        change=lambda table: table.update(game="emperors-challenge-exposd"),
        code="D010",
        pointer="/game",
        words=f"Did you mean {GAME}?",
    ),
    Wrong(
        name="the same hand twice",
        change=lambda table: table["rows"].append(dict(table["rows"][0])),
        code="P003",
        pointer="/rows/-1/event",
        words="",
    ),
)


def written(file: Path, value: dict[str, Any], wrong: Wrong) -> str:
    """Write the wrong file; return the pointer of what is wrong, with the last item's number."""
    wrong.change(value)
    file.write_text(json.dumps(value, indent=2, ensure_ascii=False), encoding="utf-8")
    listed = value.get("checklist") or value.get("rows") or ()
    return wrong.pointer.replace("/-1/", f"/{len(listed) - 1}/")


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
    code = "R022" if wrong.pointer == "/game" else wrong.code
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
