"""A check: one finding code, its page, and the function that judges it, declared together."""

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from certify.checks.context import Context
from certify.checks.fault import Fault
from certify.model.finding import Code, Finding, Severity

Judge = Callable[[Context], Iterator[Fault]]
"""The whole context in, the places at fault out."""


@dataclass(frozen=True, slots=True)
class Check:
    """A finding code and its judge."""

    code: Code
    judge: Judge

    def __call__(self, context: Context) -> Iterator[Finding]:
        """Yield the findings of this code that are asked for."""
        return (
            context.finding(self.code, fault)
            for fault in self.judge(context)
            if context.asks_for(self.code, fault)
        )


def finds(
    code: str,
    title: str,
    *,
    severity: Severity = Severity.ERROR,
    mend: str,
    remedy: str = "",
    wrong: str,
    right: str,
) -> Callable[[Judge], Check]:
    """Declare the judge of a finding code: its docstring says why the code matters.

    The arguments are the other parts of the code's page; see `Code`.
    """

    def declare(judge: Judge) -> Check:
        why = inspect.getdoc(judge) or ""
        page = Code(
            code, title, severity, why=why, mend=mend, wrong=wrong, right=right, remedy=remedy
        )
        return Check(page, judge)

    return declare


def declared(package: ModuleType) -> Iterator[object]:
    """Yield what the modules of a package declare, the package's folders below included."""
    for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield from vars(import_module(name)).values()
