"""Solve: the whole-number pays of a bonus paytable that bring its house edge into a band."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from heapq import nsmallest
from itertools import chain, combinations
from math import ceil
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from certify.commands.solve.problem import (
    Question,
    Subject,
    VerifiedSolution,
    find_subject,
    read_back,
    write,
)
from certify.engine.pay_band import (
    MEASURES,
    NOTHING,
    Band,
    Payoffs,
    misses,
    nearest,
    search_size,
    solutions,
    tighten_bounds,
    variance,
)
from certify.engine.pay_unknowns import (
    Problem,
    Table,
    build_band,
    edge_weight,
    find_bounds,
    list_payoffs,
    meter_bounds,
    replace_amounts,
)
from certify.errors import InvariantBroken, NotConfigured
from certify.filing.order import build_filing
from certify.formatting import ROUNDING, exact_percentage
from certify.model.analysis import Analysis, Bounds, By, Kind, Solution, SolveResult, Unknown
from certify.model.encoding import drop_empty, encode_exact, encode_object
from certify.model.request import Result
from certify.model.submission import Filing, Order

MOST_WALKED = 5_000_000
"""Choices of the open pays that the search goes through at most, all but one of the pays open."""

MOST_SOLUTIONS = 1_000_000
"""Solutions that are ranked at most."""


ENDS = ("low", "high")


class Solutions(SolveResult, Result, frozen=True, kw_only=True):
    """The result of a search: the number of solutions, and the listed ones in order.

    ``files`` are those that the chosen one was written to.
    """

    table = "solutions"

    files: tuple[Path, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify solve --format json``."""
        value = drop_empty(
            {
                "target": self.target,
                "band": {"low": self.low, "high": self.high},
                "hits": dict(zip(ENDS, self.hits or (), strict=False)),
                "deviation": dict(zip(ENDS, self.deviation or (), strict=False)),
                "by": self.by,
                "players": self.players,
                "rounding": ROUNDING,
                "open": [
                    {"open": str(unknown), "low": it.low, "high": it.high, "step": it.step}
                    for unknown, it in self.bounds.items()
                ],
                "count": self.count,
                "in_edge_band": self.in_edge_band if self.hits or self.deviation else None,
            }
            | encode_exact("present_house_edge", self.present)
            | {
                "solutions": [
                    {
                        "amounts": {str(name): amount for name, amount in solution.amounts.items()},
                        **encode_exact("house_edge", solution.edge),
                        "distance": solution.distance,
                        "roughness": solution.roughness,
                        "hit_frequency": solution.analysis.hit_frequency,
                        "variance": solution.analysis.variance,
                    }
                    for solution in self.solutions
                ],
                "left_out": dict(self.left_out),
                "nearest": encode_exact("below", self.below) | encode_exact("above", self.above),
            }
        )
        return encode_object(value)


class Case(Struct, frozen=True, kw_only=True):
    """One choice of removed rows, and the search for the others."""

    unknowns: tuple[Unknown, ...]
    offsets: tuple[int, ...]
    band: Band
    payoffs: Payoffs
    left_out: tuple[Unknown, ...] = ()

    def amounts(self, values: Sequence[int]) -> dict[Unknown, int | None]:
        """Return the amounts of a solution, including None for removed rows."""
        paid = zip(self.unknowns, values, self.offsets, strict=True)
        amounts: dict[Unknown, int | None] = dict.fromkeys(self.left_out)
        return amounts | {unknown: value + offset for unknown, value, offset in paid}


class Ranked(Struct, frozen=True, kw_only=True):
    """A solution by its values in a case, its measure and its distance."""

    measure: Fraction
    distance: Fraction
    case: Case
    values: tuple[int, ...]

    @property
    def amounts(self) -> dict[Unknown, int | None]:
        """The amounts by unknown; None for a removed row."""
        return self.case.amounts(self.values)

    @property
    def roughness(self) -> Fraction:
        """The deviation of its pays from a geometric sequence."""
        return MEASURES[By.SMOOTHNESS](self.case.payoffs)(self.values)

    @property
    def order(self) -> tuple[Fraction, Fraction, tuple[int, ...]]:
        """The order of solutions: by the measure, then by the distance, then by the amounts."""
        return self.measure, self.distance, tuple(cents or 0 for cents in self.amounts.values())


class Search:
    """All solutions of some cases that also meet the bands of the other figures.

    Raises:
        NotConfigured: there is more to walk than is walked.
    """

    def __init__(self, cases: Sequence[Case], question: Question) -> None:
        self._cases, self._question = cases, question
        self.in_edge_band = 0
        """Tables in the band of the house edge, as `count` found them."""
        self._closer = [(case, band) for case in cases if (band := tighten_bounds(case.band))]
        for case, band in self._closer:
            if search_size(band) > MOST_WALKED:
                sizes = zip(case.unknowns, band.variables, strict=True)
                listed = ", ".join(f"{unknown} {variable.size:,}" for unknown, variable in sizes)
                raise NotConfigured(
                    f"There are too many choices: {search_size(band):,}; at most "
                    f"{MOST_WALKED:,} are tried (values of each unknown: {listed}).",
                    remedy="Narrow some with --bound ROW=LOW..HIGH, or open fewer.",
                )

    def count(self) -> int:
        """Return the number of solutions.

        Raises:
            NotConfigured: there are more than can be ranked.
        """
        count = 0
        for case, band in self._closer:
            fits = self._limit(case)
            for values in solutions(band):
                self.in_edge_band += 1
                count += fits(values)
                if self.in_edge_band > MOST_SOLUTIONS:
                    raise NotConfigured(
                        f"More than {MOST_SOLUTIONS:,} tables are in the band.",
                        remedy="Narrow the band, or some amounts with --bound ROW=LOW..HIGH.",
                    )
        return count

    def _limit(self, case: Case) -> Callable[[Sequence[int]], bool]:
        """Return a test of the hit frequency and the deviation of the values of a case."""
        hits, deviation = self._question.hits, self._question.deviation
        limits = []
        if hits is not None:
            limits.append((misses(case.payoffs), 1 - hits.high, 1 - hits.low))
        if deviation is not None:
            limits.append((variance(case.payoffs), deviation.low**2, deviation.high**2))
        return lambda values: all(low <= figure(values) <= high for figure, low, high in limits)

    def rank(self, by: By, limit: int) -> list[Ranked]:
        """Return the first solutions, at most ``limit``, in order."""
        return nsmallest(limit, self._measure_solutions(by), key=lambda ranked: ranked.order)

    def _measure_solutions(self, by: By) -> Iterator[Ranked]:
        for case, band in self._closer:
            measure, change = (MEASURES[order](case.payoffs) for order in (by, By.DISTANCE))
            for values in filter(self._limit(case), solutions(band)):
                yield Ranked(
                    measure=measure(values), distance=change(values), case=case, values=values
                )

    def nearest(self, low: Fraction, high: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """Return the nearest edges that can be reached below and above those of the band.

        None where there is none, or where there is more to walk than is walked.
        """
        below, above = [], []
        for case in self._cases:
            if search_size(case.band) > MOST_WALKED:
                continue
            # The edge falls as the sum of pays rises: the band's greatest sum is its least edge.
            less, more = nearest(case.band)
            if more is not None:
                below.append(low - (more - case.band.high))
            if less is not None:
                above.append(high + (case.band.low - less))
        return max(below, default=None), min(above, default=None)


def solve(question: Question) -> Solutions:
    """Return the number of tables in a band, and the first ones that break no rule.

    Raises:
        NotConfigured: an amount cannot be unknown, the bounds leave nothing, the search is too
            large, or the chosen solution is not listed.
        Unfit: the data or the terms have errors.
    """
    number = question.choose or 1
    question = replace(question, limit=max(question.limit, number))
    subject = find_subject(question)
    problem = _sought(subject)
    cases = [_case(problem, subject, left_out) for left_out in _omissions(subject)]
    search = Search(cases, question)
    count = search.count()
    listed, left_out = _list_solutions(subject, search, count)
    edge = question.edge
    below, above = (None, None) if search.in_edge_band else search.nearest(edge.low, edge.high)
    if question.write is not None and listed and number > len(listed):
        raise NotConfigured(
            f"There is no solution {number}: {len(listed)} are listed.",
            remedy=f"Use --choose with a number from 1 to {len(listed)}.",
        )
    files: tuple[Path, ...] = ()
    if question.write is not None and listed:
        files = write_solution(question, listed[number - 1], question.write)
    return Solutions(
        target=subject.table.paytable.target,
        low=question.edge.low,
        high=question.edge.high,
        by=question.by,
        players=subject.players,
        present=_present(subject),
        bounds=problem.bounds,
        count=count,
        hits=(question.hits.low, question.hits.high) if question.hits else None,
        deviation=(question.deviation.low, question.deviation.high) if question.deviation else None,
        in_edge_band=search.in_edge_band,
        solutions=tuple(listed),
        left_out=left_out,
        below=below,
        above=above,
        files=files,
    )


def write_solution(question: Question, solution: Solution, path: Path) -> tuple[Path, ...]:
    """Write a solution and its envy table to new files; return the files.

    Raises:
        NotReadable: the file's name is not an id.
        NotConfigured: a file exists already, or would be in the installed package.
        Unfit: the written files have errors.
    """
    subject = find_subject(question)
    band = f"{exact_percentage(question.edge.low)} to {exact_percentage(question.edge.high)}"
    origin = subject.table.paytable
    solved = f"pays solved from {origin.id} for a house edge of {band}"
    clause = "; ".join(filter(None, (origin.source.clause, solved)))
    return write(subject, solution.amounts, path, clause=clause)


def _sought(subject: Subject) -> Problem:
    """Return the bounds of every unknown; those of meters follow from the band."""
    table, question = subject.table, subject.question
    step = question.step_cents
    bounded = {
        pay: Bounds(low=low, high=high, step=1 if pay.kind is Kind.ROW else step)
        for pay, (low, high) in question.bounds.items()
    }
    rows = {
        pay: ceil(max(Fraction(1), table.present(pay) or NOTHING))
        for pay in subject.unknowns(Kind.ROW)
    }
    bounds = find_bounds(replace_amounts(table, rows), question.unknowns, bounded, step)
    extra = 0
    if table.envy is not None and subject.players is not None:
        extra = table.envy.pays_on_own_hand + table.envy.pays_on_dealer_hand
    for pay in question.unknowns:
        bounds.setdefault(pay, Bounds(low=step, high=step, step=step))
    problem = Problem(
        declared=table,
        bounds={pay: bounds[pay] for pay in question.unknowns},
        held=frozenset(bounded),
        low=question.edge.low,
        high=question.edge.high,
        others=(subject.players or 1) - 1 + extra,
    )
    meters = [pay for pay in subject.unknowns(Kind.METER) if pay not in bounded]
    if not meters:
        return problem
    base, analysis, edge = _least(problem, subject, ())
    reach = {
        pay: meter_bounds(
            pay,
            table,
            step=step,
            room=max(NOTHING, edge - question.edge.low),
            weight=edge_weight(pay, base, analysis, problem.others),
        )
        for pay in meters
    }
    return replace(problem, bounds={**problem.bounds, **reach})


def _least(
    problem: Problem, subject: Subject, left_out: Sequence[Unknown]
) -> tuple[Table, Analysis, Fraction]:
    """Return the table with every unknown at its least, its figures and its edge."""
    amounts = {pay: None if pay in left_out else problem.bounds[pay].low for pay in problem.bounds}
    table = replace_amounts(subject.table, amounts)
    analysis = subject.analysis(table, amounts)
    return table, analysis, subject.edge(analysis)


def _omissions(subject: Subject) -> Iterator[tuple[Unknown, ...]]:
    """Yield the choices of rows to remove: none, and all others that are allowed."""
    rows = subject.unknowns(Kind.ROW) if subject.question.may_omit else []
    most = min(len(rows), len(subject.table.paytable.rows) - 1)
    yield from chain.from_iterable(combinations(rows, many) for many in range(most + 1))


def _case(problem: Problem, subject: Subject, left_out: tuple[Unknown, ...]) -> Case:
    table, analysis, edge = _least(problem, subject, left_out)
    unknowns = tuple(pay for pay in problem.bounds if pay not in left_out)
    for pay in unknowns:
        if edge_weight(pay, table, analysis, problem.others) == 0:
            raise NotConfigured(
                f"{pay} has no effect: it pays no counted hand.",
                remedy="Do not open it"
                + (", or raise --players." if pay.kind is Kind.ENVY else "."),
            )
    return Case(
        unknowns=unknowns,
        offsets=tuple(table.offset(pay) for pay in unknowns),
        band=build_band(problem, table, analysis, edge),
        payoffs=list_payoffs(problem, table, analysis),
        left_out=left_out,
    )


def _list_solutions(
    subject: Subject, search: Search, count: int
) -> tuple[list[Solution], dict[str, int]]:
    """Return the first solutions that have no error, and the errors of those before them."""
    filing, question = _filing(subject), subject.question
    listed: list[Solution] = []
    left_out = Counter[str]()
    looked_at, pool = 0, 2 * question.limit
    while len(listed) < question.limit and looked_at < count:
        for ranked in search.rank(question.by, pool)[looked_at:]:
            looked_at += 1
            back = read_back(subject, ranked.amounts, filing=filing)
            if back.error is None:
                listed.append(_solution(subject, ranked, back))
            else:
                left_out[f"{back.error.code}: {back.error.message}"] += 1
            if len(listed) == question.limit:
                break
        pool *= 10
    return listed, left_out


def _solution(subject: Subject, ranked: Ranked, back: VerifiedSolution) -> Solution:
    question = subject.question
    edge, hits, deviation = subject.edge(back.analysis), question.hits, question.deviation
    squared = back.analysis.variance
    if (
        edge not in question.edge
        or (hits is not None and back.analysis.hit_frequency not in hits)
        or (
            deviation is not None
            and (squared is None or not deviation.low**2 <= squared <= deviation.high**2)
        )
    ):
        raise InvariantBroken("The pays that were solved do not give the figures asked for.")
    return Solution(
        amounts={pay: ranked.amounts[pay] for pay in question.unknowns},
        paytable=back.table.paytable,
        envy=back.table.envy,
        edge=edge,
        distance=ranked.distance,
        roughness=ranked.roughness,
        analysis=back.analysis,
    )


def _filing(subject: Subject) -> Filing | None:
    """Return the filing whose rules solutions must meet; None without a jurisdiction."""
    question = subject.question
    if question.jurisdiction is None:
        if question.terms is not None or question.as_of is not None:
            raise NotConfigured(
                "Terms and a date need a jurisdiction.",
                remedy="Add --jurisdiction, or remove them.",
            )
        return None
    return build_filing(
        Order(
            game=subject.selection.game.id,
            jurisdiction=question.jurisdiction,
            as_of=question.as_of,
            terms=question.terms,
        )
    )


def _present(subject: Subject) -> Fraction | None:
    """Return the edge of the declared table; None if a meter's amount is not declared."""
    seeds = {meter.level: meter.seed_cents for meter in subject.table.paytable.meters}
    opened = {pay: seeds[pay.id] for pay in subject.unknowns(Kind.METER)}
    if None in opened.values():
        return None
    return subject.edge(subject.analysis(subject.table, opened))
