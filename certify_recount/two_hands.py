"""Count of wagers on the dealer's and the player's hand together, by row."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from .hands import Condition, Progress, Uncountable
from .main_wager import comparison
from .pairs import count
from .players import Decision, Flags, Payoffs, Question
from .set_hands import Rules
from .tables import ALL_OTHER, split_tables

Json = Mapping[str, Any]


def list_deals(event: Json) -> Sequence[Json]:
    """Return the kinds of deals that an event is: conditions on the dealer's and the player's hand.

    Raises:
        Uncountable: the hands are compared.
    """
    deals: Sequence[Json] = event.get("either", [event])
    if any(deal.get("compare") for deal in deals):
        raise Uncountable("hands that are compared")
    return deals


def _no_worth(*_: object) -> Payoffs:
    return ()


def pair_counts(
    paytable: Json,
    events: Mapping[str, Json],
    *,
    rules: Rules,
    processes: int | None = None,
    progress: Progress | None = None,
) -> Counter[str]:
    """Count the pairs of hands of each row; rows that are paid together are joined by ``+``.

    Raises:
        Uncountable: an event compares hands, or differs between hands that are counted as one.
    """
    tables = split_tables(paytable, events)
    deals = [
        (event, deal)
        for event in sorted(set().union(*tables))
        for deal in list_deals(events[event])
    ]
    dealer: list[Condition | None] = [deal.get("dealer") for _, deal in deals]
    player: list[Condition | None] = [deal.get("player") for _, deal in deals]
    question = Question(rules, None, dealer, player, comparison({}))
    counted = count(
        question, [Decision(optimal=False, actions=1, worth=_no_worth)], processes=processes,
        progress=progress,
    )  # fmt: skip
    counts: Counter[str] = Counter()
    (tally,) = counted.tallies

    def awarded(theirs: Flags, mine: Flags) -> str:
        held = {event for (event, _), a, b in zip(deals, theirs, mine, strict=True) if a and b}
        found = (next((event for event in table if event in held), None) for table in tables)
        return "+".join(filter(None, found)) or ALL_OTHER

    for ((_, mine), line), (place, theirs) in product(tally.items(), enumerate(counted.labels)):
        counts[awarded(theirs, mine)] += line[place].total
    return counts
