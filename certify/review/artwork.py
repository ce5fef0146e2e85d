"""Compare the text of a layout or a rack card with the submitted paytable."""

import difflib
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING

from msgspec import Struct

from certify.checks.r_jurisdictions.documents import R015
from certify.errors import NotConfigured, NotReadable
from certify.intake.layout import display_path
from certify.model.finding import Finding
from certify.model.paytable import Basis, EnvyTable, Paytable
from certify.storage import read_text

if TYPE_CHECKING:
    from certify.report.rules.rack_card import CardLine

_LONGEST = 40
"""Characters of a pay; none that is filed is longer, and Python reads no number of any length."""

_pays = re.compile(
    r"(?P<odds>[0-9][0-9,]*\s*(?:to|for|:)\s*[0-9]+)"
    r"|(?P<dollars>\$\s?[0-9][0-9,]*(?:\.[0-9]{2})?)"
    r"|(?P<share>[0-9]+(?:\.[0-9]+)?\s?%(?:\s*(?:of\s+meter|lv\.?|level)\s*[0-9]+)?)"
    r"|(?P<push>\bpush\b)|(?P<bare>(?<![\w$])[0-9][0-9,]*(?![\w]))\s*$",
    re.IGNORECASE,
).finditer


class _Shown(Struct, frozen=True, kw_only=True):
    """One pay on a line of the artwork, with its name and position."""

    number: int
    text: str
    name: str
    pay: str
    column: int
    kind: str


def check_artwork(path: Path, target: str) -> tuple[Finding, ...]:
    """Compare a text file of the artwork with the paytable that is filed.

    A line that shows a hand has its name first and its pay after it; other lines (headings,
    instructions) are passed over. Capitals, commas and blanks do not matter.

    Args:
        path: the text of the layout or the rack card.
        target: one paytable.

    Raises:
        NotReadable: the file is not text.
        NotConfigured: the target is not one bonus paytable.
    """
    from certify.report.rules.rack_card import card_lines, card_prizes

    paytable, envy = _find_filed(target)
    rows = (*card_lines(paytable), *card_prizes(envy))
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise NotReadable(
            f"{path} cannot be read as text.", remedy="Save the artwork's text as UTF-8."
        ) from error
    names = frozenset(_plain(row.name) for row in rows)
    lines = [
        printed
        for number, line in enumerate(text.split("\n"), start=1)
        for printed in _find_pays(number, line, names)
    ]
    return tuple(_compare(display_path(path), text, lines, rows))


def _find_filed(target: str) -> tuple[Paytable, EnvyTable | None]:
    from certify.figures.targets import select

    paytables = select(target).tables
    if len(paytables) != 1:
        raise NotConfigured(
            f"{target} names {len(paytables)} paytables, but artwork shows one.",
            remedy="Name one paytable as GAME/WAGER/PAYTABLE.",
        )
    wager, paytable = paytables[0]
    return paytable, wager.find_envy(paytable)


def _find_pays(number: int, text: str, names: frozenset[str]) -> Iterator[_Shown]:
    """Yield each pay of a line, with the name before the first one.

    A line whose name is not filed counts only where it ends with a pay in words or dollars.
    """
    text = text.rstrip("\r")
    pays = list(_pays(text))
    name = text[: pays[0].start()].strip(" .\t:-–|") if pays else ""
    is_filed = _plain(name) in names
    ends = bool(pays) and not text[pays[-1].end() :].strip(" .|")
    if not _plain(name) or not (is_filed or (ends and pays[-1].lastgroup != "bare")):
        return
    for match in pays:
        yield _Shown(
            number=number,
            text=text,
            name=name,
            pay=match.group().strip(),
            column=match.start() + 1,
            kind=match.lastgroup or "",
        )


def _compare(
    file: str, text: str, lines: list[_Shown], rows: tuple["CardLine", ...]
) -> Iterator[Finding]:
    """Yield every difference in the order of the artwork, then the rows missing from it."""
    open_ = list(rows)
    last = -1
    for line in lines:
        prize = line.kind == "dollars"
        matches = [
            row
            for row in open_
            if _plain(row.name) == _plain(line.name) and (row.prize_cents is not None) == prize
        ]
        if not matches:
            yield _unknown_finding(file, line, open_)
            continue
        row = matches[0]
        open_.remove(row)
        yield from _pay_differs(file, line, row)
        place = rows.index(row)
        if place < last:
            yield _make_finding(
                file,
                line,
                f"`{row.name}` is below a row that it is filed above.",
                "Print the rows in the filed order: the first row that the hand contains pays.",
                whole=True,
            )
        last = max(last, place)
    end = text.rstrip("\n").count("\n") + 1
    for row in open_:
        yield Finding(
            code=R015.id,
            severity=R015.severity,
            file=file,
            line=end,
            message=f"`{row.name}` is filed at {row.pays} and is not in the artwork.",
            remedy=f"Add the line: {row.name}  {row.pays}",
        )


def _pay_differs(file: str, line: _Shown, row: "CardLine") -> Iterator[Finding]:
    if line.kind == "bare":
        yield _make_finding(
            file,
            line,
            f"The artwork shows {line.pay} for `{row.name}` without “to” or “for”.",
            f"Print {row.pays}.",
        )
    elif len(line.pay) > _LONGEST or not _same(line, row):
        yield _make_finding(
            file,
            line,
            f"The artwork shows {line.pay:.{_LONGEST}} for `{row.name}`, but {row.pays} is filed.",
            f"Print {row.pays}, or file the other pay.",
        )


def _same(line: _Shown, row: "CardLine") -> bool:
    words = line.pay.lower().replace(",", "").replace(" ", "")
    if row.prize_cents is not None:
        return Fraction(words.removeprefix("$")) * 100 == row.prize_cents
    payout = row.payout
    if payout is None:
        return False
    if line.kind == "push":
        return payout.basis is Basis.PUSH
    if line.kind == "share":
        share, _, level = words.partition("%")
        meter = level.strip(f"{ascii_lowercase}.")
        same = payout.basis is Basis.METER and Fraction(share) / 100 == payout.amount
        return same and meter in ("", payout.meter)
    match = re.fullmatch(r"([0-9]+)(to|for|:)([0-9]+)", words)
    if match is None or int(match[3]) == 0:
        return False
    basis = Basis.FOR if match[2] == "for" else Basis.TO
    return payout.basis is basis and Fraction(int(match[1]), int(match[3])) == payout.amount


def _unknown_finding(file: str, line: _Shown, rows: list["CardLine"]) -> Finding:
    names = {_plain(row.name): row.name for row in rows}
    near = difflib.get_close_matches(_plain(line.name), names, n=1)
    return _make_finding(
        file,
        line,
        f"The artwork shows `{line.name}`, which is not a filed row, or is shown twice.",
        f"The nearest filed row is `{names[near[0]]}`." if near else "Remove the line.",
        whole=True,
    )


def _make_finding(
    file: str, line: _Shown, message: str, remedy: str, *, whole: bool = False
) -> Finding:
    indent = len(line.text) - len(line.text.lstrip())
    return Finding(
        code=R015.id,
        severity=R015.severity,
        file=file,
        line=line.number,
        column=indent + 1 if whole else line.column,
        length=max(len(line.name if whole else line.pay), 1),
        message=message,
        remedy=remedy,
        excerpt=line.text,
    )


def _plain(text: str) -> str:
    """Return a name without capitals, marks and double blanks."""
    return " ".join(re.sub(r"[^\w+]+", " ", text.casefold().replace("w/", "with ")).split())
