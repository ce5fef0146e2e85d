"""The slow, obvious twin of the one-hand events: every card that the joker may be is tried.

It shares nothing with the package but the rules of the games. A card is (rank, suit), rank 0 the
lowest of the deck and the last one the ace; suits 0 to 3 are clubs, diamonds, hearts, spades. The
jokers are None.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

Card = tuple[int, int]
Hand = Sequence[Card | None]

PAI_GOW = ("nine", "ten", "jack", "queen", "king", "ace")
COLOURS = {7: "seven", 6: "six", 5: "five", 4: "four"}


@dataclass(frozen=True)
class Table:
    """A deck, the cards of a complete hand, and the joker's rule."""

    ranks: int = 13
    joker: int = 1
    size: int = 5
    wild: bool = False

    def deck(self) -> list[Card | None]:
        cards: list[Card | None] = [(rank, suit) for rank in range(self.ranks) for suit in range(4)]
        return cards + [None] * self.joker

    def hands(self, cards: int) -> Iterator[Hand]:
        return combinations(self.deck(), cards)

    def fillings(self, hand: Hand) -> list[list[Card]]:
        """Return the hand with its jokers as all other cards, or unchanged without a joker."""
        natural = [card for card in hand if card is not None]
        others = [card for card in self.deck() if card is not None and card not in hand]
        return [[*natural, *cards] for cards in combinations(others, count_jokers(hand))]

    def runs(self, length: int) -> list[set[int]]:
        """The sets of ranks in sequence, the ace low too."""
        line = [self.ranks - 1, *range(self.ranks)]
        windows = [line[low : low + length] for low in range(len(line) - length + 1)]
        return [set(window) for window in windows if len(set(window)) == length]


def count_jokers(hand: Hand) -> int:
    return sum(card is None for card in hand)


def longest_run(table: Table, held: set[int], cards: int) -> int:
    found = [
        length
        for length in range(table.size, cards + 1)
        if any(run <= held for run in table.runs(length))
    ]
    return max(found, default=0)


def straight_length(table: Table, hand: Hand) -> int:
    return max(
        longest_run(table, {rank for rank, _ in cards}, len(hand)) for cards in table.fillings(hand)
    )


def flush_length(table: Table, hand: Hand) -> int:
    natural = [card for card in hand if card is not None]
    most = max(Counter(suit for _, suit in natural).values(), default=0) + count_jokers(hand)
    return most if most >= table.size else 0


def split_suits(cards: Sequence[Card]) -> list[set[int]]:
    return [{rank for rank, one in cards if one == suit} for suit in range(4)]


def straight_flush_length(table: Table, hand: Hand) -> int:
    return max(
        longest_run(table, held, len(hand))
        for cards in table.fillings(hand)
        for held in split_suits(cards)
    )


def is_royal(table: Table, hand: Hand) -> bool:
    highest = set(range(table.ranks - table.size, table.ranks))
    return any(highest <= held for cards in table.fillings(hand) for held in split_suits(cards))


def has_natural_wheel(table: Table, hand: Hand) -> bool:
    lowest = {table.ranks - 1, *range(table.size - 1)}
    if None in hand:
        return False
    return any(lowest <= held for held in split_suits([card for card in hand if card]))


def leaves_pair(table: Table, hand: Hand, pair: tuple[int, int]) -> tuple[bool, bool]:
    """Return if a royal flush, and a natural A-2-3-4-5, leave just this pair in one other suit.

    ``pair`` is counted down from the ace: (0, 1) is ace and king.
    """
    wanted = {table.ranks - 1 - below for below in pair}
    royal = wheel = False
    for made in combinations(hand, table.size):
        rest = [card for card in hand if card not in made]
        left = [card for card in rest if card is not None]
        if len(left) != 2 or len(rest) != 2 or {rank for rank, _ in left} != wanted:
            continue
        suits = {suit for _, suit in left}
        mine = {card[1] for card in made if card is not None}
        if len(suits) == 1 and len(mine) == 1 and not suits & mine:
            royal = royal or is_royal(table, made)
            wheel = wheel or (None not in hand and has_natural_wheel(table, made))
    return royal, wheel


def ranks_made(table: Table, hand: Hand) -> list[list[int]]:
    """The ranks of all cards, for every rank that each joker may take."""
    ranks = [card[0] for card in hand if card is not None]
    taken = range(table.ranks) if table.wild else (table.ranks - 1,)
    choices = combinations_with_replacement(taken, count_jokers(hand))
    return [[*ranks, *choice] for choice in choices]


def groups(table: Table, hand: Hand) -> list[list[int]]:
    """The sizes of the groups of equal rank, for every rank that each joker may take."""
    return [sorted(Counter(choice).values(), reverse=True) for choice in ranks_made(table, hand)]


def pai_gow_high(table: Table, hand: Hand) -> int | None:
    """The highest rank of a hand without pair, straight and flush."""
    if (None in hand and table.wild) or groups(table, hand)[0][0] > 1:
        return None
    if straight_length(table, hand) or flush_length(table, hand):
        return None
    return table.ranks - 1 if None in hand else max(card[0] for card in hand if card)


def find_events(table: Table, hand: Hand) -> set[str]:
    """Return the ids of all one-hand events that a hand holds."""
    joker = None in hand
    natural = [card for card in hand if card is not None]
    straight, flush = straight_length(table, hand), flush_length(table, hand)
    suited = straight_flush_length(table, hand)
    royal, wheel = is_royal(table, hand), has_natural_wheel(table, hand)
    kinds = groups(table, hand)
    best = max(kinds)  # the most of one rank, then the most of another
    second = best[1] if len(best) > 1 else 0
    pairs = max(sum(size > 1 for size in sizes) for sizes in kinds)
    reds = sum(suit in (1, 2) for _, suit in natural)
    high = pai_gow_high(table, hand)
    held = {
        "natural_seven_card_straight_flush": suited == 7 and not joker,
        "joker_seven_card_straight_flush": suited == 7 and joker,
        "seven_card_straight_flush": suited == 7,
        "five_aces": sum(rank == table.ranks - 1 for rank, _ in natural) + count_jokers(hand) == 5,
        "five_of_a_kind": best[0] >= 5,
        "royal_flush": royal,
        "luhn_tao_wheel": wheel,
        "natural_ace_to_five_straight_flush": wheel and suited < 7,
        "straight_flush": suited >= 5,
        "super_full_house": best[0] >= 4 and second >= 3,
        "four_of_a_kind": best[0] >= 4,
        "full_house": best[0] >= 3 and second >= 2,
        "natural_seven_card_flush": flush == 7 and not joker,
        "flush": flush >= 5,
        "natural_seven_card_straight": straight == 7 and not joker,
        "straight": straight >= 5,
        "three_of_a_kind": best[0] >= 3,
        "three_pair": pairs == 3,
        "two_pair": pairs >= 2,
        "pair": best[0] >= 2,
        "three_card_natural_straight_flush": suited == 3 and not joker,
        "three_card_joker_straight_flush": suited == 3 and joker,
        "three_card_three_of_a_kind": best[0] == 3,
        "three_card_straight": straight == 3,
        "three_card_flush": flush == 3,
        "three_card_pair": best[0] >= 2,
        "nine_high_pai_gow_one_colour": high == table.ranks - 6 and reds in (0, len(natural)),
    }
    for below, name in enumerate(reversed(PAI_GOW)):
        held[f"{name}_high_pai_gow"] = high == table.ranks - 1 - below
    for number, name in COLOURS.items():
        held[f"{name}_cards_of_chosen_colour"] = reds == number
    ace_king, ace_queen, king_queen = (
        leaves_pair(table, hand, pair) if royal or wheel else (False, False)
        for pair in ((0, 1), (0, 2), (1, 2))
    )
    held["royal_flush_with_suited_ace_king"] = ace_king[0]
    held["royal_flush_with_suited_ace_queen"] = ace_queen[0]
    held["royal_flush_with_suited_king_queen"] = king_queen[0]
    held["luhn_tao_wheel_with_suited_ace_queen"] = ace_queen[1]
    return {event for event, holds in held.items() if holds}


def holdings(table: Table, hand: Hand) -> dict[str, object]:
    """Return the features of a hand by name; ranks by their letters."""
    letters = "23456789TJQKA"[-table.ranks :]
    natural = [card for card in hand if card is not None]
    alone = sorted(Counter(rank for rank, _ in natural).values(), reverse=True)
    kinds = groups(table, hand)
    twice = [
        sorted((rank for rank, times in Counter(ranks).items() if times > 1), reverse=True)
        for ranks in ranks_made(table, hand)
    ]
    highest = max((ranks[0] for ranks in twice if ranks), default=None)
    second = max((ranks[1] for ranks in twice if len(ranks) > 1), default=None)
    held = Counter(letters[rank] for rank, _ in natural)
    return {
        "joker": None in hand,
        "jokers": count_jokers(hand),
        "of_a_kind": max(kinds)[0],
        "second_of_a_kind": [*max(kinds), 0][1],
        "pairs": max(map(len, twice)),
        "highest_pair": None if highest is None else letters[highest],
        "second_pair": None if second is None else letters[second],
        "aces": held["A"] + count_jokers(hand),
        "straight_length": straight_length(table, hand),
        "flush_length": flush_length(table, hand),
        "straight_flush_length": straight_flush_length(table, hand),
        "royal_flush": is_royal(table, hand),
        "natural_of_a_kind": [*alone, 0][0],
        "natural_second_of_a_kind": [*alone, 0, 0][1],
        "natural_straight_length": straight_length(table, natural),
        "natural_flush_length": flush_length(table, natural),
        "natural_straight_flush_length": straight_flush_length(table, natural),
        "natural_royal_flush": is_royal(table, natural),
        "natural_ace_to_five_straight_flush": has_natural_wheel(table, natural),
        "natural_aces": held["A"],
        "kings": held["K"],
        "queens": held["Q"],
        "jacks": held["J"],
        "nines": held["9"],
    }
