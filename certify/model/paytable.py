"""Paytables of bonus wagers, their envy tables and their progressive meters."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from certify.model.payout import Payout
from certify.model.source import Source, Statement


class HandOf(StrEnum):
    """Whose cards a wager looks at."""

    PLAYER = "player"
    DEALER = "dealer"
    PLAYER_OR_DEALER = "player_or_dealer"
    """The player's hand, or the dealer's if chosen in advance; the count is the same."""

    BOTH = "both"
    """The player's and the dealer's hands together."""


class Award(StrEnum):
    """Which row pays when a hand contains several."""

    FIRST_ROW_CONTAINED = "first_row_contained"
    """The first row, in printed order, that the hand contains."""

    HIGHEST_RANKING_HAND = "highest_ranking_hand"
    """The row of the highest ranking hand, even where a lower one pays more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a paytable: the event's id, the name that is printed, the pay.

    ``dynamic`` are the pays that may replace ``payout`` for one round, in printed order.
    ``source_name`` is the source's name where it would mislead and ``name`` is another.
    """

    event: str
    name: str
    payout: Payout
    dynamic: tuple[Payout, ...] = ()
    source_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """A progressive meter; what the source does not state is None. Money in cents."""

    level: str
    seed_cents: int | None = None
    increment: Fraction | None = None
    reserve: Fraction | None = None
    cap_cents: int | None = None

    @property
    def unstated(self) -> tuple[str, ...]:
        """Which of seed, increment and reserve the source does not state."""
        terms = {"seed": self.seed_cents, "increment": self.increment, "reserve": self.reserve}
        return tuple(name for name, value in terms.items() if value is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressive:
    """The meters that a paytable pays shares of, and the wager its pays are based on."""

    base_wager_cents: int
    meters: tuple[Meter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicDraw:
    """How many of the rows with dynamic pays are drawn each round; the chances are not declared."""

    minimum_rows: int
    maximum_rows: int


class HandsOf(StrEnum):
    """Which other players' hands an envy table pays for."""

    PLAYERS_DEALT_IN = "players_dealt_in"
    """Every other player's, with or without the wager."""

    PLAYERS_WITH_THE_WAGER = "players_with_the_wager"
    """Those of the other players who have made the wager too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvyRow:
    """A fixed prize for a hand of another player. Money in cents. Names as in `Row`."""

    event: str
    name: str
    prize_cents: int
    source_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvyTable:
    """What a qualifying wager is paid for other players' hands.

    ``pays_on_own_hand`` and ``pays_on_dealer_hand`` state the exclusions. ``called`` is the game's
    word for these prizes.
    """

    id: str
    game: str
    wager: str
    name: str
    qualifying_wager_cents: int
    rows: tuple[EnvyRow, ...]
    source: Source
    pays_on_own_hand: bool = False
    pays_on_dealer_hand: bool = False
    hands_of: HandsOf = HandsOf.PLAYERS_DEALT_IN
    called: str = "envy"

    @property
    def target(self) -> str:
        """The id that discrepancies name: game, wager and table."""
        return f"{self.game}/{self.wager}/envy/{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlsoTable:
    """A further table that the same wager is paid by, whatever the others award."""

    name: str
    award: Award
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paytable:
    """One declared paytable of a bonus wager; ``cards`` is the number of cards it looks at.

    A wager that is paid by several tables at once has the others in ``also``: winnings add up, and
    the wager is returned if any of the rows awarded returns it. ``joined`` are the names of such
    tables where the rows add them up already.
    """

    id: str
    game: str
    wager: str
    name: str
    hand: HandOf
    cards: int
    award: Award
    rows: tuple[Row, ...]
    source: Source
    also: tuple[AlsoTable, ...] = ()
    joined: tuple[str, ...] = ()
    envy: str | None = None
    progressive: Progressive | None = None
    dynamic: DynamicDraw | None = None
    assumptions: tuple[Statement, ...] = ()

    @property
    def target(self) -> str:
        """The id that commands take: game, wager and paytable."""
        return f"{self.game}/{self.wager}/{self.id}"

    @property
    def meters(self) -> tuple[Meter, ...]:
        """The meters that it pays shares of; none where it is not progressive."""
        return self.progressive.meters if self.progressive else ()
