"""Monitor: the results of a casino floor against the exact distribution of each wager."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from certify.engine.distribution import EACH, TOGETHER, outcomes_of, summed
from certify.errors import NotConfigured
from certify.intake.results import read_results
from certify.model.analysis import Analysis, Method, Monitored, Monitoring, Results
from certify.model.encoding import Progress
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.pipeline.evaluate import Settings, evaluate
from certify.pipeline.targets import Selection, select_sound


def monitor(
    data: bytes,
    name: str,
    *,
    target: str | None,
    meters: Mapping[str, int],
    progress: Progress | None = None,
) -> Monitoring:
    """Hold every line of a floor's results against its wager.

    Args:
        data: the results, as CSV.
        name: what they are called in messages.
        target: the target of every line; None where a column says it.
        meters: cents on a meter by its level, as they were on average.
        progress: is told how far a count is.

    Raises:
        NotReadable: the results are no such table.
        NotConfigured: a target is not one wager, or has no house edge.
    """
    results = read_results(data, name, target=target)
    figures: list[Analysis] = []
    known: dict[tuple[str, int | None], Analysis] = {}
    for result in results:
        selection = _one_record(result)
        wager = _wager_of(selection.records[0][1], result)
        if (result.target, wager) not in known:
            analysis = _analysis(selection, result, wager, meters, progress)
            known[result.target, wager] = analysis
        figures.append(known[result.target, wager])
    lines = tuple(map(_line, results, figures))
    thirds = list(map(_third, results, figures))
    return Monitoring(lines=lines, total=_total(lines, thirds) if len(lines) > 1 else None)


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


def _wager_of(record: MainWager | Paytable, result: Results) -> int | None:
    """Return the wager in cents that a line is counted for: its average, where that matters.

    A commission posted in advance is among what was wagered.
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
    meters: Mapping[str, int],
    progress: Progress | None,
) -> Analysis:
    """Return the figures of the wager that a line is about.

    Raises:
        NotConfigured: its return is open.
    """
    ((_, record),) = selection.records
    if isinstance(record, Paytable) and record.dynamic is not None:
        raise NotConfigured(
            f"line {result.line}: {result.target} draws its pays, and the chances of the draw are "
            "not declared: nothing says what is to be expected.",
            remedy="Leave the line out.",
        )
    levels = {meter.level for meter in record.meters} if isinstance(record, Paytable) else set()
    known = {level: cents for level, cents in meters.items() if level in levels}
    (analysis,) = evaluate(selection, Settings(wager_cents=wager, meters=known, progress=progress))
    if analysis.house_edge is None:
        missing = min(levels - known.keys())
        raise NotConfigured(
            f"line {result.line}: the return of {result.target} depends on meter {missing}.",
            remedy=f"Give what stood on it on average: --meter {missing}=AMOUNT.",
        )
    return analysis


def _line(result: Results, analysis: Analysis) -> Monitored:
    outcomes, unit = outcomes_of(analysis), result.wagered / result.rounds
    sum_ = summed(outcomes, result.rounds, -result.won / unit)
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
    unit = result.wagered / result.rounds
    return outcomes_of(analysis).moment(3) * result.rounds * unit**3


def _total(lines: Sequence[Monitored], thirds: Sequence[Fraction]) -> Monitored:
    """Return what all lines came to, as sums of independent rounds."""
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
