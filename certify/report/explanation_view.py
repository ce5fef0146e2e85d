"""Explanations of hands as sections: features, setting and pay, each with its source."""

from collections.abc import Iterator

from certify.formatting import decimal, exact, money, plain, thousands
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
from certify.model.source import Source
from certify.report.tables import Lines, Section, Table, table, words
from certify.report.wording import name_in_print

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
