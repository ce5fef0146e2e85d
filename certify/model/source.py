"""Sources of the declared facts: citations, printed figures, other interpretations."""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, force_setattr, replace

from certify.model.topic import Procedure, Topic


class Note(Struct, frozen=True, kw_only=True):
    """A footnote of a source, in our own plain words; ``number`` as the source numbers it.

    A note with a ``topic`` is printed on rack cards only where a rule on the topic applies.
    """

    text: str
    number: int | None = None
    topic: Topic | None = None


class Source(Struct, frozen=True, kw_only=True):
    """The place a fact was read: the document's id, the clause in its own words, its footnotes.

    An empty ``clause`` is not known yet; its game is not filed (D023). ``reconstructed`` says how a
    value was recovered where the extracted text is garbled.
    """

    document: str
    clause: str = ""
    notes: tuple[Note, ...] = ()
    reconstructed: str | None = None

    def __str__(self) -> str:
        """The document and the clause, as scripts read them."""
        return f"{self.document}: {self.clause}" if self.clause else self.document


class Concern(StrEnum):
    """The subject of an assumption: the play of the game, or only a figure."""

    PLAY = "play"
    FIGURES = "figures"


JOKER, WHEEL = "base-joker", "base-wheel"
"""The conventions on the joker and on A-2-3-4-5, which the section on ranking states."""

HOUSE_WAY_CHOICE = "house_way"
"""The mark on the choice of the house way."""

CLAUSE = "clauses/"
"""The start of the mark on a clause of a jurisdiction."""

PLACES_OF_GAME = (JOKER, WHEEL, HOUSE_WAY_CHOICE)
PLACES_OF_MAIN = tuple(
    f"main/{name}" for name in ("payouts", "fee", "bank", "companion", "raise", "fold")
)
PLACES_OF_WAGER = ("payouts", "row_paid", "to_one", "envy", "meters", "dynamic_payouts")
"""Ids that an interpretation can mark, besides statements, rules of a house way, and rows."""


class Banking(StrEnum):
    """The party against which players wager."""

    HOUSE = "house"
    """The house, in every round."""

    PLAYER_DEALER = "player_dealer"
    """One of the players, in turn, as far as the player's own wager covers the others."""

    ROTATING = "rotating"
    """The house, or in turn a player who chooses to bank."""


class Dealt(Struct, frozen=True, kw_only=True):
    """The cards and wagers of a round; in a statement, the required ones, None for anything.

    ``cards`` are those of a hand, ``hands`` the most that a table deals, including the dealer's,
    ``deck`` the cards of the deck, including any joker. ``divided``: hands are set in two.
    ``wild``: the deck has a fully wild joker. ``banking`` is the party that banks.
    ``optional_wagers``: a wager with a paytable is offered. ``envy``: it has prizes for the hands
    of other players.
    """

    cards: int | None = None
    hands: int | None = None
    deck: int | None = None
    joker: bool | None = None
    divided: bool | None = None
    wild: bool | None = None
    banking: Banking | None = None
    optional_wagers: bool | None = None
    envy: bool | None = None

    def fits(self, dealt: "Dealt") -> bool:
        """Return True if ``dealt`` meets every requirement of this object."""
        if self == ANYTHING:
            return True
        pairs = zip(astuple(self), astuple(dealt), strict=True)
        return all(required in (None, actual) for required, actual in pairs)


ANYTHING = Dealt()
"""No requirement, which most statements have."""


class Statement(Struct, frozen=True, kw_only=True):
    """A rule or an assumption in our own words, with its source.

    ``parts`` are sub-steps, lettered in print. ``effect`` is the change if an assumption were
    otherwise, ``marks`` the other ids that are printed with a dagger (`marked`). ``replaces`` is
    the convention of the count that the statement replaces in print. ``option`` is the only option
    of the main wager, ``wager`` the only wager, ``jurisdiction`` the only jurisdiction to which the
    statement applies; None for all. ``rule`` is the rule that a clause of a jurisdiction is printed
    for. ``topic`` is None for parts, for conventions, and for statements of a house way that are
    not on the joker. ``open``: the statement leaves its topic, or a part of it, to the terms.
    ``fits`` are the required cards and wagers for the statement to be printed. ``original`` is the
    source's sentence that an edited one replaces; it is then an interpretation, and its effect is
    that it does.
    """

    id: str
    text: str
    source: Source
    parts: "tuple[Statement, ...]" = ()
    effect: str | None = None
    marks: tuple[str, ...] = ()
    replaces: str | None = None
    concern: Concern = Concern.PLAY
    option: str | None = None
    wager: str | None = None
    jurisdiction: str | None = None
    rule: str | None = None
    topic: Topic | None = None
    open: bool = False
    fits: Dealt = ANYTHING
    original: str | None = None

    def __post_init__(self) -> None:
        """Give an edited sentence its effect."""
        if self.original is not None and self.effect is None:
            force_setattr(self, "effect", f"It replaces: “{self.original}”")

    @property
    def replaced_by(self) -> Procedure | None:
        """The procedure of the terms that replaces the statement."""
        return None if self.topic is None else self.topic.replaced_by

    def marked(self, table: str = "") -> tuple[str, ...]:
        """Return the ids that an interpretation marks; none if it is on figures only.

        The rules print the statement, or a rule of the section on ranking in its place. They do not
        print one that a paytable declares, which marks the paytable's ``table`` by default.
        """
        if self.concern is Concern.FIGURES or (table and self.marks):
            return self.marks
        ranking = self.replaces if self.replaces in (JOKER, WHEEL) else None
        return (table or ranking or self.id, *self.marks)


def belonging(
    statements: Iterable[Statement],
    *,
    options: Collection[str],
    wagers: Collection[str],
    jurisdiction: str,
    dealt: Dealt,
) -> tuple[Statement, ...]:
    """Return the statements, with their parts, that belong to what is filed in a jurisdiction.

    Those that speak of another number of cards or hands than are dealt are left out.
    """
    return tuple(
        replace(
            statement,
            parts=belonging(
                statement.parts,
                options=options,
                wagers=wagers,
                jurisdiction=jurisdiction,
                dealt=dealt,
            ),
        )
        for statement in statements
        if (statement.option is None or statement.option in options)
        and (statement.wager is None or statement.wager in wagers)
        and statement.jurisdiction in (None, jurisdiction)
        and statement.fits.fits(dealt)
    )


class Quantity(StrEnum):
    """The quantity of a printed figure."""

    COMBINATIONS = "combinations"
    PROBABILITY = "probability"
    ROW_RETURN = "row_return"
    TOTAL_RETURN = "total_return"
    HOUSE_EDGE = "house_edge"
    HOUSE_EDGE_WITH_PLAYERS = "house_edge_with_players"
    ENVY_ROW_RETURN = "envy_row_return"
    ENVY_ROW_PROBABILITY = "envy_row_probability"
    ENVY_ROW_COMBINATIONS = "envy_row_combinations"
    ENVY_PER_OTHER_PLAYER = "envy_per_other_player"
    TOTAL_COMBINATIONS = "total_combinations"
    TOTAL_PROBABILITY = "total_probability"
    NOT_COMPUTABLE = "not_computable"


OF_PRIZES = frozenset(
    {
        Quantity.HOUSE_EDGE_WITH_PLAYERS,
        Quantity.ENVY_ROW_RETURN,
        Quantity.ENVY_PER_OTHER_PLAYER,
    }
)
"""The quantities that depend on the wager that qualifies for envy prizes."""


class Convention(StrEnum):
    """The convention of a printed return."""

    NET = "net"
    """Pay times probability, losers -1."""

    STAKE_INCLUDED = "stake_included"
    """(Pay + 1) times probability."""

    PRIZE = "prize"
    """Prize over qualifying wager, times probability."""

    PLAIN = "plain"
    """A count, a probability or an edge, which have no convention."""


class Reading(Struct, frozen=True, kw_only=True):
    """Another way to compute a printed figure: exactly one of the three is set.

    ``target`` is another paytable, ``convention`` another convention, ``decimals`` those to which
    the chance of every row is rounded, half up, before it is used.
    """

    target: str | None = None
    convention: Convention | None = None
    decimals: int | None = None

    def __str__(self) -> str:
        """Return the interpretation as printed."""
        if self.decimals is not None:
            return f"probability rounded to {self.decimals} decimals"
        return str(self.target or self.convention)


class PublishedFigure(Struct, frozen=True, kw_only=True):
    """One printed figure. ``printed`` is the text itself: its digits are its precision.

    ``event`` names the row (``all_other`` the rest). ``reading`` is the one under which the figure
    is reproduced where it is not as the rules read, and ``reason`` says why a figure cannot be
    computed or how the source differs. ``house_way`` is the one that both hands of a main wager are
    set by in the figure.
    """

    id: str
    target: str
    quantity: Quantity
    printed: str
    convention: Convention
    source: Source
    event: str | None = None
    players: int | None = None
    reading: Reading | None = None
    reason: str | None = None
    house_way: str | None = None


class DiscrepancyKind(StrEnum):
    """The sort of trouble a source has."""

    CONTRADICTION = "contradiction"
    GAP = "gap"
    AMBIGUITY = "ambiguity"
    DUPLICATE = "duplicate"
    MISNAMING = "misnaming"
    ARITHMETIC = "arithmetic"
    EXTRACTION = "extraction"


class MeterTerm(StrEnum):
    """A term of a progressive meter that a source must specify."""

    SEED = "seed"
    INCREMENT = "increment"
    RESERVE = "reserve"


class Discrepancy(Struct, frozen=True, kw_only=True):
    """A passage of a source that is silent, garbled or contradictory, and its interpretation.

    ``words`` are the few printed words it hangs on; ``targets`` the ids it touches; ``about`` the
    terms of a meter that a gap leaves open. ``topic`` is that of the rule of play which answers it.
    """

    id: str
    kind: DiscrepancyKind
    title: str
    words: tuple[str, ...]
    sources: tuple[Source, ...]
    effect: str
    resolution: str
    targets: tuple[str, ...] = ()
    about: frozenset[MeterTerm] = frozenset()
    topic: Topic | None = None


class Op(StrEnum):
    """An operation on a JSON value, as in RFC 6902."""

    REPLACE = "replace"
    ADD = "add"
    REMOVE = "remove"


class RecordChange(Struct, frozen=True, kw_only=True):
    """One change of a record.

    ``record`` is the key of the document. ``path`` is a JSON pointer, in which an entry of a list
    is identified by its id (its event, its level) or its number. ``value`` is JSON.
    """

    record: str
    op: Op
    path: str
    value: Any = None


class Alternative(Struct, frozen=True, kw_only=True):
    """Another interpretation of a source: ``of`` are its discrepancies and assumptions.

    ``text`` says how the source would be read. ``marks`` are the ids of the printed rules and
    tables that it would change; if empty, those that the assumptions mark. ``meets`` are published
    figures that do not settle the reading: both this one and the filed one meet them.
    """

    id: str
    text: str
    of: tuple[str, ...]
    changes: tuple[RecordChange, ...]
    marks: tuple[str, ...] = ()
    meets: tuple[str, ...] = ()


class Alternatives(Struct, frozen=True, kw_only=True):
    """The other interpretations of one game's rules or of one house way, by its ``id``."""

    id: str
    alternatives: tuple[Alternative, ...]


class Figure(StrEnum):
    """A figure that an alternative may move."""

    HOUSE_EDGE = "house_edge"
    FULL_TABLE = "house_edge_full_table"
    """The edge with the prizes of every other player at the table."""

    FIXED_RETURN = "fixed_return"
    """The return of the fixed pays, where meters decide the rest."""


class Price(Struct, frozen=True, kw_only=True):
    """The effect of one alternative on the figures of one target: before and after.

    ``moved`` has only the figures that change, at least one.
    """

    alternative: Alternative
    moved: Mapping[Figure, tuple[Fraction, Fraction]]
