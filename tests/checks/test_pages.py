import re
from pathlib import Path

import pytest

from certify.model.finding import Code
from certify.review.check import CODES, documentation, page

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "reference" / "findings"
INTAKE = ROOT / "certify" / "intake"


def test_every_page_has_a_code() -> None:
    assert {path.name for path in PAGES.iterdir()} == set(documentation())


def test_codes_are_unique_and_in_order_within_their_family() -> None:
    ids = [code.id for code in CODES]
    assert len(set(ids)) == len(ids)
    for family in {one[0] for one in ids}:
        numbers = [int(one[1:]) for one in ids if one[0] == family]
        assert numbers == list(range(1, len(numbers) + 1))


def test_codes_that_are_named_have_pages() -> None:
    """Two packages raise D004, which is why the intake names it without its page."""
    texts = "".join(path.read_text(encoding="utf-8") for path in INTAKE.rglob("*.py"))
    assert set(re.findall(r'finding\(\s*"([A-Z][0-9]{3})"', texts)) == {"D004"}


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_page_gives_reason_fix_and_both_examples(code: Code) -> None:
    headings = re.findall(r"^## (.+)$", page(code), flags=re.MULTILINE)
    assert headings[:2] == ["Why it matters", "How to fix it"]
    assert headings[2:] in (["Wrong", "Right"], ["Noted", "Clear"])
    assert "\n## " not in code.page()
