"""A reader of the sentences that describe events: it says of cards if a sentence is true of them.

Written from the sentences. It imports nothing of certify; a sentence that it cannot read is an
error. A joker is tried as every card that the sentence lets it be.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

RANKS = "23456789TJQKA"
JOKER = "Jk"
WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
NAMES = {"nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
Cards = Sequence[str]
Test = Callable[[Cards, "Rules"], bool]


class Rules(NamedTuple):
    """The ranks of the deck, the cards of a straight, and the joker, if it is any card."""

    letters: str
    complete: int
    wild: bool


class Unread(Exception):
    """A sentence of no known kind."""


def any_card(cards: Cards, rules: Rules) -> Iterator[Cards]:
    """Yield the cards with the joker as every card that is not held."""
    natural = [card for card in cards if card != JOKER]
    deck = [rank + suit for rank in rules.letters for suit in "cdhs"]
    if JOKER in cards:
        yield from ([*natural, card] for card in deck if card not in natural)
    else:
        yield natural


def an_ace(cards: Cards, _: Rules) -> Iterator[Cards]:
    """Yield the cards with the joker as an ace of no suit."""
    yield ["A?" if card == JOKER else card for card in cards]


def larger_group(cards: Cards, _: Rules) -> Iterator[Cards]:
    """Yield the cards with the joker in the largest group of equal ranks."""
    natural = [card for card in cards if card != JOKER]
    held = Counter(card[0] for card in natural)
    for rank in held:
        if held[rank] == max(held.values()):
            yield [*natural, *[f"{rank}?"] * (JOKER in cards)]


def no_joker(cards: Cards, _: Rules) -> Iterator[Cards]:
    """Yield the cards that are not the joker."""
    yield [card for card in cards if card != JOKER]


JOKERS = {
    "": no_joker, "joker allowed": any_card, "with or without the joker": any_card,
    "joker allowed as an ace": an_ace, "joker allowed in the larger group": larger_group,
}  # fmt: skip
"""The cards that the joker may be, by what a sentence says of it."""


def runs(rules: Rules, length: int) -> list[set[str]]:
    """Return the ranks of each sequence of a length; the ace is also below the lowest rank."""
    line = rules.letters[-1] + rules.letters
    windows = [line[low : low + length] for low in range(len(line) - length + 1)]
    return [set(window) for window in windows if len(set(window)) == length]


def suits(cards: Cards) -> list[set[str]]:
    return [{card[0] for card in cards if card[1] == suit} for suit in "cdhs"]


def is_run(cards: Cards, rules: Rules, length: int, *, suited: bool) -> bool:
    held = suits(cards) if suited else [{card[0] for card in cards}]
    return any(run <= ranks for run in runs(rules, length) for ranks in held)


def sizes(cards: Cards) -> list[int]:
    return [*sorted(Counter(card[0] for card in cards).values(), reverse=True), 0, 0, 0]


def has_flush(cards: Cards, length: int) -> bool:
    return max(Counter(card[1] for card in cards).values(), default=0) >= length


def is_nothing(cards: Cards, rules: Rules, highest: str = "") -> bool:
    """Return True for no pair, no straight and no flush, with the joker as its rule has it.

    A fully wild joker pairs a card. Another one is an ace, or completes a straight or a flush.
    """
    if rules.wild and JOKER in cards:
        return False
    made = next(an_ace(cards, rules))
    completed = [
        hand
        for hand in any_card(cards, rules)
        if is_run(hand, rules, rules.complete, suited=False) or has_flush(hand, rules.complete)
    ]
    top = max(made, key=lambda card: RANKS.index(card[0]))[0]
    return sizes(made)[0] == 1 and not completed and top == (highest or top)


def of_cards(test: Callable[[Cards, Rules], bool], joker: str) -> Test:
    """Return a test of cards that lets the joker be what a sentence says."""
    if joker == "the joker one of them":
        return lambda cards, rules: (
            JOKER in cards and any(test(hand, rules) for hand in any_card(cards, rules))
        )
    if joker.startswith("without the joker"):
        return lambda cards, rules: JOKER not in cards and test(cards, rules)
    ways = JOKERS[joker]
    return lambda cards, rules: any(test(hand, rules) for hand in ways(cards, rules))


def pair_of(found: re.Match[str]) -> set[str]:
    return {NAMES[found["one"]], NAMES[found["other"]]}


def plus(cards: Cards, made: set[str], pair: set[str]) -> bool:
    held = suits(cards)
    return any(
        made <= held[first] and pair <= held[second]
        for first in range(4)
        for second in range(4)
        if first != second
    )


J = r"(?:, (?P<joker>(?:joker|with or without|without|the joker)[^,]*))?"
N = r"(?P<n>All seven|Seven|Six|Five|Four|Three|Two)"
KINDS = {
    "Four of a kind and three of a kind": (4, 3), "Five cards of one rank": (5,),
    "Four cards of one rank": (4,), "Three cards of one rank and two of another": (3, 2),
    "Three cards of one rank": (3,), "Three pairs": (2, 2, 2), "Two pairs": (2, 2),
    "Two cards of one rank": (2,),
}  # fmt: skip


def number(words: str) -> int:
    return WORDS[words.rpartition(" ")[2].lower()]


def read_listed(found: re.Match[str]) -> Test:
    ranks = set(found["ranks"].replace("10", "T").split("-"))
    pair, apart = pair_of(found) if found["plus"] else set(), found["apart"]

    def listed(cards: Cards, rules: Rules) -> bool:
        if apart and is_run(cards, rules, 7, suited=True):
            return False
        return plus(cards, ranks, pair) if pair else any(ranks <= held for held in suits(cards))

    return of_cards(listed, found["joker"] or "")


def read_royal(found: re.Match[str]) -> Test:
    pair, filled = pair_of(found), any_card if found["joker"] else no_joker
    return lambda cards, rules: any(
        plus(hand, set(rules.letters[-rules.complete :]), pair)
        and any(pair <= held for held in suits([card for card in cards if card != JOKER]))
        for hand in filled(cards, rules)
    )


def read_made(found: re.Match[str]) -> Test:
    length, what = number(found["n"]), found["what"]

    def made(cards: Cards, rules: Rules) -> bool:
        if what == "of one suit":
            return has_flush(cards, length)
        return is_run(cards, rules, length, suited=what.endswith("suit"))

    return of_cards(made, found["joker"] or "")


def read_aces(found: re.Match[str]) -> Test:
    jokers, aces = bool(found["joker"]), 5 - bool(found["joker"])
    return lambda cards, _: (
        (JOKER in cards) >= jokers and sum(card[0] == "A" for card in cards) >= aces
    )


def read_kinds(found: re.Match[str]) -> Test:
    least = KINDS[found["kind"]]
    return of_cards(
        lambda cards, _: all(
            size >= group for size, group in zip(sizes(cards), least, strict=False)
        ),
        found["joker"] or "",
    )


def read_nothing(found: re.Match[str]) -> Test:
    highest, color = NAMES[found["rank"]], found["color"]
    return lambda cards, rules: (
        is_nothing(cards, rules, highest)
        and (not color or len({card[1] in "dh" for card in cards}) == 1)
    )


def read_color(found: re.Match[str]) -> Test:
    count = number(found["n"])
    return lambda cards, _: sum(card[1] in "dh" and card != JOKER for card in cards) == count


ROWS: tuple[tuple[str, Callable[[re.Match[str]], Test]], ...] = (
    (r"(?P<ranks>A-[-0-9JQKA]+) of one suit(?P<plus>, plus an? (?P<one>\w+) and an? (?P<other>\w+) "
     r"of another suit)?" + J + r"(?P<apart>,? and not part of a seven-card straight flush)?",
     read_listed),
    (r"A royal flush(?P<joker>, joker allowed,)? plus an? (natural )?(?P<one>\w+) and (?:a )?"
     r"(?P<other>\w+) of another suit", read_royal),
    (N + r" cards (?P<what>in sequence|in sequence and of one suit|of one suit)" + J, read_made),
    (r"Four aces and the (?P<joker>joker)|Five aces", read_aces),
    (r"Four cards of one rank and the joker",
     lambda _: lambda cards, rules: JOKER in cards and sizes(next(no_joker(cards, rules)))[0] >= 4),
    (f"(?P<kind>{'|'.join(KINDS)})" + J, read_kinds),
    (r"No pair, no straight and no flush, the highest card an? (?P<rank>\w+)(?P<color>, all red or "
     r"all black)?(; the joker is an ace unless it completes a straight or a flush)?",
     read_nothing),
    (r"(?P<n>All seven|Exactly (six|five|four)) cards of the chosen color(; the joker is neither "
     r"red nor black)?", read_color),
)  # fmt: skip


def read_sentence(text: str) -> Test:
    """Return the test of the cards that a sentence describes.

    Raises:
        Unread: the sentence is of no kind that is known.
    """
    for pattern, build in ROWS:
        found = re.fullmatch(pattern, text)
        if found:
            return build(found)
    raise Unread(text)


def read_two_hands(text: str) -> Callable[[Cards, Cards, Rules], bool]:
    """Return the test of the player's and the dealer's cards that a sentence describes.

    Raises:
        Unread: the sentence is of no kind that is known.
    """
    plain = text.partition("; the joker is an ace unless it completes a straight or a flush")[0]
    found = re.fullmatch(
        r"The player's (\w+) cards and the dealer's (\w+) cards both contain no pair, no straight "
        r"and no flush, with an ace as the highest card",
        plain,
    )
    if found:
        size = number(found[1])
        return lambda player, dealer, rules: (
            len(player) == len(dealer) == size
            and is_nothing(player, rules, "A")
            and is_nothing(dealer, rules, "A")
        )
    found = re.fullmatch(
        r"The dealer's (\w+) cards contain (?P<what>the joker|an ace, no joker|an ace), no pair, "
        r"no straight and no flush",
        plain,
    )
    if found:
        size, joker = number(found[1]), found["what"] == "the joker"
        return lambda _, dealer, rules: (
            len(dealer) == size and is_nothing(dealer, rules, "A") and (JOKER in dealer) == joker
        )
    raise Unread(text)
