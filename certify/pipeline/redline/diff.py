"""Diff: two paytables, games, house ways or submissions by meaning, and what filing they need."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from certify import library
from certify.errors import NotConfigured
from certify.intake.read import read_catalogue
from certify.model.cards import Deck, HandShape, JokerRule, WheelRule
from certify.model.difference import (
    Difference,
    FigureChange,
    HouseWayDifference,
    RecordDifference,
    Unit,
)
from certify.model.finding import Unfit
from certify.model.game import HandRules, Wager
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.progress import Progress
from certify.pipeline.figures.evaluate import Settings, evaluate
from certify.pipeline.redline.findings import filings_needed, findings_of
from certify.pipeline.redline.record_differences import Compared, compare_records
from certify.pipeline.redline.sides import is_submission, side
from certify.pipeline.targets import Record, Selection, select, within
from certify.worker import Limits, run

LIMITS = Limits(seconds=900, mebibytes=6144)
"""For a comparison with a PDF, whose embedded data may be hostile."""

WITH_MAIN = Limits(seconds=7200, mebibytes=16384)
"""Where main wagers are counted, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRequest:
    """What is compared, and how: ``main`` counts the main wagers too, which may take minutes."""

    before: str
    after: str
    game: str | None = None
    main: bool = False
    as_of: date
    progress: Progress | None = None


def diff(request: DiffRequest) -> Difference:
    """Compare two sides by meaning.

    A comparison with a PDF is made in a child process with limits first. Only one that keeps to
    them is made here, too.

    Raises:
        NotConfigured: a side is unknown, or the sides are not of one kind.
        Unfit: a side has errors.
        NotJudged: a comparison with a PDF reached a limit.
    """
    if is_submission(request.before) or is_submission(request.after):
        _try_in_child(request)
    return _difference(request)


def _try_in_child(request: DiffRequest) -> None:
    asked = {name: getattr(request, name) for name in ("before", "after", "game", "main")}
    job = json.dumps(asked | {"as_of": request.as_of.isoformat()}).encode("ascii")
    limits = WITH_MAIN if request.main else LIMITS
    run(__name__, job, limits, subject="Comparing the documents", progress=request.progress)


def answer(job: bytes, progress: Progress) -> bytes:
    """Compare two sides in this process, and answer nothing: it is the task of a child."""
    asked = json.loads(job)
    as_of = date.fromisoformat(asked.pop("as_of"))
    with contextlib.suppress(Unfit):  # the caller finds it too, and raises it with its findings
        _difference(DiffRequest(**asked, as_of=as_of, progress=progress))
    return b""


def _difference(request: DiffRequest) -> Difference:
    before, after = side(request.before), side(request.after)
    if (before.house_way is None) != (after.house_way is None):
        raise NotConfigured(
            f"{request.before} and {request.after} are not of one kind.",
            remedy="Compare two paytables, two games, two house ways or two submissions.",
        )
    records: tuple[RecordDifference, ...] = ()
    way = None
    if before.selection is not None and after.selection is not None:
        alone = before.single and after.single
        records = tuple(_compare(before.selection, after.selection, request, alone=alone))
    if before.house_way is not None and after.house_way is not None:
        way = _compare_ways(before.house_way, after.house_way, request)
    difference = Difference(
        before=before.name, after=after.name, records=records, house_way=way, filings=()
    )
    catalogue, _ = read_catalogue(*library.layers())
    needed = filings_needed(difference, request.as_of, catalogue.jurisdictions.values())
    difference = replace(difference, filings=needed)
    return replace(
        difference,
        findings=tuple(findings_of(difference, before.documents, after.documents)),
        checked=tuple(document.path for document in after.named.values()),
    )


def _compare(
    old: Selection, new: Selection, request: DiffRequest, *, alone: bool
) -> Iterator[RecordDifference]:
    """Yield what differs, record by record of one id; two that stand alone need none in common."""
    before, after = (
        {"" if alone else f"{wager.id}/{record.id}": (wager, record) for wager, record in side}
        for side in (old.records, new.records)
    )
    for key in {**before, **after}:
        yield compare_records(
            _compared(old, before.get(key), request), _compared(new, after.get(key), request)
        )


def _compared(
    selection: Selection, pair: tuple[Wager, Record] | None, request: DiffRequest
) -> Compared | None:
    """Return a record with its figures; main wagers are counted only where that was asked for."""
    if pair is None:
        return None
    wager, record = pair
    if isinstance(record, MainWager) and not request.main:
        return Compared(record=record)
    (analysis,) = evaluate(replace(selection, records=(pair,)), Settings(progress=request.progress))
    envy = wager.envy_of(record) if isinstance(record, Paytable) else None
    return Compared(record=record, envy=envy, analysis=analysis)


def _compare_ways(before: HouseWay, after: HouseWay, request: DiffRequest) -> HouseWayDifference:
    from certify.engine.house_way.comparison import compare_house_ways

    if request.game is None:
        return compare_house_ways(before, after, hands=_usual_hands(before))
    if before.id == after.id:
        # Two versions of one house way: the figures still need a name for each.
        after = replace(after, id=f"{after.id}-after")
    selection = select(request.game)
    difference = compare_house_ways(before, after, hands=selection.game.hands)
    figures = []
    ways = {before.id: before, after.id: after}
    game = replace(selection.game, house_ways=tuple(ways))
    catalogue = replace(selection.catalogue, house_ways=ways)
    for option in game.options:
        alone = within(catalogue, game, {option.target})
        edges = [
            evaluate(alone, Settings(house_way=name, progress=request.progress))[0].house_edge
            for name in ways
        ]
        figures.append(
            FigureChange(
                name=f"House edge of {option.target}",
                unit=Unit.PERCENT,
                before=edges[0],
                after=edges[1],
            )
        )
    return replace(difference, figures=tuple(figures))


def _usual_hands(way: HouseWay) -> HandRules:
    """Return the hands that a house way is compared on without a game: 53 cards, joker a bug."""
    shape = HandShape(cards=way.cards, back=way.cards - way.front, front=way.front)
    return HandRules(deck=Deck(), shape=shape, joker=JokerRule.BUG, wheel=WheelRule.SECOND_HIGHEST)
