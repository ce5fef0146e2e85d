"""A job as a page: how far it is, and the button that ends it."""

from collections.abc import Mapping
from typing import Any, TypeVar

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.desk.answers import NotHere, desk_of, moved, page, posted, refused, shown
from certify.desk.jobs import Job, Work
from certify.errors import CertifyError


def job_of(request: Request) -> Job:
    """Return the job that an address names.

    Raises:
        NotHere: there is none; an app that was closed remembers none.
    """
    job = desk_of(request).jobs.get(request.path_params["job"])
    if job is None:
        raise NotHere(
            "This app does not know the job: it ran before the app was last started.",
            remedy="Look for a finished submission in the folder that you chose; begin other work "
            "again.",
        )
    return job


def begun(
    request: Request,
    title: str,
    work: Work,
    arguments: Mapping[str, Any],
    *,
    then: str,
    back: str = "",
) -> Response:
    """Begin a piece of work and go to its page; see `certify.desk.jobs.Jobs.start`."""
    job = desk_of(request).jobs.start(title, work, arguments, then=then, back=back)
    return moved(f"/jobs/{job.id}")


Result = TypeVar("Result")


def result_of(request: Request, kind: type[Result], otherwise: CertifyError) -> Result:
    """Return what a job came to.

    Raises:
        CertifyError: what went wrong with it, or ``otherwise`` where it is of another kind.
        NotHere: there is none, or it has not ended.
    """
    job = job_of(request)
    if job.error is not None:
        raise job.error
    if not job.ended or job.cancelled:
        raise NotHere(f"{job.title}: there is no result.", remedy="Begin it again.")
    if not isinstance(job.result, kind):
        raise otherwise
    return job.result


def _show(request: Request) -> Response:
    job = job_of(request)
    if job.ended and not job.cancelled and job.error is None:
        return moved(job.then)
    if job.error is not None:
        return refused(request, job.error, back=job.back)
    return page(request, "job", {"job": job})


def _state(request: Request) -> Response:
    job = job_of(request)
    answer = page(request, "job_state", {"job": job})
    if job.ended:
        answer.headers["hx-redirect"] = f"/jobs/{job.id}"
    return answer


def _cancel(request: Request, _: FormData) -> Response:
    job = job_of(request)
    desk_of(request).jobs.cancel(job.id)
    return moved(f"/jobs/{job.id}")


ROUTES = (
    shown("/jobs/{job}", _show),
    shown("/jobs/{job}/state", _state),
    posted("/jobs/{job}/cancel", _cancel),
)
