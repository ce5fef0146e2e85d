"""Worked examples: hands that the engine set, ranked and paid."""

from dataclasses import dataclass

from certify.model.explanation import (
    BonusExplanation,
    MainExplanation,
    SettingExplanation,
    Settlement,
)

HOUSE_WAY = "house_way"
"""The kind of the examples that show a rule of the house way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHand:
    """A hand as it lies on the layout: cards such as ``As``; ``front`` and ``back`` once set.

    ``rule`` is the house-way rule that decided, where one did.
    """

    cards: tuple[str, ...]
    back: tuple[str, ...] = ()
    front: tuple[str, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One worked example of a wager: the hands, the event, and what `explain` says of them.

    ``kind`` is win, lose, push, joker, highest_only, envy, progressive_split, dynamic or
    dealer_choice; of the main wager also copy, dealer_rule, raise, raise_returned, better_setting
    or foul. A foul is ``explained`` by its setting, a better setting by all that is said of the
    deal. An example of the kind `HOUSE_WAY` is a hand that the rule ``event`` decides or sends on;
    nothing is ``explained`` of what it is paid.
    """

    target: str
    kind: str
    player: SetHand | None
    dealer: SetHand | None
    event: str
    explained: BonusExplanation | Settlement | MainExplanation | SettingExplanation | None = None
