"""Crosscheck: a second derivation of the figures of a target or of a submission.

Its code shares only the declared rules with the first one. One hand is counted again each time. A
count of two hands is made once and stored (`certify.figures.second_counts`).
"""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from msgspec.structs import replace

from certify import library
from certify.errors import NotConfigured
from certify.figures.evaluate import HouseWayId, resolve_house_way, resolve_strategy
from certify.figures.findings import differing
from certify.figures.play import Play
from certify.figures.provenance import find_origin, find_program
from certify.figures.second_counts import (
    compared_option,
    compared_paytable,
    count_options,
    count_paytable,
    find_count,
    is_covered,
    keep,
    recount_paytables,
    refuse_differing,
)
from certify.figures.targets import Record, Selection, select_sound
from certify.formatting import ROUNDING
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.comparison import NOT_COUNTED, NOT_COVERED, CrossCheck, SecondCount
from certify.model.encoding import Progress, encode_exact, encode_object, pick_values
from certify.model.finding import Finding
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.paytable import HandOf, Paytable
from certify.model.request import Request, Result, Target, argument, option
from certify.model.submission import CountOrigin, Filing

BANKED = "banked_"
"""Before the name of a row of the rounds that a player banks."""


class CrosscheckRequest(Request, frozen=True, kw_only=True):
    """Target of `certify crosscheck`, recounts, and the play of a main wager.

    Attributes:
        again: recount wagers on two hands even if a count is stored.
        store: recount them, and store the counts if all agree.
    """

    target: Annotated[Target, argument("GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file.")]
    again: Annotated[
        bool, option("Recount wagers on two hands even if a count is stored (minutes).")
    ] = False
    store: Annotated[
        bool, option("Recount; if all counts agree, store those of two hands with the game.")
    ] = False
    house_way: HouseWayId = None
    strategy: Annotated[Strategy | None, option("Player strategy.")] = None
    progress: Progress | None = None


class CrosscheckResult(Result, frozen=True, kw_only=True):
    """Results of a crosscheck, findings, checked files, and the file of stored counts."""

    checks: tuple[CrossCheck, ...]
    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    kept: Path | None = None

    @property
    def agrees(self) -> bool:
        """True if every recount agrees."""
        return all(check.agrees for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify crosscheck --format json``."""
        return encode_object({"results": [_check_json(check) for check in self.checks]})


def _check_json(check: CrossCheck) -> dict[str, Any]:
    """Return one check as JSON: shares exact and rounded."""
    played = pick_values(check, "house_way", "strategy") if check.strategy else {}
    count = (
        pick_values(check, "counted", "version", "recount", "digest", "declared")
        if check.counted
        else {}
    )
    return {
        **pick_values(check, "target", "method", "rounds", "agrees"),
        "rounding": ROUNDING,
        "comparisons": [
            {
                "event": row.event,
                **encode_exact("exact", row.exact),
                **encode_exact("other", row.other),
                **encode_exact("difference", row.other - row.exact),
                "agrees": row.agrees,
            }
            for row in check.comparisons
        ],
        **played,
        **count,
    }


def crosscheck(request: CrosscheckRequest) -> CrosscheckResult:
    """Derive the figures of every record of a target a second time.

    Raises:
        NotConfigured: there is nothing to check, or the method does not fit the target.
    """
    selection = select_sound(request.target)
    if not selection.records:
        raise NotConfigured(
            "There is no paytable to recount.",
            remedy="Choose a wager that has a paytable.",
        )
    if request.store:
        request = replace(request, again=True)
    folder = _receiving(selection.game.id) if request.store else None
    run = _Run(selection, request)
    checks = tuple(check for _, record in selection.records for check in run.checks(record))
    written = None
    if folder is not None and run.counted and all(check.agrees for check in checks):
        written = keep(selection.game, run.counted, folder)
    catalog = selection.catalog
    return CrosscheckResult(
        checks=checks,
        findings=tuple(differing(catalog, checks)),
        checked=tuple(catalog.documents[record.target].path for _, record in selection.records),
        kept=written,
    )


def _receiving(game: str) -> Path:
    """Return the folder of declared data that stores the verification counts of a game."""
    if library.find_declared(f"{game}/game.json") is None:
        raise NotConfigured(
            f"{game} is not in a project or library, so its counts cannot be stored.",
            remedy="Put the game into a project; `certify init` creates one.",
        )
    return library.own_paytables()


class _Run:
    """One run over the records of a target: options of a game are counted in one pass."""

    def __init__(self, selection: Selection, request: CrosscheckRequest) -> None:
        self.selection, self.request = selection, request
        self.counted: list[SecondCount] = []

    @cached_property
    def on_one_hand(self) -> dict[str, CrossCheck]:
        """The second derivations of the paytables on one hand, by target."""
        checks = recount_paytables(
            self.selection.catalog,
            [table for _, table in self.selection.tables if table.hand is not HandOf.BOTH],
            game=self.selection.game,
            house_way=self.request.house_way,
            progress=self.request.progress,
        )
        return {check.target: check for check in checks}

    def checks(self, record: Paytable | MainWager) -> tuple[CrossCheck, ...]:
        """Return the second derivations of one record."""
        if isinstance(record, MainWager):
            return self._option(record)
        return (self._paytable(record),)

    def _paytable(self, paytable: Paytable) -> CrossCheck:
        catalog, game, request = self.selection.catalog, self.selection.game, self.request
        way, progress = request.house_way, request.progress
        if paytable.hand is not HandOf.BOTH:
            return self.on_one_hand[paytable.target]
        declared = None if request.again else find_count(catalog, paytable, game, way)
        second = declared or count_paytable(catalog, paytable, house_way=way, progress=progress)
        check = compared_paytable(catalog, paytable, second, game=game, house_way=way)
        if declared is not None:
            return _mark_origin(check, find_origin(declared, game.id))
        self.counted.append(second)
        return check

    def _option(self, option: MainWager) -> tuple[CrossCheck, ...]:
        game, request = self.selection.game, self.request
        way = resolve_house_way(self.selection.catalog, game, request.house_way)
        strategy = resolve_strategy(game, request.strategy)
        play = Play(option=option, game=game, house_way=way, strategy=strategy)
        one = request.strategy or not request.again or not game.hands.shape.is_divided
        strategies = [strategy] if one else list(Strategy)
        return tuple(self._exact(replace(play, strategy=strategy)) for strategy in strategies)

    def _exact(self, play: Play) -> CrossCheck:
        again = self.request.again
        declared = None if again else find_count(self.selection.catalog, play, play.game)
        second, analysis = declared or self._count(play), play.evaluate()
        check = compared_option(analysis, second)
        if declared is not None:
            check = _mark_origin(check, find_origin(declared, play.game.id))
        bank = analysis.main and analysis.main.bank
        if not bank or not again:
            return check
        banked = replace(analysis, rows=bank.rows, house_edge=bank.house_edge)
        recount = compared_option(
            banked, _make_second_count(play, self._counts([play.option], play, banked=True))
        )
        rows = (replace(row, event=f"{BANKED}{row.event}") for row in recount.comparisons)
        return replace(check, comparisons=(*check.comparisons, *rows))

    def _count(self, play: Play) -> SecondCount:
        """Count the chosen options with each way to set the hand, once."""
        if not any(count.target == play.option.target for count in self.counted):
            records = (record for _, record in self.selection.records)
            options = [record for record in records if isinstance(record, MainWager)]
            self.counted += self._counts(options, play)
        return _make_second_count(play, self.counted)

    def _counts(
        self, options: list[MainWager], play: Play, *, banked: bool = False
    ) -> tuple[SecondCount, ...]:
        return count_options(
            self.selection.catalog,
            options,
            game=play.game,
            house_way=play.house_way,
            banked=banked,
            progress=self.request.progress,
        )


def _mark_origin(check: CrossCheck, origin: CountOrigin) -> CrossCheck:
    """Return a comparison with a stored count, marked if nobody here made that count."""
    declared = origin is CountOrigin.DECLARED
    return replace(check, declared=declared, recount=find_program(check, origin))


def _make_second_count(play: Play, counts: Iterable[SecondCount]) -> SecondCount:
    """Return the count of an option by a strategy."""
    return next(
        count
        for count in counts
        if count.target == play.option.target and count.strategy in (play.strategy, None)
    )


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
    way = filing.order.house_way
    on_one_hand = [
        paytable
        for paytable in filing.paytables
        if paytable.hand is not HandOf.BOTH and is_covered(catalog, paytable.target)
    ]
    recounted = {
        check.target: check
        for check in recount_paytables(
            catalog, on_one_hand, game=game, house_way=way, progress=progress
        )
    }
    for paytable in filing.paytables:
        again = recounted.get(paytable.target)
        checks.append(again or _kept_paytable(catalog, paytable, game, way))
    refuse_differing(checks)
    origins = filing.provenance.counts
    return tuple(
        check
        if check.digest is None
        else _mark_origin(check, origins.get(check.digest, CountOrigin.DECLARED))
        for check in checks
    )


def _kept_option(
    catalog: Catalog, main: Analysis, option: MainWager, game: Game, house_way: HouseWay
) -> CrossCheck:
    strategy = main.main.strategy if main.main is not None else game.strategy
    play = Play(option=option, game=game, house_way=house_way, strategy=strategy)
    second = find_count(catalog, play, game)
    if second is not None:
        return compared_option(main, second)
    check = _uncounted_check(catalog, option)
    if not game.hands.shape.is_divided:
        return check
    return replace(check, house_way=house_way.id, strategy=strategy)


def _kept_paytable(
    catalog: Catalog, paytable: Paytable, game: Game, house_way: str | None
) -> CrossCheck:
    second = find_count(catalog, paytable, game, house_way)
    if second is None:
        return _uncounted_check(catalog, paytable)
    return compared_paytable(catalog, paytable, second, game=game, house_way=house_way)


def _uncounted_check(catalog: Catalog, record: Record) -> CrossCheck:
    method = NOT_COUNTED if is_covered(catalog, record.target) else NOT_COVERED
    return CrossCheck(target=record.target, method=method, rounds=0, comparisons=())
