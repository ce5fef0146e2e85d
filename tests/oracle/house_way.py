"""The house ways in the plainest Python, card by card, straight from what their sources say.

It imports neither kernels nor engine. A card is (rank, suit), ranks 2 to 14; the joker is a fifth
suit of aces. Hands are tried setting by setting, a joker card by card: slow and obvious.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

Card = tuple[int, int]
Hand = tuple[Card, ...]
Value = tuple[int, tuple[int, ...]]

ACE = 14
KING = 13
JACK = 11
TEN = 10
JOKER: Card = (ACE, 4)

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS = range(8)
STRAIGHT_FLUSH, ROYAL_FLUSH, FIVE_ACES = 8, 9, 10
COMPLETE = (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)


@dataclass(frozen=True)
class Table:
    """The deck (its lowest rank) and the position of ace to five."""

    lowest: int = 2
    low_wheel: bool = False
    front: int = 2


def deck(table: Table, *, joker: bool = True) -> list[Card]:
    cards = [(rank, suit) for rank in range(table.lowest, ACE + 1) for suit in range(4)]
    return [*cards, JOKER] if joker else cards


def _grouped(ranks: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    order = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    return tuple(count for _, count in order), tuple(rank for rank, _ in order)


def _of_a_kind(cards: Sequence[Card]) -> Value:
    sizes, ranks = _grouped(rank for rank, _ in cards)
    kinds = {
        (5,): FIVE_ACES,
        (4,): QUADS,
        (3, 2): FULL_HOUSE,
        (3, 1): TRIPS,
        (3,): TRIPS,
        (2, 2): TWO_PAIR,
        (2, 1): PAIR,
        (2,): PAIR,
    }
    for length in (2, 1):
        if sizes[:length] in kinds:
            return kinds[sizes[:length]], ranks
    return HIGH_CARD, ranks


def _natural(cards: Sequence[Card], table: Table) -> Value:
    ranks = sorted(rank for rank, _ in cards)
    flush = len({suit for _, suit in cards}) == 1
    top = 0
    if len(set(ranks)) == len(ranks):
        if ranks[-1] - ranks[0] == len(ranks) - 1:
            top = 15 if ranks[-1] == ACE else ranks[-1]
        if ranks == [*range(table.lowest, table.lowest + len(ranks) - 1), ACE]:
            top = table.lowest + len(ranks) - 2 if table.low_wheel else 14
    if top and flush:
        return (ROYAL_FLUSH if top == 15 else STRAIGHT_FLUSH), (top,)
    if top:
        return STRAIGHT, (top,)
    if flush:
        return FLUSH, tuple(reversed(ranks))
    return _of_a_kind(cards)


def back_value(cards: Sequence[Card], table: Table) -> Value:
    """The best a back can be: the joker an ace, or any card that completes a straight or flush."""
    if JOKER not in cards:
        return _natural(cards, table)
    others = [card for card in cards if card != JOKER]
    best = _of_a_kind(cards)
    if len({rank for rank, _ in others}) < len(others):
        return best
    for card in deck(table, joker=False):
        if card not in others:
            value = _natural([*others, card], table)
            if value[0] in COMPLETE:
                best = max(best, value)
    return best


def front_value(cards: Sequence[Card]) -> Value:
    return _of_a_kind(cards)


class SevenCards:
    """A hand with every way to set it."""

    def __init__(self, cards: Hand, table: Table) -> None:
        self.cards = cards
        held = Counter(rank for rank, _ in cards)
        self.ranks = sorted((rank for rank, _ in cards), reverse=True)
        self.singles = sorted((r for r, n in held.items() if n == 1), reverse=True)
        self.pairs = sorted((r for r, n in held.items() if n == 2), reverse=True)
        self.trips = sorted((r for r, n in held.items() if n == 3), reverse=True)
        self.quads = [r for r, n in held.items() if n == 4]
        self.fives = [r for r, n in held.items() if n == 5]
        self.settings = []
        for front in combinations(cards, table.front):
            back = tuple(card for card in cards if card not in front)
            self.settings.append((front_value(front), back_value(back, table), front, back))
        self.legal = [setting for setting in self.settings if setting[1] >= setting[0]]
        self.best = max(setting[1] for setting in self.settings)[0]
        self.complete = any(setting[1][0] in COMPLETE for setting in self.settings)

    def front(self, *ranks: int) -> tuple[Hand, Hand]:
        """These ranks in front, with the best back that they leave."""
        wanted = sorted(ranks)
        fitting = [s for s in self.legal if sorted(rank for rank, _ in s[2]) == wanted]
        return self._pick(fitting)

    def highest(self, wanted: Callable[[Value, Value], bool]) -> tuple[Hand, Hand] | None:
        """The highest front of the settings that are wanted."""
        fitting = [s for s in self.legal if wanted(s[0], s[1])]
        return self._pick(fitting) if fitting else None

    @staticmethod
    def _pick(settings: list[tuple[Value, Value, Hand, Hand]]) -> tuple[Hand, Hand]:
        best = max(settings, key=lambda s: (s[0], s[1], JOKER in s[2]))
        return best[2], best[3]


def _keeps_complete(_: Value, back: Value) -> bool:
    return back[0] in COMPLETE


def _pair_and_complete(front: Value, back: Value) -> bool:
    return front[0] == PAIR and back[0] in COMPLETE


def _sure(setting: tuple[Hand, Hand] | None) -> tuple[Hand, Hand]:
    if setting is None:
        raise LookupError("no such setting")
    return setting


def foxwoods(  # noqa: C901, PLR0911 - one branch for each line of the source
    hand: SevenCards,
) -> tuple[Hand, Hand]:
    singles, pairs, trips = hand.singles, hand.pairs, hand.trips
    if hand.fives:
        return hand.front(KING, KING) if KING in pairs else hand.front(ACE, ACE)
    if hand.quads:
        four = hand.quads[0]
        if pairs or trips:
            other = (pairs or trips)[0]
            return hand.front(other, other)
        together = four <= 6 or (four <= TEN and singles[0] >= KING)
        return hand.front(*singles[:2]) if together else hand.front(four, four)
    if trips and pairs:
        return hand.front(pairs[0], pairs[0])
    if len(trips) == 2:
        return hand.front(trips[0], trips[0])
    if trips and hand.complete:
        return hand.highest(_pair_and_complete) or _sure(hand.highest(_keeps_complete))
    if trips:
        return hand.front(ACE, singles[0]) if trips[0] == ACE else hand.front(*singles[:2])
    if len(pairs) == 3:
        return hand.front(pairs[0], pairs[0])
    if len(pairs) == 2:
        both_back = (7 <= pairs[0] <= TEN and ACE in singles) or (
            pairs[0] <= 6 and max(singles) >= KING
        )
        return hand.front(*singles[:2]) if both_back else hand.front(pairs[1], pairs[1])
    if hand.complete:
        kept = _sure(hand.highest(_keeps_complete))
        if pairs and ACE in singles and TEN <= pairs[0] <= KING:
            ace = hand.front(ACE, singles[1])
            if front_value(ace[0]) > front_value(kept[0]):
                return ace
        return kept
    return hand.front(*singles[:2]) if pairs else hand.front(*singles[1:3])


def trump_plaza(  # noqa: C901, PLR0911 - one branch for each line of the source
    hand: SevenCards,
) -> tuple[Hand, Hand]:
    singles, pairs, trips = hand.singles, hand.pairs, hand.trips
    if hand.fives:
        return hand.front(KING, KING) if KING in pairs else hand.front(ACE, ACE)
    if hand.quads:
        four = hand.quads[0]
        if pairs or trips:
            other = (pairs or trips)[0]
            return hand.front(other, other)
        together = (
            four <= 6
            or (four <= TEN and singles[0] >= KING)
            or (JACK <= four <= KING and singles[0] == ACE)
        )
        return hand.front(*singles[:2]) if together else hand.front(four, four)
    if len(trips) == 2:
        return hand.front(trips[0], trips[0])
    if trips and pairs:
        if pairs == [2] and singles == [ACE, KING]:
            return hand.front(ACE, KING)
        return hand.front(pairs[0], pairs[0])
    if len(pairs) == 3:
        return hand.front(pairs[0], pairs[0])
    if len(pairs) == 2:
        return _trump_plaza_two_pair(hand)
    if hand.complete:
        return hand.highest(_pair_and_complete) or _sure(hand.highest(_keeps_complete))
    if trips:
        return hand.front(ACE, singles[0]) if trips[0] == ACE else hand.front(*singles[:2])
    return hand.front(*singles[:2]) if pairs else hand.front(*singles[1:3])


def _trump_plaza_two_pair(hand: SevenCards) -> tuple[Hand, Hand]:
    def size(rank: int) -> str:
        return "low" if rank <= 6 else "medium" if rank <= TEN else "high" if rank < ACE else "ace"

    low, high = sorted(hand.pairs)
    needed = {
        ("low", "low"): KING,
        ("low", "medium"): KING,
        ("low", "high"): ACE,
        ("medium", "medium"): ACE,
    }.get((size(low), size(high)), 99)
    if hand.singles[0] >= needed:
        return hand.front(*hand.singles[:2])
    return hand.front(low, low)


def dealer_open(hand: SevenCards) -> tuple[Hand, Hand]:
    rules: dict[int, Callable[[SevenCards], tuple[Hand, Hand]]] = {
        FIVE_ACES: _dealer_open_five_aces,
        QUADS: _dealer_open_quads,
        FULL_HOUSE: _dealer_open_full_house,
        TRIPS: _dealer_open_trips,
        TWO_PAIR: _dealer_open_two_pair,
        PAIR: lambda item: item.front(*item.singles[:2]),
        HIGH_CARD: lambda item: item.front(*item.singles[1:3]),
    }
    return rules.get(hand.best, _dealer_open_complete)(hand)


def _dealer_open_five_aces(hand: SevenCards) -> tuple[Hand, Hand]:
    return hand.front(KING, KING) if KING in hand.pairs else hand.front(ACE, ACE)


def _dealer_open_quads(hand: SevenCards) -> tuple[Hand, Hand]:
    four, pairs = hand.quads[0], hand.pairs or hand.trips
    if four == ACE:
        return hand.front(*(pairs * 2 if pairs and pairs[0] >= 7 else (ACE, ACE)))
    if four >= JACK:
        return hand.front(*(pairs * 2 if pairs and pairs[0] >= TEN else (four, four)))
    if pairs:
        return hand.front(pairs[0], pairs[0])
    if four <= 6 or ACE in hand.singles:
        return hand.front(*hand.singles[:2])
    return hand.front(four, four)


def _dealer_open_full_house(hand: SevenCards) -> tuple[Hand, Hand]:
    if len(hand.trips) == 2:
        return _sure(hand.highest(lambda front, back: front[0] == PAIR and back[0] == TRIPS))
    if len(hand.pairs) == 2:
        two = (FULL_HOUSE, TWO_PAIR)
        return _sure(hand.highest(lambda front, back: front[0] == PAIR and back[0] in two))
    if hand.pairs[0] == 2 and hand.singles[0] >= KING:
        return hand.front(*hand.singles[:2])
    return hand.front(hand.pairs[0], hand.pairs[0])


def _dealer_open_trips(hand: SevenCards) -> tuple[Hand, Hand]:
    if hand.trips[0] == ACE:
        return hand.front(ACE, hand.singles[0])
    return hand.front(*hand.singles[:2])


def _dealer_open_two_pair(hand: SevenCards) -> tuple[Hand, Hand]:
    pairs, singles = hand.pairs, hand.singles
    if len(pairs) == 3:
        return hand.front(pairs[0], pairs[0])
    ace = ACE in singles
    split = (
        (pairs[1] >= 7 and not ace)
        or (pairs[0] >= JACK and pairs[1] >= 6 and ace)
        or pairs[0] == ACE
    )
    return hand.front(pairs[1], pairs[1]) if split else hand.front(*singles[:2])


def _dealer_open_complete(hand: SevenCards) -> tuple[Hand, Hand]:
    if hand.quads:
        return _dealer_open_quads(hand)
    if hand.trips and (hand.pairs or len(hand.trips) == 2):
        return _dealer_open_full_house(hand)
    pairs = hand.pairs
    if len(pairs) >= 2 and ((pairs[0] >= 12 and pairs[1] >= 6) or ACE in hand.ranks):
        return _dealer_open_two_pair(hand)
    king: Value = (HIGH_CARD, (KING,))
    jack: Value = (HIGH_CARD, (JACK,))
    tries: list[Callable[[Value, Value], bool]] = [
        lambda front, back: back[0] in COMPLETE and front >= king,
        lambda _, back: back[0] == ROYAL_FLUSH,
        lambda front, back: back[0] in COMPLETE and front >= jack,
        lambda _, back: back[0] == STRAIGHT_FLUSH,
        _keeps_complete,
    ]
    found = (hand.highest(wanted) for wanted in tries)
    return next(setting for setting in found if setting is not None)


def mini(hand: SevenCards) -> tuple[Hand, Hand]:
    """Keep the best hand whole; put the highest other card in front."""
    if hand.best == HIGH_CARD:
        return hand.front(hand.ranks[1])
    best = max(back for _, back, _, _ in hand.legal)
    if hand.best in (STRAIGHT, STRAIGHT_FLUSH) and not _all_in_sequence(hand):
        return _sure(hand.highest(lambda _, back: back == best))
    return _sure(hand.highest(lambda _, back: back[0] == hand.best))


def _all_in_sequence(hand: SevenCards) -> bool:
    """All the cards are in sequence, the ace high or low and the joker any card that helps."""
    natural = [rank for rank, suit in hand.cards if suit < JOKER[1]]
    jokers = range(1, ACE + 1) if JOKER in hand.cards else (0,)
    for joker in jokers:
        ranks = [*natural, joker] if joker else natural
        for line in (ranks, [1 if rank == ACE else rank for rank in ranks]):
            if len(set(line)) == len(line) == max(line) - min(line) + 1:
                return True
    return False


def _kept(hand: SevenCards) -> tuple[Hand, Hand]:
    return _sure(hand.highest(_keeps_complete))


def _grouped_alike(  # noqa: PLR0911 - a branch for each line
    hand: SevenCards, *, kings: bool, twos: bool
) -> tuple[Hand, Hand] | None:
    """Set hands as several house ways do: five aces, full houses, sets, three pair."""
    pairs, trips = hand.pairs, hand.trips
    if hand.fives:
        return hand.front(KING, KING) if kings and KING in pairs else hand.front(ACE, ACE)
    if hand.quads:
        return None
    if len(trips) == 2:
        return hand.front(trips[0], trips[0])
    if trips and pairs:
        if twos and pairs == [2] and hand.singles == [ACE, KING]:
            return hand.front(ACE, KING)
        return hand.front(pairs[0], pairs[0])
    if len(pairs) == 3:
        return hand.front(pairs[0], pairs[0])
    return None


def _simple(hand: SevenCards) -> tuple[Hand, Hand]:
    """No pair, one pair, or three of a kind with nothing to complete."""
    if hand.trips == [ACE]:
        return hand.front(ACE, hand.singles[0])
    return hand.front(*(hand.singles[:2] if hand.trips or hand.pairs else hand.singles[1:3]))


def mgm_grand(hand: SevenCards) -> tuple[Hand, Hand]:  # noqa: PLR0911 - a branch for each line
    if (alike := _grouped_alike(hand, kings=True, twos=True)) is not None:
        return alike
    singles, pairs, ace = hand.singles, hand.pairs, ACE in hand.singles
    if hand.quads:
        four, others = hand.quads[0], hand.pairs + hand.trips
        if others and (four != ACE or others == [KING]):
            return hand.front(others[0], others[0])
        together = not others and (four <= 6 or (four <= TEN and ace))
        return hand.front(*singles[:2]) if together else hand.front(four, four)
    if len(pairs) == 2:
        high, low = pairs
        if high <= 6:
            return _kept(hand) if hand.complete and not ace else hand.front(*singles[:2])
        both_kept = ace and high != ACE and (low <= 6 or high <= TEN)
        return hand.front(*singles[:2]) if both_kept else hand.front(low, low)
    if not hand.complete:
        return _simple(hand)
    if pairs and ace and TEN <= pairs[0] <= KING:
        setting = hand.highest(
            lambda front, back: back[0] in COMPLETE and front[0] != PAIR and front[1][0] == ACE
        )
        return setting or hand.front(ACE, singles[1])
    return hand.highest(_pair_and_complete) or _kept(hand)


def _needed(rank: int, tiers: dict[int, int]) -> int:
    """The lowest card that must go in front for cards of this rank to stay together."""
    return next(card for lowest, card in sorted(tiers.items(), reverse=True) if rank >= lowest)


NEVER, ALWAYS, QUEEN = 99, 0, 12


def _by_tiers(hand: SevenCards) -> tuple[Hand, Hand] | None:
    """Set two pair and quads by tiers: aces to queens, jacks to nines, eights to sixes, lower."""
    if hand.quads:
        four, others = hand.quads[0], hand.pairs + hand.trips
        if others:
            return hand.front(others[0], others[0])
        needed = _needed(four, {12: NEVER, 9: KING, 6: QUEEN, 2: ALWAYS})
        together = hand.singles[0] >= needed
        return hand.front(*hand.singles[:2]) if together else hand.front(four, four)
    if len(hand.pairs) == 2:
        needed = _needed(hand.pairs[0], {12: NEVER, 9: ACE, 6: KING, 3: QUEEN})
        together = hand.singles[0] >= needed
        return hand.front(*hand.singles[:2]) if together else hand.front(*hand.pairs[1:] * 2)
    return None


def stones(hand: SevenCards) -> tuple[Hand, Hand]:
    if (alike := _grouped_alike(hand, kings=False, twos=False)) is not None:
        return alike
    if hand.complete and not hand.quads:
        kept = _kept(hand)
        if len(hand.pairs) != 2 or front_value(kept[0])[0] == PAIR:
            return kept
    return _by_tiers(hand) or _simple(hand)


def casino_real(hand: SevenCards) -> tuple[Hand, Hand]:
    alike = _grouped_alike(hand, kings=False, twos=False) or _by_tiers(hand)
    if alike is not None:
        return alike
    if hand.complete and hand.trips:
        return hand.highest(_pair_and_complete) or _kept(hand)
    return _kept(hand) if hand.complete else _simple(hand)


def _flamingo_two_pair(hand: SevenCards) -> tuple[Hand, Hand]:
    (high, low), ace = hand.pairs, ACE in hand.singles
    together = high <= 6 or (ace and (high <= TEN or (JACK <= high <= KING and low <= 5)))
    return hand.front(*hand.singles[:2]) if together else hand.front(low, low)


def _flamingo_complete(hand: SevenCards) -> tuple[Hand, Hand]:  # noqa: PLR0911 - a branch for each line
    two_pair = len(hand.pairs) == 2 and not hand.trips
    splits = two_pair and (hand.pairs[0] == ACE or hand.pairs[1] >= TEN)
    kept_with_ace = two_pair and hand.pairs[0] <= TEN and ACE in hand.singles
    if hand.best == ROYAL_FLUSH:
        if splits:
            return _flamingo_two_pair(hand)
        king = hand.highest(
            lambda front, back: back[0] in COMPLETE and (front[0] == PAIR or front[1][0] >= KING)
        )
        return king or _sure(hand.highest(lambda _, back: back[0] == ROYAL_FLUSH))
    if splits or kept_with_ace:
        return _flamingo_two_pair(hand)
    if hand.best == STRAIGHT_FLUSH:
        pair = hand.highest(_pair_and_complete)
        if pair is not None:
            return pair
        if len(hand.singles) > 1 and hand.singles[0] == ACE and hand.singles[1] >= JACK:
            ace = hand.highest(lambda front, back: back[0] in COMPLETE and front[1][0] == ACE)
            if ace is not None:
                return ace
        return _sure(hand.highest(lambda _, back: back[0] == STRAIGHT_FLUSH))
    if len(hand.pairs) == 3:
        return hand.front(hand.pairs[0], hand.pairs[0])
    kept = _kept(hand)
    front = front_value(kept[0])
    if front[0] == PAIR or front[1][0] >= KING:
        return kept
    flush = hand.highest(lambda _, back: back[0] == FLUSH)
    return flush or _sure(hand.highest(lambda _, back: back[0] == STRAIGHT))


def flamingo(  # noqa: PLR0911 - a branch for each line
    hand: SevenCards,
) -> tuple[Hand, Hand]:
    if hand.fives:
        return hand.front(KING, KING) if KING in hand.pairs else hand.front(ACE, ACE)
    if hand.best in {ROYAL_FLUSH, STRAIGHT_FLUSH}:
        return _flamingo_complete(hand)
    if hand.quads:
        four, others = hand.quads[0], hand.pairs + hand.trips
        if others:
            lowest = 7 if four == ACE else TEN if four >= JACK else 2
            other = others[0]
            return hand.front(other, other) if other >= lowest else hand.front(four, four)
        ace_and_face = hand.singles[0] == ACE and hand.singles[1] >= JACK
        together = four <= 6 or (four <= TEN and ace_and_face)
        return hand.front(*hand.singles[:2]) if together else hand.front(four, four)
    if hand.trips and (hand.pairs or len(hand.trips) == 2):
        alike = _grouped_alike(hand, kings=True, twos=True)
        if alike is not None:
            return alike
    if hand.complete:
        return _flamingo_complete(hand)
    if len(hand.pairs) == 3:
        return hand.front(hand.pairs[0], hand.pairs[0])
    return _flamingo_two_pair(hand) if len(hand.pairs) == 2 else _simple(hand)


HOUSE_WAYS: dict[str, Callable[[SevenCards], tuple[Hand, Hand]]] = {
    "foxwoods": foxwoods,
    "trump-plaza": trump_plaza,
    "dealer-open-pai-gow": dealer_open,
    "mini-pai-gow": mini,
    "mgm-grand": mgm_grand,
    "stones-gambling-hall": stones,
    "casino-real": casino_real,
    "flamingo": flamingo,
}


def set_hand(house_way: str, cards: Hand, table: Table) -> tuple[Hand, Hand]:
    """The front and the back that a house way sets."""
    return HOUSE_WAYS[house_way](SevenCards(cards, table))
