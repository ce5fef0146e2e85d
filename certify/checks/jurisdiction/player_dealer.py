"""Tests of games that a player banks: whose money pays, and how the house is paid."""

from dataclasses import replace

from certify.checks.fault import Fault
from certify.checks.jurisdiction.rule_test import WEAK, judges
from certify.checks.jurisdiction.verdict import Judging, RuleVerdict, by_people, satisfied
from certify.formatting import exact_percentage, listed, money
from certify.model.filed import Filing
from certify.model.finding import Code
from certify.model.jurisdiction import RuleVersion


@judges()
def player_dealer(_filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The rules of play say that a player-dealer pays only what the player-dealer's wager covers; a
    person judges that the position rotates and that the house has no part in it.
    """
    told = "What is won is paid as far as the wager of the player-dealer covers it."
    return replace(
        by_people(
            "No record of the game says that a player holds the bank. A person judges that the "
            "dealer of the rules of play is a player-dealer, that the position rotates, and that "
            "the house has no part in it; the section on limits says how far a player-dealer pays."
        ),
        notice=told,
    )


R025 = Code(
    "R025",
    "A commission is a share of wagers or winnings",
    why=f"""A state may forbid that the house takes a fraction or a percentage of what is wagered or
    won; a fee is then a fixed amount that is taken before the deal. {WEAK}""",
    mend="File an option with a fee in the place of the commission.",
    wrong='{"commission": {"rate": "5%", "prepaid": false}}',
    right='{"fee": {"bands": [{"from_cents": 500, "cents": 100}], ...}}',
)


@judges(finds=R025)
def no_percentage_fee(filed: Filing, _version: RuleVersion) -> Judging:
    """No filed option of the main wager takes a share of wagers or winnings; a person judges the
    fees.
    """
    for option in filed.options:
        if option.commission is not None:
            taken = "the wager" if option.commission.prepaid else "winnings"
            share = exact_percentage(option.commission.rate)
            message = f"Option {option.id} takes {share} of {taken}."
            yield Fault(option.target, "/commission", message)
    told = "No share of wagers or winnings is taken."
    for option in filed.options:
        if option.fee is not None:
            amounts = listed([money(band.cents) for band in option.fee.bands], "or")
            told += f" Option {option.id} collects {amounts} in every round, by the wager."
    return satisfied(told)
