"""The main wager: one option, counted over every deal.

The dealer sets by the house way. The player sets by a house way, the same or another, or as well
as what the player sees allows: the dealer's set hand where it is exposed, only the own cards where
it is not.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from certify import __version__
from certify.engine.main.assumptions import assumptions
from certify.engine.main.counts import outcome_counts
from certify.engine.main.outcomes import OutcomeCounts, staked
from certify.errors import InvariantBroken, NotConfigured
from certify.model.analysis import Analysis, Input, MainAnalysis, RowAnalysis
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, Outcome
from certify.model.progress import Progress


def evaluate(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    inputs: Sequence[Input] = (),
    player: HouseWay | None = None,
    beside: HouseWay | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Evaluate one option of a main wager exactly, per unit of the main wager.

    ``player`` is the house way of a player whose strategy is one; the dealer's if None. ``beside``
    is a house way whose counts are kept: by another one, only what differs is counted.

    A prepaid commission is part of what is staked: returns are per unit of wager and commission.
    With a raise, returns are per unit of the first wager, and the element of risk per unit of all
    that is wagered.

    Raises:
        NotConfigured: the house way does not fit the game, or is not sound.
        InvariantBroken: the outcomes do not sum to the number of deals.
    """
    for way in (house_way, player or house_way):
        _refuse_another_size(way, game)
    counts = outcome_counts(
        option,
        game=game,
        house_way=house_way,
        strategy=strategy,
        player=player,
        beside=beside,
        progress=progress,
    )
    rows = _rows(option, counts)
    if sum(row.combinations for row in rows) != _deals(game):
        raise InvariantBroken("The outcomes do not sum to the number of deals.")
    edge = -sum((row.contribution for row in rows), Fraction(0))
    wagered = _average_wager(option, counts)
    outcomes = _outcomes(rows, counts)
    return Analysis(
        target=option.target,
        game=option.game,
        wager=option.wager,
        paytable=option.id,
        total=counts.total,
        rows=rows,
        hit_frequency=Fraction(outcomes[Outcome.WIN], counts.total),
        assumptions=assumptions(
            option, game=game, house_way=house_way, strategy=strategy, player=player
        ),
        inputs=tuple(inputs),
        engine_version=__version__,
        return_to_player=1 - edge,
        house_edge=edge,
        variance=sum(
            (
                row.probability * (row.contribution / row.probability) ** 2
                for row in rows
                if row.combinations
            ),
            Fraction(0),
        )
        - edge**2,
        top_award=max(row.contribution / row.probability for row in rows if row.combinations),
        main=MainAnalysis(
            outcomes={str(name): count for name, count in outcomes.items()},
            house_way=house_way.id,
            strategy=strategy,
            dealer_rule_hands=counts.uses,
            average_wager=wagered,
            element_of_risk=edge / wagered if wagered is not None else None,
            costly_hands=counts.costly_hands,
        ),
    )


def _refuse_another_size(way: HouseWay, game: Game) -> None:
    """Refuse a house way for other hands than the game deals.

    Raises:
        NotConfigured: it does not fit.
    """
    shape = game.hands.shape
    if (way.cards, way.front) != (shape.cards, shape.front):
        raise NotConfigured(
            f"The house way {way.id!r} sets {way.cards} cards with {way.front} "
            f"in front; {game.name} deals {shape.cards} and sets {shape.front} in front.",
            remedy=f"Choose one of: {', '.join(game.house_ways)}.",
        )


def _rows(option: MainWager, counts: OutcomeCounts) -> tuple[RowAnalysis, ...]:
    """Return one row for each way a round can end, in the order of the counts."""
    rows = []
    for outcome in counts.outcomes:
        probability = Fraction(outcome.deals, counts.total)
        rows.append(
            RowAnalysis(
                event=outcome.reason.key,
                name=outcome.name,
                pays=outcome.pays,
                combinations=outcome.deals,
                probability=probability,
                contribution=probability * outcome.net / staked(option),
                reason=outcome.reason,
            )
        )
    return tuple(rows)


def _outcomes(rows: Sequence[RowAnalysis], counts: OutcomeCounts) -> Mapping[Outcome, int]:
    """Return the sums over reasons: every round is won, pushed or lost."""
    sums = dict.fromkeys(Outcome, 0)
    for row, outcome in zip(rows, counts.outcomes, strict=True):
        sums[outcome.reason.outcome] += row.combinations
    return sums


def _deals(game: Game) -> int:
    """Return the number of ordered pairs of disjoint hands."""
    deck, hand = game.hands.deck.cards, game.hands.shape.cards
    return comb(deck, hand) * comb(deck - hand, hand)


def _average_wager(option: MainWager, counts: OutcomeCounts) -> Fraction | None:
    """Return what is wagered in a round on average, where there is a raise."""
    if option.raise_ is None:
        return None
    raised = sum(outcome.deals for outcome in counts.outcomes if outcome.reason.raised)
    return 1 + option.raise_.size * Fraction(raised, counts.total)
