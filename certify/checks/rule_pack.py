"""Rules of a jurisdiction, judged from declared data and exact figures.

A rule names its test; a test is one small function in the tables `TESTS`. It is given what is
filed and the text of the rule that is in force, and returns a verdict. A text that is not verified
never makes an error: what speaks against it is to be settled. One that is only remembered decides
nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from certify.checks import rule_pack_examples as examples
from certify.checks import rule_pack_limits as limits
from certify.checks import rule_pack_meters as meters
from certify.checks import rule_pack_papers as papers
from certify.checks import rule_pack_prizes as prizes
from certify.checks.rule_pack_facts import Fault, Filed, Verdict
from certify.errors import InvariantBroken
from certify.model.audit import RuleJudgement, Standing
from certify.model.finding import Severity
from certify.model.jurisdiction import Confidence, Jurisdiction, Rule, RuleVersion

Test = Callable[[Filed, RuleVersion], Verdict]

TESTS: Mapping[str, Test] = {
    "largest_wager": limits.largest_wager,
    "games_per_hand": limits.games_per_hand,
    "aggregate_limit_floor": limits.aggregate_limit_floor,
    "no_aggregate_below_50": limits.no_aggregate_on_low_odds,
    "not_combined": limits.not_combined,
    "reserve_for_second_prize": prizes.reserve_for_second_prize,
    "payout_cap_floor": prizes.payout_cap_floor,
    "players_at_table": limits.players_at_table,
    "progressive_statement": meters.progressive_statement,
    "linked_equal_probability": meters.linked_equal_probability,
    "schedules_of_meters": meters.schedules_of_meters,
    "maximum_of_meters": meters.maximum_of_meters,
    "meter_reduction_reasons": meters.meter_reduction_reasons,
    "shuffler_sentence": papers.shuffler_sentence,
    "side_bet_sentence": papers.side_bet_sentence,
    "tribal": papers.tribal,
    "variation_filing": papers.variation_filing,
    "unique_name": papers.unique_name,
    "worked_examples": examples.worked_examples,
    "laboratory_certification": papers.laboratory_certification,
    "posted_text": papers.posted_text,
}
"""Every test that a rule may name, by its name."""

SECTIONS: Mapping[str, str] = {
    "largest_wager": "Wagers on one hand",
    "games_per_hand": "Wagers on one hand",
    "aggregate_limit_floor": "Largest exposure",
    "no_aggregate_below_50": "Largest exposure",
    "not_combined": "Standing clauses",
    "reserve_for_second_prize": "Largest exposure",
    "payout_cap_floor": "Largest exposure",
    "players_at_table": "Assumptions",
    "progressive_statement": "Progressive wagers",
    "linked_equal_probability": "Progressive wagers",
    "meter_reduction_reasons": "Progressive wagers",
    "shuffler_sentence": "Standing clauses",
    "side_bet_sentence": "Standing clauses",
    "variation_filing": "Paytables filed",
    "worked_examples": "Worked examples",
}
"""Where the documents satisfy a rule; a test that is not listed is satisfied by other papers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRule:
    """One rule with its verdict: the judgement that is printed, the places that are at fault."""

    judgement: RuleJudgement
    severity: Severity
    faults: tuple[Fault, ...] = field(default=())


def judge(filed: Filed) -> tuple[JudgedRule, ...]:
    """Judge every rule of the jurisdiction in the text that was in force on the day."""
    return tuple(_judged(filed, rule) for rule in filed.jurisdiction.rules)


def text_in_force(rule: Rule, as_of: date) -> RuleVersion | None:
    """Return the text of a rule on a day; None if no known text was in force.

    Raises:
        InvariantBroken: two texts were in force.
    """
    found = [one for one in rule.versions if one.in_force(as_of)]
    if len(found) > 1:
        raise InvariantBroken(f"Two texts of {rule.id} are in force on {as_of.isoformat()}.")
    return found[0] if found else None


def severity_of(rule: Rule, version: RuleVersion | None) -> Severity:
    """Return how much it matters that a rule is not satisfied, as well as its text is known."""
    if version is None or version.confidence is Confidence.RECALL:
        return Severity.NOTE
    if version.confidence is Confidence.SECONDARY and rule.severity is Severity.ERROR:
        return Severity.WARNING
    return rule.severity


def _judged(filed: Filed, rule: Rule) -> JudgedRule:
    version = text_in_force(rule, filed.as_of)
    verdict = _verdict(filed, rule, version)
    section = SECTIONS.get(rule.test or "", "")
    return JudgedRule(
        judgement=RuleJudgement(
            rule=rule,
            version=version,
            standing=verdict.standing,
            detail=verdict.detail,
            section=section if verdict.standing is Standing.SATISFIED else "",
        ),
        severity=severity_of(rule, version),
        faults=verdict.faults,
    )


def _verdict(filed: Filed, rule: Rule, version: RuleVersion | None) -> Verdict:
    if version is None:
        day = filed.as_of.isoformat()
        return Verdict(
            standing=Standing.UNVERIFIED, detail=f"No text known here was in force on {day}."
        )
    if rule.test is None:
        return Verdict(standing=Standing.BY_PEOPLE, detail=meters.JUDGE)
    verdict = TESTS[rule.test](filed, version)
    decided = verdict.standing in (Standing.SATISFIED, Standing.NOT_SATISFIED)
    if not decided or version.confidence is Confidence.VERIFIED_TEXT:
        return verdict
    if version.confidence is Confidence.SECONDARY:
        settled = verdict.standing is Standing.SATISFIED
        return replace(
            verdict,
            standing=verdict.standing if settled else Standing.TO_BE_SETTLED,
            detail=f"{verdict.detail} Judged by a secondary text.",
        )
    return Verdict(
        standing=Standing.UNVERIFIED,
        detail=f"{verdict.detail} The text is only remembered and decides nothing.",
    )


def wager_limit(jurisdiction: Jurisdiction, as_of: date) -> int | None:
    """Return the largest wager in cents that the jurisdiction allows; None if it sets none."""
    for rule in jurisdiction.rules:
        if rule.test == "largest_wager":
            version = text_in_force(rule, as_of)
            return None if version is None else version.parameter("largest_wager_cents")
    return None
