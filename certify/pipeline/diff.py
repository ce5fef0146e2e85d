"""Diff: two paytables, games, house ways or submissions by meaning, and what filing they need."""

import hashlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from certify import library
from certify.checks.context import records_of
from certify.checks.rule_pack import text_in_force
from certify.errors import NotConfigured, NotReadable
from certify.intake.catalogue import read_catalogue, read_game
from certify.intake.decode_house_way import house_way as decode_house_way
from certify.intake.files import read
from certify.intake.layout import catalogue_folder, place
from certify.model.analysis import Analysis
from certify.model.cards import Deck, HandShape, JokerRule, WheelRule
from certify.model.catalogue import Catalogue
from certify.model.difference import (
    Difference,
    FigureChange,
    FilingNeed,
    HouseWayDifference,
    RecordDifference,
    Unit,
)
from certify.model.finding import Severity, Unfit
from certify.model.game import Game, HandRules, Wager
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import Jurisdiction, Rule
from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable, Paytable
from certify.pipeline.evaluate import Progress, Settings, evaluate
from certify.pipeline.record_differences import compare_records
from certify.pipeline.targets import Selection, select

Record = Paytable | MainWager

DISPLAY = "posted_text"
FILING = "variation_filing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is compared, and how: ``main`` counts the main wagers too, which may take minutes."""

    before: str
    after: str
    game: str | None = None
    main: bool = False
    as_of: date
    progress: Progress | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One side: what it names, and the records under it."""

    name: str
    selection: Selection | None = None
    house_way: HouseWay | None = None
    single: bool = False


def diff(request: Request) -> Difference:
    """Compare two sides by meaning.

    Raises:
        NotConfigured: a side is unknown, or the sides are not of one kind.
        Unfit: a side has errors.
    """
    before, after = _side(request.before), _side(request.after)
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
    found = Difference(
        before=before.name, after=after.name, records=records, house_way=way, filings=()
    )
    return replace(found, filings=_filings(found, request.as_of))


def _side(name: str) -> _Side:
    """Return what a name stands for: a submission, a game's folder, a file, an id."""
    path = Path(name)
    if path.suffix.lower() == ".pdf":
        return _Side(name=name, selection=_submission(path))
    if (path / "game.json").is_file():
        return _Side(name=name, selection=_folder(path.resolve()))
    if path.suffix == ".json" and path.is_file() and _is_house_way(path):
        return _Side(name=name, house_way=_way_in(path))
    declared = library.paytables()
    # A game and its house way may share an id; the game wins, as in every other command.
    if (declared / "house-ways" / f"{name}.json").is_file() and not (declared / name).is_dir():
        return _Side(name=name, house_way=_way_in(_way_path(name)))
    if name.startswith("house-ways/"):
        return _Side(name=name, house_way=_way_in(_way_path(name.partition("/")[2])))
    selection = select(name)
    return _Side(name=name, selection=selection, single=len(selection.records) == 1)


def _compare(before: _Side, after: _Side, request: Request) -> Iterator[RecordDifference]:
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
    selection: Selection, one: tuple[Wager, Record] | None, request: Request
) -> Analysis | None:
    """Return the figures of a record; main wagers are counted only where that was asked for."""
    if one is None or (isinstance(one[1], MainWager) and not request.main):
        return None
    (found,) = evaluate(replace(selection, records=(one,)), Settings(progress=request.progress))
    return found


def _envy(one: tuple[Wager, Record] | None) -> EnvyTable | None:
    if one is None:
        return None
    wager, record = one
    if isinstance(record, MainWager) or record.envy is None:
        return None
    return next((table for table in wager.envies if table.id == record.envy), None)


def _compare_ways(before: HouseWay, after: HouseWay, request: Request) -> HouseWayDifference:
    from certify.engine.house_way_comparison import compare_house_ways

    if request.game is None:
        return compare_house_ways(before, after, hands=_usual_hands(before))
    if before.id == after.id:
        # Two versions of one house way: the figures still need a name for each.
        after = replace(after, id=f"{after.id}-after")
    selection = select(request.game)
    found = compare_house_ways(before, after, hands=selection.game.hands)
    figures = []
    ways = {before.id: before, after.id: after}
    game = replace(selection.game, house_ways=tuple(ways))
    catalogue = replace(selection.catalogue, house_ways=ways)
    for wager in game.wagers:
        for option in wager.options:
            one = Selection(catalogue=catalogue, game=game, records=((wager, option),))
            edges = [
                evaluate(one, Settings(house_way=name, progress=request.progress))[0].house_edge
                for name in (before.id, after.id)
            ]
            figures.append(
                FigureChange(
                    name=f"House edge of {option.target}",
                    unit=Unit.PERCENT,
                    before=edges[0],
                    after=edges[1],
                )
            )
    return replace(found, figures=tuple(figures))


def _usual_hands(way: HouseWay) -> HandRules:
    """Return the hands that a house way is compared on without a game: 53 cards, joker a bug."""
    shape = HandShape(cards=way.cards, back=way.cards - way.front, front=way.front)
    return HandRules(deck=Deck(), shape=shape, joker=JokerRule.BUG, wheel=WheelRule.SECOND_HIGHEST)


def _filings(found: Difference, as_of: date) -> tuple[FilingNeed, ...]:
    catalogue, _ = read_catalogue(library.paytables())
    return tuple(_need(found, one, as_of) for one in catalogue.jurisdictions.values())


def _need(found: Difference, jurisdiction: Jurisdiction, as_of: date) -> FilingNeed:
    """Return whether a jurisdiction wants a filing of what differs, and by which rule."""
    new_ids = any(one.before != one.after for one in found.records)
    needed = found.changed or new_ids
    rule = _rule(jurisdiction, FILING)
    version = text_in_force(rule, as_of) if rule is not None else None
    if rule is None or version is None:
        return FilingNeed(
            jurisdiction=jurisdiction.id,
            needed=needed,
            rule="",
            citation="",
            confidence=None,
            detail=f"No text known here was in force on {as_of.isoformat()}.",
        )
    display = _rule(jurisdiction, DISPLAY)
    shows = any(one.rows or one.before is None or one.after is None for one in found.records)
    also = f" What is displayed changes with it ({display.id})." if display and shows else ""
    return FilingNeed(
        jurisdiction=jurisdiction.id,
        needed=needed,
        rule=rule.id,
        citation=version.citation,
        confidence=version.confidence,
        detail=f"{_why(found, new_ids=new_ids)}{also} {version.text}",
    )


def _why(found: Difference, *, new_ids: bool) -> str:
    if found.house_way is not None:
        return (
            "Other settings change the theoretical hold of the main wager."
            if found.changed
            else "Every hand is set alike."
        )
    if found.changed:
        return "Rows, pays or figures differ."
    return "Only the ids differ, and each id is a filing." if new_ids else "Nothing differs."


def _rule(jurisdiction: Jurisdiction, test: str) -> Rule | None:
    return next((one for one in jurisdiction.rules if one.test == test), None)


def _folder(folder: Path) -> Selection:
    """Return a game's folder, wherever it stands, with what is shared from the library."""
    catalogue, findings = read_catalogue(library.paytables())
    catalogue, found = read_game(folder, catalogue)
    errors = tuple(one for one in (*findings, *found) if one.severity is Severity.ERROR)
    if errors or folder.name not in catalogue.games:
        raise Unfit(errors)
    return _whole(catalogue, catalogue.games[folder.name])


def _whole(catalogue: Catalogue, game: Game) -> Selection:
    records = tuple((wager, one) for wager in game.wagers for one in records_of(wager))
    return Selection(catalogue=catalogue, game=game, records=records)


def _submission(path: Path) -> Selection:
    """Return what a submitted PDF says it was made from; its signature is not judged here."""
    from certify.pipeline.evidence import EVIDENCE
    from certify.pipeline.reproduce import order_of
    from certify.pipeline.submission import filing_of
    from certify.seal.verify import embedded_files

    try:
        files = embedded_files(path.read_bytes())
        evidence = json.loads(files[EVIDENCE])
        with tempfile.TemporaryDirectory(prefix="certify-") as folder:
            _lay_out(files, evidence["sources"], Path(folder))
            filing = filing_of(order_of(evidence, Path(folder)), Path(folder) / "paytables")
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise NotReadable(
            f"{path} is not a submission that certify made: {error}.",
            remedy="Give a mathematics report or rules of play that `certify submit` wrote.",
        ) from error
    records = tuple(
        (wager, one)
        for wager in filing.game.wagers
        for one in records_of(wager)
        if one == filing.option or one in filing.paytables
    )
    return Selection(catalogue=filing.catalogue, game=filing.game, records=records)


def _lay_out(files: dict[str, bytes], sources: dict[str, str], folder: Path) -> None:
    """Write the embedded declared data as a library; each file must have its digest."""
    for name, digest in sources.items():
        path = folder.joinpath(*name.split("--"))
        data = files[name]
        inside = path.resolve().is_relative_to(folder.resolve())
        if not inside or hashlib.sha256(data).hexdigest() != digest:
            raise ValueError(f"{name} is not what the evidence says")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _way_path(name: str) -> Path:
    path = library.paytables() / "house-ways" / f"{name}.json"
    if not path.is_file():
        known = sorted(one.stem for one in path.parent.glob("*.json"))
        raise NotConfigured(
            f"There is no house way {name!r}.", remedy=f"Known: {', '.join(known)}."
        )
    return path


def _is_house_way(path: Path) -> bool:
    return read(path, None, judged=False).kind == "house-way"


def _way_in(path: Path) -> HouseWay:
    folder = catalogue_folder(path)
    where = place(path.absolute().relative_to(folder).parts) if folder else None
    file = read(path, where)
    if not file.sound:
        raise Unfit(file.findings)
    return decode_house_way(file.document.value)
