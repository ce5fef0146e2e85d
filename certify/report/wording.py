"""Wording of declared terms in print, and groups and spans of printed values."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import pairwise, takewhile
from string import ascii_lowercase
from typing import Any, Generic, TypeVar

from msgspec import Struct

from certify import library
from certify.formatting import (
    edge_in_words,
    exact_percentage,
    format_odds,
    join_words,
    money,
    plain,
)
from certify.model.analysis import Analysis, LimitAnalysis, LimitedFigures
from certify.model.game import JOKER
from certify.model.jurisdiction import AggregateLimit, RuleVersion
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, EnvyTable, Payout

SUIT_GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}

UNSTATED = "not stated"
"""Text for a name or an amount that no source gives."""


UNBROKEN = "\u00a0"
"""A blank at which no line ends."""


def names(kind: str) -> Mapping[str, str]:
    """Return the printed names of one kind, by id, in the order of the documents."""
    called: Mapping[str, str] = library.words("names")[kind]
    return called


def name_in_print(kind: str, name: str) -> str:
    """Return the printed name of an id, such as of the ``standing`` ``not_satisfied``."""
    return names(kind)[name]


def name_prized_hands(tables: Iterable[EnvyTable]) -> str:
    """Return whose hands some tables of prizes pay for, of them all."""
    tables = tuple(tables)
    own = ["own"] * any(table.pays_on_own_hand for table in tables)
    dealer = ["dealer"] * any(table.pays_on_dealer_hand for table in tables)
    return name_in_print("prized_hands", "_".join(["players", *own, *dealer]))


def number_clause(number: str) -> str:
    """Return the number of a rule as a code has it: ``3.2`` is (b), and its part ``3.2.a`` is 1."""
    _, place, *part = number.split(".")
    if part:
        return f"{ascii_lowercase.index(part[0]) + 1}."
    again, letter = divmod(int(place) - 1, len(ascii_lowercase))
    return f"({ascii_lowercase[letter] * (again + 1)})"


def describe_text(version: RuleVersion) -> str:
    """Return the kind and the date of a text: ``proposed text of 2023-04-19``."""
    date = f" of {version.text_date}" if version.text_date else ""
    return f"{name_in_print('known', version.confidence)}{date}"


def describe_ruling(version: RuleVersion) -> str:
    """Return the same after an article: ``an unverified text``."""
    text = describe_text(version)
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


def advantage_note(edge: Fraction | None) -> str:
    """Return the words after a negative edge, with their punctuation; empty otherwise."""
    return f": {edge_in_words(edge)}" if edge is not None and edge < 0 else ""


def other_players(players: int) -> str:
    """Return the number of the others at a table of so many players."""
    others = players - 1
    return "1 other player" if others == 1 else f"{others} other players"


def keep_together(words: str) -> str:
    """Return words that stay on one line."""
    return words.replace(" ", UNBROKEN)


def engine_view(version: str, build: str) -> dict[str, Any]:
    """Return the version and the build of certify for print; a release can be installed."""
    return {"engine_version": version, "build": build[:12], "is_release": ".dev" not in version}


def pays_for(option: MainWager) -> bool:
    """Return True if an option has a payout "for" an amount, which includes the wager."""
    rules = [rule.win_pays for rule in option.dealer_rules if rule.win_pays is not None]
    own = [pay.payout for pay in option.own_pays]
    return any(pay.basis is Basis.FOR for pay in (option.win_pays, *rules, *own))


def pays(payout: Payout) -> str:
    """Return a pay as printed: ``5,000 to 1``, ``Push``, ``100% of meter 1``."""
    if payout.is_odds:
        return format_odds(payout.amount, payout.basis)
    if payout.basis is Basis.METER:
        return f"{exact_percentage(payout.amount)} of meter {payout.meter}"
    return {Basis.PUSH: "Push", Basis.LOSS: "Loss"}[payout.basis]


def pay_amount(payout: Payout) -> str:
    """Return the pay without its basis, for a table that states the basis once: ``150``."""
    if payout.basis is Basis.METER:
        return f"{exact_percentage(payout.amount)} of {keep_together(f'meter {payout.meter}')}"
    odds = payout.is_odds and payout.amount.denominator == 1
    return plain(payout.amount) if odds else pays(payout)


def label(table_id: str) -> str:
    """Return the printed name of a paytable: a code alone, a number with a noun."""
    return table_id if table_id.isupper() and "-" in table_id else f"Paytable {table_id}"


class Ids(Struct, frozen=True, kw_only=True):
    """Ids of one kind: their common start, and the rest of each.

    ``noun`` says of what kind they are, which a code such as ``PT-FLT-01`` shows by itself.
    """

    start: str
    ends: tuple[str, ...]
    noun: str

    @property
    def several(self) -> bool:
        """True if there is more than one."""
        return len(self.ends) > 1


def ids(names: Sequence[str], noun: str = "paytable") -> Ids:
    """Return ids; codes such as ``PT-FLT-01`` without their common part up to a hyphen."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    shared = "".join(first for first, *_ in alike)
    codes = all(name.isupper() and len(name) > 1 for name in names)
    start = shared[: shared.rfind("-") + 1] if codes and len(names) > 1 else ""
    ends = tuple(name.removeprefix(start) for name in names)
    return Ids(start=start, ends=ends, noun="" if codes else noun)


def limit_text(limit: AggregateLimit, called: Mapping[str, str]) -> str:
    """Return amount and scope, and the names of wagers that share it: ``$10,000 to one player``."""
    names = join_words(called.get(wager, wager) for wager in limit.wagers)
    together = f", together for {names}" if len(limit.wagers) > 1 else ""
    return f"{money(limit.cents)} {name_in_print('scope', limit.scope)}{together}"


def limits_text(limit: LimitAnalysis, called: Mapping[str, str]) -> str:
    """Return all limits that a wager is under, in words with the names of wagers by id."""
    return join_words(limit_text(each, called) for each in limit.limits)


def lower_first(words: str) -> str:
    """Return words as they go on in a sentence: ``With one pair`` becomes ``with one pair``."""
    return words[:1].lower() + words[1:]


def capitalize_first(words: str) -> str:
    """Return words with a capital first letter: ``push`` becomes ``Push``."""
    return words[:1].upper() + words[1:]


def card_text(code: str) -> str:
    """Return a card in a line of text: ``10♦``, ``Joker``."""
    if code == JOKER:
        return "Joker"
    return ("10" if code[0] == "T" else code[0]) + SUIT_GLYPHS[code[1]]


def hand_text(codes: Iterable[str]) -> str:
    """Return cards in a line of text: ``10♦ Joker``."""
    return " ".join(map(card_text, codes))


def card_color(code: str) -> str:
    """Return the color that a card is drawn in."""
    return "joker" if code == JOKER else "red" if code[1] in "dh" else "black"


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Ordered = TypeVar("Ordered", Fraction, date)


class Span(Struct, Generic[Ordered], frozen=True, kw_only=True):
    """The least and the greatest of several figures, or of several days."""

    low: Ordered
    high: Ordered

    @property
    def several(self) -> bool:
        """True if the values differ."""
        return self.low != self.high


def span(
    values: Iterable[Ordered | None], write: Callable[[Ordered], str] = str
) -> Span[Ordered] | None:
    """Return the span of the values that are known; None without any.

    It is one value if the least and the greatest are written alike.
    """
    numbers = [value for value in values if value is not None]
    if not numbers:
        return None
    low, high = min(numbers), max(numbers)
    return Span(low=low, high=low if write(low) == write(high) else high)


def merged_orders(orders: Iterable[Iterable[Key]]) -> list[Key]:
    """Return every key once, each after those it follows in the first list that has it."""
    keys: list[Key] = []
    for order in orders:
        place = 0
        for key in order:
            if key in keys:
                place = keys.index(key) + 1
            else:
                keys.insert(place, key)
                place += 1
    return keys


def together(values: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return values under their keys, in the order in which each comes first."""
    having: dict[Key, list[Value]] = {}
    for key, value in values:
        having.setdefault(key, []).append(value)
    return having


def groups(columns: Sequence[Value], most: int) -> Iterator[Sequence[Value]]:
    """Yield columns in groups of nearly equal size, none with more than fit side by side."""
    count = -(-len(columns) // most)
    for start, end in pairwise(len(columns) * place // max(count, 1) for place in range(count + 1)):
        yield columns[start:end]


class Bounded(Struct, frozen=True, kw_only=True):
    """A figure without its limits and with them: an exact value, or bounds.

    ``high`` is None where no upper bound is known.
    """

    free: Fraction
    low: Fraction
    high: Fraction | None
    falls: bool = False

    @property
    def exact(self) -> bool:
        """True if both bounds equal the figure."""
        return self.low == self.high

    @property
    def two_sided(self) -> bool:
        """True if both bounds are known; the second may be 0."""
        return self.high is not None


class FigureAtWager(Struct, frozen=True, kw_only=True):
    """The house edge at a wager under its limits; with meters the return of the fixed payouts."""

    figure: Bounded
    cents: int


class FiguresWithLimit(Struct, frozen=True, kw_only=True):
    """A figure at every wager that decides; ``open``: limits take more at a greater one."""

    others: tuple[FigureAtWager, ...]
    last: FigureAtWager
    open: bool


def bound_figure(
    value: Fraction | None, at: LimitedFigures, *, falls: bool = False
) -> Bounded | None:
    """Return a figure that rises, or falls, by the cost of a limit; None without a figure."""
    if value is None:
        return None
    sign = -1 if falls else 1
    high = None if at.greatest_cost is None else value + sign * at.greatest_cost
    return Bounded(free=value, low=value + sign * at.cost, high=high, falls=falls)


def figures_with_limit(analysis: Analysis | None) -> FiguresWithLimit | None:
    """Return the figure of a paytable under limits; None if none binds."""
    if analysis is None or analysis.limit is None:
        return None
    progressive = analysis.progressive
    value = progressive.fixed_return if progressive is not None else analysis.house_edge
    figures = [
        FigureAtWager(figure=figure, cents=at.wager_cents)
        for at in analysis.limit.amounts
        if (figure := bound_figure(value, at, falls=progressive is not None)) is not None
    ]
    if not figures:
        return None
    *others, last = figures
    return FiguresWithLimit(others=tuple(others), last=last, open=analysis.limit.open)
