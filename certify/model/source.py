"""Sources of the declared facts: citations, printed figures, other interpretations."""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace


class Note(Struct, frozen=True, kw_only=True):
    """A footnote of a source, in our own plain words; ``number`` as the source numbers it.

    ``decision``: the source can be read otherwise, and the note is printed with a dagger.
    """

    text: str
    number: int | None = None
    decision: bool = False

    @property
    def printed_text(self) -> str:
        """The note with the mark of a decision of the filing."""
        return f"{self.text}\u00a0†" if self.decision else self.text


class Source(Struct, frozen=True, kw_only=True):
    """The place a fact was read: the document's id, the clause in its own words, its footnotes.

    ``reconstructed`` says how a value was recovered where the extracted text is garbled.
    """

    document: str
    clause: str
    notes: tuple[Note, ...] = ()
    reconstructed: str | None = None

    def __str__(self) -> str:
        """The document and the clause, as scripts read them."""
        return f"{self.document}: {self.clause}"


class Concern(StrEnum):
    """The subject of an assumption: the play of the game, or only a figure."""

    PLAY = "play"
    FIGURES = "figures"


class Procedure(StrEnum):
    """A subject of the rules of play on dealing, irregularities and progressive meters."""

    SHUFFLE = "shuffle"
    """The shuffle and the cut of the cards."""

    FIRST_HAND = "first_hand"
    """The player who is dealt first."""

    DEALING_ORDER = "dealing_order"
    """In which direction, and whether places without a wager receive cards."""

    REMAINING_CARDS = "remaining_cards"
    """The treatment of the remaining cards."""

    SETTLEMENT = "settlement"
    """The order in which hands are compared, and wagers taken and paid."""

    MISDEAL = "misdeal"
    """The causes of a misdeal, and the wagers after one."""

    EXPOSED_CARD = "exposed_card"
    """The treatment of an exposed card."""

    FOUL = "foul"
    """The definition of a foul, and the wager after one."""

    DEALER_ERROR = "dealer_error"
    """The treatment of a dealer's hand that is set wrong."""

    METER_PAYMENT = "meter_payment"
    """The verification and payment of a hand that wins a meter, and of several in one round."""

    METER_RESET = "meter_reset"
    """The amount of a meter after it, or a share of it, is won."""

    METER_MALFUNCTION = "meter_malfunction"
    """The treatment of a meter or display that fails."""

    @property
    def section(self) -> str:
        """The section of the rules of play that prints it."""
        dealing = (self.SHUFFLE, self.FIRST_HAND, self.DEALING_ORDER, self.REMAINING_CARDS)
        if self.needs_meter:
            return "meters"
        if self is self.SETTLEMENT:
            return "round"
        return "dealing" if self in dealing else "irregularities"

    @property
    def needs_meter(self) -> bool:
        """True if the procedure applies only to progressive wagers."""
        return self in (self.METER_PAYMENT, self.METER_RESET, self.METER_MALFUNCTION)

    @property
    def needs_division(self) -> bool:
        """True if the procedure applies only if hands are divided in two."""
        return self in (self.FOUL, self.DEALER_ERROR)


class Topic(StrEnum):
    """A question that rules of play answer; each statement of a game answers exactly one.

    A topic of the same value as a procedure is the one that the procedure of the terms replaces.
    """

    DESCRIPTION = "description"
    """The game in a sentence."""

    OBJECT = "object"
    """The object of the game."""

    DECK = "deck"
    """The cards of the deck."""

    DEALING_DEVICE = "dealing_device"
    """Cards dealt from the hand, a shoe or a shuffler."""

    EQUIPMENT = "equipment"
    """Other equipment."""

    LAYOUT = "layout"
    """The words and places on the layout."""

    SEATS = "seats"
    """The number of players at the table."""

    BANKING = "banking"
    """The party against which players wager."""

    WAGERS_OFFERED = "wagers_offered"
    """The wagers and paytables in use."""

    WAGERS_MADE = "wagers_made"
    """When and how wagers are made."""

    MINIMUM = "minimum"
    """The minimum wager."""

    LIMITS = "limits"
    """The party that sets the minimum and the maximum."""

    AGGREGATE_LIMIT = "aggregate_limit"
    """Aggregate payout limits."""

    SHUFFLE = "shuffle"
    FIRST_HAND = "first_hand"
    DEALING_ORDER = "dealing_order"
    CARDS_DEALT = "cards_dealt"
    """The cards of each hand, and which of them are face up."""

    REMAINING_CARDS = "remaining_cards"
    WHEN_SET = "when_set"
    """When players set their hands."""

    PLAYER_SETS = "player_sets"
    """The hands that a player sets."""

    DEALER_SETS = "dealer_sets"
    """When and how the dealer sets."""

    HOUSE_WAY = "house_way"
    """The house way in use."""

    STRATEGY = "strategy"
    """The play that figures are for."""

    FOUL_DEFINITION = "foul_definition"
    """The hands that are a foul."""

    NO_FOULS = "no_fouls"
    """The assumption that no player sets a foul."""

    RANKING = "ranking"
    """The ranking of hands."""

    JOKER = "joker"
    """The use of the joker."""

    TIES = "ties"
    """The result of equal hands."""

    DEFINITION = "definition"
    """The meaning of another term."""

    RAISE = "raise"
    """A wager made after the deal, and its result."""

    SETTLEMENT = "settlement"
    TAKING_AND_PAYING = "taking_and_paying"
    """How the dealer shows hands, and takes and pays wagers."""

    OUTCOME = "outcome"
    """The hands that win, lose or push."""

    CARDS_USED = "cards_used"
    """The cards that decide a wager."""

    ROW_PAID = "row_paid"
    """The row of a paytable that is paid."""

    PAYOUTS = "payouts"
    """The odds that are paid."""

    COMMISSION = "commission"
    """The commission on a wager."""

    ENVY = "envy"
    """Prizes for the hands of other players."""

    METERS = "meters"
    """The meters of a paytable."""

    DYNAMIC_PAYOUTS = "dynamic_payouts"
    """The draw of payouts for one round."""

    MISDEAL = "misdeal"
    EXPOSED_CARD = "exposed_card"
    FOUL = "foul"
    FOUL_AGAINST_PUSH = "foul_against_push"
    """A foul against a dealer's hand that makes all main wagers push."""

    DEALER_ERROR = "dealer_error"
    MISPLACED_HAND = "misplaced_hand"
    """The treatment of a hand laid down in a wrong place."""

    METER_PAYMENT = "meter_payment"
    METER_RESET = "meter_reset"
    METER_MALFUNCTION = "meter_malfunction"
    CONDUCT = "conduct"
    """The conduct of players and of the dealer toward them."""

    NOTICES = "notices"
    """Other rules that apply, and their order."""

    @property
    def replaced_by(self) -> Procedure | None:
        """The procedure of the terms that replaces a statement of this topic."""
        return next((each for each in Procedure if each.value == self.value), None)

    @property
    def is_beside(self) -> Procedure | None:
        """The procedure of the terms whose text can contradict a statement of this topic."""
        return {
            Topic.DEALING_DEVICE: Procedure.SHUFFLE,
            Topic.CARDS_DEALT: Procedure.DEALING_ORDER,
            Topic.FOUL_DEFINITION: Procedure.FOUL,
            Topic.MISPLACED_HAND: Procedure.DEALER_ERROR,
            Topic.TAKING_AND_PAYING: Procedure.SETTLEMENT,
        }.get(self)

    @property
    def is_single(self) -> bool:
        """True if at most one statement of this topic may stand in one scope."""
        single = (Topic.OBJECT, Topic.DECK, Topic.SEATS, Topic.MINIMUM)
        return self in single or self.replaced_by is not None


class Dealt(Struct, frozen=True, kw_only=True):
    """The cards dealt in a round; in a statement, the required ones, None for anything.

    ``cards`` are those of a hand, ``hands`` the most that a table deals, including the dealer's,
    ``deck`` the cards of the deck, including any joker. ``divided``: hands are set in two.
    ``wild``: the deck has a fully wild joker.
    """

    cards: int | None = None
    hands: int | None = None
    deck: int | None = None
    joker: bool | None = None
    divided: bool | None = None
    wild: bool | None = None

    def fits(self, dealt: "Dealt") -> bool:
        """Return True if ``dealt`` meets every requirement of this object."""
        return all(
            asked in (None, given)
            for asked, given in (
                (self.cards, dealt.cards),
                (self.hands, dealt.hands),
                (self.deck, dealt.deck),
                (self.joker, dealt.joker),
                (self.divided, dealt.divided),
                (self.wild, dealt.wild),
            )
        )


class Statement(Struct, frozen=True, kw_only=True):
    """A rule or an assumption in our own words, with its source.

    ``parts`` are sub-steps, lettered in print. ``effect`` is the change if an assumption were
    otherwise, ``replaces`` the convention of the count that the statement replaces in print.
    ``option`` is the only option of the main wager, ``jurisdiction`` the only jurisdiction to which
    the statement applies; None for all. ``rule`` is the rule that a clause of a jurisdiction is
    printed for. ``topic`` is None for parts, for statements of a house way and for conventions.
    ``open``: the statement leaves its topic, or a part of it, to the terms. ``fits`` is the
    required deal for the statement to be printed.
    """

    id: str
    text: str
    source: Source
    parts: "tuple[Statement, ...]" = ()
    effect: str | None = None
    replaces: str | None = None
    concern: Concern = Concern.PLAY
    option: str | None = None
    jurisdiction: str | None = None
    rule: str | None = None
    topic: Topic | None = None
    open: bool = False
    fits: Dealt = Dealt()

    @property
    def replaced_by(self) -> Procedure | None:
        """The procedure of the terms that replaces the statement."""
        return None if self.topic is None else self.topic.replaced_by


def belonging(
    statements: Iterable[Statement], *, options: Collection[str], jurisdiction: str, dealt: Dealt
) -> tuple[Statement, ...]:
    """Return the statements, with their parts, that belong to the options and the jurisdiction.

    Those that speak of another number of cards or hands than are dealt are left out.
    """
    return tuple(
        replace(
            statement,
            parts=belonging(
                statement.parts, options=options, jurisdiction=jurisdiction, dealt=dealt
            ),
        )
        for statement in statements
        if (statement.option is None or statement.option in options)
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
    terms of a meter that a gap leaves open.
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

    ``text`` says how the source would be read. ``meets`` are published figures that do not settle
    the reading: both this one and the filed one meet them.
    """

    id: str
    text: str
    of: tuple[str, ...]
    changes: tuple[RecordChange, ...]
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
