"""Checks of envy tables and progressive meters."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from certify.checks.context import Context, did_you_mean
from certify.checks.pages import wagers as pages
from certify.formatting import exact_percentage
from certify.model.finding import Finding, Severity
from certify.model.payout import Basis
from certify.model.paytable import Meter, Paytable
from certify.model.published import DiscrepancyKind, MeterTerm


def envy_missing(context: Context) -> Iterator[Finding]:
    """E001: the envy table that a paytable names is declared."""
    for game, wager, paytable in context.paytables():
        known = tuple(one.id for one in wager.envies)
        if paytable.envy is None or paytable.envy in known:
            continue
        if not context.has_file(f"{game.id}/{wager.id}/envy/{paytable.envy}"):
            yield context.finding(
                pages.E001,
                paytable.target,
                "/envy",
                f"The wager has no envy table {paytable.envy}.",
                did_you_mean(paytable.envy, known),
            )


def envy_unused(context: Context) -> Iterator[Finding]:
    """E002: every envy table goes with a paytable."""
    for wager, table, key in context.envies():
        if not any(paytable.envy == table.id for paytable in wager.paytables):
            yield context.finding(
                pages.E002,
                key,
                "/id",
                f"No paytable of the wager names the envy table {table.id}.",
                "Name it under `envy` in the paytable that it goes with, or remove it.",
                related=(one.target for one in wager.paytables),
            )


def envy_row_of_its_own(context: Context) -> Iterator[Finding]:
    """E003: envy prizes are for rows of the paytable."""
    for wager, table, key in context.envies():
        for paytable in wager.paytables:
            if paytable.envy != table.id:
                continue
            rows = {row.event for row in paytable.rows}
            for index, row in enumerate(table.rows):
                if row.event not in rows and row.event in context.catalogue.events:
                    yield context.finding(
                        pages.E003,
                        key,
                        f"/rows/{index}/event",
                        f"{row.event} is not a row of the paytable {paytable.id}.",
                        "Use the event of the row that the prize is printed beside.",
                        related=(paytable.target,),
                    )


def envy_prizes_rise(context: Context) -> Iterator[Finding]:
    """E004: envy prizes fall from row to row, and none is nothing."""
    for _, table, key in context.envies():
        for index, (row, below) in enumerate(pairwise(table.rows)):
            if row.prize_cents < below.prize_cents:
                yield context.finding(
                    pages.E004,
                    key,
                    f"/rows/{index}/prize_cents",
                    f"The prize for `{row.name}` is less than that for `{below.name}` below it.",
                    "Correct the prize; leave it if the source prints it so.",
                )
        for index, row in enumerate(table.rows):
            if row.prize_cents == 0:
                yield context.finding(
                    pages.E004,
                    key,
                    f"/rows/{index}/prize_cents",
                    f"The prize for `{row.name}` is nothing.",
                    "Write the prize in cents, or remove the row.",
                )


def envy_exclusions(context: Context) -> Iterator[Finding]:
    """E005: a prize on the own hand or the dealer's is pointed out."""
    for _, table, key in context.envies():
        for name, paid, whose in (
            ("pays_on_own_hand", table.pays_on_own_hand, "own"),
            ("pays_on_dealer_hand", table.pays_on_dealer_hand, "dealer's"),
        ):
            if paid:
                yield context.finding(
                    pages.E005,
                    key,
                    f"/{name}",
                    f"The prize is also paid on the {whose} hand.",
                    "Leave it if the source says so; otherwise write false.",
                )


def meter_missing(context: Context) -> Iterator[Finding]:
    """G001: the meter that a row pays from is declared."""
    for _, _, paytable in context.paytables():
        known = tuple(one.level for one in _meters(paytable))
        for index, row in enumerate(paytable.rows):
            level = row.payout.meter
            if level is not None and level not in known:
                yield context.finding(
                    pages.G001,
                    paytable.target,
                    f"/rows/{index}/meter",
                    f"The paytable declares no meter {level}.",
                    did_you_mean(level, known),
                )


def meter_unpaid(context: Context) -> Iterator[Finding]:
    """G002: every meter is paid by a row."""
    for _, _, paytable in context.paytables():
        paid = {row.payout.meter for row in paytable.rows}
        for index, meter in enumerate(_meters(paytable)):
            if meter.level not in paid:
                yield context.finding(
                    pages.G002,
                    paytable.target,
                    f"/progressive/meters/{index}",
                    f"No row pays from the meter {meter.level}.",
                    "Add the row that pays from it, or remove the meter.",
                )


def share_range(context: Context) -> Iterator[Finding]:
    """G003: a share is more than nothing and no more than the whole meter."""
    for _, _, paytable in context.paytables():
        for index, row in enumerate(paytable.rows):
            if row.payout.basis is Basis.METER and not 0 < row.payout.amount <= 1:
                yield context.finding(
                    pages.G003,
                    paytable.target,
                    f"/rows/{index}/pays",
                    f"{exact_percentage(row.payout.amount)} of a meter cannot be paid.",
                    "Write a share from 1% to 100%.",
                )


def meter_terms(context: Context) -> Iterator[Finding]:
    """G004: seed, increment and reserve are stated, or the gap is on record."""
    for game, wager, paytable in context.paytables():
        silent = {one.level: _absent_terms(one) for one in _meters(paytable)}
        terms = [one for one in MeterTerm if any(one in absent for absent in silent.values())]
        if not terms:
            continue
        touched = {f"{game.id}/{wager.id}", paytable.target}
        gap = _recorded_gap(context, game.id, touched, terms)
        levels = ", ".join(level for level, absent in silent.items() if absent)
        yield context.finding(
            pages.G004,
            paytable.target,
            "/progressive/meters",
            f"Not stated for meter {levels}: {', '.join(terms)}."
            + (f" The gap is on record as {gap}." if gap else ""),
            "State what the casino chooses before it files."
            if gap
            else "State it, or record the gap among the game's discrepancies.",
            severity=Severity.NOTE if gap else None,
            related=(f"{game.id}/discrepancies",),
        )


def meter_increments(context: Context) -> Iterator[Finding]:
    """G005: what goes to the meters is no more than the wager."""
    for _, _, paytable in context.paytables():
        meters = _meters(paytable)
        total = sum((_share(one.increment) + _share(one.reserve) for one in meters), Fraction(0))
        if total > 1:
            yield context.finding(
                pages.G005,
                paytable.target,
                "/progressive/meters",
                f"{exact_percentage(total)} of the wager goes to the meters and their reserves.",
                "Correct the shares so that they are 100% together at most.",
            )


def base_wager(context: Context) -> Iterator[Finding]:
    """G006: the wager that the pays are for is more than nothing."""
    for _, _, paytable in context.paytables():
        if paytable.progressive is not None and paytable.progressive.base_wager_cents == 0:
            yield context.finding(
                pages.G006,
                paytable.target,
                "/progressive/base_wager_cents",
                "The base wager is nothing.",
                "Write the wager that the printed pays are for, in cents.",
            )


def _meters(paytable: Paytable) -> tuple[Meter, ...]:
    return paytable.progressive.meters if paytable.progressive else ()


def _absent_terms(meter: Meter) -> list[MeterTerm]:
    values = (meter.seed_cents, meter.increment, meter.reserve)
    return [term for term, value in zip(MeterTerm, values, strict=True) if value is None]


def _recorded_gap(
    context: Context, game: str, targets: set[str], terms: Sequence[MeterTerm]
) -> str | None:
    """Return the gap on record that says the source is silent about these terms of a target."""
    for one in context.catalogue.discrepancies.get(game, ()):
        known = one.kind is DiscrepancyKind.GAP and one.about.issuperset(terms)
        if known and targets & set(one.targets):
            return one.id
    return None


def _share(value: Fraction | None) -> Fraction:
    return value or Fraction(0)
