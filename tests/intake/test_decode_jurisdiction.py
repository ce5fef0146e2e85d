import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from certify.intake.decode import decode
from certify.intake.schema import validate
from certify.intake.strict_json import scan
from certify.model.finding import Severity
from certify.model.jurisdiction import Bearer, Confidence, Jurisdiction, Rule

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
