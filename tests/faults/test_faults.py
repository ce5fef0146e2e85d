"""Faults at each file operation of each command that writes, and the list of these commands."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import certify
from tests.marks import long

from .faults import list_operations, try_each_fault
from .writers import ELSEWHERE, WRITERS

PACKAGE = Path(certify.__file__).parent
QUICK = ("first submission", "draft")
"""One writer of each kind that takes little time."""

WRITING = frozenset(
    {
        *("write_atomically", "write_folder", "write_sibling", "write_bytes", "write_text"),
        *("unlink", "rename", "mkdir", "rmdir", "touch", "chmod", "link", "symlink_to"),
        *("rmtree", "copyfile", "copytree", "mkdtemp", "mkstemp"),
    }
)
"""Names of functions that change files."""


@pytest.mark.parametrize("name", [*QUICK, *long(name for name in WRITERS if name not in QUICK)])
def test_a_fault_leaves_the_old_or_the_new_files_and_the_next_run_ends(
    tmp_path: Path, name: str
) -> None:
    assert try_each_fault(WRITERS[name], tmp_path / "case") > 4


@pytest.mark.long
def test_every_function_that_writes_is_tried_or_excused(tmp_path: Path) -> None:
    tried: set[str] = set()
    for number, writer in enumerate(WRITERS.values()):
        for operation in list_operations(writer, tmp_path / str(number)):
            tried |= operation.functions
    writing = {*list_writing()}
    assert writing - tried - ELSEWHERE.keys() == set()
    assert ELSEWHERE.keys() - writing <= {"certify.pipeline.declare.blank.wager"}


def list_writing() -> Iterator[str]:
    """Yield the functions of certify that call a function that changes files."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        tree = ast.parse(path.read_bytes())
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and any(map(_writes, ast.walk(node))):
                yield f"{module}.{node.name}"


def _writes(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    modes = (each.value for each in node.args[1:2] if isinstance(each, ast.Constant))
    return name in WRITING or (
        name == "open" and any(set(str(mode)) & set("wxa+") for mode in modes)
    )
