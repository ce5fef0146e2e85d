"""Progress that says what it is of: a listener may be told before each part of a long run."""

from enum import StrEnum
from typing import Protocol, runtime_checkable

from certify.model.progress import Progress


class Work(StrEnum):
    """What is done to a part, as a listener is told."""

    COUNTING = "Counting"
    COUNTING_AGAIN = "Counting again"
    PRINTING = "Printing"


@runtime_checkable
class Named(Protocol):
    """A listener that tells the parts of a run apart."""

    def about(self, what: str) -> Progress:
        """Return the listener for one part, such as ``Counting mini-pai-gow/bonus/A``."""
        ...


def about(progress: Progress | None, work: Work, name: str) -> Progress | None:
    """Return who is told how far one part of a run is: a target, a document."""
    return progress.about(f"{work} {name}") if isinstance(progress, Named) else progress
