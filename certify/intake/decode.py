"""From a validated value of a known kind to the record it declares.

The model declares the types, and cattrs fills them. This module has only the differences between
files and model. The values have passed their schema and are not checked here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, get_args, get_origin

from certify.model.approval import Approval, Signatory
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
from certify.model.house_way import HighestFront, HouseWay
from certify.model.jurisdiction import Jurisdiction, Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, EnvyTable, Payout, Paytable, Progressive, Row
from certify.model.source import Alternatives, Discrepancy, PublishedFigure, Statement
from certify.model.vocabulary import HandPart, NamedFront

if TYPE_CHECKING:
    from cattrs import BaseConverter

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
        return tuple(_converter().structure(entry, record) for entry in value[name])
    return _converter().structure(value, RECORDS[kind])


@cache
def _converter() -> "BaseConverter":
    # The base converter: what generates code for each record costs a process more than it reads.
    from cattrs import BaseConverter

    converter = BaseConverter(detailed_validation=False)
    converter.register_structure_hook(
        int, lambda number, _: number
    )  # true in a rule's parameters stays unchanged
    converter.register_structure_hook(date, lambda text, _: date.fromisoformat(text))
    converter.register_structure_hook(Fraction, lambda text, _: _exact(text))
    converter.register_structure_hook(Payout, lambda pays, _: _payout(pays))
    converter.register_structure_hook_func(
        lambda kind: AllOf in get_args(kind), lambda value, _: condition(value)
    )
    converter.register_structure_hook_func(
        lambda kind: HighestFront in get_args(kind),
        lambda front, _: (
            NamedFront(front)
            if isinstance(front, str)
            else converter.structure(front, HighestFront)
        ),
    )
    # A statement holds its like, and its field can only name that type.
    converter.register_structure_hook_func(
        lambda kind: kind == Statement.__annotations__["parts"],
        lambda parts, _: tuple(converter.structure(part, Statement) for part in parts),
    )
    # A file writes pairs as one object.
    converter.register_structure_hook_func(
        _is_pairs,
        lambda pairs, kind: tuple(
            converter.structure(entry, get_args(kind)[0]) for entry in pairs.items()
        ),
    )
    converter.register_structure_hook_func(
        WRITTEN.__contains__,
        lambda value, kind: converter.structure_attrs_fromdict(WRITTEN[kind](value), kind),
    )

    @lru_cache(maxsize=10_000)  # paytables of a game have many rows in common
    def make_row(*items: tuple[str, Any]) -> Row:
        value = dict(items)
        return converter.structure_attrs_fromdict({**value, "payout": value}, Row)

    def row(value: Value, _: object) -> Row:
        return make_row(
            *(
                (name, tuple(part) if isinstance(part, list) else part)
                for name, part in value.items()
            )
        )

    converter.register_structure_hook(Row, row)
    return converter


def _is_pairs(kind: object) -> bool:
    inner = get_args(kind)[0] if get_origin(kind) is tuple else None
    return get_origin(inner) is tuple and Ellipsis not in get_args(inner)


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
    conditions = tuple(_make_condition(name, wanted) for name, wanted in value.items())
    return conditions[0] if len(conditions) == 1 else AllOf(conditions=conditions)


def _make_condition(name: str, wanted: Any) -> Condition:  # noqa: ANN401 - a JSON value
    if name in ("all", "any"):
        parts = tuple(condition(part) for part in wanted)
        return AllOf(conditions=parts) if name == "all" else AnyOf(conditions=parts)
    if name == "not":
        return Not(condition=condition(wanted))
    if name in (HandPart.HIGH_HAND, HandPart.LOW_HAND):
        return _apply_part(HandPart(name), condition(wanted))
    if not isinstance(wanted, dict):
        values: Sequence[FeatureValue] = wanted if isinstance(wanted, list) else (wanted,)
        return FeatureTest(feature=name, values=tuple(values))
    if any(isinstance(bound, str) for bound in wanted.values()):
        lowest, highest = wanted.get("min", RANKS[0]), wanted.get("max", RANKS[-1])
        ranks = RANKS[RANKS.index(lowest) : RANKS.index(highest) + 1]
        return FeatureTest(feature=name, values=tuple(ranks))
    return FeatureTest(feature=name, minimum=wanted.get("min"), maximum=wanted.get("max"))


def _apply_part(part: HandPart, asked: Condition) -> Condition:
    """Return a condition with every test applied to a part of the set hand."""
    match asked:
        case FeatureTest():
            return replace(asked, part=part)
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

    def make_sourced(stated: Value, clause: str) -> Value:
        return {**stated, "source": {"document": document, "clause": stated[clause]}}

    def rule(declared: Value) -> Value:
        stated = make_sourced(declared, "source")
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
        "statements": [make_sourced(rule, "clause") for rule in value.get("statements", ())],
        "general_assumptions": [
            make_sourced(rule, "clause") for rule in value.get("assumptions", ())
        ],
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
}
"""The records that a file writes otherwise, and what makes the model's form of its value.

Each wager of a game has its own file. A pay's meter is in the same row.
"""
