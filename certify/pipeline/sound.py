"""The records that figures may be given of: those in which `check` finds no error."""

from collections.abc import Iterable, Mapping

from certify.checks.context import Context
from certify.checks.review import review
from certify.intake.dependencies import decides_figures
from certify.model.analysis import Analysis
from certify.model.finding import Finding
from certify.pipeline.targets import Selection, refuse_errors, select


def select_sound(target: str) -> Selection:
    """Return the records that ``target`` names, judged among all that is declared of their game.

    Raises:
        NotConfigured: nothing has that id; the remedy names what is near.
        Unfit: a file that the figures of the target rest on has errors.
    """
    selection = select(target, whole=True)
    refuse_faulty(selection)
    return selection


def refuse_faulty(selection: Selection, analyses: Iterable[Analysis] = ()) -> None:
    """Refuse records with errors, also with those that only their figures show.

    Raises:
        Unfit: a file that the figures rest on has errors.
    """
    refuse_errors(_found(selection, {analysis.target: analysis for analysis in analyses}))


def _found(selection: Selection, analyses: Mapping[str, Analysis]) -> Iterable[Finding]:
    catalogue = selection.catalogue
    targets = [record.target for _, record in selection.records]
    files = {
        document.path
        for key, document in catalogue.documents.items()
        if any(decides_figures(key, target) for target in targets)
    }
    findings = review(Context(catalogue, analyses, noted=()))
    return [finding for finding in findings if finding.file in files]
