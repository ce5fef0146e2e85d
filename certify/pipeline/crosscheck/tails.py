"""How probable it is that a correct table is seen so far off: tails of distributions.

Shares that are seen rarely, or missed rarely, are judged by the binomial distribution itself; the
others by the normal one. Decimals of 60 digits, so that rounding never decides.
"""

from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Final

DIGITS: Final = Context(prec=60)
NOTHING: Final = Decimal(10) ** -60

RARE: Final = 1000
"""Below so many expected hits, or misses, a share is rare."""

ROOT_OF_PI: Final = Decimal("1.77245385090551602729816748334114518279754945612238712821380779")
FARTHEST: Final = 12
"""Standard errors beyond which the normal tail is 0 here: it is below 10^-32."""


def two_sided(hits: int, rounds: int, share: Fraction, z: Fraction) -> Fraction:
    """Return the probability of hits as far from what is expected as these, or farther.

    Args:
        hits: how many were seen.
        rounds: in how many rounds.
        share: the exact probability of one.
        z: how many standard errors the hits are off; 0 where there is none.

    Returns:
        Twice the smaller tail, at most 1.
    """
    if share in (0, 1):
        return Fraction(int(hits == rounds * share))
    if min(share, 1 - share) * rounds >= RARE:
        return normal_tail(z)
    if share > Fraction(1, 2):
        return two_sided(rounds - hits, rounds, 1 - share, -z)
    with localcontext(DIGITS):
        below, at = _binomial(hits, rounds, share)
        tail = min(below + at, 1 - below)
        return min(Fraction(1), 2 * Fraction(max(tail, Decimal(0))))


def _binomial(hits: int, rounds: int, share: Fraction) -> tuple[Decimal, Decimal]:
    """Return the probability of fewer hits, and of just so many."""
    p = Decimal(share.numerator) / share.denominator
    q = 1 - p
    below, at = Decimal(0), q**rounds
    for hit in range(hits):
        below += at
        at *= p / q * (Decimal(rounds - hit) / (hit + 1))
        if hit > 2 * RARE and at < NOTHING:
            return Decimal(1), Decimal(0)
    return below, at


def normal_tail(z: Fraction) -> Fraction:
    """Return the probability that a normal variable is off by ``z`` standard errors or more."""
    if abs(z) > FARTHEST:
        return Fraction(0)
    with localcontext(Context(prec=100)):
        x = Decimal(abs(z.numerator)) / z.denominator
        # erf(x / sqrt 2) as its series; the terms grow to e^(x²/2), below 10^32, before they fall.
        term = x / Decimal(2).sqrt()
        total, place = term, 0
        while abs(term) > NOTHING:
            place += 1
            term *= -x * x / (2 * place)
            total += term / (2 * place + 1)
        return Fraction(max(Decimal(0), 1 - 2 * total / ROOT_OF_PI))
