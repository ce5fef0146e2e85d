"""Formatting of figures, odds, money, percentages and lists, and amounts as people write them.

Fractions are converted to digits only here, once, when printed. Every function rounds half away
from zero (“half up” below): a value exactly between two printable ones goes to the one farther from
zero. Output for people has a minus sign and commas; output for scripts (`json_…`) has ASCII digits
alone. In an amount that is read, a comma or a blank is a mark of thousands, and only before three
digits each: 2,50 is not 250.
"""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from fractions import Fraction
from math import ceil, isqrt

FEW = 12
"""The most names to list if none is similar."""

MINUS = "\N{MINUS SIGN}"

PLAIN_PLACES = 6
"""Decimals of a declared rate at most; a longer one is printed as a fraction."""

ROUNDING_TEXT = (
    "half away from zero: a value exactly between two printable ones is printed as the one farther "
    "from zero"
)
"""The wording in the documents."""

ROUNDING = f"half up, that is {ROUNDING_TEXT}"
"""The wording in JSON; scripts may depend on its first two words."""


def one_line(text: str) -> str:
    """Return a text with every character that cannot be seen written as an escape of JSON.

    These are control, format, private and unassigned characters, surrogates and line separators.
    The text cannot start a new line, nor control a terminal.
    """
    if text.isprintable():
        return text
    return "".join(
        letter
        if letter.isprintable() or unicodedata.category(letter) == "Zs"
        else json.dumps(letter)[1:-1]
        for letter in text
    )


_CLASS_NAME = re.compile(r"(?<![/\w])[A-Z][a-z]+[A-Z]\w*|\w\.[a-z]\w*\.\w")
"""The name of a class or a module, but not of an entry of a PDF, such as /ByteRange."""


def plain_reason(error: object, otherwise: str = "its structure is not the expected one") -> str:
    """Return the reason that a library gives, or other words if it is written for programmers."""
    text = one_line(str(getattr(error, "strerror", None) or error).strip()).rstrip(".")
    internal = isinstance(error, LookupError | TypeError | AttributeError | AssertionError)
    return otherwise if internal or not text or _CLASS_NAME.search(text) else text


def json_exact(value: Fraction) -> str:
    """Return ``n/d`` in lowest terms (``0/1``, ``-1/2``) for scripts."""
    return f"{value.numerator}/{value.denominator}"


def json_decimal(value: Fraction, places: int) -> str:
    """Return ``value`` with ``places`` decimals, rounded half up, for scripts: ``-0.25``."""
    sign = "-" if value < 0 else ""
    scaled = abs(value) * 10**places
    digits = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return _point(sign if digits else "", digits, places)


def json_percent(value: Fraction, places: int = 4) -> str:
    """Return ``value`` in percent without the sign for it, for scripts: ``-1.2500``."""
    return json_decimal(value * 100, places)


def long_date(day: date) -> str:
    """Return a day as documents print it: ``November 21, 2026``."""
    return f"{day:%B} {day.day}, {day.year}"


def utc_minute(moment: datetime | str) -> str:
    """Return an aware moment, or one of ISO 8601, for a sentence: ``2031-11-28 10:23 UTC``."""
    aware = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return f"{aware.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def exact(value: Fraction) -> str:
    """Return ``n/d`` in lowest terms: ``0/1``, ``1/1``, ``−1/2``."""
    return json_exact(value).replace("-", MINUS)


def decimal(value: Fraction, places: int) -> str:
    """Return ``value`` with ``places`` decimals, rounded half up: ``−0.25``."""
    return json_decimal(value, places).replace("-", MINUS)


def percent(value: Fraction, places: int = 4) -> str:
    """Return ``value`` in percent without the sign for it: 1/4 at two places is ``25.00``."""
    return decimal(value * 100, places)


def edge_in_words(edge: Fraction) -> str:
    """Return the house edge in words: ``the house edge is 1.9946%``, or the player's advantage."""
    if edge < 0:
        return f"the player has an advantage of {percentage(-edge)}"
    return f"the house edge is {percentage(edge)}"


def percentage(value: Fraction, places: int = 4) -> str:
    """Return ``value`` in percent with the sign for it: 1/4 at two places is ``25.00%``."""
    return f"{percent(value, places)}%"


def points(value: Fraction) -> str:
    """Return a change of a share in percentage points with its sign: ``+0.1309``, ``−0.0000031``.

    With four decimals, or as many as show two digits of it.
    """
    places = 4
    while value and abs(value) * 10 ** (places + 2) < 10:  # noqa: PLR2004 - two digits
        places += 1
    return f"{'+' * (value > 0)}{percent(value, places)}"


def exact_percentage(value: Fraction) -> str:
    """Return a declared share in percent without rounding: ``5%``, ``2.5%``, ``100/3%``."""
    return f"{plain(value * 100)}%"


def size_in_words(size: Fraction) -> str:
    """Return the size of a wager in units of another one: ``equal to``, ``2 times``."""
    return "equal to" if size == 1 else f"{plain(size)} times"


def plain(value: Fraction | int) -> str:
    """Return ``value`` without rounding: ``5,000``, ``2.5``, ``1/3`` for an endless decimal."""
    places = 0
    while (Fraction(value) * 10**places).denominator != 1:
        places += 1
        if places > PLAIN_PLACES:
            return exact(Fraction(value))
    return thousands(value, places)


def square_root(value: Fraction, places: int) -> str:
    """Return the square root of ``value`` >= 0 with ``places`` decimals, rounded half up.

    The integer root is taken of the value scaled by 100 to the ``places`` and by 4, so that the
    last bit decides the rounding exactly.
    """
    doubled = isqrt(4 * value.numerator * 100**places // value.denominator)
    return _point("", (doubled + 1) // 2, places)


def root(value: Fraction, places: int) -> Fraction:
    """Return the square root of ``value`` >= 0, rounded half up to ``places``, to draw with."""
    return Fraction(square_root(value, places))


def format_one_in(value: Fraction) -> str:
    """Return the number of rounds per hit in words: ``1 in 4.17``, ``1 in 21,751``."""
    return f"1 in {rounds_to_a_hit(value)}" if value else "never"


def rounds_to_a_hit(value: Fraction) -> str:
    """Return N of ``1 in N``: ``4.17``, ``21,751``; a dash if there is no hit."""
    if value == 0:
        return "–"
    rounds = 1 / value
    return thousands(rounds, 0 if rounds >= 100 else 2)  # noqa: PLR2004 - three digits


def thousands(value: Fraction | int, places: int = 0) -> str:
    """Return ``value`` with a comma at each thousand, rounded half up to ``places``."""
    text = json_decimal(abs(Fraction(value)), places)
    whole, point, rest = text.partition(".")
    nothing = not int(whole) and not rest.strip("0")
    return f"{MINUS if value < 0 and not nothing else ''}{int(whole):,}{point}{rest}"


def money(cents: int | Fraction, *, whole: bool = True) -> str:
    """Return dollars: ``$5``, ``$1,250.50``; fractions of a cent are rounded half up.

    Args:
        cents: the amount.
        whole: leave the cents of whole dollars out; in a column they stay, for the point's sake.
    """
    dollars = Fraction(cents) / 100
    sign = MINUS if dollars < 0 else ""
    return f"{sign}${thousands(abs(dollars), 0 if whole and dollars.denominator == 1 else 2)}"


def money_at_least(cents: int | Fraction) -> str:
    """Return dollars that are no less than ``cents``: fractions of a cent are rounded up."""
    return money(ceil(cents))


def format_odds(amount: Fraction, basis: str = "to") -> str:
    """Return odds in the trade's words: ``5,000 to 1``, ``3 to 2``, ``20 for 1``."""
    return f"{amount.numerator:,} {basis} {amount.denominator:,}"


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 file``, ``2 files``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list in a sentence: ``a, b and c``."""
    *first, end = [*words] or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


NUMBER = re.compile(r"[+-]?[0-9][0-9,]*(\.[0-9]+)?(/[0-9]+)?%?")


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return a table as CSV, with no cell that a spreadsheet would run as a formula.

    A text that begins like a formula gets a leading apostrophe; a negative number does not.

    Source: OWASP, "CSV Injection".
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_csv_cell(cell) for cell in row] for row in rows)
    return stream.getvalue().encode()


def _csv_cell(cell: object) -> str:
    text = "" if cell is None else str(cell).replace("\r", "\n")
    formula = text.lstrip().startswith(("=", "+", "-", "@")) or text.startswith(("\t", "\n"))
    return f"'{text}" if formula and not NUMBER.fullmatch(text) else text


def did_you_mean(
    name: str, candidates: Iterable[str], otherwise: str = "", *, form: str = "{}", most: int = 1
) -> str:
    """Return a fix for an unknown name: similar names, or else known ones.

    Args:
        name: the unknown name.
        candidates: the known names, in the order of the list.
        otherwise: the text if no name is similar, in place of a list.
        form: format of a name, such as in quotation marks.
        most: the most names to print; above 1, less similar names are included.
    """
    from difflib import get_close_matches

    names = [*candidates]
    near = get_close_matches(name, names, n=most, cutoff=0.6 if most == 1 else 0.5)
    if near:
        return f"Did you mean {' or '.join(map(form.format, near))}?"
    more = " and more" if len(names) > FEW else ""
    listed = f"Use one of: {', '.join(names[:FEW])}{more}." if names else "None is declared."
    return otherwise or listed


def _point(sign: str, digits: int, places: int) -> str:
    text = str(digits).rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}" if places else f"{sign}{text}"


_MARK = "[, \u00a0\u202f]"
_WHOLE = rf"[1-9][0-9]{{0,2}}(?:{_MARK}[0-9]{{3}})+|[0-9]+"
_whole = re.compile(_WHOLE).fullmatch
_dollars = re.compile(rf"(-?)(?:\$ ?)?({_WHOLE})(?:\.([0-9]{{1,2}}))?").fullmatch
_decimal_comma = re.compile(r"(-?\$? ?[0-9][0-9. \u00a0\u202f]*),([0-9]{1,2})").fullmatch
_odds = re.compile(
    rf"({_WHOLE})(\.[0-9]{{1,4}})?(?:(?:\s*[:/-]\s*|[\s-]*(to|for)[\s-]*)({_WHOLE}))?",
    re.IGNORECASE,
).fullmatch

LONGEST = 20
"""Digits of a number that is read: more than those of any number of deals."""

WORDS = {"even money": "1 to 1", "even": "1 to 1", "push": "push", "loss": "loss", "lose": "loss"}
"""Pays in words, and as they are declared."""


def read_whole(text: str) -> int | None:
    """Return a whole number, None if the text is none."""
    return _read_digits(text) if _whole(text) else None


def read_cents(text: str) -> int | None:
    """Return dollars with at most two decimals in cents, None if the text is no such amount."""
    read = _dollars(text)
    whole = _read_digits(read[2]) if read else None
    if read is None or whole is None:
        return None
    cents = whole * 100 + int((read[3] or "").ljust(2, "0"))
    return -cents if read[1] else cents


def read_meter(text: str) -> Fraction | None:
    """Return an average amount of dollars in cents, which may be finer than a cent."""
    cents, (amount, _, decimals) = read_cents(text), text.partition(".")
    if cents is not None:
        return Fraction(cents)
    whole = read_cents(amount)
    if whole is None or "-" in amount or not re.fullmatch(rf"[0-9]{{1,{LONGEST}}}", decimals):
        return None
    return whole + Fraction(int(decimals) * 100, 10 ** len(decimals))


def correct_amount(text: str) -> str:
    """Return a sentence that says how to write an amount that `read_cents` does not read."""
    read = _decimal_comma(text)
    if read is None:
        return "Write for example 5, 2.50 or 25,000."
    whole = re.sub(r"[. \u00a0\u202f]", "", read[1])
    return f"Write {whole}.{read[2]}: a comma is a mark of thousands."


def read_pay(text: str) -> str | None:
    """Return a pay in declared form (``3 to 2``), None for any other text.

    A number alone is the win for a wager of 1: ``300`` is ``300 to 1``.
    """
    folded = " ".join(text.split()).casefold()
    read = _odds(folded)
    if read is None:
        return WORDS.get(folded)
    won, wagered = _read_digits(read[1]), _read_digits(read[4] or "1")
    if not won or not wagered:
        return None
    pay = (won + Fraction(f"0{read[2] or ''}")) / wagered
    exact = (pay.numerator, pay.denominator) if read[2] else (won, wagered)
    return f"{exact[0]} {read[3] or 'to'} {exact[1]}"


def _read_digits(text: str) -> int | None:
    digits = "".join(filter(str.isdecimal, text))
    return int(digits) if len(digits) <= LONGEST else None
