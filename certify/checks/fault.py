"""What a judge objects to, and where, before it is a finding in a file."""

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import TypeVar

from certify.model.finding import Severity

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Fault:
    """A place at which something is wrong: the key of the file, a pointer, what is wrong.

    ``remedy`` and ``severity`` are those of the check where they are left out. ``related`` are the
    keys of other files that take part in it.
    """

    key: str
    pointer: str
    message: str
    remedy: str = ""
    _: KW_ONLY
    severity: Severity | None = None
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Location:
    """A part of a declared file: the file's key, a pointer, and its index in the list around it."""

    key: str
    pointer: str = ""
    index: int = 0

    def inner(self, pointer: str) -> "Location":
        """Return the part at ``pointer`` from here."""
        return Location(self.key, f"{self.pointer}{pointer}")

    def items(self, pointer: str, values: Iterable[Item]) -> Iterator[tuple[Item, "Location"]]:
        """Yield the items of the list at ``pointer`` from here, each with its location."""
        for index, value in enumerate(values):
            yield value, Location(self.key, f"{self.pointer}{pointer}/{index}", index)

    def fault(
        self,
        inner: str,
        message: str,
        remedy: str = "",
        *,
        severity: Severity | None = None,
        related: tuple[str, ...] = (),
    ) -> Fault:
        """Return a fault at ``inner``, a pointer from here."""
        pointer = f"{self.pointer}{inner}"
        return Fault(self.key, pointer, message, remedy, severity=severity, related=related)
