"""Simulation: rounds dealt, set and settled by plain code, as a second opinion on exact counts.

It shares with the exact engine only the declared data and the rules of the games. The same seed
gives the same rounds on every machine, however many threads deal them.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from certify.engine.count_cache import kept
from certify.engine.threads import workers
from certify.errors import NotConfigured
from certify.model.condition import Condition, Event
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.main_wager import Ties
from certify.model.progress import Progress

if TYPE_CHECKING:
    from certify.engine.second.tables import Integers

CHUNK: Final = 20_000
"""Rounds of one stream of random numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Rounds by which conditions the dealer's hand met, and the result: 0 lost, 1 push, 2 won.

    ``fired`` counts the dealer's hands by the house-way rule that decided.
    """

    rounds: int
    results: Mapping[tuple[tuple[bool, ...], int], int]
    fired: Mapping[str, int]


def play_rounds(
    hands: HandRules,
    house_way: HouseWay,
    conditions: Sequence[Condition],
    *,
    optimal: bool,
    ties: Ties,
    rounds: int,
    seed: int,
    progress: Progress | None = None,
) -> Played:
    """Play rounds of a main wager, both hands set by the house way.

    Args:
        hands: the deck and the rules of hands.
        house_way: the house way as declared.
        conditions: on the dealer's hand, to split the results by.
        optimal: the player sees the dealer's set hand and sets best against it instead.
        ties: who takes a tie.
        rounds: how many rounds.
        seed: of the random numbers.
        progress: is told how many rounds are played.

    Raises:
        NotConfigured: the house way does not decide a hand that was dealt.
    """
    counted = kept(
        ("play", hands, house_way, tuple(conditions), optimal, ties, rounds, seed),
        lambda: _play(
            hands,
            house_way,
            conditions,
            optimal=optimal,
            ties=ties,
            rounds=rounds,
            seed=seed,
            progress=progress,
        ),
        second=True,
    )
    results = {
        (tuple(bool(label >> bit & 1) for bit in range(len(conditions))), result): number
        for label, result, number in counted["results"]
    }
    ids = [rule.id for rule in house_way.rules]
    return Played(
        rounds=rounds, results=results, fired=dict(zip(ids, counted["fired"], strict=True))
    )


def _play(
    hands: HandRules,
    house_way: HouseWay,
    conditions: Sequence[Condition],
    *,
    optimal: bool,
    ties: Ties,
    rounds: int,
    seed: int,
    progress: Progress | None,
) -> dict[str, Any]:
    import numpy as np

    from certify.engine.second.tables import (
        PostfixCode,
        ends_table,
        house_way_tables,
        rules_table,
    )
    from certify.kernels.plain.hands import FEATURES
    from certify.kernels.plain.play import play

    code = PostfixCode(hands.deck.ranks)
    asked = code.add_all(conditions, FEATURES)
    way = house_way_tables(house_way, code)
    rules, rows = rules_table(hands, hands.shape.cards), code.table()

    def chunk(state: "Integers", number: int) -> tuple[list[tuple[int, int, int]], list[int]]:
        tallies = np.zeros((1 << len(asked), 3), dtype=np.int64)
        fired = np.zeros(len(way.ways), dtype=np.int64)
        status = play(
            number, state, rules, way.fronts, rows, way.sections, way.ways, way.before, way.named,
            asked, int(optimal), ends_table(ties), tallies, fired,
        )  # fmt: skip
        if status < 0:
            raise NotConfigured(
                f"The house way {house_way.id} does not decide a hand that was dealt.",
                remedy="Run certify check: it names the hands and the rules.",
            )
        return [(int(a), int(b), int(tallies[a, b])) for a, b in np.argwhere(tallies)], [
            int(number) for number in fired
        ]

    results: Counter[tuple[int, int]] = Counter()
    fired = [0] * len(house_way.rules)
    for part, uses in _in_chunks(chunk, rounds, seed, progress):
        for label, result, number in part:
            results[label, result] += number
        fired = [known + more for known, more in zip(fired, uses, strict=True)]
    return {
        "results": [[label, result, n] for (label, result), n in sorted(results.items())],
        "fired": fired,
    }


def award_rounds(
    events: Sequence[Event],
    *,
    hands: HandRules,
    cards: int,
    rounds: int,
    seed: int,
    progress: Progress | None = None,
) -> tuple[int, ...]:
    """Deal a player's and a dealer's hand and count the first event that each deal has.

    Events of one hand look at the player's. The last count is of deals that no event takes.
    """
    counted = kept(
        ("award", tuple(events), hands, cards, rounds, seed),
        lambda: _award(events, hands, cards, rounds=rounds, seed=seed, progress=progress),
        second=True,
    )
    return tuple(counted)


def _award(
    events: Sequence[Event],
    hands: HandRules,
    cards: int,
    *,
    rounds: int,
    seed: int,
    progress: Progress | None,
) -> list[int]:
    import numpy as np

    from certify.engine.second.tables import PostfixCode, rules_table
    from certify.kernels.plain.hands import FEATURES
    from certify.kernels.plain.play import award

    code = PostfixCode(hands.deck.ranks)
    asked = [
        (place, mine, theirs)
        for place, event in enumerate(events)
        for mine, theirs in [(deal.player, deal.dealer) for deal in event.deals]
        or [(event.when, None)]
    ]
    tests = np.array(
        [(*code.add(mine, FEATURES), *code.add(theirs, FEATURES)) for _, mine, theirs in asked],
        dtype=np.int64,
    )
    rules, rows = rules_table(hands, cards), code.table()

    def chunk(state: "Integers", number: int) -> list[int]:
        tallies = np.zeros(len(tests) + 1, dtype=np.int64)
        award(number, state, rules, rows, tests, tallies)
        return [int(number) for number in tallies]

    totals = [0] * (len(events) + 1)
    places = [*(place for place, _, _ in asked), len(events)]
    for part in _in_chunks(chunk, rounds, seed, progress):
        for place, more in zip(places, part, strict=True):
            totals[place] += more
    return totals


def _in_chunks(
    chunk: Callable[["Integers", int], Any], rounds: int, seed: int, progress: Progress | None
) -> list[Any]:
    """Play ``rounds`` in chunks, each with a stream of random numbers of its own."""
    sizes = [min(CHUNK, rounds - start) for start in range(0, rounds, CHUNK)]
    states = (_stream(seed, place) for place in range(len(sizes)))
    parts = []
    done = 0
    with ThreadPoolExecutor(workers()) as executor:
        for size, part in zip(sizes, executor.map(chunk, states, sizes), strict=True):
            parts.append(part)
            done += size
            if progress:
                progress(done, rounds)
    return parts


def _stream(seed: int, chunk: int) -> "Integers":
    """Return the state of one stream: six numbers below the smaller modulus, none of them 0."""
    import numpy as np

    from certify.kernels.plain.hands import M2

    digest = hashlib.sha256(f"{seed}/{chunk}".encode()).digest()
    words = [int.from_bytes(digest[5 * place : 5 * place + 5]) for place in range(6)]
    return np.array([word % (M2 - 1) + 1 for word in words], dtype=np.int64)
