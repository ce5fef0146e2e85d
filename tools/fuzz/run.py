"""Send mutated files to every entry point and collect each answer that is not a plain one."""

import random
import re
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.fuzz.entry_points import EntryPoint
from tools.fuzz.mutations import mutate
from tools.fuzz.surface import TooLong, read_defect

FRAME = re.compile(r'File ".*?/certify/(\S+\.py)", line \d+, in (\w+)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A file that caused a defect: the entry point, the error, its place, and the file."""

    entry: str
    what: str
    where: str
    data: bytes
    trace: str


@dataclass(slots=True)
class Run:
    """The choices of a seed, and their result."""

    seed: int
    files: int = 0
    longest: tuple[float, str] = (0.0, "")
    failures: dict[tuple[str, str], Failure] = field(default_factory=dict)


def fuzz(
    entries: Sequence[EntryPoint],
    seed: int,
    *,
    files: int | None = None,
    seconds: float = 0,
    report: Callable[[Failure], object] = lambda _: None,
) -> Run:
    """Send so many mutated files, or files for so many seconds, through the entry points.

    A failure is reported when it is the first of its kind and place.
    """
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    run = Run(seed)
    end = time.monotonic() + seconds
    everything = [seed for entry in entries for seed in entry.seeds if seed.startswith(b"{")]
    while run.files < files if files is not None else time.monotonic() < end:
        entry = rng.choices(entries, [entry.weight for entry in entries])[0]
        data = mutate(rng.choice(entry.seeds), everything, rng)
        run.files += 1
        start = time.process_time()
        failure = send(entry, data)
        run.longest = max(run.longest, (time.process_time() - start, entry.name))
        if failure is not None and (failure.what, failure.where) not in run.failures:
            run.failures[failure.what, failure.where] = failure
            report(failure)
    return run


def send(entry: EntryPoint, data: bytes) -> Failure | None:
    """Send a file to an entry point; return its failure, or None if it answers correctly."""
    try:
        given = entry.read(data)
    except (Exception, TooLong) as error:  # noqa: BLE001 - that is what is sought
        what, trace = type(error).__name__, "".join(traceback.format_exception(error))
    else:
        if given.is_plain:
            return None
        what, trace = f"exit code {given.code}", f"{given.errors}\n{read_defect()}"
    frames = FRAME.findall(trace) or [("tests", "fuzz")]
    where = ":".join(frames[-1])
    return Failure(entry=entry.name, what=what, where=where, data=data, trace=trace[-3000:])


def keep(failure: Failure, folder: Path) -> Path:
    """Write a failure's file and its trace, to be looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{failure.entry}-{failure.what}-{failure.where}".replace("/", "-").replace(" ", "-")
    (folder / f"{name}.txt").write_text(failure.trace, encoding="utf-8", errors="replace")
    path = folder / f"{name}.file"
    path.write_bytes(failure.data)
    return path
