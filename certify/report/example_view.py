"""What the documents print of a worked example."""

from dataclasses import dataclass

from certify.model.example import Example, SetHand
from certify.model.game import Wager
from certify.model.submission import Submission
from certify.report.wording import Card, as_written, cards, label, unbroken

KINDS = {
    "win": "A win",
    "lose": "A loss",
    "push": "A push",
    "joker": "With the joker",
    "highest_only": "Only one row is paid",
    "envy": "Another player's hand",
    "progressive_split": "A share of a meter",
    "copy": "A copy",
    "dealer_rule": "The dealer's hand decides: {result}",
    "raise": "{raised} in action",
    "raise_returned": "{raised} is returned",
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
    table: str
    hands: tuple[ShownHand, ...]
    set: bool
    pays: str
    text: str


def examples(submission: Submission, wager: Wager) -> tuple[ShownExample, ...]:
    """Return the worked examples of one wager; each names its paytable if several are filed."""
    filed = [one for one in submission.paytables if one.wager == wager.id]
    names = {one.target: label(one.id) if len(filed) > 1 else "" for one in filed}
    if wager.options:
        options = submission.options
        names = {one.target: one.id if len(options) > 1 else "" for one in options}
    found = [one for one in submission.examples if one.target in names]
    return tuple(
        _example(one, names[one.target], submission)
        for one in sorted(found, key=lambda one: list(KINDS).index(one.kind))
    )


def _example(example: Example, table: str, submission: Submission) -> ShownExample:
    player = "Other player" if example.kind == "envy" else "Player"
    sides = ((player, example.player), ("Dealer", example.dealer))
    raised = submission.option.raise_
    return ShownExample(
        kind=KINDS[example.kind].format(
            raised=raised.name if raised is not None else "", result=example.pays.lower()
        ),
        table=f"[{table}]" if table else "",
        hands=tuple(_hand(name, hand) for name, hand in sides if hand is not None),
        set=any(hand is not None and bool(hand.back) for _, hand in sides),
        pays=unbroken(as_written(example.pays)),
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
