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
        SetExplanation,
        Settlement,
    )
    from certify.pipeline.explain import Explained

VERDICTS = {"paid": "PAID", "not_held": "not held", "held_but_not_paid": "held, not paid"}


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("explain")(explain)


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

    found = run(target, hand, dealer=dealer, house_way=house_way)
    if output is Format.JSON:
        print_json(explained_json(found), FORMS)
    else:
        say(explained_text(found))
    return 0


def explained_text(found: "Explained") -> str:
    """Return everything as people read it."""
    if found.setting is not None:
        return "\n".join(_set_lines(found.setting, "Hand"))
    from certify.model.explanation import BonusExplanation

    return "\n\n".join(
        bonus_text(record) if isinstance(record, BonusExplanation) else main_text(record)
        for record in found.records
    )


def bonus_text(one: "BonusExplanation") -> str:
    """Return a bonus wager's explanation: the verdict first, then row by row."""
    lines = [one.target + (f", {one.chosen} chosen" if one.chosen else ""), ""]
    lines += [
        line
        for whose, reading in (("Player", one.player), ("Dealer", one.dealer))
        if reading is not None
        for line in _reading_lines(reading, whose)
    ]
    lines += ["", one.text]
    if one.envy is not None:
        from certify.formatting import money

        lines.append(
            f"Table {one.envy.paytable} of {one.envy.called} prizes: for {one.envy.name} every "
            f"other player with a wager of at least "
            f"{money(one.envy.qualifying_wager_cents)} receives "
            f"{money(one.envy.prize_cents)}. [{one.envy.source.clause}]"
        )
    lines += ["", f"Rows in the order in which they are tried [{one.source.clause}]"]
    rows = [(row.name, row.pays, VERDICTS[row.verdict], row.reason) for row in one.rows]
    lines.append(table(("Row", "Pays", "Verdict", "Why"), rows, left=4))
    return "\n".join(lines)


def main_text(one: "MainExplanation") -> str:
    """Return a main wager's explanation: both hands as set, then how the round ends."""
    lines = [one.target, "", *_set_lines(one.player, "Player")]
    if one.dealer is not None:
        lines += ["", *_set_lines(one.dealer, "Dealer")]
    if one.dealer_rules:
        lines += ["", "Dealer rules of the option, in order"]
        lines += [
            f"  {'holds' if rule.holds else 'does not hold'}: {rule.text} "
            f"({rule.reason}) [{rule.source.clause}]"
            for rule in one.dealer_rules
        ]
    if one.settlement is not None:
        lines += ["", *_settlement_lines(one.settlement, "Both hands set by the house way")]
    if one.best is not None and one.best.better_than_house_way:
        best = one.best
        lines += [
            "",
            "The dealer's hand is seen, and another setting is better:",
            f"  back {' '.join(best.setting.back)} ({best.setting.back_is}), "
            f"front {' '.join(best.setting.front)} ({best.setting.front_is})",
            *_settlement_lines(best.settlement, "Set so"),
        ]
    elif one.best is not None:
        lines += ["", "The dealer's hand is seen; no other setting ends better."]
    return "\n".join(lines)


def _reading_lines(reading: "HandReading", whose: str) -> list[str]:
    lines = [f"{whose}: {' '.join(reading.cards)}", f"  {reading.holds}"]
    if reading.low_hand:
        high, low = " ".join(reading.high_hand), " ".join(reading.low_hand)
        lines.append(f"  Set by the house way: high hand {high}, low hand {low}")
    return lines


def _set_lines(one: "SetExplanation", whose: str) -> list[str]:
    chosen = one.chosen
    lines = [
        *_reading_lines(one.hand, whose),
        f"  House way {one.house_way}: back {' '.join(chosen.back)} ({chosen.back_is}), "
        f"front {' '.join(chosen.front)} ({chosen.front_is})",
    ]
    lines += [
        f"  Sent on by {sent.rule}: {sent.text} [{sent.source.clause}]" for sent in one.sent_by
    ]
    lines.append(f"  Rule {one.rule}: {one.text} [{one.source.clause}]")
    if one.assumption:
        lines.append(f"  Assumed: {one.assumption}")
    if one.passed_over:
        lines.append("  Rules passed over:")
        lines += [f"    {rule.rule}: {rule.text} ({rule.reason})" for rule in one.passed_over]
    rows = [
        (
            "*" if setting.chosen else "",
            " ".join(setting.back),
            setting.back_is,
            " ".join(setting.front),
            setting.front_is,
            "" if setting.legal else "foul",
        )
        for setting in one.settings
    ]
    shown = table(("", "Back", "is", "Front", "is", ""), rows, left=6, indent=4)
    lines.append("  Every setting, the one chosen marked:")
    return lines + [f"    {line}".rstrip() for line in shown.splitlines()]


def _taken(compared: "HandComparison") -> str:
    """Return who takes a hand, or that it is a copy and what that does."""
    if compared.copy:
        return f"copy, {compared.tie or 'dealer'}".replace("_", " ")
    return "player" if compared.player_wins else "dealer"


def _settlement_lines(one: "Settlement", heading: str) -> list[str]:
    from certify.formatting import exact

    lines = [f"{heading}: {one.outcome}, {one.pays} (net {exact(one.net)} of the wager)"]
    lines += [
        f"  {compared.part}: player {compared.player}, dealer {compared.dealer}: "
        + _taken(compared)
        for compared in one.comparisons
    ]
    lines.append(f"  {one.text}")
    if one.raise_ is not None:
        lines.append(
            f"  {one.raise_.name}: {one.raise_.outcome} (net {exact(one.raise_.net)}). "
            f"{one.raise_.reason} [{one.raise_.source.clause}]"
        )
    return lines
