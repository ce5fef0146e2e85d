"""Every table that meets a band, counted, ranked, and the nearest where there is none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest

from certify.engine.solve.band import Band, nearest, solutions, tightened, walked
from certify.engine.solve.measures import MEASURES, Payoffs
from certify.errors import NotConfigured
from certify.model.solution import By, Opening

MOST_WALKED = 5_000_000
"""Choices of the open pays that the search goes through at most, all but one of the pays open."""

MOST_SOLUTIONS = 1_000_000
"""Solutions that are ranked at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One choice of rows to leave out, and what is to be solved then."""

    openings: tuple[Opening, ...]
    offsets: tuple[int, ...]
    band: Band
    payoffs: Payoffs
    left_out: tuple[Opening, ...] = ()

    def amounts(self, values: Sequence[int]) -> dict[Opening, int | None]:
        """Return the amounts of a solution, of the rows that are left out too."""
        paid = zip(self.openings, values, self.offsets, strict=True)
        amounts: dict[Opening, int | None] = dict.fromkeys(self.left_out)
        return amounts | {opening: value + offset for opening, value, offset in paid}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A solution by its values in a case, its measure and its distance."""

    measure: Fraction
    distance: Fraction
    case: Case
    values: tuple[int, ...]

    @property
    def amounts(self) -> dict[Opening, int | None]:
        """The amounts by unknown; None where a row is left out."""
        return self.case.amounts(self.values)

    @property
    def roughness(self) -> Fraction:
        """How far its pays are from a geometric row."""
        return MEASURES[By.SMOOTHNESS](self.case.payoffs)(self.values)

    def __lt__(self, other: "Ranked") -> bool:
        """By the measure, then by the distance, then by the amounts."""
        return self._key < other._key

    @property
    def _key(self) -> tuple[Fraction, Fraction, tuple[int, ...]]:
        return self.measure, self.distance, tuple(cents or 0 for cents in self.amounts.values())


class Search:
    """All solutions of some cases.

    Raises:
        NotConfigured: there is more to walk than is walked.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self._closer = [(case, band) for case in cases if (band := tightened(case.band))]
        for case, band in self._closer:
            if walked(band) > MOST_WALKED:
                sizes = zip(case.openings, band.unknowns, strict=True)
                told = ", ".join(f"{opening} {unknown.size:,}" for opening, unknown in sizes)
                raise NotConfigured(
                    f"There are too many choices to walk: {walked(band):,}, and {MOST_WALKED:,} at "
                    f"most (amounts that each can have: {told}).",
                    remedy="Narrow some with --bound ROW=LOW..HIGH, or open fewer.",
                )

    def count(self) -> int:
        """Return how many solutions there are.

        Raises:
            NotConfigured: there are more than are ranked.
        """
        count = 0
        for _, band in self._closer:
            for _ in solutions(band):
                count += 1
                if count > MOST_SOLUTIONS:
                    raise NotConfigured(
                        f"More than {MOST_SOLUTIONS:,} tables meet the band.",
                        remedy="Narrow the band, or some amounts with --bound ROW=LOW..HIGH.",
                    )
        return count

    def ranked(self, by: By, limit: int) -> list[Ranked]:
        """Return the first solutions, at most ``limit``, in order."""
        return nsmallest(limit, self._measured(by))

    def _measured(self, by: By) -> Iterator[Ranked]:
        for case, band in self._closer:
            measure, change = (MEASURES[order](case.payoffs) for order in (by, By.DISTANCE))
            for values in solutions(band):
                yield Ranked(
                    measure=measure(values), distance=change(values), case=case, values=values
                )

    def nearest(self, low: Fraction, high: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """Return the nearest edges that can be reached below and above those of the band.

        None where there is none, or where there is more to walk than is walked.
        """
        below, above = [], []
        for case in self._cases:
            if walked(case.band) > MOST_WALKED:
                continue
            # The edge falls as the sum of pays rises: the band's greatest sum is its least edge.
            less, more = nearest(case.band)
            if more is not None:
                below.append(low - (more - case.band.high))
            if less is not None:
                above.append(high + (case.band.low - less))
        return max(below, default=None), min(above, default=None)
