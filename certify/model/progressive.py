"""Exact results of the meters of a progressive wager, in units of its base wager."""

from fractions import Fraction

from msgspec import Struct


class LongRun(Struct, frozen=True, kw_only=True):
    """A meter over many rounds.

    ``restart`` is the probability that a wager wins the whole meter, which is then at its seed.
    ``least`` and ``greatest`` bound the average amount that a win finds. They differ only if no
    declaration says where contributions above the cap go. ``covered`` is the part of the seeds that
    the reserve pays for; None without a declared reserve or without a restart.
    """

    restart: Fraction
    least: Fraction
    greatest: Fraction
    covered: Fraction | None = None


class MeterAnalysis(Struct, frozen=True, kw_only=True):
    """One meter: the probability-weighted share of it that a round pays.

    ``break_even`` is the meter, in units of the base wager, at which the edge is 0 while every
    other meter is 0; ``amount`` the level that the user gave, likewise in units. ``seed`` is None
    if it is not declared; ``long_run`` is None if the declarations do not determine it.
    """

    level: str
    weight: Fraction
    hit_probability: Fraction
    break_even: Fraction
    amount: Fraction | None = None
    seed: Fraction | None = None
    long_run: LongRun | None = None


class ProgressiveAnalysis(Struct, frozen=True, kw_only=True):
    """Return as a linear function of the meters: ``fixed_return`` + sum of weight x meter.

    ``fixed_return`` is the return of the fixed pays per unit staked ("for one": stake kept).
    ``lost_by_sharing`` bounds the reduction of the long-run return at a table of ``players``
    bettors whose winners of one round share a meter that restarts once.
    """

    base_wager_cents: int
    fixed_return: Fraction
    meters: tuple[MeterAnalysis, ...]
    players: int = 1
    lost_by_sharing: Fraction = Fraction(0)

    @property
    def return_at_reset(self) -> Fraction | None:
        """The return with each meter at its seed; None if a seed is not declared."""
        return self._return_at([meter.seed for meter in self.meters])

    @property
    def long_run(self) -> tuple[Fraction, Fraction] | None:
        """The least and the greatest long-run return; None if a meter has no long run."""
        runs = [meter.long_run for meter in self.meters]
        least = self._return_at([None if run is None else run.least for run in runs])
        greatest = self._return_at([None if run is None else run.greatest for run in runs])
        return None if least is None or greatest is None else (least, greatest)

    def _return_at(self, amounts: list[Fraction | None]) -> Fraction | None:
        known = [amount for amount in amounts if amount is not None]
        if len(known) < len(self.meters):
            return None
        added = [m.weight * amount for m, amount in zip(self.meters, known, strict=True)]
        return self.fixed_return + sum(added)
