"""Two states of a file, and how the values of one are compared with those of the other."""

from dataclasses import dataclass, field
from typing import Literal

import pikepdf

Area = Literal["information", "metadata", "attachments", "content", "structure"]
Key = tuple[int, int]

ANY = frozenset({"*"})
"""Mark of an object that is compared by a rule of its own, not byte for byte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alteration:
    """Something that an update had no right to touch."""

    area: Area
    text: str


@dataclass(slots=True, kw_only=True)
class RevisionPair:
    """Two states of a file, and which entries of which objects may differ between them."""

    before: pikepdf.Pdf
    after: pikepdf.Pdf
    signed: frozenset[str]
    stamped: frozenset[str]
    may_differ: dict[Key, frozenset[str]] = field(default_factory=dict)
    stamps: set[Key] = field(default_factory=set)


def written(item: object) -> bytes:
    """Return a value as the file writes it; a reference stays a reference."""
    return item.unparse() if isinstance(item, pikepdf.Object) else repr(item).encode()


def key_of(item: pikepdf.Object) -> Key:
    """Return the number and the generation of an object; (0, 0) of one that has none."""
    number, generation = item.objgen
    return number, generation


def without(item: pikepdf.Object, entries: frozenset[str]) -> list[tuple[str, bytes]]:
    """Return the entries of a dictionary as the file writes them, sorted, but for some."""
    return sorted((key, written(value)) for key, value in item.items() if key not in entries)
