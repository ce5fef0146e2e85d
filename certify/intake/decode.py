"""From a validated value of a known kind to the record it declares.

The types of the model's fields say what a record is made of, and how it is read. By name stands
here only where a file writes something otherwise than the model keeps it. The values have passed
their schema, so nothing is judged here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from datetime import date
from enum import EnumType
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from certify.model.alternative import Alternatives
from certify.model.approval import Approval
from certify.model.cards import RANKS
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
from certify.model.game import Game, HandRules, Wager
from certify.model.house_way import HighestFront, HouseWay
from certify.model.jurisdiction import Jurisdiction
from certify.model.main_wager import MainWager
from certify.model.payout import Basis, Payout
from certify.model.paytable import EnvyTable, Paytable, Progressive, Row
from certify.model.published import Discrepancy, PublishedFigure
from certify.model.second_count import SecondCount
from certify.model.signatory import Signatory
from certify.model.terms import Terms
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
    "terms": Terms,
}
"""What a file of each kind declares."""

LISTS: Mapping[str, tuple[str, Any]] = {
    "events": ("events", Event),
    "published": ("figures", PublishedFigure),
    "discrepancies": ("discrepancies", Discrepancy),
    "second-counts": ("counts", SecondCount),
    "register": ("approvals", Approval),
}
"""What the others list, and the property that holds the list."""


def decode(kind: str, value: Any) -> Any:  # noqa: ANN401 - the kind decides the record's type
    """Return the record of one file: its value has passed the schema of ``kind``.

    Of a kind that is a list, such as ``events``, the records in the order of the file.
    """
    if kind in LISTS:
        name, record = LISTS[kind]
        return tuple(map(_reader(record), value[name]))
    return _reader(RECORDS[kind])(value)


Reader = Callable[[Any], Any]
"""Makes the model's form of a file's value."""


@cache
def _reader(kind: Any) -> Reader:  # noqa: ANN401 - a type's form
    """Return what reads the values of a type of the model."""
    if kind in READERS:
        return READERS[kind]
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if AllOf in parts:
        return condition
    if origin is UnionType:
        return _choice([part for part in parts if part is not NoneType])
    if origin in (tuple, frozenset):
        return _several(origin, parts)
    return kind if isinstance(kind, EnumType) else _as_it_is


def _several(collection: Callable[[Any], Any], parts: Sequence[Any]) -> Reader:
    """Return what reads a list, or a pair; a list of pairs a file writes as an object."""
    if collection is tuple and Ellipsis not in parts:
        readers = [_reader(part) for part in parts]
        return lambda pair: tuple([read(item) for read, item in zip(readers, pair, strict=True)])
    read = _reader(parts[0])
    if get_origin(parts[0]) is tuple and Ellipsis not in get_args(parts[0]):
        return lambda value: collection(map(read, value.items()))
    return lambda values: collection(map(read, values))


def _choice(parts: Sequence[Any]) -> Reader:
    """Return what reads a value that may be left out, or the front of a rule of a house way."""
    if HighestFront in parts:
        named, highest = _reader(NamedFront), _reader(HighestFront)
        return lambda front: named(front) if isinstance(front, str) else highest(front)
    (part,) = parts
    read = _reader(part)
    return lambda value: None if value is None else read(value)


def _record(record: Callable[..., Any]) -> Reader:
    """Return what reads a record; a property that it has no field for says nothing of it."""
    kinds = get_type_hints(record)
    written: Reader = WRITTEN.get(record, _as_it_is)
    readers: dict[str, Reader] = {}  # found when they are asked for: a record may hold its like

    def read(value: Value) -> Any:  # noqa: ANN401 - the record
        stated = {}
        for name, part in written(value).items():
            if name in kinds:
                reader = readers.get(name) or readers.setdefault(name, _reader(kinds[name]))
                stated[name] = reader(part)
        return record(**stated)

    return read


def _as_it_is(value: Any) -> Any:  # noqa: ANN401 - a JSON value
    return value


def _exact(text: str) -> Fraction:
    """Return ``"3/2"`` or ``"0.5%"`` exactly."""
    return Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


def _payout(value: str | Value) -> Payout:
    """Return a pay from the trade's words: odds, ``push``, ``loss``, or a share of a meter."""
    pays, meter = (value, None) if isinstance(value, str) else (value["pays"], value.get("meter"))
    if pays.endswith("%"):
        return Payout(basis=Basis.METER, amount=_exact(pays), meter=meter)
    if pays in (Basis.PUSH, Basis.LOSS):
        return Payout(basis=Basis(pays))
    amount, basis, unit = pays.split(" ")
    return Payout(basis=Basis(basis), amount=Fraction(int(amount), int(unit)))


def condition(value: Value) -> Condition:
    """Return a condition; several properties in one object must all hold."""
    conditions = tuple(_tested(name, wanted) for name, wanted in value.items())
    return conditions[0] if len(conditions) == 1 else AllOf(conditions=conditions)


def _tested(name: str, wanted: Any) -> Condition:  # noqa: ANN401 - a JSON value
    if name in ("all", "any"):
        parts = tuple(condition(part) for part in wanted)
        return AllOf(conditions=parts) if name == "all" else AnyOf(conditions=parts)
    if name == "not":
        return Not(condition=condition(wanted))
    if name in (HandPart.HIGH_HAND, HandPart.LOW_HAND):
        return _of_part(HandPart(name), condition(wanted))
    if not isinstance(wanted, dict):
        values: Sequence[FeatureValue] = wanted if isinstance(wanted, list) else (wanted,)
        return FeatureTest(feature=name, values=tuple(values))
    if any(isinstance(bound, str) for bound in wanted.values()):
        lowest, highest = wanted.get("min", RANKS[0]), wanted.get("max", RANKS[-1])
        ranks = RANKS[RANKS.index(lowest) : RANKS.index(highest) + 1]
        return FeatureTest(feature=name, values=tuple(ranks))
    return FeatureTest(feature=name, minimum=wanted.get("min"), maximum=wanted.get("max"))


def _of_part(part: HandPart, asked: Condition) -> Condition:
    """Return a condition whose every test is asked of a hand as set."""
    match asked:
        case FeatureTest():
            return replace(asked, part=part)
        case Not(condition=inner):
            return Not(condition=_of_part(part, inner))
        case AllOf(conditions=parts):
            return AllOf(conditions=tuple(_of_part(part, inner) for inner in parts))
        case AnyOf(conditions=parts):
            return AnyOf(conditions=tuple(_of_part(part, inner) for inner in parts))


def _hand_rules(value: Value) -> Value:
    """Return what a game says of its hands; of a joker nothing where its deck has none."""
    rules = {**value, "shape": value["hand"]}
    if not value["deck"]["joker"]:
        for name in ("joker", "joker_choices", "joker_beats_ace_in_front"):
            rules.pop(name, None)
    return rules


def _house_way(value: Value) -> Value:
    """Return a house way whose clauses name its document, as sources elsewhere do."""
    document = value["source"]["document"]

    def sourced(stated: Value, clause: str) -> Value:
        return {**stated, "source": {"document": document, "clause": stated[clause]}}

    def rule(declared: Value) -> Value:
        stated = sourced(declared, "source")
        if "assumption" not in stated:
            return stated
        named = {"id": stated["id"], "source": stated["source"]}
        return {**stated, "assumption": {**stated["assumption"], **named}}

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
        "statements": [sourced(rule, "clause") for rule in value.get("statements", ())],
        "general_assumptions": [sourced(rule, "clause") for rule in value.get("assumptions", ())],
    }


WRITTEN: Mapping[Any, Callable[[Value], Value]] = {
    Approval: lambda value: {**value, "day": value["date"]},
    Compare: lambda value: {
        name: [higher] if isinstance(higher, str) else higher for name, higher in value.items()
    },
    Game: lambda value: {**value, "hands": value, "wagers": ()},
    HandRules: _hand_rules,
    HouseWay: _house_way,
    MainWager: lambda value: {**value, "raise_": value.get("raise")},
    Row: lambda value: {**value, "payout": value},
}
"""The records that a file writes otherwise, and what makes the model's form of its value.

A game's wagers are declared in files of their own. A pay's meter stands beside it in its row.
"""

READERS: Mapping[Any, Reader] = {date: date.fromisoformat, Fraction: _exact, Payout: _payout}
"""What is neither a record nor what JSON holds, and is written as a text."""
