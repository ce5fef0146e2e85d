"""Digests of the declared values that a verification count depends on, without any words.

Every part is listed explicitly; a new field of a catalog entry cannot be included or omitted
unnoticed: `tests/pipeline/test_second_counts.py` compares the lists with the entries.
"""

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

from certify.engine.hands.awards import award_order
from certify.model.condition import AllOf, AnyOf, Event, FeatureTest, Not, TwoHands
from certify.model.encoding import Forms, drop_empty, encode_json, pick_values
from certify.model.game import HandRules
from certify.model.house_way import HighestFront, HouseWayRule, HouseWaySection
from certify.model.main_wager import DealerRule, MainWager, Outcome, Raise, Ties
from certify.model.own_hand import Companion, HandBonus, HandPay
from certify.model.paytable import Commission, FeeBand, Payout, Paytable
from certify.pipeline.play import Play

FORM = 1
"""Format of the digested value; a new number invalidates every stored count."""


def main_digest(play: Play) -> str:
    """Return the SHA-256 of the inputs of a count of a main wager, as hexadecimal digits."""
    option = play.option
    return _digest(
        {
            "hands": play.game.hands,
            "dealer_exposed": play.game.dealer_exposed,
            "strategy": play.strategy,
            "house_way": play.house_way.sections,
            "option": {
                **pick_values(option, "win_pays", "dealer_rules", "commission"),
                "raise": option.raise_,
                **_rare_terms(option),
            },
        }
    )


def _rare_terms(option: MainWager) -> dict[str, Any]:
    """Return the terms that few options have; the fee and the wager if the figures need them."""
    terms = drop_empty(
        {
            "ties": option.ties if option.ties != Ties() else None,
            "bonus": option.bonus,
            "companion": option.companion,
        }
    )
    if option.depends_on_wager:
        bands = option.fee.bands if option.fee is not None else ()
        terms |= {"wager": option.wager_cents, "fee": bands}
    return terms


def _raise(raised: Raise) -> list[Any]:
    """Return a raise, with the choice of sizes and the fold if it has them."""
    digested: list[Any] = [raised.size, raised.qualifies]
    if raised.pays or raised.largest_when or raised.not_qualified is not Outcome.PUSH:
        digested += [raised.pays, raised.largest_when, raised.not_qualified]
    if raised.largest is None and raised.fold is None:
        return digested
    return [*digested, raised.largest or raised.size, raised.fold is not None]


def _commission(commission: Commission) -> list[Any]:
    """Return a commission, with its rounding if it has one."""
    digested: list[Any] = [commission.rate, commission.prepaid]
    if commission.exact:
        return digested
    return [*digested, commission.unit_cents, commission.rounding, commission.minimum_cents]


def paytable_digest(paytable: Paytable, events: Mapping[str, Event], hands: HandRules) -> str:
    """Return the SHA-256 of the inputs of a count of a wager on both hands.

    Pays are not included: they determine the value of a count, not the count.
    """
    rows = [events[row.event] for row in paytable.rows]
    return _digest(
        {
            "hands": hands,
            "cards": paytable.cards,
            "order": award_order(paytable, events),
            "rows": [[event.id, *chain.from_iterable(map(_deal, event.deals))] for event in rows],
        }
    )


def _deal(deal: TwoHands) -> list[Any]:
    sides = [deal.dealer, deal.player]
    return [*sides, deal.results] if deal.results else sides


def _digest(value: Mapping[str, Any]) -> str:
    written = encode_json({"form": FORM, **value}, FORMS)
    text = json.dumps(written, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _hands(hands: HandRules) -> dict[str, Any]:
    shape = hands.shape
    usual = (shape.dealer, shape.dealer_shows) == (shape.cards, 0)
    return {
        "ranks": hands.deck.ranks,
        "jokers": int(hands.deck.joker),
        **pick_values(shape, "cards", "back", "front"),
        **pick_values(hands, "joker", "wheel", "joker_beats_ace_in_front"),
        **drop_empty(
            {
                "decks": hands.deck.decks if hands.deck.decks > 1 else None,
                "dealer": [shape.dealer, shape.dealer_shows] if not usual else None,
                "ranking": hands.ranking.highest_first if hands.ranking else None,
            }
        ),
    }


FORMS: Forms = {
    HandRules: _hands,
    HouseWaySection: lambda section: pick_values(section, "id", "when", "rules"),
    HouseWayRule: lambda rule: pick_values(rule, "id", "front", "by", "when", "before"),
    HighestFront: lambda front: pick_values(front, "leaves", "at_least", "pair", "highest_back"),
    DealerRule: lambda rule: pick_values(rule, "id", "when", "outcome", "win_pays"),
    Raise: _raise,
    Commission: _commission,
    FeeBand: lambda band: [band.from_cents, band.cents],
    Ties: lambda ties: [ties.high, ties.low, ties.both_push],
    HandBonus: lambda bonus: [bonus.id, bonus.when, bonus.pays],
    HandPay: lambda pay: [pay.id, pay.when, pay.pays],
    Companion: lambda companion: [companion.size, companion.pays],
    Payout: lambda payout: [payout.basis, payout.amount, payout.meter],
    AllOf: lambda every: {"all": every.conditions},
    AnyOf: lambda some: {"any": some.conditions},
    Not: lambda negated: {"not": negated.condition},
    FeatureTest: lambda test: [test.name, test.values, test.minimum, test.maximum],
    Fraction: str,
}
"""The digested parts, by class."""
