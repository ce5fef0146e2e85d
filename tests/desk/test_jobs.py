import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from certify.desk.jobs import (
    Bar,
    Job,
    JobRecord,
    Jobs,
    JobState,
    PipeProgress,
    load,
    locate_records,
)
from certify.errors import InvariantBroken, NotConfigured
from certify.model.encoding import Step
from tests.commands.pair_plus import pair_plus
from tests.desk.conftest import ORDER, finish, run

ROUND = """
from certify.desk.jobs import Jobs
from tests.desk.test_jobs import sleep

if __name__ == "__main__":
    job = Jobs().start("Sleep", sleep, {"seconds": 600}, then="/")
    while not job.bar.of:
        pass
"""


def halve(progress: PipeProgress, number: int) -> int:
    progress.begin(Step.OTHERS)
    progress.about("halves")(1, 2)
    if number % 2:
        raise NotConfigured("An odd number has no half.", remedy="Give an even one.")
    return number // 2


def sleep(progress: PipeProgress, seconds: int) -> None:
    progress(1, 2)
    time.sleep(seconds)


def await_end(job: Job) -> Job:
    assert job.watch is not None
    job.watch.join()
    assert job.ended
    return job


def await_start(job: Job) -> Job:
    while not (job.bar.of or job.ended):
        time.sleep(0.01)
    assert job.bar.of
    return job


def test_what_comes_of_work_and_how_far_it_was() -> None:
    jobs = Jobs()
    job = jobs.start("Halve", halve, {"number": 8}, then="/job/{id}/done", back="/form")
    assert jobs.get(job.id) is await_end(job)
    assert (job.result, job.error, job.cancelled) == (4, None, False)
    assert (job.bar.what, job.bar.number, job.back) == ("halves", "2 of 4", "/form")
    assert job.then == f"/job/{job.id}/done"
    assert jobs.running == ()


@pytest.mark.parametrize(
    ("arguments", "kind", "says"),
    [
        ({"number": 7}, NotConfigured, "An odd number has no half."),
        ({"number": "eight"}, InvariantBroken, "TypeError: not all arguments converted"),
    ],
)
def test_why_work_failed(arguments: dict[str, Any], kind: type[Exception], says: str) -> None:
    job = await_end(Jobs().start("Halve", halve, arguments, then="/"))
    assert job.result is None
    assert type(job.error) is kind
    assert str(job.error).startswith(says)


def test_work_that_was_killed_ended_without_a_result() -> None:
    job = await_start(Jobs().start("Sleep", sleep, {"seconds": 600}, then="/"))
    job.process.kill()
    assert str(await_end(job).error) == "The work ended without a result."


def test_work_is_cancelled_alone_or_with_the_desk() -> None:
    jobs = Jobs()
    first, second = (
        await_start(jobs.start("Sleep", sleep, {"seconds": 600}, then="/")) for _ in range(2)
    )
    jobs.cancel(first.id)
    assert await_end(first).cancelled
    assert first.error is None
    assert jobs.running == (second,)
    jobs.end()
    assert await_end(second).cancelled
    jobs.cancel(second.id)
    jobs.cancel("no such job")


def test_work_ends_with_a_desk_that_does_not_end_it() -> None:
    said = subprocess.run(
        [sys.executable, "-c", ROUND], check=False, capture_output=True, text=True
    )
    assert said.returncode == 0, said.stderr


def test_the_latest_ended_jobs_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certify.desk.jobs.KEPT", 1)
    jobs = Jobs()
    first, second, third = (
        await_end(jobs.start("Halve", halve, {"number": number}, then="/")) for number in (2, 4, 6)
    )
    assert jobs.get(first.id) is None
    assert jobs.get(second.id) is second
    assert jobs.get(third.id) is third


def test_a_step_takes_the_share_of_the_bar_that_it_costs() -> None:
    bar = Bar(now=lambda: 0)
    shares = []
    for step in Step:
        bar.tell("", 0, 1, step)
        shares.append(bar.percent)
    assert shares == [0, 70, 75, 80]
    for number in range(3):
        bar.tell(f"part {number}", 1, 1, Step.DOCUMENTS)
        shares.append(bar.percent)
    assert shares[4:] == [90, 93, 95]
    bar.tell("part 0", 0, 1, Step.FILED)
    assert bar.percent == 95  # it never falls


def test_the_time_left_follows_the_share_that_is_done() -> None:
    clock = [0]
    bar = Bar(now=lambda: clock[0])
    told = [(bar.percent, bar.left)]
    clock[0] = 600
    bar.tell("", 1, 2, None)  # half of a job without steps in ten minutes
    assert [*told, (bar.percent, bar.left)] == [(0, None), (50, 11)]


def run_jobs() -> tuple[Job, ...]:
    jobs = Jobs()
    done, failed = (
        await_end(jobs.start("Halve", halve, {"number": number}, then="/x", back="/", lasting="/y"))
        for number in (8, 7)
    )
    lost = await_start(jobs.start("Sleep", sleep, {"seconds": 600}, then="/", back="/form"))
    jobs.end()
    assert lost.watch is not None
    lost.watch.join()
    return done, failed, lost


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def find(records: tuple[JobRecord, ...], job: Job) -> JobRecord:
    return next(record for record in records if record.id == job.id)


@pytest.mark.usefixtures("own_home")
def test_jobs_are_listed_after_a_restart_of_the_app() -> None:
    done, failed, lost = run_jobs()
    records, problems = Jobs().earlier()
    assert problems == ()
    assert len(records) == 3
    assert (find(records, done).state, find(records, done).address) == (JobState.FINISHED, "/y")
    assert find(records, failed).message == "An odd number has no half."
    assert find(records, failed).address == ""
    # A record of a running job is of one that the app has ended.
    assert (find(records, lost).state, find(records, lost).back) == (JobState.RUNNING, "/form")
    path = locate_records() / f"{done.id}.json"  # as an earlier version wrote it
    path.write_text(path.read_text("utf-8").replace("{", '{"spent": {"count": 1},', 1), "utf-8")
    assert Jobs().earlier()[1] == ()


def test_an_unreadable_record_is_named_and_the_number_is_limited(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = Jobs()
    job = await_end(jobs.start("Halve", halve, {"number": 8}, then="/"))
    folder = locate_records()
    assert folder.is_relative_to(own_home)
    path = folder / f"{job.id}.json"
    text = path.read_text("utf-8")
    for place, broken in enumerate((text[:40], text.replace('"/', '"//evil'), "[]")):
        (folder / f"broken-{place}.json").write_text(broken, encoding="utf-8")
    records, problems = load(folder)
    assert [record.id for record in records] == [job.id]
    assert len(problems) == 3
    assert "broken-0.json" in " ".join(problems)
    monkeypatch.setattr("certify.desk.jobs.KEPT", 2)
    await_end(jobs.start("Halve", halve, {"number": 8}, then="/"))
    assert len([*folder.iterdir()]) == 2


def test_a_job_runs_where_it_cannot_be_recorded(own_home: Path) -> None:
    own_home.write_text("no folder", encoding="utf-8")
    jobs = Jobs()
    assert await_end(jobs.start("Halve", halve, {"number": 8}, then="/")).result == 4
    assert jobs.earlier()[1][0].startswith("The job is not recorded: ")


@pytest.mark.long
def test_the_page_of_jobs_lists_those_before_a_restart(tmp_path: Path) -> None:
    folder, home = tmp_path / "project", {"CERTIFY_HOME": str(tmp_path / "home")}
    pair_plus(folder)
    first = run(folder, **home)
    client = first.enter()
    asked = {**ORDER, "out": "drafts"}
    written = finish(client, client.post("/submit", asked)).headers["location"]
    long = client.post("/options/mini-pai-gow/main/1/count", {}).headers["location"]
    assert "Close the app?" in client.post("/stop", {}).text
    first.end()

    second = run(folder, **home)
    try:
        client = second.enter()
        shown = client.get("/jobs").text
        row = next(row for row in shown.split("<tr>") if "Draft of Three Card Poker" in row)
        assert f'href="{written.partition("?")[0]}"' in row
        assert ">finished<" in row
        row = next(row for row in shown.split("<tr>") if "Mini Pai Gow" in row)
        assert "unfinished: the app was closed" in row
        assert 'href="/options/mini-pai-gow/main/1" aria-label="Start' in row
        assert client.get(long).headers["location"] == "/jobs"
    finally:
        second.end()
