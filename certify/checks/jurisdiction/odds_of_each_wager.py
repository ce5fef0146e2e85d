"""The test of what is disclosed: true odds, payout odds and house advantage of each wager."""

from certify.checks.jurisdiction.rule_test import judges
from certify.checks.jurisdiction.verdict import RuleVerdict, by_people, satisfied, unverified
from certify.model.filed import Filing
from certify.model.jurisdiction import RuleVersion


@judges(section="Bonus wagers")
def odds_of_each_wager(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The mathematics report prints the true odds, the payout odds and the house advantage of every
    wager; a meter has one for each of its amounts.
    """
    targets = [option.target for option in filed.options]
    targets += [table.target for table in filed.paytables]
    counted = [filed.analyses[target] for target in targets if target in filed.analyses]
    if len(counted) < len(targets):
        return unverified("Not every wager that is filed was counted.")
    printed = "True odds, payout odds and house advantage of every wager are printed"
    moving = {analysis.wager for analysis in counted if analysis.house_edge is None}
    if moving:
        names = filed.named(wager for wager in filed.wagers if wager.id in moving)
        return by_people(
            f"{printed}; for {names} the house advantage moves with a meter, and the section on "
            "progressive wagers gives what each amount adds."
        )
    return satisfied(f"{printed}.")
