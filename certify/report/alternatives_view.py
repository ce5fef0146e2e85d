"""Other readings of the source and what each would change, the greatest change first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from certify.formatting import listed, points
from certify.model.alternative import Alternative, Figure
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.submission import Submission
from certify.report.tables import Table, table
from certify.report.wording import label

FIGURE_TEXT = {
    Figure.HOUSE_EDGE: "house edge",
    Figure.FULL_TABLE: "house edge at a full table",
    Figure.FIXED_RETURN: "return of the fixed pays",
}

Moved = dict[tuple[Figure, str, Fraction], list[str]]
"""The paytables by figure, wager and change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """One alternative and what it moves in this submission."""

    alternative: Alternative
    moved: Moved = field(default_factory=dict)

    @property
    def greatest(self) -> Fraction:
        """The greatest change of any figure, in either direction."""
        return max(abs(change) for _, _, change in self.moved)


def priced(analysed: Sequence[tuple[Wager, Analysis]]) -> tuple[Priced, ...]:
    """Return every alternative that was counted, the one with the greatest change first."""
    found: dict[str, Priced] = {}
    for wager, analysis in analysed:
        for price in analysis.alternatives:
            one = found.setdefault(price.alternative.id, Priced(alternative=price.alternative))
            changes = {figure: read - filed for figure, (filed, read) in price.moved.items()}
            for figure, change in changes.items():
                if figure is Figure.FULL_TABLE and changes.get(Figure.HOUSE_EDGE) == change:
                    continue
                tables = one.moved.setdefault((figure, wager.name, change), [])
                tables.append(label(analysis.paytable) if not wager.options else "")
    return tuple(sorted(found.values(), key=lambda one: -one.greatest))


def numbers(analysed: Sequence[tuple[Wager, Analysis]]) -> dict[str, str]:
    """Return where each discrepancy and assumption is counted otherwise, by its id."""
    found: dict[str, list[str]] = {}
    for number, one in enumerate(priced(analysed), 1):
        for name in one.alternative.of:
            found.setdefault(name, []).append(str(number))
    return {
        name: f"Counted otherwise in section 4, other reading{'s' * (len(places) > 1)} "
        f"{listed(places)}."
        for name, places in found.items()
    }


def alternatives(submission: Submission, analysed: Sequence[tuple[Wager, Analysis]]) -> Table:
    """Return every other reading that moves a figure of this submission."""
    chosen = _chosen(submission, analysed)
    return table(
        "Other readings of the source and what they would change",
        "No. @5 | Read here @30 | Other reading @33 | Change in percentage points",
        [
            (
                str(number),
                " ".join(
                    dict.fromkeys(chosen[name] for name in one.alternative.of if name in chosen)
                ),
                one.alternative.text,
                "; ".join(_moves(one)) + ".",
            )
            for number, one in enumerate(priced(analysed), 1)
        ],
        note="Each other reading was counted exactly, alone, with everything else as filed. A "
        "positive change of a house edge is in favor of the house. The exact ratios stand in the "
        "evidence. A full table has a player at every position.",
        none="No other reading of the source moves a figure.",
    )


def _moves(one: Priced) -> Iterator[str]:
    for (figure, wager, change), tables in one.moved.items():
        named = listed([each for each in tables if each])
        yield f"{wager}{' ' * bool(named)}{named}, {FIGURE_TEXT[figure]}: {points(change)}"


def _chosen(submission: Submission, analysed: Sequence[tuple[Wager, Analysis]]) -> dict[str, str]:
    """Return how each discrepancy and assumption is read here, by its id."""
    assumed = [*submission.game.assumptions, *submission.house_way.assumptions]
    assumed += [one for _, analysis in analysed for one in analysis.assumptions]
    found = {one.id: one.text for one in reversed(submission.printed(assumed))}
    return found | {
        one.id: one.resolution for one in submission.discrepancies if one.id not in found
    }
