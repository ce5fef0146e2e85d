"""Apply the rules of a jurisdiction to a submission.

A rule names its test, an entry of `TESTS`. The test receives the filing and the text of the rule
that is in force, and returns a verdict. Only an official text can be satisfied or give an error.
With any other text, a contradiction is to be settled, and agreement stays open until the text in
force is confirmed.

`check` validates the parameters of a text against `TESTS`. The order of the entries is that of
`certify rule --tests`, of the reference, and of the schema's list.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from certify.checks.framework import Context, Fault
from certify.checks.r_jurisdictions import amounts, documents, funds, jackpots, payout_limits
from certify.checks.r_jurisdictions.rule_test import JUDGE, RuleTest, RuleVerdict, not_applicable
from certify.formatting import join_words
from certify.model.comparison import RuleJudgement, Standing
from certify.model.finding import Finding, Severity
from certify.model.jurisdiction import AppliesTo, Rule, RuleVersion
from certify.model.submission import Filing

MODULES = (amounts, payout_limits, funds, jackpots, documents)
"""Those that declare tests, in the order in which the tests are listed."""

TESTS: Mapping[str, RuleTest] = {
    test.name: test
    for module in MODULES
    for test in vars(module).values()
    if isinstance(test, RuleTest)
}
"""Every test by its name."""


CONFIRM = "Confirm the text in force before filing."

AGAINST = (Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""Verdicts in which the text of a rule contradicts the submission."""


class JudgedRule(Struct, frozen=True, kw_only=True):
    """A rule with its printed verdict and its faults."""

    judgement: RuleJudgement
    severity: Severity
    faults: tuple[Fault, ...]


def judge(filed: Filing) -> tuple[JudgedRule, ...]:
    """Return the verdict on every rule of the jurisdiction in its text in force on the date."""
    return tuple(_judge_rule(filed, rule) for rule in filed.jurisdiction.rules)


def against_filing(context: Context) -> Iterator[Finding]:
    """Yield the faults of rules that are not satisfied; none without a submission.

    What a text that is not official speaks against is to be settled: a warning at most.
    """
    for judged in judge(context.filing) if context.filing is not None else ():
        rule, version = judged.judgement.rule, judged.judgement.version
        test = TESTS.get(rule.test or "")
        if test is None or test.code is None or judged.judgement.standing not in AGAINST:
            continue
        by = f"{rule.id}: {version.citation}" if version else rule.id
        if version is not None and not version.official:
            by = f"{by}; no official text was read"
        severity = test.code.severity if test.by_code else judged.severity
        for fault in judged.faults:
            message = f"{fault.message} ({by})"
            yield context.finding(test.code, replace(fault, message=message, severity=severity))


def _judge_rule(filed: Filing, rule: Rule) -> JudgedRule:
    version = rule.find_version(filed.as_of)
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
        severity=rule.rate_severity(version),
        faults=verdict.faults,
    )


def _verdict(filed: Filing, rule: Rule, version: RuleVersion | None) -> RuleVerdict:
    if other := find_difference(filed, rule.applies_to):
        return not_applicable(other)
    if version is None:
        day = filed.as_of.isoformat()
        return RuleVerdict(
            standing=Standing.UNVERIFIED, detail=f"No text known here was in force on {day}."
        )
    if rule.test is None:
        return RuleVerdict(standing=Standing.BY_PEOPLE, detail=JUDGE)
    verdict = TESTS[rule.test].judge(filed, version)
    return verdict if version.official else _soften_verdict(verdict)


def find_difference(filed: Filing, applies_to: AppliesTo | None) -> str:
    """Return the reason why a rule does not apply to a submission, or ""."""
    if applies_to is None:
        return ""
    game, shape = filed.game, filed.game.hands.shape
    if not applies_to.fits_name((game.name, *game.aliases)):
        return f"The rule concerns {join_words(applies_to.names)}."
    if applies_to.cards not in (None, shape.cards):
        return (
            f"The rule concerns hands of {applies_to.cards} cards; {game.name} deals {shape.cards}."
        )
    if applies_to.back not in (None, shape.back):
        return f"The rule concerns hands ranked by {applies_to.back} cards, not by {shape.back}."
    commission = any(option.commission is not None for option in filed.options)
    for asked, holds, words in (
        (applies_to.divided, shape.is_divided, "divide hands in two"),
        (applies_to.commission, commission if filed.options else None, "take a commission"),
        (applies_to.dealer_exposed, game.dealer_exposed, "show the dealer's hand"),
        (
            applies_to.envy,
            any(table.envy is not None for table in filed.paytables),
            "pay prizes for other players' hands",
        ),
    ):
        if asked not in (None, holds):
            return f"The rule concerns games that {'' if asked else 'do not '}{words}."
    return ""


def _soften_verdict(verdict: RuleVerdict) -> RuleVerdict:
    """Return a verdict by a text that is not official: neither satisfied nor violated."""
    if verdict.standing is Standing.NOT_SATISFIED:
        return replace(verdict, standing=Standing.TO_BE_SETTLED)
    if verdict.standing is Standing.SATISFIED:
        detail = f"{verdict.detail} {CONFIRM}"
        return replace(verdict, standing=Standing.UNVERIFIED, detail=detail)
    return verdict
