"""Alternative interpretations of the sources, with their effect on every submitted figure."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

from msgspec.structs import replace

from certify.errors import CertifyError
from certify.figures.evaluate import Settings, evaluate, list_plays, resolve_house_way
from certify.figures.play import Play, count_together, refuse_unsound, set_alike
from certify.figures.targets import Selection
from certify.intake.workspace import apply_interpretation, misfit
from certify.model.analysis import Analysis
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.finding import Finding, Unfit
from certify.model.game import Game, Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.source import Alternative, Figure, Price


def with_alternatives(
    selection: Selection,
    settings: Settings,
    analyses: Mapping[str, Analysis],
    *,
    only: Collection[str] = (),
) -> dict[str, Analysis]:
    """Return the analyses with the effect of every interpretation that changes their figures.

    Args:
        selection: the records that were evaluated.
        settings: how they were. Prices leave the limits of payouts out.
        analyses: what came of it, by target.
        only: ids of alternatives; all that are declared if empty.

    Raises:
        Unfit: an alternative cannot be applied.
    """
    catalog, game = selection.catalog, selection.game
    way = resolve_house_way(catalog, game, settings.house_way) if game.house_way else None
    of_way = way.id if way is not None else ""
    filed_plays = list_plays(selection, settings)
    prices: dict[str, list[Price]] = {target: [] for target in analyses}
    terms = replace(settings.terms, aggregate_limits=None)
    usual = replace(settings, known=filed_plays, terms=terms)
    others = list(read_otherwise(selection, of_way, only=only))

    def list_other_plays(target: str) -> Iterator[Play]:
        for owner, alternative, touched in others:
            with _blaming(catalog, owner, alternative):
                play = list_plays(touched, usual).get(target)
                if play is not None:
                    refuse_unsound(touched.catalog, touched.game, play.house_way)
                    yield play

    joint = replace(usual, reading="interpretations of the dealer's hands")
    for target, play in filed_plays.items():
        count_together(list_other_plays(target), play, joint.listener(target))
    for owner, alternative, touched in others:
        chosen = replace(usual, reading=f"interpretation {alternative.id}")
        if not any(isinstance(record, MainWager) for _, record in touched.records):
            chosen = replace(chosen, house_way=None, strategy=None)  # of a main wager alone
        with _blaming(catalog, owner, alternative):
            moved_analyses = evaluate(touched, chosen)
        for analysis in moved_analyses:
            moved = _find_changes(analyses[analysis.target], analysis)
            if moved:
                prices[analysis.target].append(Price(alternative=alternative, moved=moved))
    return {
        target: replace(analysis, alternatives=tuple(prices[target]))
        for target, analysis in analyses.items()
    }


@contextmanager
def _blaming(catalog: Catalog, owner: str, alternative: Alternative) -> Iterator[None]:
    """Turn errors in the records of an interpretation into one finding on the interpretation."""
    try:
        yield
    except Unfit as fault:
        message = " ".join(finding.message for finding in fault.findings)
        raise Unfit((misfit(catalog, owner, alternative, message),)) from fault


def read_otherwise(
    selection: Selection, house_way: str, *, only: Collection[str] = ()
) -> Iterator[tuple[str, Alternative, Selection]]:
    """Yield every interpretation of some entries: its owner, itself, the entries under it.

    Args:
        selection: the selected entries, with a catalog of everything that the interpretations
            change.
        house_way: the dealer's house way, whose interpretations are included with the game's; empty
            for none.
        only: ids of alternatives; all declared ones if empty.

    Raises:
        Unfit: an alternative cannot be applied.
    """
    catalog, game = selection.catalog, selection.game
    # A game and its house way may be of one name, and are then one owner of readings.
    for owner in dict.fromkeys(filter(None, (game.id, house_way))):
        for alternative in _about(catalog, owner, game, house_way):
            if only and alternative.id not in only:
                continue
            touched = _select_affected(
                selection, apply_interpretation(catalog, owner, alternative), house_way
            )
            if touched.records:
                yield owner, alternative, touched


def find_invalid_alternatives(
    catalog: Catalog, keys: Collection[str] | None = None
) -> Iterator[Finding]:
    """Yield a finding for every alternative that cannot be counted or that changes nothing.

    With ``keys`` only alternatives that are declared in these files or change them. No deal is
    counted; a submission computes the effect of an alternative on its figures.
    """
    for owner, readings in catalog.alternatives.items():
        for alternative in readings.alternatives:
            dependencies = {
                f"alternatives/{owner}",
                *(change.record for change in alternative.changes),
            }
            if keys is not None and dependencies.isdisjoint(keys):
                continue
            try:
                other = apply_interpretation(catalog, owner, alternative)
            except Unfit as fault:
                yield from fault.findings
                continue
            except CertifyError as refusal:
                yield misfit(catalog, owner, alternative, refusal.message)
                continue
            message = _fault(catalog, other, alternative)
            if message is not None:
                yield misfit(catalog, owner, alternative, message)


def _fault(catalog: Catalog, other: Catalog, alternative: Alternative) -> str | None:
    """Return the fault of a catalog under another interpretation, if any."""
    if _records(catalog) == _records(other):
        return "It changes nothing."
    changed = dict.fromkeys(change.record.partition("/") for change in alternative.changes)
    faults = (
        _fault_of_way(catalog, other, name) for folder, _, name in changed if folder == "house-ways"
    )
    return next(filter(None, faults), None)


def _fault_of_way(catalog: Catalog, other: Catalog, name: str) -> str | None:
    """Return the fault of a house way under another interpretation, in the games that use it."""
    before, after = catalog.house_ways[name], other.house_ways[name]
    games = [game for game in catalog.games.values() if game.house_way == name]
    try:
        for game in games:
            refuse_unsound(catalog, game, before)
    except CertifyError:
        return None  # reported as findings
    try:
        for game in games:
            refuse_unsound(other, game, after)
    except Unfit as fault:
        return fault.findings[0].message
    except CertifyError as refusal:
        return refusal.message
    if games and all(set_alike(before, after, game.hands) for game in games):
        return "Every hand is set as it was."
    return None


def _records(catalog: Catalog) -> tuple[object, ...]:
    return catalog.games, catalog.house_ways, catalog.events


def _about(catalog: Catalog, owner: str, game: Game, house_way: str) -> Iterator[Alternative]:
    """Yield the alternatives of an owner that are about this game, set by this house way."""
    mine = {*EVENT_FILES, game.id, f"house-ways/{house_way}"}
    readings = catalog.alternatives.get(owner)
    for alternative in readings.alternatives if readings else ():
        if all(c.record in mine or c.record.startswith(f"{game.id}/") for c in alternative.changes):
            yield alternative


def _select_affected(selection: Selection, other: Catalog, house_way: str) -> Selection:
    """Return the records whose figures can differ, as they are read otherwise."""
    catalog, game = selection.catalog, selection.game
    reads = other.games[game.id]
    wagers = {wager.id: wager for wager in reads.wagers}
    played = _list_play_values(catalog, game, house_way) != _list_play_values(
        other, reads, house_way
    )
    dealt = (game.hands, game.players, catalog.events) != (
        reads.hands,
        reads.players,
        other.events,
    )
    records: list[tuple[Wager, Paytable | MainWager]] = []
    for wager, record in selection.records:
        now = wagers[wager.id]
        listed: tuple[Paytable | MainWager, ...] = (*now.options, *now.paytables)
        again = next(fresh for fresh in listed if fresh.id == record.id)
        changed = again != record
        if isinstance(again, Paytable) and isinstance(record, Paytable):
            changed |= dealt or now.find_envy(again) != wager.find_envy(record)
        else:
            changed |= played
        if changed:
            records.append((now, again))
    return Selection(catalog=other, game=reads, records=tuple(records))


def _list_play_values(catalog: Catalog, game: Game, house_way: str) -> tuple[object, ...]:
    """Return the declared values that a main wager's figures depend on, without the option's."""
    way = catalog.house_ways.get(house_way)
    return game.hands, game.dealer_exposed, game.strategy, game.house_way, way


def _find_changes(filed: Analysis, read: Analysis) -> dict[Figure, tuple[Fraction, Fraction]]:
    """Return the figures that both analyses have and that differ, as filed and as read."""
    before, after = _figures(filed), _figures(read)
    return {
        figure: (value, after[figure])
        for figure, value in before.items()
        if after.get(figure, value) != value
    }


def _figures(analysis: Analysis) -> dict[Figure, Fraction]:
    figures: dict[Figure, Fraction] = {}
    if analysis.house_edge is not None:
        figures[Figure.HOUSE_EDGE] = analysis.house_edge
    if analysis.envy is not None and analysis.envy.house_edge_by_players:
        edges = analysis.envy.house_edge_by_players
        figures[Figure.FULL_TABLE] = edges[max(edges)]
    if analysis.progressive is not None:
        figures[Figure.FIXED_RETURN] = analysis.progressive.fixed_return
    return figures
