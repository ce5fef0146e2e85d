"""Rows counted by the walk over every hand: the second derivation of one-hand paytables.

The walk and the partition share no code: events are read here, and asked of what the walk has seen.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from certify.engine.count_cache import kept
from certify.engine.threads import workers
from certify.model.cards import RANKS, JokerRule
from certify.model.condition import (
    AllOf,
    AnyOf,
    Condition,
    Event,
    FeatureTest,
    FeatureValue,
    Not,
    tests_of,
)
from certify.model.game import HandRules
from certify.model.progress import Progress
from certify.model.vocabulary import RANK_COUNTS

Cell = tuple[FeatureValue, ...]
Seen = tuple[dict[str, int], list[tuple[Cell, int]]]
"""Where each feature stands in a cell, and how many hands each cell has."""


def exhaustive_counts(
    events: Sequence[Event],
    order: Sequence[int],
    *,
    hands: HandRules,
    cards: int,
    progress: Progress | None = None,
) -> tuple[int, ...]:
    """Return how many hands each event has that no earlier one takes; ``order`` tries them.

    The walk is made once for each deck, joker's rule, number of cards and ranks to count, and kept.

    Raises:
        InvariantBroken: the walk did not see every hand.
    """
    names = tuple(sorted({test.feature for event in events for test in tests_of(event.when)}))
    counts = [0] * len(events)
    for cell, number in _cells(hands, cards, names, progress):
        seen = dict(zip(names, cell, strict=True))
        first = next((place for place in order if _holds(events[place].when, seen)), None)
        if first is not None:
            counts[first] += number
    return tuple(counts)


def _holds(condition: Condition | None, seen: Mapping[str, FeatureValue]) -> bool:
    """Return whether a condition holds of what was seen; none always does."""
    match condition:
        case AllOf():
            return all(_holds(part, seen) for part in condition.conditions)
        case AnyOf():
            return any(_holds(part, seen) for part in condition.conditions)
        case Not():
            return not _holds(condition.condition, seen)
        case FeatureTest():
            value = seen[condition.feature]
            if condition.values:
                return value in condition.values
            low, high = condition.minimum, condition.maximum
            return isinstance(value, int) and (
                (low is None or low <= value) and (high is None or value <= high)
            )
    return True


_SEEN: dict[tuple[HandRules, int, int], Seen] = {}
_CELLS: dict[tuple[HandRules, int, tuple[str, ...]], Counter[Cell]] = {}


def _cells(
    hands: HandRules, cards: int, names: tuple[str, ...], progress: Progress | None
) -> Iterable[tuple[Cell, int]]:
    """Return what was seen of these features alone, and how many hands of each."""
    asked = (hands, cards, names)
    if asked not in _CELLS:
        cells: Counter[Cell] = Counter()
        places, rows = _seen(hands, cards, _asked(names, hands), progress)
        wanted = [places[name] for name in names]
        for values, number in rows:
            cells[tuple([values[place] for place in wanted])] += number
        _CELLS[asked] = cells
    return _CELLS[asked].items()


def _asked(names: Iterable[str], hands: HandRules) -> int:
    """Return the ranks whose cards are asked for, a bit each from the deck's lowest."""
    places = (RANKS.index(RANK_COUNTS[name]) for name in names if name in RANK_COUNTS)
    return sum(1 << place >> (len(RANKS) - hands.deck.ranks) for place in places)


def _seen(hands: HandRules, cards: int, asked: int, progress: Progress | None) -> Seen:
    """Return the features of every kind of hand that was seen, and how many there are."""
    if (hands, cards, asked) in _SEEN:
        return _SEEN[hands, cards, asked]
    size = min(hands.shape.back, cards)
    holdings = kept(
        ("walk", hands.deck, hands.joker, cards, size, asked),
        lambda: _walk(hands, cards, size, asked, progress),
        second=True,
    )
    from certify.engine.second.walked_features import feature_values
    from certify.kernels.partition.walk import Holding

    # A tuple is a quarter of a dictionary, and there are tens of thousands.
    places: dict[str, int] = {}
    rows = []
    for fields, number in holdings:
        values = feature_values(Holding(*fields), ranks=hands.deck.ranks, cards=cards)
        places = places or {name: place for place, name in enumerate(values)}
        rows.append((tuple(values.values()), number))
    return _SEEN.setdefault((hands, cards, asked), (places, rows))


def _walk(
    hands: HandRules, cards: int, size: int, asked: int, progress: Progress | None
) -> list[list[list[int] | int]]:
    from certify.kernels.partition.walk import walk

    walked = walk(
        ranks=hands.deck.ranks,
        joker=hands.deck.joker,
        hand=cards,
        size=size,
        wild=hands.joker is JokerRule.FULLY_WILD,
        asked=asked,
        threads=workers(),
        progress=progress,
    )
    return [[list(holding), number] for holding, number in sorted(walked.items())]
