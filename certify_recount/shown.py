"""Deals in which the player sees a card of the dealer before the decision.

The dealer's hands that hold the shown card are those that share no card with the player's hand,
less those that do not hold the shown card either. Both are counted as without a shown card, the
latter as if the player had one card more.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy

from .classes import HandClass, Suits, encode_ranks, suits
from .players import Dealer, Decision, Player, SetHand
from .set_hands import Rules
from .sweeps import Sweeps

SUITS = 4
ANY = 99
"""More cards than a suit has: no flush is told apart."""

Dealt = tuple[HandClass, SetHand, Player]


class Taken(HandClass):
    """The cards of the player and the shown card, in any suits."""

    def suits(self, rules: Rules) -> Suits:
        """Return the ways to choose suits for the cards."""
        sizes = tuple(n for n in self.counts if n)
        return suits(sizes, 0, ANY, rules.theirs.cards - rules.deck.complete)


def iter_shown(
    dealer: Dealer, dealt: Sequence[Dealt], decisions: Sequence[Decision]
) -> Iterator[tuple[Player, Counter[int]]]:
    """Yield, for each rank of the shown card, how a player's hands fare and how many fare so.

    Args:
        dealer: the dealer's hands.
        dealt: the player's classes of hands, counted as without a shown card.
        decisions: how the players decide.
    """
    rules, beyond = dealer.question.rules, copy(dealer)
    rules = rules._replace(cards=rules.cards + 1, dealer=rules.theirs.cards)
    beyond.question = dealer.question._replace(rules=rules)
    for rank in range(rules.ranks):
        players: dict[tuple[int, int], list[Player]] = {}
        pairs = []
        for hand, set_hand, player in dealt:
            if hand.counts[rank] < SUITS:
                counts = (*hand.counts[:rank], hand.counts[rank] + 1, *hand.counts[rank + 1 :])
                taken = Player(beyond, Taken(counts, 0), set_hand, decisions)
                players.setdefault((encode_ranks(counts), 0), []).append(taken)
                pairs.append((player, taken))
        Sweeps(beyond, players, decisions).run()
        for player, taken in pairs:
            yield player, list_deals(player, taken, rank)


def list_deals(player: Player, taken: Player, rank: int) -> Counter[int]:
    """Return how the hands of a class fare against a shown card of a rank, and how many fare so."""
    bit = taken.ranks.index(rank)
    apart = rank not in player.ranks  # then the shown card's rank is one more among the ranks
    fares = dict(zip(taken.suits.holdings, taken.by_holding, strict=True))
    holdings = [
        (held & (1 << bit) - 1 | held >> bit << bit + 1) if apart else held
        for held in player.suits.holdings
    ]
    # All cards of the rank may be taken: then no suit of these cards is without it.
    without = [fares.get(held, 0) for held in holdings]
    change = [
        fares.get(held | 1 << bit, 0) - less for held, less in zip(holdings, without, strict=True)
    ]
    deals: Counter[int] = Counter()
    for hands, held in player.suits.hands:
        fared = player.by_ranks - taken.by_ranks
        fared += sum(player.by_holding[place] - without[place] for place in held)
        for place in held:
            if not holdings[place] >> bit & 1:
                deals[fared - change[place]] += hands
    return deals
