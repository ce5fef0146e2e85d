"""Digests of the declared values that a verification count depends on, without any words.

Every part is listed explicitly; a new field of a catalog entry cannot be included or omitted
unnoticed: `tests/pipeline/test_second_counts.py` compares the lists with the entries.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from certify.engine.hands.awards import award_order
from certify.model.condition import Condition, Event, FeatureTest, TwoHands, translate
from certify.model.game import HandRules
from certify.model.house_way import HighestFront, HouseWayRule
from certify.model.main_wager import MainWager, Outcome, Raise, Ties
from certify.model.own_hand import Companion, HandBonus, HandPay
from certify.model.paytable import Commission, Payout, Paytable
from certify.pipeline.play import Play

FORM = 1
"""Format of the digested value; a new number invalidates every stored count."""


def main_digest(play: Play) -> str:
    """Return the SHA-256 of the inputs of a count of a main wager, as hexadecimal digits."""
    option = play.option
    return _digest(
        {
            "hands": _hands(play.game.hands),
            "dealer_exposed": play.game.dealer_exposed,
            "strategy": str(play.strategy),
            "house_way": [
                {
                    "id": section.id,
                    "when": _condition(section.when),
                    "rules": [_rule(rule) for rule in section.rules],
                }
                for section in play.house_way.sections
            ],
            "option": {
                "win_pays": _payout(option.win_pays),
                "dealer_rules": [
                    {
                        "id": dealer_rule.id,
                        "when": _condition(dealer_rule.when),
                        "outcome": str(dealer_rule.outcome) if dealer_rule.outcome else None,
                        "win_pays": _payout(dealer_rule.win_pays),
                    }
                    for dealer_rule in option.dealer_rules
                ],
                "commission": _commission(option.commission) if option.commission else None,
                "raise": _raise(option.raise_) if option.raise_ else None,
                **_ties(option.ties),
                **_bonus(option.bonus),
                **_companion(option.companion),
                **_wager_values(option),
            },
        }
    )


def _raise(raised: Raise) -> list[Any]:
    """Return a raise, with the choice of sizes and the fold if it has them."""
    digested: list[Any] = [str(raised.size), _condition(raised.qualifies)]
    if raised.pays or raised.largest_when or raised.not_qualified is not Outcome.PUSH:
        enlarge = _condition(raised.largest_when)
        digested += [_pays(raised.pays), enlarge, str(raised.not_qualified)]
    if raised.largest is None and raised.fold is None:
        return digested
    return [*digested, str(raised.largest or raised.size), raised.fold is not None]


def _pays(pays: Sequence[HandPay]) -> list[Any]:
    return [[pay.id, _condition(pay.when), _payout(pay.pays)] for pay in pays]


def _companion(companion: Companion | None) -> dict[str, Any]:
    """Return the companion wager, if there is one."""
    if companion is None:
        return {}
    return {"companion": [str(companion.size), _pays(companion.pays)]}


def _commission(commission: Commission) -> list[Any]:
    """Return a commission, with its rounding if it has one."""
    digested: list[Any] = [str(commission.rate), commission.prepaid]
    if commission.exact:
        return digested
    return [*digested, commission.unit_cents, str(commission.rounding), commission.minimum_cents]


def _wager_values(option: MainWager) -> dict[str, Any]:
    """Return the fee and the wager for the figures, if they matter."""
    if not option.depends_on_wager:
        return {}
    bands = option.fee.bands if option.fee is not None else ()
    return {"wager": option.wager_cents, "fee": [[band.from_cents, band.cents] for band in bands]}


def _ties(ties: Ties) -> dict[str, Any]:
    """Return the tie rules, if they are not the usual ones."""
    if ties == Ties():
        return {}
    return {"ties": [str(ties.high), str(ties.low), ties.both_push]}


def _bonus(bonuses: Sequence[HandBonus]) -> dict[str, Any]:
    """Return the bonuses on the player's own hand, if there are any."""
    if not bonuses:
        return {}
    paid = [[bonus.id, _condition(bonus.when), _payout(bonus.pays)] for bonus in bonuses]
    return {"bonus": paid}


def paytable_digest(paytable: Paytable, events: Mapping[str, Event], hands: HandRules) -> str:
    """Return the SHA-256 of the inputs of a count of a wager on both hands.

    Pays are not included: they determine the value of a count, not the count.
    """
    rows = [events[row.event] for row in paytable.rows]
    return _digest(
        {
            "hands": _hands(hands),
            "cards": paytable.cards,
            "order": list(award_order(paytable, events)),
            "rows": [[event.id, *chain.from_iterable(map(_deal, event.deals))] for event in rows],
        }
    )


def _deal(deal: TwoHands) -> list[Any]:
    compared = {str(part): list(map(str, fitting)) for part, fitting in deal.results.items()}
    sides = [_condition(deal.dealer), _condition(deal.player)]
    return [*sides, compared] if compared else sides


def _digest(value: Mapping[str, Any]) -> str:
    text = json.dumps({"form": FORM, **value}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _hands(hands: HandRules) -> dict[str, Any]:
    return {
        "ranks": hands.deck.ranks,
        "jokers": int(hands.deck.joker),
        **({"decks": hands.deck.decks} if hands.deck.decks > 1 else {}),
        "cards": hands.shape.cards,
        "back": hands.shape.back,
        "front": hands.shape.front,
        "joker": str(hands.joker),
        "wheel": str(hands.wheel),
        "joker_beats_ace_in_front": hands.joker_beats_ace_in_front,
        **(
            {"dealer": [hands.shape.dealer, hands.shape.dealer_shows]}
            if (hands.shape.dealer, hands.shape.dealer_shows) != (hands.shape.cards, 0)
            else {}
        ),
        **({"ranking": list(map(str, hands.ranking.highest_first))} if hands.ranking else {}),
    }


def _rule(rule: HouseWayRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "front": _front(rule),
        "by": rule.by,
        "when": _condition(rule.when),
        "before": list(rule.before),
    }


def _front(rule: HouseWayRule) -> Any:  # noqa: ANN401 - JSON
    if isinstance(rule.front, HighestFront):
        return {
            "leaves": [str(left) for left in rule.front.leaves],
            "at_least": rule.front.at_least,
            "pair": rule.front.pair,
            "highest_back": rule.front.highest_back,
        }
    return None if rule.front is None else str(rule.front)


def _payout(payout: Payout | None) -> Any:  # noqa: ANN401 - JSON
    return None if payout is None else [str(payout.basis), str(payout.amount), payout.meter]


def _condition(condition: Condition | None) -> Any:  # noqa: ANN401 - JSON
    if condition is None:
        return None
    return translate(
        condition,
        test=_test,
        every=lambda parts: {"all": parts},
        some=lambda parts: {"any": parts},
        negate=lambda part: {"not": part},
    )


def _test(test: FeatureTest) -> Any:  # noqa: ANN401 - JSON
    return [str(test.name), list(test.values), test.minimum, test.maximum]
