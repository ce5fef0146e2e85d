"""A laboratory's own counts of a paytable against ours, cell by cell."""

from pathlib import Path

from certify.errors import NotConfigured, NotReadable
from certify.intake.counts import REMEDY, read_counts
from certify.model.analysis import Analysis
from certify.model.comparison import CountCell, CountComparison
from certify.model.progress import Progress
from certify.pipeline.figures.evaluate import Settings, evaluate
from certify.pipeline.sound import select_sound


def compare_counts(path: Path, target: str, progress: Progress | None = None) -> CountComparison:
    """Compare the counts in a file with ours.

    A row is named by the id of its event or as the paytable prints it, in any case of letters. Of
    a workbook, the sheet that the paytable's id names is compared, or the only one with counts.

    Raises:
        NotReadable: the file is no table of counts, or names a row twice.
        NotConfigured: the target does not name one paytable.
    """
    analysis = counted(target, progress)
    names = {_plain(row.name): row.event for row in analysis.rows}
    names |= {_plain(row.event): row.event for row in analysis.rows}
    theirs: dict[str, int] = {}
    printed: dict[str, str] = {}
    sheets = (analysis.paytable, f"{analysis.wager} {analysis.paytable}")
    for keys, combinations in read_counts(path, sheets):
        event = next((names[_plain(key)] for key in keys if _plain(key) in names), keys[0])
        if event in theirs:
            raise NotReadable(f"{path} gives the row {keys[0]} twice.", remedy=REMEDY)
        theirs[event], printed[event] = combinations, keys[-1]
    ours = {row.event: row for row in analysis.rows}
    cells = [
        CountCell(event=event, name=row.name, ours=row.combinations, theirs=theirs.get(event))
        for event, row in ours.items()
    ] + [
        CountCell(event=event, name=printed[event], ours=None, theirs=theirs[event])
        for event in theirs
        if event not in ours
    ]
    return CountComparison(target=analysis.target, file=path.name, cells=tuple(cells))


def counted(target: str, progress: Progress | None = None) -> Analysis:
    """Return the analysis of the one paytable that a target names.

    Raises:
        NotConfigured: it names none, or several.
    """
    selection = select_sound(target)
    if len(selection.records) != 1:
        raise NotConfigured(
            f"{target} names {len(selection.records)} paytables.",
            remedy="Name one, such as "
            + (selection.records[0][1].target if selection.records else "GAME/WAGER/PAYTABLE")
            + ".",
        )
    (analysis,) = evaluate(selection, Settings(progress=progress))
    return analysis


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())
