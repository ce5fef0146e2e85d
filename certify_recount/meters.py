"""Progressive meters in the long run, from the balance of what enters and leaves a meter."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from .figures import Figures, both, percent, text
from .files import Json

SCALE = 10**80
"""The unit of powers, much smaller than the printed decimals need."""

PLACES = 12
"""Decimals of the average of a capped meter."""

Wins = Sequence[tuple[Fraction, Fraction]]
"""Shares of a meter with their probabilities."""


class Followed(NamedTuple):
    """A meter over many rounds, in base wagers; ``averages`` are the bounds of what wins find."""

    weight: Fraction
    seed: Fraction
    restart: Fraction
    averages: tuple[Fraction, Fraction] | None


def add_long_run(ours: Figures, table: Json, cards: int, players: int) -> None:
    """Add the returns at reset and in the long run to the figures of a paytable.

    Args:
        ours: the figures of the paytable, with the probabilities of its rows.
        table: the paytable with one line for each combination of rows.
        cards: the cards of the deck.
        players: the bettors of a full table.
    """
    progressive = ours["progressive"]
    base, fixed = progressive["base_wager_cents"], Fraction(progressive["fixed_return"])
    chances = {row["event"]: Fraction(row["probability"]) for row in ours["rows"]}
    meters = []
    for meter, entry in zip(table["progressive"]["meters"], progressive["meters"], strict=True):
        wins = [
            (percent(row["pays"]), chances[row["event"]])
            for row in table["rows"]
            if row.get("meter") == meter["level"]
        ]
        followed = follow_meter(meter, base, wins)
        meters.append(followed)
        if followed is not None:
            entry.update(both("return_at_seed", followed.seed * followed.weight))
            entry.update(show_meter(meter, followed))
    known = [meter for meter in meters if meter is not None]
    if len(known) == len(meters):
        reset = fixed + sum(meter.seed * meter.weight for meter in known)
        progressive |= both("return_at_reset", reset)
    runs = [(m.weight, *m.averages) for m in known if m.averages is not None]
    if len(runs) == len(meters):
        least = fixed + sum(weight * average for weight, average, _ in runs)
        greatest = fixed + sum(weight * average for weight, _, average in runs)
        progressive |= bounded("long_run_return", least, greatest)
        seconds = [m.seed * second_winners(m.restart, table, cards, players) for m in known]
        progressive["sharing"] = {"players": players}
        progressive["sharing"] |= both("greatest_reduction", sum(seconds, Fraction(0)))


def follow_meter(meter: Json, base: int, wins: Wins) -> Followed | None:
    """Return a meter in the long run; None if its seed is not declared.

    Args:
        meter: the declared meter.
        base: the base wager in cents.
        wins: the shares of it that rows pay, with their probabilities.
    """
    if "seed_cents" not in meter or not base:
        return None
    weight = sum((part * chance for part, chance in wins), Fraction(0))
    restart = sum((chance for part, chance in wins if part == 1), Fraction(0))
    seed = Fraction(meter["seed_cents"], base)
    return Followed(weight, seed, restart, average_meters(meter, seed, base, restart, weight))


def show_meter(meter: Json, followed: Followed) -> Figures:
    """Return the figures of a meter in the long run; none if it is not determined."""
    if followed.averages is None:
        return {}
    run = {"restart_probability": text(followed.restart)}
    run |= bounded("average_meter", *followed.averages)
    paid_seeds = followed.seed * followed.restart
    if "reserve" in meter and paid_seeds:
        run |= both("covered_by_reserve", Fraction(percent(meter["reserve"]), paid_seeds))
    return {"long_run": run}


def bounded(name: str, least: Fraction, greatest: Fraction) -> Figures:
    """Return a figure, or its least and its greatest value."""
    if least == greatest:
        return both(name, least)
    return both(f"least_{name}", least) | both(f"greatest_{name}", greatest)


def average_meters(
    meter: Json, seed: Fraction, base: int, restart: Fraction, weight: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Return the least and the greatest average that wins find; None if it is not determined.

    A meter of which all wins are whole is at seed + increment x wagers at a win, up to the cap. Of
    another meter without a cap the payments equal the contributions and the paid seeds.
    """
    if "increment" not in meter:
        return None
    increment = percent(meter["increment"])
    free = Fraction(increment + seed * restart, weight)
    if "cap_cents" not in meter:
        return free, free
    if restart != weight:
        return None
    cap = max(Fraction(meter["cap_cents"], base), seed)
    least, greatest = lost_above(cap - seed, increment, restart) + seed, min(free, cap)
    chosen = {"not_added": (least, least), "next_meter": (greatest, greatest)}
    return chosen.get(meter.get("overflow", ""), (least, greatest))


def lost_above(room: Fraction, increment: Fraction, chance: Fraction) -> Fraction:
    """Return the mean growth up to a win of a meter that stops after ``room``.

    The n-th wager since the last win adds what room is left, if no earlier wager has won.
    """
    if not increment:
        return Fraction(0)
    full = room // increment
    left, scaled = 1 - chance, SCALE
    for digit in f"{full:b}":
        scaled = scaled * scaled // SCALE
        if digit == "1":
            scaled = scaled * left.numerator // left.denominator
    late = Fraction(scaled, SCALE)
    growth = increment * Fraction(1 - late, chance) + (room - full * increment) * late
    return Fraction((2 * growth * 10**PLACES + 1) // 2, 10**PLACES)


def second_winners(chance: Fraction, table: Json, cards: int, players: int) -> Fraction:
    """Return a bound of the winners of a round after the first one, per bettor."""
    all_others = Fraction(players - 1, players) * chance
    held = table["cards"]
    if table["hand"] != "player" or cards < 2 * held:
        return all_others
    winning = chance * comb(cards, held)
    pair = chance * Fraction(winning, comb(cards - held, held))
    return min(all_others, pair * Fraction(players * (players - 1), 2 * players))
