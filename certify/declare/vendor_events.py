"""Events, pays and figures of a vendor's printed lines.

A count identifies an event, because hands that earlier rows take are left out of both counts. A
name identifies one if the declared paytables of the wager, or else of all wagers on as many cards,
give it to one event only. A line that neither identifies is a question.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from certify import library
from certify.engine.hands.awards import row_counts
from certify.errors import CertifyError
from certify.formatting import exact_percentage, read_cents, read_pay
from certify.intake.vendor_tables import Cell, VendorLine, fold
from certify.model.catalog import Catalog
from certify.model.game import Game, Wager
from certify.model.paytable import Award, Basis, HandOf, Payout, Paytable, Row

Words = tuple[str, ...]
LOSS = Payout(basis=Basis.LOSS)


class Vocabulary(Struct, frozen=True, kw_only=True):
    """The events that a wager can pay for, by printed name.

    ``names`` are those of the wager's own paytables, then of all paytables on as many cards.
    ``count`` returns the hands of the last of some events.
    """

    names: tuple[Mapping[Words, frozenset[str]], ...]
    events: tuple[str, ...]
    count: Callable[[Sequence[str]], int | None]


def make_template(game: Game, wager: Wager) -> Paytable:
    """Return a paytable without rows, like the first declared one of the wager."""
    if wager.paytables:
        return replace(wager.paytables[0], rows=(), also=(), progressive=None, dynamic=None)
    return Paytable(
        id="new",
        game=game.id,
        wager=wager.id,
        name="new",
        source=wager.source,
        hand=wager.hand or HandOf.PLAYER,
        cards=game.hands.shape.cards,
        award=Award.FIRST_ROW_CONTAINED,
        rows=(),
    )


def load_vocabulary(catalog: Catalog, game: Game, wager: Wager) -> Vocabulary:
    """Return the events that a wager can pay for."""
    model = make_template(game, wager)
    two_handed = model.hand is HandOf.BOTH
    alike = [
        table
        for each in catalog.games.values()
        for table in each.paytables
        if (table.hand is HandOf.BOTH, table.cards) == (two_handed, model.cards)
    ]
    events = [event for event in catalog.events.values() if event.two_handed is two_handed]
    used = {row.event for table in alike for row in table.rows}
    # An event's own words have a meaning only for hands that are ranked by five cards.
    general = [
        (event.id, text)
        for event in events
        for text in (event.name, event.id.replace("_", " "))
        if text and (event.id in used or not alike)
    ]

    def count(ids: Sequence[str]) -> int | None:
        rows = tuple(Row(event=id_, name=id_, payout=LOSS) for id_ in ids)
        try:
            table = replace(model, rows=rows)
            return row_counts(table, events=catalog.events, hands=game.hands)[1][-1]
        except CertifyError:
            return None

    return Vocabulary(
        names=(_collect_names(wager.paytables), _collect_names(alike, general)),
        events=tuple(event.id for event in events),
        count=count,
    )


def _collect_names(
    tables: Collection[Paytable], others: Sequence[tuple[str, str]] = ()
) -> dict[Words, frozenset[str]]:
    """Return the events of the rows of tables, and others, by their printed names."""
    rows = [row for table in tables for row in table.rows]
    printed = [(row.event, text) for row in rows for text in (row.name, row.source_name) if text]
    names: dict[Words, frozenset[str]] = {}
    for event, text in (*printed, *others):
        words = normalize(text)
        names[words] = names.get(words, frozenset()) | {event}
    return names


def normalize(name: str) -> Words:
    """Return the words of a hand's name in one spelling, sorted."""
    text = fold(re.sub(r"\bw/", "with ", re.sub(r"\bw/o\b", "without ", name.casefold())))
    for written, meant in library.words("import")["synonyms"]:
        text = re.sub(rf"\b{written}\b", meant, text)
    return tuple(sorted(text.split()))


class Question(Struct, frozen=True, kw_only=True):
    """A line that is doubtful: its place, the printed text, the doubt, and how to answer.

    ``likely`` is an event that may be meant; the lines below are counted without its hands.
    """

    place: str
    name: str
    text: str
    answer: str
    likely: str = ""


def match_events(
    lines: Sequence[VendorLine], vocabulary: Vocabulary, answers: Mapping[str, str]
) -> Iterator[str | Question]:
    """Yield the event of each line, ``-`` for a line that an answer leaves out, or a question."""
    above: list[str] = []
    for line in lines:
        event = _match(line, above, vocabulary, answers)
        if isinstance(event, Question) and event.likely:
            above.append(event.likely)  # so that the counts of the lines below are known
        elif isinstance(event, str) and event != "-":
            above.append(event)
        yield event


def _match(
    line: VendorLine, above: list[str], vocabulary: Vocabulary, answers: Mapping[str, str]
) -> str | Question:
    name = line.name.text
    if fold(name) in answers:
        return answers[fold(name)]
    named = next(
        (names[words] for names in vocabulary.names if (words := normalize(name)) in names), None
    )
    named = named or frozenset()
    printed = line.cells.get("combinations")
    digits = printed.text.replace(",", "") if printed else ""
    counted: set[str] = set()
    if digits.isdecimal() and int(digits):
        printed_count = int(digits)
        if len(named) == 1 and vocabulary.count([*above, *named]) == printed_count:
            return min(named)
        counted = {
            event
            for event in vocabulary.events
            if event not in above and vocabulary.count([*above, event]) == printed_count
        }
    both = named & counted
    decided = both or (counted if not named else named if not counted else set())
    if len(decided) == 1 and min(decided) not in above:
        return min(decided)
    ask = f'--match "{name}=EVENT"'
    if named and counted:
        doubt = f"the name is that of {_list(named)}, the count {digits} that of {_list(counted)}"
    elif len(decided) == 1:
        doubt = f"{min(decided)} has a line already"
    elif decided:
        doubt = f"it may be {_list(decided)}"
    else:
        ids = [event.replace("_", " ") for event in vocabulary.events]
        near = get_close_matches(fold(name), ids, n=3)
        doubt = "no event has this name" + (f"; similar: {', '.join(near)}" if near else "")
    likely = min(counted or named, default="")
    return Question(place=line.name.place, name=name, text=doubt, answer=ask, likely=likely)


def _list(events: Collection[str]) -> str:
    return " or ".join(sorted(events))


_share = re.compile(
    r"(\d{1,3}(?:\.\d+)?)% ?(?:of )?(?:(?:meter|level|lvl?|progressive|jackpot)\.? ?(\w*))?",
    re.IGNORECASE,
).fullmatch


_has_basis = re.compile(r"to|for|[:/]|[0-9]\s?-\s?[0-9]|even", re.IGNORECASE).search

NO_BASIS = "the pays do not say if they are to 1 or for 1"
NO_BASE = "the pays are in dollars, and the wager that they are for is not known"
OPTIONS = {NO_BASIS: "--basis to, or --basis for", NO_BASE: "--base-wager AMOUNT"}
"""Doubts about a whole table, and the options that answer them."""


def read_vendor_pay(
    line: VendorLine, cell: Cell, *, basis: str, base_cents: int | None
) -> dict[str, str] | str | None:
    """Return the pay of a row as declared, None if the table has no such row, or the doubt."""
    text = cell.text.rstrip("*†‡ ")
    pay = read_pay(text.replace("$", ""))
    answer: dict[str, str] | str | None
    if cell.computed or line.gaps:
        answer = "a formula computes the pay" if cell.computed else "pays of the line are missing"
    elif "basis" in line.cells:
        answer = _read_own_pay(line, text)
    elif text and fold(text) in library.words("import")["absent"]:
        answer = None
    elif share := _share(text):
        answer = {"pays": exact_percentage(Fraction(share[1]) / 100), "meter": share[2] or "1"}
    elif pay is None:
        answer = f"{text} is not a pay" if text else "the pay is missing"
    elif pay in {"push", "loss"} or _has_basis(text):
        answer = {"pays": pay}
    elif not basis:
        answer = NO_BASIS
    elif "$" not in text:
        answer = {"pays": re.sub(" to ", f" {basis} ", pay)}
    elif base_cents is None:
        answer = NO_BASE
    else:
        won = Fraction(read_cents(text) or 0, base_cents)
        answer = {"pays": f"{won.numerator} {basis} {won.denominator}"}
    return answer


def _read_own_pay(line: VendorLine, amount: str) -> dict[str, str] | str:
    """Return the pay of a line of our own workbook, whose amount may have been edited."""
    basis = line.cells["basis"].text
    if basis in {Basis.PUSH, Basis.LOSS}:
        return {"pays": basis}
    if basis == Basis.METER and (share := _share(line.cells["printed"].text)):
        part = Fraction(amount.replace(",", "")) if amount else Fraction(share[1]) / 100
        return {"pays": exact_percentage(part), "meter": share[2]}
    over = amount.partition("/")
    pay = read_pay(f"{over[0]} {basis} {over[2] or 1}") if basis in {Basis.TO, Basis.FOR} else None
    return f"{amount} {basis} is not a pay" if pay is None else {"pays": pay}


def read_figure(text: str) -> str | None:
    """Return the declared form of a printed figure; None for other text."""
    plain = re.sub(r"\s", "", text).replace("−", "-").replace("–", "-")
    plain = re.sub(r"\((.+)\)", r"-\1", plain)
    return plain if re.fullmatch(r"-?[0-9][0-9,]{0,40}(\.[0-9]{1,20})?%?", plain) else None


def is_summary(line: VendorLine) -> bool:
    """Return True for a line of totals, of other hands, or of the edge."""
    words = library.words("import")
    return any(fold(line.name.text) in words[kind] for kind in ("edges", "totals", "others"))
