"""The main wager and its terms on the player's own hand; each option is one declared file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from certify.model.condition import Condition, Not, asks_as_set
from certify.model.paytable import CollectionFee, Commission, EntryOfWager, Payout
from certify.model.source import Source, Statement
from certify.model.vocabulary import AfterFold, Paid


class Outcome(StrEnum):
    """The result of a round of the main wager."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"


DUE: Mapping[Paid, tuple[Outcome, ...]] = {
    Paid.ALWAYS: tuple(Outcome),
    Paid.IF_WON: (Outcome.WIN,),
    Paid.IF_NOT_LOST: (Outcome.WIN, Outcome.PUSH),
}
"""The results of a wager with which a pay for the player's own hand is due."""


class HandPay(Struct, frozen=True, kw_only=True):
    """A pay for a hand of the player; of several, the first that the hand meets.

    ``paid`` is about the result of the main wager.
    """

    id: str
    name: str
    when: Condition
    pays: Payout
    paid: Paid = Paid.ALWAYS


class RaisePay(HandPay, frozen=True, kw_only=True):
    """A pay of a raise; ``paid`` is about the result of the raise."""

    paid: Paid = Paid.IF_WON


class HandBonus(HandPay, frozen=True, kw_only=True):
    """A pay on the player's own hand in addition to the wager, unless it is folded.

    A hand is paid for the first bonus of an option that it meets.
    """

    text: str
    source: Source


class Companion(Struct, frozen=True, kw_only=True):
    """A wager that is made with the main wager, of ``size`` times its amount.

    It pays for the player's own hand. If no entry of ``pays`` is due, it loses if the hands are
    compared and the main wager loses, and else pushes.
    """

    id: str
    name: str
    size: Fraction
    pays: tuple[HandPay, ...]
    text: str
    source: Source
    after_fold: AfterFold = AfterFold.LOSES


class OwnHand(NamedTuple):
    """Terms of an option on a hand of the player, which ``may_enlarge`` the raise."""

    bonus: HandBonus | None = None
    raise_pay: RaisePay | None = None
    companion_pay: HandPay | None = None
    may_enlarge: bool = True


class OwnPay(NamedTuple):
    """A pay for the player's own hand, and its pointer in the option's file.

    ``wager`` is the name of the raise or the companion wager, empty for the main wager; ``size``
    is the size of that wager in units of the main wager, the largest of a raise.
    """

    pointer: str
    wager: str
    size: Fraction
    payout: Payout


Met = TypeVar("Met", HandBonus, RaisePay, HandPay)


def first_met(entries: Iterable[Met], truth: Iterator[bool]) -> Met | None:
    """Return the first entry whose condition is true; consume one value for each."""
    met = [entry for entry in entries if next(truth)]
    return met[0] if met else None


class Tie(StrEnum):
    """The winner of a tie (a copy) of the high hands or of the low hands."""

    DEALER = "dealer"
    PLAYER = "player"
    OTHER_HAND = "other_hand"
    """Neither side: the other hand decides the wager; two such ties push."""

    PUSH = "push"
    """The wager pushes, whatever the other hand is."""


class Ties(Struct, frozen=True, kw_only=True):
    """Tie rules for the high and the low hand.

    ``both_push``: a tie of both hands pushes, whatever the rules for a tie of one hand.
    """

    high: Tie = Tie.DEALER
    low: Tie = Tie.DEALER
    both_push: bool = False

    @property
    def dealer_wins(self) -> bool:
        """True if the dealer wins every tie."""
        return self == Ties()

    @property
    def mirror(self) -> "Ties":
        """The same rules with the seats exchanged: the dealer's ties become the player's."""
        high, low = (_MIRRORED.get(tie, tie) for tie in (self.high, self.low))
        return replace(self, high=high, low=low)

    def outcome(self, high: int, low: int) -> Outcome:
        """Return the outcome of a comparison.

        Args:
            high: more than 0 where the player's high hand is the higher one, 0 in a tie.
            low: the same of the low hands.
        """
        tied = [tie for sign, tie in ((high, self.high), (low, self.low)) if sign == 0]
        if Tie.PUSH in tied or (self.both_push and len(tied) == 2):  # noqa: PLR2004 - hands
            return Outcome.PUSH
        won = sum(
            _TAKEN[tie] if sign == 0 else sign for sign, tie in ((high, self.high), (low, self.low))
        )
        return Outcome.WIN if won > 0 else Outcome.LOSE if won < 0 else Outcome.PUSH


_MIRRORED = {Tie.DEALER: Tie.PLAYER, Tie.PLAYER: Tie.DEALER}

_TAKEN = {Tie.DEALER: -1, Tie.PLAYER: 1, Tie.OTHER_HAND: 0}


class OutcomeReason(Struct, frozen=True, kw_only=True):
    """The reason for the outcome of a round.

    ``rule`` is the id of the dealer rule that decided, if one did. ``compared``: hands were
    compared. ``raised``: a raise was made, ``largest``: at the larger of two sizes, ``qualified``:
    the dealer's hand qualified for it; if no hands were compared, this is set only for a raise
    that would have won otherwise. A raise has action if hands are compared and the dealer's
    qualified. ``folded``: the player gave the wager up. ``bonus`` is the id of the bonus paid on
    the player's own hand; ``raise_pay`` and ``companion_pay`` those of the pays of a raise and of
    the companion wager. ``raise_won``: a raise won because the dealer's hand did not qualify.
    """

    outcome: Outcome
    rule: str | None = None
    compared: bool = True
    raised: bool = False
    largest: bool = False
    qualified: bool = False
    folded: bool = False
    bonus: str | None = None
    raise_pay: str | None = None
    companion_pay: str | None = None
    raise_won: bool = False

    @property
    def is_raised(self) -> bool:
        """True if a raise was settled with the wager; False if it was returned or not made."""
        return self.raised and self.compared and self.qualified

    @property
    def raise_outcome(self) -> Outcome:
        """The result of a raise that was made: a push if it was returned."""
        if self.raise_won:
            return Outcome.WIN
        return self.outcome if self.is_raised else Outcome.PUSH

    @property
    def key(self) -> str:
        """The id of listed figures: ``win``, ``lose_raised``; code does not parse it."""
        end = self.rule if self.rule is not None else str(self.outcome)
        named = {
            "raise": self.raise_pay,
            "companion": self.companion_pay,
            "bonus": self.bonus,
        }
        suffix = "".join(f"_{part}_{name}" for part, name in named.items() if name is not None)
        if self.folded:
            return f"{end}_folded{suffix}"
        if not self.raised:
            return f"{end}{suffix}"
        qualified = "_not_qualified" if self.compared else "_qualified"
        idle = qualified if self.compared is not self.qualified else ""
        size = "_largest" if self.largest else ""
        return f"{end}_raised{size}{idle}{suffix}"


class DealerRule(Struct, frozen=True, kw_only=True):
    """A special rule for a kind of dealer hand, whole or set.

    If ``outcome`` is set, the wager ends so, whatever the player holds. If ``win_pays`` is set,
    hands are compared, and it replaces the ordinary pay of a win. Exactly one of the two is set.
    ``fouls`` is the result of a foul, None if the rule does not specify it.
    """

    id: str
    when: Condition
    text: str
    source: Source
    outcome: Outcome | None = None
    fouls: Outcome | None = None
    win_pays: Payout | None = None


class Fold(Struct, frozen=True, kw_only=True):
    """Giving the wager up after having seen the own cards: it loses, whatever the dealer holds."""

    text: str
    source: Source


class Raise(Struct, frozen=True, kw_only=True):
    """A second wager after the player has seen the own cards.

    ``size`` is in units of the main wager; with ``largest`` the player chooses a size from the one
    to the other, if ``largest_when`` holds for the own hand. It has action only against a dealer
    hand for which ``qualifies`` holds; otherwise it ends as ``not_qualified`` says. A win pays by
    the own hand, as the main wager if no entry of ``pays`` is met. With ``fold``, a player who does
    not raise gives the wager up.
    """

    id: str
    name: str
    size: Fraction
    qualifies: Condition
    text: str
    source: Source
    largest: Fraction | None = None
    largest_when: Condition | None = None
    not_qualified: Outcome = Outcome.PUSH
    pays: tuple[RaisePay, ...] = ()
    fold: Fold | None = None

    @property
    def actions(self) -> tuple["Action", ...]:
        """The actions of the player that can be best; the first one breaks ties.

        The gain of a raise is proportional to its size: if it is positive, the largest size is
        best; if it is negative but better than a fold, the smallest.
        """
        size = self.largest or self.size
        largest = Action(size=size, largest=size > self.size)
        if self.fold is None and self.largest_when is None:
            return Action(), largest
        without = Action(folded=self.fold is not None)
        return tuple(dict.fromkeys((without, Action(size=self.size), largest)))

    def is_returned_by(self, rules: Iterable[DealerRule]) -> bool:
        """Return True if a rule can end the round against a hand that qualifies for the raise."""
        ending = (rule.when for rule in rules if rule.outcome is not None)
        unqualified = Not(condition=self.qualifies)
        return any(when != unqualified and Not(condition=when) != self.qualifies for when in ending)


class Action(Struct, frozen=True, kw_only=True):
    """A player's action other than setting the hand: none, a raise of a ``size``, or a fold."""

    size: Fraction = Fraction(0)
    largest: bool = False
    folded: bool = False

    @property
    def key(self) -> str:
        """The id of the action in listed figures: ``raise_largest`` is the larger of two sizes."""
        if self.folded:
            return "fold"
        return "raise_largest" if self.largest else "raise" if self.size else "none"


class Bank(Struct, frozen=True, kw_only=True):
    """Banking by a player, who then has the dealer's side of the ties.

    ``share`` are the rounds that a player banks who does so whenever the rules allow it.
    """

    share: Fraction
    text: str
    source: Source


class MainWager(EntryOfWager, frozen=True, kw_only=True):
    """One option of a main wager: pays, dealer rules in order of precedence, commission, raise.

    ``ties`` say who takes a copy; where a file says nothing the dealer does. ``fee`` is collected
    in every round. A player may ``bank``. ``wager_cents`` is the wager that a fee and a rounded
    commission are counted for.
    """

    wager: str = "main"
    win_pays: Payout
    dealer_rules: tuple[DealerRule, ...] = ()
    ties: Ties = Ties()
    commission: Commission | None = None
    fee: CollectionFee | None = None
    wager_cents: int | None = None
    bank: Bank | None = None
    raise_: Raise | None = None
    bonus: tuple[HandBonus, ...] = ()
    companion: Companion | None = None
    assumptions: tuple[Statement, ...] = ()

    @property
    def own_conditions(self) -> tuple[Condition, ...]:
        """The conditions on the player's own hand, in the order of `read_own`."""
        enlarge = self.raise_.largest_when if self.raise_ is not None else None
        whens = [each.when for each in (*self.bonus, *self.raise_pays, *self.companion_pays)]
        return (*whens, enlarge) if enlarge is not None else tuple(whens)

    @property
    def own_pointers(self) -> tuple[str, ...]:
        """The places of `own_conditions` in the file."""
        whens = [pay.pointer.removesuffix("pays") + "when" for pay in self.own_pays]
        return (*whens, "/raise/largest_when")[: len(self.own_conditions)]

    @property
    def own_pays(self) -> tuple[OwnPay, ...]:
        """The pays for the player's own hand: bonus, raise and companion wager."""
        raised, companion = self.raise_, self.companion
        parts: list[tuple[str, str, Fraction, Sequence[HandPay]]]
        parts = [("bonus", "", Fraction(1), self.bonus)]
        if raised is not None:
            parts.append(("raise/pays", raised.name, raised.largest or raised.size, raised.pays))
        if companion is not None:
            parts.append(("companion/pays", companion.name, companion.size, companion.pays))
        return tuple(
            OwnPay(f"/{part}/{place}/pays", wager, size, each.pays)
            for part, wager, size, pays in parts
            for place, each in enumerate(pays)
        )

    def read_own(self, truth: Sequence[bool]) -> OwnHand:
        """Return the terms that apply to a hand, by the truth of each of `own_conditions`."""
        left = iter(truth)
        return OwnHand(
            first_met(self.bonus, left),
            first_met(self.raise_pays, left),
            first_met(self.companion_pays, left),
            next(left, True),
        )

    def select_due(self, own_hand: OwnHand, reason: OutcomeReason) -> OwnHand:
        """Return the terms of a hand without the pays that are not due in a round that ends so."""
        bonus, raise_pay, companion_pay, _ = own_hand
        plays = self.companion is not None and self.companion.after_fold is AfterFold.PLAYS
        rides, raised = not reason.folded, reason.raise_outcome
        return OwnHand(
            bonus if rides and bonus and reason.outcome in DUE[bonus.paid] else None,
            raise_pay if reason.raised and raise_pay and raised in DUE[raise_pay.paid] else None,
            companion_pay
            if (rides or plays) and companion_pay and reason.outcome in DUE[companion_pay.paid]
            else None,
        )

    def paid_apart(self, reason: OutcomeReason) -> Fraction:
        """Return the net of the pays for the own hand alone, per unit of the wager."""
        raised, companion = self.raise_, self.companion
        paid = sum((each.pays.net for each in self.bonus if each.id == reason.bonus), Fraction(0))
        if raised is not None:
            size = raised.largest or raised.size if reason.largest else raised.size
            paid += sum(size * pay.pays.net for pay in raised.pays if pay.id == reason.raise_pay)
        if companion is not None:
            met = (pay for pay in companion.pays if pay.id == reason.companion_pay)
            paid += sum(companion.size * pay.pays.net for pay in met)
        return paid

    @property
    def raise_pays(self) -> tuple[RaisePay, ...]:
        """The pays of the raise by the player's hand."""
        return self.raise_.pays if self.raise_ is not None else ()

    @property
    def companion_pays(self) -> tuple[HandPay, ...]:
        """The pays of the companion wager by the player's hand."""
        return self.companion.pays if self.companion is not None else ()

    @property
    def has_fold(self) -> bool:
        """True if a player who does not raise folds."""
        return self.raise_ is not None and self.raise_.fold is not None

    @property
    def least_win(self) -> Fraction:
        """The least net of a win per unit of the wager; below 0 if a win costs the player."""
        return min(self.net_of_a_win(rule) for rule in (None, *self.dealer_rules))

    @property
    def raise_wins_unqualified(self) -> bool:
        """True if a raise wins against a dealer's hand that does not qualify."""
        return self.raise_ is not None and self.raise_.not_qualified is Outcome.WIN

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the player other than setting the hand that can be best."""
        return self.raise_.actions if self.raise_ is not None else (Action(),)

    def pays_of_a_win(self, rule: DealerRule | None) -> Payout:
        """The pay of a win against a dealer's hand of which ``rule`` holds, if one does."""
        return rule.win_pays if rule is not None and rule.win_pays is not None else self.win_pays

    @property
    def needs_set_hand(self) -> bool:
        """True if a rule other than the comparison depends on how the dealer's hand is set."""
        raised = (self.raise_.qualifies,) if self.raise_ is not None else ()
        return any(map(asks_as_set, (*(rule.when for rule in self.dealer_rules), *raised)))

    @property
    def banked_wager(self) -> "MainWager":
        """The wager between a player who banks and the dealer, from the player's side."""
        return replace(self, ties=self.ties.mirror, bank=None)

    @property
    def depends_on_wager(self) -> bool:
        """True if return and edge depend on the amount of the wager."""
        rounded = self.commission is not None and not self.commission.exact
        return rounded or self.fee is not None

    def scale_to(self, wager_cents: int | None) -> "MainWager":
        """Return the same option for another wager, if the wager matters."""
        known = wager_cents is not None and self.depends_on_wager
        return replace(self, wager_cents=wager_cents) if known else self

    @property
    def deciding_wagers(self) -> frozenset[int]:
        """Wagers in cents: where the fee changes, and the least with an exact commission.

        At the latter, and at its multiples, no rounding changes the commission on a win.
        """
        bands = self.fee.bands if self.fee is not None else ()
        starts = frozenset(band.from_cents for band in bands)
        if self.commission is None or self.commission.exact:
            return starts
        pays = [self.pays_of_a_win(rule).net for rule in (None, *self.dealer_rules)]
        units = [Fraction(1)] if self.commission.prepaid else [net for net in pays if net > 0]
        return starts | {self.commission.exact_minimum(units)}

    @property
    def posted_amount(self) -> Fraction:
        """The amount posted in advance with the wager, per unit of it."""
        posted = self.commission if self.commission and self.commission.prepaid else None
        return self._commission_on_units(posted, Fraction(1)) if posted else Fraction(0)

    def edge_on_wager(self, edge: Fraction | None) -> Fraction | None:
        """Return the edge on wager and posted amount per unit of the wager; None without one."""
        return edge * (1 + self.posted_amount) if edge is not None and self.posted_amount else None

    @property
    def fee_rate(self) -> Fraction:
        """The fee of every round, per unit of the wager."""
        cents = self.fee.find_fee(self.wager_cents) if self.fee and self.wager_cents else None
        return Fraction(cents or 0, self.wager_cents or 1)

    def net_of_a_win(self, rule: DealerRule | None) -> Fraction:
        """Return the net of a win per unit of the wager, after a commission on winnings."""
        net = self.pays_of_a_win(rule).net
        if self.commission is None or self.commission.prepaid:
            return net
        return net - self._commission_on_units(self.commission, net)

    def win_in_words(self, rule: DealerRule | None) -> str:
        """Such a win's pay in the trade's words: ``1 to 1 less 2.5%``."""
        pays = self.pays_of_a_win(rule)
        taken = self.commission is not None and not self.commission.prepaid
        return f"{pays} less {self.commission}" if taken else str(pays)

    def _commission_on_units(self, commission: Commission, units: Fraction) -> Fraction:
        """Return the commission on an amount, both in units of the wager."""
        if commission.exact or self.wager_cents is None:
            return commission.rate * units
        return commission.charge(units * self.wager_cents) / self.wager_cents
