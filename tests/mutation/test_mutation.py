"""The harness: its changes, its samples, and the names in its data."""

import re
import subprocess
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tools.mutation import mutants, run
from tools.mutation.mutants import (
    Mutant,
    find_change,
    load_explained,
    pattern,
    places,
    shares,
    shuffle_mutants,
)

TEXT = '''
def larger(one: int | None, other: int = 3) -> int | str:
    """Return 1 + 1."""
    limit: int | bool = other + 4
    while one < limit and other:
        return one - 1
    return "a"
'''


def list_mutants(text: str, seed: int = 1) -> list[Mutant]:
    return list(shuffle_mutants("certify/any.py", text, seed))


def test_a_mutant_is_one_change_of_what_runs() -> None:
    found = list_mutants(TEXT)
    assert len(found) == len(places(TEXT)) == 8
    lines = Counter(mutant.line.split()[0] for mutant in found)
    assert lines == {"def": 1, "limit:": 2, "while": 3, "return": 2}
    for mutant in found:
        assert mutant.text != TEXT
        assert "int | None" in mutant.text
        assert "-> int | str" in mutant.text
        assert "limit: int | bool" in mutant.text
        assert mutant.becomes in mutant.text


def test_what_is_no_python_is_no_mutant() -> None:
    assert list_mutants("def alone(*, one):\n    return one\n") == []


def test_a_place_that_its_operator_cannot_change_is_passed_over() -> None:
    read = "try:\n    NUMBER = 3\nexcept (some.Fault, OSError):\n    raise\n"
    lines = {mutant.line for mutant in list_mutants(read)}
    assert lines == {"NUMBER = 3", "except (some.Fault, OSError):"}
    assert not any("some.Fault" not in mutant.text for mutant in list_mutants(read))


@pytest.mark.long
def test_a_seed_decides_and_a_smaller_sample_is_the_beginning_of_a_larger() -> None:
    modules = ("certify/kernels/features.py", "certify/kernels/features.py")
    package = [run.Part(package="any", modules=modules, tests=(), seconds=1, plain=True)]
    some = [mutant for _, mutant in run.sample(package, 12, 5)]
    again = [mutant for _, mutant in run.sample(package, 12, 5)]
    more = [mutant.text for _, mutant in run.sample(package, 24, 5)]
    assert some == again
    assert len(some) == 12
    assert {mutant.text for mutant in some} <= set(more)
    assert some != [mutant for _, mutant in run.sample(package, 12, 6)]


def test_samples_are_shared_out_in_proportion() -> None:
    assert shares([10, 30, 60], 10) == [1, 3, 6]
    assert shares([10, 30, 60], 9) == [1, 3, 5]
    assert shares([1, 1], 9) == [1, 1]
    assert shares([], 3) == []


def test_the_lines_that_change_are_reported_alone() -> None:
    assert find_change(["a", "  b", "c"], ["a", "  d", "c"]) == ("b", "d")
    assert find_change(["@a", "b", "b"], ["b", "b"]) == ("@a", "")


def test_packages_name_modules_and_tests_that_are_there() -> None:
    names = [module for part in run.parts() for module in part.modules]
    assert len(names) == len(set(names))
    for part in run.parts():
        assert part.modules, part
        files = [test.partition("::")[0] for test in part.tests if test.startswith("tests/")]
        assert files
        assert [file for file in files if not (run.ROOT / file).exists()] == []


def test_an_explanation_names_a_line_that_is_there() -> None:
    modules = [path.relative_to(run.ROOT).as_posix() for path in run.ROOT.glob("certify/**/*.py")]
    for entry in load_explained():
        assert set(entry) == {"module", "line", "becomes", "why"}
        texts = [
            (run.ROOT / module).read_text(encoding="utf-8")
            for module in modules
            if fnmatch(module, entry["module"])
        ]
        line = re.compile(pattern(entry["line"]))
        assert any(line.search(" ".join(text.split())) for text in texts), entry


@pytest.mark.parametrize(
    ("module", "line", "becomes", "why"),
    [
        ("certify/a/b.py", "x = 1", "x = 2", "named"),
        ("certify/a/b.py", "x = 1", "x = 0", ""),
        ("certify/c.py", "x = 1", "x = 2", ""),
        ("certify/c.py", "@cache", "", "speed"),
    ],
)
def test_a_survivor_is_explained_by_its_lines(
    module: str, line: str, becomes: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [
        {"module": "certify/a/*", "line": "x = 1", "becomes": "x = 2", "why": "named"},
        {"module": "certify/*", "line": "@cache", "becomes": "*", "why": "speed"},
    ]
    monkeypatch.setattr(mutants, "load_explained", lambda: entries)
    mutant = Mutant(module=module, operator="any", text="", line=line, becomes=becomes)
    assert mutant.why == why


def test_a_mutant_is_run_in_the_copy_and_put_back_and_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, kept = tmp_path / "root", tmp_path / "kept"
    (root / "certify").mkdir(parents=True)
    module = root / "certify" / "any.py"
    (root / "certify" / "__init__.py").touch()
    module.write_text("VALUE = 1\nUNSEEN = 5\n", encoding="utf-8")
    (root / "tests").mkdir()
    (root / "tests" / "test_any.py").write_text(
        "from certify.any import VALUE\n\ndef test_it():\n    assert VALUE == 1\n", encoding="utf-8"
    )
    subprocess.run(("git", "init", "--quiet", root), check=True)
    for name, value in {"ROOT": root, "KEPT": kept, "TREE": kept / "tree"}.items():
        monkeypatch.setattr(run, name, value)
    part = run.Part(
        package="any",
        modules=("certify/any.py",),
        tests=("tests/test_any.py",),
        seconds=30,
        plain=False,
    )
    before = module.read_text(encoding="utf-8")
    results = run.survey([part], 2, 1, lambda _: None)
    assert {(result.mutant.line, result.killed) for result in results} == {
        ("VALUE = 1", True), ("UNSEEN = 5", False)
    }  # fmt: skip
    assert module.read_text(encoding="utf-8") == before
    assert (kept / "tree" / "certify" / "any.py").read_text(encoding="utf-8") == before
    monkeypatch.setattr(run, "run_part", lambda _: pytest.fail("run again"))
    assert run.survey([part], 2, 1, lambda _: None) == results


def test_the_copy_is_a_repository_with_hidden_files_and_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "TREE", tmp_path / "tree")
    run.copy()
    links = [
        path.relative_to(run.ROOT)
        for path in (run.ROOT / "fixtures").rglob("*")
        if path.is_symlink()
    ]
    assert links
    assert all((tmp_path / "tree" / link).is_symlink() for link in links)
    assert (tmp_path / "tree" / ".pre-commit-hooks.yaml").is_file()
    tracked = subprocess.check_output(("git", "-C", tmp_path / "tree", "ls-files"), text=True)
    assert "paytables/pai-gow-mania/game.json\n" in tracked
    assert not (tmp_path / "tree" / ".venv").exists()
