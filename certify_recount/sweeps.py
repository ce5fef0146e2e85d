"""Sweeps over the dealer's hands: how the hands of every class of the player's fare against them.

A dealer's hand is set by its ranks alone, unless a flush changes that. So the dealer's hands that a
player's hand can meet are counted in two parts. First, every dealer's hand counts as it would be
set without flushes: their number depends on the ranks of the player's hand alone. Then each
dealer's hand with a flush counts as set, minus its first count: their number in one suit depends on
the player's cards in that suit and in the others. Hands that share cards are excluded by inclusion
and exclusion: in the first part over the ranks that both hands share, in the second over those in
the suit of the flush and those in other suits.

If the player sees a card of the dealer, the dealer's hands with that card are those that share no
card with the player's hand, less those without the shown card. Both are counted as without a shown
card, the latter as if the player had one card more.
"""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING, Any

from .classes import BITS, HandClass, Suits, Targets, encode_ranks, shared_subsets, suits
from .hands import Progress, multisets
from .players import Dealer, Decision, Player, SetHand
from .set_hands import Rules

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

_given: list[Any] = []
_counter: "list[Synchronized[int]]" = []


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def advance() -> None:
    """Note that one more step of the work is done."""
    if _counter:
        with _counter[0].get_lock():
            _counter[0].value += 1


def _start(arguments: object, counter: "Synchronized[int]") -> None:
    _given[:], _counter[:] = [arguments], [counter]


def _call(job: tuple[Callable[[Any, Any], Any], Any]) -> Any:  # noqa: ANN401 - what it returns
    function, part = job
    return function(_given[0], part)


def run_parts(
    function: Callable[[Any, Any], Any],
    arguments: object,
    parts: Iterable[object],
    *,
    processes: int | None = None,
    steps: int = 0,
    progress: Progress | None = None,
) -> Iterator[Any]:
    """Yield ``function(given, part)`` for every part, in their order.

    Args:
        function: a function of a module.
        arguments: the arguments of every part.
        parts: the parts of the work.
        processes: number of processes, that of the processors if not given; 1 uses this one.
        steps: total number of calls of `advance`.
        progress: receives the number of finished steps.
    """
    processes = processes or processors()
    if processes <= 1:
        yield from (function(arguments, part) for part in parts)
        return
    from concurrent import futures  # a count in one process does without
    from multiprocessing import active_children, get_context

    context = get_context()
    counter = context.Value("q", 0)
    before = active_children()
    if os.name == "nt":
        processes = min(processes, 61)  # Windows waits for no more
    with futures.ProcessPoolExecutor(processes, context, _start, (arguments, counter)) as pool:
        try:
            with _blocked_signals():
                calls = [pool.submit(_call, (function, part)) for part in parts]
            left = {*calls}
            while left:
                done, left = futures.wait(left, 1, futures.FIRST_EXCEPTION)
                for call in done:
                    call.result()  # raises its error before the others are finished
                if progress and steps:
                    progress(min(counter.value, steps), steps)
        except BaseException:
            for worker in active_children():
                if worker not in before:
                    worker.kill()
            raise
    yield from (call.result() for call in calls)


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """Start processes that no signal to their group ends: the one that starts them does that.

    A handler that they inherit would raise an exception anywhere, or leave a lock taken.
    """
    if os.name != "posix":
        yield
        return
    ends = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
            if any(group_jokers == jokers for _, group_jokers in self.players):
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
        return ((number, comb(left, number)) for number in range(left + 1))

    def share_ranks(
        self, jokers: int, size: int, shared: int, listed: Sequence[tuple[int, int]]
    ) -> None:
        """Count, for all players with these ranks, the dealer's hands that hold them, too."""
        waiting = []
        taken = dict(listed)
        for more, rest in self.multisets[self.rules.cards - jokers - size]:
            group = self.players.get((shared + more, jokers))
            if group:
                ways = (-1) ** size
                for rank, n in rest:
                    if rank in taken:
                        ways *= comb(taken[rank] + n, n)
                waiting.append((group, ways))
        if not waiting:
            return
        cells: dict[int, int] = {}
        for theirs, dealt in self.others(jokers):
            left = self.rules.theirs.cards - theirs - size
            for more, rest in self.multisets[left] if left >= 0 else ():
                number = self.dealer.by_ranks.get((shared + more, theirs))
                if number is not None:
                    ways = dealt
                    for rank, n in rest:
                        ways *= comb(4 - taken.get(rank, 0), n)
                    cells[number] = cells.get(number, 0) + ways
        sweep = self.dealer.sweep(cells)
        for group, ways in waiting:
            for player in group:
                hands = player.suits.total if player.fixed else 1
                player.by_ranks += ways * hands * player.read(sweep)

    def drop_settings(self, jokers: int) -> None:
        """Drop the settings that cannot be best, whatever the dealer's flushes change.

        Neither of two such settings equals or beats the other in both hands. So where one wins, the
        other does not lose, and against one dealer's hand their values differ by at most one step,
        from a loss to a push or from a push to a win. A flush that changes the dealer's hand moves
        this difference by at most two steps. Nothing is dropped if there is an action to choose, or
        a card is shown.
        """
        if self.dealer.question.shows or any(each.actions > 1 for each in self.decisions):
            return
        labels = self.dealer.labels
        optimal = [decision for decision in self.decisions if decision.optimal]
        worth = cache(lambda place, player_flags: optimal[place].worth(0, player_flags, labels))
        for player in chain.from_iterable(
            group for (_, group_jokers), group in self.players.items() if group_jokers == jokers
        ):
            if player.fixed:
                continue
            lanes = player.lanes(player.by_ranks, len(labels))
            lengths = player.suits.lengths
            flushes = max(count_flushes(self.rules, jokers, each) for each in lengths)
            remaining: set[int] = set()
            for place in range(len(optimal)):
                payoffs = worth(place, player.own)
                step = max(max(win - push, push - lose) for win, push, lose in payoffs)
                values = [
                    sum(weight * lanes[lane] for lane, weight in player.weights(way, payoffs))
                    for way in player.best
                ]
                least = max(values) - 2 * step * flushes
                remaining.update(way for way, value in enumerate(values) if value >= least)
            player.keep(self.dealer, sorted(remaining))

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
        for part, group in waiting.items():
            if part in cells:
                sweep = self.dealer.sweep(cells[part])
                for player, (counted, all_hands) in group:
                    lanes = player.read(sweep)
                    if player.fixed:
                        player.by_ranks += all_hands * lanes
                    else:
                        for place, ways in counted:
                            player.by_holding[place] += ways * lanes

    def flush_cells(
        self, jokers: int, shared: tuple[int, ...], parts: Mapping[tuple[int, ...], Any]
    ) -> dict[tuple[int, ...], dict[int, int]]:
        """Return the corrections for flushes with these ranks, by the shared other cards."""
        dealt = dict(self.others(jokers))
        needed = set(shared)
        cells: dict[tuple[int, ...], dict[int, int]] = {}
        for flush, changes in self.dealer.changes.items():
            if not needed.issubset(flush):
                continue
            for others, theirs, new, old in changes:
                if theirs in dealt:
                    for part, ways in shared_subsets(others):
                        if part in parts:
                            cell, hands = cells.setdefault(part, {}), ways * dealt[theirs]
                            cell[new] = cell.get(new, 0) + hands
                            cell[old] = cell.get(old, 0) - hands
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
    """Count the hands of a class by how they fare against a shown card of a rank."""
    bit = taken.ranks.index(rank)
    apart = rank not in player.ranks  # then the shown card's rank is one more among the ranks
    fares = dict(zip(taken.suits.holdings, taken.by_holding, strict=True))
    holdings = [
        (holding & (1 << bit) - 1 | holding >> bit << bit + 1) if apart else holding
        for holding in player.suits.holdings
    ]
    # All cards of the rank may be taken: then no suit of these cards is without it.
    without = [fares.get(holding, 0) for holding in holdings]
    change = [
        fares.get(holding | 1 << bit, 0) - less
        for holding, less in zip(holdings, without, strict=True)
    ]
    deals: Counter[int] = Counter()
    for hands, holding in player.suits.hands:
        fared = player.by_ranks - taken.by_ranks
        fared += sum(player.by_holding[place] - without[place] for place in holding)
        for place in holding:
            if not holdings[place] >> bit & 1:
                deals[fared - change[place]] += hands
    return deals
