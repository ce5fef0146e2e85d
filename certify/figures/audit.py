"""Audit of every printed figure: recompute it and compare it at its printed precision."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec.structs import replace

from certify import __version__, library
from certify.checks.f_figures import no_reason
from certify.checks.framework import Context
from certify.checks.quantities import agrees, format_like, parse_number
from certify.checks.review import review
from certify.figures.evaluate import Settings, evaluate, list_inputs
from certify.figures.targets import (
    load_folder,
    refuse_errors,
    select_entries,
    unknown_id,
)
from certify.formatting import ROUNDING
from certify.intake.read import read_catalog
from certify.model.analysis import Analysis, EnvyAnalysis, Input, RowAnalysis
from certify.model.catalog import Catalog
from certify.model.comparison import Agreement, FigureJudgement
from certify.model.encoding import Forms, Progress, drop_empty, encode_object, pick_values
from certify.model.finding import Document, Finding, Severity
from certify.model.game import Game, Strategy
from certify.model.request import Request, Result, argument
from certify.model.source import Convention, Discrepancy, PublishedFigure, Quantity, Source

_OF_A_ROW: Final = (Quantity.COMBINATIONS, Quantity.PROBABILITY, Quantity.ROW_RETURN)
_OF_AN_ENVY_ROW: Final = (
    Quantity.ENVY_ROW_COMBINATIONS,
    Quantity.ENVY_ROW_PROBABILITY,
    Quantity.ENVY_ROW_RETURN,
)


def recompute(figure: PublishedFigure, analyses: Mapping[str, Analysis]) -> Fraction | None:
    """Return the exact value of a printed figure as the rules read; percents as fractions of one.

    ``analyses`` are by target. None if the figure cannot be computed: its target is not there, it
    has no such row or table, or a meter decides it.
    """
    analysis = analyses.get(figure.target)
    return None if analysis is None else _value(figure, analysis)


def recompute_as_read(figure: PublishedFigure, analyses: Mapping[str, Analysis]) -> Fraction | None:
    """Return the exact value of a printed figure under its declared interpretation.

    None if it names none, or the figure cannot be computed.
    """
    reading = figure.reading
    if reading is None:
        return None
    read = replace(
        figure,
        target=reading.target or figure.target,
        convention=reading.convention or figure.convention,
    )
    analysis = analyses.get(read.target)
    if analysis is None:
        return None
    return _value(
        read, analysis if reading.decimals is None else _round_rows(analysis, reading.decimals)
    )


def _prizes_at_qualifying_wager(analysis: Analysis) -> EnvyAnalysis | None:
    """Return the prizes at the wager to which printed figures of prizes refer.

    None without prizes, and if they were counted at a wager that wins none.
    """
    envy, edge = analysis.envy, analysis.house_edge
    if envy is None or envy.wager_cents == envy.qualifying_wager_cents:
        return envy
    if envy.wager_cents < envy.qualifying_wager_cents:
        return None
    scale = Fraction(envy.wager_cents, envy.qualifying_wager_cents)
    return replace(
        envy,
        wager_cents=envy.qualifying_wager_cents,
        rows=tuple(replace(row, contribution=row.contribution * scale) for row in envy.rows),
        per_other_player=envy.per_other_player * scale,
        house_edge_by_players={
            players: edge + (with_prizes - edge) * scale
            for players, with_prizes in envy.house_edge_by_players.items()
            if edge is not None
        },
    )


def _value(figure: PublishedFigure, analysis: Analysis) -> Fraction | None:
    envy = _prizes_at_qualifying_wager(analysis)
    if figure.quantity in _OF_A_ROW:
        return _recompute_row(figure, analysis.rows)
    if figure.quantity in _OF_AN_ENVY_ROW:
        return _recompute_row(figure, envy.rows if envy else ())
    totals: dict[Quantity, Fraction | None] = {
        Quantity.TOTAL_COMBINATIONS: Fraction(sum(row.combinations for row in analysis.rows)),
        Quantity.TOTAL_PROBABILITY: sum((row.probability for row in analysis.rows), Fraction(0)),
        Quantity.TOTAL_RETURN: _total_return(figure, analysis),
        Quantity.HOUSE_EDGE: analysis.house_edge,
        Quantity.HOUSE_EDGE_WITH_PLAYERS: _edge_with_players(envy, figure.players),
        Quantity.ENVY_PER_OTHER_PLAYER: envy.per_other_player if envy else None,
    }
    return totals.get(figure.quantity)


def _edge_with_players(envy: EnvyAnalysis | None, players: int | None) -> Fraction | None:
    """Return the edge with prizes for any number of players, whatever the filing has."""
    alone = envy.house_edge_by_players.get(1) if envy is not None else None
    if envy is None or alone is None or not players:
        return None
    return alone - (players - 1) * envy.per_other_player


def _recompute_row(figure: PublishedFigure, rows: Sequence[RowAnalysis]) -> Fraction | None:
    for row in rows:
        if row.event != figure.event:
            continue
        if figure.quantity in (Quantity.COMBINATIONS, Quantity.ENVY_ROW_COMBINATIONS):
            return Fraction(row.combinations)
        if figure.quantity in (Quantity.PROBABILITY, Quantity.ENVY_ROW_PROBABILITY):
            return row.probability
        if row.weight is not None:
            return None  # a meter whose level is not given decides it
        stake = row.probability if figure.convention is Convention.STAKE_INCLUDED else 0
        return row.contribution + stake
    return None


def _total_return(figure: PublishedFigure, analysis: Analysis) -> Fraction | None:
    """Return the sum of all rows: net, or as amounts handed to the player per unit staked."""
    if analysis.return_to_player is None:
        return None
    stake_included = figure.convention is Convention.STAKE_INCLUDED
    return analysis.return_to_player - (0 if stake_included else 1)


def _round_rows(analysis: Analysis, decimals: int) -> Analysis:
    """Return the analysis with the chance of every row rounded half up, the last row the rest."""
    unit = 10**decimals
    rows = []
    for row in analysis.rows[:-1]:
        chance = Fraction((2 * row.probability * unit + 1) // 2, unit)
        net = row.contribution / row.probability if row.probability else Fraction(0)
        rows.append(replace(row, probability=chance, contribution=chance * net))
    rest = 1 - sum((row.probability for row in rows), start=Fraction(0))
    rows.append(replace(analysis.rows[-1], probability=rest, contribution=-rest))
    edge = -sum((row.contribution for row in rows), start=Fraction(0))
    return replace(analysis, rows=tuple(rows), house_edge=edge, return_to_player=1 - edge)


NOT_HERE = "Its paytable was not evaluated."
NO_VALUE = "The paytable has no such row, or a meter without a declared level decides the value."
NEEDLESS = "The entry names an interpretation, but the figure agrees without it."


class Audit(Result, frozen=True, kw_only=True):
    """The judged figures of one game's source, and the discrepancies found in it."""

    table = "figures"

    game: Game
    figures: tuple[FigureJudgement, ...]
    discrepancies: tuple[Discrepancy, ...]
    inputs: tuple[Input, ...]
    engine_version: str
    findings: tuple[Finding, ...] = ()
    """Findings of `check` on the game's printed figures, with their positions."""

    checked: tuple[str, ...] = ()
    """The file of the printed figures, if the game has one."""

    @property
    def totals(self) -> dict[Agreement, int]:
        """The number of figures by verdict."""
        return {
            verdict: sum(figure.agreement is verdict for figure in self.figures)
            for verdict in Agreement
        }

    @property
    def failures(self) -> tuple[FigureJudgement, ...]:
        """The figures that differ, lack a required reason, or have a needless interpretation."""
        return tuple(figure for figure in self.figures if _fails(figure))

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify audit --format json``."""
        value = {
            "game": self.game.id,
            "document": self.game.document.id,
            "rounding": ROUNDING,
            "figures": self.figures,
            "totals": self.totals,
            "discrepancies": self.discrepancies,
            "inputs": self.inputs,
            "engine": {"version": self.engine_version},
        }
        return encode_object(value, FORMS)


def _figure_json(judgement: FigureJudgement) -> dict[str, Any]:
    figure, value = judgement.figure, judgement.recomputed
    recomputed = (
        {}
        if value is None
        else {
            "recomputed": value,
            "recomputed_at_printed_precision": format_like(value, figure.printed),
            "difference": difference(judgement) or 0 * value,
        }
    )
    return {
        "id": figure.id,
        "verdict": judgement.agreement,
        **pick_values(figure, "target", "quantity", "convention", "printed"),
        **drop_empty(pick_values(figure, "event", "players")),
        **recomputed,
        **drop_empty(
            {"reading": figure.reading and str(figure.reading), "reason": judgement.reason}
        ),
        "source": figure.source,
    }


FORMS: Forms = {
    Discrepancy: lambda case: pick_values(
        case, "id", "kind", "title", "words", "sources", "effect", "resolution", "targets"
    ),
    FigureJudgement: _figure_json,
    Source: lambda source: drop_empty(pick_values(source, "document", "clause", "reconstructed")),
}
"""JSON forms of the parts of an audit."""


class AuditRequest(Request, frozen=True, kw_only=True):
    """The game of `certify audit`: its id, or the folder of a game elsewhere."""

    game: Annotated[str, argument("Id or folder of a game.")]
    progress: Progress | None = None


def audit(request: AuditRequest) -> Audit:
    """Compute every printed figure of a game again.

    Raises:
        NotConfigured: there is no such game.
        Unfit: the declared data has errors.
    """
    catalog, game = _load_game(request.game)
    analyses = _analyses(catalog, game, request.progress)
    figures = judge_figures(catalog, game, analyses)
    printed = catalog.documents.get(f"{game.id}/published")
    findings = review(Context(catalog, analyses, figures)) if printed else ()
    return Audit(
        game=game,
        figures=figures,
        findings=() if printed is None else tuple(_findings(printed, figures, findings)),
        checked=() if printed is None else (printed.path,),
        discrepancies=catalog.discrepancies.get(game.id, ()),
        inputs=list_inputs(catalog, (f"{game.id}/published", f"{game.id}/discrepancies")),
        engine_version=__version__,
    )


def judge_figures(
    catalog: Catalog, game: Game, analyses: Mapping[str, Analysis]
) -> tuple[FigureJudgement, ...]:
    """Judge every printed figure of a game, in printed order.

    A figure is omitted if the wager was counted under another play than the figure assumes. One of
    more players than the game seats is not computable.

    Args:
        catalog: the catalog.
        game: the game whose source prints the figures.
        analyses: exact figures by target; a figure of another target is not computable here.
    """
    return tuple(
        judge_figure(figure, analyses if (figure.players or 0) <= game.players else {})
        for figure in catalog.published.get(game.id, ())
        if _matches_play(figure, game, analyses.get(figure.target))
    )


def _matches_play(figure: PublishedFigure, game: Game, analysis: Analysis | None) -> bool:
    """Return True if a wager was counted under the play that a figure assumes, or not counted.

    A figure of the main wager is for a house way on both sides, or for the game's own play.
    """
    main = analysis.main if analysis is not None else None
    if main is None:
        return True
    if figure.house_way is not None:
        return (main.house_way, main.strategy) == (figure.house_way, Strategy.HOUSE_WAY)
    return (main.house_way or "", main.strategy) == (game.house_way or "", game.strategy)


def judge_figure(figure: PublishedFigure, analyses: Mapping[str, Analysis]) -> FigureJudgement:
    """Judge one printed figure: as the rules read first, then as its record reads it."""
    judgement = FigureJudgement(
        figure=figure,
        agreement=Agreement.NOT_COMPUTABLE,
        recomputed=recompute(figure, analyses),
        reason=figure.reason or "",
    )
    if figure.quantity is Quantity.NOT_COMPUTABLE:
        return replace(judgement, recomputed=None)
    if judgement.recomputed is not None and agrees(judgement.recomputed, figure.printed):
        needless = NEEDLESS if figure.reading else judgement.reason
        return replace(judgement, agreement=Agreement.AGREES, reason=needless)
    as_read = recompute_as_read(figure, analyses)
    if as_read is not None and agrees(as_read, figure.printed):
        return replace(judgement, agreement=Agreement.AGREES_UNDER_READING)
    if judgement.recomputed is None:
        is_analyzed = figure.target in analyses
        return replace(judgement, reason=judgement.reason or NO_VALUE if is_analyzed else NOT_HERE)
    return replace(judgement, agreement=Agreement.DIFFERS)


def difference(judgement: FigureJudgement) -> Fraction | None:
    """Return the exact difference, printed minus recomputed; None if nothing was computed."""
    if judgement.recomputed is None:
        return None
    return parse_number(judgement.figure.printed).value - judgement.recomputed


def _fails(judgement: FigureJudgement) -> bool:
    figure = judgement.figure
    if judgement.agreement is Agreement.NOT_COMPUTABLE:
        return figure.reason is None or figure.reading is not None
    if judgement.agreement is Agreement.AGREES:
        return figure.reading is not None
    return judgement.agreement is Agreement.DIFFERS


def _findings(
    printed: Document, figures: Iterable[FigureJudgement], findings: Iterable[Finding]
) -> Iterator[Finding]:
    """Yield the findings on the printed figures, with an error for each one that fails."""
    places = {figure["id"]: f"/figures/{at}" for at, figure in enumerate(printed.value["figures"])}
    failing = {places[figure.figure.id]: figure for figure in figures if _fails(figure)}
    for finding in findings:
        if finding.file == printed.path:
            place = "/".join(finding.pointer.split("/")[:3])
            failure = failing.pop(place, None)
            yield finding if failure is None else replace(finding, severity=Severity.ERROR)
    for place, judgement in failing.items():
        message = f"{judgement.figure.printed} is printed. {judgement.reason}"
        yield printed.finding(no_reason.code.id, place, message, no_reason.code.advice())


def _load_game(name: str) -> tuple[Catalog, Game]:
    """Return the catalog and the game for the name of a game or a folder."""
    if (Path(name) / "game.json").is_file():
        folder = Path(name).resolve()
        catalog, findings = load_folder(folder)
        name = folder.name
    else:
        catalog, findings = read_catalog(*library.layers())
    if name not in catalog.games and not any(f"/{name}/" in finding.file for finding in findings):
        raise unknown_id("game", name, catalog.games)
    refuse_errors(findings)
    return catalog, catalog.games[name]


def _analyses(catalog: Catalog, game: Game, progress: Progress | None) -> dict[str, Analysis]:
    """Evaluate the wagers of the computable printed figures and of their interpretations."""
    figures = [
        figure
        for figure in catalog.published.get(game.id, ())
        if figure.quantity is not Quantity.NOT_COMPUTABLE
    ]
    named = {figure.target for figure in figures} | {
        figure.reading.target for figure in figures if figure.reading
    }
    selection = select_entries(catalog, game, named)
    if not selection.records:
        return {}
    return {
        analysis.target: analysis for analysis in evaluate(selection, Settings(progress=progress))
    }
