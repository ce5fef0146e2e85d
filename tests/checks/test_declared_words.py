import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from certify import library

PROSE = ("text", "effect", "title", "resolution", "reconstructed")
BANNED = (
    r"\bleast (and|or)\b",
    r"\bgreatest\b",
    r"\bthe own\b",
    r"\bthree of a kinds\b",
    r"\bper cent\b",
    r"colour",
    r"cards in a row",
    r"\boutput\b",
    r"\bextract(ion|ed)\b",
    r"\b(game|full|these|the) records?\b",
    r"this project",
    r"\bis data\b",
    r"First record",
    r"the source's example",
    r"printed edges for one to six",
    r"the joker cannot be part",
    r"\bJk\b",
    r"commission-free-pai-gow-express|foxwoods by",
)
OF_WASHINGTON = re.compile(r"WAC \d|the commission\b(?! is|.*\bposted in advance)|card room")
"""The regulator and its rules; a commission on a win is another thing."""


def records() -> Iterator[Path]:
    for path in sorted(library.paytables().rglob("*.json")):
        if path.parent.name != "jurisdictions":
            yield path


def prose(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in PROSE and isinstance(item, str):
                yield item
            else:
                yield from prose(item)
    elif isinstance(value, list):
        for item in value:
            yield from prose(item)


def statements(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "text" in value and "id" in value:
            yield value
        for item in value.values():
            yield from statements(item)
    elif isinstance(value, list):
        for item in value:
            yield from statements(item)


def assumptions(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "assumption":
                yield item
            elif key == "assumptions":
                yield from item
            else:
                yield from assumptions(item)
    elif isinstance(value, list):
        for item in value:
            yield from assumptions(item)


@pytest.mark.parametrize("word", BANNED)
def test_no_record_speaks_of_the_tool_or_in_unusual_english(word: str) -> None:
    found = [
        (path.name, text)
        for path in records()
        for text in prose(json.loads(path.read_text(encoding="utf-8")))
        if re.search(word, text)
    ]
    assert found == []


def test_requirements_of_washington_are_printed_in_washington_only() -> None:
    path = library.paytables() / "dealer-open-pai-gow" / "game.json"
    found = list(statements(json.loads(path.read_text(encoding="utf-8"))))
    asked = [item for item in found if OF_WASHINGTON.search(item["text"])]
    assert asked
    assert {item.get("jurisdiction") for item in asked} == {"wsgc"}


def test_the_standing_clause_of_washington_covers_what_rules_leave_to_a_casino() -> None:
    path = library.paytables() / "jurisdictions" / "wsgc.json"
    declared = json.loads(path.read_text(encoding="utf-8"))["clauses"]
    clauses = {statement["id"]: statement for statement in statements(declared)}
    order = ["Title 230 WAC", "manufacturer", "house rules", "Hoyle"]  # WAC 230-15-065
    sentence = clauses["order-of-rules"]["text"]
    assert sorted(order, key=sentence.index) == order
    assert "prevails over any other rule on limits" in clauses["aggregate"]["text"]
    assert "random number generator or dice cup" in clauses["equipment"]["text"]


def test_a_limit_on_ace_high_pai_gow_insurance_is_printed_in_nevada_only() -> None:
    folder = library.paytables() / "emperors-challenge-exposed"
    limits = {
        statement["id"]: statement
        for path in sorted(folder.rglob("*.json"))
        for statement in statements(json.loads(path.read_text(encoding="utf-8")))
        if "post a limit" in statement["text"]
    }
    named = {(one["wager"], one.get("jurisdiction")) for one in limits.values()}
    both = ("pai-gow-insurance", "emperors-treasure")
    assert named == {
        *((wager, state) for wager in both for state in ("nevada", "wsgc")),
        ("ace-high-pai-gow-insurance", "nevada"),
    }
    assert all(
        ("Ace-High" in one["text"]) is (one["wager"] == "ace-high-pai-gow-insurance")
        for one in limits.values()
    )


def test_an_assumption_can_be_read_away_from_its_record() -> None:
    assumed = [
        (path.name, text)
        for path in records()
        for assumption in assumptions(json.loads(path.read_text(encoding="utf-8")))
        for text in (assumption["text"], assumption.get("effect", ""))
    ]
    assert assumed
    unnamed = re.compile(
        r"\b[Tt]his (hand|rule|table|wager)\b|\bthese pays\b|\b[Tt]he wager (looks|would win)\b"
    )
    assert [item for item in assumed if unnamed.search(item[1])] == []


def test_no_house_way_of_a_semi_wild_joker_speaks_of_a_fully_wild_one() -> None:
    for path in sorted((library.paytables() / "house-ways").glob("*.json")):
        found = prose(json.loads(path.read_text(encoding="utf-8")))
        assert not [text for text in found if "fully wild" in text], path.name
