"""Paytables of different documents that are the same table: one document vouches for another.

Two paytables are the same if they look at the same cards with the same joker and their rows, in
order, pay the same for the same hands. Which suited pair a row names beside a royal flush does not
matter, as every pair is held by as many hands; nor do rows at the end that lose.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import permutations

from certify.model.condition import AllOf, AnyOf, Condition, Event, FeatureTest, Not
from certify.model.game import Game, HandRules
from certify.model.paytable import Basis, EnvyTable, Paytable

ANY_PAIR = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualTables:
    """A paytable of one game that is the same as one of another; ``envy`` if the prizes are too."""

    target: str
    other: str
    envy: bool


def equal_tables(games: Iterable[Game], events: Mapping[str, Event]) -> tuple[EqualTables, ...]:
    """Find all pairs of equal paytables of different games, each pair in both directions."""
    found: dict[Hashable, list[tuple[Paytable, Hashable]]] = {}
    for game in games:
        for wager in game.wagers:
            prizes = {envy.id: _prizes(envy, events) for envy in wager.envies}
            for table in wager.paytables:
                if table.progressive is None and table.dynamic is None:
                    content = _content(table, game.hands, events)
                    found.setdefault(content, []).append((table, prizes.get(table.envy or "")))
    return tuple(
        EqualTables(
            target=one.target, other=other.target, envy=prizes is not None and prizes == others
        )
        for same in found.values()
        for (one, prizes), (other, others) in permutations(same, 2)
        if one.game != other.game
    )


def _content(table: Paytable, hands: HandRules, events: Mapping[str, Event]) -> Hashable:
    rows = [(_hands_of(events[row.event]), row.payout) for row in table.rows]
    while rows and rows[-1][1].basis is Basis.LOSS:
        rows.pop()
    return (hands.deck, hands.joker, table.hand, table.cards, table.award, tuple(rows))


def _prizes(envy: EnvyTable, events: Mapping[str, Event]) -> Hashable:
    rows = tuple((_hands_of(events[row.event]), row.prize_cents) for row in envy.rows)
    return (envy.qualifying_wager_cents, envy.pays_on_own_hand, envy.pays_on_dealer_hand, rows)


def _hands_of(event: Event) -> Hashable:
    return tuple(_any_pair(item) for item in (event.when, event.player, event.dealer))


def _any_pair(condition: Condition | None) -> Condition | None:
    match condition:
        case FeatureTest(feature="suited_pair", values=(str(),)):
            return replace(condition, values=(ANY_PAIR,))
        case AllOf(conditions=parts):
            return AllOf(conditions=tuple(filter(None, map(_any_pair, parts))))
        case AnyOf(conditions=parts):
            return AnyOf(conditions=tuple(filter(None, map(_any_pair, parts))))
        case Not(condition=part):
            inner = _any_pair(part)
            return condition if inner is None else Not(condition=inner)
    return condition
