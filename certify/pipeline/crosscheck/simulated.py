"""Figures beside those of rounds that are dealt and settled one by one; in no filing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Final

from certify.engine.bonus.evaluate import ALL_OTHER
from certify.engine.bonus.joint import joint
from certify.engine.hands.awards import award_order
from certify.engine.hands.conditions import find
from certify.engine.second.simulation import award_rounds, play_rounds
from certify.errors import InvariantBroken, NotConfigured
from certify.model.analysis import Analysis
from certify.model.audit import Comparison, CrossCheck
from certify.model.condition import Event
from certify.model.game import Game
from certify.model.main_wager import MainWager, Outcome, OutcomeReason
from certify.model.paytable import Paytable
from certify.model.progress import Progress
from certify.pipeline.crosscheck.second_counts import first_counts
from certify.pipeline.crosscheck.tails import normal_tail, two_sided
from certify.pipeline.figures.play import Play

SIMULATION: Final = "simulation"

SEED: Final = 20_260_101

LEVEL: Final = Fraction(1, 1000)
"""A simulation of correct tables differs less often than this, all its rows taken together."""

PLACES: Final = 18
"""Decimals of a standard error; the integer square root is exact to the last of them."""

RESULTS: Final = (Outcome.LOSE, Outcome.PUSH, Outcome.WIN)


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
    paytable, events = joint(paytable, events, hands=game.hands)
    exact = first_counts(paytable, events, game.hands)
    names = [paytable.rows[place].event for place in award_order(paytable, events)]
    dealt = award_rounds(
        find(events, names),
        hands=game.hands,
        cards=paytable.cards,
        rounds=rounds,
        seed=seed,
        progress=progress,
    )
    shares = {name: Fraction(exact[name], sum(exact.values())) for name in (*names, ALL_OTHER)}
    return CrossCheck(
        target=paytable.target,
        method=SIMULATION,
        rounds=rounds,
        seed=seed,
        comparisons=tuple(
            _simulated(name, share, seen, rounds, rows=len(shares))
            for (name, share), seen in zip(shares.items(), dealt, strict=True)
        ),
    )


def simulate_option(
    play: Play, *, rounds: int, seed: int = SEED, progress: Progress | None = None
) -> CrossCheck:
    """Compare a main wager's outcomes with those of played rounds, and its edge without a raise.

    All options of a game are settled on the same rounds. Which hands gain by a raise is not
    simulated: rounds with and without it are taken together (see `enumerate_option`).

    Raises:
        NotConfigured: the player would need the best play against a dealer that is not seen, or may
            fold.
    """
    option, game = play.option, play.game
    if play.blind:
        raise NotConfigured(
            "The best play against a dealer's hand that is not seen cannot be simulated.",
            remedy="Use --method exact, or --strategy house-way.",
        )
    if option.raise_ is not None and option.raise_.fold is not None:
        raise NotConfigured(
            f"{option.target} lets a player fold, and which hands are folded is not simulated.",
            remedy="Use --method exact.",
        )
    if option.bonus:
        raise NotConfigured(
            f"{option.target} pays a bonus for the own hand, which is not simulated.",
            remedy="Use --method exact.",
        )
    analysis = play.evaluated()
    options = game.options if option in game.options else (option,)
    conditions = [rule.when for option in options for rule in option.dealer_rules]
    start = sum(len(before.dealer_rules) for before in options[: options.index(option)])
    played = play_rounds(
        game.hands,
        play.house_way,
        conditions,
        optimal=play.optimal,
        ties=option.ties,
        rounds=rounds,
        seed=seed,
        progress=progress,
    )
    seen: Counter[str] = Counter()
    for (truths, result), number in played.results.items():
        seen[outcome_reason(option, truths[start:], result).key] += number
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


def outcome_reason(
    option: MainWager,
    truths: Sequence[bool],
    result: int,
    *,
    raised: bool = False,
    qualified: bool = False,
) -> OutcomeReason:
    """Return why a round ended as it did; ``result`` is 0 lost, 1 push, 2 won."""
    rules = zip(option.dealer_rules, truths, strict=False)
    rule = next((tried for tried, holds in rules if holds), None)
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
    error = root_rounded_down(analysis.variance / rounds)
    z = (edge - analysis.house_edge) / error if error else Fraction(0)
    chance = normal_tail(z) if error else Fraction(int(edge == analysis.house_edge))
    return _judged("house_edge", analysis.house_edge, edge, (error, z, chance), rows=rows)


def _simulated(event: str, exact: Fraction, hits: int, rounds: int, *, rows: int) -> Comparison:
    """Compare a share with hits in rounds; the standard error is that of the exact share."""
    error = root_rounded_down(exact * (1 - exact) / rounds)
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


def root_rounded_down(value: Fraction) -> Fraction:
    """Return the square root of ``value`` >= 0, rounded down at the last of 18 decimals."""
    scale = 10 ** (2 * PLACES)
    return Fraction(isqrt(value.numerator * scale // value.denominator), 10**PLACES)
