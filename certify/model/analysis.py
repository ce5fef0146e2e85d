"""Exact results: analyses, censuses, bounds under payout limits, monitored results, solutions."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Self

from msgspec import Struct, field

from certify.errors import NotReadable
from certify.formatting import square_root
from certify.model.condition import FeatureValue
from certify.model.encoding import PLACES
from certify.model.game import Strategy
from certify.model.jurisdiction import AggregateLimit
from certify.model.main_wager import OutcomeReason
from certify.model.paytable import EnvyTable, Paytable
from certify.model.progressive import ProgressiveAnalysis
from certify.model.source import Price, Statement
from certify.model.vocabulary import Category


class BoundaryHand(Struct, frozen=True, kw_only=True):
    """The lowest hand from which every hand is played by an action, or by one of a larger size.

    ``hand`` is in words and empty if there is none, ``ranks`` as in Q-6-4 if nothing is made of the
    cards. ``hands`` are those from there up.
    """

    action: str
    hand: str
    ranks: str
    hands: int


class Boundary(Struct, frozen=True, kw_only=True):
    """The lowest hand for each raise, in the order of the option's actions.

    ``cost`` is what it costs to play by these hands alone instead of optimally, per unit wagered.
    ``seen``: hands are counted once with each card of the dealer that the player sees.
    ``cheapest`` are the hands by which play costs least, ``least_cost``.
    """

    hands: tuple[BoundaryHand, ...]
    cost: Fraction
    cheapest: tuple[BoundaryHand, ...]
    least_cost: Fraction
    seen: bool = False


class LimitedFigures(Struct, frozen=True, kw_only=True):
    """A wager of one amount under its limits, per unit wagered.

    ``cost`` is the reduction of the return by the limits while nothing else is paid under them in
    the round: the least reduction. ``greatest_cost`` is the greatest; None if no bound is known.
    Both are equal if no limit is shared. Without a meter the house edge is the one without a limit
    plus the cost; with one, the return of the fixed pays is lower by the cost, and ``break_evens``
    are the meters, in units of the base wager, at which the edge is 0.

    ``variance`` is None if a limit is shared or a meter decides. ``top_award`` is the greatest net
    win per unit, ``top_cents`` in cents. ``dynamic`` is the least and the greatest return that a
    draw adds. ``house_edge_by_players`` counts the bettor and the envy prizes, which no limit
    reduces.
    """

    wager_cents: int
    cost: Fraction
    greatest_cost: Fraction | None
    top_award: Fraction
    top_cents: Fraction
    variance: Fraction | None = None
    house_edge_by_players: Mapping[int, Fraction] = field(default_factory=dict)
    break_evens: tuple[tuple[str, Fraction], ...] = ()
    dynamic: tuple[Fraction, Fraction] | None = None


class LimitAnalysis(Struct, frozen=True, kw_only=True):
    """The limits that a wager is under, and its figures at the amounts that decide.

    ``binds_above_cents`` is the wager above which a pay can be cut: None where no pay can ever be.
    ``amounts`` rise from the least wager at which a pay is cut to the greatest that is allowed, if
    it is known; they are empty where no pay is cut at any wager that is allowed. ``open``: no
    greatest wager is known, and the limits take more off at a greater one than the last.
    ``counted_cents`` is the only wager that the figures are for, if they depend on it.
    """

    limits: tuple[AggregateLimit, ...]
    binds_above_cents: Fraction | None
    amounts: tuple[LimitedFigures, ...]
    open: bool = False
    counted_cents: int | None = None

    @property
    def is_shared(self) -> bool:
        """True if one of the limits also covers other wagers or players; figures are bounds."""
        return any(limit.is_shared for limit in self.limits)


EACH_DOLLAR = 100
"""Cents of the wager that a win is given for where no largest wager is known."""


class GreatestWin(Struct, frozen=True, kw_only=True):
    """The greatest net win of one player in cents, at the largest wager, with its fee.

    ``free_cents`` is without the limits. If the largest wager is unknown, both are for $1 without
    fee and commission: no wager wins more per dollar.
    """

    free_cents: Fraction
    cents: Fraction


class RowAnalysis(Struct, frozen=True, kw_only=True):
    """One row: hands, their share, and their contribution to the player's net result.

    ``pays`` is in the trade's words. ``contribution`` is net (losers -1) per unit staked.
    ``weight`` is set where the row is paid by a meter of unknown level: what each unit on the meter
    adds. Such a row's ``contribution`` is the lost stake alone and no figure to print. ``reason``
    says of a row of the main wager why its rounds end so.
    """

    event: str
    name: str
    pays: str
    combinations: int
    probability: Fraction
    contribution: Fraction
    weight: Fraction | None = None
    reason: OutcomeReason | None = None


class EnvyAnalysis(Struct, frozen=True, kw_only=True):
    """Envy at a wager: value per other player, and the edge by number of bettors.

    ``wager_cents`` is the qualifying wager unless another was asked for.

    ``house_edge_by_players`` counts the bettor: 1 is nobody else.
    """

    paytable: str
    qualifying_wager_cents: int
    wager_cents: int
    rows: tuple[RowAnalysis, ...]
    per_other_player: Fraction
    house_edge_by_players: Mapping[int, Fraction]
    called: str = "envy"
    """The game's word for these prizes."""


class DynamicRow(Struct, frozen=True, kw_only=True):
    """One row with dynamic pays: the change of return when each pay replaces the default."""

    event: str
    name: str
    default: str
    pays: tuple[str, ...]
    change: tuple[Fraction, ...]


class DynamicAnalysis(Struct, frozen=True, kw_only=True):
    """The return added by the dynamic draw, by pay, and the range that the source allows.

    ``least`` and ``greatest`` are the added return over all draws that the source allows.
    """

    rows: tuple[DynamicRow, ...]
    least: Fraction
    greatest: Fraction


class HouseWayUse(Struct, frozen=True, kw_only=True):
    """The number of hands that one rule of the house way decides, and the cost of the rule."""

    rule: str
    hands: int
    differs_from_optimal: int | None = None
    cost: Fraction | None = None


class CostlyHand(Struct, frozen=True, kw_only=True):
    """A hand that the house way sets worse than optimal play: its cards and both low hands by rank.

    ``cost`` is what the setting costs in a round in which this hand is held, per unit wagered.
    """

    cards: tuple[str, ...]
    house_front: str
    best_front: str
    cost: Fraction


class SetKind(Struct, frozen=True, kw_only=True):
    """A kind of set hand: the category and first rank of the high hand, and the low hand.

    ``rank`` is empty from a straight up. ``low`` is the highest card of the low hand, or its pair
    as ``A-A``; of hands that are not divided it is the second rank.
    """

    high: Category
    rank: str = ""
    low: str = ""


class KindPlayed(Struct, frozen=True, kw_only=True):
    """The hands of a kind that a player plays by each action of the option, by its key."""

    kind: SetKind
    hands: Mapping[str, int]


class KindChanged(Struct, frozen=True, kw_only=True):
    """Hands that the house way sets as one kind and that are worth more set as another kind.

    Low hands are not given. ``cost`` is the value lost, per unit wagered in all rounds.
    """

    house: SetKind
    best: SetKind
    hands: int
    cost: Fraction


class EdgeAtWager(Struct, frozen=True, kw_only=True):
    """The house edge of a main wager at one wager."""

    wager_cents: int
    house_edge: Fraction


class BankAnalysis(Struct, frozen=True, kw_only=True):
    """Rounds that a player banks against the dealer, from the player's side.

    ``house_edge`` is of these rounds alone, ``combined_edge`` of all rounds of a player who banks
    ``share`` of them, with the same wager in every round.
    """

    share: Fraction
    rows: tuple[RowAnalysis, ...]
    house_edge: Fraction
    combined_edge: Fraction


class MainAnalysis(Struct, frozen=True, kw_only=True):
    """Figures of a main wager only.

    ``outcomes`` are the sums over reasons: win, push, lose. ``costly_hands`` are known only if
    every hand was weighed (a concealed dealer); they are named up to suits, the most costly first.
    So are ``played``, if there is an action to choose, and ``changed``, the most costly first.
    ``boundary`` is known of hands that are not divided.
    ``by_wager`` has the house edge at the wagers where a fee or the rounding of a commission makes
    it differ. ``bank`` has the figures of rounds that a player banks; all other figures are of
    rounds that the dealer banks.
    """

    outcomes: Mapping[str, int]
    house_way: str
    strategy: Strategy
    dealer_rule_hands: tuple[HouseWayUse, ...] = ()
    average_wager: Fraction | None = None
    element_of_risk: Fraction | None = None
    costly_hands: tuple[CostlyHand, ...] = ()
    played: tuple[KindPlayed, ...] = ()
    changed: tuple[KindChanged, ...] = ()
    boundary: Boundary | None = None
    by_wager: tuple[EdgeAtWager, ...] = ()
    bank: BankAnalysis | None = None


class Input(Struct, frozen=True, kw_only=True):
    """A file that the figures depend on, with its digest."""

    path: str
    sha256: str


class Analysis(Struct, frozen=True, kw_only=True):
    """Every figure of one target.

    If a meter decides the return and no level was given, ``return_to_player`` and ``house_edge``
    are None: no single figure would be true.

    ``rows`` end with the complement ``all_other`` (bonus wagers); combinations sum to ``total``.
    ``house_way`` is the one that sets the hands of a bonus wager, if a row depends on how they are
    set. ``top_award`` is the greatest net win per unit staked, without meters. All figures are
    without aggregate payout limits; ``limit`` has the figures under the declared limits.
    ``greatest_win`` is given if the pays per unit depend on the wager.
    ``alternatives`` has the other interpretations of the source that change a figure, if they were
    counted.
    """

    target: str
    game: str
    wager: str
    paytable: str
    total: int
    rows: tuple[RowAnalysis, ...]
    hit_frequency: Fraction
    assumptions: tuple[Statement, ...]
    inputs: tuple[Input, ...]
    engine_version: str
    return_to_player: Fraction | None = None
    house_edge: Fraction | None = None
    variance: Fraction | None = None
    top_award: Fraction | None = None
    envy: EnvyAnalysis | None = None
    progressive: ProgressiveAnalysis | None = None
    dynamic: DynamicAnalysis | None = None
    main: MainAnalysis | None = None
    house_way: str | None = None
    limit: LimitAnalysis | None = None
    greatest_win: GreatestWin | None = None
    alternatives: tuple[Price, ...] = ()
    method: str = "exact"

    @property
    def standard_deviation(self) -> str | None:
        """The standard deviation per unit wagered, rounded; None if a meter decides it."""
        return None if self.variance is None else square_root(self.variance, PLACES)


class Census(Struct, frozen=True, kw_only=True):
    """Counts of hands per cell; a cell is a value for each of ``features``, in their order.

    The counts sum to ``total``, the number of hands of ``cards`` cards.
    """

    features: tuple[str, ...]
    cards: int
    total: int
    cells: Mapping[tuple[FeatureValue, ...], int]


LEVELS = (95, 99)
"""The bands, in percent of all floors with so many rounds."""


class Results(Struct, frozen=True, kw_only=True):
    """One line of results: ``won`` is the win of the house. Money in cents.

    ``name`` distinguishes lines of one target; ``rounds`` counts single wagers.
    """

    line: int
    target: str
    name: str
    rounds: int
    wagered: Fraction
    won: Fraction


class Method(StrEnum):
    """The method of computing a probability."""

    EXACT = "exact"
    """The distribution of the rounds' sum, counted in whole numbers."""

    NORMAL = "normal"
    """The normal distribution, with a bound of its error."""


class Monitored(Struct, frozen=True, kw_only=True):
    """Results, or the total of several, against their expected values. Money in cents.

    ``variance`` is in square cents. ``chance`` is the two-sided probability of a result at least as
    far off. ``bands`` has the range of wins for each share of all floors in `LEVELS`. Both are
    given only if they are exact. ``error_squared`` is the square of the greatest error of the
    normal distribution, 0 if it was not used. ``play`` names the expected play of a main wager and
    the house way for the hands.
    """

    name: str
    target: str
    rounds: int
    wagered: Fraction
    won: Fraction
    expected: Fraction
    variance: Fraction
    method: Method
    chance: Fraction | None = None
    bands: Mapping[int, tuple[Fraction, Fraction]] = field(default_factory=dict)
    error_squared: Fraction = Fraction(0)
    play: tuple[Strategy, str] | None = None

    @property
    def z_squared(self) -> Fraction:
        """The square of the distance in standard deviations."""
        return (self.won - self.expected) ** 2 / self.variance


class Monitoring(Struct, frozen=True, kw_only=True):
    """Every line of the results; ``total`` if there are several."""

    lines: tuple[Monitored, ...]
    total: Monitored | None = None


class Kind(StrEnum):
    """The kind of an unknown."""

    ROW = "row"
    """The pay of a row of the paytable, in units of the wager."""

    ENVY = "envy"
    """The prize of a row of the envy table, in cents."""

    METER = "meter"
    """The amount on a progressive meter, in cents."""


class Unknown(Struct, frozen=True, kw_only=True):
    """One unknown: the event of a row, the event of an envy prize, or the level of a meter."""

    kind: Kind
    id: str

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return an unknown from its name; `NotReadable` is raised for another kind."""
        kind, colon, id_ = name.strip().rpartition(":")
        if (colon and kind not in map(str, Kind)) or not id_:
            raise NotReadable(
                f"--open: {name!r} is not an unknown.",
                remedy="Write an event of the paytable, envy:EVENT or meter:LEVEL.",
            )
        return cls(kind=Kind(kind) if colon else Kind.ROW, id=id_)

    def __str__(self) -> str:
        """Return the name on the command line: ``flush``, ``envy:flush``, ``meter:1``."""
        return self.id if self.kind is Kind.ROW else f"{self.kind}:{self.id}"


class By(StrEnum):
    """The ranking of solutions; ties are broken by distance, then by the pays."""

    DISTANCE = "distance"
    """The sum over the unknowns of the change relative to the present amount, least first."""

    SMOOTHNESS = "smoothness"
    """The change of the ratio of each pay to the next one down the table, least first."""

    HIT_FREQUENCY = "hit-frequency"
    """The share of hands with a net win, greatest first."""

    VOLATILITY = "volatility"
    """The variance of the wager, least first."""


class Solution(Struct, frozen=True, kw_only=True):
    """One solution as catalog entries; ``amounts`` are by unknown, None for a removed row.

    Amounts are units of the wager as printed (rows) or cents (prizes and meters). ``edge`` is the
    house edge that the band limits; ``analysis`` has every other figure.
    """

    amounts: Mapping[Unknown, int | None]
    paytable: Paytable
    envy: EnvyTable | None
    edge: Fraction
    distance: Fraction
    roughness: Fraction
    analysis: Analysis


class Bounds(Struct, frozen=True, kw_only=True):
    """The values that an unknown may have: whole multiples of ``step`` from low to high."""

    low: int
    high: int
    step: int = 1


class SolveResult(Struct, frozen=True, kw_only=True):
    """The result of a search: the number of solutions, and the listed ones in order.

    ``players`` is the number of bettors whose prizes the edge includes, None for the wager alone.
    ``left_out`` counts, by message, the errors that exclude solutions before the last listed one.
    ``below`` and ``above`` are the nearest edges outside an empty band, ``in_edge_band`` its size.
    """

    target: str
    low: Fraction
    high: Fraction
    by: By
    players: int | None
    present: Fraction | None
    bounds: Mapping[Unknown, Bounds]
    count: int
    solutions: tuple[Solution, ...]
    hits: tuple[Fraction, Fraction] | None = None
    deviation: tuple[Fraction, Fraction] | None = None
    in_edge_band: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    below: Fraction | None = None
    above: Fraction | None = None
