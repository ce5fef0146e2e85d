"""Declared records as the JSON that the recount reads: values only, none of their words."""

from collections.abc import Mapping, Sequence
from typing import Any

from certify.model.cards import JokerRule
from certify.model.condition import Condition, Event, FeatureTest, TwoHands, translate
from certify.model.game import HandRules
from certify.model.paytable import AlsoTable, HandOf, Paytable

Json = dict[str, Any]


def condition_json(condition: Condition | None) -> Json | None:
    """Return a condition, None for none."""
    if condition is None:
        return None
    return translate(condition, test=_test, every=_every, some=_some, negate=_negate)


def _every(parts: Sequence[Json]) -> Json:
    return {"all": list(parts)}


def _some(parts: Sequence[Json]) -> Json:
    return {"any": list(parts)}


def _negate(part: Json) -> Json:
    return {"not": part}


def _test(test: FeatureTest) -> Json:
    wanted: Any = list(test.values)
    if not test.values:
        bounds = {"min": test.minimum, "max": test.maximum}
        wanted = {name: bound for name, bound in bounds.items() if bound is not None}
    asked = {test.feature: wanted}
    return {str(test.part): asked} if test.part.is_set else asked


def events_json(events: Mapping[str, Event]) -> Mapping[str, Json]:
    """Return the events by id, the highest ranking hand first."""
    return {
        event.id: {"when": condition_json(event.when), "deals": [*map(_deal, event.deals)]}
        for event in events.values()
    }


def _deal(deal: TwoHands) -> Json:
    compared = {str(part): list(map(str, results)) for part, results in deal.results.items()}
    compare = {"best_hand" if part == "whole" else part: fits for part, fits in compared.items()}
    sides = {"dealer": condition_json(deal.dealer), "player": condition_json(deal.player)}
    return sides | ({"compare": compare} if compare else {})


def paytable_json(paytable: Paytable) -> Json:
    """Return what decides which rows of a paytable are awarded."""
    return {
        "cards": paytable.cards,
        "both": paytable.hand is HandOf.BOTH,
        **_table(paytable),
        "also": [_table(table) for table in paytable.also],
    }


def _table(table: Paytable | AlsoTable) -> Json:
    return {"award": str(table.award), "rows": [{"event": row.event} for row in table.rows]}


def deck_of(hands: HandRules, cards: int) -> tuple[int, int, int, bool]:
    """Return ranks, jokers, the cards of a complete hand, and whether jokers are wild."""
    wild = hands.joker is JokerRule.FULLY_WILD
    return hands.deck.ranks, hands.deck.joker, min(hands.shape.back, cards), wild
