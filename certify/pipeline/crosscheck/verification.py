"""The recount of every figure that is filed, by code that shares only the declared rules.

One hand is counted again for each submission. A count of two hands is made once and stored
(`certify.pipeline.crosscheck.second_counts`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from certify.engine.joint_tables import merge_paytables
from certify.errors import NotConfigured
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.comparison import NOT_COUNTED, NOT_COVERED, CrossCheck
from certify.model.condition import Event
from certify.model.encoding import Progress
from certify.model.game import Game
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.paytable import HandOf, Paytable
from certify.model.submission import CountOrigin, Filing
from certify.pipeline.crosscheck.recounted import recount_one_hand, refuse_uncovered
from certify.pipeline.crosscheck.second_counts import (
    EXACT,
    compared_option,
    compared_paytable,
    find_count,
    first_counts,
    refuse_differing,
    shares_compared,
)
from certify.pipeline.play import Play
from certify.pipeline.progress import Work, about
from certify.pipeline.targets import Record


def cross_checks(
    filing: Filing,
    mains: Iterable[Analysis],
    *,
    house_way: HouseWay | None,
    progress: Progress | None = None,
) -> tuple[CrossCheck, ...]:
    """Return a second derivation of everything that is filed.

    Verification counts of two hands are those stored with the declared data; if there is none, or
    nobody here made it, the check says so.

    Args:
        filing: the filing.
        mains: the main wager in every printed option and strategy.
        house_way: the dealer's house way.
        progress: receives the progress of a recount.

    Raises:
        CountsDiffer: a verification count differs from the first count.
    """
    game, catalog = filing.game, filing.catalog
    options = {option.target: option for option in game.options}
    checks = [
        _kept_option(catalog, main, options[main.target], game, house_way)
        for main in mains
        if house_way is not None
    ]
    for paytable in filing.paytables:
        if paytable.hand is HandOf.BOTH or lacks_verification_count(paytable, catalog.events):
            checks.append(_kept_paytable(catalog, paytable, game))
        else:
            checks.append(
                recount_paytable(paytable, events=catalog.events, game=game, progress=progress)
            )
    refuse_differing(checks)
    return tuple(_mark_origin(check, filing.provenance.counts) for check in checks)


def _mark_origin(check: CrossCheck, origins: Mapping[str, CountOrigin]) -> CrossCheck:
    """Return a check marked if nobody here made its verification count."""
    if check.digest is None:
        return check
    origin = origins.get(check.digest, CountOrigin.DECLARED)
    return replace(check, declared=origin is CountOrigin.DECLARED)


def _kept_option(
    catalog: Catalog, main: Analysis, option: MainWager, game: Game, house_way: HouseWay
) -> CrossCheck:
    strategy = main.main.strategy if main.main is not None else game.strategy
    play = Play(option=option, game=game, house_way=house_way, strategy=strategy)
    second = find_count(catalog, play, game)
    if second is not None:
        return compared_option(main, second)
    if not game.hands.shape.is_divided:
        return _uncounted_check(option, covered=_is_covered(option, game))
    return replace(_uncounted_check(option), house_way=house_way.id, strategy=strategy)


def _kept_paytable(catalog: Catalog, paytable: Paytable, game: Game) -> CrossCheck:
    once = lacks_verification_count(paytable, catalog.events)
    second = None if once else find_count(catalog, paytable, game)
    if second is None:
        return _uncounted_check(paytable, covered=not once)
    return compared_paytable(catalog, paytable, second, game=game)


def _uncounted_check(record: Record, *, covered: bool = True) -> CrossCheck:
    method = NOT_COUNTED if covered else NOT_COVERED
    return CrossCheck(target=record.target, method=method, rounds=0, comparisons=())


def _is_covered(option: MainWager, game: Game) -> bool:
    """Return True if `certify crosscheck` counts an option."""
    try:
        refuse_uncovered((option,), game)
    except NotConfigured:
        return False
    return True


def lacks_verification_count(paytable: Paytable, events: Mapping[str, Event]) -> bool:
    """Return True if a paytable has no verification count: hands are set or compared."""
    asked = [events[row.event] for row in paytable.rows]
    return any(event.needs_set_hand or event.compares for event in asked)


def recount_paytable(
    paytable: Paytable,
    *,
    events: Mapping[str, Event],
    game: Game,
    progress: Progress | None = None,
) -> CrossCheck:
    """Compare a one-hand paytable's counts with those of the recount."""
    listener = about(progress, Work.COUNTING_AGAIN, paytable.target)
    other = recount_one_hand(paytable, events, game, listener)
    paytable, events = merge_paytables(paytable, events, hands=game.hands)
    exact = first_counts(paytable, events, game.hands)
    return CrossCheck(
        target=paytable.target,
        method=EXACT,
        rounds=sum(exact.values()),
        comparisons=shares_compared(exact, other),
    )
