"""What filing a difference needs in each jurisdiction, and by which rule."""

from collections.abc import Iterable
from datetime import date

from certify.model.difference import Difference, FilingNeed
from certify.model.jurisdiction import Jurisdiction, Rule

DISPLAY = "posted_text"
FILING = "variation_filing"


def filings_needed(
    difference: Difference, as_of: date, jurisdictions: Iterable[Jurisdiction]
) -> tuple[FilingNeed, ...]:
    """Say of every jurisdiction whether it wants a filing of what differs."""
    return tuple(_need(difference, jurisdiction, as_of) for jurisdiction in jurisdictions)


def _need(difference: Difference, jurisdiction: Jurisdiction, as_of: date) -> FilingNeed:
    """Return whether a jurisdiction wants a filing of what differs, and by which rule."""
    new_ids = any(record.before != record.after for record in difference.records)
    needed = difference.changed or new_ids
    rule = _rule(jurisdiction, FILING)
    version = rule.version_at(as_of) if rule is not None else None
    if rule is None or version is None:
        known = f"was in force on {as_of.isoformat()}" if rule else "says what has to be filed"
        return FilingNeed(
            jurisdiction=jurisdiction.id,
            needed=None if needed else False,
            rule="",
            text=None,
            detail=f"No text known here {known}.",
        )
    display = _rule(jurisdiction, DISPLAY)
    shows = any(
        record.rows or record.before is None or record.after is None
        for record in difference.records
    )
    also = f" What is displayed changes with it ({display.id})." if display and shows else ""
    return FilingNeed(
        jurisdiction=jurisdiction.id,
        needed=needed,
        rule=rule.id,
        text=version,
        detail=f"{_why(difference, new_ids=new_ids)}{also} {version.text}",
    )


def _why(difference: Difference, *, new_ids: bool) -> str:
    if difference.house_way is not None:
        return (
            "Other settings change the theoretical hold of the main wager."
            if difference.changed
            else "Every hand is set alike."
        )
    if difference.changed:
        return "Rows, pays or figures differ."
    return "Only the ids differ, and each id is a filing." if new_ids else "Nothing differs."


def _rule(jurisdiction: Jurisdiction, test: str) -> Rule | None:
    return next((rule for rule in jurisdiction.rules if rule.test == test), None)
