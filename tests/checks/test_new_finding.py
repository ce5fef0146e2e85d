"""`make new-finding` writes a function and a case that work, and repairs expected.json."""

import shutil
from pathlib import Path

from certify.checks import p_siblings
from certify.checks.framework import Check, Context
from certify.checks.review import review
from certify.intake.read import read_catalog
from tests.checks.test_fixtures import FIXTURES, lay_out
from tools import new_finding

CODE = new_finding.next_code("P")


def test_the_example_of_a_finding_works(tmp_path: Path) -> None:
    module = tmp_path / "paytables.py"
    new_finding.write_function(CODE, module := Path(shutil.copy(p_siblings.__file__, module)))
    space: dict[str, object] = {"__name__": "example"}
    exec(module.read_text("utf-8"), space)  # noqa: S102 - what was just written
    made = space[f"find_{CODE.lower()}"]
    assert isinstance(made, Check)
    case = new_finding.write_case(CODE, tmp_path / "invalid")
    catalog, others = read_catalog(lay_out(tmp_path, case))
    (finding,) = made(Context(catalog))
    assert not [*others, *review(Context(catalog, notes_for=()))]
    assert (finding.code, finding.message) == (CODE, f"Paytable 2 is named {CODE}.")


def test_a_module_takes_the_finding_of_its_family() -> None:
    for family in "PMGH":
        module = new_finding.find_module(family)
        assert f'    "{family}0' in module.read_text("utf-8")


def test_expected_findings_are_written_as_they_are(tmp_path: Path) -> None:
    case = Path(shutil.copytree(FIXTURES / "invalid" / "P004" / "rise", tmp_path / "P004" / "rise"))
    expected = case / "expected.json"
    right = expected.read_text("utf-8")
    assert not new_finding.write_expected(case)
    assert expected.read_text("utf-8") == right
    expected.write_text("[]", encoding="utf-8")
    assert new_finding.write_expected(case)
    assert expected.read_text("utf-8") == right


def test_a_wrong_code_is_refused() -> None:
    for code in ("Z1", "P999", "p004"):
        (said,) = new_finding.run(code)
        assert said.startswith(f"{code} is no code")
        assert CODE in said
