import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from certify import worker
from certify.errors import CertifyError, CountsDiffer, NotConfigured, NotJudged, NotReadable
from certify.worker import FACTOR, Limits, run

TASK = """
import errno, json, os, resource, signal, sys, time
from certify.errors import CountsDiffer, NotInstalled

def answer(job, progress):
    what = job.decode()
    if what == "spin":
        while True:
            pass
    if what == "swell":
        return bytes(1 << 40)
    if what == "starve":
        raise OSError(errno.ENOMEM, "Cannot allocate memory", "/a/folder")
    if what == "nest":
        return answer(job, progress)
    if what == "crash":
        os.abort()
    if what == "fail":
        raise TypeError("odd bytes")
    if what == "differ":
        raise CountsDiffer("Two counts differ.", remedy="Send both.")
    if what == "lack":
        raise NotInstalled("A package is missing.", remedy="Install it.")
    if what == "chatter":
        print("a library talks")
        os.write(1, b"and so does its C part")
    if what == "sleep":
        time.sleep(2.5)
    if what == "progress":
        progress(1, 3)
        progress(2, 3)
    if what == "stop":
        progress(os.getpid(), 0)
        os.kill(os.getpid(), signal.SIGSTOP)
    if what == "identify":
        return json.dumps([os.getpid(), os.getppid(), os.environ["TMPDIR"], os.listdir()]).encode()
    if what == "remember":
        seen, sys.modules["seen"] = "seen" in sys.modules, sys
        return json.dumps(seen).encode()
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE)
    return json.dumps([resource.getrlimit(kind)[0] for kind in kinds]).encode()
"""
LIMITS = Limits(seconds=2, mebibytes=300)
GIVEN = [300 << 20, 2, 0]

Ask = Callable[..., bytes]

pytestmark = pytest.mark.usefixtures("hard_limits")


@pytest.fixture(params=[True, False], ids=["forked", "fresh"])
def ask(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Return a function that runs the task above and checks that no file remains."""
    monkeypatch.setattr(worker, "HAS_LOADERS", request.param)
    (tmp_path / "task.py").write_text(TASK, encoding="utf-8")
    ours = worker._environment

    def with_it() -> dict[str, str]:
        environment = ours()
        return environment | {"PYTHONPATH": f"{tmp_path}:{environment['PYTHONPATH']}"}

    monkeypatch.setattr(worker, "_environment", with_it)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    def asked(what: str, **options: object) -> bytes:
        try:
            return run("task", what.encode(), LIMITS, subject="Counting", **options)  # type: ignore[arg-type]
        finally:
            assert list(temporary.iterdir()) == []

    return asked


def test_a_child_has_its_limits(ask: Ask) -> None:
    assert json.loads(ask("")) == GIVEN


def test_a_user_can_widen_the_limits(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FACTOR, "3")
    assert json.loads(ask("")) == [900 << 20, 6, 0]


@pytest.mark.parametrize("value", ["0", "", "-1", "1.5", "1001", "two", "٣", "9" * 20])
def test_a_wrong_factor_is_refused(ask: Ask, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(FACTOR, value)
    with pytest.raises(NotConfigured, match=FACTOR):
        ask("")


@pytest.mark.parametrize(
    ("what", "kind", "message"),
    [
        ("spin", NotJudged, "Counting was stopped: it used more than 2 s of processor time."),
        ("swell", NotJudged, "Counting was stopped: it needed more than 300 MiB of memory."),
        ("starve", NotJudged, "Counting was stopped: it needed more than 300 MiB of memory."),
        ("crash", NotJudged, "Counting was stopped: its process ended with exit status -6."),
        ("fail", NotJudged, "Counting failed: TypeError: odd bytes."),
        ("nest", NotReadable, "The input is nested too deeply."),
        ("differ", CountsDiffer, "Two counts differ."),
        ("lack", NotConfigured, "A package is missing."),
    ],
)
def test_the_reason_for_stopping_a_child_is_reported(
    ask: Ask, what: str, kind: type[CertifyError], message: str
) -> None:
    with pytest.raises(kind) as raised:
        ask(what)
    assert raised.value.message == message
    assert raised.value.remedy
    assert (raised.value.exit_code == 4) == (kind is NotJudged)


def test_time_that_only_passes_stops_nothing(ask: Ask) -> None:
    """Two seconds are allowed, and the child sleeps for longer."""
    assert json.loads(ask("sleep")) == GIVEN


def test_what_libraries_print_is_no_answer(ask: Ask) -> None:
    assert json.loads(ask("chatter")) == GIVEN


def test_progress_reaches_the_caller(ask: Ask) -> None:
    reported: list[tuple[int, int]] = []
    assert json.loads(ask("progress", progress=lambda *pair: reported.append(pair))) == GIVEN
    assert reported == [(1, 3), (2, 3)]


def test_a_caller_that_is_interrupted_ends_the_child(ask: Ask) -> None:
    def interrupt(done: int, total: int) -> None:
        del done, total
        raise KeyboardInterrupt

    children: list[subprocess.Popen[bytes]] = []
    started = subprocess.Popen

    class Noted(started):  # type: ignore[misc, valid-type]
        def __init__(self, *given: object, **named: object) -> None:
            super().__init__(*given, **named)
            children.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", Noted)
        with pytest.raises(KeyboardInterrupt):
            ask("progress", progress=interrupt)
    assert children[0].returncode == -signal.SIGKILL


def test_a_system_without_resource_limits_processor_time(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['resource'] = None\n"
        "from certify.worker import Limits, limit\n"
        "limit(Limits(seconds=1, mebibytes=300))\n"
        "while True: pass\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=False, cwd=tmp_path)
    assert ended.returncode == worker.OUT_OF_TIME
    assert worker._cause_of_death(ended.returncode, b"", LIMITS) == (
        "it used more than 2 s of processor time"
    )


def test_a_stopped_child_resumes(ask: Ask) -> None:
    """As on a suspended machine or in a frozen container; longer than the seconds allowed."""

    def resume_later(child: int, _: int) -> None:
        threading.Thread(target=resume, args=[child]).start()

    def resume(child: int) -> None:
        while ") T " not in Path(f"/proc/{child}/stat").read_text():
            time.sleep(0.01)
        time.sleep(2.5)
        os.kill(child, signal.SIGCONT)

    assert json.loads(ask("stop", progress=resume_later)) == GIVEN


def test_a_job_sees_nothing_of_another_job(ask: Ask) -> None:
    assert [json.loads(ask("remember")) for _ in range(2)] == [False, False]


def test_a_job_is_done_in_the_folder_of_the_caller(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        (folder / f"{name}.pdf").touch()
        assert json.loads(ask("identify"))[3] == [f"{name}.pdf"]


def test_a_loader_is_used_again_and_replaced_if_it_has_died(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not worker.HAS_LOADERS:
        pytest.skip("no loader")
    first, second = (json.loads(ask("identify"))[:2] for _ in range(2))
    assert first[0] != second[0]
    assert first[1] == second[1]
    os.kill(first[1], signal.SIGKILL)
    worker._idle["task"]._process.wait()
    third = json.loads(ask("identify"))
    assert third[1] != first[1]
    monkeypatch.setenv("CERTIFY_OTHER", "1")
    assert json.loads(ask("identify"))[1] != third[1]


@pytest.mark.usefixtures("ask")
def test_jobs_of_several_threads_run_apart() -> None:
    answers: list[bytes] = []

    def identify() -> None:
        answers.append(run("task", b"identify", LIMITS, subject="Counting"))

    threads = [threading.Thread(target=identify) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    identities = [json.loads(answer) for answer in answers]
    assert len({identity[0] for identity in identities}) == 4
    assert len({identity[2] for identity in identities}) == 4
