"""Where a fact comes from, and statements that carry their source."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A footnote of a source, in our own plain words; ``number`` as the source numbers it.

    ``decision``: the source can be read otherwise, and the note is printed with a dagger.
    """

    text: str
    number: int | None = None
    decision: bool = False

    @property
    def printed(self) -> str:
        """The note with the mark of a decision of the filing."""
        return f"{self.text}\u00a0†" if self.decision else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
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
    """What an assumption is about: how the game is played, or only what a figure rests on."""

    PLAY = "play"
    FIGURES = "figures"


class Procedure(StrEnum):
    """What the rules of play of a filing say of dealing and of what goes wrong."""

    SHUFFLE = "shuffle"
    """How the cards are shuffled."""

    FIRST_HAND = "first_hand"
    """Who is dealt first."""

    DEALING_ORDER = "dealing_order"
    """In which direction, and whether places without a wager receive cards."""

    REMAINING_CARDS = "remaining_cards"
    """What is done with the cards left over."""

    MISDEAL = "misdeal"
    """What makes a misdeal, and what becomes of the wagers."""

    EXPOSED_CARD = "exposed_card"
    """What is done when a card is exposed."""

    FOUL = "foul"
    """What is a foul, and what becomes of the wager."""

    DEALER_ERROR = "dealer_error"
    """What is done when the dealer's hand is set wrong."""

    @property
    def section(self) -> str:
        """The section of the rules of play that prints it."""
        dealing = (self.SHUFFLE, self.FIRST_HAND, self.DEALING_ORDER, self.REMAINING_CARDS)
        return "dealing" if self in dealing else "irregularities"

    @property
    def of_set_hands(self) -> bool:
        """Whether it is asked only where hands are divided in two."""
        return self in (self.FOUL, self.DEALER_ERROR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """What is dealt in a round; in a statement what has to be dealt, None for anything.

    ``cards`` are those of a hand, ``hands`` the most that a table deals, the dealer's among them,
    ``deck`` the cards of the deck, its joker included where it has one. ``divided``: hands are set
    in two.
    """

    cards: int | None = None
    hands: int | None = None
    deck: int | None = None
    joker: bool | None = None
    divided: bool | None = None

    def fits(self, dealt: "Dealt") -> bool:
        """Whether all that is asked for here is dealt so."""
        return all(
            asked in (None, given)
            for asked, given in (
                (self.cards, dealt.cards),
                (self.hands, dealt.hands),
                (self.deck, dealt.deck),
                (self.joker, dealt.joker),
                (self.divided, dealt.divided),
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A rule or an assumption in our own words, with the clause it rests on.

    ``parts`` are sub-steps, lettered in print. ``effect`` says what would change if an
    assumption were otherwise, ``replaces`` which convention of the count it says, so that this is
    not printed again. ``option`` is the only option of the main wager, ``jurisdiction`` the
    only jurisdiction that the statement belongs to; None for all. ``rule`` is the rule that a
    clause of a jurisdiction is printed for. ``states`` are the procedures that it settles.
    ``fits`` is what has to be dealt for the statement to be printed.
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
    states: tuple[Procedure, ...] = ()
    fits: Dealt = Dealt()


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


def settled_by(statements: Iterable[Statement]) -> frozenset[Procedure]:
    """Return the procedures that statements and their parts settle."""
    return frozenset(
        procedure
        for statement in statements
        for procedure in (*statement.states, *settled_by(statement.parts))
    )
