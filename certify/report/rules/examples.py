"""What the documents print of a worked example."""

from dataclasses import dataclass

from certify.model.example import Example
from certify.model.game import Wager
from certify.model.submission import Submission
from certify.report.rules.house_way import rule_numbers
from certify.report.rules.set_hand import ShownHand, shown_hand
from certify.report.wording import as_written, label, unbroken

KINDS = {
    "win": "A win",
    "lose": "A loss",
    "push": "A push",
    "dealer_choice": "The dealer's hand was chosen",
    "joker": "With the joker",
    "highest_only": "Two winning hands",
    "dynamic": "A dynamic payout",
    "envy": "Another player's hand",
    "progressive_split": "A share of a meter",
    "foul": "A foul",
    "copy": "A copy",
    "better_setting": "Set against the house way",
    "dealer_rule": "The dealer's hand decides",
    "raise": "{raised} in action",
    "raise_returned": "{raised} is returned",
}
"""The kinds of examples, in the order in which they are printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownExample:
    """A worked example as printed; ``set`` if its hands are set."""

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
    found = [one for one in submission.examples if one.target in names and one.kind in KINDS]
    return tuple(
        _example(one, names[one.target], submission)
        for one in sorted(found, key=lambda one: list(KINDS).index(one.kind))
    )


def _example(example: Example, table: str, submission: Submission) -> ShownExample:
    player = "Other" if example.kind == "envy" else "Player"
    sides = ((player, example.player), ("Dealer", example.dealer))
    raised = submission.option.raise_
    numbers = {id_: one.number for id_, one in rule_numbers(submission.house_way).items()}
    return ShownExample(
        kind=KINDS[example.kind].format(raised=raised.name if raised is not None else ""),
        table=table,
        hands=tuple(shown_hand(name, hand, numbers) for name, hand in sides if hand is not None),
        set=any(hand is not None and bool(hand.back) for _, hand in sides),
        pays=unbroken(as_written(example.pays)),
        text=example.text,
    )
