"""Crosscheck: a second, independent derivation of everything that a target names."""

from collections.abc import Callable

from certify.errors import NotConfigured
from certify.model.audit import CrossCheck
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.model.paytable import HandOf, Paytable
from certify.pipeline.evaluate import house_way_of
from certify.pipeline.small_decks import enumerate_option
from certify.pipeline.targets import Selection, select
from certify.pipeline.verification import (
    EXHAUSTIVE,
    SEED,
    SIMULATION,
    simulate_option,
    simulate_paytable,
    walk_paytable,
)

Progress = Callable[[int, int], None]

ROUNDS = 1_000_000


def crosscheck(
    target: str,
    *,
    method: str | None = None,
    rounds: int = ROUNDS,
    seed: int = SEED,
    house_way: str | None = None,
    strategy: Strategy | None = None,
    progress: Progress | None = None,
) -> tuple[CrossCheck, ...]:
    """Derive the figures of every record of a target a second time.

    Without a method, one hand is walked over every hand of the deck, and two hands are simulated.

    Raises:
        NotConfigured: there is nothing to check, or the method does not fit the target.
    """
    selection = select(target)
    if not selection.records:
        raise NotConfigured(
            "There is no paytable to check a second time.",
            remedy="Choose a wager that has a paytable.",
        )
    checks: list[CrossCheck] = []
    for _, record in selection.records:
        if isinstance(record, MainWager):
            chosen = method or SIMULATION
            checks += _option(
                selection,
                record,
                method=chosen,
                rounds=rounds,
                seed=seed,
                house_way=house_way,
                strategy=strategy,
                progress=progress,
            )
        else:
            checks.append(
                _paytable(
                    selection, record, method=method, rounds=rounds, seed=seed, progress=progress
                )
            )
    return tuple(checks)


def _paytable(
    selection: Selection,
    paytable: Paytable,
    *,
    method: str | None,
    rounds: int,
    seed: int,
    progress: Progress | None,
) -> CrossCheck:
    events, game = selection.catalogue.events, selection.game
    chosen = method or (SIMULATION if paytable.hand is HandOf.BOTH else EXHAUSTIVE)
    if chosen == EXHAUSTIVE:
        return walk_paytable(paytable, events=events, game=game, progress=progress)
    return simulate_paytable(
        paytable, events=events, game=game, rounds=rounds, seed=seed, progress=progress
    )


def _option(
    selection: Selection,
    option: MainWager,
    *,
    method: str,
    rounds: int,
    seed: int,
    house_way: str | None,
    strategy: Strategy | None,
    progress: Progress | None,
) -> tuple[CrossCheck, ...]:
    game = selection.game
    way = house_way_of(selection.catalogue, game, house_way)
    played = strategy or game.strategy
    if method == EXHAUSTIVE:
        return enumerate_option(
            option, game=game, house_way=way, strategy=played, progress=progress
        )
    return (
        simulate_option(
            option,
            game=game,
            house_way=way,
            strategy=played,
            rounds=rounds,
            seed=seed,
            progress=progress,
        ),
    )
