"""The cells of a workbook by their places, and what is refused of one that nobody should trust."""

import zipfile
from pathlib import Path

import pytest

from certify.intake import workbook
from certify.intake.workbook import Row, Unreadable, sheets

NAMES = 'xmlns:r="r"'
BOOK = f'<w {NAMES}><sheets><sheet name="a" r:id="x"/></sheets></w>'
PARTS = '<p><q Id="x" Target="worksheets/a.xml"/></p>'


def book(path: Path, rows: str, texts: str = "") -> Path:
    """Write a workbook of one sheet; SpreadsheetML's namespaces are not looked at."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", BOOK)
        archive.writestr("xl/_rels/workbook.xml.rels", PARTS)
        archive.writestr("xl/worksheets/a.xml", f"<s><sheetData>{rows}</sheetData></s>")
        if texts:
            archive.writestr("xl/sharedStrings.xml", f"<t>{texts}</t>")
    return path


def cells(tmp_path: Path, rows: str, texts: str = "") -> list[Row]:
    return sheets(book(tmp_path / "a.xlsx", rows, texts))["a"]


@pytest.mark.parametrize(
    ("place", "column"), [("A1", 0), ("c1", 2), ("Z1", 25), ("AA1", 26), ("AB1", 27), ("BA1", 52)]
)
def test_a_cell_stands_in_the_column_of_its_letters(
    tmp_path: Path, place: str, column: int
) -> None:
    """§18.18.7: after Z comes AA, so that 26 columns have one letter."""
    ((number, row),) = cells(tmp_path, f'<row><c r="{place}"><v>7</v></c></row>')
    assert number == 1
    assert row == [""] * column + ["7"]


def test_rows_and_cells_without_a_place_follow_the_one_before(tmp_path: Path) -> None:
    rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row r='5'><c/></row><row/>"
    assert cells(tmp_path, rows) == [(1, ["1", "2"]), (5, [""]), (6, [])]


def test_texts_are_shared_or_in_the_cell_and_runs_are_joined(tmp_path: Path) -> None:
    texts = "<si><t>none</t></si><si><r><t>four</t></r><r><t> aces</t></r><rPh><t>x</t></rPh></si>"
    rows = '<row><c t="s"><v>1</v></c><c t="inlineStr"><is><t>flush</t></is></c></row>'
    assert cells(tmp_path, rows, texts) == [(1, ["four aces", "flush"])]


def test_a_text_that_is_not_there_is_a_fault_of_the_workbook(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        cells(tmp_path, '<row><c t="s"><v>3</v></c></row>', "<si><t>only</t></si>")


def test_a_cell_far_to_the_right_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="ZZZ1 is too far to the right"):
        cells(tmp_path, '<row><c r="ZZZ1"/></row>')


@pytest.mark.parametrize(
    ("limit", "words"),
    [("MOST_CELLS", "2 cells"), ("MOST_PARTS", "2 files"), ("MOST_BYTES", "2 bytes")],
)
def test_what_is_beyond_a_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, words: str
) -> None:
    monkeypatch.setattr(workbook, limit, 2)
    with pytest.raises(Unreadable, match=f"more than {words}"):
        cells(tmp_path, "<row><c/><c/><c/></row>")


def test_as_many_cells_as_the_limit_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook, "MOST_CELLS", 3)
    assert cells(tmp_path, "<row><c/><c/><c/></row>") == [(1, ["", "", ""])]


def test_a_document_type_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/_rels/workbook.xml.rels", f"<!DOCTYPE p>{PARTS}")
    with pytest.raises(Unreadable, match="document type"):
        sheets(path)
