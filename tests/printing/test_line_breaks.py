import datetime as dt
import shutil
import subprocess
from pathlib import Path

import pytest

from certify.printing.print_pdf import print_pdf

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
TEXT = (
    "Read here: The first row in printed order that the hand contains; the matching printed counts "
    "of commission-free-pai-gow-express need it. See <em>house way</em>, ace-high and two-pair "
    "hands."
)


def printed_lines(widths: list[str], folder: Path) -> list[str]:
    if shutil.which("pdftotext") is None:
        pytest.skip("not installed: pdftotext")
    columns = "".join(f'<p style="width: {width}; font-size: 9.5pt">{TEXT}</p>' for width in widths)
    pdf = print_pdf(
        '<html lang="en-US"><head><title>Lines</title></head><body data-document-id="L-1" '
        f'data-revision="1" data-digest="0"><h1>Lines</h1>{columns}</body></html>',
        title="Lines",
        language="en-US",
        document_id="L-1",
        date=dt.date(2026, 1, 15),
        attachments=(),
        templates=TEMPLATES,
    )
    (folder / "lines.pdf").write_bytes(pdf)
    printed = subprocess.run(
        ["pdftotext", "-layout", folder / "lines.pdf", "-"],
        check=True,
        capture_output=True,
        text=True,
    )
    return [line.strip() for line in printed.stdout.splitlines() if line.strip()]


def test_a_space_at_the_end_of_a_text_does_not_push_its_words_to_the_next_line(
    tmp_path: Path,
) -> None:
    # "See " with its space is wider than these lines and "See" is not: Pango 1.50 left "matching"
    # alone on a line, Pango 1.56 did not.
    widths = ["116mm", "116.25mm", "116.5mm"]
    lines = printed_lines(widths, tmp_path)
    broken = [
        "Read here: The first row in printed order that the hand contains; the",
        "matching printed counts of commission-free-pai-gow-express need it. See",
        "house way, ace-high and two-pair hands.",
    ]
    start = lines.index(broken[0])
    assert lines[start : start + len(broken) * len(widths)] == broken * len(widths)


def test_a_long_word_breaks_only_at_its_hyphens(tmp_path: Path) -> None:
    lines = printed_lines([f"{width}mm" for width in range(60, 160)], tmp_path)
    assert any(line.endswith("commission-") for line in lines)
    assert [line for line in lines if line.startswith("-") or line.endswith("commission")] == []
