import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RECOUNT = "certify_recount"
MODULES = sorted(path for name in ("certify", RECOUNT) for path in (ROOT / name).rglob("*.py"))

EXACT_PACKAGES = (
    "model", "words", "engine", "kernels", "explanations", "figures", "filing", "review", "declare",
    "commands", "checks", "intake",
)  # fmt: skip
"""Packages on the way to a figure: no number with a fraction part in any of them."""

LONGEST_MODULE = 500
"""Lines; about 300 are meant, and a longer one is a question."""

LONGEST_FUNCTION = 80
"""Lines; about 40 are meant. Kernels are not held to it: numba compiles whole loops."""


@cache
def trees(folder: str = "certify") -> dict[Path, ast.Module]:
    """Return the parsed modules below a folder."""
    modules = sorted((ROOT / folder).rglob("*.py"))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules}


def display_path(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def places(trees: Mapping[Path, ast.Module], find: Callable[[ast.Module], Iterable[object]]) -> Any:  # noqa: ANN401 - what is found
    """Return the results for each module by path; modules without any are skipped."""
    found = {display_path(path): list(find(tree)) for path, tree in trees.items()}
    return {path: listed for path, listed in found.items() if listed}


def test_invariants_are_raised_not_asserted() -> None:
    def asserts(tree: ast.Module) -> list[int]:
        return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert)]

    assert places(trees(), asserts) == {}


def floats(tree: ast.AST) -> Iterator[str]:
    """Yield every number with a fraction part, every `float`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield f"{node.lineno}: {node.value}"
        if isinstance(node, ast.Name) and node.id == "float":
            yield f"{node.lineno}: float"
        if isinstance(node, ast.Attribute) and node.attr.startswith("float"):
            yield f"{node.lineno}: .{node.attr}"


def test_no_float_on_the_way_to_a_figure() -> None:
    rooms = {
        path: tree
        for path, tree in trees().items()
        if path.relative_to(ROOT).parts[1] in EXACT_PACKAGES
    }
    assert places(rooms, floats) == {}


EXACT_FUNCTIONS = {"comb", "gcd", "isqrt", "lcm", "prod"}
"""Functions of `math` that return integers."""


def inexact(tree: ast.AST) -> Iterator[str]:
    """Yield every division, import of `math`, and power that could give a float.

    Two integers divide to a float, so exact values divide by ``Fraction(a, b)``.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield f"{node.lineno}: /"
        if isinstance(node, ast.Import):
            yield from (f"{node.lineno}: {name.name}" for name in node.names if name.name == "math")
        if isinstance(node, ast.ImportFrom) and node.module in {"math", "decimal", "random"}:
            names = {name.name for name in node.names} - EXACT_FUNCTIONS
            yield from (f"{node.lineno}: {name}" for name in sorted(names))
        if isinstance(node, ast.Name) and node.id in {"float", "complex", "round", "pow"}:
            yield f"{node.lineno}: {node.id}"


def test_the_recount_is_exact() -> None:
    modules = trees(RECOUNT)
    assert len(modules) > 12
    assert places(modules, floats) == {}
    assert places(modules, inexact) == {}
    for text in ("a / b", "a /= b", "import math", "from math import sqrt", "round(a)", "float(a)"):
        assert list(inexact(ast.parse(text))), text


def test_the_recount_imports_the_standard_library_only() -> None:
    def others(tree: ast.Module) -> Iterator[str]:
        for node in ast.walk(tree):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [str(node.module)]
            yield from (name for name in names if name.split(".")[0] not in sys.stdlib_module_names)

    assert places(trees(RECOUNT), others) == {}


def test_modules_and_functions_stay_short() -> None:
    def long(tree: ast.Module) -> list[str]:
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        return [
            node.name
            for node in functions
            if (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
        ]

    lines = {display_path(path): path.read_text(encoding="utf-8").count("\n") for path in MODULES}
    assert {path: number for path, number in lines.items() if number > LONGEST_MODULE} == {}
    held = {path: tree for path, tree in trees().items() if "kernels" not in path.parts}
    assert places(held, long) == {}


def test_every_exemption_gives_its_reason() -> None:
    bare = [
        f"{display_path(path)}:{number}"
        for path in MODULES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "# noqa" in line and " - " not in line.partition("# noqa")[2]
    ]
    assert bare == []


READING = {
    "startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "replace",
    "split", "rsplit", "find", "rfind", "index", "count", "match", "search", "fullmatch",
}  # fmt: skip
"""Methods that read what a text says."""

READS_WORDS = {"certify/review/artwork.py": "artwork is words, compared with what is filed"}


def words_read(tree: ast.AST) -> Iterator[str]:
    """Yield every constant of several words that code looks for in a text or compares with one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            looked_for = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            looked_for = node.args if node.func.attr in READING else []
        else:
            continue
        for inner in (each for item in looked_for for each in ast.walk(item)):
            if not isinstance(inner, ast.Constant) or not isinstance(inner.value, str):
                continue
            if " " in inner.value and any(map(str.isalpha, inner.value)):
                yield f"{inner.lineno}: {inner.value!r}"


def test_no_code_decides_by_the_words_of_a_sentence() -> None:
    found = places(trees(), words_read)
    assert set(found) == set(READS_WORDS), found


CLOCKS_ALLOWED = {
    "certify/desk/app.py": "closing connections, and the end of a desk that nobody uses",
    "certify/desk/guard.py": "an answer of the app that runs already, or of a stranger",
    "certify/desk/jobs.py": "how long nobody has used a desk, and the time that a job has left",
    "certify/locking.py": "waiting for another program that writes",
    "certify/filing/identities.py": "how long an authority took, for display only",
    "certify/signatures/network.py": "waiting for a timestamp authority or revocation data",
    "certify/worker.py": "processor time, on systems that cannot limit it",
}
"""Modules that look at a clock or wait for a time; none of them decides a verdict."""

CLOCKS = {"Timer", "monotonic", "perf_counter", "process_time", "sleep"}


def clocks(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in CLOCKS:
            yield node.lineno
        if isinstance(node, ast.keyword) and (node.arg or "").startswith("timeout"):
            value = node.value
            if not (isinstance(value, ast.Constant) and value.value in {None, 0}):
                yield value.lineno


def test_no_clock_decides_a_verdict() -> None:
    found = places(trees(), clocks)
    assert set(found) == set(CLOCKS_ALLOWED), found


def limits(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "timeout":
            if not (isinstance(node.value, ast.Constant) and node.value.value in {None, 0}):
                yield node.value.lineno
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "set_default_timeout"
            and ast.unparse(node.args[0]) != "0"
        ):
            yield node.lineno


def test_no_test_fails_because_the_machine_is_busy() -> None:
    """A wait has no limit: what never comes is ended by whoever runs the tests."""
    assert places(trees("tests"), limits) == {}
