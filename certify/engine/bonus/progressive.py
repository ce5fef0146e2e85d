"""Progressive wagers: the return as a linear function of the meters."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from certify.errors import NotConfigured
from certify.model.analysis import MeterAnalysis, ProgressiveAnalysis
from certify.model.payout import Basis
from certify.model.paytable import Paytable, Progressive, Row


def evaluate_progressive(
    paytable: Paytable, probabilities: Sequence[Fraction], levels: Mapping[str, Fraction]
) -> ProgressiveAnalysis | None:
    """Return the fixed part of the return and the weight of each meter; None without meters.

    All amounts are per unit of the base wager: return = fixed part + sum of weight x meter. The
    break-even meter is the one at which the return is 1 while every other meter stands at nought;
    it is negative where the fixed pays alone return more than the wager.

    Raises:
        NotConfigured: a row pays a meter that is not declared, or no hand is paid a declared one.
    """
    if paytable.progressive is None:
        return None
    awarded = list(zip(paytable.rows, probabilities, strict=False))
    _check(paytable, paytable.progressive)
    fixed = sum((chance * _fixed_pay(row) for row, chance in awarded), start=Fraction(0))
    meters = []
    for meter in paytable.progressive.meters:
        paid = [
            (row.payout.amount, chance) for row, chance in awarded if _meter(row) == meter.level
        ]
        weight = sum((share * chance for share, chance in paid), start=Fraction(0))
        if not weight:
            raise NotConfigured(
                f"Meter {meter.level} of {paytable.target} is paid to no hand.",
                remedy="Give a row of it a share, and hands that no other row takes.",
            )
        meters.append(
            MeterAnalysis(
                level=meter.level,
                weight=weight,
                hit_probability=sum((chance for _, chance in paid), start=Fraction(0)),
                break_even=(1 - fixed) / weight,
                amount=levels.get(meter.level),
            )
        )
    return ProgressiveAnalysis(
        base_wager_cents=paytable.progressive.base_wager_cents,
        fixed_return=fixed,
        meters=tuple(meters),
    )


def _check(paytable: Paytable, progressive: Progressive) -> None:
    paid = {_meter(row) for row in paytable.rows} - {None}
    declared = {meter.level for meter in progressive.meters}
    for level in sorted(paid ^ declared, key=str):
        raise NotConfigured(
            f"Meter {level} of {paytable.target} is "
            + ("paid by a row but not declared." if level in paid else "paid by no row."),
            remedy='Name the same meters in the rows and under "progressive".',
        )


def _meter(row: Row) -> str | None:
    return row.payout.meter if row.payout.basis is Basis.METER else None


def _fixed_pay(row: Row) -> Fraction:
    """Return what a row gives back of each unit staked, a meter's share left out."""
    return row.payout.net + 1
