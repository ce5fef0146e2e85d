"""The least limit that a state lets be set, and what it makes of a wager that has none yet."""

from datetime import date
from fractions import Fraction
from math import comb

import pytest

from certify.checks.limit_floor import limit_floor
from certify.checks.rule_pack import wager_limit
from certify.checks.rule_pack_facts import Filed
from certify.model.analysis import Analysis
from certify.model.terms import Terms
from certify.pipeline.evaluate import Settings, evaluate_all
from certify.pipeline.limits import least_limits
from certify.pipeline.submission import Filing, Order, filing_of

EMPEROR = "emperors-challenge-exposed"
TODAY = date(2026, 11, 21)
TREASURE = "PT-FLT-EC-ET-01"
INSURANCE = "PT-FLT-EC-PGI-01"


def filed(
    jurisdiction: str, terms: Terms, *, as_of: date = TODAY
) -> tuple[Filing, Filed, dict[str, Analysis]]:
    order = Order(game=EMPEROR, jurisdiction=jurisdiction, command="", paytables=(TREASURE,))
    filing = filing_of(order)
    analyses = evaluate_all(filing.catalogue, Settings(), only=filing.paytables)
    facts = Filed(
        game=filing.game,
        option=filing.option,
        paytables=filing.paytables,
        analyses=analyses,
        jurisdiction=filing.jurisdiction,
        as_of=as_of,
        terms=terms,
        wager_limit_cents=wager_limit(filing.jurisdiction, as_of),
    )
    return filing, facts, analyses


def test_the_least_limit_in_washington_is_fifty_times_the_largest_wager() -> None:
    """WAC 230-15-490(3)(b): $400 x 50 = $20,000; at 5,000 to 1 it binds above $4.

    At $400 it leaves 50 to 1, so that 1,890,600 less is paid over 154,143,080 hands.
    """
    _, facts, analyses = filed("wsgc", Terms())
    (target, found), *others = least_limits(facts).items()
    assert others == []
    assert target.endswith(TREASURE)
    assert found.limits[0].cents == 2_000_000
    assert found.binds_above_cents == 400
    assert [one.wager_cents for one in found.amounts] == [401, 500, 40_000]
    assert found.amounts[-1].cost == Fraction(1_890_600, comb(53, 7))
    assert analyses[target].limit is None


def test_at_a_smaller_largest_wager_the_least_limit_is_smaller() -> None:
    _, facts, _ = filed("wsgc", Terms(largest_wagers=(("emperors-treasure", 10_000),)))
    (found,) = least_limits(facts).values()
    assert found.limits[0].cents == 500_000
    assert found.binds_above_cents == 100


@pytest.mark.parametrize("limits", [(), None])
def test_none_is_given_where_the_terms_say_what_limits_there_are(limits: tuple[()] | None) -> None:
    _, facts, _ = filed("wsgc", Terms(aggregate_limits=limits))
    assert bool(least_limits(facts)) is (limits is None)


def test_nevada_rests_on_the_least_wager() -> None:
    """The proposal of 2001: the greater of the top award at the least wager and 50 times it."""
    _, facts, _ = filed("nevada", Terms())
    assert least_limits(facts) == {}
    _, facts, _ = filed("nevada", Terms(least_wagers=(("emperors-treasure", 500),)))
    wager = next(one for one in facts.wagers if one.id == "emperors-treasure")
    assert limit_floor(facts, wager) == 5_000 * 500
    (found,) = least_limits(facts).values()
    assert found.binds_above_cents == 500
