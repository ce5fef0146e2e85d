"""What is filed, wager by wager, and how its ids are printed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeVar

from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Submission

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
