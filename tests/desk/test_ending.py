import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.marks import further

ROOT = Path(__file__).parents[2]
SECONDS = 120
"""Time of a web app from its start to its end: 2 to 5 seconds without other load."""

BLOCK = """
import time

def block(*given, **named):
    print("here", flush=True)
    while True:
        time.sleep(0.01)

def block_at(module, name):
    getattr(module, name)  # a function of another name would never be reached
    setattr(module, name, block)
"""
JOB = """
import tempfile, time

def work(progress):
    if signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, []):
        raise RuntimeError("Ctrl-C on the terminal would interrupt this job while it starts.")
    tempfile.mkdtemp(prefix="certify-")
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    progress(1, 2)
    time.sleep(3600)

def started(server, sockets):
    job = desk_of.jobs.start("Sleep", work, {}, then="/")
    while not job.bar.of:
        if job.ended:
            raise RuntimeError(job.error)
        time.sleep(0.01)
    print("here", flush=True)
    run(server, sockets)

def prepared(listening, prepare=serve.prepare):
    global desk_of
    server, desk_of = prepare(listening)
    return server, desk_of

run = uvicorn.Server.run
uvicorn.Server.run = started
serve.prepare = prepared
"""
MOMENTS = {
    "importing": f"{BLOCK}\nfrom certify.cli import app\nblock_at(app, 'command_line')",
    "before it listens": f"{BLOCK}\nfrom certify.desk import app\nblock_at(app, '_bind')",
    "before it serves": f"{BLOCK}\nfrom certify.desk import app\nblock_at(app, 'prepare')",
    "listening": "",
    "a job is running": f"import uvicorn\nfrom certify.desk import app as serve\n{JOB}",
}
COUNTED = """
def count(frame, *_):
    global events
    events -= 1
    if events == 0 or frame.f_code.co_qualname == "Server.main_loop":
        sys.setprofile(None)
        os.kill(os.getpid(), signal.{name})

events = {events}
sys.setprofile(count)
"""
PROGRAM = """
import os, signal, subprocess, sys
{moment}
from certify.__main__ import main
if __name__ == "__main__":
    main()
"""


STARTS = product(
    ("SIGINT", "SIGTERM"),
    (5_000, 10_000, 20_000, 50_000, 150_000, 500_000, 1_500_000, 10**9),
)
ENDS = (("SIGINT", 50_000), ("SIGTERM", 10**9))


class Running:
    """A desk of a given moment, found again by a mark in the environment of all that it starts."""

    def __init__(self, folder: Path, moment: str, *, deaf: bool) -> None:
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.mark = secrets.token_hex(8)
        program = folder / "program.py"
        program.write_text(PROGRAM.format(moment=moment), encoding="utf-8")
        environment = {"PYTHONPATH": str(ROOT), "MARK": self.mark, "TMPDIR": str(self.temporary)}
        ignored = signal.SIG_IGN if deaf else signal.SIG_DFL
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-X", "faulthandler", program, "desk", "--no-browser"],
            cwd=folder,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, ignored),  # noqa: PLW1509 - no timer runs yet
        )
        self.overdue: list[str] = []
        self.timer = threading.Timer(SECONDS, self.abort)
        self.timer.start()

    def abort(self) -> None:
        """Note the command lines of all that runs, and end it; Python prints its stacks."""
        for name in self.left():
            with contextlib.suppress(OSError):
                command = Path("/proc", name, "cmdline").read_bytes().replace(b"\0", b" ")
                self.overdue.append(f"{name}: {command.decode()}")
                os.kill(int(name), signal.SIGABRT)

    def end(self) -> str:
        """Return its errors, when it and all that it started have ended."""
        _, said = self.process.communicate()
        while self.left():  # the tracker of multiprocessing ends by itself when the app has
            time.sleep(0.01)
        assert not self.overdue, f"These ran after {SECONDS} seconds: {self.overdue}\n{said}"
        return said

    def left(self) -> list[str]:
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                if f"MARK={self.mark}".encode() in path.read_bytes().split(b"\0"):
                    found.append(path.parent.name)
            except OSError:
                continue
        return found


@pytest.fixture
def running() -> Iterator[list[Running]]:
    every: list[Running] = []
    yield every
    for app in every:
        app.timer.cancel()
        for process in app.left():
            os.kill(int(process), signal.SIGKILL)
        app.process.communicate()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="children are found in /proc")
@pytest.mark.parametrize("moment", [*further([*MOMENTS][:-2]), *[*MOMENTS][-2:]])
@pytest.mark.parametrize("blow", [*further(["SIGINT", "SIGTERM"]), "SIGINT of a terminal"])
def test_the_desk_ends_at_a_signal_at_any_moment(
    running: list[Running], tmp_path: Path, moment: str, blow: str
) -> None:
    """SIGINT also where a shell runs it in the background, which ignores SIGINT there."""
    terminal = blow.endswith("terminal")
    desk = Running(tmp_path, MOMENTS[moment], deaf=blow == "SIGINT")
    running.append(desk)
    assert desk.process.stdout is not None
    for number, line in enumerate(desk.process.stdout):
        # The second line is the last that the web app prints before it listens.
        if line == "here\n" or (moment == "listening" and number == 1):
            break
    number = signal.Signals[blow.split(maxsplit=1)[0]]
    (os.killpg if terminal else os.kill)(desk.process.pid, number)
    said = desk.end()
    assert desk.process.returncode in {0, 130}, said
    assert "Traceback" not in said
    assert list(desk.temporary.iterdir()) == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="children are found in /proc")
@pytest.mark.parametrize(("name", "events"), [*ENDS, *further(sorted({*STARTS} - {*ENDS}))])
def test_the_desk_ends_at_a_signal_while_it_starts(
    running: list[Running], tmp_path: Path, name: str, events: int
) -> None:
    """It sends itself the signal after so many calls and returns, or when it first waits.

    Until it handles SIGTERM, the system ends it, and there is nothing to remove.
    """
    # In the background of a script SIGINT is ignored by inheritance, and SIGTERM ends it.
    deaf = name == "SIGTERM"
    desk = Running(tmp_path, COUNTED.format(name=name, events=events), deaf=deaf)
    running.append(desk)
    said = desk.end()
    assert desk.process.returncode in {0, 130, -signal.SIGTERM}, said
    assert "Traceback" not in said
    assert list(desk.temporary.iterdir()) == []
