"""Rules of a jurisdiction, judged from declared data and exact figures.

A rule names its test, one of the records in `TESTS`. Its judge is given what is filed and the
text of the rule that is in force, and returns a verdict. A text that is not verified
never makes an error: what speaks against it is to be settled. One that is only remembered decides
nothing.
"""

from dataclasses import dataclass, field, replace

from certify.checks.fault import Fault
from certify.checks.filed import Filed
from certify.checks.jurisdiction.applies_to import outside
from certify.checks.jurisdiction.rule_tests import TESTS
from certify.checks.jurisdiction.verdict import JUDGE, RuleVerdict, not_applicable
from certify.model.audit import RuleJudgement, Standing
from certify.model.finding import Severity
from certify.model.jurisdiction import Confidence, Rule, RuleVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRule:
    """One rule with its verdict: the judgement that is printed, the places that are at fault."""

    judgement: RuleJudgement
    severity: Severity
    faults: tuple[Fault, ...] = field(default=())


def judge(filed: Filed) -> tuple[JudgedRule, ...]:
    """Judge every rule of the jurisdiction in the text that was in force on the day."""
    return tuple(_judged(filed, rule) for rule in filed.jurisdiction.rules)


def _judged(filed: Filed, rule: Rule) -> JudgedRule:
    version = rule.version_at(filed.as_of)
    verdict = _verdict(filed, rule, version)
    test = TESTS.get(rule.test or "")
    return JudgedRule(
        judgement=RuleJudgement(
            rule=rule,
            version=version,
            standing=verdict.standing,
            detail=verdict.detail,
            section=test.section if test and verdict.standing is Standing.SATISFIED else "",
            notice=verdict.notice,
        ),
        severity=rule.severity_of(version),
        faults=verdict.faults,
    )


def _verdict(filed: Filed, rule: Rule, version: RuleVersion | None) -> RuleVerdict:
    if rule.applies_to is not None and (other := outside(filed, rule.applies_to)):
        return not_applicable(other)
    if version is None:
        day = filed.as_of.isoformat()
        return RuleVerdict(
            standing=Standing.UNVERIFIED, detail=f"No text known here was in force on {day}."
        )
    if rule.test is None:
        return RuleVerdict(standing=Standing.BY_PEOPLE, detail=JUDGE)
    verdict = TESTS[rule.test].judge(filed, version)
    decided = verdict.standing in (Standing.SATISFIED, Standing.NOT_SATISFIED)
    if not decided or version.confidence is Confidence.VERIFIED_TEXT:
        return verdict
    if version.confidence is Confidence.SECONDARY:
        settled = verdict.standing is Standing.SATISFIED
        return verdict if settled else replace(verdict, standing=Standing.TO_BE_SETTLED)
    return RuleVerdict(
        standing=Standing.UNVERIFIED,
        detail=f"{verdict.detail} The text is only remembered and decides nothing.",
    )
