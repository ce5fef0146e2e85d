"""Compare two paytables, games, house ways or submissions by meaning."""

import hashlib
import json
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from certify import __version__, library
from certify.errors import NotConfigured
from certify.figures.evaluate import Settings, evaluate
from certify.figures.findings import find_need, iter_findings
from certify.figures.targets import (
    load_folder,
    lookup,
    name_target,
    refuse_errors,
    select,
    select_entries,
    select_sound,
)
from certify.filing.declaration import find_filing, resolve_order
from certify.filing.order import build_filing, filed_records
from certify.filing.redline import Side, compare_declared, compare_sides, read_submission
from certify.intake.decode import decode
from certify.intake.files import read
from certify.intake.layout import catalog_folder, place
from certify.intake.read import read_catalog
from certify.model.comparison import (
    Difference,
    FigureChange,
    HouseWayDifference,
    Unit,
)
from certify.model.encoding import Progress, encode_object
from certify.model.finding import Finding, Unfit
from certify.model.game import Deck, HandRules, HandShape, JokerRule, WheelRule
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import FILING
from certify.model.main_wager import MainWager
from certify.model.request import Request, Result, Target, argument, option
from certify.model.submission import Order
from certify.report.diff_view import diff_view, difference_json
from certify.worker import Limits, run

HOUSE_WAY = "house-way"


def is_submission(target: Target) -> bool:
    """Return True if a target is the path of a submitted PDF."""
    return isinstance(target, str) and Path(target).suffix.lower() == ".pdf"


def side(target: Target) -> Side:
    """Return the content of a target, which may be in memory."""
    if isinstance(target, str):
        return _find_side(target)
    return Side(name=name_target(target), selection=select_sound(target), single=True)


def _find_side(name: str) -> Side:
    """Return the content of a submission, a filing, a game's folder, a file or an id."""
    path = Path(name)
    filing = None
    if is_submission(name):
        filing = read_submission(path)
    elif find_filing(name) is not None:
        filing = build_filing(resolve_order(Order(game=name)))
    if filing is not None:
        return Side(name=name, selection=filed_records(filing), filing=filing)
    if (path / "game.json").is_file():
        folder = path.resolve()
        catalog, findings = load_folder(folder)
        refuse_errors(findings)
        game = lookup("game", folder.name, catalog.games)
        return Side(name=name, selection=select_entries(catalog, game))
    if path.suffix == ".json" and path.is_file():
        kind = read(path, None, judged=False).kind
        if kind in (HOUSE_WAY, FILING, "jurisdiction"):
            return _read_alone(path, name)
    # A game and its house way may share an id; the game wins, as in every other command.
    is_game = library.find_declared(f"{name}/game.json") is not None
    is_house_way = library.find_declared(f"house-ways/{name}.json") is not None and not is_game
    if is_house_way or name.startswith("house-ways/"):
        return _read_alone(_way_path(name.removeprefix("house-ways/")), name)
    selection = select_sound(name)
    return Side(name=name, selection=selection, single=len(selection.records) == 1)


def _way_path(name: str) -> Path:
    path = library.find_declared(f"house-ways/{name}.json")
    if path is None:
        folders = (layer / "house-ways" for layer in library.layers())
        names = sorted({file.stem for folder in folders for file in folder.glob("*.json")})
        raise NotConfigured(
            f"There is no house way {name!r}.", remedy=f"Use one of: {', '.join(names)}."
        )
    return path


def _read_alone(path: Path, name: str) -> Side:
    """Return a file that is compared without others: a house way, terms, a jurisdiction."""
    folder = catalog_folder(path)
    where = place(path.absolute().relative_to(folder).parts) if folder else None
    file = read(path, where)
    if not file.sound:
        raise Unfit(file.findings)
    way = decode(HOUSE_WAY, file.document.value) if file.kind == HOUSE_WAY else None
    return Side(name=name, house_way=way, file=file.document, kind=file.kind)


LIMITS = Limits(seconds=900, mebibytes=6144)
"""For a comparison with a PDF, whose embedded data may be hostile."""

WITH_MAIN = Limits(seconds=7200, mebibytes=16384)
"""Limits if main wagers are counted."""


class DiffResult(Difference, Result, frozen=True, kw_only=True):
    """The differences between two sides."""

    table = "records"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify diff --format json``."""
        return encode_object(difference_json(self))


def view_redline(difference: Difference, as_of: date) -> tuple[dict[str, Any], bytes]:
    """Return the variables of a redline's template, and the same comparison as JSON."""
    record = encode_object(difference_json(difference))
    twin = json.dumps(record, indent=1, ensure_ascii=False).encode()
    view = diff_view(
        difference,
        as_of=as_of,
        engine_version=__version__,
        build=library.build_sha256(),
        digest=hashlib.sha256(twin).hexdigest(),
    )
    return view, twin


def print_redline(difference: Difference, as_of: date) -> bytes:
    """Return the redline as PDF, with the same comparison as JSON attached.

    Raises:
        Unfit: a template of the user has errors.
    """
    from certify.filing.documents import prepare_redline
    from certify.intake.files import own_templates
    from certify.report.compose import refuse_faulty_templates

    folders = own_templates(library.layers())
    refuse_faulty_templates(folders)
    return prepare_redline(*view_redline(difference, as_of), as_of, folders)()


def today() -> date:
    """Return the day of the rules to apply, if the request names none."""
    return datetime.now(UTC).date()


class DiffRequest(Request, frozen=True, kw_only=True):
    """Options of `certify diff`."""

    before: Annotated[Target, argument("Target, house way, JSON file, folder or PDF.")]
    after: Annotated[Target, argument("Item of the same kind to compare with.")]
    game: Annotated[
        str | None,
        option("Count the main wagers of this game with both house ways (minutes)."),
    ] = None
    main: Annotated[bool, option("Count main wagers too (minutes).")] = False
    as_of: Annotated[date, option("Date of the rules to apply (YYYY-MM-DD). Default: today.")] = (
        field(default_factory=today)
    )
    progress: Progress | None = None


def diff(request: DiffRequest) -> DiffResult:
    """Compare two sides by meaning.

    A comparison with a PDF is made in a child process with limits.

    Raises:
        NotConfigured: a side is unknown, or the sides are not of one kind.
        Unfit: a side has errors.
        NotJudged: a comparison with a PDF reached a limit.
    """
    if not (is_submission(request.before) or is_submission(request.after)):
        return _difference(request)
    data = run(
        __name__,
        json.dumps(to_builtins(replace(request, progress=None))).encode("ascii"),
        WITH_MAIN if request.main else LIMITS,
        subject="Comparing the documents",
        progress=request.progress,
    )
    answered = msgspec.json.decode(data, type=Answer, dec_hook=lambda kind, text: kind(text))
    if answered.difference is None:
        raise Unfit(answered.findings)
    return answered.difference


class Answer(Struct, frozen=True, kw_only=True):
    """The answer of a child process: the differences, or the errors in the files of a side."""

    difference: DiffResult | None = None
    findings: tuple[Finding, ...] = ()


def answer(job: bytes, progress: Progress) -> bytes:
    """Compare two sides in this process; the task of a child process."""
    request = DiffRequest(**json.loads(job) | {"progress": progress})
    try:
        difference = _difference(request)
        difference.to_dict()  # the limits hold for comparing long texts by word, too
        answered = Answer(difference=difference)
    except Unfit as error:
        answered = Answer(findings=error.findings)
    return msgspec.json.encode(answered, enc_hook=str)  # fractions


def _difference(request: DiffRequest) -> DiffResult:
    before, after = side(request.before), side(request.after)
    if before.kind != after.kind:
        raise NotConfigured(
            f"{before.name} and {after.name} are of different kinds.",
            remedy="Compare two paytables, games, house ways, submissions, files of terms or "
            "jurisdictions.",
        )
    way = None
    records = compare_sides(before, after, main=request.main, progress=request.progress)
    if before.house_way is not None and after.house_way is not None:
        way = _compare_ways(before.house_way, after.house_way, request)
    catalog, _ = read_catalog(*library.layers())
    values, numbered_for = compare_declared(before, after, catalog)
    difference = DiffResult(
        before=before.name,
        after=after.name,
        records=records,
        house_way=way,
        filings=(),
        values=values,
        numbered_for=numbered_for,
        only_game=(before.filing is None) != (after.filing is None),
    )
    states = catalog.jurisdictions
    if before.filing is not None and after.filing is not None:
        filed = (before.filing.jurisdiction, after.filing.jurisdiction)
        states = {each.id: states.get(each.id, each) for each in filed}
    needed = (find_need(difference, state, request.as_of) for state in states.values())
    difference = replace(difference, filings=tuple(needed))
    return replace(
        difference,
        findings=tuple(iter_findings(difference, before.documents, after.documents)),
        checked=tuple(document.path for document in after.named_files.values()),
    )


def _compare_ways(before: HouseWay, after: HouseWay, request: DiffRequest) -> HouseWayDifference:
    from certify.engine.house_way.audit import compare_house_ways

    if request.game is None:
        # Without a game: 53 cards, and the joker is a bug.
        shape = HandShape(cards=before.cards, back=before.cards - before.front, front=before.front)
        hands = HandRules(
            deck=Deck(), shape=shape, joker=JokerRule.BUG, wheel=WheelRule.SECOND_HIGHEST
        )
        return compare_house_ways(before, after, hands=hands)
    if before.id == after.id:
        # Two versions of one house way: the figures still need a name for each.
        after = replace(after, id=f"{after.id}-after")
    selection = select(request.game)
    difference = compare_house_ways(before, after, hands=selection.game.hands)
    ways = {before.id: before, after.id: after}
    game = replace(selection.game, house_ways=tuple(ways))
    catalog = replace(selection.catalog, house_ways=ways)

    def count_edge(record: MainWager, name: str) -> Fraction | None:
        alone = select_entries(catalog, game, {record.target})
        return evaluate(alone, Settings(house_way=name, progress=request.progress))[0].house_edge

    figures = tuple(
        FigureChange(
            name=f"House edge of {record.target}",
            unit=Unit.PERCENT,
            before=count_edge(record, before.id),
            after=count_edge(record, after.id),
        )
        for record in game.options
    )
    return replace(difference, figures=figures)
