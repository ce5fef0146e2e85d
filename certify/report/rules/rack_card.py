"""Rack cards: the payouts and rules of each wager in the words of players."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from certify.formatting import money
from certify.model.game import Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, EnvyTable, Payout, Paytable, Row
from certify.model.submission import Submission
from certify.model.topic import Topic
from certify.report.rules.numbering import filed_paytables, payout_limit, state_ties
from certify.report.rules.terms import describe_pays
from certify.report.wording import (
    Ids,
    groups,
    ids,
    merged_orders,
    name_in_print,
    pays,
    together,
)

BESIDE = 2
"""The most columns of a card that shares a line with another card."""

COLUMNS = 8
"""The most columns of a card as wide as the page; more are printed on a further card."""


class CardLine(Struct, frozen=True, kw_only=True):
    """One line of a rack card: the printed name of a hand and its pay."""

    name: str
    pays: str
    payout: Payout | None = None
    prize_cents: int | None = None


def rack_cards(submission: Submission) -> dict[str, Any]:
    """Return the main wager's card, and the cards of each bonus wager."""
    return {
        "main": _main_card(submission, submission.main) if submission.main is not None else None,
        "bonus": [
            card for wager in submission.game.wagers for card in _bonus_cards(submission, wager)
        ],
    }


def _main_card(submission: Submission, option: MainWager) -> dict[str, Any]:
    raised = option.raise_
    terms = (
        *(*option.dealer_rules, *option.bonus, option.companion),
        *(raised, raised.fold if raised else None),
    )
    return {
        "wager": submission.game.find_wager(option).name,
        "limits": card_limits(submission, submission.game.find_wager(option)),
        "option": option,
        "options": sorted(submission.options, key=_is_prepaid),
        "ties": state_ties(submission),
        "choice": len(submission.options) > 1,
        "paid": [
            describe_pays(side, option, submission)
            for side in (raised, option.companion)
            if side is not None and side.pays
        ],
        "words": [term.text for term in terms if term],
        "divided": submission.game.hands.shape.is_divided,
    }


def _is_prepaid(option: MainWager) -> bool:
    return option.commission is not None and option.commission.prepaid


def _bonus_cards(submission: Submission, wager: Wager) -> Iterator[dict[str, Any]]:
    """Yield the cards of a wager: its paytables side by side, those that pay alike in one column.

    ``heads`` has the ends of the ids of each column's paytables. ``hands`` and ``prizes`` have name
    and cells of a hand, ``notes`` each text with the paytables that it concerns if not all do.
    ``choice`` is False if one paytable is filed.
    """
    filed = filed_paytables(wager, submission)
    columns = together((_pays_and_prizes(table, wager), table) for table in filed)
    for part in groups([*columns.values()], COLUMNS):
        tables = [table for column in part for table in column]
        named = ids([table.id for table in tables])
        ends = dict(zip((table.id for table in tables), named.ends, strict=True))
        firsts = [column[0] for column in part]
        envies = [wager.find_envy(table) for table in firsts]
        yield {
            "wager": wager.name,
            "ids": named,
            "heads": [[ends[table.id] for table in column] for column in part],
            "choice": len(filed) > 1,
            "wide": len(part) > BESIDE
            or any(row.dynamic for table in firsts for row in table.rows),
            "hands": [*_hands(firsts)],
            "envy": next((envy for envy in envies if envy is not None), None),
            "prizes": [*_prizes(envies)],
            "qualifying": [envy and envy.qualifying_wager_cents for envy in envies],
            "notes": _notes(tables, wager, submission),
            "limits": card_limits(submission, wager),
        }


def _paid_rows(paytable: Paytable) -> dict[str, Row]:
    return {row.event: row for row in paytable.rows if row.payout.basis is not Basis.LOSS}


def _pays_and_prizes(paytable: Paytable, wager: Wager) -> tuple[object, ...]:
    """Return the pays and prizes of a paytable, by which columns of a card are merged."""
    envy = wager.find_envy(paytable)
    rows = _paid_rows(paytable)
    return (
        frozenset((event, row.payout, row.dynamic) for event, row in rows.items()),
        len(paytable.progressive.meters) if paytable.progressive else 0,
        envy
        and (
            envy.qualifying_wager_cents,
            frozenset((row.event, row.prize_cents) for row in envy.rows),
        ),
    )


def _names(tables: Iterable[Sequence[tuple[str, str]]]) -> Iterator[tuple[str, str]]:
    """Yield each event of some tables in printed order, with the names that it has there."""
    listed = [*tables]
    names = together(pair for table in listed for pair in table)
    for event in merged_orders([event for event, _ in table] for table in listed):
        yield event, " / ".join(dict.fromkeys(names[event]))


def _hands(tables: Sequence[Paytable]) -> Iterator[tuple[str, list[dict[str, Any] | None]]]:
    """Yield the name of each hand that pays, and its cell in each column; None is no pay."""
    paid = [_paid_rows(table) for table in tables]
    for event, name in _names([(row.event, row.name) for row in rows.values()] for rows in paid):
        yield (
            name,
            [
                _cell(rows[event], table) if event in rows else None
                for rows, table in zip(paid, tables, strict=True)
            ],
        )


def _cell(row: Row, paytable: Paytable) -> dict[str, Any]:
    """Return a pay as a card has it.

    ``level`` is empty if the paytable has one jackpot; ``least_drawn`` and ``most_drawn`` are
    the bounds of the pays that may be drawn for a round, per unit staked, None if there are none.
    """
    meters = paytable.progressive.meters if paytable.progressive else ()
    amounts = [payout.amount for payout in row.dynamic]
    return {
        "payout": row.payout,
        "jackpot": row.payout.basis is Basis.METER,
        "whole": row.payout.amount == 1,
        "level": row.payout.meter if len(meters) > 1 else "",
        "least_drawn": min(amounts, default=None),
        "most_drawn": max(amounts, default=None),
    }


def _prizes(envies: Sequence[EnvyTable | None]) -> Iterator[tuple[str, list[int | None]]]:
    """Yield the name of each hand with a prize, and the prize in each column in cents."""
    rows = [{row.event: row for row in envy.rows} if envy else {} for envy in envies]
    for event, name in _names([(row.event, row.name) for row in each.values()] for each in rows):
        yield name, [each[event].prize_cents if event in each else None for each in rows]


def _notes(
    tables: Sequence[Paytable], wager: Wager, submission: Submission
) -> list[tuple[str, Ids | None]]:
    """Return which row is paid, and each footnote; with the paytables if not all have it."""
    sections = [*(each.statements for each in submission.game.sections), wager.rules]
    applying = submission.filter_statements(rule for rules in sections for rule in rules)
    topics = {rule.topic for rule in applying if rule.wager in (None, wager.id)}
    having = together(
        (text, table.id)
        for table in tables
        for text in dict.fromkeys(
            (*_state_award(table), *_texts(table, wager.find_envy(table), topics))
        )
    )
    return [
        (text, ids(names) if len(names) < len(tables) else None) for text, names in having.items()
    ]


def _state_award(paytable: Paytable) -> Iterator[str]:
    """Yield which row of a paytable is paid, if it has several."""
    if len(_paid_rows(paytable)) > 1:
        yield name_in_print("row_paid", paytable.row_paid)


def _texts(
    paytable: Paytable, envy: EnvyTable | None, topics: Collection[Topic | None]
) -> Iterator[str]:
    """Yield the footnotes of a paytable; one with a topic only where ``topics`` have it."""
    for source in (paytable.source, *((envy.source,) if envy else ())):
        for note in source.notes:
            if note.topic is None or (note.topic in topics and note.topic is not Topic.ROW_PAID):
                yield note.text


def card_limits(submission: Submission, wager: Wager) -> dict[str, Any]:
    """Return the stated limits of a wager, and the payout limits that it is under."""
    return {
        "least": submission.terms.least(wager),
        "largest": submission.terms.largest(wager),
        "payouts": [
            payout_limit(submission, limit)
            for limit in submission.terms.aggregate_limits or ()
            if wager.id in limit.wagers
        ],
    }


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
