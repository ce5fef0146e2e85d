"""The walk as plain Python, so that coverage sees it, against the walk as compiled."""

import subprocess
import sys
from math import comb

from certify.kernels.partition.walk import walk

PLAIN = """
from certify.kernels.partition.walk import walk
print(sorted((tuple(seen), number) for seen, number in walk(ranks=3, hand=4, size=3).items()))
"""


def test_compiled_and_plain_walks_agree() -> None:
    compiled = walk(ranks=3, hand=4, size=3)
    plain = subprocess.run(
        [sys.executable, "-c", PLAIN],
        env={"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = sorted((tuple(seen), number) for seen, number in compiled.items())
    assert plain.stdout.strip() == str(expected)


def test_the_walk_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    walk(ranks=4, hand=4, size=3, threads=1, progress=lambda *seen: told.append(seen))
    assert told[-1] == (comb(17, 4), comb(17, 4))
    assert told == sorted(told)
