"""Overview: everything that is declared, with every figure that needs no long count."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from certify import library
from certify.errors import CertifyError
from certify.intake.read import read_catalogue
from certify.model.analysis import Analysis
from certify.model.catalogue import Catalogue
from certify.model.finding import Finding
from certify.pipeline.figures.evaluate import evaluate_each
from certify.pipeline.targets import Selection, select

Stamp = tuple[tuple[str, int, int], ...]

_reading = threading.Lock()
"""Who comes while everything is read waits for it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overview:
    """What is declared, the figures of its bonus wagers by target, and why one has none.

    Each is itself alone, so that what is found by it can be kept beside it.
    ``faults`` were found in reading: a file with one is left out.
    """

    catalogue: Catalogue
    analyses: Mapping[str, Analysis]
    refusals: Mapping[str, CertifyError]
    faults: tuple[Finding, ...]


def overview() -> Overview:
    """Return everything declared where the user is; files are read again when one has changed.

    Raises:
        NotConfigured: the project's settings cannot be read.
    """
    layers = library.layers()
    with _reading:
        return _read(layers, _stamp(layers))


def selected(target: str) -> Selection:
    """Return what a target names, from files as they stand now; they are read once.

    Raises:
        NotConfigured: nothing has that id.
        Unfit: a file that the target rests on has errors.
    """
    layers = library.layers()
    return _select(target, _stamp(layers))


@lru_cache(maxsize=64)
def _select(target: str, _: Stamp) -> Selection:
    return select(target)


def _stamp(layers: tuple[Path, ...]) -> Stamp:
    """Return what tells whether a file has changed: names, times and sizes."""
    files = sorted(path for layer in layers for path in layer.rglob("*.json"))
    return tuple((str(path), (at := path.stat()).st_mtime_ns, at.st_size) for path in files)


@lru_cache(maxsize=1)
def _read(layers: tuple[Path, ...], _: Stamp) -> Overview:
    catalogue, faults = read_catalogue(*layers)
    analyses, refusals = evaluate_each(catalogue)
    return Overview(catalogue=catalogue, analyses=analyses, refusals=refusals, faults=faults)
