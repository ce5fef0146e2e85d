"""What comes of judging a rule, in the words of the judges."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from certify.checks.fault import Fault
from certify.model.audit import Standing

JUDGE = "The regulator decides whether this is met."


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleVerdict:
    """What came of a test; ``faults`` only where it is not satisfied.

    ``notice`` is a sentence that the rules of play have to print.
    """

    standing: Standing
    detail: str
    faults: tuple[Fault, ...] = ()
    notice: str = ""


Judging = Generator[Fault, None, RuleVerdict]
"""Yields the places at fault; what it returns is the verdict where there is none."""


def satisfied(detail: str) -> RuleVerdict:
    """Return that the rule is satisfied."""
    return RuleVerdict(standing=Standing.SATISFIED, detail=detail)


def not_applicable(detail: str) -> RuleVerdict:
    """Return that there is nothing for the rule to apply to."""
    return RuleVerdict(standing=Standing.NOT_APPLICABLE, detail=detail)


def by_people(detail: str) -> RuleVerdict:
    """Return that a person must bring something or judge."""
    return RuleVerdict(standing=Standing.BY_PEOPLE, detail=detail)


def unverified(detail: str) -> RuleVerdict:
    """Return that a fact is not declared, so that the rule is not decided."""
    return RuleVerdict(standing=Standing.UNVERIFIED, detail=detail)


def broken(faults: Sequence[Fault]) -> RuleVerdict:
    """Return that the rule is not satisfied at these places."""
    return RuleVerdict(
        standing=Standing.NOT_SATISFIED,
        detail=" ".join(fault.message for fault in faults),
        faults=tuple(faults),
    )


def concluded(judging: Judging) -> RuleVerdict:
    """Return what comes of judging: the faults that are yielded, or else what is returned."""
    faults = []
    while True:
        try:
            faults.append(next(judging))
        except StopIteration as end:
            verdict: RuleVerdict = end.value
            return broken(faults) if faults else verdict
