"""What the mathematics report prints as proof: inputs, requirements, checks, sources."""

from fractions import Fraction
from itertools import groupby
from typing import Any

from certify.model.audit import Agreement, CrossCheck, FigureJudgement, Standing
from certify.model.condition import FeatureValue
from certify.model.published import Discrepancy
from certify.model.submission import Submission
from certify.report.numbers import decimal, percent, thousands
from certify.report.tables import Table, table

STANDING_TEXT = {
    Standing.SATISFIED: "satisfied",
    Standing.NOT_SATISFIED: "not satisfied",
    Standing.UNVERIFIED: "unverified",
    Standing.BY_PEOPLE: "by people",
    Standing.NOT_APPLICABLE: "not applicable",
}

AGREEMENT_TEXT = {
    Agreement.AGREES: "agrees",
    Agreement.DIFFERS: "differs",
    Agreement.AGREES_UNDER_READING: "agrees under another reading",
    Agreement.NOT_COMPUTABLE: "not computable",
}

STATE_TEXT = {"done": "done", "missing": "missing", "not_ours": "not ours"}


def input_table(submission: Submission) -> Table:
    """Return every file that the figures rest on, with its digest."""
    files = {
        one.path: one.sha256 for analysis in submission.analyses.values() for one in analysis.inputs
    }
    return table("Inputs and their SHA-256 digests", "File | =Digest", sorted(files.items()))


def rule_table(submission: Submission) -> Table:
    """Return each requirement, the text applied, where it stands, and where it is met."""
    rows = []
    for one in submission.rules:
        cited = one.version.citation if one.version else "no text in force"
        confidence = str(one.version.confidence).replace("_", " ") if one.version else "–"
        rows.append(
            (
                one.rule.id,
                one.rule.title,
                cited,
                confidence,
                STANDING_TEXT[one.standing],
                one.detail,
            )
        )
    return table(
        f"Requirements in force on {submission.as_of.isoformat()}",
        "Rule | Requirement | Citation | Text known by | Standing | Detail",
        rows,
    )


def frequency_table(submission: Submission) -> Table:
    """Return the master table of hand frequencies; it sums to the deck."""
    census = submission.frequencies
    rows = [
        (_cell(cell), thousands(count), decimal(Fraction(count, census.total), 10))
        for cell, count in census.cells.items()
    ]
    return table(
        f"Every hand of {census.cards} cards",
        "Hand | #Combinations | #Probability",
        rows,
        foot=[("Total", thousands(census.total), decimal(Fraction(1), 10))],
    )


def _cell(cell: tuple[FeatureValue, ...]) -> str:
    return " ".join(str(value) for value in cell)


def verification_views(submission: Submission) -> list[dict[str, Any]]:
    """Return method A against method B for every target that was derived twice."""
    return [_crosscheck(one) for one in submission.crosschecks]


def _crosscheck(check: CrossCheck) -> dict[str, Any]:
    simulated = check.seed is not None
    rows = []
    for one in check.comparisons:
        row = [
            one.event,
            decimal(one.exact, 8),
            decimal(one.other, 8),
            decimal(one.other - one.exact, 8),
        ]
        if simulated and one.standard_error is not None and one.z is not None:
            row += [decimal(one.standard_error, 8), decimal(one.z, 2)]
        row.append("agrees" if one.agrees else "DIFFERS")
        rows.append(tuple(row))
    columns = "Outcome | #Method A | #Method B | #Difference"
    if simulated:
        columns += " | #Standard error | #z"
    return {
        "table": table(
            f"{check.target}: A counted, B {check.method}",
            columns + " | Verdict",
            rows,
            note=f"Method B: {thousands(check.rounds)} hands or deals"
            + (f", seed {check.seed}." if simulated else ", every one of them."),
        )
    }


def figure_tables(submission: Submission) -> list[Table]:
    """Return the printed figures of the source against the recomputed ones, by paytable."""
    tables = []
    for target, judged in groupby(submission.figures, key=lambda one: one.figure.target):
        rows = [_figure(one) for one in judged]
        tables.append(
            table(
                f"Printed figures about {target}",
                "Figure | #Printed | #Recomputed | Verdict | Remark",
                rows,
            )
        )
    return tables


def _figure(one: FigureJudgement) -> tuple[str, ...]:
    figure = one.figure
    name = str(figure.quantity).replace("_", " ")
    about = " ".join(
        part
        for part in (
            name,
            (figure.event or "").replace("_", " "),
            f"{figure.players} bettors" if figure.players else "",
        )
        if part
    )
    recomputed = "–"
    if one.recomputed is not None:
        places = len(figure.printed.rstrip("%").partition(".")[2]) + 2
        recomputed = (
            f"{percent(one.recomputed, places)}%"
            if figure.printed.endswith("%")
            else decimal(one.recomputed, places if "." in figure.printed else 0)
        )
    return (about, figure.printed, recomputed, AGREEMENT_TEXT[one.agreement], one.reason)


def discrepancy_views(submission: Submission) -> list[dict[str, Any]]:
    """Return the discrepancies of the source and how each is read."""
    return [_discrepancy(number, one) for number, one in enumerate(submission.discrepancies, 1)]


def _discrepancy(number: int, one: Discrepancy) -> dict[str, Any]:
    return {
        "number": str(number),
        "title": one.title,
        "kind": str(one.kind),
        "words": [f"“{words}”" for words in one.words],
        "places": "; ".join(source.clause for source in one.sources),
        "effect": one.effect,
        "resolution": one.resolution,
    }


def checklist_table(submission: Submission) -> Table:
    """Return what a filing needs and what of it is here."""
    return table(
        "What the filing needs",
        "Item | State | Detail",
        [(line.item.text, STATE_TEXT[line.state], line.detail) for line in submission.checklist],
    )
