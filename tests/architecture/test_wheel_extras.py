"""The wheel with one extra alone, outside the repository: what it promises, and what it does not.

What an extra does not bring is installed here all the same, and hidden from the run.
"""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from certify.errors import EXTRAS
from tests.architecture.test_extras import PROJECT, ROOT, WITHOUT, list_packages

A, B = "mini-pai-gow/bonus/A", "mini-pai-gow/bonus/B"
PROMISES = {
    "cluster": ("sweep", "grid.json", "--out", "results", "--parquet"),
    "desk": ("desk", "--no-browser"),
    "documents": ("diff", A, B, "--pdf", "redline.pdf"),
    "main-wager": (
        "evaluate", "emperors-challenge-exposed/ace-high-pai-gow-insurance/PT-FLT-AHPG-01",
    ),
    "sign": ("keys", "init-dev"),
}  # fmt: skip
"""Of each extra a command that needs it and none that it does not bring."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    wheel = next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def brings_extra(extra: str, requirements: list[str]) -> bool:
    """Return True if requirements bring another extra of certify."""
    return any(
        re.search(rf"^certify\[.*\b{extra}\b.*\]", requirement) for requirement in requirements
    )


@pytest.mark.slow
@pytest.mark.parametrize("extra", [*PROMISES, None])
def test_an_extra_alone_does_what_it_promises_and_names_what_it_lacks(
    extra: str | None, package: Path, tmp_path: Path
) -> None:
    stated = PROJECT["optional-dependencies"]
    extras = {extra, *(item for item in stated if brings_extra(item, stated.get(extra or "", [])))}
    brought = {package for extra in extras if extra for package in list_packages(stated[extra])}
    hidden = {one for one, by in EXTRAS.items() if by not in extras and one.lower() not in brought}
    (tmp_path / "grid.json").write_text(json.dumps({"$schema": "grid.schema.json", "games": [A]}))
    for part in ("cache", "home"):
        (tmp_path / part).mkdir(mode=0o700)

    def run(*arguments: str) -> tuple[int, str, str]:
        started = subprocess.Popen(
            [sys.executable, "-c", WITHOUT.format(packages=hidden), *arguments],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(package),
                "CERTIFY_CACHE": str(tmp_path / "cache"),
                "CERTIFY_HOME": str(tmp_path / "home"),
                "PYTHONUNBUFFERED": "1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        with started, started.stdout or sys.stdin as stdout, started.stderr or sys.stdin as stderr:
            out = stdout.readline()
            if "http://127.0.0.1:" in out:  # the desk serves until it is closed
                started.terminate()
                return 0, out, ""
            out, err = out + stdout.read(), stderr.read()
            return started.wait(), out, err

    code, out, _ = run("evaluate", A)
    assert (code, "House edge             4.3489%" in out) == (0, True)
    for each, command in PROMISES.items():
        code, out, err = run(*command)
        if each in extras:
            assert code == 0, err
        else:
            assert (code, out) == (2, ""), (each, err)
            assert f"Fix: Install certify[{each}] from your copy of certify" in err
