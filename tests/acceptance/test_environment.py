import datetime as dt
import importlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from certify.cli import machine
from certify.errors import NotConfigured
from certify.signatures import identity_folder
from tests.marks import further

ROOT = Path(__file__).parents[2]
GOOD = str(ROOT / "paytables/mini-pai-gow/bonus/A.json")
TARGET = "mini-pai-gow/bonus/A"

COMMANDS = {
    "check": (["check", GOOD], 0),
    "findings": (["check", "bad.json"], 1),
    "evaluate": (["evaluate", TARGET], 0),
    "rule": (["rule", "P004"], 0),
    "nothing": (["check", "missing"], 3),
    "keys": (["keys", "list"], 0),
}
"""Commands, and how each ends in a sound environment."""
QUICK = ("check", "nothing")
QUICK_AND_LONG = [*QUICK, *further(name for name in COMMANDS if name not in QUICK)]

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    here = tmp_path / "here"
    here.mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (here / "bad.json").write_text("{", encoding="utf-8")

    def started(
        arguments: Sequence[str], *, prepare: Callable[[], None] | None = None, **streams: object
    ) -> subprocess.Popen[str]:
        process: subprocess.Popen[str] = subprocess.Popen(
            [sys.executable, "-B", "-m", "certify", *arguments],
            cwd=here,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
            text=True,
            preexec_fn=prepare,  # noqa: PLW1509 - no threads
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams,  # type: ignore[call-overload]
        )
        return process

    return started


def wait_for_end(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Return the exit code and standard error, after what holds in every environment."""
    _, said = process.communicate()
    said = said or ""
    assert process.returncode not in {70, 120}, said
    assert "Traceback" not in said
    assert "defect of certify" not in said
    return process.returncode, said


def close(descriptor: int) -> Callable[[], None]:
    return lambda: os.close(descriptor)


@pytest.mark.parametrize("name", QUICK_AND_LONG)
@pytest.mark.parametrize("descriptor", [0, 2])
def test_a_closed_input_or_log_changes_no_exit_code(
    start: Start, name: str, descriptor: int
) -> None:
    arguments, code = COMMANDS[name]
    assert wait_for_end(start(arguments, prepare=close(descriptor)))[0] == code


@pytest.mark.parametrize("name", QUICK_AND_LONG)
def test_a_closed_output_is_refused_since_no_result_can_be_seen(start: Start, name: str) -> None:
    code, said = wait_for_end(start(COMMANDS[name][0], prepare=close(1)))
    assert code == 2
    assert "Standard output is closed" in said


@pytest.mark.parametrize("name", QUICK_AND_LONG)
def test_a_closed_pipe_changes_no_exit_code(start: Start, name: str) -> None:
    """As in `certify check | head -1`; findings stay findings."""
    arguments, code = COMMANDS[name]
    reader, writer = os.pipe()
    process = start(arguments, stdout=writer)
    os.close(reader)
    os.close(writer)
    assert wait_for_end(process)[0] == code


@pytest.mark.parametrize("name", ["check", "evaluate", "rule", "keys"])
def test_a_full_device_is_no_success(start: Start, name: str) -> None:
    with Path("/dev/full").open("wb") as full:
        code, said = wait_for_end(start(COMMANDS[name][0], stdout=full))
    assert code == 2
    assert "No space left on device" in said


def test_the_version_on_a_full_device_is_no_success(start: Start) -> None:
    with Path("/dev/full").open("wb") as full:
        code, said = wait_for_end(start(["--version"], stdout=full))
    assert (code, said.count("\n")) == (2, 1)
    assert "No space left on device" in said


@pytest.mark.parametrize("name", QUICK_AND_LONG)
def test_messages_on_a_full_disk_change_no_exit_code(start: Start, name: str) -> None:
    arguments, code = COMMANDS[name]
    with Path("/dev/full").open("wb") as full:
        assert wait_for_end(start(arguments, stderr=full))[0] == code


@pytest.mark.parametrize("name", QUICK_AND_LONG)
def test_a_deleted_working_folder_is_refused(start: Start, tmp_path: Path, name: str) -> None:
    def delete() -> None:
        (tmp_path / "here/bad.json").unlink()
        (tmp_path / "here").rmdir()

    code, said = wait_for_end(start(COMMANDS[name][0], prepare=delete))
    assert code == 2
    assert "The working folder cannot be used" in said
    assert "Change to an existing folder." in said


@pytest.mark.parametrize("limit", [6, *further([10, 16])])
@pytest.mark.parametrize("name", ["check", "evaluate", "verify"])
def test_few_descriptors_are_refused_or_suffice(start: Start, name: str, limit: int) -> None:
    import resource

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    arguments, code = {**COMMANDS, "verify": (["verify", GOOD], 2)}[name]
    assert wait_for_end(start(arguments, prepare=few))[0] in {code, 2}


WAITING = """
import sys, tempfile, time
from certify.__main__ import main
from certify.worker import Limits, run
import certify.cli.records


def answer(job, progress):
    tempfile.mkdtemp()
    progress(1, 2)
    time.sleep(3600)

def wait(code):
    tempfile.mkdtemp(prefix="certify-")
    tell = lambda *_: print("here", flush=True)
    run("waiting", b"", Limits(seconds=600, mebibytes=1000), subject="Waiting", progress=tell)

if __name__ == "__main__":
    import certify.worker
    environment = certify.worker._environment
    here = sys.path[0]
    certify.worker._environment = lambda: {
        **environment(), "PYTHONPATH": environment()["PYTHONPATH"] + ":" + here
    }
    certify.cli.records.rule = wait
    main()
"""


@pytest.mark.parametrize("blow", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_removes_temporary_folders_and_ends_the_worker(
    tmp_path: Path, blow: signal.Signals
) -> None:
    (tmp_path / "waiting.py").write_text(WAITING, encoding="utf-8")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-B", "waiting.py", "rule", "P004"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # nohup and background shells ignore some signals, and a child inherits that.
        preexec_fn=lambda: signal.signal(blow, signal.SIG_DFL),  # noqa: PLW1509 - no threads
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    assert [*temporary.iterdir()]
    process.send_signal(blow)
    code, said = wait_for_end(process)
    assert code == 130
    assert "Interrupted" in said
    assert list(temporary.iterdir()) == []


IGNORED = """
import os, signal, time, weakref
from certify.__main__ import main
import certify.cli.records


class Subject:
    pass


def wait(code):
    subject = Subject()
    reference = weakref.ref(subject, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    del subject
    time.sleep(60)
    return 0

if __name__ == "__main__":
    certify.cli.records.rule = wait
    main()
"""


def test_a_signal_in_a_callback_ends_the_command(tmp_path: Path) -> None:
    """Python ignores every exception in a callback, such as those of its import system."""
    (tmp_path / "waiting.py").write_text(IGNORED, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-B", "waiting.py", "rule", "P004"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (130, "")
    assert "Interrupted" in ended.stderr
    assert "ignored" not in ended.stderr


# Reports of `certify doctor` on incomplete machines; Pango is in `test_everyday`


@pytest.fixture
def answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> "Answers":
    monkeypatch.setattr(machine, "folder", lambda: tmp_path)
    return Answers(capsys)


class Answers:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self) -> tuple[int, dict[str, str], str]:
        status = machine.doctor(None)
        *lines, last = self.capsys.readouterr().out.splitlines()
        return status, {line[9:]: line[:7].strip() for line in lines}, last


def refuse(*_: object) -> NoReturn:
    raise NotConfigured("It is not there.", remedy="Put it there.")


def test_a_machine_that_lacks_what_is_optional_is_fine(
    answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(machine, "project", lambda: None)
    status, items, last = answers()
    assert status == 0
    assert last == "All required parts are installed."
    assert {text.split(",")[0] for text, standing in items.items() if standing == "absent"} == {
        "an enclosing project (`certify init` creates one)",
        "a memory limit for reading foreign PDFs: this system has none; file size and processor "
        "time are limited",
        "a signing identity: `certify keys init-dev` creates one for drafts",
        "verapdf",
        "pdftoppm",
        "pdfsig",
    }
    assert "missing" not in items.values()


def test_a_project_and_identities_are_found(
    answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "project", lambda: tmp_path)
    for name in ("one.p12", "two.p12", "two.password"):
        (tmp_path / name).touch()
    status, items, _ = answers()
    assert status == 0
    assert items[f"project in {tmp_path}"] == "ok"
    assert items[f"signing identities in {tmp_path}: one, two"] == "ok"


@pytest.mark.parametrize("place", ["root", "project"])
def test_data_that_cannot_be_found_are_missing(
    answers: Answers, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(machine, place, refuse)
    status, items, last = answers()
    assert status == 2
    assert last == "A required part is missing. Commands that do not need it work."
    assert [text for text, standing in items.items() if standing == "missing"] == [
        "It is not there. Put it there."
    ]


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("numba", "numba, to count main wagers and audit house ways. Install certify[main-wager]"),
        ("uvicorn", "uvicorn, to run the web app. Install certify[desk]"),
    ],
)  # fmt: skip
def test_a_package_that_is_missing_is_named_with_its_extra(
    answers: Answers, monkeypatch: pytest.MonkeyPatch, module: str, said: str
) -> None:
    known = importlib.import_module

    def without(name: str) -> object:
        if name == module:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return known(name)

    monkeypatch.setattr(importlib, "import_module", without)
    status, items, _ = answers()
    assert status == 2
    (item,) = [item for item in items if item.startswith(said)]
    assert items[item] == "missing"


def describe(items: Mapping[str, str], start: str) -> list[tuple[str, str]]:
    return [(mark, text) for text, mark in items.items() if text.startswith(start)]


@pytest.mark.parametrize(
    ("days", "mark", "ending"),
    [(200, "ok", ""), (310, "warning", ", which is in 54 days"), (400, "warning", ", not now")],
)
def test_keys_and_roots_that_expire_are_told(
    days: int,
    mark: str,
    *,
    ending: str,
    answers: Answers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A key of one year, looked at so many days later."""
    tmp_path.chmod(0o700)
    now = dt.datetime.now(dt.UTC)
    today = now.date()
    _, root = identity_folder.make_archive(common_name="A Root", today=today, password="x")  # noqa: S106 - a throwaway
    identity_folder.init_development(tmp_path, name="Ada", today=today)

    monkeypatch.setattr(machine, "list_roots", lambda: {root: ()})
    clock = SimpleNamespace(now=lambda _: now + dt.timedelta(days=days))
    monkeypatch.setattr(machine, "dt", SimpleNamespace(UTC=dt.UTC, datetime=clock))
    status, items, _ = answers()
    assert status == 0
    for name in ("identity development-ada: ", "trusted root A Root: "):
        ((found, text),) = describe(items, name)
        end = today + dt.timedelta(days=365)
        assert (found, text.endswith(f" to {end}{ending}")) == (mark, True), text


def test_a_key_without_certificate_and_a_key_in_the_working_folder_are_told(
    answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.p12").touch()
    monkeypatch.chdir(tmp_path)
    _, items, _ = answers()
    assert describe(items, "one.p12: ") == [
        ("warning", "one.p12: one.pem is missing, so its dates are not known")
    ]
    assert describe(items, "one.p12 in this folder")[0][0] == "warning"


@pytest.mark.parametrize("name", ["CERTIFY_HOME", "CERTIFY_CACHE"])
def test_a_folder_that_cannot_be_written_is_told(
    name: str, answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(name, str(tmp_path / "file" / "below"))
    status, items, _ = answers()
    assert status == 0
    ((mark, text),) = describe(items, f"{tmp_path / 'file' / 'below'} cannot be written")
    assert mark == "warning"
    assert f"Fix: set {name} to a folder" in text


BANNER = """\
import importlib, os, sys
from certify.cli import machine
os.environ["LD_LIBRARY_PATH"] = ""
import cffi
def refuse(*_, **__):
    raise OSError("cannot load library 'libpango-1.0-0'")
cffi.FFI.dlopen = refuse
machine.doctor(None)
"""


def test_without_pango_the_printing_library_prints_no_lines_of_its_own() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", BANNER], capture_output=True, encoding="utf-8", check=False
    )
    assert "weasyprint, to print documents: cannot load library" in ended.stdout
    assert "external libraries" not in ended.stdout + ended.stderr
    assert ended.stderr == ""
