from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from msgspec.structs import replace

from certify.engine.bonus import evaluate
from certify.engine.limits import Bet, apply_limits, find_greatest_win
from certify.errors import NotConfigured
from certify.model.analysis import Analysis, LimitAnalysis, RowAnalysis
from certify.model.catalog import Catalog
from certify.model.game import Game
from certify.model.jurisdiction import AggregateLimit, Scope
from certify.model.main_wager import MainWager, Outcome, OutcomeReason
from certify.model.paytable import (
    Basis,
    CollectionFee,
    Commission,
    FeeBand,
    Payout,
    Paytable,
    Rounding,
    Row,
)
from certify.model.source import Source

EMPEROR = "emperors-challenge-exposed"
WAGER = "emperors-treasure"
DECK = comb(53, 7)
FORTUNE = {
    "natural_seven_card_straight_flush": (8_000, 32),
    "royal_flush_with_suited_ace_king": (2_000, 72),
    "joker_seven_card_straight_flush": (1_000, 196),
    "five_aces": (400, 1_128),
    "royal_flush": (150, 26_020),
    "straight_flush": (50, 184_644),
    "four_of_a_kind": (25, 307_472),
    "full_house": (5, 4_188_528),
    "flush": (4, 6_172_088),
    "three_of_a_kind": (3, 7_672_500),
    "straight": (2, 11_034_204),
}
"""Pays to 1 as card rooms post them for the Fortune bonus; the published numbers of hands."""


@pytest.fixture(scope="module")
def game(catalog: Catalog) -> Game:
    return catalog.games[EMPEROR]


def find_table(game: Game, identity: str) -> Paytable:
    return next(t for w in game.wagers for t in w.paytables if t.id == identity)


def evaluate_table(catalog: Catalog, game: Game, table: Paytable) -> Analysis:
    envy = next((e for w in game.wagers for e in w.envies if e.id == table.envy), None)
    return evaluate(table, events=catalog.events, hands=game.hands, envy=envy)


@pytest.fixture(scope="module")
def fortune(catalog: Catalog, game: Game) -> Bet:
    declared = find_table(game, "PT-FLT-EC-ET-01")
    names = {row.event: row.name for row in declared.rows}
    table = replace(
        declared,
        envy=None,
        rows=tuple(
            Row(event=event, name=names[event], payout=pay_to_one(pays))
            for event, (pays, _) in FORTUNE.items()
        ),
    )
    return Bet(record=table, analysis=evaluate_table(catalog, game, table))


def pay_to_one(amount: int | Fraction) -> Payout:
    return Payout(basis=Basis.TO, amount=Fraction(amount))


def apply(bet: Bet, *limits: AggregateLimit, asked: int | None = None, seats: int = 6,
          bets: tuple[Bet, ...] = ()) -> LimitAnalysis:  # fmt: skip
    return apply_limits(bet, limits, bets=bets or (bet,), seats=seats, cents_wagered=asked)


def limit_own(cents: int) -> AggregateLimit:
    return AggregateLimit(cents=cents, wagers=(WAGER,))


def test_fortune_at_200_dollars_under_10_000(fortune: Bet) -> None:
    """7.77% becomes 10.09%: by hand, for $200 a limit of $10,000 leaves 50 to 1 at most.

    Without it the winning hands are paid
        32 * 8,000 + 72 * 2,000 + 196 * 1,000 + 1,128 * 400 + 26,020 * 150 = 4,950,200
    and with it, 50 to 1 for each of these 27,448 hands, 1,372,400: a loss of 3,577,800 out of
    154,143,080, which is 2.3211%. The published edge of the pays as posted is 7.77%.
    """
    assert [row.combinations for row in fortune.analysis.rows[:-1]] == [
        hands for _, hands in FORTUNE.values()
    ]
    edge = fortune.analysis.house_edge
    assert edge is not None
    assert round(edge * 10_000) == 777
    (figures,) = apply(fortune, limit_own(1_000_000), asked=20_000).amounts
    assert figures.cost == Fraction(4_950_200 - 1_372_400, DECK)
    assert round((edge + figures.cost) * 10_000) == 1_009
    assert figures.greatest_cost == figures.cost
    assert figures.top_award == 50


@pytest.mark.parametrize("wager", [125, 126, 500, 2_500, 20_000, 33_333, 40_000])
@pytest.mark.parametrize("limit", [1_000_000, 1_500_001, 2_000_000])
def test_every_row_pays_the_wager_times_its_odds_up_to_the_limit(
    fortune: Bet, wager: int, limit: int
) -> None:
    """Integers alone: cents paid over all hands, and their squares."""
    losing = DECK - sum(hands for _, hands in FORTUNE.values())
    nets = [(min(pays * wager, limit), hands) for pays, hands in FORTUNE.values()]
    nets.append((-wager, losing))
    gain = sum(cents * hands for cents, hands in nets)
    squares = sum(cents**2 * hands for cents, hands in nets)
    found = apply(fortune, limit_own(limit), asked=wager)
    if 8_000 * wager <= limit:
        assert found.amounts == ()
        return
    (figures,) = found.amounts
    mean = Fraction(gain, DECK * wager)
    assert (fortune.analysis.house_edge or 0) + figures.cost == -mean
    assert figures.variance == Fraction(squares, DECK * wager**2) - mean**2
    assert figures.top_award * wager == min(8_000 * wager, limit)


def test_the_amounts_that_decide(fortune: Bet) -> None:
    found = apply(replace(fortune, least=100, greatest=20_000), limit_own(1_000_000))
    assert found.binds_above_cents == 125
    assert [amount.wager_cents for amount in found.amounts] == [126, 20_000]
    assert found.amounts[0].cost == Fraction(32, DECK) * (8_000 - Fraction(1_000_000, 126))
    found = apply(replace(fortune, least=500, greatest=20_000), limit_own(1_000_000))
    assert [amount.wager_cents for amount in found.amounts] == [500, 20_000]
    assert apply(replace(fortune, greatest=125), limit_own(1_000_000)).amounts == ()
    without_greatest = apply(fortune, limit_own(1_000_000))
    assert [amount.wager_cents for amount in without_greatest.amounts] == [126]
    assert without_greatest.open
    assert not found.open


def test_the_lower_of_two_separate_limits_decides(fortune: Bet) -> None:
    both = apply(fortune, limit_own(2_000_000), limit_own(1_000_000), asked=20_000)
    assert both.amounts == apply(fortune, limit_own(1_000_000), asked=20_000).amounts


def test_envy_prizes_are_paid_in_addition(catalog: Catalog, game: Game) -> None:
    """Appendix C: at the $5 that qualify the top pay of 5,000 to 1 is $25,000."""
    table = find_table(game, "PT-FLT-EC-ET-01")
    bet = Bet(record=table, analysis=evaluate_table(catalog, game, table), greatest=40_000)
    found = apply(bet, limit_own(2_000_000))
    assert [amount.wager_cents for amount in found.amounts] == [401, 500, 40_000]
    at_five = found.amounts[1]
    assert at_five.cost == Fraction(32, DECK) * (5_000 - 4_000)
    envy, edge = bet.analysis.envy, bet.analysis.house_edge
    assert envy is not None
    assert edge is not None
    assert at_five.house_edge_by_players == {
        players: edge + at_five.cost - (players - 1) * envy.per_other_player
        for players in range(1, 7)
    }
    assert found.amounts[2].house_edge_by_players[6] == (
        edge + found.amounts[2].cost - 5 * envy.per_other_player * 5 / 400
    )


def test_for_odds_are_cut_with_the_wager_in_them(fortune: Bet) -> None:
    table = fortune.record
    assert isinstance(table, Paytable)
    rows = tuple(
        replace(row, payout=Payout(basis=Basis.FOR, amount=row.payout.amount + 1))
        for row in table.rows
    )
    bet = replace(fortune, record=replace(table, rows=rows))
    (figures,) = apply(bet, limit_own(1_000_000), asked=20_000).amounts
    assert figures.top_award == 49
    assert figures.cost == sum(
        (Fraction(hands * max(pays + 1 - 50, 0), DECK) for pays, hands in FORTUNE.values()),
        Fraction(0),
    )


def test_fixed_pays_of_a_meter_are_cut_and_its_shares_are_not(catalog: Catalog, game: Game) -> None:
    """PT-BJS-EC-ET-01 pays 1,000 for 1 for five aces at a base wager of $1."""
    table = find_table(game, "PT-BJS-EC-ET-01")
    analysis = evaluate_table(catalog, game, table)
    bet = Bet(record=table, analysis=analysis, least=100, greatest=100)
    assert apply(bet, limit_own(100_000)).amounts == ()
    (figures,) = apply(bet, limit_own(50_000)).amounts
    assert figures.cost == Fraction(1_128 * 500, DECK)
    assert figures.variance is None
    meter = analysis.progressive
    assert meter is not None
    (level,) = meter.meters
    (found,) = figures.break_evens
    assert found == (level.level, (1 - (meter.fixed_return - figures.cost)) / level.weight)


@pytest.mark.parametrize("times", [50, 100, 250, 1_000])
def test_drawn_pays_are_cut(catalog: Catalog, game: Game, times: int) -> None:
    """PT-PRG-EC-ET-D01 draws pays of up to 2,000 for 1: every draw that is allowed."""
    table = find_table(game, "PT-PRG-EC-ET-D01")
    analysis = evaluate_table(catalog, game, table)
    assert table.progressive is not None
    assert table.dynamic is not None
    base = table.progressive.base_wager_cents
    bet = Bet(record=table, analysis=analysis, least=base, greatest=base)
    assert apply(bet, limit_own(2_000 * base)).amounts == ()
    (figures,) = apply(bet, limit_own(times * base)).amounts
    added: list[list[Fraction]] = []
    for row, line in zip(analysis.rows, table.rows, strict=False):
        default = min(line.payout.amount, Fraction(times))
        added.append(
            [row.probability * (min(pay.amount, Fraction(times)) - default) for pay in line.dynamic]
        )
    added = [item for item in added if item]
    sizes = range(table.dynamic.minimum_rows, table.dynamic.maximum_rows + 1)
    draws = [sum(item) for size in sizes for some in combinations(added, size)
             for item in product(*some)]  # fmt: skip
    assert figures.dynamic == (min(draws), max(draws))
    assert figures.top_award == times - 1


def test_without_pays_at_odds_no_limit_binds(fortune: Bet) -> None:
    table = fortune.record
    assert isinstance(table, Paytable)
    rows = tuple(replace(row, payout=Payout(basis=Basis.PUSH)) for row in table.rows)
    found = apply(replace(fortune, record=replace(table, rows=rows)), limit_own(1))
    assert (found.binds_above_cents, found.amounts) == (None, ())


PAYS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "a": ((100, 1), (20, 3), (0, 6)),
    "b": ((60, 2), (5, 3), (0, 5)),
}
"""Two small wagers: odds to 1 and their chances in tenths."""


def build_rows(tenths: Mapping[str, tuple[int, Fraction]]) -> tuple[RowAnalysis, ...]:
    """Return rows by their chance in tenths and their net."""
    return tuple(
        RowAnalysis(
            event=name,
            name=name,
            pays="",
            combinations=number,
            probability=Fraction(number, 10),
            contribution=Fraction(number, 10) * net,
        )
        for name, (number, net) in tenths.items()
    )


def small(model: Bet, wager: str) -> Bet:
    """Return a wager whose rows are so few that every joint distribution can be gone through."""
    assert isinstance(model.record, Paytable)
    pays = [(f"{wager}{odds}", odds, Fraction(tenths, 10)) for odds, tenths in PAYS[wager]]
    rows = tuple(Row(event=event, name=event, payout=pay_to_one(odds)) for event, odds, _ in pays)
    analyzed = build_rows(
        {event: (int(10 * chance), Fraction(odds)) for event, odds, chance in pays}
    )
    return Bet(
        record=replace(model.record, wager=wager, rows=rows),
        analysis=replace(model.analysis, wager=wager, total=10, rows=analyzed),
        greatest=100,
    )


def least_and_most(wagers: tuple[str, ...], limit: int, cents: int) -> tuple[Fraction, Fraction]:
    """Return the reduction of several wagers, independent and all with the best hand at once."""
    tenths = [[pays for pays, count in PAYS[wager] for _ in range(count)] for wager in wagers]
    independent = [sum(pays) * cents for pays in product(*tenths)]
    together = [sum(pays) * cents for pays in zip(*tenths, strict=True)]
    cuts = [
        Fraction(sum(max(paid - limit, 0) for paid in found), len(found) * cents)
        for found in (independent, together)
    ]
    return cuts[0], cuts[1]


@pytest.mark.parametrize("limit", [2_000, 5_000, 9_000, 15_000, 30_000])
def test_a_limit_for_the_table_lies_between_its_bounds(fortune: Bet, limit: int) -> None:
    """Three seats: the mean of a seat with independent hands, and with the same hand at every seat.

    With the same hands the most is reached: every seat has a third of the limit.
    """
    bet, seats = small(fortune, "a"), 3
    table = AggregateLimit(cents=limit, wagers=("a",), scope=Scope.TABLE)
    found = apply_limits(bet, (table,), bets=(bet,), seats=seats, cents_wagered=100)
    independent, together = least_and_most(("a",) * seats, limit, 100)
    if not found.amounts:
        assert independent == together == 0
        return
    (figures,) = found.amounts
    assert found.is_shared
    assert figures.variance is None
    assert figures.greatest_cost is not None
    assert figures.cost <= independent / seats <= figures.greatest_cost
    assert together / seats == figures.greatest_cost


@pytest.mark.parametrize("limit", [1, 2_000, 5_000, 8_000, 12_000, 20_000])
def test_a_limit_for_two_wagers_lies_between_its_bounds(fortune: Bet, limit: int) -> None:
    """The reduction of both is at least that of one, and at most the bound."""
    bets = small(fortune, "a"), small(fortune, "b")
    shared = AggregateLimit(cents=limit, wagers=("a", "b"))
    cuts = least_and_most(("a", "b"), limit, 100)
    for bet in bets:
        found = apply_limits(bet, (shared,), bets=bets, seats=6, cents_wagered=100)
        if not found.amounts:
            assert not any(cuts)
            continue
        (figures,) = found.amounts
        everything = sum((pay.probability * pay.paid for pay in bet.pays), Fraction(0))
        assert figures.greatest_cost is not None
        assert all(figures.cost <= cut for cut in cuts)
        assert all(min(cut, everything) <= figures.greatest_cost for cut in cuts)


def test_no_bound_is_given_where_the_other_wager_has_no_greatest_amount(
    fortune: Bet,
) -> None:
    bets = small(fortune, "a"), replace(small(fortune, "b"), greatest=None)
    shared = AggregateLimit(cents=5_000, wagers=("a", "b"))
    found = apply_limits(bets[0], (shared,), bets=bets, seats=6)
    assert found.binds_above_cents == 0
    assert [amount.wager_cents for amount in found.amounts] == [1, 100]
    assert [amount.greatest_cost for amount in found.amounts] == [None, None]


def test_a_main_wager_is_paid_what_it_wins(catalog: Catalog, fortune: Bet) -> None:
    """$10 with 5% posted in advance: $10.50 staked, $10 won, $5 under a limit of $5."""
    options = [
        option for wager in catalog.games["pai-gow-mania"].wagers for option in wager.options
    ]
    option = next(option for option in options if option.commission and option.commission.prepaid)
    staked = Fraction(21, 20)
    rows = build_rows({
        "win": (3, 1 / staked), "push": (4, Fraction(0)), "lose": (3, Fraction(-1)),
    })  # fmt: skip
    analysis = replace(fortune.analysis, wager="main", total=10, rows=rows)
    limit = AggregateLimit(cents=500, wagers=("main",))
    found = apply(Bet(record=option, analysis=analysis, greatest=1_000), limit)
    assert found.binds_above_cents == 500
    assert [amount.wager_cents for amount in found.amounts] == [501, 1_000]
    assert found.amounts[1].cost == Fraction(3, 10) * Fraction(500, 1_050)
    assert found.amounts[1].top_award == Fraction(500, 1_050)


PER_UNIT = Fraction(1)


def depending(catalog: Catalog, fortune: Bet, **terms: object) -> Bet:
    """Return an option whose pay depends on the wager: a win pays 1 to 1, for 3 rounds of 10."""
    option = catalog.games["mini-pai-gow"].wagers[0].options[0]
    plain = MainWager(
        id=option.id, game=option.game, name=option.name, source=option.source,
        win_pays=pay_to_one(1), **terms,  # type: ignore[arg-type] # fields by name
    )  # fmt: skip
    ends = {"win": (3, plain.net_of_a_win(None)), "push": (4, Fraction(0)), "lose": (3, -PER_UNIT)}
    rows = tuple(
        replace(row, reason=OutcomeReason(outcome=Outcome(row.event))) for row in build_rows(ends)
    )
    return Bet(record=plain, analysis=replace(fortune.analysis, wager="main", total=10, rows=rows))


FEE = CollectionFee(
    bands=(FeeBand(from_cents=100, cents=200), FeeBand(from_cents=2_000, cents=50)),
    text="A fee.",
    source=Source(document="a"),
)
MAIN_LIMIT = AggregateLimit(cents=5_000, wagers=("main",))


@pytest.mark.parametrize(
    ("unit", "rounding", "minimum"),
    [(None, Rounding.UP, 100), (25, Rounding.UP, None), (25, Rounding.DOWN, None),
     (500, Rounding.UP, None), (100, Rounding.NEAREST, 300), (1, Rounding.UP, 1_000)],
)  # fmt: skip
def test_a_limit_binds_at_the_wager_whose_own_commission_leaves_more(
    catalog: Catalog, fortune: Bet, unit: int | None, rounding: Rounding, minimum: int | None
) -> None:
    """Wager by wager in cents: the win less 5%, rounded, against $50. The figures are for $10."""
    commission = Commission(
        rate=Fraction(1, 20), unit_cents=unit, rounding=rounding, minimum_cents=minimum
    )
    bet = depending(catalog, fortune, commission=commission, wager_cents=1_000, fee=FEE)

    def pay(cents: int) -> Fraction:
        taken = Fraction(cents, 20)
        if unit is not None:
            units = {
                Rounding.UP: -(-taken // unit),
                Rounding.DOWN: taken // unit,
                Rounding.NEAREST: (2 * taken + unit) // (2 * unit),
            }
            taken = Fraction(units[rounding] * unit)
        return max(cents - max(taken, Fraction(minimum or 0)), Fraction(0))

    first = next(cents for cents in range(1, 10_000) if pay(cents) > 5_000)
    found = apply(replace(bet, greatest=10_000), MAIN_LIMIT)
    assert found.binds_above_cents == first - 1
    assert (found.amounts, found.counted_cents) == ((), 1_000)


def test_a_commission_that_leaves_next_to_nothing_is_refused(
    catalog: Catalog, fortune: Bet
) -> None:
    commission = Commission(rate=Fraction(10**9 - 1, 10**9), unit_cents=1)
    bet = depending(catalog, fortune, commission=commission, wager_cents=1_000)
    with pytest.raises(NotConfigured, match="leaves too little of a win"):
        apply(replace(bet, greatest=10_000), MAIN_LIMIT)


def test_the_greatest_win_is_that_of_the_wager_with_its_fee(catalog: Catalog, fortune: Bet) -> None:
    """$100 win $95 less a fee of $0.50; under $50, $49.50. At $10: $9 less $2."""
    commission = Commission(rate=Fraction(1, 20), minimum_cents=100)
    bet = depending(catalog, fortune, commission=commission, wager_cents=1_000, fee=FEE)
    at_most = replace(bet, greatest=10_000)
    assert win_in_cents(replace(bet, greatest=1_000)) == (700, 700)
    assert win_in_cents(at_most, MAIN_LIMIT) == (9_450, 4_950)
    assert win_in_cents(bet) == (100, 100)


def win_in_cents(bet: Bet, *limits: AggregateLimit) -> tuple[int, int]:
    found = find_greatest_win(bet, limits)
    assert found is not None
    assert {found.free_cents.denominator, found.cents.denominator} == {1}
    return int(found.free_cents), int(found.cents)


def test_prizes_for_the_own_hand_are_paid_under_a_limit_too(catalog: Catalog, game: Game) -> None:
    """At $400, k players: k - 1 others, the own hand and the dealer's, each a $5 share of $400."""
    table = find_table(game, "PT-FLT-EC-ET-01")
    (envy,) = [e for w in game.wagers for e in w.envies if e.id == table.envy]
    both = replace(envy, pays_on_own_hand=True, pays_on_dealer_hand=True)
    analysis = evaluate(table, events=catalog.events, hands=game.hands, envy=both)
    found = apply(Bet(record=table, analysis=analysis, greatest=40_000), limit_own(2_000_000))
    assert analysis.envy is not None
    edge = analysis.house_edge
    assert edge is not None
    each = analysis.envy.per_other_player * Fraction(500, 40_000)
    at_most = found.amounts[-1]
    assert at_most.house_edge_by_players == {
        players: edge + at_most.cost - (players + 1) * each for players in range(1, 7)
    }


@pytest.mark.parametrize("limit", [2_000, 4_000, 8_000, 12_000, 18_000])
def test_no_part_of_a_joint_cut_is_counted_twice(fortune: Bet, limit: int) -> None:
    """Odds above 100 and 60 to 1 at $1: each wager loses what it is paid above half the limit."""
    bets = small(fortune, "a"), small(fortune, "b")
    shared = AggregateLimit(cents=limit, wagers=("a", "b"))
    half = limit // 2
    losses = {
        wager: sum(
            (Fraction(tenths * max(100 * odds - half, 0), 10) for odds, tenths in PAYS[wager]),
            Fraction(0),
        )
        for wager in ("a", "b")
    }
    for bet in bets:
        found = apply_limits(bet, (shared,), bets=bets, seats=6, cents_wagered=100)
        everything = sum((pay.probability * pay.paid for pay in bet.pays), Fraction(0))
        greatest = min(sum(losses.values()) / 100, everything)
        assert [amount.greatest_cost for amount in found.amounts] == [greatest] * len(found.amounts)


@pytest.mark.parametrize("own", [1_000, 4_000, 7_000])
@pytest.mark.parametrize("limit", [2_000, 6_000, 12_000])
def test_an_own_limit_and_a_joint_one_lie_within_the_bound(
    fortune: Bet, own: int, limit: int
) -> None:
    """Every pair of results, with the excess of both over the joint limit taken from one wager.

    One wager alone loses what it is paid above the least of both limits.
    """
    bets = small(fortune, "a"), small(fortune, "b")
    limits = (
        AggregateLimit(cents=own, wagers=("a",)),
        AggregateLimit(cents=limit, wagers=("a", "b")),
    )
    found = apply_limits(bets[0], limits, bets=bets, seats=6, cents_wagered=100)
    (figures,) = found.amounts
    first = [100 * odds for odds, tenths in PAYS["a"] for _ in range(tenths)]
    second = [100 * odds for odds, tenths in PAYS["b"] for _ in range(tenths)]
    joint: tuple[list[tuple[int, int]], ...]
    joint = [*product(first, second)], [*zip(first, second, strict=True)]
    for pairs in joint:
        taken = [
            paid - max(min(paid, own) - max(min(paid, own) + other - limit, 0), 0)
            for paid, other in pairs
        ]
        mean = Fraction(sum(taken), 100 * len(pairs))
        assert figures.greatest_cost is not None
        assert figures.cost <= mean <= figures.greatest_cost
    alone = sum(max(paid - min(own, limit // 2), 0) for paid in first)
    others = sum(max(paid - limit // 2, 0) for paid in second)
    bound = Fraction(alone + others, 1_000)
    assert figures.greatest_cost == min(bound, Fraction(sum(first), 1_000))
