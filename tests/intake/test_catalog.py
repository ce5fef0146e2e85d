"""The catalog, bundled schemas, and the text of declared jurisdictions."""

import json
import re
import shutil
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from certify import library
from certify.errors import NotConfigured
from certify.intake.decode import decode
from certify.intake.layout import DependencyGraph, depends_on, display_path, is_needed_by, place
from certify.intake.read import read_catalog, read_game
from certify.intake.schema import bundle_schema, kinds, schema_named, validate
from certify.intake.strict_json import scan
from certify.intake.workspace import Workspace
from certify.model.condition import AllOf, AnyOf, FeatureTest, Not
from certify.model.finding import Severity
from certify.model.jurisdiction import Bearer, Confidence, Jurisdiction, Rule
from certify.model.paytable import Basis, EnvyTable, Payout, Paytable

LIBRARY = Path(__file__).parents[2] / "fixtures" / "valid" / "library"


@pytest.fixture
def library_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(LIBRARY, tmp_path / "library")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "library"


def test_every_record_of_the_library_is_in_the_catalog() -> None:
    catalog, findings = read_catalog(LIBRARY)
    assert findings == ()
    game = catalog.games["sample-game"]
    assert [wager.id for wager in game.wagers] == ["main", "bonus", "meters", "duel", "named-only"]
    main, bonus, meters, duel, named = game.wagers
    assert [option.id for option in main.options] == ["standard"]
    assert [paytable.target for paytable in bonus.paytables] == [
        "sample-game/bonus/1",
        "sample-game/bonus/2",
    ]
    assert [envy.id for envy in bonus.envies] == ["e1"]
    assert meters.paytables[0].progressive is not None
    assert duel.aliases == ("Both Ways",)
    assert named.absent is not None
    assert set(catalog.house_ways) == {"sample-way"}
    assert set(catalog.documents) == {
        "events",
        "alternatives/sample-game",
        "house-ways/sample-way",
        "jurisdictions/sample-state",
        "sample-game",
        "sample-game/published",
        "sample-game/discrepancies",
        *(f"sample-game/{wager.id}" for wager in game.wagers),
        "sample-game/main/standard",
        "sample-game/bonus/1",
        "sample-game/bonus/2",
        "sample-game/bonus/envy/e1",
        "sample-game/meters/M-1",
        "sample-game/duel/1",
    }


def test_pays_are_decoded_with_their_basis() -> None:
    catalog, _ = read_catalog(LIBRARY)
    wagers = {wager.id: wager for wager in catalog.games["sample-game"].wagers}
    meters = wagers["meters"].paytables[0]
    assert [row.payout for row in meters.rows] == [
        Payout(basis=Basis.METER, amount=Fraction(1), meter="1"),
        Payout(basis=Basis.METER, amount=Fraction(1, 10), meter="2"),
        Payout(basis=Basis.FOR, amount=Fraction(5)),
        Payout(basis=Basis.FOR, amount=Fraction(4)),
    ]
    assert meters.rows[2].dynamic == (
        Payout(basis=Basis.FOR, amount=Fraction(10)),
        Payout(basis=Basis.FOR, amount=Fraction(20)),
    )
    assert meters.progressive is not None
    assert meters.progressive.meters[1].increment == Fraction(75, 1000)
    assert wagers["bonus"].paytables[0].rows[3].payout == Payout(basis=Basis.PUSH)
    option = wagers["main"].options[0]
    assert option.dealer_rules[1].win_pays == Payout(basis=Basis.TO, amount=Fraction(1, 2))
    assert option.commission is not None
    assert option.commission.rate == Fraction(1, 20)


def test_conditions_are_decoded_as_they_read() -> None:
    catalog, _ = read_catalog(LIBRARY)
    events = catalog.events
    assert events["royal_flush"].when == FeatureTest(feature="royal_flush", values=(True,))
    assert events["four_of_a_kind"].when == FeatureTest(feature="of_a_kind", minimum=4, maximum=5)
    assert events["straight"].when == AllOf(
        conditions=(
            FeatureTest(feature="straight_length", values=(5, 6, 7)),
            Not(condition=FeatureTest(feature="joker", values=(True,))),
        )
    )
    duel = events["ace_high_duel"]
    assert duel.two_handed
    assert duel.dealer == AnyOf(
        conditions=(
            FeatureTest(feature="pai_gow_high", values=("A",)),
            FeatureTest(feature="pai_gow_high", values=("K", "Q")),
        )
    )


@pytest.mark.parametrize(
    ("only", "keys"),
    [
        ("sample-game/bonus/2", {"bonus", "bonus/2", "bonus/envy/e1"}),
        ("sample-game/bonus", {"bonus", "bonus/1", "bonus/2", "bonus/envy/e1"}),
        ("sample-game/duel/1", {"duel", "duel/1"}),
    ],
)
def test_only_what_a_target_rests_on_is_read(only: str, keys: set[str]) -> None:
    catalog, findings = read_catalog(LIBRARY, only=only)
    assert findings == ()
    assert set(catalog.documents) == {
        "events",
        "sample-game",
        *(f"sample-game/{key}" for key in keys),
    }


def test_a_game_and_a_main_wager_rest_on_the_house_ways() -> None:
    for only in ("sample-game", "sample-game/main", "sample-game/main/standard"):
        catalog, _ = read_catalog(LIBRARY, only=only)
        assert set(catalog.house_ways) == {"sample-way"}


def test_another_game_is_not_read() -> None:
    assert not is_needed_by("other-game", "sample-game/bonus")
    assert not is_needed_by("other-game/bonus/1", "sample-game/bonus")
    catalog, findings = read_catalog(LIBRARY, only="other-game")
    assert (dict(catalog.games), findings) == ({}, ())


def test_paytables_are_in_natural_order(library_copy: Path) -> None:
    text = (library_copy / "sample-game/bonus/2.json").read_text()
    (library_copy / "sample-game/bonus/10.json").write_text(text.replace('"id": "2"', '"id": "10"'))
    catalog, _ = read_catalog(library_copy)
    bonus = catalog.games["sample-game"].wagers[1]
    assert [paytable.id for paytable in bonus.paytables] == ["1", "2", "10"]


def test_a_record_with_a_fault_is_skipped_and_reported(library_copy: Path) -> None:
    path = library_copy / "sample-game/bonus/2.json"
    path.write_text(path.read_text().replace("20 to 1", "20:1"))
    catalog, findings = read_catalog(library_copy)
    assert [paytable.id for paytable in catalog.games["sample-game"].wagers[1].paytables] == ["1"]
    assert [(finding.code, finding.file, finding.line) for finding in findings] == [
        ("S005", "library/sample-game/bonus/2.json", 12)
    ]
    assert "sample-game/bonus/2" in catalog.documents


def test_a_game_with_a_fault_leaves_its_files_checked(library_copy: Path) -> None:
    path = library_copy / "sample-game/game.json"
    path.write_text(path.read_text().replace('"players": 6', '"players": 6.0'))
    other = library_copy / "sample-game/duel/1.json"
    other.write_text(other.read_text().replace('"cards": 7', '"cards": 9'))
    catalog, findings = read_catalog(library_copy)
    assert dict(catalog.games) == {}
    assert [finding.code for finding in findings] == ["S006", "J004"]


def test_a_file_outside_is_judged_with_its_games_rules(library_copy: Path, tmp_path: Path) -> None:
    catalog, _ = read_catalog(library_copy)
    path = tmp_path / "mine.json"
    text = (library_copy / "sample-game/bonus/2.json").read_text()
    path.write_text(text.replace('"id": "2"', '"id": "my-own"'))
    reading = Workspace().open_file(path, catalog)
    assert isinstance(reading.entry, Paytable)
    assert reading.entry.target == "sample-game/bonus/my-own"
    assert reading.catalog.documents[reading.entry.target].path == "mine.json"
    bonus = reading.catalog.games["sample-game"].wagers[1]
    assert [paytable.id for paytable in bonus.paytables] == ["1", "2", "my-own"]
    assert len(catalog.games["sample-game"].wagers[1].paytables) == 2


def test_a_changed_copy_takes_the_place_of_the_declared_one(
    library_copy: Path, tmp_path: Path
) -> None:
    catalog, _ = read_catalog(library_copy)
    path = tmp_path / "copy.json"
    path.write_text(
        (library_copy / "sample-game/bonus/2.json").read_text().replace("20 to 1", "30 to 1")
    )
    reading = Workspace().open_file(path, catalog)
    bonus = reading.catalog.games["sample-game"].wagers[1]
    assert str(bonus.paytables[1].rows[1].payout) == "30 to 1"
    assert len(bonus.paytables) == 2


def test_envy_tables_can_be_outside(library_copy: Path, tmp_path: Path) -> None:
    catalog, _ = read_catalog(library_copy)
    path = tmp_path / "envy.json"
    path.write_text((library_copy / "sample-game/bonus/envy/e1.json").read_text())
    reading = Workspace().open_file(path, catalog)
    record, findings = reading.entry, reading.findings
    assert isinstance(record, EnvyTable)
    assert findings == ()


def test_a_game_can_be_elsewhere(library_copy: Path, tmp_path: Path) -> None:
    base, _ = read_catalog(library_copy, only="nothing")
    moved = tmp_path / "games" / "sample-game"
    moved.parent.mkdir()
    shutil.move(library_copy / "sample-game", moved)
    catalog, findings = read_game(moved, base)
    assert findings == ()
    assert [wager.id for wager in catalog.games["sample-game"].wagers][:2] == ["main", "bonus"]
    assert set(catalog.events) == set(base.events) != set()


def test_missing_file_is_a_finding(library_copy: Path) -> None:
    catalog, _ = read_catalog(library_copy)
    reading = Workspace().open_file(library_copy.parent / "absent.json", catalog)
    record, findings = reading.entry, reading.findings
    assert record is None
    assert [(finding.code, finding.message) for finding in findings] == [
        ("J011", "The file cannot be read: it does not exist.")
    ]


def test_paths_are_shown_from_here_and_with_slashes(library_copy: Path, tmp_path: Path) -> None:
    inner = library_copy / "sample-game" / "game.json"
    assert display_path(inner) == "library/sample-game/game.json"
    assert display_path(tmp_path / "x.json") == "x.json"
    assert display_path(LIBRARY / "sample-game" / "game.json") == "library/sample-game/game.json"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("events.json", "events"),
        ("house-ways/x.json", "house-way"),
        ("jurisdictions/x.json", "jurisdiction"),
        ("g/game.json", "game"),
        ("g/published.json", "published"),
        ("g/discrepancies.json", "discrepancies"),
        ("g/w/wager.json", "wager"),
        ("g/main/option.json", "main-wager"),
        ("g/w/1.json", "paytable"),
        ("g/w/envy/1.json", "envy"),
        ("g/w/envies/1.json", None),
        ("g/other.json", None),
        ("other.json", None),
        ("house-ways/deep/x.json", None),
    ],
)
def test_the_kind_of_a_file_follows_from_its_path(path: str, kind: str | None) -> None:
    found = place(path.split("/"))
    assert (found.kind if found else None) == kind


def test_a_missing_schema_is_a_fault_of_the_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in library.FOLDERS:
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("CERTIFY_LIBRARY", str(tmp_path))
    document, _ = scan(b"{}", "file.json")
    with pytest.raises(NotConfigured, match=r"paytable\.schema\.json is missing"):
        validate(document, "paytable")


@pytest.mark.parametrize(
    ("key", "needed", "others"),
    [
        (
            "game/bonus/1",
            {"game", "game/bonus", "game/bonus/1", "game/bonus/envy/e1", "events"},
            {"other", "game/bonus/2", "game/main"},
        ),
        ("house-ways/way", {"house-ways/way", "game", "other"}, {"house-ways/else", "game/bonus"}),
        ("game/published", {"game", "game/bonus/2", "house-ways/way"}, {"other", "other/bonus"}),
    ],
)
def test_a_file_is_judged_only_if_what_it_rests_on_is_sound(
    key: str, needed: set[str], others: set[str]
) -> None:
    """A paytable needs its game, wager, events and envy tables; a house way the deck of any game;
    printed figures all that their game declares."""
    assert {other for other in needed | others if depends_on(key, other)} == needed


def test_files_are_affected_by_a_set_as_by_its_members() -> None:
    catalog, _ = read_catalog(library.paytables())
    keys = (*catalog.documents, "other/main/1", "own-events")
    single = {key: DependencyGraph(catalog, {key}) for key in keys}
    for some in (keys[::3], keys[1::5], keys[:4]):
        several = DependencyGraph(catalog, {*some})
        for file in keys:
            assert several.affects(file) == any(single[key].affects(file) for key in some)


FIXTURES = Path(__file__).parents[2] / "fixtures"
FOLDERS = (library.paytables(), *sorted((FIXTURES / "invalid").glob("*/*/library")))
FILES = [path for folder in FOLDERS for path in sorted(folder.rglob("*.json")) if path.is_file()]


@pytest.mark.parametrize("kind", kinds())
def test_one_file_refers_to_nothing_outside_itself(kind: str) -> None:
    schema = bundle_schema(kind)
    Draft202012Validator.check_schema(schema)
    references = set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(schema)))
    for reference in references:
        assert reference.startswith("#/")
        part = schema
        for name in reference.split("/")[1:]:
            part = part[name]
        assert part
    assert schema["$id"] == f"https://certify.invalid/schemas/{kind}.schema.json"


def test_one_file_accepts_and_refuses_the_same_files() -> None:
    dates = FormatChecker(["date"])
    validators = {
        kind: Draft202012Validator(bundle_schema(kind), format_checker=dates) for kind in kinds()
    }
    judged = {True: 0, False: 0}
    for path in FILES:
        document, findings = scan(path.read_bytes(), path.name)
        kind = None if findings else schema_named(document)
        if kind in validators:
            fits = validators[kind].is_valid(document.value)
            assert fits == (not validate(document, kind)), path
            judged[fits] += 1
    assert min(judged.values()) > 10


FOLDER = Path(__file__).parents[2] / "paytables" / "jurisdictions"
IDS = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


NO_LABORATORY = ("california", "new-jersey")
"""Of these no text was read that asks for a laboratory."""


def _value(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return value


def _record(name: str) -> Jurisdiction:
    record: Jurisdiction = decode("jurisdiction", _value(name))
    return record


@pytest.fixture(scope="module")
def wsgc() -> Jurisdiction:
    return _record("wsgc")


def _rule(place: Jurisdiction, rule_id: str) -> Rule:
    return next(rule for rule in place.rules if rule.id == rule_id)


def _rules() -> Iterator[Rule]:
    for name in IDS:
        yield from _record(name).rules


@pytest.mark.parametrize("name", IDS)
def test_every_value_of_the_file_reaches_the_record(name: str) -> None:
    value = _value(name)
    record = _record(name)
    assert (record.id, record.name, record.regulator, record.confidential) == (
        value["id"],
        value["name"],
        value["regulator"],
        value["confidential"],
    )
    assert list(record.sections) == value["sections"]
    assert [clause.text for clause in record.clauses] == [
        clause["text"] for clause in value["clauses"]
    ]
    assert [(line.id, line.text, str(line.bearer), line.rule) for line in record.checklist] == [
        (line["id"], line["text"], line["bearer"], line.get("rule")) for line in value["checklist"]
    ]
    for rule, declared in zip(record.rules, value["rules"], strict=True):
        assert (rule.id, rule.title, str(rule.severity), rule.test) == (
            declared["id"],
            declared["title"],
            declared["severity"],
            declared.get("test"),
        )
        for version, text in zip(rule.versions, declared["versions"], strict=True):
            assert (version.text, version.citation, version.address) == (
                text["text"],
                text["citation"],
                text["address"],
            )
            assert str(version.confidence) == text["confidence"]
            assert version.read_on.isoformat() == text["read_on"]
            assert str(version.effective_from) == str(text.get("effective_from"))
            assert str(version.effective_to) == str(text.get("effective_to"))
            assert dict(version.parameters) == text.get("parameters", {})
            assert [
                (table.clause, str(table.hand), table.cards, [row.event for row in table.rows])
                for table in version.paytables
            ] == [
                (
                    item["clause"],
                    item["hand"],
                    item["cards"],
                    [row["event"] for row in item["rows"]],
                )
                for item in text.get("paytables", ())
            ]


# WSR 23-09-065 proposes $400: adopted July 20, 2023, in force August 20 at the earliest.
@pytest.mark.parametrize(
    ("as_of", "cents"),
    [
        (date(2010, 1, 1), 30_000),
        (date(2023, 8, 19), 30_000),
        (date(2023, 8, 20), 40_000),
        (date(2026, 11, 21), 40_000),
    ],
)
def test_the_text_in_force_on_the_day_applies(wsgc: Jurisdiction, as_of: date, cents: int) -> None:
    version = _rule(wsgc, "WA-WAGER-1").find_version(as_of)
    assert (version.parameter("largest_wager_cents") if version else None) == cents


def test_a_number_that_a_text_does_not_use_is_none(wsgc: Jurisdiction) -> None:
    assert _rule(wsgc, "WA-SIDE").versions[0].parameter("largest_wager_cents") is None


def test_periods_of_one_rule_follow_each_other() -> None:
    for rule in _rules():
        for earlier, later in zip(rule.versions, rule.versions[1:], strict=False):
            assert earlier.effective_to is not None, rule.id
            assert later.effective_from is not None, rule.id
            assert earlier.effective_to <= later.effective_from, rule.id
            before = later.effective_from - timedelta(days=1)
            assert rule.find_version(before) is not later
            assert rule.find_version(later.effective_from) is later


def test_low_confidence_is_never_an_error() -> None:
    for rule in _rules():
        for version in rule.versions:
            error = rule.rate_severity(version) is Severity.ERROR
            assert not error or version.confidence is Confidence.VERIFIED_TEXT, rule.id
    limit = _rule(_record("wsgc"), "WA-WAGER-1")
    assert {limit.rate_severity(version) for version in limit.versions} == {Severity.WARNING}


@pytest.mark.parametrize("name", IDS)
def test_items_name_rules_that_exist(name: str) -> None:
    record = decode("jurisdiction", _value(name))
    rules = {rule.id for rule in record.rules}
    assert {item.rule for item in record.checklist} - {None} <= rules
    asked = {item.bearer for item in record.checklist}
    assert asked >= {Bearer.OURS, Bearer.THEIRS}
    assert (Bearer.LABORATORY in asked) is (name not in NO_LABORATORY)


def test_an_error_without_a_verified_text_is_refused() -> None:
    value = _value("nevada")
    value["rules"][0]["severity"] = "error"
    document, findings = scan(json.dumps(value).encode(), "nevada.json")
    assert findings == ()
    assert validate(document, "jurisdiction")
    value["rules"][0]["severity"] = "warning"
    document, _ = scan(json.dumps(value).encode(), "nevada.json")
    assert not validate(document, "jurisdiction")
