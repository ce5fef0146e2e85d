import json
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.figures.evaluate import evaluate_each
from certify.figures.play import least_limits, limit_analyses, own_limits
from certify.figures.targets import select
from certify.filing.documents import count_filing
from certify.filing.evidence import build_evidence, public_evidence
from certify.filing.order import build_filing
from certify.model.analysis import Analysis, RowAnalysis
from certify.model.jurisdiction import Terms
from certify.model.main_wager import MainWager
from certify.model.submission import Filing, Order, Status

EMPEROR = "emperors-challenge-exposed"
TODAY = date(2026, 11, 21)
TREASURE = "PT-FLT-EC-ET-01"


def build_filings(
    jurisdiction: str, terms: Terms, *, as_of: date = TODAY
) -> tuple[Filing, Filing, dict[str, Analysis]]:
    order = Order(game=EMPEROR, jurisdiction=jurisdiction, paytables=(TREASURE,), as_of=as_of)
    filing = build_filing(order)
    analyses = evaluate_each(filing.catalog, filing.paytables)[0]
    facts = replace(filing, analyses=analyses, terms=terms)
    return filing, facts, analyses


def test_the_least_limit_in_washington_is_fifty_times_the_largest_wager() -> None:
    """WAC 230-15-490(3)(b): $400 x 50 = $20,000; at 5,000 to 1 it binds above $4.

    At $400 it leaves 50 to 1, so that 1,890,600 less is paid over 154,143,080 hands.
    """
    _, facts, analyses = build_filings("wsgc", Terms())
    (target, found), *others = least_limits(facts).items()
    assert others == []
    assert target.endswith(TREASURE)
    assert found.limits[0].cents == 2_000_000
    assert found.binds_above_cents == 400
    assert [amount.wager_cents for amount in found.amounts] == [401, 500, 40_000]
    assert found.amounts[-1].cost == Fraction(1_890_600, comb(53, 7))
    assert analyses[target].limit is None


def test_at_a_smaller_largest_wager_the_least_limit_is_smaller() -> None:
    _, facts, _ = build_filings("wsgc", Terms(largest_wagers=(("emperors-treasure", 10_000),)))
    (found,) = least_limits(facts).values()
    assert found.limits[0].cents == 500_000
    assert found.binds_above_cents == 100


@pytest.mark.parametrize("limits", [(), None])
def test_none_is_given_where_the_terms_declare_limits(limits: tuple[()] | None) -> None:
    _, facts, _ = build_filings("wsgc", Terms(aggregate_limits=limits))
    assert bool(least_limits(facts)) is (limits is None)


def test_a_fee_under_a_limit_is_that_of_the_requested_wager() -> None:
    """A limit of $20 leaves $20 to 1 whole: of $50 it takes $30 from any wager."""
    path = "field/paytables/jokers-wild-pai-gow/main/collection-10-100.json"
    selection = select(str(Path(__file__).parents[2] / "fixtures" / path))
    ((wager, option),) = selection.records
    assert isinstance(option, MainWager)
    asked, half, fee = 5_000, Fraction(1, 2), Fraction(1, 50)
    rows = tuple(
        RowAnalysis(
            event=event, name=event, pays="", combinations=1, probability=half,
            contribution=half * (net - fee),
        )
        for event, net in (("win", 1), ("lose", -1))
    )  # fmt: skip
    analysis = Analysis(
        target=option.target, game=option.game, wager=option.wager, paytable=option.id, total=2,
        rows=rows, hit_frequency=half, assumptions=(), inputs=(), engine_version="",
        return_to_player=1 - fee, house_edge=fee,
    )  # fmt: skip
    (under,) = limit_analyses(
        selection.records, [analysis], terms=own_limits([wager], 2_000), lawful_cents=None,
        seats=6, cents=asked,
    )  # fmt: skip
    assert under.limit is not None
    assert under.limit.binds_above_cents == 2_000
    (amount,) = under.limit.amounts
    assert (amount.wager_cents, amount.cost) == (asked, half * Fraction(30, 50))


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every value inside a JSON value with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}/{key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, f"{path}/{place}")
    else:
        yield path, value


def test_the_evidence_with_a_limit_is_the_one_without_and_what_the_limit_makes_of_it(
    tmp_path: Path,
) -> None:
    """Mini Pai Gow's bonus A pays up to 1,000 to 1; at $100 a limit of $5,000 leaves 50 to 1.

    Its edge under the limit follows from the rows of the evidence without one.
    """
    terms = tmp_path / "terms.json"
    wagers = {"least_wagers": {"bonus": 100}, "largest_wagers": {"bonus": 10_000}}
    limits = {"aggregate_limits": [{"cents": 500_000, "wagers": ["bonus"]}]}
    found = []
    for text in (wagers, wagers | limits):
        terms.write_text(json.dumps(text))
        order = Order(game="mini-pai-gow", jurisdiction="wsgc", paytables=("A",), terms=terms)
        filing = build_filing(order)
        evidence = build_evidence(count_filing(filing), Status.UNSIGNED)
        found.append((json.loads(evidence), json.loads(public_evidence(evidence))))
    (free, _), (limited, public) = found
    (main, bonus), (same, cut) = free["results"], limited["results"]
    assert main == same
    limit, (_, spread) = cut.pop("limit"), cut.pop("volatility_with_limit")
    assert cut == bonus
    pays = [
        (Fraction(row["probability"]), Fraction(row["return"]) / Fraction(row["probability"]))
        for row in bonus["rows"]
    ]
    greatest = limit["amounts"][-1]
    assert greatest["wager_cents"] == spread["wager_cents"] == 10_000
    edge = -sum(chance * min(pay, Fraction(50)) for chance, pay in pays)
    assert Fraction(greatest["house_edge"]) == edge > Fraction(bonus["house_edge"])
    squares = sum(chance * min(pay, Fraction(50)) ** 2 for chance, pay in pays)
    assert Fraction(spread["variance"]) == squares - edge**2
    stated = next(result for result in public["results"] if result["paytable"] == "A")
    assert stated["limit"] == limit
    assert not [path for path, _ in leaves(stated) if "variance" in path or "deviation" in path]
