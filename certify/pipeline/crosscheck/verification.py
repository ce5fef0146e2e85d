"""A second derivation of every figure that is filed, by code that shares only data and rules.

One hand: the walk over every hand of the deck. Two hands: a second exact count, made once and kept
(`certify.pipeline.crosscheck.second_counts`). Beside them, and in no filing: rounds that are dealt
and settled one by one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Final

from certify.engine.bonus.evaluate import ALL_OTHER
from certify.engine.hands.awards import award_order, row_counts
from certify.engine.hands.conditions import find
from certify.engine.main import evaluate as base_game
from certify.engine.second.exhaustive import exhaustive_counts
from certify.engine.second.simulation import award_rounds, play_rounds
from certify.errors import InvariantBroken, NotConfigured
from certify.model.analysis import Analysis
from certify.model.audit import Comparison, CrossCheck
from certify.model.catalogue import Catalogue
from certify.model.condition import Event
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, Outcome, OutcomeReason
from certify.model.paytable import HandOf, Paytable
from certify.model.progress import Progress
from certify.pipeline.crosscheck.second_counts import (
    compared_option,
    compared_paytable,
    kept_option,
    kept_paytable,
    refuse_differing,
)
from certify.pipeline.crosscheck.tails import normal_tail, two_sided

if TYPE_CHECKING:
    from certify.pipeline.filing import Filing

EXHAUSTIVE: Final = "exhaustive"
SIMULATION: Final = "simulation"
NOT_COUNTED: Final = "not counted"
"""The method of a wager on two hands of which no second count is kept."""

SEED: Final = 20_260_101
LEVEL: Final = Fraction(1, 1000)
"""A simulation of correct tables differs less often than this, all its rows taken together."""

PLACES: Final = 18
"""Decimals of a standard error; the integer square root is exact to the last of them."""

RESULTS: Final = (Outcome.LOSE, Outcome.PUSH, Outcome.WIN)


def cross_checks(
    filing: "Filing",
    mains: Iterable[Analysis],
    *,
    house_way: HouseWay,
    progress: Progress | None = None,
) -> tuple[CrossCheck, ...]:
    """Return a second derivation of everything that is filed.

    The walk is made once for each deck and kept in memory. Second counts of two hands are those
    that are kept with the declared data; where there is none, the check says so.

    Args:
        filing: what is filed.
        mains: the main wager in every option and with every strategy that is printed.
        house_way: by which the dealer sets.
        progress: is told how far a walk is.

    Raises:
        CountsDiffer: a second derivation is another one than the first.
    """
    game, catalogue = filing.game, filing.catalogue
    options = {one.target: one for wager in game.wagers for one in wager.options}
    checks = [
        _kept_check(catalogue, options[one.target], one, game=game, house_way=house_way)
        for one in mains
    ]
    for paytable in filing.paytables:
        if paytable.hand is HandOf.BOTH:
            second = kept_paytable(catalogue, paytable, game=game)
            checks.append(
                CrossCheck(target=paytable.target, method=NOT_COUNTED, rounds=0, comparisons=())
                if second is None
                else compared_paytable(catalogue, paytable, second, game=game)
            )
        else:
            checks.append(
                walk_paytable(paytable, events=catalogue.events, game=game, progress=progress)
            )
    refuse_differing(checks)
    return tuple(checks)


def _kept_check(
    catalogue: Catalogue,
    option: MainWager,
    analysis: Analysis,
    *,
    game: Game,
    house_way: HouseWay,
) -> CrossCheck:
    strategy = analysis.main.strategy if analysis.main is not None else game.strategy
    second = kept_option(catalogue, option, game=game, house_way=house_way, strategy=strategy)
    if second is not None:
        return compared_option(analysis, second)
    return CrossCheck(
        target=option.target,
        method=NOT_COUNTED,
        rounds=0,
        comparisons=(),
        house_way=house_way.id,
        strategy=strategy,
    )


def walk_paytable(
    paytable: Paytable,
    *,
    events: Mapping[str, Event],
    game: Game,
    progress: Progress | None = None,
) -> CrossCheck:
    """Compare a one-hand paytable's counts with those of the walk over every hand.

    Raises:
        NotConfigured: the wager looks at two hands.
    """
    if paytable.hand is HandOf.BOTH:
        raise NotConfigured(
            f"{paytable.target} looks at two hands, and not every pair can be walked.",
            remedy="Use --method exact.",
        )
    total, counts = row_counts(paytable, events=events, hands=game.hands)
    found = find(events, [row.event for row in paytable.rows])
    walked = exhaustive_counts(
        found,
        award_order(paytable, events),
        hands=game.hands,
        cards=paytable.cards,
        progress=progress,
    )
    names = [*(row.event for row in paytable.rows), ALL_OTHER]
    exact = [*counts, total - sum(counts)]
    other = [*walked, total - sum(walked)]
    return CrossCheck(
        target=paytable.target,
        method=EXHAUSTIVE,
        rounds=total,
        comparisons=tuple(
            _counted(name, Fraction(one, total), Fraction(two, total))
            for name, one, two in zip(names, exact, other, strict=True)
        ),
    )


def simulate_paytable(
    paytable: Paytable,
    *,
    events: Mapping[str, Event],
    game: Game,
    rounds: int,
    seed: int = SEED,
    progress: Progress | None = None,
) -> CrossCheck:
    """Compare a paytable's shares with those of dealt rounds."""
    total, counts = row_counts(paytable, events=events, hands=game.hands)
    order = award_order(paytable, events)
    found = find(events, [paytable.rows[place].event for place in order])
    dealt = award_rounds(
        found,
        hands=game.hands,
        cards=paytable.cards,
        rounds=rounds,
        seed=seed,
        progress=progress,
    )
    exact = {paytable.rows[place].event: counts[place] for place in order}
    exact[ALL_OTHER] = total - sum(counts)
    return CrossCheck(
        target=paytable.target,
        method=SIMULATION,
        rounds=rounds,
        seed=seed,
        comparisons=tuple(
            _simulated(name, Fraction(number, total), seen, rounds, rows=len(exact))
            for (name, number), seen in zip(exact.items(), dealt, strict=True)
        ),
    )


def simulate_option(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    rounds: int,
    seed: int = SEED,
    progress: Progress | None = None,
) -> CrossCheck:
    """Compare a main wager's outcomes with those of played rounds, and its edge without a raise.

    All options of a game are settled on the same rounds. Which hands gain by a raise is not
    simulated: rounds with and without it are taken together (see `enumerate_option`).

    Raises:
        NotConfigured: the player would need the best play against a dealer that is not seen.
    """
    if strategy is Strategy.OPTIMAL and not game.dealer_exposed:
        raise NotConfigured(
            "The best play against a dealer's hand that is not seen cannot be simulated.",
            remedy="Use --method exact, or --strategy house-way.",
        )
    analysis = base_game.evaluate(option, game=game, house_way=house_way, strategy=strategy)
    options = [one for wager in game.wagers for one in wager.options]
    if option not in options:
        options = [option]
    conditions = [rule.when for one in options for rule in one.dealer_rules]
    start = sum(len(one.dealer_rules) for one in options[: options.index(option)])
    played = play_rounds(
        game.hands,
        house_way,
        conditions,
        optimal=strategy is Strategy.OPTIMAL,
        rounds=rounds,
        seed=seed,
        progress=progress,
    )
    seen: Counter[str] = Counter()
    for (truths, result), number in played.results.items():
        seen[reason_of(option, truths[start:], result).key] += number
    exact = _unraised(analysis)
    rows = len(exact) + (option.raise_ is None)
    comparisons = [
        _simulated(name, share, seen[name], rounds, rows=rows) for name, share in exact.items()
    ]
    if option.raise_ is None:
        comparisons.append(_edge(analysis, seen, rounds, rows=rows))
    return CrossCheck(
        target=option.target,
        method=SIMULATION,
        rounds=rounds,
        seed=seed,
        comparisons=tuple(comparisons),
    )


def reason_of(
    option: MainWager,
    truths: Sequence[bool],
    result: int,
    *,
    raised: bool = False,
    qualified: bool = False,
) -> OutcomeReason:
    """Return why a round ended as it did; ``result`` is 0 lost, 1 push, 2 won."""
    rules = zip(option.dealer_rules, truths, strict=False)
    rule = next((one for one, holds in rules if holds), None)
    if rule is not None and rule.outcome is not None:
        return OutcomeReason(outcome=rule.outcome, rule=rule.id, compared=False, raised=raised)
    outcome = RESULTS[result]
    decided = rule.id if rule is not None and outcome is Outcome.WIN else None
    return OutcomeReason(outcome=outcome, rule=decided, raised=raised, qualified=qualified)


def _unraised(analysis: Analysis) -> dict[str, Fraction]:
    """Return the shares of the ways to end, with and without a raise taken together."""
    shares: dict[str, Fraction] = {}
    for row in analysis.rows:
        name = row.reason.unraised.key if row.reason is not None else row.event
        shares[name] = shares.get(name, Fraction(0)) + row.probability
    return shares


def _edge(analysis: Analysis, seen: Mapping[str, int], rounds: int, *, rows: int) -> Comparison:
    """Compare the house edge; its standard error follows from the exact variance."""
    if analysis.house_edge is None or analysis.variance is None:
        raise InvariantBroken(f"{analysis.target} has no house edge.")
    nets = {
        row.event: row.contribution / row.probability for row in analysis.rows if row.probability
    }
    edge = -sum((Fraction(seen[name], rounds) * net for name, net in nets.items()), Fraction(0))
    error = square_root(analysis.variance / rounds)
    z = (edge - analysis.house_edge) / error if error else Fraction(0)
    chance = normal_tail(z) if error else Fraction(int(edge == analysis.house_edge))
    return _judged("house_edge", analysis.house_edge, edge, (error, z, chance), rows=rows)


def _counted(event: str, exact: Fraction, other: Fraction) -> Comparison:
    return Comparison(event=event, exact=exact, other=other, agrees=exact == other)


def _simulated(event: str, exact: Fraction, hits: int, rounds: int, *, rows: int) -> Comparison:
    """Compare a share with hits in rounds; the standard error is that of the exact share."""
    error = square_root(exact * (1 - exact) / rounds)
    seen = Fraction(hits, rounds)
    z = (seen - exact) / error if error else Fraction(0)
    chance = two_sided(hits, rounds, exact, z)
    return _judged(event, exact, seen, (error, z, chance), rows=rows)


def _judged(
    event: str,
    exact: Fraction,
    other: Fraction,
    off: tuple[Fraction, Fraction, Fraction],
    *,
    rows: int,
) -> Comparison:
    """Judge by the probability to be so far off, which all rows of a check share out."""
    error, z, chance = off
    return Comparison(
        event=event,
        exact=exact,
        other=other,
        agrees=chance * rows >= LEVEL,
        standard_error=error,
        z=z,
        chance=chance,
    )


def square_root(value: Fraction) -> Fraction:
    """Return the square root of ``value`` >= 0, rounded down at the last of 18 decimals."""
    scale = 10 ** (2 * PLACES)
    return Fraction(isqrt(value.numerator * scale // value.denominator), 10**PLACES)
