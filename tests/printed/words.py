"""An interpreter of printed rules: it settles a hand by their words alone.

Written from the documents. It imports nothing of certify; a sentence about the joker, the wheel or
the hand that is paid which it cannot read is an error, never ignored.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from itertools import product
from typing import NamedTuple

NAMES = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
         "ten": 10, "jack": 11, "queen": 12, "king": 13, "ace": 14}  # fmt: skip
LETTERS = dict(zip("23456789TJQKA", range(2, 15), strict=True))
ACE = 14
JOKER = "Jk"
RED = "dh"


class Unread(Exception):
    """A printed sentence that decides a hand and that the interpreter cannot read."""


class JokerUse(Enum):
    """Use of the joker in a pai gow, by a sentence."""

    COMPLETES = "completes a straight or a flush if it can; otherwise an ace"
    ALWAYS_ACE = "always an ace"
    EITHER = "an ace, or completes a straight or a flush"


class Wheel(Enum):
    """Rank of A-2-3-4-5, by a sentence."""

    STRAIGHT = "a straight"
    NONE = "not a straight: the ace is high"


class Award(Enum):
    """The hand of several listed ones that is paid."""

    FIRST = "the first from the top"
    RANK = "the highest rank"


class Sense(NamedTuple):
    """A reader's sense of the joker of a pai gow, of A-2-3-4-5, and of the hand paid."""

    joker: JokerUse
    wheel: Wheel
    award: Award


JOKER_SENTENCES = (
    (r"joker completes (a straight|a flush|a straight flush|a royal flush|, | or )+"
     r"( of three cards)? if it can(, and .*?)?; otherwise it is an ace", JokerUse.COMPLETES),
    (r"joker is an ace unless it completes a straight or a flush", JokerUse.COMPLETES),
    (r"joker is an ace, or completes", JokerUse.EITHER),
    (r"joker (counts|ranks) as an ace|joker (is )?always (considered )?an ace|as their ace"
     r"|joker an ace$|joker, which is an ace|joker in it is an ace", JokerUse.ALWAYS_ACE),
)  # fmt: skip
"""Each says what the joker is; the first that fits a sentence counts."""

JOKER_ELSEWHERE = (
    r"standard 52-card deck and one joker", r"joker is neither red nor black", r"may use the joker",
    r"in a hand (that holds no|without the) joker", r"joker allowed( as an ace)?$",
    r"(with or )?without the joker( anywhere in the hand)?$", r"the joker one of them$",
    r"Four aces and the joker$", r"Joker-9-8-7-6-3-2 contains a straight, with the joker as",
    r"credited with every ranking that it forms with the joker in either use", r"no joker",
    r"whether the dealer's cards contain the joker", r"contain the joker",
    r"joker is never one of them", r"joker is semi wild, not fully wild", r"joker allowed",
    r"joker in the low hand beats the dealer's ace", r"ace loses to the dealer's joker",
    r"joker beats a dealer's ace", r"does not beat a dealer's joker", r"without the joker",
    r"joker ranks above an ace there", r"^“.+” is “.+” in ",
)  # fmt: skip
"""Sentences that name the joker and say nothing of what it is in a pai gow."""

WHEEL_SENTENCES = (
    (r"A-2-3(-4-5)? is (the (second highest|lowest) |a )straight", Wheel.STRAIGHT),
    (r"except that A-2-3-4-5 is a straight", Wheel.STRAIGHT),
    (r"ace (is|ranks) (always )?(considered )?high", Wheel.NONE),
)

AWARD_SENTENCES = (
    (r"first winning hand from the top is paid", Award.FIRST),
    (r"Only the highest listed hand is paid", Award.FIRST),
    (r"(winning hand|[Oo]nly the hand) of the highest rank( is paid)?", Award.RANK),
    (r"Only the highest winning hand is paid", Award.RANK),
    (r"best (five|hand)(?!.* is two pair or better)", Award.RANK),
)


def sentences(texts: Iterable[str]) -> Iterator[str]:
    """Yield the sentences of some paragraphs."""
    for text in texts:
        yield from (each.strip().removesuffix(".") for each in re.split(r"(?<=\.) ", text))


def said(texts: Iterable[str], known: Sequence[tuple[str, Enum]]) -> set[Enum]:
    """Return everything that sentences say, by the first pattern that fits each."""
    found: set[Enum] = set()
    for sentence in sentences(texts):
        for pattern, meaning in known:
            if re.search(pattern, sentence):
                found.add(meaning)
                break
    return found


def refuse_unread(texts: Iterable[str]) -> None:
    """Refuse a sentence that names the joker and that no pattern reads.

    Raises:
        Unread: the sentence could decide a hand.
    """
    known = [pattern for pattern, _ in JOKER_SENTENCES] + list(JOKER_ELSEWHERE)
    for sentence in sentences(texts):
        if "joker" in sentence.casefold() and not any(re.search(each, sentence) for each in known):
            raise Unread(sentence)


def senses(general: Sequence[str], own: Sequence[str], award: Sequence[str]) -> list[Sense]:
    """Return every way in which a reader can take the printed words.

    What a wager's own words say goes before the general definitions; where they say nothing, the
    definitions count.

    Raises:
        Unread: nothing says what the joker, A-2-3-4-5 or the hand paid is.
    """

    def ways(known: Sequence[tuple[str, Enum]], own: Sequence[str]) -> set[Enum]:
        found = said(own, known) or said(general, known)
        if not found:
            raise Unread(f"Nothing is said of {known[0][1].__class__.__name__}.")
        return found

    return [
        Sense(*each)  # type: ignore[arg-type]
        for each in product(
            sorted(ways(JOKER_SENTENCES, own), key=str),
            sorted(ways(WHEEL_SENTENCES, own), key=str),
            sorted(ways(AWARD_SENTENCES, award), key=str),
        )
    ]


class Hand:
    """Cards, and what they contain."""

    def __init__(self, cards: Sequence[str]) -> None:
        self.cards = [(LETTERS[card[0]], card[1]) for card in cards if card != JOKER]
        self.joker = JOKER in cards
        self.size = len(cards)
        self.suits = [{rank for rank, suit in self.cards if suit == item} for item in "cdhs"]
        ranks = Counter(rank for rank, _ in self.cards)
        self.counted = ranks, ranks + Counter({ACE: self.joker})

    def ranks(self, *, ace: bool) -> Counter[int]:
        """Count the cards of each rank, the joker as an ace if it is to be one."""
        return self.counted[ace]

    def run(self, length: int, *, suited: bool, filled: bool, low_ace: bool = True) -> bool:
        """Return True if ``length`` cards are in sequence, the joker filling in if it may."""
        spare = int(filled and self.joker)
        held = self.suits if suited else [set(self.ranks(ace=False))]
        return any(
            len(run - ranks) <= spare
            for ranks in held
            if len(ranks) + spare >= length
            for run in runs(length, low_ace=low_ace)
        )

    def has_flush(self, length: int, *, filled: bool) -> bool:
        return max(map(len, self.suits)) + (filled and self.joker) >= length

    def holds(self, ranks: set[int], *, filled: bool) -> bool:
        """Return True if one suit has all of these ranks, the joker filling in if it may."""
        spare = int(filled and self.joker)
        return any(len(ranks - held) <= spare for held in self.suits)

    def groups(self, *sizes: int, ace: bool) -> bool:
        """Return True if different ranks have these numbers of cards."""
        held = sorted(self.ranks(ace=ace).values(), reverse=True)
        return len(held) >= len(sizes) and all(a >= b for a, b in zip(held, sizes, strict=False))

    def plus_pair(self, made: set[int], pair: set[int], *, filled: bool) -> bool:
        """Return True for one suit's ``made`` and, without the joker, another suit's ``pair``."""
        held = self.suits
        spare = int(filled and self.joker)
        return any(
            pair <= held[other] and len(made - held[suit]) <= spare and self.size == 7
            for suit in range(4)
            for other in range(4)
            if suit != other
        )

    def pai_gow(self, sense: Sense) -> int | None:
        """Return the highest rank if the cards hold no pair, no straight and no flush."""
        ranks = self.ranks(ace=True)
        completes = sense.joker is not JokerUse.ALWAYS_ACE
        low_ace = sense.wheel is Wheel.STRAIGHT
        straight = self.run(5, suited=False, filled=completes, low_ace=low_ace)
        if not completes:
            straight = any(run <= set(ranks) for run in runs(5, low_ace=low_ace))
        if max(ranks.values()) > 1 or straight or self.has_flush(5, filled=completes):
            return None
        return max(ranks)


@cache
def runs(length: int, *, low_ace: bool) -> list[set[int]]:
    """Return every sequence of ranks of this length."""
    found = [set(range(low, low + length)) for low in range(2, 16 - length)]
    return [*found, {ACE, *range(2, 1 + length)}] if low_ace else found


ROYAL = {10, 11, 12, 13, 14}
LOWEST = {14, 2, 3, 4, 5}
NUMBERS = {"Three": 3, "Five": 5, "All seven": 7}
Test = Callable[[Hand, Sense], bool]


def row_test(what: str) -> tuple[Test, int]:
    """Return the test of one hand in a row's words, and the poker rank of that hand.

    Raises:
        Unread: the words are of no kind that is known.
    """
    for pattern, build in ROWS:
        found = re.fullmatch(pattern, what)
        if found:
            return build(found)
    raise Unread(what)


def _joker(words: str | None) -> tuple[bool, Callable[[Hand], bool]]:
    """Return if the joker may fill in, and the other test of it."""
    if words in ("joker allowed", "joker allowed as an ace"):
        return True, lambda _: True
    if words == "with or without the joker":
        return True, lambda _: True
    if words == "the joker one of them":
        return True, lambda hand: hand.joker
    if words and words.startswith("without the joker"):
        return False, lambda hand: not hand.joker
    raise Unread(str(words))


def _sequence(found: re.Match[str]) -> tuple[Test, int]:
    length, suited = NUMBERS[found["n"]], bool(found["suited"])
    filled, also = _joker(found["joker"])
    rank = 8 if suited else 4
    return (
        lambda hand, sense: (
            also(hand)
            and hand.run(
                length, suited=suited, filled=filled, low_ace=sense.wheel is Wheel.STRAIGHT
            )
        ),
        rank + (length == 7),
    )


def _flush(found: re.Match[str]) -> tuple[Test, int]:
    length = NUMBERS[found["n"]]
    filled, also = _joker(found["joker"])
    return lambda hand, _: also(hand) and hand.has_flush(length, filled=filled), 5


def _made(ranks: set[int], rank: int) -> Callable[[re.Match[str]], tuple[Test, int]]:
    def build(found: re.Match[str]) -> tuple[Test, int]:
        filled, also = _joker(found["joker"])
        apart = "not part" in found.string

        def test(hand: Hand, _: Sense) -> bool:
            whole = apart and hand.run(7, suited=True, filled=True)
            return also(hand) and hand.holds(ranks, filled=filled) and not whole

        return test, rank

    return build


def _plus(ranks: set[int]) -> Callable[[re.Match[str]], tuple[Test, int]]:
    def build(found: re.Match[str]) -> tuple[Test, int]:
        filled, also = _joker(found["joker"])
        pair = {NAMES[found["one"]], NAMES[found["other"]]}
        return lambda hand, _: also(hand) and hand.plus_pair(ranks, pair, filled=filled), 9

    return build


def _kind(*sizes: int, rank: int) -> Callable[[re.Match[str]], tuple[Test, int]]:
    return lambda _: (lambda hand, _: hand.groups(*sizes, ace=True), rank)


def _pai_gow(found: re.Match[str]) -> tuple[Test, int]:
    highest = NAMES[found["rank"]]

    def test(hand: Hand, sense: Sense) -> bool:
        red = {suit in RED for _, suit in hand.cards}
        return hand.pai_gow(sense) == highest and (not found["color"] or len(red) == 1)

    return test, 0


def _colored(found: re.Match[str]) -> tuple[Test, int]:
    number = {"All seven": 7, "six": 6, "five": 5, "four": 4}[found["n"]]
    return lambda hand, _: sum(suit in RED for _, suit in hand.cards) == number, 0


J = (
    r", (?P<joker>(joker allowed|with or without the joker|without the joker|the joker one of them)"
    r".*)"
)
ACES = r", joker allowed as an ace"
ROWS: tuple[tuple[str, Callable[[re.Match[str]], tuple[Test, int]]], ...] = (
    (r"A-2-3-4-5 of one suit, plus an? (natural )?(?P<one>\w+) and (a )?(?P<other>\w+) of another "
     r"suit" + J, _plus(LOWEST)),
    (r"A royal flush, (?P<joker>joker allowed), plus a natural (?P<one>\w+) and (?P<other>\w+) of "
     r"another suit", _plus(ROYAL)),
    (r"A-2-3-4-5 of one suit" + J, _made(LOWEST, 8)),
    (r"A-K-Q-J-10 of one suit" + J, _made(ROYAL, 9)),
    (r"(?P<n>All seven|Five|Three) cards in sequence(?P<suited> and of one suit)?" + J, _sequence),
    (r"(?P<n>All seven|Five|Three) cards of one suit" + J, _flush),
    (r"Four aces and the joker",
     lambda _: (lambda hand, _: hand.joker and hand.ranks(ace=False)[ACE] == 4, 10)),
    (r"Four of a kind and three of a kind" + ACES, _kind(4, 3, rank=7)),
    (r"Four cards of one rank" + ACES, _kind(4, rank=7)),
    (r"Three cards of one rank and two of another" + ACES, _kind(3, 2, rank=6)),
    (r"Three cards of one rank" + ACES, _kind(3, rank=3)),
    (r"Three pairs" + ACES, _kind(2, 2, 2, rank=2)),
    (r"Two pairs" + ACES, _kind(2, 2, rank=2)),
    (r"Two cards of one rank" + ACES, _kind(2, rank=1)),
    (r"No pair, no straight and no flush, the highest card an? (?P<rank>\w+)(, (?P<color>all red "
     r"or all black))?(; the joker is an ace unless it completes a straight or a flush"
     r"| or the joker, which is an ace)?", _pai_gow),
    (r"(Exactly )?(?P<n>All seven|six|five|four) cards of the chosen color; the joker is neither "
     r"red nor black", _colored),
)  # fmt: skip


def two_hands_test(what: str) -> Callable[[Hand, Hand, Sense], bool]:
    """Return the test of the player's and the dealer's hand in a row's words.

    Raises:
        Unread: the words are of no kind that is known.
    """
    plain = what.partition("; the joker is an ace unless")[0].removesuffix(", the joker an ace")
    if re.fullmatch(r"The player's seven cards and the dealer's seven cards (both contain no pair, "
                    r"no straight and no flush, with an ace as the highest card|are both ace high, "
                    r"without a pair, a straight or a flush)", plain):  # fmt: skip
        return lambda player, dealer, sense: player.pai_gow(sense) == dealer.pai_gow(sense) == ACE
    if re.fullmatch(r"The dealer's seven cards (contain the joker, no pair, no straight and no "
                    r"flush|hold the joker as their ace and are without a pair, a straight or a "
                    r"flush)", plain):  # fmt: skip
        return lambda _, dealer, sense: dealer.joker and dealer.pai_gow(sense) is not None
    if re.fullmatch(r"The dealer's seven cards (contain an ace, no joker, no pair, no straight and "
                    r"no flush|hold a natural ace and no joker, without a pair, a straight or a "
                    r"flush)", plain):  # fmt: skip
        return lambda _, dealer, sense: not dealer.joker and dealer.pai_gow(sense) == ACE
    match = re.fullmatch(r"No pair, no straight and no flush, the highest card a queen", plain)
    if match:
        return lambda _, dealer, sense: dealer.pai_gow(sense) == NAMES["queen"]
    raise Unread(what)


DEALER_RULES: tuple[tuple[str, Callable[[Hand, Sense], bool]], ...] = (
    (r"an ace-high pai gow", lambda hand, sense: hand.pai_gow(sense) == ACE),
    (r"a queen-high pai gow", lambda hand, sense: hand.pai_gow(sense) == NAMES["queen"]),
    (r"a king-high pai gow or lower",
     lambda hand, sense: (hand.pai_gow(sense) or ACE) <= NAMES["king"]),
    (r"any pai gow", lambda hand, sense: hand.pai_gow(sense) is not None),
    (r"two or more jacks", lambda hand, _: hand.ranks(ace=False)[NAMES["jack"]] >= 2),
)  # fmt: skip
"""What a rule on the dealer's hand asks of it, by its words."""


def dealer_outcome(rules: Sequence[str], dealer: Hand, sense: Sense) -> str:
    """Return ``lose``, ``push`` or ``1 to 2`` if a rule on the dealer's hand decides, else none."""
    for rule in rules:
        found = re.match(r"If the dealer(?:'s seven cards)? (?:has|holds|are|contain) (.*?)(,| "
                         r"and the player wins both hands,) ", rule)  # fmt: skip
        if not found:
            continue
        asked = [test for words, test in DEALER_RULES if re.fullmatch(words, found[1])]
        if not asked:
            raise Unread(rule)
        if asked[0](dealer, sense):
            if "is paid 1 to 2" in rule:
                return "1 to 2"
            return "push" if re.search(r"wagers( on the base game)? push", rule) else "lose"
    return ""
