"""Monitor the results of a casino floor against the exact distribution of each wager."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor, gcd, isqrt, lcm
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct, field

from certify.errors import InvariantBroken, NotConfigured
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import Selection, select_sound
from certify.formatting import ROUNDING, json_decimal
from certify.intake.results import read_results
from certify.model.analysis import LEVELS, Analysis, Method, Monitored, Monitoring, Results
from certify.model.encoding import Progress, drop_empty, encode_exact, encode_object
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.request import MeterCents, Request, Result, argument, option
from certify.report.comparison import band, chance, chance_bound, notes, outside, z
from certify.storage import read_bytes

WORK = 400_000_000
"""Digits of 30 bits that a distribution may take to count: about three seconds."""

DIGIT = 30
"""Bits of a digit of Python's whole numbers."""

EACH, TOGETHER = Fraction(4748, 10_000), Fraction(56, 100)
"""The constants of the Berry-Esseen theorem for equal and for unequal summands.

Sources: I. G. Shevtsova, On the absolute constants in the Berry-Esseen type inequalities for
identically distributed summands (2011), and An improvement of convergence rate estimates in the
Lyapunov theorem (2010).
"""


class Outcomes(Struct, frozen=True):
    """Possible results of a round of one unit: hands by the player's net result."""

    hands: Mapping[Fraction, int]

    @property
    def total(self) -> int:
        """All hands."""
        return sum(self.hands.values())

    @property
    def mean(self) -> Fraction:
        """The player's expected net result: the house edge with its sign turned."""
        return sum((net * hands for net, hands in self.hands.items()), Fraction(0)) / self.total

    def moment(self, power: int) -> Fraction:
        """Return the absolute central moment of a power."""
        mean = self.mean
        parts = (abs(net - mean) ** power * hands for net, hands in self.hands.items())
        return sum(parts, Fraction(0)) / self.total


class Sum(Struct, frozen=True, kw_only=True):
    """The exact distribution of the player's result of some rounds, in units wagered.

    ``chance`` is the two-sided probability of a result as far from the mean as the given one.
    ``bands`` are the results, by `LEVELS`, with at most half of the remaining probability below and
    half above.
    """

    chance: Fraction
    bands: Mapping[int, tuple[Fraction, Fraction]]


class MonitorResult(Monitoring, Result, frozen=True, kw_only=True):
    """Every line of the results; ``total`` if there are several."""

    table = "lines"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify monitor --format json``."""
        return encode_object(
            {
                "rounding": ROUNDING,
                "lines": [_line_json(line) for line in self.lines],
                **({"total": _line_json(self.total)} if self.total else {}),
                "assumptions": notes(self),
            }
        )


def _line_json(line: Monitored) -> dict[str, Any]:
    strategy, house_way = line.play or ("", "")
    named = {"target": line.target, "name": line.name}
    return drop_empty({**named, "strategy": str(strategy), "house_way": house_way}) | {
        "rounds": line.rounds,
        **encode_exact("wagered_cents", line.wagered),
        **encode_exact("won_cents", line.won),
        **encode_exact("expected_cents", line.expected),
        **encode_exact("variance_square_cents", line.variance),
        "bands_cents": {
            str(level): [json_decimal(end, 2) for end in band(line, level)] for level in LEVELS
        },
        "z": z(line).replace("−", "-"),
        "chance_as_far_off": json_decimal(chance(line), 10),
        "chance_at_most": json_decimal(chance_bound(line), 10),
        "method": str(line.method),
        **({"outside_band": outside(line)} if outside(line) else {}),
    }


class MonitorRequest(Request, frozen=True, kw_only=True):
    """Results to monitor, and their wagers."""

    results: Annotated[
        Path,
        argument("CSV file with rounds, wagered, and paid, won or hold; amounts in dollars."),
    ]
    target: Annotated[str | None, option("Target of all lines. Default: the column `target`.")] = (
        None
    )
    meters: Annotated[
        Mapping[str, MeterCents],
        option("Average amount of a meter in dollars; repeat for more.", "--meter"),
    ] = field(default_factory=dict)
    progress: Progress | None = None


def monitor_file(request: MonitorRequest) -> MonitorResult:
    """Compare the results in a file with the exact distribution of each wager; see `monitor`."""
    return monitor(
        read_bytes(request.results),
        request.results.name,
        target=request.target,
        meters=request.meters,
        progress=request.progress,
    )


def list_outcomes(analysis: Analysis) -> Outcomes:
    """Return the possible results of a round of an analyzed wager, one net result per row.

    Raises:
        InvariantBroken: the rows do not sum to the edge and the variance of the analysis.
    """
    hands: dict[Fraction, int] = {}
    for row in analysis.rows:
        if row.combinations:
            net = row.contribution / row.probability
            hands[net] = hands.get(net, 0) + row.combinations
    outcomes = Outcomes(hands)
    if (-outcomes.mean, outcomes.moment(2)) != (analysis.house_edge, analysis.variance):
        raise InvariantBroken(f"The rows of {analysis.target} do not give its edge and variance.")
    return outcomes


def convolve(outcomes: Outcomes, rounds: int, result: Fraction) -> Sum | None:
    """Return the distribution of the sum of independent rounds; None if it is too long to count.

    The ways to each sum are the coefficients of a power of a polynomial. Each follows from those
    before it by the recurrence of J. C. P. Miller (D. E. Knuth, The Art of Computer Programming,
    volume 2, section 4.7), in whole numbers and without rounding.

    Args:
        outcomes: possible results of one round.
        rounds: number of rounds.
        result: the player's result in question, in units wagered.
    """
    lowest = min(outcomes.hands)
    steps = [net - lowest for net in outcomes.hands if net != lowest]
    # The greatest unit that every step is a whole number of.
    unit = Fraction(
        gcd(*(step.numerator for step in steps)), lcm(*(step.denominator for step in steps))
    )
    common = gcd(*outcomes.hands.values())
    ways = {int((net - lowest) / unit): hands // common for net, hands in outcomes.hands.items()}
    middle = (outcomes.mean - lowest) * rounds / unit
    off = abs((result - lowest * rounds) / unit - middle)
    most = max(ways) * rounds
    spread = outcomes.moment(2) * rounds / unit**2
    needed = min(most, ceil(middle + off))
    reach = max(needed, min(most, ceil(middle) + 4 * (isqrt(ceil(spread)) + 1)))
    digits = rounds * sum(ways.values()).bit_length() // DIGIT + 1
    if reach * len(ways) * digits > WORK:
        return None
    whole = sum(ways.values()) ** rounds
    below = _cumulate_ways(ways, rounds, needed, whole)
    low, high = floor(middle - off), min(most, ceil(middle + off) - 1)
    nearer = below[high] - (below[low] if low >= 0 else 0) if off and high >= 0 else 0
    return Sum(
        chance=1 - Fraction(nearer, whole),
        bands={
            level: tuple(  # type: ignore[misc]
                lowest * rounds + unit * bisect_left(below, share * whole)
                for share in (Fraction(100 - level, 200), Fraction(100 + level, 200))
            )
            for level in LEVELS
        },
    )


def _cumulate_ways(ways: Mapping[int, int], rounds: int, needed: int, whole: int) -> list[int]:
    """Return the ways to at most 0, 1, … units above the least sum, as far as needed."""
    first = ways[0]
    others = sorted((step, hands) for step, hands in ways.items() if step)
    counts = [first**rounds]
    total = counts[0]
    enough = whole * (100 + max(LEVELS)) // 200 + 1
    while len(counts) <= needed or total < enough:
        place = len(counts)
        value = sum(
            (step * (rounds + 1) - place) * hands * counts[place - step]
            for step, hands in others
            if step <= place
        )
        counts.append(value // (place * first))
        total += counts[-1]
    return list(accumulate(counts))


def monitor(
    data: bytes,
    name: str,
    *,
    target: str | None,
    meters: Mapping[str, int | Fraction],
    progress: Progress | None = None,
) -> MonitorResult:
    """Hold every line of a floor's results against its wager.

    Args:
        data: the results, as CSV.
        name: name of the results in messages.
        target: the target of every line; None if a column has it.
        meters: average amount on a meter in cents, by its level.
        progress: called with the progress of a count.

    Raises:
        NotReadable: the results are no such table.
        NotConfigured: a target is not one wager, or has no house edge, or no wager has a given
            meter.
    """
    lines: list[Monitored] = []
    levels: set[str] = set()
    thirds: list[Fraction] = []
    analyses: dict[tuple[str, int | None], Analysis] = {}
    for result in read_results(data, name, target=target):
        selection = _one_record(result)
        levels.update(meter.level for _, table in selection.tables for meter in table.meters)
        wager = _find_wager(selection.records[0][1], result)
        if (result.target, wager) not in analyses:
            analysis = _analysis(selection, result, wager, meters, progress)
            analyses[result.target, wager] = analysis
        lines.append(_line(result, analyses[result.target, wager]))
        thirds.append(_third(result, analyses[result.target, wager]))
    unused = sorted(meters.keys() - levels)
    if unused:
        raise NotConfigured(
            f"No wager of the results has a meter {unused[0]!r}.", remedy="Omit the meter."
        )
    return MonitorResult(
        lines=tuple(lines), total=_total(lines, thirds) if len(lines) > 1 else None
    )


def _one_record(result: Results) -> Selection:
    """Return the paytable or the option that a line is about.

    Raises:
        NotConfigured: it is not one wager.
    """
    selection = select_sound(result.target)
    if len(selection.records) != 1:
        raise NotConfigured(
            f"line {result.line}: {result.target} is not one paytable or one option.",
            remedy=f"Name one: {', '.join(record.target for _, record in selection.records)}.",
        )
    return selection


def _find_wager(record: MainWager | Paytable, result: Results) -> int | None:
    """Return the wager in cents for the count of a line: its average, if the wager matters.

    A commission posted in advance is part of the amount wagered.
    """
    if not isinstance(record, MainWager) or not record.depends_on_wager:
        return None
    posted = record.commission is not None and record.commission.prepaid
    share = record.commission.rate if record.commission is not None and posted else 0
    return round(result.wagered / result.rounds / (1 + share))


def _analysis(
    selection: Selection,
    result: Results,
    wager: int | None,
    meters: Mapping[str, int | Fraction],
    progress: Progress | None,
) -> Analysis:
    """Return the figures of the wager that a line is about.

    Raises:
        NotConfigured: its return is open.
    """
    ((_, record),) = selection.records
    if isinstance(record, Paytable) and record.dynamic is not None:
        raise NotConfigured(
            f"line {result.line}: {result.target} draws its pays, and the "
            "chances of the draw are undeclared, so it has no expectation.",
            remedy="Remove the line.",
        )
    levels = {meter.level for meter in record.meters} if isinstance(record, Paytable) else set()
    amounts = {level: cents for level, cents in meters.items() if level in levels}
    (analysis,) = evaluate(
        selection, Settings(wager_cents=wager, meters=amounts, progress=progress)
    )
    if analysis.house_edge is None:
        missing = min(levels - amounts.keys())
        raise NotConfigured(
            f"line {result.line}: the return of {result.target} depends on meter {missing}.",
            remedy=f"Give its average amount: --meter {missing}=AMOUNT.",
        )
    return analysis


def _line(result: Results, analysis: Analysis) -> Monitored:
    outcomes, unit = list_outcomes(analysis), result.wagered / result.rounds
    sum_ = convolve(outcomes, result.rounds, -result.won / unit)
    variance = outcomes.moment(2) * result.rounds * unit**2
    error = EACH**2 * _third(result, analysis) ** 2 / variance**3
    main = analysis.main
    return Monitored(
        name=result.name,
        target=result.target,
        rounds=result.rounds,
        wagered=result.wagered,
        won=result.won,
        expected=-outcomes.mean * result.wagered,
        variance=variance,
        method=Method.EXACT if sum_ else Method.NORMAL,
        chance=sum_.chance if sum_ else None,
        bands={level: (-high * unit, -low * unit) for level, (low, high) in sum_.bands.items()}
        if sum_
        else {},
        error_squared=Fraction(0) if sum_ else error,
        play=None if main is None else (main.strategy, main.house_way),
    )


def _third(result: Results, analysis: Analysis) -> Fraction:
    """Return the sum of the third absolute central moments of a line's rounds, in cubic cents."""
    return list_outcomes(analysis).moment(3) * result.rounds * (result.wagered / result.rounds) ** 3


def _total(lines: Sequence[Monitored], thirds: Sequence[Fraction]) -> Monitored:
    """Return the total of all lines, as sums of independent rounds."""
    variance = sum((line.variance for line in lines), Fraction(0))
    return Monitored(
        name="",
        target="",
        rounds=sum(line.rounds for line in lines),
        wagered=sum((line.wagered for line in lines), Fraction(0)),
        won=sum((line.won for line in lines), Fraction(0)),
        expected=sum((line.expected for line in lines), Fraction(0)),
        variance=variance,
        method=Method.NORMAL,
        error_squared=TOGETHER**2 * sum(thirds, Fraction(0)) ** 2 / variance**3,
    )
