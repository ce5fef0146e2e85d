"""Contents of a redline: each change as text, each percentage before, after and by how much."""

from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from typing import Any

from certify.formatting import exact, join_words, money, percentage, thousands
from certify.model.comparison import (
    Difference,
    FactChange,
    FigureChange,
    FilingNeed,
    HouseWayDifference,
    OtherSetting,
    Part,
    RecordDifference,
    RowChange,
    Unit,
    ValueChange,
    Words,
)
from certify.model.encoding import Forms, drop_empty, encode_exact, encode_object, pick_values
from certify.report.tables import Table, table
from certify.report.wording import describe_text, engine_view, hand_text, lower_first

PARTS = {"rows": "", "envy": "Prizes: "}
NOTHING = "–"
DIFFERENT = {
    Part.FIGURES: "Rows, pays or figures differ.",
    Part.TERMS: "Terms differ.",
    Part.TEXT: "Text, or another declared value without effect on figures, differs.",
}
SAME = "Rows, pays and compared figures are the same."
UNEXAMINED = "Declared values differ. No figures were compared."


def diff_view(
    difference: Difference, *, as_of: date, engine_version: str, build: str, digest: str = ""
) -> dict[str, Any]:
    """Return the variables of the redline's template; the command line uses the same tables.

    ``build`` is the digest of certify's code and templates, ``digest`` that of the machine-readable
    twin.
    """
    return {
        "title": f"Redline: {difference.before} to {difference.after}",
        "report_id": "redline",
        "revision": "",
        "revised": as_of,
        "digest": digest,
        "supplier": f"certify {engine_version}",
        "jurisdiction": join_words(filing.name for filing in difference.filings),
        "draft": False,
        "before": difference.before,
        "after": difference.after,
        "as_of": as_of,
        **engine_view(engine_version, build),
        "records": [_record(record) for record in difference.records if _shown(record)],
        "unchanged": tuple(
            record.before or ""
            for record in difference.records
            if record.counted and not _shown(record)
        ),
        "uncounted": tuple(_title(each) for each in difference.records if not each.counted),
        "house_way": _house_way(difference.house_way),
        "differing": describe_parts(difference),
        "declared": difference.values,
        "numbered_for": difference.numbered_for,
        "only_game": difference.only_game,
        "approved": None,
        "filings": filings(difference.filings),
        "details": [(filing.name, filing.detail) for filing in difference.filings],
    }


def describe_parts(difference: Difference) -> str:
    """Return the parts of a filing that differ in words; empty without a difference of values.

    Of files that are compared alone, no figure is compared.
    """
    if difference.parts and not difference.records:
        return UNEXAMINED
    sentences = [DIFFERENT[part] for part in difference.parts]
    if sentences and Part.FIGURES not in difference.parts:
        sentences.append(SAME)
    return " ".join(sentences)


def _shown(record: RecordDifference) -> bool:
    return record.has_changes or record.before != record.after


def _record(record: RecordDifference) -> dict[str, Any]:
    return {
        "title": _title(record),
        "rows": table(
            "Rows that differ",
            "Hand @34 | Change | Before | After | #Hands before | #Hands after",
            [
                (
                    PARTS[row.table] + row.name,
                    str(row.kind),
                    row.before or NOTHING,
                    row.after or NOTHING,
                    _count(row.hands_before),
                    _count(row.hands_after),
                )
                for row in record.rows
            ],
        ),
        "facts": table(
            "Declared values",
            "Value @30 | Before | After",
            [(fact.name, fact.before or NOTHING, fact.after or NOTHING) for fact in record.facts],
        ),
        "figures": figures("Figures", record.figures if record.differs else ()),
        "terms": join_words(map(lower_first, record.terms)),
    }


def _title(record: RecordDifference) -> str:
    if record.before is None:
        return f"{record.after} (added)"
    if record.after is None:
        return f"{record.before} (removed)"
    return record.before if record.before == record.after else f"{record.before} to {record.after}"


def figures(caption: str, changes: Iterable[FigureChange]) -> Table:
    """Return a table of figures: rounded before and after, the difference rounded and exact."""
    return table(
        caption,
        "Figure @28 | #Before | #After | #Difference | =Exact difference",
        [
            (
                change.name,
                format_figure(change.before, change.unit),
                format_figure(change.after, change.unit),
                format_difference(change.change, change.unit),
                NOTHING if change.change is None else exact(change.change),
            )
            for change in changes
        ],
    )


def format_figure(value: Fraction | None, unit: Unit) -> str:
    """Return a figure in its unit."""
    if value is None:
        return NOTHING
    if unit is Unit.PERCENT:
        return percentage(value)
    if unit is Unit.CENTS:
        return money(value)
    return thousands(value, 0 if value.denominator == 1 else 4)


def format_difference(value: Fraction | None, unit: Unit) -> str:
    """Return a difference with its sign."""
    text = format_figure(value, unit)
    return f"+{text}" if value is not None and value > 0 else text


NEEDED = {True: "needed", False: "not needed", None: "not known"}


def filings(needs: Iterable[FilingNeed]) -> Table:
    """Return the table of required submissions by jurisdiction."""
    return table(
        "Filings",
        "Jurisdiction | Filing | Rule | Citation | Text known by",
        [
            (
                need.name,
                NEEDED[need.needed],
                need.rule or NOTHING,
                need.text.citation if need.text else NOTHING,
                describe_text(need.text) if need.text else NOTHING,
            )
            for need in needs
        ],
    )


def _house_way(ways: HouseWayDifference | None) -> dict[str, Any] | None:
    if ways is None:
        return None
    return {
        "summary": f"{thousands(ways.different)} of {thousands(ways.hands)} hands "
        f"({percentage(Fraction(ways.different, ways.hands))}) are set differently.",
        "settings": table(
            "Hands that are set differently, by the rules that decide",
            f"{ways.before} @18 | {ways.after} @18 | #Hands | A hand | "
            "Low hand before | Low hand after",
            [
                (
                    setting.rule_before,
                    setting.rule_after,
                    thousands(setting.hands),
                    hand_text(setting.example),
                    hand_text(setting.front_before),
                    hand_text(setting.front_after),
                )
                for setting in ways.settings
            ],
        ),
        "figures": figures("House edges of the main wager", ways.figures),
    }


def _count(number: int | None) -> str:
    return NOTHING if number is None else thousands(number)


def difference_json(difference: Difference) -> dict[str, Any]:
    """Return the redline as JSON: exact values as ``n/d``, with decimals."""
    value = {
        **pick_values(difference, "before", "after"),
        "changed": difference.has_changes,
        **pick_values(difference, "records", "filings"),
        "parts": difference.parts,
        "declared": difference.values,
        "numbered_for": difference.numbered_for,
        "only_game": difference.only_game,
        **drop_empty(pick_values(difference, "house_way")),
    }
    return encode_object(value, FORMS)


def _need_json(need: FilingNeed) -> dict[str, Any]:
    text = need.text
    return {
        **pick_values(need, "jurisdiction", "needed", "rule"),
        "citation": text.citation if text else "",
        "confidence": text and text.confidence,
        "text_date": text and text.text_date,
        "text_read_on": text and text.read_on,
        "detail": need.detail,
    }


def _sides(change: RowChange | FactChange) -> dict[str, Any]:
    return {"before": change.before or None, "after": change.after or None}


FORMS: Forms = {
    ValueChange: lambda value: {
        **pick_values(value, "file", "path", "name", "part", "rule"),
        "before": value.before,
        "after": value.after,
        "words": value.words,
    },
    Words: lambda words: {"change": words.change, "text": words.text},
    FactChange: lambda fact: {"name": fact.name, **_sides(fact)},
    FigureChange: lambda figure: {
        **pick_values(figure, "name", "unit"),
        **encode_exact("before", figure.before),
        **encode_exact("after", figure.after),
        **encode_exact("change", figure.change),
    },
    FilingNeed: _need_json,
    HouseWayDifference: lambda way: pick_values(
        way, "before", "after", "hands", "different", "settings", "figures"
    ),
    OtherSetting: lambda setting: {
        **pick_values(setting, "rule_before", "rule_after", "hands"),
        "example": " ".join(setting.example),
        "front_before": " ".join(setting.front_before),
        "front_after": " ".join(setting.front_after),
    },
    RecordDifference: lambda record: {
        **pick_values(record, "before", "after"),
        "changed": record.has_changes,
        "counted": record.counted,
        "rows": record.rows,
        "values": record.facts,
        "figures": record.figures,
        "terms": record.terms,
    },
    RowChange: lambda row: {
        "table": row.table,
        "change": row.kind,
        **pick_values(row, "event", "name"),
        **_sides(row),
        "combinations_before": row.hands_before,
        "combinations_after": row.hands_after,
    },
}
