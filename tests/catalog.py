"""The declared games, read once for all tests of a process."""

from functools import cache
from pathlib import Path

from certify.intake.read import read_catalog
from certify.model.catalog import Catalog


@cache
def catalog() -> Catalog:
    return read_catalog(Path(__file__).parents[1] / "paytables")[0]
