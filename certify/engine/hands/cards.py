"""Features of a concrete hand, from its cards."""

from collections import Counter
from collections.abc import Mapping, Sequence

from certify.engine.hands.features import FEATURES, PART_FEATURES, SUITED_PAIRS, Hand
from certify.errors import NotConfigured, NotReadable
from certify.kernels.classes import SUIT_BITS, longest_runs
from certify.kernels.features import COUNT_BITS, HandFeatures, Shape
from certify.model.condition import FeatureValue
from certify.model.game import JOKER, RANKS, SUITS, HandRules, deck_cards
from certify.model.vocabulary import HandPart

RED = "dh"


def hand_features(
    hand: Sequence[str], hands: HandRules, *, cards: int | None = None
) -> dict[str, FeatureValue]:
    """Return the value of every feature for a hand of cards such as ``As`` and ``Jk``.

    Raises:
        NotReadable: a card is unknown, or is held twice.
        NotConfigured: the hand does not have ``cards`` cards (as many as are dealt, if None).
    """
    expected = hands.shape.cards if cards is None else cards
    if len(hand) != expected:
        raise NotConfigured(
            f"The hand has {len(hand)} cards, not {expected}.", remedy=f"Give {expected} cards."
        )
    _check(hand, hands)
    return feature_values(hand, hands, tuple(FEATURES))


def feature_values(
    hand: Sequence[str], hands: HandRules, features: Sequence[str]
) -> dict[str, FeatureValue]:
    """Return the values of features of cards of the deck, which are not checked."""
    cards = len(hand)
    shape = Shape(
        ranks=hands.deck.ranks,
        joker=hands.deck.joker,
        hand=cards,
        front=max(cards - hands.shape.back, 0),
    )
    values = Hand(_features(hand, shape), hands.joker, shape.ranks, cards)
    return {name: FEATURES[name](values) for name in features}


def part_features(
    cards: Sequence[str], hands: HandRules, part: HandPart
) -> dict[str, FeatureValue]:
    """Return the value of every feature that is defined for a set hand.

    A low hand is no straight and no flush, however few its cards are.

    Raises:
        NotReadable: a card is unknown, or is held twice.
    """
    _check(cards, hands)
    shape = Shape(ranks=hands.deck.ranks, joker=hands.deck.joker, hand=len(cards), front=0)
    features = _features(cards, shape)
    if part is HandPart.LOW_HAND:
        features = features._replace(straight=0, flush=0, straight_flush=0, royal=0, wheel=0)
    values = Hand(features, hands.joker, shape.ranks, len(cards))
    return {name: FEATURES[name](values) for name in PART_FEATURES[part]}


def _check(hand: Sequence[str], hands: HandRules) -> None:
    deck = deck_cards(hands.deck)
    copies = dict.fromkeys(deck, hands.deck.decks) | {JOKER: int(hands.deck.joker)}
    for card in hand:
        if card not in deck:
            raise NotReadable(
                f"There is no card {card!r} in the deck.",
                remedy="Write rank then suit, such as As or Td, and Jk for the joker.",
            )
    counts = Counter(hand).items()
    more = [(card, times) for card, times in counts if times > copies[card]]
    if more:
        card, times = more[0]
        often = "twice" if times == 2 else f"{times} times"  # noqa: PLR2004 - a word
        fix = "Deal each card once." if hands.deck.decks == 1 else "Deal each card once a deck."
        raise NotReadable(f"The hand contains {card} {often}.", remedy=fix)


def _features(hand: Sequence[str], shape: Shape) -> HandFeatures:
    """Return the features of cards of the deck; a rank is numbered from 0."""
    joker = list(hand).count(JOKER)
    natural = [card for card in hand if card != JOKER]
    known = RANKS[-shape.ranks :]
    ranks = Counter(known.index(card[0]) for card in natural)
    sizes = Counter(ranks.values())
    suits = {
        suit: frozenset(known.index(card[0]) for card in natural if card[1] == suit)
        for suit in SUITS
    }
    numbers = Counter(card[1] for card in natural)
    flush = max(SUITS, key=lambda suit: numbers[suit])
    complete = numbers[flush] + joker >= shape.back
    suited = suits[flush] if complete else frozenset[int]()
    highest = frozenset(range(shape.ranks - shape.back, shape.ranks))
    lowest = frozenset({shape.ranks - 1, *range(shape.back - 1)})
    royal = complete and len(suited & highest) + joker >= shape.back
    wheel = complete and not joker and lowest <= suited
    natural_runs, runs = longest_runs(shape)[0], longest_runs(shape)[joker]
    alone = suits[flush]
    return HandFeatures(
        joker=joker,
        groups=sum(number << (4 * (size - 1)) for size, number in sizes.items()),
        aces=ranks[shape.ranks - 1],
        jacks=ranks[shape.ranks - 4],
        top=max(ranks, default=-1) + 1,
        top_pair=max((rank for rank, cards in ranks.items() if cards > 1), default=-1) + 1,
        straight=runs[_mask(ranks)],
        natural_straight=natural_runs[_mask(ranks)],
        flush=(numbers[flush] + joker) * complete,
        natural_flush=numbers[flush] if numbers[flush] >= shape.back else 0,
        straight_flush=runs[_mask(suited)] if complete else 0,
        natural_straight_flush=natural_runs[_mask(alone)],
        royal=int(royal),
        natural_royal=int(highest <= alone),
        natural_wheel=int(lowest <= alone),
        wheel=int(wheel),
        suited_pair=_suited_pair(natural, suits, flush, shape) if royal or wheel else 0,
        counts=sum(number << (COUNT_BITS * rank) for rank, number in ranks.items()),
        red=sum(card[1] in RED for card in natural),
        same_card=max(Counter(natural).values(), default=0),
        suits=sum(numbers[suit] << (SUIT_BITS * place) for place, suit in enumerate(SUITS)),
    )


def _mask(ranks: Counter[int] | frozenset[int]) -> int:
    return sum(1 << rank for rank in ranks)


def _suited_pair(
    natural: Sequence[str], suits: Mapping[str, frozenset[int]], flush: str, shape: Shape
) -> int:
    """Return the two further cards as a set of ranks below the ace, if they share one suit."""
    if len(natural) - len(suits[flush]) != 2:  # noqa: PLR2004 - a pair
        return 0
    for suit, ranks in suits.items():
        if suit != flush and len(ranks) == 2:  # noqa: PLR2004 - a pair
            below = _mask(frozenset(shape.ranks - 1 - rank for rank in ranks))
            return below if below in SUITED_PAIRS else 0
    return 0
