"""Progress of a run: its steps and parts, as reported to a listener."""

from enum import StrEnum
from typing import Protocol, runtime_checkable

from certify.model.encoding import Progress


class Work(StrEnum):
    """The work on a part, as reported to a listener."""

    COUNTING = "Counting"
    COUNTING_AGAIN = "Counting again"
    PRINTING = "Printing"


@runtime_checkable
class Named(Protocol):
    """A listener that distinguishes the parts of a run."""

    def about(self, what: str) -> Progress:
        """Return the listener for one part, such as ``Counting mini-pai-gow/bonus/A``."""
        ...


def about(progress: Progress | None, work: Work, name: str) -> Progress | None:
    """Return the listener for one part of a run: a target, a document."""
    return progress.about(f"{work} {name}") if isinstance(progress, Named) else progress


class Step(StrEnum):
    """The steps of a submission, in their order."""

    FILED = "the filed wagers"
    OTHERS = "the other options, strategies and house ways"
    VERIFICATION = "the independent recount"
    DOCUMENTS = "the documents"


@runtime_checkable
class Stepped(Protocol):
    """A listener that distinguishes the steps of a run."""

    def begin(self, step: Step) -> None:
        """Begin a step."""
        ...


def begin(progress: Progress | None, step: Step) -> None:
    """Tell a listener that a step of a run begins."""
    listener: object = progress
    if isinstance(listener, Stepped):
        listener.begin(step)
