"""Work divided over the processors of the machine."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .hands import Progress

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

_given: list[Any] = []
_counter: "list[Synchronized[int]]" = []


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def advance() -> None:
    """Note that one more step of the work is done."""
    if _counter:
        with _counter[0].get_lock():
            _counter[0].value += 1


def _start(given: object, counter: "Synchronized[int]") -> None:
    _given[:], _counter[:] = [given], [counter]


def _call(job: tuple[Callable[[Any, Any], Any], Any]) -> Any:  # noqa: ANN401 - what it returns
    function, part = job
    return function(_given[0], part)


def run_parts(
    function: Callable[[Any, Any], Any],
    given: object,
    parts: Iterable[object],
    *,
    processes: int | None = None,
    steps: int = 0,
    progress: Progress | None = None,
) -> Iterator[Any]:
    """Yield ``function(given, part)`` for every part, in their order.

    Args:
        function: a function of a module.
        given: arguments for every part.
        parts: the parts of the work.
        processes: number of processes, that of the processors if not given; 1 uses this one.
        steps: total number of calls of `advance`.
        progress: receives the number of finished steps.
    """
    processes = processes or processors()
    if processes <= 1:
        yield from (function(given, part) for part in parts)
        return
    from multiprocessing import get_context  # a count in one process does without

    context = get_context()
    counter = context.Value("q", 0)
    jobs = [(function, part) for part in parts]
    with context.Pool(processes, _start, (given, counter)) as pool:
        results = pool.map_async(_call, jobs, chunksize=1)
        while not results.ready():
            results.wait(1)
            if progress and steps:
                progress(min(counter.value, steps), steps)
        yield from results.get()
