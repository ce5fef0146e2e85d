"""Dynamic payouts: the hands that have any, paytables with the same ones together."""

from collections.abc import Iterable
from dataclasses import dataclass

from certify.model.payout import Payout
from certify.model.paytable import Paytable
from certify.report.wording import label


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicHand:
    """A hand with a default payout and those that may replace it for one round."""

    name: str
    default: Payout
    payouts: tuple[Payout, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicTable:
    """The dynamic payouts of some paytables with the same ones."""

    names: tuple[str, ...]
    hands: tuple[DynamicHand, ...]


def dynamic_tables(filed: Iterable[Paytable]) -> tuple[DynamicTable, ...]:
    """Return the dynamic payouts, tables with the same ones together."""
    having: dict[tuple[DynamicHand, ...], list[str]] = {}
    for paytable in filed:
        hands = tuple(
            DynamicHand(name=row.name, default=row.payout, payouts=row.dynamic)
            for row in paytable.rows
            if row.dynamic
        )
        if hands:
            having.setdefault(hands, []).append(label(paytable.id))
    return tuple(DynamicTable(names=tuple(names), hands=hands) for hands, names in having.items())
