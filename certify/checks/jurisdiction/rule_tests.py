"""Every test that a rule of a jurisdiction may name, as the modules declare them.

`check` holds the parameters of a text against them, `certify rule --tests` and the reference print
them in this order, and the schema's list of tests is compared with it.
"""

from collections.abc import Mapping

from certify.checks.jurisdiction import (
    allowed_paytables,
    amounts,
    documents,
    examples,
    funds,
    jackpots,
    limited_wagers,
    odds_of_each_wager,
    payout_limits,
    player_dealer,
    supplied,
)
from certify.checks.jurisdiction.rule_test import RuleTest

MODULES = (
    amounts, payout_limits, limited_wagers, funds, allowed_paytables, odds_of_each_wager, jackpots,
    player_dealer, documents, examples, supplied,
)  # fmt: skip
"""Those that declare tests, in the order in which the tests are listed."""

TESTS: Mapping[str, RuleTest] = {
    test.name: test
    for module in MODULES
    for test in vars(module).values()
    if isinstance(test, RuleTest)
}
"""Every test by its name."""
