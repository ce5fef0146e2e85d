"""The blanks of the rules of play: what the terms of the table do not state yet."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from certify.model.game import Wager
from certify.model.source import Procedure, settled_by
from certify.model.submission import Submission
from certify.report.rules.offered import filed_paytables, offered

CLAUSES = "standing_clauses"
"""The section that prints the clauses of the jurisdiction."""

Number = str | None
"""The number of a blank, such as ``B3``; None of what is stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blanks:
    """The numbers of the blanks, by what they ask for: procedures by name, meters by wager."""

    supplier: Number
    procedures: Mapping[str, Number]
    wagers: Number
    limits: Number
    meters: tuple[tuple[Wager, str], ...]
    links: Number
    reductions: Number

    @property
    def any(self) -> bool:
        """Whether anything is left to be filled in."""
        single = (self.supplier, self.wagers, self.limits, self.links, self.reductions)
        return any((*single, *self.procedures.values(), self.meters))

    def of_meters(self, wager: Wager) -> Number:
        """Return the blank of a wager's meters."""
        return next((number for unmetered, number in self.meters if unmetered == wager), None)


def blanks(submission: Submission) -> Blanks:
    """Return every blank of a submission, numbered in the order in which they are listed."""
    numbers = (f"B{number}" for number in range(1, 1000))
    terms, wagers = submission.terms, offered(submission)
    unmetered = [wager for wager in wagers if _open_meters(wager, submission)]
    settled = frozenset(_settled(submission))
    divided = submission.game.hands.shape.front > 0
    metered = any(paytable.progressive is not None for paytable in submission.paytables)

    def blank(*, missing: bool) -> Number:
        return next(numbers) if missing else None

    return Blanks(
        supplier=blank(missing=terms.supplier is None and submission.game.supplier is None),
        procedures={
            str(procedure): blank(
                missing=procedure not in settled and (divided or not procedure.of_set_hands)
            )
            for procedure in Procedure
        },
        wagers=blank(
            missing=any(
                terms.least(wager) is None or terms.largest(wager) is None for wager in wagers
            )
        ),
        limits=blank(missing=terms.aggregate_limits is None),
        meters=tuple((wager, next(numbers)) for wager in unmetered),
        links=blank(missing=metered and terms.links is None),
        reductions=blank(missing=metered and terms.meter_reductions is None),
    )


def _settled(submission: Submission) -> Iterator[Procedure]:
    """Yield the procedures that the terms, or a statement where it is printed, settle."""
    yield from dict(submission.terms.procedures)
    for section in submission.game.sections:
        for procedure in settled_by(submission.printed(section.statements)):
            if procedure.section == section.id:
                yield procedure
    if CLAUSES in submission.jurisdiction.sections:
        yield from settled_by(submission.printed(submission.jurisdiction.clauses))


def _open_meters(wager: Wager, submission: Submission) -> bool:
    """Whether something that a meter needs is not declared."""
    return any(
        None in (meter.seed_cents, meter.increment, meter.reserve)
        for filed_paytable in filed_paytables(wager, submission)
        if filed_paytable.progressive is not None
        for meter in filed_paytable.progressive.meters
    )
