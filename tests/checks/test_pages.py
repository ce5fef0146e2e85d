import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from certify import checks, intake
from certify.checks.framework import Check, iter_modules
from certify.checks.review import CHECKS
from certify.intake.faults import FaultKind
from certify.model.finding import Code
from certify.review.codes import CODES, documentation, find_functions, page

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


def test_a_check_stands_in_the_module_or_folder_of_its_letter() -> None:
    for check in CHECKS:
        family = check.judge.__module__.split(".")[2]
        assert family.startswith(f"{check.code.id[0].lower()}_"), check.code.id


def test_the_checks_of_a_module_are_in_the_order_of_their_codes() -> None:
    for module in iter_modules(checks):
        own = [
            each.code.id
            for each in vars(module).values()
            if isinstance(each, Check) and each.judge.__module__ == module.__name__
        ]
        assert own == sorted(own), module.__name__


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_the_function_of_each_code_is_found(code: Code) -> None:
    """The file contains the code's id, or the name under which the function raises it."""
    functions = find_functions(code)
    assert functions
    checked = [check for check in CHECKS if check.code is code]
    for check in checked:
        assert functions[0] is check.judge
        assert functions[0].__code__.co_filename.startswith(str(ROOT))
    sources = [inspect.getsource(function) for function in functions[len(checked) :]]
    names = "|".join({code.id, *_names_of(code)})
    assert all(re.search(rf"\b({names})\b", text) for text in sources)


def _names_of(code: Code) -> Iterator[str]:
    """Yield the names of the checks and the faults of a code."""
    for module in (*iter_modules(intake), *iter_modules(checks)):
        for name, value in vars(module).items():
            if isinstance(value, FaultKind | Check) and value.code is code:
                yield name
