"""Findings of a filing: the rules of its jurisdiction that it does not satisfy."""

from collections.abc import Iterator
from dataclasses import replace

from certify.checks.context import Context
from certify.checks.jurisdiction.judge import judge
from certify.checks.jurisdiction.rule_tests import TESTS
from certify.model.audit import Standing
from certify.model.finding import Finding
from certify.model.jurisdiction import Confidence

AGAINST = (Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""The standings in which the text of a rule speaks against what is filed."""


def against_filing(context: Context) -> Iterator[Finding]:
    """Yield the places at which a rule is not satisfied; none where nothing is filed.

    What a text that is not known word for word speaks against is to be settled: a warning at most.
    """
    for judged in judge(context.filing) if context.filing is not None else ():
        rule, version = judged.judgement.rule, judged.judgement.version
        test = TESTS.get(rule.test or "")
        if test is None or test.code is None or judged.judgement.standing not in AGAINST:
            continue
        by = f"{rule.id}: {version.citation}" if version else rule.id
        if version is not None and version.confidence is not Confidence.VERIFIED_TEXT:
            by = f"{by}; known by a secondary text"
        severity = test.code.severity if test.by_code else judged.severity
        for fault in judged.faults:
            message = f"{fault.message} ({by})"
            yield context.finding(test.code, replace(fault, message=message, severity=severity))
