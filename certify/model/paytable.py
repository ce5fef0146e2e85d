"""Paytables of bonus wagers, envy tables, meters, payouts, commissions and fees."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from certify.formatting import exact_percentage, money
from certify.model.condition import Event
from certify.model.encoding import Forms, encode_object
from certify.model.source import Source, Statement


class Basis(StrEnum):
    """The basis of the printed odds: the treatment of the stake."""

    TO = "to"
    """The stake is returned with the pay: a net win of the amount."""

    FOR = "for"
    """The house takes the stake: a net win of the amount less the stake."""

    PUSH = "push"
    """The stake is returned and nothing is paid."""

    LOSS = "loss"
    """The stake is lost: the row is printed to say so."""

    METER = "meter"
    """A share of a progressive meter, for the stake: the stake is not returned."""


class Payout(Struct, frozen=True, kw_only=True):
    """An amount per unit staked with its basis; for ``METER`` the share of the meter ``meter``.

    A meter with any other pay is decoded as declared, and is a finding.
    """

    basis: Basis
    amount: Fraction = Fraction(0)
    meter: str | None = None

    @property
    def is_odds(self) -> bool:
        """True if it is an amount per unit staked, not a push, a loss or a share of a meter."""
        return self.basis in (Basis.TO, Basis.FOR)

    @property
    def is_push(self) -> bool:
        """True if the wager alone is paid back: a push, or ``1 for 1``."""
        return self.basis in (Basis.PUSH, Basis.FOR) and self.net == 0

    @property
    def net(self) -> Fraction:
        """The player's net result per unit staked, without the amount of a meter."""
        if self.basis is Basis.TO:
            return self.amount
        if self.basis is Basis.FOR:
            return self.amount - 1
        return Fraction(0) if self.basis is Basis.PUSH else Fraction(-1)

    def __str__(self) -> str:
        """The trade's words: ``50 to 1``, ``3 to 2``, ``push``, ``100% of meter 1``."""
        if self.is_odds:
            return f"{self.amount.numerator} {self.basis} {self.amount.denominator}"
        if self.basis is Basis.METER:
            return f"{exact_percentage(self.amount)} of meter {self.meter}"
        return str(self.basis)


class HandOf(StrEnum):
    """The hand or hands that a wager depends on."""

    PLAYER = "player"
    DEALER = "dealer"
    CHOSEN_IN_ADVANCE = "chosen_in_advance"
    """The player's hand, or the dealer's if chosen in advance; the count is the same."""

    BOTH = "both"
    """The player's and the dealer's hands, each by its own conditions."""

    TOGETHER = "together"
    """Cards of the player and of the dealer as one hand."""

    @classmethod
    def _missing_(cls, value: object) -> "HandOf | None":
        """Accept the former name of `CHOSEN_IN_ADVANCE`."""
        return cls.CHOSEN_IN_ADVANCE if value == "player_or_dealer" else None


class Award(StrEnum):
    """The row that pays if a hand contains several."""

    FIRST_ROW_CONTAINED = "first_row_contained"
    """The first row, in printed order, that the hand contains."""

    HIGHEST_RANKING_HAND = "highest_ranking_hand"
    """The row of the highest ranking hand, even if a lower one pays more."""


class Row(Struct, frozen=True, kw_only=True):
    """One line of a paytable: the event's id, the name that is printed, the pay.

    ``dynamic`` are the pays that may replace ``payout`` for one round, in printed order.
    ``source_name`` is the source's name where it would mislead and ``name`` is another.
    """

    event: str
    name: str
    payout: Payout
    dynamic: tuple[Payout, ...] = ()
    source_name: str | None = None


class Overflow(StrEnum):
    """The use of contributions to a meter that is at its cap."""

    NOT_ADDED = "not_added"
    """They are added to no meter."""

    NEXT_METER = "next_meter"
    """They are kept in a pool, which is added to the seed when the meter restarts."""


class Meter(Struct, frozen=True, kw_only=True):
    """A progressive meter; fields that the source does not specify are None. Money in cents."""

    level: str
    seed_cents: int | None = None
    increment: Fraction | None = None
    reserve: Fraction | None = None
    cap_cents: int | None = None
    overflow: Overflow | None = None

    @property
    def missing_amounts(self) -> tuple[str, ...]:
        """The names of the amounts (seed, increment, reserve) that the source does not specify."""
        terms = {"seed": self.seed_cents, "increment": self.increment, "reserve": self.reserve}
        return tuple(name for name, value in terms.items() if value is None)


class Progressive(Struct, frozen=True, kw_only=True):
    """The meters that a paytable pays shares of, and the wager its pays are based on."""

    base_wager_cents: int
    meters: tuple[Meter, ...]


class DynamicDraw(Struct, frozen=True, kw_only=True):
    """The number of rows with dynamic pays drawn each round; probabilities are not declared."""

    minimum_rows: int
    maximum_rows: int


class HandsOf(StrEnum):
    """The other players' hands that an envy table pays for."""

    PLAYERS_DEALT_IN = "players_dealt_in"
    """Hands of all other players, with or without the wager."""

    PLAYERS_WITH_THE_WAGER = "players_with_the_wager"
    """Hands of other players who also made the wager."""


class EnvyRow(Struct, frozen=True, kw_only=True):
    """A fixed prize for a hand of another player. Money in cents. Names as in `Row`."""

    event: str
    name: str
    prize_cents: int
    source_name: str | None = None


class EntryOfWager(Struct, frozen=True, kw_only=True):
    """An entry in the folder of a wager: its id, its game and wager, its printed name."""

    id: str
    game: str
    wager: str
    name: str
    source: Source

    @property
    def target(self) -> str:
        """The id that commands take: game, wager and entry."""
        return f"{self.game}/{self.wager}/{self.id}"


class EnvyTable(EntryOfWager, frozen=True, kw_only=True):
    """The prizes of a qualifying wager for other players' hands.

    ``pays_on_own_hand`` and ``pays_on_dealer_hand`` declare the exclusions. ``called`` is the
    game's word for these prizes.
    """

    qualifying_wager_cents: int
    rows: tuple[EnvyRow, ...]
    pays_on_own_hand: bool = False
    pays_on_dealer_hand: bool = False
    hands_of: HandsOf = HandsOf.PLAYERS_DEALT_IN
    called: str = "envy"

    @property
    def other_hands(self) -> int:
        """The hands that are paid with any number of players: the own one and the dealer's."""
        return self.pays_on_own_hand + self.pays_on_dealer_hand

    @property
    def target(self) -> str:
        """The id that discrepancies name: game, wager and table."""
        return f"{self.game}/{self.wager}/envy/{self.id}"


class AlsoTable(Struct, frozen=True, kw_only=True):
    """A further table that the same wager is paid by, whatever the others award."""

    name: str
    award: Award
    rows: tuple[Row, ...]


class Paytable(EntryOfWager, frozen=True, kw_only=True):
    """One declared paytable of a bonus wager; ``cards`` is the number of cards it depends on.

    A wager that is paid by several tables at once has the others in ``also``: winnings add up, and
    the wager is returned if any of the rows awarded returns it. ``joined`` are the names of such
    tables where the rows add them up already. ``placeholder`` says where the pays are from, if they
    are not those that approval is requested for; such a paytable is not filed as final.
    """

    hand: HandOf
    cards: int
    award: Award
    rows: tuple[Row, ...]
    also: tuple[AlsoTable, ...] = ()
    joined: tuple[str, ...] = ()
    envy: str | None = None
    progressive: Progressive | None = None
    dynamic: DynamicDraw | None = None
    placeholder: str | None = None
    assumptions: tuple[Statement, ...] = ()

    @property
    def meters(self) -> tuple[Meter, ...]:
        """The meters of which it pays shares; empty if it is not progressive."""
        return self.progressive.meters if self.progressive else ()

    @property
    def row_paid(self) -> str:
        """The award; of tables that are joined, that their pays are added up."""
        return "joined" if self.joined else str(self.award)

    @property
    def odds(self) -> dict[str, Payout]:
        """The pays of the rows that pay odds, by event."""
        return {row.event: row.payout for row in self.rows if row.payout.is_odds}


def _list_declared(record: Struct) -> dict[str, Any]:
    """Return the fields of a record that differ from their defaults."""
    return {
        field.name: value
        for field in fields(record)
        if (value := getattr(record, field.name)) != field.default and value != {}
    }


FORMS: Forms = {
    Payout: lambda payout: (
        exact_percentage(payout.amount) if payout.basis is Basis.METER else str(payout)
    ),
    Row: lambda row: {
        name: value
        for name, value in (
            _list_declared(row) | {"pays": row.payout, "meter": row.payout.meter}
        ).items()
        if name != "payout" and value is not None
    },
    Source: lambda source: _list_declared(source) | {"clause": source.clause or None},
    Statement: _list_declared,
}
"""The parts of a paytable that its file writes otherwise."""


def declare_paytable(paytable: Paytable) -> dict[str, Any]:
    """Return the contents of the file that declares a paytable."""
    return {"$schema": "paytable.schema.json"} | encode_object(_list_declared(paytable), FORMS)


class EarlierVersion(Struct, frozen=True):
    """The JSON value of an earlier entry with the same id; ``name`` identifies it.

    If it is not ``whole``, only some values are known.
    """

    name: str
    value: Mapping[str, Any]
    whole: bool = True


HALF = Fraction(1, 2)


class Rounding(StrEnum):
    """The rounding of an amount between two multiples of a unit."""

    UP = "up"
    DOWN = "down"
    NEAREST = "nearest"
    """To the nearest multiple, from halfway up."""


class Commission(Struct, frozen=True, kw_only=True):
    """A commission on winnings; if ``prepaid``, it is posted with the wager instead.

    Prepaid: the player stakes 1 + rate, wins 1, loses 1 + rate. Per unit of total stake.

    ``unit_cents`` is the unit that the amount is rounded to by ``rounding``; None is exact.
    ``minimum_cents`` is the smallest commission.
    """

    rate: Fraction
    prepaid: bool = False
    unit_cents: int | None = None
    rounding: Rounding = Rounding.UP
    minimum_cents: int | None = None

    @property
    def exact(self) -> bool:
        """True if the commission is the same share of every amount."""
        return self.unit_cents is None and self.minimum_cents is None

    def charge(self, cents: Fraction) -> Fraction:
        """Return the commission on an amount, both in cents."""
        share = self.rate * cents
        if self.unit_cents is not None:
            units = share / self.unit_cents
            whole = {
                Rounding.UP: ceil(units),
                Rounding.DOWN: floor(units),
                Rounding.NEAREST: floor(units + HALF),
            }[self.rounding]
            share = Fraction(whole * self.unit_cents)
        return max(share, Fraction(self.minimum_cents or 0))

    def exact_minimum(self, pays: Iterable[Fraction]) -> int:
        """Return the least wager in cents of whose winnings at these pays no rounding is taken."""
        shares = [self.rate * net for net in pays]
        unit = self.unit_cents or 1
        steps = [(share / unit).denominator for share in shares] if self.unit_cents else [1]
        least = max((Fraction(self.minimum_cents or 0) / share for share in shares), default=1)
        return lcm(*steps) * max(1, ceil(Fraction(least) / lcm(*steps)))

    def __str__(self) -> str:
        """Return the share and how it is rounded: ``5% rounded up to $0.25``."""
        words = exact_percentage(self.rate)
        if self.unit_cents is not None:
            nearest = self.rounding is Rounding.NEAREST
            how = "to the nearest" if nearest else f"{self.rounding} to"
            words += f" rounded {how} {money(self.unit_cents)}"
        if self.minimum_cents is not None:
            words += f", at least {money(self.minimum_cents)}"
        return words


class FeeBand(Struct, frozen=True, kw_only=True):
    """The fee of wagers of ``from_cents`` and more, up to the next band.

    ``banker_cents`` is the fee of a player-dealer, which no figure of a wager rests on.
    """

    from_cents: int
    cents: int
    banker_cents: int | None = None


class FeeSchedule(Struct, frozen=True, kw_only=True):
    """The collection fees of a filing, and when they are collected."""

    bands: tuple[FeeBand, ...]
    text: str


class CollectionFee(Struct, frozen=True, kw_only=True):
    """A fixed fee that a player pays in every round, whatever its outcome, by the wager.

    It is no part of the wager and is never returned. ``bands`` rise.
    """

    bands: tuple[FeeBand, ...]
    text: str
    source: Source

    def find_fee(self, wager_cents: int) -> int | None:
        """Return the fee of a wager, both in cents; None below the first band."""
        fees = [band.cents for band in self.bands if band.from_cents <= wager_cents]
        return fees[-1] if fees else None


def by_holder(paytable: Paytable, events: Iterable[Event]) -> bool:
    """Return True if rows on the cards of both sides depend on who holds which."""
    return paytable.hand is HandOf.TOGETHER and any(event.two_handed for event in events)


def depends_on_sides(paytable: Paytable, events: Iterable[Event]) -> bool:
    """Return True if rows have conditions on the hand of each side."""
    return paytable.hand is HandOf.BOTH or by_holder(paytable, events)


def is_counted_by_card(paytable: Paytable, events: Sequence[Event], decks: int) -> bool:
    """Return True if the deals of both sides are counted card by card, not as pairs of hands."""
    of_cards = decks > 1 or any(event.looks_at_cards for event in events)
    return by_holder(paytable, events) or (paytable.hand is HandOf.BOTH and of_cards)


def split_cards(paytable: Paytable, cards_of_player: int) -> tuple[int, int]:
    """Return how many cards of each side a wager uses; the player's come first."""
    if paytable.hand is HandOf.BOTH:
        return (paytable.cards, paytable.cards)
    of_player = min(paytable.cards, cards_of_player)
    return (of_player, paytable.cards - of_player)
