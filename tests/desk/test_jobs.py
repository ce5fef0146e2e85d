"""Work in a process of its own: what comes of it, and what ends it."""

import subprocess
import sys
import time
from typing import Any

import pytest

from certify.desk.jobs import KEPT, Job, Jobs, PipeProgress
from certify.errors import InvariantBroken, NotConfigured
from certify.pipeline.progress import Step

ROUND = """
from certify.desk.jobs import Jobs
from tests.desk.test_jobs import sleep

if __name__ == "__main__":
    job = Jobs().start("Sleep", sleep, {"seconds": 600}, then="/")
    while not job.of:
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


def ended(job: Job) -> Job:
    assert job.watch is not None
    job.watch.join()
    assert job.ended
    return job


def started(job: Job) -> Job:
    while not (job.of or job.ended):
        time.sleep(0.01)
    assert job.of
    return job


def test_what_comes_of_work_and_how_far_it_was() -> None:
    jobs = Jobs()
    job = jobs.start("Halve", halve, {"number": 8}, then="/job/{id}/done", back="/form")
    assert jobs.get(job.id) is ended(job)
    assert (job.result, job.error, job.cancelled) == (4, None, False)
    # The second of four steps is half done.
    assert (job.what, job.number, job.percent) == ("halves", "2 of 4", 37)
    job.done = 0
    assert (job.percent, job.back) == (37, "/form")
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
    job = ended(Jobs().start("Halve", halve, arguments, then="/"))
    assert job.result is None
    assert type(job.error) is kind
    assert str(job.error).startswith(says)


def test_work_that_was_killed_ended_without_a_result() -> None:
    job = started(Jobs().start("Sleep", sleep, {"seconds": 600}, then="/"))
    job.process.kill()
    assert str(ended(job).error) == "The work ended without a result."


def test_work_is_cancelled_alone_or_with_the_desk() -> None:
    jobs = Jobs()
    first, second = (
        started(jobs.start("Sleep", sleep, {"seconds": 600}, then="/")) for _ in range(2)
    )
    jobs.cancel(first.id)
    assert ended(first).cancelled
    assert first.error is None
    assert jobs.running == (second,)
    jobs.end()
    assert ended(second).cancelled
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
        ended(jobs.start("Halve", halve, {"number": number}, then="/")) for number in (2, 4, 6)
    )
    assert KEPT > 1
    assert jobs.get(first.id) is None
    assert jobs.get(second.id) is second
    assert jobs.get(third.id) is third
