"""Parameters of tests that are long or slow."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


def long(values: Iterable[object], mark: str = "long") -> "list[ParameterSet]":
    """Return parameters with the mark; a tuple is one value for each name."""
    marks = getattr(pytest.mark, mark)
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=marks)
        for value in values
    ]


def slow(values: Iterable[object]) -> "list[ParameterSet]":
    """Return parameters with the mark `slow`, as `long`."""
    return long(values, "slow")
