"""Two records by meaning: rows by their events, declared values, exact figures."""

from collections.abc import Sequence
from fractions import Fraction

from certify.formatting import exact, exact_percentage, money
from certify.model.analysis import Analysis
from certify.model.charge import Commission
from certify.model.condition import Condition, FeatureTest, translate
from certify.model.difference import (
    ChangeKind,
    FactChange,
    FigureChange,
    RecordDifference,
    RowChange,
    Unit,
)
from certify.model.main_wager import MainWager, Raise, Ties
from certify.model.paytable import EnvyTable, Meter, Paytable
from certify.report.wording import other_players, pays

Line = tuple[str, str, str]
"""A row in short: its event, its name, what it pays."""

Lines = Sequence[Line]
Figures = dict[str, tuple[Unit, Fraction | None]]
Record = Paytable | MainWager


def compare_records(
    before: Record | None,
    after: Record | None,
    *,
    envies: tuple[EnvyTable | None, EnvyTable | None] = (None, None),
    analyses: tuple[Analysis | None, Analysis | None] = (None, None),
) -> RecordDifference:
    """Return what differs between two records of one kind; ids and sources do not matter.

    Args:
        before: one record, or None if it is new.
        after: the other, or None if it was removed.
        envies: their envy tables.
        analyses: their exact figures, as far as they were counted.
    """
    rows = _rows("rows", _lines(before), _lines(after), analyses)
    rows += _rows("envy", _prizes(envies[0]), _prizes(envies[1]), (None, None))
    return RecordDifference(
        before=before.target if before else None,
        after=after.target if after else None,
        rows=tuple(rows),
        facts=_facts(before, after, envies),
        figures=_figures(figures_of(analyses[0]), figures_of(analyses[1])),
    )


def figures_of(analysis: Analysis | None) -> Figures:
    """Return the exact figures of an analysis by name, in the order of print."""
    if analysis is None:
        return {}
    figures: dict[str, tuple[Unit, Fraction | None]] = {}
    if analysis.house_edge is not None:
        figures["House edge"] = (Unit.PERCENT, analysis.house_edge)
        figures["Return to player"] = (Unit.PERCENT, analysis.return_to_player)
        figures["Cost per $100 wagered"] = (Unit.CENTS, analysis.house_edge * 10000)
    figures["Hit frequency"] = (Unit.PERCENT, analysis.hit_frequency)
    if analysis.top_award is not None:
        figures["Top award, times the wager"] = (Unit.ODDS, analysis.top_award)
    if analysis.variance is not None:
        figures["Variance"] = (Unit.ODDS, analysis.variance)
    return figures | _of_main(analysis) | _of_others(analysis) | _of_meters(analysis)


def _of_main(analysis: Analysis) -> Figures:
    main = analysis.main
    if main is None:
        return {}
    figures: dict[str, tuple[Unit, Fraction | None]] = {
        name.capitalize(): (Unit.PERCENT, Fraction(count, analysis.total))
        for name, count in main.outcomes.items()
    }
    if main.element_of_risk is not None:
        figures["Element of risk"] = (Unit.PERCENT, main.element_of_risk)
    return figures


def _of_others(analysis: Analysis) -> Figures:
    envy = analysis.envy
    if envy is None:
        return {}
    figures: Figures = {"Prizes per other player": (Unit.PERCENT, envy.per_other_player)}
    for players, edge in envy.house_edge_by_players.items():
        figures[f"House edge, {other_players(players)}"] = (Unit.PERCENT, edge)
    return figures


def _of_meters(analysis: Analysis) -> Figures:
    figures: dict[str, tuple[Unit, Fraction | None]] = {}
    if analysis.progressive is not None:
        figures["Return of fixed pays"] = (Unit.PERCENT, analysis.progressive.fixed_return)
        for meter in analysis.progressive.meters:
            name = f"Meter {meter.level}"
            figures[f"{name}: chance of a hit"] = (Unit.PERCENT, meter.hit_probability)
            figures[f"{name}: break-even, times the wager"] = (Unit.ODDS, meter.break_even)
    if analysis.dynamic is not None:
        figures["Dynamic pays add at least"] = (Unit.PERCENT, analysis.dynamic.least)
        figures["Dynamic pays add at most"] = (Unit.PERCENT, analysis.dynamic.greatest)
    return figures


def _figures(before: Figures, after: Figures) -> tuple[FigureChange, ...]:
    names = [*before, *(name for name in after if name not in before)]
    return tuple(
        FigureChange(
            name=name,
            unit=(before.get(name) or after[name])[0],
            before=before[name][1] if name in before else None,
            after=after[name][1] if name in after else None,
        )
        for name in names
    )


def _rows(
    part: str, before: Lines, after: Lines, analyses: tuple[Analysis | None, Analysis | None]
) -> list[RowChange]:
    """Return the rows that differ: those that are gone, then the new table's in its order."""
    old, new = {row[0]: row for row in before}, {row[0]: row for row in after}
    hands = tuple(_hands(analysis) for analysis in analyses)
    changes = []
    for event in [*(event for event in old if event not in new), *new]:
        was, is_ = old.get(event), new.get(event)
        counts = (hands[0].get(event), hands[1].get(event))
        if was == is_ and (None in counts or counts[0] == counts[1]):
            continue
        kind = ChangeKind.CHANGED
        if was is None or is_ is None:
            kind = ChangeKind.ADDED if was is None else ChangeKind.REMOVED
        names = dict.fromkeys(row[1] for row in (was, is_) if row is not None)
        changes.append(
            RowChange(
                table=part,
                kind=kind,
                event=event,
                name=" → ".join(names),
                before=was[2] if was else "",
                after=is_[2] if is_ else "",
                hands_before=counts[0],
                hands_after=counts[1],
            )
        )
    return changes


def _hands(analysis: Analysis | None) -> dict[str, int]:
    return {} if analysis is None else {row.event: row.combinations for row in analysis.rows}


def _lines(record: Record | None) -> Lines:
    if record is None:
        return ()
    if isinstance(record, MainWager):
        return [
            (
                dealer_rule.id,
                dealer_rule.text,
                pays(dealer_rule.win_pays) if dealer_rule.win_pays else str(dealer_rule.outcome),
            )
            for dealer_rule in record.dealer_rules
        ]
    return [
        (row.event, row.name, ", ".join(pays(payout) for payout in (row.payout, *row.dynamic)))
        for row in record.rows
    ]


def _prizes(envy: EnvyTable | None) -> Lines:
    return [(row.event, row.name, money(row.prize_cents)) for row in envy.rows] if envy else ()


def _facts(
    before: Record | None,
    after: Record | None,
    envies: tuple[EnvyTable | None, EnvyTable | None],
) -> tuple[FactChange, ...]:
    old = _declared(before) | _of_envy(envies[0])
    new = _declared(after) | _of_envy(envies[1])
    old |= _order(before, after)
    new |= _order(after, before)
    return tuple(
        FactChange(name=name, before=old.get(name, ""), after=new.get(name, ""))
        for name in dict.fromkeys([*old, *new])
        if old.get(name, "") != new.get(name, "")
    )


def _raise(raised: Raise) -> str:
    sizes = [exact(size) for size in (raised.size, raised.largest) if size is not None]
    fold = "; otherwise folded" if raised.fold else ""
    return f"{' to '.join(sizes)} of the wager; dealer: {_words(raised.qualifies)}{fold}"


def _declared(record: Record | None) -> dict[str, str]:
    """Return the declared values of a record by name, rows left out."""
    if record is None:
        return {}
    if isinstance(record, MainWager):
        raised = record.raise_
        return {
            "Win pays": pays(record.win_pays),
            "Commission": _commission(record.commission),
            "Raise": _raise(raised) if raised else "none",
            **_fees(record),
            **({"Banked by a player": exact(record.bank.share)} if record.bank is not None else {}),
            **({"Ties": _ties(record.ties)} if record.ties != Ties() else {}),
        } | {
            f"Condition of {dealer_rule.id}": _words(dealer_rule.when)
            for dealer_rule in record.dealer_rules
        }
    facts = {
        "Hand": str(record.hand),
        "Cards": str(record.cards),
        "Award": str(record.award),
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
    """Return who takes ties in words."""
    both = ", both push" if ties.both_push else ""
    return f"high {ties.high}, low {ties.low}{both}".replace("_", " ")


def _of_envy(envy: EnvyTable | None) -> dict[str, str]:
    if envy is None:
        return {}
    return {
        "Prizes: qualifying wager": money(envy.qualifying_wager_cents),
        "Prizes: whose hands": str(envy.hands_of).replace("_", " "),
        "Prizes: paid on the own hand": "yes" if envy.pays_on_own_hand else "no",
        "Prizes: paid on the dealer's hand": "yes" if envy.pays_on_dealer_hand else "no",
    }


def _order(record: Record | None, other: Record | None) -> dict[str, str]:
    """Return the order of the rows that both records have, where it could matter."""
    if record is None or other is None:
        return {}
    shared = {line[0] for line in _lines(other)}
    return {"Order of rows": ", ".join(line[0] for line in _lines(record) if line[0] in shared)}


def _words(condition: Condition) -> str:
    """Return a condition over the features of a hand in words."""
    return translate(
        condition,
        test=_tested,
        every=lambda parts: " and ".join(f"({part})" for part in parts),
        some=lambda parts: " or ".join(f"({part})" for part in parts),
        negate=lambda part: f"not ({part})",
    )


def _tested(test: FeatureTest) -> str:
    if test.values:
        return f"{test.feature} is {' or '.join(str(value) for value in test.values)}"
    bounds = (("at least", test.minimum), ("at most", test.maximum))
    named = " and ".join(f"{words} {number}" for words, number in bounds if number is not None)
    return f"{test.feature} {named}"


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
