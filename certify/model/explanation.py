"""Explanations of one hand or one round, and worked examples."""

from fractions import Fraction

from msgspec import Struct

from certify.model.condition import FeatureValue
from certify.model.game import Strategy
from certify.model.main_wager import Outcome, Tie
from certify.model.source import Source


class HeldFeature(Struct, frozen=True, kw_only=True):
    """One feature of the closed vocabulary, and its value in a hand."""

    name: str
    value: FeatureValue


class HandReading(Struct, frozen=True, kw_only=True):
    """The cards of one side, their description in words, and every feature behind it.

    ``high_hand`` and ``low_hand`` are the cards as the house way sets them, where that counts.
    """

    cards: tuple[str, ...]
    holds: str
    features: tuple[HeldFeature, ...]
    high_hand: tuple[str, ...] = ()
    low_hand: tuple[str, ...] = ()


class RowTrial(Struct, frozen=True, kw_only=True):
    """One row in the order in which rows are tried.

    ``verdict`` is paid, not_held, or held_but_not_paid where a row before it was paid.
    """

    event: str
    name: str
    pays: str
    text: str
    verdict: str
    reason: str
    source: Source


class EnvyPrize(Struct, frozen=True, kw_only=True):
    """The envy prize of a qualifying wager of another player for this hand.

    ``with_wager`` is True if only hands of players who also made the wager are paid.
    """

    called: str
    with_wager: bool
    paytable: str
    name: str
    prize_cents: int
    qualifying_wager_cents: int
    source: Source


class BonusExplanation(Struct, frozen=True, kw_only=True, tag=True):
    """The pay of a hand under one bonus paytable.

    ``together`` are cards of the player and the dealer, for a wager that uses them as one hand.
    ``net`` is the net result per unit staked, without the amount of a meter. ``meter`` is the
    meter's level, with the share of it that is paid. ``chosen`` is the color that was bet on, if
    the wager is on a color.
    """

    target: str
    wager: str
    player: HandReading | None
    dealer: HandReading | None
    rows: tuple[RowTrial, ...]
    event: str
    name: str
    pays: str
    net: Fraction
    source: Source
    text: str
    together: HandReading | None = None
    chosen: str = ""
    meter: str | None = None
    share: Fraction | None = None
    house_way: str = ""
    envy: EnvyPrize | None = None


class SettingExplanation(Struct, frozen=True, kw_only=True, tag=True):
    """One way to set a hand, its two hands in words, and whether the house way sets it so."""

    back: tuple[str, ...]
    front: tuple[str, ...]
    back_is: str
    front_is: str
    legal: bool
    chosen: bool


class RulePassed(Struct, frozen=True, kw_only=True):
    """A rule that did not decide, in words, and why."""

    rule: str
    text: str
    reason: str
    source: Source


class SetExplanation(Struct, frozen=True, kw_only=True):
    """The house way for a hand: the deciding rule, the rules that led to it, and the others.

    ``settings`` lists every setting, the highest high hand first, fouls last. For a hand that is
    not divided, only ``hand`` is filled in.
    """

    hand: HandReading
    house_way: str = ""
    section: str = ""
    rule: str = ""
    text: str = ""
    source: Source | None = None
    chosen: SettingExplanation
    settings: tuple[SettingExplanation, ...] = ()
    sent_by: tuple[RulePassed, ...] = ()
    passed_over: tuple[RulePassed, ...] = ()
    assumption: str = ""


class HandComparison(Struct, frozen=True, kw_only=True):
    """A comparison of high hand with high hand, or low hand with low hand.

    A tie (a copy) goes to the dealer, unless ``tie`` says what it does instead.
    """

    part: str
    player: str
    dealer: str
    player_wins: bool
    copy: bool
    tie: Tie | None = None

    @property
    def name(self) -> str:
        """The hand that is compared, in words."""
        return {"back": "high hand", "front": "low hand"}[self.part]


class RuleTrial(Struct, frozen=True, kw_only=True):
    """A dealer rule of the option, whether the dealer's hand meets it, and why it does not."""

    rule: str
    text: str
    holds: bool
    reason: str
    source: Source


class RaiseExplanation(Struct, frozen=True, kw_only=True):
    """The result of a raise; ``net`` is the result of the raise alone at its smallest size.

    If the player chooses the size, ``largest_net`` is the result at the largest size.
    """

    name: str
    in_action: bool
    outcome: Outcome
    net: Fraction
    reason: str
    source: Source
    largest_net: Fraction | None = None


class BonusPaid(Struct, frozen=True, kw_only=True):
    """The pay on the player's own hand in addition to the main wager, unless it is folded."""

    name: str
    pays: str
    net: Fraction
    source: Source


class CompanionExplanation(Struct, frozen=True, kw_only=True):
    """The result of the wager that is made with the main wager.

    ``hand`` is the player's hand that it pays for, empty if it pays for none; ``net`` is per unit
    of the main wager.
    """

    name: str
    hand: str
    pays: str
    net: Fraction
    source: Source


class Settlement(Struct, frozen=True, kw_only=True, tag=True):
    """The result of a round under one option; ``net`` is per unit of the main wager.

    ``decided_by`` is the dealer rule that ends the wager without a comparison or changes the pay.
    ``bonus`` is paid in addition.
    """

    outcome: Outcome
    pays: str
    net: Fraction
    comparisons: tuple[HandComparison, ...]
    decided_by: str
    text: str
    raise_: RaiseExplanation | None = None
    bonus: BonusPaid | None = None
    companion: CompanionExplanation | None = None


class BestPlay(Struct, frozen=True, kw_only=True):
    """The best setting of the player against a dealer's set hand that is seen."""

    setting: SettingExplanation
    settlement: Settlement
    better_than_house_way: bool


FOLD = "fold"
"""The action of a player who gives the hand up."""


class PlayChoice(Struct, frozen=True, kw_only=True):
    """An action with a hand, and its average net result per unit of the main wager.

    ``action`` is fold, no_raise, raise or largest_raise; ``size`` is the additional wager.
    """

    action: str
    name: str
    size: Fraction
    worth: Fraction
    setting: SettingExplanation


class PlayExplanation(Struct, frozen=True, kw_only=True):
    """Best play with a hand before the dealer's hand is seen.

    ``choices`` are the actions with the hand set by the house way, ``chosen`` the best of them.
    Each is averaged over every hand that the dealer can hold, ``dealer_hands``. ``better_setting``
    is the best action with the best other setting, if that is worth more.
    """

    chosen: PlayChoice
    choices: tuple[PlayChoice, ...]
    dealer_hands: int
    better_setting: PlayChoice | None = None


class MainExplanation(Struct, frozen=True, kw_only=True, tag=True):
    """A hand under one option of the main wager; without a dealer's hand only how it is set.

    ``play`` is what best play does where the wager has a raise or a fold; ``settlement`` is the
    round so played.
    """

    target: str
    player: SetExplanation
    play: PlayExplanation | None = None
    dealer: SetExplanation | None = None
    dealer_rules: tuple[RuleTrial, ...] = ()
    settlement: Settlement | None = None
    best: BestPlay | None = None
    strategy: Strategy | None = None


Explanation = BonusExplanation | MainExplanation


HOUSE_WAY = "house_way"
"""The kind of the examples that show a rule of the house way."""


class SetHand(Struct, frozen=True, kw_only=True):
    """A hand as laid out: cards such as ``As``; ``front`` and ``back`` once set.

    ``rule`` is the house-way rule that decided, where one did. The player sees the cards ``seen``
    before the decision.
    """

    cards: tuple[str, ...]
    back: tuple[str, ...] = ()
    front: tuple[str, ...] = ()
    rule: str = ""
    seen: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """True if the player sees all the cards."""
        return len(self.seen) == len(self.cards)

    @property
    def groups(self) -> tuple[tuple[tuple[str, bool], ...], ...]:
        """The cards as laid out, and whether each is face up before the others.

        Without a low hand, the cards that do not count are the second group.
        """
        unused = tuple(card for card in self.cards if card not in (*self.back, *self.front))
        parts = (self.back, self.front or unused) if self.back else (self.cards,)
        marked = () if self.is_open else self.seen
        return tuple(tuple((card, card in marked) for card in part) for part in parts if part)


class Example(Struct, frozen=True, kw_only=True):
    """One worked example of a wager: the hands, the event, and the output of `explain`.

    ``kind`` is win, lose, push, joker, highest_only, envy, progressive_split, dynamic or
    dealer_choice; of the main wager also copy, dealer_rule, raise, raise_returned, raise_paid,
    largest_raise, companion, hand_bonus, better_setting, foul or fold. ``explained`` is the setting
    for a foul and the whole explanation of the deal for a better setting. An example of the kind
    `HOUSE_WAY` is a hand that the rule ``event`` decides or delegates; its ``explained`` is None.
    """

    target: str
    kind: str
    player: SetHand | None
    dealer: SetHand | None
    event: str
    explained: BonusExplanation | Settlement | MainExplanation | SettingExplanation | None = None
