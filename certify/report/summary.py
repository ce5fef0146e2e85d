"""Analyses in short, and explanations of hands, as sections.

An explanation has features, setting and pay, each with its source.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from certify.formatting import (
    decimal,
    edge_in_words,
    exact,
    format_one_in,
    money,
    percentage,
    plain,
    rounds_to_a_hit,
    square_root,
    thousands,
)
from certify.model.analysis import Analysis, LimitAnalysis, LimitedFigures
from certify.model.explanation import (
    BonusExplanation,
    Explanation,
    HandComparison,
    HandReading,
    MainExplanation,
    PlayChoice,
    PlayExplanation,
    SetExplanation,
    SettingExplanation,
    Settlement,
)
from certify.model.main_wager import Outcome
from certify.model.progressive import MeterAnalysis, ProgressiveAnalysis
from certify.model.source import Source
from certify.report.tables import Lines, Section, Table, table, words
from certify.report.wording import (
    Bounded,
    bound_figure,
    capitalize_first,
    limit_text,
    name_in_print,
    other_players,
)

COLUMNS = "Hand | Pays | #Combinations | #Probability | #1 in | #Return"

BY_METER = "by meter"
"""Text for the return of a row that a meter of unknown level pays."""

WITHOUT_METERS = "Return without the hands paid by a meter"


def build_rows(analysis: Analysis) -> Table:
    """Return the rows: hand, pays, combinations, probability, 1 in N, return."""
    rows: list[tuple[str, ...]] = [
        (
            row.name,
            row.pays,
            thousands(row.combinations),
            decimal(row.probability, 10),
            rounds_to_a_hit(row.probability),
            decimal(row.contribution, 8) if row.weight is None else BY_METER,
        )
        for row in analysis.rows
    ]
    total = sum(row.combinations for row in analysis.rows)
    summed = [row.contribution for row in analysis.rows if row.weight is None]
    complete = len(summed) == len(analysis.rows)
    returned = decimal(sum(summed, start=Fraction(0)), 8)
    share = decimal(Fraction(total, analysis.total), 10)
    rows.append(("Total", "", thousands(total), share, "", returned if complete else ""))
    if not complete:
        rows.append((WITHOUT_METERS, "", "", "", "", returned))
    return table(analysis.target, COLUMNS, rows)


def build_summary(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the figures by name, exact and rounded."""
    figures: list[tuple[str, str]] = []
    if analysis.main is not None:
        if analysis.main.house_way:
            figures += [
                ("House way", analysis.main.house_way),
                ("Strategy", name_in_print("strategy", analysis.main.strategy)),
            ]
        figures += [
            (
                name.capitalize(),
                f"{percentage(Fraction(count, analysis.total), 5)}  ({thousands(count)})",
            )
            for name, count in analysis.main.outcomes.items()
        ]
    if analysis.house_way is not None:
        figures.append(("House way", analysis.house_way))
    if analysis.house_edge is not None and analysis.return_to_player is not None:
        in_words = capitalize_first(edge_in_words(analysis.house_edge))
        figures += [
            ("House edge", f"{percentage(analysis.house_edge)}  = {exact(analysis.house_edge)}"),
            *([("In words", f"{in_words}.")] if analysis.house_edge < 0 else []),
            ("Return to player", percentage(analysis.return_to_player)),
            ("Cost per $100 wagered", money(analysis.house_edge * 10000)),
        ]
    if analysis.main is not None:
        figures += [
            (f"House edge at {money(at.wager_cents)}", percentage(at.house_edge))
            for at in analysis.main.by_wager
        ]
    if analysis.main is not None and analysis.main.bank is not None:
        bank = analysis.main.bank
        figures += [
            ("House edge while banking", percentage(bank.house_edge)),
            (f"House edge, banking {exact(bank.share)}", percentage(bank.combined_edge)),
        ]
    if analysis.main is not None and analysis.main.element_of_risk is not None:
        figures.append(("Element of risk", percentage(analysis.main.element_of_risk)))
    if analysis.main is not None and analysis.main.average_wager is not None:
        figures.append(("Average wager", decimal(analysis.main.average_wager, 6)))
    figures.append(
        (
            "Hit frequency",
            f"{percentage(analysis.hit_frequency)}  ({format_one_in(analysis.hit_frequency)})",
        )
    )
    if analysis.variance is not None:
        figures.append(("Standard deviation", square_root(analysis.variance, 6)))
    return figures + _envy(analysis) + _progressive(analysis) + _limits(analysis)


def build_overview(analyses: Sequence[Analysis]) -> Table:
    """Return one line of figures for each paytable or option, without empty columns.

    A progressive paytable has the return of its fixed payouts instead of a house edge.
    """
    rows = [
        (
            analysis.target.partition("/")[2],
            *_edge_and_return(analysis),
            percentage(analysis.hit_frequency),
            square_root(analysis.variance, 4) if analysis.variance is not None else "",
        )
        for analysis in analyses
    ]
    titles = ("Paytable", "#House edge", "#Return", "#Hit frequency", "#Standard deviation")
    filled = [place for place in range(len(titles)) if any(row[place] for row in rows)]
    return table(
        analyses[0].game,
        " | ".join(titles[place] for place in filled),
        [[row[place] for place in filled] for row in rows],
    )


def _edge_and_return(analysis: Analysis) -> tuple[str, str]:
    if analysis.progressive is not None:
        return "", f"{percentage(analysis.progressive.fixed_return)} fixed"
    if analysis.house_edge is None or analysis.return_to_player is None:
        return "", ""
    return percentage(analysis.house_edge), percentage(analysis.return_to_player)


def _envy(analysis: Analysis) -> list[tuple[str, str]]:
    envy = analysis.envy
    if envy is None:
        return []
    wager = money(envy.wager_cents)
    return [
        (
            f"{capitalize_first(envy.called)} table {envy.paytable}",
            f"{percentage(envy.per_other_player)} of a {wager} wager per other player",
        ),
        *(
            (f"House edge, {other_players(players)}", percentage(edge))
            for players, edge in envy.house_edge_by_players.items()
        ),
    ]


def _progressive(analysis: Analysis) -> list[tuple[str, str]]:
    progressive = analysis.progressive
    if progressive is None:
        return []
    base = progressive.base_wager_cents
    figures = [("Return of fixed pays, without the meters", percentage(progressive.fixed_return))]
    for meter in progressive.meters:
        figures += [
            (f"Meter {meter.level}: weight", exact(meter.weight)),
            (
                f"Meter {meter.level}: break-even",
                f"{money(meter.break_even * base)} for a {money(base)} wager"
                + ("" if len(progressive.meters) == 1 else ", the other meters at zero"),
            ),
            (f"Meter {meter.level}: won", format_one_in(meter.hit_probability)),
            *_long_run(meter, base),
        ]
    if progressive.return_at_reset is not None:
        figures.append(
            ("Return with each meter at its seed", percentage(progressive.return_at_reset))
        )
    if progressive.long_run is not None:
        least, greatest = progressive.long_run
        figures += [
            ("Long-run return", _span(percentage(least), percentage(greatest))),
            (
                "Long-run return if winners share",
                f"lower by at most {percentage(progressive.lost_by_sharing, 8)} "
                f"with {progressive.players} players",
            ),
        ]
    if analysis.dynamic is not None:
        figures.append(
            (
                "Dynamic pays add",
                f"{percentage(analysis.dynamic.least)} to {percentage(analysis.dynamic.greatest)}",
            )
        )
    return figures


def _long_run(meter: MeterAnalysis, base: int) -> Iterator[tuple[str, str]]:
    run = meter.long_run
    if run is None:
        return
    average = _span(money(run.least * base), money(run.greatest * base))
    yield f"Meter {meter.level}: average at a win", average
    yield f"Meter {meter.level}: won as a whole", format_one_in(run.restart)
    if run.covered is not None:
        yield f"Meter {meter.level}: reserve", f"pays {percentage(run.covered)} of the seeds"


def _span(least: str, greatest: str) -> str:
    return least if least == greatest else f"{least} to {greatest}"


def _limits(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the figures of a wager under limits, as names and values; empty without a limit."""
    limit, progressive = analysis.limit, analysis.progressive
    if limit is None:
        return []
    lines = [("Payout limit", limit_text(declared, {})) for declared in limit.limits]
    lines.append(("Payout limit binds", _binds(limit)))
    for at in limit.amounts:
        wager = f"at {money(at.wager_cents)}"
        edge = bound_figure(analysis.house_edge, at)
        if edge is not None:
            fraction = f"  = {exact(edge.low)}" if edge.exact else ""
            lines.append((f"House edge {wager}", _in_words(edge) + fraction))
        lines += [
            (f"House edge {wager}, {other_players(players)}", percentage(with_prizes))
            for players, with_prizes in at.house_edge_by_players.items()
            if players > 1
        ]
        if progressive is not None:
            lines += _meter_lines(progressive, at, wager)
    return lines


def _binds(limit: LimitAnalysis) -> str:
    """Return the wager from which a pay can be reduced."""
    if limit.binds_above_cents is None:
        return "never: nothing is paid at odds"
    above = f"above a wager of {money(limit.binds_above_cents)}"
    if limit.amounts:
        return above
    if limit.counted_cents is not None:
        return f"{above}; the figures are for {money(limit.counted_cents)}, which it does not cut"
    return f"{above}, and no wager here is larger"


def _in_words(figure: Bounded) -> str:
    """Return a figure under a limit, or its bounds."""
    if figure.exact:
        return percentage(figure.low)
    first, second = ("at most", "at least") if figure.falls else ("at least", "at most")
    bound = "" if figure.high is None else f", {second} {percentage(figure.high)}"
    return f"{first} {percentage(figure.low)}{bound}"


def _meter_lines(
    progressive: ProgressiveAnalysis, at: LimitedFigures, wager: str
) -> Iterator[tuple[str, str]]:
    fixed = bound_figure(progressive.fixed_return, at, falls=True)
    if fixed is not None:
        yield f"Return of fixed pays {wager}", _in_words(fixed)
    for level, meter in at.break_evens:
        yield f"Meter {level}: break-even {wager}", money(meter * progressive.base_wager_cents)
    if at.dynamic is not None:
        low, high = at.dynamic
        yield f"Dynamic pays add {wager}", f"{percentage(low)} to {percentage(high)}"


Parts = tuple[str | tuple[str, ...], ...]
"""The parts of a line: texts, and hands as tuples of cards."""

VERDICTS = {"paid": "PAID", "not_held": "not held", "held_but_not_paid": "held, not paid"}


def explanation(record: Explanation | SetExplanation, title: str = "") -> Section:
    """Return the section of a hand under one paytable or option, or as a house way sets it.

    ``title`` replaces the target.
    """
    match record:
        case BonusExplanation():
            chosen = f", {record.chosen} chosen" if record.chosen else ""
            return Section(
                title=f"{title or record.target}{chosen}",
                answer=record.text,
                parts=tuple(_bonus(record)),
            )
        case MainExplanation():
            return Section(title=title or record.target, parts=tuple(_main(record)))
    return Section(title=title, parts=tuple(_hand_set(record, "Hand")))


def _hand_set(way: SetExplanation, whose: str) -> Iterator[Lines | Table]:
    """Yield the setting by a house way: the deciding rule, and every setting."""
    reading = _reading(way.hand, whose)
    if way.source is None:
        yield _lines(reading, f"It is {way.chosen.back_is}")
        return
    yield _lines(
        reading,
        (f"House way {way.house_way}:", *_setting(way.chosen)),
        *(f"Sent on by {sent.rule}: {sent.text}{_at(sent.source)}" for sent in way.sent_by),
        f"Rule {way.rule}: {way.text}{_at(way.source)}",
        *([f"Assumed: {way.assumption}"] if way.assumption else []),
    )
    if way.passed_over:
        passed = [f"{rule.rule}: {rule.text} ({rule.reason})" for rule in way.passed_over]
        yield _lines(Lines(title=words("Rules passed over"), folded=True), *passed)
    yield table(
        f"{whose}: every setting",
        "*High hand | is | *Low hand | is | Set by",
        [
            (
                " ".join(setting.back),
                setting.back_is,
                " ".join(setting.front),
                setting.front_is,
                "house way" if setting.chosen else "" if setting.legal else "foul",
            )
            for setting in way.settings
        ],
        chosen=(place for place, setting in enumerate(way.settings) if setting.chosen),
    )


def _bonus(bonus: BonusExplanation) -> Iterator[Lines | Table]:
    sides = {"Player": bonus.player, "Dealer": bonus.dealer, "Player and dealer": bonus.together}
    for whose, reading in sides.items():
        if reading is not None:
            yield _reading(reading, whose)
    if bonus.envy is not None:
        envy = bonus.envy
        yield _lines(
            f"Table {envy.paytable} of {envy.called} prizes: for {envy.name} every other player "
            f"with a wager of at least {money(envy.qualifying_wager_cents)} receives "
            f"{money(envy.prize_cents)}.{_at(envy.source)}"
        )
    yield table(
        f"Rows in the order in which they are tried{_at(bonus.source)}",
        "Row | Pays | Verdict | Why",
        [(row.name, row.pays, VERDICTS[row.verdict], row.reason) for row in bonus.rows],
        chosen=(place for place, row in enumerate(bonus.rows) if row.verdict == "paid"),
    )


def _main(main: MainExplanation) -> Iterator[Lines | Table]:
    yield from _hand_set(main.player, "Player")
    if main.play is not None:
        yield _play(main.play)
    if main.dealer is not None:
        yield from _hand_set(main.dealer, "Dealer")
    if main.dealer_rules:
        yield _lines(
            "Dealer rules of the option, in order",
            *(
                f"{'holds' if rule.holds else 'does not hold'}: {rule.text} "
                f"({rule.reason}){_at(rule.source)}"
                for rule in main.dealer_rules
            ),
        )
    if main.settlement is not None:
        by = "Both hands set by the house way" if main.player.house_way else "Hand against hand"
        play = f", best play ({main.play.chosen.name})" if main.play is not None else ""
        yield _settlement(main.settlement, by + play)
    if main.best is not None and main.best.better_than_house_way:
        yield _lines(
            "The dealer's hand is seen, and another setting is better:",
            _setting(main.best.setting),
        )
        yield _settlement(main.best.settlement, "Set so")
    elif main.best is not None:
        yield _lines("The dealer's hand is seen; no other setting ends better.")


def _play(play: PlayExplanation) -> Lines:
    """Return best play, and the value of every action."""
    better = play.better_setting
    return _lines(
        f"Best play: {play.chosen.name}",
        "Average net result per unit of the main wager, over the "
        f"{thousands(play.dealer_hands)} hands that the dealer can hold:",
        *(_worth(choice, play.chosen) for choice in play.choices),
        *(
            [("set with", *_setting(better.setting, f", {_worth(better, better)}"))]
            if better is not None
            else []
        ),
    )


def _worth(choice: PlayChoice, best: PlayChoice) -> str:
    """Return the average result of an action, and its difference from the best one."""
    less = best.worth - choice.worth
    compared = f", {decimal(less, 6)} ({exact(less)}) less than {best.name}" if less else ""
    return f"{choice.name}: {decimal(choice.worth, 6)} ({exact(choice.worth)}){compared}"


def _settlement(ended: Settlement, heading: str) -> Lines:
    pays = f", {ended.pays}" if ended.outcome is Outcome.WIN else ""
    bonus, raised = ended.bonus, ended.raise_
    lines = [_comparison(compared, len(ended.comparisons)) for compared in ended.comparisons]
    lines.append(ended.text)
    if bonus is not None:
        lines.append(
            f"{bonus.name}: {bonus.pays} in addition (net {plain(bonus.net)}), unless the hand is "
            f"folded{_at(bonus.source)}"
        )
    companion = ended.companion
    if companion is not None:
        hand = f" for {companion.hand}" if companion.hand else ""
        lines.append(
            f"{companion.name}: {companion.pays}{hand} (net {plain(companion.net)})"
            f"{_at(companion.source)}"
        )
    if raised is not None:
        nets = [plain(net) for net in (raised.net, raised.largest_net) if net is not None]
        lines.append(
            f"{raised.name}: {raised.outcome} (net {' to '.join(nets)}). "
            f"{raised.reason}{_at(raised.source)}"
        )
    return _lines(f"{heading}: {ended.outcome}{pays} (net {plain(ended.net)} of the wager)", *lines)


def _comparison(compared: HandComparison, number: int) -> str:
    """Return the winner of a hand, or the effect of a tie."""
    taken = "player" if compared.player_wins else "dealer"
    if compared.copy:
        tied = "a copy" if number > 1 else "a tie"
        taken = f"{tied}, which {name_in_print('tie', compared.tie or 'dealer')}"
    part = compared.name if number > 1 else "hands"
    return f"{part}: player {compared.player}, dealer {compared.dealer}: {taken}"


def _reading(reading: HandReading, whose: str) -> Lines:
    lines = [words(reading.holds)]
    if reading.low_hand:
        high, low = reading.high_hand, reading.low_hand
        lines.append(words("Set by the house way: high hand", high, "low hand", low))
    elif reading.high_hand:
        lines.append(words("The best cards:", reading.high_hand))
    return Lines(title=words(f"{whose}:", reading.cards), lines=tuple(lines))


def _setting(setting: SettingExplanation, after: str = "") -> Parts:
    return (
        "high hand", setting.back, f"({setting.back_is}), low hand", setting.front,
        f"({setting.front_is}){after}",
    )  # fmt: skip


def _lines(first: str | Lines, *others: str | Parts) -> Lines:
    """Return lines below a title, or further ones below others."""
    start = Lines(title=words(first)) if isinstance(first, str) else first
    added = (words(line) if isinstance(line, str) else words(*line) for line in others)
    return Lines(title=start.title, lines=(*start.lines, *added), folded=start.folded)


def _at(source: Source) -> str:
    return f" [{source.clause}]" if source.clause else ""
