"""Dynamic pays: what the draw of other pays for some rows can add to the return."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from certify.errors import NotConfigured
from certify.model.analysis import DynamicAnalysis, DynamicRow
from certify.model.paytable import DynamicDraw, Paytable


def evaluate_dynamic(
    paytable: Paytable, probabilities: Sequence[Fraction]
) -> DynamicAnalysis | None:
    """Return the change of return by each dynamic pay, and the range over all allowed draws.

    A draw takes some of the rows that have dynamic pays, each with any one of its pays; how likely
    a draw is, no source says. Which row a hand is awarded does not depend on the draw. None for a
    paytable without dynamic pays.

    Raises:
        NotConfigured: more rows are to be drawn than have dynamic pays, or more than may be.
    """
    if paytable.dynamic is None:
        return None
    rows = tuple(
        DynamicRow(
            event=row.event,
            name=row.name,
            default=str(row.payout),
            pays=tuple(map(str, row.dynamic)),
            change=tuple(chance * (pay.net - row.payout.net) for pay in row.dynamic),
        )
        for row, chance in zip(paytable.rows, probabilities, strict=False)
        if row.dynamic
    )
    if paytable.dynamic.maximum_rows > len(rows):
        raise NotConfigured(
            f"{paytable.target} draws {paytable.dynamic.maximum_rows} of {len(rows)} rows.",
            remedy="Draw at most as many rows as have dynamic pays.",
        )
    if paytable.dynamic.minimum_rows > paytable.dynamic.maximum_rows:
        raise NotConfigured(
            f"{paytable.target} draws at least {paytable.dynamic.minimum_rows} rows and at most "
            f"{paytable.dynamic.maximum_rows}.",
            remedy="Exchange or correct the two numbers.",
        )
    return DynamicAnalysis(
        rows=rows,
        least=min(_sums(paytable.dynamic, sorted(min(row.change) for row in rows))),
        greatest=max(
            _sums(paytable.dynamic, sorted((max(row.change) for row in rows), reverse=True))
        ),
    )


def _sums(draw: DynamicDraw, changes: Sequence[Fraction]) -> list[Fraction]:
    """Return the sums of the first changes, for each number of rows that may be drawn."""
    sums = list(accumulate(changes, initial=Fraction(0)))
    return sums[draw.minimum_rows : draw.maximum_rows + 1]
