"""One running desk: its address, its secrets, its jobs, and when it was last used."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from certify.desk.jobs import Jobs

HELD = 4
"""Verified files that are held in memory; each has 16 MiB at most."""


def _secret() -> str:
    return secrets.token_urlsafe(32)


@dataclass(slots=True, kw_only=True)
class Desk:
    """What lives as long as the desk runs; none of it is written anywhere.

    ``entry`` is the token of the first address, empty once it was used. ``session`` is the value of
    the cookie, ``csrf`` what every form carries. ``stop`` ends the server.
    """

    port: int
    stop: Callable[[], None] = lambda: None
    entry: str = field(default_factory=_secret, repr=False)
    session: str = field(default_factory=_secret, repr=False)
    csrf: str = field(default_factory=_secret, repr=False)
    jobs: Jobs = field(default_factory=Jobs)
    used: float = field(default_factory=time.monotonic)
    held: dict[str, tuple[str, bytes]] = field(default_factory=dict, repr=False)
    """The files that were verified last, with their names, for a signature more; by an id."""

    read_only: bool = False
    """Whether its pages are written as files, without anything that changes something."""

    @property
    def host(self) -> str:
        """The only name that it answers to."""
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        """The origin of its pages."""
        return f"http://{self.host}"

    @property
    def address(self) -> str:
        """The address that lets a browser in, once."""
        return f"{self.origin}/?token={self.entry}"

    @property
    def cookie(self) -> str:
        """Name and value of the cookie; the port tells two desks apart."""
        return f"certify-desk-{self.port}={self.session}"

    def hold(self, name: str, data: bytes) -> str:
        """Hold a verified file until others take its place; return its id."""
        held = secrets.token_urlsafe(9)
        self.held[held] = (name, data)
        for old in list(self.held)[:-HELD]:
            del self.held[old]
        return held

    def touch(self) -> None:
        """Note that somebody is here."""
        self.used = time.monotonic()

    def idle(self) -> float:
        """Return for how many seconds nobody has asked anything and nothing was running."""
        if self.jobs.running:
            self.touch()
        return time.monotonic() - self.used
