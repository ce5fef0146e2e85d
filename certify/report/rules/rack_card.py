"""Rack cards: what layout and rack card show, from the same records as the paytables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from certify.formatting import money
from certify.model.game import Wager
from certify.model.main_wager import MainWager
from certify.model.payout import Basis, Payout
from certify.model.paytable import EnvyTable, Paytable
from certify.model.submission import Submission
from certify.report.head_view import main_wager
from certify.report.rules.offered import filed_paytables
from certify.report.wording import as_written, label, named, pays


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """One line of a rack card: the printed name of a hand and what it is paid."""

    name: str
    pays: str
    payout: Payout | None = None
    prize_cents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardHand:
    """A hand of a rack card with its payout, its prize and the payouts that may be drawn."""

    name: str
    payout: Payout | None
    prize_cents: int | None
    dynamic: tuple[Payout, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCard:
    """The rack card of one paytable; ``words`` are the footnotes that belong on it.

    ``mark`` names the paytable outside the card. ``prizes`` is the game's word for prizes for other
    players' hands, empty where there are none.
    """

    wager: str
    mark: str
    hands: tuple[CardHand, ...]
    words: tuple[str, ...]
    prizes: str
    qualifying_cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTies:
    """What ties do under an option, in words."""

    option: str
    to_dealer: bool
    high: str
    low: str
    both_push: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MainCard:
    """The rack card of the main wager; ``divided``: hands are set in two."""

    wager: str
    win_pays: Payout
    ties: CardTies
    other_ties: tuple[CardTies, ...]
    options: tuple[MainWager, ...]
    choice: bool
    words: tuple[str, ...]
    divided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCards:
    """Every rack card of a submission."""

    main: MainCard | None
    bonus: tuple[RackCard, ...]


def rack_cards(submission: Submission) -> RackCards:
    """Return the main wager's card and one for every filed paytable."""
    return RackCards(
        main=_main_card(submission, submission.main) if submission.main is not None else None,
        bonus=tuple(
            _card(filed_paytable, wager)
            for wager in submission.game.wagers
            for filed_paytable in filed_paytables(wager, submission)
        ),
    )


def _ties(option: MainWager) -> CardTies:
    ties = option.ties
    return CardTies(
        option=option.name,
        to_dealer=ties.to_dealer,
        high=named("tie", ties.high),
        low=named("tie", ties.low),
        both_push=ties.both_push,
    )


def _main_card(submission: Submission, option: MainWager) -> MainCard:
    raised = option.raise_
    return MainCard(
        wager=main_wager(submission).name,
        win_pays=option.win_pays,
        ties=_ties(option),
        other_ties=tuple(_ties(other) for other in submission.options if other.ties != option.ties),
        options=submission.options,
        choice=len(submission.options) > 1,
        words=(
            *(rule.text for rule in option.dealer_rules),
            *(term.text for term in (raised, raised.fold if raised else None) if term),
        ),
        divided=submission.game.hands.shape.divided,
    )


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


def _card(paytable: Paytable, wager: Wager) -> RackCard:
    envy = next((table for table in wager.envies if table.id == paytable.envy), None)
    return RackCard(
        wager=wager.name,
        mark=label(paytable.id),
        hands=tuple(_hands(paytable, envy)),
        words=_words([paytable, *([envy] if envy else [])]),
        prizes=as_written(envy.called) if envy else "",
        qualifying_cents=envy.qualifying_wager_cents if envy else None,
    )


def _hands(paytable: Paytable, envy: EnvyTable | None) -> Iterator[CardHand]:
    """Yield the hands that are paid something, those with a prize alone last."""
    prizes = {row.event: row for row in (envy.rows if envy else ())}
    for row in paytable.rows:
        prize = prizes.pop(row.event, None)
        if row.payout.basis is not Basis.LOSS or prize is not None:
            yield CardHand(
                name=row.name,
                payout=row.payout if row.payout.basis is not Basis.LOSS else None,
                prize_cents=prize.prize_cents if prize else None,
                dynamic=row.dynamic,
            )
    for prize in prizes.values():
        yield CardHand(name=prize.name, payout=None, prize_cents=prize.prize_cents)


def _words(records: Sequence[Paytable | EnvyTable]) -> tuple[str, ...]:
    """Return the footnotes of a paytable and its prizes, once each."""
    return tuple(dict.fromkeys(note.text for record in records for note in record.source.notes))
