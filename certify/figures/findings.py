"""Findings of a recount and of a comparison of two records."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from certify.formatting import exact
from certify.model.catalog import Catalog
from certify.model.comparison import (
    CrossCheck,
    Difference,
    FilingNeed,
    RecordDifference,
)
from certify.model.finding import Code, Document, Finding, Severity
from certify.model.jurisdiction import Jurisdiction, Rule, RuleVersion
from certify.report.diff_view import describe_parts, format_figure

C001 = Code(
    "C001",
    "A verification count gives another figure",
    why="No submission contains a figure on which two independent counts differ.",
    fix=(
        "Recount with `certify crosscheck --again`; if it still differs, report the "
        "paytable to the maintainers."
    ),
    wrong="1,132 royal flushes of the census and 1,131 of the recount",
    right="1,132 royal flushes by both",
)


def differing(catalog: Catalog, checks: Iterable[CrossCheck]) -> Iterator[Finding]:
    """Yield a finding for each outcome that two derivations disagree on, or that had only one."""
    for check in checks:
        document = catalog.documents[check.target]
        for comparison in check.comparisons:
            if not comparison.agrees:
                message = (
                    f"{check.target}, {comparison.event}: {exact(comparison.exact)} counted, "
                    f"{exact(comparison.other)} by the verification count ({check.method})."
                )
                yield _finding(document, C001, find_row(document, comparison.event), message)
        if not check.comparisons:
            yield _finding(document, C001, "", f"{check.target}: there is no verification count.")


def find_row(document: Document, event: str) -> str:
    """Return the pointer to the row of a file that pays an event, or to all of the file."""
    rows = document.value.get("rows", ()) if isinstance(document.value, dict) else ()
    places = (f"/rows/{place}" for place, row in enumerate(rows) if row.get("event") == event)
    return next(places, "")


C002 = Code(
    "C002",
    "Two paytables, games or house ways differ",
    severity=Severity.NOTE,
    why="The list shows changes of rows and figures before they are filed, "
    "and unintended ones before they are merged.",
    fix="Restore the old value, unless the change is intended.",
    wrong="Five Aces 250 to 1 instead of 500 to 1",
    right="Five Aces 500 to 1 as before",
)

C003 = Code(
    "C003",
    "A change requires a filing",
    severity=Severity.WARNING,
    why="A change that requires a filing may not be dealt before it is approved.",
    fix="File it with `certify submit` before it is dealt; `certify diff` prints the rule.",
    wrong="a straight that pays 4 to 1 if 5 to 1 is approved, without a filing",
    right="the filing, and its approval in the register",
)


DISPLAY = "posted_text"
FILING = "variation_filing"


def find_need(difference: Difference, jurisdiction: Jurisdiction, as_of: date) -> FilingNeed:
    """Return a jurisdiction's need for a submission of the difference, with the rule."""
    new_ids = any(record.before != record.after for record in difference.records)
    needed = difference.has_changes or new_ids
    rule, version = find_filing_rule(jurisdiction, as_of)
    if rule is None or version is None:
        status = f"in force on {as_of.isoformat()}" if rule else "on filing"
        return FilingNeed(
            jurisdiction=jurisdiction.id,
            name=jurisdiction.name,
            needed=None if needed else False,
            rule="",
            text=None,
            detail=f"No rule {status} is declared for this jurisdiction.",
        )
    display = _rule(jurisdiction, DISPLAY)
    shows = any(
        record.rows or record.before is None or record.after is None
        for record in difference.records
    )
    also = f" What is displayed changes with it ({display.id})." if display and shows else ""
    return FilingNeed(
        jurisdiction=jurisdiction.id,
        name=jurisdiction.name,
        needed=needed,
        rule=rule.id,
        text=version,
        detail=f"{_why(difference, new_ids=new_ids)}{also} {version.text}",
    )


def find_filing_rule(
    jurisdiction: Jurisdiction, as_of: date
) -> tuple[Rule | None, RuleVersion | None]:
    """Return the rule on the filing of a change, and its text on a day, as far as declared."""
    rule = _rule(jurisdiction, FILING)
    return rule, rule.find_version(as_of) if rule is not None else None


def _why(difference: Difference, *, new_ids: bool) -> str:
    if difference.house_way is not None:
        return (
            "Other settings change the theoretical hold of the main wager."
            if difference.has_changes
            else "Every hand is set alike."
        )
    if difference.has_changes:
        return describe_parts(difference)
    return "Only the ids differ, and each id is a filing." if new_ids else "Nothing differs."


def _rule(jurisdiction: Jurisdiction, test: str) -> Rule | None:
    return next((rule for rule in jurisdiction.rules if rule.test == test), None)


def iter_findings(
    difference: Difference, before: Mapping[str, Document], after: Mapping[str, Document]
) -> Iterator[Finding]:
    """Yield findings on a difference, with the jurisdictions that require a submission.

    Args:
        difference: the difference.
        before: the files of one side by their key.
        after: the files of the other side; findings have their positions, if the entry exists
            there.
    """
    changed: list[Document] = []
    for record in difference.records:
        document = after.get(record.after or "") or before.get(record.before or "")
        if document is not None and record.has_changes:
            changed.append(document)
            yield from _record_findings(record, document)
    for value in difference.values:
        document = next(iter({**before, **after}.values()))
        changed.append(document)
        rule = f"Rule {value.rule}: " if value.rule else ""
        sides = _sides(value.before or "", value.after or "")
        yield _finding(document, C002, "", f"{rule}{value.name}: {sides}.")
    if difference.house_way is not None and difference.has_changes:
        document = next(iter(after.values()))
        changed.append(document)
        for setting in difference.house_way.settings:
            message = (
                f"{setting.hands:,} hands are set by {setting.rule_after} where "
                f"{setting.rule_before} set them, such as {' '.join(setting.example)}."
            )
            yield _finding(document, C002, "", message)
    for need in difference.filings:
        if need.needed and need.text and changed:
            message = f"{need.jurisdiction} requires a filing. {need.detail}"
            yield _finding(changed[0], C003, "", message)


def _record_findings(record: RecordDifference, document: Document) -> Iterator[Finding]:
    """Yield the differences between two entries: the presence of one, or every part."""
    if record.before is None or record.after is None:
        word = "new" if record.before is None else "removed"
        yield _finding(document, C002, "", f"{record.after or record.before} is {word}.")
        return
    for row in record.rows:
        pointer = find_row(document, row.event) if row.table == "rows" else ""
        yield _finding(document, C002, pointer, f"{row.name}: {_sides(row.before, row.after)}.")
    for fact in record.facts:
        yield _finding(document, C002, "", f"{fact.name}: {_sides(fact.before, fact.after)}.")
    for figure in record.figures:
        if figure.before != figure.after:
            sides = (format_figure(side, figure.unit) for side in (figure.before, figure.after))
            yield _finding(document, C002, "", f"{figure.name}: {_sides(*sides)}.")


def _sides(before: str, after: str) -> str:
    return f"{before or 'nothing'} before, {after or 'nothing'} after"


def _finding(document: Document, code: Code, pointer: str, message: str) -> Finding:
    return document.finding(code.id, pointer, message, code.advice(), severity=code.severity)
