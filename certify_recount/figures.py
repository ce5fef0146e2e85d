"""Figures of paytables and main wagers from their counts, in the form of the evidence."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

from .census import Tables
from .counting import Played, Recounter
from .files import Json
from .main_wager import Settled
from .main_wager import net as net_of_odds

Figures = dict[str, Any]
"""Figures by the names that the evidence gives them."""


def net(row: Json) -> Fraction:
    """Return the net pay of a row per unit staked; a meter's unknown amount counts as 0."""
    pays: str = row["pays"]
    return net_of_odds(pays) if " " in pays else Fraction(0 if pays == "push" else -1)


def paid(row: Json) -> Fraction:
    """Return the pay of a row at odds per unit staked; 0 for a push, a loss, a meter."""
    odds = row["pays"].split()
    return Fraction(int(odds[0]), int(odds[2])) if len(odds) == 3 else Fraction(0)


def share(row: Json) -> Fraction | None:
    """Return the share of a meter that a row pays; None for any other row."""
    return percent(row["pays"]) if "meter" in row else None


def percent(text: str) -> Fraction:
    """Return the value of a percentage such as ``10%``."""
    return Fraction(Fraction(text.removesuffix("%")), 100)


def words(row: Json) -> str:
    """Return a row's pay as the evidence writes it."""
    if "meter" in row:
        return f"{row['pays']} of meter {row['meter']}"
    odds = row["pays"].split()
    if len(odds) != 3:
        return str(row["pays"])
    ratio = Fraction(int(odds[0]), int(odds[2]))
    return f"{ratio.numerator} {odds[1]} {ratio.denominator}"


def dollars(cents: int) -> str:
    """Return money as the evidence writes it."""
    return f"${cents // 100:,}" + (f".{cents % 100:02}" if cents % 100 else "")


def text(value: Fraction) -> str:
    """Return a fraction as n/d."""
    return f"{value.numerator}/{value.denominator}"


def decimal(value: Fraction, places: int) -> str:
    """Return a fraction rounded half up (away from zero) to so many decimals."""
    digits = str(int(abs(value) * 10**places + Fraction(1, 2))).rjust(places + 1, "0")
    sign = "-" if value < 0 and int(digits) else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def square_root(value: Fraction) -> str:
    """Return a square root rounded half up to ten decimals."""
    doubled = isqrt(4 * value.numerator * 10**20 // value.denominator)
    return decimal(Fraction((doubled + 1) // 2, 10**10), 10)


def both(name: str, value: Fraction) -> Figures:
    """Return an exact value and its decimal, under the names that the evidence gives them."""
    return {name: text(value), name + "_decimal": decimal(value, 10)}


def row_figures(
    row: Json, pays: str, hands: tuple[int, int], value: Fraction, metered: Fraction | None = None
) -> Figures:
    """Return one row; ``value`` is its pay per unit staked, ``metered`` of a meter.

    ``hands`` are its hands, and those of the deck.
    """
    number, total = hands
    chance = Fraction(number, total)
    result = {"event": row["event"], "name": row["name"], "pays": pays, "combinations": number}
    result |= both("probability", chance)
    if metered is not None:
        return result | {"meter_weight": text(chance * metered)}
    return result | both("return", chance * value)


OTHERS = {"event": "all_other", "name": "All other", "pays": "loss"}


def figures(paytable: Json, counts: Mapping[str, int]) -> Figures:
    """Return every figure of a paytable, without prizes, in the shape that the evidence has."""
    rows, total = [*paytable["rows"], OTHERS], sum(counts.values())
    numbers = [counts.get(row["event"], 0) for row in rows]
    chances = [Fraction(number, total) for number in numbers]
    result: Figures = {
        "total_combinations": total,
        "rows": [
            row_figures(row, words(row), (number, total), net(row), share(row))
            for row, number in zip(rows, numbers, strict=True)
        ],
        "top_award": text(
            max(
                net({"pays": pays})
                for row in rows
                for pays in [row["pays"], *row.get("dynamic", ())]
            )
        ),
        **both(
            "hit_frequency",
            sum(
                (p for row, p in zip(rows, chances, strict=True) if "meter" in row or net(row) > 0),
                Fraction(0),
            ),
        ),
    }
    if not any("meter" in row for row in rows):
        pays = [*zip(chances, map(net, rows), strict=True)]
        mean = sum((p * value for p, value in pays), Fraction(0))
        result |= both("return_to_player", 1 + mean) | edge_figures("house_edge", -mean)
        result |= spread(pays)
    if "progressive" in paytable:
        result["progressive"] = meter_figures(paytable, rows, chances)
    if "dynamic" in paytable:
        result["dynamic"] = draw_figures(paytable, rows, chances)
    return result


def edge_figures(name: str, edge: Fraction) -> Figures:
    """Return an edge with its decimal and its percentage."""
    return both(name, edge) | {f"{name}_percent": decimal(100 * edge, 4)}


def spread(pays: Iterable[tuple[Fraction, Fraction]]) -> Figures:
    """Return variance and standard deviation of a pay by its (probability, net)."""
    listed = [*pays]
    mean = sum((p * value for p, value in listed), Fraction(0))
    variance = sum((p * (value - mean) ** 2 for p, value in listed), Fraction(0))
    return both("variance", variance) | {"standard_deviation": square_root(variance)}


def envy_figures(
    envy: Json, counts: Mapping[str, int], edge: Fraction | None, players: int, stake: int
) -> Figures:
    """Return the value of other players' hands for a wager of `stake` cents."""
    total = sum(counts.values())
    qualifying = envy["qualifying_wager_cents"]
    paid = stake >= qualifying
    rows = [
        row_figures(
            row, dollars(row["prize_cents"]), (counts.get(row["event"], 0), total),
            Fraction(row["prize_cents"] * paid, stake),
        )
        for row in envy["rows"]
    ]  # fmt: skip
    rows.append(row_figures(OTHERS, "nothing", (counts["all_other"], total), Fraction(0)))
    value = sum((Fraction(row["return"]) for row in rows), Fraction(0))
    own_prizes = envy.get("pays_on_own_hand", False) + envy.get("pays_on_dealer_hand", False)
    edges = {
        str(k): edge - (k - 1 + own_prizes) * value
        for k in range(1, players + 1)
        if edge is not None
    }
    return {
        "paytable": envy["id"],
        "qualifying_wager_cents": qualifying,
        "wager_cents": stake,
        "rows": rows,
        **both("per_other_player", value),
        **edges_by_players(edges),
    }


def edges_by_players(edges: Mapping[str, Fraction]) -> Figures:
    """Return edges by the number of players."""
    return {
        "house_edge_by_players": {k: text(e) for k, e in edges.items()},
        "house_edge_percent_by_players": {k: decimal(100 * e, 4) for k, e in edges.items()},
    }


def meter_figures(paytable: Json, rows: Sequence[Json], chances: Sequence[Fraction]) -> Figures:
    """Return the return as a function of the meters: fixed part, weight and break-even of each."""
    declared = paytable["progressive"]
    # What comes back of each unit, all other hands left out: they bring nothing.
    fixed = sum((p * (net(row) + 1) for row, p in zip(rows, chances, strict=True)), Fraction(0))
    meters = []
    for meter in declared["meters"]:
        hit = [
            (percent(row["pays"]), p)
            for row, p in zip(rows, chances, strict=True)
            if row.get("meter") == meter["level"]
        ]
        weight = sum((part * p for part, p in hit), Fraction(0))
        meters.append(
            {
                "level": meter["level"],
                "probability_weight": text(weight),
                "hit_probability": text(sum((p for _, p in hit), Fraction(0))),
                "break_even_meter": decimal(Fraction(1 - fixed, weight), 2),
            }
        )
    result = {"base_wager_cents": declared["base_wager_cents"], "meters": meters}
    result |= both("fixed_return", fixed)
    if len(meters) == 1:
        result["break_even_meter"] = meters[0]["break_even_meter"]
    return result


def draw_figures(paytable: Json, rows: Sequence[Json], chances: Sequence[Fraction]) -> Figures:
    """Return the change of return by each dynamic pay, and the range over all allowed draws."""
    drawn = []
    for row, chance in zip(rows, chances, strict=True):
        if "dynamic" in row:
            pays = [
                {"pays": words({"pays": drawn_pay})}
                | both("change_of_return", chance * (net({"pays": drawn_pay}) - net(row)))
                for drawn_pay in row["dynamic"]
            ]
            drawn.append(
                {"event": row["event"], "name": row["name"], "default": words(row), "pays": pays}
            )
    return {"rows": drawn} | range_of_draws(paytable, rows, chances)


def range_of_draws(
    paytable: Json, rows: Sequence[Json], chances: Sequence[Fraction], cap: Fraction | None = None
) -> Figures:
    """Return the least and the greatest that a draw adds, no pay at odds above ``cap``."""
    low, high = [], []
    for row, chance in zip(rows, chances, strict=True):
        if "dynamic" in row:
            pays = [paid({"pays": pay}) for pay in [row["pays"], *row["dynamic"]]]
            first, *others = pays if cap is None else [min(pay, cap) for pay in pays]
            low.append(min(chance * (pay - first) for pay in others))
            high.append(max(chance * (pay - first) for pay in others))
    sizes = range(paytable["dynamic"]["minimum_rows"], paytable["dynamic"]["maximum_rows"] + 1)
    return {
        "least_change_of_return": text(min(sum(sorted(low)[:k], Fraction(0)) for k in sizes)),
        "greatest_change_of_return": text(
            max(sum(sorted(high, reverse=True)[:k], Fraction(0)) for k in sizes)
        ),
    }


def join_tables(table: Json, order: Tables, counts: Mapping[str, int]) -> Json:
    """Return one table with the combined pays of a wager's tables, without empty rows.

    Winnings add up. The wager is returned if any of the rows returns it. ``order`` are the events
    of each table in the order of trial.
    """
    if not table.get("also"):
        return table
    rows = []
    parts = [{row["event"]: row for row in part["rows"]} for part in (table, *table["also"])]
    for chosen in product(*((*events, None) for events in order)):
        paid_rows = [part[event] for part, event in zip(parts, chosen, strict=True) if event]
        event = "+".join(filter(None, chosen))
        if paid_rows and counts[event]:
            *names, last = [row["name"] for row in paid_rows]
            name = f"{', '.join(names)} and {last}" if names else last
            rows.append({"event": event, "name": name, "pays": sum_of_pays(paid_rows)})
    return {**table, "rows": rows}


def sum_of_pays(rows: Sequence[Json]) -> str:
    """Return the total pay of several rows for one stake."""
    amount = sum(map(paid, rows), Fraction(0))
    returned = any(" to " in row["pays"] or row["pays"] == "push" for row in rows)
    if amount:
        return f"{amount.numerator} {'to' if returned else 'for'} {amount.denominator}"
    return "push" if returned else "loss"


def leaves(value: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value inside a value of the evidence with its path."""
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], f"{path}/{key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            name = inner.get("event") or inner.get("level") if isinstance(inner, dict) else None
            yield from leaves(inner, f"{path}/{place + 1}" + (f" {name}" if name else ""))
    else:
        yield path.lstrip("/"), value


def differences(theirs: Json, ours: Json) -> list[str]:
    """Return a line for each figure that is not the same in both, or is in one only."""
    stated_figures, counted = dict(leaves(theirs)), dict(leaves(ours))
    stated_figures.pop("progressive/unit", None)  # words, not a figure
    return [
        f"{path}: stated {stated_figures.get(path, 'nothing')}, "
        f"counted {counted.get(path, 'nothing')}"
        for path in dict.fromkeys([*stated_figures, *counted])
        if stated_figures.get(path) != counted.get(path)
    ]


Pays = Sequence[tuple[Fraction, Fraction, Fraction]]
"""The probability, the net and the pay at odds of each row, per unit staked."""


def cut(pays: Pays, cap: Fraction) -> Fraction:
    """Return the reduction of the mean pay by a limit of ``cap``, per unit staked."""
    return sum((p * (odds - cap) for p, _, odds in pays if odds > cap), Fraction(0))


def limit_figures(
    entry: Json,
    limits: Sequence[Json],
    pays: Pays,
    seats: int,
    ours: Json,
    *,
    unit: Fraction = Fraction(1),
    scaled: bool = True,
    drawn: Sequence[Fraction] = (),
    draws: Callable[[Fraction], Figures] | None = None,
) -> Figures:
    """Return the figures of a wager under aggregate payout limits, at the stated amounts.

    ``unit`` is the stake per cent wagered; ``drawn`` are the dynamic pays, and ``draws`` is the
    range of the return that they add under a cap. A limit for the table leaves each seat at worst
    an equal part, on average. If wagers share a limit, the upper bound depends on all wagers and is
    taken from the evidence. So is the wager that a limit binds above if the pays are not ``scaled``
    with the wager.
    """
    shared = any(limit["scope"] == "table" or len(limit["wagers"]) > 1 for limit in limits)
    combined = any(len(limit["wagers"]) > 1 for limit in limits)
    least = min(
        Fraction(limit["cents"], seats if limit["scope"] == "table" else 1) for limit in limits
    )
    top = max([*drawn, *(odds for _, _, odds in pays)])
    result: Figures = {
        "limits": limits,
        "shared": shared,
        "open": entry["limit"]["open"],
        "amounts": [],
    }
    if combined or not scaled:
        stated = entry["limit"]
        result |= {key: stated[key] for key in stated if key == "binds_above_wager_cents"}
    elif top:
        result["binds_above_wager_cents"] = text(Fraction(least, top * unit))
    spreads = []
    for amount in entry["limit"]["amounts"]:
        stake = amount["wager_cents"] * unit
        cap = Fraction(min(limit["cents"] for limit in limits), stake)
        nets = [(p, net_pay - max(odds - cap, Fraction(0))) for p, net_pay, odds in pays]
        costs = {"": cut(pays, cap)}
        if shared:
            costs = {
                "least_": cut(pays, cap),
                "greatest_": cut(pays, min(cap, Fraction(least, stake))),
            }
        bounded = bounds(ours, costs, amount if combined else {})
        awards = [value for _, value in nets] + [min(pay, cap) - 1 for pay in drawn]
        bounded["greatest_top_award" if shared else "top_award"] = text(max(awards))
        if not shared:
            bounded |= alone(ours, costs[""], amount["wager_cents"]) | (draws(cap) if draws else {})
        result["amounts"].append(bounded | {"wager_cents": amount["wager_cents"]})
        if "house_edge" in ours and not shared:
            spreads.append({"wager_cents": amount["wager_cents"], **spread(nets)})
    return {"limit": result} | ({"volatility_with_limit": spreads} if spreads else {})


def bounds(ours: Json, costs: Mapping[str, Fraction], taken: Json) -> Figures:
    """Return edge and return of the fixed pays at each cost; greatest costs may be ``taken``."""
    turned = {"": "", "least_": "greatest_", "greatest_": "least_"}
    bounded: Figures = {}
    for bound, cost in costs.items():
        figures: Figures = {}
        if "house_edge" in ours:
            figures |= edge_figures(bound + "house_edge", Fraction(ours["house_edge"]) + cost)
        if "progressive" in ours:
            fixed = Fraction(ours["progressive"]["fixed_return"]) - cost
            figures |= both(turned[bound] + "fixed_return", fixed)
        if bound == "greatest_" and taken:
            figures = {key: taken[key] for key in figures if key in taken}
        bounded |= figures
    return bounded


def alone(ours: Json, cost: Fraction, wager: int) -> Figures:
    """Return figures for a limit of one wager only: edges by players, break-even meters."""
    figures_alone: Figures = {}
    if "envy" in ours and "house_edge" in ours:
        envy = ours["envy"]
        counts = wager >= envy["qualifying_wager_cents"]
        scale = Fraction(envy["wager_cents"], wager) * counts
        edges = {
            players: Fraction(ours["house_edge"]) * (1 - scale) + Fraction(edge) * scale + cost
            for players, edge in envy["house_edge_by_players"].items()
        }
        figures_alone |= edges_by_players(edges)
    if "progressive" in ours:
        fixed = Fraction(ours["progressive"]["fixed_return"]) - cost
        figures_alone["break_even_meters"] = {
            meter["level"]: decimal(Fraction(1 - fixed, Fraction(meter["probability_weight"])), 2)
            for meter in ours["progressive"]["meters"]
        }
    return figures_alone


def settle_figures(recounter: Recounter, entry: Json, played: Played) -> tuple[Figures, list[str]]:
    """Return the figures that follow from the deals of a main wager, and faults of its rows."""
    settled, option = recounter.settle(played), recounter.files.option(played.target)
    sums = dict.fromkeys(("win", "push", "lose"), 0)
    for row in settled.rows.values():
        sums[row.outcome] += row.pairs
    rows, wrong = own_rows(settled, entry["rows"])
    ours: Figures = {"outcomes": sums, "rows": rows}
    if "house_way_rules" in entry:
        ours["house_way_rules"] = [
            {**line, "hands": settled.uses.get(line["rule"], 0)}
            for line in entry["house_way_rules"]
        ]
    if option.raise_ is not None:
        ours |= both("average_wager", settled.wagered)
    if "by_wager" in entry:
        ours["by_wager"] = [
            {**line, "house_edge": text(recounter.settle(at).edge)}
            for line in entry["by_wager"]
            for at in [played._replace(wager_cents=line["wager_cents"])]
        ]
    if "bank" in entry and option.bank is not None:
        banked = recounter.settle(played._replace(banked=True))
        rows, more = own_rows(banked, entry["bank"]["rows"])
        part = Fraction(option.bank.share)
        whole = (1 - part) * settled.edge + part * banked.edge
        ours["bank"] = {"share": text(part), "rows": rows}
        ours["bank"] |= edge_figures("house_edge", banked.edge)
        ours["bank"] |= edge_figures("combined_house_edge", whole)
        wrong += more
    return ours, wrong


def own_rows(settled: Settled, rows_of_entry: list[Json]) -> tuple[list[Json], list[str]]:
    """Return the rows of a main wager with recomputed figures, and their faults."""
    left = dict(settled.rows)
    total = sum(row.pairs for row in left.values())
    rows: list[Json] = []
    for row in rows_of_entry:
        counted = left.pop(row["event"], None)
        number, value = (counted.pairs, counted.net) if counted else (0, Fraction(0))
        chance = Fraction(number, total)
        ours = {**row, "combinations": number, **both("probability", chance)}
        rows.append(ours | both("return", chance * value))
    return rows, [f"{name}: not stated, counted {row.pairs}" for name, row in left.items()]


def follow_counts(entry: Json, total: int) -> Figures:
    """Return the figures of a main wager that follow from its counts and row returns."""
    rows = [
        (Fraction(row["combinations"], entry["total_combinations"]), Fraction(row["return"]))
        for row in entry["rows"]
    ]
    edge = -sum((value for _, value in rows), Fraction(0))
    sums: Mapping[str, int] = entry["outcomes"]
    covered = sum(sums.values()) == sum(row["combinations"] for row in entry["rows"]) == total
    result: Figures = {
        "total_combinations": total,
        "outcomes": sums if covered else "sums that cover every deal",
        "rows": [
            {**row, **both("probability", p), **both("return", value)}
            for row, (p, value) in zip(entry["rows"], rows, strict=True)
        ],
        **edge_figures("house_edge", edge),
        **both("return_to_player", 1 - edge),
        **both("hit_frequency", sum((p for p, value in rows if value > 0), Fraction(0))),
        **spread((p, Fraction(value, p)) for p, value in rows if p),
    }
    if "average_wager" in entry:
        result |= edge_figures("element_of_risk", Fraction(edge, Fraction(entry["average_wager"])))
    return result
