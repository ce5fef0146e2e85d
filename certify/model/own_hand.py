"""Terms of a main wager on the player's own hand."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple, TypeVar

from msgspec import Struct

from certify.model.condition import Condition
from certify.model.paytable import Payout
from certify.model.source import Source


class HandPay(Struct, frozen=True, kw_only=True):
    """A pay for a hand of the player; of several, the first that the hand meets."""

    id: str
    name: str
    when: Condition
    pays: Payout


class HandBonus(HandPay, frozen=True, kw_only=True):
    """A pay on the player's own hand in addition to the wager, whatever the dealer holds.

    A hand is paid for the first bonus of an option that it meets, unless it is folded.
    """

    text: str
    source: Source


class Companion(Struct, frozen=True, kw_only=True):
    """A wager that is made with the main wager, of ``size`` times its amount.

    It pays for the player's own hand, whatever the dealer holds. Without an entry of ``pays`` it
    loses if the hands are compared and the main wager loses, and else pushes. A fold loses it.
    """

    id: str
    name: str
    size: Fraction
    pays: tuple[HandPay, ...]
    text: str
    source: Source


class OwnHand(NamedTuple):
    """Terms of an option that apply to a hand of the player.

    ``may_enlarge``: the hand may be raised by the largest size.
    """

    bonus: HandBonus | None = None
    raise_pay: HandPay | None = None
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


Met = TypeVar("Met", HandBonus, HandPay)


def first_met(entries: Iterable[Met], truth: Iterator[bool]) -> Met | None:
    """Return the first entry whose condition is true; consume one value for each."""
    met = [entry for entry in entries if next(truth)]
    return met[0] if met else None
