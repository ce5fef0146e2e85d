"""The return of a progressive paytable: as a function of its meters, and in the long run."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from certify.errors import NotConfigured
from certify.model.game import Deck
from certify.model.paytable import Basis, HandOf, Meter, Overflow, Paytable, Progressive, Row
from certify.model.progressive import LongRun, MeterAnalysis, ProgressiveAnalysis

BITS = 256
"""Binary places of a power in the average of a capped meter, more than its decimals need."""

PLACES = 12
"""Decimals of the average of a capped meter; its exact fraction can have millions of digits."""

Hits = Sequence[tuple[Fraction, Fraction]]
"""The shares of a meter that are paid, each with its probability."""


def evaluate_progressive(
    paytable: Paytable,
    probabilities: Sequence[Fraction],
    levels: Mapping[str, Fraction],
    deck: Deck,
    players: int,
) -> ProgressiveAnalysis | None:
    """Return the fixed part of the return, and each meter; None without meters.

    All amounts are per unit of the base wager: return = fixed part + sum of weight x meter. The
    break-even meter is the one at which the return is 1 while every other meter is 0; it is
    negative if the fixed pays alone return more than the wager.

    Raises:
        NotConfigured: a row pays a meter that is not declared, or no hand is paid a declared one.
    """
    if paytable.progressive is None:
        return None
    awarded = list(zip(paytable.rows, probabilities, strict=False))
    _check(paytable, paytable.progressive)
    # The returns of the rows per unit staked, without a meter's share.
    fixed = sum((chance * (row.payout.net + 1) for row, chance in awarded), start=Fraction(0))
    base = paytable.progressive.base_wager_cents
    meters, shared = [], Fraction(0)
    for meter in paytable.progressive.meters:
        hits = [
            (row.payout.amount, chance) for row, chance in awarded if _meter(row) == meter.level
        ]
        weight = sum((share * chance for share, chance in hits), start=Fraction(0))
        if not weight:
            raise NotConfigured(
                f"Meter {meter.level} of {paytable.target} is paid to no hand.",
                remedy="Add a row with a share, for hands that no other row takes.",
            )
        seed = None if meter.seed_cents is None or not base else Fraction(meter.seed_cents, base)
        run = None if seed is None else evaluate_long_run(meter, seed, base, hits)
        if seed is not None and run is not None:
            shared += seed * _surplus_winners(run.restart, paytable, deck, players)
        meters.append(
            MeterAnalysis(
                level=meter.level,
                weight=weight,
                hit_probability=sum((chance for _, chance in hits), start=Fraction(0)),
                break_even=(1 - fixed) / weight,
                amount=levels.get(meter.level),
                seed=seed,
                long_run=run,
            )
        )
    return ProgressiveAnalysis(
        base_wager_cents=base,
        fixed_return=fixed,
        meters=tuple(meters),
        players=players,
        lost_by_sharing=shared,
    )


def evaluate_long_run(meter: Meter, seed: Fraction, base_cents: int, hits: Hits) -> LongRun | None:
    """Return a meter in the long run; None if its declarations do not determine it.

    A wager adds its increment before its hand is decided, a win takes its share off the meter, and
    a win of the whole meter restarts it at the seed. All that enters the meter is paid: weight x
    average = increment + seed x probability of a restart. Of a meter with a cap this holds if the
    contributions above the cap go to the next meter and the cap is above that average. Otherwise
    the wagers between two wins are a geometric series, which is summed only if each win is of the
    whole meter.
    """
    if meter.increment is None:
        return None
    weight = sum((share * chance for share, chance in hits), start=Fraction(0))
    restart = sum((chance for share, chance in hits if share == 1), start=Fraction(0))
    least = greatest = (meter.increment + seed * restart) / weight
    if meter.cap_cents is not None:
        if restart != weight:
            return None
        room = max(Fraction(meter.cap_cents, base_cents) - seed, Fraction(0))
        greatest = min(greatest, seed + room)
        least = seed + _growth(meter.increment, room, restart)
        if meter.overflow is not None:
            least = greatest = least if meter.overflow is Overflow.NOT_ADDED else greatest
    paid_seeds = seed * restart
    reserve = meter.reserve if paid_seeds else None
    return LongRun(
        restart=restart,
        least=least,
        greatest=greatest,
        covered=None if reserve is None else reserve / paid_seeds,
    )


def _growth(increment: Fraction, room: Fraction, chance: Fraction) -> Fraction:
    """Return the mean growth of a meter up to a win, if it grows by ``room`` at most.

    With q = 1 - chance and k whole increments in the room this is
    increment x (1 - q^k) / chance + (room - k x increment) x q^k, rounded to `PLACES` decimals.
    """
    if not increment:
        return Fraction(0)
    whole, rest = divmod(room, increment)
    late = _power(1 - chance, whole)
    value = increment * (1 - late) / chance + rest * late
    return Fraction((value * 10**PLACES + Fraction(1, 2)) // 1, 10**PLACES)


def _power(base: Fraction, exponent: int) -> Fraction:
    """Return a power of a number from 0 to 1 with an error below 2 x exponent / 2^`BITS`."""
    result, square = 1 << BITS, (base.numerator << BITS) // base.denominator
    while exponent:
        if exponent & 1:
            result = result * square >> BITS
        square = square * square >> BITS
        exponent >>= 1
    return Fraction(result, 1 << BITS)


def _surplus_winners(chance: Fraction, paytable: Paytable, deck: Deck, players: int) -> Fraction:
    """Return a bound of the winners of a round after the first one, per bettor.

    Given one winner's cards, another player has at most all winning hands of the whole deck, out of
    the hands of the other cards. Winners that share cards with the dealer can all win at once.
    """
    others = Fraction(players - 1, players) * chance
    if paytable.hand is not HandOf.PLAYER or deck.cards < 2 * paytable.cards:
        return others
    hands, left = (
        comb(deck.cards, paytable.cards),
        comb(deck.cards - paytable.cards, paytable.cards),
    )
    return min(others, Fraction(players - 1, 2) * chance**2 * hands / left)


def _check(paytable: Paytable, progressive: Progressive) -> None:
    paid = {_meter(row) for row in paytable.rows} - {None}
    declared = {meter.level for meter in progressive.meters}
    for level in sorted(paid ^ declared, key=str):
        raise NotConfigured(
            f"Meter {level} of {paytable.target} is "
            + ("paid by a row but not declared." if level in paid else "paid by no row."),
            remedy='Name the same meters in the rows and under "progressive".',
        )


def _meter(row: Row) -> str | None:
    return row.payout.meter if row.payout.basis is Basis.METER else None
