"""Files and keys that a command uses, for the log of the project; see `certify.project_log`."""

from contextvars import ContextVar
from pathlib import Path
from typing import Final

Digests = dict[Path, str | None]


class Activity:
    """Digests (SHA-256) of files, and names of keys by their fingerprint (SHA-256).

    An output has no digest if it was removed, an input if it is larger than what commands read.
    """

    def __init__(self) -> None:
        self.inputs: Digests = {}
        self.outputs: Digests = {}
        self.keys: dict[str, str] = {}


activity: Final = ContextVar("activity", default=Activity())  # noqa: B039 - one for all threads
"""What this process has used; in a thread of the web app, what its request has used."""
