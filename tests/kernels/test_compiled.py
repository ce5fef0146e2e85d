"""Compiled code: each signature once a machine, whoever asks for it and however it is written."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from numba.core import config

from certify.engine.deck import compile_kernels, start_compiler
from certify.kernels import class_arrays, dominance, event_lists, events, pair_count
from certify.kernels.compiled import Kernel

KERNELS = "ask", "add_query", "find_corner"
"""One that is called, and those that it calls, some of them with numbers written out."""

PROGRAM = """
import sys
from numba.core import event

class Compilations(event.Listener):
    def on_start(self, happened):
        if happened.data["dispatcher"].py_func.__module__.startswith("certify"):
            print(happened.data["dispatcher"].py_func.__name__, flush=True)

    def on_end(self, happened):
        pass

import numpy as np
from certify.kernels.events import SetHands, fixed_points
event.register("numba:compile", Compilations())
print("ready", flush=True)
sys.stdin.readline()
keys = np.arange(3)
hands = SetHands(high=keys, low=keys, label=keys)
print(len(fixed_points(hands, hands).row))
"""


def begin(cache: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_programs_compile_each_signature_once(tmp_path: Path) -> None:
    programs = [begin(tmp_path / "compiled") for _ in range(2)]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:  # both at once: neither finds anything compiled
        assert program.stdin is not None
        program.stdin.write("\n")
        program.stdin.flush()
    printed = [program.communicate()[0].split() for program in programs]
    assert printed[0].pop() == printed[1].pop(), "the same number of queries"
    assert Counter(printed[0] + printed[1]) == Counter(KERNELS)


def test_a_small_deck_compiles_every_kernel_of_the_count_for_one_signature() -> None:
    compile_kernels()
    rooms = class_arrays, events, event_lists, pair_count, dominance
    kernels = {
        value for room in rooms for value in vars(room).values() if isinstance(value, Kernel)
    }
    for kernel in kernels:  # one that is only called by others is not loaded once they are kept
        name = f"{kernel.__module__.rpartition('.')[2]}.{kernel.__wrapped__.__name__}"
        folder = kernel.dispatcher.stats.cache_path  # type: ignore[attr-defined] # numba's
        compiled = Path(folder).glob(f"{name}-*.nbc")
        assert len(list(compiled)) == 1, name


def test_a_count_precompiles_kernels_if_none_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[list[str]] = []

    class Begun:
        def __init__(self, command: list[str], **_: object) -> None:
            begun.append(command)
            if len(begun) > 1:
                raise BlockingIOError

        def wait(self) -> int:
            return 0

        def terminate(self) -> None: ...

    monkeypatch.setattr(subprocess, "Popen", Begun)
    monkeypatch.setattr(config, "DISABLE_JIT", 0)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    start_compiler()
    assert begun == []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    start_compiler()
    assert begun == [[sys.executable, "-P", "-m", "certify.engine.deck"]]
    start_compiler()  # no process can be begun: the count compiles itself
    assert len(begun) == 2


def test_the_compiler_is_loaded_by_the_first_call() -> None:
    loaded = "print('numba' in sys.modules)"
    program = f"import sys; from certify.kernels.event_lists import unpack_key; {loaded}"
    called = f"{program}; unpack_key(1, 0, 0); {loaded}"
    ran = subprocess.run([sys.executable, "-c", called], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True"]
