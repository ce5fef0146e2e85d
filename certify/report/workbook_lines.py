"""Lines of a sheet of the workbook: each result of a wager."""

from fractions import Fraction

from msgspec import Struct

from certify.model.analysis import Analysis
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, Payout, Paytable

LOST = Payout(basis=Basis.LOSS)


class Line(Struct, frozen=True, kw_only=True):
    """One result of a wager: the payout as an input, or the net result if that is the input."""

    name: str
    printed: str
    combinations: int
    payout: Payout | None
    net: Fraction = Fraction(0)


def list_lines(table: MainWager | Paytable, analysis: Analysis) -> list[Line]:
    """Return every way the wager ends; of the main wager by its net result."""
    if isinstance(table, MainWager):
        return [
            Line(
                name=row.name,
                printed=row.pays,
                combinations=row.combinations,
                payout=None,
                net=row.contribution / row.probability if row.probability else Fraction(0),
            )
            for row in analysis.rows
        ]
    payouts = (*(row.payout for row in table.rows), LOST)
    return [
        Line(name=row.name, printed=row.pays, combinations=row.combinations, payout=payout)
        for row, payout in zip(analysis.rows, payouts, strict=True)
    ]
