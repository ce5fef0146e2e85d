"""What the mathematics report prints as proof: inputs, requirements, checks, sources."""

from collections import Counter
from fractions import Fraction
from typing import Any

from certify.model.audit import Agreement, CrossCheck, FigureJudgement, Standing
from certify.model.condition import FeatureValue
from certify.model.jurisdiction import Bearer
from certify.model.published import Discrepancy, Quantity
from certify.model.submission import Submission
from certify.report.matrix_view import clauses_of
from certify.report.numbers import decimal, percent, rounds_to_a_hit, thousands
from certify.report.tables import Table, table
from certify.report.wording import as_written, full_label

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

QUANTITY_TEXT = {
    Quantity.COMBINATIONS: "Combinations",
    Quantity.PROBABILITY: "Probability",
    Quantity.ROW_RETURN: "Return",
    Quantity.TOTAL_RETURN: "Total return",
    Quantity.HOUSE_EDGE: "House edge",
    Quantity.HOUSE_EDGE_WITH_PLAYERS: "House edge",
    Quantity.ENVY_ROW_RETURN: "Envy return",
    Quantity.ENVY_ROW_PROBABILITY: "Envy probability",
    Quantity.ENVY_ROW_COMBINATIONS: "Envy combinations",
    Quantity.ENVY_PER_OTHER_PLAYER: "Envy, each other player",
    Quantity.TOTAL_COMBINATIONS: "Total combinations",
    Quantity.TOTAL_PROBABILITY: "Total probability",
    Quantity.NOT_COMPUTABLE: "Not computable",
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
                _target(submission, check.target),
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
        _crosscheck(one, _target(submission, one.target))
        for one in submission.crosschecks
        if one.seed is not None or not all(each.agrees for each in one.comparisons)
    )


def _target(submission: Submission, target: str) -> str:
    """Return a target in words: the main wager's option, or the wager and its paytable."""
    wager_id, _, record = target.partition("/")[2].partition("/")
    wager = next((one for one in submission.game.wagers if one.id == wager_id), None)
    if wager is None or not record:
        return target
    return f"{wager.name}, {record}" if wager.options else full_label(wager.name, record)


def _crosscheck(check: CrossCheck, name: str) -> Table:
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
        f"{name}: {check.method}",
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
                _target(submission, target),
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
            _target(submission, target),
            "Figure @40 | #Printed @15 | #Recomputed @15 | Verdict",
            [_figure(one) for one in judged],
        )
        for target, judged in _by_target(submission)
    )


def _figure(one: FigureJudgement) -> tuple[str, ...]:
    figure = one.figure
    parts = [QUANTITY_TEXT[figure.quantity]]
    if figure.event:
        parts.append(figure.event.replace("_", " "))
    if figure.players:
        parts.append(f"{figure.players} bettor{'s' if figure.players > 1 else ''}")
    verdict = AGREEMENT_TEXT[one.agreement]
    return (
        ", ".join(parts),
        figure.printed,
        _recomputed(one),
        f"{verdict}: {one.reason}" if one.reason else verdict,
    )


def _recomputed(one: FigureJudgement) -> str:
    """Return the exact value with two decimals more than are printed, so that it can be seen."""
    if one.recomputed is None:
        return "–"
    printed = one.figure.printed
    places = len(printed.rstrip("%").partition(".")[2]) + 2
    if printed.endswith("%"):
        return f"{percent(one.recomputed, places)}%"
    if "." in printed or one.recomputed.denominator != 1:
        return decimal(one.recomputed, places)
    return thousands(one.recomputed)


def discrepancy_views(submission: Submission) -> list[dict[str, Any]]:
    """Return the discrepancies of the source and how each is read."""
    return [_discrepancy(number, one) for number, one in enumerate(submission.discrepancies, 1)]


def _discrepancy(number: int, one: Discrepancy) -> dict[str, Any]:
    return {
        "number": str(number),
        "title": one.title,
        "kind": as_written(str(one.kind)),
        "words": " · ".join(f"“{words}”" for words in one.words),
        "places": clauses_of(one.sources),
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
