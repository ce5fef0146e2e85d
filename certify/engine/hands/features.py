"""The closed vocabulary of hand features, and what each says of a hand.

The names and their meanings are those of the condition in ``schemas/common.schema.json``. A joker
that is a *bug* is an ace, or completes a straight, flush, straight flush or royal flush. A *fully
wild* joker stands for any card that the hand does not hold, and each feature takes the best use of
it for itself: the greatest count, the longest run, the highest rank.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from certify.kernels.partition.features import HandFeatures
from certify.model.cards import RANKS, JokerRule
from certify.model.condition import FeatureValue
from certify.model.vocabulary import EventFeature

ACE: Final = RANKS[-1]
SUITED_PAIRS: Final = MappingProxyType({0: None, 0b011: "AK", 0b101: "AQ", 0b110: "KQ"})
COLOUR_FEATURES: Final = frozenset({EventFeature.RED_CARDS, EventFeature.ONE_COLOUR})
SUIT_FEATURES: Final = COLOUR_FEATURES | {EventFeature.SUITED_PAIR}
"""Features that name suits: classes of hands tell of ranks and of a flush only."""


class Hand(NamedTuple):
    """What is known of a hand, with the rules that give it meaning.

    ``ranks`` is the number of ranks of the deck, ``cards`` the number of cards of the hand, the
    joker included.
    """

    held: HandFeatures
    joker: JokerRule
    ranks: int
    cards: int

    @property
    def wild(self) -> bool:
        """The hand holds a joker that is fully wild."""
        return bool(self.held.joker) and self.joker is JokerRule.FULLY_WILD

    @property
    def bug(self) -> bool:
        """The hand holds a joker that is a bug."""
        return bool(self.held.joker) and self.joker is JokerRule.BUG

    def natural_groups(self) -> list[int]:
        """Return how many natural cards each rank has, the largest first."""
        held = self.held.groups
        return [size for size in (4, 3, 2, 1) for _ in range(held >> (4 * (size - 1)) & 15)]

    def groups(self) -> list[int]:
        """Return how many cards each rank has, the largest first.

        A bug is an ace. A fully wild joker joins the largest group.
        """
        sizes = self.natural_groups()
        aces = self.held.aces
        if self.bug:
            if aces:
                sizes.remove(aces)
            sizes.append(aces + 1)
            sizes.sort(reverse=True)
        elif self.wild:
            sizes[:1] = [sizes[0] + 1 if sizes else 1]
        return sizes

    def letter(self, rank: int) -> str | None:
        """Return the letter of a rank counted from 1 at the deck's lowest; None for 0."""
        return RANKS[len(RANKS) - self.ranks + rank - 1] if rank else None


def of_a_kind(hand: Hand) -> int:
    """Most cards of one rank; a bug is an ace, a fully wild joker joins the largest group."""
    return hand.groups()[0]


def second_of_a_kind(hand: Hand) -> int:
    """Most cards of another rank, the joker used as for `of_a_kind`; 0 if there is none."""
    groups = hand.groups()
    return groups[1] if len(groups) > 1 else 0


def pairs(hand: Hand) -> int:
    """Ranks held at least twice; a bug is an ace, a fully wild joker pairs a single card."""
    if hand.wild:
        sizes = hand.natural_groups()
        return sum(size > 1 for size in sizes) + (1 in sizes)
    return sum(size > 1 for size in hand.groups())


def highest_pair(hand: Hand) -> str | None:
    """Highest rank held at least twice; a fully wild joker pairs the highest card."""
    if hand.wild:
        return hand.letter(hand.held.top)
    if hand.bug and hand.held.aces:
        return ACE
    return hand.letter(hand.held.top_pair)


def aces(hand: Hand) -> int:
    """Aces held, a joker of either rule counted as one."""
    return hand.held.aces + hand.held.joker


def suited_pair(hand: Hand) -> str | None:
    """Beside a royal flush or natural A-2-3-4-5: the natural pair of one other suit."""
    return SUITED_PAIRS[hand.held.suited_pair]


def pai_gow_high(hand: Hand) -> str | None:
    """Highest card of a hand without pair, straight and flush; a fully wild joker makes a pair."""
    held = hand.held
    if hand.wild or held.straight or held.flush or hand.groups()[0] > 1:
        return None
    return ACE if hand.bug else hand.letter(held.top)


def one_colour(hand: Hand) -> bool:
    """All natural cards are red, or all are black."""
    return hand.held.red in (0, hand.cards - hand.held.joker)


FEATURES: Final[Mapping[str, Callable[[Hand], FeatureValue]]] = MappingProxyType(
    {
        EventFeature.JOKER: lambda hand: bool(hand.held.joker),
        EventFeature.OF_A_KIND: of_a_kind,
        EventFeature.SECOND_OF_A_KIND: second_of_a_kind,
        EventFeature.PAIRS: pairs,
        EventFeature.HIGHEST_PAIR: highest_pair,
        EventFeature.ACES: aces,
        EventFeature.STRAIGHT_LENGTH: lambda hand: hand.held.straight,
        EventFeature.FLUSH_LENGTH: lambda hand: hand.held.flush,
        EventFeature.STRAIGHT_FLUSH_LENGTH: lambda hand: hand.held.straight_flush,
        EventFeature.ROYAL_FLUSH: lambda hand: bool(hand.held.royal),
        EventFeature.ACE_TO_FIVE_STRAIGHT_FLUSH: lambda hand: bool(hand.held.wheel),
        EventFeature.SUITED_PAIR: suited_pair,
        EventFeature.PAI_GOW_HIGH: pai_gow_high,
        EventFeature.JACKS: lambda hand: hand.held.jacks,
        EventFeature.RED_CARDS: lambda hand: hand.held.red,
        EventFeature.ONE_COLOUR: one_colour,
    }
)
"""What a condition may ask of a hand. Jacks are natural jacks; red cards are natural cards."""
