from pathlib import Path

import openpyxl
import pytest

from certify.intake import results
from certify.intake.results import Unreadable, sheets


@pytest.fixture
def three_rows(tmp_path: Path) -> Path:
    book = openpyxl.Workbook()
    for row in (["event", 1], [None, "two"], ["last"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    return tmp_path / "a.xlsx"


def test_rows_are_numbered_and_cells_are_texts(three_rows: Path) -> None:
    assert sheets(three_rows) == {"Sheet": [(1, ["event", "1"]), (2, ["", "two"]), (3, ["last"])]}


@pytest.mark.parametrize(
    ("limit", "message"),
    [("MOST_BYTES", "more than 2 bytes"), ("MOST_ROWS", "more than 2 rows")],
)
def test_a_workbook_beyond_a_limit_is_refused(
    three_rows: Path, monkeypatch: pytest.MonkeyPatch, limit: str, message: str
) -> None:
    monkeypatch.setattr(results, limit, 2)
    with pytest.raises(Unreadable, match=message):
        sheets(three_rows)


def test_as_many_rows_as_the_limit_are_read(
    three_rows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MOST_ROWS", 3)
    assert len(sheets(three_rows)["Sheet"]) == 3
