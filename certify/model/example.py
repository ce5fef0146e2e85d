"""Worked examples: hands that the engine set, ranked and paid."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHand:
    """A hand as it lies on the layout: cards such as ``As``; ``front`` and ``back`` once set.

    ``rule`` is the house-way rule that decided, with its words, where one did.
    """

    cards: tuple[str, ...]
    back: tuple[str, ...] = ()
    front: tuple[str, ...] = ()
    rule: str = ""
    rule_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One worked example of a wager: the hands, the event, what is paid, in plain words.

    ``kind`` is win, lose, push, joker, highest_only, envy or progressive_split; of the main wager
    also copy, dealer_rule, raise or raise_returned.
    """

    target: str
    kind: str
    player: SetHand | None
    dealer: SetHand | None
    event: str
    pays: str
    text: str
