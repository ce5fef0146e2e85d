"""Hands in plain words: conditions and events, the cards of a game and a wager, and ties."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from certify import library
from certify.formatting import join_words
from certify.model.condition import (
    ANY_HAND,
    AllOf,
    AnyOf,
    Condition,
    Event,
    FeatureTest,
    FeatureValue,
    Not,
)
from certify.model.game import RANKS, SUITS, Deck, HandRules, HandShape, JokerRule
from certify.model.main_wager import Ties
from certify.model.paytable import HandOf
from certify.model.vocabulary import RANK_COUNTS, Category, EventFeature, HandPart, Higher
from certify.words.groups import (
    CATEGORIES,
    NAMES,
    NUMBERS,
    article,
    format_ranks,
    one_of_ranks,
    plural,
)

LENGTHS: Final[Mapping[str, str]] = {
    EventFeature.STRAIGHT_LENGTH: "a straight",
    EventFeature.FLUSH_LENGTH: "a flush",
    EventFeature.STRAIGHT_FLUSH_LENGTH: "a straight flush",
    EventFeature.NATURAL_STRAIGHT_LENGTH: "a natural straight",
    EventFeature.NATURAL_FLUSH_LENGTH: "a natural flush",
    EventFeature.NATURAL_STRAIGHT_FLUSH_LENGTH: "a natural straight flush",
}
OF_JOKER: Final = ", the joker counted"
COUNTED: Final[Mapping[str, str]] = {
    EventFeature.OF_A_KIND: "cards of one rank",
    EventFeature.SECOND_OF_A_KIND: "cards of another rank",
    EventFeature.PAIRS: "ranks with at least two cards",
    EventFeature.ACES: f"aces{OF_JOKER}",
    EventFeature.JOKERS: "jokers",
    EventFeature.NATURAL_OF_A_KIND: "natural cards of one rank",
    EventFeature.NATURAL_SECOND_OF_A_KIND: "natural cards of another rank",
    EventFeature.NATURAL_ACES: "natural aces",
    **{feature: str(feature) for feature in RANK_COUNTS},
    EventFeature.JACKS: "jacks",
    EventFeature.RED_CARDS: "red cards",
    EventFeature.CLUBS: "clubs",
    EventFeature.DIAMONDS: "diamonds",
    EventFeature.HEARTS: "hearts",
    EventFeature.SPADES: "spades",
    EventFeature.SAME_CARD: "cards of one rank and suit",
    EventFeature.TOTAL: "points with an ace as one",
}
SINGULAR: Final[Mapping[str, str]] = {
    EventFeature.OF_A_KIND: "card of one rank",
    EventFeature.SECOND_OF_A_KIND: "card of another rank",
    EventFeature.PAIRS: "rank with at least two cards",
    EventFeature.ACES: f"ace{OF_JOKER}",
    EventFeature.JOKERS: "joker",
    EventFeature.NATURAL_OF_A_KIND: "natural card of one rank",
    EventFeature.NATURAL_SECOND_OF_A_KIND: "natural card of another rank",
    EventFeature.NATURAL_ACES: "natural ace",
    **{feature: NAMES[rank] for feature, rank in RANK_COUNTS.items()},
    EventFeature.JACKS: "jack",
    EventFeature.RED_CARDS: "red card",
    EventFeature.CLUBS: "club",
    EventFeature.DIAMONDS: "diamond",
    EventFeature.HEARTS: "heart",
    EventFeature.SPADES: "spade",
    EventFeature.SAME_CARD: "card of one rank and suit",
    EventFeature.TOTAL: "point with an ace as one",
}
"""The words of `COUNTED` for exactly one."""

HELD_OR_NOT: Final[Mapping[str, str]] = {
    EventFeature.JOKER: "the joker",
    EventFeature.ROYAL_FLUSH: "a royal flush",
    EventFeature.NATURAL_ROYAL_FLUSH: "a natural royal flush",
    EventFeature.ACE_TO_FIVE_STRAIGHT_FLUSH: "A-2-3-4-5 of one suit",
    EventFeature.NATURAL_ACE_TO_FIVE_STRAIGHT_FLUSH: "a natural A-2-3-4-5 of one suit",
    EventFeature.ONE_COLOUR: "cards of one color only",
}
NO_RANK: Final[Mapping[str, str]] = {
    EventFeature.HIGHEST_PAIR: "no pair",
    EventFeature.SECOND_PAIR: "no second pair",
    EventFeature.PAI_GOW_HIGH: "a pair, a straight or a flush",
}
ANY_RANK: Final[Mapping[str, str]] = {
    EventFeature.HIGHEST_PAIR: "a pair",
    EventFeature.SECOND_PAIR: "a second pair",
    EventFeature.PAI_GOW_HIGH: CATEGORIES[Category.HIGH_CARD],
}
"""The opposite of `NO_RANK`."""


PARTS: Final = {HandPart.HIGH_HAND: "high hand", HandPart.LOW_HAND: "low hand"}
COMPARED: Final = {
    HandPart.WHOLE: "best hands",
    HandPart.HIGH_HAND: "high hands",
    HandPart.LOW_HAND: "low hands",
}
HIGHER: Final = {
    Higher.PLAYER: "the player's is higher",
    Higher.DEALER: "the dealer's is higher",
    Higher.COPY: "they are a copy of each other",
}


def number(count: int) -> str:
    """Return a small number as a word."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def condition_words(
    condition: Condition, *, nested: bool = False, undivided: int = 0, joker: bool = True
) -> str:
    """Return the requirement of a condition in words; ``nested`` puts a list in parentheses.

    Without a ``joker`` in the deck, aces are not said to include it.
    """
    if condition == ANY_HAND:
        return "any hand"
    match condition:
        case FeatureTest():
            return describe_test(condition, undivided=undivided, joker=joker)
        case Not(condition=FeatureTest(feature=name, values=(None,), part=HandPart.WHOLE)) if (
            name in ANY_RANK
        ):
            return ANY_RANK[name]
        case Not(condition=denied):
            words = condition_words(denied, nested=True, undivided=undivided, joker=joker)
            return f"not {words}"
        case AllOf(conditions=parts):
            last, of_nothing = "and", "any hand"
        case AnyOf(conditions=parts):
            last, of_nothing = "or", "no hand"
    several = len(parts) > 1
    words = join_words(
        [condition_words(part, nested=several, undivided=undivided, joker=joker) for part in parts],
        last,
    )
    return f"({words})" if nested and several else words or of_nothing


def event_words(event: Event, *, undivided: int = 0, joker: bool = True) -> str:
    """Return the condition of an event in words; of two hands, those on each and on both."""
    if event.when is not None:
        return condition_words(event.when, undivided=undivided, joker=joker)
    return "; or ".join(
        join_words(
            [
                *(
                    f"of {whose}: " + condition_words(condition, undivided=undivided, joker=joker)
                    for whose, condition in (
                        ("the player's hand", deal.player),
                        ("the dealer's hand", deal.dealer),
                        ("all cards", deal.together),
                    )
                    if condition is not None
                ),
                *(
                    f"of the {COMPARED[part]}: {join_words(map(HIGHER.__getitem__, results), 'or')}"
                    for part, results in deal.results.items()
                ),
            ],
            "and",
        )
        for deal in event.deals
    )


def describe_test(test: FeatureTest, *, undivided: int = 0, joker: bool = True) -> str:
    """Return the requirement of one test in words: ``four or more cards of one rank``."""
    words = _describe_requirement(test, undivided=undivided, joker=joker)
    return f"{words} in the {PARTS[test.part]}" if test.part.is_set else words


def _describe_requirement(test: FeatureTest, *, undivided: int, joker: bool) -> str:
    name = test.feature
    if name in LENGTHS:
        return f"{LENGTHS[name]} of {_amount(test)} cards"
    if name in COUNTED:
        counted = (SINGULAR if test.values == (1,) else COUNTED)[name]
        return f"{_amount(test)} {counted if joker else counted.removesuffix(OF_JOKER)}"
    if name in HELD_OR_NOT:
        return HELD_OR_NOT[name] if test.values[0] else f"a hand without {HELD_OR_NOT[name]}"
    return describe_ranks(name, test.values, test.part, undivided=undivided)


def describe_ranks(
    name: str, values: Sequence[FeatureValue], part: HandPart, *, undivided: int
) -> str:
    """Return a feature whose values are ranks, pairs of ranks, or None."""
    ranks = [value for value in values if value is not None]
    low_hand = name == EventFeature.PAI_GOW_HIGH and part is HandPart.LOW_HAND
    words = []
    if name == EventFeature.SUITED_PAIR:
        words = [
            f"an additional suited {join_words([NAMES[rank] for rank in str(pair)])}"
            for pair in ranks
        ]
    elif low_hand and ranks:
        words = [f"{one_of_ranks(ranks)} as the highest card"]
    elif name == EventFeature.PAI_GOW_HIGH and ranks:
        in_order = "".join(rank for rank in RANKS if rank in ranks)
        words = [_name_high_card(in_order, undivided)]
    elif ranks:
        which = "highest" if name == EventFeature.HIGHEST_PAIR else "second"
        words = [f"a {which} pair of {format_ranks(ranks)}"]
    if None in values:
        none = "no such pair of one suit" if name == EventFeature.SUITED_PAIR else NO_RANK[name]
        words.append("a pair" if low_hand else none)
    return join_words(words, "or")


def _name_high_card(ranks: str, undivided: int) -> str:
    """Return ``an ace-high pai gow``, ``a king-high pai gow or lower``, or a list of such hands.

    Undivided hands are ``ace high`` and ``king high or lower``; the lowest without a straight has
    the rank with the number of its cards as the highest.
    """
    named = [
        f"{NAMES[rank]} high" if undivided else f"{article(rank)}-high pai gow" for rank in ranks
    ]
    if len(ranks) > 1 and ranks in RANKS and RANKS.index(ranks[0]) <= undivided:
        return f"{named[-1]} or lower"
    if len(ranks) > 1 and RANKS.endswith(ranks):
        return f"{named[0]} or higher"
    return join_words(named, "or")


def _amount(test: FeatureTest) -> str:
    if test.values:
        return join_words([number(int(value or 0)) for value in test.values], "or")
    if test.maximum is None:
        return f"{number(test.minimum or 0)} or more"
    if test.minimum is None:
        return f"at most {number(test.maximum)}"
    return f"{number(test.minimum)} to {number(test.maximum)}"


def describe_event(event: Event, hands: HandRules, cards: int) -> str:
    """Return the printed text of an event for hands of so many cards.

    A text names the joker as the deck and the rules have it. ``{royal}`` and ``{wheel}`` are the
    highest cards and the ace with the lowest ones, as many as make a straight; ``{cards}`` is the
    number of cards.
    """
    ranks = RANKS[-hands.deck.ranks :]
    complete = min(hands.shape.back, cards)
    text = event.text
    if not hands.deck.joker:
        text = event.text_without_joker or text
    elif hands.joker is JokerRule.FULLY_WILD:
        text = event.text_fully_wild or text
    for name, value in (
        ("{royal}", _join_ranks(reversed(ranks[-complete:]))),
        ("{wheel}", _join_ranks((ranks[-1], *ranks[: complete - 1]))),
        ("{cards}", NUMBERS[cards] if cards < len(NUMBERS) else str(cards)),
    ):
        text = text.replace(name, value)
    return text


def _join_ranks(ranks: Iterable[str]) -> str:
    return "-".join("10" if rank == "T" else rank for rank in ranks)


JOKERS = ("", " and one joker", " and two jokers")


def describe_deck(deck: Deck) -> str:
    """Return the sentence on the deck or the shoe: its cards, its decks and its jokers."""
    of_one = deck.ranks * len(SUITS)
    lowest = RANKS[-deck.ranks]
    whole = deck.ranks == len(RANKS)
    if deck.decks > 1:
        decks = number(deck.decks)
        cards = f"{decks} standard {of_one}-card decks" if whole else f"{decks} decks"
        cards += ", shuffled together"
    else:
        cards = f"a standard {of_one}-card deck" if whole else "one deck"
    if not whole:
        cards += f" with only {plural(lowest)} through aces in four suits"
    total = "" if deck.cards == of_one and whole else f" ({deck.cards} cards)"
    return f"The game uses {cards}{JOKERS[deck.joker]}{total}."


def describe_cards(
    hand: HandOf, cards: int, shape: HandShape, *, added: bool, by_holder: bool = False
) -> str:
    """Return the sentence on the cards that decide a wager on ``cards`` cards of a ``hand``.

    ``added``: the wager is added to a game that may deal further cards to either side.
    ``by_holder``: it depends on who holds which of the cards.
    """
    of_player = min(cards, shape.cards)
    of_dealer = {HandOf.BOTH: shape.dealer, HandOf.TOGETHER: cards - of_player}.get(hand, cards)
    player = _name_cards("player", of_player, first=added or of_player < shape.cards)
    dealer = _name_cards("dealer", of_dealer, first=added or of_dealer < shape.dealer)
    match hand:
        case HandOf.PLAYER:
            return f"This wager is on the {player}."
        case HandOf.DEALER:
            return f"This wager is on the {dealer}."
        case HandOf.CHOSEN_IN_ADVANCE:
            return (
                f"This wager is on the {player}, or on the {dealer} if the player chooses so "
                "before the deal."
            )
        case HandOf.BOTH:
            return f"This wager is on the {player} and the {dealer}, each as a hand."
        case HandOf.TOGETHER if by_holder:
            return (
                f"This wager is on the {player} and the {dealer}, as each side holds them and all "
                f"{number(cards)} together."
            )
        case HandOf.TOGETHER:
            return (
                f"This wager is on the {player} and the {dealer}, together as one hand of "
                f"{number(cards)} cards."
            )


def _name_cards(whose: str, cards: int, *, first: bool) -> str:
    """Return ``dealer's first card``, ``player's seven cards``."""
    numbered = "card" if cards == 1 else f"{number(cards)} cards"
    return f"{whose}'s {'first ' if first else ''}{numbered}"


def ties_in_words(ties: Ties, *, divided: bool) -> Mapping[str, str]:
    """Return the sentences on ties, by the ids of conventions of the count."""
    words = library.words("assumptions")
    if not divided:
        return {"base-copies": words[f"base-copies.undivided.{ties.high}"]["text"]}
    if ties.dealer_wins:
        return {"base-copies": words["base-copies"]["text"]}
    sentences = {
        f"base-copies-{hand}": words[f"base-copies.{tie}"]["text"].format(hand=hand)
        for hand, tie in (("high", ties.high), ("low", ties.low))
    }
    if ties.both_push:
        sentences["base-copies-both"] = words["base-copies-both"]["text"]
    return sentences
