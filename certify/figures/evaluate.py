"""Exact analyses of declared records, and the overview of everything declared."""

import os
import threading
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from certify import library
from certify.engine import bonus as returns
from certify.errors import CertifyError, NotConfigured, needing_pieces
from certify.figures.play import Play, keep, limit_analyses, refuse_unsound
from certify.figures.targets import Selection, looks_at_set_hands, select, select_entries
from certify.intake.read import read_catalog
from certify.model.analysis import Analysis, Input
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.encoding import Progress, Work, about
from certify.model.finding import Document, Finding
from certify.model.game import Game, JokerRule, Strategy, Wager
from certify.model.house_way import HouseWay, nothing_set
from certify.model.jurisdiction import Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable, Paytable
from certify.model.request import Cents, MeterCents, Request, option

Players = Annotated[
    int | None,
    option("Number of bettors at the table. Default: the game's own.", least=1, most=8),
]
Meters = Annotated[
    Mapping[str, MeterCents], option("Amount of a meter in dollars; repeat for more.", "--meter")
]
HouseWayId = Annotated[str | None, option("House way of the dealer. Default: the game's own.")]


class Settings(Request, frozen=True, kw_only=True):
    """The user's choices; None takes the value that the game declares. Money in cents.

    ``meters`` holds the amount on a meter by its level. ``terms`` declare the limits of wagers and
    payouts, and ``lawful_cents`` is the largest lawful wager where they do not. ``known`` are plays
    by target whose counts are cached: only the differences from them are counted. A listener is
    given the name of the ``reading`` of the sources, if it is not the usual one.
    """

    players: Players = None
    wager_cents: Annotated[Cents | None, option("Wager in dollars, such as 5 or 2.50.")] = None
    meters: Meters = field(default_factory=dict)
    house_way: HouseWayId = None
    strategy: Annotated[Strategy | None, option("Player strategy.")] = None
    joker: Annotated[JokerRule | None, option("Joker rule, if the casino may choose it.")] = None
    terms: Terms = field(default_factory=Terms)
    lawful_cents: Cents | None = None
    known: Mapping[str, Play] = field(default_factory=dict)
    reading: str = ""
    progress: Progress | None = None

    def seats(self, game: Game) -> int:
        """Return the number of bettors: the chosen one, or that of the terms or of the game."""
        return self.players or self.terms.players or game.players

    def listener(self, target: str) -> Progress | None:
        """Return the listener for the count of a target."""
        name = f"{target}, {self.reading}" if self.reading else target
        return about(self.progress, Work.COUNTING, name)


def evaluate(selection: Selection, settings: Settings) -> tuple[Analysis, ...]:
    """Return the analysis of every record that a target names.

    Raises:
        NotConfigured: a setting does not fit the target, or nothing can be evaluated.
        Unfit: the house way does not set every hand in one way, without a foul.
    """
    if not selection.records:
        reasons = " ".join(wager.absent.text for wager in selection.absent if wager.absent)
        raise NotConfigured(
            f"There is no paytable to evaluate. {reasons}".strip(),
            remedy="Choose a wager that has a paytable.",
        )
    _refuse_unused_meters(selection, settings)
    refuse_unused_play(selection, settings)
    game = apply_joker_rule(selection.game, settings)
    analyses = tuple(
        _analysis(selection.catalog, game, wager, record, settings)
        for wager, record in selection.records
    )
    return limit_analyses(
        selection.records,
        analyses,
        terms=settings.terms,
        lawful_cents=settings.lawful_cents,
        seats=settings.seats(game),
        cents=settings.wager_cents,
    )


def evaluate_each(
    catalog: Catalog, tables: Iterable[Paytable] | None = None
) -> tuple[dict[str, Analysis], dict[str, CertifyError]]:
    """Evaluate every bonus paytable that can be, or those that are given, as they are declared.

    Returns:
        Their analyses by target, and by target, too, the reasons why the others have none.
    """
    chosen = None if tables is None else {paytable.target for paytable in tables}
    analyses: dict[str, Analysis] = {}
    refusals: dict[str, CertifyError] = {}
    for game in catalog.games.values():
        for wager, paytable in select_entries(catalog, game, chosen).tables:
            try:
                with needing_pieces():
                    analysis = _analysis(catalog, game, wager, paytable, Settings())
            except CertifyError as error:
                refusals[paytable.target] = error
            else:
                analyses[paytable.target] = analysis
    return analyses, refusals


def resolve_house_way(catalog: Catalog, game: Game, chosen: str | None) -> HouseWay:
    """Return the house way that was chosen, or the game's own default.

    If hands are not divided, nothing is set, and the house way is a placeholder.

    Raises:
        NotConfigured: there is no such house way, or the game does not allow it.
    """
    if not game.hands.shape.is_divided:
        if chosen:
            raise NotConfigured(
                f"The hands of {game.name} are not divided, so no house way sets them.",
                remedy="Remove it.",
            )
        return nothing_set(game.hands.shape.cards)
    name = chosen or game.house_way
    if name not in game.house_ways or name not in catalog.house_ways:
        allowed = [house_way for house_way in game.house_ways if house_way in catalog.house_ways]
        raise NotConfigured(
            f"{game.name} has no house way {name!r}.",
            remedy=f"Choose one of: {', '.join(allowed)}." if allowed else "Declare one.",
        )
    return catalog.house_ways[name]


def resolve_strategy(game: Game, chosen: Strategy | None) -> Strategy:
    """Return the strategy that was chosen, or the game's own.

    Raises:
        NotConfigured: the game's hands are not divided, so there is no other way to set them.
    """
    if chosen is not None and not game.hands.shape.is_divided:
        raise NotConfigured(
            f"The hands of {game.name} are not divided, so there is no strategy for setting them.",
            remedy="Remove it: every hand is played optimally.",
        )
    return chosen or game.strategy


def house_way_for(
    catalog: Catalog, game: Game, paytable: Paytable, chosen: str | None = None
) -> HouseWay | None:
    """Return the house way that sets the hands of a bonus wager; None if no row asks for it.

    Raises:
        NotConfigured: there is no such house way, or the game does not allow it.
        Unfit: the house way does not set every hand in one way, without a foul.
    """
    if not looks_at_set_hands(catalog, paytable):
        return None
    house_way = resolve_house_way(catalog, game, chosen)
    refuse_unsound(catalog, game, house_way)
    return house_way


def list_inputs(catalog: Catalog, keys: Iterable[str]) -> tuple[Input, ...]:
    """Return path and digest of the files that the records with these keys were read from."""
    documents: dict[str, Document] = {
        key: catalog.documents[key] for key in keys if key in catalog.documents
    }
    digests = {document.evidence_path: document.sha256 for document in documents.values()}
    return tuple(Input(path=path, sha256=digest) for path, digest in sorted(digests.items()))


def _analysis(
    catalog: Catalog,
    game: Game,
    wager: Wager,
    record: Paytable | MainWager,
    settings: Settings,
) -> Analysis:
    shared = (*EVENT_FILES, game.id, f"{game.id}/{wager.id}", record.target)
    if isinstance(record, MainWager):
        house_way = resolve_house_way(catalog, game, settings.house_way)
        refuse_unsound(catalog, game, house_way)
        play = _play(game, wager, record, house_way, settings)
        analysis = play.evaluate(
            inputs=list_inputs(catalog, (*shared, f"house-ways/{house_way.id}")),
            base=settings.known.get(record.target),
            progress=settings.listener(record.target),
        )
        keep(play, analysis)
        return analysis
    envy = _envy(wager, record)
    way = house_way_for(catalog, game, record, settings.house_way)
    keys = (
        *shared,
        *([f"{record.target.rpartition('/')[0]}/envy/{envy.id}"] if envy else []),
        *([f"house-ways/{way.id}"] if way else []),
    )
    return returns.evaluate(
        record,
        events=catalog.events,
        hands=game.hands,
        house_way=way,
        envy=envy,
        meters=_meter_units(record, settings),
        players=settings.seats(game),
        wager_cents=_wager_with_prizes(wager, envy, settings),
        inputs=list_inputs(catalog, keys),
        game_assumptions=(*game.assumptions, *returns.state_fold(wager, game)),
        progress=settings.listener(record.target),
    )


def list_plays(selection: Selection, settings: Settings) -> dict[str, Play]:
    """Return the play of each option of a main wager, by target.

    Raises:
        NotConfigured: a setting does not fit the game.
    """
    catalog, game = selection.catalog, apply_joker_rule(selection.game, settings)
    return {
        record.target: _play(
            game,
            wager,
            record,
            resolve_house_way(catalog, game, settings.house_way),
            settings,
        )
        for wager, record in selection.records
        if isinstance(record, MainWager)
    }


def _play(
    game: Game, wager: Wager, option: MainWager, house_way: HouseWay, settings: Settings
) -> Play:
    return Play(
        option=option.scale_to(settings.wager_cents),
        game=_limit_game(game, wager, settings.terms),
        house_way=house_way,
        strategy=resolve_strategy(game, settings.strategy),
    )


def _limit_game(game: Game, wager: Wager, terms: Terms) -> Game:
    """Return the game with the limits of a wager that the terms set."""
    least, largest = terms.least(wager), terms.largest(wager)
    limited = replace(wager, minimum_cents=least, maximum_cents=largest)
    return replace(
        game, wagers=tuple(limited if each.id == wager.id else each for each in game.wagers)
    )


def _envy(wager: Wager, paytable: Paytable) -> EnvyTable | None:
    envy = wager.find_envy(paytable)
    if envy is None and paytable.envy is not None:
        raise NotConfigured(
            f"{paytable.target} names the envy table {paytable.envy!r}, which is not declared.",
            remedy=f"Declare it under {wager.game}/{wager.id}/envy/.",
        )
    return envy


def _wager_with_prizes(wager: Wager, envy: EnvyTable | None, settings: Settings) -> int | None:
    """Return the wager to price prizes at: the smallest allowed one that qualifies for them.

    If no allowed wager qualifies: the largest, which wins none. None means the qualifying one.
    """
    if settings.wager_cents is not None or envy is None:
        return settings.wager_cents
    least, largest = settings.terms.least(wager) or 0, settings.terms.largest(wager)
    cents = max(envy.qualifying_wager_cents, least)
    cents = cents if largest is None else min(cents, largest)
    return None if cents == envy.qualifying_wager_cents else cents


def _meter_units(paytable: Paytable, settings: Settings) -> dict[str, Fraction]:
    """Return the given meters of this paytable in units of its base wager."""
    if paytable.progressive is None:
        return {}
    base = settings.wager_cents or paytable.progressive.base_wager_cents
    levels = {meter.level for meter in paytable.meters}
    return {
        level: Fraction(cents, base) for level, cents in settings.meters.items() if level in levels
    }


def _refuse_unused_meters(selection: Selection, settings: Settings) -> None:
    levels = {meter.level for _, table in selection.tables for meter in table.meters}
    unknown = sorted(set(settings.meters) - levels)
    if unknown:
        raise NotConfigured(
            f"No paytable of this target has a meter {unknown[0]!r}.",
            remedy=f"Its meters: {', '.join(sorted(levels))}." if levels else "It has no meter.",
        )


def refuse_unused_play(selection: Selection, settings: Settings) -> None:
    """Refuse house way and strategy options if the target has no main wager.

    Raises:
        NotConfigured: one of them is given and changes nothing.
    """
    if any(isinstance(record, MainWager) for _, record in selection.records):
        return
    as_set = any(looks_at_set_hands(selection.catalog, table) for _, table in selection.tables)
    unused = None if as_set else settings.house_way
    for name, value in (("house way", unused), ("strategy", settings.strategy)):
        if value is not None:
            raise NotConfigured(
                f"A {name} has no effect: the target has no main wager.",
                remedy=f"Remove it, or evaluate {selection.game.id}/main.",
            )


def apply_joker_rule(game: Game, settings: Settings) -> Game:
    """Return the game with the user's joker rule, which the game must allow."""
    if settings.joker is None or settings.joker is game.hands.joker:
        return game
    if settings.joker not in game.hands.joker_choices:
        raise NotConfigured(
            f"{game.name} does not allow the joker rule {settings.joker}.",
            remedy=f"Its joker rule: {game.hands.joker}.",
        )
    return replace(game, hands=replace(game.hands, joker=settings.joker))


Stamp = tuple[tuple[str, int, int], ...]

_reading = threading.Lock()
"""Lock of the catalog; concurrent readers wait."""


class Overview(Struct, frozen=True, kw_only=True, eq=False):
    """The catalog, the figures of its bonus wagers by target, and errors of those without.

    Objects are equal only to themselves; results can be cached by object. ``faults`` are findings
    on files that are not included.
    """

    catalog: Catalog
    analyses: Mapping[str, Analysis]
    refusals: Mapping[str, CertifyError]
    faults: tuple[Finding, ...]


def overview() -> Overview:
    """Return the whole catalog; files are read again when one has changed.

    Raises:
        NotConfigured: the project's settings cannot be read.
    """
    layers = library.layers()
    with _reading:
        return _read(layers, _stamp(layers))


def select_target(target: str) -> Selection:
    """Return the selection of a target, from the present files; unchanged files are read once.

    Raises:
        NotConfigured: nothing has that id.
        Unfit: a file that the target depends on has errors.
    """
    return _select(target, _stamp(library.layers()))


@lru_cache(maxsize=64)
def _select(target: str, _: Stamp) -> Selection:
    return select(target)


def _stamp(layers: tuple[Path, ...]) -> Stamp:
    """Return a value that differs if a file has changed: names, times and sizes."""
    files = sorted(
        f"{folder}{os.sep}{name}"
        for layer in layers
        for folder, _, names in os.walk(layer)
        for name in names
        if name.endswith(".json")
    )
    return tuple((path, (at := os.stat(path)).st_mtime_ns, at.st_size) for path in files)  # noqa: PTH116 - on each page


@lru_cache(maxsize=1)
def _read(layers: tuple[Path, ...], _: Stamp) -> Overview:
    catalog, faults = read_catalog(*layers)
    analyses, refusals = evaluate_each(catalog)
    return Overview(catalog=catalog, analyses=analyses, refusals=refusals, faults=faults)
