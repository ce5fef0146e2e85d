"""Speed and memory of whole processes: ``python -m tools.bench [NAME…] [--runs N]``.

Nothing is judged here: a machine that is busy with other things is slower. The aims stand beside
what was measured, for two idle cores; before them, the processor time as a multiple of that of a
reference measured in the same run, the recount of every hand of seven cards.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.bench.measure import HEADER, ROOT, Run, line, run, summarize
from tools.results import record

CERTIFY = ("-m", "certify")
DRIVERS = ("-m", "tools.bench.drivers")
TABLE = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"
EXPOSED = "emperors-challenge-exposed/main/ace-high-push"
LARGEST = "emperors-challenge-exposed"

REFERENCE = "recount"

Prepare = Callable[[Path], None]
"""Brings a cache folder to the state in which a run starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One line: what runs, from which state, how often, and the aim for two idle cores.

    ``before`` are commands that prepare a folder, in which the measured one then runs; ``@*.pdf``
    among its arguments stands for the files there.
    """

    arguments: tuple[str, ...]
    aim: str
    before: tuple[tuple[str, ...], ...] = ()
    cold: Prepare | None = None
    runs: int = 5
    shown: bool = False


def nothing(cache: Path) -> None:
    """Remove all counts and all compiled code."""
    shutil.rmtree(cache, ignore_errors=True)


def clear_counts(cache: Path) -> None:
    """Remove all counts; keep compiled code."""
    shutil.rmtree(cache / "counts", ignore_errors=True)


def remove_rows(cache: Path) -> None:
    """Remove the rows of a sweep."""
    for folder in cache.parent.glob("*/out"):
        shutil.rmtree(folder)


def submit(game: str) -> tuple[tuple[str, ...], ...]:
    """Return the commands that write a signed submission into the folder ``made``."""
    return (
        (*CERTIFY, "keys", "init-dev", "--if-missing"),
        (*CERTIFY, "submit", game, "--jurisdiction", "nevada", "--out", "made"),
    )


SWEEP = (*CERTIFY, "sweep", "grid.json")


def main_wager(target: str, *more: str) -> tuple[str, ...]:
    return (*CERTIFY, "evaluate", target, *more)


BENCHES: Mapping[str, Bench] = {
    "version": Bench(arguments=(*CERTIFY, "--version"), aim="0.12 processor s"),
    "help": Bench(arguments=(*CERTIFY, "--help"), aim=""),
    "python": Bench(arguments=("-c", "pass"), aim=""),
    "check-file": Bench(
        arguments=(*CERTIFY, "check", f"paytables/{TABLE}.json"), aim="< 0.3", cold=nothing
    ),
    "check-file-again": Bench(
        arguments=(*CERTIFY, "check", f"paytables/{TABLE}.json"), aim="< 0.3"
    ),
    "check-all": Bench(arguments=(*CERTIFY, "check"), aim="< 0.5"),
    "check-many": Bench(
        arguments=(*DRIVERS, "checks"),
        aim="5,000 files < 8 processor s, 200 MiB; one of them < 2; SARIF < 9",
        runs=1,
        shown=True,
    ),
    "scaling": Bench(
        arguments=("-m", "tools.bench.scaling"), aim="slope at most 1", runs=1, shown=True
    ),
    "evaluate-cold": Bench(arguments=main_wager(TABLE), aim="< 0.4, 100 MiB", cold=nothing),
    "evaluate-pairs-cold": Bench(
        arguments=main_wager("dealer-open-pai-gow/push-ace-high/1"),
        aim="< 0.4, 100 MiB",
        cold=nothing,
    ),
    "solve-four-rows": Bench(
        arguments=(
            *CERTIFY,
            "solve",
            "commission-free-pai-gow-express/dynasty-bonus/3",
            "--edge",
            "7..8",
            "--open",
            "straight_flush,four_of_a_kind,full_house,flush",
        ),
        aim="< 2",
    ),
    "side-bets-of-all-games": Bench(arguments=(*DRIVERS, "side_bets"), aim="< 1", cold=nothing),
    "recount": Bench(arguments=(*DRIVERS, "recount"), aim="", runs=3),
    "exposed-cold": Bench(arguments=main_wager(EXPOSED), aim="< 12", cold=nothing, runs=2),
    "exposed-compiled": Bench(
        arguments=main_wager(EXPOSED), aim="< 6, 700 MiB", cold=clear_counts, runs=3
    ),
    "exposed-again": Bench(arguments=main_wager(EXPOSED), aim="< 1"),
    "concealed-optimum": Bench(
        arguments=main_wager("pai-gow-mania/main/commission-5-percent", "--strategy", "optimal"),
        aim="< 15",
        cold=clear_counts,
        runs=2,
    ),
    "mini-with-doubling": Bench(
        arguments=main_wager("mini-pai-gow/main"), aim="< 30", cold=clear_counts, runs=2
    ),
    "first-draft": Bench(
        arguments=(*DRIVERS, "draft"), aim="63 processor s", cold=nothing, runs=3, shown=True
    ),
    "second-draft": Bench(arguments=(*DRIVERS, "draft"), aim="12 processor s", runs=3, shown=True),
    "reproduce": Bench(
        arguments=(*CERTIFY, "reproduce", "--figures-only", "@made/*.mathematics.pdf"),
        aim="15.5 processor s",
        before=submit(LARGEST),
        cold=clear_counts,
        runs=3,
    ),
    "verify-100": Bench(
        arguments=(*CERTIFY, "verify", "@copies/*.pdf"),
        aim="35 processor s",
        before=(*submit("mini-pai-gow"), (*DRIVERS, "copies")),
        runs=3,
    ),
    "sweep": Bench(arguments=SWEEP, aim="", before=((*DRIVERS, "grid"),), cold=remove_rows, runs=3),
    "sweep-jobs": Bench(
        arguments=(*SWEEP, "--jobs", "2"),
        aim="1.5 times the row above",
        before=((*DRIVERS, "grid"),),
        cold=remove_rows,
        runs=3,
    ),
    "documents": Bench(
        arguments=("-m", "tools.bench.documents", LARGEST), aim="< 12, 400 MiB", runs=2
    ),
    "desk": Bench(
        arguments=(*DRIVERS, "desk"), aim="a page 0.1 processor s, an edit 0.05", runs=1, shown=True
    ),
    "soak": Bench(
        arguments=(*DRIVERS, "soak"), aim="150 MiB more after 200 drafts", runs=1, shown=True
    ),
}


def measure(bench: Bench, cache: Path, times: int | None) -> list[Run]:
    """Run a bench from its state; a warm one runs once unmeasured before."""
    environment = {
        "CERTIFY_CACHE": str(cache),
        "NUMBA_CACHE_DIR": str(cache / "compiled"),
        "CERTIFY_HOME": str(cache.parent / "home"),
        "PYTHONPATH": str(ROOT),
    }
    folder = Path(tempfile.mkdtemp(dir=cache.parent)) if bench.before else ROOT
    for command in bench.before:
        run(command, environment, folder=folder)
    arguments = [*_fill_in(bench.arguments, folder)]
    if bench.cold is not nothing:
        run(arguments, environment, folder=folder)
    found = []
    for _ in range(times or bench.runs):
        if bench.cold is not None:
            bench.cold(cache)
        found.append(run(arguments, environment, folder=folder))
    return found


def _fill_in(arguments: tuple[str, ...], folder: Path) -> Iterator[str]:
    for argument in arguments:
        if argument.startswith("@"):
            yield from map(str, sorted(folder.glob(argument[1:])))
        else:
            yield argument


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--runs", type=int, help="how often each is run")
    parser.add_argument("--record", action="store_true", help="write docs/results.json, too")
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in BENCHES]
    if unknown:
        parser.error(f"no bench {unknown[0]}; known: {', '.join(BENCHES)}")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0
    out(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {load:.1f}\n")
    out(HEADER)
    with tempfile.TemporaryDirectory(prefix="certify-bench-") as folder:
        cache = Path(folder) / "cache"
        reference = measure(BENCHES[REFERENCE], cache, given.runs)
        out(line(REFERENCE, reference, reference, ""))
        for name in given.names or BENCHES:
            if name == REFERENCE:
                continue
            bench = BENCHES[name]
            runs = measure(bench, cache, given.runs)
            out(line(name, runs, reference, bench.aim))
            if given.record:
                record(f"bench {name}", load=f"{load:.1f}", **summarize(runs))
            if bench.shown:
                out(runs[-1].output.rstrip())


def out(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
