"""Printed figures computed again; whether they agree is judged elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from certify.model.analysis import Analysis, EnvyAnalysis, RowAnalysis
from certify.model.source import Convention, PublishedFigure, Quantity

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
    """Return the exact value of a printed figure under the reading that its record names.

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
        read, analysis if reading.decimals is None else _rounded(analysis, reading.decimals)
    )


def _at_qualifying_wager(analysis: Analysis) -> EnvyAnalysis | None:
    """Return the prizes at the wager that printed figures of them are for.

    None without prizes, and where they were counted at a wager that wins none.
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
    envy = _at_qualifying_wager(analysis)
    if figure.quantity in _OF_A_ROW:
        return _of_row(figure, analysis.rows)
    if figure.quantity in _OF_AN_ENVY_ROW:
        return _of_row(figure, envy.rows if envy else ())
    totals: dict[Quantity, Fraction | None] = {
        Quantity.TOTAL_COMBINATIONS: Fraction(sum(row.combinations for row in analysis.rows)),
        Quantity.TOTAL_PROBABILITY: sum((row.probability for row in analysis.rows), Fraction(0)),
        Quantity.TOTAL_RETURN: _total_return(figure, analysis),
        Quantity.HOUSE_EDGE: analysis.house_edge,
        Quantity.HOUSE_EDGE_WITH_PLAYERS: (envy.house_edge_by_players if envy else {}).get(
            figure.players or 0
        ),
        Quantity.ENVY_PER_OTHER_PLAYER: envy.per_other_player if envy else None,
    }
    return totals.get(figure.quantity)


def _of_row(figure: PublishedFigure, rows: Sequence[RowAnalysis]) -> Fraction | None:
    for row in rows:
        if row.event != figure.event:
            continue
        if figure.quantity in (Quantity.COMBINATIONS, Quantity.ENVY_ROW_COMBINATIONS):
            return Fraction(row.combinations)
        if figure.quantity in (Quantity.PROBABILITY, Quantity.ENVY_ROW_PROBABILITY):
            return row.probability
        stake = row.probability if figure.convention is Convention.STAKE_INCLUDED else 0
        return row.contribution + stake
    return None


def _total_return(figure: PublishedFigure, analysis: Analysis) -> Fraction | None:
    """Return the sum of all rows: net, or of what the player is handed of each unit staked."""
    if analysis.return_to_player is None:
        return None
    stake_included = figure.convention is Convention.STAKE_INCLUDED
    return analysis.return_to_player - (0 if stake_included else 1)


def _rounded(analysis: Analysis, decimals: int) -> Analysis:
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
