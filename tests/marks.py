"""Parameters of tests that continuous integration leaves out."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


def further(values: Iterable[object]) -> "list[ParameterSet]":
    """Return parameters of further cases; a tuple is one value for each name."""
    return _mark(values, pytest.mark.further)


def long(values: Iterable[object]) -> "list[ParameterSet]":
    """Return parameters that are long by nature, each of which shows something else."""
    return _mark(values, pytest.mark.long)


def slow(values: Iterable[object]) -> "list[ParameterSet]":
    """Return parameters of cases that take minutes."""
    return _mark(values, pytest.mark.slow)


def _mark(values: Iterable[object], mark: pytest.MarkDecorator) -> "list[ParameterSet]":
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=mark)
        for value in values
    ]
