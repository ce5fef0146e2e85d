"""Full disks, kills, read-only places, odd environments: nothing half-written, a plain error.

Elsewhere: each writer (`tests/faults`), the store of counts (`tests/engine/test_count_cache.py`),
and a long count that is interrupted (`test_everyday.py`).
"""

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import pytest

from certify import storage
from certify.project_log import LOG
from tests.acceptance.command_line import OWN_DOCUMENT, ROOT, Certify
from tests.homes import new_home

LIBRARY = ROOT / "fixtures" / "valid" / "library"
BROKEN = ROOT / "fixtures/invalid/P003/twice/library/sample-game/bonus/2.json"
TABLE = "sample-game/bonus/1"
EVALUATE = ("evaluate", TABLE, "--format", "json")
BASELINE = ("check", str(BROKEN), "--write-baseline", "--baseline", "PLACE/known.json")
NEW_GAME = ("new", "game", "mine", "--like", "sample-game", *OWN_DOCUMENT, "--out", "PLACE")
RUN = "from certify.cli.app import run; sys.exit(run(sys.argv[1:]))"

STRIDE = 3
"""Calls between two failures: prime to the five of one file, so that each kind has its turn."""

Environment = dict[str, str]


@pytest.fixture
def small(tmp_path: Path) -> Environment:
    folder = tmp_path / "small library"
    folder.mkdir()
    for name in ("schemas", "templates"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(LIBRARY, folder / "paytables")
    return {
        "CERTIFY_LIBRARY": str(folder),
        "CERTIFY_CACHE": str(tmp_path / "cache"),
        "CERTIFY_HOME": str(new_home(tmp_path / "home")),
    }


@pytest.fixture
def set_up(small: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in small.items():
        monkeypatch.setenv(name, value)


def replace_place(place: Path, arguments: Sequence[str]) -> list[str]:
    return [argument.replace("PLACE", str(place)) for argument in arguments]


def start(arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-B", "-m", "certify", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Shells start what runs in the background deaf to interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - no threads
    )


def files(folder: Path) -> dict[str, bytes]:
    """List the files of a folder, without the log and hidden files of a write that was killed."""
    every = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in every
        if path.name != LOG and (not path.name.startswith(".") or path.parent.name.startswith("."))
    }


class Failing:
    """The system calls of a write: they do so many times what they should, and no more."""

    CALLS = (
        *((os, "mkdir"), (storage, "write_sibling"), (os, "fsync")),
        *((os, "chmod"), (os, "replace")),
    )

    def __init__(self, number: int, after: int) -> None:
        self.number = number
        self.after = after
        self.calls = 0

    def __enter__(self) -> Self:
        self.patch = pytest.MonkeyPatch()
        for owner, name in self.CALLS:
            self.patch.setattr(owner, name, self._around(getattr(owner, name)))
        return self

    def __exit__(self, *_: object) -> None:
        self.patch.undo()

    def _around(self, call: Callable[..., object]) -> Callable[..., object]:
        def called(*given: object, **named: object) -> object:
            self.calls += 1
            if self.calls > self.after:
                raise OSError(self.number, os.strerror(self.number))
            return call(*given, **named)

        return called


@pytest.mark.usefixtures("set_up")
@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (("init", "PLACE/mine"), errno.ENOSPC),
        (NEW_GAME, errno.ENOSPC),
        (BASELINE, errno.ENOSPC),
        (BASELINE, errno.EROFS),
    ],
    ids=["init-full", "new-full", "baseline-full", "baseline-read-only"],
)
def test_a_write_that_fails_at_any_call_can_be_made_again(
    arguments: tuple[str, ...],
    number: int,
    certify: Certify,
    tmp_path: Path,
) -> None:
    whole, place = tmp_path / "whole", tmp_path / "place"
    assert certify(*replace_place(whole, arguments)).code == 0
    failed = 0
    for after in range(0, 10_000, STRIDE):
        with Failing(number, after):
            ended = certify(*replace_place(place, arguments))
        if ended.code == 0:
            break
        failed += 1
        assert (ended.code, ended.out) == (2, "")
        assert os.strerror(number) in ended.err
        assert "Fix: " in ended.err
        assert files(place).items() <= files(whole).items()
    assert failed > 1
    assert files(place) == files(whole) != {}


@pytest.mark.usefixtures("set_up")
def test_an_interrupt_after_any_file_leaves_all_or_none(
    certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole"
    assert certify(*replace_place(whole, NEW_GAME)).code == 0
    rename, count = os.replace, len(files(whole))
    for after in range(1, count + 1):
        named = 0

        def interrupted(old: str, new: str, after: int = after) -> None:
            nonlocal named
            rename(old, new)
            named += 1
            if named == after:
                raise KeyboardInterrupt

        place = tmp_path / f"place-{after}"
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", interrupted)
            assert certify(*replace_place(place, NEW_GAME)).code == 130
        assert files(place) == (files(whole) if after == count else {})


def test_a_disk_that_takes_no_byte_costs_no_figure(small: Environment, spawn: Certify) -> None:
    limited = f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); {RUN}"
    full = subprocess.run(
        [sys.executable, "-B", "-c", limited, *EVALUATE],
        env={**os.environ, "PYTHONPATH": str(ROOT), **small},
        capture_output=True,
        text=True,
        check=False,
    )
    sound = spawn(*EVALUATE, environment=small)
    assert (full.returncode, full.stdout) == (sound.code, sound.out)
    assert sound.json


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_what_is_stopped_at_a_random_moment_leaves_whole_files(
    blow: signal.Signals, small: Environment, tmp_path: Path
) -> None:
    """A game of twelve files is written; an interrupt takes away what there is, a kill cannot."""
    rng = random.Random(1)  # noqa: S311 - moments, not secrets
    _, said = (process := start(replace_place(tmp_path / "whole", NEW_GAME), small)).communicate()
    assert process.returncode == 0, said
    whole = files(tmp_path / "whole")
    for number in range(4):
        place = tmp_path / f"place-{number}"
        process = start(replace_place(place, NEW_GAME), small)
        while process.poll() is None and not place.exists():
            time.sleep(0.0005)
        time.sleep(rng.random() / 50)
        process.send_signal(blow)
        process.communicate()
        left = files(place)
        assert left.items() <= whole.items()
        if blow is signal.SIGINT:
            assert left in ({}, whole)


def test_a_count_that_is_killed_at_a_random_moment_leaves_no_wrong_figure(
    small: Environment, spawn: Certify, tmp_path: Path
) -> None:
    rng = random.Random(1)  # noqa: S311 - moments, not secrets
    sound = spawn(*EVALUATE, environment={**small, "CERTIFY_CACHE": str(tmp_path / "another")})
    for _ in range(3):
        process = start(EVALUATE, small)
        time.sleep(rng.random())
        process.kill()
        process.communicate()
    after = spawn(*EVALUATE, environment=small)
    assert (after.code, after.out) == (0, sound.out)


def test_two_at_once_with_one_cache_and_one_output_give_what_one_gives(
    small: Environment, spawn: Certify, tmp_path: Path
) -> None:
    shared, alone = tmp_path / "shared", tmp_path / "alone"  # files are relative to the baseline
    shared.mkdir()
    alone.mkdir()
    written = replace_place(shared, BASELINE)
    asked = (EVALUATE, EVALUATE, written, written)
    together = [start(arguments, small) for arguments in asked]
    printed = [item.communicate()[0] for item in together]
    assert [item.returncode for item in together] == [0] * 4
    assert printed[0] == printed[1] == spawn(*EVALUATE, environment=small).out
    spawn(*replace_place(alone, BASELINE), environment=small)
    assert (shared / "known.json").read_bytes() == (alone / "known.json").read_bytes()
    assert not list(shared.glob(".known*"))


def test_a_clock_that_is_set_back_leaves_no_stale_figure(
    small: Environment, spawn: Certify
) -> None:
    """The cache was written in the future, and a paytable changed long ago."""
    before = spawn(*EVALUATE, environment=small)
    table = Path(small["CERTIFY_LIBRARY"]) / "paytables" / f"{TABLE}.json"
    value = json.loads(table.read_bytes())
    value["rows"][0]["pays"] = "7 to 1"
    table.write_text(json.dumps(value), encoding="utf-8")
    os.utime(table, (0, 0))
    for kept in Path(small["CERTIFY_CACHE"]).rglob("*"):
        os.utime(kept, (4_000_000_000, 4_000_000_000))
    after = spawn(*EVALUATE, environment=small)
    fresh = spawn(*EVALUATE, environment={**small, "CERTIFY_CACHE": small["CERTIFY_HOME"] + "2"})
    assert (before.code, after.code) == (0, 0)
    assert before.out != after.out == fresh.out


def test_no_home_and_no_locale_cost_no_figure(small: Environment, spawn: Certify) -> None:
    nowhere = dict.fromkeys(("HOME", "CERTIFY_HOME", "CERTIFY_CACHE"), "/dev/null/none")
    bare = {**nowhere, "NUMBA_CACHE_DIR": "", "LC_ALL": "C", "LANG": ""}
    ended = spawn(*EVALUATE, environment={**small, **bare})
    assert (ended.code, ended.out) == (0, spawn(*EVALUATE, environment=small).out)


def test_names_with_blanks_and_letters_of_any_script(
    small: Environment, spawn: Certify, tmp_path: Path
) -> None:
    folder = tmp_path / "Tisch 5 – größer 牌 🂡"
    folder.mkdir()
    table = shutil.copy(BROKEN, folder / "mein Blatt (2).json")
    known = folder / "bekannte Fünde.json"
    plain = {**small, "LC_ALL": "C"}
    found = spawn("check", table, "--format", "json", environment=plain)
    assert found.code == 1, found.err
    assert {finding["file"] for finding in found.json["findings"]} == {str(table)}
    given = ("--write-baseline", "--baseline", known)
    assert spawn("check", table, *given, environment=plain).code == 0
    assert len(json.loads(known.read_bytes())["findings"]) == len(found.json["findings"])
