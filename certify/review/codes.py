"""All finding codes: their pages, and the functions that find them."""

import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType

from certify import checks, figures, filing, intake, review
from certify.checks.framework import Check, iter_modules
from certify.checks.r_jurisdictions.rule_test import RuleTest
from certify.figures import findings
from certify.intake.faults import FaultKind
from certify.model.finding import Code
from certify.review import file_search

FAMILIES = "JSDPMEGHFRCN"
"""The first letters of the codes, in the order in which a file is judged."""

_DECLARED = {
    code
    for module in (*iter_modules(intake), *iter_modules(checks), findings, file_search)
    for each in vars(module).values()
    if isinstance(code := each.code if isinstance(each, Check | RuleTest) else each, Code)
}

CODES = tuple(sorted(_DECLARED, key=lambda code: (FAMILIES.index(code.id[0]), code.id)))
"""All codes, family by family."""


def find_functions(code: Code) -> tuple[FunctionType, ...]:
    """Return the check of a code or its rule tests, then all other functions that name the code."""
    packages = intake, checks, figures, filing, review
    modules = [module for package in packages for module in iter_modules(package)]
    declared = [
        inspect.unwrap(each.judge)
        for module in modules
        for each in vars(module).values()
        if isinstance(each, Check | RuleTest) and each.code is code
    ]
    users = (each for module in modules for each in _find_users(module, code))
    return tuple(
        each for each in dict.fromkeys((*declared, *users)) if isinstance(each, FunctionType)
    )


def _find_users(module: ModuleType, code: Code) -> Iterator[FunctionType]:
    """Yield the functions and methods of a module that look up a code, its id, or its fault."""
    scopes = [module, *(each for each in vars(module).values() if isinstance(each, ModuleType))]
    names = {code.id} | {
        name
        for scope in scopes
        for name, value in vars(scope).items()
        if value is code or (isinstance(value, Check | FaultKind) and value.code is code)
    }
    for each in vars(module).values():
        if getattr(each, "__module__", None) != module.__name__:
            continue
        for function in vars(each).values() if isinstance(each, type) else (each,):
            if isinstance(function, FunctionType) and not names.isdisjoint(
                _list_names(function.__code__)
            ):
                yield function


def _list_names(code: CodeType) -> Iterator[str]:
    """Yield the names and the texts in a function, with those of the functions inside it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _list_names(inner)
        elif isinstance(inner, str):
            yield inner


def page(code: Code) -> str:
    """Return the documentation page of a code, as Markdown."""
    return f"# {code.id}: {code.title}\n\nSeverity: {code.severity}\n\n{code.page('## ')}"


def documentation() -> dict[str, str]:
    """Return the files of ``docs/reference/findings`` by name: a page for each code, the index."""
    lines = [f"| [{code.id}]({code.id}.md) | {code.severity} | {code.title} |" for code in CODES]
    head = "# Finding codes\n\n| code | severity | what is found |\n|---|---|---|\n"
    index = head + "\n".join(lines) + "\n"
    return {f"{code.id}.md": page(code) for code in CODES} | {"README.md": index}
