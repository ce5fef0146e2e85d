"""What the mathematics report prints as proof: inputs, requirements, checks, sources."""

from collections import Counter
from fractions import Fraction
from typing import Any

from certify.model.audit import Agreement, CrossCheck, FigureJudgement, Standing
from certify.model.condition import FeatureValue
from certify.model.jurisdiction import Bearer
from certify.model.published import Discrepancy
from certify.model.submission import Submission
from certify.report.numbers import decimal, percent, rounds_to_a_hit, thousands
from certify.report.tables import Table, table
from certify.report.wording import as_written

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

FOLDER = "paytables/"

BEARER_TEXT = {
    Bearer.OURS: "these documents",
    Bearer.THEIRS: "supplier, casino",
    Bearer.LABORATORY: "laboratory",
}

STATE_TEXT = {"done": "done", "missing": "missing", "not_ours": "not ours"}


def input_table(submission: Submission) -> Table:
    """Return every file that the figures rest on, with its digest."""
    files = {
        one.path.removeprefix(FOLDER): one.sha256
        for analysis in submission.analyses.values()
        for one in analysis.inputs
    }
    return table(
        f"Declared files under {FOLDER}, and their SHA-256 digests",
        "File @50 | =Digest",
        sorted(files.items()),
    )


def rule_table(submission: Submission) -> Table:
    """Return each requirement, the text applied, where it stands, and where it is met."""
    rows = []
    for one in submission.rules:
        known = str(one.version.confidence).replace("_", " ") if one.version else "not known"
        cited = one.version.citation if one.version else "no text in force"
        where = f" Where: {one.section}." if one.section else ""
        rows.append(
            (
                one.rule.id,
                one.rule.title,
                f"{cited} ({known})",
                STANDING_TEXT[one.standing],
                f"{one.detail}{where}",
            )
        )
    return table(
        f"Requirements in force on {submission.as_of.isoformat()}",
        "Rule @12 | Requirement @22 | Citation (text known by) @21 | Standing @12 | What was found",
        rows,
        note="A text that is not known word for word is never more than a warning here. Standing: "
        "satisfied, not satisfied, unverified (a fact or the text is not known), by people "
        "(somebody must bring or judge it), not applicable.",
        none="No rule of this jurisdiction is recorded.",
    )


def frequency_table(submission: Submission) -> Table:
    """Return the master table of hand frequencies; it sums to the deck."""
    census = submission.frequencies
    rows = [
        (
            _cell(cell),
            thousands(count),
            decimal(Fraction(count, census.total), 10),
            rounds_to_a_hit(Fraction(count, census.total)),
        )
        for cell, count in census.cells.items()
    ]
    return table(
        f"Every hand of {census.cards} cards",
        "Hand @50 | #Combinations | #Probability | #1 in",
        rows,
        foot=[("Total", thousands(census.total), decimal(Fraction(1), 10), "")],
        note="A hand is counted once, under the first name that it has.",
    )


def _cell(cell: tuple[FeatureValue, ...]) -> str:
    return " ".join(str(value) for value in cell)


def verification_summary(submission: Submission) -> Table:
    """Return one line for every second derivation: what it was, how much it saw, its verdict."""
    rows = []
    for check in submission.crosschecks:
        apart = max((abs(one.other - one.exact) for one in check.comparisons), default=Fraction(0))
        agrees = all(one.agrees for one in check.comparisons)
        rows.append(
            (
                check.target.partition("/")[2],
                check.method,
                thousands(check.rounds),
                str(check.seed) if check.seed is not None else "–",
                decimal(apart, 8) if apart else "none",
                "agrees" if agrees else "DIFFERS",
            )
        )
    return table(
        "Method A (counted) against method B",
        "Target @29 | Method B @21 | #Rounds or hands @16 | #Seed | #Largest difference @14"
        " | Verdict",
        rows,
        note="Differences are of shares of all rounds or hands.",
        none="No second derivation was made for this submission.",
    )


def verification_tables(submission: Submission) -> tuple[Table, ...]:
    """Return the outcomes of every simulation, and of whatever differs."""
    return tuple(
        _crosscheck(one)
        for one in submission.crosschecks
        if one.seed is not None or not all(each.agrees for each in one.comparisons)
    )


def _crosscheck(check: CrossCheck) -> Table:
    rows = [
        (
            one.event.replace("_", " "),
            decimal(one.exact, 8),
            decimal(one.other, 8),
            decimal(one.other - one.exact, 8),
            decimal(one.standard_error, 8) if one.standard_error is not None else "–",
            decimal(one.z, 2) if one.z is not None else "–",
            "agrees" if one.agrees else "DIFFERS",
        )
        for one in check.comparisons
    ]
    seed = f", seed {check.seed}" if check.seed is not None else ""
    return table(
        f"{check.target.partition('/')[2]}: {check.method}",
        "Outcome @26 | #Method A | #Method B | #Difference | #Standard error | #z | Verdict",
        rows,
        note=f"Method B: {thousands(check.rounds)} rounds or hands{seed}. z: difference over "
        "standard error.",
    )


def figure_summary(submission: Submission) -> Table:
    """Return how many printed figures of the source there are of each verdict, by target."""
    rows = []
    for target, judged in _by_target(submission):
        count = Counter(one.agreement for one in judged)
        rows.append(
            (
                target.partition("/")[2],
                str(len(judged)),
                *(str(count[verdict]) for verdict in AGREEMENT_TEXT),
            )
        )
    return table(
        "Figures that the source prints",
        "Target @36 | #Printed | "
        + " | ".join(f"#{as_written(t)}" for t in AGREEMENT_TEXT.values()),
        rows,
        note="Each printed figure is compared at its printed precision. Annex B has every one.",
        none="The source prints no figure about what is filed here.",
    )


def _by_target(submission: Submission) -> list[tuple[str, list[FigureJudgement]]]:
    found: dict[str, list[FigureJudgement]] = {}
    for one in submission.figures:
        found.setdefault(one.figure.target, []).append(one)
    return list(found.items())


def figure_tables(submission: Submission) -> tuple[Table, ...]:
    """Return the printed figures of the source against the recomputed ones, by target."""
    return tuple(
        table(
            target.partition("/")[2],
            "Figure @36 | #Printed | #Recomputed | Verdict @14 | Remark @24",
            [_figure(one) for one in judged],
        )
        for target, judged in _by_target(submission)
    )


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
        "kind": as_written(str(one.kind)),
        "words": " · ".join(f"“{words}”" for words in one.words),
        "places": "; ".join(source.clause for source in one.sources),
        "effect": one.effect,
        "resolution": one.resolution,
    }


def checklist_table(submission: Submission) -> Table:
    """Return what a filing needs and what of it is here."""
    return table(
        f"What a filing in {submission.jurisdiction.name} needs",
        "Item @40 | State @12 | Brought by @14 | Detail",
        [
            (
                line.item.text,
                STATE_TEXT[line.state],
                BEARER_TEXT[line.item.bearer],
                line.detail,
            )
            for line in submission.checklist
        ],
        none="No checklist of this jurisdiction is recorded.",
    )
