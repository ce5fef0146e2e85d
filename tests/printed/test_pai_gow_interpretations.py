"""The other interpretations of a pai gow, derived by independent combinatorics.

Nothing here is counted by certify but the figures that are compared: ranks are 13 letters, suits
are counted by hand, and pairs of hands by how many ranks they share.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

from certify.figures.alternatives import with_alternatives
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import Selection, load_catalog
from certify.model.source import Figure

HANDS = comb(53, 7)
PAIRS = HANDS * comb(46, 7)
ACE = 14
LOW_ACE = frozenset({ACE, 2, 3, 4, 5})
RUNS = [frozenset(range(low, low + 5)) for low in range(2, 11)]
Ranks = frozenset[int]


def holds_run(ranks: Ranks, *, wheel: bool, spare: int = 0) -> bool:
    runs = [*RUNS, LOW_ACE] if wheel else RUNS
    return any(len(run - ranks) <= spare for run in runs)


@cache
def natural_sets(*, wheel: bool) -> tuple[Ranks, ...]:
    """Rank sets of ace-high pai gows without the joker."""
    sets = (frozenset({ACE, *rest}) for rest in combinations(range(2, 14), 6))
    return tuple(held for held in sets if not holds_run(held, wheel=wheel))


@cache
def joker_sets(*, completes: bool) -> tuple[Ranks, ...]:
    """Return the ranks of six cards with the joker: it completes a straight, or is only an ace."""
    sets = map(frozenset, combinations(range(2, 14), 6))
    if completes:
        return tuple(held for held in sets if not holds_run(held, wheel=True, spare=1))
    return tuple(held for held in sets if not holds_run(held | {ACE}, wheel=True))


def count_without_flush(cards: int, most: int) -> int:
    """Count the suits of cards of different ranks, at most ``most`` cards in one suit."""
    flushes = sum(4 * comb(cards, n) * 3 ** (cards - n) for n in range(most + 1, cards + 1))
    return int(4**cards - flushes)


def hands(*, completes: bool, wheel: bool) -> int:
    """Ace-high pai gows by one interpretation."""
    natural = len(natural_sets(wheel=wheel)) * count_without_flush(7, 4)
    return natural + joker_hands(completes=completes)


def joker_hands(*, completes: bool) -> int:
    return len(joker_sets(completes=completes)) * count_without_flush(6, 3 if completes else 4)


@cache
def suits(shared: int, mine: int, theirs: int, most: int, most_theirs: int) -> int:
    """Count the suits of two hands that share no card and have no flush.

    ``shared`` ranks are in both. A suit is counted for each hand; six or seven cards hold at most
    one flush, so that those with one are taken off and those with two put back.
    """

    def flushes(mine_in: int | None, theirs_in: int | None) -> int:
        ways: Counter[tuple[int, int]] = Counter({(0, 0): 1})
        for rank in range(shared + mine + theirs):
            held, other = rank < shared + mine, rank < shared or rank >= shared + mine
            after: Counter[tuple[int, int]] = Counter()
            for (a, b), number in ways.items():
                for x in range(4) if held else (None,):
                    for y in range(4) if other else (None,):
                        if x is None or x != y:
                            after[a + (x == mine_in and held), b + (y == theirs_in and other)] += (
                                number
                            )
            ways = after
        return sum(
            number
            for (a, b), number in ways.items()
            if (mine_in is None or a > most) and (theirs_in is None or b > most_theirs)
        )

    both = 4 * flushes(0, 0) + 12 * flushes(0, 1)
    return flushes(None, None) - 4 * flushes(0, None) - 4 * flushes(None, 0) + both


def count_pairs(
    dealers: tuple[Ranks, ...], players: tuple[Ranks, ...], most: int, other: int
) -> int:
    """Ordered pairs of disjoint hands with these ranks and no flush."""
    shared = Counter((len(a & b), len(a), len(b)) for a in dealers for b in players)
    return sum(
        number * suits(both, mine - both, theirs - both, most, other)
        for (both, mine, theirs), number in shared.items()
    )


@cache
def both_ace_high(*, completes: bool, wheel: bool) -> int:
    natural, joker = natural_sets(wheel=wheel), joker_sets(completes=completes)
    most = 3 if completes else 4
    return count_pairs(natural, natural, 4, 4) + 2 * count_pairs(joker, natural, most, 4)


def insurance_edge(pay: int, *, completes: bool, wheel: bool, moved: Fraction) -> Fraction:
    """The edge of a table that pays ace-high pai gow ``pay`` to 1, from that of the filed one."""
    more = hands(completes=completes, wheel=wheel) - hands(completes=True, wheel=True)
    return moved - Fraction((pay + 1) * more, HANDS)


def both_hands_edge(pays: tuple[int, int, int], *, completes: bool, wheel: bool) -> Fraction:
    """The edge of a table on both hands: the top row, the dealer with and without the joker."""
    both = both_ace_high(completes=completes, wheel=wheel)
    joker, natural = joker_sets(completes=completes), natural_sets(wheel=wheel)
    most = 3 if completes else 4
    of_joker = joker_hands(completes=completes) * comb(46, 7)
    of_natural = len(natural) * count_without_flush(7, 4) * comb(46, 7)
    joker_both = count_pairs(joker, natural, most, 4)
    counts = (both, of_joker - joker_both, of_natural - (both - joker_both))
    paid = sum((pay + 1) * number for pay, number in zip(pays, counts, strict=True))
    return 1 - Fraction(paid, PAIRS)


def test_the_counts_that_reviewers_and_a_supplier_printed() -> None:
    """14,430,780 is met by the 37.4478% of the Protection table; the others by outside reviews."""
    assert hands(completes=True, wheel=True) == 14_430_780
    assert f"{float(4 * Fraction(14_430_780, HANDS)):.6f}" == "0.374478"
    assert hands(completes=False, wheel=True) == 16_293_480
    assert hands(completes=True, wheel=False) == 14_757_120


@cache
def prices(game: str, wager: str) -> dict[str, dict[str, tuple[Fraction, Fraction]]]:
    """Return by paytable the edges as filed and by each of the two interpretations."""
    catalog = load_catalog()
    held = next(each for each in catalog.games[game].wagers if each.id == wager)
    records = tuple((held, table) for table in held.paytables)
    selection = Selection(catalog=catalog, game=catalog.games[game], records=records)
    analyses = {each.target: each for each in evaluate(selection, Settings())}
    names = ("joker-always-ace", "ace-always-high")
    found = with_alternatives(selection, Settings(), analyses, only=names)
    return {
        analysis.paytable: {
            price.alternative.id: price.moved[Figure.HOUSE_EDGE] for price in analysis.alternatives
        }
        for analysis in found.values()
    }


INTERPRETATIONS = (("joker-always-ace", False, True), ("ace-always-high", True, False))


@pytest.mark.parametrize(("name", "completes", "wheel"), INTERPRETATIONS)
@pytest.mark.parametrize(("table", "pay"), [(1, 2), (2, 2), (3, 1), (4, 3), (5, 3)])
def test_pai_gow_insurance_by_the_other_interpretations(
    table: int, pay: int, name: str, completes: bool, wheel: bool
) -> None:
    filed, other = prices("emperors-challenge-exposed", "pai-gow-insurance")[
        f"PT-FLT-EC-PGI-{table:02}"
    ][name]
    assert other == insurance_edge(pay, completes=completes, wheel=wheel, moved=filed)


def test_the_edges_that_an_outside_review_printed() -> None:
    """Percent: 2.5120, 4.2763 and 13.30 with the joker an ace, 6.50 without A-2-3-4-5."""
    found = prices("emperors-challenge-exposed", "pai-gow-insurance")
    printed = {("05", "joker-always-ace"): "2.5120", ("04", "joker-always-ace"): "4.2763",
               ("01", "joker-always-ace"): "13.30", ("05", "ace-always-high"): "6.50"}  # fmt: skip
    for (table, name), edge in printed.items():
        digits = len(edge.split(".")[1])
        other = found[f"PT-FLT-EC-PGI-{table}"][name][1]
        assert f"{float(100 * other):.{digits}f}" == edge


PAYS = ((20, 10, 8), (40, 15, 5), (30, 15, 6), (25, 10, 7), (40, 12, 5))


@pytest.mark.parametrize(("name", "completes", "wheel"), INTERPRETATIONS)
@pytest.mark.parametrize(("table", "pays"), [*enumerate(PAYS, 1)])
def test_ace_high_insurance_by_the_other_interpretations(
    table: int, pays: tuple[int, int, int], name: str, completes: bool, wheel: bool
) -> None:
    filed, other = prices("emperors-challenge-exposed", "ace-high-pai-gow-insurance")[
        f"PT-FLT-AHPG-{table:02}"
    ][name]
    assert filed == both_hands_edge(pays, completes=True, wheel=True)
    assert other == both_hands_edge(pays, completes=completes, wheel=wheel)
    # An outside review: with the joker an ace all five tables turn to the player.
    assert (other < 0) == (name == "joker-always-ace")


@pytest.mark.parametrize(("name", "completes", "wheel"), INTERPRETATIONS)
def test_push_ace_high_by_the_other_interpretations(
    name: str, completes: bool, wheel: bool
) -> None:
    filed, other = prices("dealer-open-pai-gow", "push-ace-high")["1"][name]
    assert filed == both_hands_edge((40, 15, 5), completes=True, wheel=True)
    assert other == both_hands_edge((40, 15, 5), completes=completes, wheel=wheel)


def test_no_pai_gow_insurance_progressive_moves() -> None:
    """Its tables pay no ace-high pai gow, and a lower one has neither an ace nor the joker."""
    assert not any(prices("emperors-challenge-exposed", "pai-gow-insurance-progressive").values())
