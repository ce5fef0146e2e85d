"""Checks of the options of main wagers: dealer rules and commissions."""

from collections.abc import Iterator

from certify.checks.check import finds
from certify.checks.context import Context
from certify.checks.fault import Fault
from certify.formatting import exact_percentage


@finds(
    "M001",
    "The name of a dealer rule contradicts its outcome",
    mend="Start the id with push_, lose_ or win_, as the rule ends: win_ where a win pays "
    "something else.",
    wrong='{"id": "push_two_jacks", "outcome": "lose"}',
    right='{"id": "lose_two_jacks", "outcome": "lose"}',
)
def rule_named_otherwise(context: Context) -> Iterator[Fault]:
    """Figures are listed under the rule's id; a row called "push" that loses would be misread."""
    for _, rule, at in context.dealer_rules():
        (start, _, rest), ends = rule.id.partition("_"), str(rule.outcome or "win")
        if start != ends:
            remedy = f"Call it {ends}_{rest}, or correct how it ends."
            yield at.fault("/id", f"The rule {rule.id} ends with {ends}.", remedy)


@finds(
    "M002",
    "Two dealer rules have one id",
    mend="Give each rule an id of its own.",
    wrong='two rules with {"id": "push_dealer_pai_gow"}',
    right='{"id": "push_dealer_ace_high"} and {"id": "push_dealer_king_high"}',
)
def rule_twice(context: Context) -> Iterator[Fault]:
    """Their hands would be counted in one row, and neither could be traced to its clause."""
    for option, rule, at in context.dealer_rules():
        if any(before.id == rule.id for before in option.dealer_rules[: at.index]):
            yield at.fault("/id", f"A rule before this one is called {rule.id} already.")


@finds(
    "M003",
    "A commission is not between 0% and 100%",
    mend='Write the share that the source prints, such as "5%", or leave the commission out.',
    remedy="Write the share that the source prints, or leave the commission out.",
    wrong='{"rate": "0%", "prepaid": false}',
    right='{"rate": "5%", "prepaid": false}',
)
def commission_range(context: Context) -> Iterator[Fault]:
    """A commission of nothing is none, and one of everything or more leaves no win; both are
    slips.
    """
    for option in context.options:
        if option.commission is not None and not 0 < option.commission.rate < 1:
            rate = exact_percentage(option.commission.rate)
            message = f"A commission of {rate} is not between 0% and 100%."
            yield Fault(option.target, "/commission/rate", message)


@finds(
    "M004",
    "A dealer rule can never decide",
    mend="Remove one of the rules, or correct its condition.",
    wrong='two rules with {"when": {"pai_gow_high": "A"}}',
    right='{"when": {"pai_gow_high": "A"}} and {"when": {"pai_gow_high": "K"}}',
)
def rule_shadowed(context: Context) -> Iterator[Fault]:
    """A rule before it has the same condition and decides first."""
    for option, rule, at in context.dealer_rules():
        alike = [before for before in option.dealer_rules[: at.index] if before.when == rule.when]
        if alike:
            yield at.fault("/when", f"{alike[0].id} has the same condition and decides first.")
