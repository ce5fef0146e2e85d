"""What the documents print of a worked example."""

from collections.abc import Mapping
from typing import Any

from certify.model.example import Example, SetHand
from certify.model.submission import Submission
from certify.report.wording import cards


def examples(submission: Submission, target: str) -> list[dict[str, Any]]:
    """Return the worked examples of one target."""
    return [_example(one) for one in submission.examples if one.target == target]


def _example(example: Example) -> dict[str, Any]:
    hands = [
        _hand(name, hand)
        for name, hand in (("Player", example.player), ("Dealer", example.dealer))
        if hand is not None
    ]
    return {
        "kind": _KINDS[example.kind],
        "hands": hands,
        "event": example.event,
        "pays": example.pays,
        "text": example.text,
    }


_KINDS = {
    "win": "A win",
    "lose": "A loss",
    "push": "A push",
    "joker": "With the joker",
    "highest_only": "Only one row is paid",
    "envy": "Another player's hand",
    "progressive_split": "A share of a meter",
    "copy": "A tie",
    "dealer_rule": "A rule on the dealer's hand",
    "raise": "With the raise in action",
    "raise_returned": "The raise is returned",
}


def _hand(name: str, hand: SetHand) -> Mapping[str, Any]:
    return {
        "name": name,
        "cards": cards(hand.cards) if not hand.front else (),
        "back": cards(hand.back),
        "front": cards(hand.front),
        "rule": hand.rule_text,
    }
