"""Rule tests: how they are declared, and their verdicts."""

import inspect
from collections.abc import Callable, Generator, Sequence
from enum import Enum
from functools import wraps

from msgspec import Struct

from certify.checks.framework import Fault
from certify.errors import NotConfigured
from certify.model.comparison import Standing
from certify.model.finding import Code
from certify.model.jurisdiction import RuleVersion
from certify.model.submission import Filing

JUDGE = "Not decided here: the applicant compares the filing with the text."


class RuleVerdict(Struct, frozen=True, kw_only=True):
    """The result of a rule test; ``faults`` only if it is not satisfied.

    ``notice`` is a sentence that the rules of play have to print.
    """

    standing: Standing
    detail: str
    faults: tuple[Fault, ...] = ()
    notice: str = ""


Judging = Generator[Fault, None, RuleVerdict]
"""Yields the places at fault; what it returns is the verdict where there is none."""


def satisfied_verdict(detail: str) -> RuleVerdict:
    """Return the verdict SATISFIED."""
    return RuleVerdict(standing=Standing.SATISFIED, detail=detail)


def not_applicable(detail: str) -> RuleVerdict:
    """Return the verdict NOT_APPLICABLE."""
    return RuleVerdict(standing=Standing.NOT_APPLICABLE, detail=detail)


NO_METER = not_applicable("No progressive wager is filed.")


def review_verdict(detail: str) -> RuleVerdict:
    """Return the verdict for manual review."""
    return RuleVerdict(standing=Standing.BY_PEOPLE, detail=detail)


def unverified_verdict(detail: str) -> RuleVerdict:
    """Return the verdict UNVERIFIED: a fact is undeclared."""
    return RuleVerdict(standing=Standing.UNVERIFIED, detail=detail)


def faults_verdict(faults: Sequence[Fault]) -> RuleVerdict:
    """Return the verdict NOT_SATISFIED with its faults."""
    return RuleVerdict(
        standing=Standing.NOT_SATISFIED,
        detail=" ".join(fault.message for fault in faults),
        faults=tuple(faults),
    )


def run_rule_test(judging: Judging) -> RuleVerdict:
    """Run a test and return its verdict: NOT_SATISFIED if it yields faults."""
    faults = []
    while True:
        try:
            faults.append(next(judging))
        except StopIteration as end:
            verdict: RuleVerdict = end.value
            return faults_verdict(faults) if faults else verdict


WEAK = "If the official text of a rule was not read, the finding is at most a warning."
"""Printed on the pages of codes whose weight is that of the rule."""

Judge = Callable[[Filing, RuleVersion], RuleVerdict]
"""Function from the submission and the text in force to a verdict."""

Declared = Callable[[Filing, RuleVersion], RuleVerdict | Judging]
"""A declared test: it may also yield the positions at fault, as checks do."""


class ParameterUnit(Enum):
    """The unit of a parameter, with its minimum and maximum."""

    CENTS = ("cents", 1, 10**12)
    COUNT = ("count", 1, 100)
    ODDS = ("odds to 1", 1, 10**9)
    TIMES = ("multiple", 1, 10**6)
    FLAG = ("true or false", 0, 1)

    def __str__(self) -> str:
        """The unit in words."""
        return str(self.value[0])

    def fits(self, value: int) -> bool:
        """Return True if a value has this unit and is in its range."""
        if isinstance(value, bool) or self is ParameterUnit.FLAG:
            return isinstance(value, bool) and self is ParameterUnit.FLAG
        return value in range(self.value[1], self.value[2] + 1)

    @property
    def expected_form(self) -> str:
        """The expected form of a value, as the end of a sentence."""
        if self is ParameterUnit.FLAG:
            return str(self)
        _, least, greatest = self.value
        return f"a whole number ({self}) from {least:,} to {greatest:,}"


class Parameter(Struct, frozen=True):
    """A parameter of a rule text. ``requires_with``: another parameter that requires it.

    One that is not ``required`` may be omitted if the text does not mention it.
    """

    name: str
    unit: ParameterUnit
    meaning: str
    required: bool = True
    requires_with: str = ""


class RuleTest(Struct, frozen=True, kw_only=True):
    """A rule test: ``summary`` is its description; ``section`` is the section that satisfies it.

    A test without a section is satisfied by other papers; one without a code is never broken.
    What it finds weighs as the rule does, as well as its text is known; with ``by_code`` as its
    code does, because the fault is a fact whatever the rule says.
    """

    name: str
    judge: Judge
    summary: str
    section: str
    parameters: tuple[Parameter, ...]
    code: Code | None
    by_code: bool

    def parameter(self, name: str) -> Parameter | None:
        """Return a parameter by its name, or None."""
        return next((each for each in self.parameters if each.name == name), None)


def rule_test(
    *parameters: Parameter,
    section: str = "",
    code: Code | None = None,
    by_code: bool = False,
    of_meters: bool = False,
) -> Callable[[Declared], RuleTest]:
    """Declare a rule test; rules use the name of its function, and its docstring is the
    description.

    The arguments are the other parts of the test; see `RuleTest`. A test ``of_meters`` applies to
    filings with a progressive wager.
    """

    def declare(judge: Declared) -> RuleTest:
        @wraps(judge)
        def verdict(filed: Filing, version: RuleVersion) -> RuleVerdict:
            if of_meters and not filed.progressives:
                return NO_METER
            verdict = judge(filed, version)
            return verdict if isinstance(verdict, RuleVerdict) else run_rule_test(verdict)

        return RuleTest(
            name=judge.__name__,
            judge=verdict,
            summary=" ".join((inspect.getdoc(judge) or "").split()),
            section=section,
            parameters=parameters,
            code=code,
            by_code=by_code,
        )

    return declare


def parameter(version: RuleVersion, name: str) -> int:
    """Return a numeric parameter of a text.

    Raises:
        NotConfigured: it does not.
    """
    value = version.parameter(name)
    if value is None:
        raise NotConfigured(
            f"The text of {version.citation} does not declare {name}.",
            remedy="Add it to the parameters of the text.",
        )
    return value
