"""The long run of meters: published returns, hand derivations, and the process itself."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from statistics import fmean, stdev

import pytest

from certify.engine.meters import PLACES, evaluate_long_run, evaluate_progressive
from certify.formatting import decimal
from certify.model.game import Deck
from certify.model.paytable import (
    Award,
    Basis,
    HandOf,
    Meter,
    Overflow,
    Payout,
    Paytable,
    Progressive,
    Row,
)
from certify.model.progressive import LongRun, ProgressiveAnalysis
from certify.model.source import Source

SOURCE = Source(document="published", clause="")
DECK = Deck(ranks=13, joker=0)
ONE = ((Fraction(1), Fraction(1, 8)),)
SHARES = ((Fraction(1), Fraction(1, 40)), (Fraction(1, 10), Fraction(1, 8)))
DEVIATIONS = 5
"""Standard errors within which a simulated mean must be: missed once in a million runs."""


def row(name: str, pays: Payout) -> Row:
    return Row(event=name, name=name, payout=pays)


def of_meter(level: str, share: Fraction = Fraction(1)) -> Payout:
    return Payout(basis=Basis.METER, amount=share, meter=level)


def fixed(units: int) -> Payout:
    return Payout(basis=Basis.FOR, amount=Fraction(units))


def progressive(
    pays: Sequence[Payout],
    chances: Sequence[Fraction],
    meters: Sequence[Meter],
    *,
    base_cents: int = 100,
    deck: Deck = DECK,
    cards: int = 5,
    hand: HandOf = HandOf.PLAYER,
    players: int = 1,
) -> ProgressiveAnalysis:
    paytable = Paytable(
        id="1",
        game="game",
        wager="progressive",
        name="1",
        source=SOURCE,
        hand=hand,
        cards=cards,
        award=Award.FIRST_ROW_CONTAINED,
        rows=tuple(row(str(place), pay) for place, pay in enumerate(pays)),
        progressive=Progressive(base_wager_cents=base_cents, meters=tuple(meters)),
    )
    found = evaluate_progressive(paytable, chances, {}, deck, players)
    assert found is not None
    return found


def long_run(meter: Meter, hits: Sequence[tuple[Fraction, Fraction]]) -> LongRun:
    assert meter.seed_cents is not None
    found = evaluate_long_run(meter, Fraction(meter.seed_cents, 100), 100, hits)
    assert found is not None
    return found


def exactly(found: LongRun) -> Fraction:
    assert found.least == found.greatest
    return found.least


FIVE_CARDS = comb(52, 5)
HANDS = [Fraction(hands, FIVE_CARDS) for hands in (40, 624, 3_744, 5_108, 10_200)]
"""Five cards: straight and royal flush, four of a kind, full house, flush, straight."""


@pytest.mark.parametrize(
    ("meters", "averages", "published"),
    [
        (((1000, 9), (250, 20), (50, 8)), ("6847.66", "1083.00", "105.53"), "0.654960"),
        (((6000, 8), (500, Fraction(19, 2)), (100, 8)), ("11197.92", "895.68", "155.53"),
         "0.748967"),
    ],
)  # fmt: skip
def test_published_returns_of_casino_holdem(
    meters: Sequence[tuple[int, Fraction]], averages: Sequence[str], published: str
) -> None:
    """Wizard of Odds, "Casino Hold Em Progressive Jackpot Side Bet", pay tables 1 and 2.

    Read on November 29, 2026 in the copy nilapub.com/games/casino-hold-em/progressive/. A flush
    pays 50 and a straight 10, for one.
    """
    declared = [
        Meter(level=str(n), seed_cents=seed * 100, increment=Fraction(rate) / 100)
        for n, (seed, rate) in enumerate(meters, 1)
    ]
    found = progressive(
        [*(of_meter(meter.level) for meter in declared), fixed(50), fixed(10)], HANDS, declared
    )
    found_averages = [meter.long_run.least for meter in found.meters if meter.long_run]
    assert [decimal(each, 2) for each in found_averages] == [*averages]
    assert found.long_run is not None
    assert {decimal(bound, 6) for bound in found.long_run} == {published}


CAUGHT = [Fraction(comb(20, n) * comb(60, 8 - n), comb(80, 8)) for n in (8, 7, 6, 5)]
"""Eight spots of keno: catches of 8, 7, 6 and 5."""


def test_a_published_return_of_keno() -> None:
    """Gaming Today, "Evaluating true progressives", February 13, 2006: a $2 ticket of eight spots.

    The initial jackpot is $100,000 and grows by 10 cents a ticket. The house percentage is .3196233
    at reset and 26.96% with the average jackpot of $123,011.46.
    """
    meter = Meter(level="1", seed_cents=10_000_000, increment=Fraction(10, 200))
    pays = [
        Payout(basis=Basis.FOR, amount=Fraction(cents, 200)) for cents in (148_000, 17_500, 1_500)
    ]
    found = progressive([of_meter("1"), *pays], CAUGHT, [meter], base_cents=200)
    (run,) = [each.long_run for each in found.meters]
    assert run is not None
    assert found.return_at_reset is not None
    assert found.long_run is not None
    assert f"{float(2 * run.least):,.2f}" == "123,011.46"
    assert f"{float(1 - found.return_at_reset):.7f}" == "0.3196233"
    assert f"{float(1 - found.long_run[0]):.2%}" == "26.96%"


def test_a_published_return_at_reset() -> None:
    """Wizard of Odds, "Orleans & Gold Coast Progressive Keno", April 10, 2012: 72.7% at reset."""
    meter = Meter(level="1", seed_cents=10_000_000)
    pays = [Payout(basis=Basis.FOR, amount=Fraction(dollars, 2)) for dollars in (3000, 150, 10)]
    found = progressive([of_meter("1"), *pays], CAUGHT, [meter], base_cents=200)
    assert found.return_at_reset is not None
    assert f"{float(found.return_at_reset):.1%}" == "72.7%"
    assert found.long_run is None, "the source states no increment"


def test_shares_by_the_recurrence_of_the_mean() -> None:
    """After a round the mean meter m is m (1 - w) + seed f, and the next wager adds i."""
    meter = Meter(level="1", seed_cents=5_000, increment=Fraction(1, 5))
    weight, full = Fraction(1, 40) + Fraction(1, 80), Fraction(1, 40)
    mean = Fraction(50)
    for _ in range(1_000):
        mean = round(mean * (1 - weight) + 50 * full + Fraction(1, 5), 40)
    assert abs(mean - exactly(long_run(meter, SHARES))) < Fraction(1, 10**9)


def capped(overflow: Overflow | None, increment: Fraction = Fraction(3, 10)) -> Meter:
    return Meter(
        level="1", seed_cents=1_000, increment=increment, cap_cents=1_200, overflow=overflow
    )


def test_a_cap_by_the_sum_over_the_wagers_between_two_wins() -> None:
    """The seed is 10, the cap 12: 6 wagers add 0.3, the seventh 0.2, later ones nothing."""
    p = Fraction(1, 8)
    at_win = [min(10 + Fraction(3, 10) * n, Fraction(12)) for n in range(1, 8)]
    mean = sum(p * (1 - p) ** n * amount for n, amount in enumerate(at_win))
    mean += 12 * (1 - p) ** 7
    found = exactly(long_run(capped(Overflow.NOT_ADDED), ONE))
    assert abs(found - mean) <= Fraction(1, 2 * 10**PLACES)
    assert found < 10 + Fraction(3, 10) * 8, "the average without a cap"


def test_contributions_above_a_cap_go_to_the_next_meter() -> None:
    """The average without a cap is 10 + 8 x 0.2, below the cap; or 10 + 8 x 0.3, above it."""
    below = capped(Overflow.NEXT_METER, Fraction(1, 5))
    assert exactly(long_run(below, ONE)) == Fraction(58, 5)
    assert exactly(long_run(capped(Overflow.NEXT_METER), ONE)) == 12


def test_an_undeclared_overflow_gives_both_bounds() -> None:
    found = long_run(capped(None), ONE)
    assert found.least == exactly(long_run(capped(Overflow.NOT_ADDED), ONE))
    assert found.greatest == exactly(long_run(capped(Overflow.NEXT_METER), ONE))
    assert found.least < found.greatest


def test_a_rare_win_of_a_capped_meter() -> None:
    """A cap that is reached after a million wagers, of a win in a hundred million."""
    meter = Meter(level="1", seed_cents=100_000, increment=Fraction(1, 10), cap_cents=10_100_000,
                  overflow=Overflow.NOT_ADDED)  # fmt: skip
    found = exactly(long_run(meter, ((Fraction(1), Fraction(1, 10**8)),)))
    # 1 - (1 - p)^k for k p = 0.01, by its series: k p - k (k - 1) p^2 / 2 + ...
    k, p = 10**6, Fraction(1, 10**8)
    series = sum((-1) ** (n + 1) * comb(k, n) * p**n for n in range(1, 12))
    assert abs(found - 1000 - series / p / 10) < Fraction(1, 10**11)


def test_what_is_not_determined_has_no_long_run() -> None:
    shares_of_a_capped_meter = evaluate_long_run(capped(None), Fraction(10), 100, SHARES)
    assert shares_of_a_capped_meter is None
    assert evaluate_long_run(Meter(level="1"), Fraction(10), 100, ONE) is None


def test_a_reserve_pays_for_seeds() -> None:
    """The seed of 10 is paid once in 8 wagers, 1.25 a wager; 5% of a wager is a 25th of that."""
    meter = Meter(level="1", seed_cents=1_000, increment=Fraction(1, 10), reserve=Fraction(1, 20))
    found = long_run(meter, ONE)
    assert found.covered == Fraction(1, 25)
    assert exactly(found) == Fraction(54, 5)


Process = Callable[[Random], Iterator[float]]


def simulate_shares(rng: Random) -> Iterator[float]:
    meter = 50.0
    while True:
        meter += 0.2
        drawn = rng.random()
        share = 1.0 if drawn < 1 / 40 else 0.1 if drawn < 1 / 40 + 1 / 8 else 0.0
        yield share * meter
        meter = 50.0 if share == 1 else meter * (1 - share)


def simulate_cap(rng: Random) -> Iterator[float]:
    meter = 10.0
    while True:
        meter = min(meter + 0.3, 12.0)
        won = rng.random() < 1 / 8
        yield won * meter
        meter = 10.0 if won else meter


def simulate_pool(rng: Random) -> Iterator[float]:
    meter, pool = 10.0, 0.0
    while True:
        pool += max(meter + 0.2 - 12.0, 0.0)
        meter = min(meter + 0.2, 12.0)
        won = rng.random() < 1 / 8
        yield won * meter
        if won:
            meter = min(10.0 + pool, 12.0)
            pool -= meter - 10.0


@pytest.mark.parametrize(
    ("process", "meter", "hits"),
    [
        (simulate_shares, Meter(level="1", seed_cents=5_000, increment=Fraction(1, 5)), SHARES),
        (simulate_cap, capped(Overflow.NOT_ADDED), ONE),
        (simulate_pool, capped(Overflow.NEXT_METER, Fraction(1, 5)), ONE),
    ],
)
def test_the_process_itself_pays_the_long_run(
    process: Process, meter: Meter, hits: Sequence[tuple[Fraction, Fraction]]
) -> None:
    """Means of 200 batches of 2,000 wagers, whose standard error bounds the difference."""
    paid = process(Random(66))  # noqa: S311 - rounds, not secrets
    batches = [fmean(next(paid) for _ in range(2_000)) for _ in range(200)]
    weight = sum(share * chance for share, chance in hits)
    expected = float(weight * exactly(long_run(meter, hits)))
    assert abs(fmean(batches) - expected) < DEVIATIONS * stdev(batches) / 200**0.5


def test_sharing_of_winners_by_all_deals_to_two_players() -> None:
    """Of 12 cards, each pair of neighbors wins; two players hold two cards each."""
    cards = range(12)
    hands = [*combinations(cards, 2)]
    winning = {hand for hand in hands if hand[1] == hand[0] + 1}
    chance = Fraction(len(winning), len(hands))
    deals = [(a, b) for a in hands for b in hands if not {*a} & {*b}]
    both = Fraction(sum(a in winning and b in winning for a, b in deals), len(deals))
    meter = Meter(level="1", seed_cents=10_000, increment=Fraction(1, 10))
    found = progressive(
        [of_meter("1")], [chance], [meter], deck=Deck(ranks=3, joker=0), cards=2, players=2
    )
    # A round with two winners restarts the meter once less, for two wagers.
    assert 100 * both / 2 <= found.lost_by_sharing <= 100 * both
    together = progressive(
        [of_meter("1")], [chance], [meter], hand=HandOf.DEALER, cards=2, players=2
    )
    assert together.lost_by_sharing == 100 * chance / 2, "both players win with the dealer's hand"
