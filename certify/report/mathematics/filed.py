"""What is filed, wager by wager, and the spans of figures over several paytables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile

from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Submission

Counted = tuple[Wager, Analysis]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSpan:
    """The least and the greatest of a figure over several paytables."""

    low: Fraction
    high: Fraction

    @property
    def several(self) -> bool:
        """Whether the paytables differ in it."""
        return self.low != self.high


def figure_span(values: Iterable[Fraction | None]) -> FigureSpan | None:
    """Return the span of the figures that are known; None without any."""
    known = [value for value in values if value is not None]
    return FigureSpan(low=min(known), high=max(known)) if known else None


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
    analyses = submission.analyses
    wagers = (
        FiledWager(
            wager=wager,
            options=tuple(
                (option, analyses[option.target])
                for option in wager.options
                if option in submission.options and option.target in analyses
            ),
            paytables=tuple(
                (paytable, analyses[paytable.target])
                for paytable in wager.paytables
                if paytable.target in {each.target for each in submission.paytables}
                and paytable.target in analyses
            ),
        )
        for wager in submission.game.wagers
    )
    return tuple(filed for filed in wagers if filed.analyses)


def with_figures(wagers: Iterable[FiledWager]) -> list[Counted]:
    """Return every analysis with its wager."""
    return [(wager.wager, analysis) for wager in wagers for analysis in wager.analyses]
