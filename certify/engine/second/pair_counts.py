"""The second count of what is settled by two hands: options of a main wager, and paytables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final

from certify.engine.second.settlement import (
    ALL_OTHER,
    PLAIN,
    Counted,
    Ended,
    Truths,
    actions_of,
    conditions_of,
    row_of,
    settle,
)
from certify.errors import InvariantBroken
from certify.model.condition import Event
from certify.model.encoding import Progress
from certify.model.game import Game, HandRules, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import Action, HandBonus, MainWager, Outcome, Ties
from certify.model.paytable import Paytable

if TYPE_CHECKING:
    from certify.engine.second.count import HandResults
    from certify.engine.second.tables import Integers


NO_BONUS: Final = -1
"""The place of the bonus of hands that are paid none."""


def second_options(
    options: Sequence[MainWager],
    *,
    game: Game,
    house_way: HouseWay,
    progress: "Progress | None" = None,
) -> dict[tuple[str, Strategy], Counted]:
    """Count options of one game a second time, in one pass, with each way to set the hand.

    Against a dealer's hand that is seen, ties that push, or that the other hand decides, are
    counted for a player who sets by the house way, and not for one who sets best.

    Raises:
        NotConfigured: the house way does not decide every hand, or a rule names suits.
        InvariantBroken: the counts do not sum to the number of pairs.
    """
    counted: dict[tuple[str, Strategy], Counted] = {}
    for ties in dict.fromkeys(option.ties for option in options):
        alike = [option for option in options if option.ties == ties]
        counted |= _second_options(alike, game, house_way, ties, progress)
    return {
        (option.id, strategy): counted[option.id, strategy]
        for option in options
        for strategy in Strategy
        if (option.id, strategy) in counted
    }


def _second_options(
    options: Sequence[MainWager],
    game: Game,
    house_way: HouseWay,
    ties: Ties,
    progress: "Progress | None",
) -> dict[tuple[str, Strategy], Counted]:
    """Count options with the same ties."""
    import numpy as np

    from certify.engine.second.count import hand_results, seen_results
    from certify.engine.second.settlement import takings, won_and_lost

    asked = list(
        dict.fromkeys(condition for option in options for condition in conditions_of(option))
    )
    places = {
        option.id: [asked.index(condition) for condition in conditions_of(option)]
        for option in options
    }
    counted: dict[tuple[str, Strategy], Counted] = {}
    if game.dealer_exposed:
        seen = [
            seen_results(game.hands, house_way, asked, taken, progress=progress)
            for taken in takings(ties)
        ]
        # The best of the splits differs from one way to take ties to another.
        strategies = (Strategy.HOUSE_WAY, Strategy.OPTIMAL)[: 1 if len(seen) > 1 else 2]
        for option in options:
            for place, strategy in enumerate(strategies):
                ended: Counter[tuple[Action, Truths, Outcome, HandBonus | None]] = Counter()
                for truths in seen[0]:
                    mine = tuple(truths[at] for at in places[option.id])
                    fared = [ways[truths][place] for ways in seen]
                    win, lose = won_and_lost(ties, [(fare.win, fare.lose) for fare in fared])
                    ended[PLAIN, mine, Outcome.WIN, None] += win
                    ended[PLAIN, mine, Outcome.LOSE, None] += lose
                    ended[PLAIN, mine, Outcome.PUSH, None] += fared[0].total - win - lose
                counted[option.id, strategy] = settle(option, ended)
        return counted
    every = [
        hand_results(game.hands, house_way, asked, taken, progress=progress)
        for taken in takings(ties)
    ]
    won = won_and_lost(ties, [(result.fared[..., 0], result.fared[..., 1]) for result in every])
    results = every[0]._replace(fared=np.stack(won, axis=-1))
    for option in options:
        for strategy in Strategy:
            own = _own_bonus(option, game.hands)
            played = _played(option, results, places[option.id], strategy, own)
            counted[option.id, strategy] = settle(option, played)
    return counted


def _played(
    option: MainWager,
    results: "HandResults",
    places: Sequence[int],
    strategy: Strategy,
    own: "Integers | None",
) -> Ended:
    """Set and raise every hand as is best for it, or set it by the house way.

    Of splits of equal worth the one with the highest back is chosen, and of actions the first.
    """
    from math import lcm

    import numpy as np

    labels = [tuple(truth[at] for at in places) for truth in results.truths]
    actions = actions_of(option)
    worths = [_worths(option, labels, action) for action in actions]
    unit = lcm(
        *(value.denominator for of in worths for values in of for value in values),
        *(bonus.pays.net.denominator for bonus in option.bonus),
    )
    values = np.stack([_valued(results, of, unit) for of in worths])
    forms, fared = results.forms, results.fared
    if own is None:
        own = np.full(len(forms.sizes), NO_BONUS)
    for number, action in enumerate(actions):
        if option.bonus and not action.folded:
            values[number] += _bonuses(option, results, own, unit)
    chosen = forms.own
    if strategy is Strategy.OPTIMAL:
        chosen = _best(values.max(axis=0), forms.first, forms.sizes)
    acts = values[:, chosen].argmax(axis=0)
    ended: Counter[tuple[Action, Truths, Outcome, HandBonus | None]] = Counter()
    for place, truths in enumerate(labels):
        won, lost = fared[chosen, place, 0], fared[chosen, place, 1]
        every = fared[forms.first[1:] - 1, place, 0]
        for (number, action), (paid, bonus) in product(
            enumerate(actions), ((NO_BONUS, None), *enumerate(option.bonus))
        ):
            some = (acts == number) & (own == paid)
            win, lose, total = (int(pairs[some].sum()) for pairs in (won, lost, every))
            ended[action, truths, Outcome.WIN, bonus] += win
            ended[action, truths, Outcome.LOSE, bonus] += lose
            ended[action, truths, Outcome.PUSH, bonus] += total - win - lose
    return ended


def _own_bonus(option: MainWager, hands: HandRules) -> "Integers | None":
    """Return of every form the place of the bonus that its hands are paid; None without any."""
    import numpy as np

    from certify.engine.second.forms import ground_of, labels_of

    if not option.bonus:
        return None
    ground = ground_of(hands, hands.shape.cards)
    labels, truths = labels_of(ground, hands, [bonus.when for bonus in option.bonus])
    first = [truth.index(True) if True in truth else NO_BONUS for truth in truths]
    return np.array(first, dtype=np.int64)[labels]


def _bonuses(option: MainWager, results: "HandResults", own: "Integers", unit: int) -> "Integers":
    """Return what bonuses add to the worth of every split, in whole units."""
    import numpy as np

    forms = results.forms
    pays = np.array([*(int(bonus.pays.net * unit) for bonus in option.bonus), 0], dtype=np.int64)
    every = results.fared[forms.first[1:] - 1, :, 0].sum(axis=1)
    return np.repeat(pays[own] * every, np.diff(forms.first))


def _worths(
    option: MainWager, labels: Sequence[Truths], action: Action
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return what a win and a loss are worth beside a push, and what a push is worth itself."""
    worths = []
    for truths in labels:
        win, push, lose = (
            row_of(option, truths, result, action)[1]
            for result in (Outcome.WIN, Outcome.PUSH, Outcome.LOSE)
        )
        worths.append((win - push, lose - push, push))
    return worths


def _valued(
    results: "HandResults", worths: Sequence[tuple[Fraction, Fraction, Fraction]], unit: int
) -> "Integers":
    """Return the worth of every split in whole units, summed over the hands of its form."""
    import numpy as np

    fared, forms = results.fared, results.forms
    value = np.zeros(len(fared), dtype=np.int64)
    for place, (win, lose, push) in enumerate(worths):
        value += int(win * unit) * fared[:, place, 0] + int(lose * unit) * fared[:, place, 1]
        if push:
            every = fared[forms.first[1:] - 1, place, 0]
            value += int(push * unit) * np.repeat(every, np.diff(forms.first))
    return value


def _best(value: "Integers", first: "Integers", sizes: "Integers") -> "Integers":
    """Return for every form the first split of the greatest value among its best splits."""
    import numpy as np

    chosen = first[:-1].copy()
    for step in range(1, int(sizes.max())):
        other = np.minimum(first[:-1] + step, first[1:] - 1)
        better = (step < sizes) & (value[other] > value[chosen])
        chosen[better] = other[better]
    return chosen


def second_paytable(
    paytable: Paytable,
    events: Mapping[str, Event],
    *,
    hands: HandRules,
    order: Sequence[int],
    progress: "Progress | None" = None,
) -> Counted:
    """Count a paytable on both hands a second time; ``order`` tries its rows.

    Raises:
        NotConfigured: an event names suits.
        InvariantBroken: the counts do not sum to the number of pairs.
    """
    from certify.engine.second.count import label_pairs

    deals = [
        (place, deal) for place, row in enumerate(paytable.rows) for deal in events[row.event].deals
    ]
    pairs = label_pairs(
        hands,
        paytable.cards,
        [deal.dealer for _, deal in deals],
        [deal.player for _, deal in deals],
        progress=progress,
    )
    counts = dict.fromkeys([*(row.event for row in paytable.rows), ALL_OTHER], 0)
    for (dealer, player), number in pairs.items():
        both = zip(deals, dealer, player, strict=True)
        held = {row for (row, _), theirs, mine in both if theirs and mine}
        place = next((row for row in order if row in held), None)
        counts[ALL_OTHER if place is None else paytable.rows[place].event] += number
    if len(counts) != len(paytable.rows) + 1:
        raise InvariantBroken(f"Two rows of {paytable.target} are of one event.")
    return Counted(rows=counts)
