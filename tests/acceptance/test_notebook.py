"""The notebook runs as printed, and its stored outputs are those of the run.

`CERTIFY_NOTEBOOK=write pytest tests/acceptance/test_notebook.py` stores the outputs again.
"""

import ast
import json
import os
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.acceptance.command_line import ROOT

NOTEBOOK = ROOT / "docs" / "tutorial" / "design-a-paytable.ipynb"


def run_cell(source: str, names: dict[str, Any]) -> dict[str, str]:
    """Run one cell; return how a notebook shows the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - our own notebook
        return {}
    tree.body.pop()
    exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - our own notebook
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307 - the same
    if hasattr(value, "_repr_svg_"):
        return {"image/svg+xml": value._repr_svg_()}
    return {"text/plain": repr(value)}


def test_the_outputs_of_the_notebook_are_those_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for number, cell in enumerate(
        each for each in notebook["cells"] if each["cell_type"] == "code"
    ):
        shown = run_cell("".join(cell["source"]), names)
        result = {"output_type": "execute_result", "metadata": {}, "data": shown}
        cell["execution_count"] = number + 1
        cell["outputs"] = [result | {"execution_count": number + 1}] if shown else []
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("CERTIFY_NOTEBOOK") == "write":
        NOTEBOOK.write_text(text, encoding="utf-8")
    assert NOTEBOOK.read_text(encoding="utf-8") == text
    # 19,752 hands of the C(53, 6) have four of a kind and nothing better.
    edges = names["edges"]
    assert edges[25] - edges[75] == 50 * Fraction(19752, comb(53, 6))
    sheet = [*load_workbook("edges.xlsx").active.iter_rows(values_only=True)]
    assert [row[2] for row in sheet[1:]] == [str(edge) for edge in edges.values()]
