"""House ways: from a value that the schema accepts to the model."""

from collections.abc import Mapping, Sequence
from typing import Any

from certify.model.cards import RANKS
from certify.model.condition import AllOf, AnyOf, Condition, FeatureTest, FeatureValue, Not
from certify.model.house_way import (
    Category,
    Feature,
    FrontSelection,
    HighestFront,
    HouseWay,
    HouseWayRule,
    HouseWaySection,
    NamedFront,
)
from certify.model.source import Concern, Note, Source, Statement

Record = Mapping[str, Any]


def house_way(value: Record) -> HouseWay:
    """Decode a house way that ``house-way.schema.json`` accepts."""
    source = _source(value["source"])
    document = source.document
    return HouseWay(
        id=value["id"],
        name=value["name"],
        published=value.get("published"),
        cards=value["cards"],
        front=value["front"],
        source=source,
        sections=tuple(_section(section, document) for section in value["sections"]),
        statements=_statements(value.get("statements", ()), document),
        general_assumptions=_statements(value.get("assumptions", ()), document),
    )


def _source(value: Record) -> Source:
    notes: Sequence[Record] = value.get("notes", ())
    return Source(
        document=value["document"],
        clause=value["clause"],
        notes=tuple(Note(text=note["text"], number=note.get("number")) for note in notes),
        reconstructed=value.get("reconstructed"),
    )


def _statements(values: Sequence[Record], document: str) -> tuple[Statement, ...]:
    return tuple(
        Statement(
            id=value["id"],
            text=value["text"],
            source=Source(document=document, clause=value["clause"]),
            effect=value.get("effect"),
        )
        for value in values
    )


def _section(value: Record, document: str) -> HouseWaySection:
    return HouseWaySection(
        id=value["id"],
        title=value["title"],
        when=condition(value["when"]),
        base=_rule(value["base"], document),
        exceptions=tuple(_rule(rule, document) for rule in value.get("exceptions", ())),
    )


def _rule(value: Record, document: str) -> HouseWayRule:
    source = Source(document=document, clause=value["source"])
    assumption = value.get("assumption")
    return HouseWayRule(
        id=value["id"],
        text=value["text"],
        source=source,
        front=_front(value["front"]) if "front" in value else None,
        by=value.get("by"),
        when=condition(value["when"]) if "when" in value else None,
        before=tuple(value.get("before", ())),
        assumption=None
        if assumption is None
        else Statement(
            id=value["id"],
            text=assumption["text"],
            source=source,
            effect=assumption["effect"],
            concern=Concern(assumption.get("concern", Concern.PLAY)),
        ),
    )


def _front(value: str | Record) -> FrontSelection:
    if isinstance(value, str):
        return NamedFront(value)
    return HighestFront(
        leaves=tuple(Category(name) for name in value.get("leaves", ())),
        at_least=value.get("at_least"),
        pair=value.get("pair"),
        highest_back=value.get("highest_back", False),
    )


def condition(value: Record) -> Condition:
    """Decode a condition; a range of ranks becomes the list of its ranks."""
    parts: list[Condition] = []
    for name, wanted in value.items():
        if name == "all":
            parts.append(AllOf(conditions=tuple(condition(part) for part in wanted)))
        elif name == "any":
            parts.append(AnyOf(conditions=tuple(condition(part) for part in wanted)))
        elif name == "not":
            parts.append(Not(condition=condition(wanted)))
        else:
            parts.append(FeatureTest(feature=Feature(name), values=_values(wanted)))
    return parts[0] if len(parts) == 1 else AllOf(conditions=tuple(parts))


def _values(wanted: Any) -> tuple[FeatureValue, ...]:  # noqa: ANN401 - JSON
    if isinstance(wanted, Mapping):
        lowest, highest = wanted.get("min", RANKS[0]), wanted.get("max", RANKS[-1])
        return tuple(RANKS[RANKS.index(lowest) : RANKS.index(highest) + 1])
    return tuple(wanted) if isinstance(wanted, list) else (wanted,)
