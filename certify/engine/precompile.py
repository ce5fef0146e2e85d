"""Compiler of the kernels for counts of two hands: ``python -m certify.engine.precompile``.

The smallest deck needs the same compiled code as a full one. Set-up runs this while it installs the
rest; without it, the first count runs it in parallel.
"""

import atexit
import contextlib
import subprocess
import sys
from threading import Thread

import numpy as np

from certify.kernels.class_arrays import class_splits, hand_classes
from certify.kernels.events import set_hands, staircase_points
from certify.kernels.features import Shape
from certify.kernels.pair_count import count_pairs


def compile_kernels() -> None:
    """Count a game of five cards from six ranks, the dealer's hand exposed."""
    classes = hand_classes(Shape(ranks=6, hand=5, front=1))
    splits = class_splits(classes)
    dealer = set_hands(splits, splits.frontier[:, 0], np.zeros(len(classes.counts), dtype=np.int64))
    count_pairs(classes, dealer, staircase_points(splits, dealer))


def start_compiler() -> None:
    """Start a process that compiles the kernels if no compiled kernel is cached on this machine.

    A count that needs a kernel being compiled waits for it and loads it.
    """
    from certify.kernels.numba_dispatcher import nothing_compiled

    # A packaged program is its own interpreter, and runs no module by its name.
    if not nothing_compiled() or getattr(sys, "frozen", False):
        return
    with contextlib.suppress(OSError):  # where no process can be begun, the count compiles
        begun = subprocess.Popen(  # noqa: S603 - our own program and module, no shell
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        Thread(target=begun.wait, daemon=True).start()
        atexit.register(begun.terminate)


if __name__ == "__main__":
    compile_kernels()
