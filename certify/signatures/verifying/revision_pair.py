"""Two states of a file, how their values are compared, and how the validation data may grow.

The validation data of a file (document security store) are the one part of it that may grow after a
signature: their containers are compared by a rule of their own, their streams stay as they are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import pikepdf

Area = Literal["information", "metadata", "attachments", "content", "structure"]
Key = tuple[int, int]

ANY = frozenset({"*"})
"""Mark of an object that is compared by a rule of its own, not byte for byte."""

STORE_ENTRIES = re.compile(r"/(Type|Certs?|CRLs?|OCSPs?|VRI|TU|TS|[0-9A-F]{40})")
"""Entries of the document security store (ETSI EN 319 142-1, clause 5.4.2)."""

REFERENCE = re.compile(rb"(\d+) (\d+) R")


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


def store_changes(comparison: RevisionPair) -> Iterator[Alteration]:
    """Yield what the validation data became that they may not; let them grow otherwise."""
    if not _is_store(comparison.after.Root.get("/DSS")):
        yield Alteration(area="content", text="the validation data hold something else")
    _allow_store(comparison, comparison.before.Root.get("/DSS"))
    yield from _shared_store(comparison)


def _is_store(item: object) -> bool:
    """Say whether a value is validation data: certificates, revocation lists, and nothing else."""
    if isinstance(item, pikepdf.Stream) or not isinstance(item, pikepdf.Object):
        return True
    if isinstance(item, pikepdf.Array):
        return all(isinstance(part, pikepdf.Stream) for part in item)
    if isinstance(item, pikepdf.Dictionary):
        return all(STORE_ENTRIES.fullmatch(key) and _is_store(part) for key, part in item.items())
    return True


def _allow_store(comparison: RevisionPair, item: object) -> None:
    """Let the containers of the validation data grow; its streams stay as they are."""
    if isinstance(item, pikepdf.Stream) or not isinstance(item, pikepdf.Dictionary | pikepdf.Array):
        return
    if item.is_indirect:
        same_place = comparison.after.get_object(key_of(item))
        if _is_store(item) and _is_store(same_place):
            comparison.may_differ[key_of(item)] = ANY
    if isinstance(item, pikepdf.Dictionary):
        for part in item.values():
            _allow_store(comparison, part)


def _shared_store(comparison: RevisionPair) -> Iterator[Alteration]:
    """Check that nothing else uses a container of the validation data: what grows would show."""
    stores = {key for key, entries in comparison.may_differ.items() if entries is ANY}
    if not stores:
        return
    root = key_of(comparison.before.Root)
    for item in comparison.before.objects:
        if not isinstance(item, pikepdf.Object) or key_of(item) in stores:
            continue
        own = frozenset({"/DSS"}) if key_of(item) == root else frozenset()
        if not stores.isdisjoint(_references(item, own)):
            yield Alteration(area="content", text="validation data are used by something else")
            return


def _references(item: pikepdf.Object, leave_out: frozenset[str]) -> Iterator[Key]:
    """Yield the keys that an object's own text refers to."""
    if isinstance(item, pikepdf.Stream | pikepdf.Dictionary):
        text = b"".join(value for _, value in without(item, leave_out))
    else:
        text = item.unparse(resolved=True)
    for number, generation in REFERENCE.findall(text):
        yield int(number), int(generation)
