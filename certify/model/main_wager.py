"""The base game's wager: one option of it is one declared record."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from certify.model.condition import Condition
from certify.model.payout import Payout
from certify.model.source import Source, Statement


class Outcome(StrEnum):
    """How a round of the main wager ends."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerRule:
    """What happens when the dealer's seven cards are of a kind that the option names.

    ``outcome`` set: the wager ends so, whatever the player holds. ``win_pays`` set: hands are
    compared, and a win is paid so instead of the ordinary pay. Exactly one of the two is set.
    """

    id: str
    when: Condition
    text: str
    source: Source
    outcome: Outcome | None = None
    win_pays: Payout | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Commission:
    """A share of winnings kept by the house; ``prepaid`` posts it beside the wager instead.

    Prepaid: the player stakes 1 + rate, wins 1, loses 1 + rate. Per unit of total stake.
    """

    rate: Fraction
    prepaid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Raise:
    """A second wager after the player has seen the own cards.

    ``size`` is in units of the main wager. It has action only against a dealer hand for which
    ``qualifies`` holds; otherwise it pushes.
    """

    id: str
    name: str
    size: Fraction
    qualifies: Condition
    text: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class MainWager:
    """One option of a base game: pays, dealer rules in order of precedence, commission, raise."""

    id: str
    game: str
    name: str
    win_pays: Payout
    source: Source
    wager: str = "main"
    dealer_rules: tuple[DealerRule, ...] = ()
    commission: Commission | None = None
    raise_: Raise | None = None
    assumptions: tuple[Statement, ...] = ()

    @property
    def target(self) -> str:
        """The id that commands take: game, wager and option."""
        return f"{self.game}/{self.wager}/{self.id}"
