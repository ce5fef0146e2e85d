"""Bonus wagers in the rules of play: rules, paytables side by side, prizes, meters."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from certify.formatting import join_words
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.paytable import (
    Basis,
    DynamicDraw,
    EnvyTable,
    HandsOf,
    Meter,
    Payout,
    Paytable,
    by_holder,
)
from certify.model.source import PLACES_OF_WAGER
from certify.model.submission import Submission
from certify.model.topic import Topic
from certify.report.rules.examples import examples
from certify.report.rules.numbering import (
    filed_envies,
    filed_paytables,
    find_marked,
    iter_numbers,
    rules,
)
from certify.report.wording import (
    FigureAtWager,
    Ids,
    figures_with_limit,
    groups,
    ids,
    label,
    merged_orders,
    name_in_print,
    together,
)
from certify.words.hands import describe_cards, describe_event, event_words, number

T = TypeVar("T")

COLUMNS = 8
"""Tables side by side at most; more are printed in a further matrix."""


def payout_matrices(
    wager: Wager, filed: Sequence[Paytable], submission: Submission
) -> list[dict[str, Any]]:
    """Return the payouts of a wager's filed paytables, with house edge and prizes of each.

    ``heads`` has the ends of the ``ids`` of each column's paytables; ``unit`` is the basis of all
    payouts at odds, empty if they have several. Of a hand stands what it is,
    where no matrix before said it, and its payouts. Tables with meters have ``fixed`` and ``adds``
    in place of ``edges``. Under a payout limit ``greatest`` has the edges at the maximum wager;
    where none is declared, ``least`` has those at the least wager that it affects.
    """
    explained: set[str] = set()
    marked = find_marked(submission)
    matrices = []
    columns = together(
        (
            (*_payouts(table).items(), _closing(table, submission), wager.find_envy(table)),
            table,
        )
        for table in filed
    )
    for part in groups([*columns.values()], COLUMNS):
        firsts = [tables[0] for tables in part]
        analyses = [submission.analyses.get(first.target) for first in firsts]
        names = _names(firsts)
        payouts = [_payouts(first) for first in firsts]
        named = ids([table.id for tables in part for table in tables])
        ends = iter(named.ends)
        matrices.append(
            {
                "ids": named,
                "unit": _unit(firsts),
                "heads": [[next(ends) for _ in tables] for tables in part],
                "prizes": _prizes(wager, firsts, analyses),
                "hands": [
                    (
                        name,
                        "" if event in explained else _describe(event, firsts, submission),
                        [paid.get(event) for paid in payouts],
                        f"{firsts[0].wager}/{event}",
                        f"{firsts[0].wager}/{event}" in marked,
                    )
                    for event, name in names.items()
                ],
                "edges": [analysis and analysis.house_edge for analysis in analyses],
                "fixed": _fixed(analyses),
                "adds": _adds(analyses),
                "least": _limited(analyses, last=False),
                "greatest": _limited(analyses, last=True),
                "names": _other_names(names, firsts),
                "originals": [*_originals(firsts).items()],
            }
        )
        explained.update(names)
    return matrices


def _describe(event: str, tables: Sequence[Paytable], submission: Submission) -> str:
    """Return the description of a hand for the first of some tables that pays it.

    An event of the project has its condition, too: nothing derives its text from that.
    """
    table = next(table for table in tables if event in _payouts(table))
    hands, declared = submission.game.hands.for_wager(table), submission.catalog.events[event]
    text = describe_event(declared, hands, table.cards)
    if event not in submission.catalog.own_events:
        return text
    words = event_words(declared, undivided=hands.shape.undivided, joker=hands.deck.joker > 0)
    return name_in_print("counted", "event").format(text=text, hand=words)


def _unit(tables: Iterable[Paytable]) -> str:
    """Return the basis of all payouts at odds: ``to 1`` or ``for 1``, empty if both occur."""
    units = list_bases(tables) & {Basis.TO, Basis.FOR}
    return f"{next(iter(units))} 1" if len(units) == 1 else ""


def _prizes(
    wager: Wager, tables: Sequence[Paytable], analyses: Sequence[Analysis | None]
) -> dict[str, Any] | None:
    """Return the prizes for other players' hands that go with some paytables, in their columns.

    With the wager that qualifies, and what each other player takes off the house edge at which
    wager; ``wager_cents`` is that wager if it is the same for all. ``others``: prizes are paid on
    the own or the dealer's hand, too. None if no table has prizes.
    """
    envies = [wager.find_envy(table) for table in tables]
    declared = [envy for envy in envies if envy is not None]
    if not declared:
        return None
    prizes = [{row.event: row.prize_cents for row in envy.rows} if envy else {} for envy in envies]
    effects = [analysis and analysis.envy for analysis in analyses]
    wagered = {effect.wager_cents for effect in effects if effect}
    return {
        "called": declared[0].called,
        "others": any(envy.other_hands for envy in declared),
        "tables": [envy and envy.id for envy in envies],
        "hands": [
            (name, [cents.get(event) for cents in prizes])
            for event, name in _names(declared).items()
        ],
        "qualifying": [envy and envy.qualifying_wager_cents for envy in envies],
        "effects": [
            (effect.per_other_player, effect.wager_cents) if effect else (None, None)
            for effect in effects
        ],
        "wager_cents": wagered.pop() if len(wagered) == 1 else None,
    }


def _payouts(paytable: Paytable) -> Mapping[str, Payout]:
    return {row.event: row.payout for row in paytable.rows}


def _names(records: Sequence[Paytable] | Sequence[EnvyTable]) -> dict[str, str]:
    """Return the printed name of every event of some tables, in printed order."""
    names: dict[str, str] = {}
    for record in records:
        for row in record.rows:
            names.setdefault(row.event, row.name)
    order = merged_orders([[row.event for row in record.rows] for record in records])
    return {event: names[event] for event in order}


def _other_names(
    names: Mapping[str, str], records: Sequence[Paytable]
) -> list[tuple[str, str, str]]:
    """Return other names of a hand in some tables, with the tables."""
    others = together(
        ((names[row.event], row.name), label(record.id))
        for record in records
        for row in record.rows
        if row.name != names[row.event]
    )
    return [(name, other, join_words(tables)) for (name, other), tables in others.items()]


def _originals(records: Sequence[Paytable]) -> dict[str, str]:
    """Return the original names of hands, by printed name."""
    rows = (row for record in records for row in record.rows)
    return {row.name: row.source_name for row in rows if row.source_name}


def _closing(paytable: Paytable, submission: Submission) -> tuple[object, ...]:
    """Return the contents below a column; tables with other contents get another column."""
    analysis = submission.analyses.get(paytable.target)
    return (
        analysis and analysis.house_edge,
        _fixed([analysis]),
        _adds([analysis]),
        _limited([analysis], last=True),
        tuple(row.dynamic for row in paytable.rows),
        list_bases([paytable]),
    )


def _fixed(analyses: Sequence[Analysis | None]) -> tuple[Fraction | None, ...]:
    """Return the returns of the fixed payouts; empty if no table has a meter."""
    returns = [
        analysis.progressive.fixed_return if analysis and analysis.progressive else None
        for analysis in analyses
    ]
    return tuple(returns) if any(share is not None for share in returns) else ()


def _adds(
    analyses: Sequence[Analysis | None],
) -> tuple[tuple[str, tuple[Fraction | None, ...]], ...]:
    """Return the return added per $1,000 on a meter in each table, by level."""
    tables = [analysis and analysis.progressive for analysis in analyses]
    levels = dict.fromkeys(meter.level for table in tables if table for meter in table.meters)
    shares = [
        {m.level: m.weight * 100_000 / table.base_wager_cents for m in table.meters}
        if table
        else {}
        for table in tables
    ]
    return tuple((level, tuple(of_table.get(level) for of_table in shares)) for level in levels)


def _limited(
    analyses: Sequence[Analysis | None], *, last: bool
) -> tuple[FigureAtWager | None, ...]:
    """Return the figures under a limit at one of the counted wagers; None if no limit binds.

    ``last``: at the greatest wager, where that is known; otherwise at the least, where it is not.
    """
    limited = [figures_with_limit(analysis) for analysis in analyses]
    suitable = [each if each and each.open is not last else None for each in limited]
    figures = [(*each.others, each.last)[-1 if last else 0] if each else None for each in suitable]
    return tuple(figures) if any(figures) else ()


def list_bases(filed: Iterable[Paytable]) -> frozenset[Basis]:
    """Return the bases of the payouts of some tables: to 1, for 1, of a meter, push, loss."""
    return frozenset(row.payout.basis for paytable in filed for row in paytable.rows)


def list_meters(tables: Iterable[Paytable]) -> list[tuple[int, Meter, Ids]]:
    """Return base wager and meter, once for the paytables that declare the same."""
    meters = together(
        ((table.progressive.base_wager_cents, meter), table.id)
        for table in tables
        if table.progressive is not None
        for meter in table.progressive.meters
    )
    return [(*declared, ids(names)) for declared, names in meters.items()]


def bonus_wager(
    wager: Wager,
    submission: Submission,
    section: int,
    blank: str | None,
    payout_blank: str | None,
) -> dict[str, Any]:
    """Return the contents of a bonus wager's section; ``blank`` is the number of its meters' blank.

    ``payout_blank`` is that of its payouts, if they are placeholders.

    ``edge`` is that of the only paytable, ``limited`` its figures under a payout limit. The flags
    say what the odds of the payouts include, and which hand is paid if several are held. ``meters``
    and ``dynamic`` payouts are printed once for the paytables that declare the same.
    """
    filed, marked = filed_paytables(wager, submission), find_marked(submission)
    matrices = payout_matrices(wager, filed, submission)
    basis = list_bases(filed)
    only = submission.analyses.get(filed[0].target) if len(filed) == 1 else None
    drawn = together(
        (
            (
                tuple((row.name, row.payout, row.dynamic) for row in table.rows if row.dynamic),
                table.dynamic,
            ),
            label(table.id),
        )
        for table in filed
    )
    return {
        "wager": wager,
        "clause": "; ".join(
            dict.fromkeys(table.source.clause for table in filed if table.source.clause)
        ),
        "marked": {name: f"{wager.id}/{name}" in marked for name in PLACES_OF_WAGER},
        "rules": rules(
            submission.filter_statements(wager.rules), submission, iter_numbers(section)
        ),
        "matrices": matrices,
        "to_one": Basis.TO in basis,
        "for_one": Basis.FOR in basis or Basis.METER in basis,
        "push": Basis.PUSH in basis,
        "uses": _describe_uses(submission, filed),
        "awards": _name_differing(together((table.row_paid, label(table.id)) for table in filed)),
        "after_fold": name_in_print("bonus_after_fold", wager.after_fold)
        if any(option.has_fold for option in submission.options)
        else "",
        "tables": filed,
        "edge": only.house_edge if only is not None else None,
        "limited": figures_with_limit(only),
        "notes": _notes(filed),
        "prizes": [matrix["prizes"] for matrix in matrices if matrix["prizes"]],
        "prized": _prized(wager, filed),
        "meters": list_meters(filed),
        "dynamic": [
            (hands, _count_drawn(draw), _are_for_one(hands), tables)
            for (hands, draw), tables in drawn.items()
            if hands
        ],
        "blank": blank,
        "placeholders": [
            (text, join_words(tables))
            for text, tables in together(
                (table.placeholder, label(table.id)) for table in filed if table.placeholder
            ).items()
        ],
        "payout_blank": payout_blank,
        "examples": examples(submission, wager),
    }


def _describe_uses(submission: Submission, filed: Sequence[Paytable]) -> list[tuple[str, str]]:
    """Return the sentences on the cards that decide a wager, with the paytables if they differ."""
    shape, added = submission.game.hands.shape, submission.main is None
    events = submission.catalog.events

    def describe(table: Paytable) -> str:
        of_holders = by_holder(table, [events[row.event] for row in table.rows])
        return describe_cards(table.hand, table.cards, shape, added=added, by_holder=of_holders)

    having = together((describe(table), label(table.id)) for table in filed)
    return _name_differing(having)


def _name_differing(having: Mapping[T, Sequence[str]]) -> list[tuple[T, str]]:
    """Return each value with the names of its paytables; without names if all have the same."""
    return [
        (value, join_words(tables) if len(having) > 1 else "") for value, tables in having.items()
    ]


def _count_drawn(draw: DynamicDraw | None) -> str:
    """Return the number of rows drawn in a round: ``two``, ``one to three``; empty of none."""
    if draw is None:
        return ""
    numbers = dict.fromkeys((draw.minimum_rows, draw.maximum_rows))
    return " to ".join(map(number, numbers))


def _are_for_one(hands: Sequence[tuple[str, Payout, Sequence[Payout]]]) -> bool:
    """Return True if every payout of these hands includes the wager."""
    payouts = [payout for _, default, drawn in hands for payout in (default, *drawn)]
    return {payout.basis for payout in payouts} == {Basis.FOR}


def _notes(filed: Sequence[Paytable]) -> list[tuple[str, str]]:
    """Return the footnotes that only some tables have; common ones are rules of the wager.

    Which row is paid is derived.
    """
    having = together(
        (note.text, label(paytable.id))
        for paytable in filed
        for note in paytable.source.notes
        if note.topic is not Topic.ROW_PAID
    )
    return [
        (text, join_words(tables)) for text, tables in having.items() if len(tables) < len(filed)
    ]


def _prized(wager: Wager, filed: Sequence[Paytable]) -> list[dict[str, Any]]:
    """Return the hands that are paid a prize, with their tables if they differ."""
    having = together(
        ((envy.hands_of, envy.pays_on_own_hand, envy.pays_on_dealer_hand), envy.id)
        for envy in filed_envies(wager, filed)
    )
    return [
        {
            "dealt_in": hands_of is HandsOf.PLAYERS_DEALT_IN,
            "own": of_winner,
            "dealer": dealer,
            "tables": join_words(ids) if len(having) > 1 else "",
        }
        for (hands_of, of_winner, dealer), ids in having.items()
    ]
