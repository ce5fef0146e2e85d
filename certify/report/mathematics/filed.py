"""What is filed, wager by wager, under payout limits, and what is still open."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import Any, TypeVar

from certify.model.analysis import Analysis, LimitedFigures
from certify.model.comparison import RuleJudgement, Standing
from certify.model.game import Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import ChecklistLine, ItemState, Submission
from certify.report.wording import bounded

Record = TypeVar("Record", MainWager, Paytable)

Counted = tuple[Wager, Analysis]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ids:
    """Ids of one kind: what all begin with is given once, and the rest of each.

    ``noun`` says of what kind they are, which a code such as ``PT-FLT-01`` shows by itself.
    """

    start: str
    ends: tuple[str, ...]
    noun: str

    @property
    def several(self) -> bool:
        """Whether there are more than one."""
        return len(self.ends) > 1


def ids(names: Sequence[str], noun: str = "paytable") -> Ids:
    """Return ids, codes such as ``PT-FLT-01`` without what they share up to a hyphen."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    shared = "".join(first for first, *_ in alike)
    codes = all(name.isupper() and len(name) > 1 for name in names)
    start = shared[: shared.rfind("-") + 1] if codes and len(names) > 1 else ""
    ends = tuple(name.removeprefix(start) for name in names)
    return Ids(start=start, ends=ends, noun="" if codes else noun)


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledWager:
    """A wager and what is filed of it: options of the main wager, or paytables, with figures."""

    wager: Wager
    options: tuple[tuple[MainWager, Analysis], ...]
    paytables: tuple[tuple[Paytable, Analysis], ...]

    @property
    def analyses(self) -> tuple[Analysis, ...]:
        """The figures, in the game's order."""
        return tuple(analysis for _, analysis in (*self.options, *self.paytables))

    @property
    def noun(self) -> str:
        """What is filed of it."""
        return "option" if self.options else "paytable"

    @property
    def ids(self) -> Ids:
        """The ids that are filed."""
        return ids([analysis.paytable for analysis in self.analyses])


def filed_wagers(submission: Submission) -> tuple[FiledWager, ...]:
    """Return every wager of which something is filed, in the game's order."""

    def counted(
        declared: Iterable[Record], filed: Iterable[Record]
    ) -> tuple[tuple[Record, Analysis], ...]:
        analyses, targets = submission.analyses, {record.target for record in filed}
        return tuple(
            (record, analyses[record.target])
            for record in declared
            if record.target in targets and record.target in analyses
        )

    wagers = (
        FiledWager(
            wager=wager,
            options=counted(wager.options, submission.options),
            paytables=counted(wager.paytables, submission.paytables),
        )
        for wager in submission.game.wagers
    )
    return tuple(filed for filed in wagers if filed.analyses)


SETTLED = frozenset({Standing.SATISFIED, Standing.NOT_APPLICABLE})
"""The standings that leave nothing to do."""

DECIDED = (Standing.SATISFIED, Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""The standings that rest on the words of a rule."""


def filing_state(submission: Submission) -> dict[str, Any]:
    """Return requirements and items, those with something to do apart from those that are settled.

    ``by`` is the text whose words settled it, where words did; ``words`` are those of its detail,
    and ``told_by`` is the open item that prints the finding of a rule already.
    """
    told = {
        line.judgement.rule.id: line.item.text
        for line in submission.checklist
        if line.state is ItemState.OPEN and line.judgement is not None
    }
    rules = [
        _requirement(judgement) | {"told_by": told.get(judgement.rule.id)}
        for judgement in submission.rules
    ]
    items = [_item(line) for line in submission.checklist]
    return {
        "open_rules": [rule for rule in rules if rule["judgement"].standing not in SETTLED],
        "settled_rules": [rule for rule in rules if rule["judgement"].standing in SETTLED],
        "open_items": [item for item in items if item["line"].state is ItemState.OPEN],
        "settled_items": [item for item in items if item["line"].state is not ItemState.OPEN],
    }


def _requirement(judgement: RuleJudgement) -> dict[str, Any]:
    return {
        "judgement": judgement,
        "by": judgement.version if judgement.standing in DECIDED else None,
        "words": judgement.detail.split(" "),
    }


def _item(line: ChecklistLine) -> dict[str, Any]:
    judged = line.judgement
    return {
        "line": line,
        "by": judged.version if judged is not None and line.state is ItemState.DONE else None,
        "words": line.detail.split(" "),
    }


def wager_under_limits(filed: FiledWager) -> dict[str, Any] | None:
    """Return a wager's figures with and without limits; None where the terms state none."""
    under = [
        (analysis, analysis.limit) for analysis in filed.analyses if analysis.limit is not None
    ]
    if not under:
        return None
    return {
        "name": filed.wager.name,
        "tables": [
            (analysis, [_amount(analysis, at) for at in limit.amounts]) for analysis, limit in under
        ],
        "shared": any(limit.shared for _, limit in under),
        "open": any(limit.open for _, limit in under),
    }


def _amount(analysis: Analysis, at: LimitedFigures) -> dict[str, Any]:
    """Return a wager of one amount under its limits; what does not apply is None or empty."""
    progressive, dynamic = analysis.progressive, analysis.dynamic
    base = progressive.base_wager_cents if progressive else 0
    top = analysis.top_award or Fraction(0)
    return {
        "figures": at,
        "edge": bounded(analysis.house_edge, at),
        "fixed": bounded(progressive.fixed_return, at, falls=True) if progressive else None,
        "free_top_cents": top * at.top_cents / at.top_award if at.top_award else Fraction(0),
        "exact": at.cost == at.greatest_cost,
        "break_evens": [
            (level, free.break_even * base, meter * base)
            for (level, meter), free in zip(
                at.break_evens, progressive.meters if progressive else (), strict=False
            )
        ],
        "drawn": [*zip((dynamic.least, dynamic.greatest), at.dynamic, strict=True)]
        if at.dynamic is not None and dynamic is not None
        else [],
    }
