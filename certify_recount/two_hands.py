"""Count of wagers on the dealer's and the player's hand together, by row."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product

from .files import Event, HouseWay, Json, Paytable, Ties
from .hands import PARTS_OF_HANDS, Progress, Uncountable, condition_features
from .main_wager import comparison
from .pairs import count
from .players import Decision, Ends, Flags, Payoffs, Question
from .set_hands import Rules
from .tables import award_rows, split_tables

Signs = tuple[int, int]
"""The higher high hand and the higher low hand: 1 for the player's, 0 for a tie, -1."""

HIGHER = {"player": 1, "copy": 0, "dealer": -1}

LEAST = (((1, 1), (1, 0)), ((1, -1), (0, -1)), ((0, 1), (0, 0)), ((-1, 1), (-1, 0)))
"""Least signs of the deals that are counted as won, and of those that are not lost."""


def _no_worth(*_: object) -> Payoffs:
    return ()


def _ends(won: Signs, safe: Signs) -> Ends:
    """Return ends such that deals with at least some signs are won, and others are not lost."""
    return {
        (high, low): "win" if high >= won[0] and low >= won[1]
        else "push" if high >= safe[0] and low >= safe[1] else "lose"
        for high, low in product((1, 0, -1), repeat=2)
    }  # fmt: skip


def count_signs(
    question: Question, processes: int | None, progress: Progress | None
) -> Iterator[tuple[Flags, Flags, Signs, int]]:
    """Yield the deals by the conditions that hold for both hands, and by the higher hands."""
    decisions = [
        Decision(optimal=False, actions=1, worth=_no_worth, way=way)
        for way in range(len(question.ends))
    ]
    counted = count(question, decisions, processes=processes, progress=progress)
    for action, mine in counted.tallies[0]:
        tallies = zip(*(tally[action, mine] for tally in counted.tallies), strict=True)
        for theirs, line in zip(counted.labels, tallies, strict=True):
            if len(line) == 1:
                yield theirs, mine, (0, 0), line[0].total
                continue
            least = Counter({(-1, -1): line[0].total})
            for (won, safe), tally in zip(LEAST, line, strict=True):
                least[won], least[safe] = tally.win, tally.safe
            for high, low in product((1, 0, -1), repeat=2):
                number = least[high, low] - least[high + 1, low] - least[high, low + 1]
                yield theirs, mine, (high, low), number + least[high + 1, low + 1]


def needs_house_way(paytable: Paytable, events: Mapping[str, Event]) -> bool:
    """Return True if a row depends on how the house way sets a hand."""
    listed = [events[event] for table in split_tables(paytable, events) for event in table]
    asked = [event.when for event in listed]
    asked += [side for event in listed for deal in event.deals for side in deal[:2]]
    names = {name for condition in asked for name in condition_features(condition)}
    names |= {name for event in listed for deal in event.deals for name in deal.compare or ()}
    return not PARTS_OF_HANDS.isdisjoint(names)


def fits(compare: Json | None, signs: Signs) -> bool:
    """Return True if the comparison of two hands ends as an event asks."""
    compared = {"best_hand": signs[0], "high_hand": signs[0], "low_hand": signs[1]}
    wanted = {
        part: listed if isinstance(listed, list) else [listed]
        for part, listed in (compare or {}).items()
    }
    return all(compared[part] in map(HIGHER.__getitem__, wanted[part]) for part in wanted)


def pair_counts(
    paytable: Paytable,
    events: Mapping[str, Event],
    *,
    rules: Rules,
    house_way: HouseWay | None = None,
    processes: int | None = None,
    progress: Progress | None = None,
) -> Counter[str]:
    """Count the pairs of hands of each row; rows that are paid together are joined by ``+``.

    ``house_way`` sets the hands if a row depends on it.

    Raises:
        Uncountable: an event differs between hands that are counted as one, or both the best hands
            and hands as set are compared.
    """
    tables = split_tables(paytable, events)
    deals = [
        (event, deal) for event in sorted(set().union(*tables)) for deal in events[event].deals
    ]
    compared = {part for _, deal in deals for part in deal.compare or ()}
    if "best_hand" in compared and (house_way is not None or len(compared) > 1):
        raise Uncountable("best hands together with hands as set")
    question = Question(
        rules, house_way,
        [deal.dealer for _, deal in deals], [deal.player for _, deal in deals],
        [_ends(*least) for least in LEAST] if compared else [comparison(Ties())],
        best="best_hand" in compared,
    )  # fmt: skip

    def awarded(theirs: Flags, mine: Flags, signs: Signs) -> str:
        held = {
            event
            for (event, deal), a, b in zip(deals, theirs, mine, strict=True)
            if a and b and fits(deal.compare, signs)
        }
        return award_rows(tables, held)

    counts: Counter[str] = Counter()
    for theirs, mine, signs, number in count_signs(question, processes, progress):
        counts[awarded(theirs, mine, signs)] += number
    return counts
