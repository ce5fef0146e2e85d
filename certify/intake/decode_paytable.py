"""Decoders of paytables, envy tables and progressive meters."""

from certify.intake.decode_common import Value, payout, percent, source, statements
from certify.model.paytable import (
    Award,
    DynamicDraw,
    EnvyRow,
    EnvyTable,
    HandOf,
    HandsOf,
    Meter,
    Paytable,
    Progressive,
    Row,
)


def paytable(value: Value) -> Paytable:
    """Return one paytable of a bonus wager."""
    draw = value.get("dynamic")
    return Paytable(
        id=value["id"],
        game=value["game"],
        wager=value["wager"],
        name=value["name"],
        hand=HandOf(value["hand"]),
        cards=value["cards"],
        award=Award(value["award"]),
        rows=tuple(row(one) for one in value["rows"]),
        source=source(value["source"]),
        envy=value.get("envy"),
        progressive=progressive(value["progressive"]) if "progressive" in value else None,
        dynamic=None
        if draw is None
        else DynamicDraw(minimum_rows=draw["minimum_rows"], maximum_rows=draw["maximum_rows"]),
        assumptions=statements(value.get("assumptions", ())),
    )


def row(value: Value) -> Row:
    """Return one line of a paytable."""
    return Row(
        event=value["event"],
        name=value["name"],
        payout=payout(value["pays"], value.get("meter")),
        dynamic=tuple(payout(pays) for pays in value.get("dynamic", ())),
        source_name=value.get("source_name"),
    )


def progressive(value: Value) -> Progressive:
    """Return the meters of a progressive wager."""
    return Progressive(
        base_wager_cents=value["base_wager_cents"],
        meters=tuple(meter(one) for one in value["meters"]),
    )


def meter(value: Value) -> Meter:
    """Return one meter; what the source does not state is None."""
    return Meter(
        level=value["level"],
        seed_cents=value.get("seed_cents"),
        increment=percent(value.get("increment")),
        reserve=percent(value.get("reserve")),
        cap_cents=value.get("cap_cents"),
    )


def envy_table(value: Value) -> EnvyTable:
    """Return one envy or community table."""
    return EnvyTable(
        id=value["id"],
        game=value["game"],
        wager=value["wager"],
        name=value["name"],
        qualifying_wager_cents=value["qualifying_wager_cents"],
        rows=tuple(
            EnvyRow(
                event=one["event"],
                name=one["name"],
                prize_cents=one["prize_cents"],
                source_name=one.get("source_name"),
            )
            for one in value["rows"]
        ),
        source=source(value["source"]),
        pays_on_own_hand=value["pays_on_own_hand"],
        pays_on_dealer_hand=value["pays_on_dealer_hand"],
        hands_of=HandsOf(value.get("hands_of", HandsOf.PLAYERS_DEALT_IN)),
        called=value.get("called", "envy"),
    )
