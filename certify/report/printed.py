"""Exact values of the figures that the documents print and that no result of the evidence has.

They are taken from the views that the templates print, so that both are one value.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from certify.model.analysis import Analysis
from certify.model.encoding import Forms, encode_object, pick_values
from certify.model.submission import Submission
from certify.report.compose import compose, has_templates
from certify.report.mathematics.main_wager import Play
from certify.report.mathematics.risk import Loss
from certify.report.mathematics.strategy import Run
from certify.report.mathematics.view import mathematics_view
from certify.report.rules.numbering import find_marked, find_places
from certify.report.rules.view import rules_view
from certify.report.wording import Ids

AMOUNTS = ("stake", "posted", "meter", "amount", "raise", "largest")
"""The amounts of a worked example, each in cents."""


def printed_json(submission: Submission) -> dict[str, Any]:
    """Return the exact figures of both documents that are derived from those of the results.

    ``marks`` are the ids of printed rules, rows and tables with a dagger. Alternatives that mark
    them are confidential where the mathematics is; the marks are not.
    """
    view, rules = mathematics_view(submission, numbered=False), rules_view(submission)
    marks = find_marked(submission)
    if has_templates():
        marks &= find_places(compose("rules.html.j2", rules)).keys()
    bonus_limits = [wager["limited"] for wager in view["bonus"] if wager["limited"]]
    return encode_object(
        {
            "mathematics": {
                "summary": {
                    "wagers": [
                        chosen_keys(line, "name", "tables") for line in view["summary"]["wagers"]
                    ],
                    **chosen_keys(view["summary"], "tables", "metered"),
                },
                "interpretations": [
                    {"number": reading["number"], "text": reading["text"]}
                    for reading in view["readings"]
                ],
                "resolutions": dict(
                    chain.from_iterable(each["resolutions"].items() for each in view["readings"])
                ),
                "method": _method(view["method"]),
                "main_wager": _main(view["main"]),
                "meters": [table for wager in view["meters"] for table in _meters(wager)],
                "control_sheet": view["sheet"],
                "par_tables": [
                    {"target": analysis.target, "net": net}
                    for wager in view["bonus"]
                    for table in wager["tables"]
                    for _, analysis, net in table["columns"]
                ],
                "prizes": [
                    {
                        "other_players": each["prizes"]["others"],
                        "cents": [
                            {
                                "event": hand.event,
                                "prizes": [cents for cents in of_tables if cents is not None],
                            }
                            for hand, of_tables in each["prizes"]["hands"]
                        ],
                    }
                    for each in view["bonus"]
                    if each["prizes"]
                ],
                "limits": [*_limits((*view["main_limits"], *bonus_limits))],
                "volatility": [_spread(spread, view["rounds"]) for spread in view["volatility"]],
                "exposure": _exposure(view["exposure"]),
            },
            "rules": _rules(rules),
            "marks": sorted(marks),
        },
        FORMS,
    )


def verification_json(submission: Submission) -> dict[str, Any]:
    """Return the printed results on verification counts and published figures."""
    view = mathematics_view(submission, numbered=False)
    lines, proof = view["summary"]["wagers"], view["proof"]
    return encode_object(
        {
            "checked": [chosen_keys(line, "name", "checked") for line in lines],
            "together": chosen_keys(view["summary"], "tables", "checked"),
            "second_counts": [
                pick_values(line["check"], "target", "house_way", "strategy", "rounds")
                | chosen_keys(line, "compared", "agreeing", "published", "met")
                for line in proof["lines"]
            ],
            "documents": [
                {"document": each["document"].id} | chosen_keys(each, "targets", "published", "met")
                for each in proof["references"]
            ],
        }
    )


def _method(method: Mapping[str, Any]) -> dict[str, Any]:
    nine_high = method["nine_high"]
    return chosen_keys(method, "cards", "hands", "deals", "five_aces") | {
        "names": [
            {"name": name or "all other", "combinations": hands, "probability": share}
            for name, _, hands, share in method["names"]
        ],
        "nine_high": nine_high
        and {
            **chosen_keys(nine_high, "cards", "choices", "suits", "per_suit", "flushes", "hands"),
            "terms": [
                {"suited": suited, "choices": choices, "others": others}
                for suited, choices, others in nine_high["terms"]
            ],
        },
    }


def _main(main: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if main is None:
        return None
    return {
        "options": [{"play": way["play"], "net": way["net"]} for way in main["ways"]],
        "plays": main["plays"],
        "other_options": main["others"],
        "house_way_rules": [{"rule": rule.number, **use} for rule, use in main["uses"]],
        "house_way_total": main["total"],
        "strategies": [
            {
                **chosen_keys(table, "target", "strategy"),
                "lines": [
                    {"high_hand": row["high"], **chosen_keys(row, "ranks", "hands", "by_action")}
                    for row in table["rows"]
                ],
                "total": chosen_keys(table["total"], "hands", "by_action"),
                "boundary": table["boundary"],
            }
            for table in main["strategies"]
        ],
        "set_otherwise": main["changed"] and chosen_keys(main["changed"], "rest", "total"),
    }


def _meters(wager: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for table in wager["tables"]:
        yield {
            "target": table["paytable"].target,
            "meters": [
                {
                    "level": line["meter"].level,
                    "each_1000_dollars_add": line["adds"],
                    "break_even_cents": line["break_even"],
                    "average_cents": line["average"],
                }
                for line in table["meters"]
            ],
            "long_run": table["long_run"],
            "edges": [
                {"meter_cents": level, "house_edge": edge, "variance": variance}
                for level, edge, variance in zip(
                    wager["levels"], table["edges"], table["variances"], strict=True
                )
            ],
        }


def _limits(limited: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the amounts of each wager under its limits; the edges are in the results."""
    for wager in limited:
        for analysis, _, amounts in wager["tables"]:
            for at in amounts:
                yield {
                    "target": analysis.target,
                    "wager_cents": at["figures"].wager_cents,
                    "top_award_cents": at["figures"].top_cents,
                    "top_award_without_limit_cents": at["free_top_cents"],
                    "break_evens": [
                        {"level": level, "without_limit_cents": free, "cents": cents}
                        for level, free, cents in at["break_evens"]
                    ],
                }


def _spread(spread: Mapping[str, Any], rounds: Iterable[int]) -> dict[str, Any]:
    """Return the bands of a wager: the square of each, in percent of the amount wagered."""
    squares = zip(rounds, spread["squares"], strict=True)
    return {
        **chosen_keys(spread, "name", "ids", "mean", "variance"),
        "wager_cents": spread["cents"],
        "bands": [{"rounds": number, "square": square} for number, square in squares],
    }


def _exposure(exposure: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **chosen_keys(exposure, "losses", "players", "each", "total"),
        "largest_lawful_wager_cents": exposure["lawful"],
        "prizes": [
            {"name": name, "tables": tables, "cents": cents, "all_players": all_players}
            for name, tables, cents, all_players in exposure["prizes"]
        ],
        "open_limits": [
            {"name": name, "tables": tables, "highest_payout": most}
            for name, tables, most, _, _ in exposure["open_limits"]
        ],
    }


def _rules(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the figures of each section of the rules of play that has any."""
    sections = []
    for section in view["sections"]:
        content = section["content"]
        if isinstance(content, Mapping) and "examples" in content:
            matrices, prizes = content.get("matrices", ()), content.get("prizes", ())
            sections.append(
                {
                    "section": section["anchor"],
                    "fixed_returns": [share for each in matrices for share in each["fixed"]],
                    "each_1000_dollars_add": [
                        {"level": level, "shares": shares}
                        for each in matrices
                        for level, shares in each["adds"]
                    ],
                    "each_other_player": [
                        {"share": share, "wager_cents": cents}
                        for each in prizes
                        for share, cents in each["effects"]
                    ],
                    "house_edges": [
                        {
                            "target": option.target,
                            "strategy": each.strategy,
                            "house_edge": each.edge,
                            "on_wager": each.on_wager,
                        }
                        for option, edges in content.get("options", ())
                        for each in edges
                    ],
                    "other_house_ways": [
                        {"house_way": name, "option": option, "house_edge": edge}
                        for name, option, edge in content.get("other_ways", ())
                    ],
                    "fees": _fees(content.get("fees")),
                    "examples": [*_examples(content["examples"])],
                }
            )
    if view["left_over"]:
        sections.append({"section": "section-dealing", "cards_left": view["left_over"]})
    return sections


def _fees(fees: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Return the exact share of each collection fee, and the house edges with it."""
    rows = fees["rows"] if fees is not None else ()
    return [
        {"from_cents": row["band"].from_cents, "share": row["share"], "edges": row["edges"]}
        for row in rows
    ]


def _examples(examples: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the amounts of each worked example, one for each of its options."""
    for example in examples:
        for each in example["options"] or (example,):
            amounts = each["bonus"] or each["main"] or {}
            yield {
                "example": example["kind"],
                "table": each["table"],
                **{
                    f"{name}_cents": amounts[f"{name}_cents"]
                    for name in AMOUNTS
                    if amounts.get(f"{name}_cents")
                },
                **chosen_keys(amounts, *(name for name in ("red", "black") if name in amounts)),
            }


def chosen_keys(values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return these values of a mapping."""
    return {name: values[name] for name in names}


FORMS: Forms = {
    Analysis: lambda analysis: analysis.target,
    Ids: lambda ids: [ids.start + end for end in ids.ends],
    Loss: lambda loss: {
        "wager": loss.wager,
        "tables": loss.tables,
        "wager_cents": loss.cents,
        "top_award": loss.top,
        **pick_values(loss, "one_player", "all_players"),
    },
    Run: lambda run: run.first if run.first == run.last else [run.first, run.last],
    Play: lambda play: {
        **pick_values(play.analysis, "target"),
        **pick_values(play, "strategy", "win", "push", "lose", "on_wager"),
    },
}
