import re
import shutil
import subprocess
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from certify.filing.documents import PARTS, Part, render_pdf
from tests.report.conftest import whole

HEAD, FOOT = 68, 65
"""Points above and below what a page can hold."""

BOX, LARGE_BOX = 35 * 72 / 25.4, 100 * 72 / 25.4
"""Points of an empty signature field, and of the laboratory's: it holds no text, and is no white
space."""

PART = re.compile(r"[0-9]+\. (Signatures|Rack cards)")
"""How a page begins that starts a part: the page before it ends one."""


def pages(pdf: Path) -> Iterator[tuple[str, float]]:
    done = subprocess.run(
        ["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, text=True, check=True
    )
    for page in done.stdout.split("<page ")[1:]:
        size = re.search(r'height="([0-9.]+)"', page)
        assert size is not None
        height = float(size[1])
        words = [
            (float(top), float(bottom), unescape(word))
            for top, bottom, word in re.findall(
                r'yMin="([0-9.]+)" xMax="[0-9.]+" yMax="([0-9.]+)">(.*?)</word>', page
            )
        ]
        held = [word for word in words if word[0] > HEAD - 12 and word[1] < height - FOOT + 12]
        end = max((bottom for _, bottom, _ in held), default=HEAD)
        last = " ".join(word for _, _, word in held[-45:])
        if "signature certifies" in last:  # the page ends with a field below this sentence
            end += LARGE_BOX if "the laboratory examined" in last else BOX
        empty = (height - FOOT - end) / (height - FOOT - HEAD)
        yield " ".join(word for _, _, word in held[:3]), empty


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_no_page_is_more_than_a_third_empty(
    game: str, jurisdiction: str, part: Part, tmp_path: Path
) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext of poppler-utils is not installed: the pages cannot be measured")
    pdf = tmp_path / "document.pdf"
    pdf.write_bytes(render_pdf(whole(game, jurisdiction), part, ()))
    measured = list(pages(pdf))
    for number, (_, empty) in enumerate(measured[1:-1], 2):
        ends_a_part = PART.match(measured[number][0]) is not None
        assert empty <= 1 / 3 or ends_a_part, f"page {number} is empty by {empty:.0%}"
