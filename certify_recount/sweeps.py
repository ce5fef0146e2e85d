"""Sweeps over the dealer's hands: how the hands of every class of the player's fare against them.

A dealer's hand is set by its ranks alone, unless a flush changes that. So the dealer's hands that a
player's hand can meet are counted in two parts. First, every dealer's hand counts as it would be
set without flushes: their number depends on the ranks of the player's hand alone. Then each
dealer's hand with a flush counts as set, minus its first count: their number in one suit depends on
the player's cards in that suit and in the others. Hands that share cards are excluded by inclusion
and exclusion: in the first part over the ranks that both hands share, in the second over those in
the suit of the flush and those in other suits.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from math import comb
from typing import Any

from .classes import BITS, Targets, encode_ranks, shared_subsets
from .hands import multisets
from .players import Dealer, Decision, Player
from .processes import advance
from .set_hands import Rules


class Sweeps:
    """Counts the dealer's hands that some of the player's hands can meet."""

    def __init__(
        self,
        dealer: Dealer,
        players: Mapping[tuple[int, int], Sequence[Player]],
        decisions: Sequence[Decision] = (),
    ) -> None:
        """Take players by the code of their ranks and their jokers, and how they decide."""
        self.dealer, self.players, self.decisions = dealer, players, decisions
        self.rules = dealer.question.rules
        self.multisets = list_multisets(self.rules)
        ranks = range(self.rules.ranks)
        self.sets = [
            chosen
            for size in range(self.rules.cards + 1)
            for chosen in combinations(ranks, size)
        ]  # fmt: skip

    def run(self) -> None:
        """Count for every player."""
        for jokers in range(self.rules.jokers + 1):
            if any(held == jokers for _, held in self.players):
                for size in range(self.rules.cards - jokers + 1):
                    for code, listed in self.multisets[size]:
                        self.share_ranks(jokers, size, code, listed)
                    advance()
                self.drop_settings(jokers)
                for shared in self.sets:
                    self.share_suit(jokers, shared)
                    advance()

    def others(self, jokers: int) -> Iterator[tuple[int, int]]:
        """Yield the possible numbers of jokers of the dealer, each with the ways to deal them."""
        left = self.rules.jokers - jokers
        return ((held, comb(left, held)) for held in range(left + 1))

    def share_ranks(
        self, jokers: int, size: int, shared: int, listed: Sequence[tuple[int, int]]
    ) -> None:
        """Count, for all players with these ranks, the dealer's hands that hold them, too."""
        waiting = []
        taken = dict(listed)
        for more, rest in self.multisets[self.rules.cards - jokers - size]:
            found = self.players.get((shared + more, jokers))
            if found:
                ways = (-1) ** size
                for rank, n in rest:
                    if rank in taken:
                        ways *= comb(taken[rank] + n, n)
                waiting.append((found, ways))
        if not waiting:
            return
        cells: dict[int, int] = {}
        for held, dealt in self.others(jokers):
            left = self.rules.theirs.cards - held - size
            for more, rest in self.multisets[left] if left >= 0 else ():
                number = self.dealer.by_ranks.get((shared + more, held))
                if number is not None:
                    ways = dealt
                    for rank, n in rest:
                        ways *= comb(4 - taken.get(rank, 0), n)
                    cells[number] = cells.get(number, 0) + ways
        sweep = self.dealer.sweep(cells)
        for found, ways in waiting:
            for player in found:
                hands = player.suits.total if player.fixed else 1
                player.by_ranks += ways * hands * player.read(sweep)

    def drop_settings(self, jokers: int) -> None:
        """Drop the settings that cannot be best, whatever the dealer's flushes change.

        Neither of two such settings equals or beats the other in both hands. So where one wins, the
        other does not lose, and against one dealer's hand their values differ by at most one step,
        from a loss to a push or from a push to a win. A flush that changes the dealer's hand moves
        this difference by at most two steps. Nothing is dropped if there is an action to choose.
        """
        if any(decision.actions > 1 for decision in self.decisions):
            return
        labels = self.dealer.labels
        optimal = [decision for decision in self.decisions if decision.optimal]
        worth = cache(lambda place, own: optimal[place].worth(0, own, labels))
        for player in chain.from_iterable(
            found for (_, held), found in self.players.items() if held == jokers
        ):
            if player.fixed:
                continue
            lanes = player.lanes(player.by_ranks, len(labels))
            lengths = player.suits.lengths
            flushes = max(count_flushes(self.rules, jokers, each) for each in lengths)
            kept: set[int] = set()
            for place in range(len(optimal)):
                payoffs = worth(place, player.own)
                step = max(max(win - push, push - lose) for win, push, lose in payoffs)
                values = [
                    sum(weight * lanes[lane] for lane, weight in player.weights(way, payoffs))
                    for way in player.best
                ]
                least = max(values) - 2 * step * flushes
                kept.update(way for way, value in enumerate(values) if value >= least)
            player.keep(self.dealer, sorted(kept))

    def share_suit(self, jokers: int, shared: tuple[int, ...]) -> None:
        """Count the changes by dealer's flushes that hold the ranks in their suit."""
        left = self.rules.cards - jokers - len(shared)
        if left < 0:
            return
        code = sum(1 << BITS * rank for rank in shared)
        waiting: dict[tuple[int, ...], list[tuple[Player, Targets]]] = {}
        for more, _ in self.multisets[left]:
            for player in self.players.get((code + more, jokers), ()):
                ranks = player.ranks
                mine = sum(1 << ranks.index(rank) for rank in shared)
                for others, targets in player.suits.targets(mine):
                    part = tuple([ranks[at] for at in others])
                    waiting.setdefault(part, []).append((player, targets))
        if not waiting:
            return
        cells = self.flush_cells(jokers, shared, waiting)
        for part, found in waiting.items():
            if part in cells:
                sweep = self.dealer.sweep(cells[part])
                for player, (counted, all_hands) in found:
                    lanes = player.read(sweep)
                    if player.fixed:
                        player.by_ranks += all_hands * lanes
                    else:
                        for place, ways in counted:
                            player.by_holding[place] += ways * lanes

    def flush_cells(
        self, jokers: int, shared: tuple[int, ...], wanted: Mapping[tuple[int, ...], Any]
    ) -> dict[tuple[int, ...], dict[int, int]]:
        """Return the corrections for flushes with these ranks, by the shared other cards."""
        dealt = dict(self.others(jokers))
        needed = set(shared)
        cells: dict[tuple[int, ...], dict[int, int]] = {}
        for flush, changes in self.dealer.changes.items():
            if not needed.issubset(flush):
                continue
            for beside, held, new, old in changes:
                if held in dealt:
                    for part, ways in shared_subsets(beside):
                        if part in wanted:
                            found, hands = cells.setdefault(part, {}), ways * dealt[held]
                            found[new] = found.get(new, 0) + hands
                            found[old] = found.get(old, 0) - hands
        return cells


@cache
def count_flushes(rules: Rules, jokers: int, lengths: tuple[int, ...]) -> int:
    """Return the number of dealer's hands with a flush that share no card with the player's hand.

    Args:
        rules: the deck and the hands.
        jokers: jokers in the player's hand.
        lengths: cards of each suit in the player's hand.
    """
    left, wild = 4 * rules.ranks - sum(lengths), rules.jokers - jokers
    cards = rules.theirs.cards
    return sum(
        comb(wild, used) * comb(suit, size) * comb(left - suit, cards - used - size)
        for suit in (rules.ranks - taken for taken in lengths)
        for used in range(min(wild, cards) + 1)
        for size in range(max(rules.deck.complete - used, 0), cards - used + 1)
    )


def list_multisets(rules: Rules) -> list[list[tuple[int, tuple[tuple[int, int], ...]]]]:
    """Return every multiset of ranks by size: its code, and how many cards there are of a rank."""
    return [
        [
            (encode_ranks(counts), tuple((rank, n) for rank, n in enumerate(counts) if n))
            for counts in multisets(cards, rules.ranks)
        ]
        for cards in range(max(rules.cards, rules.theirs.cards) + 1)
    ]
