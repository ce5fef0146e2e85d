"""Parameters of tests that are long."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


def long(values: Iterable[object]) -> "list[ParameterSet]":
    """Return parameters with the mark `long`; a tuple is one value for each name."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)
        for value in values
    ]
