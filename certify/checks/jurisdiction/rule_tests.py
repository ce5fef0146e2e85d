"""Every test that a rule of a jurisdiction may name, as the modules declare them.

`check` holds the parameters of a text against them, `certify rule --tests` and the reference print
them in this order, and the schema's list of tests is compared with it.
"""

from collections.abc import Mapping

from certify.checks.jurisdiction import (
    amounts,
    documents,
    examples,
    funds,
    jackpots,
    payout_limits,
    supplied,
)
from certify.checks.jurisdiction.rule_test import RuleTest

TESTS: Mapping[str, RuleTest] = {
    test.name: test
    for module in (amounts, payout_limits, funds, jackpots, documents, examples, supplied)
    for test in vars(module).values()
    if isinstance(test, RuleTest)
}
"""Every test by its name."""
