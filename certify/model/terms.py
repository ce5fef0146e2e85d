"""The terms of a table: what the card room or the casino sets and the sources leave open."""

from dataclasses import dataclass
from enum import StrEnum

from certify.model.game import Wager
from certify.model.source import Procedure

TERMS = "terms"
"""The key of the file of table terms among the documents that findings point at."""


class Scope(StrEnum):
    """To whom an aggregate payout limit applies."""

    PLAYER = "player"
    TABLE = "table"


class MeterReduction(StrEnum):
    """The reasons for lowering a meter that WAC 230-15-695 lists, and any other."""

    AMOUNT_WON = "amount_won"
    MALFUNCTION = "malfunction"
    ABOVE_MAXIMUM = "above_maximum"
    NON_DISPLAYED = "non_displayed"
    SEED_RECOVERY = "seed_recovery"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregateLimit:
    """The most that is paid at odds for one deal, to a player or at a table, for these wagers.

    Returned wagers, envy prizes and shares of a meter are no part of it.
    """

    cents: int
    wagers: tuple[str, ...]
    scope: Scope = Scope.PLAYER

    @property
    def shared(self) -> bool:
        """Whether other wagers or other players are paid under it too."""
        return self.scope is Scope.TABLE or len(self.wagers) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedMeter:
    """One level of one paytable's meters; meters of a link are fed and paid together."""

    paytable: str
    level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplier:
    """Who files the game; None is not stated."""

    name: str
    address: str | None = None
    contact: str | None = None
    licence: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is known of one table; an empty tuple or None is not stated.

    ``game`` is the id of the game that is played at it, and ``procedures`` what the rules of play
    print of dealing and of what goes wrong, by subject.
    ``largest_wagers`` and ``least_wagers`` are cents by wager id and stand before those that a
    wager declares itself. ``aggregate_limits`` is None where nothing is said of limits, and empty
    where there are none. ``links`` likewise. ``laboratory_letter`` is the digest of the letter,
    ``laboratory_letter_file`` its name beside the terms. ``player_advantage`` has the reasons why
    wagers may return more than is wagered, by wager id.
    """

    game: str | None = None
    supplier: Supplier | None = None
    procedures: tuple[tuple[Procedure, str], ...] = ()
    largest_wagers: tuple[tuple[str, int], ...] = ()
    least_wagers: tuple[tuple[str, int], ...] = ()
    aggregate_limits: tuple[AggregateLimit, ...] | None = None
    links: tuple[tuple[LinkedMeter, ...], ...] | None = None
    meter_reductions: tuple[MeterReduction, ...] | None = None
    players: int | None = None
    tribal: bool | None = None
    laboratory_letter: str | None = None
    laboratory_letter_file: str | None = None
    player_advantage: tuple[tuple[str, str], ...] = ()

    def largest(self, wager: Wager) -> int | None:
        """Return the largest amount of a wager in cents, as set here or declared."""
        return dict(self.largest_wagers).get(wager.id, wager.maximum_cents)

    def least(self, wager: Wager) -> int | None:
        """Return the least amount of a wager in cents, as set here or declared."""
        return dict(self.least_wagers).get(wager.id, wager.minimum_cents)
