"""P codes: the pays of a paytable."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import gcd

from certify.checks.framework import Context, Fault, Location, check
from certify.formatting import exact_percentage, money, percentage
from certify.model.analysis import Analysis
from certify.model.finding import Severity
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, Paytable


@check(
    "P004",
    "Pays do not fall with rank",
    severity=Severity.WARNING,
    fix="Swap the rows or correct the pay; keep them if the source prints this order.",
    wrong="Straight Flush 20 to 1 above Four of a Kind 50 to 1",
    right="Straight Flush 50 to 1 above Four of a Kind 20 to 1",
)
def pays_rise(context: Context) -> Iterator[Fault]:
    """A row pays less than the row below it, and its hands are not more common. This is usually a
    typing error: the better hand is paid less.
    """
    for _, paytable in context.paytables():
        counts = context.counts(paytable)
        rows = Location(paytable.target).items("/rows", paytable.rows)
        fixed = [(row, at) for row, at in rows if row.payout.basis is not Basis.METER]
        for (row, at), (below, _) in pairwise(fixed):
            commoner = counts.get(row.event, 0) > counts.get(below.event, 0)
            if row.payout.net < below.payout.net and not commoner:
                yield at.fault(
                    "/pays",
                    f"`{row.name}` pays {row.payout} and `{below.name}` below it {below.payout}.",
                )


@check(
    "P005",
    '"To" and "for" are mixed in one table',
    severity=Severity.WARNING,
    fix=("Write every pay of the table the same way; keep them if the source mixes them."),
    wrong="Flush 4 to 1, Straight 3 for 1",
    right="Flush 4 to 1, Straight 2 to 1",
)
def basis_mixed(context: Context) -> Iterator[Fault]:
    """ "50 to 1" returns the wager in addition to the pay and "50 for 1" does not. Most people do
    not notice the difference in one table.
    """  # noqa: D210 - it starts with a quotation mark
    for _, paytable in context.paytables():
        stated: dict[Basis, Location] = {}
        for row, at in Location(paytable.target).items("/rows", paytable.rows):
            for payout in (row.payout, *row.dynamic):
                if payout.basis in (Basis.TO, Basis.FOR):
                    stated.setdefault(payout.basis, at)
        if len(stated) > 1:
            first, other = stated
            yield stated[other].fault("/pays", f'The table mixes "{first}" with "{other}".')


@check(
    "P006",
    "A share without a meter, or a meter without a share",
    fix=(
        'Add the missing part, such as "pays": "100%", "meter": "1", or use odds without a meter.'
    ),
    wrong='{"pays": "100%"} or {"pays": "50 for 1", "meter": "1"}',
    right='{"pays": "100%", "meter": "1"}',
)
def share_without_meter(context: Context) -> Iterator[Fault]:
    """A share such as 100% needs a meter, and a meter is paid only as a share. With one part
    missing, the pay is undefined.
    """
    for _, row, at in context.rows:
        share = row.payout.basis is Basis.METER
        if share and row.payout.meter is None:
            yield at.fault(
                "/pays", f"The share {exact_percentage(row.payout.amount)} has no meter."
            )
        elif not share and row.payout.meter is not None:
            yield at.fault("/meter", f"{row.payout} is not a share of a meter.")


@check(
    "P007",
    "Dynamic pays do not rise from the default",
    severity=Severity.WARNING,
    fix="Correct the pay; keep it if the source prints it.",
    wrong='{"pays": "20 for 1", "dynamic": ["25 for 1", "5 for 1", "50 for 1"]}',
    right='{"pays": "20 for 1", "dynamic": ["25 for 1", "35 for 1", "50 for 1"]}',
)
def dynamic_order(context: Context) -> Iterator[Fault]:
    """The pays that may replace the default rise in print order, and all are above the default. A
    pay out of order is usually a lost digit.
    """
    for _, row, at in context.rows:
        for place, (before, after) in enumerate(pairwise((row.payout, *row.dynamic))):
            if after.net <= before.net:
                message = f"The dynamic pay {after} is not above {before} before it."
                yield at.fault(f"/dynamic/{place}", message)


@check(
    "P008",
    "The draw of dynamic pays does not fit the rows",
    fix="Correct the numbers of the draw, or the rows.",
    wrong='{"minimum_rows": 3, "maximum_rows": 2}',
    right='{"minimum_rows": 2, "maximum_rows": 3} with three rows that have dynamic pays',
)
def draw_fits(context: Context) -> Iterator[Fault]:
    """A draw cannot take more rows than have dynamic pays, and dynamic pays without a draw are
    never paid.
    """
    for _, paytable in context.paytables():
        message = _unfit_draw(paytable)
        if message:
            yield Fault(paytable.target, "/dynamic" if paytable.dynamic else "/rows", message)


def _unfit_draw(paytable: Paytable) -> str:
    rows = sum(bool(row.dynamic) for row in paytable.rows)
    draw = paytable.dynamic
    if draw is None:
        return f"{rows} rows have dynamic pays, but no draw is declared." if rows else ""
    if draw.minimum_rows > draw.maximum_rows:
        return (
            f"The minimum of {draw.minimum_rows} rows is above the maximum of {draw.maximum_rows}."
        )
    if draw.maximum_rows > rows:
        return f"The draw takes up to {draw.maximum_rows} rows, but {rows} have dynamic pays."
    return ""


@check(
    "P009",
    "Odds are not in lowest terms",
    severity=Severity.WARNING,
    fix="Divide both numbers by their common divisor.",
    wrong='{"pays": "6 to 2"}',
    right='{"pays": "3 to 1"}',
)
def lowest_terms(context: Context) -> Iterator[Fault]:
    """Odds are printed in lowest terms, so the document would differ from the declared file."""
    for _, paytable in context.paytables():
        document = context.catalog.documents.get(paytable.target)
        written = document.value["rows"] if document else ()
        for row, at in Location(paytable.target).items("/rows", written):
            drawn = {f"/dynamic/{place}": pays for place, pays in enumerate(row.get("dynamic", ()))}
            for inner, pays in {"/pays": row["pays"], **drawn}.items():
                numbers = [int(word) for word in pays.split(" ") if word.isdigit()]
                common = gcd(*numbers)
                if common > 1:
                    first, basis, last = pays.split(" ")
                    terms = f"{int(first) // common} {basis} {int(last) // common}"
                    yield at.fault(inner, f"{pays} is not in lowest terms.", f"Write {terms}.")


@check(
    "P015",
    "A wager returns more than is wagered",
    severity=Severity.WARNING,
    fix=(
        "Correct the pays. To file the wager unchanged, add a reason to `player_advantage` "
        "of the terms."
    ),
    wrong='Five Aces at "1000000 to 1" instead of "1000 to 1"',
    right='Five Aces at "1000 to 1"',
)
def favors_the_player(context: Context) -> Iterator[Fault]:
    """A return above 100% costs the casino money on average, and is usually a typing error in one
    pay. Prizes for other players' hands count for a full table, and meters at their seeds. In a
    submission it is an error unless the terms give a reason. `certify check` does not count main
    wagers: it uses the counts in `second-counts.json`, and N002 names the wagers without one.
    """
    accepted = dict(context.terms.player_advantage) if context.terms is not None else {}
    for wager in context.wagers:
        for record in wager.records:
            below_zero = [each for each in _edges(record, context) if each[1] < 0]
            if not below_zero:
                continue
            when, edge = below_zero[0]
            message = (
                f"{wager.name} {record.id} returns {percentage(1 - edge)} of the wager"
                f"{when}: the house edge is {percentage(edge)}."
            )
            pointer = "/rows" if isinstance(record, Paytable) else ""
            severity = Severity.ERROR if context.filing is not None else None
            if wager.id in accepted:
                message += f" Accepted in the terms: {accepted[wager.id]}"
                severity = Severity.NOTE
            yield Fault(record.target, pointer, message, severity=severity)


def _edges(record: Paytable | MainWager, context: Context) -> Iterator[tuple[str, Fraction]]:
    """Yield the known house edges of an entry, each with a description of its case.

    That of the wager alone comes first, then that of a full table.
    """
    analysis = context.analyses.get(record.target)
    if analysis is None:
        if record.target in context.main_edges:
            yield "", context.main_edges[record.target]
        return
    if analysis.house_edge is not None:
        yield "", analysis.house_edge
    for at in analysis.main.by_wager if analysis.main is not None else ():
        yield f" at {money(at.wager_cents)}", at.house_edge
    if analysis.envy is not None:
        for number, edge in sorted(analysis.envy.house_edge_by_players.items(), reverse=True):
            yield f" at a table of {number} players, including prizes for their hands", edge
    if analysis.house_edge is None and isinstance(record, Paytable):
        at_seed = _edge_with_seeds(record, analysis)
        if at_seed is not None:
            yield " with each meter at its seed", at_seed


def _edge_with_seeds(paytable: Paytable, analysis: Analysis) -> Fraction | None:
    """Return the house edge with each meter at its seed; None if a seed is undeclared."""
    seeds = {meter.level: meter.seed_cents for meter in paytable.meters}
    progressive = analysis.progressive
    if progressive is None or None in seeds.values() or not progressive.base_wager_cents:
        return None
    base = progressive.base_wager_cents
    paid = (meter.weight * Fraction(seeds[meter.level] or 0, base) for meter in progressive.meters)
    return 1 - progressive.fixed_return - sum(paid, start=Fraction(0))
