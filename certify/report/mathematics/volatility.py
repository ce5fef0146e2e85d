"""Results over many rounds."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from certify.report.mathematics.filed import FiledWager, Ids, ids
from certify.report.wording import limits_text

ROUNDS = (1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Volatility:
    """Mean and variance of a wager, and the squares of its bands in percent of what is wagered.

    ``limits`` are those that it is under at a wager of ``cents``, where it is.
    """

    name: str
    ids: Ids
    mean: Fraction
    variance: Fraction
    squares: tuple[Fraction, ...]
    cents: int | None = None
    limits: str = ""


def volatility(wagers: Iterable[FiledWager]) -> tuple[Volatility, ...]:
    """Return the spread of every wager that has one, paytables with the same one together."""
    tables_of: dict[tuple[str, Fraction, Fraction, int | None, str], list[str]] = {}
    nouns = {}
    for filed in wagers:
        nouns[filed.wager.name] = filed.noun
        for analysis in filed.analyses:
            if analysis.return_to_player is None or analysis.variance is None:
                continue
            spread = (filed.wager.name, analysis.return_to_player, analysis.variance, None, "")
            tables_of.setdefault(spread, []).append(analysis.paytable)
            for at in analysis.limit.amounts if analysis.limit is not None else ():
                if at.variance is not None and analysis.limit is not None:
                    mean, limits = analysis.return_to_player - at.cost, limits_text(analysis.limit)
                    cut = (filed.wager.name, mean, at.variance, at.wager_cents, limits)
                    tables_of.setdefault(cut, []).append(analysis.paytable)
    return tuple(
        Volatility(
            name=name,
            ids=ids(tables, nouns[name]),
            mean=mean,
            variance=variance,
            squares=tuple(variance * 40_000 / rounds for rounds in ROUNDS),
            cents=cents,
            limits=limits,
        )
        for (name, mean, variance, cents, limits), tables in tables_of.items()
    )
