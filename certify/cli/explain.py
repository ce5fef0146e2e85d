"""``certify explain``: what a hand is, how it is set, what it is paid, and why."""

from typing import TYPE_CHECKING

import typer

from certify.cli.output import FORMAT, Format, print_json, say, table

if TYPE_CHECKING:
    from certify.model.explanation import (
        BonusExplanation,
        HandComparison,
        HandReading,
        MainExplanation,
        PlayChoice,
        PlayExplanation,
        SetExplanation,
        Settlement,
    )
    from certify.pipeline.explain import Explained

VERDICTS = {"paid": "PAID", "not_held": "not held", "held_but_not_paid": "held, not paid"}


def explain(
    target: str = typer.Argument(help="GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file."),
    hand: str = typer.Argument(help='Cards as rank and suit, Jk the joker: "As Td 2c Jk …".'),
    dealer: str = typer.Option(None, help="The dealer's cards, written the same way."),
    house_way: str = typer.Option(None, help="The house way; the game's own by default."),
    output: Format = FORMAT,
) -> int:
    """Say what a hand is and is paid under a target, how it is set, and by which rules."""
    from certify.pipeline.explain import FORMS, explained_json
    from certify.pipeline.explain import explain as run

    explained = run(target, hand, dealer=dealer, house_way=house_way)
    if output is Format.JSON:
        print_json(explained_json(explained), FORMS)
    else:
        say(explained_text(explained))
    return 0


def explained_text(explained: "Explained") -> str:
    """Return everything as people read it."""
    if explained.setting is not None:
        return "\n".join(_set_lines(explained.setting, "Hand"))
    from certify.model.explanation import BonusExplanation

    return "\n\n".join(
        bonus_text(record) if isinstance(record, BonusExplanation) else main_text(record)
        for record in explained.records
    )


def bonus_text(bonus: "BonusExplanation") -> str:
    """Return a bonus wager's explanation: the verdict first, then row by row."""
    lines = [bonus.target + (f", {bonus.chosen} chosen" if bonus.chosen else ""), ""]
    lines += [
        line
        for whose, reading in (("Player", bonus.player), ("Dealer", bonus.dealer))
        if reading is not None
        for line in _reading_lines(reading, whose)
    ]
    lines += ["", bonus.text]
    if bonus.envy is not None:
        from certify.formatting import money

        lines.append(
            f"Table {bonus.envy.paytable} of {bonus.envy.called} prizes: for {bonus.envy.name} "
            f"every other player with a wager of at least "
            f"{money(bonus.envy.qualifying_wager_cents)} receives "
            f"{money(bonus.envy.prize_cents)}. [{bonus.envy.source.clause}]"
        )
    lines += ["", f"Rows in the order in which they are tried [{bonus.source.clause}]"]
    rows = [(row.name, row.pays, VERDICTS[row.verdict], row.reason) for row in bonus.rows]
    lines.append(table(("Row", "Pays", "Verdict", "Why"), rows, left=4))
    return "\n".join(lines)


def main_text(main: "MainExplanation") -> str:
    """Return a main wager's explanation: both hands as set, then how the round ends."""
    lines = [main.target, "", *_set_lines(main.player, "Player")]
    if main.play is not None:
        lines += ["", *_play_lines(main.play)]
    if main.dealer is not None:
        lines += ["", *_set_lines(main.dealer, "Dealer")]
    if main.dealer_rules:
        lines += ["", "Dealer rules of the option, in order"]
        lines += [
            f"  {'holds' if rule.holds else 'does not hold'}: {rule.text} "
            f"({rule.reason}) [{rule.source.clause}]"
            for rule in main.dealer_rules
        ]
    if main.settlement is not None:
        by = "Both hands set by the house way" if main.player.house_way else "Hand against hand"
        if main.play is not None:
            by += f", best play ({main.play.chosen.name})"
        lines += ["", *_settlement_lines(main.settlement, by)]
    if main.best is not None and main.best.better_than_house_way:
        best = main.best
        lines += [
            "",
            "The dealer's hand is seen, and another setting is better:",
            f"  high hand {' '.join(best.setting.back)} ({best.setting.back_is}), "
            f"low hand {' '.join(best.setting.front)} ({best.setting.front_is})",
            *_settlement_lines(best.settlement, "Set so"),
        ]
    elif main.best is not None:
        lines += ["", "The dealer's hand is seen; no other setting ends better."]
    return "\n".join(lines)


def _play_lines(play: "PlayExplanation") -> list[str]:
    """Return what best play does, and what every action is worth."""
    from certify.formatting import decimal, exact, thousands

    def worth(choice: "PlayChoice") -> str:
        return f"{decimal(choice.worth, 6)} ({exact(choice.worth)})"

    lines = [
        f"Best play: {play.chosen.name}",
        "  Average net result per unit of the main wager, over the "
        f"{thousands(play.dealer_hands)} hands that the dealer can hold:",
        *(f"    {choice.name}: {worth(choice)}" for choice in play.choices),
    ]
    if play.better_setting is not None:
        other = play.better_setting
        lines.append(
            f"    set with high hand {' '.join(other.setting.back)} and low hand "
            f"{' '.join(other.setting.front)}, {other.name}: {worth(other)}"
        )
    return lines


def _reading_lines(reading: "HandReading", whose: str) -> list[str]:
    lines = [f"{whose}: {' '.join(reading.cards)}", f"  {reading.holds}"]
    if reading.low_hand:
        high, low = " ".join(reading.high_hand), " ".join(reading.low_hand)
        lines.append(f"  Set by the house way: high hand {high}, low hand {low}")
    return lines


def _set_lines(way: "SetExplanation", whose: str) -> list[str]:
    chosen = way.chosen
    if way.source is None:
        return [*_reading_lines(way.hand, whose), f"  It is {chosen.back_is}"]
    lines = [
        *_reading_lines(way.hand, whose),
        f"  House way {way.house_way}: high hand {' '.join(chosen.back)} ({chosen.back_is}), "
        f"low hand {' '.join(chosen.front)} ({chosen.front_is})",
    ]
    lines += [
        f"  Sent on by {sent.rule}: {sent.text} [{sent.source.clause}]" for sent in way.sent_by
    ]
    lines.append(f"  Rule {way.rule}: {way.text} [{way.source.clause}]")
    if way.assumption:
        lines.append(f"  Assumed: {way.assumption}")
    if way.passed_over:
        lines.append("  Rules passed over:")
        lines += [f"    {rule.rule}: {rule.text} ({rule.reason})" for rule in way.passed_over]
    rows = [
        (
            "*" if setting.chosen else "",
            " ".join(setting.back),
            setting.back_is,
            " ".join(setting.front),
            setting.front_is,
            "" if setting.legal else "foul",
        )
        for setting in way.settings
    ]
    shown = table(("", "High hand", "is", "Low hand", "is", ""), rows, left=6, indent=4)
    lines.append("  Every setting, the one chosen marked:")
    return lines + [f"    {line}".rstrip() for line in shown.splitlines()]


def _taken(compared: "HandComparison") -> str:
    """Return who takes a hand, or that it is a copy and what that does."""
    if compared.copy:
        return f"copy, {compared.tie or 'dealer'}".replace("_", " ")
    return "player" if compared.player_wins else "dealer"


def _settlement_lines(ended: "Settlement", heading: str) -> list[str]:
    from certify.engine.explain.settlement import PARTS
    from certify.formatting import plain
    from certify.model.main_wager import Outcome

    pays = f", {ended.pays}" if ended.outcome is Outcome.WIN else ""
    lines = [f"{heading}: {ended.outcome}{pays} (net {plain(ended.net)} of the wager)"]
    lines += [
        f"  {PARTS[compared.part] if len(ended.comparisons) > 1 else 'hands'}: "
        f"player {compared.player}, dealer {compared.dealer}: " + _taken(compared)
        for compared in ended.comparisons
    ]
    lines.append(f"  {ended.text}")
    if ended.bonus is not None:
        lines.append(
            f"  {ended.bonus.name}: {ended.bonus.pays} beside it (net {plain(ended.bonus.net)}), "
            f"unless the hand is folded [{ended.bonus.source.clause}]"
        )
    if ended.raise_ is not None:
        nets = (ended.raise_.net, ended.raise_.largest_net)
        lines.append(
            f"  {ended.raise_.name}: {ended.raise_.outcome} (net "
            f"{' to '.join(plain(net) for net in nets if net is not None)}). "
            f"{ended.raise_.reason} [{ended.raise_.source.clause}]"
        )
    return lines
