"""Figures of main wagers from the deals that were counted, in the form of the evidence."""

from collections.abc import Mapping
from fractions import Fraction

from .counting import Played, Recounter
from .figures import Figures, both, edge_figures, spread, text
from .files import Json
from .main_wager import Settled


def settle_figures(made: Recounter, stated: Json, played: Played) -> tuple[Figures, list[str]]:
    """Return the figures that follow from the deals of a main wager, and faults of its rows."""
    settled, option = made.settle(played), made.files.option(played.target)
    sums = dict.fromkeys(("win", "push", "lose"), 0)
    for row in settled.rows.values():
        sums[row.outcome] += row.pairs
    rows, wrong = own_rows(settled, stated["rows"])
    ours: Figures = {"outcomes": sums, "rows": rows}
    if "house_way_rules" in stated:
        ours["house_way_rules"] = [
            {**line, "hands": settled.uses.get(line["rule"], 0)}
            for line in stated["house_way_rules"]
        ]
    if option.raise_ is not None:
        ours |= both("average_wager", settled.wagered)
    if "by_wager" in stated:
        ours["by_wager"] = [
            {**line, "house_edge": text(made.settle(at).edge)}
            for line in stated["by_wager"]
            for at in [played._replace(wager_cents=line["wager_cents"])]
        ]
    if "bank" in stated and option.bank is not None:
        banked = made.settle(played._replace(banked=True))
        rows, more = own_rows(banked, stated["bank"]["rows"])
        part = Fraction(option.bank.share)
        whole = (1 - part) * settled.edge + part * banked.edge
        ours["bank"] = {"share": text(part), "rows": rows}
        ours["bank"] |= edge_figures("house_edge", banked.edge)
        ours["bank"] |= edge_figures("combined_house_edge", whole)
        wrong += more
    return ours, wrong


def own_rows(settled: Settled, stated: list[Json]) -> tuple[list[Json], list[str]]:
    """Return the rows of a main wager with recomputed figures, and their faults."""
    left = dict(settled.rows)
    total = sum(row.pairs for row in left.values())
    rows: list[Json] = []
    for row in stated:
        counted = left.pop(row["event"], None)
        number, value = (counted.pairs, counted.net) if counted else (0, Fraction(0))
        chance = Fraction(number, total)
        ours = {**row, "combinations": number, **both("probability", chance)}
        rows.append(ours | both("return", chance * value))
    return rows, [f"{name}: not stated, counted {row.pairs}" for name, row in left.items()]


def follow_counts(stated: Json, total: int) -> Figures:
    """Return the figures of a main wager that follow from its counts and row returns."""
    rows = [
        (Fraction(row["combinations"], stated["total_combinations"]), Fraction(row["return"]))
        for row in stated["rows"]
    ]
    edge = -sum((value for _, value in rows), Fraction(0))
    sums: Mapping[str, int] = stated["outcomes"]
    covered = sum(sums.values()) == sum(row["combinations"] for row in stated["rows"]) == total
    result: Figures = {
        "total_combinations": total,
        "outcomes": sums if covered else "sums that cover every deal",
        "rows": [
            {**row, **both("probability", p), **both("return", value)}
            for row, (p, value) in zip(stated["rows"], rows, strict=True)
        ],
        **edge_figures("house_edge", edge),
        **both("return_to_player", 1 - edge),
        **both("hit_frequency", sum((p for p, value in rows if value > 0), Fraction(0))),
        **spread((p, Fraction(value, p)) for p, value in rows if p),
    }
    if "average_wager" in stated:
        result |= edge_figures("element_of_risk", Fraction(edge, Fraction(stated["average_wager"])))
    return result
