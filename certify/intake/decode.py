"""From a validated value of a known kind to the record it declares.

The model declares the types; this module has the differences between files and model. The values
have passed their schema and are not checked here.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import EnumType
from fractions import Fraction
from functools import cache, lru_cache, partial, reduce
from operator import or_
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from certify.model.approval import Approval, LaboratoryStatement, Signatory
from certify.model.comparison import SecondCount
from certify.model.condition import (
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Event,
    FeatureTest,
    FeatureValue,
    Not,
)
from certify.model.game import RANKS, Game, HandRules, Wager
from certify.model.house_way import FrontSelection, HighestFront, HouseWay
from certify.model.jurisdiction import Jurisdiction, Terms
from certify.model.main_wager import DealerRule, HandBonus, HandPay, MainWager, RaisePay
from certify.model.paytable import Basis, EnvyTable, Payout, Paytable, Progressive, Row
from certify.model.source import Alternatives, Discrepancy, PublishedFigure, Source
from certify.model.vocabulary import HandPart, NamedFront

Value = Mapping[str, Any]
"""A JSON object."""

RECORDS: Mapping[str, Any] = {
    "paytable": Paytable,
    "envy": EnvyTable,
    "progressive": Progressive,
    "main-wager": MainWager,
    "wager": Wager,
    "game": Game,
    "alternatives": Alternatives,
    "house-way": HouseWay,
    "jurisdiction": Jurisdiction,
    "signatory": Signatory,
    "statement": LaboratoryStatement,
    "filing": Terms,
}
"""The type that a file of each kind declares."""

LISTS: Mapping[str, tuple[str, Any]] = {
    "events": ("events", Event),
    "published": ("figures", PublishedFigure),
    "discrepancies": ("discrepancies", Discrepancy),
    "second-counts": ("counts", SecondCount),
    "register": ("approvals", Approval),
}
"""Files that declare lists, and the property that holds the list."""


def decode(kind: str, value: Any) -> Any:  # noqa: ANN401 - the kind decides the record's type
    """Return the record of one file: its value has passed the schema of ``kind``.

    Of a kind that is a list, such as ``events``, the records in the order of the file.
    """
    if kind in LISTS:
        name, record = LISTS[kind]
        return tuple(map(_reader(record), value[name]))
    return _reader(RECORDS[kind])(value)


Reader = Callable[[Any], Any]
"""From a JSON value to a value of the model."""

_Record = TypeVar("_Record", bound=Struct)


@cache
def _reader(kind: Any) -> Reader:  # noqa: ANN401 - a type of the model, as annotated
    """Return the reader of a type; values of basic types stay unchanged."""
    if kind in READERS:
        return READERS[kind]
    if isinstance(kind, type) and issubclass(kind, Struct):
        return partial(_record, kind)
    return kind if isinstance(kind, EnumType) else _compound_reader(kind)


def _compound_reader(kind: Any) -> Reader:  # noqa: ANN401 - as above
    origin, parts = get_origin(kind), get_args(kind)
    if NoneType in parts:
        read = _reader(reduce(or_, (part for part in parts if part is not NoneType)))
        return lambda value: None if value is None else read(value)
    if origin is Mapping:
        read_name, read_part = map(_reader, parts)
        return lambda value: {read_name(name): read_part(part) for name, part in value.items()}
    if origin is tuple and Ellipsis not in parts:
        readers = tuple(map(_reader, parts))
        return lambda value: tuple(read(part) for read, part in zip(readers, value, strict=True))
    if origin in (tuple, frozenset):
        read_item, gather = _reader(parts[0]), origin
        # A file writes pairs as one object.
        return lambda value: gather(
            map(read_item, value.items() if isinstance(value, Mapping) else value)
        )
    return lambda value: value


def _record(kind: type[_Record], value: Value) -> _Record:
    """Return a record; properties that the model does not have are omitted."""
    value = WRITTEN.get(kind, dict)(value)
    readers = _readers(kind)
    return kind(**{name: readers[name](part) for name, part in value.items() if name in readers})


@cache
def _readers(kind: type[Struct]) -> Mapping[str, Reader]:
    return {name: _reader(each) for name, each in get_type_hints(kind).items()}


def _row(value: Value) -> Row:
    return _make_row(
        *((name, tuple(part) if isinstance(part, list) else part) for name, part in value.items())
    )


@lru_cache(maxsize=10_000)  # paytables of a game have many rows in common
def _make_row(*items: tuple[str, Any]) -> Row:
    value = dict(items)
    return _record(Row, {**value, "payout": value})


def _exact(text: str) -> Fraction:
    """Return ``"3/2"`` or ``"0.5%"`` exactly."""
    return Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


def _payout(value: str | Value) -> Payout:
    """Return a pay from the trade's words: odds, ``push``, ``loss``, or a share of a meter."""
    return _make_payout(
        *((value,) if isinstance(value, str) else (value["pays"], value.get("meter")))
    )


@lru_cache(maxsize=1_000)
def _make_payout(pays: str, meter: str | None = None) -> Payout:
    if pays.endswith("%"):
        return Payout(basis=Basis.METER, amount=_exact(pays), meter=meter)
    if pays in (Basis.PUSH, Basis.LOSS):
        return Payout(basis=Basis(pays), meter=meter)
    amount, basis, unit = pays.split(" ")
    return Payout(basis=Basis(basis), amount=Fraction(int(amount), int(unit)), meter=meter)


def condition(value: Value) -> Condition:
    """Return a condition; several properties in one object must all hold."""
    conditions = tuple(_make_condition(name, requirement) for name, requirement in value.items())
    return conditions[0] if len(conditions) == 1 else AllOf(conditions=conditions)


def _make_condition(name: str, requirement: Any) -> Condition:  # noqa: ANN401 - a JSON value
    if name in ("all", "any"):
        parts = tuple(condition(part) for part in requirement)
        return AllOf(conditions=parts) if name == "all" else AnyOf(conditions=parts)
    if name == "not":
        return Not(condition=condition(requirement))
    if name in (HandPart.HIGH_HAND, HandPart.LOW_HAND):
        return _apply_part(HandPart(name), condition(requirement))
    if not isinstance(requirement, dict):
        values: Sequence[FeatureValue] = (
            requirement if isinstance(requirement, list) else (requirement,)
        )
        return FeatureTest(feature=name, values=tuple(values))
    if any(isinstance(bound, str) for bound in requirement.values()):
        lowest, highest = requirement.get("min", RANKS[0]), requirement.get("max", RANKS[-1])
        ranks = RANKS[RANKS.index(lowest) : RANKS.index(highest) + 1]
        return FeatureTest(feature=name, values=tuple(ranks))
    return FeatureTest(feature=name, minimum=requirement.get("min"), maximum=requirement.get("max"))


def _apply_part(part: HandPart, condition_of_part: Condition) -> Condition:
    """Return a condition with every test applied to a part of the set hand."""
    match condition_of_part:
        case FeatureTest():
            return replace(condition_of_part, part=part)
        case Not(condition=inner):
            return Not(condition=_apply_part(part, inner))
        case AllOf(conditions=parts):
            return AllOf(conditions=tuple(_apply_part(part, inner) for inner in parts))
        case AnyOf(conditions=parts):
            return AnyOf(conditions=tuple(_apply_part(part, inner) for inner in parts))


def _hand_rules(value: Value) -> Value:
    """Return the hand rules of a game, without joker fields if its deck has no joker."""
    rules = {**value, "shape": value["hand"]}
    if not value["deck"]["joker"]:
        for name in ("joker", "joker_choices", "joker_beats_ace_in_front"):
            rules.pop(name, None)
    return rules


def _house_way(value: Value) -> Value:
    """Return a house way whose clauses name its document, as sources elsewhere do."""
    document = value["source"]["document"]

    def make_sourced(entry: Value, clause: str) -> Value:
        return {**entry, "source": {"document": document, "clause": entry[clause]}}

    def rule(declared: Value) -> Value:
        entry = make_sourced(declared, "source")
        if "assumption" not in entry:
            return entry
        named = {"id": entry["id"], "source": entry["source"]}
        return {**entry, "assumption": {**entry["assumption"], **named}}

    return {
        **value,
        "sections": [
            {
                **section,
                "base": rule(section["base"]),
                "exceptions": [rule(exception) for exception in section.get("exceptions", ())],
            }
            for section in value["sections"]
        ],
        "statements": [make_sourced(rule, "clause") for rule in value.get("statements", ())],
        "general_assumptions": [
            make_sourced(rule, "clause") for rule in value.get("assumptions", ())
        ],
    }


def _with_underscores(value: Value) -> Value:
    return {**value, "id": value["id"].replace("-", "_")}


WRITTEN: Mapping[Any, Callable[[Value], Value]] = {
    Approval: lambda value: {"paytables": [value], **value, "day": value["date"]},
    Compare: lambda value: {
        name: [higher] if isinstance(higher, str) else higher for name, higher in value.items()
    },
    Game: lambda value: {**value, "hands": value, "wagers": ()},
    HandRules: _hand_rules,
    HouseWay: _house_way,
    MainWager: lambda value: {**value, "raise_": value.get("raise")},
    Source: lambda value: {**value, "clause": value["clause"] or ""},
    **dict.fromkeys((DealerRule, HandBonus, HandPay, RaisePay), _with_underscores),
}
"""The records that a file writes otherwise, and what makes the model's form of its value.

Each wager of a game has its own file. A pay's meter is in the same row.
"""

READERS: Mapping[Any, Reader] = {
    date: date.fromisoformat,
    Fraction: _exact,
    Payout: _payout,
    Row: _row,
    Condition: condition,
    FrontSelection: lambda value: (
        NamedFront(value) if isinstance(value, str) else _record(HighestFront, value)
    ),
}
"""The readers of values that a file writes in another form."""
