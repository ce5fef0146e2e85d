import ast
import csv
import io
from pathlib import Path

import pytest

from certify.formatting import csv_bytes

PACKAGE = Path(__file__).parents[1] / "certify"
FORMULAS = (
    '=HYPERLINK("http://example.invalid","x")', "+1+1", "-1+1", "-1+1|<img>", "@SUM(A1)",
    "\t=1+1", "\r=1+1", "\n=1+1", " =1+1", "=1", "-A1", "-", "+", "--1", "-1e5|x",
)  # fmt: skip
PLAIN = (
    "-1/2",
    "-0.7163",
    "+1",
    "-5%",
    "-1,000",
    "1/2",
    "50 to 1",
    "",
    "–",
    "Royal flush, no joker",
)


def cells(data: bytes) -> list[list[str]]:
    return [*csv.reader(io.StringIO(data.decode(), newline=""))]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_is_run_as_a_formula(text: str) -> None:
    assert cells(csv_bytes(("name",), [(text,)])) == [["name"], ["'" + text.replace("\r", "\n")]]


@pytest.mark.parametrize("text", PLAIN)
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert cells(csv_bytes(("name", "x"), [(text, 1)])) == [["name", "x"], [text, "1"]]


def test_nothing_is_an_empty_cell() -> None:
    assert csv_bytes(("a", "b"), [(None, True)]) == b"a,b\n,True\n"


WRITERS = {"csv.writer", "csv.DictWriter"}


def test_no_other_module_writes_csv() -> None:
    writers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Attribute) and ast.unparse(node) in WRITERS)
        or (isinstance(node, ast.ImportFrom) and node.module == "csv")
    }
    assert writers == {"formatting.py"}
