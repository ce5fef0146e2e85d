"""A game: its cards, its hands, its rules of play and its wagers."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from functools import cache
from math import comb

from msgspec import Struct
from msgspec.structs import replace

from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable, HandOf, Paytable
from certify.model.source import Banking, Dealt, Source, Statement
from certify.model.vocabulary import AfterFold, Category

RANKS = "23456789TJQKA"
"""Rank letters, lowest first; a small deck of R ranks uses the highest R of them."""

SUITS = "cdhs"
"""Suit letters: clubs, diamonds, hearts, spades. Red suits are diamonds and hearts."""

JOKER = "Jk"

FULL_HAND = 5
"""The cards of a complete poker hand."""

THREE = 3

THREE_CARDS = (
    Category.STRAIGHT_FLUSH, Category.THREE_OF_A_KIND, Category.STRAIGHT, Category.FLUSH,
    Category.PAIR, Category.HIGH_CARD,
)  # fmt: skip
"""The order of three-card hands, highest first: a straight is rarer than a flush."""


class JokerRule(StrEnum):
    """The cards that the joker may represent."""

    BUG = "bug"
    """An ace, or the card that completes a straight, flush, straight flush or royal flush."""

    FULLY_WILD = "fully_wild"
    """Any card that the hand does not hold; five of a kind can be made in any rank."""


class WheelRule(StrEnum):
    """The rank of A-2-3-4-5 as a straight."""

    SECOND_HIGHEST = "second_highest"
    LOWEST = "lowest"


class Deck(Struct, frozen=True, kw_only=True):
    """A deck of ``ranks`` ranks (the highest ones) in four suits, and none, one or two jokers.

    A shoe is several such ``decks`` without jokers, shuffled together.
    """

    ranks: int = 13
    joker: int = 1
    decks: int = 1

    @property
    def cards(self) -> int:
        """The number of cards."""
        return self.ranks * len(SUITS) * self.decks + self.joker


@cache
def deck_cards(deck: Deck) -> tuple[str, ...]:
    """Return every card of a deck or a shoe, jokers last."""
    natural = [rank + suit for rank in RANKS[len(RANKS) - deck.ranks :] for suit in SUITS]
    return (*natural * deck.decks, *[JOKER] * deck.joker)


class HandShape(Struct, frozen=True, kw_only=True):
    """The number of cards of a hand, of its high hand (``back``) and of its low hand (``front``).

    ``front`` is 0 if the hand is not divided (three-card poker); it then counts as its best
    ``back`` cards. A straight or a flush needs ``back`` cards in either case. ``dealer_cards`` are
    dealt to the dealer, as many as to a player if None; the player sees ``dealer_shows`` of them.
    """

    cards: int
    back: int
    front: int
    dealer_cards: int | None = None
    dealer_shows: int = 0

    @property
    def dealer(self) -> int:
        """The number of cards of the dealer's hand."""
        return self.cards if self.dealer_cards is None else self.dealer_cards

    @property
    def is_divided(self) -> bool:
        """True if a hand is set in two."""
        return self.front > 0

    @property
    def undivided(self) -> int:
        """The compared cards of a hand that is not divided; 0 if it is divided."""
        return 0 if self.is_divided else self.back

    @property
    def is_whole(self) -> bool:
        """True if undivided hands are compared as they are dealt, none of more cards."""
        return not self.is_divided and {self.cards, self.dealer} == {self.back}


class Strategy(StrEnum):
    """The player's strategy for setting the hand."""

    HOUSE_WAY = "house-way"
    OPTIMAL = "optimal"
    """Best play with what the player sees: the dealer's set hand where it is exposed."""


class WagerKind(StrEnum):
    """The role of a wager in the round."""

    MAIN = "main"
    BONUS = "bonus"
    PROGRESSIVE = "progressive"


def is_allowed(cents: int, least: int | None, largest: int | None) -> bool:
    """Return True if an amount is within the limits; None is no limit."""
    return (least is None or least <= cents) and (largest is None or cents <= largest)


class Wager(Struct, frozen=True, kw_only=True):
    """One wager of a game and everything declared under it.

    Either ``options`` (the main wager), or ``paytables``, or ``absent`` saying why the source
    gives none. ``rules`` are printed in the wager's own section. ``player_chooses`` among the
    options at the table; otherwise the casino offers one of them. ``cards`` are those that each
    paytable uses, None if the wager does not say.
    """

    id: str
    game: str
    name: str
    kind: WagerKind
    hand: HandOf
    source: Source
    aliases: tuple[str, ...] = ()
    rules: tuple[Statement, ...] = ()
    options: tuple[MainWager, ...] = ()
    paytables: tuple[Paytable, ...] = ()
    envies: tuple[EnvyTable, ...] = ()
    absent: Statement | None = None
    player_chooses: bool = False
    minimum_cents: int | None = None
    maximum_cents: int | None = None
    after_fold: AfterFold = AfterFold.PLAYS
    cards: int | None = None

    @property
    def target(self) -> str:
        """The id that commands take: game and wager."""
        return f"{self.game}/{self.id}"

    @property
    def records(self) -> tuple[MainWager | Paytable, ...]:
        """The options or paytables of the wager, which can be evaluated."""
        return (*self.options, *self.paytables)

    def find_envy(self, paytable: Paytable) -> EnvyTable | None:
        """Return the envy table that goes with a paytable, if there is one."""
        return next((table for table in self.envies if table.id == paytable.envy), None)


class Ranking(Struct, frozen=True, kw_only=True):
    """The order of hands in a game that ranks them otherwise than five cards are ranked.

    A royal flush is the highest straight flush, not a separate category.
    """

    highest_first: tuple[Category, ...]
    source: Source


class HandRules(Struct, frozen=True, kw_only=True):
    """Rules for forming and comparing hands. ``joker_choices`` are the casino's choices.

    The fields on the joker have no effect if the deck has no joker. Without a ``ranking``, hands
    rank as five-card hands.
    """

    deck: Deck
    shape: HandShape
    wheel: WheelRule
    joker: JokerRule = JokerRule.BUG
    joker_choices: tuple[JokerRule, ...] = ()
    joker_beats_ace_in_front: bool = False
    ranking: Ranking | None = None

    @property
    def compared(self) -> "HandRules":
        """The rules of the cards of an undivided hand that are compared, all of them."""
        back = self.shape.back
        return replace(self, shape=HandShape(cards=back, back=back, front=0))

    @property
    def deals(self) -> int:
        """The number of pairs of disjoint hands, and of the dealer's cards that the player sees."""
        deck, shape = self.deck.cards, self.shape
        pairs = comb(deck, shape.cards) * comb(deck - shape.cards, shape.dealer)
        return pairs * comb(shape.dealer, shape.dealer_shows)

    def for_wager(self, paytable: Paytable) -> "HandRules":
        """Return the rules of the hand that a wager uses."""
        return self.join(paytable.cards) if paytable.hand is HandOf.TOGETHER else self

    def join(self, cards: int) -> "HandRules":
        """Return the rules of so many cards of the player and the dealer as one hand.

        It is not divided. A straight or a flush needs five cards, or all cards if there are fewer.
        """
        shape = HandShape(cards=cards, back=min(cards, FULL_HAND), front=0)
        return replace(self, shape=shape, ranking=None)

    @property
    def categories(self) -> tuple[Category, ...]:
        """The possible categories of the ranked hands, lowest first in five-card order."""
        cards = {Category.TWO_PAIR: 4, Category.FOUR_OF_A_KIND: 4, Category.FULL_HOUSE: 5}
        if self.deck.joker:
            cards[Category.FIVE_OF_A_KIND] = 5
        always = {*Category} - {*cards, Category.FIVE_OF_A_KIND, Category.ROYAL_FLUSH}
        return tuple(
            category
            for category in Category
            if category in always or cards.get(category, self.shape.back + 1) <= self.shape.back
        )

    def rank(self, *, compared: bool) -> tuple[Category, ...]:
        """Return the categories of undivided hands, highest first; empty if nothing ranks them.

        ``compared``: a wager compares hands, which rank as five-card hands without a ``ranking``.
        """
        if self.shape.is_divided or self.deck.decks > 1:
            return ()
        if self.ranking is not None:
            return self.ranking.highest_first
        if compared or self.shape.back == FULL_HAND:
            return tuple(reversed(self.categories))
        return THREE_CARDS if self.shape.back == THREE else ()


class DocumentInfo(Struct, frozen=True, kw_only=True):
    """A document that states rules or figures; ``received`` is the day on which it came."""

    id: str
    title: str
    publisher: str | None
    file: str
    revision: str | None = None
    jurisdiction: str | None = None
    sha256: str | None = None
    received: date | None = None


class Section(Struct, frozen=True, kw_only=True):
    """A printed section of the rules of play: numbered statements under a heading."""

    id: str
    title: str
    statements: tuple[Statement, ...]


INITIAL = "Initial submission."
"""The text of a first revision."""


class Revision(Struct, frozen=True, kw_only=True):
    """The changes of one revision of the game."""

    revision: str
    date: date
    text: str


class Game(Struct, frozen=True, kw_only=True):
    """A game as declared: the rules that are counted and the rules that are printed.

    ``house_ways`` are the ids that may be used; ``house_way`` is the default, empty where
    hands are not divided. ``players`` is the
    greatest number of players at the table. ``sections`` are printed in order: description,
    round, dealing, irregularities, notices. ``references`` are other documents that records of
    the game rest on. ``changes`` are its revisions, oldest first and this one last. ``banking`` is
    None where it follows from the options (`banked_by`).
    """

    id: str
    name: str
    supplier: str | None
    revision: str
    revised: date
    document: DocumentInfo
    hands: HandRules
    dealer_exposed: bool
    players: int
    sections: tuple[Section, ...]
    wagers: tuple[Wager, ...]
    house_way: str = ""
    house_ways: tuple[str, ...] = ()
    house_way_in_source: bool = False
    strategy: Strategy = Strategy.HOUSE_WAY
    aliases: tuple[str, ...] = ()
    assumptions: tuple[Statement, ...] = ()
    definitions: tuple[Statement, ...] = ()
    references: tuple[DocumentInfo, ...] = ()
    changes: tuple[Revision, ...] = ()
    banking: Banking | None = None

    @property
    def banked_by(self) -> Banking:
        """The party that banks: as declared, or the house unless an option lets a player bank."""
        shared = any(option.bank is not None for option in self.options)
        return self.banking or (Banking.ROTATING if shared else Banking.HOUSE)

    @property
    def options(self) -> tuple[MainWager, ...]:
        """The options of the main wager, those that are not filed too."""
        return tuple(option for wager in self.wagers for option in wager.options)

    @property
    def paytables(self) -> tuple[Paytable, ...]:
        """Every paytable of the other wagers, in declared order."""
        return tuple(paytable for wager in self.wagers for paytable in wager.paytables)

    @property
    def called(self) -> Mapping[str, str]:
        """The names of the wagers by id."""
        return {wager.id: wager.name for wager in self.wagers}

    def find_wager(self, record: MainWager | Paytable) -> Wager:
        """Return the wager that one of the game's records is declared under."""
        return next(wager for wager in self.wagers if wager.id == record.wager)

    def options_with(self, option: MainWager | None) -> tuple[MainWager, ...]:
        """Return an option and those submitted with it: all others if the player chooses."""
        if option is None:
            return ()
        others = tuple(
            other
            for wager in self.wagers
            if wager.player_chooses and option in wager.options
            for other in wager.options
            if other != option
        )
        return (option, *others)

    @property
    def dealt(self) -> Dealt:
        """The cards dealt in a round at a full table, who banks, and what is offered."""
        deck = self.hands.deck
        return Dealt(
            cards=self.hands.shape.cards,
            hands=self.players + 1,
            deck=deck.cards,
            joker=deck.joker > 0,
            divided=self.hands.shape.is_divided,
            wild=deck.joker > 0 and self.hands.joker is JokerRule.FULLY_WILD,
            banking=self.banked_by,
            optional_wagers=any(wager.paytables for wager in self.wagers),
            envy=any(wager.envies for wager in self.wagers),
        )


class Uncountable(Struct, frozen=True, kw_only=True):
    """The reason why hands of a deck cannot be counted, and the fix."""

    message: str
    remedy: str


COMPARED = (3, 4, 5)
"""The numbers of cards of a hand that is compared."""

MOST_COMPARED = 6
"""The cards of the largest undivided hand that is compared."""


def uncountable(deck: Deck, shape: HandShape) -> Uncountable | None:
    """Return the reason why a base game with these hands cannot be counted, or None."""
    if deck.decks > 1:
        return Uncountable(
            message=f"Hands from a shoe of {deck.decks} decks are not set or compared.",
            remedy="Correct `decks` if it is wrong; "
            "of a shoe, certify counts only wagers on dealt cards.",
        )
    if shape.back not in COMPARED or shape.front not in (0, 1, 2):
        return Uncountable(
            message=(
                f"A high hand of {shape.back} and a low hand of {shape.front} cards cannot be "
                "counted."
            ),
            remedy="Set `back` to 3 to 5 and `front` to 1 or 2, or to 0 for undivided hands.",
        )
    if not shape.back <= deck.ranks <= len(RANKS):
        return Uncountable(
            message=f"A deck of {deck.ranks} ranks cannot be counted with a high hand of "
            f"{shape.back} cards.",
            remedy="Use at least as many ranks as the high hand has cards, and at most 13.",
        )
    return (_uncountable_divided if shape.is_divided else _uncountable_undivided)(deck, shape)


def _uncountable_divided(deck: Deck, shape: HandShape) -> Uncountable | None:
    """Return the reason why divided hands cannot be counted, or None.

    The count requires that at most one suit can hold a flush.
    """
    if shape.dealer != shape.cards or shape.dealer_shows:
        return Uncountable(
            message="Only undivided hands can have a dealer's hand of another size or a dealer's "
            "card that the player sees.",
            remedy="Remove `dealer_cards` and `dealer_shows`, or set `front` to 0.",
        )
    if shape.cards != shape.back + shape.front:
        return Uncountable(
            message=(
                f"A hand of {shape.cards} cards does not divide into {shape.back} and "
                f"{shape.front}."
            ),
            remedy="Correct the numbers: `back` and `front` must add up to `cards`.",
        )
    if shape.cards >= 2 * shape.back - deck.joker:
        return Uncountable(
            message=(
                f"With {shape.cards} cards, two suits could make a flush of {shape.back} at once."
            ),
            remedy=f"Set `back` to {(shape.cards + deck.joker) // 2 + 1} or more, or deal fewer "
            "cards.",
        )
    return None


def _uncountable_undivided(deck: Deck, shape: HandShape) -> Uncountable | None:
    """Return the reason why undivided hands of these sizes cannot be compared, or None."""
    for cards in (shape.cards, shape.dealer):
        if not shape.back <= cards <= MOST_COMPARED:
            return Uncountable(
                message=f"The best {shape.back} of {cards} cards cannot be compared.",
                remedy=f"Deal {shape.back} to {MOST_COMPARED} cards.",
            )
    if deck.joker and {shape.cards, shape.dealer} != {shape.back}:
        return Uncountable(
            message=f"The best {shape.back} of more cards cannot be compared with a joker.",
            remedy="Correct the joker or the cards dealt if one is wrong; otherwise certify cannot "
            "count this game.",
        )
    return None


MOST_IN_SHOE = 6
"""The largest hand that is counted card by card: from a shoe, or by its suits."""


def uncountable_wager(deck: Deck, cards: int) -> Uncountable | None:
    """Return the reason why a wager on dealt cards of a shoe cannot be counted, or None."""
    if deck.decks > 1 and deck.joker:
        return Uncountable(
            message="A shoe of several decks cannot be counted with jokers.",
            remedy="Correct the joker or `decks` if one is wrong; "
            "otherwise certify cannot count this deck.",
        )
    if deck.decks > 1 and cards > MOST_IN_SHOE:
        return Uncountable(
            message=f"Hands of {cards} cards from a shoe cannot be counted.",
            remedy=f"Use at most {MOST_IN_SHOE} cards.",
        )
    return None
