"""What the documents print of a worked example."""

from dataclasses import dataclass

from certify.model.example import Example, SetHand
from certify.model.submission import Submission
from certify.report.wording import Card, as_written, cards

KINDS = {
    "win": "A win",
    "lose": "A loss",
    "push": "A push",
    "joker": "With the joker",
    "highest_only": "Only one row is paid",
    "envy": "Another player's hand",
    "progressive_split": "A share of a meter",
    "copy": "A copy",
    "dealer_rule": "A rule on the dealer's hand",
    "raise": "With the raise in action",
    "raise_returned": "The raise is returned",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHand:
    """One side's cards: as dealt, or set in back and front with the rule that set them."""

    name: str
    cards: tuple[Card, ...]
    back: tuple[Card, ...]
    front: tuple[Card, ...]
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownExample:
    """A worked example as printed; ``set`` if its hands lie in back and front."""

    kind: str
    hands: tuple[ShownHand, ...]
    set: bool
    pays: str
    text: str


def examples(submission: Submission, target: str) -> tuple[ShownExample, ...]:
    """Return the worked examples of one target."""
    return tuple(_example(one) for one in submission.examples if one.target == target)


def _example(example: Example) -> ShownExample:
    player = "Other player" if example.kind == "envy" else "Player"
    sides = ((player, example.player), ("Dealer", example.dealer))
    return ShownExample(
        kind=KINDS[example.kind],
        hands=tuple(_hand(name, hand) for name, hand in sides if hand is not None),
        set=any(hand is not None and bool(hand.back) for _, hand in sides),
        pays=as_written(example.pays),
        text=example.text,
    )


def _hand(name: str, hand: SetHand) -> ShownHand:
    return ShownHand(
        name=name,
        cards=cards(hand.cards),
        back=cards(hand.back),
        front=cards(hand.front),
        rule=hand.rule_text,
    )
