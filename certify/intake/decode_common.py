"""Decoders of what every record shares: sources, statements, pays, percents, conditions.

The values have passed their schema, so every decoder is a pure, total function.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from certify.model.condition import AllOf, AnyOf, Condition, FeatureTest, FeatureValue, Not
from certify.model.payout import Basis, Payout
from certify.model.source import Concern, Dealt, Note, Procedure, Source, Statement

Value = Mapping[str, Any]
"""A JSON object."""


def source(value: Value) -> Source:
    """Return where a fact was read."""
    return Source(
        document=value["document"],
        clause=value["clause"],
        notes=tuple(
            Note(text=note["text"], number=note.get("number")) for note in value.get("notes", ())
        ),
        reconstructed=value.get("reconstructed"),
    )


def statement(value: Value) -> Statement:
    """Return one statement with its parts."""
    return Statement(
        id=value["id"],
        text=value["text"],
        source=source(value["source"]),
        parts=statements(value.get("parts", ())),
        effect=value.get("effect"),
        replaces=value.get("replaces"),
        concern=Concern(value.get("concern", Concern.PLAY)),
        option=value.get("option"),
        jurisdiction=value.get("jurisdiction"),
        rule=value.get("rule"),
        states=tuple(Procedure(one) for one in value.get("states", ())),
        fits=Dealt(**value.get("fits", {})),
    )


def statements(values: Sequence[Value]) -> tuple[Statement, ...]:
    """Return statements in their order."""
    return tuple(statement(value) for value in values)


def percent(text: str | None) -> Fraction | None:
    """Return ``"0.5%"`` as an exact share of one; None stays None."""
    return None if text is None else Fraction(text.removesuffix("%")) / 100


def payout(pays: str, meter: str | None = None) -> Payout:
    """Return a pay from the trade's words: odds, ``push``, ``loss``, or a share of a meter."""
    if pays.endswith("%"):
        return Payout(basis=Basis.METER, amount=Fraction(pays.removesuffix("%")) / 100, meter=meter)
    if pays in (Basis.PUSH, Basis.LOSS):
        return Payout(basis=Basis(pays))
    amount, basis, unit = pays.split(" ")
    return Payout(basis=Basis(basis), amount=Fraction(int(amount), int(unit)))


def condition(value: Value) -> Condition:
    """Return a condition; several properties in one object must all hold."""
    conditions = tuple(_one(name, asked) for name, asked in value.items())
    return conditions[0] if len(conditions) == 1 else AllOf(conditions=conditions)


def _one(name: str, asked: Any) -> Condition:  # noqa: ANN401 - a JSON value
    if name == "all":
        return AllOf(conditions=tuple(condition(one) for one in asked))
    if name == "any":
        return AnyOf(conditions=tuple(condition(one) for one in asked))
    if name == "not":
        return Not(condition=condition(asked))
    if isinstance(asked, dict):
        return FeatureTest(feature=name, minimum=asked.get("min"), maximum=asked.get("max"))
    values: Sequence[FeatureValue] = asked if isinstance(asked, list) else (asked,)
    return FeatureTest(feature=name, values=tuple(values))
