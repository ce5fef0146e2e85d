"""Decoder of jurisdictions: rules with their dated texts, clauses, sections and checklist."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from certify.intake.decode_common import Value, statements
from certify.model.finding import Severity
from certify.model.jurisdiction import (
    Bearer,
    ChecklistItem,
    Confidence,
    Jurisdiction,
    Rule,
    RuleVersion,
)


def jurisdiction(value: Mapping[str, Any]) -> Jurisdiction:
    """Return a jurisdiction from a value that ``jurisdiction.schema.json`` accepts."""
    return Jurisdiction(
        id=value["id"],
        name=value["name"],
        regulator=value["regulator"],
        rules=tuple(_rule(one) for one in value["rules"]),
        clauses=statements(value["clauses"]),
        sections=tuple(value["sections"]),
        checklist=tuple(_item(one) for one in value["checklist"]),
        confidential=value["confidential"],
    )


def _rule(value: Value) -> Rule:
    return Rule(
        id=value["id"],
        title=value["title"],
        severity=Severity(value["severity"]),
        versions=tuple(_version(one) for one in value["versions"]),
        test=value.get("test"),
    )


def _version(value: Value) -> RuleVersion:
    return RuleVersion(
        text=value["text"],
        citation=value["citation"],
        confidence=Confidence(value["confidence"]),
        read_on=date.fromisoformat(value["read_on"]),
        address=value["address"],
        effective_from=_day(value.get("effective_from")),
        effective_to=_day(value.get("effective_to")),
        parameters=tuple(value.get("parameters", {}).items()),
        dated=value.get("dated"),
    )


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _item(value: Value) -> ChecklistItem:
    return ChecklistItem(
        id=value["id"],
        text=value["text"],
        bearer=Bearer(value["bearer"]),
        rule=value.get("rule"),
        detail=value.get("detail"),
        proof=tuple(value.get("proof", ())),
    )
