"""The text of layout and rack card, from the same records as the paytables."""

from collections.abc import Iterator
from dataclasses import dataclass

from certify.formatting import listed, money
from certify.model.game import Wager
from certify.model.payout import Basis, Payout
from certify.model.paytable import EnvyTable, Paytable
from certify.model.submission import Submission
from certify.report.head_view import commissions, main_wager
from certify.report.matrix_view import notes_of
from certify.report.paytable_view import filed_paytables
from certify.report.wording import as_written, label, pay_amount, pays


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """One line of a rack card: the printed name of a hand and what it is paid."""

    name: str
    pays: str
    payout: Payout | None = None
    prize_cents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCard:
    """What layout and rack card show of one paytable, or of the main wager.

    ``words`` say what is no row: how the main wager ends, what a draw changes.
    """

    wager: str
    table: str
    lines: tuple[CardLine, ...] = ()
    words: tuple[str, ...] = ()
    prizes_head: str = ""
    prizes: tuple[CardLine, ...] = ()


def rack_cards(submission: Submission) -> tuple[RackCard, ...]:
    """Return the main wager's card, one for every filed paytable, and the notes of each wager."""
    cards = [_main_card(submission)]
    for wager in submission.game.wagers:
        filed = filed_paytables(wager, submission)
        cards += [_card(one, wager) for one in filed]
        notes = tuple(f"{one.text} {one.tables}".rstrip() for one in notes_of(filed))
        if notes:
            cards.append(RackCard(wager=wager.name, table="for every card", words=notes))
    return tuple(cards)


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


def _main_card(submission: Submission) -> RackCard:
    option, wager = submission.option, main_wager(submission)
    raised = option.raise_
    return RackCard(
        wager=wager.name,
        table="",
        lines=(CardLine(name="Both hands win", pays=pays(option.win_pays)),),
        words=(
            "One hand wins and one loses: push. Ties go to the dealer.",
            *(rule.text for rule in option.dealer_rules),
            *((raised.text,) if raised is not None else ()),
            *commissions(submission),
        ),
    )


def _card(paytable: Paytable, wager: Wager) -> RackCard:
    envy = next((one for one in wager.envies if one.id == paytable.envy), None)
    return RackCard(
        wager=wager.name,
        table=label(paytable.id),
        lines=card_lines(paytable),
        words=tuple(_words(paytable)),
        prizes_head=_prizes_head(envy) if envy else "",
        prizes=card_prizes(envy),
    )


def _words(paytable: Paytable) -> Iterator[str]:
    """Yield what the rows do not say: losing rows, dynamic pays, the base wager."""
    losing = [row.name for row in paytable.rows if row.payout.basis is Basis.LOSS]
    if losing:
        yield f"No pay: {listed(losing)}."
    for row in paytable.rows:
        if row.dynamic:
            drawn = ", ".join(pay_amount(one) for one in row.dynamic)
            yield f"{row.name}, when drawn, for 1: {drawn}."
    if paytable.progressive is not None:
        yield f"Pays are for a wager of {money(paytable.progressive.base_wager_cents)}."


def _prizes_head(envy: EnvyTable) -> str:
    least = money(envy.qualifying_wager_cents)
    return (
        f"{as_written(envy.called)} prizes, for another player's hand and wagers of {least} or more"
    )
