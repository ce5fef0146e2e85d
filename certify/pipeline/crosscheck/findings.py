"""What a second derivation finds, at the place of the row that it is about."""

from collections.abc import Iterable, Iterator

from certify.formatting import exact
from certify.model.catalogue import Catalogue
from certify.model.comparison import Comparison, CrossCheck
from certify.model.finding import Code, Document, Finding

C001 = Code(
    "C001",
    "A second derivation gives another figure",
    why="""A figure that two independent counts do not agree on is in no submission.""",
    mend="""Recount it with `certify crosscheck --method exact`; if it still differs, send the
    paytable to whoever maintains certify.""",
    wrong="1,132 royal flushes of the census and 1,131 of the recount",
    right="1,132 royal flushes by both",
)


def differing(catalogue: Catalogue, checks: Iterable[CrossCheck]) -> Iterator[Finding]:
    """Yield a finding for each outcome that two derivations disagree on, or that had only one."""
    for check in checks:
        document = catalogue.documents[check.target]
        for comparison in check.comparisons:
            if not comparison.agrees:
                yield _finding(document, comparison.event, _said(check, comparison))
        if not check.comparisons:
            yield _finding(document, "", f"{check.target}: there is no second derivation.")


def row_of(document: Document, event: str) -> str:
    """Return the pointer to the row of a file that pays an event, or to all of the file."""
    rows = document.value.get("rows", ()) if isinstance(document.value, dict) else ()
    places = (f"/rows/{place}" for place, row in enumerate(rows) if row.get("event") == event)
    return next(places, "")


def _finding(document: Document, event: str, message: str) -> Finding:
    return document.finding(C001.id, row_of(document, event), message, C001.advice())


def _said(check: CrossCheck, comparison: Comparison) -> str:
    return (
        f"{check.target}, {comparison.event}: {exact(comparison.exact)} counted, "
        f"{exact(comparison.other)} by the second derivation ({check.method})."
    )
