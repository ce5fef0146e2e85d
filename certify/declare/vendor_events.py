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
from certify.formatting import WORDS, exact_percentage, read_cents, read_pay
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
    """A line or a table that is doubtful: its place, the printed text, and the doubt.

    Attributes:
        field: the field of the request that answers it; empty if the file must be corrected.
        key: the name, the heading or the place that the answer is for.
        events: events that may be meant.
        likely: the event without whose hands the lines below are counted.
    """

    place: str
    name: str
    text: str
    field: str
    key: str = ""
    events: tuple[str, ...] = ()
    likely: str = ""

    @property
    def answer(self) -> str:
        """The option of the command that answers it."""
        return str(library.words("import")["answers"][self.field]).format(self.key)


class Match(Struct, frozen=True):
    """The event of a line, ``-`` for a line that is left out, and what it was found by."""

    event: str
    reason: str


def match_events(
    lines: Sequence[VendorLine], vocabulary: Vocabulary, answers: Mapping[str, str]
) -> Iterator[Match | Question]:
    """Yield the match of each line, or a question."""
    above: list[str] = []
    for line in lines:
        match = _match(line, above, vocabulary, answers)
        event = match.likely if isinstance(match, Question) else match.event
        if event not in {"", "-"}:
            above.append(event)  # the counts of the lines below leave its hands out
        yield match


def _match(
    line: VendorLine, above: list[str], vocabulary: Vocabulary, answers: Mapping[str, str]
) -> Match | Question:
    name = line.name.text
    if fold(name) in answers:
        return Match(answers[fold(name)], "answer")
    named = next(
        (names[words] for names in vocabulary.names if (words := normalize(name)) in names), None
    )
    named = named or frozenset()
    printed = line.cells.get("combinations")
    digits = (read_figure(printed.text) or "").replace(",", "") if printed else ""
    counted: set[str] = set()
    if digits.isdecimal() and int(digits):
        printed_count = int(digits)
        if len(named) == 1 and vocabulary.count([*above, *named]) == printed_count:
            return Match(min(named), "name and count")
        counted = {
            event
            for event in vocabulary.events
            if event not in above and vocabulary.count([*above, event]) == printed_count
        }
    both = named & counted
    decided = both or (counted if not named else named if not counted else set())
    reason = "name and count" if both else "name" if named else "count"
    if len(decided) > 1:
        # The lines above take all hands of the other events, or have them already.
        left = {event for event in decided if vocabulary.count([*above, event]) != 0} - {*above}
        reason, decided = ("name and order", left) if len(left) == 1 else (reason, decided)
    if len(decided) == 1 and min(decided) not in above:
        return Match(min(decided), reason)
    near: set[str] = set()
    if named and counted:
        doubt = f"the name is that of {_list(named)}, the count {digits} that of {_list(counted)}"
    elif len(decided) == 1:
        doubt = f"{min(decided)} has a line already"
    elif decided:
        doubt = f"it may be {_list(decided)}"
    else:
        ids = [event.replace("_", " ") for event in vocabulary.events]
        similar = get_close_matches(fold(name), ids, n=3)
        near = {each.replace(" ", "_") for each in similar}
        doubt = "no event has this name" + (f"; similar: {', '.join(similar)}" if similar else "")
    return Question(
        place=line.name.place,
        name=name,
        text=doubt,
        field="matches",
        key=name,
        events=tuple(sorted(named | counted | near)),
        likely=min(counted or named, default=""),
    )


def _list(events: Collection[str]) -> str:
    return " or ".join(sorted(events))


_share = re.compile(
    r"(\d{1,3}(?:\.\d+)?)% ?(?:of )?(?:(?:meter|level|lvl?|progressive|jackpot)\.? ?(\w*))?",
    re.IGNORECASE,
).fullmatch


_has_basis = re.compile(r"to|for|[:/]|[0-9]\s?-\s?[0-9]|even", re.IGNORECASE).search

NO_BASIS = "the pays do not say if they are to 1 or for 1"
NO_BASE = "the pays are in dollars, and the wager that they are for is not known"
FIELDS = {NO_BASIS: "basis", NO_BASE: "base_wager_cents"}
"""Doubts about a whole table, and the fields of the request that answer them."""

_may_be_thousands = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}(?![0-9])").search


def read_vendor_pay(
    line: VendorLine, cell: Cell, *, printed: str, basis: str, base_cents: int | None
) -> dict[str, str] | str | None:
    """Return the pay of a row as declared, None if the table has no such row, or the doubt.

    ``printed`` is the basis that a heading or a note prints, ``basis`` that of a bare number.
    """
    text = cell.text.rstrip("*†‡ ")
    if cell.computed or line.gaps:
        return "a formula computes the pay" if cell.computed else "pays of the line are missing"
    if "basis" in line.cells:
        return _read_own_pay(line, text)
    if text and fold(text) in library.words("import")["absent"]:
        return None
    if share := _share(text):
        return {"pays": exact_percentage(Fraction(share[1]) / 100), "meter": share[2] or "1"}
    return _read_odds(text, printed=printed, basis=basis, base_cents=base_cents)


def _read_odds(
    text: str, *, printed: str, basis: str, base_cents: int | None
) -> dict[str, str] | str:
    """Return odds or an amount as declared, or the doubt."""
    pay, is_word = read_pay(text.replace("$", "")), text.casefold() in WORDS
    answer: dict[str, str] | str
    if pay is None:
        answer = f"{text} is not a pay" if text else "the pay is missing"
    elif _may_be_thousands(text):
        answer = f"the point in {text} may mark thousands or decimals"
    elif is_word or _has_basis(text):
        differs = printed and not is_word and f" {printed} " not in pay
        answer = f"{text} is not {printed} 1, as the table states" if differs else {"pays": pay}
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


_figure = re.compile(
    r"-?([0-9]{1,40}|[1-9][0-9]{0,2}(,[0-9]{3}){1,12})(\.[0-9]{1,20})?%?"
).fullmatch


def read_figure(text: str) -> str | None:
    """Return the declared form of a printed figure; None for other text."""
    plain = re.sub(r"\s", "", text).replace("−", "-").replace("–", "-")
    plain = re.sub(r"\((.+)\)", r"-\1", plain)
    return plain if _figure(plain) else None


def is_summary(line: VendorLine) -> bool:
    """Return True for a line of totals, of other hands, or of the edge."""
    words = library.words("import")
    return any(fold(line.name.text) in words[kind] for kind in ("edges", "totals", "others"))
