"""Processes of a recount: they end without a word, whatever the signals of the caller do."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import certify_recount
from certify.cli.app import run
from certify.errors import NotJudged
from certify_recount import kit
from certify_recount.sweeps import run_parts

ROOT = Path(__file__).parents[2]
BEGIN = """
import os, time
from certify.__main__ import _catch_signals
from certify_recount.sweeps import run_parts

def double(given, part):
    return given * part

def sleep(given, part):
    print("here", flush=True)
    time.sleep(3600)

def fail(given, part):
    if part:
        raise ValueError(part)
    time.sleep(3600)

def die(given, part):
    os._exit(1)

_catch_signals(desk=False)
"""


def _catch_all() -> None:
    """Undo what a caller such as nohup ignores."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def begin(program: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-B", "-c", BEGIN + program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_catch_all,  # noqa: PLW1509 - no threads
    )


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return its output; its children hold its streams, so one that is left is waited for, too."""
    return process.communicate()


def test_processes_end_without_a_word() -> None:
    process = begin(
        "for _ in range(8): assert [*run_parts(double, 2, [1, 2], processes=4)] == [2, 4]"
    )
    assert end(process) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize("group", [True, False], ids=["of its group", "of its own"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_processes_end_at_a_signal(number: signal.Signals, *, group: bool) -> None:
    """Also while one of them is busy and the others wait for work."""
    process = begin(
        "try:\n    [*run_parts(sleep, 0, [0], processes=3)]\nexcept KeyboardInterrupt: pass"
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    time.sleep(0.1)
    (os.killpg if group else os.kill)(process.pid, number)
    assert end(process) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("work", "error"), [("fail", "ValueError: 1"), ("die", "BrokenProcessPool")]
)
def test_an_error_of_a_process_ends_all(work: str, error: str) -> None:
    process = begin(f"[*run_parts({work}, 0, [0, 1], processes=2)]")
    assert error in end(process)[1]
    assert process.returncode == 1


def die(_given: object, _part: object) -> None:
    os._exit(1)


def test_a_killed_process_of_a_recount_is_no_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    killed = lambda *_, **__: [*run_parts(die, 0, [0, 1], processes=2)]  # noqa: E731
    monkeypatch.setattr(certify_recount, "recount", killed)
    assert run(["crosscheck", "mini-pai-gow/bonus/A"]) == NotJudged.exit_code
    assert "the system ended one of its processes" in capsys.readouterr().err


def test_a_killed_process_of_the_kit_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    killed = lambda *_: [*run_parts(die, 0, [0, 1], processes=2)]  # noqa: E731
    monkeypatch.setattr(kit, "main", killed)
    assert kit.run([], tmp_path) == 2
    assert "ended a process of the count" in capsys.readouterr().err
