"""What a redline prints: each change as text, each percentage before, after and by how much."""

from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from typing import Any

from certify.formatting import exact, json_decimal, json_exact, listed, money, percentage, thousands
from certify.model.difference import (
    ChangeKind,
    Difference,
    FigureChange,
    FilingNeed,
    HouseWayDifference,
    RecordDifference,
    RowChange,
    Unit,
)
from certify.report.tables import Table, table
from certify.report.wording import cards, known_by

KINDS = {
    ChangeKind.ADDED: "added",
    ChangeKind.REMOVED: "removed",
    ChangeKind.CHANGED: "changed",
}
PARTS = {"rows": "", "envy": "Prizes: "}
NOTHING = "–"


def diff_view(
    difference: Difference, *, as_of: date, engine_version: str, digest: str = ""
) -> dict[str, Any]:
    """Return what the template of the redline prints; the same tables serve the command line.

    ``digest`` is that of the machine-readable twin.
    """
    return {
        "title": f"Redline: {difference.before} to {difference.after}",
        "report_id": "redline",
        "revision": "0",
        "revised": as_of.isoformat(),
        "digest": digest,
        "supplier": f"certify {engine_version}",
        "jurisdiction": listed(one.jurisdiction for one in difference.filings),
        "draft": False,
        "before": difference.before,
        "after": difference.after,
        "as_of": as_of.isoformat(),
        "engine_version": engine_version,
        "records": [_record(one) for one in difference.records if _shown(one)],
        "unchanged": unchanged(difference),
        "house_way": _house_way(difference.house_way),
        "filings": filings(difference.filings),
        "details": [(one.jurisdiction, one.detail) for one in difference.filings],
    }


def unchanged(difference: Difference) -> tuple[str, ...]:
    """Return the targets in which nothing differs."""
    return tuple(one.before or "" for one in difference.records if not _shown(one))


def _shown(one: RecordDifference) -> bool:
    return one.changed or one.before != one.after


def _record(one: RecordDifference) -> dict[str, Any]:
    return {
        "title": _title(one),
        "rows": _rows(one.rows),
        "facts": table(
            "Declared values",
            "Value @30 | Before | After",
            [(fact.name, fact.before or NOTHING, fact.after or NOTHING) for fact in one.facts],
        ),
        "figures": figures("Figures", one.figures),
    }


def _title(one: RecordDifference) -> str:
    if one.before is None:
        return f"{one.after} (added)"
    if one.after is None:
        return f"{one.before} (removed)"
    return one.before if one.before == one.after else f"{one.before} to {one.after}"


def _rows(rows: Iterable[RowChange]) -> Table:
    return table(
        "Rows that differ",
        "Hand @34 | Change | Before | After | #Hands before | #Hands after",
        [
            (
                PARTS[one.table] + one.name,
                KINDS[one.kind],
                one.before or NOTHING,
                one.after or NOTHING,
                _count(one.hands_before),
                _count(one.hands_after),
            )
            for one in rows
        ],
    )


def figures(caption: str, changes: Iterable[FigureChange]) -> Table:
    """Return a table of figures: rounded before and after, the difference rounded and exact."""
    return table(
        caption,
        "Figure @28 | #Before | #After | #Difference | =Exact difference",
        [
            (
                one.name,
                shown(one.before, one.unit),
                shown(one.after, one.unit),
                signed(one.change, one.unit),
                NOTHING if one.change is None else exact(one.change),
            )
            for one in changes
        ],
        note="Percentages are rounded half up to four places; differences are taken of the exact "
        "values, not of the rounded ones.",
    )


def shown(value: Fraction | None, unit: Unit) -> str:
    """Return a figure in its unit."""
    if value is None:
        return NOTHING
    if unit is Unit.PERCENT:
        return percentage(value)
    if unit is Unit.CENTS:
        return money(value)
    return thousands(value, 0 if value.denominator == 1 else 4)


def signed(value: Fraction | None, unit: Unit) -> str:
    """Return a difference with its sign."""
    text = shown(value, unit)
    return f"+{text}" if value is not None and value > 0 else text


def filings(needs: Iterable[FilingNeed]) -> Table:
    """Return the table of what each jurisdiction wants."""
    return table(
        "Filings",
        "Jurisdiction | Filing | Rule | Citation | Text known by",
        [
            (
                one.jurisdiction,
                "needed" if one.needed else "not needed",
                one.rule or NOTHING,
                one.text.citation if one.text else NOTHING,
                known_by(one.text) if one.text else NOTHING,
            )
            for one in needs
        ],
    )


def _house_way(one: HouseWayDifference | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "summary": f"{thousands(one.different)} of {thousands(one.hands)} hands "
        f"({percentage(Fraction(one.different, one.hands))}) are set differently.",
        "settings": table(
            "Hands that are set differently, by the rules that decide",
            f"{one.before} @18 | {one.after} @18 | #Hands | A hand | Front before | Front after",
            [
                (
                    setting.rule_before,
                    setting.rule_after,
                    thousands(setting.hands),
                    _cards(setting.example),
                    _cards(setting.front_before),
                    _cards(setting.front_after),
                )
                for setting in one.settings
            ],
        ),
        "figures": figures("House edges of the main wager", one.figures),
    }


def _cards(codes: Iterable[str]) -> str:
    return " ".join(f"{one.rank}{one.suit}" for one in cards(codes))


def _count(number: int | None) -> str:
    return NOTHING if number is None else thousands(number)


def difference_json(difference: Difference) -> dict[str, Any]:
    """Return the redline for scripts: exact values as ``n/d``, decimals beside them."""
    way = difference.house_way
    value: dict[str, Any] = {
        "before": difference.before,
        "after": difference.after,
        "changed": difference.changed,
        "records": [_record_json(one) for one in difference.records],
        "filings": [
            {
                "jurisdiction": one.jurisdiction,
                "needed": one.needed,
                "rule": one.rule,
                "citation": one.text.citation if one.text else "",
                "confidence": str(one.text.confidence) if one.text else None,
                "text_date": one.text.text_date if one.text else None,
                "text_read_on": one.text.read_on.isoformat() if one.text else None,
                "detail": one.detail,
            }
            for one in difference.filings
        ],
    }
    if way is not None:
        value["house_way"] = {
            "before": way.before,
            "after": way.after,
            "hands": way.hands,
            "different": way.different,
            "settings": [
                {
                    "rule_before": one.rule_before,
                    "rule_after": one.rule_after,
                    "hands": one.hands,
                    "example": " ".join(one.example),
                    "front_before": " ".join(one.front_before),
                    "front_after": " ".join(one.front_after),
                }
                for one in way.settings
            ],
            "figures": [_figure_json(one) for one in way.figures],
        }
    return value


def _record_json(one: RecordDifference) -> dict[str, Any]:
    return {
        "before": one.before,
        "after": one.after,
        "changed": one.changed,
        "rows": [
            {
                "table": row.table,
                "change": str(row.kind),
                "event": row.event,
                "name": row.name,
                "before": row.before or None,
                "after": row.after or None,
                "combinations_before": row.hands_before,
                "combinations_after": row.hands_after,
            }
            for row in one.rows
        ],
        "values": [
            {"name": fact.name, "before": fact.before or None, "after": fact.after or None}
            for fact in one.facts
        ],
        "figures": [_figure_json(figure) for figure in one.figures],
    }


def _figure_json(one: FigureChange) -> dict[str, Any]:
    places = 10
    value: dict[str, Any] = {"name": one.name, "unit": str(one.unit)}
    for name, figure in (("before", one.before), ("after", one.after), ("change", one.change)):
        if figure is not None:
            value[name] = json_exact(figure)
            value[f"{name}_decimal"] = json_decimal(figure, places)
    return value
