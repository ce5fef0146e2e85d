"""The census: how many hands fall into each cell of features."""

from collections.abc import Mapping
from dataclasses import dataclass

from certify.model.condition import FeatureValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """Counts of hands per cell; a cell is a value for each of ``features``, in their order.

    The counts sum to ``total``, the number of hands of ``cards`` cards.
    """

    features: tuple[str, ...]
    cards: int
    total: int
    cells: Mapping[tuple[FeatureValue, ...], int]
