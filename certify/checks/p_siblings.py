"""Checks of an entry against the other tables of its wager, and against its earlier versions."""

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from certify.checks.framework import Context, Fault, check
from certify.formatting import money
from certify.model.finding import Severity
from certify.model.paytable import Basis, EarlierVersion, Paytable
from certify.model.vocabulary import Category

JUMP = 10
"""The factor from which on a changed pay is probably a slip: a zero too many or too few."""


WORDS = {"$schema", "id", "name", "source_name", "text", "source", "notes", "assumptions"}
"""Fields that decide no figure."""


KEYS = ("event", "id", "level")
"""The fields that the items of a list are compared by."""


LEAST = 3
"""The fewest tables of which one can differ from all others."""


FEWEST = 4
"""The fewest ranks of a table that pays a whole series."""


RANK_OF: Mapping[str, Category] = {
    **{str(rank): rank for rank in Category},
    "five_aces": Category.FIVE_OF_A_KIND,
}
"""The ranks of the built-in events of standard hands; with one joker, five of a kind are aces."""


ORDER = tuple(Category)


KeyPath = tuple[str, ...]
"""The names and keys that lead to a value, whatever the order of rows."""


@check(
    "P016",
    "A value differs from the built-in or approved entry of this id",
    severity=Severity.WARNING,
    fix="Correct the value, or give the entry a new id.",
    wrong='a project with its own copy of mini-pai-gow/bonus/A, Royal Flush at "2500 to 1"',
    right='the copy with Royal Flush at "250 to 1", or under the id A-2500',
)
def earlier_versions(context: Context) -> Iterator[Fault]:
    """An entry of a project replaces the built-in one with the same id. An approved id identifies
    the approved content. A pay that differs by a factor of ten is a warning, as it is usually a
    digit too many or too few. Any other difference is a note: of pays, shares of meters, rates,
    hands, cards and amounts. Names, texts and the order of rows are not compared.
    """
    for wager in context.wagers:
        for record in (*wager.records, *wager.envies):
            faults: dict[str, Fault] = {}
            for earlier in context.earlier_versions.get(record.target, ()):
                value = context.catalog.documents[record.target].value
                for fault in _differences(record.target, value, earlier):
                    place = fault.pointer or fault.message  # a missing value has no place
                    if place not in faults or fault.severity is None:
                        faults[place] = fault
            yield from faults.values()


def _differences(key: str, value: Any, earlier: EarlierVersion) -> Iterator[Fault]:  # noqa: ANN401 - a JSON value
    """Yield a fault for each value that an earlier version declares otherwise."""
    names: dict[KeyPath, str] = {
        ("rows", row["event"]): row["name"] for row in value.get("rows", ())
    }
    now, before = dict(_flatten(value)), dict(_flatten(earlier.value))
    for path in dict.fromkeys((*now, *before)) if earlier.whole else before:
        pointer, here = now.get(path, ("", "missing"))
        _, there = before.get(path, ("", "missing"))
        if here == there:
            continue
        row = names.get(path[:-1]) if path[-1] == "pays" and path in before else None
        subject = f"`{row}` pays" if row else f"`{'/'.join(path)}` is"
        message = f"{subject} {here}, but {there} in {earlier.name}."
        severity = None if _is_jump(here, there) else Severity.NOTE
        yield Fault(key, pointer, message, severity=severity)


def _flatten(
    value: object, pointer: str = "", path: KeyPath = ()
) -> Iterator[tuple[KeyPath, tuple[str, str]]]:
    """Yield the path, the pointer and the text of each value in a JSON value, without words."""
    if isinstance(value, dict):
        for name, part in value.items():
            if name not in WORDS and not (path and name in KEYS):
                yield from _flatten(part, f"{pointer}/{name}", (*path, name))
    elif isinstance(value, list) and all(isinstance(item, dict) for item in value):
        for place, item in enumerate(value):
            key = next((item[name] for name in KEYS if name in item), place)
            yield from _flatten(item, f"{pointer}/{place}", (*path, str(key)))
    else:
        text = value if isinstance(value, str) else json.dumps(value)
        yield path, (pointer, text)


_odds = re.compile(r"([0-9]+) (?:to|for) ([0-9]+)").fullmatch


def _is_jump(*pays: str) -> bool:
    """Return True if one of two pays is at least ten times the other."""
    read = [odds for odds in map(_odds, pays) if odds is not None]
    amounts = sorted(Fraction(int(odds[1]), int(odds[2])) for odds in read)
    return len(amounts) == len(pays) and amounts[-1] >= JUMP * amounts[0]


@check(
    "P018",
    "A paytable differs from all others of its wager",
    severity=Severity.WARNING,
    fix="Correct the value; keep it if the source declares this.",
    wrong='pays "to 1" in one progressive paytable, and "for 1" in the three others of its wager',
    right='pays "for 1" in all four',
)
def outliers(context: Context) -> Iterator[Fault]:
    """Tables of one wager are printed together and follow one pattern. Where at least three tables
    have a value and only one of them another, that one is usually a slip. Compared are "to" and
    "for", the base wager of a progressive, the meters that are won whole, and whether the last
    number of the name is that of the id. A casino's own table may cite another document.
    """
    judged = {paytable.target for _, paytable in context.paytables()}
    for wager in context.wagers:
        values: dict[str, dict[str, tuple[str, Hashable]]] = {}
        for paytable in wager.paytables:
            for name, pointer, value in _traits(paytable):
                values.setdefault(name, {})[paytable.target] = pointer, value
        for name, by_target in values.items():
            counts = Counter(value for _, value in by_target.values())
            if len(by_target) < LEAST or sorted(counts.values()) != [1, len(by_target) - 1]:
                continue
            usual, other = [value for value, _ in counts.most_common()]
            for target, (pointer, value) in by_target.items():
                if value == other and target in judged:
                    message = f"{name} is {other} here, and {usual} in all other tables."
                    yield Fault(target, pointer, message)


def _traits(paytable: Paytable) -> Iterator[tuple[str, str, Hashable]]:
    """Yield the name, the pointer and the value of what the tables of a wager have in common."""
    bases = {pay.basis for row in paytable.rows for pay in (row.payout, *row.dynamic)}
    bases &= {Basis.TO, Basis.FOR}
    if len(bases) == 1:  # another check reports a mixture
        yield "The unit of the odds", "/rows", f'"{next(iter(bases))}"'
    numbers = [re.findall(r"[0-9]+", text)[-1:] for text in (paytable.name, paytable.id)]
    if all(numbers):
        same = "that of the id" if numbers[0] == numbers[1] else f"{numbers[0][0]}"
        yield "The last number of the name", "/name", same
    if paytable.progressive is not None:
        base = money(paytable.progressive.base_wager_cents)
        yield "The base wager", "/progressive/base_wager_cents", base
        for level, most in [*_largest_shares(paytable).items()][1:]:
            whole = "the whole" if most == 1 else "a part"
            yield f"The largest share of meter {level}", "/rows", whole


def _largest_shares(paytable: Paytable) -> dict[str, Fraction]:
    """Return the largest share that is paid of each meter, the highest row's meter first."""
    shares: dict[str, Fraction] = {}
    for row in paytable.rows:
        if row.payout.basis is Basis.METER and row.payout.meter is not None:
            level = row.payout.meter
            shares[level] = max(row.payout.amount, shares.get(level, row.payout.amount))
    return shares


@check(
    "P019",
    "The highest hand wins a part of its meter",
    severity=Severity.WARNING,
    fix="Correct the share; keep it if the source prints it.",
    wrong='"pays": "1%", "meter": "1" in the highest row',
    right='"pays": "100%", "meter": "1"',
)
def partly_won(context: Context) -> Iterator[Fault]:
    """The highest hand usually wins the whole meter. A smaller share is usually a lost digit, and a
    meter that nobody wins whole grows without end. Judged is the first row that pays a share.
    """
    for _, paytable in context.paytables():
        shares = [
            (index, row)
            for index, row in enumerate(paytable.rows)
            if row.payout.basis is Basis.METER
        ]
        for index, row in shares[:1]:
            if row.payout.amount < 1:
                message = f"`{row.name}` pays {row.payout}."
                yield Fault(paytable.target, f"/rows/{index}/pays", message)


@check(
    "P020",
    "A hand between two paid hands is not paid",
    severity=Severity.WARNING,
    fix="Add the row; keep the table if the source prints none.",
    wrong="Royal Flush, Four of a Kind, Full House, Flush, Straight",
    right="Royal Flush, Straight Flush, Four of a Kind, Full House, Flush, Straight",
)
def missing_ranks(context: Context) -> Iterator[Fault]:
    """A hand that ranks above a paid one is paid like a lower one, or not at all. A table that pays
    all hands from its lowest to its highest except one has probably lost a row. A table without
    several of them is not reported.
    """
    for _, paytable in context.paytables():
        ranks = {
            ORDER.index(RANK_OF[row.event]): index
            for index, row in enumerate(paytable.rows)
            if row.event in RANK_OF
        }
        missing = {*range(min(ranks, default=0), max(ranks, default=0))} - ranks.keys()
        if len(missing) == 1 and len(ranks) >= FEWEST:
            (rank,) = missing
            index = ranks[rank + 1]
            words = ORDER[rank].replace("_", " ")
            message = f"Below `{paytable.rows[index].name}` there is no row for a {words}."
            yield Fault(paytable.target, f"/rows/{index}", message)
