"""Steps of a reproduction: what was compared, and what came of it."""

from msgspec import Struct

from certify import library

SHOWN = 8
"""Differences of one target that are written out; the rest is counted."""


class Step(Struct, frozen=True, kw_only=True):
    """One comparison.

    ``required`` is False if the user or the file excludes it. ``verdict`` is the verdict on the
    document if no other required step fails; empty for the usual one.
    """

    id: str
    passed: bool
    detail: str
    required: bool = True
    verdict: str = ""


def describe(name: str, **values: object) -> str:
    """Return the words for the result of a comparison; see `templates/words/reproduction.json`."""
    return str(library.words("reproduction")[name]).format(**values)


def build_step(
    id_: str, *, passed: bool, name: str = "", required: bool = True, **values: object
) -> Step:
    """Return a step with the words of its id or of ``name``, for agreement or difference."""
    words = library.words("reproduction")[name or id_]["agrees" if passed else "differs"]
    return Step(id=id_, passed=passed, detail=words.format(**values), required=required)


def aside(id_: str, name: str, **values: object) -> Step:
    """Return a step on what is not compared, with the words of ``name``."""
    return Step(id=id_, passed=False, detail=describe(name, **values), required=False)


def listed_differences(lines: list[str], most: int = SHOWN) -> str:
    """Return the first lines as one, with the number of the others."""
    more = len(lines) - most
    return "; ".join(lines[:most]) + (f"; and {more} more" if more > 0 else "")
