"""Diff: two paytables, games, house ways or submissions by meaning, and what filing they need."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from certify import library
from certify.errors import NotConfigured
from certify.intake.read import read_catalogue
from certify.model.analysis import Analysis
from certify.model.cards import Deck, HandShape, JokerRule, WheelRule
from certify.model.difference import (
    Difference,
    FigureChange,
    HouseWayDifference,
    RecordDifference,
    Unit,
)
from certify.model.game import HandRules, Wager
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable
from certify.model.progress import Progress
from certify.pipeline.figures.evaluate import Settings, evaluate
from certify.pipeline.redline.filing_needs import filings_needed
from certify.pipeline.redline.findings import findings_of
from certify.pipeline.redline.record_differences import Record, compare_records
from certify.pipeline.redline.sides import Side, side
from certify.pipeline.targets import Selection, select, within


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

    Raises:
        NotConfigured: a side is unknown, or the sides are not of one kind.
        Unfit: a side has errors.
    """
    before, after = side(request.before), side(request.after)
    if (before.house_way is None) != (after.house_way is None):
        raise NotConfigured(
            f"{request.before} and {request.after} are not of one kind.",
            remedy="Compare two paytables, two games, two house ways or two submissions.",
        )
    records: tuple[RecordDifference, ...] = ()
    way = None
    if before.house_way is not None and after.house_way is not None:
        way = _compare_ways(before.house_way, after.house_way, request)
    elif before.selection is not None and after.selection is not None:
        records = tuple(_compare(before, after, request))
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


def _compare(before: Side, after: Side, request: DiffRequest) -> Iterator[RecordDifference]:
    old, new = before.selection, after.selection
    if old is None or new is None:
        return
    if before.single and after.single:
        pairs: list[tuple[tuple[Wager, Record] | None, tuple[Wager, Record] | None]] = [
            (old.records[0], new.records[0])
        ]
    else:
        pairs = _paired(old, new)
    for was, is_ in pairs:
        yield compare_records(
            was[1] if was else None,
            is_[1] if is_ else None,
            envies=(_envy(was), _envy(is_)),
            analyses=(_analysis(old, was, request), _analysis(new, is_, request)),
        )


def _paired(
    old: Selection, new: Selection
) -> list[tuple[tuple[Wager, Record] | None, tuple[Wager, Record] | None]]:
    """Pair the records of two selections by wager and id; what only one side has stands alone."""
    was = {(wager.id, record.id): (wager, record) for wager, record in old.records}
    is_ = {(wager.id, record.id): (wager, record) for wager, record in new.records}
    return [(was.get(key), is_.get(key)) for key in dict.fromkeys([*was, *is_])]


def _analysis(
    selection: Selection, pair: tuple[Wager, Record] | None, request: DiffRequest
) -> Analysis | None:
    """Return the figures of a record; main wagers are counted only where that was asked for."""
    if pair is None or (isinstance(pair[1], MainWager) and not request.main):
        return None
    (analysis,) = evaluate(replace(selection, records=(pair,)), Settings(progress=request.progress))
    return analysis


def _envy(pair: tuple[Wager, Record] | None) -> EnvyTable | None:
    if pair is None:
        return None
    wager, record = pair
    return None if isinstance(record, MainWager) else wager.envy_of(record)


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
