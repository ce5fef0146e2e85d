"""Differences of two records: rows by their events, declared values, exact figures."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

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
from certify.model.main_wager import Companion, HandPay, MainWager, Outcome, Raise, Ties
from certify.model.paytable import Commission, EnvyTable, Meter
from certify.report.wording import name_in_print, other_players, pays
from certify.words.hands import condition_words

Lines = dict[str, tuple[str, str]]
"""Rows in short: by their events, their names and what they pay."""

Figure = tuple[str, tuple[Unit, Fraction | None]]
Figures = dict[str, tuple[Unit, Fraction | None]]


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
    old, new = (_lines(side.record) if side else {} for side in (before, after))
    prizes = [_prizes(side.envy) if side and side.envy else {} for side in (before, after)]
    facts = [
        _declared_values(side.record, side.undivided) | _envy_values(side.envy) if side else {}
        for side in (before, after)
    ]
    if before and after:
        for side, order, other in zip(facts, (old, new), (new, old), strict=True):
            side["Order of rows"] = ", ".join(old[event][0] for event in order if event in other)
    figures = [
        dict(_figures(side.analysis)) if side and side.analysis else {} for side in (before, after)
    ]
    hands = [
        {row.event: row.combinations for row in side.analysis.rows}
        if side and side.analysis
        else {}
        for side in (before, after)
    ]
    return RecordDifference(
        before=before.record.target if before else None,
        after=after.record.target if after else None,
        rows=(*_rows("rows", (old, new), hands), *_rows("envy", prizes, ({}, {}))),
        facts=tuple(_facts(*facts)),
        figures=tuple(_changes(*figures)),
        counted=all(side.analysis is not None for side in (before, after) if side),
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


def _facts(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[FactChange]:
    for name in {**before, **after}:
        was, is_ = before.get(name, ""), after.get(name, "")
        if was != is_:
            yield FactChange(name=name, before=was, after=is_)


def _changes(before: Figures, after: Figures) -> Iterator[FigureChange]:
    for name, (unit, _) in {**before, **after}.items():
        was, is_ = (side[name][1] if name in side else None for side in (before, after))
        yield FigureChange(name=name, unit=unit, before=was, after=is_)


def _figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield the exact figures of an analysis by name, in the order of print."""
    percent, odds = Unit.PERCENT, Unit.ODDS
    if analysis.house_edge is not None:
        yield "House edge", (percent, analysis.house_edge)
        yield "Return to player", (percent, analysis.return_to_player)
        yield "Cost per $100 wagered", (Unit.CENTS, analysis.house_edge * 10000)
    yield "Hit frequency", (percent, analysis.hit_frequency)
    if analysis.top_award is not None:
        yield "Top award, times the wager", (odds, analysis.top_award)
    if analysis.variance is not None:
        yield "Variance", (odds, analysis.variance)
    yield from _part_figures(analysis)


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


def _raise(raised: Raise | None, undivided: int) -> str:
    if raised is None:
        return "none"
    sizes = [plain(size) for size in (raised.size, raised.largest) if size is not None]
    size = "equal to the wager" if sizes == ["1"] else f"{' to '.join(sizes)} times the wager"
    if raised.largest_when is not None:
        allowed = condition_words(raised.largest_when, undivided=undivided)
        size += f", more than the smallest with {allowed}"
    fold = "; a player who does not raise folds" if raised.fold else ""
    ends = "; wins otherwise" if raised.not_qualified is Outcome.WIN else ""
    paid = f"; {_hand_pays(raised.pays)}" if raised.pays else ""
    qualifies = condition_words(raised.qualifies, undivided=undivided)
    return f"{size}; in action if the dealer has {qualifies}{ends}{paid}{fold}"


def _hand_pays(paid: Sequence[HandPay]) -> str:
    return ", ".join(f"{each.name} {pays(each.pays)}" for each in paid)


def _companion(companion: Companion) -> str:
    size = f"{plain(companion.size)} times the wager"
    return f"{companion.name}, {size}: {_hand_pays(companion.pays)}"


def _declared_values(record: Record, undivided: int) -> dict[str, str]:
    """Return the declared values of a record by name, rows left out."""
    if isinstance(record, MainWager):
        return {
            "Win pays": pays(record.win_pays),
            "Commission": _commission(record.commission),
            "Raise": _raise(record.raise_, undivided),
            **_fees(record),
            **({"Banked by a player": exact(record.bank.share)} if record.bank is not None else {}),
            **({"Companion wager": _companion(record.companion)} if record.companion else {}),
            **({"Ties": _ties(record.ties)} if record.ties != Ties() else {}),
        } | {
            f"Dealer rule “{rule.id.replace('_', ' ')}”": condition_words(
                rule.when, undivided=undivided
            )
            for rule in record.dealer_rules
        }
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


def _fees(record: MainWager) -> dict[str, str]:
    """Return the collection fee by wager, and the wager that figures are counted for."""
    if record.wager_cents is None:
        return {}
    bands = record.fee.bands if record.fee is not None else ()
    return {
        "Counted for a wager of": money(record.wager_cents),
        **{f"Fee from {money(band.from_cents)}": money(band.cents) for band in bands},
    }


def _ties(ties: Ties) -> str:
    """Return the tie rules in words."""
    both = "; a tie of both hands pushes" if ties.both_push else ""
    high, low = name_in_print("tie", ties.high), name_in_print("tie", ties.low)
    return f"high hand {high}, low hand {low}{both}"


def _envy_values(envy: EnvyTable | None) -> dict[str, str]:
    if envy is None:
        return {}
    return {
        "Prizes: qualifying wager": money(envy.qualifying_wager_cents),
        "Prizes: whose hands": f"every other player {name_in_print('hands_of', envy.hands_of)}",
        "Prizes: paid on the own hand": "yes" if envy.pays_on_own_hand else "no",
        "Prizes: paid on the dealer's hand": "yes" if envy.pays_on_dealer_hand else "no",
    }


def _commission(commission: Commission | None) -> str:
    if commission is None:
        return "none"
    how = "posted in advance" if commission.prepaid else "of winnings"
    return f"{commission} {how}"


def _meter(meter: Meter) -> str:
    seed = "not stated" if meter.seed_cents is None else money(meter.seed_cents)
    increment = "not stated" if meter.increment is None else exact_percentage(meter.increment)
    reserve = "not stated" if meter.reserve is None else exact_percentage(meter.reserve)
    cap = "" if meter.cap_cents is None else f", greatest {money(meter.cap_cents)}"
    return f"seed {seed}, increment {increment}, reserve {reserve}{cap}"
