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
    found: dict[tuple[str, Fraction, Fraction, int | None, str], list[str]] = {}
    for filed in wagers:
        for one in filed.analyses:
            if one.return_to_player is None or one.variance is None:
                continue
            spread = (filed.wager.name, one.return_to_player, one.variance, None, "")
            found.setdefault(spread, []).append(one.paytable)
            for at in one.limit.amounts if one.limit is not None else ():
                if at.variance is not None and one.limit is not None:
                    mean, limits = one.return_to_player - at.cost, limits_text(one.limit)
                    cut = (filed.wager.name, mean, at.variance, at.wager_cents, limits)
                    found.setdefault(cut, []).append(one.paytable)
    return tuple(
        Volatility(
            name=name,
            ids=ids(tables),
            mean=mean,
            variance=variance,
            squares=tuple(variance * 40_000 / rounds for rounds in ROUNDS),
            cents=cents,
            limits=limits,
        )
        for (name, mean, variance, cents, limits), tables in found.items()
    )
