"""Differences of two records: rows by their events, declared values, exact figures."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from certify.figures.targets import Record
from certify.formatting import exact, exact_percentage, money, plain
from certify.model.analysis import Analysis
from certify.model.comparison import (
    ChangeKind,
    FactChange,
    FigureChange,
    RecordDifference,
    RowChange,
    Unit,
)
from certify.model.main_wager import HandPay, MainWager, Outcome, Ties
from certify.model.paytable import EnvyTable, Meter
from certify.report.wording import (
    figures_with_limit,
    merged_orders,
    name_in_print,
    other_players,
    pays,
)
from certify.words.hands import condition_words, ties_in_words

Lines = dict[str, tuple[str, str]]
"""Rows in short: by their events, their names and what they pay."""

Figure = tuple[str, tuple[Unit, Fraction | None]]
ABSENT: Final = (Unit.PERCENT, None)
"""The figure of a side that does not have it."""


class Compared(Struct, frozen=True, kw_only=True):
    """A record that is compared, with its envy table and its figures, as far as it has them.

    ``undivided`` are the cards of a compared hand that is not set in two.
    """

    record: Record
    undivided: int = 0
    envy: EnvyTable | None = None
    analysis: Analysis | None = None


def compare_records(before: Compared | None, after: Compared | None) -> RecordDifference:
    """Return the differences between two entries of one kind; ids and sources do not matter.

    Args:
        before: one record, or None if it is new.
        after: the other, or None if it was removed.
    """
    sides = (before, after)
    old, new = (_lines(side.record) if side else {} for side in sides)
    prizes = [_prizes(side.envy) if side and side.envy else {} for side in sides]
    facts = [
        _declared_values(side.record, side.undivided) | _envy_values(side.envy) if side else {}
        for side in sides
    ]
    if before and after:
        for values, order, other in zip(facts, (old, new), (new, old), strict=True):
            values["Order of rows"] = ", ".join(old[event][0] for event in order if event in other)
    counted = all(side.analysis is not None for side in sides if side)
    analyses = [side.analysis if side and counted else None for side in sides]
    figures = [dict(_figures(analysis)) if analysis else {} for analysis in analyses]
    hands = [
        {row.event: row.combinations for row in analysis.rows} if analysis else {}
        for analysis in analyses
    ]
    return RecordDifference(
        before=before.record.target if before else None,
        after=after.record.target if after else None,
        rows=(*_rows("rows", (old, new), hands), *_rows("envy", prizes, ({}, {}))),
        facts=tuple(
            FactChange(name=name, before=facts[0].get(name, ""), after=facts[1].get(name, ""))
            for name in facts[0] | facts[1]
            if facts[0].get(name, "") != facts[1].get(name, "")
        ),
        figures=tuple(
            FigureChange(
                name=name,
                unit=unit,
                before=figures[0].get(name, ABSENT)[1],
                after=figures[1].get(name, ABSENT)[1],
            )
            for name in merged_orders(figures)
            for unit, _ in ((figures[0] | figures[1])[name],)
        ),
        counted=counted,
    )


def _rows(
    part: str, lines: Sequence[Lines], hands: Sequence[Mapping[str, int]]
) -> Iterator[RowChange]:
    """Yield the rows that differ: those that are gone, then the new table's in its order."""
    old, new = lines
    for event in (*(event for event in old if event not in new), *new):
        was, is_ = old.get(event), new.get(event)
        counts = [counted.get(event) for counted in hands]
        if was == is_ and (None in counts or counts[0] == counts[1]):
            continue
        kind = ChangeKind.CHANGED
        if was is None or is_ is None:
            kind = ChangeKind.ADDED if was is None else ChangeKind.REMOVED
        yield RowChange(
            table=part,
            kind=kind,
            event=event,
            name=" → ".join(dict.fromkeys(line[0] for line in (was, is_) if line is not None)),
            before=was[1] if was else "",
            after=is_[1] if is_ else "",
            hands_before=counts[0],
            hands_after=counts[1],
        )


def _figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield the exact figures of an analysis by name, in the order of print."""
    edge = analysis.house_edge
    figures = {
        "House edge": (Unit.PERCENT, edge),
        "Return to player": (Unit.PERCENT, None if edge is None else analysis.return_to_player),
        "Cost per $100 wagered": (Unit.CENTS, None if edge is None else edge * 10000),
        "Hit frequency": (Unit.PERCENT, analysis.hit_frequency),
        "Top award, times the wager": (Unit.ODDS, analysis.top_award),
        "Variance": (Unit.ODDS, analysis.variance),
    }
    yield from ((name, figure) for name, figure in figures.items() if figure[1] is not None)
    yield from _limited_figures(analysis)
    yield from _part_figures(analysis)


def _limited_figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield the figure of a wager under its payout limits at the wagers that decide."""
    limited = figures_with_limit(analysis)
    fixed = analysis.progressive is not None
    figure = "Return of fixed pays" if fixed else "House edge"
    for at in (*limited.others, limited.last) if limited is not None else ():
        name = f"{figure} at {money(at.cents)} with the payout limit"
        if at.figure.exact:
            yield name, (Unit.PERCENT, at.figure.low)
            continue
        words = ("at most", "at least") if fixed else ("at least", "at most")
        for word, bound in zip(words, (at.figure.low, at.figure.high), strict=True):
            if bound is not None:
                yield f"{name}, {word}", (Unit.PERCENT, bound)


def _part_figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield the figures of a main wager, of prizes, of meters and of drawn pays."""
    percent, odds = Unit.PERCENT, Unit.ODDS
    if analysis.main is not None:
        for name, count in analysis.main.outcomes.items():
            yield name.capitalize(), (percent, Fraction(count, analysis.total))
        if analysis.main.element_of_risk is not None:
            yield "Element of risk", (percent, analysis.main.element_of_risk)
    if analysis.envy is not None:
        yield "Prizes per other player", (percent, analysis.envy.per_other_player)
        for players, edge in analysis.envy.house_edge_by_players.items():
            yield f"House edge, {other_players(players)}", (percent, edge)
    if analysis.progressive is not None:
        yield "Return of fixed pays", (percent, analysis.progressive.fixed_return)
        for meter in analysis.progressive.meters:
            name = f"Meter {meter.level}"
            yield f"{name}: chance of a hit", (percent, meter.hit_probability)
            yield f"{name}: break-even, times the wager", (odds, meter.break_even)
    if analysis.dynamic is not None:
        yield "Dynamic pays add at least", (percent, analysis.dynamic.least)
        yield "Dynamic pays add at most", (percent, analysis.dynamic.greatest)


def _lines(record: Record) -> Lines:
    if isinstance(record, MainWager):
        return {
            rule.id: (rule.text, pays(rule.win_pays) if rule.win_pays else str(rule.outcome))
            for rule in record.dealer_rules
        }
    return {
        row.event: (row.name, ", ".join(pays(payout) for payout in (row.payout, *row.dynamic)))
        for row in record.rows
    }


def _prizes(envy: EnvyTable) -> Lines:
    return {row.event: (row.name, money(row.prize_cents)) for row in envy.rows}


def _raise(option: MainWager, undivided: int) -> str:
    raised = option.raise_
    if raised is None:
        return "none"
    sizes = [plain(size) for size in (raised.size, raised.largest) if size is not None]
    size = "equal to the wager" if sizes == ["1"] else f"{' to '.join(sizes)} times the wager"
    if raised.largest_when is not None:
        allowed = condition_words(raised.largest_when, undivided=undivided)
        size += f", more than the smallest with {allowed}"
    fold = "; a player who does not raise folds" if raised.fold else ""
    ends = "; wins otherwise" if raised.not_qualified is Outcome.WIN else ""
    if raised.is_returned_by(option.dealer_rules):
        ends += "; returned if a hand that qualifies ends the round"
    paid = f"; {_hand_pays(raised.pays, undivided)}" if raised.pays else ""
    qualifies = condition_words(raised.qualifies, undivided=undivided)
    return f"{size}; in action if the dealer has {qualifies}{ends}{paid}{fold}"


def _hand_pays(paid: Sequence[HandPay], undivided: int) -> str:
    """Return the pays for the own hand, each with its name, its condition and when it is due."""
    return ", ".join(
        f"{each.name} ({condition_words(each.when, undivided=undivided)}) {pays(each.pays)} "
        f"{name_in_print('paid', each.paid).format(wager='it')}"
        for each in paid
    )


def _declared_values(record: Record, undivided: int) -> dict[str, str]:
    """Return the declared values of a record by name, rows left out."""
    if isinstance(record, MainWager):
        return _main_values(record, undivided)
    facts = {
        "Hand": name_in_print("hand", record.hand),
        "Cards": str(record.cards),
        "Award": name_in_print("award", record.award),
    }
    if record.progressive is not None:
        facts["Base wager"] = money(record.progressive.base_wager_cents)
        facts |= {f"Meter {meter.level}": _meter(meter) for meter in record.progressive.meters}
    if record.dynamic is not None:
        facts["Rows drawn"] = f"{record.dynamic.minimum_rows} to {record.dynamic.maximum_rows}"
    return facts


def _main_values(record: MainWager, undivided: int) -> dict[str, str]:
    commission, companion, ties = record.commission, record.companion, record.ties
    facts = {
        "Win pays": pays(record.win_pays),
        "Commission": "none",
        "Raise": _raise(record, undivided),
    }
    if commission is not None:
        how = "posted in advance" if commission.prepaid else "of winnings"
        facts["Commission"] = f"{commission} {how}"
    if record.wager_cents is not None:
        facts["Counted for a wager of"] = money(record.wager_cents)
        bands = record.fee.bands if record.fee is not None else ()
        facts |= {f"Fee from {money(band.from_cents)}": money(band.cents) for band in bands}
    if record.bank is not None:
        facts["Banked by a player"] = exact(record.bank.share)
    if companion is not None:
        folded = name_in_print("after_fold", companion.after_fold).format(wager=companion.name)
        size, paid = plain(companion.size), _hand_pays(companion.pays, undivided)
        facts["Companion wager"] = f"{companion.name}, {size} times the wager: {paid}; {folded}"
    if record.bonus:
        facts["Bonus"] = _hand_pays(record.bonus, undivided)
    if ties != Ties():
        facts["Ties"] = " ".join(ties_in_words(ties, divided=not undivided).values())
    for rule in record.dealer_rules:
        name = f"Dealer rule “{rule.id.replace('_', ' ')}”"
        facts[name] = condition_words(rule.when, undivided=undivided)
    return facts


def _envy_values(envy: EnvyTable | None) -> dict[str, str]:
    if envy is None:
        return {}
    return {
        "Prizes: qualifying wager": money(envy.qualifying_wager_cents),
        "Prizes: whose hands": f"every other player {name_in_print('hands_of', envy.hands_of)}",
        "Prizes: paid on the own hand": "yes" if envy.pays_on_own_hand else "no",
        "Prizes: paid on the dealer's hand": "yes" if envy.pays_on_dealer_hand else "no",
    }


def _meter(meter: Meter) -> str:
    seed = "not stated" if meter.seed_cents is None else money(meter.seed_cents)
    increment, reserve = (
        "not stated" if share is None else exact_percentage(share)
        for share in (meter.increment, meter.reserve)
    )
    cap = "" if meter.cap_cents is None else f", greatest {money(meter.cap_cents)}"
    return f"seed {seed}, increment {increment}, reserve {reserve}{cap}"
