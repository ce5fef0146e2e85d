"""Decoders of the event vocabulary, of printed figures, discrepancies and other readings."""

from certify.intake.decode_common import Value, condition, source
from certify.model.alternative import Alternative, Alternatives, Change, Op
from certify.model.condition import Event
from certify.model.published import (
    Convention,
    Discrepancy,
    DiscrepancyKind,
    MeterTerm,
    PublishedFigure,
    Quantity,
    Reading,
)


def events(value: Value) -> tuple[Event, ...]:
    """Return every event of the vocabulary, in order."""
    return tuple(_event(one) for one in value["events"])


def figures(value: Value) -> tuple[PublishedFigure, ...]:
    """Return every printed figure of one document, in printed order."""
    return tuple(_figure(one) for one in value["figures"])


def discrepancies(value: Value) -> tuple[Discrepancy, ...]:
    """Return every discrepancy of one document, in its order."""
    return tuple(_discrepancy(one) for one in value["discrepancies"])


def alternatives(value: Value) -> Alternatives:
    """Return the other readings of one game's source or of one house way."""
    return Alternatives(
        id=value["id"], alternatives=tuple(_alternative(one) for one in value["alternatives"])
    )


def _alternative(value: Value) -> Alternative:
    return Alternative(
        id=value["id"],
        text=value["text"],
        of=tuple(value["of"]),
        changes=tuple(
            Change(record=one["record"], op=Op(one["op"]), path=one["path"], value=one.get("value"))
            for one in value["changes"]
        ),
    )


def _event(value: Value) -> Event:
    return Event(
        id=value["id"],
        text=value["text"],
        name=value.get("name"),
        text_without_joker=value.get("text_without_joker"),
        source=source(value["source"]),
        when=condition(value["when"]) if "when" in value else None,
        player=condition(value["player"]) if "player" in value else None,
        dealer=condition(value["dealer"]) if "dealer" in value else None,
    )


def _figure(value: Value) -> PublishedFigure:
    return PublishedFigure(
        id=value["id"],
        target=value["target"],
        quantity=Quantity(value["quantity"]),
        printed=value["printed"],
        convention=Convention(value["convention"]),
        source=source(value["source"]),
        event=value.get("event"),
        players=value.get("players"),
        reading=_reading(value["reading"]) if "reading" in value else None,
        reason=value.get("reason"),
        house_way=value.get("house_way"),
    )


def _reading(value: Value) -> Reading:
    convention = value.get("convention")
    return Reading(
        target=value.get("target"),
        convention=Convention(convention) if convention is not None else None,
        decimals=value.get("decimals"),
    )


def _discrepancy(value: Value) -> Discrepancy:
    return Discrepancy(
        id=value["id"],
        kind=DiscrepancyKind(value["kind"]),
        title=value["title"],
        words=tuple(value["words"]),
        sources=tuple(source(one) for one in value["sources"]),
        effect=value["effect"],
        resolution=value["resolution"],
        targets=tuple(value.get("targets", ())),
        about=frozenset(MeterTerm(one) for one in value.get("about", ())),
    )
