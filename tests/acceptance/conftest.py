"""The command line as users run it: in this process where that is quicker, or in a new one."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from certify.cli.app import run
from tests.acceptance.command_line import ROOT, Certify, Ran


@pytest.fixture
def run_command(capsys: pytest.CaptureFixture[str]) -> Certify:
    def command(*arguments: object) -> Ran:
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ran(code=code, out=out, err=err)

    return command


@pytest.fixture
def certify(run_command: Certify, monkeypatch: pytest.MonkeyPatch) -> Certify:
    monkeypatch.chdir(ROOT)
    return run_command


@pytest.fixture
def spawn() -> Certify:
    def command(
        *arguments: object, folder: Path = ROOT, environment: Mapping[str, str] | None = None
    ) -> Ran:
        ended = subprocess.run(
            [sys.executable, "-m", "certify", *map(str, arguments)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return Ran(code=ended.returncode, out=ended.stdout, err=ended.stderr)

    return command
