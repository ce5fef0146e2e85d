"""Measurements in a new process that have no command of the CLI."""

import contextlib
import itertools
import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

from certify import library
from certify.intake.read import read_catalog
from certify.model.encoding import Step, Work
from certify.model.submission import Order
from tools.bench.measure import run


def side_bets() -> str:
    """Evaluate every side-bet paytable of all games."""
    from certify.figures.evaluate import evaluate_each

    catalog, _ = read_catalog(library.paytables())
    return f"{len(evaluate_each(catalog)[0])} paytables"


def recount() -> str:
    """Compare the census of seven cards with that of the recount, cell by cell.

    The counts of single ranks are left out: they make 826,055 cells of 25,726. So are features that
    are counted card by card, for up to six cards.
    """
    from certify.engine.hands.features import FEATURES
    from certify.model.vocabulary import CARD_FEATURES, RANK_COUNTS
    from tests.engine.census_audit import audit_census

    catalog, _ = read_catalog(library.paytables(), only="emperors-challenge-exposed")
    game = catalog.games["emperors-challenge-exposed"]
    features = FEATURES.keys() - RANK_COUNTS.keys() - CARD_FEATURES
    found = audit_census(game.hands, cards=7, features=features)
    return f"{found.hands} hands, {found.cells} cells, {len(found.differences)} differences"


SIZES = (1, 100, 1_000, 5_000)
HIGHEST, LEAST = (900, 250, 75, 50, 20, 9, 5, 3, 1), (300, 120, 40, 25, 12, 6, 4, 2, 1)
"""The pays of a paytable that is made up are between these, row by row."""


def checks() -> str:
    """Check projects with more and more paytables of one wager.

    All paytables twice, a single one, and all with a warning on each, as SARIF.
    """
    lines = ["   files  processor s cold, warm, one file named, SARIF of warnings  MiB"]
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            table = make_project(Path(folder), size)
            cache = {"CERTIFY_CACHE": f"{folder}/cache"}
            runs = [
                run(("-m", "certify", "check", str(path)), cache)
                for path in (Path(folder), Path(folder), table)
            ]
            make_project(Path(folder) / "rising", size, rising=True)
            command = ("-m", "certify", "check", f"{folder}/rising", "--format", "sarif")
            runs.append(run(command, cache))
            assert runs[-1].output.count('"ruleId": "P004"') >= size
        times = "  ".join(f"{each.processor:6.2f}" for each in runs)
        lines.append(f"  {size:6}  {times}  {max(each.memory for each in runs):6.0f}")
    return "\n".join(lines)


def make_project(folder: Path, size: int, *, rising: bool = False) -> Path:
    """Write a project with random pays in the paytables of one wager; return one of its files.

    If ``rising``, the last row of each pays more than the one before, which is a warning.
    """
    draw = random.Random(5)  # noqa: S311 - the same pays each time
    wager = folder / "paytables/mini-pai-gow/bonus"
    wager.mkdir(parents=True)
    (folder / "certify.toml").touch()
    value = json.loads((library.paytables() / "mini-pai-gow/bonus/A.json").read_bytes())
    value |= {"$schema": "paytable.schema.json", "assumptions": []}
    for number in range(size):
        value["id"] = value["name"] = f"T{number:05}"
        for row, least, highest in zip(value["rows"], LEAST, HIGHEST, strict=True):
            row["pays"] = f"{draw.randint(least, highest)} to 1"
        if rising:
            value["rows"][-1]["pays"] = f"{LEAST[-2] * 3} to 1"
        (wager / f"T{number:05}.json").write_text(json.dumps(value, indent=1), encoding="utf-8")
    return wager / "T00000.json"


class Stages:
    """A listener that notes the processor time at the beginning of each step and each part."""

    def __init__(self) -> None:
        """Begin with the steps before the first count."""
        self.begun: list[tuple[str, float]] = [("start, catalog and checks", 0.0)]

    def begin(self, step: Step) -> None:
        """Note the processor time of this process and of its children."""
        self.begun.append((step, sum(os.times()[:4])))

    def about(self, what: str) -> "Stages":
        """Note the beginning of a part; documents are printed side by side, so they are one."""
        if not what.startswith(Work.PRINTING):
            self.begun.append((what, sum(os.times()[:4])))
        return self

    def __call__(self, done: int, total: int) -> None:
        """Accept reports on the progress of a part."""

    def lines(self) -> list[str]:
        """Return the seconds of each part that took a second, and of all others."""
        ends = [*(begun for _, begun in self.begun[1:]), sum(os.times()[:4])]
        taken = [(end - begun, name) for (name, begun), end in zip(self.begun, ends, strict=True)]
        long = [(seconds, name) for seconds, name in taken if seconds >= 1]
        rest = sum(seconds for seconds, _ in taken) - sum(seconds for seconds, _ in long)
        return [f"  {seconds:6.1f} s  {name}" for seconds, name in [*long, (rest, "other parts")]]


def draft() -> str:
    """Make an unsigned draft of the largest game, and return the processor time by step."""
    from certify.commands.submit import submit

    order, stages = Order(game="emperors-challenge-exposed", jurisdiction="nevada"), Stages()
    with tempfile.TemporaryDirectory() as folder:
        submit(order, signing=None, out=Path(folder) / "out", progress=stages)
    return "\n".join(stages.lines())


COPIES, VARIANTS = 100, 1_000


def copies() -> str:
    """Copy the report of a submission, which is in the folder ``made``, into ``copies``."""
    (report,) = Path("made").glob("*.mathematics.pdf")
    Path("copies").mkdir()
    for number in range(COPIES):
        shutil.copy(report, f"copies/{number}.pdf")
    return f"{COPIES} files"


def grid() -> str:
    """Write a grid, and the paytables that it lists, into this folder."""
    from tools.bench.scaling import sweep

    return " ".join(sweep(Path.cwd(), VARIANTS))


EDITED = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"
"""The paytable with the most rows of those that are declared."""


PAGES = (
    "/", "/today", "/rules", "/rules/mini-pai-gow", "/house-ways", "/explain", "/compare", "/cases",
    "/verify", "/register", "/log", "/jobs", "/signers", "/deleted", "/games/mini-pai-gow",
    "/games/mini-pai-gow/bonus/T00000", "/filings/mini-pai-gow",
    "/submit?game=mini-pai-gow&jurisdiction=nevada",
)  # fmt: skip
"""Pages of a project with 300 paytables, each of which has an entry of the register."""


def desk() -> str:
    """Ask a web app for its pages, and edit a pay again and again, as a browser does.

    The seconds of processor time are those of its server.
    """
    from certify.filing.registration import Entry, add
    from certify.model.approval import ApprovalStatus
    from tests.desk.conftest import read_form
    from tests.desk.conftest import run as start

    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        make_project(project, 300)
        entry = Entry(
            target="mini-pai-gow", jurisdiction="nevada", status=ApprovalStatus.APPROVED,
            day=date(2026, 1, 5), letter=project / "certify.toml",
        )  # fmt: skip
        with contextlib.chdir(project):
            add(project / "register.json", entry)
        running = start(project)
        try:
            client, process = running.enter(), running.process.pid
            times = {page: _seconds(process, partial(client.get, page), 9) for page in PAGES}
            form = read_form(client.get(f"/games/{EDITED}"))
            pays = itertools.count(100)

            def edit() -> None:
                typed = {**form, "/rows/0/pays": f"{next(pays)} to 1"}
                client.post(f"/games/{EDITED}/edited", typed)

            times["an edit's new edge"] = _seconds(process, edit, 30)
        finally:
            running.end()
    return "\n".join(f"  {what:46} {seconds:5.2f}" for what, seconds in times.items())


def _seconds(process: int, ask: Callable[[], object], times: int) -> float:
    """Return the processor time that a process takes to answer, on average, after a first time."""
    ask()
    before = _processor_time(process)
    for _ in range(times):
        ask()
    return (_processor_time(process) - before) / times


def _processor_time(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


DRAFTS = 200
"""Drafts of a busy day."""


def soak() -> str:
    """Make drafts in one web app and return the memory of its server, at first and at the end."""
    from tests.commands.pair_plus import pair_plus
    from tests.desk.conftest import ORDER, finish
    from tests.desk.conftest import run as start

    memory: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        pair_plus(Path(folder) / "project")
        running = start(Path(folder) / "project")
        try:
            client, status = running.enter(), Path(f"/proc/{running.process.pid}/status")
            for number in range(DRAFTS):
                form = {**ORDER, "out": f"drafts/{number}", "signer": ""}
                answer = finish(client, client.post("/submit", form))
                if "Unsigned" not in client.get(answer.headers["location"]).text:
                    raise RuntimeError(f"Draft {number} was not made.")
                client.get("/cases")
                kibibytes = re.search(r"VmRSS:\s+(\d+) kB", status.read_text(encoding="ascii"))
                memory.append(int(kibibytes[1]) >> 10 if kibibytes else 0)
        finally:
            running.end()
    return f"  {memory[0]} MiB after one draft, {memory[-1]} after {DRAFTS}, most {max(memory)}"


if __name__ == "__main__":
    sys.stdout.write(f"{globals()[sys.argv[1]]()}\n")
