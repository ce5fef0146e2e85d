"""Volatility: how far the results of many rounds stray from their mean."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from certify.formatting import percent, root, square_root, thousands
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.report.charts import Band, Chart, bands
from certify.report.figures_view import bases
from certify.report.limit_view import at_limit
from certify.report.tables import Table, table
from certify.report.wording import full_label

ROUNDS = (1_000, 10_000, 100_000, 1_000_000)


def volatility_table(wagers: Sequence[tuple[Wager, Analysis]]) -> Table:
    """Return mean, deviation and the half band of twice the deviation, by number of rounds."""
    rows = [
        (
            name,
            percent(mean, 3),
            square_root(variance, 4),
            *(f"± {_half_band(variance, rounds)}" for rounds in ROUNDS),
        )
        for wager, one in wagers
        for name, mean, variance in _spreads(wager, one)
    ]
    return table(
        "Return over a number of rounds, in percent of what is wagered",
        "Wager and paytable @30 | #Mean | #Std. deviation | "
        + " | ".join(f"#{thousands(one)}" for one in ROUNDS),
        rows,
        note=_note(wagers),
        none="A meter decides the return of every wager.",
    )


def _spreads(wager: Wager, one: Analysis) -> Iterator[tuple[str, Fraction, Fraction]]:
    """Yield name, mean and variance of a wager, then those under its limits where exact."""
    if one.return_to_player is None or one.variance is None:
        return
    yield wager_label(wager, one), one.return_to_player, one.variance
    if one.limit is None:
        return
    for limited in one.limit.amounts:
        if limited.variance is not None:
            name = f"{wager_label(wager, one)} at {at_limit(one.limit, limited)}"
            yield name, one.return_to_player - limited.cost, limited.variance


def _note(wagers: Sequence[tuple[Wager, Analysis]]) -> str:
    """Return what the figures are of, and what they leave out of what is filed."""
    parts = (
        "Standard deviation: of one round, per unit wagered.",
        bases(wagers),
        "Mean and standard deviation leave prizes for the hands of other players out."
        if any(one.envy is not None for _, one in wagers)
        else "",
        "Paytables whose return a meter decides have no single mean and are left out."
        if any(one.return_to_player is None for _, one in wagers)
        else "",
        "A row without a limit, and every chart, is for pays in full."
        if any(one.limit is not None and one.limit.amounts for _, one in wagers)
        else "",
        "Under a limit that is shared there is no single mean."
        if any(one.limit is not None and one.limit.shared for _, one in wagers)
        else "",
    )
    return " ".join(one for one in parts if one)


def _half_band(variance: Fraction, rounds: int) -> str:
    """Return twice the deviation of a mean of that many rounds, in percent."""
    return square_root(variance * 4 / rounds * 10_000, 3)


def band_charts(wagers: Sequence[tuple[Wager, Analysis]]) -> tuple[Chart, ...]:
    """Return the bands of the main wager and of the first paytable of every other wager."""
    charts: dict[str, Chart] = {}
    for wager, one in wagers:
        if wager.id in charts or one.return_to_player is None or one.variance is None:
            continue
        mean, variance = one.return_to_player, one.variance
        charts[wager.id] = bands(
            id=f"chart-bands-{wager.id}",
            title=f"{wager_label(wager, one)}: return with its band, percent",
            values=[_band(mean, variance, rounds) for rounds in ROUNDS],
        )
    return tuple(charts.values())


def _band(mean: Fraction, variance: Fraction, rounds: int) -> Band:
    half = root(variance * 4 / rounds, 6)
    return Band(
        label=f"{thousands(rounds)} rounds",
        low=mean - half,
        middle=mean,
        high=mean + half,
        printed=f"± {_half_band(variance, rounds)}",
    )


def wager_label(wager: Wager, analysis: Analysis) -> str:
    """Return what a record is called where wagers stand mixed."""
    return wager.name if wager.options else full_label(wager.name, analysis.paytable)
