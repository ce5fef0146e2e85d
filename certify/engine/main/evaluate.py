"""The main wager: one option, counted over every deal.

The dealer sets by the house way. The player sets by a house way, the same or another, or as well
as what the player sees allows: the dealer's set hand where it is exposed, only the own cards where
it is not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import comb

from certify import __version__
from certify.engine.main.assumptions import assumptions
from certify.engine.main.counts import outcome_counts
from certify.engine.main.outcomes import OutcomeCounts, staked
from certify.errors import InvariantBroken, NotConfigured
from certify.model.analysis import (
    Analysis,
    BankAnalysis,
    EdgeAtWager,
    Input,
    MainAnalysis,
    RowAnalysis,
)
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, Outcome, Tie
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
        InvariantBroken: the outcomes do not sum to the number of deals, or a tie is of a low hand
            that there is not.
    """
    for way in (house_way, player or house_way):
        _refuse_another_size(way, game)
    _refuse_two_hands(option, game)
    count = partial(
        outcome_counts,
        game=game,
        house_way=house_way,
        strategy=strategy,
        player=player,
        beside=beside,
        progress=progress,
    )
    counts = count(option)
    rows = _rows(option, counts)
    if sum(row.combinations for row in rows) != _deals(game):
        raise InvariantBroken("The outcomes do not sum to the number of deals.")
    edge = _edge(rows)
    main = _main(option, counts, rows, house_way, strategy)
    return Analysis(
        target=option.target,
        game=option.game,
        wager=option.wager,
        paytable=option.id,
        total=counts.total,
        rows=rows,
        hit_frequency=Fraction(main.outcomes[Outcome.WIN], counts.total),
        assumptions=assumptions(
            option, game=game, house_way=house_way, strategy=strategy, player=player
        ),
        inputs=tuple(inputs),
        engine_version=__version__,
        return_to_player=1 - edge,
        house_edge=edge,
        variance=_variance(rows, edge),
        top_award=max(row.contribution / row.probability for row in rows if row.combinations),
        main=replace(
            main,
            by_wager=tuple(
                EdgeAtWager(wager_cents=cents, house_edge=_edge(_rows(other, count(other))))
                for cents in _deciding_wagers(option, game, strategy)
                for other in [option.at(cents)]
            ),
            bank=_bank(option, edge, count),
        ),
    )


def _main(
    option: MainWager,
    counts: OutcomeCounts,
    rows: Sequence[RowAnalysis],
    house_way: HouseWay,
    strategy: Strategy,
) -> MainAnalysis:
    wagered = _average_wager(option, counts)
    return MainAnalysis(
        outcomes={str(name): count for name, count in _outcomes(rows, counts).items()},
        house_way=house_way.id,
        strategy=strategy,
        dealer_rule_hands=counts.uses if house_way.id else (),
        average_wager=wagered,
        element_of_risk=_edge(rows) / wagered if wagered is not None else None,
        costly_hands=counts.costly_hands,
    )


def _bank(
    option: MainWager, edge: Fraction, count: Callable[[MainWager], OutcomeCounts]
) -> BankAnalysis | None:
    """Return the rounds that a player banks; ``edge`` is of those that the dealer banks."""
    if option.bank is None:
        return None
    rows, share = _rows(option.banked, count(option.banked)), option.bank.share
    return BankAnalysis(
        share=share,
        rows=rows,
        house_edge=_edge(rows),
        combined_edge=(1 - share) * edge + share * _edge(rows),
    )


def _refuse_two_hands(option: MainWager, game: Game) -> None:
    """Refuse ties of a low hand where there is none: reading the game's files leaves none.

    Raises:
        InvariantBroken: a tie of low hands would decide something.
    """
    none = replace(option.ties, low=Tie.OTHER_HAND, both_push=False)
    if not game.hands.shape.divided and option.ties != none:
        raise InvariantBroken(f"{option.target} has ties of a low hand, and there is no low hand.")


def _variance(rows: Sequence[RowAnalysis], edge: Fraction) -> Fraction:
    squares = (
        row.probability * (row.contribution / row.probability) ** 2
        for row in rows
        if row.combinations
    )
    return sum(squares, Fraction(0)) - edge**2


def _edge(rows: Sequence[RowAnalysis]) -> Fraction:
    return -sum((row.contribution for row in rows), Fraction(0))


def _deciding_wagers(option: MainWager, game: Game, strategy: Strategy) -> tuple[int, ...]:
    """Return the wagers, rising, at which the house edge is given beside the one that is counted.

    None where every hand is set and raised as is best for it: that may differ from wager to wager.
    """
    best = strategy is Strategy.OPTIMAL and not game.dealer_exposed
    if not option.depends_on_wager or option.raise_ is not None or best:
        return ()
    least = [wager.minimum_cents or 0 for wager in game.wagers if wager.id == option.wager]
    return tuple(
        cents
        for cents in sorted(
            {option.wager_cents or 0, *option.deciding_wagers, *filter(None, least)}
        )
        if cents and (option.fee is None or option.fee.of(cents) is not None)
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
    raised = option.raise_
    if raised is None:
        return None
    wagered = sum(
        outcome.deals * (raised.largest or raised.size if outcome.reason.largest else raised.size)
        for outcome in counts.outcomes
        if outcome.reason.raised
    )
    return 1 + Fraction(wagered, counts.total)
