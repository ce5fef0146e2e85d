import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from certify.errors import EXTRAS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TARGET = "mini-pai-gow/bonus/A"

WITHOUT = """\
import sys
from importlib import metadata
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
known = metadata.version
def version(name):
    if name in {packages}:
        raise metadata.PackageNotFoundError(name)
    return known(name)
metadata.version = version
from certify.__main__ import main
main()
"""
"""Runs the command line on a machine that lacks packages."""


def run_without(
    extras: set[str], folder: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    packages = {package for package, extra in EXTRAS.items() if extra in extras}
    cache = folder / "cache"
    cache.mkdir(mode=0o700, exist_ok=True)
    environment = {"PYTHONPATH": str(ROOT), "CERTIFY_CACHE": str(cache), "CERTIFY_HOME": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(packages=packages), *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def list_packages(requirements: list[str]) -> set[str]:
    words = {re.split(r"[\[<>=~ ]", requirement)[0].lower() for requirement in requirements}
    return {word.replace("-", "_") for word in words}


def test_every_package_of_an_extra_is_known() -> None:
    stated = PROJECT["optional-dependencies"]
    for extra in ("documents", "main-wager", "sign"):
        known = {package.lower() for package, one in EXTRAS.items() if one == extra}
        assert list_packages(stated[extra]) <= known
    assert list_packages(stated["desk"]) - {"certify"} <= set(EXTRAS)
    assert list_packages(PROJECT["dependencies"]).isdisjoint(EXTRAS)


def test_every_import_is_of_a_declared_package() -> None:
    imported = {
        name.partition(".")[0]
        for path in (ROOT / "certify").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
    }
    ours = {"certify", "certify_recount", "_typeshed"}  # the last one is of mypy alone
    others = imported - set(sys.stdlib_module_names) - ours
    brought = {"referencing", "markupsafe"}  # by jsonschema and by jinja2
    brought.add("pandas")  # of the user's own, for `to_frame`
    assert others <= list_packages(PROJECT["dependencies"]) | set(EXTRAS) | brought


def test_files_are_validated_without_any_extra(tmp_path: Path) -> None:
    extras = {"documents", "main-wager", "sign"}
    ran = run_without(extras, tmp_path, "check", "paytables/mini-pai-gow/bonus", "--format", "json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["findings"] == []
    ran = run_without(extras, tmp_path, "evaluate", TARGET)
    assert (ran.returncode, "House edge             4.3489%" in ran.stdout) == (0, True)


def test_what_could_not_be_counted_is_not_judged(tmp_path: Path) -> None:
    paths = ("paytables/house-ways/foxwoods.json", "paytables/dealer-open-pai-gow/push-ace-high")
    always = ("check", *paths, "--format", "json", "--fail-on", "warning", "--ignore", "P015")
    ran = run_without({"main-wager"}, tmp_path, *always)
    report = json.loads(ran.stdout)
    others = [finding for finding in report["findings"] if finding["severity"] != "note"]
    said = {finding["message"].partition(" was not counted. ")[0] for finding in others}
    assert ran.returncode == 4
    assert {"house-ways/foxwoods", "dealer-open-pai-gow/push-ace-high/1"} <= said
    for finding in others:
        assert finding["code"] == "N002"
        assert "This needs numpy, which is not installed." in finding["message"]
        assert "Install certify[main-wager]" in finding["remedy"]


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("main-wager", ("evaluate", "mini-pai-gow/main")),
        ("documents", ("diff", TARGET, "mini-pai-gow/bonus/B", "--pdf", os.devnull)),
        ("sign", ("keys", "init-dev")),
        ("desk", ("desk", "--no-browser")),
    ],
)
def test_a_missing_piece_is_named_with_its_extra(
    extra: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    ran = run_without({extra}, tmp_path, *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(
        r"Error: This needs \w+, which is not installed\.\n"
        rf"  Fix: Install certify\[{extra}\]: `.+ -m pip install -e '{ROOT}\[{extra}\]'`\n",
        ran.stderr,
    )


def test_doctor_names_the_extras(tmp_path: Path) -> None:
    ran = run_without({"desk", "documents", "main-wager", "sign"}, tmp_path, "doctor")
    assert ran.returncode == 2
    named = re.findall(r"Install certify\[([a-z-]+)\]", ran.stdout)
    assert named == ["main-wager", "documents", "sign", "desk"]
