"""The text of layout and rack card, from the same records as the paytables."""

from dataclasses import dataclass

from certify.model.payout import Basis, Payout
from certify.model.paytable import EnvyTable, Paytable
from certify.report.numbers import money
from certify.report.wording import pays


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """One line of a rack card: the printed name of a hand and what it is paid."""

    name: str
    pays: str
    payout: Payout | None = None
    prize_cents: int | None = None


def card_lines(paytable: Paytable) -> tuple[CardLine, ...]:
    """Return the rows of a paytable that pay, in printed order."""
    return tuple(
        CardLine(name=row.name, pays=pays(row.payout), payout=row.payout)
        for row in paytable.rows
        if row.payout.basis is not Basis.LOSS
    )


def card_prizes(envy: EnvyTable | None) -> tuple[CardLine, ...]:
    """Return the prizes of an envy table, in printed order."""
    return tuple(
        CardLine(name=row.name, pays=money(row.prize_cents), prize_cents=row.prize_cents)
        for row in (envy.rows if envy else ())
    )
